#include "formats/link.h"

#include "base/memory.h"
#include "formats/base64.h"
#include "formats/deflate.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// Finds the link in an address.
static const char *find_payload(const char *text, size_t *size)
{
    const char *mark = memchr(text, '#', *size), *from = mark ? mark + 1 : text, *end = text + *size;
    while (from < end && is_blank(*from))
        from++;
    while (end > from && is_blank(end[-1]))
        end--;
    *size = (size_t)(end - from);
    return from;
}

static tide_status fail_damaged(tide_error *error)
{
    return tide_link_fail(error, NULL, NULL, "damaged: it was cut short or changed on its way; copy it again, whole");
}

static tide_status fail_large(tide_error *error)
{
    return tide_link_fail(error, NULL, NULL,
                          "longer than %d characters, which no link may be; ask for the scene as a file",
                          TIDE_LINK_LARGEST);
}

static tide_status unpack(const char *payload, size_t size, tide_text *json, tide_error *error)
{
    TIDE_SCOPED_BY(tide_text_free) tide_text bytes = { 0 };
    if (!tide_base64url_read(payload, size, &bytes))
        return fail_damaged(error);
    if (bytes.failed)
        return tide_fail_memory(error, "link");
    switch (tide_inflate(bytes.bytes, bytes.length, TIDE_LINK_LARGEST_CONTENT, json)) {
    case TIDE_INFLATED:
        return TIDE_OK;
    case TIDE_INFLATION_TOO_LARGE:
        return tide_link_fail(
            error, NULL, NULL,
            "its content is larger than %d bytes, which no link's may be; ask for the scene as a file",
            TIDE_LINK_LARGEST_CONTENT);
    case TIDE_INFLATION_NO_MEMORY:
        return tide_fail_memory(error, "link");
    default:
        return fail_damaged(error);
    }
}

tide_status tide_link_read(const char *text, size_t size, tide_link **link, tide_error *error)
{
    TIDE_SCOPED_BY(tide_text_free) tide_text json = { 0 };
    const char *payload = find_payload(text, &size);
    if (!size)
        return tide_link_fail(error, NULL, NULL, "empty; expected an address with the link after its #");
    if (size > TIDE_LINK_LARGEST)
        return fail_large(error);
    TIDE_TRY(unpack(payload, size, &json, error));
    return tide_link_read_json(json.bytes, json.length, link, error);
}

tide_status tide_link_write(const tide_link *link, tide_text *text, tide_error *error)
{
    TIDE_SCOPED_BY(tide_text_free) tide_text json = { 0 };
    TIDE_SCOPED_BY(tide_text_free) tide_text bytes = { 0 };
    tide_link *checked;
    tide_link_write_json(link, &json);
    if (json.failed)
        return tide_fail_memory(error, "link");
    if (json.length > TIDE_LINK_LARGEST_CONTENT)
        return tide_link_fail(error, "script", NULL,
                              "it and its modules are larger than %d bytes, which no link may hold; give the file away",
                              TIDE_LINK_LARGEST_CONTENT);
    TIDE_TRY(tide_link_read_json(json.bytes, json.length, &checked, error));
    tide_free(checked);
    TIDE_TRY(tide_deflate(json.bytes, json.length, &bytes, error));
    size_t before = text->length;
    tide_base64url_add(text, bytes.bytes, bytes.length);
    if (text->failed)
        return tide_fail_memory(error, "link");
    return text->length - before > TIDE_LINK_LARGEST ? fail_large(error) : TIDE_OK;
}

#include "world/snapshot_text.h"

#include "base/hash.h"
#include "base/memory.h"
#include "world/snapshot.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64 }; // bytes
static const char start[] = "springtide world 1 ";

tide_status tide_snapshot_write_text(const tide_snapshot *snapshot, tide_text *text, tide_error *error)
{
    static const char digits[] = "0123456789abcdef";
    size_t size;
    const unsigned char *bytes = tide_snapshot_bytes(snapshot, &size);
    tide_text_format(text, "%s%zu %016" PRIx64 "\n", start, size, tide_hash_bytes(TIDE_HASH_START, bytes, size));
    for (size_t from = 0; from < size; from += LINE) {
        char line[2 * LINE + 1];
        size_t count = size - from < LINE ? size - from : LINE;
        for (size_t i = 0; i < count; i++) {
            line[2 * i] = digits[bytes[from + i] >> 4];
            line[2 * i + 1] = digits[bytes[from + i] & 15];
        }
        line[2 * count] = '\n';
        tide_text_add(text, line, 2 * count + 1);
    }
    return text->failed ? tide_fail_memory(error, "saved world") : TIDE_OK;
}

static tide_status refuse_world(size_t line, const char *remedy, tide_error *error)
{
    char value[32];
    snprintf(value, sizeof value, "%zu", line);
    return tide_fail(error, TIDE_ERROR_FORMAT, "saved world", "line", value, "%s", remedy);
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Reads the bytes, from the second line on.
static tide_status read_bytes(const char *at, const char *end, unsigned char *bytes, size_t size, tide_error *error)
{
    size_t line = 2;
    for (size_t i = 0; i < size; i++) {
        if (end - at < 2 || digit(at[0]) < 0 || digit(at[1]) < 0)
            return refuse_world(line,
                                end - at < 2 ? "it ends here: it was cut short; save it again"
                                             : "expected hexadecimal digits, two a byte",
                                error);
        bytes[i] = (unsigned char)(16 * digit(at[0]) + digit(at[1]));
        at += 2;
        if (i + 1 != size && (i + 1) % LINE)
            continue;
        if (at == end || *at++ != '\n')
            return refuse_world(
                line, at >= end ? "it ends here: it was cut short; save it again" : "expected the end of the line",
                error);
        line++;
    }
    return at == end ? TIDE_OK : refuse_world(line, "expected the end", error);
}

// Reads what follows `start` in the first line: the number of bytes and their hash.
static bool read_head(const char *at, size_t most, size_t *size, uint64_t *hash)
{
    char *end;
    if (!isdigit((unsigned char)*at))
        return false;
    errno = 0;
    unsigned long long count = strtoull(at, &end, 10);
    if (errno || count > most || *end != ' ' || strlen(end + 1) != 16 || strspn(end + 1, "0123456789abcdef") != 16)
        return false;
    *size = (size_t)count;
    *hash = strtoull(end + 1, NULL, 16);
    return true;
}

// Allocates *out, which the caller frees even if this fails.
static tide_status read_text(const char *text, size_t length, unsigned char **out, size_t *size, tide_error *error)
{
    char head[96];
    const char *end = text + length, *line = memchr(text, '\n', length < sizeof head ? length : sizeof head);
    uint64_t hash;
    if (!line || strncmp(text, start, sizeof start - 1) != 0)
        return refuse_world(1, "expected \"springtide world 1\": this is no saved world, or one of another version",
                            error);
    snprintf(head, sizeof head, "%.*s", (int)(line - text), text);
    if (!read_head(head + sizeof start - 1, length / 2, size, &hash))
        return refuse_world(1, "expected how many bytes there are, no more than the file has, and a hash", error);
    unsigned char *bytes = *out = tide_allocate(*size);
    if (!bytes)
        return tide_fail_memory(error, "saved world");
    TIDE_TRY(read_bytes(line + 1, end, bytes, *size, error));
    return tide_hash_bytes(TIDE_HASH_START, bytes, *size) == hash
               ? TIDE_OK
               : refuse_world(1, "the hash is not that of the bytes: something in it was changed; save it again",
                              error);
}

tide_status tide_snapshot_read_text(const tide_world *world, const char *text, size_t length, tide_snapshot **snapshot,
                                    tide_error *error)
{
    TIDE_SCOPED unsigned char *bytes = NULL;
    size_t size;
    *snapshot = NULL;
    TIDE_TRY(read_text(text, length, &bytes, &size, error));
    return tide_snapshot_read(world, bytes, size, snapshot, error);
}

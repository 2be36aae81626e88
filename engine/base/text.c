#include "base/text.h"

#include "base/memory.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tide_text_add(tide_text *text, const void *bytes, size_t size)
{
    if (text->failed || !tide_grow(&text->bytes, &text->capacity, text->length + size + 1, 1)) {
        text->failed = true;
        return;
    }
    if (size)
        memcpy(text->bytes + text->length, bytes, size);
    text->length += size;
    text->bytes[text->length] = '\0';
}

void tide_text_format(tide_text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || text->failed || !tide_grow(&text->bytes, &text->capacity, text->length + (size_t)length + 1, 1))
        text->failed = true;
    else {
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

static int write_bytes(const tide_text *text, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return errno;
    errno = 0;
    bool written = text->length == 0 || fwrite(text->bytes, 1, text->length, file) == text->length;
    int reason = written ? 0 : errno ? errno : EIO;
    if (fclose(file) != 0 && written)
        reason = errno ? errno : EIO;
    if (reason)
        remove(path);
    return reason;
}

tide_status tide_text_save(const tide_text *text, const char *path, const char *object, tide_error *error)
{
    tide_text beside = { 0 };
    tide_text_format(&beside, "%s.part", path);
    if (text->failed || beside.failed) {
        tide_text_free(&beside);
        return tide_fail_memory(error, object);
    }
    int reason = write_bytes(text, beside.bytes);
    if (reason == 0 && rename(beside.bytes, path) != 0) {
        reason = errno;
        remove(beside.bytes);
    }
    tide_text_free(&beside);
    return reason == 0 ? TIDE_OK
                       : tide_fail(error, TIDE_ERROR_FILE, object, NULL, NULL,
                                   "cannot be written: %s; check the path, its permissions and the space left",
                                   strerror(reason));
}

void tide_text_clear(tide_text *text)
{
    text->length = 0;
    text->failed = false;
    if (text->bytes)
        text->bytes[0] = '\0';
}

void tide_text_free(tide_text *text)
{
    tide_free(text->bytes);
    *text = (tide_text) { 0 };
}

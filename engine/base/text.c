#include "base/text.h"

#include "base/decimal.h"
#include "base/memory.h"
#include "base/output_file.h"

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
    int length = tide_format_list(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || text->failed || !tide_grow(&text->bytes, &text->capacity, text->length + (size_t)length + 1, 1))
        text->failed = true;
    else {
        tide_format_list(text->bytes + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

tide_status tide_text_save_as(const tide_text *text, const char *path, const char *object, unsigned kinds,
                              tide_error *error)
{
    tide_output *output;
    if (text->failed)
        return tide_fail_memory(error, object);
    TIDE_TRY(tide_output_open(path, object, kinds, &output, error));
    if (text->length)
        fwrite(text->bytes, 1, text->length, tide_output_stream(output));
    return tide_output_close(output, error);
}

tide_status tide_text_save(const tide_text *text, const char *path, const char *object, tide_error *error)
{
    return tide_text_save_as(text, path, object, TIDE_OUTPUT_ANY, error);
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

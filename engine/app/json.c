#include "app/json.h"

#include "base/characters.h"
#include "base/decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_string(tide_text *text, const char *value)
{
    size_t left = strlen(value);
    tide_text_add(text, "\"", 1);
    while (left) {
        size_t length = tide_printable_length(value, left);
        unsigned char byte = (unsigned char)*value;
        if (byte == '"' || byte == '\\')
            tide_text_format(text, "\\%c", byte);
        else if (length)
            tide_text_add(text, value, length);
        else
            tide_text_format(text, "\\u%04x", byte < 0x80 ? byte : 0xfffd);
        length = length ? length : 1;
        value += length;
        left -= length;
    }
    tide_text_add(text, "\"", 1);
}

static void begin(tide_text *text, const char *key)
{
    char last = text->length ? text->bytes[text->length - 1] : '[';
    if (!strchr("{[\n", last))
        tide_text_add(text, ",", 1);
    if (!key)
        return;
    add_string(text, key);
    tide_text_add(text, ":", 1);
}

void tide_json_open(tide_text *text, const char *key, char bracket)
{
    begin(text, key);
    tide_text_add(text, &bracket, 1);
}

void tide_json_close(tide_text *text, char bracket)
{
    tide_text_add(text, &bracket, 1);
}

void tide_json_string(tide_text *text, const char *key, const char *value)
{
    if (!value) {
        tide_json_null(text, key);
        return;
    }
    begin(text, key);
    add_string(text, value);
}

void tide_json_number(tide_text *text, const char *key, double value)
{
    char digits[40];
    if (!isfinite(value)) {
        tide_json_null(text, key);
        return;
    }
    begin(text, key);
    tide_format(digits, sizeof digits, "%.17g", value);
    tide_text_add(text, digits, strlen(digits));
}

void tide_json_count(tide_text *text, const char *key, uint64_t value)
{
    begin(text, key);
    tide_text_format(text, "%" PRIu64, value);
}

void tide_json_boolean(tide_text *text, const char *key, bool value)
{
    begin(text, key);
    tide_text_format(text, "%s", value ? "true" : "false");
}

void tide_json_null(tide_text *text, const char *key)
{
    begin(text, key);
    tide_text_add(text, "null", 4);
}

void tide_json_numbers(tide_text *text, const char *key, const double *values, int count)
{
    tide_json_open(text, key, '[');
    for (int i = 0; i < count; i++)
        tide_json_number(text, NULL, values[i]);
    tide_json_close(text, ']');
}

#include "formats/base64.h"

#include <stdint.h>
#include <string.h>

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
static const char standard[] = LETTERS "+/", of_urls[] = LETTERS "-_";

static void add(tide_text *out, const unsigned char *bytes, size_t size, const char *digits, bool padded)
{
    for (size_t i = 0; i < size; i += 3) {
        uint32_t bits = 0;
        size_t count = size - i < 3 ? size - i : 3;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (k < count ? bytes[i + k] : 0);
        char group[4];
        for (size_t k = 0; k < 4; k++)
            group[k] = k <= count ? digits[bits >> (18 - 6 * k) & 63] : '=';
        tide_text_add(out, group, padded ? 4 : count + 1);
    }
}

void tide_base64_add(tide_text *out, const void *bytes, size_t size)
{
    add(out, bytes, size, standard, true);
}

void tide_base64url_add(tide_text *out, const void *bytes, size_t size)
{
    add(out, bytes, size, of_urls, false);
}

bool tide_base64url_read(const char *text, size_t size, tide_text *bytes)
{
    signed char value[256];
    memset(value, -1, sizeof value);
    for (int i = 0; i < 64; i++)
        value[(unsigned char)of_urls[i]] = (signed char)i;
    for (size_t i = 0; i < size; i += 4) {
        uint32_t bits = 0;
        size_t count = size - i < 4 ? size - i : 4;
        for (size_t k = 0; k < 4; k++) {
            int digit = k < count ? value[(unsigned char)text[i + k]] : 0;
            if (digit < 0)
                return false;
            bits = bits << 6 | (uint32_t)digit;
        }
        const unsigned char group[3] = { bits >> 16 & 255, bits >> 8 & 255, bits & 255 };
        if (count == 1 || (count == 2 && group[1]) || (count < 4 && group[2]))
            return false;
        tide_text_add(bytes, group, count - 1);
    }
    return true;
}

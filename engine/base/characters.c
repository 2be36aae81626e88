#include "base/characters.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Returns the length of a UTF-8 character that begins with this byte; 0 if none does.
static size_t announced_length(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first < 0xe0)
        return 2;
    if (first >= 0xe0 && first < 0xf0)
        return 3;
    return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

size_t tide_printable_length(const char *text, size_t length)
{
    static const unsigned char first_mask[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char *bytes = (const unsigned char *)text;
    size_t size = announced_length(bytes[0]);
    if (size == 0 || size > length)
        return 0;
    uint32_t point = bytes[0] & first_mask[size];
    for (size_t i = 1; i < size; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
        point = point << 6 | (bytes[i] & 0x3f);
    }
    bool control = point < 0x20 || (point >= 0x7f && point < 0xa0);
    bool valid = point >= least[size] && point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000);
    return valid && !control ? size : 0;
}

const char *tide_find_unprintable(const char *text)
{
    size_t length = strlen(text), size;
    for (; length; text += size, length -= size)
        if (!(size = tide_printable_length(text, length)))
            return text;
    return NULL;
}

const char *tide_find_control(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            return text;
    return NULL;
}

char *tide_visible_text(const char *text, size_t length, char *out, size_t size)
{
    char escape[8];
    size_t used = 0;
    for (size_t i = 0; i < length && size > 0;) {
        size_t kept = tide_printable_length(text + i, length - i), taken = kept ? kept : 1;
        const char *from = text + i;
        if (!kept && (*from == '\n' || *from == '\t'))
            kept = 1;
        if (!kept) {
            kept = (size_t)snprintf(escape, sizeof escape, "\\x%02X", (unsigned char)*from);
            from = escape;
        }
        if (used + kept >= size)
            break;
        memcpy(out + used, from, kept);
        used += kept;
        i += taken;
    }
    if (size > 0)
        out[used] = '\0';
    return out;
}

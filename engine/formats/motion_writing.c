#include "formats/motion_writing.h"

#include <math.h>

void tide_motion_bounds(const float *points, size_t count, float lower[3], float upper[3])
{
    for (int k = 0; k < 3; k++)
        lower[k] = INFINITY, upper[k] = -INFINITY;
    for (size_t i = 0; i < 3 * count; i++) {
        lower[i % 3] = fminf(lower[i % 3], points[i]);
        upper[i % 3] = fmaxf(upper[i % 3], points[i]);
    }
}

const float *tide_motion_points(const tide_motion_part *part, uint32_t frame)
{
    return part->positions + 3 * (size_t)part->mesh->vertex_count * frame;
}

// Returns the bytes of the character of UTF-8 at `at`; 0: none is valid there.
static size_t character_size(const unsigned char *at)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } forms[] = { { 0x80, 0, 0 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 } };
    for (size_t form = 0; form < 4; form++) {
        if ((at[0] & forms[form].mask) != forms[form].lead)
            continue;
        uint32_t code = at[0] & (unsigned char)~forms[form].mask;
        for (size_t i = 1; i <= form; i++) {
            if ((at[i] & 0xc0) != 0x80) // also at the end of the text
                return 0;
            code = code << 6 | (at[i] & 0x3f);
        }
        bool valid = code >= forms[form].least && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
        return valid ? form + 1 : 0;
    }
    return 0;
}

void tide_text_add_quoted(tide_text *text, const char *string)
{
    tide_text_add(text, "\"", 1);
    for (const unsigned char *at = (const unsigned char *)string; *at;) {
        size_t size = character_size(at);
        if (size == 1 && (*at == '"' || *at == '\\'))
            tide_text_add(text, "\\", 1);
        if (size == 0 || *at < 0x20 || *at == 0x7f)
            tide_text_add(text, "?", 1);
        else
            tide_text_add(text, at, size);
        at += size ? size : 1;
    }
    tide_text_add(text, "\"", 1);
}

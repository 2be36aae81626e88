#include "formats/motion_writing.h"

#include "base/characters.h"

#include <math.h>
#include <string.h>

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

static void add_escaped(tide_text *text, const char *string, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (string[i] == '"' || string[i] == '\\')
            tide_text_add(text, "\\", 1);
        tide_text_add(text, string + i, 1);
    }
}

void tide_text_add_quoted(tide_text *text, const char *string)
{
    tide_text_add(text, "\"", 1);
    for (const char *bad = tide_find_unprintable(string); bad; bad = tide_find_unprintable(string)) {
        add_escaped(text, string, (size_t)(bad - string));
        tide_text_add(text, "?", 1);
        string = bad + 1;
    }
    add_escaped(text, string, strlen(string));
    tide_text_add(text, "\"", 1);
}

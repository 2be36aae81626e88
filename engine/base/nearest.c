// Looks up a name in a list, and finds the nearest one for messages.
#include "base/field.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { NAME_LIMIT = 63 };

// Replacing a letter costs slightly more than an insertion or a deletion, to choose between equally near names: "sed"
// is rather "seed" than "set".
enum { EDIT = 64, CHANGE = EDIT + 1 };

// Returns the edit distance in units of EDIT. Case is ignored.
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][NAME_LIMIT + 1]; // edit distances of the last three prefixes of a to every prefix of b
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= b_length; j++)
        last[j] = j * EDIT;
    for (size_t i = 1; i <= a_length; i++) {
        now[0] = i * EDIT;
        for (size_t j = 1; j <= b_length; j++) {
            int p = tolower((unsigned char)a[i - 1]), q = tolower((unsigned char)b[j - 1]);
            size_t best = last[j - 1] + (p != q ? CHANGE : 0);
            if (last[j] + EDIT < best)
                best = last[j] + EDIT;
            if (now[j - 1] + EDIT < best)
                best = now[j - 1] + EDIT;
            if (i > 1 && j > 1 && p == tolower((unsigned char)b[j - 2]) && q == tolower((unsigned char)a[i - 2]) &&
                before[j - 2] + EDIT < best)
                best = before[j - 2] + EDIT;
            now[j] = best;
        }
        size_t *oldest = before;
        before = last;
        last = now;
        now = oldest;
    }
    return last[b_length];
}

// Returns the distance if `candidate` is near `name`: at most a third of the longer one differs. Otherwise SIZE_MAX.
static size_t nearness(const char *name, const char *candidate)
{
    size_t a = strlen(name), b = strlen(candidate), longer = a > b ? a : b;
    if (longer > NAME_LIMIT || a == 0 || b == 0)
        return SIZE_MAX;
    size_t distance = edit_distance(name, a, candidate, b), limit = longer < 3 ? longer - 1 : (longer + 1) / 3;
    return distance / EDIT <= limit ? distance : SIZE_MAX;
}

const char *tide_nearest_name(const char *name, const char *const *candidates, size_t count)
{
    const char *nearest = NULL;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t distance = nearness(name, candidates[i]);
        if (distance < best) {
            best = distance;
            nearest = candidates[i];
        }
    }
    return nearest;
}

tide_status tide_find_name(const char *text, const char *const *candidates, size_t count, const char *kind,
                           const char *object, const char *name, size_t *index, tide_error *error)
{
    char known[200] = "";
    for (size_t i = 0, length = 0; i < count; i++) {
        if (strcmp(text, candidates[i]) == 0) {
            *index = i;
            return TIDE_OK;
        }
        if (length < sizeof known)
            length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", i ? ", " : "", candidates[i]);
    }
    const char *near = tide_nearest_name(text, candidates, count), *the = kind ? "the " : "", *space = kind ? " " : "";
    if (near)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, name, text, "did you mean %s%s%s\"%s\"? Known: %s", the,
                         kind ? kind : "", space, near, known);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, name, text, "expected one of %s%s%s%s", the, kind ? kind : "",
                     kind ? "s " : "", known);
}

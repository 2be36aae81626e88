// What the parts of the search for crossings share: candidates, and the list of crossings.
#include "collision/crossing_search_parts.h"

#include "base/memory.h"
#include "base/stop.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TESTS (UINT64_C(1) << 28) // pairs of boxes that overlap

void tide_crossing_note(tide_crossing_search *s, const tide_crossing *crossing)
{
    tide_crossings *r = &s->result;
    r->count++;
    r->of[crossing->kind]++;
    r->let_pass += crossing->let_pass;
    if (r->listed == TIDE_CROSSINGS_LISTED)
        return;
    if (!tide_grow_owned(s, &s->list, &s->capacity, (size_t)r->listed + 1, sizeof *s->list)) {
        s->failed = true;
        return;
    }
    s->list[r->listed++] = *crossing;
}

static int ascending(const void *a, const void *b)
{
    uint32_t first, second;
    memcpy(&first, a, sizeof first);
    memcpy(&second, b, sizeof second);
    return (first > second) - (first < second);
}

uint32_t tide_crossing_query(tide_crossing_search *s, const double box[6], uint32_t first)
{
    enum { FEW = 32, POLLED = 1 << 16 };
    if (!s->result.complete || !s->surface->triangle_count)
        return 0;
    uint32_t count = tide_box_tree_query(s->tree, box, first, s->found);
    bool polls = (s->tests + count) / POLLED != s->tests / POLLED;
    s->tests += count;
    if (s->tests > MOST_TESTS || (polls && tide_stop_requested())) {
        s->result.complete = false;
        return 0;
    }
    if (count > FEW)
        qsort(s->found, count, sizeof *s->found, ascending);
    else
        for (uint32_t i = 1; i < count; i++) {
            uint32_t value = s->found[i], k = i;
            for (; k > 0 && s->found[k - 1] > value; k--)
                s->found[k] = s->found[k - 1];
            s->found[k] = value;
        }
    return count;
}

void tide_crossing_box(const tide_crossing_search *s, const uint32_t *points, int count, double box[6])
{
    for (int i = 0; i < count; i++) {
        const double *p = tide_crossing_point(s, points[i]);
        for (int k = 0; k < 3; k++) {
            box[k] = i && box[k] < p[k] ? box[k] : p[k];
            box[3 + k] = i && box[3 + k] > p[k] ? box[3 + k] : p[k];
        }
    }
}

// Known pairs in place of a search.
//
// The near pairs of proximity.h are complete for motions that end with all points within their skins: a plane separates
// the sides of any other pair at the start and at the end, and so all the way. Proximity leaves out pairs near at rest,
// which rest_pairs.h lists once. A point is loose if it is outside its skin, or if its part is not listed
// (tide_proximity_lists). A feature with a loose point is loose, too. A search with trees of the loose features finds
// their pairs.
#include "contact/continuous_state.h"

#include <string.h>

enum { LOOSE = 2 }; // everything is searched for when more than one near point in LOOSE is loose

// Tells whether the pairs of a point are not known. The radius has to be large beside rounding.
static bool is_loose(const tide_continuous *c, uint32_t point, const double *to)
{
    uint32_t part = c->surface->part_of[point];
    if (!c->listed[part] || c->surface->parts[part].radius < c->slack)
        return true;
    const double *x = to + 3 * (size_t)point, *y = c->centres + 3 * (size_t)point;
    double skin = c->skins[point], square = 0;
    for (int k = 0; k < 3; k++)
        square += (x[k] - y[k]) * (x[k] - y[k]);
    return !(square <= skin * skin);
}

static bool few_are_loose(const tide_continuous *c)
{
    return c->loose_count <= c->of[POINTS].near_count / LOOSE;
}

bool tide_continuous_begin_pairs(tide_continuous *c, const double *to)
{
    const features *points = &c->of[POINTS];
    c->loose_count = 0;
    if (!c->centres || c->surface->tangled || c->surface->penetrating)
        return false;
    for (uint32_t n = 0; n < points->near_count; n++) {
        uint32_t point = points->near[n];
        c->loose[point] = is_loose(c, point, to);
        c->loose_count += c->loose[point];
    }
    return few_are_loose(c);
}

bool tide_continuous_continue_pairs(tide_continuous *c, const double *to)
{
    const features *points = &c->of[POINTS];
    for (uint32_t n = 0; n < points->near_count; n++) {
        uint32_t point = points->near[n];
        if (c->moved[point] && !c->loose[point] && is_loose(c, point, to)) {
            c->loose[point] = true;
            c->loose_count++;
        }
    }
    return few_are_loose(c);
}

bool tide_continuous_is_loose(const tide_continuous *c, const features *f, uint32_t item)
{
    const uint32_t *points = tide_continuous_points(f, &item);
    for (uint32_t i = 0; i < f->size; i++)
        if (c->loose[points[i]])
            return true;
    return false;
}

uint32_t tide_continuous_known_count(const tide_continuous *c, int kind)
{
    uint32_t count = c->at_rest.count;
    if (kind == NEAR_PAIRS)
        tide_proximity_pairs(c->proximity, &count);
    return count;
}

// Returns the kind of a known pair, and sets its key.
static tide_pair_kind take(const tide_continuous *c, int kind, uint32_t n, uint64_t *key)
{
    if (kind == NEAR_PAIRS) {
        uint32_t count;
        const tide_near_pair *pair = &tide_proximity_pairs(c->proximity, &count)[n];
        *key = pair->key;
        return (tide_pair_kind)pair->kind;
    }
    *key = c->at_rest.keys[n];
    return n < c->at_rest.triangle_count ? TIDE_PAIR_TRIANGLE : TIDE_PAIR_EDGES;
}

bool tide_continuous_known_pair(const tide_continuous *c, int kind, bool first, uint32_t n, tide_pair_kind *pair_kind,
                                uint32_t *i, uint32_t *k)
{
    uint64_t key;
    *pair_kind = take(c, kind, n, &key);
    if (*pair_kind == TIDE_PAIR_POINTS)
        return false;
    bool edges = *pair_kind == TIDE_PAIR_EDGES;
    const features *a = &c->of[edges ? EDGES : POINTS], *b = &c->of[edges ? EDGES : TRIANGLES];
    *i = (uint32_t)(key >> 32);
    *k = (uint32_t)key;
    if (!first && !a->now[*i] && !b->now[*k])
        return false;
    if (c->loose_count > 0 && (tide_continuous_is_loose(c, a, *i) || tide_continuous_is_loose(c, b, *k)))
        return false;
    double own[6], other[6];
    tide_continuous_box(c, a, *i, own);
    tide_continuous_box(c, b, *k, other);
    return tide_boxes_overlap(own, other);
}

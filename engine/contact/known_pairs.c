// Known pairs in place of a search.
//
// The pairs of proximity.h are complete for motions that end with all points within their skins: a plane separates the
// sides of any other pair at the start and at the end, and so all the way. Those near at rest, which proximity leaves
// out, are listed once. Pairs of loose points, which are outside their skins or of parts whose pairs proximity does not
// list completely, are searched for with trees of the loose features.
#include "contact/continuous_state.h"

#include <string.h>

enum { LOOSE = 2 }; // more than near points / LOOSE are loose: all is searched for

static bool any_smooth(const tide_contact_surface *s, const tide_contact_part *part)
{
    bool any = false;
    for (uint32_t i = part->first_point; s->smooth_points && i < part->first_point + part->point_count; i++)
        any = any || s->smooth_points[i];
    for (uint32_t i = part->first_edge; s->smooth_edges && i < part->first_edge + part->edge_count; i++)
        any = any || s->smooth_edges[i];
    return any;
}

void tide_continuous_list_parts(tide_continuous *c)
{
    const tide_contact_surface *s = c->surface;
    for (uint32_t i = 0; i < s->part_count; i++) {
        const tide_contact_part *part = &s->parts[i];
        c->listed[i] = part->triangle_count > 0 && !part->solid && !part->guarded && !any_smooth(s, part);
    }
}

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
    uint32_t count;
    if (kind == NEAR_PAIRS)
        tide_proximity_pairs(c->proximity, &count);
    else
        count = kind == REST_TRIANGLES ? c->at_rest.triangle_count : c->at_rest.edge_count;
    return count;
}

// Sets the kind and key of a known pair. Returns false for a pair of points.
static bool take(const tide_continuous *c, int kind, uint32_t n, tide_pair_kind *pair_kind, uint64_t *key)
{
    uint32_t count;
    if (kind == NEAR_PAIRS) {
        const tide_near_pair *pair = &tide_proximity_pairs(c->proximity, &count)[n];
        *pair_kind = (tide_pair_kind)pair->kind;
        *key = pair->key;
    } else {
        *pair_kind = kind == REST_TRIANGLES ? TIDE_PAIR_TRIANGLE : TIDE_PAIR_EDGES;
        *key = kind == REST_TRIANGLES ? c->at_rest.triangles[n] : c->at_rest.edges[n];
    }
    return *pair_kind != TIDE_PAIR_POINTS;
}

bool tide_continuous_known_pair(const tide_continuous *c, int kind, bool first, uint32_t n, tide_pair_kind *pair_kind,
                                uint32_t *i, uint32_t *k)
{
    uint64_t key;
    if (!take(c, kind, n, pair_kind, &key))
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

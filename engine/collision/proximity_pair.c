// A pair of features as the surface and the start of a step give it, and whether its sides may touch.
#include "collision/proximity_state.h"

static tide_contact_pair pair_of_triangle(const tide_proximity *p, uint32_t i, uint32_t triangle)
{
    const tide_contact_surface *s = p->surface;
    const uint32_t *corners = s->triangles + 3 * (size_t)triangle;
    const tide_contact_part *a = &s->parts[s->part_of[i]], *b = &s->parts[p->triangle_parts[triangle]];
    return (tide_contact_pair) { .kind = TIDE_PAIR_TRIANGLE,
                                 .points = { i, corners[0], corners[1], corners[2] },
                                 .distance = a->radius + b->radius,
                                 .owns = p->owns[triangle],
                                 .from = p->from };
}

static tide_contact_pair pair_of_edges(const tide_proximity *p, uint32_t i, uint32_t k)
{
    const tide_contact_surface *s = p->surface;
    const tide_contact_part *a = &s->parts[p->edge_parts[i]], *b = &s->parts[p->edge_parts[k]];
    const uint32_t *own = s->edges + 2 * (size_t)i, *other = s->edges + 2 * (size_t)k;
    return (tide_contact_pair) { .kind = TIDE_PAIR_EDGES,
                                 .points = { own[0], own[1], other[0], other[1] },
                                 .distance = a->radius + b->radius,
                                 .ends = a->triangle_count == 0 && b->triangle_count == 0,
                                 .from = p->from };
}

static tide_contact_pair pair_of_points(const tide_proximity *p, uint32_t i, uint32_t j)
{
    const tide_contact_surface *s = p->surface;
    return (tide_contact_pair) { .kind = TIDE_PAIR_POINTS,
                                 .points = { i, j },
                                 .distance = s->parts[s->part_of[i]].radius + s->parts[s->part_of[j]].radius,
                                 .from = p->from };
}

tide_contact_pair tide_proximity_pair_of(const tide_proximity *p, tide_pair_kind kind, uint32_t first, uint32_t second)
{
    return kind == TIDE_PAIR_POINTS     ? pair_of_points(p, first, second)
           : kind == TIDE_PAIR_TRIANGLE ? pair_of_triangle(p, first, second)
                                        : pair_of_edges(p, first, second);
}

// Returns the sum of the largest skins of both sides.
static inline double room_of(const tide_proximity *p, const tide_contact_pair *pair)
{
    const uint32_t *q = pair->points;
    const double *m = p->skins;
    double first = m[q[0]], second = m[q[1]];
    if (pair->kind == TIDE_PAIR_TRIANGLE) {
        second = m[q[2]] > second ? m[q[2]] : second;
        second = m[q[3]] > second ? m[q[3]] : second;
    } else if (pair->kind == TIDE_PAIR_EDGES) {
        first = second > first ? second : first;
        second = m[q[2]] > m[q[3]] ? m[q[2]] : m[q[3]];
    }
    return first + second;
}

bool tide_proximity_is_near(const tide_proximity *p, const tide_contact_pair *pair, double clearance)
{
    return clearance <= room_of(p, pair);
}

bool tide_proximity_comes_near(const tide_proximity *p, const tide_contact_pair *pair, double *clearance)
{
    *clearance = tide_proximity_clearance(pair, p->to, NULL);
    return tide_proximity_is_near(p, pair, *clearance);
}

// The candidates of a search for pairs: what a spatial hash finds, but for what never touches.
#include "contact/proximity_parts.h"

#include "base/memory.h"
#include "contact/geometry.h"

// A point and a triangle, or two edges, of one part.
static bool near_at_rest(const tide_proximity *p, tide_pair_kind kind, const uint32_t points[4])
{
    const tide_contact_surface *surface = p->surface;
    const double *x = surface->rest, *q[4];
    if (!x)
        return false;
    for (int k = 0; k < 4; k++)
        q[k] = x + 3 * (size_t)points[k];
    double w[3], s, t, limit = REST_FACTOR * 2 * surface->parts[surface->part_of[points[0]]].radius;
    double distance2 = kind == TIDE_PAIR_TRIANGLE ? tide_closest_on_triangle(q[0], q[1], q[2], q[3], w)
                                                  : tide_closest_of_segments(q[0], q[1], q[2], q[3], &s, &t);
    return distance2 < limit * limit;
}

// By insertion with narrowing gaps (Shell 1959): lists are short, and often in order.
static void sort(uint32_t *list, uint32_t count)
{
    for (uint32_t gap = count > 32 ? count / 4 : 1; gap > 0; gap = gap > 1 && gap < 5 ? 1 : gap / 4)
        for (uint32_t i = gap; i < count; i++) {
            uint32_t value = list[i], k = i;
            for (; k >= gap && list[k - gap] > value; k -= gap)
                list[k] = list[k - gap];
            list[k] = value;
        }
}

// Adds `found` to the row of item n.
static bool add_row(tide_proximity *p, int kind, uint32_t n, uint32_t count)
{
    candidates *near = &p->near[kind];
    uint32_t start = near->starts[n];
    if (count > UINT32_MAX - start ||
        !tide_grow(&near->others, &near->capacity, (size_t)start + count, sizeof *near->others))
        return false;
    sort(p->found, count);
    for (uint32_t k = 0; k < count; k++)
        near->others[start + k] = p->found[k];
    near->starts[n + 1] = start + count;
    return true;
}

static bool list_triangles(tide_proximity *p)
{
    const tide_contact_surface *s = p->surface;
    const items *triangles = &p->of[TRIANGLES];
    for (uint32_t n = 0; n < p->meeting.count; n++) {
        uint32_t i = p->meeting.features[n], part = s->part_of[i], kept = 0;
        uint32_t count = tide_spatial_hash_query(triangles->hash, p->held + 6 * (size_t)i, 0, p->found);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t triangle = triangles->features[p->found[k]];
            const uint32_t *q = s->triangles + 3 * (size_t)triangle, points[4] = { i, q[0], q[1], q[2] };
            if (tide_contact_may_touch(s, part, p->triangle_parts[triangle]) && q[0] != i && q[1] != i && q[2] != i &&
                !tide_contact_any_joined(s, points, 1) &&
                !(part == p->triangle_parts[triangle] && near_at_rest(p, TIDE_PAIR_TRIANGLE, points)))
                p->found[kept++] = triangle;
        }
        if (!add_row(p, TRIANGLES, n, kept))
            return false;
    }
    return true;
}

static bool list_edges(tide_proximity *p)
{
    const tide_contact_surface *s = p->surface;
    const items *edges = &p->of[EDGES];
    for (uint32_t n = 0; n < edges->count; n++) {
        uint32_t i = edges->features[n], part = p->edge_parts[i], kept = 0, count = 0;
        const uint32_t *own = s->edges + 2 * (size_t)i;
        if (tide_contact_touches_from(s, part, part))
            count = tide_spatial_hash_query(edges->hash, edges->boxes + 6 * (size_t)n, n + 1, p->found);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t other = edges->features[p->found[k]];
            const uint32_t *q = s->edges + 2 * (size_t)other, points[4] = { own[0], own[1], q[0], q[1] };
            if (tide_contact_may_touch(s, part, p->edge_parts[other]) && !has_point(q, own[0]) &&
                !has_point(q, own[1]) && !tide_contact_any_joined(s, points, 2) &&
                !(part == p->edge_parts[other] && near_at_rest(p, TIDE_PAIR_EDGES, points)))
                p->found[kept++] = other;
        }
        if (!add_row(p, EDGES, n, kept))
            return false;
    }
    return true;
}

tide_status tide_proximity_list(tide_proximity *p, tide_error *error)
{
    for (int k = TRIANGLES; k < FEATURES; k++) {
        tide_status status = tide_spatial_hash_build(p->of[k].hash, p->of[k].count, p->of[k].boxes, error);
        if (status != TIDE_OK)
            return status;
    }
    return list_triangles(p) && list_edges(p) ? TIDE_OK : tide_fail_memory(error, "contact pairs");
}

#include "collision/proximity_state.h"

#include "base/memory.h"

#include <string.h>

enum { KNOWN_EACH = 2 };

static tide_status allocate_boxes(tide_proximity *p, items *items, tide_error *error)
{
    items->boxes = tide_own_array(p, 6 * (size_t)items->count, sizeof *items->boxes);
    items->sought = tide_own_array(p, items->count, sizeof *items->sought);
    items->stale = tide_own_zeroed(p, items->count, sizeof *items->stale);
    items->outside = tide_own_array(p, items->count, sizeof *items->outside);
    return tide_owns_all(p) ? tide_box_tree_create(p, items->count, &items->tree, error)
                            : tide_fail_memory(error, "contact pairs");
}

static void add_range(items *items, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        items->features[items->count++] = first + i;
}

static void choose_items(tide_proximity *p, const bool *on_triangle, const bool *on_edge)
{
    const tide_contact_surface *s = p->surface;
    for (uint32_t i = 0; i < s->part_count; i++) {
        const tide_contact_part *part = &s->parts[i];
        if (!tide_contact_touches_from(s, i, 0))
            continue;
        bool lines = part->triangle_count == 0;
        if (!part->guarded)
            add_range(&p->of[TRIANGLES], part->first_triangle, part->triangle_count);
        for (uint32_t k = part->first_edge; k < part->first_edge + part->edge_count; k++)
            if ((!lines || p->edges_of_lines) && !is_smooth_edge(s, k))
                add_range(&p->of[EDGES], k, 1);
        for (uint32_t k = part->first_point; k < part->first_point + part->point_count; k++) {
            if (is_smooth_point(s, k))
                continue;
            if (lines || on_triangle[k])
                add_range(&p->meeting, k, 1);
            if (lines && !(p->edges_of_lines && on_edge[k] && part->edge_count > 0))
                add_range(&p->of[POINTS], k, 1);
        }
    }
    if (p->of[TRIANGLES].count == 0)
        p->meeting.count = 0;
}

static void name_parts(tide_proximity *p)
{
    const tide_contact_surface *s = p->surface;
    for (uint32_t i = 0; i < s->part_count; i++) {
        const tide_contact_part *part = &s->parts[i];
        for (uint32_t k = 0; k < part->triangle_count; k++)
            p->triangle_parts[part->first_triangle + k] = i;
        for (uint32_t k = 0; k < part->edge_count; k++)
            p->edge_parts[part->first_edge + k] = i;
    }
}

// Lists the neighbours of each point by edges, as rows of one array.
static void join_neighbours(tide_proximity *p)
{
    const tide_contact_surface *s = p->surface;
    for (size_t i = 0; i < 2 * (size_t)s->edge_count; i++)
        p->neighbour_starts[s->edges[i]]++;
    for (uint32_t i = 1; i <= s->point_count; i++)
        p->neighbour_starts[i] += p->neighbour_starts[i - 1];
    for (uint32_t i = 0; i < s->edge_count; i++) {
        uint32_t a = s->edges[2 * i], b = s->edges[2 * i + 1];
        p->neighbours[--p->neighbour_starts[a]] = b;
        p->neighbours[--p->neighbour_starts[b]] = a;
    }
}

// Lists the items of each point, as rows of one array.
static tide_status list_items(tide_proximity *p, items *items, const uint32_t *points, uint32_t of_each,
                              tide_error *error)
{
    uint32_t point_count = p->surface->point_count;
    items->points = points;
    items->of_each = of_each;
    items->starts = tide_own_zeroed(p, point_count + (size_t)1, sizeof *items->starts);
    items->at = tide_own_array(p, of_each * (size_t)items->count, sizeof *items->at);
    if (!tide_owns_all(p))
        return tide_fail_memory(error, "contact pairs");
    for (uint32_t i = 0; i < items->count; i++)
        for (uint32_t k = 0; k < of_each; k++)
            items->starts[tide_item_points(items, i)[k]]++;
    for (uint32_t i = 1; i <= point_count; i++)
        items->starts[i] += items->starts[i - 1];
    for (uint32_t i = items->count; i-- > 0;)
        for (uint32_t k = 0; k < of_each; k++)
            items->at[--items->starts[tide_item_points(items, i)[k]]] = i;
    return TIDE_OK;
}

// Returns the edge between two points; edge_count when the surface has none.
static uint32_t find_edge(const uint32_t *of_points, const uint32_t *starts, const tide_contact_surface *s, uint32_t a,
                          uint32_t b)
{
    for (uint32_t i = starts[a]; i < starts[a + 1]; i++)
        if (has_point(s->edges + 2 * (size_t)of_points[i], b))
            return of_points[i];
    return s->edge_count;
}

// Finds the edges of the triangles. Both arrays of neighbours have the same layout: here it holds edges instead of
// points.
static tide_status find_sides(tide_proximity *p, tide_error *error)
{
    const tide_contact_surface *s = p->surface;
    TIDE_SCOPED uint32_t *fill = tide_copy_bytes(p->neighbour_starts, ((size_t)s->point_count + 1) * sizeof *fill);
    TIDE_SCOPED uint32_t *of_points = tide_allocate_array(2 * (size_t)s->edge_count, sizeof *of_points);
    if (fill && of_points) {
        for (uint32_t i = 0; i < s->edge_count; i++)
            for (int k = 0; k < 2; k++)
                of_points[fill[s->edges[2 * i + (uint32_t)k]]++] = i;
        for (uint32_t i = 0; i < 3 * s->triangle_count; i++) {
            uint32_t next = i % 3 == 2 ? i - 2 : i + 1;
            p->sides[i] = find_edge(of_points, p->neighbour_starts, s, s->triangles[i], s->triangles[next]);
        }
    }
    bool failed = !fill || !of_points;
    return failed ? tide_fail_memory(error, "contact pairs") : TIDE_OK;
}

// Finds the owners of borders: each corner and edge belongs to the first triangle that has it.
static tide_status find_owners(tide_proximity *p, tide_error *error)
{
    const tide_contact_surface *s = p->surface;
    TIDE_SCOPED bool *corner_taken = tide_allocate_zeroed(s->point_count, sizeof *corner_taken);
    TIDE_SCOPED bool *edge_taken = tide_allocate_zeroed((size_t)s->edge_count + 1, sizeof *edge_taken);
    for (uint32_t i = 0; i < 3 * s->triangle_count && corner_taken && edge_taken; i++) {
        uint32_t t = i / 3, corner = s->triangles[i], edge = p->sides[i];
        if (!corner_taken[corner])
            p->owns[t] |= (uint8_t)(TIDE_OWNS_CORNER << i % 3);
        if (!edge_taken[edge])
            p->owns[t] |= (uint8_t)(TIDE_OWNS_EDGE << i % 3);
        corner_taken[corner] = true;
        edge_taken[edge] = edge < s->edge_count;
    }
    bool failed = !corner_taken || !edge_taken;
    return failed ? tide_fail_memory(error, "contact pairs") : TIDE_OK;
}

// Marks the points whose boxes are needed and the triangles whose normals are needed.
static void choose_used(tide_proximity *p, bool *uses_edge)
{
    const tide_contact_surface *s = p->surface;
    const items *triangles = &p->of[TRIANGLES], *edges = &p->of[EDGES], *points = &p->of[POINTS];
    for (size_t i = 0; i < triangles->count; i++)
        for (size_t k = 0; k < 3; k++)
            p->uses_point[s->triangles[3 * (size_t)triangles->features[i] + k]] = true;
    for (size_t i = 0; i < edges->count; i++) {
        uses_edge[edges->features[i]] = true;
        for (size_t k = 0; k < 2; k++)
            p->uses_point[s->edges[2 * (size_t)edges->features[i] + k]] = true;
    }
    for (size_t i = 0; i < p->meeting.count; i++)
        p->uses_point[p->meeting.features[i]] = true;
    for (uint32_t i = 0; i < s->part_count; i++) {
        const tide_contact_part *part = &s->parts[i];
        for (uint32_t k = part->first_point; k < part->first_point + part->point_count; k++)
            if (p->uses_point[k])
                p->used[p->used_count++] = k;
        p->used_starts[i + 1] = p->used_count;
    }
    for (size_t i = 0; i < points->count; i++)
        p->uses_point[points->features[i]] = true;
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        const uint32_t *sides = p->sides + 3 * (size_t)t;
        bool any = false;
        for (int k = 0; k < 3; k++)
            any = any || (sides[k] < s->edge_count && uses_edge[sides[k]]);
        if (any && s->parts[p->triangle_parts[t]].solid)
            p->sided[p->sided_count++] = t;
    }
}

static bool allocate(tide_proximity *p)
{
    const tide_contact_surface *s = p->surface;
    size_t points = s->point_count, edges = s->edge_count, triangles = s->triangle_count;
    size_t most = points > edges ? points : edges;
    bool any_solid = false;
    p->triangle_parts = tide_own_array(p, triangles, sizeof *p->triangle_parts);
    p->edge_parts = tide_own_array(p, edges, sizeof *p->edge_parts);
    p->neighbour_starts = tide_own_zeroed(p, points + 1, sizeof *p->neighbour_starts);
    p->neighbours = tide_own_array(p, 2 * edges, sizeof *p->neighbours);
    p->uses_point = tide_own_zeroed(p, points, sizeof *p->uses_point);
    p->used = tide_own_array(p, points, sizeof *p->used);
    p->used_starts = tide_own_zeroed(p, (size_t)s->part_count + 1, sizeof *p->used_starts);
    p->sides = tide_own_array(p, 3 * triangles, sizeof *p->sides);
    p->owns = tide_own_zeroed(p, triangles, sizeof *p->owns);
    p->sided = tide_own_array(p, triangles, sizeof *p->sided);
    for (uint32_t i = 0; i < s->part_count; i++)
        any_solid = any_solid || s->parts[i].solid;
    p->edge_normals = tide_own_array(p, any_solid ? 3 * edges : 0, sizeof *p->edge_normals);
    p->from = tide_own_array(p, 3 * points, sizeof *p->from);
    p->boxes = tide_own_array(p, 6 * points, sizeof *p->boxes);
    p->part_boxes = tide_own_array(p, 6 * (size_t)s->part_count, sizeof *p->part_boxes);
    p->parts_changed = tide_own_array(p, s->part_count, sizeof *p->parts_changed);
    p->near_starts = tide_own_zeroed(p, (size_t)s->part_count + 1, sizeof *p->near_starts);
    p->point_at = tide_own_zeroed(p, points, sizeof *p->point_at);
    p->triangle_at = tide_own_zeroed(p, triangles, sizeof *p->triangle_at);
    p->edge_at = tide_own_zeroed(p, edges, sizeof *p->edge_at);
    p->found = tide_own_array(p, most > triangles ? most : triangles, sizeof *p->found);
    // The cache has slots for pairs of neighbours that the first test leaves; most pairs near at rest are neighbours.
    p->known_count = 64;
    while (p->known_count < KNOWN_EACH * (edges + points))
        p->known_count *= 2;
    p->known = tide_own_array(p, p->known_count, sizeof *p->known);
    if (p->known)
        memset(p->known, 0xff, p->known_count * sizeof *p->known);
    p->linked = tide_own_array(p, most, sizeof *p->linked);
    p->has_links = tide_own_zeroed(p, most, sizeof *p->has_links);
    p->touches_later = tide_own_array(p, s->part_count, sizeof *p->touches_later);
    for (uint32_t i = 0; i < s->part_count && p->touches_later; i++)
        p->touches_later[i] = tide_contact_touches_from(s, i, i);
    p->meeting.features = tide_own_array(p, points, sizeof *p->meeting.features);
    p->of[POINTS].features = tide_own_array(p, points, sizeof *p->of[POINTS].features);
    p->of[TRIANGLES].features = tide_own_array(p, triangles, sizeof *p->of[TRIANGLES].features);
    p->of[EDGES].features = tide_own_array(p, edges, sizeof *p->of[EDGES].features);
    return tide_owns_all(p) && tide_proximity_create_batch(p, most > triangles ? (uint32_t)most : s->triangle_count);
}

tide_status tide_proximity_create(const tide_contact_surface *surface, bool edges_of_lines, tide_proximity **out,
                                  tide_error *error)
{
    tide_proximity *p = tide_allocate_zeroed(1, sizeof *p);
    TIDE_SCOPED bool *on_triangle = tide_allocate_zeroed(surface->point_count, sizeof *on_triangle);
    TIDE_SCOPED bool *on_edge = tide_allocate_zeroed(surface->point_count, sizeof *on_edge);
    TIDE_SCOPED bool *uses_edge = tide_allocate_zeroed(surface->edge_count, sizeof *uses_edge);
    tide_status status = TIDE_OK;
    if (p) {
        p->surface = surface;
        p->edges_of_lines = edges_of_lines;
    }
    if (!p || !on_triangle || !on_edge || !uses_edge || !allocate(p))
        status = tide_fail_memory(error, "contact pairs");
    if (status == TIDE_OK) {
        for (size_t i = 0; i < 3 * (size_t)surface->triangle_count; i++)
            on_triangle[surface->triangles[i]] = true;
        for (size_t i = 0; i < 2 * (size_t)surface->edge_count; i++)
            on_edge[surface->edges[i]] = true;
        name_parts(p);
        join_neighbours(p);
        choose_items(p, on_triangle, on_edge);
        for (uint32_t i = 0; i < p->of[TRIANGLES].count; i++) {
            uint32_t triangle = p->of[TRIANGLES].features[i];
            p->triangle_at[triangle] = i;
            p->any_solid = p->any_solid || surface->parts[p->triangle_parts[triangle]].solid;
        }
        for (uint32_t i = 0; i < p->of[EDGES].count; i++)
            p->edge_at[p->of[EDGES].features[i]] = i;
        for (uint32_t i = 0; i < p->meeting.count; i++)
            p->point_at[p->meeting.features[i]] = i;
        status = find_sides(p, error);
    }
    if (status == TIDE_OK)
        status = find_owners(p, error);
    if (status == TIDE_OK)
        status = list_items(p, &p->meeting, NULL, 1, error);
    if (status == TIDE_OK)
        status = list_items(p, &p->of[TRIANGLES], surface->triangles, 3, error);
    if (status == TIDE_OK)
        status = list_items(p, &p->of[EDGES], surface->edges, 2, error);
    if (status == TIDE_OK)
        status = allocate_boxes(p, &p->meeting, error);
    for (int k = TRIANGLES; k < FEATURES && status == TIDE_OK; k++)
        status = allocate_boxes(p, &p->of[k], error);
    if (status == TIDE_OK && !tide_proximity_create_kept(p))
        status = tide_fail_memory(error, "contact pairs");
    if (status == TIDE_OK)
        status = tide_point_pairs_create(surface, p->of[POINTS].features, p->of[POINTS].count, p->neighbour_starts,
                                         p->neighbours, &p->points, error);
    if (status == TIDE_OK) {
        tide_own(p, p->points);
        choose_used(p, uses_edge);
    }
    if (status != TIDE_OK) {
        tide_free(p);
        return status;
    }
    *out = p;
    return TIDE_OK;
}

void tide_proximity_limit(tide_proximity *p, tide_contact_work *work)
{
    p->work = work;
    tide_point_pairs_limit(p->points, work);
}

bool tide_proximity_uses(const tide_proximity *p, uint32_t point)
{
    return p->uses_point[point];
}

bool tide_proximity_lists(const tide_proximity *p, uint32_t index)
{
    const tide_contact_surface *s = p->surface;
    const tide_contact_part *part = &s->parts[index];
    bool smooth = false;
    for (uint32_t i = part->first_point; i < part->first_point + part->point_count; i++)
        smooth = smooth || is_smooth_point(s, i);
    for (uint32_t i = part->first_edge; i < part->first_edge + part->edge_count; i++)
        smooth = smooth || is_smooth_edge(s, i);
    return part->triangle_count > 0 && !part->solid && !part->guarded && !smooth;
}

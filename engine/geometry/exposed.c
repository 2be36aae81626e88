#include "geometry/exposed.h"

#include "base/disjoint_set.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/stop.h"
#include "geometry/exposed_parts.h"

#include <float.h>
#include <string.h>

typedef struct pair {
    uint32_t triangle, other;
} pair;

typedef struct work {
    void *memory; // owns the arrays
    const tide_mesh *mesh;
    const tide_bvh *bvh;
    const tide_winding *winding;
    tide_exposed *out;
    double sign;
    double tolerance;   // m, below which lengths count as 0
    double step;        // m, distance from the surface at which the winding number is evaluated
    tide_vec3 *normals; // (triangles) unit; 0 for a triangle without area
    bool *apart;        // (triangles) meets another one, or has no area: says nothing about its neighbours
    uint32_t *parents;  // (triangles) disjoint sets of triangles joined by edges where no other surface passes
    pair *pairs;        // both triangles of each meeting; sorted once all are found
    size_t pair_count, pair_capacity, vertex_capacity, triangle_capacity;
    uint32_t current; // the triangle whose meetings are being searched
    bool failed;      // out of memory, or stopped at a limit
    tide_cut cut;
} work;

static bool goes_on(work *w)
{
    w->failed = w->failed || tide_stop_requested();
    return !w->failed;
}

static tide_status fail_early(tide_error *error)
{
    tide_status status = tide_stop_check("distance mesh", error);
    return status == TIDE_OK ? tide_fail_memory(error, "distance mesh") : status;
}

static tide_facet facet_of(const work *w, uint32_t triangle)
{
    tide_facet facet = { .normal = w->normals[triangle] };
    for (size_t k = 0; k < 3; k++) {
        facet.vertex[k] = w->mesh->triangles[3 * (size_t)triangle + k];
        facet.corner[k] = tide_vec3_load(w->mesh->vertices + 3 * (size_t)facet.vertex[k]);
    }
    return facet;
}

static bool is_flat(const work *w, uint32_t triangle)
{
    return tide_vec3_dot(w->normals[triangle], w->normals[triangle]) == 0;
}

static void set_normals(work *w)
{
    for (uint32_t t = 0; t < w->mesh->triangle_count; t++) {
        tide_facet f = facet_of(w, t);
        tide_vec3 u = tide_vec3_subtract(f.corner[1], f.corner[0]), v = tide_vec3_subtract(f.corner[2], f.corner[0]);
        tide_vec3 normal = tide_vec3_cross(u, v);
        double longest = fmax(tide_vec3_dot(u, u), tide_vec3_dot(v, v)), least = fmax(1e-12 * longest, DBL_MIN);
        bool flat = tide_vec3_length(normal) <= least;
        w->normals[t] = flat ? (tide_vec3) { 0 } : tide_vec3_normalize(normal);
    }
}

// --- meetings of triangles

static bool add_pair(work *w, uint32_t triangle, uint32_t other)
{
    if (!tide_grow_owned(w->memory, &w->pairs, &w->pair_capacity, w->pair_count + 1, sizeof *w->pairs))
        return false;
    w->pairs[w->pair_count++] = (pair) { triangle, other };
    w->apart[triangle] = true;
    return true;
}

static bool try_pair(void *context, uint32_t other)
{
    work *w = context;
    if (other <= w->current || is_flat(w, other))
        return true;
    tide_facet t = facet_of(w, w->current), u = facet_of(w, other);
    tide_vec3 segment[2];
    if (tide_facets_meet(&t, &u, w->tolerance, segment) == TIDE_MEET_APART)
        return true;
    w->failed = !add_pair(w, w->current, other) || !add_pair(w, other, w->current);
    return !w->failed;
}

static void order_pairs(work *w, pair *ordered, uint32_t *starts)
{
    for (size_t i = 0; i < w->pair_count; i++)
        starts[w->pairs[i].triangle + 1]++;
    for (uint32_t t = 0; t < w->mesh->triangle_count; t++)
        starts[t + 1] += starts[t];
    for (size_t i = 0; i < w->pair_count; i++)
        ordered[starts[w->pairs[i].triangle]++] = w->pairs[i];
}

static tide_status find_pairs(work *w, tide_error *error)
{
    for (uint32_t t = 0; t < w->mesh->triangle_count && goes_on(w); t++) {
        if (is_flat(w, t))
            continue;
        double lower[3] = { INFINITY, INFINITY, INFINITY }, upper[3] = { -INFINITY, -INFINITY, -INFINITY };
        for (size_t k = 0; k < 9; k++) {
            double x = w->mesh->vertices[3 * (size_t)w->mesh->triangles[3 * (size_t)t + k / 3] + k % 3];
            lower[k % 3] = fmin(lower[k % 3], x - w->tolerance);
            upper[k % 3] = fmax(upper[k % 3], x + w->tolerance);
        }
        w->current = t;
        tide_bvh_overlaps(w->bvh, lower, upper, try_pair, w);
    }
    if (w->failed || w->pair_count > UINT32_MAX)
        return fail_early(error);
    if (w->pair_count == 0)
        return TIDE_OK;
    TIDE_SCOPED pair *ordered = tide_allocate_array(w->pair_count, sizeof *ordered);
    TIDE_SCOPED uint32_t *starts = tide_allocate_zeroed((size_t)w->mesh->triangle_count + 1, sizeof *starts);
    if (ordered && starts) {
        order_pairs(w, ordered, starts);
        pair *found = w->pairs;
        w->pairs = tide_own(w->memory, ordered);
        w->pair_capacity = w->pair_count;
        ordered = found;
    }
    return ordered && starts ? TIDE_OK : tide_fail_memory(error, "distance mesh");
}

// --- regions

// Joins triangles into regions. Returns their number.
static uint32_t join_regions(work *w, tide_exposed_edges edges)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < w->mesh->triangle_count; t++) {
        w->parents[t] = t;
        w->apart[t] = w->apart[t] || is_flat(w, t);
    }
    for (uint32_t i = 0; i < edges.count; i++) {
        uint32_t a = edges.on[2 * (size_t)i], b = edges.on[2 * (size_t)i + 1];
        if (!w->apart[a] && !w->apart[b])
            tide_disjoint_set_join(w->parents, a, b);
    }
    for (uint32_t t = 0; t < w->mesh->triangle_count; t++)
        count += w->parents[t] == t;
    return count;
}

// Tells whether the inside is on exactly one side of the surface at p.
static bool is_boundary(const work *w, tide_vec3 p, tide_vec3 normal)
{
    bool inside[2];
    for (int k = 0; k < 2; k++) {
        double at[3];
        tide_vec3_store(at, tide_vec3_add(p, tide_vec3_scale(normal, k == 0 ? w->step : -w->step)));
        inside[k] = w->sign * tide_winding_at(w->winding, at) > 0.5;
    }
    return inside[0] != inside[1];
}

// --- parts of the surface that are kept

static bool keep_triangle(work *w, const uint32_t corners[3], uint32_t parent)
{
    tide_exposed *out = w->out;
    size_t needed = (size_t)out->triangle_count + 1, capacity = w->triangle_capacity;
    if (needed > UINT32_MAX / 2 || !tide_grow(&out->parents, &capacity, needed, sizeof *out->parents))
        return false;
    capacity = w->triangle_capacity;
    if (!tide_grow(&out->triangles, &capacity, needed, 3 * sizeof *out->triangles))
        return false;
    w->triangle_capacity = capacity;
    memcpy(out->triangles + 3 * (size_t)out->triangle_count, corners, 3 * sizeof *corners);
    out->parents[out->triangle_count++] = parent;
    return true;
}

static uint32_t add_vertex(work *w, tide_vec3 p)
{
    tide_exposed *out = w->out;
    if (out->vertex_count == UINT32_MAX ||
        !tide_grow(&out->vertices, &w->vertex_capacity, (size_t)out->vertex_count + 1, 3 * sizeof *out->vertices)) {
        w->failed = true;
        return 0;
    }
    tide_vec3_store(out->vertices + 3 * (size_t)out->vertex_count, p);
    return out->vertex_count++;
}

typedef struct frame {
    tide_vec3 origin, axis[2];
} frame;

static frame frame_of(const tide_facet *t)
{
    tide_vec3 along = tide_vec3_normalize(tide_vec3_subtract(t->corner[1], t->corner[0]));
    return (frame) { t->corner[0], { along, tide_vec3_cross(t->normal, along) } };
}

static void to_plane(const frame *f, tide_vec3 p, double at[2])
{
    tide_vec3 d = tide_vec3_subtract(p, f->origin);
    at[0] = tide_vec3_dot(d, f->axis[0]);
    at[1] = tide_vec3_dot(d, f->axis[1]);
}

static tide_vec3 from_plane(const frame *f, const double at[2])
{
    return tide_vec3_add(f->origin,
                         tide_vec3_add(tide_vec3_scale(f->axis[0], at[0]), tide_vec3_scale(f->axis[1], at[1])));
}

// Adds the polygon of a leaf as a fan of triangles, if it is boundary.
static void keep_leaf(work *w, const tide_cut_node *leaf, const tide_facet *t, const frame *f, uint32_t triangle)
{
    const tide_cut_point *points = w->cut.points + leaf->first;
    double area = 0, centre[2] = { 0 };
    for (uint32_t i = 1; i + 1 < leaf->count; i++) { // the centroid of the fan
        const double *a = points[0].at, *b = points[i].at, *c = points[i + 1].at;
        double twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        area += twice;
        for (int k = 0; k < 2; k++)
            centre[k] += twice * (a[k] + b[k] + c[k]) / 3;
    }
    if (!(area > 0))
        return;
    centre[0] /= area;
    centre[1] /= area;
    if (!is_boundary(w, from_plane(f, centre), t->normal))
        return;
    uint32_t first = 0, before = 0;
    for (uint32_t i = 0; i < leaf->count && !w->failed; i++) {
        uint32_t vertex =
            points[i].corner < 3 ? t->vertex[points[i].corner] : add_vertex(w, from_plane(f, points[i].at));
        const uint32_t corners[3] = { first, before, vertex };
        if (i >= 2 && !w->failed)
            w->failed = !keep_triangle(w, corners, triangle);
        first = i == 0 ? vertex : first;
        before = vertex;
    }
}

// Cuts a triangle by those that it meets, in a random order, which keeps the partition shallow.
static void cut_triangle(work *w, uint32_t triangle, pair *pairs, size_t count)
{
    tide_facet t = facet_of(w, triangle);
    frame f = frame_of(&t);
    double corners[3][2];
    for (int k = 0; k < 3; k++)
        to_plane(&f, t.corner[k], corners[k]);
    w->failed = !tide_cut_begin(&w->cut, corners);
    tide_random random = tide_random_seed(triangle);
    for (size_t i = 0; i < count && goes_on(w); i++) {
        size_t other = i + tide_random_next(&random) % (count - i);
        pair chosen = pairs[other];
        pairs[other] = pairs[i];
        tide_facet u = facet_of(w, chosen.other);
        tide_vec3 segment[2];
        tide_meeting meeting = tide_facets_meet(&t, &u, w->tolerance, segment);
        if (meeting == TIDE_MEET_APART) // within the tolerance they may meet in the other order alone
            continue;
        bool coplanar = meeting == TIDE_MEET_COPLANAR;
        for (int k = 0; k < (coplanar ? 3 : 1) && !w->failed; k++) {
            double from[2], to[2];
            to_plane(&f, coplanar ? u.corner[k] : segment[0], from);
            to_plane(&f, coplanar ? u.corner[(k + 1) % 3] : segment[1], to);
            w->failed = !tide_cut_along(&w->cut, from, to);
        }
    }
    for (size_t i = 0; i < w->cut.node_count && goes_on(w); i++)
        if (w->cut.nodes[i].child == 0)
            keep_leaf(w, &w->cut.nodes[i], &t, &f, triangle);
}

// Finds the regions that are boundary: sets kept[root]. Returns true if all are.
static bool judge_regions(work *w, bool *kept)
{
    bool all = true;
    for (uint32_t t = 0; t < w->mesh->triangle_count && goes_on(w); t++) {
        if (w->parents[t] != t || w->apart[t])
            continue;
        tide_facet f = facet_of(w, t);
        tide_vec3 sum = tide_vec3_add(tide_vec3_add(f.corner[0], f.corner[1]), f.corner[2]);
        kept[t] = is_boundary(w, tide_vec3_scale(sum, 1.0 / 3), f.normal);
        all = all && kept[t];
    }
    return all;
}

static tide_status keep_boundary(work *w, tide_error *error)
{
    tide_exposed *out = w->out;
    TIDE_SCOPED bool *kept = tide_allocate_zeroed(w->mesh->triangle_count, sizeof *kept);
    if (!kept)
        return tide_fail_memory(error, "distance mesh");
    out->all = judge_regions(w, kept) && w->pair_count == 0;
    if (!out->all) {
        size_t at = 0;
        out->vertices = tide_copy_bytes(w->mesh->vertices, 3 * sizeof(double) * (size_t)w->mesh->vertex_count);
        out->vertex_count = w->mesh->vertex_count;
        w->vertex_capacity = w->mesh->vertex_count;
        w->failed = w->failed || !out->vertices;
        for (uint32_t t = 0; t < w->mesh->triangle_count && !w->failed; t++) {
            size_t first = at;
            while (at < w->pair_count && w->pairs[at].triangle == t)
                at++;
            if (at > first)
                cut_triangle(w, t, w->pairs + first, at - first);
            else if (!w->apart[t] && kept[tide_disjoint_set_root(w->parents, t)])
                w->failed = !keep_triangle(w, w->mesh->triangles + 3 * (size_t)t, t);
        }
    }
    return w->failed ? fail_early(error) : TIDE_OK;
}

static void set_tolerances(work *w)
{
    const tide_bvh_node *root = &w->bvh->nodes[0];
    double squared = 0, largest = 0;
    for (int k = 0; k < 3; k++) {
        squared += (root->upper[k] - root->lower[k]) * (root->upper[k] - root->lower[k]);
        largest = fmax(largest, fmax(fabs(root->lower[k]), fabs(root->upper[k])));
    }
    w->tolerance = fmax(1e-10 * sqrt(squared), 256 * DBL_EPSILON * largest);
    w->step = 100 * w->tolerance;
    w->cut.tolerance = w->tolerance;
}

tide_status tide_exposed_create(const tide_mesh *mesh, const tide_bvh *bvh, tide_exposed_edges edges, double sign,
                                tide_exposed *exposed, tide_winding *winding, tide_error *error)
{
    TIDE_SCOPED void *memory = tide_allocate(0);
    work w = { .memory = memory, .mesh = mesh, .bvh = bvh, .winding = winding, .out = exposed, .sign = sign };
    *exposed = (tide_exposed) { .all = true };
    *winding = (tide_winding) { 0 };
    w.normals = tide_own_array(memory, mesh->triangle_count, sizeof *w.normals);
    w.apart = tide_own_zeroed(memory, mesh->triangle_count, sizeof *w.apart);
    w.parents = tide_own_array(memory, mesh->triangle_count, sizeof *w.parents);
    tide_status status = tide_owns_all(memory) ? TIDE_OK : tide_fail_memory(error, "distance mesh");
    if (status == TIDE_OK) {
        set_tolerances(&w);
        set_normals(&w);
        status = find_pairs(&w, error);
    }
    if (status == TIDE_OK && (join_regions(&w, edges) > 1 || w.pair_count > 0)) {
        status = tide_winding_create(bvh, winding, error);
        if (status == TIDE_OK)
            status = keep_boundary(&w, error);
    }
    tide_cut_destroy(&w.cut);
    if (status != TIDE_OK || exposed->all)
        tide_winding_destroy(winding);
    if (status != TIDE_OK)
        tide_exposed_destroy(exposed);
    return status;
}

void tide_exposed_destroy(tide_exposed *exposed)
{
    tide_free(exposed->vertices);
    tide_free(exposed->triangles);
    tide_free(exposed->parents);
    *exposed = (tide_exposed) { 0 };
}

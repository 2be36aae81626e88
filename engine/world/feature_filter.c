// Finds the edges and points of fixed parts that may penetrate the edges and triangles of bodies between their
// vertices.
//
// The distance of a collider keeps every point of a body outside, at the offset r. Between two such points, ends of an
// edge of length L, the surface of the collider can bulge. Over a ridge of exterior angle a it bulges by L/2 sin(a/2),
// because each face falls off by a/2. Over a round surface with facets narrower than L/2 it bulges by that times the
// number of facets in L/2; the total is the sagitta of an arc, L^2 / 8R. If the bulge is at most r, nothing can
// penetrate, and the feature is smooth.
#include "world/feature_filter.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

// The parts that may touch a fixed part: the largest of their mean edges, and the least offset.
typedef struct cover {
    double edge, offset; // m
} cover;

static double mean_edge_of(const tide_contact_surface *s, const tide_contact_part *part)
{
    double sum = 0;
    for (uint32_t e = part->first_edge; e < part->first_edge + part->edge_count; e++) {
        const uint32_t *v = s->edges + 2 * (size_t)e;
        sum += tide_vec3_length(
            tide_vec3_subtract(tide_vec3_load(s->rest + 3 * (size_t)v[0]), tide_vec3_load(s->rest + 3 * (size_t)v[1])));
    }
    return part->edge_count ? sum / part->edge_count : 0;
}

static cover cover_of(const tide_contact_surface *s, uint32_t fixed)
{
    cover c = { 0, INFINITY };
    for (uint32_t i = 0; i < s->part_count; i++) {
        if (s->parts[i].fixed || !s->touching[(size_t)i * s->part_count + fixed])
            continue;
        c.edge = fmax(c.edge, mean_edge_of(s, &s->parts[i]));
        c.offset = fmin(c.offset, s->parts[i].radius + s->parts[fixed].radius);
    }
    return c;
}

// Returns whether the bulge is at most the offset. Within the distance `half`, a surface falls by slope * half, where
// `slope` is a sine, and by that times half / width if it bends again after each `width`.
static bool clears(double slope, double width, double half, double offset)
{
    return slope * half * fmax(1, half / width) <= offset;
}

// A triangle at an edge: its unit normal, its corner opposite the edge, and its height over the edge, m.
typedef struct side {
    tide_vec3 normal, apex;
    double height;
} side;

static side side_of(const tide_contact_surface *s, uint32_t triangle, const uint32_t edge[2])
{
    const uint32_t *corner = s->triangles + 3 * (size_t)triangle;
    tide_vec3 x[3];
    side found = { 0 };
    for (int k = 0; k < 3; k++) {
        x[k] = tide_vec3_load(s->rest + 3 * (size_t)corner[k]);
        if (corner[k] != edge[0] && corner[k] != edge[1])
            found.apex = x[k];
    }
    tide_vec3 cross = tide_vec3_cross(tide_vec3_subtract(x[1], x[0]), tide_vec3_subtract(x[2], x[0]));
    tide_vec3 along = tide_vec3_subtract(tide_vec3_load(s->rest + 3 * (size_t)edge[0]),
                                         tide_vec3_load(s->rest + 3 * (size_t)edge[1]));
    found.normal = tide_vec3_normalize(cross);
    found.height = tide_vec3_length(cross) / fmax(tide_vec3_length(along), 1e-300);
    return found;
}

static bool is_smooth_edge(const tide_contact_surface *s, const uint32_t edge[2], const uint32_t on[2], cover over)
{
    side a = side_of(s, on[0], edge), b = side_of(s, on[1], edge);
    tide_vec3 across = tide_vec3_subtract(b.apex, tide_vec3_load(s->rest + 3 * (size_t)edge[0]));
    if (tide_vec3_dot(a.normal, across) >= 0) // flat or hollow
        return true;
    double slope = tide_vec3_length(tide_vec3_subtract(a.normal, b.normal)) / 2; // sin(angle / 2)
    return clears(slope, fmax(a.height, b.height), over.edge / 2, over.offset);
}

// Finds the edge between two points by binary search: edges are in ascending order, each with the lower point first.
static uint32_t edge_between(const tide_contact_surface *s, const tide_contact_part *part, uint32_t u, uint32_t v)
{
    uint32_t low = u < v ? u : v, high = u < v ? v : u, begin = part->first_edge, end = begin + part->edge_count - 1;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        const uint32_t *edge = s->edges + 2 * (size_t)middle;
        if (edge[0] < low || (edge[0] == low && edge[1] < high))
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

// Finds the two triangles at each edge of a closed part, (2 * edge_count); TIDE_NO_TRIANGLE where there is none.
static void find_sides(const tide_contact_surface *s, const tide_contact_part *part, uint32_t *on)
{
    for (uint32_t i = 0; i < 2 * part->edge_count; i++)
        on[i] = TIDE_NO_TRIANGLE;
    for (uint32_t t = part->first_triangle; t < part->first_triangle + part->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t *corner = s->triangles + 3 * (size_t)t;
            uint32_t *both =
                on + 2 * (size_t)(edge_between(s, part, corner[k], corner[(k + 1) % 3]) - part->first_edge);
            both[both[0] != TIDE_NO_TRIANGLE] = t;
        }
}

static tide_status mark_part(tide_contact_surface *s, const tide_contact_part *part, cover over, tide_error *error)
{
    TIDE_SCOPED uint32_t *on = tide_allocate_array(part->edge_count, 2 * sizeof *on);
    if (!on)
        return tide_fail_memory(error, "contact");
    find_sides(s, part, on);
    memset(s->smooth_points + part->first_point, 1, part->point_count);
    for (uint32_t i = 0; i < part->edge_count; i++) {
        const uint32_t *edge = s->edges + 2 * (size_t)(part->first_edge + i), *both = on + 2 * (size_t)i;
        bool smooth = both[1] != TIDE_NO_TRIANGLE && is_smooth_edge(s, edge, both, over);
        s->smooth_edges[part->first_edge + i] = smooth;
        if (!smooth)
            s->smooth_points[edge[0]] = s->smooth_points[edge[1]] = false;
    }
    return TIDE_OK;
}

tide_status tide_world_mark_smooth(tide_contact_surface *s, tide_error *error)
{
    s->smooth_points = tide_own_zeroed(s, s->point_count, sizeof *s->smooth_points);
    s->smooth_edges = tide_own_zeroed(s, s->edge_count, sizeof *s->smooth_edges);
    tide_status status = s->smooth_points && s->smooth_edges ? TIDE_OK : tide_fail_memory(error, "contact");
    for (uint32_t i = 0; i < s->part_count && status == TIDE_OK; i++)
        if (s->parts[i].fixed && !s->parts[i].deforms) // a part that deforms may fold at any edge
            status = mark_part(s, &s->parts[i], cover_of(s, i), error);
    return status;
}

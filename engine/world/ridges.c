// Which edges and points of fixed parts may come into the middle of what bodies stretch over them.
//
// The distance of a collider keeps every point of a body outside it. What is left is how far its surface bulges between
// two points that both are at the offset r: over a ridge of exterior angle a, under an edge of length L, by L/2
// sin(a/2) (each of the ridge's faces falls off by a/2); over a round surface, whose facets are narrower than L/2, by
// as many times more as facets fit in there (together the arrow of an arc, L^2 / 8R). Where that is less than r, there
// is nothing to keep apart, and the feature is smooth.
#include "world/ridges.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

// What is stretched over a fixed part: the longest of the mean edges, and the least offset.
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

// By how much a surface that falls off at `slope` (a sine), over `width` and again over each like it, falls within
// `half`.
static bool clears(double slope, double width, double half, double offset)
{
    return slope * half * fmax(1, half / width) <= offset;
}

// The triangle's unit normal, and its height over an edge.
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

// The edge between two points; they are in ascending order, lower point first.
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

// For each of a closed part's edges the two triangles on it, (2 * edge_count).
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
    uint32_t *on = tide_allocate_array(part->edge_count, 2 * sizeof *on);
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
    tide_free(on);
    return TIDE_OK;
}

tide_status tide_world_mark_smooth(tide_contact_surface *s, tide_error *error)
{
    s->smooth_points = tide_allocate_zeroed(s->point_count, sizeof *s->smooth_points);
    s->smooth_edges = tide_allocate_zeroed(s->edge_count, sizeof *s->smooth_edges);
    tide_status status = s->smooth_points && s->smooth_edges ? TIDE_OK : tide_fail_memory(error, "contact");
    for (uint32_t i = 0; i < s->part_count && status == TIDE_OK; i++)
        if (s->parts[i].fixed && !s->parts[i].deforms) // what deforms may fold anywhere
            status = mark_part(s, &s->parts[i], cover_of(s, i), error);
    return status;
}

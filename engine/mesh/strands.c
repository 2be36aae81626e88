#include "mesh/connectivity.h"
#include "mesh/roots.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/vec3.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;
static const char object[] = "mesh strands";

#define FIELD(member) .name = #member, .offset = offsetof(tide_mesh_strands_def, member)
static const tide_field fields[] = {
    { FIELD(points), .type = TIDE_FIELD_INTEGER, .initial = { 19 }, .minimum = 2, .maximum = TIDE_MESH_MAX_VERTICES,
      .help = "number of vertices of each strand, counted from the root" },
    { FIELD(length), .type = TIDE_FIELD_REAL, .initial = { 0.1 }, .maximum = INFINITY, .positive = true, .unit = "m",
      .help = "length of each strand along its edges, which are equally long" },
    { FIELD(on), .type = TIDE_FIELD_OTHER, .lua_type = "tide.Mesh", .initial_text = "none",
      .help = "surface on which strands are rooted; they follow its normals" },
    { FIELD(count), .type = TIDE_FIELD_INTEGER, .maximum = TIDE_MESH_MAX_VERTICES,
      .initial_text = "one at each vertex of the surface",
      .help = "number of strands, distributed at random over the area of `on`" },
    { FIELD(roots), .type = TIDE_FIELD_OTHER, .lua_type = "number[][] | number[]", .unit = "m",
      .initial_text = "{ {0, 0, 0} }",
      .help = "positions of the roots, instead of `on`: { {x, y, z}, ... } or a flat list" },
    { FIELD(normals), .type = TIDE_FIELD_OTHER, .lua_type = "number[][] | number[]", .initial_text = "{ {0, 1, 0} }",
      .help = "directions at the roots, of any length except 0: one per root, or one for all" },
    { FIELD(curl), .type = TIDE_FIELD_REAL, .maximum = INFINITY, .unit = "m",
      .help = "radius of the helix at the tip; it grows from 0 at the root" },
    { FIELD(turns), .type = TIDE_FIELD_REAL, .initial = { 3 }, .minimum = -1e6, .maximum = 1e6,
      .help = "turns of the helix; negative: left-handed" },
    { FIELD(jitter), .type = TIDE_FIELD_REAL, .maximum = 0.9,
      .help = "random variation: sizes by up to this fraction, directions by up to this tangent, the start of the curl "
              "by this fraction of half a turn" },
    { FIELD(seed), .type = TIDE_FIELD_INTEGER, .maximum = INT_MAX, .help = "seed of all random numbers" },
    { 0 },
};

// --- roots ----------------------------------------------------------------------------------------------------------

static tide_status check_choices(const tide_mesh_strands_def *def, tide_error *error)
{
    if (def->on && def->roots.values)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "roots", NULL, "give either on or roots, not both");
    if (def->normals.values && !def->roots.values)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "normals", NULL,
                         "are those of roots; expected roots as well%s",
                         def->on ? " instead of on, which has normals of its own" : "");
    char value[32];
    snprintf(value, sizeof value, "%d", def->count);
    if (def->count && !def->on)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "count", value,
                         "is how many to spread over a mesh; expected a mesh in on");
    if (def->roots.values && !def->roots.count)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "roots", NULL, "the list is empty; expected a point");
    if (def->normals.values && def->normals.count != 1 && def->normals.count != def->roots.count)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "normals", NULL,
                         "expected one direction for all or one for each of the %u roots, got %u", def->roots.count,
                         def->normals.count);
    return TIDE_OK;
}

// Fails on an item of a list; the message shows the item.
static tide_status refuse(const char *list, uint32_t i, tide_vec3 item, const char *expected, tide_error *error)
{
    char field[32], value[96];
    snprintf(field, sizeof field, "%s[%u]", list, i + 1);
    snprintf(value, sizeof value, "{%.10g, %.10g, %.10g}", item.x, item.y, item.z);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, value, "expected %s", expected);
}

static tide_status copy_roots(const tide_mesh_strands_def *def, tide_mesh_roots *roots, tide_error *error)
{
    static const double origin[3], up[3] = { 0, 1, 0 };
    const tide_mesh_points points = def->roots.values ? def->roots : (tide_mesh_points) { origin, 1 };
    const tide_mesh_points normals = def->normals.values ? def->normals : (tide_mesh_points) { up, 1 };
    *roots = (tide_mesh_roots) { .count = points.count };
    roots->points = tide_allocate_array(points.count, 3 * sizeof(double));
    roots->normals = tide_allocate_array(points.count, 3 * sizeof(double));
    tide_status status = roots->points && roots->normals ? TIDE_OK : tide_fail_memory(error, object);
    for (uint32_t i = 0; i < points.count && status == TIDE_OK; i++) {
        tide_vec3 point = tide_vec3_load(points.values + 3 * (size_t)i);
        uint32_t own = normals.count == 1 ? 0 : i;
        tide_vec3 given = tide_vec3_load(normals.values + 3 * (size_t)own);
        // Scaled by its largest component first, so that no square overflows or vanishes.
        double largest = fmax(fabs(given.x), fmax(fabs(given.y), fabs(given.z)));
        if (!isfinite(point.x) || !isfinite(point.y) || !isfinite(point.z))
            status = refuse("roots", i, point, "finite numbers", error);
        else if (!isfinite(given.x) || !isfinite(given.y) || !isfinite(given.z) || largest == 0)
            status = refuse("normals", own, given, "finite numbers that are not all 0", error);
        tide_vec3_store(roots->points + 3 * (size_t)i, point);
        tide_vec3 normal = { given.x / largest, given.y / largest, given.z / largest };
        tide_vec3_store(roots->normals + 3 * (size_t)i, tide_vec3_normalize(normal));
    }
    return status;
}

static tide_status find_roots(const tide_mesh_strands_def *def, tide_mesh_roots *roots, tide_error *error)
{
    if (!def->on)
        return copy_roots(def, roots, error);
    if (!def->count)
        return tide_mesh_roots_at_vertices(def->on, object, roots, error);
    return tide_mesh_roots_spread(def->on, (uint32_t)def->count, (uint64_t)def->seed, object, roots, error);
}

// --- strands --------------------------------------------------------------------------------------------------------

// Returns the distance from vertex i to vertex i + 1 projected along the axis of the helix. Radius and angle grow
// linearly, so that this distance grows from the root on.
static double step_across(const tide_mesh_strands_def *def, double i)
{
    double last = def->points - 1, radius = def->curl * i / last, next = def->curl * (i + 1) / last;
    double half = tide_sin(pi * def->turns / last);
    return sqrt((next - radius) * (next - radius) + 4 * radius * next * half * half);
}

static tide_status check_curl(const tide_mesh_strands_def *def, tide_error *error)
{
    if (def->curl == 0)
        return TIDE_OK;
    char value[32];
    double last = def->points - 1, least = last * step_across(def, last - 1);
    snprintf(value, sizeof value, "%.10g", def->turns);
    if (2 * fabs(def->turns) > last)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "turns", value,
                         "%d points are too few to show them; expected %g at most, or more points", def->points,
                         last / 2);
    snprintf(value, sizeof value, "%.10g", def->length);
    if (!(def->length > least * (1 + 1e-9)))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "length", value,
                         "with this curl, %d points and %.10g turns it must be more than %.6g m", def->points,
                         def->turns, least);
    return TIDE_OK;
}

// Makes one strand from the origin along z. The rise of each edge completes its length, so that all edges are equally
// long.
static void set_shape(const tide_mesh_strands_def *def, double *shape)
{
    double last = def->points - 1, edge = def->length / last, height = 0;
    for (int i = 0; i < def->points; i++) {
        double radius = def->curl * i / last, angle = 2 * pi * def->turns * i / last;
        shape[3 * (size_t)i] = radius * tide_cos(angle);
        shape[3 * (size_t)i + 1] = radius * tide_sin(angle);
        shape[3 * (size_t)i + 2] = height;
        double across = def->curl > 0 ? step_across(def, i) : 0;
        height += sqrt(fmax(0, (edge - across) * (edge + across)));
    }
}

// Parallel transport: rotates the vector `across`, perpendicular to `from`, by the shortest rotation from `from` to
// `to`.
static tide_vec3 transport(tide_vec3 across, tide_vec3 from, tide_vec3 to)
{
    double cosine = tide_vec3_dot(from, to);
    if (cosine > -1 + 1e-12) {
        double part = tide_vec3_dot(across, to) / (1 + cosine);
        across = tide_vec3_subtract(across, tide_vec3_scale(tide_vec3_add(from, to), part));
    }
    across = tide_vec3_subtract(across, tide_vec3_scale(to, tide_vec3_dot(across, to)));
    return tide_vec3_normalize(across);
}

// Returns the direction, perpendicular to the normal, in which curls start: x for the normal y. It varies continuously
// except at one direction, which no surface is likely to have as its normal.
static tide_vec3 start_of(tide_vec3 normal)
{
    const tide_vec3 x = { 1, 0, 0 }, y = { 0, 1, 0 }, odd = { 2.0 / 7, 3.0 / 7, 6.0 / 7 };
    return transport(transport(x, y, odd), odd, normal);
}

typedef struct frame {
    tide_vec3 u, v, along; // times the scale of the strand
} frame;

static frame make_frame(const tide_mesh_strands_def *def, tide_vec3 normal, tide_random *random)
{
    // Always draws four random numbers for a strand.
    double size = 1 + def->jitter * (2 * tide_random_uniform(random) - 1);
    double tilt = def->jitter * sqrt(tide_random_uniform(random)), towards = 2 * pi * tide_random_uniform(random);
    double start = pi * def->jitter * (2 * tide_random_uniform(random) - 1);
    tide_vec3 u = start_of(normal), v = tide_vec3_cross(normal, u);
    tide_vec3 along = tide_vec3_add(normal, tide_vec3_scale(u, tilt * tide_cos(towards)));
    along = tide_vec3_normalize(tide_vec3_add(along, tide_vec3_scale(v, tilt * tide_sin(towards))));
    u = tide_vec3_add(tide_vec3_scale(u, tide_cos(start)), tide_vec3_scale(v, tide_sin(start)));
    u = transport(u, normal, along);
    return (frame) { tide_vec3_scale(u, size), tide_vec3_scale(tide_vec3_cross(along, u), size),
                     tide_vec3_scale(along, size) };
}

static void set_vertices(const tide_mesh_strands_def *def, const tide_mesh_roots *roots, const double *shape,
                         double *vertices)
{
    // A different sequence than that of the roots.
    tide_random random = tide_random_seed((uint64_t)def->seed + (UINT64_C(1) << 32));
    for (size_t s = 0; s < roots->count; s++) {
        tide_vec3 root = tide_vec3_load(roots->points + 3 * s);
        frame frame = make_frame(def, tide_vec3_load(roots->normals + 3 * s), &random);
        for (size_t i = 0; i < (size_t)def->points; i++, vertices += 3) {
            const double *local = shape + 3 * i;
            tide_vec3 point = tide_vec3_add(root, tide_vec3_scale(frame.u, local[0]));
            point = tide_vec3_add(point, tide_vec3_scale(frame.v, local[1]));
            tide_vec3_store(vertices, tide_vec3_add(point, tide_vec3_scale(frame.along, local[2])));
        }
    }
}

// Sets the pairs of vertices of each strand that are `apart`. Returns their number.
static uint32_t set_pairs(uint32_t *pairs, uint32_t strands, uint32_t points, uint32_t apart)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < strands; s++)
        for (uint32_t i = 0; i + apart < points; i++, count++) {
            pairs[2 * (size_t)count] = s * points + i;
            pairs[2 * (size_t)count + 1] = s * points + i + apart;
        }
    return count;
}

static tide_status grow(const tide_mesh_strands_def *def, const tide_mesh_roots *roots, tide_mesh **mesh,
                        tide_error *error)
{
    uint32_t points = (uint32_t)def->points;
    uint64_t count = (uint64_t)roots->count * points;
    char value[32];
    snprintf(value, sizeof value, "%u", points);
    if (count > TIDE_MESH_MAX_VERTICES)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "points", value,
                         "with %u strands this makes %llu vertices; expected at most %d", roots->count,
                         (unsigned long long)count, TIDE_MESH_MAX_VERTICES);
    tide_status status = TIDE_OK;
    TIDE_SCOPED double *shape = tide_allocate_array(points, 3 * sizeof *shape);
    TIDE_SCOPED double *vertices = tide_allocate_array(count, 3 * sizeof *vertices);
    TIDE_SCOPED uint32_t *edges = tide_allocate_array(count, 2 * sizeof *edges);
    TIDE_SCOPED uint32_t *skips = tide_allocate_array(count, 2 * sizeof *skips);
    if (shape && vertices && edges && skips) {
        set_shape(def, shape);
        set_vertices(def, roots, shape, vertices);
        const tide_mesh_parts parts = { .vertex_count = (uint32_t)count,
                                        .vertices = vertices,
                                        .edge_count = set_pairs(edges, roots->count, points, 1),
                                        .edges = edges,
                                        .skip_count = set_pairs(skips, roots->count, points, 2),
                                        .skips = skips };
        status = tide_mesh_create_from(&parts, true, mesh, error);
    } else
        status = tide_fail_memory(error, object);
    return status;
}

static tide_status build(const void *definition, tide_mesh **mesh, tide_error *error)
{
    const tide_mesh_strands_def *def = definition;
    TIDE_SCOPED_BY(tide_mesh_roots_destroy) tide_mesh_roots roots = { 0 };
    TIDE_TRY(tide_fields_check(fields, object, def, error));
    TIDE_TRY(check_choices(def, error));
    TIDE_TRY(check_curl(def, error));
    TIDE_TRY(find_roots(def, &roots, error));
    return grow(def, &roots, mesh, error);
}

const tide_mesh_builder tide_mesh_strands = {
    .name = "strands",
    .help = "hair, fur or a brush: a straight or curled line of vertices from each root",
    .fields = fields,
    .definition_size = sizeof(tide_mesh_strands_def),
    .build = build,
};

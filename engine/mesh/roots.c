#include "mesh/roots.h"

#include "base/elementary.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/stop.h"
#include "base/vec3.h"

#include <stdio.h>

// --- normals --------------------------------------------------------------------------------------------------------

static tide_vec3 corner(const tide_mesh *mesh, const uint32_t *triangle, int k)
{
    return tide_vec3_load(mesh->vertices + 3 * (size_t)triangle[k]);
}

// Returns the normal, with twice the area as its length.
static tide_vec3 face_normal(const tide_mesh *mesh, const uint32_t *triangle)
{
    tide_vec3 a = corner(mesh, triangle, 0);
    return tide_vec3_cross(tide_vec3_subtract(corner(mesh, triangle, 1), a),
                           tide_vec3_subtract(corner(mesh, triangle, 2), a));
}

static double angle_at(const tide_mesh *mesh, const uint32_t *triangle, int k)
{
    tide_vec3 here = corner(mesh, triangle, k);
    tide_vec3 a = tide_vec3_subtract(corner(mesh, triangle, (k + 1) % 3), here);
    tide_vec3 b = tide_vec3_subtract(corner(mesh, triangle, (k + 2) % 3), here);
    return tide_atan2(tide_vec3_length(tide_vec3_cross(a, b)), tide_vec3_dot(a, b));
}

// Returns unit normals (3 * vertex_count), or 0 where the normals cancel or there are no triangles; NULL without
// memory.
static double *vertex_normals(const tide_mesh *mesh)
{
    double *normals = tide_allocate_zeroed(mesh->vertex_count, 3 * sizeof *normals);
    for (uint32_t i = 0; i < mesh->triangle_count && normals; i++) {
        const uint32_t *triangle = mesh->triangles + 3 * (size_t)i;
        tide_vec3 normal = tide_vec3_normalize(face_normal(mesh, triangle));
        for (int k = 0; k < 3; k++) {
            double *sum = normals + 3 * (size_t)triangle[k];
            tide_vec3 part = tide_vec3_scale(normal, angle_at(mesh, triangle, k));
            tide_vec3_store(sum, tide_vec3_add(tide_vec3_load(sum), part));
        }
    }
    for (size_t i = 0; i < mesh->vertex_count && normals; i++) {
        tide_vec3 sum = tide_vec3_load(normals + 3 * i);
        // The sum of normals that cancel is rounding error.
        bool faces = tide_vec3_length(sum) > 1e-9;
        tide_vec3_store(normals + 3 * i, faces ? tide_vec3_normalize(sum) : (tide_vec3) { 0, 0, 0 });
    }
    return normals;
}

static tide_status allocate(tide_mesh_roots *roots, uint32_t count, const char *object, tide_error *error)
{
    *roots = (tide_mesh_roots) { .count = count };
    roots->points = tide_allocate_array(count, 3 * sizeof(double));
    roots->normals = tide_allocate_array(count, 3 * sizeof(double));
    if (roots->points && roots->normals)
        return TIDE_OK;
    tide_mesh_roots_destroy(roots);
    return tide_fail_memory(error, object);
}

void tide_mesh_roots_destroy(tide_mesh_roots *roots)
{
    tide_free(roots->points);
    tide_free(roots->normals);
    *roots = (tide_mesh_roots) { 0 };
}

static tide_status check_surface(const tide_mesh *mesh, const char *object, tide_error *error)
{
    if (!mesh->triangle_count)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "on", NULL,
                         "the mesh has no triangles to root strands on; give roots and normals instead");
    return TIDE_OK;
}

// --- at vertices ----------------------------------------------------------------------------------------------------

static tide_status fill_from_vertices(const tide_mesh *mesh, const double *normals, const bool *used,
                                      const char *object, tide_mesh_roots *roots, tide_error *error)
{
    uint32_t count = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        if (!used[i])
            continue;
        tide_vec3 normal = tide_vec3_load(normals + 3 * i);
        if (tide_vec3_length(normal) == 0)
            return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "on", NULL,
                             "the triangles at vertex %zu of the mesh have no area or face against each other; mend "
                             "the mesh, or give roots and normals",
                             i + 1);
        tide_vec3_store(roots->points + 3 * (size_t)count, tide_vec3_load(mesh->vertices + 3 * i));
        tide_vec3_store(roots->normals + 3 * (size_t)count++, normal);
    }
    roots->count = count;
    return TIDE_OK;
}

tide_status tide_mesh_roots_at_vertices(const tide_mesh *mesh, const char *object, tide_mesh_roots *roots,
                                        tide_error *error)
{
    tide_status status = check_surface(mesh, object, error);
    if (status == TIDE_OK)
        status = allocate(roots, mesh->vertex_count, object, error);
    if (status != TIDE_OK)
        return status;
    double *normals = vertex_normals(mesh);
    bool *used = tide_allocate_zeroed(mesh->vertex_count, sizeof *used);
    if (normals && used) {
        for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
            used[mesh->triangles[i]] = true;
        status = fill_from_vertices(mesh, normals, used, object, roots, error);
    } else
        status = tide_fail_memory(error, object);
    tide_free(normals);
    tide_free(used);
    if (status != TIDE_OK)
        tide_mesh_roots_destroy(roots);
    return status;
}

// --- random points --------------------------------------------------------------------------------------------------

enum {
    PATIENCE = 100, // darts in a row without a place after which the distance shrinks
    POLL = 1024     // darts between two looks at the limits
};
#define FIRST_DISTANCE 0.8 // relative to the spacing of a triangular lattice of as many points, the densest packing
#define SHRINK 0.98

typedef struct scatter {
    const tide_mesh *mesh;
    const double *normals; // of the vertices
    double *areas;         // (triangle_count) cumulative
    double distance;       // m, least distance of darts
    double cell;           // m, at least the distance; 0: no distance is kept
    uint32_t *first;       // (mask + 1) newest dart in each cell of a hash, + 1; 0: none
    uint32_t *next;        // (count) the previous dart of that cell, + 1
    double *faces;         // (3 * count) normal of each dart's triangle
    uint32_t mask;
} scatter;

static uint32_t triangle_at(const scatter *scatter, double area)
{
    uint32_t low = 0, high = scatter->mesh->triangle_count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (scatter->areas[middle] > area)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

typedef struct dart {
    tide_vec3 point, normal, face;
} dart;

static dart throw_dart(const scatter *scatter, tide_random *random)
{
    const tide_mesh *mesh = scatter->mesh;
    double total = scatter->areas[mesh->triangle_count - 1];
    const uint32_t *t = mesh->triangles + 3 * (size_t)triangle_at(scatter, tide_random_uniform(random) * total);
    // Uniform in the triangle (Turk 1990).
    double root = sqrt(tide_random_uniform(random)), v = tide_random_uniform(random);
    const double weights[3] = { 1 - root, root * (1 - v), root * v };
    dart dart = { .face = tide_vec3_normalize(face_normal(mesh, t)) };
    for (int k = 0; k < 3; k++) {
        tide_vec3 normal = tide_vec3_load(scatter->normals + 3 * (size_t)t[k]);
        dart.point = tide_vec3_add(dart.point, tide_vec3_scale(corner(mesh, t, k), weights[k]));
        dart.normal = tide_vec3_add(dart.normal, tide_vec3_scale(normal, weights[k]));
    }
    bool faces = tide_vec3_length(dart.normal) > 1e-6;
    dart.normal = faces ? tide_vec3_normalize(dart.normal) : dart.face;
    return dart;
}

static uint32_t cell_of(const scatter *scatter, const int64_t at[3])
{
    return (uint32_t)tide_hash_bytes(TIDE_HASH_START, at, 3 * sizeof *at) & scatter->mask;
}

static void cells_of(const scatter *scatter, tide_vec3 point, int64_t at[3])
{
    at[0] = (int64_t)floor(point.x / scatter->cell);
    at[1] = (int64_t)floor(point.y / scatter->cell);
    at[2] = (int64_t)floor(point.z / scatter->cell);
}

static bool has_place(const scatter *scatter, const tide_mesh_roots *roots, const dart *dart)
{
    if (scatter->cell == 0)
        return true;
    int64_t at[3];
    cells_of(scatter, dart->point, at);
    for (int n = 0; n < 27; n++) {
        const int64_t cell[3] = { at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1 };
        for (uint32_t i = scatter->first[cell_of(scatter, cell)]; i; i = scatter->next[i - 1]) {
            size_t other = 3 * (size_t)(i - 1);
            tide_vec3 between = tide_vec3_subtract(tide_vec3_load(roots->points + other), dart->point);
            if (tide_vec3_length(between) < scatter->distance &&
                tide_vec3_dot(tide_vec3_load(scatter->faces + other), dart->face) >= 0)
                return false;
        }
    }
    return true;
}

static void keep(scatter *scatter, tide_mesh_roots *roots, uint32_t i, const dart *dart)
{
    tide_vec3_store(roots->points + 3 * (size_t)i, dart->point);
    tide_vec3_store(roots->normals + 3 * (size_t)i, dart->normal);
    if (scatter->cell == 0)
        return;
    int64_t at[3];
    cells_of(scatter, dart->point, at);
    uint32_t cell = cell_of(scatter, at);
    scatter->next[i] = scatter->first[cell];
    scatter->first[cell] = i + 1;
    tide_vec3_store(scatter->faces + 3 * (size_t)i, dart->face);
}

static tide_status measure(scatter *scatter, uint32_t count, const char *object, tide_error *error)
{
    const tide_mesh *mesh = scatter->mesh;
    double total = 0, lower[3], upper[3], largest = 0;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        total += 0.5 * tide_vec3_length(face_normal(mesh, mesh->triangles + 3 * (size_t)i));
        scatter->areas[i] = total;
    }
    if (!(total > 0 && isfinite(total)))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "on", NULL,
                         "the triangles of the mesh have an area of %g m^2; give a surface to spread roots over",
                         total);
    scatter->distance = FIRST_DISTANCE * sqrt(2 * total / (sqrt(3) * count));
    scatter->cell = scatter->distance;
    tide_mesh_bounds(mesh, lower, upper);
    for (int k = 0; k < 3; k++)
        largest = fmax(largest, fmax(fabs(lower[k]), fabs(upper[k])));
    if (!(scatter->cell > 1e-9 * largest)) // cell numbers would not be exact integers
        scatter->cell = 0;
    return TIDE_OK;
}

static tide_status spread(scatter *scatter, uint32_t count, uint64_t seed, const char *object, tide_mesh_roots *roots,
                          tide_error *error)
{
    tide_status status = measure(scatter, count, object, error);
    tide_random random = tide_random_seed(seed);
    uint32_t in_vain = 0;
    for (uint32_t i = 0, thrown = 0; i < count && status == TIDE_OK;) {
        if (++thrown % POLL == 0)
            status = tide_stop_check(object, error);
        dart dart = throw_dart(scatter, &random);
        if (has_place(scatter, roots, &dart)) {
            keep(scatter, roots, i++, &dart);
            in_vain = 0;
        } else if (++in_vain == PATIENCE) {
            scatter->distance *= SHRINK;
            in_vain = 0;
        }
    }
    return status;
}

tide_status tide_mesh_roots_spread(const tide_mesh *mesh, uint32_t count, uint64_t seed, const char *object,
                                   tide_mesh_roots *roots, tide_error *error)
{
    tide_status status = check_surface(mesh, object, error);
    if (status == TIDE_OK)
        status = allocate(roots, count, object, error);
    if (status != TIDE_OK)
        return status;
    TIDE_SCOPED void *memory = tide_allocate(0);
    scatter scatter = { .mesh = mesh, .mask = 15 };
    while (scatter.mask < count)
        scatter.mask = 2 * scatter.mask + 1;
    scatter.normals = tide_own(memory, vertex_normals(mesh));
    scatter.areas = tide_own_array(memory, mesh->triangle_count, sizeof *scatter.areas);
    scatter.first = tide_own_zeroed(memory, (size_t)scatter.mask + 1, sizeof *scatter.first);
    scatter.next = tide_own_array(memory, count, sizeof *scatter.next);
    scatter.faces = tide_own_array(memory, count, 3 * sizeof *scatter.faces);
    if (tide_owns_all(memory))
        status = spread(&scatter, count, seed, object, roots, error);
    else
        status = tide_fail_memory(error, object);
    if (status != TIDE_OK)
        tide_mesh_roots_destroy(roots);
    return status;
}

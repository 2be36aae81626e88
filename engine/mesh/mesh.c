#include "mesh/connectivity.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/stop.h"
#include "base/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static tide_status check_numbers(const char *field, const double *numbers, uint32_t count, int width, tide_error *error)
{
    for (size_t i = 0; i < (size_t)count * (size_t)width; i++) {
        if (isfinite(numbers[i]))
            continue;
        size_t item = i / (size_t)width;
        const double *p = numbers + item * (size_t)width;
        char name[64], value[96];
        snprintf(name, sizeof name, "%s %zu", field, item + 1);
        if (width == 3)
            snprintf(value, sizeof value, "(%g, %g, %g)", p[0], p[1], p[2]);
        else
            snprintf(value, sizeof value, "(%g, %g)", p[0], p[1]);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "mesh", name, value, "expected finite numbers");
    }
    return TIDE_OK;
}

static tide_status refuse_tuple(const char *field, const uint32_t *tuple, uint32_t width, uint32_t item,
                                const char *expected, tide_error *error)
{
    char name[64], value[96];
    snprintf(name, sizeof name, "%s %u", field, item + 1);
    int length = 0;
    for (uint32_t i = 0; i < width; i++)
        length += snprintf(value + length, sizeof value - (size_t)length, "%s%llu", i ? " " : "",
                           (unsigned long long)tuple[i] + 1);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, "mesh", name, value, "%s", expected);
}

static tide_status check_indices(const char *field, const uint32_t *indices, uint32_t count, uint32_t width,
                                 uint32_t vertex_count, tide_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *tuple = indices + (size_t)width * i;
        for (uint32_t j = 0; j < width; j++) {
            if (tuple[j] >= vertex_count) {
                char expected[64];
                snprintf(expected, sizeof expected, "expected vertices from 1 to %u", vertex_count);
                return refuse_tuple(field, tuple, width, i, expected, error);
            }
            for (uint32_t k = 0; k < j; k++)
                if (tuple[k] == tuple[j])
                    return refuse_tuple(field, tuple, width, i, "names a vertex twice; expected different ones", error);
        }
    }
    return TIDE_OK;
}

static tide_status check_parts(const tide_mesh_parts *parts, tide_error *error)
{
    char value[32];
    snprintf(value, sizeof value, "%u", parts->vertex_count);
    if (parts->vertex_count == 0)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "mesh", "vertices", NULL, "there are none; expected at least one");
    if (parts->vertex_count > TIDE_MESH_MAX_VERTICES)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "mesh", "vertices", value, "expected at most %d",
                         TIDE_MESH_MAX_VERTICES);
    tide_status status = check_numbers("vertex", parts->vertices, parts->vertex_count, 3, error);
    if (status == TIDE_OK && parts->texture)
        status = check_numbers("texture coordinate", parts->texture, parts->vertex_count, 2, error);
    const struct {
        const char *name;
        const uint32_t *indices;
        uint32_t count, width;
    } lists[] = {
        { "edge", parts->edges, parts->edge_count, 2 },
        { "triangle", parts->triangles, parts->triangle_count, 3 },
        { "tetrahedron", parts->tetrahedra, parts->tetrahedron_count, 4 },
        { "skip", parts->skips, parts->skip_count, 2 },
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && status == TIDE_OK; i++)
        status =
            check_indices(lists[i].name, lists[i].indices, lists[i].count, lists[i].width, parts->vertex_count, error);
    return status;
}

// Removes arrays without items and counts without an array.
static tide_mesh_parts normalized(const tide_mesh_parts *parts)
{
    tide_mesh_parts all = *parts;
    if (!all.vertices)
        all.vertex_count = 0;
    uint32_t *counts[] = { &all.edge_count, &all.triangle_count, &all.tetrahedron_count, &all.skip_count };
    const uint32_t **arrays[] = { &all.edges, &all.triangles, &all.tetrahedra, &all.skips };
    for (int i = 0; i < 4; i++) {
        if (!*arrays[i])
            *counts[i] = 0;
        if (!*counts[i])
            *arrays[i] = NULL;
    }
    return all;
}

static bool copy_array(void *owner, void *to, const void *from, size_t count, size_t size)
{
    if (!from)
        return true;
    void *copy = tide_own(owner, tide_copy_bytes(from, count * size));
    memcpy(to, &copy, sizeof copy);
    return copy != NULL;
}

double tide_mesh_tetrahedron_volume(const double *vertices, const uint32_t tetrahedron[4])
{
    tide_vec3 p[4];
    for (int i = 0; i < 4; i++)
        p[i] = tide_vec3_load(vertices + 3 * (size_t)tetrahedron[i]);
    tide_vec3 a = tide_vec3_subtract(p[1], p[0]), b = tide_vec3_subtract(p[2], p[0]),
              c = tide_vec3_subtract(p[3], p[0]);
    return tide_vec3_dot(a, tide_vec3_cross(b, c)) / 6;
}

static void turn_tetrahedra(tide_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->tetrahedron_count; i++) {
        uint32_t *tetrahedron = mesh->tetrahedra + 4 * (size_t)i;
        if (tide_mesh_tetrahedron_volume(mesh->vertices, tetrahedron) < 0) {
            uint32_t last = tetrahedron[3];
            tetrahedron[3] = tetrahedron[2];
            tetrahedron[2] = last;
            if (mesh->turned_count++ == 0)
                mesh->first_turned = i;
        }
    }
}

static tide_status copy_parts(tide_mesh *mesh, const tide_mesh_parts *parts, tide_error *error)
{
    mesh->vertex_count = parts->vertex_count;
    mesh->edge_count = parts->edge_count;
    mesh->triangle_count = parts->triangle_count;
    mesh->tetrahedron_count = parts->tetrahedron_count;
    mesh->skip_count = parts->skip_count;
    size_t vertex_count = parts->vertex_count, index = sizeof(uint32_t);
    if (!copy_array(mesh, &mesh->vertices, parts->vertices, 3 * vertex_count, sizeof(double)) ||
        !copy_array(mesh, &mesh->texture, parts->texture, 2 * vertex_count, sizeof(double)) ||
        !copy_array(mesh, &mesh->edges, parts->edges, 2 * (size_t)parts->edge_count, index) ||
        !copy_array(mesh, &mesh->triangles, parts->triangles, 3 * (size_t)parts->triangle_count, index) ||
        !copy_array(mesh, &mesh->tetrahedra, parts->tetrahedra, 4 * (size_t)parts->tetrahedron_count, index) ||
        !copy_array(mesh, &mesh->skips, parts->skips, 2 * (size_t)parts->skip_count, index))
        return tide_fail_memory(error, "mesh");
    return TIDE_OK;
}

static tide_status derive_parts(tide_mesh *mesh, bool outward, tide_error *error)
{
    tide_status status = TIDE_OK;
    turn_tetrahedra(mesh);
    if (outward)
        mesh->turned_count = 0; // the counts belong to the other mesh
    if (mesh->tetrahedron_count && !mesh->triangle_count)
        status = tide_mesh_surface_of(mesh->tetrahedra, mesh->tetrahedron_count, &mesh->triangles,
                                      &mesh->triangle_count, error);
    else if (mesh->tetrahedron_count && !outward)
        status = tide_mesh_turn_outward(mesh->tetrahedra, mesh->tetrahedron_count, mesh->vertex_count, mesh->triangles,
                                        mesh->triangle_count, NULL, error);
    tide_own(mesh, mesh->triangles);
    if (status == TIDE_OK && !mesh->edge_count && (mesh->triangle_count || mesh->tetrahedron_count))
        status = tide_mesh_edges_of(mesh->vertex_count, mesh->triangles, mesh->triangle_count, mesh->tetrahedra,
                                    mesh->tetrahedron_count, &mesh->edges, &mesh->edge_count, error);
    tide_own(mesh, mesh->edges);
    return status;
}

static void set_hashes(tide_mesh *mesh)
{
    const uint32_t counts[] = { mesh->vertex_count, mesh->edge_count, mesh->triangle_count, mesh->tetrahedron_count,
                                mesh->skip_count };
    size_t index = sizeof(uint32_t);
    uint64_t hash = tide_hash_bytes(TIDE_HASH_START, counts, sizeof counts);
    hash = tide_hash_bytes(hash, mesh->edges, 2 * index * mesh->edge_count);
    hash = tide_hash_bytes(hash, mesh->triangles, 3 * index * mesh->triangle_count);
    hash = tide_hash_bytes(hash, mesh->tetrahedra, 4 * index * mesh->tetrahedron_count);
    hash = tide_hash_bytes(hash, mesh->skips, 2 * index * mesh->skip_count);
    mesh->topology_hash = hash;
    hash = tide_hash_bytes(hash, mesh->vertices, 3 * sizeof(double) * mesh->vertex_count);
    if (mesh->texture)
        hash = tide_hash_bytes(hash, mesh->texture, 2 * sizeof(double) * mesh->vertex_count);
    mesh->hash = hash;
}

tide_status tide_mesh_create_from(const tide_mesh_parts *parts, bool outward, tide_mesh **mesh, tide_error *error)
{
    tide_mesh_parts all = normalized(parts);
    tide_status status = tide_stop_check("mesh", error);
    if (status == TIDE_OK)
        status = check_parts(&all, error);
    if (status == TIDE_OK)
        status = tide_stop_check("mesh", error);
    if (status != TIDE_OK)
        return status;
    tide_mesh *made = tide_allocate_zeroed(1, sizeof *made);
    if (!made)
        return tide_fail_memory(error, "mesh");
    made->references = 1;
    status = copy_parts(made, &all, error);
    if (status == TIDE_OK)
        status = derive_parts(made, outward, error);
    if (status != TIDE_OK) {
        tide_mesh_release(made);
        return status;
    }
    set_hashes(made);
    *mesh = made;
    return TIDE_OK;
}

tide_status tide_mesh_create(const tide_mesh_parts *parts, tide_mesh **mesh, tide_error *error)
{
    return tide_mesh_create_from(parts, false, mesh, error);
}

tide_mesh_parts tide_mesh_view(const tide_mesh *mesh)
{
    return (tide_mesh_parts) {
        .vertex_count = mesh->vertex_count,
        .edge_count = mesh->edge_count,
        .triangle_count = mesh->triangle_count,
        .tetrahedron_count = mesh->tetrahedron_count,
        .skip_count = mesh->skip_count,
        .vertices = mesh->vertices,
        .texture = mesh->texture,
        .edges = mesh->edges,
        .triangles = mesh->triangles,
        .tetrahedra = mesh->tetrahedra,
        .skips = mesh->skips,
    };
}

// The reference count is the one part of a mesh that changes; owners may be in different threads.
const tide_mesh *tide_mesh_retain(const tide_mesh *mesh)
{
    __atomic_fetch_add(&((tide_mesh *)mesh)->references, 1, __ATOMIC_RELAXED);
    return mesh;
}

void tide_mesh_release(const tide_mesh *mesh)
{
    if (!mesh || __atomic_sub_fetch(&((tide_mesh *)mesh)->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    tide_free(mesh->findings); // any thread may have made them
    tide_free((tide_mesh *)mesh);
}

void tide_mesh_bounds(const tide_mesh *mesh, double lower[3], double upper[3])
{
    for (int k = 0; k < 3; k++)
        lower[k] = upper[k] = mesh->vertices[k];
    for (uint32_t i = 1; i < mesh->vertex_count; i++)
        for (int k = 0; k < 3; k++) {
            double x = mesh->vertices[3 * (size_t)i + (size_t)k];
            lower[k] = fmin(lower[k], x);
            upper[k] = fmax(upper[k], x);
        }
}

// Shared by the tests of meshes.
#ifndef TIDE_MESH_TESTS_H
#define TIDE_MESH_TESTS_H

#include "tests.h"

#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "linear/failing.h"
#include "mesh/mesh.h"

static inline tide_mesh *make_grid(int columns, int rows, double width, double height, int diagonals)
{
    const tide_mesh_grid_def def = { columns, rows, width, height, diagonals };
    tide_mesh *mesh = NULL;
    tide_error error;
    assert_ok(tide_mesh_grid.build(&def, &mesh, &error), error);
    return mesh;
}

static inline tide_mesh *make_strand(int points)
{
    const tide_mesh_strand_def def = { points, { 0.1, 0.2, 0.3 }, { 1, -2, 0.7 } };
    tide_mesh *mesh = NULL;
    tide_error error;
    assert_ok(tide_mesh_strand.build(&def, &mesh, &error), error);
    return mesh;
}

static inline tide_mesh *make_box(double x, double y, double z, int i, int j, int k)
{
    const tide_mesh_box_def def = { { x, y, z }, { i, j, k } };
    tide_mesh *mesh = NULL;
    tide_error error;
    assert_ok(tide_mesh_box.build(&def, &mesh, &error), error);
    return mesh;
}

// Arrays of the test's own, so that the parts need no casts: PARTS(vertices, .triangles = t, .triangle_count = 1).
#define PARTS(points, ...)                                                                                             \
    (tide_mesh_parts)                                                                                                  \
    {                                                                                                                  \
        .vertices = (points), .vertex_count = (uint32_t)(sizeof(points) / (3 * sizeof(double))), __VA_ARGS__           \
    }

static inline tide_mesh *make_mesh(tide_mesh_parts parts)
{
    tide_mesh *mesh = NULL;
    tide_error error;
    assert_ok(tide_mesh_create(&parts, &mesh, &error), error);
    return mesh;
}

static inline bool is_same_bytes(const void *a, const void *b, size_t size)
{
    return size == 0 || memcmp(a, b, size) == 0;
}

// Every number of both meshes.
static inline void assert_same_mesh(const tide_mesh *a, const tide_mesh *b)
{
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->edge_count, b->edge_count);
    assert_int_equal(a->triangle_count, b->triangle_count);
    assert_int_equal(a->tetrahedron_count, b->tetrahedron_count);
    assert_int_equal(a->skip_count, b->skip_count);
    assert_true(is_same_bytes(a->vertices, b->vertices, 24 * (size_t)a->vertex_count));
    assert_int_equal(a->texture == NULL, b->texture == NULL);
    assert_true(!a->texture || is_same_bytes(a->texture, b->texture, 16 * (size_t)a->vertex_count));
    assert_true(is_same_bytes(a->edges, b->edges, 8 * (size_t)a->edge_count));
    assert_true(is_same_bytes(a->triangles, b->triangles, 12 * (size_t)a->triangle_count));
    assert_true(is_same_bytes(a->tetrahedra, b->tetrahedra, 16 * (size_t)a->tetrahedron_count));
    assert_true(is_same_bytes(a->skips, b->skips, 8 * (size_t)a->skip_count));
    assert_true(a->topology_hash == b->topology_hash);
    assert_true(a->hash == b->hash);
}

static inline double total_volume(const tide_mesh *mesh)
{
    double sum = 0;
    for (uint32_t i = 0; i < mesh->tetrahedron_count; i++)
        sum += tide_mesh_tetrahedron_volume(mesh->vertices, mesh->tetrahedra + 4 * (size_t)i);
    return sum;
}

// The volume that the triangles enclose, by the divergence theorem: positive when they face outward.
static inline double enclosed_volume(const tide_mesh *mesh)
{
    double sum = 0;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles + 3 * (size_t)i;
        const double *a = mesh->vertices + 3 * t[0], *b = mesh->vertices + 3 * t[1], *c = mesh->vertices + 3 * t[2];
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum / 6;
}

// Every directed side of a triangle comes once, and so does its reverse.
static inline void assert_closed(const tide_mesh *mesh)
{
    uint32_t *on, closed = 0;
    tide_error error;
    assert_ok(tide_mesh_edge_triangles(mesh, &on, &error), error);
    for (uint32_t i = 0; i < mesh->edge_count; i++) {
        const uint32_t *pair = on + 2 * (size_t)i, *edge = mesh->edges + 2 * (size_t)i;
        assert_int_equal(pair[0] == TIDE_NO_TRIANGLE, pair[1] == TIDE_NO_TRIANGLE);
        if (pair[0] == TIDE_NO_TRIANGLE)
            continue;
        closed++;
        int forward = 0;
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < 3; k++) {
                const uint32_t *t = mesh->triangles + 3 * (size_t)pair[side];
                forward += t[k] == edge[0] && t[(k + 1) % 3] == edge[1];
            }
        assert_int_equal(forward, 1);
    }
    assert_int_equal(2 * closed, 3 * mesh->triangle_count);
    tide_free(on);
}

// Runs `call(context, &error)` with the first allocation failing, then the second, ... until it succeeds: each failure
// must be reported as one of memory and leave no block behind. `discard` frees what a success made.
#define assert_survives_failures(call, discard, least)                                                                 \
    do {                                                                                                               \
        uint64_t failures_ = 0;                                                                                        \
        for (bool done_ = false; !done_; failures_++) {                                                                \
            failing_allocation failing_ = { .left = failures_ };                                                       \
            uint64_t blocks_ = tide_memory_count().blocks;                                                             \
            tide_memory_set_failure_hook(fail_in_turn, &failing_);                                                     \
            tide_status status_ = (call);                                                                              \
            tide_memory_set_failure_hook(NULL, NULL);                                                                  \
            done_ = status_ == TIDE_OK;                                                                                \
            if (done_) {                                                                                               \
                discard;                                                                                               \
            } else                                                                                                     \
                assert_int_equal(status_, TIDE_ERROR_MEMORY);                                                          \
            assert_int_equal(tide_memory_count().blocks, blocks_);                                                     \
        }                                                                                                              \
        assert_true(failures_ > (least));                                                                              \
    } while (0)

#endif

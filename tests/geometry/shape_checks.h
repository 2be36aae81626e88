// Shared by the tests of shapes and strands.
#ifndef TIDE_SHAPE_CHECKS_H
#define TIDE_SHAPE_CHECKS_H

#include "../mesh/mesh_tests.h"

#include <math.h>

#include "base/vec3.h"

static const double pi = 3.14159265358979323846;

static inline tide_mesh *build_shape(const tide_mesh_builder *builder, const void *def)
{
    tide_mesh *mesh = NULL;
    tide_error error;
    assert_ok(builder->build(def, &mesh, &error), error);
    return mesh;
}

static inline tide_vec3 vertex_at(const tide_mesh *mesh, uint32_t i)
{
    return tide_vec3_load(mesh->vertices + 3 * (size_t)i);
}

static inline double apart(const tide_mesh *mesh, uint32_t i, uint32_t j)
{
    return tide_vec3_length(tide_vec3_subtract(vertex_at(mesh, i), vertex_at(mesh, j)));
}

static inline double total_area(const tide_mesh *mesh)
{
    double sum = 0;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles + 3 * (size_t)i;
        tide_vec3 a = vertex_at(mesh, t[0]);
        sum += tide_vec3_length(tide_vec3_cross(tide_vec3_subtract(vertex_at(mesh, t[1]), a),
                                                tide_vec3_subtract(vertex_at(mesh, t[2]), a))) /
               2;
    }
    return sum;
}

static inline int euler_characteristic(const tide_mesh *mesh)
{
    return (int)mesh->vertex_count - (int)mesh->edge_count + (int)mesh->triangle_count;
}

// The doctor finds nothing wrong.
static inline void assert_healthy(const tide_mesh *mesh)
{
    tide_mesh_report report;
    tide_error error;
    assert_ok(tide_mesh_check(mesh, &report, &error), error);
    if (report.problem_count)
        print_error("%s\n", report.problems[0].text);
    assert_int_equal(report.problem_count, 0);
}

static inline void assert_shape_refused(const tide_mesh_builder *builder, const void *def, const char *part)
{
    tide_mesh *mesh = NULL;
    tide_error error;
    uint64_t blocks = tide_memory_count().blocks;
    assert_fails(builder->build(def, &mesh, &error), error, part);
    assert_int_equal(error.status, TIDE_ERROR_ARGUMENT);
    assert_null(mesh);
    assert_true(tide_memory_count().blocks == blocks);
}

#endif

#include "mesh/connectivity.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/vec3.h"

#include <math.h>
#include <stdio.h>

// Makes a mesh with vertices M p + t; M is row-major. `mirrored`: M reverses the orientation of triangles.
static tide_status transform(const tide_mesh *mesh, const double m[9], const double t[3], bool mirrored,
                             tide_mesh **out, tide_error *error)
{
    TIDE_SCOPED double *vertices = tide_allocate_array(mesh->vertex_count, 3 * sizeof *vertices);
    uint32_t *triangles = NULL;
    if (vertices && mirrored)
        triangles = tide_copy_bytes(mesh->triangles, 3 * sizeof *triangles * mesh->triangle_count);
    if (!vertices || (mirrored && !triangles))
        return tide_fail_memory(error, "mesh");
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const double *p = mesh->vertices + 3 * i;
        for (size_t k = 0; k < 3; k++)
            vertices[3 * i + k] = m[3 * k] * p[0] + m[3 * k + 1] * p[1] + m[3 * k + 2] * p[2] + t[k];
    }
    tide_mesh_parts parts = tide_mesh_view(mesh);
    parts.vertices = vertices;
    if (mirrored) {
        for (size_t i = 0; i < mesh->triangle_count; i++) {
            triangles[3 * i + 1] = mesh->triangles[3 * i + 2];
            triangles[3 * i + 2] = mesh->triangles[3 * i + 1];
        }
        parts.triangles = triangles;
    }
    tide_status status = tide_mesh_create_from(&parts, true, out, error);
    tide_free(triangles);
    return status;
}

static tide_status refuse_vector(const char *field, const double *v, const char *expected, tide_error *error)
{
    char value[96];
    snprintf(value, sizeof value, "{%g, %g, %g}", v[0], v[1], v[2]);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, "mesh", field, value, "%s", expected);
}

static bool is_finite(const double *v)
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

tide_status tide_mesh_translate(const tide_mesh *mesh, const double by[3], tide_mesh **out, tide_error *error)
{
    const double identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    if (!is_finite(by))
        return refuse_vector("translate", by, "expected finite numbers", error);
    return transform(mesh, identity, by, false, out, error);
}

tide_status tide_mesh_rotate(const tide_mesh *mesh, const double axis[3], double angle, tide_mesh **out,
                             tide_error *error)
{
    if (!is_finite(axis) || (axis[0] == 0 && axis[1] == 0 && axis[2] == 0))
        return refuse_vector("rotate", axis, "expected an axis of finite numbers that is not zero", error);
    if (!isfinite(angle))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "mesh", "rotate", isnan(angle) ? "nan" : "inf",
                         "expected a finite angle in radians");
    // Scaled by its largest component first, so that no axis overflows or vanishes when it is normalised.
    double largest = fmax(fabs(axis[0]), fmax(fabs(axis[1]), fabs(axis[2])));
    tide_vec3 u = tide_vec3_normalize((tide_vec3) { axis[0] / largest, axis[1] / largest, axis[2] / largest });
    double c = tide_cos(angle), s = tide_sin(angle), d = 1 - c;
    const double zero[3] = { 0, 0, 0 };
    const double m[9] = {
        c + d * u.x * u.x,       d * u.x * u.y - s * u.z, d * u.x * u.z + s * u.y, //
        d * u.y * u.x + s * u.z, c + d * u.y * u.y,       d * u.y * u.z - s * u.x, //
        d * u.z * u.x - s * u.y, d * u.z * u.y + s * u.x, c + d * u.z * u.z,
    };
    return transform(mesh, m, zero, false, out, error);
}

tide_status tide_mesh_scale(const tide_mesh *mesh, const double factors[3], tide_mesh **out, tide_error *error)
{
    if (!is_finite(factors) || factors[0] == 0 || factors[1] == 0 || factors[2] == 0)
        return refuse_vector("scale", factors, "expected finite factors other than 0", error);
    const double zero[3] = { 0, 0, 0 };
    const double m[9] = { factors[0], 0, 0, 0, factors[1], 0, 0, 0, factors[2] };
    bool mirrored = (factors[0] < 0) ^ (factors[1] < 0) ^ (factors[2] < 0);
    return transform(mesh, m, zero, mirrored, out, error);
}

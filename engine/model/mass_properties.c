#include "model/mass_properties.h"

#include "base/vec3.h"
#include "model/dense_element.h"

#include <string.h>

// Sums of dm, r dm and r r' dm about `origin`, a point near the body, which avoids cancellation.
typedef struct sums {
    tide_vec3 origin;
    double measure, mass, first[3], second[9];
} sums;

// Returns the mean of the vertices.
static sums begin(const tide_mesh *mesh)
{
    sums s = { 0 };
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        s.origin = tide_vec3_add(
            s.origin, tide_vec3_scale(tide_vec3_load(mesh->vertices + 3 * (size_t)v), 1.0 / mesh->vertex_count));
    return s;
}

static tide_vec3 place(const sums *s, const tide_mesh *mesh, uint32_t vertex)
{
    return tide_vec3_subtract(tide_vec3_load(mesh->vertices + 3 * (size_t)vertex), s->origin);
}

// Adds a simplex with `count` corners and a uniform density: the integral of r r' is m / (n (n + 1)) (sum x_i x_i' +
// (sum x_i) (sum x_i)') for n corners.
static void add_simplex(sums *s, const tide_vec3 *corners, int count, double measure, double mass)
{
    double sum[3] = { 0 }, products[9] = { 0 };
    for (int c = 0; c < count; c++) {
        const double x[3] = { corners[c].x, corners[c].y, corners[c].z };
        for (int k = 0; k < 9; k++)
            products[k] += x[k / 3] * x[k % 3];
        for (int k = 0; k < 3; k++)
            sum[k] += x[k];
    }
    s->measure += measure;
    s->mass += mass;
    for (int k = 0; k < 3; k++)
        s->first[k] += mass * sum[k] / count;
    for (int k = 0; k < 9; k++)
        s->second[k] += mass * (products[k] + sum[k / 3] * sum[k % 3]) / (count * (count + 1));
}

static tide_mass_properties finish(const sums *s)
{
    tide_mass_properties of = { .measure = s->measure, .mass = s->mass };
    double away[3];
    for (int k = 0; k < 3; k++)
        away[k] = s->mass != 0 ? s->first[k] / s->mass : 0;
    tide_vec3_store(of.centre, tide_vec3_add(s->origin, tide_vec3_load(away)));
    for (int k = 0; k < 9; k++)
        of.moments[k] = s->second[k] - s->mass * away[k / 3] * away[k % 3];
    return of;
}

static double volume_of(const tide_vec3 c[4])
{
    tide_vec3 across = tide_vec3_cross(tide_vec3_subtract(c[1], c[0]), tide_vec3_subtract(c[2], c[0]));
    return tide_vec3_dot(across, tide_vec3_subtract(c[3], c[0])) / 6;
}

tide_mass_properties tide_mass_of_volume(const tide_mesh *mesh, const double *density_at, double density)
{
    sums s = begin(mesh);
    tide_vec3 c[4];
    for (uint32_t t = 0; t < mesh->tetrahedron_count; t++) {
        double each = density_at ? 0 : density;
        for (size_t k = 0; k < 4; k++) {
            uint32_t vertex = mesh->tetrahedra[4 * (size_t)t + k];
            c[k] = place(&s, mesh, vertex);
            each += density_at ? density_at[vertex] / 4 : 0;
        }
        double volume = volume_of(c);
        add_simplex(&s, c, 4, volume, each * volume);
    }
    c[0] = (tide_vec3) { 0, 0, 0 }; // the cone from the origin to each triangle
    for (uint32_t t = 0; t < mesh->triangle_count && !mesh->tetrahedron_count; t++) {
        for (size_t k = 0; k < 3; k++)
            c[k + 1] = place(&s, mesh, mesh->triangles[3 * (size_t)t + k]);
        double volume = volume_of(c);
        add_simplex(&s, c, 4, volume, density * volume);
    }
    return finish(&s);
}

tide_mass_properties tide_mass_of_area(const tide_mesh *mesh, double area_density)
{
    sums s = begin(mesh);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        tide_vec3 c[3];
        for (size_t k = 0; k < 3; k++)
            c[k] = place(&s, mesh, mesh->triangles[3 * (size_t)t + k]);
        tide_vec3 across = tide_vec3_cross(tide_vec3_subtract(c[1], c[0]), tide_vec3_subtract(c[2], c[0]));
        double area = tide_vec3_length(across) / 2;
        add_simplex(&s, c, 3, area, area_density * area);
    }
    return finish(&s);
}

tide_mass_properties tide_mass_of_points(const tide_mesh *mesh, const double *masses)
{
    sums s = begin(mesh);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        tide_vec3 at = place(&s, mesh, v);
        add_simplex(&s, &at, 1, 1, masses[v]);
    }
    return finish(&s);
}

void tide_mass_scale(tide_mass_properties *of, double factor)
{
    of->mass *= factor;
    for (int k = 0; k < 9; k++)
        of->moments[k] *= factor;
}

// With B B' = moments / mass, the points c + B s_i for the corners s_i = (1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1,
// 1) of a tetrahedron have these moments, since sum s_i s_i' = 4 I. B is the symmetric root: it depends continuously on
// the moments, so that the points of a body whose shape changes a little keep their places.
bool tide_equimomental_points(const tide_mass_properties *of, double points[12])
{
    static const double corners[4][3] = { { 1, 1, 1 }, { 1, -1, -1 }, { -1, 1, -1 }, { -1, -1, 1 } };
    double a[9], axes[9], radii[3], most = 0;
    bool thin = false;
    for (int k = 0; k < 9; k++)
        a[k] = of->moments[k] / of->mass;
    tide_dense_diagonalise(a, axes, 3);
    for (int k = 0; k < 3; k++) {
        radii[k] = sqrt(fmax(a[4 * k], 0));
        most = fmax(most, radii[k]);
    }
    for (int k = 0; k < 3; k++) {
        thin = thin || radii[k] < TIDE_MASS_THIN * most;
        radii[k] = fmax(radii[k], TIDE_MASS_THIN * most);
    }
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 3; k++) {
            points[3 * i + k] = of->centre[k];
            for (size_t b = 0; b < 9; b++)
                points[3 * i + k] += axes[3 * k + b / 3] * radii[b / 3] * axes[3 * (b % 3) + b / 3] * corners[i][b % 3];
        }
    return thin;
}

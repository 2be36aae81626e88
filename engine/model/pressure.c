#include "model/pressure.h"

#include "base/vec3.h"
#include "model/dense_element.h"

#include <string.h>

static inline double parameter(const tide_elements *elements, size_t which, uint32_t e)
{
    return elements->parameters[which * elements->count + e];
}

typedef struct triangle {
    tide_vec3 p[3]; // relative to c
    tide_vec3 slope[3];
} triangle;

static triangle triangle_at(const tide_elements *elements, const double *x, uint32_t e)
{
    triangle t;
    tide_vec3 centre = { parameter(elements, TIDE_PRESSURE_CENTRE, e), parameter(elements, TIDE_PRESSURE_CENTRE + 1, e),
                         parameter(elements, TIDE_PRESSURE_CENTRE + 2, e) };
    for (size_t c = 0; c < 3; c++)
        t.p[c] = tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)elements->vertices[3 * (size_t)e + c]), centre);
    for (int c = 0; c < 3; c++)
        t.slope[c] = tide_vec3_scale(tide_vec3_cross(t.p[(c + 1) % 3], t.p[(c + 2) % 3]), 1.0 / 6);
    return t;
}

double tide_pressure_volume(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    double sum = 0;
    for (uint32_t e = begin; e < end; e++) {
        triangle t = triangle_at(elements, x, e);
        sum += tide_vec3_dot(t.p[0], t.slope[0]);
    }
    return sum;
}

void tide_pressure_slope(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++) {
        triangle t = triangle_at(elements, x, e);
        for (int c = 0; c < 3; c++, out += 3)
            tide_vec3_store(out, t.slope[c]);
    }
}

double tide_pressure_energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    double sum = 0;
    for (uint32_t e = begin; e < end; e++)
        sum -= parameter(elements, TIDE_PRESSURE, e) * tide_pressure_volume(elements, x, e, e + 1);
    return sum;
}

void tide_pressure_gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++) {
        triangle t = triangle_at(elements, x, e);
        for (int c = 0; c < 3; c++, out += 3)
            tide_vec3_store(out, tide_vec3_scale(t.slope[c], -parameter(elements, TIDE_PRESSURE, e)));
    }
}

void tide_pressure_hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    triangle t = triangle_at(elements, x, element);
    double factor = parameter(elements, TIDE_PRESSURE, element) / 6;
    memset(out, 0, 81 * sizeof *out);
    for (size_t i = 0; i < 3; i++) {
        size_t j = (i + 1) % 3, k = (i + 2) % 3; // d2V/dx_i dx_j v = v x x_k / 6
        tide_vec3 a = tide_vec3_subtract(t.p[k], tide_vec3_scale(tide_vec3_add(t.p[i], t.p[j]), 0.5));
        const double turn[9] = { 0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0 };
        for (size_t r = 0; r < 3; r++)
            for (size_t c = 0; c < 3; c++) {
                out[9 * (3 * i + r) + 3 * j + c] = factor * turn[3 * r + c];
                out[9 * (3 * j + c) + 3 * i + r] = factor * turn[3 * r + c];
            }
    }
    if (project)
        tide_dense_make_semidefinite(out, 9);
}

void tide_pressure_laplacian(const tide_elements *elements, uint32_t element, double *out)
{
    (void)elements, (void)element;
    memset(out, 0, 9 * sizeof *out);
}

void tide_pressure_project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    tide_pressure_gradient(elements, x, begin, end, out); // L is 0: the force does not depend on a projection
}

void tide_pressure_strain(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    (void)elements, (void)x;
    for (uint32_t e = begin; e < end; e++)
        *out++ = 0;
}

const tide_element_kind tide_pressure = {
    .name = "pressure",
    .help = "a constant pressure on a triangle of a closed surface",
    .parameter_count = TIDE_PRESSURE_PARAMETERS,
    TIDE_PRESSURE_FUNCTIONS,
};

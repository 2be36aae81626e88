// Energies, gradients and Hessians of tetrahedra of all solid models.
#include "model/solid.h"

#include "base/vec3.h"
#include "model/svd3.h"

#include <float.h>
#include <math.h>
#include <string.h>

const unsigned char tide_solid_edges[12] = { 0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3 };

static const tide_solid_model *model_of(const tide_elements *elements)
{
    return elements->kind->context;
}

static inline double parameter(const tide_elements *elements, size_t which, uint32_t e)
{
    return elements->parameters[which * elements->count + e];
}

// --- rest ------------------------------------------------------------------------------------------------------------

const char *tide_solid_rest(const tide_element_kind *kind, const double *x, const uint32_t *vertices,
                            double *parameters)
{
    tide_vec3 edges[3], rows[3], origin = tide_vec3_load(x + 3 * (size_t)vertices[0]);
    for (int c = 0; c < 3; c++)
        edges[c] = tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)vertices[c + 1]), origin);
    double six = tide_vec3_dot(edges[0], tide_vec3_cross(edges[1], edges[2]));
    (void)kind;
    if (!(six > 0))
        return six < 0 ? "is inverted at rest; move one of its vertices or leave it out"
                       : "is flat at rest; move one of its vertices or leave it out";
    for (int c = 0; c < 3; c++)
        rows[c] = tide_vec3_scale(tide_vec3_cross(edges[(c + 1) % 3], edges[(c + 2) % 3]), 1 / six);
    if (isnan(parameters[TIDE_SOLID_VOLUME]))
        parameters[TIDE_SOLID_VOLUME] = six / 6;
    for (int c = 0; c < 3 && isnan(parameters[TIDE_SOLID_REST + 3 * c]); c++)
        tide_vec3_store(parameters + TIDE_SOLID_REST + 3 * c, rows[c]);
    return NULL;
}

// --- loops over elements ---------------------------------------------------------------------------------------------

static void evaluate(const tide_wide_loop *loop)
{
    model_of(loop->elements)->evaluate[tide_wide_variant()](loop);
}

void tide_solid_accumulate(const tide_elements *elements, const double *quads, uint32_t begin, uint32_t end,
                           double *energy, double *out)
{
    evaluate(&(tide_wide_loop) { elements, quads, true, begin, end, energy, out });
}

double tide_solid_energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    double sum = 0;
    evaluate(&(tide_wide_loop) { elements, x, false, begin, end, &sum, NULL });
    return sum;
}

void tide_solid_gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    evaluate(&(tide_wide_loop) { elements, x, false, begin, end, NULL, out });
}

double tide_solid_solve(const tide_elements *elements, const double f[9], double ratio, double stress[9])
{
    double u[9], s[3], v[9];
    tide_principal principal;
    tide_svd3(f, u, s, v);
    double psi = model_of(elements)->principal(s, ratio, &principal);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            stress[3 * i + j] = 0;
            for (int k = 0; k < 3; k++)
                stress[3 * i + j] += u[3 * i + k] * principal.first[k] * v[3 * j + k];
        }
    return psi;
}

// --- one element -----------------------------------------------------------------------------------------------------

// Reads the gradients of the shape functions of the four corners.
static void find_gradients(const tide_elements *elements, uint32_t e, double out[12])
{
    for (size_t a = 0; a < 3; a++) {
        out[a] = 0;
        for (size_t c = 0; c < 3; c++) {
            out[3 * c + 3 + a] = parameter(elements, TIDE_SOLID_REST + 3 * c + a, e);
            out[a] -= out[3 * c + 3 + a];
        }
    }
}

static void find_deformation(const tide_elements *elements, const double *x, uint32_t e, const double gradients[12],
                             double f[9])
{
    const uint32_t *vertices = elements->vertices + 4 * (size_t)e;
    for (size_t k = 0; k < 3; k++)
        for (size_t a = 0; a < 3; a++) {
            f[3 * k + a] = 0;
            for (size_t c = 1; c < 4; c++)
                f[3 * k + a] +=
                    (x[3 * (size_t)vertices[c] + k] - x[3 * (size_t)vertices[0] + k]) * gradients[3 * c + a];
        }
}

void tide_solid_hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    double gradients[12], f[9], u[9], s[3], v[9];
    tide_principal principal;
    find_gradients(elements, element, gradients);
    find_deformation(elements, x, element, gradients, f);
    tide_svd3(f, u, s, v);
    model_of(elements)->principal(s, parameter(elements, TIDE_SOLID_RATIO, element), &principal);
    tide_deformation_hessian(4, gradients, u, v, &principal,
                             parameter(elements, TIDE_SOLID_STIFFNESS, element) *
                                 parameter(elements, TIDE_SOLID_VOLUME, element),
                             project, out);
}

static double weight_of(const tide_elements *elements, uint32_t e)
{
    return parameter(elements, TIDE_SOLID_STIFFNESS, e) *
           model_of(elements)->weight(parameter(elements, TIDE_SOLID_RATIO, e));
}

void tide_solid_laplacian(const tide_elements *elements, uint32_t element, double *out)
{
    double gradients[12];
    double factor = weight_of(elements, element) * parameter(elements, TIDE_SOLID_VOLUME, element);
    find_gradients(elements, element, gradients);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j <= i; j++) {
            const double *a = gradients + 3 * i, *b = gradients + 3 * j;
            out[4 * i + j] = out[4 * j + i] = factor * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
        }
}

void tide_solid_project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, out += 9) {
        double gradients[12], f[9], u[9], s[3], v[9], ratio = parameter(elements, TIDE_SOLID_RATIO, e);
        tide_principal principal;
        find_gradients(elements, e, gradients);
        find_deformation(elements, x, e, gradients, f);
        tide_svd3(f, u, s, v);
        model_of(elements)->principal(s, ratio, &principal);
        double weight = model_of(elements)->weight(ratio);
        for (size_t i = 0; i < 9; i++) {
            out[i] = 0;
            for (size_t k = 0; k < 3; k++)
                out[i] += u[3 * (i / 3) + k] * (s[k] - principal.first[k] / weight) * v[3 * (i % 3) + k];
        }
    }
}

// C = sqrt(2 psi), with the compliance 1 / (mu V): E = mu V C^2 / 2 (Macklin et al. 2016, sec. 4).
double tide_solid_constraint(const tide_elements *elements, const double *x, uint32_t element, double *gradient,
                             double *compliance)
{
    double factor =
        parameter(elements, TIDE_SOLID_STIFFNESS, element) * parameter(elements, TIDE_SOLID_VOLUME, element);
    double energy = 0;
    memset(gradient, 0, 12 * sizeof *gradient);
    *compliance = INFINITY;
    if (factor == 0)
        return 0;
    *compliance = 1 / factor;
    evaluate(&(tide_wide_loop) { elements, x, false, element, element + 1, &energy, gradient });
    double value = sqrt(fmax(2 * energy / factor, 0));
    for (int i = 0; i < 12; i++)
        gradient[i] = value > 0 ? gradient[i] / (factor * value) : 0;
    return value;
}

// The principal stretch that differs most from 1.
void tide_solid_strain(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++) {
        double gradients[12], f[9], u[9], s[3], v[9];
        find_gradients(elements, e, gradients);
        find_deformation(elements, x, e, gradients, f);
        tide_svd3(f, u, s, v);
        *out++ = s[0] - 1 >= 1 - s[2] ? s[0] - 1 : s[2] - 1;
    }
}

double tide_solid_size_now(const tide_elements *elements, const double *x, uint32_t element)
{
    const uint32_t *v = elements->vertices + 4 * (size_t)element;
    tide_vec3 edges[3], origin = tide_vec3_load(x + 3 * (size_t)v[0]);
    for (int c = 0; c < 3; c++)
        edges[c] = tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)v[c + 1]), origin);
    return fabs(tide_vec3_dot(edges[0], tide_vec3_cross(edges[1], edges[2]))) / 6;
}

// The strain limit of a tetrahedron: E = k V (W(s_0) + W(s_1) + W(s_2)) with the singular values s of its deformation
// gradient (solid.h), its volume V at rest and the energy W of strain_limit.h, k in Pa. s_2 is negative where the
// tetrahedron is inverted, so that a limit of compression turns it back.
#include "model/solid.h"
#include "model/strain_limit.h"
#include "model/svd3.h"

#include <string.h>

enum { LIMIT = TIDE_SOLID_PARAMETERS, PARAMETERS = LIMIT + TIDE_LIMIT_PARAMETERS };

#define EQUAL 1e-7    // difference of singular values that counts as none
#define SHORTEST 1e-8 // of s_i + s_j in the Hessian, so that it stays finite
#define FREE 1e6      // a compression that is not limited: s_2 may be negative

// A tetrahedron at x.
typedef struct state {
    double factor;        // k V, J
    double gradients[12]; // of the shape functions
    double u[9], s[3], v[9];
    tide_limit_energy w[3]; // at s
} state;

static double parameter(const tide_elements *elements, size_t which, uint32_t e)
{
    return elements->parameters[which * elements->count + e];
}

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

static double find_factor(const tide_elements *elements, uint32_t e)
{
    return parameter(elements, TIDE_SOLID_STIFFNESS, e) * parameter(elements, TIDE_SOLID_VOLUME, e);
}

static state state_at(const tide_elements *elements, const double *x, uint32_t e)
{
    state t = { .factor = find_factor(elements, e) };
    const uint32_t *vertices = elements->vertices + 4 * (size_t)e;
    double f[9] = { 0 };
    find_gradients(elements, e, t.gradients);
    for (size_t c = 1; c < 4; c++)
        for (size_t k = 0; k < 9; k++)
            f[k] +=
                (x[3 * (size_t)vertices[c] + k / 3] - x[3 * (size_t)vertices[0] + k / 3]) * t.gradients[3 * c + k % 3];
    tide_svd3(f, t.u, t.s, t.v);
    tide_limit limit = tide_limit_of(elements->parameters + LIMIT * (size_t)elements->count + e, elements->count);
    limit.compression = limit.compression < 1 ? limit.compression : FREE;
    for (int i = 0; i < 3; i++)
        t.w[i] = tide_limit_at(&limit, t.s[i]);
    return t;
}

static double energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    double sum = 0;
    for (uint32_t e = begin; e < end; e++) {
        state t = state_at(elements, x, e);
        sum += t.factor * (t.w[0].value + t.w[1].value + t.w[2].value);
    }
    return sum;
}

static void gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, out += 12) {
        state t = state_at(elements, x, e);
        memset(out, 0, 12 * sizeof *out);
        for (size_t i = 0; i < 9; i++) {
            double stress = 0;
            for (size_t k = 0; k < 3; k++)
                stress += t.u[3 * (i / 3) + k] * t.w[k].slope * t.v[3 * (i % 3) + k];
            for (size_t c = 0; c < 4; c++)
                out[3 * c + i / 3] += t.factor * stress * t.gradients[3 * c + i % 3];
        }
    }
}

static void hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    state t = state_at(elements, x, element);
    tide_principal principal = { 0 };
    for (size_t i = 0; i < 3; i++) {
        size_t a = (i + 1) % 3, b = (i + 2) % 3;
        double apart = t.s[a] - t.s[b], sum = t.s[a] + t.s[b], slopes = t.w[a].slope + t.w[b].slope;
        principal.first[i] = t.w[i].slope;
        principal.second[4 * i] = t.w[i].curvature;
        principal.flip[i] =
            fabs(apart) > EQUAL ? (t.w[a].slope - t.w[b].slope) / apart : (t.w[a].curvature + t.w[b].curvature) / 2;
        principal.twist[i] = slopes == 0 ? 0 : slopes / copysign(fmax(fabs(sum), SHORTEST), sum);
    }
    tide_deformation_hessian(4, t.gradients, t.u, t.v, &principal, t.factor, project, out);
}

static void laplacian(const tide_elements *elements, uint32_t element, double *out)
{
    double gradients[12], factor = TIDE_LIMIT_BOUND * find_factor(elements, element);
    find_gradients(elements, element, gradients);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j <= i; j++) {
            const double *a = gradients + 3 * i, *b = gradients + 3 * j;
            out[4 * i + j] = out[4 * j + i] = factor * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
        }
}

// The matrix D with 6.4 k V (F - D) = V P.
static void project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, out += 9) {
        state t = state_at(elements, x, e);
        for (size_t i = 0; i < 9; i++) {
            out[i] = 0;
            for (size_t k = 0; k < 3; k++)
                out[i] += t.u[3 * (i / 3) + k] * (t.s[k] - t.w[k].slope / TIDE_LIMIT_BOUND) * t.v[3 * (i % 3) + k];
        }
    }
}

const tide_element_kind tide_limit_tetrahedron = {
    .name = "limit_tetrahedron",
    .help = "holds the stretches of a tetrahedron within limits",
    .parameter_count = PARAMETERS,
    .projection_size = 9,
    .stiffness_parameter = TIDE_SOLID_STIFFNESS,
    .rest_parameter = TIDE_ELEMENT_NO_PARAMETER,
    .exceeds_laplacian = true,
    .noun = "limit of a tetrahedron",
    .size = "shape",
    .edges = tide_solid_edges,
    .edge_count = 6,
    .rest = tide_solid_rest,
    .energy = energy,
    .gradient = gradient,
    .hessian = hessian,
    .laplacian = laplacian,
    .project = project,
    TIDE_DENSE_FUNCTIONS(4),
    .constraint = tide_dense_constraint,
    .strain = tide_solid_strain,
};

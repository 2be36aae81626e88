// Solids: tetrahedra with a linear deformation F = D_s B. The columns of D_s are the edges x_c - x_0, B is the inverse
// of that matrix at rest. The energy is E = mu V psi(F), with mu Lame's second parameter, V the volume at rest, and psi
// an isotropic density in units of mu. A kind is one file: its density by the invariants, the derivatives of the
// density by the singular values, its weight, and a const table; its functions are those of this file.
//
// Energies and gradients use the invariants
//
//     i1 = |F|^2,   i2 = |F' F|^2,   j = det F;    P / mu = a F + b F F' F + c cof F
//     a = 2 d psi / d i1,   b = 4 d psi / d i2,   c = d psi / d j
//
// of eight elements at a time. Invariants of Green's strain G = (F' F - I) / 2 make rounding errors of energies vanish
// with the strain. Where a kind's coefficients are singular it returns NAN as `a`; then P comes from the singular
// values. Hessians are made by the singular values (deformation.h).
//
// The constant matrix is L = w V B-Laplacian: w V g_i . g_j, with g_i the gradients of the shape functions and
// w = mu * weight. The local projection is the matrix D with w V (F - D) = V P (Bouaziz et al. 2014; for ARAP the
// nearest rotation). Where a Hessian exceeds L, solvers backtrack (Liu et al. 2017, sec. 3.2).
#ifndef TIDE_MODEL_SOLID_H
#define TIDE_MODEL_SOLID_H

#include "model/deformation.h"
#include "model/dense_element.h"
#include "model/wide.h"

// The parameters of all kinds: mu, Pa; lambda / mu, or what the kind takes in its place; V, m^3; B, row-major, 1/m.
enum {
    TIDE_SOLID_STIFFNESS,
    TIDE_SOLID_RATIO,
    TIDE_SOLID_VOLUME,
    TIDE_SOLID_REST,
    TIDE_SOLID_PARAMETERS = TIDE_SOLID_REST + 9
};

typedef struct tide_solid_invariants {
    tide_wide i1, j, ratio;
    tide_wide trace, square, determinant; // of G: tr G, |G|^2, det G
    tide_wide excess;                     // j - 1, with an error that vanishes with the strain
} tide_solid_invariants;

typedef struct tide_solid_slopes {
    tide_wide a, b, c, psi;
} tide_solid_slopes;

// The `context` of a kind of solid.
typedef struct tide_solid_model {
    void (*evaluate[TIDE_WIDE_VARIANTS])(const tide_wide_loop *loop); // one for each width of vectors (wide.h)
    // Computes the derivatives of psi by the singular values, and returns psi.
    double (*principal)(const double s[3], double ratio, tide_principal *out);
    double (*weight)(double ratio); // w / mu
} tide_solid_model;

// The functions of the kinds' tables.
const char *tide_solid_rest(const tide_element_kind *kind, const double *x, const uint32_t *vertices,
                            double *parameters);
double tide_solid_energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end);
void tide_solid_gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out);
void tide_solid_accumulate(const tide_elements *elements, const double *quads, uint32_t begin, uint32_t end,
                           double *energy, double *out);
void tide_solid_hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out);
void tide_solid_laplacian(const tide_elements *elements, uint32_t element, double *out);
void tide_solid_project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out);
double tide_solid_constraint(const tide_elements *elements, const double *x, uint32_t element, double *gradient,
                             double *compliance);
void tide_solid_strain(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out);
double tide_solid_size_now(const tide_elements *elements, const double *x, uint32_t element);
// Computes P / mu of one element by its singular values, and returns psi.
double tide_solid_solve(const tide_elements *elements, const double f[9], double ratio, double stress[9]);
extern const unsigned char tide_solid_edges[12];

#define TIDE_SOLID_KIND(kind, text, model)                                                                             \
    const tide_element_kind kind = {                                                                                   \
        .name = &#kind[5], /* without tide_ */                                                                         \
        .help = text,                                                                                                  \
        .parameter_count = TIDE_SOLID_PARAMETERS,                                                                      \
        .projection_size = 9,                                                                                          \
        .stiffness_parameter = TIDE_SOLID_STIFFNESS,                                                                   \
        .rest_parameter = TIDE_ELEMENT_NO_PARAMETER,                                                                   \
        .noun = "tetrahedron",                                                                                         \
        .size = "shape",                                                                                               \
        .edges = tide_solid_edges,                                                                                     \
        .edge_count = 6,                                                                                               \
        .exceeds_laplacian = true,                                                                                     \
        .context = &(model),                                                                                           \
        .rest = tide_solid_rest,                                                                                       \
        .energy = tide_solid_energy,                                                                                   \
        .gradient = tide_solid_gradient,                                                                               \
        .accumulate = tide_solid_accumulate,                                                                           \
        .hessian = tide_solid_hessian,                                                                                 \
        .laplacian = tide_solid_laplacian,                                                                             \
        .project = tide_solid_project,                                                                                 \
        TIDE_DENSE_FUNCTIONS(4),                                                                                       \
        .constraint = tide_solid_constraint,                                                                           \
        .strain = tide_solid_strain,                                                                                   \
        .size_now = tide_solid_size_now,                                                                               \
    }

// The kinds.
extern const tide_element_kind tide_solid_corotated, tide_solid_stvk, tide_solid_neo_hookean, tide_solid_volume;

#endif

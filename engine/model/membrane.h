// Common parts of membranes: triangles whose energy depends on the deformation gradient F (3 x 2) of the surface,
//
//     F = [x1 - x0, x2 - x0] B,    B = [X1 - X0, X2 - X0]^-1,    C = F'F,    E = A W(C),
//
// with the rest positions X in the material axes of the triangle's plane, the rest area A, and an energy W in J/m^2 per
// area at rest, that is with moduli times the thickness, in N/m. A kind gives its law: W, the second Piola-Kirchhoff
// stress S = 2 dW/dC (N/m) and the moduli D = d2W/de2 with e = (E11, E22, 2 E12), E = (C - I) / 2. Then
//
//     dE/dF = A F S,    d2E(dF, dF) = A (S : dF'dF + e'(dF) D e'(dF)),    e'(dF) = (f1.df1, f2.df2, f1.df2 + f2.df1).
//
// The first part acts on motions along the normal alone, as S; the rest acts in the plane, as a 4 x 4 matrix. For an
// isotropic law in the axes of the right singular vectors of F, the 4 x 4 matrix splits into two 2 x 2 matrices, of
// stretches and of shears, whose eigenvalues have closed formulas. With `project`, negative eigenvalues are set to 0 in
// the space of F (Teran et al. 2005, Robust quasistatic finite elements and flesh simulation, sec. 4 and 5).
//
// The constant matrix is L = w A G, G_cd = g_c . g_d with the gradients g of the linear shape functions and w the
// largest eigenvalue of d2W/dF2 at rest. The local projection of an element is F - dW/dF / w, (3 x 2).
#ifndef TIDE_MODEL_MEMBRANE_H
#define TIDE_MODEL_MEMBRANE_H

#include "model/dense_element.h"
#include "model/wide.h"

#include <math.h>

// Parameters of each membrane. Those of its law follow. `inverse` is B, row-major.
enum {
    TIDE_MEMBRANE_STIFFNESS, // N/m, Young's modulus times thickness
    TIDE_MEMBRANE_AREA,      // m^2, at rest
    TIDE_MEMBRANE_INVERSE,   // 1/m
    TIDE_MEMBRANE_LAW = TIDE_MEMBRANE_INVERSE + 4
};

#define TIDE_MEMBRANE_SMALLEST 1e-8 // least ratio of areas in terms that would be infinite for a triangle without area

// The Cauchy-Green tensor C and its determinant, which is computed without cancellation.
typedef struct tide_membrane_strain {
    double c11, c22, c12, det;
} tide_membrane_strain;

typedef struct tide_membrane_stress {
    double s11, s22, s12; // S
} tide_membrane_stress;

// D, symmetric: rows and columns E11, E22, 2 E12.
typedef struct tide_membrane_moduli {
    double d11, d22, d33, d12, d13, d23;
} tide_membrane_moduli;

// A law computes from parameter p of an element, law[p * count]; `stiffness` is that of the element.
typedef struct tide_membrane_law {
    bool isotropic; // D13 = D23 = 0 where C12 = 0, and D is the same in any axes
    double (*energy)(double stiffness, const double *law, uint32_t count, tide_membrane_strain c);
    tide_membrane_stress (*stress)(double stiffness, const double *law, uint32_t count, tide_membrane_strain c);
    tide_membrane_moduli (*moduli)(double stiffness, const double *law, uint32_t count, tide_membrane_strain c);
    double (*bound)(double stiffness, const double *law, uint32_t count);           // w, of the sign of the stiffness
    double (*thickness)(const double *law, uint32_t count, tide_membrane_strain c); // its stretch; NULL: 1
    void (*evaluate[TIDE_WIDE_VARIANTS])(const tide_wide_loop *loop); // energies and gradients (membrane_block.h)
} tide_membrane_law;

// Functions of the table of a kind, whose `context` is its law.
double tide_membrane_energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end);
void tide_membrane_gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out);
void tide_membrane_accumulate(const tide_elements *elements, const double *quads, uint32_t begin, uint32_t end,
                              double *energy, double *out);
void tide_membrane_hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out);
void tide_membrane_laplacian(const tide_elements *elements, uint32_t element, double *out);
void tide_membrane_project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out);
double tide_membrane_bound(const tide_elements *elements, uint32_t element); // w, N/m
// The singular value that is farthest from 1, less 1.
void tide_membrane_strain_of(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out);
double tide_membrane_size_now(const tide_elements *elements, const double *x, uint32_t element);
// Fills in the area and B where they are not given; the first material axis is along the edge from corner 0 to 1.
const char *tide_membrane_rest(const tide_element_kind *kind, const double *x, const uint32_t *vertices,
                               double *parameters);
// Computes the area and B for a first axis along `warp`, projected to the triangle's plane. Returns NULL, or what is
// wrong, with nothing changed, when the triangle has no area or the warp is normal to it.
const char *tide_membrane_set_axes(const double *x, const uint32_t *vertices, const double warp[3], double *parameters);
// Singular values of F, s[0] >= s[1] >= 0, from C.
void tide_membrane_singular_values(tide_membrane_strain c, double s[2]);
tide_membrane_strain tide_membrane_strain_at(const tide_elements *elements, const double *x, uint32_t element);

#define TIDE_MEMBRANE_INVERSE_FIELD(name, index, help)                                                                 \
    TIDE_REST_FIELD(name, TIDE_MEMBRANE_INVERSE + (index), -1e15, 1e15, "1/m", help)
// The fields of all membranes.
#define TIDE_MEMBRANE_FIELDS                                                                                           \
    TIDE_STIFFNESS_FIELD(TIDE_MEMBRANE_STIFFNESS, 1e15, "N/m", "Young's modulus times thickness"),                     \
        TIDE_REST_FIELD("area", TIDE_MEMBRANE_AREA, -1e15, 1e15, "m^2", "area at rest"),                               \
        TIDE_MEMBRANE_INVERSE_FIELD("b11", 0, "B of F = [x1 - x0, x2 - x0] B: the inverse of the edges at rest"),      \
        TIDE_MEMBRANE_INVERSE_FIELD("b12", 1, "see b11"), TIDE_MEMBRANE_INVERSE_FIELD("b21", 2, "see b11"),            \
        TIDE_MEMBRANE_INVERSE_FIELD("b22", 3, "see b11")

extern const unsigned char tide_membrane_edges[6];

// The entries of a kind's table that all membranes share.
#define TIDE_MEMBRANE_TABLE                                                                                            \
    TIDE_DENSE_FUNCTIONS(3),                                                                                           \
        .projection_size = 6, .context = &law, .stiffness_parameter = TIDE_MEMBRANE_STIFFNESS,                         \
        .rest_parameter = TIDE_ELEMENT_NO_PARAMETER, .noun = "triangle", .size = "length",                             \
        .edges = tide_membrane_edges, .edge_count = 3, .rest = tide_membrane_rest, .energy = tide_membrane_energy,     \
        .gradient = tide_membrane_gradient, .accumulate = tide_membrane_accumulate, .hessian = tide_membrane_hessian,  \
        .laplacian = tide_membrane_laplacian, .project = tide_membrane_project, .constraint = tide_dense_constraint,   \
        .strain = tide_membrane_strain_of, .size_now = tide_membrane_size_now

#endif

// The pressure on a closed surface of triangles that are oriented outwards. With the volume V that they enclose,
//
//     6 V = sum det(x0 - c, x1 - c, x2 - c),    dV/dx0 = (x1 - c) x (x2 - c) / 6 and cyclic,
//
// for any point c. A triangle stores c near the body, so that the sum loses no digits to cancellation. The second
// derivative of V by x_i, x_j of an edge is half of [x_k - x_l]x / 3 with the corners k, l opposite it in its two
// triangles. Each triangle takes the part -[x_k - (x_i + x_j) / 2]x / 6 of its own: the sum over a closed surface is
// the same, and the part of a triangle is as small as the triangle, so that its projection to a semidefinite matrix
// adds little.
//
// tide_pressure has a constant pressure p, E = -p V. tide_gas holds an ideal gas at constant temperature,
//
//     E = p_a (V - V0) - n ln(V / V0),    dE/dV = p_a - n / V,    n = (p_a + p) V0,
//
// with the ambient pressure p_a, the volume V0 at rest and the overpressure p at that volume. It has one energy for all
// triangles of its group (tide_element_kind.couple).
#ifndef TIDE_MODEL_PRESSURE_H
#define TIDE_MODEL_PRESSURE_H

#include "model/element.h"

// Parameters. The first is the overpressure; that of tide_gas is set by `couple`, for the volume at the last state.
enum {
    TIDE_PRESSURE,        // Pa
    TIDE_PRESSURE_CENTRE, // m, c
    TIDE_PRESSURE_PARAMETERS = TIDE_PRESSURE_CENTRE + 3,
    TIDE_GAS_AMBIENT = TIDE_PRESSURE_PARAMETERS, // Pa
    TIDE_GAS_AMOUNT,                             // J, n
    TIDE_GAS_VOLUME,                             // m^3, V0
    TIDE_GAS_PARAMETERS
};
extern const tide_element_kind tide_pressure, tide_gas;

// The part of V of triangles begin ... end - 1.
double tide_pressure_volume(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end);

// dV/dx of each triangle, (9 * (end - begin)).
void tide_pressure_slope(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out);

// The functions of both tables.
double tide_pressure_energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end);
void tide_pressure_gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out);
void tide_pressure_hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out);
void tide_pressure_laplacian(const tide_elements *elements, uint32_t element, double *out);
void tide_pressure_project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out);
void tide_pressure_strain(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out);

// The members of the tables of both kinds.
#define TIDE_PRESSURE_FUNCTIONS                                                                                        \
    TIDE_DENSE_FUNCTIONS(3),                                                                                           \
        .projection_size = 9, .stiffness_parameter = TIDE_PRESSURE, .rest_parameter = TIDE_ELEMENT_NO_PARAMETER,       \
        .exceeds_laplacian = true, .energy = tide_pressure_energy, .gradient = tide_pressure_gradient,                 \
        .hessian = tide_pressure_hessian, .laplacian = tide_pressure_laplacian, .project = tide_pressure_project,      \
        .strain = tide_pressure_strain

#endif

// The stretch and shear conditions of Baraff and Witkin 1998, Large steps in cloth simulation, sec. 4.2 and 4.3, with
// the columns w_u, w_v of F along warp and weft:
//
//     W = k/2 (|w_u| - 1)^2 + k r/2 (|w_v| - 1)^2 + k g/2 (w_u . w_v)^2,
//
// k the modulus of the warp times thickness, r = weft / warp, g = shear / warp. The paper's energies are of conditions
// that contain the area of a triangle, so that they grow with its square; here the energy is A W, so that the
// stiffness does not depend on the mesh. A column without length has the length 1e-8 in the Hessian.
#include "model/membrane_block.h"

enum { WEFT, SHEAR };

static inline double length(double squared)
{
    return sqrt(squared) + TIDE_MEMBRANE_SMALLEST * TIDE_MEMBRANE_SMALLEST;
}

static inline tide_membrane_stress stress(double stiffness, const double *law, uint32_t count, tide_membrane_strain c)
{
    double weft = stiffness * law[WEFT * (size_t)count], shear = stiffness * law[SHEAR * (size_t)count];
    double u = length(c.c11), v = length(c.c22), s12 = shear * c.c12;
    return (tide_membrane_stress) { stiffness * (1 - 1 / u), weft * (1 - 1 / v), s12 };
}

static inline double energy(double stiffness, const double *law, uint32_t count, tide_membrane_strain c)
{
    double u = length(c.c11) - 1, v = length(c.c22) - 1;
    return stiffness / 2 * (u * u + law[WEFT * (size_t)count] * (v * v) + law[SHEAR * (size_t)count] * (c.c12 * c.c12));
}

static tide_membrane_moduli moduli(double stiffness, const double *law, uint32_t count, tide_membrane_strain c)
{
    double weft = stiffness * law[WEFT * (size_t)count], shear = stiffness * law[SHEAR * (size_t)count];
    double u = length(c.c11), v = length(c.c22);
    return (tide_membrane_moduli) { .d11 = stiffness / (u * u * u), .d22 = weft / (v * v * v), .d33 = shear };
}

static double bound(double stiffness, const double *law, uint32_t count)
{
    return stiffness * fmax(fmax(1, law[WEFT * (size_t)count]), 2 * law[SHEAR * (size_t)count]);
}

TIDE_MEMBRANE_EVALUATE(stress, energy)

static const tide_membrane_law law = {
    .energy = energy, .stress = stress, .moduli = moduli, .bound = bound, .evaluate = TIDE_WIDE_LIST(evaluate)
};

static const tide_field fields[] = {
    TIDE_MEMBRANE_FIELDS,
    TIDE_LAW_FIELD("weft_ratio", TIDE_MEMBRANE_LAW + WEFT, 1, 0, 1e6,
                   "stretch stiffness of the weft, relative to the warp's"),
    TIDE_LAW_FIELD("shear_ratio", TIDE_MEMBRANE_LAW + SHEAR, 0.1, 0, 1e6,
                   "shear stiffness, relative to the stretch stiffness of the warp"),
    { .name = NULL },
};

const tide_element_kind tide_membrane_baraff_witkin = {
    .name = "membrane_baraff_witkin",
    .help = "a triangle of cloth with the stretch and shear conditions of Baraff and Witkin 1998",
    .parameter_count = TIDE_MEMBRANE_LAW + 2,
    .fields = fields,
    .exceeds_laplacian = true,
    TIDE_MEMBRANE_TABLE,
};

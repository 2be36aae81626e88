// Orthotropic membranes: cloth that is stiffer along one family of threads. As St. Venant-Kirchhoff, with the moduli of
// plane stress in the axes of warp and weft,
//
//     S11 = k / (1 - v^2) (E11 + v sqrt(r) E22),  S22 = k / (1 - v^2) (r E22 + v sqrt(r) E11),  S12 = 2 k g E12,
//
// k the modulus of the warp times thickness, r = weft / warp, g = shear / warp. v is the geometric mean of both
// Poisson's ratios: under tension along the warp the weft strains by -v / sqrt(r) times as much, and the reverse by -v
// sqrt(r). W is convex at rest for |v| < 1.
#include "model/membrane_block.h"

#include "base/elementary.h"

enum { WEFT, SHEAR, POISSON };

static inline tide_membrane_moduli constants(double stiffness, const double *law, size_t count)
{
    double r = law[WEFT * count], v = law[POISSON * count], k = stiffness / (1 - v * v);
    return (
        tide_membrane_moduli) { .d11 = k, .d22 = k * r, .d12 = k * v * sqrt(r), .d33 = stiffness * law[SHEAR * count] };
}

static inline tide_membrane_stress stress(double stiffness, const double *law, uint32_t count, tide_membrane_strain c)
{
    tide_membrane_moduli d = constants(stiffness, law, count);
    double e1 = (c.c11 - 1) / 2, e2 = (c.c22 - 1) / 2;
    double s1 = d.d11 * e1 + d.d12 * e2, s2 = d.d12 * e1 + d.d22 * e2, s12 = d.d33 * c.c12;
    return (tide_membrane_stress) { s1, s2, s12 };
}

static inline double energy(double stiffness, const double *law, uint32_t count, tide_membrane_strain c)
{
    tide_membrane_stress s = stress(stiffness, law, count, c);
    return (s.s11 * (c.c11 - 1) + s.s22 * (c.c22 - 1)) / 4 + s.s12 * c.c12 / 2;
}

static tide_membrane_moduli moduli(double stiffness, const double *law, uint32_t count, tide_membrane_strain c)
{
    (void)c;
    return constants(stiffness, law, count);
}

static double bound(double stiffness, const double *law, uint32_t count)
{
    tide_membrane_moduli d = constants(stiffness, law, count);
    double stretch = (d.d11 + d.d22) / 2, spread = tide_hypot((d.d11 - d.d22) / 2, d.d12);
    return stretch < 0 ? fmin(stretch - spread, 2 * d.d33) : fmax(stretch + spread, 2 * d.d33);
}

TIDE_MEMBRANE_EVALUATE(stress, energy)

static const tide_membrane_law law = {
    .energy = energy, .stress = stress, .moduli = moduli, .bound = bound, .evaluate = TIDE_WIDE_LIST(evaluate)
};

static const tide_field fields[] = {
    TIDE_MEMBRANE_FIELDS,
    TIDE_LAW_FIELD("weft_ratio", TIDE_MEMBRANE_LAW + WEFT, 1, 0, 1e6, "modulus of the weft, relative to the warp's"),
    TIDE_LAW_FIELD("shear_ratio", TIDE_MEMBRANE_LAW + SHEAR, 0.1, 0, 1e6,
                   "shear modulus, relative to the warp's modulus"),
    TIDE_LAW_FIELD("poisson", TIDE_MEMBRANE_LAW + POISSON, 0, -0.999, 0.999,
                   "geometric mean of the Poisson's ratios along warp and weft"),
    { .name = NULL },
};

const tide_element_kind tide_membrane_orthotropic = {
    .name = "membrane_orthotropic",
    .help = "a triangle of cloth with different moduli along warp and weft",
    .parameter_count = TIDE_MEMBRANE_LAW + 3,
    .fields = fields,
    .exceeds_laplacian = true,
    TIDE_MEMBRANE_TABLE,
};

// St. Venant-Kirchhoff membranes: a linear law between stress and Green strain under plane stress,
//
//     W = k / (1 - v^2) (E11^2 + E22^2 + 2 v E11 E22 + 2 (1 - v) E12^2) / 2,    k = Young's modulus times thickness,
//
// the same as mu |E|^2 + lambda/2 tr(E)^2 with mu = k / (2 (1 + v)), lambda = k v / (1 - v^2). In compression the law
// softens, and a triangle without area has a finite energy.
#include "model/membrane_block.h"

enum { POISSON };

static inline tide_membrane_stress stress(double stiffness, const double *law, uint32_t count, tide_membrane_strain c)
{
    (void)count;
    double v = law[POISSON], k = stiffness / (1 - v * v);
    double e1 = (c.c11 - 1) / 2, e2 = (c.c22 - 1) / 2, e12 = c.c12 / 2;
    double s1 = k * (e1 + v * e2), s2 = k * (e2 + v * e1), s12 = k * (1 - v) * e12;
    return (tide_membrane_stress) { s1, s2, s12 };
}

static inline double energy(double stiffness, const double *law, uint32_t count, tide_membrane_strain c)
{
    tide_membrane_stress s = stress(stiffness, law, count, c);
    return (s.s11 * (c.c11 - 1) + s.s22 * (c.c22 - 1)) / 4 + s.s12 * c.c12 / 2;
}

static tide_membrane_moduli moduli(double stiffness, const double *law, uint32_t count, tide_membrane_strain c)
{
    (void)count, (void)c;
    double v = law[POISSON], k = stiffness / (1 - v * v);
    return (tide_membrane_moduli) { .d11 = k, .d22 = k, .d12 = k * v, .d33 = k * (1 - v) / 2 };
}

// 2 mu, or 2 mu + 2 lambda for uniform stretch.
static double bound(double stiffness, const double *law, uint32_t count)
{
    (void)count;
    return stiffness / (1 - fabs(law[POISSON]));
}

TIDE_MEMBRANE_EVALUATE(stress, energy)

static const tide_membrane_law law = { .isotropic = true,
                                       .energy = energy,
                                       .stress = stress,
                                       .moduli = moduli,
                                       .bound = bound,
                                       .evaluate = TIDE_WIDE_LIST(evaluate) };

static const tide_field fields[] = {
    TIDE_MEMBRANE_FIELDS,
    TIDE_LAW_FIELD("poisson", TIDE_MEMBRANE_LAW + POISSON, 0.3, -0.999, 0.5, "Poisson's ratio"),
    { .name = NULL },
};

const tide_element_kind tide_membrane_stvk = {
    .name = "membrane_stvk",
    .help = "a triangle of a membrane whose stress is linear in Green strain (St. Venant-Kirchhoff)",
    .parameter_count = TIDE_MEMBRANE_LAW + 1,
    .fields = fields,
    .exceeds_laplacian = true,
    TIDE_MEMBRANE_TABLE,
};

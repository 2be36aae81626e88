// As-rigid-as-possible membranes: W = mu |F - R|^2 = mu (|F|^2 - 2 (s1 + s2) + 2) with the singular values s of F and
// the nearest isometry R = F C^(-1/2) (Bouaziz et al. 2014, sec. 5.2), mu = k / 2, k = Young's modulus times thickness.
// A strip under tension does not become narrower: Poisson's ratio is 0. With the trace p and the determinant q of C,
//
//     s1 + s2 = t = sqrt(p + 2 sqrt(q)),    S = 2 mu (I - C^(-1/2)).
//
// No eigenvalue of d2W/dF2 exceeds 2 mu, so that the constant matrix bounds every state. Without area, C^(-1/2) is
// that of a ratio of areas of 1e-8, so that the Hessian stays finite.
#include "model/membrane_block.h"

// sqrt(q) and t of a deformation. The smallest ratio replaces q = 0.
static inline double root_of(tide_membrane_strain c)
{
    return sqrt(c.det) + TIDE_MEMBRANE_SMALLEST * TIDE_MEMBRANE_SMALLEST;
}

static inline tide_membrane_stress stress(double stiffness, const double *law, uint32_t count, tide_membrane_strain c)
{
    (void)law, (void)count;
    double j = root_of(c), p = c.c11 + c.c22, t = sqrt(p + 2 * j);
    double over = stiffness / (j * t); // C^(-1/2) = (j I + [c22, -c12; -c12, c11]) / (j t)
    return (tide_membrane_stress) { stiffness - over * (j + c.c22), stiffness - over * (j + c.c11), over * c.c12 };
}

// D = -2 mu d2t/de2, with t^2 = p + 2 j and j^2 = q = (1 + 2 E11) (1 + 2 E22) - (2 E12)^2.
// Without cancellation near the shape at rest: (t - 2)^2 + (s1 - s2)^2 = 2 sum (s - 1)^2, (s1^2 - s2^2)^2 = (c11 -
// c22)^2
// + 4 c12^2.
static inline double energy(double stiffness, const double *law, uint32_t count, tide_membrane_strain c)
{
    (void)law, (void)count;
    double t = sqrt(c.c11 + c.c22 + 2 * root_of(c)), d = (c.c11 - c.c22) / t, e = 2 * c.c12 / t;
    return stiffness / 4 * ((t - 2) * (t - 2) + d * d + e * e);
}

static tide_membrane_moduli moduli(double stiffness, const double *law, uint32_t count, tide_membrane_strain c)
{
    (void)law, (void)count;
    double j = root_of(c), t = sqrt(c.c11 + c.c22 + 2 * j);
    const double q1[3] = { 2 * c.c22, 2 * c.c11, -2 * c.c12 };
    const double q2[3][3] = { { 0, 4, 0 }, { 4, 0, 0 }, { 0, 0, -2 } };
    double d[3][3];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            double n1a = (a < 2 ? 2 : 0) + q1[a] / j, n1b = (b < 2 ? 2 : 0) + q1[b] / j;
            double n2 = q2[a][b] / j - q1[a] / j * q1[b] / j / (2 * j);
            d[a][b] = -stiffness * (n2 - n1a * n1b / (2 * t * t)) / (2 * t);
        }
    return (tide_membrane_moduli) { d[0][0], d[1][1], d[2][2], d[0][1], d[0][2], d[1][2] };
}

static double bound(double stiffness, const double *law, uint32_t count)
{
    (void)law, (void)count;
    return stiffness;
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
    { .name = NULL },
};

const tide_element_kind tide_membrane_arap = {
    .name = "membrane_arap",
    .help = "a triangle of a membrane that resists any deformation alike (as rigid as possible)",
    .parameter_count = TIDE_MEMBRANE_LAW,
    .fields = fields,
    TIDE_MEMBRANE_TABLE,
};

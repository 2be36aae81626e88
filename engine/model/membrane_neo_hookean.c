// Neo-Hookean membranes: rubber under plane stress. The solid (Simo and Pister 1984)
//
//     W3 = mu/2 (s1^2 + s2^2 + s3^2 - 3 - 2 ln J) + lambda/4 (J^2 - 1 - 2 ln J),    J = s1 s2 s3,
//
// has no stress across the thickness where s3^2 = a / (mu + lambda q / 2), a = mu + lambda/2, q = s1^2 s2^2. With this
// stretch of the thickness,
//
//     W = mu/2 (s1^2 + s2^2 - 2) + f(q),    f = -a/2 (ln q - ln((mu + lambda q / 2) / a)),
//     f' = -a mu / (2 q (mu + lambda q / 2)),    S = mu I + 2 f' [c22, -c12; -c12, c11],
//
// with mu = k / (2 (1 + v)), lambda = k v / ((1 + v) (1 - 2 v)), k = Young's modulus times thickness. At small strains
// this is Hooke's law under plane stress; for v = 1/2 it is the incompressible W = mu/2 (s1^2 + s2^2 + 1/q - 3).
//
// ln q is infinite for a triangle without area. Below an area of a tenth, q < 0.01, f continues as the parabola with
// the same value, slope and curvature, so that every state has a finite energy and a force that opens it.
#include "model/membrane_block.h"

#include "base/elementary.h"

enum { POISSON };

#define LEAST 0.01 // q

typedef struct volume_term {
    double mu, slope, curvature; // f', f''
} volume_term;

// With share = mu / a = (1 - 2 v) / (1 - v) and m = (mu + lambda q / 2) / a = share + (1 - share) q nothing is infinite
// at v = 1/2, and f = mu / (2 share) ln(m / q) with m / q - 1 = share (1 - q) / q.
static inline volume_term volume(double stiffness, const double *law, double det)
{
    double v = law[POISSON], mu = stiffness / (2 * (1 + v)), share = (1 - 2 * v) / (1 - v), rest = 1 - share;
    double q = det < LEAST ? LEAST : det, m = share + rest * q, over = 1 / (q * m), beyond = det - q;
    double slope = -mu / 2 * over, curvature = mu / 2 * (share + 2 * rest * q) * over * over;
    return (volume_term) { mu, slope + curvature * beyond, curvature };
}

static inline tide_membrane_stress stress(double stiffness, const double *law, uint32_t count, tide_membrane_strain c)
{
    (void)count;
    volume_term t = volume(stiffness, law, c.det);
    return (tide_membrane_stress) { t.mu + 2 * t.slope * c.c22, t.mu + 2 * t.slope * c.c11, -2 * t.slope * c.c12 };
}

// Returns y - log(1 + y).
static double excess(double y)
{
    if (fabs(y) > 0.05)
        return y - tide_log1p(y);
    double sum = 0, power = y;
    for (int k = 2; k < 16; k++) {
        power *= -y;
        sum -= power / k;
    }
    return sum;
}

// Without cancellation near the shape at rest: with z = (1 - q) / q, W is mu/2 times
// (c11 - 1) (1 - c22) + c12^2 + z^2 / (1 + z) - (share z - log(1 + share z)) / share.
static inline double energy(double stiffness, const double *law, uint32_t count, tide_membrane_strain c)
{
    (void)count;
    double v = law[POISSON], mu = stiffness / (2 * (1 + v)), share = (1 - 2 * v) / (1 - v);
    double q = c.det < LEAST ? LEAST : c.det, z = (1 - q) / q, beyond = c.det - q;
    volume_term t = volume(stiffness, law, q);
    double flat = (c.c11 - 1) * (1 - c.c22) + c.c12 * c.c12 + z * z / (1 + z);
    return mu / 2 * (flat + beyond - (share > 0 ? excess(share * z) / share : 0)) +
           beyond * (t.slope + t.curvature / 2 * beyond);
}

static tide_membrane_moduli moduli(double stiffness, const double *law, uint32_t count, tide_membrane_strain c)
{
    (void)count;
    volume_term t = volume(stiffness, law, c.det);
    double four = 4 * t.curvature;
    return (tide_membrane_moduli) { .d11 = four * c.c22 * c.c22,
                                    .d22 = four * c.c11 * c.c11,
                                    .d33 = four * c.c12 * c.c12 - 2 * t.slope,
                                    .d12 = four * c.c11 * c.c22 + 4 * t.slope,
                                    .d13 = -four * c.c22 * c.c12,
                                    .d23 = -four * c.c11 * c.c12 };
}

// That of Hooke's law: 2 mu, or k / (1 - v) for uniform stretch.
static double bound(double stiffness, const double *law, uint32_t count)
{
    (void)count;
    return stiffness / (1 - fabs(law[POISSON]));
}

// s3 = sqrt(1 / m): at v = 1/2 the volume stays.
static double thickness(const double *law, uint32_t count, tide_membrane_strain c)
{
    (void)count;
    double share = (1 - 2 * law[POISSON]) / (1 - law[POISSON]), q = c.det < LEAST ? LEAST : c.det;
    return 1 / sqrt(share + (1 - share) * q);
}

TIDE_MEMBRANE_EVALUATE(stress, energy)

static const tide_membrane_law law = { .isotropic = true,
                                       .energy = energy,
                                       .stress = stress,
                                       .moduli = moduli,
                                       .bound = bound,
                                       .thickness = thickness,
                                       .evaluate = TIDE_WIDE_LIST(evaluate) };

static const tide_field fields[] = {
    TIDE_MEMBRANE_FIELDS,
    TIDE_LAW_FIELD("poisson", TIDE_MEMBRANE_LAW + POISSON, 0.45, 0, 0.5,
                   "Poisson's ratio; a negative one would make W infinite in large stretch"),
    { .name = NULL },
};

const tide_element_kind tide_membrane_neo_hookean = {
    .name = "membrane_neo_hookean",
    .help = "a triangle of a rubber sheet: the neo-Hookean solid under plane stress",
    .parameter_count = TIDE_MEMBRANE_LAW + 1,
    .fields = fields,
    .exceeds_laplacian = true,
    TIDE_MEMBRANE_TABLE,
};

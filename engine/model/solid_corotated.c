// Corotated linear elasticity: psi = |F - R|^2 + ratio / 2 tr(R' F - I)^2 with F = R S, R the nearest rotation (Mueller
// and Gross 2004), and ratio = lambda / mu. ARAP is the same with ratio 0.
//
// The trace t = tr S = s_0 + s_1 + s_2 is the largest root of
//
//     (t^2 - i1)^2 - 2 (i1^2 - i2) - 8 j t = 0,
//
// all of whose roots are real: +-s_0 +- s_1 +- s_2 with an even number of minus signs. With t = 3 + d and invariants of
// Green's strain G it is
//
//     s (12 + s) - 8 (j d + 3 (j - 1)) - 16 tr G + 8 (|G|^2 - tr(G)^2) = 0,   s = t^2 - i1 - 6 = d (6 + d) - 2 tr G,
//
// so that the error of d vanishes with the strain. Halley's method from d = tr G, t = (i1 + 3) / 2, descends to the
// root with errors that fall as cubes. Then |F - R|^2 = 2 (tr G - d). As R = dt / dF, differentiating the equation
// gives
//
//     R = ((t^2 + i1) / 2 F - F F' F + t cof F) / n,   n = (s_0 + s_1) (s_1 + s_2) (s_2 + s_0) = t (t^2 - i1) / 2 - j,
//
// and P / mu = 2 F + r R with r = ratio d - 2. Rounding grows with t^3 / n, so elements with small n, near to a
// segment, go by their singular values.
#include "model/solid_block.h"

#include <float.h>
#include <math.h>

enum { MOST_STEPS = 16 };
#define SMALLEST 0.02  // of n / t^3, which is 8 / 27 at rest
#define LAST_STEP 5e-7 // relative: the error after it is near its cube
#define SHORTEST 1e-8  // of s_i + s_j in the Hessian, so that it stays finite

// Takes a step of Halley's method in the lanes that move. Each lane stops by itself, so that its result does not depend
// on the others.
static inline void TIDE_WIDE_INLINE step(const tide_solid_invariants *in, const tide_wide *constant, tide_wide *d,
                                         tide_wide_mask *moving)
{
    tide_wide t = 3 + *d, s = *d * (6 + *d) - 2 * in->trace, square = s + 6;
    tide_wide value = s * (12 + s) - 8 * in->j * *d + *constant, slope = 4 * t * square - 8 * in->j;
    tide_wide change = value * slope / (slope * slope - value * (4 * t * t + 2 * square));
    *d = TIDE_WIDE_CHOOSE(*moving, *d - change, *d);
    *moving &= change > LAST_STEP * t;
}

// Computes d. Lanes in `moving` have not converged.
static inline void TIDE_WIDE_INLINE find_traces(const tide_solid_invariants *in, tide_wide *d, tide_wide_mask *moving)
{
    tide_wide constant[TIDE_SOLID_BLOCKS];
    for (int i = 0; i < TIDE_SOLID_BLOCKS; i++) {
        d[i] = in[i].trace;
        constant[i] = 8 * (in[i].square - in[i].trace * in[i].trace - 2 * in[i].trace - 3 * in[i].excess);
        moving[i] = d[i] > -3;
    }
    for (int steps = 0; steps < MOST_STEPS; steps += 2) {
        tide_wide_mask any = { 0 };
        for (int i = 0; i < TIDE_SOLID_BLOCKS; i++)
            step(&in[i], &constant[i], &d[i], &moving[i]);
        for (int i = 0; i < TIDE_SOLID_BLOCKS; i++)
            step(&in[i], &constant[i], &d[i], &moving[i]);
        for (int i = 0; i < TIDE_SOLID_BLOCKS; i++)
            any |= moving[i];
        if (!tide_wide_any(&any))
            return;
    }
}

static inline void TIDE_WIDE_INLINE find_slopes(const tide_solid_invariants *in, bool energy, tide_solid_slopes *out)
{
    tide_wide d[TIDE_SOLID_BLOCKS];
    tide_wide_mask moving[TIDE_SOLID_BLOCKS];
    (void)energy;
    find_traces(in, d, moving);
    for (int i = 0; i < TIDE_SOLID_BLOCKS; i++) {
        tide_wide t = 3 + d[i], n = t * (t * t - in[i].i1) / 2 - in[i].j, r = in[i].ratio * d[i] - 2, share = r / n;
        tide_wide a = 2 + share * (t * t + in[i].i1) / 2;
        a = TIDE_WIDE_CHOOSE(moving[i], (tide_wide) { 0 } + NAN, a);
        out[i].a = TIDE_WIDE_CHOOSE(n > SMALLEST * t * t * t, a, (tide_wide) { 0 } + NAN);
        out[i].b = -share;
        out[i].c = share * t;
        out[i].psi = 2 * (in[i].trace - d[i]) + in[i].ratio / 2 * d[i] * d[i];
    }
}

TIDE_SOLID_EVALUATE(find_slopes)

static double principal(const double s[3], double ratio, tide_principal *out)
{
    double spread = s[0] + s[1] + s[2] - 3, psi = ratio / 2 * spread * spread;
    for (int i = 0; i < 3; i++) {
        double sum = s[(i + 1) % 3] + s[(i + 2) % 3];
        psi += (s[i] - 1) * (s[i] - 1);
        out->first[i] = 2 * (s[i] - 1) + ratio * spread;
        for (int j = 0; j < 3; j++)
            out->second[3 * i + j] = (i == j ? 2 : 0) + ratio;
        out->flip[i] = 2;
        out->twist[i] = 2 + (2 * ratio * spread - 4) / fmax(sum, SHORTEST);
    }
    return psi;
}

// Dilatation meets 2 + 3 ratio, plane waves 2 + ratio, shear 2. Any weight above half of the largest converges near the
// rest shape; this one is above it and near to that of most motions.
static double weight(double ratio)
{
    return 2 + 1.5 * fmax(ratio, 0);
}

static const tide_solid_model model = { .evaluate = TIDE_WIDE_LIST(evaluate),
                                        .principal = principal,
                                        .weight = weight };

TIDE_SOLID_KIND(tide_solid_corotated, "a tetrahedron of linear elasticity in a frame that rotates with it", model);

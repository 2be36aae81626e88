// Stable neo-Hookean (Smith, de Goes and Kim 2018, eq. 14), in units of mu and less its value at rest:
//
//     psi = m/2 (i1 - 3) - m/2 log((i1 + 1) / 4) + l/2 ((j - p)^2 - (1 - p)^2),   p = 1 + 3 m / (4 l)
//
// with m = 4/3 and l = ratio + 5/6, which give mu and lambda at small strain (sec. 3.4 there); ratio = lambda / mu.
#include "model/solid_block.h"

#include "base/elementary.h"

#include <math.h>

#define M (4.0 / 3)
#define LARGE_TRACE 16.0 // tr G: stretched about six times
#define L_OF(ratio) ((ratio) + 5.0 / 6)

static inline void TIDE_WIDE_INLINE find_energy(const tide_solid_invariants *in, tide_solid_slopes *out)
{
    // psi = m/2 (y - log(1 + y)) + 3/4 m (tr G - d) + l/2 d^2 with y = tr G / 2 and d = j - 1. By j^2 = det(I + 2 G),
    // tr G - d = (d tr G - q) / (2 + d) with q = 4 i2(G) + 8 det G, where no terms cancel at small strain. At large
    // strain tr(G)^2 and tr(G^2) cancel in i2 instead, and an error of tr(G)^2 is greater than one of tr G.
    tide_wide d = in->excess, y = in->trace / 2, logarithm;
    tide_wide q = 2 * (in->trace * in->trace - in->square) + 8 * in->determinant;
    tide_wide excess =
        TIDE_WIDE_CHOOSE((d > -0.5) & (in->trace < LARGE_TRACE), (d * in->trace - q) / (2 + d), in->trace - d);
    for (int lane = 0; lane < TIDE_LANES; lane++)
        logarithm[lane] = tide_log1p(y[lane]);
    out->psi = M / 2 * (y - logarithm) + 0.75 * M * excess + L_OF(in->ratio) / 2 * d * d;
}

static inline void TIDE_WIDE_INLINE find_slopes(const tide_solid_invariants *in, bool energy, tide_solid_slopes *out)
{
    for (int i = 0; i < TIDE_SOLID_BLOCKS; i++) {
        out[i].a = M - M / (in[i].i1 + 1);
        out[i].b = (tide_wide) { 0 };
        out[i].c = L_OF(in[i].ratio) * in[i].excess - 0.75 * M;
        if (energy)
            find_energy(&in[i], &out[i]);
    }
}

TIDE_SOLID_EVALUATE(find_slopes)

static double principal(const double s[3], double ratio, tide_principal *out)
{
    double i1 = s[0] * s[0] + s[1] * s[1] + s[2] * s[2], j = s[0] * s[1] * s[2];
    double l = L_OF(ratio), pressure = l * (j - 1) - 0.75 * M, slope = M - M / (i1 + 1);
    double curvature = 2 * M / ((i1 + 1) * (i1 + 1));
    for (int i = 0; i < 3; i++) {
        double own = s[(i + 1) % 3] * s[(i + 2) % 3];
        out->first[i] = slope * s[i] + pressure * own;
        for (int k = 0; k < 3; k++)
            out->second[3 * i + k] = i == k ? slope + curvature * s[i] * s[i] + l * own * own
                                            : curvature * s[i] * s[k] + l * own * (s[(k + 1) % 3] * s[(k + 2) % 3]) +
                                                  pressure * s[3 - i - k];
        out->flip[i] = slope - pressure * s[i];
        out->twist[i] = slope + pressure * s[i];
    }
    return M / 2 * (i1 - 3 - tide_log1p((i1 - 3) / 4)) + (j - 1) * (l / 2 * (j - 1) - 0.75 * M);
}

static double weight(double ratio)
{
    return 2 + 1.5 * fmax(ratio, 0); // as corotated, which it equals near the rest shape
}

static const tide_solid_model model = { .evaluate = TIDE_WIDE_LIST(evaluate),
                                        .principal = principal,
                                        .weight = weight };

TIDE_SOLID_KIND(tide_solid_neo_hookean, "a tetrahedron of stable neo-Hookean material, for large strain", model);

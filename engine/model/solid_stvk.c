// St. Venant-Kirchhoff: psi = |G|^2 + ratio / 2 tr(G)^2 with Green's strain G = (F' F - I) / 2 and ratio = lambda / mu.
// Its force vanishes where an element is compressed to a point: it is meant for large rotations and small strain.
#include "model/solid_block.h"

#include <math.h>

static inline void TIDE_WIDE_INLINE find_slopes(const tide_solid_invariants *in, bool energy, tide_solid_slopes *out)
{
    for (int i = 0; i < TIDE_SOLID_BLOCKS; i++) {
        out[i].a = in[i].ratio * in[i].trace - 1;
        out[i].b = (tide_wide) { 0 } + 1;
        out[i].c = (tide_wide) { 0 };
        if (energy)
            out[i].psi = in[i].square + in[i].ratio / 2 * in[i].trace * in[i].trace;
    }
}

TIDE_SOLID_EVALUATE(find_slopes)

static double principal(const double s[3], double ratio, tide_principal *out)
{
    double spread = s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - 3, psi = ratio / 8 * spread * spread;
    for (int i = 0; i < 3; i++) {
        double square = s[i] * s[i], a = s[(i + 1) % 3], b = s[(i + 2) % 3], common = ratio / 2 * spread - 1;
        psi += (square - 1) * (square - 1) / 4;
        out->first[i] = s[i] * (square + common);
        for (int j = 0; j < 3; j++)
            out->second[3 * i + j] = ratio * s[i] * s[j] + (i == j ? 3 * square + common : 0);
        out->flip[i] = a * a + a * b + b * b + common;
        out->twist[i] = a * a - a * b + b * b + common;
    }
    return psi;
}

static double weight(double ratio)
{
    return 2 + 1.5 * fmax(ratio, 0); // as corotated, which it equals near the rest shape
}

static const tide_solid_model model = { .evaluate = TIDE_WIDE_LIST(evaluate),
                                        .principal = principal,
                                        .weight = weight };

TIDE_SOLID_KIND(tide_solid_stvk, "a tetrahedron of St. Venant-Kirchhoff material, for small strain", model);

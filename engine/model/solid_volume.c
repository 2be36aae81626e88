// Resistance to a change of volume alone: psi = (j - 1)^2 / 2 with j = det F, in units of a bulk modulus. It stands
// beside another solid, whose energy resists the change of shape.
#include "model/solid_block.h"

static inline void TIDE_WIDE_INLINE find_slopes(const tide_solid_invariants *in, bool energy, tide_solid_slopes *out)
{
    (void)energy;
    for (int i = 0; i < TIDE_SOLID_BLOCKS; i++) {
        out[i].a = out[i].b = (tide_wide) { 0 };
        out[i].c = in[i].excess;
        out[i].psi = in[i].excess * in[i].excess / 2;
    }
}

TIDE_SOLID_EVALUATE(find_slopes)

static double principal(const double s[3], double ratio, tide_principal *out)
{
    double excess = s[0] * s[1] * s[2] - 1;
    (void)ratio;
    for (int i = 0; i < 3; i++) {
        double own = s[(i + 1) % 3] * s[(i + 2) % 3];
        out->first[i] = excess * own;
        for (int k = 0; k < 3; k++)
            out->second[3 * i + k] =
                i == k ? own * own : own * (s[(k + 1) % 3] * s[(k + 2) % 3]) + excess * s[3 - i - k];
        out->flip[i] = -excess * s[i];
        out->twist[i] = excess * s[i];
    }
    return excess * excess / 2;
}

// L bounds the Hessian of a plane wave at rest, which is 1. That of a uniform dilatation is 3. 1.5 is the weight of
// lambda in the other solids too.
static double weight(double ratio)
{
    (void)ratio;
    return 1.5;
}

static const tide_solid_model model = { .evaluate = TIDE_WIDE_LIST(evaluate),
                                        .principal = principal,
                                        .weight = weight };

TIDE_SOLID_KIND(tide_solid_volume, "a tetrahedron that resists a change of its volume", model);

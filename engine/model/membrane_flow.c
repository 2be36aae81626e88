#include "model/membrane_flow.h"

#include "base/elementary.h"
#include "model/membrane.h"
#include "model/solid_flow.h"

#include <math.h>
#include <string.h>

bool tide_is_membrane(const tide_element_kind *kind)
{
    return kind->gradient == tide_membrane_gradient;
}

static double *rest_entry(const tide_elements *elements, size_t i, uint32_t e)
{
    return &elements->parameters[(TIDE_MEMBRANE_INVERSE + i) * elements->count + e];
}

static void load_rest(const tide_elements *elements, uint32_t e, double b[4])
{
    for (size_t i = 0; i < 4; i++)
        b[i] = *rest_entry(elements, i, e);
}

static void store_rest(tide_elements *elements, uint32_t e, const double b[4])
{
    for (size_t i = 0; i < 4; i++)
        *rest_entry(elements, i, e) = b[i];
}

// out = a b for row-major 2 x 2 matrices; out may be neither.
static void multiply(const double a[4], const double b[4], double out[4])
{
    for (size_t r = 0; r < 2; r++)
        for (size_t c = 0; c < 2; c++)
            out[2 * r + c] = a[2 * r] * b[c] + a[2 * r + 1] * b[2 + c];
}

// B <- B a.
static void multiply_rest(tide_elements *elements, uint32_t e, const double a[4])
{
    double rest[4], next[4];
    load_rest(elements, e, rest);
    multiply(rest, a, next);
    store_rest(elements, e, next);
}

void tide_membrane_set_plastic(tide_elements *elements, uint32_t e, const double plastic[9])
{
    double determinant = plastic[0] * plastic[4] - plastic[1] * plastic[3];
    const double inverse[4] = { plastic[4] / determinant, -plastic[1] / determinant, -plastic[3] / determinant,
                                plastic[0] / determinant };
    multiply_rest(elements, e, inverse);
}

// Writes V diag(d) V', where the first column of V is the eigenvector of C = F'F to its larger eigenvalue s1^2.
static void stretch(tide_membrane_strain c, const double d[2], double out[4])
{
    double angle = 0.5 * tide_atan2(2 * c.c12, c.c11 - c.c22), x = tide_cos(angle), y = tide_sin(angle);
    out[0] = d[0] * x * x + d[1] * y * y;
    out[1] = out[2] = (d[0] - d[1]) * x * y;
    out[3] = d[0] * y * y + d[1] * x * x;
}

bool tide_membrane_flow(tide_elements *elements, const double *x, uint32_t e, double limit, double hardening,
                        double share, double plastic[9], double *flow)
{
    double s[2], l[3], ratios[3], inverse_ratios[3], more[4], back[4], kept[4], next[4], change;
    tide_membrane_strain c = tide_membrane_strain_at(elements, x, e);
    tide_membrane_singular_values(c, s);
    if (!(s[1] > 0))
        return false;
    for (int i = 0; i < 2; i++)
        l[i] = tide_ln(s[i]);
    l[2] = -(l[0] + l[1]);
    if (!tide_flow_ratios(l, limit, hardening, share, ratios, inverse_ratios, &change))
        return false;
    stretch(c, ratios, more);
    stretch(c, inverse_ratios, back);
    double before = elements->kind->energy(elements, x, e, e + 1);
    load_rest(elements, e, kept);
    multiply_rest(elements, e, back); // F_e' = F_e V diag(s' / s) V'
    if (!(elements->kind->energy(elements, x, e, e + 1) <= before)) {
        store_rest(elements, e, kept);
        return false;
    }
    const double own[4] = { plastic[0], plastic[1], plastic[3], plastic[4] };
    multiply(more, own, next);
    for (size_t i = 0; i < 4; i++)
        plastic[3 * (i / 2) + i % 2] = next[i];
    *flow += change;
    return true;
}

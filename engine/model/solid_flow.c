#include "model/solid_flow.h"

#include "base/elementary.h"
#include "model/solid.h"
#include "model/svd3.h"

#include <math.h>
#include <string.h>

bool tide_is_solid(const tide_element_kind *kind)
{
    return kind->gradient == tide_solid_gradient && kind != &tide_solid_volume; // volume does not flow
}

static double *rest_entry(const tide_elements *elements, size_t i, uint32_t e)
{
    return &elements->parameters[(TIDE_SOLID_REST + i) * elements->count + e];
}

// out = a b for row-major 3 x 3 matrices; out may be neither.
static void multiply(const double a[9], const double b[9], double out[9])
{
    for (size_t r = 0; r < 3; r++)
        for (size_t c = 0; c < 3; c++)
            out[3 * r + c] = a[3 * r] * b[c] + a[3 * r + 1] * b[3 + c] + a[3 * r + 2] * b[6 + c];
}

static void invert(const double m[9], double out[9])
{
    for (size_t r = 0; r < 3; r++)
        for (size_t c = 0; c < 3; c++) {
            size_t r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            out[3 * c + r] = m[3 * r1 + c1] * m[3 * r2 + c2] - m[3 * r1 + c2] * m[3 * r2 + c1]; // the adjugate
        }
    double determinant = m[0] * out[0] + m[1] * out[3] + m[2] * out[6];
    for (size_t i = 0; i < 9; i++)
        out[i] /= determinant;
}

// B <- B a.
static void multiply_rest(tide_elements *elements, uint32_t e, const double a[9])
{
    double rest[9], next[9];
    for (size_t i = 0; i < 9; i++)
        rest[i] = *rest_entry(elements, i, e);
    multiply(rest, a, next);
    for (size_t i = 0; i < 9; i++)
        *rest_entry(elements, i, e) = next[i];
}

void tide_solid_set_plastic(tide_elements *elements, uint32_t e, const double plastic[9])
{
    double inverse[9];
    invert(plastic, inverse);
    multiply_rest(elements, e, inverse);
}

static void find_deformation(const tide_elements *elements, const double *x, uint32_t e, double f[9])
{
    const uint32_t *v = elements->vertices + 4 * (size_t)e;
    double edges[9], rest[9];
    for (size_t k = 0; k < 3; k++)
        for (size_t c = 0; c < 3; c++)
            edges[3 * k + c] = x[3 * (size_t)v[c + 1] + k] - x[3 * (size_t)v[0] + k];
    for (size_t i = 0; i < 9; i++)
        rest[i] = *rest_entry(elements, i, e);
    multiply(edges, rest, f);
}

// V diag(d) V'.
static void stretch(const double v[9], const double d[3], double out[9])
{
    for (size_t r = 0; r < 3; r++)
        for (size_t c = 0; c < 3; c++) {
            out[3 * r + c] = 0;
            for (size_t k = 0; k < 3; k++)
                out[3 * r + c] += v[3 * r + k] * d[k] * v[3 * c + k];
        }
}

bool tide_flow_ratios(const double deviator[3], double limit, double hardening, double share, double ratios[3],
                      double inverse_ratios[3], double *change)
{
    double square = 0;
    for (int i = 0; i < 3; i++)
        square += deviator[i] * deviator[i];
    double q = sqrt(square / 1.5);
    *change = share * (q - limit) / (1 + hardening);
    if (!(*change > 0 && isfinite(q)))
        return false;
    for (int i = 0; i < 3; i++) {
        ratios[i] = tide_exp(deviator[i] * *change / q);
        inverse_ratios[i] = 1 / ratios[i];
    }
    return true;
}

bool tide_solid_flow(tide_elements *elements, const double *x, uint32_t e, double limit, double hardening, double share,
                     double plastic[9], double *flow)
{
    double f[9], u[9], s[3], v[9], deviator[3], mean = 0, change;
    double ratios[3], inverse_ratios[3], more[9], back[9], next[9];
    find_deformation(elements, x, e, f);
    tide_svd3(f, u, s, v);
    if (!(s[2] > 0))
        return false;
    for (int i = 0; i < 3; i++)
        mean += tide_ln(s[i]) / 3;
    for (int i = 0; i < 3; i++)
        deviator[i] = tide_ln(s[i]) - mean;
    if (!tide_flow_ratios(deviator, limit, hardening, share, ratios, inverse_ratios, &change))
        return false;
    double before = elements->kind->energy(elements, x, e, e + 1), kept[9];
    for (size_t i = 0; i < 9; i++)
        kept[i] = *rest_entry(elements, i, e);
    stretch(v, ratios, more);
    stretch(v, inverse_ratios, back);
    multiply_rest(elements, e, back); // F_e' = F_e V diag(s' / s) V'
    if (!(elements->kind->energy(elements, x, e, e + 1) <= before)) {
        for (size_t i = 0; i < 9; i++)
            *rest_entry(elements, i, e) = kept[i];
        return false;
    }
    multiply(more, plastic, next);
    memcpy(plastic, next, sizeof next);
    *flow += change;
    return true;
}

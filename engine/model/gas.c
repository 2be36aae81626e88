// An ideal gas at constant temperature within a closed surface (pressure.h). All triangles of a group enclose one
// volume.
#include "base/elementary.h"
#include "model/dense_element.h"
#include "model/pressure.h"

#include <math.h>

// A collapsed surface has this volume relative to that at rest, so that the energy stays finite.
#define SMALLEST 1e-6

// Below the smallest volume the energy continues along its tangent.
static double couple(const tide_elements *elements, const double *x)
{
    size_t count = elements->count;
    double *p = elements->parameters;
    if (!count)
        return 0;
    double volume = tide_pressure_volume(elements, x, 0, elements->count), rest = p[TIDE_GAS_VOLUME * count];
    double at = fmax(volume, SMALLEST * rest), amount = p[TIDE_GAS_AMOUNT * count], over = amount / at;
    double pressure = over - p[TIDE_GAS_AMBIENT * count];
    for (size_t e = 0; e < count; e++)
        p[TIDE_PRESSURE * count + e] = pressure;
    return p[TIDE_GAS_AMBIENT * count] * (at - rest) - amount * tide_ln(at / rest) - pressure * (volume - at);
}

// n / V^2, by the pressure that `couple` has stored; the energy is straight below the smallest volume.
static double curvature(const tide_elements *elements)
{
    size_t count = elements->count;
    const double *p = elements->parameters;
    double amount = p[TIDE_GAS_AMOUNT * count], over = p[TIDE_PRESSURE * count] + p[TIDE_GAS_AMBIENT * count];
    return over < amount / (SMALLEST * p[TIDE_GAS_VOLUME * count]) * (1 - 1e-12) ? over * over / amount : 0;
}

const tide_element_kind tide_gas = {
    .name = "gas",
    .help = "a triangle of a surface that encloses an ideal gas at constant temperature",
    .parameter_count = TIDE_GAS_PARAMETERS,
    .couple = couple,
    .curvature = curvature,
    .slope = tide_pressure_slope,
    TIDE_PRESSURE_FUNCTIONS,
};

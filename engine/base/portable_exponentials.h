// What the portable functions share about e^x. Private to them.
#ifndef TIDE_BASE_PORTABLE_EXPONENTIALS_H
#define TIDE_BASE_PORTABLE_EXPONENTIALS_H

#include "base/double_pair.h"

#include <stdint.h>
#include <string.h>

// Returns 2^n, for n from -1022 to 1023.
static inline double tide_power_of_two(int n)
{
    uint64_t bits = (uint64_t)(1023 + n) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

double tide_pair_scale_far(tide_pair x, int n); // the same, for an n outside -1021 to 1023
// Returns (hi + lo) * 2^n, rounded once.
static inline double tide_pair_scale(tide_pair x, int n)
{
    return n >= -1021 && n <= 1023 ? (x.hi + x.lo) * tide_power_of_two(n) : tide_pair_scale_far(x, n);
}

// Returns e^x as a double, for |x.hi| < 800.
double tide_portable_exp_pair(tide_pair x);

#endif

// sin, exp, pow and their like: those of the C library, which differ in the last bits from platform to platform, or in
// the portable mode (portable.h) those of portable_functions.h. What may reach a state, a mesh or a script calls these.
// sqrt, floor, fmod, remainder and fabs are the same everywhere, and are called as they are.
#ifndef TIDE_BASE_ELEMENTARY_H
#define TIDE_BASE_ELEMENTARY_H

#include "base/portable.h"
#include "base/portable_functions.h"

#include <math.h>

#define TIDE_ELEMENTARY_AS(own, name)                                                                                  \
    static inline double tide_##own(double x)                                                                          \
    {                                                                                                                  \
        return tide_portable() ? tide_portable_##name(x) : name(x);                                                    \
    }
#define TIDE_ELEMENTARY(name) TIDE_ELEMENTARY_AS(name, name)
#define TIDE_ELEMENTARY_OF_TWO(name)                                                                                   \
    static inline double tide_##name(double x, double y)                                                               \
    {                                                                                                                  \
        return tide_portable() ? tide_portable_##name(x, y) : name(x, y);                                              \
    }

TIDE_ELEMENTARY(exp)
TIDE_ELEMENTARY(exp2)
TIDE_ELEMENTARY(expm1)
TIDE_ELEMENTARY(sinh)
TIDE_ELEMENTARY(cosh)
TIDE_ELEMENTARY(tanh)
TIDE_ELEMENTARY_AS(ln, log) // tide_log writes to the log
TIDE_ELEMENTARY(log1p)
TIDE_ELEMENTARY(log2)
TIDE_ELEMENTARY(log10)
TIDE_ELEMENTARY(sin)
TIDE_ELEMENTARY(cos)
TIDE_ELEMENTARY(tan)
TIDE_ELEMENTARY(atan)
TIDE_ELEMENTARY(asin)
TIDE_ELEMENTARY(acos)
TIDE_ELEMENTARY(cbrt)
TIDE_ELEMENTARY_OF_TWO(pow)
TIDE_ELEMENTARY_OF_TWO(atan2)
TIDE_ELEMENTARY_OF_TWO(hypot)

#undef TIDE_ELEMENTARY_AS
#undef TIDE_ELEMENTARY
#undef TIDE_ELEMENTARY_OF_TWO

#endif

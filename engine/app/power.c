// pow of the whole program, of libraries too: Lua's library calls it for the operator ^, and METIS and others may. In
// the portable mode it is the engine's own, and else that of the C library.
#define _GNU_SOURCE // RTLD_NEXT
#include "base/portable.h"
#include "base/portable_functions.h"

#ifdef __linux__

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

typedef double power_function(double, double);

double pow(double x, double y);

static power_function *library_power(void)
{
    static _Atomic(power_function *) known;
    power_function *found = atomic_load_explicit(&known, memory_order_relaxed);
    if (!found) {
        void *symbol = dlsym(RTLD_NEXT, "pow");
        if (!symbol) // a program without shared libraries
            return tide_portable_pow;
        memcpy(&found, &symbol, sizeof found); // ISO C has no conversion of a pointer to a function
        atomic_store_explicit(&known, found, memory_order_relaxed);
    }
    return found;
}

double pow(double x, double y)
{
    return tide_portable() ? tide_portable_pow(x, y) : library_power()(x, y);
}

#endif

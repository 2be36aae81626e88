#include "linear/sweeps.h"

const tide_sweeps *tide_sweeps_choose(bool single, int bits)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
    if (avx512 && (bits == 0 || bits >= 512))
        return single ? &tide_sweeps_single_512 : &tide_sweeps_double_512;
    if (avx2 && (bits == 0 || bits >= 256))
        return single ? &tide_sweeps_single_256 : &tide_sweeps_double_256;
#else
    (void)bits;
#endif
    return single ? &tide_sweeps_single_128 : NULL;
}

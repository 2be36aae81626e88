#include "draw/raster_kernels.h"

const tide_raster_kernels *tide_raster_kernels_choose(int bits)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    bool avx2 = __builtin_cpu_supports("avx2");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    if (avx512 && (bits == 0 || bits >= 512))
        return &tide_raster_kernels_512;
    if (avx2 && (bits == 0 || bits >= 256))
        return &tide_raster_kernels_256;
#else
    (void)bits;
#endif
    return &tide_raster_kernels_128;
}

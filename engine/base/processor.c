#include "base/processor.h"

#include "base/portable.h"

atomic_bool tide_portable_mode;

static int most_bits; // 0: no limit

void tide_vector_bits_limit(int bits)
{
    most_bits = bits;
}

static int least_limit(int a, int b)
{
    return a == 0 || (b != 0 && b < a) ? b : a;
}

int tide_vector_bits(int most)
{
    most = least_limit(tide_portable() ? 128 : most, most_bits);
#if defined(__x86_64__)
    __builtin_cpu_init();
    if ((most == 0 || most >= 256) && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return (most == 0 || most >= 512) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
                   ? 512
                   : 256;
#endif
    return 128;
}

// Which vectors the processor has, asked when the program runs.
#ifndef TIDE_BASE_PROCESSOR_H
#define TIDE_BASE_PROCESSOR_H

// The widest vectors, in bits, that may be used and that the processor has: 512 (AVX-512 with its F, DQ, BW and VL
// parts), 256 (AVX2 with FMA), or 128 (SSE2, NEON or what the compiler makes of vectors of 128 bits). `most`: the
// widest to use; 0 for no limit.
static inline int tide_vector_bits(int most)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if ((most == 0 || most >= 256) && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return (most == 0 || most >= 512) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
                   ? 512
                   : 256;
#else
    (void)most;
#endif
    return 128;
}

#endif

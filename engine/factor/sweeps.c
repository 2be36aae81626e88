#include "factor/sweeps.h"

#include "base/processor.h"

const tide_sweeps *tide_sweeps_choose(bool single, int bits)
{
    bits = tide_vector_bits(bits);
#if defined(__x86_64__)
    if (bits == 512)
        return single ? &tide_sweeps_single_512 : &tide_sweeps_double_512;
    if (bits == 256)
        return single ? &tide_sweeps_single_256 : &tide_sweeps_double_256;
#endif
    return single ? &tide_sweeps_single_128 : NULL;
}

const tide_sweeps *tide_sweeps_choose_one(int bits)
{
    bits = tide_vector_bits(bits);
#if defined(__x86_64__)
    if (bits == 512)
        return &tide_sweeps_one_512;
    if (bits == 256)
        return &tide_sweeps_one_256;
#endif
    return &tide_sweeps_one_128;
}

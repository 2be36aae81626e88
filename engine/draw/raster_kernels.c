#include "draw/raster_kernels.h"

#include "base/processor.h"

const tide_raster_kernels *tide_raster_kernels_choose(int bits)
{
    bits = tide_vector_bits(bits);
#if defined(__x86_64__)
    if (bits == 512)
        return &tide_raster_kernels_512;
    if (bits == 256)
        return &tide_raster_kernels_256;
#endif
    return &tide_raster_kernels_128;
}

// The vector width of the processor, detected at run time.
//
// Sums over vectors of different width round differently, so states and their hashes depend on the width in the last
// bits.
#ifndef TIDE_BASE_PROCESSOR_H
#define TIDE_BASE_PROCESSOR_H

// Returns the widest vectors, in bits, that are permitted and supported: 512 (AVX-512 with F, DQ, BW and VL), 256 (AVX2
// with FMA), or 128 (SSE2, NEON or the compiler's generic vectors); in the portable mode (portable.h) 128. `most`: the
// widest to use; 0 for no limit but that of the program.
int tide_vector_bits(int most);

// Limits the vectors of the program: 128, 256 or 512 bits; 0, the default, for no limit. Must be called before a world
// exists: code that runs keeps its width.
void tide_vector_bits_limit(int bits);

#endif

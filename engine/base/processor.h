// Which vectors the processor has, asked when the program runs.
//
// Sums in vectors of another width round differently, so states and their hashes depend on the width in the last bits.
#ifndef TIDE_BASE_PROCESSOR_H
#define TIDE_BASE_PROCESSOR_H

// The widest vectors, in bits, that may be used and that the processor has: 512 (AVX-512 with its F, DQ, BW and VL
// parts), 256 (AVX2 with FMA), or 128 (SSE2, NEON or what the compiler makes of vectors of 128 bits). `most`: the
// widest to use; 0 for no limit but that of the program.
int tide_vector_bits(int most);

// The widest vectors that the program uses: 128, 256 or 512; 0, the default, for no limit. To be called before there is
// a world: code that runs keeps the width that it began with.
void tide_vector_bits_limit(int bits);

#endif

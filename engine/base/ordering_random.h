// The random numbers of METIS, which orders matrices by srand and rand of the C library. Those of glibc are the ones of
// the portable mode: this is the same generator, for platforms that have another. There METIS is compiled with
// -Drand=tide_ordering_rand -Dsrand=tide_ordering_srand.
//
// Additive feedback, x^31 + x^3 + 1: r(i) = r(i - 3) + r(i - 31) modulo 2^32. The first 31 are 16807 r(i - 1) modulo
// 2^31 - 1, 310 further ones are dropped, and a result is r(i) / 2. Threads: one generator, used by one thread at a
// time, as in the C library.
#ifndef TIDE_BASE_ORDERING_RANDOM_H
#define TIDE_BASE_ORDERING_RANDOM_H

enum { TIDE_ORDERING_RAND_MAX = 0x7fffffff };

void tide_ordering_srand(unsigned seed);
int tide_ordering_rand(void); // from 0 to TIDE_ORDERING_RAND_MAX; without a seed as after that of 1

#endif

// A random number generator whose state can be copied: PCG-XSH-RR 64/32 (O'Neill 2014).
//
//     tide_random random = tide_random_seed(42);
//     double x = tide_random_uniform(&random); // in [0, 1)
//
// The same seed gives the same numbers on every machine. Threads: each uses its own generator. Nothing fails.
#ifndef TIDE_BASE_RANDOM_H
#define TIDE_BASE_RANDOM_H

#include <stdint.h>

typedef struct tide_random {
    uint64_t state;
} tide_random;

static inline uint32_t tide_random_next(tide_random *random)
{
    uint64_t old = random->state;
    random->state = old * 6364136223846793005u + 1442695040888963407u;
    uint32_t shifted = (uint32_t)(((old >> 18) ^ old) >> 27), turn = (uint32_t)(old >> 59);
    return (shifted >> turn) | (shifted << ((32 - turn) & 31));
}
static inline tide_random tide_random_seed(uint64_t seed)
{
    tide_random random = { seed + 1442695040888963407u };
    tide_random_next(&random);
    return random;
}
// Returns a number uniformly distributed in [0, 1), with 53 random bits.
static inline double tide_random_uniform(tide_random *random)
{
    uint64_t high = tide_random_next(random) >> 5, low = tide_random_next(random) >> 6;
    return (double)(high * 67108864u + low) * (1.0 / 9007199254740992.0);
}

#endif

// Disjoint sets of numbers (Tarjan 1975): parents[i] is i for the root of a set, else another member. Sets are joined
// by number, so that the lowest member is the root, in whatever order they are joined.
#ifndef TIDE_BASE_DISJOINT_SET_H
#define TIDE_BASE_DISJOINT_SET_H

#include <stdint.h>

static inline uint32_t tide_disjoint_set_root(uint32_t *parents, uint32_t i) // shortens the path that it follows
{
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}
static inline void tide_disjoint_set_join(uint32_t *parents, uint32_t a, uint32_t b)
{
    a = tide_disjoint_set_root(parents, a);
    b = tide_disjoint_set_root(parents, b);
    parents[a < b ? b : a] = a < b ? a : b;
}

#endif

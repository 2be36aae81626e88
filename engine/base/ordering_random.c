#include "base/ordering_random.h"

#include <stdbool.h>
#include <stdint.h>

enum { DEGREE = 31, SEPARATION = 3, DROPPED = 310 };

static struct generator {
    uint32_t last[DEGREE]; // a ring
    unsigned next;         // the oldest, which the next replaces
    bool seeded;
} generator;

static uint32_t draw(void)
{
    struct generator *g = &generator;
    uint32_t drawn = g->last[g->next] += g->last[(g->next + DEGREE - SEPARATION) % DEGREE];
    g->next = (g->next + 1) % DEGREE;
    return drawn;
}

void tide_ordering_srand(unsigned seed)
{
    struct generator *g = &generator;
    int64_t word = (int32_t)(seed ? seed : 1);
    for (int i = 0; i < DEGREE; i++) {
        g->last[i] = (uint32_t)word;
        word = 16807 * word % 2147483647;
        word += word < 0 ? 2147483647 : 0;
    }
    g->next = SEPARATION;
    g->seeded = true;
    for (int i = 0; i < DROPPED; i++)
        draw();
}

int tide_ordering_rand(void)
{
    if (!generator.seeded)
        tide_ordering_srand(1);
    return (int)(draw() >> 1);
}

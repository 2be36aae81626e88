// Disjoint sets (Tarjan 1975), joined by index so that the result does not depend on the order of joins.
#include "mesh/doctor.h"

#include "base/memory.h"

bool tide_sets_create(tide_sets *sets, uint32_t count)
{
    *sets = (tide_sets) { tide_allocate_array(count, sizeof *sets->parents), tide_allocate_zeroed(count, 1), count };
    if (!sets->parents || !sets->odd) {
        tide_sets_destroy(sets);
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        sets->parents[i] = i;
    return true;
}

void tide_sets_destroy(tide_sets *sets)
{
    tide_free(sets->parents);
    tide_free(sets->odd);
    *sets = (tide_sets) { 0 };
}

uint32_t tide_sets_find(tide_sets *sets, uint32_t item, bool *odd)
{
    uint32_t root = item;
    unsigned char parity = 0;
    while (sets->parents[root] != root) {
        parity ^= sets->odd[root];
        root = sets->parents[root];
    }
    if (odd)
        *odd = parity;
    // Path compression: every item on the path becomes a child of the root.
    while (sets->parents[item] != root) {
        uint32_t next = sets->parents[item];
        unsigned char was = sets->odd[item];
        sets->parents[item] = root;
        sets->odd[item] = parity;
        parity ^= was;
        item = next;
    }
    return root;
}

bool tide_sets_join(tide_sets *sets, uint32_t a, uint32_t b, bool opposite)
{
    bool odd_a, odd_b;
    uint32_t root_a = tide_sets_find(sets, a, &odd_a), root_b = tide_sets_find(sets, b, &odd_b);
    bool differ = odd_a ^ odd_b ^ opposite;
    if (root_a == root_b)
        return !differ;
    uint32_t low = root_a < root_b ? root_a : root_b, high = root_a < root_b ? root_b : root_a;
    sets->parents[high] = low;
    sets->odd[high] = differ;
    return true;
}

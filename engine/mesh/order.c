// Sorts index tuples by radix sort, in linear time for any values.
#include "mesh/connectivity.h"

#include "base/memory.h"

#include <string.h>

enum { DIGIT_BITS = 11, DIGIT_VALUES = 1 << DIGIT_BITS, MAX_WIDTH = 4 };

typedef struct item {
    uint64_t key;
    uint32_t tuple;
} item;

static inline void sort_two(uint32_t *a, uint32_t *b)
{
    uint32_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low;
    *b = high;
}

void tide_mesh_sort_tuple(uint32_t *sorted, const uint32_t *tuple, uint32_t width)
{
    memcpy(sorted, tuple, width * sizeof *sorted);
    sort_two(&sorted[0], &sorted[1]);
    if (width == 3) {
        sort_two(&sorted[1], &sorted[2]);
        sort_two(&sorted[0], &sorted[1]);
    } else if (width == 4) {
        sort_two(&sorted[2], &sorted[3]);
        sort_two(&sorted[0], &sorted[2]);
        sort_two(&sorted[1], &sorted[3]);
        sort_two(&sorted[1], &sorted[2]);
    }
}

// Sorts stably by the digit at `shift`. Returns false when all keys have the same digit, so that nothing moves.
static bool sort_by_digit(const item *from, item *to, uint32_t count, uint32_t shift)
{
    uint32_t places[DIGIT_VALUES] = { 0 };
    for (uint32_t i = 0; i < count; i++)
        places[from[i].key >> shift & (DIGIT_VALUES - 1)]++;
    if (places[from[0].key >> shift & (DIGIT_VALUES - 1)] == count)
        return false;
    uint32_t next = 0;
    for (uint32_t digit = 0; digit < DIGIT_VALUES; digit++) {
        uint32_t size = places[digit];
        places[digit] = next;
        next += size;
    }
    for (uint32_t i = 0; i < count; i++)
        to[places[from[i].key >> shift & (DIGIT_VALUES - 1)]++] = from[i];
    return true;
}

static void sort_items(item **items, item **spare, uint32_t count, uint32_t key_bits)
{
    for (uint32_t shift = 0; shift < key_bits; shift += DIGIT_BITS)
        if (sort_by_digit(*items, *spare, count, shift)) {
            item *sorted = *spare;
            *spare = *items;
            *items = sorted;
        }
}

uint32_t *tide_mesh_order_tuples(const uint32_t *tuples, uint32_t width, uint32_t count, uint32_t vertex_count)
{
    uint32_t *order = tide_allocate_array(count, sizeof *order);
    TIDE_SCOPED item *items = tide_allocate_array(count, sizeof *items),
                     *spare = tide_allocate_array(count, sizeof *spare);
    if (!order || !items || !spare) {
        tide_free(order);
        order = NULL;
        count = 0;
    }
    uint32_t bits = 1;
    while (bits < 32 && vertex_count > UINT32_C(1) << bits)
        bits++;
    // Each key holds as many corners as fit; the last corners come first.
    uint32_t group = 64 / bits < width ? 64 / bits : width;
    for (uint32_t i = 0; i < count; i++)
        items[i].tuple = i;
    for (uint32_t end = width; end > 0 && count > 0; end -= end < group ? end : group) {
        uint32_t begin = end < group ? 0 : end - group;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t sorted[MAX_WIDTH];
            tide_mesh_sort_tuple(sorted, tuples + (size_t)width * items[i].tuple, width);
            items[i].key = 0;
            for (uint32_t j = begin; j < end; j++)
                items[i].key = items[i].key << bits | sorted[j];
        }
        sort_items(&items, &spare, count, bits * (end - begin));
    }
    for (uint32_t i = 0; i < count; i++)
        order[i] = items[i].tuple;
    return order;
}

bool tide_mesh_same_tuple(const uint32_t *a, const uint32_t *b, uint32_t width)
{
    uint32_t p[MAX_WIDTH], q[MAX_WIDTH];
    tide_mesh_sort_tuple(p, a, width);
    tide_mesh_sort_tuple(q, b, width);
    return memcmp(p, q, width * sizeof *p) == 0;
}

#include "contact/history.h"

#include "contact/proximity.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(TIDE_KEPT_COLLIDER == TIDE_PAIR_EDGES + 1, "a kind of its own");

static bool map_collider(tide_kept_sum *sum, const tide_kept_map *map)
{
    uint32_t points = map->blocks[0].count[TIDE_KEPT_POINTS];
    uint64_t collider = points ? sum->key / points : map->collider_count;
    if (collider >= map->collider_count || map->colliders[collider] == TIDE_KEPT_NOT)
        return false;
    sum->key = (uint64_t)map->colliders[collider] * points + sum->key % points;
    return true;
}

static bool map_feature(uint64_t *index, int feature, const tide_kept_map *map)
{
    for (uint32_t b = 0; b < map->block_count; b++) {
        const tide_kept_block *block = &map->blocks[b];
        if (*index >= block->from[feature] && *index - block->from[feature] < block->count[feature]) {
            *index += (uint64_t)block->to[feature] - block->from[feature];
            return true;
        }
    }
    return false;
}

static bool map_pair(tide_kept_sum *sum, const tide_kept_map *map)
{
    static const int features[][2] = { [TIDE_PAIR_POINTS] = { TIDE_KEPT_POINTS, TIDE_KEPT_POINTS },
                                       [TIDE_PAIR_TRIANGLE] = { TIDE_KEPT_POINTS, TIDE_KEPT_TRIANGLES },
                                       [TIDE_PAIR_EDGES] = { TIDE_KEPT_EDGES, TIDE_KEPT_EDGES } };
    uint64_t first = sum->key >> 32, second = sum->key & UINT32_MAX;
    if (sum->kind >= TIDE_KEPT_COLLIDER || !map_feature(&first, features[sum->kind][0], map) ||
        !map_feature(&second, features[sum->kind][1], map))
        return false;
    sum->key = first << 32 | second;
    return true;
}

// Pairs are kept in ascending order.
static int compare(const void *a, const void *b)
{
    const tide_kept_sum *first = a, *second = b;
    if (first->kind != second->kind)
        return first->kind < second->kind ? -1 : 1;
    return first->key < second->key ? -1 : first->key > second->key;
}

size_t tide_contact_history_map(void *bytes, size_t size, const tide_kept_map *map)
{
    tide_kept_header header = { 0 }, kept = { 0 };
    if (size < sizeof header)
        return 0;
    memcpy(&header, bytes, sizeof header);
    uint64_t sums = header.colliders + header.pairs;
    if (sums > size || size != sizeof header + sums * sizeof(tide_kept_sum))
        return 0;
    kept.h = header.h;
    unsigned char *from = (unsigned char *)bytes + sizeof header, *next = from;
    for (uint64_t i = 0; i < sums; i++) {
        tide_kept_sum sum;
        memcpy(&sum, from + i * sizeof sum, sizeof sum);
        bool collider = sum.kind == TIDE_KEPT_COLLIDER;
        if (!(collider ? map_collider(&sum, map) : map_pair(&sum, map)))
            continue;
        kept.colliders += collider;
        kept.pairs += !collider;
        memcpy(next, &sum, sizeof sum);
        next += sizeof sum;
    }
    memcpy(bytes, &kept, sizeof kept);
    qsort(from + kept.colliders * sizeof(tide_kept_sum), kept.pairs, sizeof(tide_kept_sum), compare);
    return (size_t)(next - (unsigned char *)bytes);
}

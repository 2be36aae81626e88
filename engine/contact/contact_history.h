// The history of contacts: accumulated impulses that carry over from step to step, as bytes for snapshots. A header,
// then one entry a contact, those with colliders first. Colliders and features of surfaces (collision/surface.h) are
// known by their indices.
#ifndef TIDE_CONTACT_CONTACT_HISTORY_H
#define TIDE_CONTACT_CONTACT_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tide_contact_history_header {
    double h;                  // s
    uint64_t colliders, pairs; // numbers of entries
} tide_contact_history_header;

// One accumulated impulse. A pair has its kind (tide_pair_kind) and key. A contact with a collider has the kind
// TIDE_HISTORY_COLLIDER and the key collider * moving_count + point.
typedef struct tide_contact_history_entry {
    uint64_t kind, key;
    double accumulated[3], weights[4];
} tide_contact_history_entry;
#define TIDE_HISTORY_COLLIDER 3
// A couple of rolling friction (rolling.h), in `accumulated`, with its key. It counts as a pair.
#define TIDE_HISTORY_ROLLING 4
// The state of untangling, six numbers that the world gives (`accumulated` and `weights`). It counts as a pair, and
// comes last.
#define TIDE_HISTORY_TANGLE 5

// A point with the skin of the search for pairs: the key is the point, `accumulated` the skin's centre, and weights[0]
// its thickness. They count as pairs. A history has the skins of all points that may touch, or no skins.
#define TIDE_HISTORY_SKIN 6

enum { TIDE_HISTORY_POINTS, TIDE_HISTORY_EDGES, TIDE_HISTORY_TRIANGLES, TIDE_HISTORY_FEATURES };

// A range of consecutive points, edges and triangles in a surface: those of all bodies, or of one mesh collider.
typedef struct tide_contact_history_block {
    uint32_t from[TIDE_HISTORY_FEATURES], count[TIDE_HISTORY_FEATURES]; // the old range
    uint32_t to[TIDE_HISTORY_FEATURES];                                 // where it begins now
} tide_contact_history_block;

// Removes the entries of contacts with triangles and edges. Returns the new size. For a surface whose triangles and
// edges change.
size_t tide_contact_history_drop_surfaces(void *bytes, size_t size);

// Returns the entry of untangling, and whether there is one.
bool tide_contact_history_tangle(const void *bytes, size_t size, tide_contact_history_entry *entry);
// Replaces it by `entry` (NULL: none). `bytes` has room for TIDE_HISTORY_TANGLE_SIZE more. Returns the new size.
size_t tide_contact_history_put_tangle(void *bytes, size_t size, const tide_contact_history_entry *entry);
#define TIDE_HISTORY_TANGLE_SIZE (sizeof(tide_contact_history_header) + sizeof(tide_contact_history_entry))

#define TIDE_HISTORY_GONE UINT32_MAX
// Maps the colliders and features of a history to those of the present scene.
typedef struct tide_contact_history_mapping {
    const uint32_t *colliders; // (collider_count) present index of each; TIDE_HISTORY_GONE: removed
    uint32_t collider_count;
    const tide_contact_history_block
        *blocks; // (block_count) features in none are removed; the first block is the bodies'
    uint32_t block_count;
} tide_contact_history_mapping;

// Maps a history in place and returns its new size, which is not larger: entries of removed colliders and features are
// dropped. Returns 0 for bytes that are no history. `bytes` must be aligned for a double.
size_t tide_contact_history_map(void *bytes, size_t size, const tide_contact_history_mapping *map);

#endif

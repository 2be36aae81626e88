// The sums of contacts that go on from step to step, as bytes: a header, then the sums, those of colliders first.
// Colliders and the features of surfaces (collision/surface.h) are known by their indices there.
#ifndef TIDE_CONTACT_CONTACT_HISTORY_H
#define TIDE_CONTACT_CONTACT_HISTORY_H

#include <stddef.h>
#include <stdint.h>

typedef struct tide_contact_history_header {
    double h;                  // s
    uint64_t colliders, pairs; // how many sums there are
} tide_contact_history_header;

// Of a pair: its kind (tide_pair_kind) and key. Of a collider's contact: TIDE_HISTORY_COLLIDER, collider * moving_count
// + point.
typedef struct tide_contact_history_entry {
    uint64_t kind, key;
    double sum[3], weights[4];
} tide_contact_history_entry;
#define TIDE_HISTORY_COLLIDER 3

enum { TIDE_HISTORY_POINTS, TIDE_HISTORY_EDGES, TIDE_HISTORY_TRIANGLES, TIDE_HISTORY_FEATURES };

// Points, edges and triangles that follow one another in a surface, as those of all bodies, or of a collider's mesh.
typedef struct tide_contact_history_block {
    uint32_t from[TIDE_HISTORY_FEATURES], count[TIDE_HISTORY_FEATURES]; // the first of then, and how many
    uint32_t to[TIDE_HISTORY_FEATURES];                                 // the first of now
} tide_contact_history_block;

#define TIDE_HISTORY_GONE UINT32_MAX
// From the colliders of then to those of now.
typedef struct tide_contact_history_mapping {
    const uint32_t *colliders; // (collider_count) which one it is now; TIDE_HISTORY_GONE: it is gone
    uint32_t collider_count;
    const tide_contact_history_block *blocks; // (block_count) what is in none is gone; the first is the bodies'
    uint32_t block_count;
} tide_contact_history_mapping;

// Makes a history that was kept with other colliders one with those that there are now, and returns its size, which is
// not larger: what was kept of what is gone is dropped. Of bytes that are no history, 0. They begin where a double may.
size_t tide_contact_history_map(void *bytes, size_t size, const tide_contact_history_mapping *map);

#endif

// What was split in the bodies of a world as bytes, for snapshots: the differences of split bodies from their
// descriptions. Private to world/.
#ifndef TIDE_WORLD_SPLIT_STATE_H
#define TIDE_WORLD_SPLIT_STATE_H

#include "world/split.h"

// An array of 32-bit words that grows.
typedef struct tide_words {
    uint32_t *items;
    size_t count, capacity;
} tide_words;

uint64_t tide_world_described_identity(const tide_world *world); // tide_world_identity of the bodies as described
// Appends what was split to `words`: nothing for a world without splits. Returns false without memory.
bool tide_world_put_splits(const tide_world *world, tide_words *words);
// Splits a body as another body of the same topology and groups is split. Masses keep their shares of the described
// ones.
tide_status tide_body_split_as(const tide_body *body, const tide_body *split, tide_body **out, tide_error *error);
// Makes the bodies (body_count) that the words describe, of the world's descriptions: for each the world's own, with
// one more use, if it is that. Fails with TIDE_ERROR_FORMAT for words that do not fit these descriptions.
tide_status tide_world_make_bodies(const tide_world *world, const uint32_t *words, size_t count, tide_body **bodies,
                                   tide_error *error);
void tide_world_drop_bodies(const tide_world *world, tide_body **bodies); // ends these uses

#endif

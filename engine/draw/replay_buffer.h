// A buffer of the last pictures of a window, as they were shown, within a memory limit. Lossless: pictures are packed
// by their differences to the picture before and to the pixel above.
#ifndef TIDE_DRAW_REPLAY_BUFFER_H
#define TIDE_DRAW_REPLAY_BUFFER_H

#include "draw/image.h"

#include <stdbool.h>

typedef struct tide_replay_buffer tide_replay_buffer;

// Keeps pictures of at least the last `seconds` of their own time, or as many as fit into `limit` bytes.
tide_status tide_replay_buffer_create(double seconds, size_t limit, tide_replay_buffer **buffer, tide_error *error);
void tide_replay_buffer_destroy(tide_replay_buffer *buffer); // NULL does nothing
// Adds a picture, taken as opaque. `time` (s) must not decrease. Pictures may differ in size.
tide_status tide_replay_buffer_add(tide_replay_buffer *buffer, const tide_image *image, double time, tide_error *error);
// Changes the limit and drops what exceeds it.
void tide_replay_buffer_set_limit(tide_replay_buffer *buffer, size_t limit);

typedef struct tide_replay_buffer_facts {
    uint64_t count;      // pictures
    double first, last;  // times of the oldest and the newest picture; 0 if there is none
    size_t bytes, limit; // including working memory
} tide_replay_buffer_facts;
tide_replay_buffer_facts tide_replay_buffer_get_facts(const tide_replay_buffer *buffer);

// Removes the oldest picture: *image is NULL if there is none, otherwise owned by the replay buffer and valid until the
// next call. After the first take, nothing may be added until the replay buffer is empty.
tide_status tide_replay_buffer_take(tide_replay_buffer *buffer, const tide_image **image, double *time,
                                    tide_error *error);

#endif

// A buffer of the last pictures of a window, as they were shown, within a memory limit. Lossless: pictures are packed
// by their differences to the picture before and to the pixel above.
#ifndef TIDE_DRAW_REEL_H
#define TIDE_DRAW_REEL_H

#include "draw/image.h"

#include <stdbool.h>

typedef struct tide_reel tide_reel;

// Keeps pictures of at least the last `seconds` of their own time, or as many as fit into `limit` bytes.
tide_status tide_reel_create(double seconds, size_t limit, tide_reel **reel, tide_error *error);
void tide_reel_destroy(tide_reel *reel); // NULL does nothing
// Adds a picture, taken as opaque. `time` (s) must not decrease. Pictures may differ in size.
tide_status tide_reel_add(tide_reel *reel, const tide_image *image, double time, tide_error *error);
// Changes the limit and drops what exceeds it.
void tide_reel_set_limit(tide_reel *reel, size_t limit);

typedef struct tide_reel_facts {
    uint64_t count;      // pictures
    double first, last;  // times of the oldest and the newest picture; 0 if there is none
    size_t bytes, limit; // including working memory
} tide_reel_facts;
tide_reel_facts tide_reel_get_facts(const tide_reel *reel);

// Removes the oldest picture: *image is NULL if there is none, otherwise owned by the reel and valid until the next
// call. After the first take, nothing may be added until the reel is empty.
tide_status tide_reel_take(tide_reel *reel, const tide_image **image, double *time, tide_error *error);

#endif

// The last pictures of a window, as they were shown, within a limit of memory. They are kept whole (no bit is lost),
// packed by differences: of a picture to the one before it, and of a pixel to the one above it.
#ifndef TIDE_DRAW_REEL_H
#define TIDE_DRAW_REEL_H

#include "draw/image.h"

#include <stdbool.h>

typedef struct tide_reel tide_reel;

// Keeps pictures for at least `seconds` of their own time, where they fit into `limit` bytes; else as many as do.
tide_status tide_reel_create(double seconds, size_t limit, tide_reel **reel, tide_error *error);
void tide_reel_destroy(tide_reel *reel); // NULL does nothing
// Adds a picture, which is taken as opaque. `time` (s) is not before that of the last one. Pictures may differ in size.
tide_status tide_reel_add(tide_reel *reel, const tide_image *image, double time, tide_error *error);
// Another limit: what does not fit goes at once.
void tide_reel_set_limit(tide_reel *reel, size_t limit);

typedef struct tide_reel_facts {
    uint64_t count;      // pictures
    double first, last;  // times of the oldest and the newest; 0 without any
    size_t bytes, limit; // with all that it needs to work
} tide_reel_facts;
tide_reel_facts tide_reel_get_facts(const tide_reel *reel);

// Takes the oldest picture out of the reel: *image is NULL when there is none, and else the reel's own, valid until the
// next call. Once this has begun nothing is to be added before the reel is empty.
tide_status tide_reel_take(tide_reel *reel, const tide_image **image, double *time, tide_error *error);

#endif

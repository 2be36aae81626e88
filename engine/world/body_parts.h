// What body.c has made by body_masses.c and body_springs.c. `object` is what errors call the body.
#ifndef TIDE_WORLD_BODY_PARTS_H
#define TIDE_WORLD_BODY_PARTS_H

#include "world/internal.h"

#define TIDE_BODY_LARGEST 1e15 // of masses, stiffnesses, lengths

// Numbers are in range, masses positive: otherwise they fail.
tide_status tide_body_make_masses(tide_body *body, const tide_body_def *def, const char *object, tide_error *error);
tide_status tide_body_check_springs(const tide_body_def *def, const char *object, tide_error *error);
tide_status tide_body_make_springs(tide_body *body, const tide_body_def *def, const char *object, tide_error *error);

#endif

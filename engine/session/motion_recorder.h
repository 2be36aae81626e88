// The motion of a run as one file (--export out.glb), or one for each body (--export %s.glb): formats/motion_file.h.
#ifndef TIDE_SESSION_MOTION_RECORDER_H
#define TIDE_SESSION_MOTION_RECORDER_H

#include "world/world.h"

typedef struct tide_motion_recorder tide_motion_recorder;

tide_status tide_motion_recorder_open(const char *pattern, tide_motion_recorder **recorder, tide_error *error);
// Adds the present state of all bodies, as they are drawn. Drops frames of this time and later: the world went back.
tide_status tide_motion_recorder_add(tide_motion_recorder *recorder, tide_world *world, tide_error *error);
// Writes the files and frees the recorder, in any case. NULL does nothing.
tide_status tide_motion_recorder_close(tide_motion_recorder *recorder, tide_error *error);

#endif

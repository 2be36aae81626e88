// Replays: a run as a file that holds the texts of its scripts, its settings, every input with the step at which it
// came, and the hash of the state after every step; and doing it again.
//
// The file is text, a statement a line (see inputs.h for how inputs, texts and numbers are written):
//
//     springtide replay 1
//     scene "curtain.lua"             what follows, up to `start`, in any order
//     seed 0
//     timestep 0                      s; 0: the scene's own
//     history 536870912               bytes
//     set "stiffness" "200"
//     solver 0 "newton"               from that frame on
//     file "curtain.lua" "local ..."  the text of a script; of a module of Lua's library "@library/springtide/wind.lua"
//     mesh "body.obj" HASH            of a file that is not kept: it must be there, and the same
//     start HASH
//     at 12 param "bend" "3" 0        an input, after 12 steps
//     state 12 HASH MARKS             the state then; after a line of a console
//     step 13 HASH MARKS              the 13th step, and the state after it
//     end 13                          the steps in all
//
// MARKS are two characters for each vertex, 12 bits of a hash of its position and velocity, in the order of the bodies:
// they tell where two states differ. Where there are many vertices, not every step has them.
//
// A replay runs the scripts in it, as one runs a scene that somebody else has written.
#ifndef TIDE_SESSION_REPLAY_H
#define TIDE_SESSION_REPLAY_H

#include "session/live.h"

// --- recording -------------------------------------------------------------------------------------------------------

typedef struct tide_recorder tide_recorder;

// Records what is done to a live from now on; no step may have been taken. The file is there at once and holds every
// frame as soon as it is over, so that a run that is interrupted leaves a replay up to its last whole frame.
tide_status tide_recorder_open(const char *path, tide_live *live, tide_recorder **recorder, tide_error *error);
// Ends the file. Fails when it could not be written at any time; it ends then with the last frame that was written.
// NULL does nothing.
tide_status tide_recorder_close(tide_recorder *recorder, tide_error *error);

// --- doing it again --------------------------------------------------------------------------------------------------

typedef struct tide_replay tide_replay;

// Reads the file up to its start and opens the live of it. Errors name the line.
tide_status tide_replay_open(const char *path, bool verify, double time_limit, tide_replay **replay, tide_live **live,
                             tide_error *error);
void tide_replay_close(tide_replay *replay); // NULL does nothing
// Applies the inputs that come now, and takes the next step; at the end of the file nothing is done. A file that was
// cut short ends after its last whole line, which is logged as a warning. With `verify` the state must be what it was:
// the error names the frame and the first vertex that differs. Fails, too, when an input that once succeeded does not,
// and for a file that is not as described above.
tide_status tide_replay_step(tide_replay *replay, tide_live *live, tide_error *error);
bool tide_replay_is_over(const tide_replay *replay);
uint64_t tide_replay_checked(const tide_replay *replay); // states that were compared and equal

// The marks of a world's particles, (2 * particle_count) characters, added to `text`.
void tide_replay_add_marks(tide_world *world, tide_text *text);

#endif

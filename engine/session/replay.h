// Replays: a run as a file, with the texts of its scripts, its settings, every input with the step at which it came,
// and the hash of the state after every step. A replay repeats the run.
//
// The file is text, one statement per line (inputs.h defines how inputs, texts and numbers are written):
//
//     springtide replay 1
//     scene "curtain.lua"             up to `start`, the statements may have any order
//     seed 0
//     timestep 0                      s; 0: the scene's own
//     history 536870912               bytes
//     portable 1                      in the portable mode (base/portable.h): the same states on every platform
//     vectors 256                     bits of the vectors that it used; missing in the portable mode
//     set "stiffness" "200"
//     solver 0 "newton"               from that frame on
//     file "curtain.lua" "local ..."  text of a script; "@library/springtide/wind.lua" for a module of the Lua library
//     mesh "body.obj" HASH            a file that the replay does not contain: it must exist, unchanged
//     start HASH MARKS                the marks in the portable mode only
//     at 12 param "bend" "3" 0        an input, after 12 steps
//     state 12 HASH MARKS             the state after a line of a console
//     step 13 HASH MARKS              the state after the 13th step
//     crossings 13 0 "frame 13: no crossing"   the certificate of that state, with `run --certify`
//     digest HASH                     of all bytes before this line
//     end 13                          number of steps
//
// MARKS are two characters per vertex, 12 bits of a hash of its position and velocity, in the order of the bodies. They
// tell where two states differ. With many vertices, not every step has marks.
//
// A replay runs the scripts that it contains: treat a replay of unknown origin like an unknown scene.
#ifndef TIDE_SESSION_REPLAY_H
#define TIDE_SESSION_REPLAY_H

#include "session/live.h"

// --- recording -------------------------------------------------------------------------------------------------------

typedef struct tide_recorder tide_recorder;

// Records all inputs and steps of a live from now on. No step may have been taken. The file exists at once and contains
// every finished frame, so that an interrupted run leaves a replay up to its last whole frame.
tide_status tide_recorder_open(const char *path, tide_live *live, tide_recorder **recorder, tide_error *error);
// Ends the file. Fails if any write has failed; the file then ends with the last frame that was written. NULL does
// nothing.
tide_status tide_recorder_close(tide_recorder *recorder, tide_error *error);

// --- replaying -------------------------------------------------------------------------------------------------------

typedef struct tide_replay tide_replay;

// Reads the file up to `start` and opens its experiment. Errors name the line.
tide_status tide_replay_open(const char *path, bool verify, double time_limit, tide_replay **replay, tide_live **live,
                             tide_error *error);
void tide_replay_close(tide_replay *replay); // NULL does nothing
// Applies the inputs of the current step, then takes the step. At the end of the file it does nothing. A truncated file
// ends after its last whole line, with a warning in the log. With `verify`, fails if the state or its certificate
// differs from the recorded one, or bytes from the digest; the error names the frame and the first vertex that differs.
// Also fails if an input fails that once succeeded, and for a malformed file.
tide_status tide_replay_step(tide_replay *replay, tide_live *live, tide_error *error);
bool tide_replay_is_over(const tide_replay *replay);
// Returns whether the file was read to its end and its bytes agree with its digest; false if it has none.
bool tide_replay_is_whole(const tide_replay *replay);
uint64_t tide_replay_checked(const tide_replay *replay); // number of states that were compared and equal

// Adds the marks of a world's particles to `text`, (2 * particle_count) characters.
void tide_replay_add_marks(tide_world *world, tide_text *text);

#endif

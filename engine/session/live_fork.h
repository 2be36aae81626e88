// A second live experiment in the state of a first, and the state of one given to another. They share nothing that
// changes: the script is run in a Lua state of its own, with the same texts, and takes the snapshot, scene.state in it.
// What a script keeps elsewhere (in its own variables) is as its run left it.
#ifndef TIDE_SESSION_LIVE_FORK_H
#define TIDE_SESSION_LIVE_FORK_H

#include "session/live.h"

// With the settings, solver, timestep and seed that are in force, hands and all. It reads no file again: a reload is to
// be given the texts. `history_limit` as in tide_live_options. Fails as tide_live_open does.
tide_status tide_live_fork(tide_live *from, size_t history_limit, tide_live **fork, tide_error *error);

// Puts `to` into the state of `from`; both are of the same bodies. On failure nothing has changed.
tide_status tide_live_take_state(tide_live *to, tide_live *from, tide_error *error);

// The solver in force as text: the one that was asked for, or the scene's own with the options that are not default.
// What it is that makes no difference may be written differently. Adds to `text`.
void tide_live_write_solver(tide_live *live, tide_text *text);

#endif

// Forks of a live experiment. A fork shares no mutable data with its source: its script runs in its own Lua state, with
// the same texts, and then takes the snapshot and scene.state. What a script keeps elsewhere (in its own variables) is
// as the fork's run left it.
#ifndef TIDE_SESSION_LIVE_FORK_H
#define TIDE_SESSION_LIVE_FORK_H

#include "session/live.h"

// Makes a fork with the current settings, solver, timestep, seed and held vertices. It reads no file again: a reload
// has to provide the texts. `history_limit` is as in tide_live_options. Fails as tide_live_open does.
tide_status tide_live_fork(tide_live *from, size_t history_limit, tide_live **fork, tide_error *error);

// Copies the state of `from` to `to`; both have the same bodies. On failure nothing has changed.
tide_status tide_live_take_state(tide_live *to, tide_live *from, tide_error *error);

// Adds the current solver as text to `text`: as it was asked for, or the scene's own with its options that differ from
// the defaults. Equivalent solvers may be written differently.
void tide_live_write_solver(tide_live *live, tide_text *text);

#endif

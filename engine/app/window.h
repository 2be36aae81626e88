// The window: a running scene to look at, turn and stop. With screen.c the only place that uses SDL.
#ifndef TIDE_APP_WINDOW_H
#define TIDE_APP_WINDOW_H

#include "app/job.h"

// Shows the run in real time until it is over or the window is closed. Fails when there is no display, when a file
// cannot be written, and when the window is closed (or its frames are to be over) while the scene has failed.
tide_status tide_window_run(tide_job *job, tide_error *error);

#endif

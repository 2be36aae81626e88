// The window: a running scene to look at, turn and stop. With screen.c the only place that uses SDL.
#ifndef TIDE_GUI_WINDOW_H
#define TIDE_GUI_WINDOW_H

#include "session/job.h"

// Opens the window as job->window, before the scene has been run: it tells that it runs. job->picture is ready to draw.
// From then on the window is shown, and can be closed, while a script runs. Fails without a display.
tide_status tide_window_open(tide_job *job, tide_error *error);

// Shows the run in real time until it is over or the window is closed, and closes the window. Opens it where it is not
// open yet. Fails when there is no display, when a file cannot be written, and when the window is closed (or its frames
// are to be over) while the scene has failed.
tide_status tide_window_run(tide_job *job, tide_error *error);

void tide_window_close(tide_job *job); // nothing where none is open

#endif

// The window of a running scene: the user looks at it, turns, pauses and changes it. Only screen.c and this use SDL.
#ifndef TIDE_GUI_WINDOW_H
#define TIDE_GUI_WINDOW_H

#include "session/job.h"

// Opens the window as job->window before the scene is run, with a notice that it runs. job->picture is ready to draw.
// From then on the window is shown, and can be closed, while a script runs. Fails without a display.
tide_status tide_window_open(tide_job *job, tide_error *error);

// Shows the run in real time until it is over or the window is closed, then closes the window. Opens it if it is not
// open yet. Fails without a display, if a file cannot be written, and if the window is closed (or its last frame is
// reached) while the scene has failed.
tide_status tide_window_run(tide_job *job, tide_error *error);

void tide_window_close(tide_job *job); // does nothing if none is open

#endif

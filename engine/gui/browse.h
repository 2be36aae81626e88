// The scene browser: the window of `springtide` without a command.
#ifndef TIDE_GUI_BROWSE_H
#define TIDE_GUI_BROWSE_H

#include "session/job.h"

// Returns false if standard output is a pipe or a file, whose reader wants the help, or if there can be no display.
bool tide_browse_is_possible(void);
// Shows the scenes of the scenes folder, with pictures, in a window. Opens the scene that the user chooses, or a file
// dropped on the window, as job->next. If it cannot be opened, the window shows why, and the user can choose another
// one. If the window is closed, job->next stays NULL. Returns false if there is no window or no scenes folder.
bool tide_browse(tide_job *job);

#endif

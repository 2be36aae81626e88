// The scene browser: the window of `springtide` without a command.
#ifndef TIDE_GUI_BROWSE_H
#define TIDE_GUI_BROWSE_H

#include "session/job.h"

// False when standard output goes to a pipe or a file, whose reader wants the help, or when there can be no display.
bool tide_browse_is_possible(void);
// Shows the scenes of the scenes folder, with pictures, in a window. The scene that is chosen, or a file that is
// dropped on the window, is opened as job->next. When it cannot be opened, the window says why, and another can be
// chosen. job->next stays NULL when the window is closed. Returns false when there is no window or no scenes folder.
bool tide_browse(tide_job *job);

#endif

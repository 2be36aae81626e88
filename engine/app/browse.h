// `springtide` alone: a window in which a scene is chosen.
#ifndef TIDE_APP_BROWSE_H
#define TIDE_APP_BROWSE_H

#include "app/job.h"

// Whether standard output is none that wants the help, and there may be a display.
bool tide_browse_is_possible(void);
// Lists the scenes of the scenes folder in a window. The one that is chosen (or a file that is dropped) is opened as
// job->next; why one cannot be opened is told there, and another can be chosen. NULL when the window was closed. False:
// there is no window or no scenes folder.
bool tide_browse(tide_job *job);

#endif

// `springtide` alone: a window in which a scene is chosen.
#ifndef TIDE_APP_BROWSE_H
#define TIDE_APP_BROWSE_H

#include <stdbool.h>
#include <stddef.h>

// Whether standard output is none that wants the help, and there may be a display.
bool tide_browse_is_possible(void);
// Lists the scenes of the scenes folder in a window. `chosen` is the path of the scene (or of a file that was dropped),
// "" when the window was closed. False: there is no window or no scenes folder.
bool tide_browse(char *chosen, size_t size);

#endif

// The notice that a script is running.
#ifndef TIDE_GUI_BUSY_H
#define TIDE_GUI_BUSY_H

#include <stdbool.h>
#include <stddef.h>

// Writes that the scene runs and how to stop it. Returns false while the script has run for less than 0.4 s, when no
// notice is needed. `since` is the clock (tide_clock_seconds) at its start; `watched`: saving a correction stops it.
bool tide_busy_text(const char *scene, double since, bool watched, char *text, size_t size);

#endif

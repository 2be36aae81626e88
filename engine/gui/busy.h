// The notice that a script is running.
#ifndef TIDE_GUI_BUSY_H
#define TIDE_GUI_BUSY_H

#include <stdbool.h>
#include <stddef.h>

// Writes that the scene runs and what stops it. False while the script has run for less than 0.4 s: it needs no notice
// yet. `since` is the clock (tide_clock_seconds) when it began; `watched`: a correction that is saved stops it.
bool tide_busy_text(const char *scene, double since, bool watched, char *text, size_t size);

#endif

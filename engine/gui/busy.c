#include "gui/busy.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>

bool tide_busy_text(const char *scene, double since, bool watched, char *text, size_t size)
{
    const double patience = 0.4;
    double seconds = tide_clock_seconds() - since;
    if (seconds < patience)
        return false;
    snprintf(text, size, "%.200s is running: %.0f s. %s the window stops it.", scene, floor(seconds),
             watched ? "Saving a correction or closing" : "Closing");
    return true;
}

// A small picture of a scene, for a list of scenes. Another process of this program draws it, so that the window stays
// responsive, and a scene that fails, never ends or takes much memory does no harm.
#ifndef TIDE_GUI_PREVIEW_H
#define TIDE_GUI_PREVIEW_H

#include "draw/image.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct tide_preview {
    pid_t process; // 0: none runs
    char *folder;  // temporary, for the process's files; owned
    double started;
    uint32_t width, height;
} tide_preview; // { 0 } is none

// Starts to draw the scene file after some frames. Returns false if no process can be started.
bool tide_preview_start(tide_preview *preview, const char *scene, uint32_t width, uint32_t height);
// Returns whether the process has ended; ends it after ten seconds. `image` then has the picture, or is empty if there
// is none.
bool tide_preview_is_over(tide_preview *preview, tide_image *image);
// Ends the process if one runs.
void tide_preview_stop(tide_preview *preview);

#endif

// A small picture of a scene, for a list of scenes. Another process of this program draws it, so that the window stays
// responsive, and a scene that fails, never ends or takes much memory harms nothing.
#ifndef TIDE_GUI_PREVIEW_H
#define TIDE_GUI_PREVIEW_H

#include "draw/image.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct tide_preview {
    pid_t process; // 0: none runs
    char *folder;  // temporary, for what the process writes; owned
    double started;
    uint32_t width, height;
} tide_preview; // { 0 } is none

// Starts to draw the scene file after some frames. False when no process can be started.
bool tide_preview_start(tide_preview *preview, const char *scene, uint32_t width, uint32_t height);
// Whether the process has ended; one that takes more than ten seconds is ended. The image then has the picture, and is
// empty where there is none.
bool tide_preview_is_over(tide_preview *preview, tide_image *image);
// Ends the process where one runs.
void tide_preview_stop(tide_preview *preview);

#endif

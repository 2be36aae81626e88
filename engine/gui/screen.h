// The window on the screen, and how it shows a picture: by OpenGL if there is a graphics processor, otherwise by SDL's
// renderer. Only window.c and this use SDL.
#ifndef TIDE_GUI_SCREEN_H
#define TIDE_GUI_SCREEN_H

#include "session/picture.h"
#include "session/run_options.h"

#include <SDL.h>

typedef struct tide_screen {
    SDL_Window *window;
    SDL_GLContext context; // NULL: the renderer and the texture show the picture
    SDL_Renderer *renderer;
    SDL_Texture *texture;
    uint32_t texture_width, texture_height;
} tide_screen; // { 0 } is closed

// Opens a window of the picture's size, and gives the picture the OpenGL renderer if `wanted` and the machine allow it.
// Fails only without a display (TIDE_ERROR_STATE; the message names `scene`) or without a window.
tide_status tide_screen_open(tide_screen *screen, tide_picture *picture, tide_renderer wanted, bool fit_display,
                             const char *scene, tide_error *error);
// Takes the OpenGL renderer, which needs the window, from the picture.
void tide_screen_close(tide_screen *screen, tide_picture *picture);

// Returns the size in pixels; false if it is unknown.
bool tide_screen_size(const tide_screen *screen, int *width, int *height);
tide_status tide_screen_show(tide_screen *screen, const tide_picture *picture, tide_error *error);
// Changes to the other renderer.
tide_status tide_screen_switch(tide_screen *screen, tide_picture *picture, tide_error *error);

#endif

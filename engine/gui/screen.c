#include "gui/screen.h"

#include <stdlib.h>
#include <string.h>

static tide_status no_display(const char *scene, tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_STATE, "window", NULL, NULL,
                     "there is no display to open one on; `springtide run %s --headless --png out/%%04d.png` writes "
                     "pictures instead",
                     scene);
}

static bool start_video(void)
{
#ifdef __linux__
    if (!getenv("XDG_RUNTIME_DIR")) // otherwise the Wayland driver logs complaints
        SDL_SetHint(SDL_HINT_VIDEODRIVER, "x11,KMSDRM");
#endif
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    if (SDL_Init(SDL_INIT_VIDEO) != 0)
        return false;
    // SDL falls back to drivers without a display; refuses them unless the user asked for one
    const char *driver = SDL_GetCurrentVideoDriver();
    return driver && (getenv("SDL_VIDEODRIVER") || (strcmp(driver, "offscreen") != 0 && strcmp(driver, "dummy") != 0 &&
                                                    strcmp(driver, "evdev") != 0));
}

static SDL_Window *make_window(int width, int height, Uint32 flags)
{
    return SDL_CreateWindow("Springtide", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height,
                            SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI | flags);
}

// Returns whether the current OpenGL context is emulated on the processor.
static bool is_emulated(void)
{
    const unsigned renderer_name = 0x1F01; // GL_RENDERER
    const unsigned char *(*get_string)(unsigned) = NULL;
    void *found = SDL_GL_GetProcAddress("glGetString");
    memcpy(&get_string, &found, sizeof found); // ISO C has no cast from an object's address to a function's
    const char *name = get_string ? (const char *)get_string(renderer_name) : NULL;
    return name && tide_gl_is_emulator(name);
}

// --- OpenGL ----------------------------------------------------------------------------------------------------------

static void close_context(tide_screen *screen)
{
    if (screen->context)
        SDL_GL_DeleteContext(screen->context);
    if (screen->window)
        SDL_DestroyWindow(screen->window);
    screen->context = NULL;
    screen->window = NULL;
    SDL_GL_ResetAttributes(); // for SDL's own drawing
}

// Opens a window with an OpenGL context and the renderer in it. An emulated context is used only if asked for: SDL's
// renderer copies faster, and the software renderer draws faster.
static tide_status open_context(tide_screen *screen, tide_picture *picture, int width, int height, tide_renderer wanted,
                                tide_error *error)
{
    const bool embedded = wanted == TIDE_RENDERER_OPENGLES, emulated_too = wanted >= TIDE_RENDERER_OPENGL;
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, embedded ? 0 : 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK,
                        embedded ? SDL_GL_CONTEXT_PROFILE_ES : SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0); // the picture has its own depth buffer
    screen->window = make_window(width, height, SDL_WINDOW_OPENGL);
    screen->context = screen->window ? SDL_GL_CreateContext(screen->window) : NULL;
    tide_status status = TIDE_OK;
    if (!screen->context)
        status = tide_fail(error, TIDE_ERROR_STATE, "OpenGL", NULL, NULL, "%s", SDL_GetError());
    else if (!emulated_too && is_emulated())
        status =
            tide_fail(error, TIDE_ERROR_STATE, "OpenGL", NULL, NULL, "there is no graphics processor to draw with");
    if (status == TIDE_OK)
        status = tide_picture_use_opengl(picture, TIDE_GL_CURRENT, error);
    if (status != TIDE_OK)
        close_context(screen);
    else
        SDL_GL_SetSwapInterval(1);
    return status;
}

// Creates the OpenGL renderer in its own context beside SDL's renderer, unless that uses OpenGL: two contexts on one
// thread interfere.
static tide_status open_beside(const tide_screen *screen, tide_picture *picture, tide_gl_host host, tide_error *error)
{
    SDL_RendererInfo info;
    if (SDL_GetRendererInfo(screen->renderer, &info) == 0 && strncmp(info.name, "opengl", 6) == 0)
        return tide_fail(error, TIDE_ERROR_STATE, "OpenGL", NULL, NULL, "SDL's own drawing has it in use");
    return tide_picture_use_opengl(picture, host, error);
}

// --- SDL's own drawing -----------------------------------------------------------------------------------------------

// Returns whether SDL's renderer is emulated OpenGL. SDL's software renderer, which only copies, is several times as
// fast.
static bool is_slow(SDL_Renderer *renderer)
{
    SDL_RendererInfo info;
    if (SDL_GetRendererInfo(renderer, &info) != 0 || strncmp(info.name, "opengl", 6) != 0)
        return false;
    return is_emulated();
}

static SDL_Renderer *make_renderer(SDL_Window *window, bool opengl)
{
    SDL_Renderer *renderer = opengl ? NULL : SDL_CreateRenderer(window, -1, SDL_RENDERER_PRESENTVSYNC);
    if (renderer && (getenv("SDL_RENDER_DRIVER") || !is_slow(renderer)))
        return renderer;
    if (renderer)
        SDL_DestroyRenderer(renderer);
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    return SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE);
}

// --- both ------------------------------------------------------------------------------------------------------------

tide_status tide_screen_open(tide_screen *screen, tide_picture *picture, tide_renderer wanted, bool fit_display,
                             const char *scene, tide_error *error)
{
    if (!start_video())
        return no_display(scene, error);
    SDL_Rect bounds;
    int width = (int)picture->width, height = (int)picture->height;
    if (fit_display && SDL_GetDisplayUsableBounds(0, &bounds) == 0) {
        width = width < bounds.w ? width : bounds.w;
        height = height < bounds.h ? height : bounds.h;
    }
    bool asked = wanted >= TIDE_RENDERER_OPENGL;
    tide_error reason;
    tide_status status = TIDE_OK;
    if (!asked && getenv("SDL_RENDER_DRIVER"))
        status = tide_fail(&reason, TIDE_ERROR_STATE, "OpenGL", NULL, NULL, "SDL_RENDER_DRIVER asks for SDL's drawing");
    else
        status = open_context(screen, picture, width, height, wanted, &reason);
    if (status != TIDE_OK) {
        screen->window = make_window(width, height, 0);
        screen->renderer = screen->window ? make_renderer(screen->window, asked) : NULL;
        if (!screen->renderer)
            return tide_fail(error, TIDE_ERROR_STATE, "window", NULL, NULL, "cannot be opened: %s", SDL_GetError());
        if (asked)
            status = open_beside(screen, picture,
                                 wanted == TIDE_RENDERER_OPENGLES ? TIDE_GL_OFFSCREEN_ES : TIDE_GL_OFFSCREEN, &reason);
    }
    picture->opengl = status == TIDE_OK && wanted != TIDE_RENDERER_SOFTWARE;
    if (status != TIDE_OK && wanted != TIDE_RENDERER_SOFTWARE)
        tide_picture_notice(&reason);
    return TIDE_OK;
}

void tide_screen_close(tide_screen *screen, tide_picture *picture)
{
    tide_picture_drop_opengl(picture);
    if (screen->texture)
        SDL_DestroyTexture(screen->texture);
    if (screen->renderer)
        SDL_DestroyRenderer(screen->renderer);
    close_context(screen);
    *screen = (tide_screen) { 0 };
    SDL_Quit();
}

bool tide_screen_size(const tide_screen *screen, int *width, int *height)
{
    *width = *height = 0;
    if (screen->context)
        SDL_GL_GetDrawableSize(screen->window, width, height);
    else if (SDL_GetRendererOutputSize(screen->renderer, width, height) != 0)
        return false;
    return *width > 0 && *height > 0;
}

static tide_status show_by_opengl(tide_screen *screen, const tide_picture *picture, tide_error *error)
{
    int width, height;
    if (!tide_screen_size(screen, &width, &height))
        return TIDE_OK;
    TIDE_TRY(tide_gl_show(picture->gl, &picture->image, (uint32_t)width, (uint32_t)height, error));
    SDL_GL_SwapWindow(screen->window);
    return TIDE_OK;
}

tide_status tide_screen_show(tide_screen *screen, const tide_picture *picture, tide_error *error)
{
    const tide_image *image = &picture->image;
    if (screen->context)
        return show_by_opengl(screen, picture, error);
    if (!screen->texture || screen->texture_width != image->width || screen->texture_height != image->height) {
        if (screen->texture)
            SDL_DestroyTexture(screen->texture);
        screen->texture = SDL_CreateTexture(screen->renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STREAMING,
                                            (int)image->width, (int)image->height);
        screen->texture_width = image->width;
        screen->texture_height = image->height;
    }
    if (!screen->texture || SDL_UpdateTexture(screen->texture, NULL, image->pixels, (int)(4 * image->width)) != 0 ||
        SDL_RenderCopy(screen->renderer, screen->texture, NULL, NULL) != 0)
        return tide_fail(error, TIDE_ERROR_STATE, "window", NULL, NULL, "the picture cannot be shown: %s",
                         SDL_GetError());
    SDL_RenderPresent(screen->renderer);
    return TIDE_OK;
}

tide_status tide_screen_switch(tide_screen *screen, tide_picture *picture, tide_error *error)
{
    if (!picture->opengl && !picture->gl)
        return open_beside(screen, picture, TIDE_GL_OFFSCREEN, error);
    picture->opengl = !picture->opengl;
    return TIDE_OK;
}

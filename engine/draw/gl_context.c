#include "draw/gl_context.h"

#include "base/memory.h"

#include <dlfcn.h>
#include <epoxy/egl.h>
#include <stdbool.h>
#include <string.h>

// What EGL is asked for
typedef struct kind {
    EGLenum api;
    EGLint bit;
    EGLint version[7];
    const char *libraries[3]; // any of them; NULL ends the list
    const char *no_library, *no_context;
} kind;

static const kind kinds[] = {
    [TIDE_GL_LANGUAGE_DESKTOP] = { EGL_OPENGL_API,
                                   EGL_OPENGL_BIT,
                                   { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE },
                                   { "libOpenGL.so.0", "libGL.so.1", NULL },
                                   "the libraries libEGL.so.1 and libOpenGL.so.0 or libGL.so.1 are not on this machine",
                                   "no driver on this machine gives a context of version 3.3 without a window" },
    [TIDE_GL_LANGUAGE_ES] = { EGL_OPENGL_ES_API,
                              EGL_OPENGL_ES3_BIT,
                              { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE },
                              { "libGLESv2.so.2", NULL },
                              "the libraries libEGL.so.1 and libGLESv2.so.2 are not on this machine",
                              "no driver on this machine gives a context of OpenGL ES 3.0 without a window" },
};

struct tide_gl_context {
    const kind *kind;
    EGLDisplay display;
    EGLContext context;
    EGLSurface surface; // EGL_NO_SURFACE if the context needs none
    struct current {
        EGLDisplay display;
        EGLContext context;
        EGLSurface draw, read;
        EGLenum api;
    } before; // the previous context, to be restored
};

static tide_status fail(tide_error *error, const char *what)
{
    return tide_fail(error, TIDE_ERROR_STATE, "OpenGL", NULL, NULL, "%s", what);
}

// epoxy ends the program if the libraries that it loads are missing.
static bool libraries_are_there(const kind *kind)
{
    if (!epoxy_has_egl())
        return false;
    for (int i = 0; kind->libraries[i]; i++) {
        void *library = dlopen(kind->libraries[i], RTLD_LAZY | RTLD_LOCAL);
        if (library) {
            dlclose(library);
            return true;
        }
    }
    return false;
}

static struct current what_is_current(void)
{
    return (struct current) { eglGetCurrentDisplay(), eglGetCurrentContext(), eglGetCurrentSurface(EGL_DRAW),
                              eglGetCurrentSurface(EGL_READ), eglQueryAPI() };
}

static void put_back(const struct current *before, EGLDisplay display)
{
    if (before->context != EGL_NO_CONTEXT)
        eglMakeCurrent(before->display, before->draw, before->read, before->context);
    else
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglBindAPI(before->api);
}

// Creates a context of the display, and makes it current once to check that it can be. False if the display cannot. A
// display belongs to the whole process (SDL may use it too), so it is never closed.
static bool make_context(tide_gl_context *made, EGLDisplay display, bool needs_surface)
{
    const kind *kind = made->kind;
    const EGLint wanted[] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, kind->bit, EGL_NONE };
    static const EGLint tiny[] = { EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE };
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
        return false;
    *made =
        (tide_gl_context) { .kind = kind, .display = display, .context = EGL_NO_CONTEXT, .surface = EGL_NO_SURFACE };
    struct current before = what_is_current();
    EGLConfig config = EGL_NO_CONFIG_KHR;
    EGLint count = 0;
    bool good = eglBindAPI(kind->api) && eglChooseConfig(display, wanted, &config, 1, &count);
    if (good && !count && !needs_surface && epoxy_has_egl_extension(display, "EGL_KHR_no_config_context"))
        config = EGL_NO_CONFIG_KHR; // for a platform without surfaces
    else
        good = good && count;
    good = good && (made->context = eglCreateContext(display, config, EGL_NO_CONTEXT, kind->version)) != EGL_NO_CONTEXT;
    if (good && (needs_surface || !epoxy_has_egl_extension(display, "EGL_KHR_surfaceless_context")))
        good = (made->surface = eglCreatePbufferSurface(display, config, tiny)) != EGL_NO_SURFACE;
    good = good && eglMakeCurrent(display, made->surface, made->surface, made->context);
    put_back(&before, display);
    if (good)
        return true;
    if (made->surface != EGL_NO_SURFACE)
        eglDestroySurface(display, made->surface);
    if (made->context != EGL_NO_CONTEXT)
        eglDestroyContext(display, made->context);
    return false;
}

static bool find_context(tide_gl_context *made)
{
    enum { MOST_DEVICES = 16 };
    const char *extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    bool platforms = extensions && epoxy_extension_in_string(extensions, "EGL_EXT_platform_base");
    if (platforms && epoxy_extension_in_string(extensions, "EGL_MESA_platform_surfaceless") &&
        make_context(made, eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL), false))
        return true;
    if (platforms && epoxy_extension_in_string(extensions, "EGL_EXT_platform_device") &&
        (epoxy_extension_in_string(extensions, "EGL_EXT_device_enumeration") ||
         epoxy_extension_in_string(extensions, "EGL_EXT_device_base"))) {
        EGLDeviceEXT devices[MOST_DEVICES];
        EGLint count = 0;
        if (!eglQueryDevicesEXT(MOST_DEVICES, devices, &count))
            count = 0;
        for (EGLint i = 0; i < count; i++)
            if (make_context(made, eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL), false))
                return true;
    }
    return make_context(made, eglGetDisplay(EGL_DEFAULT_DISPLAY), true);
}

tide_status tide_gl_context_create(tide_gl_context **context, tide_gl_language language, tide_error *error)
{
    const kind *kind = &kinds[language];
    if (!libraries_are_there(kind))
        return fail(error, kind->no_library);
    tide_gl_context *made = tide_allocate_zeroed(1, sizeof *made);
    if (!made)
        return tide_fail_memory(error, "OpenGL");
    made->kind = kind;
    if (!find_context(made)) {
        tide_free(made);
        return fail(error, kind->no_context);
    }
    *context = made;
    return TIDE_OK;
}

void tide_gl_context_destroy(tide_gl_context *context)
{
    if (!context)
        return;
    if (context->surface != EGL_NO_SURFACE)
        eglDestroySurface(context->display, context->surface);
    eglDestroyContext(context->display, context->context);
    tide_free(context);
}

tide_status tide_gl_context_enter(tide_gl_context *context, tide_error *error)
{
    context->before = what_is_current();
    if (eglBindAPI(context->kind->api) &&
        eglMakeCurrent(context->display, context->surface, context->surface, context->context))
        return TIDE_OK;
    eglBindAPI(context->before.api);
    return fail(error, "its context cannot be used on this thread, where another one is in use");
}

void tide_gl_context_leave(tide_gl_context *context)
{
    put_back(&context->before, context->display);
}

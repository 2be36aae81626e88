#include "draw/gl_context.h"

#include "base/memory.h"

#include <dlfcn.h>
#include <epoxy/egl.h>
#include <stdbool.h>
#include <string.h>

struct tide_gl_context {
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
static bool libraries_are_there(void)
{
    static const char *const names[] = { "libOpenGL.so.0", "libGL.so.1" };
    if (!epoxy_has_egl())
        return false;
    for (int i = 0; i < 2; i++) {
        void *library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
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
    static const EGLint version[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE
    };
    static const EGLint wanted[] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE };
    static const EGLint tiny[] = { EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE };
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
        return false;
    *made = (tide_gl_context) { .display = display, .context = EGL_NO_CONTEXT, .surface = EGL_NO_SURFACE };
    struct current before = what_is_current();
    EGLConfig config = EGL_NO_CONFIG_KHR;
    EGLint count = 0;
    bool good = eglBindAPI(EGL_OPENGL_API) && eglChooseConfig(display, wanted, &config, 1, &count);
    if (good && !count && !needs_surface && epoxy_has_egl_extension(display, "EGL_KHR_no_config_context"))
        config = EGL_NO_CONFIG_KHR; // for a platform without surfaces
    else
        good = good && count;
    good = good && (made->context = eglCreateContext(display, config, EGL_NO_CONTEXT, version)) != EGL_NO_CONTEXT;
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

tide_status tide_gl_context_create(tide_gl_context **context, tide_error *error)
{
    if (!libraries_are_there())
        return fail(error, "the libraries libEGL.so.1 and libOpenGL.so.0 or libGL.so.1 are not on this machine");
    tide_gl_context *made = tide_allocate_zeroed(1, sizeof *made);
    if (!made)
        return tide_fail_memory(error, "OpenGL");
    if (!find_context(made)) {
        tide_free(made);
        return fail(error, "no driver on this machine gives a context of version 3.3 without a window");
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
    if (eglBindAPI(EGL_OPENGL_API) &&
        eglMakeCurrent(context->display, context->surface, context->surface, context->context))
        return TIDE_OK;
    eglBindAPI(context->before.api);
    return fail(error, "its context cannot be used on this thread, where another one is in use");
}

void tide_gl_context_leave(tide_gl_context *context)
{
    put_back(&context->before, context->display);
}

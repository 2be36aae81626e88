// The context of a browser: WebGL 2 on the canvas that the page gave to the worker, `Module.canvas`.
#include "draw/gl_context.h"

#include "base/memory.h"

#include <emscripten.h>

struct tide_gl_context {
    int handle; // in emscripten's table of contexts
};

// The picture has its own samples and its own depths: the canvas needs none.
EM_JS(int, make_context, (void), {
    var canvas = Module["canvas"];
    return canvas ? GL.createContext(canvas, {
        alpha : false,
        antialias : false,
        depth : false,
        stencil : false,
        premultipliedAlpha : true,
        preserveDrawingBuffer : false,
        powerPreference : "high-performance",
        majorVersion : 2,
        minorVersion : 0,
        enableExtensionsByDefault : true
    })
                  : 0;
})

EM_JS(int, use_context, (int handle), { return GL.makeContextCurrent(handle); })

EM_JS(void, free_context, (int handle), { GL.deleteContext(handle); })

tide_status tide_gl_context_create(tide_gl_context **context, tide_gl_language language, tide_error *error)
{
    if (language != TIDE_GL_LANGUAGE_ES)
        return tide_fail(error, TIDE_ERROR_STATE, "OpenGL", NULL, NULL, "a browser has WebGL only; ask for that");
    int handle = make_context();
    if (!handle)
        return tide_fail(error, TIDE_ERROR_STATE, "WebGL", NULL, NULL,
                         "this browser gives no context of WebGL 2 for the canvas");
    tide_gl_context *made = tide_allocate_zeroed(1, sizeof *made);
    if (!made) {
        free_context(handle);
        return tide_fail_memory(error, "WebGL");
    }
    made->handle = handle;
    *context = made;
    return TIDE_OK;
}

void tide_gl_context_destroy(tide_gl_context *context)
{
    if (!context)
        return;
    free_context(context->handle);
    tide_free(context);
}

tide_status tide_gl_context_enter(tide_gl_context *context, tide_error *error)
{
    if (use_context(context->handle))
        return TIDE_OK;
    return tide_fail(error, TIDE_ERROR_STATE, "WebGL", NULL, NULL, "the context of the canvas is gone");
}

// A worker has one context: it stays current.
void tide_gl_context_leave(tide_gl_context *context)
{
    (void)context;
}

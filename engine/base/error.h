// Errors: the status that every function that can fail returns, and the parts of its message.
//
// A function that can fail takes a `tide_error *` last (may be NULL) and returns a tide_status. On failure it fills the
// error and leaves its outputs unchanged. Nothing in the engine exits or aborts on bad input.
//
//     tide_error error;
//     char text[1024];
//     if (tide_mesh_load("ball.obj", &mesh, &error) != TIDE_OK)
//         fprintf(stderr, "%s\n", tide_error_text(&error, text, sizeof text));
//
// Ownership: an error is a plain struct of the caller; it holds copies of all texts. Threads: each uses its own error.
#ifndef TIDE_BASE_ERROR_H
#define TIDE_BASE_ERROR_H

#include <stddef.h>

typedef enum tide_status {
    TIDE_OK,
    TIDE_ERROR_ARGUMENT, // a value from outside is out of range, of the wrong type, or unknown
    TIDE_ERROR_MEMORY,   // an allocation failed
    TIDE_ERROR_FILE,     // a file cannot be opened, read or written
    TIDE_ERROR_FORMAT,   // the content of a file is malformed
    TIDE_ERROR_NUMERIC,  // a step diverged, a matrix is not positive definite
    TIDE_ERROR_STATE,    // the call is not possible now: a stale id, a snapshot of another world
    TIDE_ERROR_SCRIPT    // a script failed to load or to run
} tide_status;

typedef struct tide_error {
    tide_status status;
    char where[256];  // "file:line" of the script or input file; "" when unknown
    char object[96];  // the thing at fault: `body "curtain"`, `solver "local_global"`, a file's path
    char field[64];   // its field, argument or option; "" for none
    char value[96];   // the refused value, as text; "" for none
    char remedy[512]; // what is wrong and what to do
} tide_error;

// Fills `error` (may be NULL); `where` is left empty. `field` and `value` may be NULL.
__attribute__((format(printf, 6, 7))) void tide_error_set(tide_error *error, tide_status status, const char *object,
                                                          const char *field, const char *value, const char *remedy,
                                                          ...);

// Use: return tide_fail(error, status, object, field, value, remedy, ...). Calls tide_error_set and gives `status`. It
// is a macro, so that compilers see that the call fails.
#define tide_fail(error, status, ...) (tide_error_set((error), (status), __VA_ARGS__), tide_failed(status))
static inline tide_status tide_failed(tide_status status)
{
    return status;
}

// tide_fail for a failed allocation; `object` names what was to be allocated.
#define tide_fail_memory(error, object)                                                                                \
    tide_fail((error), TIDE_ERROR_MEMORY, (object), NULL, NULL,                                                        \
              "out of memory; use a smaller mesh or free memory and try again")

// TIDE_TRY(call): returns the status of a call that fails from the function around it. What that function owns must be
// released by its scope (TIDE_SCOPED) or by its caller.
#define TIDE_TRY(call)                                                                                                 \
    do {                                                                                                               \
        const tide_status tried = (call);                                                                              \
        if (tried != TIDE_OK)                                                                                          \
            return tried;                                                                                              \
    } while (0)

// Sets `where` unless it is already set: the innermost place is the most precise.
void tide_error_locate(tide_error *error, const char *file, int line);

// Writes "where: object: field = value: remedy" (without absent parts), zero-terminated. Control characters are shown
// as \xNN (tide_visible_text). Returns `text`.
char *tide_error_text(const tide_error *error, char *text, size_t size);

#endif

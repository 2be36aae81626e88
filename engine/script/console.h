// A console: lines of Lua against the scene of a tide_script, as it is now.
//
// A line runs in an environment of its own that sees the script's: what the script has as globals, and `scene` (the
// live one), `tide` and `print` (to the host). Locals of a line end with it; a global stays, the script's own where the
// script has one of that name, else the console's. Once the script has been run again, those of the console that are
// plain data, and functions without upvalues, are still there.
//
// An expression's values are printed, tables to a depth. A line is all or nothing for the world: after an error its
// bodies, colliders, settings, state, solver and callbacks are as before, and so are globals, though not what is inside
// of tables that they hold.
#ifndef TIDE_SCRIPT_CONSOLE_H
#define TIDE_SCRIPT_CONSOLE_H

#include "base/text.h"
#include "script/script.h"

enum { TIDE_CONSOLE_MEMORY = 1 << 30 }; // bytes that the Lua state may grow by in one line

// Whoever runs lines; any of its functions may be NULL.
typedef struct tide_console_host {
    void (*print)(void *context, const char *bytes, size_t size); // what a line prints, as it comes
    void (*stepped)(void *context); // after each step of the script's scene that a line takes
    void *context;
} tide_console_host;

// Runs a line, or several; "=expression" and a bare expression print its values. It is stopped when it takes longer
// than the script's time limit, grows by more than TIDE_CONSOLE_MEMORY, or at tide_script_interrupt. Places in errors
// are "console:1". *changed (may be NULL): whether the world is another one than before: its state, settings, solver
// or what is in it.
tide_status tide_script_evaluate(tide_script *script, const char *line, const tide_console_host *host, bool *changed,
                                 tide_error *error);

// Whether the line is the beginning of a statement that goes on in the next.
bool tide_script_is_unfinished(tide_script *script, const char *line);

// The names that may stand where the text ends: of globals, of fields of tables, of members of what is the engine's,
// and within scene:body("... and scene:collider("... of these. `names` gets them in order, a line each; *length of the
// text's last bytes are what has been written of the name.
tide_status tide_script_complete(tide_script *script, const char *text, tide_text *names, size_t *length,
                                 tide_error *error);
// The length of the beginning that names, a line each, have in common, in bytes.
size_t tide_common_beginning(const char *names);

// Gives one script's console what the other's has kept, as over a run of the script.
void tide_script_share_console(tide_script *from, tide_script *to);

// Stops the line that is being run, if any. May be called by a signal's handler of the thread that runs it.
void tide_script_interrupt(tide_script *script);

#endif

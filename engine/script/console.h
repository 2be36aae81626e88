// A console: runs lines of Lua against the current scene of a tide_script.
//
// A line runs in an environment of its own, on top of the script's. It sees the script's globals, the live `scene`,
// `tide`, and `print` (which writes to the host). Locals end with the line. An assigned global stays: it is the
// script's if the script has one of that name, else the console's. A reload keeps the console's globals that are plain
// data or functions without upvalues other than their globals.
//
// The console prints the values of an expression, and nested tables to a limited depth. A failed line is rolled back:
// bodies, colliders, settings, state, solver and callbacks of the world are as before, and so are globals, but not the
// contents of tables that globals hold.
#ifndef TIDE_SCRIPT_CONSOLE_H
#define TIDE_SCRIPT_CONSOLE_H

#include "base/text.h"
#include "script/script.h"

enum { TIDE_CONSOLE_MEMORY = 1 << 30 }; // bytes by which the Lua state may grow in one line

// The host of a console. Any of its functions may be NULL.
typedef struct tide_console_host {
    void (*print)(void *context, const char *bytes, size_t size); // receives output as the line prints it
    void (*stepped)(void *context); // called after each step of the script's scene that a line takes
    void *context;
} tide_console_host;

// Runs one line or several. "=expression" and a bare expression print their values. The line is stopped if it exceeds
// the script's time limit, grows memory by more than TIDE_CONSOLE_MEMORY, or is interrupted by tide_script_interrupt.
// Errors give locations as "console:1". *changed (may be NULL) tells whether the line changed the world: its state,
// settings, solver or objects.
tide_status tide_script_evaluate(tide_script *script, const char *line, const tide_console_host *host, bool *changed,
                                 tide_error *error);

// Tells whether the line is the beginning of a statement that continues in the next line.
bool tide_script_is_unfinished(tide_script *script, const char *line);

// Completes the name at the end of the text: a global, a field of a table, a member of an engine object, or a name of a
// body or collider inside scene:body("... and scene:collider("... `names` receives the candidates in order, one per
// line. *length is the number of bytes at the end of the text that are already part of the name.
tide_status tide_script_complete(tide_script *script, const char *text, tide_text *names, size_t *length,
                                 tide_error *error);
// Returns the length in bytes of the longest common prefix of the names, which are one per line.
size_t tide_common_beginning(const char *names);

// Copies the console's globals of one script to another, as a reload does.
void tide_script_share_console(tide_script *from, tide_script *to);

// Stops the running line, if any. A signal handler of the thread that runs it may call this.
void tide_script_interrupt(tide_script *script);

#endif

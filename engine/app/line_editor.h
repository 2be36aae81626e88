// Reads lines that a person types at a terminal, with editing, history and completion (libedit), or the lines of a file
// or pipe as they are. Keys: Left, Right, Home, End (Ctrl+A, Ctrl+E), Up and Down for earlier lines, Backspace, Delete,
// Ctrl+W (a word), Ctrl+U (to the beginning), Ctrl+K (to the end), Ctrl+L (clears the screen), Tab, Ctrl+C (gives the
// line up), Ctrl+D (ends, on an empty line). Not thread-safe: one editor at a time.
#ifndef TIDE_APP_LINE_EDITOR_H
#define TIDE_APP_LINE_EDITOR_H

#include "base/text.h"

typedef struct tide_line_editor tide_line_editor;

// Adds to `names` what may stand where the text ends, a line each; *length of its last bytes are what is written of the
// name.
typedef void tide_line_completer(void *context, const char *text, tide_text *names, size_t *length);

// Edits where standard input and output are a terminal.
tide_status tide_line_editor_create(tide_line_completer *complete, void *context, tide_line_editor **editor,
                                    tide_error *error);
void tide_line_editor_destroy(tide_line_editor *editor); // NULL does nothing
bool tide_line_editor_is_terminal(const tide_line_editor *editor);

typedef enum tide_line_end { TIDE_LINE_READ, TIDE_LINE_GIVEN_UP, TIDE_LINE_OVER } tide_line_end;

// Reads the next line, without its end, valid until the next call. The prompt is for a terminal only. A line with a
// zero byte ends there.
tide_line_end tide_line_editor_read(tide_line_editor *editor, const char *prompt, const char **line);
// Adds a line to those that Up brings back, unless it is the last of them.
void tide_line_editor_remember(tide_line_editor *editor, const char *line);

#endif

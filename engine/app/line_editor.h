// Reads lines from a terminal, with editing, history and completion (libedit), or plain lines from a file or pipe.
// Keys: Left, Right, Home, End (Ctrl+A, Ctrl+E), Up and Down for earlier lines, Backspace, Delete, Ctrl+W (deletes a
// word), Ctrl+U (deletes to the beginning), Ctrl+K (deletes to the end), Ctrl+L (clears the screen), Tab, Ctrl+C (drops
// the line), Ctrl+D (ends, on an empty line). Not thread-safe: there is one editor at a time.
#ifndef TIDE_APP_LINE_EDITOR_H
#define TIDE_APP_LINE_EDITOR_H

#include "base/text.h"

typedef struct tide_line_editor tide_line_editor;

// Adds the names that can complete `text` at its end to `names`, one per line. *length is how many bytes at the end of
// `text` are the beginning of the name.
typedef void tide_line_completer(void *context, const char *text, tide_text *names, size_t *length);

// Creates an editor. It edits if both standard input and standard output are terminals.
tide_status tide_line_editor_create(tide_line_completer *complete, void *context, tide_line_editor **editor,
                                    tide_error *error);
void tide_line_editor_destroy(tide_line_editor *editor); // NULL does nothing
bool tide_line_editor_is_terminal(const tide_line_editor *editor);

typedef enum tide_line_end { TIDE_LINE_READ, TIDE_LINE_GIVEN_UP, TIDE_LINE_OVER } tide_line_end;

// Reads the next line, without its line end, valid until the next call. The prompt is printed on a terminal only. A
// zero byte ends a line.
tide_line_end tide_line_editor_read(tide_line_editor *editor, const char *prompt, const char **line);
// Adds a line to the history, unless it equals the last one.
void tide_line_editor_remember(tide_line_editor *editor, const char *line);

#endif

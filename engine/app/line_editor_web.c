// The page has a console of its own; there is no terminal.
#include "app/line_editor.h"

tide_status tide_line_editor_create(tide_line_completer *complete, void *context, tide_line_editor **editor,
                                    tide_error *error)
{
    (void)complete;
    (void)context;
    *editor = NULL;
    return tide_fail(error, TIDE_ERROR_STATE, "repl", NULL, NULL, "this build has no prompt; the page has a console");
}

void tide_line_editor_destroy(tide_line_editor *editor)
{
    (void)editor;
}

bool tide_line_editor_is_terminal(const tide_line_editor *editor)
{
    (void)editor;
    return false;
}

tide_line_end tide_line_editor_read(tide_line_editor *editor, const char *prompt, const char **line)
{
    (void)editor;
    (void)prompt;
    *line = NULL;
    return TIDE_LINE_OVER;
}

void tide_line_editor_remember(tide_line_editor *editor, const char *line)
{
    (void)editor;
    (void)line;
}

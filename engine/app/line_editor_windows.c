// Plain lines: the console of Windows edits them, with a history of its own.
#include "app/line_editor.h"

#include "base/memory.h"

struct tide_line_editor {
    tide_text line;
    bool terminal;
};

tide_status tide_line_editor_create(tide_line_completer *complete, void *context, tide_line_editor **out,
                                    tide_error *error)
{
    (void)complete;
    (void)context;
    tide_line_editor *editor = tide_allocate_zeroed(1, sizeof *editor);
    if (!editor)
        return tide_fail_memory(error, "prompt");
    editor->terminal = isatty(0) && isatty(1);
    *out = editor;
    return TIDE_OK;
}

void tide_line_editor_destroy(tide_line_editor *editor)
{
    if (!editor)
        return;
    tide_text_free(&editor->line);
    tide_free(editor);
}

bool tide_line_editor_is_terminal(const tide_line_editor *editor)
{
    return editor->terminal;
}

tide_line_end tide_line_editor_read(tide_line_editor *editor, const char *prompt, const char **line)
{
    char piece[512];
    if (editor->terminal) {
        fputs(prompt, stdout);
        fflush(stdout);
    }
    tide_text_free(&editor->line);
    editor->line = (tide_text) { 0 };
    while (fgets(piece, sizeof piece, stdin)) {
        size_t length = strcspn(piece, "\r\n");
        bool whole = piece[length] != '\0';
        tide_text_add(&editor->line, piece, length);
        if (!whole && !feof(stdin))
            continue;
        *line = editor->line.bytes ? editor->line.bytes : "";
        return editor->line.failed ? TIDE_LINE_OVER : TIDE_LINE_READ;
    }
    return TIDE_LINE_OVER;
}

void tide_line_editor_remember(tide_line_editor *editor, const char *line)
{
    (void)editor;
    (void)line;
}

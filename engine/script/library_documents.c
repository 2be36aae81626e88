// Documents the Lua library, scripts/springtide, in the reference page and in the annotation file. Reads the
// annotations of its modules.
#include "script/binding.h"
#include "script/documents.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char *const modules[] = { "wind", "bristles", "motion", "creatures", "dancer", "lab", NULL };

// The comment above a function or class.
typedef struct comment {
    tide_text help;    // its text lines
    tide_text takes;   // "scene: tide.Scene, body: tide.Body"
    tide_text returns; // ": springtide.Wind", or ""
    bool of_class;     // its lines are copied as they are
} comment;

typedef struct writer {
    tide_text *out;
    bool annotations; // writes annotations instead of the page
    comment comment;
    bool in_header;
} writer;

static void clear(comment *c)
{
    tide_text_clear(&c->help);
    tide_text_clear(&c->takes);
    tide_text_clear(&c->returns);
    c->of_class = false;
}

static const char *after(const char *line, const char *start)
{
    size_t length = strlen(start);
    return strncmp(line, start, length) == 0 ? line + length : NULL;
}

// Returns the text after its first word, whose length it sets.
static const char *split(const char *text, int *length)
{
    *length = (int)strcspn(text, " ");
    return text + *length + strspn(text + *length, " ");
}

static void add_parameter(comment *c, const char *text)
{
    int length;
    const char *type = split(text, &length);
    tide_text_format(&c->takes, "%s%.*s: %.*s", c->takes.length ? ", " : "", length, text, (int)strcspn(type, "#"),
                     type);
    while (c->takes.length && c->takes.bytes[c->takes.length - 1] == ' ')
        c->takes.bytes[--c->takes.length] = '\0';
}

static void write_field(writer *w, const char *text)
{
    int length;
    const char *type = split(text, &length), *mark = strstr(type, " # ");
    int size = mark ? (int)(mark - type) : (int)strlen(type);
    if (!w->annotations)
        tide_text_format(w->out, "- `%.*s: %.*s` %s\n", length, text, size, type, mark ? mark + 3 : "");
}

static void begin_class(writer *w, const char *name)
{
    w->comment.of_class = true;
    if (!w->annotations)
        tide_text_format(w->out, "\n#### %s\n%s\n\n", name, w->comment.help.length ? w->comment.help.bytes : "");
}

static void read_comment(writer *w, const char *text)
{
    comment *c = &w->comment;
    const char *rest;
    if ((rest = after(text, "@param ")))
        add_parameter(c, rest);
    else if ((rest = after(text, "@return ")))
        tide_text_format(&c->returns, "%s%s", c->returns.length ? ", " : ": ", rest);
    else if ((rest = after(text, "@class ")))
        begin_class(w, rest);
    else if ((rest = after(text, "@field ")))
        write_field(w, rest);
    else if (text[0] != '@')
        tide_text_format(&c->help, "%s%s", c->help.length ? " " : "", text);
}

static void write_function(writer *w, const char *name)
{
    const comment *c = &w->comment;
    const char *help = c->help.length ? c->help.bytes : "", *takes = c->takes.length ? c->takes.bytes : "";
    const char *returns = c->returns.length ? c->returns.bytes : "";
    int length = (int)strcspn(name, "("), owner = (int)strcspn(name, ".:");
    if (!w->annotations)
        tide_text_format(w->out, "\n- `%.*s(%s)%s` %s\n", length, name, takes, returns, help);
    else if (name[owner] == '.')
        tide_text_format(w->out, "---@field %.*s fun(%s)%s # %s\n", length - owner - 1, name + owner + 1, takes,
                         returns, help);
}

// Writes a line of the comment at the head of a module. Indented lines are code.
static void write_header(writer *w, const char *text)
{
    if (!w->annotations)
        tide_text_format(w->out, "%s%s\n", strncmp(text, "   ", 3) == 0 ? "  " : "", text[0] == ' ' ? text + 1 : text);
}

static void read_line(writer *w, const char *line)
{
    const char *text;
    if (w->in_header && (text = after(line, "--")) && text[0] != '-') {
        write_header(w, text);
        return;
    }
    w->in_header = false;
    if ((text = after(line, "---"))) {
        if (w->comment.of_class && text[0] != '@')
            clear(&w->comment);
        read_comment(w, text);
        return;
    }
    if ((text = after(line, "function ")) && w->comment.help.length && !w->comment.of_class)
        write_function(w, text);
    clear(&w->comment);
}

// Reads a line without its line break and cuts a long one. Returns false at the end of the file.
static bool next_line(FILE *file, char *line, int size)
{
    if (!fgets(line, size, file))
        return false;
    size_t length = strcspn(line, "\n");
    for (int c = line[length] ? '\n' : 0; c != '\n' && c != EOF;)
        c = fgetc(file);
    line[length] = '\0';
    return true;
}

static tide_status write_module(writer *w, const char *name, const char *folder, tide_error *error)
{
    char path[PATH_MAX], line[1024];
    if ((size_t)snprintf(path, sizeof path, "%s/springtide/%s.lua", folder, name) >= sizeof path)
        return tide_fail(error, TIDE_ERROR_FILE, "Lua library", NULL, folder, "expected a shorter path");
    FILE *file = fopen(path, "r");
    if (!file)
        return tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL, "cannot be read; it belongs to the Lua library");
    if (w->annotations)
        tide_text_format(w->out, "---What `require \"springtide.%s\"` returns.\n---@class springtide.%c%sModule\n",
                         name, toupper((unsigned char)name[0]), name + 1);
    else
        tide_text_format(w->out, "\n### springtide.%s\n", name);
    w->in_header = true;
    while (next_line(file, line, sizeof line))
        read_line(w, line);
    fclose(file);
    tide_text_format(w->out, "\n");
    clear(&w->comment);
    return TIDE_OK;
}

tide_status tide_document_library(tide_text *out, bool annotations, tide_error *error)
{
    char folder[PATH_MAX];
    writer w = { .out = out, .annotations = annotations };
    tide_status status = TIDE_OK;
    tide_library_find(folder, sizeof folder);
    if (!folder[0])
        return tide_fail(error, TIDE_ERROR_FILE, "Lua library", NULL, NULL,
                         "not found beside the program; set SPRINGTIDE_SCRIPTS to Springtide's folder scripts");
    for (size_t i = 0; status == TIDE_OK && modules[i]; i++)
        status = write_module(&w, modules[i], folder, error);
    tide_text_free(&w.comment.help);
    tide_text_free(&w.comment.takes);
    tide_text_free(&w.comment.returns);
    return status;
}

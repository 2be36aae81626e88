// `reference`: the field tables as a page to read or as annotations for editors.
#include "app/commands.h"
#include "script/documents.h"
#include "session/output.h"

#include <stdio.h>
#include <string.h>

static bool ends_in(const char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    return length > end && strcmp(text + length - end, ending) == 0;
}

static tide_exit run_command(const char *const *subjects, void *unused)
{
    (void)unused;
    const char *path = subjects[0];
    tide_text text = { 0 };
    tide_error error;
    if (!ends_in(path, ".md") && !ends_in(path, ".lua")) {
        tide_fail(&error, TIDE_ERROR_ARGUMENT, "command line", NULL, path,
                  "expected a name that ends in .md (the page) or .lua (annotations for editors)");
        tide_report_error(&error);
        return TIDE_EXIT_USAGE;
    }
    tide_status status = tide_make_folders(path, &error);
    if (status == TIDE_OK)
        status = tide_document_write(ends_in(path, ".md") ? "reference" : "annotations", NULL, &text, &error);
    if (status == TIDE_OK)
        status = tide_text_save(&text, path, path, &error);
    tide_text_free(&text);
    return status == TIDE_OK ? TIDE_EXIT_DONE : tide_report_error(&error);
}

const tide_command tide_command_reference = {
    "reference", "FILE", "write the reference of the scene language",
    "FILE.md is the reference page (Markdown); FILE.lua is the annotation file from which editors complete.",
    .run = run_command
};

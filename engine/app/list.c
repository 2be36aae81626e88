// `solvers`, `meshes`, `shapes` and `elements`: lists of what is available, from the field tables.
#include "app/commands.h"
#include "script/documents.h"

#include <stdio.h>

static tide_exit print_list(const char *which, const char *name)
{
    tide_text text = { 0 };
    tide_error error;
    tide_status status = tide_document_write(which, name, &text, &error);
    if (status == TIDE_OK)
        fwrite(text.bytes, 1, text.length, stdout);
    tide_text_free(&text);
    if (status == TIDE_OK)
        return TIDE_EXIT_DONE;
    tide_report_error(&error);
    return status == TIDE_ERROR_ARGUMENT ? TIDE_EXIT_USAGE : TIDE_EXIT_FAILED;
}

#define LIST(command, text)                                                                                            \
    static tide_exit list_##command(const char *const *subjects, void *unused)                                         \
    {                                                                                                                  \
        (void)unused;                                                                                                  \
        return print_list(#command, subjects[0]);                                                                      \
    }                                                                                                                  \
    const tide_command tide_command_##command = { #command, "[NAME]", text, .run = list_##command };
LIST(solvers, "list the solvers and their options")
LIST(meshes, "list the mesh builders and their options")
LIST(shapes, "list the shapes of colliders and their options")
LIST(elements, "list the kinds of element of bodies and their parameters")

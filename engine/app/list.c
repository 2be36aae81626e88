// `solvers`, `meshes` and `shapes`: lists of what is available, from the field tables.
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

tide_exit tide_command_solvers(const tide_arguments *arguments)
{
    return print_list("solvers", arguments->subject);
}

tide_exit tide_command_meshes(const tide_arguments *arguments)
{
    return print_list("meshes", arguments->subject);
}

tide_exit tide_command_shapes(const tide_arguments *arguments)
{
    return print_list("shapes", arguments->subject);
}

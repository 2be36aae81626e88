// `reference`: writes the reference of the scene language by scripts/springtide/commands/reference.lua.
#include "app/commands.h"
#include "app/program.h"

static tide_exit run_command(const char *const *subjects, void *unused)
{
    (void)unused;
    return tide_module_run("springtide.commands.reference", subjects, (const tide_lab_option[]) { { 0 } }, NULL, NULL);
}

const tide_command tide_command_reference = {
    "reference", "FILE", "write the reference of the scene language",
    "FILE.md is the reference page (Markdown); FILE.lua is the annotation file from which editors complete.",
    .run = run_command
};

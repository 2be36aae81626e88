// `new`: writes a scene to start from by scripts/springtide/commands/new.lua.
#include "app/commands.h"
#include "app/program.h"

static tide_exit run_command(const char *const *subjects, void *unused)
{
    (void)unused;
    return tide_module_run("springtide.commands.new", subjects, (const tide_lab_option[]) { { 0 } }, NULL, NULL);
}

const tide_command tide_command_new = { "new", "NAME", "write NAME.lua, a short scene to start from",
                                        "A file that exists is left alone.", .run = run_command };

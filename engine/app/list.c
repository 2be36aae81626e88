// `solvers`, `meshes`, `shapes`, `elements` and `materials`: lists of what is available, by
// scripts/springtide/commands/list.lua.
#include "app/commands.h"
#include "app/program.h"

#define LIST(command, text)                                                                                            \
    static tide_exit list_##command(const char *const *subjects, void *unused)                                         \
    {                                                                                                                  \
        static const tide_lab_option which[] = { { "which", #command, 0 }, { 0 } };                                    \
        (void)unused;                                                                                                  \
        return tide_module_run("springtide.commands.list", subjects, which, NULL, NULL);                               \
    }                                                                                                                  \
    const tide_command tide_command_##command = { #command, "[NAME]", text, .run = list_##command };
LIST(solvers, "list the solvers and their options")
LIST(meshes, "list the mesh builders and their options")
LIST(shapes, "list the shapes of colliders and their options")
LIST(elements, "list the kinds of element of bodies and their parameters")
LIST(materials, "list the materials of bodies and their options")

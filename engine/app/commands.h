// The program's commands, each in a file of its own. The table of them is in command_line.c.
#ifndef TIDE_APP_COMMANDS_H
#define TIDE_APP_COMMANDS_H

#include "app/command_line.h"

tide_exit tide_command_run(const tide_arguments *arguments);
struct tide_next;
tide_exit tide_run_next(struct tide_next *next); // runs a scene that was opened in a window; frees `next`
tide_exit tide_command_solvers(const tide_arguments *arguments);
tide_exit tide_command_meshes(const tide_arguments *arguments);
tide_exit tide_command_shapes(const tide_arguments *arguments);
tide_exit tide_command_check(const tide_arguments *arguments);
tide_exit tide_command_convergence(const tide_arguments *arguments);
tide_exit tide_command_compare(const tide_arguments *arguments);
tide_exit tide_command_bench(const tide_arguments *arguments);
tide_exit tide_command_repl(const tide_arguments *arguments);
tide_exit tide_command_new(const tide_arguments *arguments);
tide_exit tide_command_test(const tide_arguments *arguments);
tide_exit tide_command_reference(const tide_arguments *arguments);

#endif

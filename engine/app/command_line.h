// The command line: one table of commands and one of options read it, refuse what is wrong, and print the help.
#ifndef TIDE_APP_COMMAND_LINE_H
#define TIDE_APP_COMMAND_LINE_H

#include "session/run_options.h"

// Does what the command line says. What is wrong with it goes to standard error.
tide_exit tide_command_line_run(int count, char **words);

#endif

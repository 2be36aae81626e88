// The command line: reads it by the list of commands and their tables of options, refuses errors, and prints the help.
#ifndef TIDE_APP_COMMAND_LINE_H
#define TIDE_APP_COMMAND_LINE_H

#include "session/run_options.h"

// Runs the command of a command line. Errors in it go to standard error.
tide_exit tide_command_line_run(int count, char **words);

#endif

// The options of the command line: a table whose readers check a text and store its value.
#ifndef TIDE_APP_OPTIONS_H
#define TIDE_APP_OPTIONS_H

#include "app/command_line.h"

enum {
    TIDE_OPTION_RUN = 1,
    TIDE_OPTION_CONVERGENCE = 2,
    TIDE_OPTION_CHECK = 4,
    TIDE_OPTION_BENCH = 8,
    TIDE_OPTION_REPL = 16,
    TIDE_OPTION_COMPARE = 32
};
enum { TIDE_OPTION_MAX = 64 }; // most options in the table

typedef struct tide_option {
    const char *name, *argument, *help; // argument NULL: a switch; `text` is then NULL
    tide_status (*read)(tide_arguments *to, const char *name, const char *text, tide_error *error);
    unsigned commands; // the commands that take it; two commands may use one name for different options
} tide_option;
extern const tide_option tide_options[]; // ends with an option whose name is NULL

#endif

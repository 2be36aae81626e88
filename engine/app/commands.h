// The program's commands: each declares its name, its help and its options in a file of its own. The list of them is in
// command_line.c.
#ifndef TIDE_APP_COMMANDS_H
#define TIDE_APP_COMMANDS_H

#include "app/options.h"

typedef struct tide_command {
    const char *name;
    const char *subject;        // what it works on; [optional]; with ... if it takes several; NULL: nothing
    const char *help, *details; // details NULL: none
    const char *also;           // another command line whose help has related options; NULL: none
    const tide_option *options; // NULL: it takes none
    size_t size;                // of the struct that the options fill, bytes
    // Runs the command; `subjects` end with NULL. NULL: prints the help of the command that the subject names.
    tide_exit (*run)(const char *const *subjects, void *options);
} tide_command;

extern const tide_option tide_run_option_table[]; // of tide_run_options

// Runs a scene, and then those that are opened in its window.
tide_exit tide_run(const tide_run_options *options);
struct tide_next;
tide_exit tide_run_next(struct tide_next *next); // runs a scene that was opened in a window; frees `next`

#endif

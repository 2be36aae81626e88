// Runs a command that is written in Lua: a module of scripts/springtide/lab/ or scripts/springtide/commands/, which
// returns a function of the options and of the functions in script/laboratory.h.
#ifndef TIDE_APP_PROGRAM_H
#define TIDE_APP_PROGRAM_H

#include "script/laboratory.h"
#include "session/run_options.h"

// `given` ends with a NULL name. `scene`: how scenes are opened, NULL if there are none. `folder`: where files go;
// NULL: their names are paths. Prints the message of a failure.
tide_exit tide_module_run(const char *module, const char *const *subjects, const tide_lab_option *given,
                          const tide_scene_options *scene, const char *folder);
// The same, and leaves the message of a failure to the caller.
tide_status tide_module_call(const char *module, const char *const *subjects, const tide_lab_option *given,
                             const tide_scene_options *scene, const char *folder, tide_lab_failure *failure);

#endif

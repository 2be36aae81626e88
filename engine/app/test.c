// `test`: runs the C tests, a separate program beside this one.
#include "app/commands.h"
#include "base/places.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static tide_exit run_command(const char *const *subjects, void *unused)
{
    (void)unused;
    char folder[PATH_MAX + 8], program[PATH_MAX + 32];
    tide_error error;
    bool found = tide_place_of_program_folder(folder, PATH_MAX);
    snprintf(program, sizeof program, "%s/springtide-tests", folder);
    if (!found || access(program, X_OK) != 0) {
        tide_fail(&error, TIDE_ERROR_FILE, program, NULL, NULL,
                  "is not there: scripts/build.sh release builds the tests, tests/run.sh builds and runs all of them");
        return tide_report_error(&error);
    }
    fflush(NULL);
    strcat(folder, "/../.."); // the tests read files relative to the project's top folder
    if (chdir(folder) == 0)
        execl(program, program, subjects[0], (char *)NULL);
    tide_fail(&error, TIDE_ERROR_FILE, program, NULL, NULL, "cannot be run: %s", strerror(errno));
    return tide_report_error(&error);
}

const tide_command tide_command_test = {
    "test", "[GROUP]", "run the engine's tests, or those of the groups with GROUP in their names",

    "The tests in C, which scripts/build.sh builds beside the program: some minutes without GROUP. tests/run.sh "
    "runs\n"
    "all tests, also those of scenes, of Lua and of this command line. Exit status 1 when one of them failed.",
    .run = run_command
};

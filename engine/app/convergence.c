// `convergence`: a scene measured under several solvers, in one of several modes.
#include "app/commands.h"
#include "session/study.h"

#include "base/parallel.h"

#include <string.h>

#define MODE(name, help, frames, solvers, sweep, across, takes)                                                        \
    { #name, help, frames, solvers, sweep, across, takes, tide_study_##name },
static const tide_study_mode modes[] = { TIDE_STUDY_MODES(MODE) };

const tide_study_mode *tide_study_mode_find(const char *name)
{
    for (size_t i = 0; name && i < sizeof modes / sizeof modes[0]; i++)
        if (strcmp(modes[i].name, name) == 0)
            return &modes[i];
    return &modes[0];
}

tide_exit tide_command_convergence(const tide_arguments *arguments)
{
    const tide_study_mode *mode = tide_study_mode_find(arguments->mode);
    tide_study study;
    tide_error error;
    tide_set_threads(arguments->threads ? arguments->threads : 1); // of the steps that are timed
    tide_status status = tide_study_create(arguments, mode, &study, &error);
    bool refused = status != TIDE_OK && study.refused;
    if (status == TIDE_OK) {
        status = mode->run(&study, &error);
        tide_study_hush(false);
        refused = status != TIDE_OK && strcmp(error.object, "command line") == 0;
    }
    tide_study_free(&study);
    if (status != TIDE_OK)
        tide_report_error(&error);
    return status == TIDE_OK ? TIDE_EXIT_DONE : refused ? TIDE_EXIT_USAGE : TIDE_EXIT_FAILED;
}

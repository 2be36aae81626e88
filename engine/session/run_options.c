#include "session/run_options.h"

#include "base/megabytes.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

tide_exit tide_report_error(const tide_error *error)
{
    char text[1200];
    fprintf(stderr, "springtide: %s\n", tide_error_text(error, text, sizeof text));
    return TIDE_EXIT_FAILED;
}

bool tide_is_about_solver(const tide_solver_list *solvers, const tide_error *error)
{
    char object[96], name[72];
    for (uint32_t i = 0; i < solvers->count; i++) {
        const char *text = solvers->items[i].text;
        int length = (int)strcspn(text, ",");
        snprintf(name, sizeof name, "\"%.*s\"", length < 64 ? length : 64, text);
        snprintf(object, sizeof object, "solver %s", name);
        if (strcmp(error->object, object) == 0 ||
            (strcmp(error->object, "solver") == 0 && strcmp(error->value, name) == 0))
            return true;
    }
    return false;
}

size_t tide_memory_limit(const tide_scene_options *options)
{
    if (tide_given(options->memory_limit))
        return tide_megabytes(options->memory_limit);
    double most = 4096, machine = 0.75 * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 0x1p20;
    return tide_megabytes(machine > 0 && machine < most ? machine : most);
}

tide_script_options tide_scene_script_options(const tide_scene_options *options)
{
    return (tide_script_options) { .settings = options->settings.items,
                                   .setting_count = options->settings.count,
                                   .timestep = options->timestep,
                                   .seed = options->seed,
                                   .portable = options->portable,
                                   .memory_limit = tide_memory_limit(options) };
}

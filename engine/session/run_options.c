#include "session/run_options.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

tide_exit tide_report_error(const tide_error *error)
{
    char text[1200];
    fprintf(stderr, "springtide: %s\n", tide_error_text(error, text, sizeof text));
    return TIDE_EXIT_FAILED;
}

bool tide_is_about_setting(const tide_arguments *arguments, const tide_error *error)
{
    char object[sizeof error->object];
    if (arguments->setting_count && strcmp(error->object, "set") == 0)
        return true;
    for (uint32_t i = 0; i < arguments->setting_count; i++) {
        snprintf(object, sizeof object, "param \"%s\"", arguments->settings[i].name);
        if (strcmp(error->object, object) == 0)
            return true;
    }
    return false;
}

bool tide_is_about_solver(const tide_arguments *arguments, const tide_error *error)
{
    char object[96], name[72];
    for (uint32_t i = 0; i < arguments->solver_count; i++) {
        const char *text = arguments->solvers[i].text;
        int length = (int)strcspn(text, ",");
        snprintf(name, sizeof name, "\"%.*s\"", length < 64 ? length : 64, text);
        snprintf(object, sizeof object, "solver %s", name);
        if (strcmp(error->object, object) == 0 ||
            (strcmp(error->object, "solver") == 0 && strcmp(error->value, name) == 0))
            return true;
    }
    return false;
}

size_t tide_memory_limit(const tide_arguments *arguments)
{
    if (tide_given(arguments->memory_limit))
        return (size_t)(arguments->memory_limit * 0x1p20);
    double most = 4096 * 0x1p20, machine = 0.75 * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return (size_t)(machine > 0 && machine < most ? machine : most);
}

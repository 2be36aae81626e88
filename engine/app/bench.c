// `bench`: scenes timed and taken apart, the paper's table beside ours, the broad phase by itself.
#include "app/bench.h"

#include "app/commands.h"
#include "base/parallel.h"

#include <string.h>

// --- any scenes ------------------------------------------------------------------------------------------------------

static const char *const scene_columns[] = { "scene",      "solver",       "vertices",     "springs",
                                             "h_ms",       "iterations",   "iteration_ms", "detect_ms",
                                             "respond_ms", "frame_ms",     "median_ms",    "processor_ms",
                                             "draw_ms",    "prefactor_ms", "reference_ms", "ratio" };

static void add_scene(tide_bench_table *table, const tide_bench_result *r)
{
    tide_bench_text(table, r->scene);
    tide_bench_text(table, r->solver);
    tide_bench_count(table, r->vertices);
    tide_bench_count(table, r->springs);
    tide_bench_seconds(table, r->timestep);
    tide_bench_value(table, r->iterations);
    tide_bench_seconds(table, r->iteration);
    tide_bench_seconds(table, r->detect);
    tide_bench_seconds(table, r->respond);
    tide_bench_seconds(table, r->frame);
    tide_bench_seconds(table, r->median);
    tide_bench_seconds(table, r->processor);
    tide_bench_seconds(table, r->draw);
    tide_bench_seconds(table, r->prefactor);
    tide_bench_seconds(table, r->reference);
    tide_bench_value(table, r->frame / r->reference);
}

static tide_exit bench_scenes(const tide_arguments *arguments)
{
    tide_bench_table table;
    tide_exit worst = TIDE_EXIT_DONE;
    tide_bench_table_begin(&table, scene_columns, sizeof scene_columns / sizeof *scene_columns);
    tide_bench_tell_runs(&table, arguments);
    for (uint32_t i = 0; i < arguments->subject_count && worst != TIDE_EXIT_USAGE; i++) {
        tide_bench_result result;
        tide_exit exit = tide_bench_scene(arguments, arguments->subjects[i], &result);
        if (exit == TIDE_EXIT_DONE)
            add_scene(&table, &result);
        worst = exit > worst ? exit : worst;
    }
    return tide_bench_table_end(&table, arguments, worst);
}

// --- the command -----------------------------------------------------------------------------------------------------

bool tide_bench_is_left_out(const tide_arguments *arguments, const char *part)
{
    size_t length = strlen(part);
    for (const char *word = arguments->without; word; word = strchr(word, ',')) {
        word += *word == ',';
        if (strncmp(word, part, length) == 0 && (word[length] == ',' || !word[length]))
            return true;
    }
    return false;
}

// Without a mode and scenes, all of this.
static tide_exit measure_figures(const tide_arguments *arguments, tide_bench_report *report)
{
    tide_bench_parts parts;
    bool all = !arguments->solve && !arguments->growth;
    tide_exit worst = TIDE_EXIT_DONE;
    tide_bench_begin_parts(&parts, arguments, report);
    if (all || arguments->solve)
        worst = tide_bench_solves(arguments, &parts);
    if (worst != TIDE_EXIT_USAGE && (arguments->growth || (all && !tide_bench_is_left_out(arguments, "growth")))) {
        tide_exit exit = tide_bench_growth(arguments, &parts);
        worst = exit > worst ? exit : worst;
    }
    tide_bench_add_targets(report);
    return worst;
}

static tide_status check_words(const tide_arguments *arguments, tide_error *error)
{
    const char *mode = arguments->table1        ? "--table1"
                       : arguments->broad_phase ? "--broad-phase"
                       : arguments->growth      ? "--growth"
                                                : NULL;
    bool figures = arguments->solve || arguments->growth || (!mode && !arguments->subject_count);
    if (arguments->table1 + arguments->broad_phase + arguments->solve + arguments->growth > 1)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", arguments->solve ? "--solve" : "--broad-phase",
                         NULL, "expected one of --table1, --broad-phase, --growth and --solve");
    if (arguments->compared_with && !figures)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--compare", NULL,
                         "it goes with --solve, --growth or neither scenes nor a mode");
    if (mode && arguments->subject_count)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", NULL, arguments->subjects[0], "%s takes no scene",
                         mode);
    if (arguments->frames_given && arguments->frames == 0)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--frames", "0",
                         "expected a whole number from 1 to 1000000000");
    const char *of_scenes = arguments->frames_given    ? "--frames"
                            : arguments->warm_up_given ? "--warm-up"
                            : arguments->solver_count  ? "--solver"
                            : arguments->setting_count ? "--set"
                            : arguments->timestep > 0  ? "--timestep"
                            : arguments->without       ? "--without"
                                                       : NULL;
    if (arguments->broad_phase && of_scenes)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", of_scenes, NULL,
                         "--broad-phase does not take it: it runs no scene");
    return TIDE_OK;
}

tide_exit tide_command_bench(const tide_arguments *arguments)
{
    tide_error error;
    if (check_words(arguments, &error) != TIDE_OK) {
        tide_report_error(&error);
        return TIDE_EXIT_USAGE;
    }
    tide_set_threads(arguments->threads ? arguments->threads : 1); // the paper's figures are of one core
    return arguments->table1        ? tide_bench_table1(arguments)
           : arguments->broad_phase ? tide_bench_broad_phase(arguments)
           : arguments->solve || arguments->growth || !arguments->subject_count
               ? tide_bench_with_figures(arguments, measure_figures)
               : bench_scenes(arguments);
}

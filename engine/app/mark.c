// `mark`: marks submissions of an exercise by scripts/springtide/commands/mark.lua.
#include "app/commands.h"
#include "app/program.h"

#include "base/parallel.h"

#include <stddef.h>

typedef struct mark_options {
    uint64_t jobs, seed;
    double pass; // per cent
    bool confined;
    const char *csv, *json, *html, *gradescope; // files and a folder to write; NULL: none
} mark_options;

static tide_exit run_command(const char *const *subjects, void *options)
{
    const mark_options *o = options;
    tide_set_threads(0);
    double jobs = o->jobs ? (double)o->jobs : tide_threads();
    tide_set_threads(1); // each submission has one
    const tide_lab_option given[] = { { "jobs", NULL, jobs },
                                      { "seed", NULL, (double)o->seed },
                                      { "csv", o->csv, -1 },
                                      { "json", o->json, -1 },
                                      { "html", o->html, -1 },
                                      { "gradescope", o->gradescope, -1 },
                                      { "confined", o->confined ? "yes" : NULL, -1 },
                                      { "pass", NULL, o->pass },
                                      { 0 } };
    return tide_module_run("springtide.commands.mark", subjects, given, NULL, NULL);
}

#define AT(member) .offset = offsetof(mark_options, member)
static const tide_option options[] = {
    { "--jobs", "N", "mark N submissions at once (as many as there are processors)", tide_option_whole, AT(jobs),
      .maximum = 256 },
    { "--seed", "N", "seed of the hidden cases", tide_option_whole, AT(seed), "1", .maximum = 1e9 },
    { "--csv", "FILE", "write the points as CSV, a row for each submission", tide_option_text, AT(csv) },
    { "--json", "FILE", "write all results as JSON", tide_option_text, AT(json) },
    { "--html", "DIR", "write a page for each submission", tide_option_text, AT(html),
      .expected = "the name of a folder" },
    { "--gradescope", "FILE", "write the results of the only submission as Gradescope's results.json", tide_option_text,
      AT(gradescope) },
    { "--pass", "PERCENT", "exit with status 1 unless each submission gets that much", tide_option_number, AT(pass),
      .maximum = 100, .expected = "a number from 0 to 100" },
    { "--confined", NULL, "mark the only submission in this process, confined, and report to descriptor 3",
      tide_option_switch, AT(confined) },
    { 0 },
};

const tide_command tide_command_mark = {
    "mark",
    "EXERCISE FILE...",
    "mark submissions of an exercise of the course",

    "EXERCISE is the folder of a lesson, with check.lua in it, or the number of a lesson of the course. Each FILE is "
    "a\n"
    "submission. It runs in a process of its own without files, network and other processes, with the exercise's\n"
    "limits of processor time and memory (scenes/security.md). Prints a table of the points. The same seed gives the\n"
    "same marks. scenes/course/marking.md tells how the marks reach Moodle, GitHub Classroom and Gradescope.",
    .options = options,
    .size = sizeof(mark_options),
    .run = run_command
};

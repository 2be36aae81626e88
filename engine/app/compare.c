// `compare`: runs a scene that is forked into panes.
#include "app/commands.h"

#define AT(member) .offset = offsetof(tide_run_options, compare.member)
static const tide_option options[] = {
    { "--solvers", "LIST", "the solvers, with commas between them; an item with = is an option of the one before it",
      tide_option_text, AT(solvers), .expected = "names with commas between them, like local_global,newton" },
    { "--vary", "NAME=VALUES", "a pane for each of these values of a parameter, or of an option of the solvers",
      tide_option_text, AT(vary), .expected = "NAME=A,B,C or NAME=A:B:COUNT" },
    { "--timesteps", "LIST", "a pane for each of these timesteps, in seconds; they should divide the first",
      tide_option_text, AT(timesteps), .expected = "seconds with commas between them, like 0.01,0.02" },
    { "--frame", "N", "fork the state after N steps", tide_option_whole, AT(frame), "0", .maximum = 1e9 },
    { "--errors", "N", "measure the errors every N frames, to the end (without a window: after the last)",
      tide_option_whole, AT(errors), .minimum = 1, .maximum = 1e9 },
    { .more = tide_run_option_table },
};

static tide_exit run_command(const char *const *subjects, void *given)
{
    tide_run_options *run = given;
    run->scene.path = subjects[0];
    run->compare.wanted = true;
    return tide_run(run);
}

const tide_command tide_command_compare = {
    "compare",
    "SCENE.lua",
    "one state under several solvers or parameters side by side, in a window or without",

    "The scene runs to --frame and is forked into panes: --solvers times --vary times --timesteps, 9 at most;\n"
    "without any of them, as its tide.compare says, or else the scene's solver and three others. Each pane shows\n"
    "the time of a step, the error of its step (see `springtide help convergence`) and its distance from the\n"
    "first pane. Inputs apply to all panes. In the window, C continues with the pane clicked last; C again compares.\n"
    "`springtide compare curtain.lua --solvers local_global,iterations=5,newton --vary stiffness=20,320` has four.\n"
    "--stats writes a row per pane and frame; --hash prints a line per pane.",
    .options = options,
    .size = sizeof(tide_run_options),
    .run = run_command
};

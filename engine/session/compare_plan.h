// What the panes of a comparison vary: solvers, values of a parameter or of a solver's option, timesteps.
#ifndef TIDE_SESSION_COMPARE_PLAN_H
#define TIDE_SESSION_COMPARE_PLAN_H

#include "session/live.h"

enum { TIDE_PANES_MOST = 9 };

// What one pane varies. An empty text or 0 leaves the experiment's own value.
typedef struct tide_pane_def {
    char solver[256];          // "NAME" or "NAME,key=value,..."
    char param[64], value[64]; // of a tide.param of the scene
    double timestep;           // s
} tide_pane_def;

typedef struct tide_compare_plan {
    tide_pane_def panes[TIDE_PANES_MOST];
    uint32_t count; // 0: no comparison
} tide_compare_plan;

// Reads the plan of the command line: the product of --solvers, --vary and --timesteps; empty if none of them is given.
// Fails if one of them is wrong or if there are more than nine panes. *refused tells whether the command line is at
// fault, rather than a scene that does not run.
tide_status tide_compare_plan_read(const tide_run_options *options, tide_compare_plan *plan, bool *refused,
                                   tide_error *error);
// Reads the plan of the scene (tide.compare); empty if the scene has none.
tide_status tide_compare_plan_of_scene(const tide_run_options *options, tide_live *live, tide_compare_plan *plan,
                                       tide_error *error);
// Plans four panes: the current solver, and other clearly different ones that can solve the scene.
tide_status tide_compare_plan_usual(tide_live *live, tide_compare_plan *plan, tide_error *error);

#endif

// What the panes of a comparison differ in: solvers, values of a parameter or of a solver's option, timesteps.
#ifndef TIDE_SESSION_COMPARE_PLAN_H
#define TIDE_SESSION_COMPARE_PLAN_H

#include "session/live.h"

enum { TIDE_PANES_MOST = 9 };

// What is a pane's own; what is empty or 0 is as it is.
typedef struct tide_pane_def {
    char solver[256];          // "NAME" or "NAME,key=value,..."
    char param[64], value[64]; // a tide.param of the scene
    double timestep;           // s
} tide_pane_def;

typedef struct tide_compare_plan {
    tide_pane_def panes[TIDE_PANES_MOST];
    uint32_t count; // 0: there is none
} tide_compare_plan;

// As the command line has it: --solvers times --vary times --timesteps; none where it has none of them. Fails on what
// is wrong in them (the command line is at fault then, but for a scene that does not run) and on more than nine.
tide_status tide_compare_plan_read(const tide_arguments *arguments, tide_compare_plan *plan, bool *refused,
                                   tide_error *error);
// As the scene has it (tide.compare); none where it has none.
tide_status tide_compare_plan_of_scene(const tide_arguments *arguments, tide_live *live, tide_compare_plan *plan,
                                       tide_error *error);
// The solver in force, then others that are told apart well and take the scene: four panes.
tide_status tide_compare_plan_usual(tide_live *live, tide_compare_plan *plan, tide_error *error);

#endif

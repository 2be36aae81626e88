// Panes: one live experiment under several solvers, parameter values or timesteps, stepped together.
//
// The first pane is the experiment itself, the others are forks of it. An input that tide_live_apply gives to one pane
// (a drag, a key, a parameter, a reload) is given to all. The exception is what the plan varies, for example the
// solver: changing it changes one pane only. A pane that fails stops, and the others continue.
//
// The clock advances by the first pane's timestep in each frame. Each other pane takes as many of its own steps as fit
// into that time, or none if its next step would pass it. Panes are at the same time when their timesteps divide one
// another.
#ifndef TIDE_SESSION_COMPARE_PANES_H
#define TIDE_SESSION_COMPARE_PANES_H

#include "session/compare_plan.h"
#include "session/convergence_probe.h"

typedef struct tide_compare tide_compare;

typedef struct tide_pane {
    tide_compare *compare;
    tide_live *live; // owned by the pane, but for the first pane's
    char label[200]; // what the pane varies: "newton", "stiffness = 80 N/m"; UTF-8
    uint64_t steps;  // taken since the comparison began
    double seconds;  // of the pane's own computing: the sum over its steps, without the first, which sets up the solver
    double recent;   // recent time per step, s; NAN before the first step
    uint32_t new_steps, iterations; // steps in the last frame; iterations of the last step
    double new_seconds;             // computing time of the last frame's steps, s
    double owed;                    // simulated time still to be stepped, s
    double distance; // root mean square over the particles, from the first pane, m; NAN: another mesh or another time
    bool measured;   // `error` is valid
    tide_convergence error;
    char unmeasured[64]; // why there is no error: "rk4 does not minimise g"; "" if there is one
} tide_pane;

struct tide_compare {
    tide_pane panes[TIDE_PANES_MOST];
    uint32_t count;
    uint32_t bottom;      // pixels of the picture left free below the panes
    uint32_t left, right; // pixels left free beside them
    uint32_t top;         // pixels left free above them
    uint64_t frames;      // that all panes have taken
    double began;         // time of the forked state, s
    bool own_solver, own_timestep;
    char own_param[64]; // name of the parameter that the plan varies; "": none
    bool sharing;       // true while an input of one pane is passed on to the others
    char refused[300];  // why a pane refused such an input: "pane 3: ..."; whoever shows it empties it
    tide_convergence_probe *probe;
    uint32_t probed; // pane whose error is measured now or next
};

// Makes panes of `first` and of forks of it. Each fork gets a history of at most `history_limit` bytes. The plan has at
// least one pane. Fails if a fork cannot be made, or a pane's solver, parameter or timestep cannot be set. On failure
// `first` is unchanged, except for its own part of the plan.
tide_status tide_compare_open(tide_live *first, const tide_compare_plan *plan, size_t history_limit,
                              tide_compare **compare, tide_error *error);
void tide_compare_close(tide_compare *compare); // closes all but the first pane; NULL does nothing

// Steps all panes by one frame. A failed step is a failure of its pane (tide_live_failure); this function fails only
// without memory.
tide_status tide_compare_step(tide_compare *compare, tide_error *error);
bool tide_compare_has_stopped(const tide_pane *pane);   // whether a step of it failed
bool tide_compare_is_over(const tide_compare *compare); // whether all panes have stopped

// Measures the error of each pane's next step, as convergence_probe.h defines it. tide_compare_measure waits for
// convergence, which takes seconds. tide_compare_probe measures in a thread from time to time, one pane after another;
// *changed tells whether there is a new number.
tide_status tide_compare_measure(tide_compare *compare, tide_error *error);
tide_status tide_compare_probe(tide_compare *compare, double now, bool *changed, tide_error *error);

// Makes the first pane continue as another one: applies that pane's solver, timestep, parameter and state as inputs.
tide_status tide_compare_continue_as(tide_compare *compare, uint32_t pane, tide_error *error);

// Adds the lines about a pane to `text`: milliseconds per step, iterations and error, distance and energy. The numbers
// are of the current state.
void tide_compare_write(const tide_compare *compare, uint32_t pane, tide_text *text);
// Write a length ("0.83 mm") and a time ("3.53 ms", "3530 ms").
void tide_compare_write_length(double metres, char text[32]);
void tide_compare_write_time(double seconds, char text[32]);

#endif

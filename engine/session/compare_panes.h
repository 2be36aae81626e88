// Panes: one live experiment under several solvers, values of a parameter or timesteps, stepped together.
//
// The first pane is the experiment itself, the others are forks of it. Whatever is done to one of them by
// tide_live_apply (a drag, a key, a parameter, a reload) is done to all; but what is each pane's own by the plan (its
// solver, say) is changed in that one alone. A pane that fails stands still, and the others go on.
//
// The first pane's timestep is the clock's: in a frame each pane takes as many steps as bring it there, or none while
// its own step would lead beyond. Panes are at the same time where their timesteps divide one another.
#ifndef TIDE_SESSION_COMPARE_PANES_H
#define TIDE_SESSION_COMPARE_PANES_H

#include "session/compare_plan.h"
#include "session/convergence_probe.h"

typedef struct tide_compare tide_compare;

typedef struct tide_pane {
    tide_compare *compare;
    tide_live *live; // the first's is not the pane's
    char label[200]; // what is its own: "newton", "stiffness = 80 N/m"; UTF-8
    uint64_t steps;  // since comparing began
    double seconds;  // that the world's steps took, all but the first, which makes ready; of its own clock
    double recent;   // s of a step, lately; NAN before the first
    uint32_t new_steps, iterations; // of the last frame; of its last step
    double new_seconds;             // s that the last frame's steps took
    double owed;                    // s of simulated time that it has still to go
    double distance; // m, root mean square over the particles, from the first; NAN: not the same mesh or time
    bool measured;   // `error` is there
    tide_convergence error;
    char unmeasured[64]; // why the error cannot be told: "rk4 does not minimise g"; "" where it can
} tide_pane;

struct tide_compare {
    tide_pane panes[TIDE_PANES_MOST];
    uint32_t count;
    uint32_t bottom;      // pixels of the picture that are left free below them
    uint32_t left, right; // beside them
    uint32_t top;         // and above them
    uint64_t frames;      // taken together
    double began;         // s, of the state that was forked
    bool own_solver, own_timestep;
    char own_param[64]; // "": none
    bool sharing;       // what one was given is being given to the others
    char refused[300];  // what a pane did not take of that: "pane 3: ..."; to be emptied by who shows it
    tide_convergence_probe *probe;
    uint32_t probed; // pane whose error is measured next or now
};

// Makes panes of `first` and forks, each with a history of at most this size beside that of the first. The plan has at
// least one pane. Fails where a fork cannot be made, or a pane's solver, parameter or timestep be set; then `first` is
// as it was, but for its own part of the plan.
tide_status tide_compare_open(tide_live *first, const tide_compare_plan *plan, size_t history_limit,
                              tide_compare **compare, tide_error *error);
void tide_compare_close(tide_compare *compare); // all but the first pane; NULL does nothing

// A frame. What fails is the panes' (tide_live_failure); this fails only where there is no memory.
tide_status tide_compare_step(tide_compare *compare, tide_error *error);
bool tide_compare_has_stopped(const tide_pane *pane);   // a step of it failed
bool tide_compare_is_over(const tide_compare *compare); // all have

// Measures the error of each pane's next step, as convergence_probe.h has it, to its end: takes seconds. The other one
// does it now and then in a thread, one pane after another; whether there is a new number.
tide_status tide_compare_measure(tide_compare *compare, tide_error *error);
tide_status tide_compare_probe(tide_compare *compare, double now, bool *changed, tide_error *error);

// The first pane goes on as another one: its solver, timestep, parameter and state, by inputs as a user would give.
tide_status tide_compare_go_on_as(tide_compare *compare, uint32_t pane, tide_error *error);

// The lines about a pane: milliseconds of a step, iterations and error; distance and energy. Adds to `text`; what it
// says is of the state now.
void tide_compare_write(const tide_compare *compare, uint32_t pane, tide_text *text);
// "0.83 mm"; "3.53 ms", "3530 ms".
void tide_compare_write_length(double metres, char text[32]);
void tide_compare_write_time(double seconds, char text[32]);

#endif

// A study: one scene measured under several solvers and settings. What the modes of `springtide convergence` share.
//
// Every mode is a file study_MODE.c with one function, which opens the scene as often as it needs, measures, writes CSV
// files and plots into the study's folder, and prints a table. Files are whole or not there.
#ifndef TIDE_SESSION_STUDY_H
#define TIDE_SESSION_STUDY_H

#include "draw/plot.h"
#include "session/run_options.h"

// The modes: name, help, frames when none are given, the solvers when none are named, whether the mode takes --sweep
// and
// --across, and which it takes of the options that not all do. One line adds a mode: its function is tide_study_NAME,
// its option --NAME. The first needs no option.
#define TIDE_STUDY_MODES(X)                                                                                            \
    X(error, "error against iterations and seconds (this is what it does without such an option)", 1,                  \
      TIDE_STUDY_ITERATIVE, TIDE_STUDY_OPTIONAL, TIDE_STUDY_REFUSED,                                                   \
      TIDE_STUDY_FRAME | TIDE_STUDY_FRAMES | TIDE_STUDY_ITERATIONS)                                                    \
    X(order, "error against the timestep, with the order that it shows", 16, TIDE_STUDY_OF_KNOWN_ORDER,                \
      TIDE_STUDY_OPTIONAL, TIDE_STUDY_REFUSED, TIDE_STUDY_FRAMES | TIDE_STUDY_HALVINGS)                                \
    X(stability, "a map over --sweep and --across of where a solver is stable, with the theory's line", 1000,          \
      TIDE_STUDY_OF_KNOWN_STABILITY, TIDE_STUDY_REQUIRED, TIDE_STUDY_REQUIRED, TIDE_STUDY_FRAMES)                      \
    X(cost, "seconds of computing for a simulated second, with particles, k0 and iterations", 100,                     \
      TIDE_STUDY_OF_SCENE, TIDE_STUDY_OPTIONAL, TIDE_STUDY_OPTIONAL, TIDE_STUDY_FRAME | TIDE_STUDY_FRAMES)             \
    X(pictures, "the scene after --frame under each solver, side by side as one picture", 1, TIDE_STUDY_OF_SCENE,      \
      TIDE_STUDY_OPTIONAL, TIDE_STUDY_REFUSED, TIDE_STUDY_FRAME | TIDE_STUDY_SIZE)                                     \
    X(velocities, "velocities of the first body in time, as colours, and their spectrum over its grid at --frame",     \
      500, TIDE_STUDY_OF_SCENE, TIDE_STUDY_REFUSED, TIDE_STUDY_REFUSED, TIDE_STUDY_FRAME | TIDE_STUDY_FRAMES)

enum { TIDE_STUDY_REFUSED, TIDE_STUDY_OPTIONAL, TIDE_STUDY_REQUIRED };
enum {
    TIDE_STUDY_FRAME = 1,
    TIDE_STUDY_FRAMES = 2,
    TIDE_STUDY_ITERATIONS = 4,
    TIDE_STUDY_HALVINGS = 8,
    TIDE_STUDY_SIZE = 16
};
enum {
    TIDE_STUDY_ITERATIVE, // those that have `iterations` and go for the minimum of g
    TIDE_STUDY_OF_KNOWN_ORDER,
    TIDE_STUDY_OF_KNOWN_STABILITY,
    TIDE_STUDY_ALL,
    TIDE_STUDY_OF_SCENE, // the one that the scene has
};

// Values that a parameter of the scene (tide.param), an option of the solver ("damping.mass") or `timestep` goes
// through: NAME=A,B,C, NAME=A:B:COUNT or NAME=A:B:COUNT:log.
typedef struct tide_study_axis {
    char name[64], label[128]; // label: with the unit, for plots
    char column[72];           // the name in tables and in gnuplot's expressions: letters, digits, _ and dots
    enum { TIDE_STUDY_PARAM, TIDE_STUDY_TIMESTEP, TIDE_STUDY_OPTION } of;
    double *values;
    uint32_t count; // 0: there is no such axis
    bool logarithmic;
} tide_study_axis;

typedef struct tide_study_solver {
    char text[256]; // "newton,linear=pcg"; "" is the one that the scene has
} tide_study_solver;

typedef struct tide_study {
    const tide_arguments *arguments;
    const char *scene, *folder;
    tide_study_solver *solvers;
    uint32_t solver_count;
    size_t solver_capacity;
    tide_study_axis sweep, across;
    uint64_t frame, frames; // the step measured is the one to frame `frame`; of averages and lengths
    uint32_t iterations;    // at most
    uint32_t halvings;      // of the timestep
    bool refused;           // the command line is at fault for what tide_study_create failed with
} tide_study;

typedef struct tide_study_mode {
    const char *name, *help;
    uint64_t frames;
    int solvers, sweep, across, takes;
    tide_status (*run)(const tide_study *, tide_error *);
} tide_study_mode;
const tide_study_mode *tide_study_mode_find(const char *name); // NULL: the first

// Reads the lists of the command line and checks them by the scene; fails on what is wrong in them.
tide_status tide_study_create(const tide_arguments *arguments, const tide_study_mode *mode, tide_study *study,
                              tide_error *error);
void tide_study_free(tide_study *study);

// Opens the scene with a value on each axis (NAN: not on it) and, `solver` not NULL, with this solver.
tide_status tide_study_open(const tide_study *study, const char *solver, double sweep, double across,
                            tide_script **script, tide_error *error);
// Runs it to the state before the step to `frame`, which counts from 1.
tide_status tide_study_run_to(tide_script *script, uint64_t frame, tide_error *error);
// The values of an axis, or NAN alone where there is none.
uint32_t tide_study_axis_count(const tide_study_axis *axis);
double tide_study_axis_value(const tide_study_axis *axis, uint32_t index);

// Whether a solver's text gives the option, and whether its method has it; and the text with one more option, unless it
// gives it already or the method has none of that name.
bool tide_study_gives(const char *text, const char *option);
bool tide_study_has(const tide_solver_kind *kind, const char *option);
double tide_study_most(const tide_solver_kind *kind, const char *option); // the largest value; INFINITY: there is none
void tide_study_add_option(const tide_solver_kind *kind, tide_study_solver *solver, const char *option, double value);

// A curve's name: the solver's text and, with a sweep, its value; without commas.
void tide_study_label(const tide_study *study, const char *solver, double sweep, char *text, size_t size);
// A file's name with what stands for a solver in it made fit: "stability_newton-linear-pcg.csv".
void tide_study_file_name(const char *start, const char *solver, const char *end, char *text, size_t size);

// A CSV file in the study's folder, written when it is closed. Its first columns are `curve` (the label), `solver` (the
// text) and those of the axes; `columns` are the others, ended by NULL. A cell of NAN is empty.
typedef struct tide_study_table tide_study_table;
tide_status tide_study_table_open(const tide_study *study, const char *name, const char *const *columns,
                                  tide_study_table **table, tide_error *error);
void tide_study_row(tide_study_table *table, const char *solver, double sweep, double across); // begins a row
void tide_study_cell(tide_study_table *table, double value);
void tide_study_cell_text(tide_study_table *table, const char *text);
void tide_study_gap(tide_study_table *table);               // an empty line, where a plotted line is to be interrupted
tide_status tide_study_table_drop(tide_study_table *table); // frees it without a file; returns TIDE_OK
// Saves it when `status` is TIDE_OK, and frees it. Returns `status` or the failure. A table of NULL does nothing.
tide_status tide_study_table_close(tide_study_table *table, tide_status status, tide_error *error);

// tide_plot_write into the study's folder; without gnuplot the user is told, once.
tide_status tide_study_plot(const tide_study *study, const tide_plot *plot, const char *name, const char *csv,
                            tide_error *error);

void tide_study_progress(const char *what, uint64_t done, uint64_t of); // on a terminal only; done == of erases it
// Of computing, s: the processor's, whatever else the machine does; with several threads the clock's.
double tide_study_seconds(void);
void tide_study_hush(bool hush); // warnings of solvers that a mode drives to their limits are not shown

// The modes.
#define TIDE_STUDY_DECLARE(name, ...) tide_status tide_study_##name(const tide_study *study, tide_error *error);
TIDE_STUDY_MODES(TIDE_STUDY_DECLARE)
#undef TIDE_STUDY_DECLARE

#endif

// The command line of a study: one scene under several solvers, with values of one or two parameters. The studies of
// `springtide convergence` are Lua files in scripts/springtide/lab/.
#ifndef TIDE_SESSION_STUDY_H
#define TIDE_SESSION_STUDY_H

#include "session/run_options.h"

// The modes: name, help, default frames, default solvers, whether the mode takes --sweep and --across, and which of the
// other options it takes. One line and one Lua file add a mode; its option is --NAME. The first needs no option.
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
    TIDE_STUDY_ITERATIVE, // solvers with the option `iterations` that minimise g
    TIDE_STUDY_OF_KNOWN_ORDER,
    TIDE_STUDY_OF_KNOWN_STABILITY,
    TIDE_STUDY_ALL,
    TIDE_STUDY_OF_SCENE, // the scene's own
};

// The values of a parameter of the scene (tide.param), of an option of the solver ("damping.mass") or of `timestep`:
// NAME=A,B,C, NAME=A:B:COUNT or NAME=A:B:COUNT:log.
typedef struct tide_study_axis {
    char name[64], label[128]; // label: with the unit, for plots
    char column[72];           // the name in tables and in gnuplot's expressions: letters, digits, _ and dots
    enum { TIDE_STUDY_PARAM, TIDE_STUDY_TIMESTEP, TIDE_STUDY_OPTION } of;
    double *values;
    uint32_t count; // 0: no axis
    bool logarithmic;
} tide_study_axis;

typedef struct tide_study_solver {
    char text[256]; // "newton,linear=pcg"; "": the scene's own
} tide_study_solver;

// What a command line asks for; NULL or 0 when not given.
typedef struct tide_study_request {
    tide_scene_options scene;
    const char *solvers, *sweep, *across, *folder;
    uint64_t frame, frames, iterations, halvings;
    bool frames_given;
    tide_picture_size size; // of pictures
} tide_study_request;

typedef struct tide_study {
    const tide_study_request *request;
    const char *scene, *folder;
    tide_study_solver *solvers;
    uint32_t solver_count;
    size_t solver_capacity;
    tide_study_axis sweep, across;
    uint64_t frame, frames; // `frame`: the step to it is measured; `frames`: length of a run or an average
    uint64_t iterations;    // at most
    uint64_t halvings;      // how often the timestep is halved
    bool refused;           // whether tide_study_create failed because the command line is wrong
} tide_study;

typedef struct tide_study_mode {
    const char *name, *help;
    uint64_t frames;
    int solvers, sweep, across, takes;
} tide_study_mode;
const tide_study_mode *tide_study_mode_find(const char *name); // NULL finds the first

// Reads the lists of the command line and checks them against the scene.
tide_status tide_study_create(const tide_study_request *request, const tide_study_mode *mode, tide_study *study,
                              tide_error *error);
void tide_study_free(tide_study *study);

// The values of an axis; a single NAN if there is no axis.
uint32_t tide_study_axis_count(const tide_study_axis *axis);
double tide_study_axis_value(const tide_study_axis *axis, uint32_t index);

#endif

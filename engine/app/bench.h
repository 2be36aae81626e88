// `bench`: how long scenes and parts of the engine take, as tables.
//
// A table is printed, and written as CSV and Markdown where that is asked for. Times are those of the run with the best
// time a frame, unless a column says otherwise. Machines, and one machine at two times, are compared by the ratio to a
// reference: a fixed piece of work that is done before each run.
#ifndef TIDE_APP_BENCH_H
#define TIDE_APP_BENCH_H

#include "app/command_line.h"

#include "script/script.h"
#include "world/world.h"

// --- tables (bench_table.c)
typedef struct tide_bench_cell {
    char text[64];
    double value; // NAN: the cell is its text
} tide_bench_cell;

typedef struct tide_bench_table {
    const char *const *columns; // names, (column_count); that of a time ends in _ms
    uint32_t column_count;
    tide_bench_cell *cells; // owned; (column_count) a row, row by row
    size_t cell_count, capacity;
    char processor[96], compiler[48];
    char about[2][320]; // lines above the table: the machine; what was run
    bool failed;        // memory ran out; what was added since is lost
    // Not owned; what --markdown and --csv write instead of the columns; NULL: them.
    const char *markdown, *csv;
} tide_bench_table;

void tide_bench_table_begin(tide_bench_table *table, const char *const *columns, uint32_t column_count);
// The row's next cell: a text, a number (NAN: none) in three digits, a whole number in full, and seconds, shown in ms.
void tide_bench_text(tide_bench_table *table, const char *text);
void tide_bench_value(tide_bench_table *table, double value);
void tide_bench_count(tide_bench_table *table, uint64_t value);
void tide_bench_seconds(tide_bench_table *table, double seconds);
// Prints the table, unless it is empty or the command line was wrong, writes it to --csv and --markdown, and frees it.
// Returns `so_far`, or TIDE_EXIT_FAILED having told why.
tide_exit tide_bench_table_end(tide_bench_table *table, const tide_arguments *arguments, tide_exit so_far);
// The same of several, one below the other; --csv is of the first.
tide_exit tide_bench_tables_end(tide_bench_table *tables, size_t count, const tide_arguments *arguments,
                                tide_exit so_far);

// --- figures: one a row of --csv (bench_figures.c)
typedef struct tide_bench_one_figure {
    char scene[64], name[48], unit[8]; // names end in their unit: "solve_ms"; ratios are "A_of_B"
    int threads;
    double value;
} tide_bench_one_figure;

typedef struct tide_bench_figures {
    tide_bench_one_figure *list; // owned
    size_t count, capacity;
    bool failed; // memory ran out
} tide_bench_figures;

// Adds one, of as many threads as are set now; none where the value is not finite.
void tide_bench_figure(tide_bench_figures *figures, const char *scene, const char *name, double value,
                       const char *unit);
double tide_bench_figure_find(const tide_bench_figures *figures, const char *scene, int threads, const char *name);

// What a measurement fills: tables, begun by it in their order, and figures.
typedef struct tide_bench_report {
    tide_bench_table tables[8];
    size_t count;
    tide_bench_figures figures;
} tide_bench_report;
// Prints the tables that `measure` began and the change against --compare's file, and writes what the command line asks
// for.
tide_exit tide_bench_with_figures(const tide_arguments *arguments,
                                  tide_exit (*measure)(const tide_arguments *arguments, tide_bench_report *report));
// Another table of the report, with the columns and a line above it.
tide_bench_table *tide_bench_report_table(tide_bench_report *report, const char *about, const char *const *columns,
                                          uint32_t column_count);

// --- the machine (bench_machine.c)
// Bytes a second that one thread reads of an array of so many, again and again, as solves read a factor.
double tide_bench_read_speed(size_t bytes);
// The most memory, bytes, that the process has had since the last reset; NAN where the system does not tell.
double tide_bench_process_peak(void);
void tide_bench_reset_peak(void);

// --- scenes (bench_scene.c)
// What an iteration of local_global is made of (bench_solve.c); seconds, each at its best.
typedef struct tide_bench_solve {
    double local;   // the gradient of g
    double solve;   // the solve for it, by default
    double cholmod; // CHOLMOD's, with copying in and out
    double stream;  // reading what the solve reads, twice; 0: it goes by CHOLMOD
    double analyse, factor, panels;
    size_t nonzeros;    // of L
    size_t panel_bytes; // that a sweep reads
    size_t bytes;       // of memory that the scene and its solver hold
    char precision[64]; // in what vectors it is solved
} tide_bench_solve;

// What it takes, seconds, until the next solve can be when the matrix has changed (bench_updates.c); of what is done at
// one place, the mean over several.
typedef struct tide_bench_updates {
    double pin, unpin, cut; // a vertex, a spring
    double stiffness, timestep;
    double added;  // a spring between two far vertices
    double redone; // of a factorisation's operations, what a pin takes
} tide_bench_updates;

// How long methods take until the error of a step (step_error.h) is 1e-1, 1e-2, 1e-3 (bench_errors.c).
enum {
    TIDE_BENCH_CHOLMOD, // local_global with CHOLMOD's solve
    TIDE_BENCH_LOCAL_GLOBAL,
    TIDE_BENCH_LBFGS,
    TIDE_BENCH_ANDERSON,
    TIDE_BENCH_NEWTON,
    TIDE_BENCH_METHODS,
    TIDE_BENCH_ERRORS = 3
};
extern const char *const tide_bench_methods[TIDE_BENCH_METHODS]; // short names
typedef struct tide_bench_errors {
    double seconds[TIDE_BENCH_METHODS][TIDE_BENCH_ERRORS]; // NAN: not reached within the limit
    uint32_t iterations[TIDE_BENCH_METHODS][TIDE_BENCH_ERRORS];
    double unsettled;   // how far from x* what stands for it may be still, as such an error
    double gradient;    // |grad g(x*)| / |grad g(y)|
    char reference[48]; // what found x*; "": none was found in the time, or nothing is to be minimised
} tide_bench_errors;

typedef struct tide_bench_result {
    char scene[64], solver[64]; // scene: the file's name without folder and ending
    uint32_t vertices, springs;
    double timestep;        // s
    double iterations;      // a frame, mean
    double iteration;       // s, local and global steps over their number; NAN: the solver has none
    double least_iteration; // s, of the frame in which it took the least
    double detect, respond; // s a frame, of contact
    double frame, median;   // s a frame: of the best run, and of the median one; the script's `update` is not in it
    double processor;       // s a frame, of all threads together, the least: what others do on the machine is not in it
    double draw;          // s, of the processor, that a picture of 1280 x 720 takes by the software renderer; the least
    double prefactor;     // s, ordering and factoring the system at the start, best; NAN: the solver does not
    double reference;     // s, the best of those before the runs
    double build, reload; // s: running the script; running it again, with the world as it is; 0: not measured
    double process;       // bytes, the most that the process had while it built the scene and took its first steps
    tide_bench_solve solve; // where figures are measured, as what follows
    tide_bench_updates updates;
    tide_bench_errors errors;
} tide_bench_result;

// A scene that cannot be measured is told: TIDE_EXIT_FAILED, or TIDE_EXIT_USAGE when the command line is at fault.
tide_exit tide_bench_scene(const tide_arguments *arguments, const char *path, tide_bench_result *result);
// Says in table->about[1] how often tide_bench_scene runs what.
void tide_bench_tell_runs(tide_bench_table *table, const tide_arguments *arguments);
uint32_t tide_bench_runs(const tide_arguments *arguments); // of --runs, or the default
double tide_bench_processor_seconds(void);                 // of all threads together, since the start

// The reference: so many multiply-adds over an array of that many numbers (64 MB) in its order, then as many of which
// each waits for the one before. `array` is what it works on; it is changed. Returns seconds.
enum { TIDE_BENCH_REFERENCE_COUNT = 1 << 23 };
double tide_bench_reference(double *array);

// The result's scene, solver, timestep, vertices and springs.
void tide_bench_describe(tide_world *world, const char *name, tide_bench_result *result);

// The parts of an iteration in the world's state; `runs` as of --runs.
tide_status tide_bench_measure_solve(tide_world *world, uint32_t runs, tide_bench_solve *result, tide_error *error);

// What changes of the scene's matrix take; spends a few seconds at most, unless one factorisation does.
tide_status tide_bench_measure_updates(tide_world *world, uint32_t runs, tide_bench_updates *result, tide_error *error);

// Of the step that comes now; spends some tens of seconds at most.
tide_status tide_bench_measure_errors(tide_script *script, tide_bench_errors *errors, tide_error *error);

// The least processor time that a picture of the scene as it is takes; all threads together (bench_draw.c).
tide_status tide_bench_measure_draw(tide_script *script, double *seconds, tide_error *error);

// --- modes
enum { TIDE_BENCH_PATH = 4096 + 32 };
// The path of a scene in a folder of scenes/; false, with a message, when there is no such folder.
bool tide_bench_find_scene(const char *folder, const char *name, char path[TIDE_BENCH_PATH]);
// Liu et al. 2013, Table 1: those of its scenes that are there, the paper's figures and the ratios (bench_table1.c).
tide_exit tide_bench_table1(const tide_arguments *arguments);
// The searches for what is near on points at random, at one density (bench_broad_phase.c); processor time.
tide_exit tide_bench_broad_phase(const tide_arguments *arguments);
// The tables and figures of scenes, whoever measured them.
typedef struct tide_bench_parts {
    tide_bench_report *report;
    tide_bench_table *parts, *frames, *updates, *errors; // of the report
    double cache, memory;                                // bytes a second that one thread reads
} tide_bench_parts;
void tide_bench_begin_parts(tide_bench_parts *parts, const tide_arguments *arguments, tide_bench_report *report);
void tide_bench_add_parts(const tide_bench_parts *parts, const tide_bench_result *result);
// One thread and all, or as many as the command line says. Returns how many numbers of threads that is.
uint32_t tide_bench_thread_counts(const tide_arguments *arguments, int counts[2]);
// The parts of an iteration of scenes, by default those of Table 1, with 1 and with all threads (bench_solve.c).
tide_exit tide_bench_solves(const tide_arguments *arguments, tide_bench_parts *parts);
// Of a scene's parameters: gives a list (TIDE_BENCH_SETTINGS) this one in place of those of its name, of which it has
// some or room for two. Returns it; it is the last.
enum { TIDE_BENCH_SETTINGS = 24 };
tide_setting *tide_bench_set(tide_setting *settings, uint32_t *count, const char *name, const char *value);
// Cloths and blocks of 1,000 vertices to 1,000,000 (bench_growth.c).
tide_exit tide_bench_growth(const tide_arguments *arguments, tide_bench_parts *parts);
// A table of what the program is held to, as far as the report has figures for it (bench_targets.c).
void tide_bench_add_targets(tide_bench_report *report);
// What --without leaves out: "draw", "errors", "growth".
bool tide_bench_is_left_out(const tide_arguments *arguments, const char *part);

#endif

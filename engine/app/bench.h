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

// --- scenes (bench_scene.c)
// What an iteration of local_global is made of (bench_solve.c); seconds, each at its best.
typedef struct tide_bench_solve {
    double local;   // the gradient of g
    double solve;   // the solve for it, by default
    double cholmod; // CHOLMOD's, with copying in and out
    double stream;  // reading what the solve reads, twice; 0: it goes by CHOLMOD
    double analyse, factor, panels;
    size_t nonzeros;    // of L
    size_t bytes;       // of memory that the scene and its solver hold
    char precision[64]; // in what vectors it is solved
} tide_bench_solve;

typedef struct tide_bench_result {
    char scene[64], solver[64]; // scene: the file's name without folder and ending
    uint32_t vertices, springs;
    double timestep;        // s
    double iterations;      // a frame, mean
    double iteration;       // s, local and global steps over their number; NAN: the solver has none
    double detect, respond; // s a frame, of contact
    double frame, median;   // s a frame: of the best run, and of the median one; the script's `update` is not in it
    double processor;       // s a frame, of all threads together, the least: what others do on the machine is not in it
    double draw;      // s, of the processor, that a picture of 1280 x 720 takes by the software renderer; the least
    double prefactor; // s, ordering and factoring the system at the start, best; NAN: the solver does not
    double reference; // s, the best of those before the runs
    tide_bench_solve solve; // with --solve
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

// The parts of an iteration in the world's state; `runs` as of --runs.
tide_status tide_bench_measure_solve(tide_world *world, uint32_t runs, tide_bench_solve *result, tide_error *error);

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
// The parts of an iteration of scenes, by default those of Table 1, with 1 and with all threads (bench_solve.c).
tide_exit tide_bench_solves(const tide_arguments *arguments);
// Cloths and blocks of 1,000 vertices to 1,000,000 (bench_growth.c).
tide_exit tide_bench_growth(const tide_arguments *arguments);

#endif

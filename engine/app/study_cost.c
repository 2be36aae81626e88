// `convergence --cost`: seconds of computing for a second of the scene (Shinya 2005, fig. 5 to 7; Ahmad 2007, fig. 6
// and 8), with what they depend on.
#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "model/stiffness.h"
#include "session/study.h"
#include "solver/filter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { RUNS = 3, EIGENVALUE_ITERATIONS = 20000 };
static const double eigenvalue_tolerance = 1e-5;

// One solver with one value on each axis
typedef struct measurement {
    uint32_t solver;
    double sweep, across;
    double timestep;             // s
    uint32_t particles, springs; // free ones
    double k0;                   // 1/s^2, at the start
    double seconds;              // of computing for a second of the scene; NAN: a step diverged
    double iterations, linear;   // a step
    double substeps, rejected;   // a step
    double substep, stable;      // s, those of the last report; 0: none
    double algorithm_1;          // s: 2 / sqrt of what algorithm 1 of Ahmad 2007 finds; NAN: there is no filter
} measurement;

typedef struct cost {
    const tide_study *study;
    measurement *rows; // (count) by solver, then across, then sweep
    uint32_t count;
} cost;

double tide_study_seconds(void)
{
    return tide_threads() > 1 ? tide_clock_seconds() : (double)clock() / CLOCKS_PER_SEC;
}

// --- the scene at its start ------------------------------------------------------------------------------------------

// The filter among a solver's options; NULL when its kind has none or none is given.
static const tide_filter *filter_of(const tide_solver *solver)
{
    const tide_solver_kind *kind = tide_solver_kind_of(solver);
    const tide_field *field = tide_field_find(kind->fields, "", "filter", NULL);
    if (!field || field->record != tide_filter_fields)
        return NULL;
    const tide_filter *filter = tide_solver_option(solver, "filter");
    return filter->kind == TIDE_FILTER_NONE ? NULL : filter;
}

static tide_status measure_filter(const tide_system *system, const tide_filter *filter, const double *x,
                                  const tide_stiffness *stiffness, double *vector, double *work, measurement *out,
                                  tide_error *error)
{
    tide_filter_graph graph = { 0 };
    tide_status status = tide_filter_prepare(&graph, system, x, error);
    if (status == TIDE_OK) {
        tide_filter_weigh(&graph, filter, system, x);
        out->algorithm_1 = 2 / sqrt(tide_filter_eigenvalue(&graph, stiffness, vector, work));
    }
    tide_filter_free(&graph);
    return status;
}

static tide_status measure_start(tide_world *world, measurement *out, tide_error *error)
{
    const tide_system *system;
    tide_stiffness stiffness = { 0 };
    tide_status status = tide_world_system(world, &system, error);
    if (status != TIDE_OK)
        return status;
    const double *x = tide_world_all_positions(world);
    double *vector = tide_allocate_array(system->particle_count, 3 * sizeof *vector);
    double *work = tide_allocate_array(system->particle_count, 15 * sizeof *work);
    status = vector && work ? tide_stiffness_prepare(&stiffness, system, error) : tide_fail_memory(error, "cost");
    if (status == TIDE_OK) {
        tide_stiffness_evaluate(&stiffness, system, x, true, 1, 0);
        out->k0 =
            tide_stiffness_largest_eigenvalue(&stiffness, eigenvalue_tolerance, EIGENVALUE_ITERATIONS, vector, work)
                .value;
        const tide_filter *filter = filter_of(tide_world_solver(world));
        if (filter)
            status = measure_filter(system, filter, x, &stiffness, vector, work, out, error);
    }
    tide_stiffness_free(&stiffness);
    tide_free(vector);
    tide_free(work);
    out->particles = system->free_count;
    for (uint32_t i = 0; i < tide_world_body_count(world); i++) {
        tide_body_info info;
        if (tide_world_body_info(world, tide_world_body_at(world, i), &info))
            out->springs += info.spring_count;
    }
    return status;
}

// --- seconds ---------------------------------------------------------------------------------------------------------

static tide_status step(tide_script *script, measurement *sum, double *seconds, tide_error *error)
{
    tide_world *world = tide_script_world(script);
    tide_status status = tide_script_update(script, error);
    if (status != TIDE_OK)
        return status;
    double start = tide_study_seconds();
    status = tide_world_step(world, error);
    *seconds += tide_study_seconds() - start;
    if (status != TIDE_OK || !sum)
        return status;
    const tide_report *report = tide_world_report(world);
    sum->iterations += report->iterations;
    sum->linear += report->linear_iterations;
    sum->substeps += report->substeps;
    sum->rejected += report->rejected;
    sum->substep = report->substep;
    sum->stable = report->stable_substep;
    return status;
}

// From the snapshot: a step to make the solver ready again, then those that count. `sum` NULL: only seconds.
static tide_status run(const tide_study *study, tide_script *script, const tide_snapshot *start, measurement *sum,
                       double *seconds, tide_error *error)
{
    double unused = 0;
    tide_status status = tide_world_restore(tide_script_world(script), start, error);
    if (status == TIDE_OK)
        status = step(script, NULL, &unused, error);
    for (uint64_t i = 0; status == TIDE_OK && i < study->frames; i++)
        status = step(script, sum, seconds, error);
    return status;
}

static tide_status run_several(const tide_study *study, tide_script *script, measurement *out, tide_error *error)
{
    tide_world *world = tide_script_world(script);
    tide_snapshot *start = NULL;
    double best = INFINITY, unused = 0;
    tide_status status = TIDE_OK;
    uint64_t warm_up = study->frame - 1;
    for (uint64_t i = 0; status == TIDE_OK && i < warm_up; i++)
        status = step(script, NULL, &unused, error);
    if (status == TIDE_OK)
        status = tide_world_snapshot(world, &start, error);
    for (int i = 0; status == TIDE_OK && i < RUNS; i++) {
        double seconds = 0;
        status = run(study, script, start, i == 0 ? out : NULL, &seconds, error);
        best = fmin(best, seconds);
    }
    tide_snapshot_destroy(start);
    double frames = (double)study->frames;
    out->seconds = status == TIDE_OK ? best / (frames * out->timestep) : NAN;
    out->iterations /= frames;
    out->linear /= frames;
    out->substeps /= frames;
    out->rejected /= frames;
    return status == TIDE_ERROR_NUMERIC ? TIDE_OK : status; // it diverged: there is no time for it
}

static tide_status measure(const cost *c, measurement *out, tide_error *error)
{
    tide_script *script = NULL;
    tide_status status =
        tide_study_open(c->study, c->study->solvers[out->solver].text, out->sweep, out->across, &script, error);
    if (status == TIDE_OK) {
        tide_world *world = tide_script_world(script);
        out->timestep = tide_world_get_settings(world)->timestep;
        out->algorithm_1 = NAN;
        status = measure_start(world, out, error);
    }
    if (status == TIDE_OK)
        status = run_several(c->study, script, out, error);
    tide_script_close(script);
    return status;
}

// --- slopes ----------------------------------------------------------------------------------------------------------

typedef double quantity(const measurement *);

static double particles_of(const measurement *m)
{
    return m->particles;
}

static double root_of_k0(const measurement *m)
{
    return sqrt(m->k0);
}

static double timestep_of(const measurement *m)
{
    return m->timestep;
}

// Whether it goes far enough over the rows for a slope to tell something.
static bool varies(const measurement *rows, uint32_t count, quantity *of, double factor)
{
    double least = INFINITY, most = 0;
    for (uint32_t i = 0; i < count; i++) {
        least = fmin(least, of(&rows[i]));
        most = fmax(most, of(&rows[i]));
    }
    return least > 0 && most > factor * least;
}

// d log seconds / d log of the quantity, by least squares; NAN where there is none.
static double slope(const measurement *rows, uint32_t count, quantity *of)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!(rows[i].seconds > 0 && of(&rows[i]) > 0))
            continue;
        double a = log(of(&rows[i])), b = log(rows[i].seconds);
        n += 1;
        x += a;
        y += b;
        xx += a * a;
        xy += a * b;
    }
    double spread = n * xx - x * x;
    return n > 1 && spread > 1e-9 * n * xx ? (n * xy - x * y) / spread : NAN;
}

// Of the column of solvers
static int widest(const tide_study *study)
{
    size_t width = 11;
    for (uint32_t i = 0; i < study->solver_count; i++) {
        size_t length = strlen(study->solvers[i].text);
        width = length > width ? length : width;
    }
    return (int)width;
}

static void print_slopes(const cost *c)
{
    static const struct {
        quantity *of;
        const char *name;
    } against[] = { { particles_of, "particles" }, { root_of_k0, "sqrt(k0)" }, { timestep_of, "timestep" } };
    const tide_study *study = c->study;
    uint32_t length = tide_study_axis_count(&study->sweep);
    bool any = false;
    for (int k = 0; k < 3; k++)
        any = any || varies(c->rows, c->count, against[k].of, 1.5);
    if (length < 2 || !any)
        return;
    printf("\nslope of log seconds against log of\n%-*s", widest(study), "");
    for (int k = 0; k < 3; k++)
        if (varies(c->rows, c->count, against[k].of, 1.5))
            printf(" %12s", against[k].name);
    printf("\n");
    for (uint32_t i = 0; i < c->count; i += length) {
        const measurement *rows = c->rows + i;
        printf("%-*s", widest(study), study->solvers[rows->solver].text);
        for (int k = 0; k < 3; k++)
            if (varies(c->rows, c->count, against[k].of, 1.5)) {
                double found = varies(rows, length, against[k].of, 1.5) ? slope(rows, length, against[k].of) : NAN;
                if (isnan(found))
                    printf(" %12s", "-");
                else
                    printf(" %12.2f", found);
            }
        if (study->across.count)
            printf("   %s = %.6g", study->across.name, rows->across);
        printf("\n");
    }
}

// --- results ---------------------------------------------------------------------------------------------------------

static void print_row(const cost *c, const measurement *m)
{
    const tide_study *study = c->study;
    const char *solver = study->solvers[m->solver].text;
    printf("%-*s", widest(study), solver[0] ? solver : "scene's own");
    if (study->sweep.count)
        printf(" %12.6g", m->sweep);
    if (study->across.count)
        printf(" %12.6g", m->across);
    printf(" %9u %9u %10.4g", m->particles, m->springs, m->k0);
    if (isnan(m->seconds)) {
        printf("   diverged\n");
        return;
    }
    printf(" %10.4g %10.4g %10.4g %10.4g %10.4g %10.4g\n", m->seconds, 1e3 * m->seconds * m->timestep, m->iterations,
           m->linear, m->substeps, m->substep);
}

static void print_table(const cost *c)
{
    const tide_study *study = c->study;
    printf("%-*s", widest(study), "solver");
    if (study->sweep.count)
        printf(" %12s", study->sweep.name);
    if (study->across.count)
        printf(" %12s", study->across.name);
    printf(" %9s %9s %10s %10s %10s %10s %10s %10s %10s\n", "particles", "springs", "k0 (1/s^2)", "s a second",
           "ms a step", "iterations", "linear", "substeps", "substep (s)");
    for (uint32_t i = 0; i < c->count; i++)
        print_row(c, &c->rows[i]);
}

// A curve is a solver with one value across.
static void line_name(const tide_study *study, const measurement *m, char *text, size_t size)
{
    tide_study_label(study, study->solvers[m->solver].text, NAN, text, size);
    size_t length = strlen(text);
    if (study->across.count)
        snprintf(text + length, size - length, " %s=%.6g", study->across.name, m->across);
}

static tide_status write_table(const cost *c, tide_error *error)
{
    // Names that no axis has
    static const char *const columns[] = { "line",
                                           "h",
                                           "particles",
                                           "springs",
                                           "largest_eigenvalue",
                                           "seconds",
                                           "milliseconds",
                                           "iterations_taken",
                                           "linear_iterations",
                                           "substeps_taken",
                                           "substeps_rejected",
                                           "substep_taken",
                                           "substep_stable",
                                           "substep_algorithm_1",
                                           NULL };
    tide_study_table *table = NULL;
    tide_status status = tide_study_table_open(c->study, "cost.csv", columns, &table, error);
    for (uint32_t i = 0; status == TIDE_OK && i < c->count; i++) {
        const measurement *m = &c->rows[i];
        char line[400];
        bool went = !isnan(m->seconds);
        line_name(c->study, m, line, sizeof line);
        tide_study_row(table, c->study->solvers[m->solver].text, m->sweep, m->across);
        tide_study_cell_text(table, line);
        const double cells[] = { m->timestep, m->particles, m->springs,
                                 m->k0,       m->seconds,   1e3 * m->seconds * m->timestep };
        for (size_t k = 0; k < sizeof cells / sizeof *cells; k++)
            tide_study_cell(table, cells[k]);
        const double counts[] = { m->iterations, m->linear, m->substeps, m->rejected };
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
            tide_study_cell(table, went ? counts[k] : NAN);
        tide_study_cell(table, m->substep > 0 ? m->substep : NAN);
        tide_study_cell(table, m->stable > 0 ? m->stable : NAN);
        tide_study_cell(table, m->algorithm_1);
    }
    return tide_study_table_close(table, status, error);
}

typedef struct drawing {
    const char *name, *title, *x, *x_label, *y, *y_label;
    bool x_logarithmic;
    quantity *of; // what the reference line is proportional to; NULL: there is none
} drawing;

// The line through the slowest point of them all, to see a slope of 1 by.
static void reference_line(const cost *c, quantity *of, const char *x, char *text, size_t size)
{
    const measurement *most = NULL;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->rows[i].seconds > 0 && (!most || c->rows[i].seconds > most->seconds))
            most = &c->rows[i];
    snprintf(text, size, "%.6g * %s%s", most ? most->seconds / of(most) : 1, strchr(x, '$') ? "" : "$", x);
}

static tide_status draw(const cost *c, const drawing *what, tide_error *error)
{
    const tide_study *study = c->study;
    uint32_t length = tide_study_axis_count(&study->sweep), lines = c->count / length;
    tide_plot_curve *curves = tide_allocate_zeroed((size_t)lines + 1, sizeof *curves);
    char(*names)[400] = tide_allocate_zeroed(lines, sizeof *names);
    char reference[200];
    if (!curves || !names) {
        tide_free(curves);
        tide_free(names);
        return tide_fail_memory(error, "cost");
    }
    for (uint32_t i = 0; i < lines; i++) {
        line_name(study, &c->rows[i * length], names[i], sizeof names[i]);
        curves[i] = (tide_plot_curve) {
            .title = names[i], .filter_column = "line", .filter = names[i], .x = what->x, .y = what->y
        };
    }
    if (what->of) {
        reference_line(c, what->of, what->x, reference, sizeof reference);
        curves[lines] = (tide_plot_curve) { .title = "slope 1",
                                            .filter_column = "line",
                                            .filter = names[0],
                                            .x = what->x,
                                            .y = reference,
                                            .style = "lines dashtype 2 linecolor rgb '#999999'" };
    }
    tide_plot plot = { .title = what->title,
                       .x_label = what->x_label,
                       .y_label = what->y_label,
                       .x_logarithmic = what->x_logarithmic,
                       .y_logarithmic = true,
                       .curves = curves,
                       .curve_count = lines + (what->of != NULL),
                       .more = "set key below Left reverse" };
    tide_status status = tide_study_plot(study, &plot, what->name, "cost.csv", error);
    tide_free(curves);
    tide_free(names);
    return status;
}

// Ahmad 2007, fig. 6: of filtered methods, the substep that is stable in theory and that of algorithm 1.
static tide_status draw_substeps(const cost *c, tide_error *error)
{
    const tide_study_axis *axis = &c->study->sweep;
    uint32_t length = axis->count, lines = c->count / length, count = 0;
    tide_plot_curve *curves = tide_allocate_zeroed(lines, 2 * sizeof *curves);
    char(*names)[2][430] = tide_allocate_zeroed(lines, sizeof *names);
    char(*filters)[400] = tide_allocate_zeroed(lines, sizeof *filters);
    tide_status status = curves && names && filters ? TIDE_OK : tide_fail_memory(error, "cost");
    for (uint32_t i = 0; status == TIDE_OK && i < lines; i++) {
        if (isnan(c->rows[i * length].algorithm_1))
            continue;
        line_name(c->study, &c->rows[i * length], filters[i], sizeof filters[i]);
        snprintf(names[i][0], sizeof names[i][0], "%s: stable", filters[i]);
        snprintf(names[i][1], sizeof names[i][1], "%s: algorithm 1", filters[i]);
        for (int k = 0; k < 2; k++)
            curves[count++] = (tide_plot_curve) { .title = names[i][k],
                                                  .filter_column = "line",
                                                  .filter = filters[i],
                                                  .x = axis->column,
                                                  .y = k == 0 ? "1e3 * $substep_stable" : "1e3 * $substep_algorithm_1",
                                                  .style = k == 0 ? "linespoints" : "lines dashtype 2" };
    }
    tide_plot plot = { .title = "Longest substep, by the theory of the filter and by the paper's algorithm 1",
                       .x_label = axis->label,
                       .y_label = "substep (ms)",
                       .x_logarithmic = axis->logarithmic,
                       .curves = curves,
                       .curve_count = count,
                       .more = "set key below Left reverse" };
    if (status == TIDE_OK && count)
        status = tide_study_plot(c->study, &plot, "substep", "cost.csv", error);
    tide_free(curves);
    tide_free(names);
    tide_free(filters);
    return status;
}

static tide_status draw_all(const cost *c, tide_error *error)
{
    const tide_study *study = c->study;
    if (study->sweep.count < 2)
        return TIDE_OK;
    const tide_study_axis *axis = &study->sweep;
    const char *seconds = "seconds of computing for a simulated second";
    tide_status status =
        draw(c, &(drawing) { "cost", "Cost", axis->column, axis->label, "seconds", seconds, axis->logarithmic, NULL },
             error);
    if (status == TIDE_OK && varies(c->rows, c->count, particles_of, 1.5))
        status = draw(c,
                      &(drawing) { "cost_particles", "Cost against particles", "particles", "free particles", "seconds",
                                   seconds, true, particles_of },
                      error);
    if (status == TIDE_OK && varies(c->rows, c->count, root_of_k0, 1.5))
        status =
            draw(c,
                 &(drawing) { "cost_sqrt_k0", "Cost against the root of the largest eigenvalue of M^-1 K",
                              "sqrt($largest_eigenvalue)", "sqrt(k0) (1/s)", "seconds", seconds, true, root_of_k0 },
                 error);
    if (status == TIDE_OK)
        status = draw(c,
                      &(drawing) { "iterations", "Iterations", axis->column, axis->label,
                                   "($linear_iterations > 0 ? $linear_iterations : $substeps_taken > 1 ? "
                                   "$substeps_taken : $iterations_taken > 0 ? $iterations_taken : 1) / $h",
                                   "(linear) iterations, or explicit substeps, in a simulated second",
                                   axis->logarithmic, NULL },
                      error);
    return status == TIDE_OK ? draw_substeps(c, error) : status;
}

static void lay_out(cost *c)
{
    const tide_study *study = c->study;
    uint32_t length = tide_study_axis_count(&study->sweep), across = tide_study_axis_count(&study->across);
    for (uint32_t i = 0; i < c->count; i++) {
        c->rows[i].solver = i / (length * across);
        c->rows[i].across = tide_study_axis_value(&study->across, i / length % across);
        c->rows[i].sweep = tide_study_axis_value(&study->sweep, i % length);
    }
}

tide_status tide_study_cost(const tide_study *study, tide_error *error)
{
    cost c = { .study = study };
    c.count = study->solver_count * tide_study_axis_count(&study->sweep) * tide_study_axis_count(&study->across);
    c.rows = tide_allocate_zeroed(c.count, sizeof *c.rows);
    if (!c.rows)
        return tide_fail_memory(error, "cost");
    lay_out(&c);
    tide_study_hush(true);
    tide_status status = TIDE_OK;
    for (uint32_t i = 0; status == TIDE_OK && i < c.count; i++) {
        tide_study_progress("measurements", i, c.count);
        status = measure(&c, &c.rows[i], error);
    }
    tide_study_progress("measurements", c.count, c.count);
    tide_study_hush(false);
    if (status == TIDE_OK)
        print_table(&c);
    if (status == TIDE_OK)
        status = write_table(&c, error);
    if (status == TIDE_OK)
        status = draw_all(&c, error);
    if (status == TIDE_OK)
        print_slopes(&c);
    tide_free(c.rows);
    return status;
}

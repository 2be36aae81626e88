// `convergence --order`: the error after a fixed time against the timestep, and the order of accuracy that it shows.
//
// The scene is run from its start for frames * timestep seconds with the timestep, a half of it, a quarter and so on.
// The error is the root of the mean square distance of the free particles from where Runge-Kutta of order 4 brings them
// with a timestep of an eighth of the shortest, in substeps of at most a 32nd of the longest stable one, and with the
// solver's damping. Iterative methods are given a tolerance and many iterations, explicit ones the timestep as their
// substep; timesteps above the longest stable one are left out.
//
// The order is the slope of the longest run of points in which the slopes from point to point agree to within 0.15 (of
// equally long ones that with the shortest timesteps), by least squares of the logarithms. Points whose error is above
// a tenth of the motion, or within 50 times what rounding may leave, take no part.
#include "session/study.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum { MAX_POINTS = 21, REFINEMENT = 8, STABLE_PARTS = 32, ITERATIONS = 10000 };
static const double TOLERANCE = 1e-9, AGREEMENT = 0.15;

typedef struct point {
    double h, error;
    uint64_t steps, unconverged; // steps that did not meet the tolerance
    bool fitted;
} point;

typedef struct curve {
    tide_study_solver solver; // with what was set
    int expected;             // order; 0: none is known
    point points[MAX_POINTS];
    uint32_t count, left_out; // left_out: above the longest stable timestep
    double slope;             // NAN when there are too few points
    bool settled;             // the slopes agree
    char failure[1200];
} curve;

// Where the particles are in the end.
typedef struct ending {
    double *x; // (3 * particle_count)
    uint32_t particle_count;
    uint64_t unconverged;
    bool unstable; // the timestep is above the longest stable one
    double stable; // s
} ending;

// --- running ---------------------------------------------------------------------------------------------------------

static tide_status open_at(const tide_study *study, const char *solver, double sweep, double h, tide_script **script,
                           tide_error *error)
{
    tide_arguments arguments = *study->arguments;
    tide_study shorter = *study;
    arguments.timestep = h;
    shorter.arguments = &arguments;
    return tide_study_open(&shorter, solver, sweep, NAN, script, error);
}

static tide_status run(tide_script *script, uint64_t steps, bool as_given, ending *end, tide_error *error)
{
    tide_world *world = tide_script_world(script);
    size_t numbers = 3 * (size_t)tide_world_particle_count(world);
    double h = tide_world_get_settings(world)->timestep;
    tide_status status = TIDE_OK;
    for (uint64_t i = 0; status == TIDE_OK && i < steps; i++) {
        status = tide_script_step(script, error);
        const tide_report *report = tide_world_report(world);
        end->stable = report->never_stable ? 2 / sqrt(report->largest_eigenvalue) : report->stable_substep;
        end->unstable = end->stable > 0 && h > end->stable * (1 + 1e-9);
        end->unconverged += !report->converged;
        if (as_given && end->unstable)
            return status;
    }
    if (status != TIDE_OK)
        return status;
    end->particle_count = tide_world_particle_count(world);
    end->x = tide_copy_bytes(tide_world_all_positions(world), numbers * sizeof(double));
    return end->x ? TIDE_OK : tide_fail_memory(error, "study");
}

// The damping that a solver's text gives, which the reference is to have too.
static void copy_damping(const char *text, tide_study_solver *to)
{
    for (const char *comma = strchr(text, ','); comma; comma = strchr(comma + 1, ',')) {
        size_t length = strcspn(comma + 1, ","), used = strlen(to->text);
        if (strncmp(comma + 1, "damping", 7) == 0)
            snprintf(to->text + used, sizeof to->text - used, ",%.*s", (int)length, comma + 1);
    }
}

static tide_status run_reference(const tide_study *study, const char *solver, double sweep, double time, double h,
                                 ending *end, tide_error *error)
{
    tide_study_solver method = { "rk4" };
    tide_script *script;
    copy_damping(solver, &method);
    tide_status status = open_at(study, method.text, sweep, h, &script, error);
    if (status != TIDE_OK)
        return status;
    ending first = { 0 };
    status = run(script, 1, false, &first, error); // tells the longest stable substep
    tide_free(first.x);
    if (status == TIDE_OK) {
        double substep = first.stable > 0 ? fmin(h, first.stable / STABLE_PARTS) : h;
        tide_study_add_option(tide_solver_kind_of(tide_world_solver(tide_script_world(script))), &method, "substep",
                              substep);
    }
    tide_script_close(script);
    if (status == TIDE_OK)
        status = open_at(study, method.text, sweep, h, &script, error);
    if (status != TIDE_OK)
        return status;
    status = run(script, (uint64_t)llround(time / h), false, end, error);
    tide_script_close(script);
    return status;
}

// --- one solver ------------------------------------------------------------------------------------------------------

static void set_options(const tide_solver_kind *kind, double h, tide_study_solver *solver)
{
    tide_study_add_option(kind, solver, "substep", h);
    if (tide_study_has(kind, "tolerance")) {
        tide_study_add_option(kind, solver, "tolerance", TOLERANCE);
        tide_study_add_option(kind, solver, "iterations", fmin(ITERATIONS, tide_study_most(kind, "iterations")));
    }
    tide_study_add_option(kind, solver, "cg_tolerance", 1e-12);
}

static double distance(const tide_system *system, const double *a, const double *b)
{
    double sum = 0;
    for (uint32_t row = 0; row < system->free_count; row++)
        for (size_t k = 0; k < 3; k++) {
            size_t i = 3 * (size_t)system->free_particles[row] + k;
            sum += (a[i] - b[i]) * (a[i] - b[i]);
        }
    return sqrt(sum / (system->free_count ? system->free_count : 1));
}

// One point; `text` is the solver as the user gave it.
static tide_status measure_point(const tide_study *study, const char *text, double sweep, const ending *reference,
                                 double h, uint64_t steps, curve *c, tide_error *error)
{
    tide_script *script;
    tide_status status = open_at(study, text, sweep, h, &script, error);
    if (status != TIDE_OK)
        return status;
    const tide_solver_kind *kind = tide_solver_kind_of(tide_world_solver(tide_script_world(script)));
    c->expected = kind->order;
    snprintf(c->solver.text, sizeof c->solver.text, "%s", text);
    set_options(kind, h, &c->solver);
    tide_script_close(script);
    status = open_at(study, c->solver.text, sweep, h, &script, error);
    if (status != TIDE_OK)
        return status;
    ending end = { 0 };
    tide_error failure;
    const tide_system *system;
    status = run(script, steps, true, &end, &failure);
    if (status == TIDE_ERROR_NUMERIC || (status == TIDE_OK && end.unstable))
        c->left_out++;
    else if (status == TIDE_OK) {
        status = tide_world_system(tide_script_world(script), &system, &failure);
        if (status == TIDE_OK)
            c->points[c->count++] = (point) {
                .h = h, .error = distance(system, end.x, reference->x), .steps = steps, .unconverged = end.unconverged
            };
    }
    if (status != TIDE_OK)
        tide_error_text(&failure, c->failure, sizeof c->failure);
    tide_free(end.x);
    tide_script_close(script);
    if (status != TIDE_OK && status != TIDE_ERROR_NUMERIC && error)
        *error = failure;
    return status == TIDE_ERROR_NUMERIC ? TIDE_OK : status;
}

// --- the slope -------------------------------------------------------------------------------------------------------

static double slope_between(const point *a, const point *b)
{
    return log(a->error / b->error) / log(a->h / b->h);
}

// Whether the slopes within points first ... last agree.
static bool is_straight(const point *points, uint32_t first, uint32_t last)
{
    double least = INFINITY, most = -INFINITY;
    for (uint32_t i = first; i < last; i++) {
        double slope = slope_between(&points[i], &points[i + 1]);
        least = fmin(least, slope);
        most = fmax(most, slope);
    }
    return most - least <= AGREEMENT;
}

static double fit(const point *points, uint32_t first, uint32_t last)
{
    double n = last - first + 1, x = 0, y = 0, xx = 0, xy = 0;
    for (uint32_t i = first; i <= last; i++) {
        double u = log(points[i].h), v = log(points[i].error);
        x += u;
        y += v;
        xx += u * u;
        xy += u * v;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

// The points, from the longest timestep to the shortest, of which errors are between the two limits: first ... last.
static bool find_usable(const curve *c, double least, double most, uint32_t *first, uint32_t *last)
{
    *first = 0;
    while (*first < c->count && !(c->points[*first].error < most))
        ++*first;
    *last = *first;
    while (*last < c->count && c->points[*last].error > least)
        ++*last;
    return (*last)-- >= *first + 2;
}

static void fit_curve(curve *c, double least, double most)
{
    uint32_t first, last;
    c->slope = NAN;
    if (!find_usable(c, least, most, &first, &last))
        return;
    uint32_t from = last - 1, to = last;
    for (uint32_t length = last - first; length >= 2 && !c->settled; length--)
        for (uint32_t start = last - length + 1; start-- > first && !c->settled;)
            if (is_straight(c->points, start, start + length)) {
                from = start;
                to = start + length;
                c->settled = true;
            }
    c->slope = fit(c->points, from, to);
    for (uint32_t i = from; i <= to; i++)
        c->points[i].fitted = true;
}

// --- what comes out --------------------------------------------------------------------------------------------------

static void print_curve(const curve *c, const char *label)
{
    const point *last = c->count ? &c->points[c->count - 1] : NULL;
    uint32_t fitted = 0;
    uint64_t unconverged = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        fitted += c->points[i].fitted;
        unconverged += c->points[i].unconverged;
    }
    char slope[16] = "-", expected[16] = "-", note[200] = "";
    if (!isnan(c->slope))
        snprintf(slope, sizeof slope, "%.2f", c->slope);
    if (c->expected)
        snprintf(expected, sizeof expected, "%d", c->expected);
    if (c->left_out)
        snprintf(note, sizeof note, "; %u unstable", c->left_out);
    if (fitted && !c->settled)
        snprintf(note + strlen(note), sizeof note - strlen(note), "; not settled");
    if (unconverged)
        snprintf(note + strlen(note), sizeof note - strlen(note), "; %llu steps not converged",
                 (unsigned long long)unconverged);
    if (!last) {
        printf("%-28s  %s\n", label, c->failure[0] ? c->failure : "no timestep is stable");
        return;
    }
    printf("%-28s %6s %7s  %9.2e %10.2e  %u of %u%s\n", label, slope, expected, last->h, last->error, fitted, c->count,
           note);
}

static void write_rows(tide_study_table *table, const curve *c, const char *solver, double sweep)
{
    char set[sizeof c->solver.text];
    for (uint32_t i = 0; i < c->count; i++) {
        const point *at = &c->points[i];
        tide_study_row(table, solver, sweep, NAN);
        tide_study_cell(table, at->h);
        tide_study_cell(table, (double)at->steps);
        tide_study_cell(table, at->error);
        tide_study_cell(table, at->fitted);
        tide_study_cell(table, c->slope);
        tide_study_cell(table, c->expected);
        tide_study_cell(table, (double)at->unconverged);
        tide_study_label(NULL, c->solver.text, NAN, set, sizeof set);
        tide_study_cell_text(table, set);
    }
}

static tide_status draw(const tide_study *study, const curve *all, double time, tide_error *error)
{
    uint32_t values = tide_study_axis_count(&study->sweep), count = values * study->solver_count;
    tide_plot_curve *curves = tide_allocate_zeroed(count, sizeof *curves);
    char(*labels)[400] = tide_allocate_array(count, sizeof *labels), title[300];
    char(*titles)[440] = tide_allocate_array(count, sizeof *titles);
    tide_status status = curves && labels && titles ? TIDE_OK : tide_fail_memory(error, "study");
    uint32_t shown = 0;
    double shortest = INFINITY, longest = 0;
    for (uint32_t i = 0; status == TIDE_OK && i < count; i++) {
        const curve *c = &all[i];
        if (c->count == 0)
            continue;
        longest = fmax(longest, c->points[0].h);
        shortest = fmin(shortest, c->points[c->count - 1].h);
        tide_study_label(study, study->solvers[i % study->solver_count].text,
                         tide_study_axis_value(&study->sweep, i / study->solver_count), labels[i], sizeof *labels);
        if (isnan(c->slope))
            snprintf(titles[i], sizeof *titles, "%s", labels[i]);
        else
            snprintf(titles[i], sizeof *titles, "%s: %.2f", labels[i], c->slope);
        curves[shown++] = (tide_plot_curve) {
            .title = titles[i], .filter_column = "curve", .filter = labels[i], .x = "timestep", .y = "error"
        };
    }
    snprintf(title, sizeof title, "%s: error after %.4g s and the order that it shows", study->scene, time);
    tide_plot plot = { .title = title,
                       .x_label = "timestep (s)",
                       .y_label = "distance from the reference, root of the mean square (m)",
                       .x_logarithmic = true,
                       .y_logarithmic = true,
                       .x_minimum = 0.8 * shortest,
                       .x_maximum = 1.25 * longest,
                       .curves = curves,
                       .curve_count = shown };
    if (status == TIDE_OK && shown)
        status = tide_study_plot(study, &plot, "order", "order.csv", error);
    tide_free(curves);
    tide_free(labels);
    tide_free(titles);
    return status;
}

// --- the study -------------------------------------------------------------------------------------------------------

typedef struct limits {
    double time, h, size, motion; // s, s, m, m
} limits;

// The scene's timestep, how long to run, and how large it is and how far it moves, by the reference.
static tide_status find_limits(const tide_study *study, double sweep, const char *solver, limits *limits,
                               ending *reference, tide_error *error)
{
    tide_script *script;
    const tide_system *system;
    tide_status status = tide_study_open(study, NULL, sweep, NAN, &script, error);
    if (status != TIDE_OK)
        return status;
    tide_world *world = tide_script_world(script);
    limits->h = tide_world_get_settings(world)->timestep;
    limits->time = limits->h * (double)study->frames;
    status = run_reference(study, solver, sweep, limits->time, limits->h / (double)(REFINEMENT << study->halvings),
                           reference, error);
    if (status == TIDE_OK)
        status = tide_world_system(world, &system, error);
    if (status == TIDE_OK) {
        limits->motion = distance(system, reference->x, tide_world_all_positions(world));
        if (limits->motion == 0)
            status = tide_fail(error, TIDE_ERROR_ARGUMENT, study->scene, NULL, NULL,
                               "nothing in it moves in %.4g s, so that there is no error to measure", limits->time);
        limits->size = limits->motion;
        for (size_t i = 0; i < 3 * (size_t)reference->particle_count; i++)
            limits->size = fmax(limits->size, fabs(reference->x[i]));
    }
    tide_script_close(script);
    return status;
}

static tide_status measure_curve(const tide_study *study, const char *solver, double sweep, curve *c,
                                 tide_study_table *table, double *time, tide_error *error)
{
    ending reference = { 0 };
    limits limits;
    tide_status status = find_limits(study, sweep, solver, &limits, &reference, error);
    for (uint32_t i = 0; status == TIDE_OK && i <= study->halvings; i++)
        status =
            measure_point(study, solver, sweep, &reference, limits.h / (double)(1u << i), study->frames << i, c, error);
    tide_free(reference.x);
    if (status != TIDE_OK)
        return status;
    double steps = (double)study->frames * (double)(REFINEMENT << study->halvings);
    fit_curve(c, 50 * 1.1e-16 * limits.size * sqrt(steps), 0.1 * limits.motion);
    write_rows(table, c, solver, sweep);
    *time = limits.time;
    return TIDE_OK;
}

static tide_status measure_all(const tide_study *study, tide_study_table *table, curve *curves, double *time,
                               tide_error *error)
{
    tide_status status = TIDE_OK;
    uint32_t values = tide_study_axis_count(&study->sweep), count = values * study->solver_count;
    char label[400];
    for (uint32_t i = 0; status == TIDE_OK && i < count; i++) {
        const char *solver = study->solvers[i % study->solver_count].text;
        double sweep = tide_study_axis_value(&study->sweep, i / study->solver_count);
        tide_study_progress("curves", i, count);
        status = measure_curve(study, solver, sweep, &curves[i], table, time, error);
        tide_study_progress("curves", 1, 1);
        if (status != TIDE_OK)
            break;
        if (i == 0)
            printf("After %.4g s; tolerance %.0e and at most %d iterations where a solver has them, substeps of a "
                   "timestep\n%-28s %6s %7s  %9s %10s  %s\n",
                   *time, TOLERANCE, ITERATIONS, "solver", "order", "theory", "h, s", "error, m", "fitted");
        tide_study_label(study, solver, sweep, label, sizeof label);
        print_curve(&curves[i], label);
    }
    return status;
}

tide_status tide_study_order(const tide_study *study, tide_error *error)
{
    static const char *const columns[] = { "timestep", "steps",       "error", "fitted", "order",
                                           "theory",   "unconverged", "set",   NULL };
    if (study->sweep.count && study->sweep.of == TIDE_STUDY_TIMESTEP)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--sweep", "timestep",
                         "a study of order goes through timesteps by itself; --timestep is the first");
    uint32_t count = tide_study_axis_count(&study->sweep) * study->solver_count;
    tide_study_table *table = NULL;
    double time = 0;
    curve *curves = tide_allocate_zeroed(count, sizeof *curves);
    if (!curves)
        return tide_fail_memory(error, "study");
    tide_study_hush(true);
    tide_status status = tide_study_table_open(study, "order.csv", columns, &table, error);
    if (status == TIDE_OK)
        status = measure_all(study, table, curves, &time, error);
    status = tide_study_table_close(table, status, error);
    if (status == TIDE_OK)
        status = draw(study, curves, time, error);
    tide_free(curves);
    return status;
}

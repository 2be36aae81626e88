// `convergence`: the error of one step (Liu et al. 2013, eq. 15, figures 2 and 3) against iterations and seconds.
//
//     error = (g(x) - g(x*)) / (g(y) - g(x*))
//
// g is that of a backward Euler step of the scene without the solvers' damping, y the start of all that minimise it and
// x* the lowest minimum that Newton's method finds from a few starts, where the gradient is rounding. All solvers take
// the same step, from the same positions and velocities, and are given what the scene's `update` did.
#include "session/step_error.h"
#include "session/study.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum { REFERENCE_ITERATIONS = 1000, MAX_POINTS = 64 };
static const double SLOW = 2; // s: after a run that takes longer, only each doubling of the iterations is measured
static const double ROUNDING = 1e-13; // an error that is below it, and a gain of g that is, mean nothing

// --- the step that is measured ---------------------------------------------------------------------------------------

typedef struct problem {
    tide_script *script;
    tide_step_problem step;
} problem;

static tide_status begin_problem(problem *p, tide_error *error)
{
    static const char *const starts[] = { "0", "100" }; // iterations of local/global
    char newton[96];
    tide_status status = tide_step_problem_begin(&p->step, p->script, error);
    for (size_t i = 0; status == TIDE_OK && i < sizeof starts / sizeof starts[0]; i++) {
        snprintf(newton, sizeof newton, "newton,iterations=%d,tolerance=1e-14,warm_start=%s", REFERENCE_ITERATIONS,
                 starts[i]);
        status = tide_step_problem_seek(&p->step, newton, error);
    }
    if (status == TIDE_OK && !(p->step.g_start > p->step.g_reference))
        return tide_fail(error, TIDE_ERROR_STATE, "study", "--frame", NULL,
                         "nothing is to be minimised in this step: the state without forces between particles is its "
                         "result already; choose a frame at which springs are stretched");
    return status;
}

// --- one solver ------------------------------------------------------------------------------------------------------

typedef struct point {
    double error, g, norm, kinetic, elastic, seconds; // sums over frames
    uint32_t iterations;
    uint32_t measured; // in how many frames; in the others it had ended before, and the last values stand
    bool skipped;      // as too slow, in the first frame and so in all
} point;

typedef struct curve {
    tide_script *script; // owns the kind, where it is one of the scene's own
    tide_step_method method;
    const char *text;
    bool other; // solves another equation than backward Euler's
    point points[MAX_POINTS];
    uint32_t count, frames; // frames: those added
    double lowest;          // g - g(x*) over g(y) - g(x*)
    char failure[1200];
} curve;

static void free_curve(curve *c)
{
    tide_step_method_free(&c->method);
    tide_script_close(c->script);
}

static tide_status open_curve(const tide_study *study, const char *text, double value, curve *c, tide_error *error)
{
    tide_status status = tide_study_open(study, text, value, NAN, &c->script, error);
    if (status != TIDE_OK)
        return status;
    const tide_solver *given = tide_world_solver(tide_script_world(c->script));
    const tide_solver_kind *kind = tide_solver_kind_of(given);
    c->text = text;
    c->other = kind->order >= 2 || tide_study_has(kind, "substep");
    return tide_step_method_create(&c->method, kind, tide_solver_options(given), error);
}

static point measure(const tide_step_problem *p, const tide_report *report)
{
    const tide_system *system = p->step.system;
    point found = { .g = tide_step_problem_g(p, p->x),
                    .iterations = report->iterations,
                    .seconds = report->step_seconds };
    found.error = tide_step_problem_error(p, found.g);
    found.norm = tide_step_problem_gradient(p, p->x) / p->start_norm;
    found.elastic = tide_system_energy(system, p->x);
    for (uint32_t i = 0; i < system->particle_count; i++)
        for (size_t k = 3 * (size_t)i; k < 3 * (size_t)i + 3; k++)
            found.kinetic += system->rows[i] == TIDE_PINNED ? 0 : 0.5 * system->masses[i] * p->v[k] * p->v[k];
    return found;
}

static void add(point *sum, const point *part, bool measured)
{
    sum->error += part->error;
    sum->g += part->g;
    sum->norm += part->norm;
    sum->kinetic += part->kinetic;
    sum->elastic += part->elastic;
    sum->seconds += part->seconds;
    if (measured) {
        sum->iterations = sum->iterations > part->iterations ? sum->iterations : part->iterations;
        sum->measured++;
    }
}

// Whether more iterations would tell nothing: the solver has ended by itself, or the error or the gradient is rounding.
static bool has_ended(const curve *c, const tide_step_problem *p, const point *now, uint32_t iterations)
{
    bool stopped = now->iterations > 0 && now->iterations < iterations; // 0: a script's solver that does not tell
    return !c->method.iterative || stopped || fabs(now->error) < ROUNDING ||
           now->norm <= 2 * p->reference_norm / p->start_norm;
}

static bool is_power_of_ten(uint32_t n)
{
    while (n % 10 == 0)
        n /= 10;
    return n == 1;
}

// Adds one frame to the curve. A step that cannot be taken ends it and is told.
static tide_status measure_curve(curve *c, tide_step_problem *p, const uint32_t *iterations, uint32_t count,
                                 tide_error *error)
{
    point now = { 0 };
    bool ended = false;
    if (c->failure[0])
        return TIDE_OK;
    for (uint32_t i = 0; i < count; i++) {
        tide_report report = { 0 };
        if (c->frames == 0 && !ended && now.seconds > SLOW && iterations[i] < 2 * now.iterations &&
            !is_power_of_ten(iterations[i]) && i + 1 < count)
            c->points[i].skipped = true;
        if (c->points[i].skipped)
            continue;
        if (!ended) {
            tide_error failure;
            tide_status status = tide_step_method_time(&c->method, p, iterations[i], &report, &failure);
            if (status == TIDE_ERROR_MEMORY) {
                *error = failure;
                return status;
            }
            now = status == TIDE_OK ? measure(p, &report) : (point) { .g = NAN };
            if (status != TIDE_OK || !isfinite(now.g)) {
                if (status == TIDE_OK)
                    snprintf(c->failure, sizeof c->failure, "the step diverges");
                else
                    tide_error_text(&failure, c->failure, sizeof c->failure);
                return TIDE_OK;
            }
            if (now.error < c->lowest)
                c->lowest = now.error;
        }
        add(&c->points[i], &now, !ended);
        c->count = i + 1 > c->count && !ended ? i + 1 : c->count;
        ended = ended || has_ended(c, p, &now, iterations[i]);
    }
    c->frames++;
    return TIDE_OK;
}

// --- the numbers of iterations ---------------------------------------------------------------------------------------

// 1, 2, 3, 5, 8, 10, 13 ...: Fibonacci's, and the powers of ten that the table shows.
static uint32_t list_iterations(uint32_t last, uint32_t list[MAX_POINTS])
{
    uint32_t count = 0, a = 1, b = 2, power = 1;
    while (count < MAX_POINTS) {
        uint32_t next = a < power ? a : power;
        next = next < last ? next : last;
        list[count++] = next;
        if (next == last)
            break;
        while (a <= next) {
            uint32_t sum = a + b;
            a = b;
            b = sum;
        }
        power *= power <= next ? 10 : 1;
    }
    return count;
}

// --- what comes out --------------------------------------------------------------------------------------------------

// The point of so many iterations, or the last one before.
static const point *point_at(const curve *c, const uint32_t *iterations, uint32_t wanted)
{
    const point *found = NULL;
    for (uint32_t i = 0; i < c->count && iterations[i] <= wanted; i++)
        found = c->points[i].skipped ? found : &c->points[i];
    return found;
}

static uint32_t list_marks(uint32_t last, uint32_t marks[8])
{
    uint32_t count = 0;
    for (uint32_t mark = 1; mark < last; mark *= 10)
        marks[count++] = mark;
    marks[count++] = last;
    if (count > 4)
        marks[3] = last;
    return count > 4 ? 4 : count;
}

static void print_heading(const uint32_t *marks, uint32_t count)
{
    printf("%-36s", "after iterations: error, ms");
    for (uint32_t i = 0; i < count; i++)
        printf("%20u", marks[i]);
    printf("%13s\n", "prepare, ms");
}

static void print_curve(const curve *c, const char *label, const uint32_t *iterations, const uint32_t *marks,
                        uint32_t count, double frames)
{
    printf("%-36s", label);
    if (c->failure[0]) {
        printf("  %s\n", c->failure);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const point *at = point_at(c, iterations, marks[i]);
        printf("%11.2e %8.2f", at->error / frames, 1e3 * at->seconds / frames);
    }
    printf("%13.1f%s\n", 1e3 * c->method.prepare_seconds, c->other ? "  solves another equation" : "");
}

static void write_rows(tide_study_table *table, const curve *c, double value, double frames)
{
    const tide_solver_kind *kind = tide_solver_kind_of(c->method.solver);
    for (uint32_t i = 0; i < c->count && !c->failure[0]; i++) {
        const point *at = &c->points[i];
        if (at->skipped)
            continue;
        tide_study_row(table, c->text, value, NAN);
        tide_study_cell_text(table, kind->name);
        tide_study_cell(table, at->iterations);
        tide_study_cell(table, at->error / frames);
        tide_study_cell(table, at->norm / frames);
        tide_study_cell(table, at->g / frames);
        tide_study_cell(table, at->kinetic / frames);
        tide_study_cell(table, at->elastic / frames);
        tide_study_cell(table, at->seconds / frames);
        tide_study_cell(table, c->method.prepare_seconds);
        tide_study_cell(table, at->measured);
    }
}

// g has several minima where springs are compressed.
static void tell_of_other_minima(const curve *c, const char *label, double frames)
{
    const point *last = c->count ? &c->points[c->count - 1] : NULL;
    if (c->failure[0] || !last)
        return;
    if (c->lowest < -1e3 * ROUNDING)
        printf("%s reaches a lower minimum of g than x*: its error goes down to %.2e, below 0, and is not in the "
               "pictures\n",
               label, c->lowest);
    else if (last->norm / frames < 1e-10 && last->error / frames > 1e3 * ROUNDING)
        printf("%s ends in another minimum of g than x*, higher by %.2e of the error at the start\n", label,
               last->error / frames);
}

// --- the study -------------------------------------------------------------------------------------------------------

typedef struct study_run {
    const tide_study *study;
    tide_study_table *table;
    uint32_t iterations[MAX_POINTS], count, marks[8], mark_count;
    curve *curves; // (solver_count)
} study_run;

static tide_status measure_frames(study_run *run, problem *p, tide_error *error)
{
    const tide_study *study = run->study;
    tide_status status = tide_study_run_to(p->script, study->frame, error);
    for (uint64_t frame = 0; status == TIDE_OK && frame < study->frames; frame++) {
        status = begin_problem(p, error);
        for (uint32_t i = 0; status == TIDE_OK && i < study->solver_count; i++) {
            tide_study_progress("curves", frame * study->solver_count + i, study->frames * study->solver_count);
            status = measure_curve(&run->curves[i], &p->step, run->iterations, run->count, error);
        }
        if (status == TIDE_OK && frame == 0) {
            const tide_step_problem *first = &p->step;
            double rounding = first->reference_norm / first->start_norm;
            tide_study_progress("curves", 1, 1);
            printf("g(y) = %.6g, g(x*) = %.6g, |grad g(x*)| = %.1e |grad g(y)|; %u particles, timestep %g s\n",
                   first->g_start, first->g_reference, rounding, first->step.system->particle_count, first->step.h);
        }
        if (status == TIDE_OK && frame + 1 < study->frames) // what update did is done
            status = tide_world_step(tide_script_world(p->script), error);
    }
    tide_study_progress("curves", 1, 1);
    return status;
}

static tide_status measure_value(study_run *run, double value, tide_error *error)
{
    const tide_study *study = run->study;
    problem p = { 0 };
    char label[400];
    memset(run->curves, 0, study->solver_count * sizeof *run->curves);
    tide_status status = tide_study_open(study, NULL, value, NAN, &p.script, error);
    if (status == TIDE_OK)
        status = tide_step_problem_create(p.script, &p.step, error);
    for (uint32_t i = 0; i < study->solver_count && status == TIDE_OK; i++)
        status = open_curve(study, study->solvers[i].text, value, &run->curves[i], error);
    if (status == TIDE_OK)
        status = measure_frames(run, &p, error);
    for (uint32_t i = 0; i < study->solver_count; i++) {
        const curve *c = &run->curves[i];
        tide_study_label(study, study->solvers[i].text, value, label, sizeof label);
        if (status == TIDE_OK) {
            if (i == 0)
                print_heading(run->marks, run->mark_count);
            print_curve(c, label, run->iterations, run->marks, run->mark_count, (double)study->frames);
            write_rows(run->table, c, value, (double)study->frames);
        }
    }
    for (uint32_t i = 0; i < study->solver_count; i++) {
        tide_study_label(study, study->solvers[i].text, value, label, sizeof label);
        if (status == TIDE_OK)
            tell_of_other_minima(&run->curves[i], label, (double)study->frames);
        free_curve(&run->curves[i]);
    }
    tide_step_problem_free(&p.step);
    tide_script_close(p.script);
    return status;
}

static tide_status draw(const tide_study *study, tide_error *error)
{
    static const struct picture {
        const char *name, *x, *y, *x_label, *y_label;
        bool logarithmic;
    } pictures[] = {
        { "error_iterations", "iterations", "error", "iterations", "relative error of g (Liu et al. 2013, eq. 15)",
          true },
        { "error_seconds", "1e3*$seconds", "error", "time of the step (ms)",
          "relative error of g (Liu et al. 2013, eq. 15)", true },
        { "gradient_iterations", "iterations", "gradient", "iterations", "|grad g(x)| / |grad g(y)|", true },
    };
    uint32_t values = tide_study_axis_count(&study->sweep), count = values * study->solver_count;
    tide_plot_curve *curves = tide_allocate_zeroed(count, sizeof *curves);
    char(*labels)[400] = tide_allocate_array(count, sizeof *labels), title[300];
    tide_status status = curves && labels ? TIDE_OK : tide_fail_memory(error, "study");
    for (uint32_t i = 0; status == TIDE_OK && i < count; i++)
        tide_study_label(study, study->solvers[i % study->solver_count].text,
                         tide_study_axis_value(&study->sweep, i / study->solver_count), labels[i], sizeof *labels);
    int length = snprintf(title, sizeof title, "%s, the step to frame %u", study->scene, (unsigned)study->frame);
    if (study->frames > 1)
        snprintf(title + length, sizeof title - (size_t)length, " and the %u after it, mean",
                 (unsigned)study->frames - 1);
    for (size_t i = 0; status == TIDE_OK && i < sizeof pictures / sizeof pictures[0]; i++) {
        const struct picture *picture = &pictures[i];
        for (uint32_t k = 0; k < count; k++)
            curves[k] = (tide_plot_curve) {
                .title = labels[k], .filter_column = "curve", .filter = labels[k], .x = picture->x, .y = picture->y
            };
        tide_plot plot = { .title = title,
                           .x_label = picture->x_label,
                           .y_label = picture->y_label,
                           .x_logarithmic = picture->logarithmic,
                           .y_logarithmic = true,
                           .curves = curves,
                           .curve_count = count };
        status = tide_study_plot(study, &plot, picture->name, "convergence.csv", error);
    }
    tide_free(labels);
    tide_free(curves);
    return status;
}

tide_status tide_study_error(const tide_study *study, tide_error *error)
{
    static const char *const columns[] = { "method",  "iterations", "error",           "gradient", "g", "kinetic",
                                           "elastic", "seconds",    "prepare_seconds", "frames",   NULL };
    if (study->sweep.count && study->sweep.of == TIDE_STUDY_OPTION &&
        (strcmp(study->sweep.name, "iterations") == 0 || strcmp(study->sweep.name, "tolerance") == 0))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--sweep", study->sweep.name,
                         "a study of error goes through iterations by itself, without a tolerance; --iterations is the "
                         "last");
    study_run run = { .study = study };
    run.count = list_iterations(study->iterations, run.iterations);
    run.mark_count = list_marks(study->iterations, run.marks);
    run.curves = tide_allocate_zeroed(study->solver_count, sizeof *run.curves);
    if (!run.curves)
        return tide_fail_memory(error, "study");
    tide_status status = tide_study_table_open(study, "convergence.csv", columns, &run.table, error);
    for (uint32_t i = 0; status == TIDE_OK && i < tide_study_axis_count(&study->sweep); i++)
        status = measure_value(&run, tide_study_axis_value(&study->sweep, i), error);
    status = tide_study_table_close(run.table, status, error);
    tide_free(run.curves);
    return status == TIDE_OK ? draw(study, error) : status;
}

// How long methods take until the error of a step (step_error.h) is small.
#include "app/bench.h"
#include "app/step_error.h"

#include "app/study.h"
#include "base/memory.h"
#include "solver/solver_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const tide_bench_methods[TIDE_BENCH_METHODS] = { "cholmod", "local_global", "lbfgs", "anderson", "newton" };

static const char *const texts[TIDE_BENCH_METHODS] = {
    "local_global,solve=cholmod", "local_global", "lbfgs", "local_global,acceleration=anderson", "newton",
};
static const double errors[TIDE_BENCH_ERRORS] = { 1e-1, 1e-2, 1e-3 };

// s: of looking for x*, by L-BFGS and by Newton's method each; and of a method's way to the smallest error.
static const double reference_seconds = 10, method_seconds = 6;
enum { MOST_ITERATIONS = 2000, LEAST_NEWTON = 20 };

// --- the minimum -----------------------------------------------------------------------------------------------------

// s that an iteration takes, without what comes before the first: what more of them take longer.
static tide_status time_iteration(tide_step_problem *p, const char *method, int iterations, double *seconds,
                                  tide_error *error)
{
    char text[96];
    double took[2] = { 0 };
    tide_status status = TIDE_OK;
    for (int more = 0; more < 2 && status == TIDE_OK; more++) {
        snprintf(text, sizeof text, "%s,iterations=%d,tolerance=0", method, 1 + more * iterations);
        double start = tide_study_seconds();
        status = tide_step_problem_seek(p, text, error);
        took[more] = tide_study_seconds() - start;
    }
    *seconds = fmax((took[1] - took[0]) / iterations, 1e-7);
    return status;
}

// With half of the iterations and with all: what the second half gained tells how far from the minimum it may be still.
static tide_status seek_by(tide_step_problem *p, const char *method, double iterations, const char *more,
                           tide_bench_errors *out, tide_error *error)
{
    char text[128];
    double before = p->g_reference, half = before;
    tide_status status = TIDE_OK;
    for (int part = 2; part >= 1 && status == TIDE_OK; part--) {
        half = p->g_reference;
        snprintf(text, sizeof text, "%s,iterations=%.0f,tolerance=1e-12%s", method, ceil(iterations / part), more);
        status = tide_step_problem_seek(p, text, error);
    }
    if (p->g_reference < before) {
        snprintf(out->reference, sizeof out->reference, "%s", method);
        out->unsettled = half - p->g_reference;
    }
    return status;
}

static tide_status seek_by_newton(tide_step_problem *p, tide_bench_errors *out, tide_error *error)
{
    static const char *const starts[] = { "", ",warm_start=100" };
    double each;
    tide_status status = time_iteration(p, "newton", 1, &each, error);
    double iterations = fmin(floor(reference_seconds / (3 * each)), 1000);
    for (int i = 0; i < 2 && status == TIDE_OK && 2 * iterations >= LEAST_NEWTON; i++)
        status = seek_by(p, "newton", iterations, starts[i], out, error);
    return status == TIDE_ERROR_MEMORY ? status : TIDE_OK; // a step that it cannot take is none
}

// The lowest that L-BFGS finds and, where ten of its iterations from each of two starts fit into the time, Newton's
// method.
static tide_status find_reference(tide_step_problem *p, tide_bench_errors *out, tide_error *error)
{
    double each;
    tide_status status = time_iteration(p, "lbfgs", 10, &each, error);
    snprintf(out->reference, sizeof out->reference, "lbfgs");
    double most = fmin(fmax(floor(reference_seconds / (1.5 * each)), 20), 4000);
    if (status == TIDE_OK)
        status = seek_by(p, "lbfgs", most, ",history=8", out, error);
    if (status == TIDE_OK)
        status = seek_by_newton(p, out, error);
    out->gradient = p->reference_norm / p->start_norm;
    bool found = p->g_start - p->g_reference > 1e-13 * fabs(p->g_reference); // otherwise it is rounding
    out->unsettled = out->gradient < 1e-6 ? 0 : out->unsettled / (p->g_start - p->g_reference);
    if (!found || !(out->unsettled <= 0.1 * errors[0]))
        out->reference[0] = '\0';
    return status;
}

// --- a method --------------------------------------------------------------------------------------------------------

typedef struct search {
    tide_step_method method;
    tide_step_problem *problem;
    double until; // when to give up
} search;

static tide_status error_after(search *s, uint32_t iterations, double *left, tide_error *error)
{
    tide_report report;
    tide_status status = tide_step_method_take(&s->method, s->problem, iterations, &report, error);
    *left = status == TIDE_OK ? tide_step_problem_error(s->problem, tide_step_problem_g(s->problem, s->problem->x))
                              : INFINITY;
    return status;
}

// The fewest iterations, above `above`, that leave no more; 0: not within the limits.
static tide_status find_iterations(search *s, double wanted, uint32_t above, uint32_t *found, tide_error *error)
{
    uint32_t low = above, high = above + 1;
    double left = INFINITY;
    tide_status status = TIDE_OK;
    *found = 0;
    for (; status == TIDE_OK; high = high + (high + 2) / 3) {
        status = error_after(s, high, &left, error);
        if (status != TIDE_OK || left <= wanted)
            break;
        low = high;
        if (high >= MOST_ITERATIONS || tide_study_seconds() > s->until)
            return TIDE_OK;
    }
    while (status == TIDE_OK && high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        status = error_after(s, middle, &left, error);
        if (left <= wanted)
            high = middle;
        else
            low = middle;
    }
    *found = high;
    return status;
}

// A step that a method cannot take is one that it does not reach the error in.
static tide_status measure_method(tide_step_problem *p, int method, tide_bench_errors *out, tide_error *error)
{
    const tide_solver_kind *kind;
    void *options = NULL;
    search s = { .problem = p };
    uint32_t found = 0;
    tide_status status = tide_solver_text_parse(texts[method], NULL, 0, &kind, &options, error);
    if (status == TIDE_OK)
        status = tide_step_method_create(&s.method, kind, options, error);
    s.until = tide_study_seconds() + method_seconds;
    for (int e = 0; status == TIDE_OK && e < TIDE_BENCH_ERRORS; e++) {
        tide_report report;
        if (out->unsettled > 0.1 * errors[e]) // x* is not known so well
            break;
        status = find_iterations(&s, errors[e], found ? found - 1 : 0, &found, error);
        if (status != TIDE_OK || !found)
            break;
        status = tide_step_method_time(&s.method, p, found, &report, error);
        out->seconds[method][e] = report.step_seconds;
        out->iterations[method][e] = found;
    }
    tide_step_method_free(&s.method);
    tide_free(options);
    return status == TIDE_ERROR_MEMORY ? status : TIDE_OK;
}

tide_status tide_bench_measure_errors(tide_script *script, tide_bench_errors *out, tide_error *error)
{
    tide_step_problem problem;
    *out = (tide_bench_errors) { .gradient = NAN };
    for (int m = 0; m < TIDE_BENCH_METHODS; m++)
        for (int e = 0; e < TIDE_BENCH_ERRORS; e++)
            out->seconds[m][e] = NAN;
    tide_status status = tide_step_problem_create(script, &problem, error);
    if (status == TIDE_OK)
        status = tide_step_problem_begin(&problem, script, error);
    tide_study_hush(true);
    if (status == TIDE_OK)
        status = find_reference(&problem, out, error);
    for (int m = 0; status == TIDE_OK && m < TIDE_BENCH_METHODS && out->reference[0]; m++)
        status = measure_method(&problem, m, out, error);
    tide_study_hush(false);
    tide_step_problem_free(&problem);
    return status;
}

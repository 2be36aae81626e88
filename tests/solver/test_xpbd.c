#include "method_checks.h"
#include "model/colouring.h"
#include "newton.h"

// A lone spring between two free particles, along its predicted direction: backward Euler leaves of the stretch l - r
// of y the share 1 / (1 + k h^2 w), w = 1/m1 + 1/m2.
static void test_a_lone_spring_is_backward_euler(void **state)
{
    (void)state;
    const char *const options[] = { "iterations=1", "iterations=2", "iterations=30" };
    for (uint64_t seed = 0; seed < 5; seed++)
        for (int i = 0; i < 3; i++) {
            sample s = sample_pair();
            stepping run;
            method_start(&run, &s, stepping_solver("xpbd", options[i]), 1.0 / 30, seed);
            double y[6], w = 1 / s.masses[0] + 1 / s.masses[1];
            stepping_predict(&run, &s, y);
            stepping_take(&run);
            double l = sample_distance(y, 0, 1), r = s.springs[0].rest_length;
            double moved = (l - r) * (1 - 1 / (1 + s.springs[0].stiffness * run.h * run.h * w));
            for (uint32_t k = 0; k < 3; k++) {
                double n = (y[3 + k] - y[k]) / l;
                assert_near(run.x[k], y[k] + moved * n / s.masses[0] / w, 1e-15);
                assert_near(run.x[3 + k], y[3 + k] - moved * n / s.masses[1] / w, 1e-15);
            }
            assert_true(run.report.gradient_norm < 1e-14); // it is the minimiser of g
            assert_int_equal(run.report.iterations, i == 2 ? 30 : i + 1);
            stepping_end(&run);
        }
}

// Macklin's algorithm 1 over springs and anchors, written plainly, in the order of the colours. Returns the largest
// |C + a lambda|.
static double literal_step(const stepping *run, const sample *s, int iterations, const double *y, double *x)
{
    tide_error error;
    tide_colouring colouring = { 0 };
    double lambda[SAMPLE_SPRINGS + SAMPLE_ANCHORS] = { 0 }, largest = 0;
    assert_ok(tide_colour_elements(run->system, &colouring, &error), error);
    memcpy(x, y, 3 * s->particle_count * sizeof *x);
    for (int n = 0; n <= iterations; n++)
        for (uint32_t place = 0; place < colouring.count; place++) {
            uint32_t e = colouring.items[place], ends[2] = { 0 };
            bool anchor = e >= s->spring_count;
            double to[3], length = 0, k, rest = 0, w1, w2 = 0;
            if (anchor) {
                const sample_anchor *a = &s->anchors[e - s->spring_count];
                ends[0] = a->i;
                k = a->stiffness;
                memcpy(to, a->at, sizeof to);
            } else {
                ends[0] = s->springs[e].i;
                ends[1] = s->springs[e].j;
                k = s->springs[e].stiffness;
                rest = s->springs[e].rest_length;
                w2 = s->pinned[ends[1]] ? 0 : 1 / s->masses[ends[1]];
                memcpy(to, x + 3 * ends[1], sizeof to);
            }
            w1 = s->pinned[ends[0]] ? 0 : 1 / s->masses[ends[0]];
            double d[3], a = 1 / (k * run->h * run->h);
            for (uint32_t c = 0; c < 3; c++)
                d[c] = x[3 * ends[0] + c] - to[c];
            length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            if (n == iterations) { // look only
                if (w1 + w2 > 0)
                    largest = fmax(largest, fabs(length - rest + a * lambda[e]));
                continue;
            }
            if (w1 + w2 == 0)
                continue;
            double change = (-(length - rest) - a * lambda[e]) / (w1 + w2 + a);
            lambda[e] += change;
            for (uint32_t c = 0; c < 3; c++) {
                x[3 * ends[0] + c] += w1 * change * d[c] / length;
                if (!anchor)
                    x[3 * ends[1] + c] -= w2 * change * d[c] / length;
            }
        }
    tide_colouring_free(&colouring);
    return largest;
}

static void test_it_is_the_papers_algorithm(void **state)
{
    (void)state;
    for (int index = 0; index < STEPPING_SAMPLES; index++)
        for (int iterations = 1; iterations <= 16; iterations *= 4) {
            sample s = stepping_sample(index);
            char options[32];
            snprintf(options, sizeof options, "iterations=%d", iterations);
            stepping run;
            method_start(&run, &s, stepping_solver("xpbd", options), 1.0 / 30, 7);
            double y[STEPPING_NUMBERS], x[STEPPING_NUMBERS];
            stepping_predict(&run, &s, y);
            stepping_take(&run);
            literal_step(&run, &s, iterations, y, x);
            for (uint32_t i = 0; i < 3 * s.particle_count; i++)
                assert_near(run.x[i], x[i], 1e-13);
            stepping_end(&run);
        }
}

static double distance(const sample *s, const double *a, const double *b)
{
    double sum = 0;
    for (uint32_t i = 0; i < 3 * s->particle_count; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

// The distance of the result from the minimiser of g, relative to that of y (Liu 2013, eq. 15).
static double error_after(const sample *s, const char *options, double h, double spread)
{
    stepping run;
    stepping_start(&run, s, stepping_solver("xpbd", options), h);
    tide_random random = tide_random_seed(2);
    sample_disturb(run.velocity, s->particle_count, spread, &random);
    for (uint32_t i = 0; i < 3 * s->particle_count && spread == 0; i++)
        run.force[i] = i % 3 == 0 ? 0.3 * (i / 3) * s->masses[i / 3] : 0; // along the chain
    double y[STEPPING_NUMBERS], x[STEPPING_NUMBERS];
    stepping_predict(&run, s, y);
    memcpy(x, y, sizeof x);
    newton n = { s, h, y };
    assert_true(newton_minimise(&n, x) < 1e-12);
    stepping_take(&run);
    double error = distance(s, run.x, x) / distance(s, y, x);
    stepping_end(&run);
    return error;
}

// Springs that stay on a line do not turn: all gradients of all iterations are the same, and the end is the minimiser.
static void test_on_a_line_it_reaches_the_minimiser(void **state)
{
    (void)state;
    sample s = sample_chain();
    double few = error_after(&s, "iterations=10", 1.0 / 30, 0);
    double many = error_after(&s, "iterations=100", 1.0 / 30, 0);
    assert_true(few > 1e-6 && many < 0.2 * few);
    assert_true(error_after(&s, "iterations=20000", 1.0 / 30, 0) < 1e-9);
    assert_true(error_after(&s, "iterations=20000,tolerance=1e-9", 1.0 / 30, 0) < 1e-8);
}

// If springs turn, the iteration also converges, but not to the minimiser; the difference decreases with the rotation
// per step.
static void test_elsewhere_it_stops_beside_the_minimiser(void **state)
{
    (void)state;
    sample s = sample_cloth();
    double errors[2], last = INFINITY;
    for (int i = 0; i < 3; i++) {
        double h = 0.04 / (1 << i);
        errors[0] = error_after(&s, "iterations=2000", h, 1);
        errors[1] = error_after(&s, "iterations=4000", h, 1);
        assert_near(errors[0], errors[1], 1e-9);
        assert_true(errors[0] > 1e-5 && errors[0] < 0.5);
        assert_true(errors[0] < 0.7 * last);
        last = errors[0];
    }
    stepping run;
    double y[STEPPING_NUMBERS], x[STEPPING_NUMBERS];
    method_start(&run, &s, stepping_solver("xpbd", ""), 1.0 / 30, 1);
    stepping_predict(&run, &s, y);
    assert_true(literal_step(&run, &s, 3, y, x) > 1e-6);
    assert_true(literal_step(&run, &s, 3000, y, x) < 1e-13);
    stepping_end(&run);
}

static void test_tolerance(void **state)
{
    (void)state;
    sample s = sample_cloth();
    stepping run;
    method_start(&run, &s, stepping_solver("xpbd", "tolerance=0.5,iterations=1000"), 1.0 / 30, 9);
    stepping_take(&run);
    assert_true(run.report.converged && run.report.iterations > 0 && run.report.iterations < 1000);
    assert_true(run.report.gradient_norm <= 0.5 * run.report.initial_gradient_norm);
    stepping_end(&run);
    method_start(&run, &s, stepping_solver("xpbd", "tolerance=1e-12,iterations=50"), 1.0 / 30, 9);
    stepping_take(&run); // out of reach
    assert_true(!run.report.converged && run.report.iterations == 50);
    stepping_end(&run);
}

static void test_springs_of_no_stiffness_and_pins_at_both_ends(void **state)
{
    (void)state;
    sample s = sample_chain();
    for (uint32_t e = 0; e < s.spring_count; e++)
        s.springs[e].stiffness = 0;
    s.pinned[1] = true;
    stepping run;
    double y[STEPPING_NUMBERS];
    method_start(&run, &s, stepping_solver("xpbd", ""), 1.0 / 30, 1);
    stepping_predict(&run, &s, y);
    stepping_take(&run);
    for (uint32_t i = 0; i < 3 * s.particle_count; i++)
        assert_near(run.x[i], y[i], 1e-15);
    stepping_end(&run);
}

static void test_a_kind_that_is_no_constraint(void **state)
{
    (void)state;
    tide_element_kind kind = tide_spring;
    kind.name = "hinge";
    kind.constraint = NULL;
    sample s = sample_pair();
    tide_error error;
    uint32_t bad;
    tide_system *system = NULL;
    const uint32_t vertices[2] = { 0, 1 };
    const double parameters[2] = { 10, 1 };
    assert_ok(tide_system_create(2, &system, &error), error);
    assert_ok(tide_system_add(system, &kind, 1, vertices, parameters, &error), error);
    assert_ok(tide_system_finish(system, &error), error);
    const char *const names[] = { "pbd", "xpbd" };
    for (int i = 0; i < 2; i++) {
        tide_solver *solver = stepping_solver(names[i], "");
        assert_fails(tide_solver_prepare(solver, system, 0.1, s.x, &bad, &error), error,
                     "element = \"hinge\": this kind of element is no constraint");
        assert_non_null(strstr(error.object, names[i]));
        tide_solver_destroy(solver);
    }
    tide_system_destroy(system);
}

static void test_what_every_method_must(void **state)
{
    (void)state;
    method_check_momentum("xpbd", "", 1e-13);
    method_check_report("xpbd", "");
    method_check_reuse("xpbd", "");
    method_check_allocates_nothing("xpbd", "");
    method_check_failing_allocations("xpbd", "");
    method_check_threads("xpbd", "iterations=3");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_lone_spring_is_backward_euler),
    cmocka_unit_test(test_it_is_the_papers_algorithm),
    cmocka_unit_test(test_on_a_line_it_reaches_the_minimiser),
    cmocka_unit_test(test_elsewhere_it_stops_beside_the_minimiser),
    cmocka_unit_test(test_tolerance),
    cmocka_unit_test(test_springs_of_no_stiffness_and_pins_at_both_ends),
    cmocka_unit_test(test_a_kind_that_is_no_constraint),
    cmocka_unit_test(test_what_every_method_must),
};
TIDE_TEST_SUITE(solver_xpbd, tests)

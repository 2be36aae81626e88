#include "../linear/failing.h"
#include "explicit_runs.h"

// The input of a filter, at the sample's positions.
typedef struct filtered {
    sample s;
    tide_system *system;
    tide_filter filter;
    tide_filter_graph graph;
    tide_stiffness stiffness;
    double vector[STEPPING_NUMBERS], work[5 * STEPPING_NUMBERS];
} filtered;

static void start(filtered *f, const sample *s, int kind, double lambda, bool symmetric)
{
    tide_error error;
    *f = (filtered) { .s = *s, .system = sample_system(s), .filter = { kind, lambda, symmetric } };
    assert_ok(tide_filter_prepare(&f->graph, f->system, s->x, &error), error);
    assert_ok(tide_stiffness_prepare(&f->stiffness, f->system, &error), error);
    tide_stiffness_evaluate(&f->stiffness, f->system, s->x, true, 1, 0);
    tide_filter_weigh(&f->graph, &f->filter, f->system, s->x);
}

static void end(filtered *f)
{
    tide_filter_free(&f->graph);
    tide_stiffness_free(&f->stiffness);
    tide_system_destroy(f->system);
}

static bool joined(const sample *s, uint32_t i, uint32_t j)
{
    for (uint32_t e = 0; e < s->spring_count; e++)
        if ((s->springs[e].i == i && s->springs[e].j == j) || (s->springs[e].i == j && s->springs[e].j == i))
            return true;
    return false;
}

// b_ij as the header has it; the unit is the mean distance of joined particles.
static void dense_weights(const sample *s, const tide_filter *filter, double *b, double *sums)
{
    uint32_t n = s->particle_count, pairs = 0;
    double unit = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            if (joined(s, i, j)) {
                unit += sample_distance(s->x, i, j);
                pairs++;
            }
    unit /= pairs;
    for (uint32_t i = 0; i < n; i++) {
        sums[i] = 0;
        for (uint32_t j = 0; j < n; j++) {
            double d = sample_distance(s->x, i, j) / unit, l = filter->lambda;
            b[i * n + j] = i != j && !joined(s, i, j) ? 0
                           : filter->kind == TIDE_FILTER_EXPONENTIAL
                               ? l * exp(-l * d)
                               : l / sqrt(2 * acos(-1)) * exp(-(l * d) * (l * d) / 2);
            sums[i] += b[i * n + j];
        }
    }
}

// F over all particles, row-major.
static void dense_matrix(const sample *s, const tide_filter *filter, double *matrix)
{
    static double b[SAMPLE_PARTICLES * SAMPLE_PARTICLES], sums[SAMPLE_PARTICLES];
    uint32_t n = s->particle_count;
    dense_weights(s, filter, b, sums);
    for (uint32_t i = 0; i < n; i++) {
        double rest = 1;
        for (uint32_t j = 0; j < n; j++) {
            double mass = s->pinned[j] ? s->masses[i] : fmin(s->masses[i], s->masses[j]);
            double taken = filter->symmetric ? b[i * n + j] / (2 * fmax(sums[i], sums[j])) * mass / s->masses[i]
                                             : b[i * n + j] / sums[i];
            matrix[i * n + j] = s->pinned[i] || i == j ? 0 : taken;
            rest -= matrix[i * n + j];
        }
        matrix[i * n + i] = rest;
    }
}

static void dense_filter(const double *matrix, uint32_t n, const double *v, double *out)
{
    for (uint32_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++) {
            out[3 * i + k] = 0;
            for (uint32_t j = 0; j < n; j++)
                out[3 * i + k] += matrix[i * n + j] * v[3 * j + k];
        }
}

static double matrix[SAMPLE_PARTICLES * SAMPLE_PARTICLES];

static void test_against_dense(void **state)
{
    (void)state;
    sample samples[] = { sample_graph(3), sample_cloth(), sample_chain() };
    for (int c = 0; c < 12; c++) {
        filtered f;
        start(&f, &samples[c / 4], c & 1 ? TIDE_FILTER_GAUSSIAN : TIDE_FILTER_EXPONENTIAL, 1.3, c & 2);
        double v[STEPPING_NUMBERS] = { 0 }, expected[STEPPING_NUMBERS];
        tide_random random = tide_random_seed(4);
        sample_disturb(v, f.s.particle_count, 1, &random);
        dense_matrix(&f.s, &f.filter, matrix);
        dense_filter(matrix, f.s.particle_count, v, expected);
        tide_filter_apply(&f.graph, f.system, v);
        for (uint32_t i = 0; i < 3 * f.s.particle_count; i++)
            assert_near(v[i], expected[i], 1e-14);
        end(&f);
    }
}

// Equal masses, and equal sums as every particle has two neighbours: the formula below Ahmad's eq. 10.
static void test_the_paper_s_symmetric_form(void **state)
{
    (void)state;
    sample ring = { .name = "ring" };
    for (uint32_t i = 0; i < 8; i++)
        sample_particle(&ring, 0.3, cos(i * acos(-1) / 4), sin(i * acos(-1) / 4), 0);
    for (uint32_t i = 0; i < 8; i++)
        sample_join(&ring, i, (i + 1) % 8, 10);
    filtered f;
    start(&f, &ring, TIDE_FILTER_EXPONENTIAL, 2, true);
    double v[24] = { 0 }, given[24], side = exp(-2), sum = 1 + 2 * side;
    tide_random random = tide_random_seed(4);
    sample_disturb(v, 8, 1, &random);
    memcpy(given, v, sizeof v);
    tide_filter_apply(&f.graph, f.system, v);
    for (size_t i = 0; i < 8; i++)
        for (size_t k = 0; k < 3; k++) {
            double own = given[3 * i + k], before = given[3 * ((i + 7) % 8) + k], after = given[3 * ((i + 1) % 8) + k];
            assert_near(v[3 * i + k], (own + side * (before + own) / 2 + side * (after + own) / 2) / sum, 1e-14);
        }
    end(&f);
}

static void test_momentum(void **state)
{
    (void)state;
    sample s = explicit_graph(8);
    s.pinned[3] = s.pinned[11] = false;
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        filtered f;
        start(&f, &s, TIDE_FILTER_EXPONENTIAL, 0.7, symmetric);
        double v[STEPPING_NUMBERS] = { 0 }, change[3] = { 0 };
        tide_random random = tide_random_seed(4);
        sample_disturb(v, s.particle_count, 1, &random);
        for (uint32_t i = 0; i < 3 * s.particle_count; i++)
            change[i % 3] -= s.masses[i / 3] * v[i];
        for (int n = 0; n < 100; n++)
            tide_filter_apply(&f.graph, f.system, v);
        for (uint32_t i = 0; i < 3 * s.particle_count; i++)
            change[i % 3] += s.masses[i / 3] * v[i];
        double most = fmax(fabs(change[0]), fmax(fabs(change[1]), fabs(change[2])));
        assert_true(symmetric ? most < 1e-14 : most > 1e-3);
        end(&f);
    }
}

static void test_common_motion_stays(void **state)
{
    (void)state;
    for (int c = 0; c < 4; c++) {
        sample s = sample_cloth();
        s.pinned[0] = c & 2; // moves with the others
        s.masses[0] = 0.01;
        filtered f;
        start(&f, &s, TIDE_FILTER_GAUSSIAN, 1, c & 1);
        double v[STEPPING_NUMBERS];
        for (size_t i = 0; i < STEPPING_NUMBERS; i++)
            v[i] = (double)(i % 3) - 0.7;
        tide_filter_apply(&f.graph, f.system, v);
        for (uint32_t i = 0; i < 3 * s.particle_count; i++)
            assert_near(v[i], (double)(i % 3) - 0.7, 1e-14);
        end(&f);
    }
}

// Dense F over free particles, times M^-1 K: its largest eigenvalue by plain power iteration.
static void test_eigenvalues(void **state)
{
    (void)state;
    sample s = explicit_cloth();
    double k0 = explicit_dense_eigenvalue(&s, s.x, NULL);
    for (int c = 0; c < 4; c++) {
        filtered f;
        start(&f, &s, TIDE_FILTER_EXPONENTIAL, c < 2 ? 1 : 3, c & 1);
        double paper = tide_filter_eigenvalue(&f.graph, &f.stiffness, f.vector, f.work);
        double stable = tide_filter_stable_eigenvalue(&f.graph, &f.stiffness, f.vector, f.work);
        assert_true(paper < stable && stable < k0);
        double x[STEPPING_NUMBERS] = { 0 }, y[STEPPING_NUMBERS], size = 0;
        tide_random random = tide_random_seed(9);
        sample_disturb(x, s.particle_count, 1, &random);
        dense_matrix(&s, &f.filter, matrix);
        for (int n = 0; n < 1000; n++) {
            for (uint32_t i = 0; i < 3 * s.particle_count; i++)
                x[i] = s.pinned[i / 3] ? 0 : x[i];
            tide_stiffness_multiply(&f.stiffness, x, y);
            for (uint32_t i = 0; i < 3 * s.particle_count; i++)
                y[i] = s.pinned[i / 3] ? 0 : y[i] / s.masses[i / 3];
            dense_filter(matrix, s.particle_count, y, x);
            size = 0;
            for (uint32_t i = 0; i < 3 * s.particle_count; i++)
                size = fmax(size, fabs(x[i]));
            for (uint32_t i = 0; i < 3 * s.particle_count; i++)
                x[i] /= size;
        }
        assert_near(paper / size, 1, 1e-3);
        if (f.filter.symmetric) { // all masses are the same, and F is a symmetric matrix
            static double vectors[SAMPLE_PARTICLES * SAMPLE_PARTICLES];
            double lowest = 1, free_only[SAMPLE_PARTICLES * SAMPLE_PARTICLES];
            uint32_t n = f.system->free_count;
            for (uint32_t i = 0; i < n * n; i++)
                free_only[i] =
                    matrix[f.system->free_particles[i / n] * s.particle_count + f.system->free_particles[i % n]];
            dense_eigen(n, free_only, vectors);
            for (uint32_t i = 0; i < n; i++)
                lowest = fmin(lowest, free_only[i * n + i]);
            assert_near(tide_filter_lowest_gain(&f.graph, f.system, f.vector), lowest, 1e-4);
            assert_true(lowest > 0);
        }
        end(&f);
    }
    s = sample_cloth();
    filtered f;
    start(&f, &s, TIDE_FILTER_EXPONENTIAL, 0.5, false);
    assert_true(tide_filter_lowest_gain(&f.graph, f.system, f.vector) < -0.1);
    end(&f);
}

// The automatic substep with a filter is stable, 2 % beyond it is not, and Algorithm 1's is longer than that.
static void test_stable_substep(void **state)
{
    (void)state;
    sample s = explicit_cloth();
    const struct {
        const char *name, *filter;
    } cases[] = { { "symplectic_euler", "filter=exponential,filter.lambda=1" },
                  { "symplectic_euler", "filter=gaussian" },
                  { "symplectic_euler", "filter=exponential,filter.symmetric=false" },
                  { "symplectic_euler", "filter=exponential,damping=rayleigh,damping.mass=1,damping.stiffness=0.003" },
                  { "linearized_explicit", "filter=exponential" },
                  { "verlet", "filter=exponential,filter.lambda=1" },
                  { "rk4", "filter=exponential,filter.lambda=1" } };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        stepping run;
        explicit_start(&run, &s, explicit_solver(cases[c].name, cases[c].filter), 0.001);
        stepping_take(&run);
        double longest = run.report.stable_substep;
        stepping_end(&run);
        for (int beyond = 0; beyond < 2; beyond++) {
            double h = (beyond ? 1.02 : 0.995) * longest;
            char options[256];
            snprintf(options, sizeof options, "%s,substep=%.17g", cases[c].filter, h);
            double growth = explicit_growth(&s, explicit_solver(cases[c].name, options), h, NULL, 10000);
            if (c < 6 || !beyond) // of rk4 the unfiltered limit is taken, which is a little short
                assert_true(beyond ? growth > 300 : growth < 30);
        }
    }
}

static void test_lambda_of_no_effect(void **state)
{
    (void)state;
    sample s = sample_cloth();
    stepping plain, filtered;
    stepping_start(&plain, &s, explicit_solver("symplectic_euler", NULL), 0.01);
    stepping_start(&filtered, &s, explicit_solver("symplectic_euler", "filter=gaussian,filter.lambda=40"), 0.01);
    for (int n = 0; n < 20; n++) {
        stepping_take(&plain);
        stepping_take(&filtered);
        stepping_go_on(&plain);
        stepping_go_on(&filtered);
    }
    for (uint32_t i = 0; i < 3 * s.particle_count; i++)
        assert_near(filtered.q[i], plain.q[i], 1e-12);
    stepping_end(&plain);
    stepping_end(&filtered);
}

static void test_warning_of_negative_gain(void **state)
{
    (void)state;
    sample s = sample_cloth();
    stepping run;
    explicit_start(&run, &s,
                   explicit_solver("symplectic_euler", "filter=exponential,filter.lambda=0.5,filter.symmetric=false"),
                   0.01);
    stepping_take(&run);
    assert_non_null(strstr(run.report.warning, "the filter reverses velocities"));
    stepping_end(&run);
}

static void test_options(void **state)
{
    (void)state;
    tide_error error;
    const tide_solver_kind *kind = tide_solver_kind_find("rk4", &error);
    tide_explicit_options options;
    tide_fields_default(kind->fields, &options);
    assert_true(options.filter.kind == TIDE_FILTER_NONE && options.filter.lambda == 2 && options.filter.symmetric);
    assert_ok(tide_fields_parse(kind->fields, "rk4", &options, "filter", "gaussian", &error), error);
    assert_int_equal(options.filter.kind, TIDE_FILTER_GAUSSIAN);
    assert_fails(tide_fields_parse(kind->fields, "rk4", &options, "filter.lambda", "0", &error), error, "lambda");
    assert_fails(tide_fields_parse(kind->fields, "rk4", &options, "filter.lambda", "-1", &error), error, "lambda");
    assert_fails(tide_fields_parse(kind->fields, "rk4", &options, "filter", "box", &error), error, "exponential");
    tide_solver *solver = NULL;
    options.filter.lambda = -3;
    assert_fails(tide_solver_create(kind, &options, &solver, &error), error, "lambda");
}

static tide_status whole_life(void *context, tide_error *error)
{
    const sample *s = context;
    tide_system *system = NULL;
    tide_filter_graph graph = { 0 };
    tide_status status = sample_try_system(s, &system, error);
    if (status)
        return status;
    status = tide_filter_prepare(&graph, system, s->x, error);
    tide_filter_free(&graph);
    tide_system_destroy(system);
    return status;
}

static void test_allocations(void **state)
{
    (void)state;
    sample s = sample_cloth();
    assert_true(fail_each_allocation(whole_life, &s) > 5);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_against_dense),
    cmocka_unit_test(test_the_paper_s_symmetric_form),
    cmocka_unit_test(test_momentum),
    cmocka_unit_test(test_common_motion_stays),
    cmocka_unit_test(test_eigenvalues),
    cmocka_unit_test(test_stable_substep),
    cmocka_unit_test(test_lambda_of_no_effect),
    cmocka_unit_test(test_warning_of_negative_gain),
    cmocka_unit_test(test_options),
    cmocka_unit_test(test_allocations),
};
TIDE_TEST_SUITE(solver_filter, tests)

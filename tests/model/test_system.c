#include "../linear/failing.h"
#include "base/parallel.h"
#include "samples.h"

enum { NUMBERS = 3 * SAMPLE_PARTICLES };

static sample all_samples(int index)
{
    return index == 0 ? sample_pair() : index == 1 ? sample_chain() : index == 2 ? sample_cloth() : sample_graph(1);
}

static void test_gradient_and_hessian_against_finite_differences(void **state)
{
    (void)state;
    static double hessian[NUMBERS * NUMBERS], x[NUMBERS], gradient[NUMBERS], forward[NUMBERS], backward[NUMBERS];
    tide_random random = tide_random_seed(1);
    tide_error error;
    const double step = 1e-5;
    for (int index = 0; index < 4; index++)
        for (int round = 0; round < 3; round++) {
            sample s = all_samples(index);
            tide_system *system = sample_system(&s);
            const double scales[] = { 1, 1.5, 0.6 }; // disturbed, stretched too, compressed too
            for (size_t i = 0; i < NUMBERS; i++)
                s.x[i] *= scales[round];
            sample_disturb(s.x, s.particle_count, 0.05, &random);
            tide_sparse sparse = { 0 };
            tide_system_gradient(system, s.x, gradient);
            assert_ok(tide_system_hessian(system, s.x, false, &sparse, &error), error);
            assert_int_equal(sparse.rows, 3 * system->free_count);
            dense_from_sparse(&sparse, hessian);
            for (uint32_t row = 0; row < 3 * system->free_count; row++) {
                size_t at = 3 * (size_t)system->free_particles[row / 3] + row % 3;
                memcpy(x, s.x, sizeof x);
                x[at] = s.x[at] + step;
                double difference = tide_system_energy(system, x);
                tide_system_gradient(system, x, forward);
                x[at] = s.x[at] - step;
                difference -= tide_system_energy(system, x);
                tide_system_gradient(system, x, backward);
                assert_near(gradient[at], difference / (2 * step), 1e-5);
                for (uint32_t column = 0; column < sparse.columns; column++) {
                    size_t other = 3 * (size_t)system->free_particles[column / 3] + column % 3;
                    assert_near(hessian[row * sparse.columns + column], (forward[other] - backward[other]) / (2 * step),
                                2e-4);
                }
            }
            for (uint32_t p = 0; p < s.particle_count; p++)
                if (s.pinned[p])
                    assert_true(gradient[3 * p] == 0 && gradient[3 * p + 1] == 0 && gradient[3 * p + 2] == 0);
            tide_sparse_free(&sparse);
            tide_system_destroy(system);
        }
}

static void test_all_particles_at_one_place(void **state)
{
    (void)state;
    double gradient[NUMBERS];
    tide_error error;
    for (int index = 0; index < 4; index++) {
        sample s = all_samples(index);
        tide_system *system = sample_system(&s);
        memset(s.x, 0, sizeof s.x);
        tide_system_gradient(system, s.x, gradient);
        assert_true(isfinite(tide_system_energy(system, s.x)));
        for (size_t i = 0; i < 3 * (size_t)s.particle_count; i++)
            assert_true(isfinite(gradient[i]));
        for (int project = 0; project < 2; project++) {
            tide_sparse hessian = { 0 };
            assert_ok(tide_system_hessian(system, s.x, project, &hessian, &error), error);
            for (int32_t k = 0; k < hessian.column_start[hessian.columns]; k++)
                assert_true(isfinite(hessian.value[k]));
            tide_sparse_free(&hessian);
        }
        tide_system_destroy(system);
    }
}

static void test_projected_hessian_is_positive_semidefinite(void **state)
{
    (void)state;
    static double dense[NUMBERS * NUMBERS], vectors[NUMBERS * NUMBERS];
    tide_random random = tide_random_seed(2);
    tide_error error;
    sample s = sample_graph(2);
    tide_system *system = sample_system(&s);
    sample_disturb(s.x, s.particle_count, 0.5, &random);
    double least[2] = { 0, 0 };
    for (int project = 0; project < 2; project++) {
        tide_sparse hessian = { 0 };
        assert_ok(tide_system_hessian(system, s.x, project, &hessian, &error), error);
        dense_from_sparse(&hessian, dense);
        dense_eigen(hessian.rows, dense, vectors);
        for (size_t i = 0; i < hessian.rows; i++)
            least[project] = fmin(least[project], dense[i * hessian.rows + i]);
        tide_sparse_free(&hessian);
    }
    assert_true(least[0] < -1); // or the projection would not have been tried
    assert_true(least[1] > -1e-10);
    tide_system_destroy(system);
}

// E in the form of Liu 2013 eq. 11 at the local step's d: sum of k/2 |p1 - p2 - d|^2, and its gradient L x - J d.
static void test_laplacian_form(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(3);
    tide_error error;
    for (int index = 0; index < 4; index++) {
        sample s = all_samples(index);
        memset(s.pinned, 0, sizeof s.pinned); // so that L is of all particles
        tide_system *system = sample_system(&s);
        sample_disturb(s.x, s.particle_count, 0.3, &random);
        tide_sparse laplacian = { 0 };
        assert_ok(tide_system_laplacian(system, &laplacian, &error), error);
        double form[NUMBERS], gradient[NUMBERS], energy = 0, d[3 * SAMPLE_SPRINGS];
        tide_sparse_multiply(&laplacian, 3, s.x, form);
        system->groups[0].kind->project(&system->groups[0], s.x, 0, s.spring_count, d);
        for (uint32_t e = 0; e < s.spring_count; e++)
            for (size_t k = 0; k < 3; k++) {
                const sample_spring *spring = &s.springs[e];
                double off = s.x[3 * spring->i + k] - s.x[3 * spring->j + k] - d[3 * e + k];
                energy += 0.5 * spring->stiffness * off * off;
                form[3 * spring->i + k] -= spring->stiffness * d[3 * e + k];
                form[3 * spring->j + k] += spring->stiffness * d[3 * e + k];
            }
        for (uint32_t a = 0; a < s.anchor_count; a++)
            for (size_t k = 0; k < 3; k++) {
                double off = s.x[3 * s.anchors[a].i + k] - s.anchors[a].at[k];
                energy += 0.5 * s.anchors[a].stiffness * off * off;
                form[3 * s.anchors[a].i + k] -= s.anchors[a].stiffness * s.anchors[a].at[k];
            }
        tide_system_gradient(system, s.x, gradient);
        assert_near(tide_system_energy(system, s.x), energy, 1e-12 * (1 + energy));
        for (size_t i = 0; i < 3 * (size_t)s.particle_count; i++)
            assert_near(gradient[i], form[i], 1e-11);
        tide_sparse_free(&laplacian);
        tide_system_destroy(system);
    }
}

static void test_matrix_is_mass_plus_laplacian(void **state)
{
    (void)state;
    tide_error error;
    sample s = sample_graph(3);
    tide_system *system = sample_system(&s);
    static double expected[SAMPLE_PARTICLES][SAMPLE_PARTICLES];
    const double h = 0.04;
    memset(expected, 0, sizeof expected);
    for (uint32_t p = 0; p < s.particle_count; p++)
        expected[p][p] = s.masses[p];
    for (uint32_t e = 0; e < s.spring_count; e++) {
        const sample_spring *spring = &s.springs[e];
        expected[spring->i][spring->i] += h * h * spring->stiffness;
        expected[spring->j][spring->j] += h * h * spring->stiffness;
        expected[spring->i][spring->j] -= h * h * spring->stiffness;
        expected[spring->j][spring->i] -= h * h * spring->stiffness;
    }
    for (uint32_t a = 0; a < s.anchor_count; a++)
        expected[s.anchors[a].i][s.anchors[a].i] += h * h * s.anchors[a].stiffness;
    tide_sparse matrix = { 0 };
    assert_ok(tide_system_matrix(system, h, &matrix, &error), error);
    assert_int_equal(matrix.rows, s.particle_count - 2);
    for (uint32_t i = 0; i < matrix.rows; i++)
        for (uint32_t j = 0; j < matrix.rows; j++)
            assert_near(tide_sparse_get(&matrix, i, j), expected[system->free_particles[i]][system->free_particles[j]],
                        1e-15);
    tide_sparse_free(&matrix);
    tide_system_destroy(system);
}

static void test_momentum_and_invariance(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(4);
    for (int index = 0; index < 4; index++) {
        sample s = all_samples(index);
        memset(s.pinned, 0, sizeof s.pinned);
        s.anchor_count = 0;
        tide_system *system = sample_system(&s);
        sample_disturb(s.x, s.particle_count, 0.3, &random);
        double gradient[NUMBERS], moved[NUMBERS], energy = tide_system_energy(system, s.x);
        tide_system_gradient(system, s.x, gradient);
        double force[3] = { 0 }, torque[3] = { 0 };
        for (uint32_t p = 0; p < s.particle_count; p++)
            for (uint32_t k = 0; k < 3; k++) {
                uint32_t a = (k + 1) % 3, b = (k + 2) % 3;
                force[k] += gradient[3 * p + k];
                torque[k] += s.x[3 * p + a] * gradient[3 * p + b] - s.x[3 * p + b] * gradient[3 * p + a];
            }
        const double c = cos(1.1), w = sin(1.1);
        for (uint32_t p = 0; p < s.particle_count; p++) { // turn about z, then move
            const double *x = s.x + 3 * p;
            moved[3 * p] = c * x[0] - w * x[1] + 2;
            moved[3 * p + 1] = w * x[0] + c * x[1] - 3;
            moved[3 * p + 2] = x[2] + 0.5;
        }
        assert_near(tide_system_energy(system, moved), energy, 1e-12 * (1 + energy));
        for (int k = 0; k < 3; k++) {
            assert_near(force[k], 0, 1e-12);
            assert_near(torque[k], 0, 1e-12);
        }
        tide_system_destroy(system);
    }
}

static void test_objective(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(5);
    sample s = sample_graph(4);
    tide_system *system = sample_system(&s);
    const double h = 0.1, step = 1e-6;
    double y[NUMBERS], x[NUMBERS], gradient[NUMBERS];
    memcpy(y, s.x, sizeof y);
    sample_disturb(y, s.particle_count, 0.2, &random);
    double expected = 0;
    for (uint32_t p = 0; p < s.particle_count; p++)
        for (uint32_t k = 0; k < 3; k++)
            if (!s.pinned[p])
                expected += 0.5 * s.masses[p] * pow(s.x[3 * p + k] - y[3 * p + k], 2);
    expected += h * h * tide_system_energy(system, s.x);
    assert_near(tide_system_objective(system, h, y, s.x), expected, 1e-13);
    tide_system_objective_gradient(system, h, y, s.x, gradient);
    for (uint32_t i = 0; i < 3 * s.particle_count; i++) {
        if (s.pinned[i / 3]) {
            assert_true(gradient[i] == 0);
            continue;
        }
        memcpy(x, s.x, sizeof x);
        x[i] = s.x[i] + step;
        double difference = tide_system_objective(system, h, y, x);
        x[i] = s.x[i] - step;
        difference -= tide_system_objective(system, h, y, x);
        assert_near(gradient[i], difference / (2 * step), 1e-8);
    }
    tide_system_destroy(system);
}

static void test_sums_and_moves_leave_pinned_particles_out(void **state)
{
    (void)state;
    sample s = sample_chain();
    s.pinned[4] = true;
    tide_system *system = sample_system(&s);
    double a[NUMBERS], b[NUMBERS], free_only[NUMBERS], dot = 0, square = 0;
    for (uint32_t i = 0; i < 3 * s.particle_count; i++) {
        a[i] = 1 + i;
        b[i] = 0.5 * i - 3;
        if (!s.pinned[i / 3]) {
            dot += a[i] * b[i];
            square += a[i] * a[i];
        }
    }
    assert_near(tide_system_dot(system, a, b), dot, 1e-10);
    assert_near(tide_system_norm(system, a), sqrt(square), 1e-12);
    assert_int_equal(system->free_count, 8);
    assert_int_equal(system->rows[0], TIDE_PINNED);
    assert_int_equal(system->rows[5], 3);
    assert_int_equal(system->free_particles[3], 5);
    tide_system_gather(system, a, free_only);
    assert_true(free_only[0] == a[3] && free_only[9] == a[15]);
    tide_system_scatter(system, free_only, b);
    for (uint32_t i = 0; i < 3 * s.particle_count; i++)
        assert_true(b[i] == (s.pinned[i / 3] ? 0.5 * i - 3 : a[i]));
    tide_error error;
    assert_ok(tide_system_set_pinned(system, (bool[SAMPLE_PARTICLES]) { false }, &error), error);
    assert_int_equal(system->free_count, 10);
    assert_int_equal(system->rows[5], 5);
    tide_system_destroy(system);
}

// A random graph large enough to be cut into several chunks.
static tide_system *large_system(uint32_t particles, uint32_t springs, double *x)
{
    tide_random random = tide_random_seed(6);
    tide_error error;
    tide_system *system = NULL;
    assert_ok(tide_system_create(particles, &system, &error), error);
    uint32_t *vertices = tide_allocate_array(springs, 2 * sizeof *vertices);
    double *parameters = tide_allocate_array(springs, 4 * sizeof *parameters);
    bool *pinned = tide_allocate_array(particles, sizeof *pinned);
    for (int group = 0; group < 2; group++) {
        for (uint32_t e = 0; e < springs; e++) {
            vertices[2 * e] = tide_random_next(&random) % particles;
            vertices[2 * e + 1] = (vertices[2 * e] + 1 + tide_random_next(&random) % (particles - 1)) % particles;
            parameters[e] = test_uniform(&random, 1, 100);
            parameters[springs + e] = test_uniform(&random, 0, 2);
        }
        assert_ok(tide_system_add(system, &tide_spring, springs, vertices, parameters, &error), error);
    }
    for (uint32_t i = 0; i < 4 * springs; i++)
        parameters[i] = test_uniform(&random, 0, 2);
    for (uint32_t e = 0; e < springs; e++)
        vertices[e] = tide_random_next(&random) % particles;
    assert_ok(tide_system_add(system, &tide_anchor, springs, vertices, parameters, &error), error);
    for (uint32_t p = 0; p < particles; p++) {
        pinned[p] = p % 17 == 3;
        system->masses[p] = test_uniform(&random, 0.1, 1);
    }
    assert_ok(tide_system_set_pinned(system, pinned, &error), error);
    assert_ok(tide_system_finish(system, &error), error);
    for (uint32_t i = 0; i < 3 * particles; i++)
        x[i] = test_uniform(&random, -1, 1);
    tide_free(vertices);
    tide_free(parameters);
    tide_free(pinned);
    return system;
}

static void test_same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    enum { PARTICLES = 40000, SPRINGS = 90001 }; // enough for several chunks
    double *x = tide_allocate_array(3 * PARTICLES, sizeof *x), *y = tide_allocate_zeroed(3 * PARTICLES, sizeof *y);
    double *serial = tide_allocate_array(6 * PARTICLES, sizeof *x);
    double *parallel = tide_allocate_array(6 * PARTICLES, sizeof *x);
    assert_true(x && y && serial && parallel);
    tide_system *system = large_system(PARTICLES, SPRINGS, x);
    double sums[4][4];
    for (int threads = 1; threads <= 4; threads++) {
        tide_set_threads(threads);
        double *out = threads == 1 ? serial : parallel, *sum = sums[threads - 1];
        uint64_t allocations = tide_memory_count().allocations;
        tide_system_gradient(system, x, out);
        tide_system_objective_gradient(system, 0.03, y, x, out + 3 * PARTICLES);
        sum[0] = tide_system_energy(system, x);
        sum[1] = tide_system_objective(system, 0.03, y, x);
        sum[2] = tide_system_norm(system, out);
        sum[3] = tide_system_dot(system, out, x);
        assert_int_equal(tide_memory_count().allocations, allocations);
        if (threads > 1)
            assert_memory_equal(serial, parallel, 6 * PARTICLES * sizeof *x);
        assert_memory_equal(sums[0], sum, sizeof sums[0]);
    }
    tide_set_threads(1);
    tide_system_destroy(system);
    tide_free(x);
    tide_free(y);
    tide_free(serial);
    tide_free(parallel);
}

static void test_moved_anchors_need_no_new_finish(void **state)
{
    (void)state;
    sample s = sample_graph(5), moved = s;
    moved.anchors[1].at[2] += 0.7;
    tide_system *system = sample_system(&s), *other = sample_system(&moved);
    system->groups[1].parameters[TIDE_ANCHOR_Z * system->groups[1].count + 1] += 0.7;
    for (int threads = 1; threads <= 2; threads++) {
        double a[NUMBERS], b[NUMBERS];
        tide_set_threads(threads);
        tide_system_gradient(system, s.x, a);
        tide_system_gradient(other, s.x, b);
        assert_memory_equal(a, b, 3 * s.particle_count * sizeof *a);
    }
    tide_set_threads(1);
    tide_system_destroy(system);
    tide_system_destroy(other);
}

static void test_groups_are_copied_and_may_be_added_later(void **state)
{
    (void)state;
    tide_error error;
    tide_system *system = NULL;
    assert_ok(tide_system_create(3, &system, &error), error);
    assert_ok(tide_system_finish(system, &error), error);
    double x[9] = { 0, 0, 0, 1, 0, 0, 2, 0, 0 }, gradient[9];
    tide_system_gradient(system, x, gradient);
    for (int i = 0; i < 9; i++)
        assert_true(gradient[i] == 0);
    assert_ok(tide_system_add(system, &tide_spring, 0, NULL, NULL, &error), error);
    assert_int_equal(system->group_count, 0);
    for (int threads = 1; threads <= 2; threads++) {
        uint32_t vertices[2] = { 0, 2 };
        double parameters[2] = { 10, 1 };
        tide_set_threads(threads);
        assert_ok(tide_system_add(system, &tide_spring, 1, vertices, parameters, &error), error);
        memset(vertices, 0xff, sizeof vertices);
        memset(parameters, 0, sizeof parameters);
        assert_ok(tide_system_finish(system, &error), error);
        tide_system_gradient(system, x, gradient);
        assert_near(gradient[0], -10 * threads, 1e-14);
        assert_near(gradient[6], 10 * threads, 1e-14);
    }
    tide_set_threads(1);
    tide_system_destroy(system);
    tide_system_destroy(NULL);
}

static void test_empty_and_wholly_pinned_systems(void **state)
{
    (void)state;
    tide_error error;
    for (uint32_t count = 0; count < 3; count += 2) {
        tide_system *system = NULL;
        double x[6] = { 0 }, gradient[6];
        assert_ok(tide_system_create(count, &system, &error), error);
        assert_ok(tide_system_set_pinned(system, (bool[]) { true, true }, &error), error);
        assert_ok(tide_system_finish(system, &error), error);
        assert_int_equal(system->free_count, 0);
        tide_system_objective_gradient(system, 0.1, x, x, gradient);
        assert_true(tide_system_energy(system, x) == 0 && tide_system_norm(system, gradient) == 0);
        tide_sparse matrix = { 0 };
        assert_ok(tide_system_matrix(system, 0.1, &matrix, &error), error);
        assert_ok(tide_system_laplacian(system, &matrix, &error), error);
        assert_ok(tide_system_hessian(system, x, true, &matrix, &error), error);
        assert_int_equal(matrix.rows, 0);
        tide_sparse_free(&matrix);
        tide_system_destroy(system);
    }
}

static void test_errors(void **state)
{
    (void)state;
    tide_error error;
    tide_system *system = NULL;
    assert_fails(tide_system_create(UINT32_MAX, &system, &error), error, "system: particles = 4294967295");
    assert_ok(tide_system_create(3, &system, &error), error);
    const uint32_t far[] = { 0, 1, 2, 3 }, twice[] = { 0, 1, 2, 2 }, good[] = { 0, 1, 1, 2 };
    const double parameters[] = { 1, 1, 1, 1 }, infinite[] = { 1, 1, 1, INFINITY }, nan[] = { 1, NAN, 1, 1 };
    assert_fails(tide_system_add(system, &tide_spring, 2, far, parameters, &error), error,
                 "spring 1: particle = 3: expected a particle below 3");
    assert_fails(tide_system_add(system, &tide_spring, 2, twice, parameters, &error), error,
                 "spring 1: particle = 2: is named twice");
    assert_fails(tide_system_add(system, &tide_spring, 2, good, infinite, &error), error,
                 "spring 1: parameter = inf: expected a finite number");
    assert_fails(tide_system_add(system, &tide_spring, 2, good, nan, &error), error, "expected a finite number");
    assert_fails(tide_system_add(system, &tide_anchor, 1, far + 3, parameters, &error), error,
                 "anchor 0: particle = 3");
    assert_int_equal(system->group_count, 0);
    const double bad[] = { 0, -1, NAN, INFINITY };
    for (int i = 0; i < 4; i++) {
        system->masses[1] = bad[i];
        assert_fails(tide_system_finish(system, &error), error, "expected a finite mass above 0 kg");
        assert_string_equal(error.object, "particle 1");
    }
    system->masses[1] = 0; // a pinned particle needs none
    assert_ok(tide_system_set_pinned(system, (bool[]) { false, true, false }, &error), error);
    assert_ok(tide_system_finish(system, &error), error);
    tide_system_destroy(system);
}

static tide_status whole_life(void *context, tide_error *error)
{
    const sample *s = context;
    tide_system *system = NULL;
    tide_sparse matrix = { 0 };
    tide_status status = sample_try_system(s, &system, error);
    if (!status)
        status = tide_system_matrix(system, 0.1, &matrix, error);
    if (!status)
        status = tide_system_laplacian(system, &matrix, error);
    if (!status)
        status = tide_system_hessian(system, s->x, true, &matrix, error);
    tide_sparse_free(&matrix);
    tide_system_destroy(system);
    return status;
}

static void test_allocation_failures(void **state)
{
    (void)state;
    sample s = sample_graph(6);
    assert_true(fail_each_allocation(whole_life, &s) > 30);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_gradient_and_hessian_against_finite_differences),
    cmocka_unit_test(test_all_particles_at_one_place),
    cmocka_unit_test(test_projected_hessian_is_positive_semidefinite),
    cmocka_unit_test(test_laplacian_form),
    cmocka_unit_test(test_matrix_is_mass_plus_laplacian),
    cmocka_unit_test(test_momentum_and_invariance),
    cmocka_unit_test(test_objective),
    cmocka_unit_test(test_sums_and_moves_leave_pinned_particles_out),
    cmocka_unit_test(test_same_bits_for_any_number_of_threads),
    cmocka_unit_test(test_moved_anchors_need_no_new_finish),
    cmocka_unit_test(test_groups_are_copied_and_may_be_added_later),
    cmocka_unit_test(test_empty_and_wholly_pinned_systems),
    cmocka_unit_test(test_errors),
    cmocka_unit_test(test_allocation_failures),
};
TIDE_TEST_SUITE(model_system, tests)

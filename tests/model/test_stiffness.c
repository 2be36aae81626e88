#include "../linear/failing.h"
#include "base/parallel.h"
#include "model/stiffness.h"
#include "samples.h"

enum { NUMBERS = 3 * SAMPLE_PARTICLES };

static sample disturbed(int index, uint64_t seed)
{
    sample s = index == 0 ? sample_pair() : index == 1 ? sample_chain() : index == 2 ? sample_cloth() : sample_graph(1);
    tide_random random = tide_random_seed(seed);
    sample_disturb(s.x, s.particle_count, 0.1, &random);
    return s;
}

// a H + b L over free particles, dense, from the sparse matrices.
static void dense_operator(const tide_system *system, const double *x, bool project, double a, double b, double *out)
{
    static double laplacian[SAMPLE_PARTICLES * SAMPLE_PARTICLES];
    tide_sparse sparse = { 0 };
    tide_error error;
    uint32_t side = 3 * system->free_count;
    assert_ok(tide_system_hessian(system, x, project, &sparse, &error), error);
    dense_from_sparse(&sparse, out);
    assert_ok(tide_system_laplacian(system, &sparse, &error), error);
    dense_from_sparse(&sparse, laplacian);
    for (uint32_t i = 0; i < side; i++)
        for (uint32_t j = 0; j < side; j++)
            out[side * i + j] =
                a * out[side * i + j] + (i % 3 == j % 3 ? b * laplacian[system->free_count * (i / 3) + j / 3] : 0);
    tide_sparse_free(&sparse);
}

static void test_products_against_the_sparse_matrix(void **state)
{
    (void)state;
    static double matrix[NUMBERS * NUMBERS];
    const double factors[][2] = { { 1, 0 }, { 0, 1 }, { 0.01, 0.3 } };
    tide_stiffness stiffness = { 0 };
    tide_error error;
    tide_random random = tide_random_seed(5);
    for (int index = 0; index < 4; index++)
        for (int k = 0; k < 6; k++) {
            sample s = disturbed(index, 1), whole = s;
            memset(whole.pinned, 0, sizeof whole.pinned);
            tide_system *system = sample_system(&s), *unpinned = sample_system(&whole);
            uint32_t n = s.particle_count;
            double v[NUMBERS], out[NUMBERS], diagonal[3 * NUMBERS];
            for (uint32_t i = 0; i < 3 * n; i++)
                v[i] = test_uniform(&random, -1, 1);
            assert_ok(tide_stiffness_prepare(&stiffness, system, &error), error);
            tide_stiffness_evaluate(&stiffness, system, s.x, k % 2, factors[k / 2][0], factors[k / 2][1]);
            tide_stiffness_multiply(&stiffness, v, out);
            tide_stiffness_diagonal(&stiffness, diagonal);
            dense_operator(unpinned, s.x, k % 2, factors[k / 2][0], factors[k / 2][1], matrix); // pinned ones' v counts
            for (uint32_t i = 0; i < 3 * n; i++) {
                double sum = 0;
                for (uint32_t j = 0; j < 3 * n; j++)
                    sum += matrix[3 * n * i + j] * v[j];
                assert_near(out[i], s.pinned[i / 3] ? 0 : sum, 1e-10);
                for (uint32_t j = 0; j < 3; j++)
                    assert_near(diagonal[3 * i + j], s.pinned[i / 3] ? 0 : matrix[3 * n * i + i / 3 * 3 + j], 1e-10);
            }
            tide_system_destroy(system);
            tide_system_destroy(unpinned);
        }
    tide_stiffness_free(&stiffness);
    assert_true(!stiffness.compact && !stiffness.system && stiffness.capacity == 0);
}

enum { MANY = 40000, SPRINGS = 90001 }; // enough for several chunks

static tide_system *large_system(double *x)
{
    tide_error error;
    tide_random random = tide_random_seed(8);
    tide_system *system = NULL;
    assert_ok(tide_system_create(MANY, &system, &error), error);
    uint32_t *vertices = tide_allocate_array(2 * SPRINGS, sizeof *vertices);
    double *parameters = tide_allocate_array(2 * SPRINGS, sizeof *parameters);
    bool *pinned = tide_allocate_zeroed(MANY, sizeof *pinned);
    assert_true(vertices && parameters && pinned);
    for (uint32_t e = 0; e < SPRINGS; e++) {
        vertices[2 * e] = tide_random_next(&random) % (MANY - 1);
        vertices[2 * e + 1] = vertices[2 * e] + 1 + tide_random_next(&random) % (MANY - 1 - vertices[2 * e]);
        parameters[e] = test_uniform(&random, 1, 100);
        parameters[SPRINGS + e] = test_uniform(&random, 0, 1);
    }
    for (uint32_t p = 0; p < MANY; p++)
        pinned[p] = p % 17 == 3;
    for (uint32_t i = 0; i < 3 * MANY; i++)
        x[i] = test_uniform(&random, -1, 1);
    assert_ok(tide_system_add(system, &tide_spring, SPRINGS, vertices, parameters, &error), error);
    assert_ok(tide_system_add(system, &tide_spring, 50, vertices + 100, parameters + 100, &error), error);
    assert_ok(tide_system_set_pinned(system, pinned, &error), error);
    assert_ok(tide_system_finish(system, &error), error);
    tide_free(vertices);
    tide_free(parameters);
    tide_free(pinned);
    return system;
}

static void test_same_bits_for_any_number_of_threads_and_no_allocation(void **state)
{
    (void)state;
    double *x = tide_allocate_array(3 * MANY, sizeof *x), *serial = tide_allocate_array(3 * MANY, sizeof *x);
    double *parallel = tide_allocate_array(3 * MANY, sizeof *x);
    assert_true(x && serial && parallel);
    tide_system *system = large_system(x);
    tide_stiffness stiffness = { 0 };
    tide_error error;
    assert_ok(tide_stiffness_prepare(&stiffness, system, &error), error);
    for (int threads = 1; threads <= 4; threads++) {
        tide_set_threads(threads);
        uint64_t allocations = tide_memory_count().allocations;
        assert_ok(tide_stiffness_prepare(&stiffness, system, &error), error);
        tide_stiffness_evaluate(&stiffness, system, x, true, 1, 0.1);
        tide_stiffness_multiply(&stiffness, x, threads == 1 ? serial : parallel);
        assert_int_equal(tide_memory_count().allocations, allocations);
        if (threads > 1)
            assert_memory_equal(serial, parallel, 3 * MANY * sizeof *x);
    }
    tide_set_threads(1);
    tide_stiffness_free(&stiffness);
    tide_system_destroy(system);
    tide_free(x);
    tide_free(serial);
    tide_free(parallel);
}

// The largest eigenvalue of M^-1/2 K M^-1/2 by Jacobi rotations.
static double dense_k0(const tide_system *system, const double *x, bool project)
{
    static double matrix[NUMBERS * NUMBERS];
    dense_operator(system, x, project, 1, 0, matrix);
    uint32_t side = 3 * system->free_count;
    for (uint32_t i = 0; i < side; i++)
        for (uint32_t j = 0; j < side; j++)
            matrix[side * i + j] /=
                sqrt(system->masses[system->free_particles[i / 3]] * system->masses[system->free_particles[j / 3]]);
    return dense_largest_eigenvalue(side, matrix);
}

static sample sample_strand(void)
{
    sample s = { .name = "strand" };
    for (uint32_t i = 0; i < 40; i++) {
        sample_particle(&s, 0.01, 0.1 * i, 0, 0);
        if (i)
            sample_join(&s, i - 1, i, 500);
    }
    s.pinned[0] = true;
    return s;
}

static void check_k0(const sample *s, double tolerance)
{
    double vector[NUMBERS], work[4 * NUMBERS], v[NUMBERS] = { 0 }, product[NUMBERS];
    tide_error error;
    tide_system *system = sample_system(s);
    tide_stiffness stiffness = { 0 };
    assert_ok(tide_stiffness_prepare(&stiffness, system, &error), error);
    tide_stiffness_evaluate(&stiffness, system, s->x, true, 1, 0);
    double exact = dense_k0(system, s->x, true);
    tide_eigenvalue found = tide_stiffness_largest_eigenvalue(&stiffness, tolerance, 100000, vector, work);
    assert_true(found.converged && found.iterations > 0 && found.iterations < 20 / sqrt(tolerance) + 100);
    assert_near(found.value, exact, tolerance * exact);
    assert_true(found.value <= exact * (1 + 1e-12)); // a Rayleigh quotient
    // The vector is a unit vector of this quotient.
    double length = 0, quotient = 0;
    for (uint32_t i = 0; i < 3 * system->free_count; i++) {
        length += vector[i] * vector[i];
        v[3 * system->free_particles[i / 3] + i % 3] = vector[i] / sqrt(system->masses[system->free_particles[i / 3]]);
    }
    assert_near(length, 1, 1e-12);
    tide_stiffness_multiply(&stiffness, v, product);
    for (uint32_t i = 0; i < 3 * s->particle_count; i++)
        quotient += v[i] * product[i];
    assert_near(quotient, found.value, 1e-9 * exact);
    // The same bits again, whatever stood in the arrays.
    tide_eigenvalue again = tide_stiffness_largest_eigenvalue(&stiffness, tolerance, 100000, vector, work);
    assert_true(again.value == found.value && again.iterations == found.iterations);
    tide_stiffness_free(&stiffness);
    tide_system_destroy(system);
}

static void test_largest_eigenvalue_against_jacobi(void **state)
{
    (void)state;
    const double tolerances[] = { 1e-3, 1e-5 };
    for (int t = 0; t < 2; t++) {
        for (uint64_t seed = 1; seed <= 4; seed++) {
            sample graph = sample_graph(seed);
            tide_random random = tide_random_seed(seed);
            sample_disturb(graph.x, graph.particle_count, 0.2, &random);
            check_k0(&graph, tolerances[t]);
        }
        sample cloth = sample_cloth(), strand = sample_strand();
        check_k0(&cloth, tolerances[t]);
        check_k0(&strand, tolerances[t]);
        sample moved = disturbed(2, 3);
        check_k0(&moved, tolerances[t]);
    }
}

static void test_largest_eigenvalue_of_a_pair_by_hand(void **state)
{
    (void)state;
    // k (1 / m1 + 1 / m2) = 50 (5 + 10 / 3)
    sample s = sample_pair();
    double vector[6], work[24];
    tide_error error;
    tide_system *system = sample_system(&s);
    tide_stiffness stiffness = { 0 };
    assert_ok(tide_stiffness_prepare(&stiffness, system, &error), error);
    tide_stiffness_evaluate(&stiffness, system, s.x, true, 1, 0);
    tide_eigenvalue found = tide_stiffness_largest_eigenvalue(&stiffness, 1e-4, 1000, vector, work);
    assert_true(found.converged);
    assert_near(found.value, 50 * (5 + 10 / 3.0), 1e-9);
    found = tide_stiffness_largest_eigenvalue(&stiffness, 1e-4, 3, vector, work);
    assert_true(!found.converged && found.iterations == 3);
    // No stiffness at all, and no free particle.
    tide_stiffness_evaluate(&stiffness, system, s.x, true, 0, 0);
    found = tide_stiffness_largest_eigenvalue(&stiffness, 1e-4, 1000, vector, work);
    assert_true(found.converged && found.value == 0);
    assert_ok(tide_system_set_pinned(system, (bool[]) { true, true }, &error), error);
    assert_ok(tide_system_finish(system, &error), error);
    tide_stiffness_evaluate(&stiffness, system, s.x, true, 1, 0);
    found = tide_stiffness_largest_eigenvalue(&stiffness, 1e-4, 1000, vector, work);
    assert_true(found.converged && found.value == 0 && found.iterations == 0);
    tide_stiffness_free(&stiffness);
    tide_system_destroy(system);
}

static tide_status prepare_and_free(void *context, tide_error *error)
{
    tide_stiffness stiffness = { 0 };
    tide_status status = tide_stiffness_prepare(&stiffness, context, error);
    tide_stiffness_free(&stiffness);
    return status;
}

static void test_room(void **state)
{
    (void)state;
    sample large = sample_cloth(), small = sample_pair();
    tide_system *one = sample_system(&large), *other = sample_system(&small), *empty = NULL;
    tide_error error;
    assert_true(fail_each_allocation(prepare_and_free, one) >= 1);
    tide_stiffness stiffness = { 0 };
    assert_ok(tide_stiffness_prepare(&stiffness, other, &error), error);
    assert_ok(tide_stiffness_prepare(&stiffness, one, &error), error);
    uint64_t allocations = tide_memory_count().allocations;
    assert_ok(tide_stiffness_prepare(&stiffness, other, &error), error);
    assert_int_equal(tide_memory_count().allocations, allocations);
    assert_ok(tide_system_create(0, &empty, &error), error);
    assert_ok(tide_system_finish(empty, &error), error);
    assert_ok(tide_stiffness_prepare(&stiffness, empty, &error), error);
    double nothing = 0;
    tide_stiffness_evaluate(&stiffness, empty, &nothing, true, 1, 1);
    tide_stiffness_multiply(&stiffness, &nothing, &nothing);
    tide_stiffness_diagonal(&stiffness, &nothing);
    assert_true(tide_stiffness_largest_eigenvalue(&stiffness, 1e-3, 10, &nothing, &nothing).converged);
    tide_stiffness_free(&stiffness);
    tide_system_destroy(one);
    tide_system_destroy(other);
    tide_system_destroy(empty);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_products_against_the_sparse_matrix),
    cmocka_unit_test(test_same_bits_for_any_number_of_threads_and_no_allocation),
    cmocka_unit_test(test_largest_eigenvalue_against_jacobi),
    cmocka_unit_test(test_largest_eigenvalue_of_a_pair_by_hand),
    cmocka_unit_test(test_room),
};
TIDE_TEST_SUITE(model_stiffness, tests)

#include "../linear/failing.h"
#include "factor/cholesky.h"
#include "model/assembly.h"
#include "model/stiffness.h"
#include "samples.h"

enum { NUMBERS = 3 * SAMPLE_PARTICLES };

static sample some_sample(int index)
{
    sample s = index == 0 ? sample_pair() : index == 1 ? sample_chain() : index == 2 ? sample_cloth() : sample_graph(1);
    tide_random random = tide_random_seed(7);
    sample_disturb(s.x, s.particle_count, 0.1, &random);
    for (uint32_t e = 1; e < s.spring_count; e += 2) { // rows of both orders
        uint32_t i = s.springs[e].i;
        s.springs[e].i = s.springs[e].j;
        s.springs[e].j = i;
    }
    return s;
}

// m M + a H + b L from the matrices of the system.
static void check(const tide_assembly *assembly, const tide_system *system, const double *x, bool project, double m,
                  double a, double b)
{
    static double hessian[NUMBERS * NUMBERS], laplacian[SAMPLE_PARTICLES * SAMPLE_PARTICLES], got[NUMBERS * NUMBERS];
    tide_sparse sparse = { 0 };
    tide_error error;
    uint32_t free = system->free_count, side = 3 * free;
    assert_ok(tide_system_hessian(system, x, project, &sparse, &error), error);
    dense_from_sparse(&sparse, hessian);
    assert_ok(tide_system_laplacian(system, &sparse, &error), error);
    dense_from_sparse(&sparse, laplacian);
    tide_sparse_free(&sparse);
    assert_int_equal(assembly->matrix.rows, side);
    assert_int_equal(assembly->matrix.columns, side);
    dense_from_sparse(&assembly->matrix, got);
    for (uint32_t i = 0; i < side; i++)
        for (uint32_t j = 0; j < side; j++) {
            double expected = a * hessian[side * i + j];
            if (i % 3 == j % 3)
                expected += b * laplacian[free * (i / 3) + j / 3];
            if (i == j)
                expected += m * system->masses[system->free_particles[i / 3]];
            assert_near(got[side * i + j], expected, 1e-11);
        }
}

static void test_against_the_hessian(void **state)
{
    (void)state;
    tide_error error;
    tide_assembly assembly = { 0 };
    for (int index = 0; index < 4; index++) {
        sample s = some_sample(index);
        tide_system *system = sample_system(&s);
        assert_ok(tide_assembly_prepare(&assembly, system, &error), error);
        uint64_t pattern = tide_sparse_pattern_hash(&assembly.matrix);
        uint64_t allocations = tide_memory_count().allocations;
        for (int project = 0; project < 2; project++) {
            tide_assembly_fill(&assembly, system, s.x, project, 2, 0.3, 0.1);
            assert_int_equal(tide_memory_count().allocations, allocations);
            check(&assembly, system, s.x, project, 2, 0.3, 0.1);
            tide_assembly_fill(&assembly, system, s.x, project, 1, 1, 0); // again: nothing is left of the first
            tide_assembly_shift(&assembly, system, 0.25);
            tide_assembly_add(&assembly, system, s.x, project, -0.5, 2);
            check(&assembly, system, s.x, project, 1.25, 0.5, 2);
            allocations = tide_memory_count().allocations;
        }
        assert_true(tide_sparse_pattern_hash(&assembly.matrix) == pattern);
        tide_system_destroy(system);
    }
    tide_assembly_free(&assembly);
    assert_true(!assembly.places && !assembly.matrix.value);
}

// Rows ascend within columns, the diagonal comes first, blocks are whole, and products are those of the dense matrix.
static void test_pattern(void **state)
{
    (void)state;
    tide_error error;
    for (int index = 0; index < 4; index++) {
        sample s = some_sample(index);
        tide_system *system = sample_system(&s);
        tide_assembly assembly = { 0 };
        assert_ok(tide_assembly_prepare(&assembly, system, &error), error);
        const tide_sparse *m = &assembly.matrix;
        assert_true(m->symmetric);
        assert_int_equal(m->block, 3);
        for (uint32_t c = 0; c < m->columns; c++) {
            assert_int_equal(m->row[m->column_start[c]], c);
            for (int32_t k = m->column_start[c] + 1; k < m->column_start[c + 1]; k++)
                assert_true(m->row[k] > m->row[k - 1] && m->row[k] < (int32_t)m->rows);
        }
        static double dense[NUMBERS * NUMBERS];
        double product[NUMBERS];
        tide_assembly_fill(&assembly, system, s.x, true, 1, 1, 1);
        dense_from_sparse(m, dense);
        tide_sparse_multiply(m, 1, s.x, product);
        for (uint32_t i = 0; i < m->rows; i++) {
            double sum = 0;
            for (uint32_t j = 0; j < m->columns; j++)
                sum += dense[m->columns * i + j] * s.x[j];
            assert_near(product[i], sum, 1e-10);
        }
        tide_assembly_free(&assembly);
        tide_system_destroy(system);
    }
}

// Pins changed, and no particle free, or none connected.
static void test_changed_systems(void **state)
{
    (void)state;
    sample s = some_sample(2);
    tide_error error;
    tide_system *system = sample_system(&s), *loose = NULL;
    tide_assembly assembly = { 0 };
    bool pinned[SAMPLE_PARTICLES] = { 0 };
    for (uint32_t round = 0; round < 5; round++) {
        for (uint32_t p = 0; p < s.particle_count; p++)
            pinned[p] = round == 4 || (p + round) % (round + 2) == 0;
        assert_ok(tide_system_set_pinned(system, pinned, &error), error);
        assert_ok(tide_system_finish(system, &error), error);
        assert_ok(tide_assembly_prepare(&assembly, system, &error), error);
        tide_assembly_fill(&assembly, system, s.x, true, 1, 2, 3);
        check(&assembly, system, s.x, true, 1, 2, 3);
    }
    assert_ok(tide_system_create(4, &loose, &error), error);
    assert_ok(tide_system_finish(loose, &error), error);
    assert_ok(tide_assembly_prepare(&assembly, loose, &error), error);
    tide_assembly_fill(&assembly, loose, s.x, true, 3, 1, 1);
    check(&assembly, loose, s.x, true, 3, 1, 1);
    tide_assembly_free(&assembly);
    tide_system_destroy(system);
    tide_system_destroy(loose);
}

// A kind with three corners, whose blocks are not symmetric as those of springs are: H is a constant 9 x 9 matrix that
// depends on the element's one parameter, L is 0.
enum { SIDE = 9, COMPACT = SIDE * (SIDE + 1) / 2 };

static double entry(const tide_elements *elements, uint32_t e, uint32_t i, uint32_t j)
{
    uint32_t low = i < j ? i : j, high = i < j ? j : i;
    return sin(elements->parameters[e] + 1.3 * low + 0.7 * low * high + high);
}

static void general_hessian(const tide_elements *elements, const double *x, uint32_t e, bool project, double *out)
{
    (void)x, (void)project;
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        out[i] = entry(elements, e, i / SIDE, i % SIDE);
}

static void general_laplacian(const tide_elements *elements, uint32_t e, double *out)
{
    (void)elements, (void)e;
    memset(out, 0, 9 * sizeof *out);
}

static void general_compact(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, bool project,
                            double a, double b, double *out)
{
    (void)x, (void)project, (void)b;
    for (uint32_t e = begin; e < end; e++)
        for (uint32_t i = 0; i < SIDE; i++)
            for (uint32_t j = 0; j <= i; j++)
                *out++ = a * entry(elements, e, i, j);
}

static void general_blocks(const tide_elements *elements, const double *compact, uint32_t begin, uint32_t end,
                           double *out)
{
    (void)elements;
    for (uint32_t e = begin; e < end; e++, compact += COMPACT)
        for (uint32_t i = 0; i < 3; i++)
            for (uint32_t j = 0; j <= i; j++)
                for (uint32_t k = 0; k < 9; k++) {
                    uint32_t row = 3 * i + k / 3, column = 3 * j + k % 3;
                    uint32_t low = row < column ? row : column, high = row < column ? column : row;
                    *out++ = compact[high * (high + 1) / 2 + low];
                }
}

static const tide_element_kind general = { .name = "general",
                                           .vertex_count = 3,
                                           .parameter_count = 1,
                                           .compact_size = COMPACT,
                                           .hessian = general_hessian,
                                           .laplacian = general_laplacian,
                                           .compact = general_compact,
                                           .blocks = general_blocks };

static void test_blocks_that_are_not_symmetric(void **state)
{
    (void)state;
    enum { COUNT = 70, PARTICLES = 25 };
    tide_random random = tide_random_seed(4);
    tide_error error;
    tide_system *system = NULL;
    uint32_t vertices[3 * COUNT];
    double parameters[COUNT], x[3 * PARTICLES] = { 0 }, diagonal[9 * PARTICLES];
    bool pinned[PARTICLES] = { [4] = true, [17] = true };
    for (uint32_t e = 0; e < COUNT; e++) { // three different particles in any order
        vertices[3 * e] = tide_random_next(&random) % PARTICLES;
        vertices[3 * e + 1] = (vertices[3 * e] + 1 + tide_random_next(&random) % 12) % PARTICLES;
        vertices[3 * e + 2] = (vertices[3 * e] + 13 + tide_random_next(&random) % 12) % PARTICLES;
        parameters[e] = e;
    }
    assert_ok(tide_system_create(PARTICLES, &system, &error), error);
    assert_ok(tide_system_add(system, &general, COUNT, vertices, parameters, &error), error);
    assert_ok(tide_system_set_pinned(system, pinned, &error), error);
    assert_ok(tide_system_finish(system, &error), error);
    tide_assembly assembly = { 0 };
    assert_ok(tide_assembly_prepare(&assembly, system, &error), error);
    tide_assembly_fill(&assembly, system, x, false, 5, 0.5, 1);
    check(&assembly, system, x, false, 5, 0.5, 1);
    tide_assembly_shift(&assembly, system, -5);
    tide_stiffness stiffness = { 0 };
    assert_ok(tide_stiffness_prepare(&stiffness, system, &error), error);
    tide_stiffness_evaluate(&stiffness, system, x, false, 0.5, 1);
    tide_stiffness_diagonal(&stiffness, diagonal);
    for (uint32_t p = 0; p < PARTICLES; p++)
        for (uint32_t k = 0; k < 9; k++) {
            uint32_t low = k / 3 < k % 3 ? k / 3 : k % 3, high = k / 3 < k % 3 ? k % 3 : k / 3, row = system->rows[p];
            assert_near(diagonal[9 * p + k],
                        pinned[p] ? 0 : tide_sparse_get(&assembly.matrix, 3 * row + high, 3 * row + low), 1e-12);
        }
    tide_stiffness_free(&stiffness);
    tide_assembly_free(&assembly);
    tide_system_destroy(system);
}

// By the minors of the blocks, and by a factorisation, which then fails, too.
static void test_blocks_tell_what_is_not_definite(void **state)
{
    (void)state;
    sample s = sample_cloth();
    tide_error error;
    tide_system *system = sample_system(&s);
    tide_assembly assembly = { 0 };
    tide_cholesky *cholesky = NULL;
    assert_ok(tide_assembly_prepare(&assembly, system, &error), error);
    assert_ok(tide_cholesky_create(&cholesky, &error), error);
    tide_random random = tide_random_seed(11);
    int told = 0, definite = 0;
    for (int round = 0; round < 60; round++) {
        double x[NUMBERS], m = pow(10, round % 6);
        memcpy(x, s.x, sizeof x);
        sample_disturb(x, s.particle_count, 0.3, &random);
        tide_assembly_fill(&assembly, system, x, round % 10 == 0, m, 1, 0);
        bool bad = false;
        for (uint32_t r = 0; r < assembly.matrix.rows; r += 3) {
            double a[6]; // xx, yx, yy, zx, zy, zz
            for (uint32_t i = 0, n = 0; i < 3; i++)
                for (uint32_t j = 0; j <= i; j++)
                    a[n++] = tide_sparse_get(&assembly.matrix, r + i, r + j);
            bad = bad || a[0] <= 0 || a[0] * a[2] - a[1] * a[1] <= 0 ||
                  a[0] * (a[2] * a[5] - a[4] * a[4]) - a[1] * (a[1] * a[5] - a[4] * a[3]) +
                          a[3] * (a[1] * a[4] - a[2] * a[3]) <=
                      0;
        }
        assert_true(tide_assembly_is_indefinite(&assembly) == bad);
        tide_status status = tide_cholesky_factor(cholesky, &assembly.matrix, NULL, NULL);
        assert_true(status == TIDE_ERROR_NUMERIC || (status == TIDE_OK && !bad));
        told += bad;
        definite += status == TIDE_OK;
    }
    assert_true(told > 5 && definite > 5);
    tide_assembly_free(&assembly);
    tide_cholesky_destroy(cholesky);
    tide_system_destroy(system);
}

static tide_status prepare_and_free(void *context, tide_error *error)
{
    tide_assembly assembly = { 0 };
    tide_status status = tide_assembly_prepare(&assembly, context, error);
    tide_assembly_free(&assembly);
    return status;
}

static void test_allocation_failures(void **state)
{
    (void)state;
    sample s = some_sample(3);
    tide_system *system = sample_system(&s);
    assert_true(fail_each_allocation(prepare_and_free, system) > 4);
    tide_system_destroy(system);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_against_the_hessian),
    cmocka_unit_test(test_pattern),
    cmocka_unit_test(test_changed_systems),
    cmocka_unit_test(test_blocks_that_are_not_symmetric),
    cmocka_unit_test(test_blocks_tell_what_is_not_definite),
    cmocka_unit_test(test_allocation_failures),
};
TIDE_TEST_SUITE(model_assembly, tests)

// The matrix of a step, rows of pinned particles in it, against the one that leaves them out.
#include "../linear/failing.h"
#include "base/memory.h"
#include "base/random.h"
#include "model/step_matrix.h"
#include "samples.h"

static const double m = 1.25, h = 0.04;

// Against m M + m h^2 L over free particles.
static void check(const tide_step_matrix *matrix, const tide_system *system)
{
    tide_error error;
    tide_sparse expected = { 0 };
    assert_ok(tide_system_matrix(system, h, &expected, &error), error);
    const tide_sparse *a = &matrix->matrix;
    assert_int_equal(a->rows, matrix->whole ? system->particle_count : system->free_count);
    for (uint32_t i = 0; i < a->rows; i++)
        for (uint32_t j = 0; j < a->rows; j++) {
            uint32_t row = system->rows[tide_step_matrix_particle(matrix, system, i)];
            uint32_t column = system->rows[tide_step_matrix_particle(matrix, system, j)];
            double found = tide_sparse_get(a, i, j);
            if (row != TIDE_PINNED && column != TIDE_PINNED)
                assert_near(found, m * tide_sparse_get(&expected, row, column), 1e-14);
            else
                assert_true(i == j ? found > 0 : found == 0);
        }
    tide_sparse_free(&expected);
}

static sample every_sample(int index)
{
    sample s = index == 0 ? sample_chain() : index == 1 ? sample_cloth() : sample_graph((uint32_t)index);
    s.anchors[s.anchor_count++] = (sample_anchor) { 2, 30, { 0, 0, 0 } };
    return s;
}

static void test_values_are_those_without_pins(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(5);
    tide_error error;
    for (int index = 0; index < 6; index++) {
        tide_step_matrix matrix = { 0 };
        sample s = every_sample(index);
        for (int round = 0; round < 12; round++) {
            for (uint32_t p = 0; p < s.particle_count; p++)
                s.pinned[p] = tide_random_next(&random) % 16 < (uint32_t)(round == 11 ? 16 : round);
            for (uint32_t e = 0; e < s.spring_count; e++)
                s.springs[e].stiffness = tide_random_next(&random) % 4 ? tide_random_uniform(&random) : 0; // cut
            s.masses[0] = s.pinned[0] ? 0 : 0.2; // a pinned particle needs none
            tide_system *system = sample_system(&s);
            assert_ok(tide_step_matrix_fill(&matrix, system, m, m * h * h, &error), error);
            check(&matrix, system);
            bool few = s.particle_count - system->free_count <= s.particle_count / TIDE_MANY_PINNED;
            assert_int_equal(matrix.whole, few);
            tide_system_destroy(system);
        }
        tide_step_matrix_free(&matrix);
    }
}

static void test_pins_cuts_and_anchors_keep_the_pattern(void **state)
{
    (void)state;
    tide_error error;
    sample s = sample_cloth(), changed = s, joined = s;
    memset(s.pinned, 0, sizeof s.pinned);
    memset(changed.pinned, 0, sizeof changed.pinned);
    changed.pinned[7] = changed.pinned[9] = true;
    changed.springs[3].stiffness = 0;
    changed.anchors[changed.anchor_count++] = (sample_anchor) { 5, 30, { 0, 0, 0 } };
    sample_join(&joined, 0, s.particle_count - 1, 12);
    const sample *in_turn[] = { &s, &changed, &s, &joined };
    tide_step_matrix matrix = { 0 };
    uint64_t pattern = 0;
    for (int i = 0; i < 4; i++) {
        tide_system *system = sample_system(in_turn[i]);
        uint64_t allocations = tide_memory_count().allocations;
        assert_ok(tide_step_matrix_fill(&matrix, system, m, m * h * h, &error), error);
        assert_int_equal(tide_memory_count().allocations != allocations, i == 0 || i == 3);
        assert_int_equal(tide_sparse_pattern_hash(&matrix.matrix) != pattern, i == 0 || i == 3);
        pattern = tide_sparse_pattern_hash(&matrix.matrix);
        check(&matrix, system);
        tide_system_destroy(system);
    }
    tide_step_matrix_free(&matrix);
}

// The base is the matrix of the system without its late elements, whatever is pinned.
static void test_the_base_is_without_late_elements(void **state)
{
    (void)state;
    tide_error error;
    for (int pinned = 0; pinned < 40; pinned += 13) { // few, and so many that rows are free particles
        sample s = sample_cloth();
        memset(s.pinned, 0, sizeof s.pinned);
        for (int p = 0; p < pinned && p < (int)s.particle_count - 8; p++)
            s.pinned[p] = true;
        tide_system *plain = sample_system(&s), *joined = sample_system(&s);
        uint32_t ends[] = { 0, s.particle_count - 1, s.particle_count - 1, s.particle_count - 8 };
        double parameters[] = { 3, 4, 0, 0.5 };
        tide_system_add_late(joined);
        assert_ok(tide_system_add(joined, &tide_spring, 2, ends, parameters, &error), error);
        assert_ok(tide_system_finish(joined, &error), error);
        tide_step_matrix without = { 0 }, with = { 0 };
        assert_ok(tide_step_matrix_fill(&without, plain, m, m * h * h, &error), error);
        assert_ok(tide_step_matrix_fill(&with, joined, m, m * h * h, &error), error);
        check(&with, joined);
        assert_int_equal(without.base.columns, 0);
        assert_int_equal(tide_sparse_pattern_hash(&with.base), tide_sparse_pattern_hash(&without.matrix));
        assert_true(pinned || tide_sparse_pattern_hash(&with.matrix) != tide_sparse_pattern_hash(&with.base));
        tide_step_matrix_free(&without);
        tide_step_matrix_free(&with);
        tide_system_destroy(plain);
        tide_system_destroy(joined);
    }
}

static tide_status fill(void *context, tide_error *error)
{
    tide_step_matrix matrix = { 0 };
    tide_status status = tide_step_matrix_fill(&matrix, context, 1, 0.01, error);
    tide_step_matrix_free(&matrix);
    return status;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    sample s = sample_graph(6);
    tide_system *system = sample_system(&s);
    assert_true(fail_each_allocation(fill, system) > 5);
    tide_system_destroy(system);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_values_are_those_without_pins),
    cmocka_unit_test(test_pins_cuts_and_anchors_keep_the_pattern),
    cmocka_unit_test(test_the_base_is_without_late_elements),
    cmocka_unit_test(test_out_of_memory),
};
TIDE_TEST_SUITE(model_step_matrix, tests)

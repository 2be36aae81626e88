#include "../linear/failing.h"
#include "motion.h"
#include "solver/global_step.h"
#include "solver/line_search.h"

enum { MAX = STEPPING_NUMBERS };

typedef struct setting {
    sample s;
    stepping run;
    tide_objective objective;
    tide_global_step global;
    tide_line_search search;
    double direction[MAX];
} setting;

static void begin(setting *set, int index, const tide_damping *damping)
{
    tide_error error;
    double h = 1.0 / 30;
    set->s = stepping_sample(index);
    motion_start(&set->run, &set->s, stepping_solver("local_global", ""), h, 3);
    set->objective = (tide_objective) { 0 };
    set->search = (tide_line_search) { 0 };
    set->global = (tide_global_step) { 0 };
    assert_ok(tide_objective_prepare(&set->objective, set->run.system, h, damping, &error), error);
    assert_ok(tide_line_search_prepare(&set->search, set->run.system, &error), error);
    const tide_solve_options exactly = { .method = TIDE_CHOLESKY_REFERENCE };
    assert_ok(tide_global_step_prepare(&set->global, &set->objective, &exactly, "solver", NULL, &error), error);
    tide_step step = stepping_step(&set->run);
    step.undamped = set->run.velocity;
    tide_objective_predict(&set->objective, &step);
    tide_objective_begin(&set->objective, set->run.q);
    tide_line_search_begin(&set->search, &set->objective, set->objective.y);
}

static void end(setting *set)
{
    tide_objective_free(&set->objective);
    tide_global_step_free(&set->global);
    tide_line_search_free(&set->search);
    stepping_end(&set->run);
}

// direction = -factor A^-1 grad g.
static double descend(setting *set, double factor)
{
    tide_error error;
    assert_ok(tide_global_step_solve(&set->global, set->run.system, set->search.gradient, set->direction, &error),
              error);
    for (uint32_t i = 0; i < 3 * set->s.particle_count; i++)
        set->direction[i] *= -factor;
    return tide_system_dot(set->run.system, set->search.gradient, set->direction);
}

static void assert_consistent(const setting *set)
{
    double gradient[MAX];
    assert_true(set->search.value == tide_objective_value(&set->objective, set->search.x));
    assert_true(set->search.norm == tide_objective_gradient(&set->objective, set->search.x, gradient));
    assert_memory_equal(gradient, set->search.gradient, 3 * set->s.particle_count * sizeof *gradient);
}

static void test_decreases_from_any_first_length(void **state)
{
    (void)state;
    const tide_damping damping = { TIDE_DAMPING_RAYLEIGH, 1, 0.01 };
    for (int index = 0; index < 4; index++)
        for (double factor = 1e-3; factor < 1e12; factor *= 10) {
            setting set;
            begin(&set, index, factor > 100 ? &damping : NULL);
            assert_consistent(&set);
            double slope = descend(&set, factor), before = set.search.value, old[MAX];
            memcpy(old, set.search.x, 3 * set.s.particle_count * sizeof *old);
            assert_true(tide_line_search_move(&set.search, &set.objective, set.direction, 1));
            assert_true(set.search.length > 0 && set.search.length <= 1);
            assert_true(set.search.value <= before + 1e-4 * set.search.length * slope);
            assert_true(factor > 1 || (set.search.length == 1 && set.search.trials == 1)); // A bounds g from above
            assert_true(set.search.trials <= 40);
            for (uint32_t i = 0; i < 3 * set.s.particle_count; i++)
                assert_true(set.search.x[i] == old[i] + set.search.length * set.direction[i]);
            assert_consistent(&set);
            double length = set.search.length;
            end(&set);
            // A first length is as good as a factor of the direction.
            begin(&set, index, factor > 100 ? &damping : NULL);
            descend(&set, 1);
            assert_true(tide_line_search_move(&set.search, &set.objective, set.direction, factor));
            assert_near(set.search.length, length * factor, 1e-6 * length * factor);
            end(&set);
        }
}

// g stops changing long before its gradient is 0; the slopes lead on.
static void test_goes_on_where_rounding_hides_the_decrease(void **state)
{
    (void)state;
    int unseen = 0;
    for (int index = 0; index < 4; index++) {
        setting set;
        begin(&set, index, NULL);
        double initial = set.search.norm, before = set.search.value;
        for (int n = 0; n < 20000 && set.search.norm > 1e-13 * initial; n++, before = set.search.value) {
            descend(&set, 1);
            if (!tide_line_search_move(&set.search, &set.objective, set.direction, 1))
                break;
            unseen += set.search.value >= before;
        }
        assert_true(set.search.norm < 2e-13 * initial);
        assert_consistent(&set);
        end(&set);
    }
    assert_true(unseen > 0);
}

static void test_refuses_what_does_not_descend(void **state)
{
    (void)state;
    setting set;
    begin(&set, 2, NULL);
    size_t size = 3 * set.s.particle_count * sizeof(double);
    double old[MAX], value = set.search.value;
    memcpy(old, set.search.x, size);
    for (int kind = 0; kind < 4; kind++) {
        descend(&set, kind == 0 ? -1 : kind == 1 ? 0 : 1);
        if (kind == 2)
            set.direction[20] = NAN;
        if (kind == 3)
            set.direction[20] = -INFINITY * set.search.gradient[20];
        assert_false(tide_line_search_move(&set.search, &set.objective, set.direction, 1));
        assert_memory_equal(set.search.x, old, size);
        assert_true(set.search.value == value && set.search.trials <= 40);
        assert_consistent(&set);
    }
    descend(&set, 1e200); // g overflows on the way
    assert_false(tide_line_search_move(&set.search, &set.objective, set.direction, 1));
    assert_int_equal(set.search.trials, 40);
    assert_memory_equal(set.search.x, old, size);
    end(&set);
}

static tide_status whole_life(void *context, tide_error *error)
{
    tide_line_search search = { 0 };
    tide_status status = tide_line_search_prepare(&search, context, error);
    tide_line_search_free(&search);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    sample s = sample_graph(1);
    tide_system *system = sample_system(&s);
    assert_int_equal(fail_each_allocation(whole_life, system), 5); // the owner and its four arrays
    tide_system_destroy(system);
    setting set;
    begin(&set, 2, NULL);
    uint64_t allocations = tide_memory_count().allocations;
    for (int n = 0; n < 10; n++) {
        descend(&set, 1000);
        tide_line_search_move(&set.search, &set.objective, set.direction, 1);
    }
    tide_error error;
    assert_ok(tide_line_search_prepare(&set.search, set.run.system, &error), error);
    assert_int_equal(tide_memory_count().allocations, allocations);
    end(&set);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_decreases_from_any_first_length),
    cmocka_unit_test(test_goes_on_where_rounding_hides_the_decrease),
    cmocka_unit_test(test_refuses_what_does_not_descend),
    cmocka_unit_test(test_memory),
};
TIDE_TEST_SUITE(solver_line_search, tests)

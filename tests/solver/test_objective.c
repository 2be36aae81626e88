#include "../linear/failing.h"
#include "motion.h"
#include "solver/global_step.h"

enum { MAX = STEPPING_NUMBERS };

static const tide_damping models[] = { { 0 },
                                       { TIDE_DAMPING_RAYLEIGH, 2, 0.01 },
                                       { TIDE_DAMPING_SPRINGS, 3, 0.02 },
                                       { TIDE_DAMPING_RAYLEIGH, 0, 0.05 },
                                       { TIDE_DAMPING_SPRINGS, 4, 0 } };
enum { MODELS = sizeof models / sizeof models[0] };

// An objective of a sample in motion, its pins on their way, and a place x away from everything.
typedef struct setting {
    sample s;
    stepping run;
    tide_objective objective;
    double x[MAX];
} setting;

static void begin(setting *set, int index, int model, double h)
{
    tide_error error;
    set->s = stepping_sample(index);
    motion_start(&set->run, &set->s, stepping_solver("newton", ""), h, 3);
    set->objective = (tide_objective) { 0 };
    assert_ok(tide_objective_prepare(&set->objective, set->run.system, h, &models[model], &error), error);
    tide_step step = stepping_step(&set->run);
    step.undamped = set->run.velocity;
    tide_objective_predict(&set->objective, &step);
    tide_objective_begin(&set->objective, set->run.q);
    tide_random random = tide_random_seed(9);
    memcpy(set->x, set->objective.y, 3 * (size_t)set->s.particle_count * sizeof *set->x);
    double moved[MAX];
    memcpy(moved, set->x, sizeof moved);
    sample_disturb(moved, set->s.particle_count, 0.05, &random);
    for (uint32_t i = 0; i < 3 * set->s.particle_count; i++)
        if (!set->s.pinned[i / 3])
            set->x[i] = moved[i];
}

static void end(setting *set)
{
    tide_objective_free(&set->objective);
    stepping_end(&set->run);
}

static void test_gradient_is_the_derivative(void **state)
{
    (void)state;
    for (int index = 0; index < 4; index++)
        for (int model = 0; model < MODELS; model++) {
            setting set;
            double gradient[MAX], x[MAX], step = 1e-4;
            begin(&set, index, model, 0.05);
            double norm = tide_objective_gradient(&set.objective, set.x, gradient);
            assert_near(norm, tide_system_norm(set.run.system, gradient), 1e-14);
            for (uint32_t i = 0; i < 3 * set.s.particle_count; i++) {
                if (set.s.pinned[i / 3]) {
                    assert_true(gradient[i] == 0);
                    continue;
                }
                double values[4];
                for (int k = 0; k < 4; k++) {
                    memcpy(x, set.x, sizeof x);
                    x[i] += step * (k < 2 ? k - 2 : k - 1);
                    values[k] = tide_objective_value(&set.objective, x);
                }
                double slope = (8 * (values[2] - values[1]) - (values[3] - values[0])) / (12 * step);
                assert_near(gradient[i], slope, 1e-9);
            }
            end(&set);
        }
}

// D of a model at q, from the sample's lists: the damping force of unit velocities.
static void test_resistance_is_the_models(void **state)
{
    (void)state;
    for (int index = 0; index < 3; index++)
        for (int model = 0; model < MODELS; model++) {
            setting set;
            begin(&set, index, model, 0.05);
            double out[MAX], damped[MAX], still[MAX], zero[MAX] = { 0 };
            tide_objective_resistance(&set.objective, set.run.velocity, out);
            motion_forces(&set.s, &models[model], set.run.q, set.run.velocity, damped);
            motion_forces(&set.s, &models[model], set.run.q, zero, still);
            for (uint32_t i = 0; i < 3 * set.s.particle_count; i++)
                assert_near(out[i], set.s.pinned[i / 3] ? 0 : still[i] - damped[i], 1e-12);

            // The gradient holds s D (x - origin), pinned particles' ways and all.
            tide_objective plain = { 0 };
            tide_error error;
            assert_ok(tide_objective_prepare(&plain, set.run.system, 0.05, NULL, &error), error);
            memcpy(plain.y, set.objective.y, 3 * set.s.particle_count * sizeof *plain.y);
            double with[MAX], without[MAX], offset[MAX];
            tide_objective_gradient(&set.objective, set.x, with);
            tide_objective_gradient(&plain, set.x, without);
            for (uint32_t i = 0; i < 3 * set.s.particle_count; i++)
                offset[i] = set.x[i] - set.run.q[i];
            tide_objective_resistance(&set.objective, offset, out);
            for (uint32_t i = 0; i < 3 * set.s.particle_count; i++)
                assert_near(with[i] - without[i], 0.05 * out[i], 1e-12);
            tide_objective_free(&plain);
            end(&set);
        }
}

static void dense_hessian(const setting *set, double part, double *dense)
{
    tide_error error;
    tide_assembly assembly = { 0 };
    assert_ok(tide_assembly_prepare(&assembly, set->run.system, &error), error);
    tide_objective_hessian(&set->objective, set->x, part, &assembly);
    dense_from_sparse(&assembly.matrix, dense);
    tide_assembly_free(&assembly);
}

static void test_a_part_of_the_projection(void **state)
{
    (void)state;
    static double none[MAX * MAX], whole[MAX * MAX], quarter[MAX * MAX];
    for (int index = 0; index < 4; index++)
        for (int model = 0; model < MODELS; model++) {
            setting set;
            begin(&set, index, model, 0.05);
            uint32_t size = 3 * set.run.system->free_count;
            dense_hessian(&set, 0, none);
            dense_hessian(&set, 1, whole);
            dense_hessian(&set, 0.25, quarter);
            double apart = 0, most = 0;
            for (uint32_t i = 0; i < size * size; i++) {
                most = fmax(most, fmax(fabs(none[i]), fabs(whole[i])));
                apart = fmax(apart, fabs(none[i] - whole[i]));
            }
            for (uint32_t i = 0; i < size * size; i++)
                assert_near(quarter[i], 0.75 * none[i] + 0.25 * whole[i], 1e-14 * most);
            assert_true(index == 0 || apart > 1e-6);
            end(&set);
        }
}

static void test_hessian_is_the_second_derivative(void **state)
{
    (void)state;
    static double dense[MAX * MAX];
    for (int index = 0; index < 4; index++)
        for (int model = 0; model < MODELS; model++) {
            setting set;
            begin(&set, index, model, 0.05);
            const tide_system *system = set.run.system;
            uint32_t size = 3 * system->free_count;
            dense_hessian(&set, 0, dense);
            tide_error error;
            tide_stiffness stiffness = { 0 };
            assert_ok(tide_stiffness_prepare(&stiffness, system, &error), error);
            tide_objective_linearise(&set.objective, set.x, false, &stiffness);
            double x[MAX], forward[MAX], backward[MAX], unit[MAX], product[MAX], row[MAX], step = 1e-5;
            for (uint32_t j = 0; j < size; j++) {
                size_t i = 3 * (size_t)system->free_particles[j / 3] + j % 3;
                memset(unit, 0, sizeof unit);
                unit[i] = 1;
                tide_objective_multiply(&set.objective, &stiffness, unit, product);
                tide_system_gather(system, product, row);
                for (uint32_t k = 0; k < size; k++)
                    assert_near(row[k], dense[(size_t)k * size + j], 1e-13);
                memcpy(x, set.x, sizeof x);
                x[i] = set.x[i] + step;
                tide_objective_gradient(&set.objective, x, forward);
                x[i] = set.x[i] - step;
                tide_objective_gradient(&set.objective, x, backward);
                for (uint32_t k = 0; k < size; k++) {
                    size_t to = 3 * (size_t)system->free_particles[k / 3] + k % 3;
                    assert_near(dense[(size_t)k * size + j], (forward[to] - backward[to]) / (2 * step), 2e-7);
                }
            }
            tide_stiffness_free(&stiffness);
            end(&set);
        }
}

// A, dense, over free particles; those of pinned ones are joined to nothing.
static void free_matrix(const setting *set, double *a)
{
    static double all[MAX * MAX];
    const tide_system *system = set->run.system;
    uint32_t rows = system->free_count;
    tide_step_matrix matrix = { 0 };
    tide_error error;
    assert_ok(tide_objective_matrix(&set->objective, &matrix, &error), error);
    dense_from_sparse(&matrix.matrix, all);
    uint32_t count = matrix.matrix.rows;
    assert_int_equal(count, matrix.whole ? system->particle_count : rows);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < rows; j++) {
            uint32_t row = matrix.whole ? system->free_particles[i] : i;
            a[i * rows + j] = all[row * count + (matrix.whole ? system->free_particles[j] : j)];
        }
    for (uint32_t p = 0; p < count && matrix.whole; p++)
        for (uint32_t j = 0; j < count && system->rows[p] == TIDE_PINNED; j++)
            assert_true(j == p ? all[p * count + j] > 0 : all[p * count + j] == 0);
    tide_step_matrix_free(&matrix);
}

static void test_hessian_is_below_the_constant_matrix(void **state)
{
    (void)state;
    static double a[MAX * MAX], hessian[MAX * MAX], difference[MAX * MAX];
    for (int index = 0; index < 4; index++)
        for (int model = 0; model < MODELS; model++)
            for (int project = 0; project < 2; project++) {
                setting set;
                begin(&set, index, model, 0.05);
                uint32_t rows = set.run.system->free_count, size = 3 * rows;
                free_matrix(&set, a);
                dense_hessian(&set, project, hessian);
                for (uint32_t i = 0; i < size; i++)
                    for (uint32_t j = 0; j < size; j++)
                        difference[i * size + j] = (i == j ? 1e-12 : 0) - hessian[i * size + j] +
                                                   (i % 3 == j % 3 ? a[i / 3 * rows + j / 3] : 0);
                double b[MAX] = { 0 };
                assert_true(dense_cholesky_solve(size, difference, b));
                for (uint32_t row = 0; row < rows; row++)
                    assert_near(set.objective.diagonal[set.run.system->free_particles[row]], a[row * rows + row],
                                1e-13);
                if (project)
                    assert_true(dense_cholesky_solve(size, hessian, b));
                end(&set);
            }
}

static void test_global_step_solves_with_the_constant_matrix(void **state)
{
    (void)state;
    static double a[MAX * MAX], factored[MAX * MAX];
    for (int index = 0; index < 12; index++) {
        setting set;
        int way = index / 4;
        begin(&set, index % 4, index % 4, 0.05);
        const tide_system *system = set.run.system;
        uint32_t rows = system->free_count;
        tide_error error;
        tide_global_step global = { 0 };
        free_matrix(&set, a);
        const tide_solve_options options = { .method = way };
        assert_ok(tide_global_step_prepare(&global, &set.objective, &options, "solver", NULL, &error), error);
        double gradient[MAX], direction[MAX], expected[MAX];
        tide_objective_gradient(&set.objective, set.x, gradient);
        for (uint32_t i = 0; i < MAX; i++)
            direction[i] = 7;
        assert_ok(tide_global_step_solve(&global, system, gradient, direction, &error), error);
        for (size_t k = 0; k < 3; k++) {
            memcpy(factored, a, sizeof a);
            for (uint32_t row = 0; row < rows; row++)
                expected[row] = gradient[3 * system->free_particles[row] + k];
            assert_true(dense_cholesky_solve(rows, factored, expected));
            for (uint32_t row = 0; row < rows; row++)
                assert_near(direction[3 * system->free_particles[row] + k], expected[row],
                            way == TIDE_CHOLESKY_FAST ? 1e-6 : 1e-12);
        }
        for (uint32_t i = 0; i < 3 * set.s.particle_count; i++)
            assert_true(!set.s.pinned[i / 3] || direction[i] == 0);
        uint64_t allocations = tide_memory_count().allocations;
        assert_ok(tide_global_step_solve(&global, system, gradient, gradient, &error), error);
        assert_int_equal(tide_memory_count().allocations, allocations);
        assert_memory_equal(gradient, direction, 3 * set.s.particle_count * sizeof *gradient);
        tide_global_step_free(&global);
        end(&set);
    }
}

// Pinned particles follow their velocities; for the others the prediction is y.
static void test_what_coasts(void **state)
{
    (void)state;
    int held = 0, loose = 0;
    for (int index = 0; index < 4; index++) {
        setting set;
        begin(&set, index, 0, 0.05);
        const tide_system *system = set.run.system;
        tide_error error;
        tide_global_step global = { 0 };
        tide_momentum parts = { 0 };
        const tide_solve_options exactly = { .method = TIDE_CHOLESKY_REFERENCE };
        assert_ok(tide_global_step_prepare(&global, &set.objective, &exactly, "solver", NULL, &error), error);
        assert_true(tide_momentum_find(&parts, system, 1));
        tide_step step = { .system = system, .h = 0.05, .q = set.run.q, .velocity = set.run.velocity };
        double x[MAX];
        bool free_part[MAX] = { false }, any = false;
        for (uint32_t r = 0; r < parts.run_count; r++)
            for (uint32_t p = parts.runs[r].begin; p < parts.runs[r].end; p++)
                free_part[p] = true;
        bool coasts = tide_global_step_coast(&global, &step, set.objective.y, x);
        for (uint32_t i = 0; i < 3 * system->particle_count; i++) {
            bool follows = system->rows[i / 3] == TIDE_PINNED || free_part[i / 3];
            any = any || !follows;
            assert_true(x[i] == (follows ? set.objective.y[i] : step.q[i] + step.h * step.velocity[i]));
        }
        assert_true(coasts == any);
        held += any;
        loose += parts.run_count > 0;
        tide_momentum_free(&parts);
        tide_global_step_free(&global);
        end(&set);
    }
    assert_true(held > 0 && loose > 0);
}

static void test_target(void **state)
{
    (void)state;
    setting set;
    begin(&set, 2, 0, 0.05);
    assert_true(tide_objective_target(&set.objective, 0, 1) == 0);
    assert_true(tide_objective_target(&set.objective, 1e-3, 1) == 1e-3);
    double floor = tide_objective_target(&set.objective, 1e-30, 1);
    assert_true(floor > 1e-18 && floor < 1e-14);
    tide_report report = { 0 };
    tide_objective_report(&set.objective, 5, 1, 0.9 * floor, 1e-30, &report);
    assert_true(report.converged && report.g == 5 && report.initial_gradient_norm == 1 &&
                report.gradient_norm == 0.9 * floor);
    tide_objective_report(&set.objective, 5, 1, 0.9 * floor, 0, &report);
    assert_false(report.converged);
    tide_objective_report(&set.objective, 5, 1, NAN, 0.5, &report);
    assert_false(report.converged);
    tide_objective_report(&set.objective, 5, NAN, NAN, 0.5, &report);
    assert_false(report.converged);
    end(&set);
}

static void test_amplification(void **state)
{
    (void)state;
    assert_near(tide_backward_euler_amplification(0, 1), sqrt(0.5), 1e-15);
    assert_near(tide_backward_euler_amplification(1, 0), 1, 1e-15); // at rest anywhere
    // The spectral radius of [1 h; 0 1] applied to the new velocity: (1 + X + Y) z^2 - (2 + X) z + 1 = 0.
    double z = tide_backward_euler_amplification(5, 0.5);
    assert_near((1 + 5 + 0.5) * z * z - (2 + 5) * z + 1, 0, 1e-14);
}

static tide_status whole_life(void *context, tide_error *error)
{
    tide_objective objective = { 0 };
    tide_status status = tide_objective_prepare(&objective, context, 0.1, &models[1], error);
    tide_objective_free(&objective);
    return status;
}

static void test_allocation_failures(void **state)
{
    (void)state;
    sample s = sample_graph(1);
    tide_system *system = sample_system(&s);
    assert_true(fail_each_allocation(whole_life, system) >= 7);
    tide_system_destroy(system);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_gradient_is_the_derivative),
    cmocka_unit_test(test_resistance_is_the_models),
    cmocka_unit_test(test_a_part_of_the_projection),
    cmocka_unit_test(test_hessian_is_the_second_derivative),
    cmocka_unit_test(test_hessian_is_below_the_constant_matrix),
    cmocka_unit_test(test_global_step_solves_with_the_constant_matrix),
    cmocka_unit_test(test_what_coasts),
    cmocka_unit_test(test_target),
    cmocka_unit_test(test_amplification),
    cmocka_unit_test(test_allocation_failures),
};
TIDE_TEST_SUITE(solver_objective, tests)

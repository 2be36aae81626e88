// The part of a gas's Hessian that joins all its vertices: products against differences of gradients, the full matrix,
// and what pinned vertices leave of both.
#include "../linear/failing.h"
#include "model/pressure.h"
#include "model/stiffness.h"
#include "samples.h"

#include <string.h>

enum { VERTICES = 6, TRIANGLES = 8 };

static const double octahedron[3 * VERTICES] = { 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1 };
static const uint32_t triangles[3 * TRIANGLES] = { 0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                                   2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5 };

static tide_system *gas_system(bool pinned)
{
    tide_error error;
    tide_system *system = NULL;
    double parameters[TIDE_GAS_PARAMETERS * TRIANGLES] = { 0 };
    bool pins[VERTICES] = { [3] = pinned };
    for (size_t e = 0; e < TRIANGLES; e++) {
        parameters[TIDE_GAS_AMBIENT * TRIANGLES + e] = 60;
        parameters[TIDE_GAS_AMOUNT * TRIANGLES + e] = 100;
        parameters[TIDE_GAS_VOLUME * TRIANGLES + e] = 4.0 / 3;
    }
    assert_ok(tide_system_create(VERTICES, &system, &error), error);
    assert_ok(tide_system_add(system, &tide_gas, TRIANGLES, triangles, parameters, &error), error);
    assert_ok(tide_system_set_pinned(system, pins, &error), error);
    assert_ok(tide_system_finish(system, &error), error);
    return system;
}

static void test_products(void **state)
{
    (void)state;
    tide_error error;
    tide_random random = tide_random_seed(3);
    for (int pinned = 0; pinned < 2; pinned++) {
        tide_system *system = gas_system(pinned);
        tide_stiffness stiffness = { 0 };
        double x[3 * VERTICES], v[3 * VERTICES], out[3 * VERTICES], ahead[3 * VERTICES], there[3 * VERTICES],
            back[3 * VERTICES], diagonal[9 * VERTICES];
        const double step = 1e-5;
        for (int i = 0; i < 3 * VERTICES; i++) {
            x[i] = octahedron[i] + test_uniform(&random, -0.2, 0.2);
            v[i] = test_uniform(&random, -1, 1);
        }
        assert_ok(tide_stiffness_prepare(&stiffness, system, &error), error);
        tide_stiffness_evaluate(&stiffness, system, x, false, 1, 0);
        tide_stiffness_multiply(&stiffness, v, out);
        tide_stiffness_diagonal(&stiffness, diagonal);
        for (int side = -1; side < 2; side += 2) {
            for (int i = 0; i < 3 * VERTICES; i++)
                ahead[i] = x[i] + side * step * v[i];
            tide_system_gradient(system, ahead, side < 0 ? back : there);
        }
        for (int i = 0; i < 3 * VERTICES; i++)
            assert_near(out[i], (there[i] - back[i]) / (2 * step), 1e-6);
        tide_sparse hessian = { 0 };
        assert_ok(tide_system_hessian(system, x, false, &hessian, &error), error);
        for (uint32_t i = 0; i < 3 * system->free_count; i++) {
            size_t p = system->free_particles[i / 3];
            for (uint32_t k = 0; k < 3; k++)
                assert_near(diagonal[9 * p + 3 * (i % 3) + k], tide_sparse_get(&hessian, i, i / 3 * 3 + k), 1e-12);
        }
        for (int k = 0; k < 9; k++)
            assert_true(!pinned || diagonal[9 * 3 + k] == 0);
        stiffness.uncoupled = true;
        tide_stiffness_evaluate(&stiffness, system, x, false, 1, 0);
        tide_stiffness_multiply(&stiffness, v, back);
        double apart = 0;
        for (int i = 0; i < 3 * VERTICES; i++)
            apart = fmax(apart, fabs(out[i] - back[i]));
        assert_true(apart > 1);
        tide_sparse_free(&hessian);
        tide_stiffness_free(&stiffness);
        tide_system_destroy(system);
    }
}

static tide_status both(void *context, tide_error *error)
{
    const double *x = octahedron;
    tide_stiffness stiffness = { 0 };
    tide_sparse hessian = { 0 };
    tide_status status = tide_stiffness_prepare(&stiffness, context, error);
    if (status == TIDE_OK)
        status = tide_system_hessian(context, x, false, &hessian, error);
    tide_stiffness_free(&stiffness);
    tide_sparse_free(&hessian);
    return status;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    tide_system *system = gas_system(false);
    assert_true(fail_each_allocation(both, system) > 10);
    tide_system_destroy(system);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_products),
    cmocka_unit_test(test_out_of_memory),
};
TIDE_TEST_SUITE(model_coupling, tests)

// The area spring by hand. test_element_kinds.c tests its derivatives.
#include "../linear/dense.h"
#include "model/element.h"
#include "tests.h"

extern const tide_element_kind tide_area_spring;
enum { STIFFNESS, REST_AREA, REST_EDGES, PARAMETERS }; // in the order of its fields

// One element with its particles.
typedef struct single {
    tide_elements elements;
    uint32_t vertices[3];
    double parameters[PARAMETERS], x[9];
} single;

static void point_to_own(single *s)
{
    s->elements = (tide_elements) { &tide_area_spring, 1, s->vertices, s->parameters };
}

// A triangle whose area at rest is half of what it is, or twice as much.
static void make_area_spring(single *s, tide_random *random)
{
    *s = (single) { .vertices = { 2, 0, 1 }, .parameters = { test_uniform(random, 1, 100) } };
    s->parameters[REST_AREA] = s->parameters[REST_EDGES] = TIDE_NOT_GIVEN;
    for (int i = 0; i < 9; i++)
        s->x[i] = test_uniform(random, -1, 1);
    point_to_own(s);
    assert_null(tide_area_spring.rest(&tide_area_spring, s->x, s->vertices, s->parameters));
    s->parameters[REST_AREA] *= tide_random_next(random) % 2 ? 0.5 : 2;
}

static void test_area_spring_by_hand(void **state)
{
    (void)state;
    // A right triangle of 3 m and 4 m, of which 6 m^2, at rest 5 m^2.
    single s = { .vertices = { 0, 1, 2 }, .parameters = { 2, 5, TIDE_NOT_GIVEN }, .x = { 0, 0, 0, 3, 0, 0, 0, 4, 0 } };
    point_to_own(&s);
    assert_null(tide_area_spring.rest(&tide_area_spring, s.x, s.vertices, s.parameters));
    assert_true(s.parameters[REST_AREA] == 5 && s.parameters[REST_EDGES] == 50);
    double gradient[9], laplacian[9], project[9], normal[9], strain, compliance;
    tide_area_spring.gradient(&s.elements, s.x, 0, 1, gradient);
    const double slope[9] = { -2, -1.5, 0, 2, 0, 0, 0, 1.5, 0 };
    assert_near(tide_area_spring.energy(&s.elements, s.x, 0, 1), 1, 1e-14);
    assert_near(tide_area_spring.constraint(&s.elements, s.x, 0, normal, &compliance), 1, 1e-14);
    tide_area_spring.strain(&s.elements, s.x, 0, 1, &strain);
    tide_area_spring.laplacian(&s.elements, 0, laplacian);
    tide_area_spring.project(&s.elements, s.x, 0, 1, project);
    assert_near(strain, 0.2, 1e-15);
    assert_true(compliance == 0.5);
    for (int i = 0; i < 9; i++) {
        double centre = i % 3 == 0 ? 1 : i % 3 == 1 ? 4.0 / 3 : 0, pull = 0;
        assert_near(gradient[i], 2 * slope[i], 1e-14);
        assert_near(normal[i], slope[i], 1e-14);
        assert_near(laplacian[i], i % 4 == 0 ? 25 * 2.0 / 3 : -25 / 3.0, 1e-14);
        // L x - w d is the gradient.
        for (int j = 0; j < 3; j++)
            pull += laplacian[3 * (i / 3) + j] * s.x[3 * j + i % 3];
        assert_near(pull - 25 * project[i], gradient[i], 1e-13);
        assert_near(project[i], s.x[i] - centre - gradient[i] / 25, 1e-14);
    }
    // Without area it has no normal, so no force.
    memset(s.x, 0, sizeof s.x);
    tide_area_spring.gradient(&s.elements, s.x, 0, 1, gradient);
    assert_near(tide_area_spring.energy(&s.elements, s.x, 0, 1), 25, 1e-14);
    double hessian[81];
    tide_area_spring.hessian(&s.elements, s.x, 0, true, hessian);
    for (int i = 0; i < 81; i++)
        assert_true(hessian[i] == 0 && gradient[i % 9] == 0);
}

// Against eigenvalues by dense_eigen: the difference from the nearest semidefinite matrix has only negative ones, and
// both act on different eigenvectors.
static void test_area_spring_is_projected_to_the_nearest_matrix(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(8);
    double most = 0;
    for (int round = 0; round < 100; round++) {
        single s;
        double hessian[81], projected[81], difference[81], vectors[81], size = 0;
        make_area_spring(&s, &random);
        tide_area_spring.hessian(&s.elements, s.x, 0, false, hessian);
        tide_area_spring.hessian(&s.elements, s.x, 0, true, projected);
        for (int i = 0; i < 81; i++) {
            difference[i] = projected[i] - hessian[i];
            size = fmax(size, fabs(hessian[i]));
        }
        for (int i = 0; i < 9; i++)
            for (int j = 0; j < 9; j++) {
                double sum = 0;
                for (int k = 0; k < 9; k++)
                    sum += projected[9 * i + k] * difference[9 * k + j];
                assert_near(sum, 0, 1e-11 * size * size);
            }
        dense_eigen(9, difference, vectors);
        dense_eigen(9, projected, vectors);
        for (int i = 0; i < 81; i += 10) {
            most = fmax(most, difference[i] / size);
            assert_true(projected[i] > -1e-11 * size && difference[i] > -1e-11 * size);
        }
    }
    assert_true(most > 0.1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_area_spring_by_hand),
    cmocka_unit_test(test_area_spring_is_projected_to_the_nearest_matrix),
};
TIDE_TEST_SUITE(model_area_spring, tests)

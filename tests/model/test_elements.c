#include "../linear/dense.h"
#include "model/element.h"
#include "tests.h"

// Three random components; returns the length.
static double random_vector(tide_random *random, double d[3])
{
    double squared = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = test_uniform(random, -1, 1);
        squared += d[k] * d[k];
    }
    return sqrt(squared);
}

// One element of a kind, with its particles.
typedef struct single {
    tide_elements elements;
    uint32_t vertices[TIDE_ELEMENT_MAX_VERTICES];
    double parameters[8], x[3 * TIDE_ELEMENT_MAX_VERTICES];
} single;

static void point_to_own(single *s, const tide_element_kind *kind)
{
    s->elements = (tide_elements) { kind, 1, s->vertices, s->parameters };
}

static void make_spring(single *s, double stiffness, double rest_length, const double d[3])
{
    *s = (single) { .vertices = { 1, 0 }, .parameters = { stiffness, rest_length } };
    const double at[3] = { 0.3, -0.2, 0.7 };
    for (int k = 0; k < 3; k++) {
        s->x[k] = at[k];
        s->x[3 + k] = at[k] + d[k];
    }
    point_to_own(s, &tide_spring);
}

static void make_anchor(single *s, tide_random *random)
{
    *s = (single) { .vertices = { 0 }, .parameters = { test_uniform(random, 1, 100) } };
    for (int k = 0; k < 3; k++) {
        s->parameters[1 + k] = test_uniform(random, -1, 1);
        s->x[k] = test_uniform(random, -1, 1);
    }
    point_to_own(s, &tide_anchor);
}

// The point of the tie is anywhere in the plane of its three corners.
static void make_tie(single *s, tide_random *random)
{
    *s = (single) { .vertices = { 2, 0, 3, 1 }, .parameters = { test_uniform(random, 1, 100) } };
    s->parameters[TIDE_TIE_WEIGHT_1] = test_uniform(random, -1, 2);
    s->parameters[TIDE_TIE_WEIGHT_2] = test_uniform(random, -1, 2);
    s->parameters[TIDE_TIE_WEIGHT_3] = 1 - s->parameters[TIDE_TIE_WEIGHT_1] - s->parameters[TIDE_TIE_WEIGHT_2];
    for (int i = 0; i < 12; i++)
        s->x[i] = test_uniform(random, -1, 1);
    point_to_own(s, &tide_tie);
}

static double energy_of(const single *s, const double *x)
{
    return s->elements.kind->energy(&s->elements, x, 0, 1);
}

// Gradients come in the order of the element's corners; this puts them in that of the particles.
static void gradient_of(const single *s, const double *x, double *out)
{
    double corners[3 * TIDE_ELEMENT_MAX_VERTICES];
    s->elements.kind->gradient(&s->elements, x, 0, 1, corners);
    for (uint32_t c = 0; c < s->elements.kind->vertex_count; c++)
        memcpy(out + 3 * s->vertices[c], corners + 3 * c, 3 * sizeof *out);
}

static void check_finite_differences(const single *s, double scale)
{
    const tide_element_kind *kind = s->elements.kind;
    uint32_t size = 3 * kind->vertex_count;
    double gradient[12], hessian[144], forward[12], backward[12], x[12];
    const double step = 1e-5;
    gradient_of(s, s->x, gradient);
    kind->hessian(&s->elements, s->x, 0, false, hessian);
    for (uint32_t i = 0; i < size; i++) {
        uint32_t at = 3 * s->vertices[i / 3] + i % 3;
        memcpy(x, s->x, sizeof x);
        x[at] = s->x[at] + step;
        double energy = energy_of(s, x);
        gradient_of(s, x, forward);
        x[at] = s->x[at] - step;
        energy -= energy_of(s, x);
        gradient_of(s, x, backward);
        assert_near(gradient[at], energy / (2 * step), 1e-6 * scale);
        for (uint32_t j = 0; j < size; j++) {
            uint32_t other = 3 * s->vertices[j / 3] + j % 3;
            assert_near(hessian[i * size + j], (forward[other] - backward[other]) / (2 * step), 1e-6 * scale);
            assert_true(hessian[i * size + j] == hessian[j * size + i]);
        }
    }
}

static void test_derivatives_against_finite_differences(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(1);
    single s;
    for (int round = 0; round < 200; round++) {
        double d[3], length = random_vector(&random, d), stiffness = test_uniform(&random, 1, 100);
        if (length < 0.1)
            continue;
        const double rests[] = { length, 0.3 * length, 1.9 * length, 0 }; // at rest, stretched, compressed, of none
        for (int k = 0; k < 4; k++) {
            make_spring(&s, stiffness, rests[k], d);
            check_finite_differences(&s, stiffness * 10);
        }
        make_anchor(&s, &random);
        check_finite_differences(&s, 1000);
        make_tie(&s, &random);
        check_finite_differences(&s, 1000);
    }
}

static void test_spring_by_hand(void **state)
{
    (void)state;
    single s;
    double gradient[6], d[3], strain, project[3];
    make_spring(&s, 10, 2, (double[3]) { 0, 3, 0 });
    gradient_of(&s, s.x, gradient);
    const double expected[6] = { 0, -10, 0, 0, 10, 0 };
    for (int k = 0; k < 6; k++)
        assert_near(gradient[k], expected[k], 1e-14);
    assert_near(energy_of(&s, s.x), 5, 1e-14);
    tide_spring.strain(&s.elements, s.x, 0, 1, &strain);
    assert_near(strain, 0.5, 1e-15);
    tide_spring.project(&s.elements, s.x, 0, 1, project);
    memcpy(d, (double[3]) { 0, 2, 0 }, sizeof d);
    for (int k = 0; k < 3; k++)
        assert_near(project[k], d[k], 1e-15);
}

static void test_anchor_by_hand(void **state)
{
    (void)state;
    single s = { .parameters = { 4, 1, 2, 3 }, .x = { 2, 2, 5 } };
    point_to_own(&s, &tide_anchor);
    double gradient[3], project[3], strain, laplacian;
    gradient_of(&s, s.x, gradient);
    assert_true(gradient[0] == 4 && gradient[1] == 0 && gradient[2] == 8);
    assert_true(energy_of(&s, s.x) == 10);
    tide_anchor.project(&s.elements, s.x, 0, 1, project);
    tide_anchor.strain(&s.elements, s.x, 0, 1, &strain);
    tide_anchor.laplacian(&s.elements, 0, &laplacian);
    assert_true(project[0] == 1 && project[1] == 2 && project[2] == 3 && strain == 0 && laplacian == 4);
}

static void test_tie_by_hand(void **state)
{
    (void)state;
    // From (1, 2, 4) to a quarter, a quarter and a half of the corners: (1, 1, 0).
    single s = { .vertices = { 0, 1, 2, 3 },
                 .parameters = { 8, 0.25, 0.25, 0.5 },
                 .x = { 1, 2, 4, 4, 0, 0, 0, 4, 0, 0, 0, 0 } };
    point_to_own(&s, &tide_tie);
    double gradient[12], project[3] = { 1, 1, 1 }, strain, compliance, normal[12], sum[3] = { 0 };
    assert_true(energy_of(&s, s.x) == 0.5 * 8 * (1 + 16));
    gradient_of(&s, s.x, gradient);
    const double expected[12] = { 0, 8, 32, 0, -2, -8, 0, -2, -8, 0, -4, -16 };
    for (int i = 0; i < 12; i++) {
        assert_true(gradient[i] == expected[i]);
        sum[i % 3] += gradient[i];
    }
    assert_true(sum[0] == 0 && sum[1] == 0 && sum[2] == 0);
    tide_tie.project(&s.elements, s.x, 0, 1, project);
    tide_tie.strain(&s.elements, s.x, 0, 1, &strain);
    assert_true(project[0] == 0 && project[1] == 0 && project[2] == 0 && strain == 0);
    assert_near(tide_tie.constraint(&s.elements, s.x, 0, normal, &compliance), sqrt(17), 1e-14);
    assert_true(compliance == 0.125);
    for (int i = 0; i < 12; i++)
        assert_near(normal[i], expected[i] / 8 / sqrt(17), 1e-15);
    // At its point it has no direction.
    memcpy(s.x, (double[3]) { 1, 1, 0 }, 3 * sizeof *s.x);
    assert_true(tide_tie.constraint(&s.elements, s.x, 0, normal, &compliance) == 0);
    for (int i = 0; i < 12; i++)
        assert_true(normal[i] == 0);
}

static void test_coincident_ends(void **state)
{
    (void)state;
    // No length at all, and lengths of which the square underflows or nearly does.
    const double lengths[] = { 0, 1e-320, 1e-200, 1e-150 };
    const double rests[] = { 0.5, 0, 1e-3, 1e6 };
    for (int l = 0; l < 4; l++)
        for (int r = 0; r < 4; r++) {
            single s;
            make_spring(&s, 8, rests[r], (double[3]) { 0, 0, 0 });
            memset(s.x, 0, sizeof s.x);
            s.x[4] = lengths[l];
            double gradient[6], hessian[36], project[3], strain;
            gradient_of(&s, s.x, gradient);
            // Corner 0 is particle 1; its gradient is -k r (1, 0, 0).
            assert_true(gradient[3] == -8 * rests[r] && gradient[0] == 8 * rests[r]);
            assert_true(gradient[4] == 0 && gradient[5] == 0);
            tide_spring.project(&s.elements, s.x, 0, 1, project);
            assert_true(project[0] == rests[r] && project[1] == 0 && project[2] == 0);
            tide_spring.strain(&s.elements, s.x, 0, 1, &strain);
            assert_true(isfinite(strain) && isfinite(energy_of(&s, s.x)));
            for (int projected = 0; projected < 2; projected++) {
                tide_spring.hessian(&s.elements, s.x, 0, projected, hessian);
                double across = rests[r] == 0 ? 8 : projected ? 0 : 8 * (1 - 1e8);
                assert_near(hessian[0], 8, 1e-6);
                assert_near(hessian[7], across, 1e-5);
                assert_near(hessian[14], across, 1e-5);
                for (int i = 0; i < 36; i++)
                    assert_true(isfinite(hessian[i]));
            }
        }
}

static void test_projection_is_the_nearest_positive_semidefinite_matrix(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(2);
    for (int round = 0; round < 100; round++) {
        double d[3], hessian[36], projected[36], vectors[36];
        random_vector(&random, d);
        single s; // of either sign of stiffness, compressed and stretched
        make_spring(&s, test_uniform(&random, -20, 100), test_uniform(&random, 0, 3), d);
        tide_spring.hessian(&s.elements, s.x, 0, false, hessian);
        tide_spring.hessian(&s.elements, s.x, 0, true, projected);
        dense_eigen(6, hessian, vectors);
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                double sum = 0;
                for (int k = 0; k < 6; k++)
                    sum += vectors[6 * i + k] * fmax(hessian[7 * k], 0) * vectors[6 * j + k];
                assert_near(projected[6 * i + j], sum, 1e-9);
            }
    }
    single anchor = { .parameters = { -3 } };
    double block[9];
    point_to_own(&anchor, &tide_anchor);
    tide_anchor.hessian(&anchor.elements, anchor.x, 0, true, block);
    for (int i = 0; i < 9; i++)
        assert_true(block[i] == 0);
    tide_anchor.hessian(&anchor.elements, anchor.x, 0, false, block);
    assert_true(block[0] == -3 && block[1] == 0);
}

static void test_local_projection_is_the_nearest_point(void **state)
{
    (void)state;
    // Liu 2013, the lemma of section 4: (|p12| - r)^2 = min over |d| = r of |p12 - d|^2, at d = r p12 / |p12|.
    tide_random random = tide_random_seed(3);
    for (int round = 0; round < 50; round++) {
        double d[3], best[3];
        random_vector(&random, d);
        single s;
        make_spring(&s, 2, test_uniform(&random, 0, 2), d);
        tide_spring.project(&s.elements, s.x, 0, 1, best);
        double least = 0;
        for (int k = 0; k < 3; k++)
            least += (d[k] - best[k]) * (d[k] - best[k]);
        assert_near(least, energy_of(&s, s.x), 1e-13); // k/2 is 1
        for (int trial = 0; trial < 50; trial++) {
            double other[3], length = random_vector(&random, other), distance = 0;
            for (int k = 0; k < 3; k++) {
                other[k] *= s.parameters[TIDE_SPRING_REST_LENGTH] / length;
                distance += (d[k] - other[k]) * (d[k] - other[k]);
            }
            assert_true(distance >= least - 1e-12);
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_derivatives_against_finite_differences),
    cmocka_unit_test(test_spring_by_hand),
    cmocka_unit_test(test_anchor_by_hand),
    cmocka_unit_test(test_tie_by_hand),
    cmocka_unit_test(test_coincident_ends),
    cmocka_unit_test(test_projection_is_the_nearest_positive_semidefinite_matrix),
    cmocka_unit_test(test_local_projection_is_the_nearest_point),
};
TIDE_TEST_SUITE(model_elements, tests)

// Michell's instability (1889; Goriely 2006, Twisted elastic rings and the rediscoveries of Michell's instability): a
// naturally straight rod, bent to a ring, closed and twisted by more than 2 pi sqrt(3) B / C, leaves its plane.
#include "base/memory.h"
#include "model/rod_twist.h"
#include "model/system.h"
#include "tests.h"

#include <math.h>
#include <string.h>

enum { EDGES = 80, PARTICLES = 2 * EDGES, SIDE = 3 * PARTICLES };

static const double pi = 3.14159265358979323846;

typedef struct ring {
    tide_system *system;
    double x[SIDE], step; // step: N/m, the stiffness of a bending mode
} ring;

// Makes a ring of radius 1 in equilibrium with this twist in all. B = 1, C = 1 / (1 + poisson).
static void make_ring(ring *r, double twist, double poisson)
{
    uint32_t joints[5 * EDGES], arms[3 * EDGES], edges[2 * EDGES];
    static double twists[TIDE_ROD_TWIST_PARAMETERS * EDGES];
    double holds[TIDE_ROD_ARM_PARAMETERS * EDGES], springs[TIDE_SPRING_PARAMETERS * EDGES], force[SIDE];
    double part = 2 * pi / EDGES, length = 2 * sin(part / 2), arm = length;
    for (uint32_t i = 0; i < EDGES; i++) {
        double middle = (i + 0.5) * part, *g = r->x + 3 * (size_t)(EDGES + i);
        r->x[3 * i] = cos(i * part);
        r->x[3 * i + 1] = sin(i * part);
        r->x[3 * i + 2] = 0;
        // a frame without twist has d across the plane; sides alternate
        g[0] = cos(part / 2) * cos(middle);
        g[1] = cos(part / 2) * sin(middle);
        g[2] = i % 2 ? -arm : arm;
    }
    for (uint32_t i = 0; i < EDGES; i++) {
        uint32_t before = (i + EDGES - 1) % EDGES, after = (i + 1) % EDGES;
        const uint32_t joint[5] = { before, i, after, EDGES + before, EDGES + i };
        double own[TIDE_ROD_TWIST_PARAMETERS];
        memcpy(joints + 5 * i, joint, sizeof joint);
        memcpy(arms + 3 * i, (const uint32_t[]) { i, after, EDGES + i }, 3 * sizeof *arms);
        memcpy(edges + 2 * i, (const uint32_t[]) { i, after }, 2 * sizeof *edges);
        assert_null(tide_rod_twist.rest(&tide_rod_twist, r->x, joint, own));
        assert_true(fabs(own[TIDE_ROD_TWIST_ANGLE]) < 1e-12);
        own[TIDE_ROD_TWIST_STIFFNESS] = 1 / length;
        own[TIDE_ROD_TWIST_RATIO] = 1 / (1 + poisson);
        own[TIDE_ROD_TWIST_CURVATURE] = 0;
        own[TIDE_ROD_TWIST_ANGLE] = -twist / EDGES;
        own[TIDE_ROD_TWIST_STRAIN] = 1;
        for (size_t p = 0; p < TIDE_ROD_TWIST_PARAMETERS; p++)
            twists[p * EDGES + i] = own[p];
        holds[TIDE_ROD_ARM_STIFFNESS * EDGES + i] = 1 / (length * arm * arm);
        holds[TIDE_ROD_ARM_RADIUS * EDGES + i] = arm;
        holds[TIDE_ROD_ARM_OFFSET * EDGES + i] = 0;
        holds[TIDE_ROD_ARM_LENGTH * EDGES + i] = length;
    }
    assert_int_equal(tide_system_create(PARTICLES, &r->system, NULL), TIDE_OK);
    assert_int_equal(tide_system_add(r->system, &tide_rod_twist, EDGES, joints, twists, NULL), TIDE_OK);
    assert_int_equal(tide_system_add(r->system, &tide_rod_arm, EDGES, arms, holds, NULL), TIDE_OK);
    // springs of E A / l with E A = 4 B / r^2 for r = 0.01, in equilibrium with the radial force
    for (uint32_t i = 0; i < EDGES; i++)
        springs[i] = 4e4 / length;
    for (int round = 0; round < 2; round++) {
        double radial = 0;
        if (round) {
            assert_int_equal(tide_system_finish(r->system, NULL), TIDE_OK);
            tide_system_gradient(r->system, r->x, force);
            radial = force[0];
            tide_system_destroy(r->system);
            assert_int_equal(tide_system_create(PARTICLES, &r->system, NULL), TIDE_OK);
            assert_int_equal(tide_system_add(r->system, &tide_rod_twist, EDGES, joints, twists, NULL), TIDE_OK);
            assert_int_equal(tide_system_add(r->system, &tide_rod_arm, EDGES, arms, holds, NULL), TIDE_OK);
        }
        // dE/dr of a vertex is 2 T sin(part / 2) + radial = 0, with the tension T
        for (uint32_t i = 0; i < EDGES; i++)
            springs[EDGES + i] = length + radial / (2 * sin(part / 2)) / springs[i];
    }
    assert_int_equal(tide_system_add(r->system, &tide_spring, EDGES, edges, springs, NULL), TIDE_OK);
    assert_int_equal(tide_system_finish(r->system, NULL), TIDE_OK);
    tide_system_gradient(r->system, r->x, force);
    for (int i = 0; i < SIDE; i++)
        assert_true(fabs(force[i]) < 1e-9);
    r->step = length;
}

// Returns whether the Hessian plus `shift` is positive definite. The shift leaves out the motions without energy: rigid
// ones, and a turn of all cross-sections.
static bool is_stable(const ring *r, double shift)
{
    tide_sparse hessian = { 0 };
    double *a = tide_allocate_zeroed((size_t)SIDE * SIDE, sizeof *a);
    assert_non_null(a);
    assert_int_equal(tide_system_hessian(r->system, r->x, false, &hessian, NULL), TIDE_OK);
    for (uint32_t c = 0; c < SIDE; c++) {
        double unit[SIDE] = { 0 }, column[SIDE];
        unit[c] = 1;
        tide_sparse_multiply(&hessian, 1, unit, column);
        for (uint32_t i = c; i < SIDE; i++)
            a[(size_t)SIDE * i + c] = column[i] + (i == c ? shift : 0);
    }
    bool definite = true;
    for (size_t j = 0; j < SIDE && definite; j++)
        for (size_t i = j; i < SIDE && definite; i++) { // Cholesky by rows of the lower triangle
            double sum = a[SIDE * i + j];
            for (size_t k = 0; k < j; k++)
                sum -= a[SIDE * i + k] * a[SIDE * j + k];
            definite = i != j || sum > 0;
            a[SIDE * i + j] = i == j ? sqrt(fmax(sum, 0)) : sum / a[SIDE * j + j];
        }
    tide_sparse_free(&hessian);
    tide_free(a);
    return definite;
}

static double critical_twist(double poisson)
{
    double low = 0, high = 40;
    while (high - low > 0.02) {
        ring r;
        double twist = (low + high) / 2;
        make_ring(&r, twist, poisson);
        *(is_stable(&r, 1e-5 * r.step) ? &low : &high) = twist;
        tide_system_destroy(r.system);
    }
    return (low + high) / 2;
}

static void test_a_ring_buckles_at_michells_twist(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        double poisson = i ? 0.4 : 0, exact = 2 * pi * sqrt(3) * (1 + poisson);
        assert_near(critical_twist(poisson) / exact, 1, 0.01);
    }
}

static const struct CMUnitTest tests[] = { cmocka_unit_test(test_a_ring_buckles_at_michells_twist) };
TIDE_TEST_SUITE(model_ring_twist, tests)

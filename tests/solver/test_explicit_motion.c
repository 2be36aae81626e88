// Motion under explicit methods: orders of accuracy, momentum, energy, pins.
#include "explicit_runs.h"

// A pendulum on a spring: what the motion of (x, v) is at `duration`, by Runge-Kutta of order 4 with tiny steps.
typedef struct pendulum {
    sample s;
    double d0;
} pendulum;

static pendulum make_pendulum(double d0)
{
    pendulum p = { .s = { .name = "pendulum" }, .d0 = d0 };
    sample_particle(&p.s, 1, 0, 0, 0);
    sample_particle(&p.s, 0.5, 0.4, -0.3, 0.1);
    sample_join(&p.s, 0, 1, 20);
    p.s.pinned[0] = true;
    return p;
}

static void rates(const pendulum *p, const double state[6], double out[6])
{
    const sample_spring *spring = &p->s.springs[0];
    double length = sqrt(state[0] * state[0] + state[1] * state[1] + state[2] * state[2]), m = p->s.masses[1];
    for (int k = 0; k < 3; k++) {
        out[k] = state[3 + k];
        out[3 + k] = -spring->stiffness * (length - spring->rest_length) * state[k] / length / m -
                     p->d0 * state[3 + k] - (k == 1 ? 9.81 : 0);
    }
}

static void reference(const pendulum *p, double duration, double state[6])
{
    enum { STEPS = 20000 };
    double h = duration / STEPS, k[4][6], middle[6];
    for (int i = 0; i < 6; i++)
        state[i] = i < 3 ? p->s.x[3 + i] : 0;
    for (int n = 0; n < STEPS; n++) {
        const double reach[4] = { 0, h / 2, h / 2, h };
        for (int stage = 0; stage < 4; stage++) {
            for (int i = 0; i < 6; i++)
                middle[i] = state[i] + (stage ? reach[stage] * k[stage - 1][i] : 0);
            rates(p, middle, k[stage]);
        }
        for (int i = 0; i < 6; i++)
            state[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

static double error_of(const pendulum *p, const char *name, const char *options, int steps, const double exact[6])
{
    stepping run;
    char text[192];
    snprintf(text, sizeof text, "substep=1%s", options);
    stepping_start(&run, &p->s, explicit_solver(name, text), 0.5 / steps);
    for (int n = 0; n < steps; n++) {
        stepping_take(&run);
        stepping_go_on(&run);
    }
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += pow(run.q[3 + k] - exact[k], 2) + pow(run.velocity[3 + k] - exact[3 + k], 2);
    stepping_end(&run);
    return sqrt(sum);
}

static void test_orders(void **state)
{
    (void)state;
    const struct {
        const char *name, *options;
        double d0, order;
        int steps;
    } cases[] = { { "explicit_euler", "", 0, 1, 4000 },
                  { "symplectic_euler", "", 0, 1, 400 },
                  { "linearized_explicit", ",relinearize=1e-9", 0, 1, 400 },
                  { "symplectic_euler", ",filter=exponential,filter.lambda=6", 0, 0, 400 },
                  { "verlet", "", 0, 2, 200 },
                  { "verlet", ",damping=rayleigh,damping.mass=2", 2, 2, 200 },
                  { "midpoint", "", 0, 2, 400 },
                  { "midpoint", ",damping=rayleigh,damping.mass=2", 2, 2, 400 },
                  { "rk4", "", 0, 4, 100 },
                  { "rk4", ",damping=rayleigh,damping.mass=2", 2, 4, 100 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pendulum p = make_pendulum(cases[i].d0);
        double exact[6];
        reference(&p, 0.5, exact);
        double coarse = error_of(&p, cases[i].name, cases[i].options, cases[i].steps, exact);
        double fine = error_of(&p, cases[i].name, cases[i].options, 2 * cases[i].steps, exact);
        // A filter is so much damping a substep: with ever shorter ones, ever more. It converges to another motion.
        if (cases[i].order > 0)
            assert_near(log2(coarse / fine), cases[i].order, 0.06);
        else
            assert_true(fine > 0.5 * coarse);
    }
}

// Damping by alpha K(x), which turns with the springs: verlet against rk4.
static void test_order_with_stiffness_damping(void **state)
{
    (void)state;
    pendulum p = make_pendulum(0);
    const char *options = ",damping=rayleigh,damping.mass=0.5,damping.stiffness=0.03";
    double exact[6];
    stepping run;
    stepping_start(&run, &p.s,
                   explicit_solver("rk4", "substep=1,damping=rayleigh,damping.mass=0.5,damping.stiffness=0.03"),
                   0.5 / 4000);
    for (int n = 0; n < 4000; n++) {
        stepping_take(&run);
        stepping_go_on(&run);
    }
    memcpy(exact, run.q + 3, 3 * sizeof *exact);
    memcpy(exact + 3, run.velocity + 3, 3 * sizeof *exact);
    stepping_end(&run);
    assert_near(log2(error_of(&p, "verlet", options, 200, exact) / error_of(&p, "verlet", options, 400, exact)), 2,
                0.06);
    assert_near(log2(error_of(&p, "rk4", options, 100, exact) / error_of(&p, "rk4", options, 200, exact)), 4, 0.1);
}

static void test_momentum(void **state)
{
    (void)state;
    sample s = explicit_graph(8);
    s.pinned[3] = s.pinned[11] = false;
    for (const char *const *name = explicit_names(); *name; name++)
        for (int c = 0; c < 3; c++) {
            stepping run;
            explicit_start(&run, &s,
                           explicit_solver(*name, c == 0   ? ""
                                                  : c == 1 ? "filter=exponential"
                                                           : "damping=rayleigh,damping.mass=0,damping.stiffness=1e-3"),
                           0.004);
            tide_random random = tide_random_seed(2);
            sample_disturb(run.q, s.particle_count, 0.1, &random);
            sample_disturb(run.velocity, s.particle_count, 0.3, &random);
            double change[6] = { 0 };
            for (int end = 0; end < 2; end++) {
                for (uint32_t p = 0; p < s.particle_count; p++)
                    for (uint32_t k = 0; k < 3; k++) {
                        const double *x = run.q + 3 * p, *v = run.velocity + 3 * p;
                        uint32_t a = (k + 1) % 3, b = (k + 2) % 3;
                        change[k] += (end ? 1 : -1) * s.masses[p] * v[k];
                        change[3 + k] += (end ? 1 : -1) * s.masses[p] * (x[a] * v[b] - x[b] * v[a]);
                    }
                for (int n = 0; !end && n < 50; n++) {
                    stepping_take(&run);
                    stepping_go_on(&run);
                }
            }
            for (int k = 0; k < 3; k++)
                assert_near(change[k], 0, 1e-12);
            // Forward-backward Euler and Verlet keep angular momentum too.
            if (c == 0 && (strcmp(*name, "symplectic_euler") == 0 || strcmp(*name, "verlet") == 0))
                for (int k = 3; k < 6; k++)
                    assert_near(change[k], 0, 1e-12);
            stepping_end(&run);
        }
}

// Pins are exactly where they are to be, and on their way at every stage: a dragged particle without a spring's rest
// length is linear, and rk4 then exact to its order.
static void test_moving_pins(void **state)
{
    (void)state;
    sample s = { .name = "pulled" };
    sample_particle(&s, 1, 0, 0, 0);
    sample_particle(&s, 2, 0, -1, 0);
    s.springs[s.spring_count++] = (sample_spring) { 0, 1, 300, 0 };
    s.pinned[0] = true;
    for (const char *const *name = explicit_names(); *name; name++) {
        stepping run;
        explicit_start(&run, &s, explicit_solver(*name, "substep=0.0001"), 0.1);
        run.q[0] = 1000.0 / 3;
        run.pinned[0] = 0.001 / 3; // q + (target - q) is not the target
        run.pinned[1] = 0.5;
        run.velocity[1] = 77; // of a pin: not used
        stepping_take(&run);
        assert_true(run.x[1] == 0.5 && run.x[0] == 0.001 / 3);
        assert_near(run.v[1], 5, 1e-14);
        // y'' = -w^2 (y - 5 t) with y(0) = -1, y'(0) = 0.
        double w = sqrt(150), t = 0.1, exact = 5 * t - cos(w * t) - 5 / w * sin(w * t);
        const tide_solver_kind *kind = tide_solver_kind_find(*name, NULL);
        assert_near(run.x[4], exact, kind->order == 1 ? 2e-3 : kind->order == 2 ? 1e-6 : 1e-11);
        stepping_end(&run);
    }
}

// Undamped, near the limit of stability: half of h_max.
static void test_energy_drift(void **state)
{
    (void)state;
    const char *names[] = { "symplectic_euler", "verlet" };
    sample s = sample_pair();
    sample_particle(&s, 0.25, 0.2, 0.5, 0.3);
    sample_join(&s, 0, 2, 40);
    sample_join(&s, 1, 2, 60);
    for (int c = 0; c < 2; c++) {
        stepping run;
        explicit_start(&run, &s, explicit_solver(names[c], "substep=1"), 0.03);
        run.q[6] += 0.03;
        run.velocity[1] = 0.2;
        double first = 0, early = 0, late = 0;
        for (int n = 0; n < 100000; n++) {
            stepping_take(&run);
            stepping_go_on(&run);
            double energy = tide_system_energy(run.system, run.q);
            for (uint32_t i = 0; i < 3 * s.particle_count; i++)
                energy += 0.5 * s.masses[i / 3] * run.velocity[i] * run.velocity[i];
            if (n == 0)
                first = energy;
            if (n < 10000)
                early = fmax(early, fabs(energy - first));
            if (n >= 90000)
                late = fmax(late, fabs(energy - first));
        }
        assert_true(early > 0 && early < 0.7 * first);
        assert_true(late < 1.1 * early);
        stepping_end(&run);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_orders),       cmocka_unit_test(test_order_with_stiffness_damping),
    cmocka_unit_test(test_momentum),     cmocka_unit_test(test_moving_pins),
    cmocka_unit_test(test_energy_drift),
};
TIDE_TEST_SUITE(solver_explicit_motion, tests)

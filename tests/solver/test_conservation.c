// Conservation laws of every method: momentum, angular momentum, energy.
//
// Not here: the energy of symplectic_euler and verlet over 100,000 steps is in test_explicit_motion.c.
#include "every_method.h"
#include "motion.h"

typedef struct moments {
    double momentum[3], angular[3];
} moments;

static moments measure(const sample *s, const double *x, const double *v)
{
    moments sum = { 0 };
    for (uint32_t p = 0; p < s->particle_count; p++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t a = (k + 1) % 3, b = (k + 2) % 3;
            sum.momentum[k] += s->masses[p] * v[3 * p + k];
            sum.angular[k] += s->masses[p] * (x[3 * p + a] * v[3 * p + b] - x[3 * p + b] * v[3 * p + a]);
        }
    return sum;
}

// A free system: without pins and anchors, with springs of any kind.
static sample free_sample(int index)
{
    sample s = index == 0 ? every_scene() : sample_graph(1);
    s.anchor_count = 0;
    memset(s.pinned, 0, sizeof s.pinned);
    return s;
}

// By how much `steps` steps change the momentum beyond the impulse of the forces, which are constant, and, without
// forces, the angular momentum.
static moments change_of(const char *name, const char *options, const sample *s, double h, uint32_t steps, bool forces)
{
    stepping run;
    tide_random random = tide_random_seed(5);
    stepping_start(&run, s, stepping_solver(name, options), h);
    sample_disturb(run.q, s->particle_count, 0.03, &random);
    sample_disturb(run.velocity, s->particle_count, 1, &random);
    sample_disturb(run.force, s->particle_count, 0.3, &random);
    if (!forces)
        memset(run.force, 0, sizeof run.force);
    moments before = measure(s, run.q, run.velocity);
    for (uint32_t n = 0; n < steps; n++) {
        stepping_take(&run);
        stepping_go_on(&run);
    }
    moments change = measure(s, run.q, run.velocity);
    for (uint32_t k = 0; k < 3; k++) {
        change.momentum[k] -= before.momentum[k];
        change.angular[k] -= before.angular[k];
        for (uint32_t p = 0; p < s->particle_count; p++)
            change.momentum[k] -= steps * h * run.force[3 * p + k];
    }
    stepping_end(&run);
    return change;
}

static double largest(const double numbers[3])
{
    return fmax(fabs(numbers[0]), fmax(fabs(numbers[1]), fabs(numbers[2])));
}

// --- momentum -------------------------------------------------------------------------------------------------------

// Damping that is no drag, which takes momentum away.
static void without_drag(char options[EVERY_TEXT])
{
    char *drag = strstr(options, "damping.mass=0.5");
    if (drag)
        drag[strlen("damping.mass=0.")] = '0';
}

enum { EXACTLY, AS_SOLVED, NOT };

// Exactly, whatever the iterations, unless this tells otherwise. AS_SOLVED: to the accuracy of an iteration whose
// single steps do not conserve it.
static int keeps_momentum(const char *name, const char *options)
{
    if (strstr(options, "filter.symmetric=false")) // a plain mean of velocities takes from no one what it gives
        return NOT;
    if (strstr(options, "linear=pcg")) // conjugate gradients leave a residual, whose sum is not 0
        return AS_SOLVED;
    if (strcmp(name, "semi_implicit") == 0 && !strstr(options, "linear=cholesky"))
        return AS_SOLVED;
    return EXACTLY;
}

static void append_tight(const tide_solver_kind *kind, char options[EVERY_TEXT])
{
    static const char *const numbers[][2] = { { "tolerance", "1e-13" },
                                              { "iterations", "1000" },
                                              { "cg_tolerance", "1e-13" } };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (every_has(kind, numbers[i][0]))
            every_append(options, numbers[i][0], numbers[i][1]);
}

static void check_momentum(const tide_solver_kind *kind, const char *of_set)
{
    char options[EVERY_TEXT];
    snprintf(options, sizeof options, "%s", of_set);
    without_drag(options);
    int keeps = keeps_momentum(kind->name, options);
    if (keeps == AS_SOLVED)
        append_tight(kind, options);
    for (int index = 0; index < 2; index++) {
        sample s = free_sample(index);
        moments change = change_of(kind->name, options, &s, 0.01, 10, true);
        double off = largest(change.momentum);
        if (keeps == NOT ? !(off > 0.01) : !(off < 1e-10))
            fail_msg("%s, %s: momentum changes by %g", kind->name, options, off);
    }
}

static void test_momentum_changes_by_the_impulse_of_forces(void **state)
{
    (void)state;
    const tide_solver_kind *kind;
    for (uint32_t i = 0; (kind = tide_solver_kind_at(i)); i++) {
        every_sets sets = every_sets_of(kind);
        for (uint32_t o = 0; o < sets.count; o++)
            check_momentum(kind, sets.text[o]);
    }
}

// --- angular momentum -----------------------------------------------------------------------------------------------

static const char *const keep_angular[] = { "symplectic_euler", "verlet", "implicit_midpoint", "linearized_explicit" };

static double angular_change(const tide_solver_kind *kind, const sample *s, uint32_t steps)
{
    char options[EVERY_TEXT] = "";
    if (kind->order > 0)
        append_tight(kind, options);
    if (every_has(kind, "substep"))
        every_append(options, "substep", "1");
    if (every_has(kind, "relinearize"))
        every_append(options, "relinearize", "1e-9");
    return largest(change_of(kind->name, options, s, 0.2 / steps, steps, false).angular);
}

// Those of the list keep it exactly, linearized_explicit when it linearises in every substep; the others to their
// order; those that have none, the better the shorter the timestep.
static void check_angular(const tide_solver_kind *kind, const sample *s)
{
    bool keeps = false;
    for (size_t i = 0; i < sizeof keep_angular / sizeof keep_angular[0]; i++)
        keeps = keeps || strcmp(kind->name, keep_angular[i]) == 0;
    double last = angular_change(kind, s, 20), next = NAN;
    if (keeps) {
        if (!(last < 1e-11))
            fail_msg("%s: angular momentum changes by %g", kind->name, last);
        return;
    }
    double least = kind->order > 0 ? kind->order - 0.25 : 0.3;
    for (uint32_t steps = 40; steps <= 5120; steps *= 2, last = next) {
        next = angular_change(kind, s, steps);
        if (log2(last / next) > least)
            return;
    }
    fail_msg("%s: angular momentum changes by %g at the shortest timestep, and by %g at twice that", kind->name, next,
             last);
}

static void test_angular_momentum(void **state)
{
    (void)state;
    for (int index = 0; index < 2; index++) {
        sample s = free_sample(index);
        const tide_solver_kind *kind;
        for (uint32_t i = 0; (kind = tide_solver_kind_at(i)); i++)
            check_angular(kind, &s);
    }
}

// --- energy ---------------------------------------------------------------------------------------------------------

static double energy_of(const stepping *run, const sample *s)
{
    double energy = tide_system_energy(run->system, run->q);
    for (uint32_t i = 0; i < 3 * s->particle_count; i++)
        if (!s->pinned[i / 3])
            energy += 0.5 * s->masses[i / 3] * run->velocity[i] * run->velocity[i] - run->force[i] * run->q[i];
    return energy;
}

// A swinging and stretching pendulum: the energy varies as much in the first tenth of the motion as in the last.
static void test_energy_of_implicit_midpoint_does_not_drift(void **state)
{
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    enum { STEPS = 10000 };
#else
    enum { STEPS = 100000 };
#endif
    sample s = motion_pendulum();
    stepping run;
    stepping_start(&run, &s, stepping_solver("implicit_midpoint", "tolerance=1e-13"), 0.02);
    double first = energy_of(&run, &s), lowest[10], highest[10];
    for (int n = 0; n < STEPS; n++) {
        stepping_take(&run);
        stepping_go_on(&run);
        int tenth = n / (STEPS / 10);
        double energy = energy_of(&run, &s) - first;
        lowest[tenth] = n % (STEPS / 10) ? fmin(lowest[tenth], energy) : energy;
        highest[tenth] = n % (STEPS / 10) ? fmax(highest[tenth], energy) : energy;
    }
    double swing = highest[0] - lowest[0];
    assert_true(swing > 0 && swing < 0.2 * fabs(first));
    assert_near(lowest[9], lowest[0], 0.05 * swing);
    assert_near(highest[9], highest[0], 0.05 * swing);
    stepping_end(&run);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_momentum_changes_by_the_impulse_of_forces),
    cmocka_unit_test(test_angular_momentum),
    cmocka_unit_test(test_energy_of_implicit_midpoint_does_not_drift),
};
TIDE_TEST_SUITE(solver_conservation, tests)

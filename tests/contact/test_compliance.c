// The compliance of touched particles against solves with the whole matrix, and that what is kept changes no bit.
#include "../linear/failing.h"
#include "../model/samples.h"
#include "contact/compliance.h"
#include "solver/global_step.h"

#include <math.h>
#include <string.h>

typedef struct bench {
    sample sample;
    tide_system *system;
    tide_objective objective;
    tide_global_step global;
    tide_global_compliance compliance;
} bench;

static void begin_with(bench *b, const sample *s, double h, int way)
{
    tide_error error;
    const tide_solve_options options = { .method = way, .memory_limit = 4096 };
    *b = (bench) { .sample = *s };
    b->system = sample_system(&b->sample);
    assert_ok(tide_objective_prepare(&b->objective, b->system, h, NULL, &error), error);
    assert_ok(tide_global_step_prepare(&b->global, &b->objective, &options, "solver", NULL, &error), error);
    b->compliance = tide_global_step_compliance(&b->global, b->system);
}

static void begin(bench *b, double h, int way)
{
    sample s = sample_cloth();
    begin_with(b, &s, h, way);
}

static void end(bench *b)
{
    tide_global_step_free(&b->global);
    tide_objective_free(&b->objective);
    tide_system_destroy(b->system);
}

static uint64_t set_of(const uint32_t *particles, int count)
{
    uint64_t set = 0;
    for (int i = 0; i < count; i++)
        set |= (uint64_t)1 << particles[i];
    return set;
}

enum { PARTICLES = 36, NUMBERS = 3 * PARTICLES };

static void apply_forces(bench *b, tide_compliance *k, uint64_t set, double force[NUMBERS], double x[NUMBERS])
{
    double also[NUMBERS] = { 0 };
    memset(force, 0, NUMBERS * sizeof *force);
    memset(x, 0, NUMBERS * sizeof *x);
    for (size_t p = 0; p < PARTICLES; p++)
        for (size_t a = 0; a < 3 && set >> p & 1; a++)
            force[3 * p + a] = sin((double)(7 * p + a + 1));
    assert_true(b->sample.particle_count <= PARTICLES);
    assert_true(tide_compliance_take(k, &b->compliance.base, &set, false));
    tide_compliance_move(k, force, x, also);
    assert_memory_equal(x, also, sizeof also);
}

// A product with W moves what is touched as a solve does, and a second one from there, not from where it was.
static void test_it_moves_as_a_solve_does(void **state)
{
    (void)state;
    bench b;
    begin(&b, 0.05, TIDE_CHOLESKY_FAST);
    tide_compliance *k = tide_compliance_create(b.sample.particle_count);
    assert_non_null(k);
    double force[NUMBERS], x[NUMBERS], also[NUMBERS] = { 0 }, exact[NUMBERS] = { 0 };
    uint64_t set = set_of((const uint32_t[]) { 1, 2, 4, 5, 8 }, 5);
    apply_forces(&b, k, set, force, x);
    assert_true(b.compliance.base.solve(&b.compliance.base, force, exact));
    double farthest = 0; // forces cancel at some
    for (size_t i = 0; i < 3 * b.sample.particle_count; i++)
        farthest = fmax(farthest, fabs(exact[i]));
    for (size_t i = 0; i < 3 * b.sample.particle_count; i++)
        assert_near(x[i], set >> i / 3 & 1 ? exact[i] : 0, 5e-7 * farthest);
    double twice[NUMBERS];
    memcpy(twice, x, sizeof x);
    for (size_t i = 0; i < NUMBERS; i++)
        force[i] *= 2;
    double most = tide_compliance_move(k, force, twice, also);
    for (size_t i = 0; i < NUMBERS; i++) {
        assert_near(twice[i], 2 * x[i], 1e-15);
        assert_near(also[i], x[i], 1e-15);
        assert_true(fabs(also[i]) <= most);
    }
    tide_compliance_take_back(k, twice, also);
    for (size_t i = 0; i < NUMBERS; i++)
        assert_near(twice[i], 0, 1e-15);
    tide_free(k);
    end(&b);
}

// Sums of rows are what forces of those weights along one axis would move.
static void test_sums_of_rows(void **state)
{
    (void)state;
    bench b;
    begin(&b, 0.05, TIDE_CHOLESKY_FAST);
    tide_compliance *k = tide_compliance_create(b.sample.particle_count);
    double weights[NUMBERS] = { 0 }, sums[NUMBERS] = { 0 }, exact[NUMBERS] = { 0 };
    uint64_t set = set_of((const uint32_t[]) { 3, 4, 7 }, 3);
    for (size_t p = 0; p < PARTICLES; p++)
        weights[3 * p] = set >> p & 1 ? 1 + (double)p : 0;
    assert_true(tide_compliance_take(k, &b.compliance.base, &set, false));
    tide_compliance_sum(k, weights, sums);
    assert_true(b.compliance.base.solve(&b.compliance.base, weights, exact));
    for (size_t p = 0; p < PARTICLES; p++)
        if (set >> p & 1)
            assert_near(sums[3 * p], exact[3 * p], 1e-6 * exact[3 * p]);
    tide_free(k);
    end(&b);
}

// Particles that came one after another, in any order, and some that left: the same bits as all at once.
static void test_what_was_kept_changes_no_bit(void **state)
{
    (void)state;
    bench b;
    begin(&b, 0.05, TIDE_CHOLESKY_FAST);
    const uint32_t order[] = { 7, 2, 8, 1, 5, 3, 6 };
    double force[NUMBERS], fresh[NUMBERS], x[NUMBERS];
    uint64_t set = set_of((const uint32_t[]) { 1, 3, 5, 6, 8 }, 5);
    tide_compliance *k = tide_compliance_create(b.sample.particle_count);
    apply_forces(&b, k, set, force, fresh);
    tide_free(k);
    k = tide_compliance_create(b.sample.particle_count);
    for (int n = 1; n <= 7; n++)
        apply_forces(&b, k, set_of(order, n), force, x);
    assert_int_equal(k->column_count, 7);
    apply_forces(&b, k, set, force, x);
    assert_int_equal(k->column_count, 7);
    assert_memory_equal(x, fresh, sizeof x);
    k->limit = 7; // no room for one more: those that do not touch make it
    apply_forces(&b, k, set | 1, force, x);
    assert_int_equal(k->column_count, 6);
    apply_forces(&b, k, set, force, x);
    assert_memory_equal(x, fresh, sizeof x);
    k->limit = 4;
    assert_false(tide_compliance_take(k, &b.compliance.base, &set, false));
    assert_int_equal(k->count, 0);
    tide_free(k);
    end(&b);
}

// Nothing that was prepared before is kept, even if the matrix is the same.
static void test_another_matrix(void **state)
{
    (void)state;
    tide_error error;
    bench b;
    begin(&b, 0.05, TIDE_CHOLESKY_FAST);
    tide_compliance *k = tide_compliance_create(b.sample.particle_count);
    double force[NUMBERS], x[NUMBERS], other[NUMBERS], back[NUMBERS];
    const tide_solve_options options = { .method = TIDE_CHOLESKY_FAST, .memory_limit = 4096 };
    uint64_t set = set_of((const uint32_t[]) { 2, 4, 6, 7 }, 4), serial = b.compliance.base.serial;
    apply_forces(&b, k, set, force, x);
    assert_true(serial != 0);
    for (int n = 0; n < 2; n++) {
        assert_ok(tide_objective_prepare(&b.objective, b.system, n == 0 ? 0.02 : 0.05, NULL, &error), error);
        assert_ok(tide_global_step_prepare(&b.global, &b.objective, &options, "solver", NULL, &error), error);
        b.compliance = tide_global_step_compliance(&b.global, b.system);
        assert_true(b.compliance.base.serial > serial);
        serial = b.compliance.base.serial;
        apply_forces(&b, k, set, force, n == 0 ? other : back);
    }
    assert_memory_not_equal(other, x, sizeof x);
    assert_memory_equal(back, x, sizeof x);
    tide_free(k);
    end(&b);
    const int exact[] = { TIDE_CHOLESKY_REFERENCE, TIDE_CHOLESKY_DOUBLE, TIDE_CHOLESKY_ITERATIVE };
    for (int i = 0; i < 3; i++) {
        begin(&b, 0.05, exact[i]);
        assert_int_equal(b.compliance.base.serial, 0);
        end(&b);
    }
}

// A cloth, a chain, and a particle without springs: W has no entries between them, and the area counts those it has.
static void test_parts(void **state)
{
    (void)state;
    enum { LONE = PARTICLES, CHAIN, ALL = CHAIN + 8 };
    sample s = sample_cloth();
    sample_particle(&s, 0.4, 0, 1, 0);
    for (uint32_t i = CHAIN; i < ALL; i++) {
        sample_particle(&s, 0.1 + 0.01 * i, 0.1 * i, 2, 0);
        if (i > CHAIN)
            sample_join(&s, i - 1, i, 100);
    }
    bench b;
    begin_with(&b, &s, 0.05, TIDE_CHOLESKY_FAST);
    tide_compliance *k = tide_compliance_create(b.sample.particle_count);
    double force[3 * ALL] = { 0 }, x[3 * ALL] = { 0 }, exact[3 * ALL] = { 0 };
    const uint32_t few[] = { 0, 3, 7, 8, LONE, CHAIN + 1, CHAIN + 6 }; // of which the first is pinned
    const uint64_t set = set_of(few, 7), more = set | set_of((const uint32_t[]) { 20, CHAIN + 3 }, 2);
    assert_true(tide_compliance_take(k, &b.compliance.base, &more, false));
    for (int another = 0; another < 2; another++) {
        const uint64_t wanted = another ? set | set_of((const uint32_t[]) { 21 }, 1) : set;
        k->limit = another ? 9 : k->limit; // nine are kept: those that are not asked for go
        for (size_t n = 0; n < 3 * ALL; n++)
            force[n] = wanted >> n / 3 & 1 ? sin((double)(n + 1)) : 0;
        assert_true(tide_compliance_take(k, &b.compliance.base, &wanted, false));
        assert_int_equal(k->column_count, another ? 8 : 9);
        memset(x, 0, sizeof x);
        tide_compliance_move(k, force, x, NULL);
        assert_true(b.compliance.base.solve(&b.compliance.base, force, exact));
        for (size_t n = 0; n < 3 * ALL; n++)
            assert_near(x[n], wanted >> n / 3 & 1 ? exact[n] : 0, 1e-6);
    }
    assert_int_equal(k->block_count, 3);
    k->area = 3 * 3 + 1 + 2 * 2; // without the one that is pinned
    assert_true(tide_compliance_take(k, &b.compliance.base, &set, false));
    assert_false(tide_compliance_take(k, &b.compliance.base, &more, false));
    k->area--;
    assert_false(tide_compliance_take(k, &b.compliance.base, &set, false));
    tide_free(k);
    end(&b);
}

static tide_status make(void *context, tide_error *error)
{
    bench *b = context;
    tide_compliance *k = tide_compliance_create(b->sample.particle_count);
    const uint64_t first = 0x6, then = 0x1f6;
    if (!k)
        return tide_fail_memory(error, "compliance");
    bool taken = tide_compliance_take(k, &b->compliance.base, &first, false) &&
                 tide_compliance_take(k, &b->compliance.base, &then, false);
    if (taken) {
        uint64_t allocations = tide_memory_count().allocations;
        assert_true(tide_compliance_take(k, &b->compliance.base, &first, false));
        assert_true(tide_compliance_take(k, &b->compliance.base, &then, false));
        assert_int_equal(tide_memory_count().allocations, allocations);
    } else
        assert_int_equal(k->count, 0);
    tide_free(k);
    return taken ? TIDE_OK : tide_fail_memory(error, "compliance");
}

static void test_memory(void **state)
{
    (void)state;
    bench b;
    begin(&b, 0.05, TIDE_CHOLESKY_FAST);
    tide_error error;
    assert_ok(make(&b, &error), error); // what the matrix has of it is tested with the matrix
    assert_true(fail_each_allocation(make, &b) >= 7);
    end(&b);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_it_moves_as_a_solve_does),
    cmocka_unit_test(test_sums_of_rows),
    cmocka_unit_test(test_what_was_kept_changes_no_bit),
    cmocka_unit_test(test_another_matrix),
    cmocka_unit_test(test_parts),
    cmocka_unit_test(test_memory),
};
TIDE_TEST_SUITE(contact_compliance, tests)

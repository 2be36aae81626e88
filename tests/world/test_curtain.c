// The curtain of scenes/curtain.lua against numbers kept from when it was verified: no change of the engine may alter
// its motion unseen. Hashes hold for one build on one machine; energies to six digits hold for any.
#include "world/fixture.h"

#include <math.h>

typedef struct record {
    int frame;
    double kinetic, elastic, gravity; // J
    double lowest;                    // m, y of the lowest vertex
} record;

static const record records[] = {
    { 30, 0.19164595823, 0.28767589034, -3.70841454592, -0.621658787348 },
    { 60, 0.0730987158511, 0.312618758424, -4.80051144861, -0.85627841845 },
    { 120, 0.006655879983, 0.424186774328, -5.58379942046, -1.01946238915 },
};

// Energies to a part `each` of themselves, or `all` of the largest; the lowest vertex to a part `place` of its height.
static void check_curtain(const char *solve, double each, double all, double place)
{
    tide_error error;
    tide_world *world = fixture_curtain(81, NULL);
    const tide_system *system;
    fixture_use(world, "local_global", "solve", solve);
    assert_ok(tide_world_system(world, &system, &error), error);
    assert_int_equal(system->particle_count, 6561);
    assert_int_equal(system->groups[0].count, 32158);
    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++) {
        const record *expected = &records[i];
        fixture_step(world, expected->frame - (int)tide_world_frame(world));
        tide_energy energy;
        assert_ok(tide_world_energy(world, &energy, &error), error);
        double lowest = INFINITY, most = all * fabs(expected->gravity);
        for (uint32_t p = 0; p < system->particle_count; p++)
            lowest = fmin(lowest, tide_world_all_positions(world)[3 * (size_t)p + 1]);
        assert_near(energy.kinetic, expected->kinetic, fmax(each * expected->kinetic, most));
        assert_near(energy.elastic, expected->elastic, fmax(each * expected->elastic, most));
        assert_near(energy.gravity, expected->gravity, fmax(each * fabs(expected->gravity), most));
        assert_near(lowest, expected->lowest, place * fabs(expected->lowest));
    }
    tide_world_destroy(world);
}

// Ten iterations a step do not converge, so that of what single precision leaves, 1e-7, a part stays.
static void test_curtain_moves_as_it_did(void **state)
{
    (void)state;
    check_curtain("cholmod", 1e-6, 0, 1e-6);
    check_curtain("double", 1e-6, 0, 1e-6);
    check_curtain("fast", 1e-6, 1e-6, 4e-6);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_curtain_moves_as_it_did),
};
TIDE_TEST_SUITE(world_curtain, tests)

// A soft box on the floor, whose contacts are answered by W (contact/compliance.h): against solves with the whole
// matrix, after what the matrix is of was changed, and after going back.
#include "base/bit_set.h"
#include "contact/collider_near.h"
#include "contact/contacts_state.h"
#include "world/contact_scenes.h"
#include "world/world_state.h"

static tide_error error;

enum { CELLS = 5, SIDE = CELLS + 1 }; // of the box

static tide_world *drop_box(const char *solver, const char *options, int steps, tide_body_id *box)
{
    const double cells[3] = { CELLS, CELLS, CELLS };
    tide_world *world = scene_world(1.0 / 60, 9.81);
    tide_body_def def = scene_body(1, 3000, TIDE_NOT_GIVEN);
    tide_mesh *mesh = scene_box_mesh((double[3]) { 0.2, 0.2, 0.2 }, cells);
    scene_turn_mesh(&mesh, (double[3]) { 1, 0, 0.4 }, 0.1);
    scene_move_mesh(&mesh, (double[3]) { 0, 0.125, 0 });
    *box = scene_add(world, &def, "box", mesh);
    scene_plane(world, "floor", 0, 0.5);
    scene_use(world, solver, options);
    fixture_step(world, steps);
    return world;
}

static uint32_t complying(const tide_world *world)
{
    return world->contacts->compliance.dense ? world->contacts->compliance.dense->count : 0;
}

// From here on, W has no particles.
static void solve_instead(tide_world *world)
{
    assert_ok(tide_world_update_contacts(world, &error), error);
    tide_contacts *contacts = world->contacts;
    contacts->compliance.dense = tide_own(contacts, tide_compliance_create(tide_world_particle_count(world)));
    assert_non_null(world->contacts->compliance.dense);
    world->contacts->compliance.dense->most = 0;
}

// A step from the same state: passes by products are those by solves. Methods that go on to step with A have the
// displacements of particles that nothing touches from their next step instead.
static void test_a_step_is_that_of_solves(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double falling, lying; // m apart; as it falls, rounding decides when a particle joins
    } solvers[] = { { "lbfgs", 2e-5, 1e-9 }, { "local_global", 1e-4, 1e-4 } };
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++)
        for (int steps = 6; steps <= 60; steps += 18) {
            tide_body_id box;
            tide_world *other, *world = drop_box(solvers[s].name, "solve=fast", steps, &box);
            assert_ok(tide_world_fork(world, &other, &error), error);
            solve_instead(other);
            fixture_step(world, 1);
            fixture_step(other, 1);
            assert_true(complying(world) > 0);
            assert_int_equal(complying(other), 0);
            double apart = 0;
            for (uint32_t i = 0; i < 3 * tide_world_particle_count(world); i++)
                apart = fmax(apart, fabs(tide_world_all_positions(world)[i] - tide_world_all_positions(other)[i]));
            if (!(apart < (steps == 6 ? solvers[s].falling : solvers[s].lying)))
                fail_msg("%s, step %d: %g m apart", solvers[s].name, steps + 1, apart);
            tide_world_destroy(other);
            tide_world_destroy(world);
        }
}

static uint32_t words_not_to_search(const tide_world *world)
{
    uint32_t count = 0;
    for (size_t w = 0; w < tide_bit_words(tide_world_particle_count(world)); w++)
        count += world->contacts->near->searched[w] > 0;
    return count;
}

// Where all contacts are compliant, x is not copied and particles far from all colliders are not searched. The result
// equals that of copying x and searching all particles. A rod falls over and comes to rest.
static void test_what_is_not_searched_touches_nothing(void **state)
{
    (void)state;
    const double size[3] = { 0.1, 0.1, 0.8 }, cells[3] = { 3, 3, 24 };
    static const char *const options[] = { "", "iterations=5,tolerance=1e-3", "acceleration=anderson" };
    for (size_t o = 0; o < sizeof options / sizeof options[0]; o++) {
        tide_world *other, *world = scene_world(1.0 / 60, 9.81);
        tide_body_def def = scene_body(1, 3000, TIDE_NOT_GIVEN);
        tide_mesh *mesh = scene_box_mesh(size, cells);
        scene_turn_mesh(&mesh, (double[3]) { 1, 0, 0.1 }, 1.3);
        scene_move_mesh(&mesh, (double[3]) { 0, 0.5, 0 });
        scene_add(world, &def, "rod", mesh);
        scene_plane(world, "floor", 0, 0.5);
        scene_use(world, "local_global", options[o]);
        assert_ok(tide_world_fork(world, &other, &error), error);
        assert_ok(tide_world_update_contacts(other, &error), error);
        assert_true(other->contacts->all_compliant);
        other->contacts->all_compliant = false;
        uint32_t most = 0, touching = 0;
        for (int step = 0; step < 90; step++) {
            fixture_step(world, 1);
            fixture_step(other, 1);
            uint32_t words = words_not_to_search(world), touches = complying(world);
            most = words > most ? words : most;
            touching = touches > touching ? touches : touching;
            assert_int_equal(words_not_to_search(other), 0);
            if (fixture_hash(world) != fixture_hash(other))
                fail_msg("options \"%s\": step %d", options[o], step + 1);
        }
        assert_true(most > 0 && touching > 20);
        tide_world_destroy(other);
        tide_world_destroy(world);
    }
}

enum { PIN, PIN_ANOTHER, SPRING, TIMESTEP, CHANGES };
static const char *const changes[] = { "a pin", "another particle's pin", "a spring", "the timestep" };

static void change(tide_world *world, tide_body_id box, int what)
{
    tide_world_settings settings = *tide_world_get_settings(world);
    settings.timestep = 1.0 / 90;
    if (what == PIN || what == PIN_ANOTHER)
        assert_ok(tide_world_pin(world, box, what == PIN ? 0 : CELLS, TIDE_NOT_GIVEN, &error), error);
    if (what == PIN_ANOTHER) // of the same corner of a box that is the same from all sides
        assert_ok(tide_world_unpin(world, box, 0, &error), error);
    if (what == SPRING)
        assert_ok(tide_world_pin(world, box, SIDE * SIDE - 1, 50, &error), error);
    if (what == TIMESTEP)
        assert_ok(tide_world_set_settings(world, &settings, &error), error);
}

// Columns of A^-1 are not those of another A: a world that has kept some goes on as its fork that has none.
static void test_another_matrix_has_another_compliance(void **state)
{
    (void)state;
    static const char *const solvers[] = { "local_global", "lbfgs" };
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        tide_body_id box;
        tide_world *world = drop_box(solvers[s], "", 30, &box);
        for (int what = 0; what < CHANGES; what++) {
            tide_world *fork;
            assert_true(complying(world) > 0);
            assert_ok(tide_world_fork(world, &fork, &error), error);
            change(world, box, what);
            change(fork, box, what);
            fixture_step(world, 5);
            fixture_step(fork, 5);
            if (fixture_hash(fork) != fixture_hash(world))
                fail_msg("%s: after %s", solvers[s], changes[what]);
            tide_world_destroy(fork);
        }
        tide_world_destroy(world);
    }
}

// Data kept between steps does not change results, nor does the number of threads.
static void test_going_back_goes_the_same_way(void **state)
{
    (void)state;
    tide_body_id box;
    uint64_t ends[2];
    for (int threads = 1; threads <= 4; threads += 3) {
        tide_set_threads(threads);
        tide_snapshot *start;
        tide_world *world = drop_box("local_global", "", 6, &box);
        assert_ok(tide_world_snapshot(world, &start, &error), error);
        fixture_step(world, 30);
        ends[threads > 1] = fixture_hash(world);
        assert_true(complying(world) > 0);
        assert_ok(tide_world_restore(world, start, &error), error);
        fixture_step(world, 30);
        assert_int_equal(fixture_hash(world), ends[threads > 1]);
        tide_snapshot_destroy(start);
        tide_world_destroy(world);
    }
    tide_set_threads(1);
    assert_int_equal(ends[0], ends[1]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_step_is_that_of_solves),
    cmocka_unit_test(test_what_is_not_searched_touches_nothing),
    cmocka_unit_test(test_another_matrix_has_another_compliance),
    cmocka_unit_test(test_going_back_goes_the_same_way),
};
TIDE_TEST_SUITE(world_contact_compliance, tests)

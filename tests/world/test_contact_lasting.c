// Pairs of points, edges and triangles that last from timestep to timestep (contact/pair_contacts.c): a world at rest
// does not search, and one that goes on from a snapshot has the same bits.
#include "contact/contact_history.h"
#include "contact/contacts_state.h"
#include "world/contact_scenes.h"
#include "world/snapshot.h"
#include "world/world_state.h"

enum { SIDE = 6, COUNT = 3 };

static tide_error error;

static tide_world *cloths_of(const char *solver, int side, tide_body_id *top)
{
    tide_world *world = scene_world(1.0 / 120, 9.81);
    scene_continuous(world);
    scene_use(world, solver, "");
    scene_plane(world, "floor", 0, 0.5);
    for (int i = 0; i < COUNT; i++) {
        char name[24];
        snprintf(name, sizeof name, "cloth %d", i);
        tide_body_def def = scene_body(0.005, 120, 3);
        def.thickness = 0.006;
        def.self_collide = true;
        tide_mesh *mesh = scene_cloth_mesh(side, 0.02 * (side - 1));
        scene_move_mesh(&mesh, (double[3]) { 0.004 * i, 0.0063 * (i + 1), 0.002 * i });
        *top = scene_add(world, &def, name, mesh);
    }
    return world;
}

static tide_world *cloths_on_a_floor(const char *solver, tide_body_id *top)
{
    return cloths_of(solver, SIDE, top);
}

static uint64_t hash_of(tide_world *world)
{
    uint64_t hash;
    assert_ok(tide_world_hash(world, &hash, &error), error);
    return hash;
}

static uint64_t searches_of(const tide_world *world)
{
    return tide_world_report(world)->contact_phases.searches;
}

static void test_no_search_at_rest(void **state)
{
    (void)state;
    static const char *const solvers[] = { "vbd", "local_global" };
    for (int s = 0; s < 2; s++) {
        tide_body_id top;
        tide_world *world = cloths_on_a_floor(solvers[s], &top);
        uint64_t searches = 0;
        fixture_step(world, 60);
        for (int step = 0; step < 30; step++) {
            fixture_step(world, 1);
            searches += searches_of(world);
        }
        assert_true(world->contacts->list.pair_count > 50 && world->contacts->search.lasts);
        assert_true(searches <= 2);
        scene_throw(world, top, (double[3]) { 1, 0, 0 });
        fixture_step(world, 1);
        assert_true(searches_of(world) >= 1);
        tide_world_destroy(world);
    }
}

// A vertex that begins a step outside its skin may pass through what is not among the pairs, wherever it ends.
static void test_search_from_outside(void **state)
{
    (void)state;
    tide_body_id top;
    tide_world *world = cloths_on_a_floor("vbd", &top);
    fixture_step(world, 60);
    assert_true(world->contacts->search.lasts);
    tide_world_positions(world, top)[1] += 0.012;
    tide_world_velocities(world, top)[1] -= 0.012 * 120;
    fixture_step(world, 1);
    assert_true(searches_of(world) >= 1);
    tide_world_destroy(world);
}

// Without gravity, all cloths move together at a speed (m/s). Returns the steps of 12 that searched.
static int searching_steps(double speed)
{
    tide_body_id top;
    tide_world *world = cloths_on_a_floor("vbd", &top);
    tide_world_settings settings = *tide_world_get_settings(world);
    settings.gravity[1] = 0;
    assert_ok(tide_world_set_settings(world, &settings, &error), error);
    double *v = world->velocities;
    int searching = 0;
    for (uint32_t p = 0; p < world->particle_count; p++)
        v[3 * p + 1] = speed;
    for (int step = 0; step < 12; step++) {
        fixture_step(world, 1);
        searching += searches_of(world) > 0;
    }
    tide_world_destroy(world);
    return searching;
}

// The boxes of a search move with all points, and serve from its own start alone.
static void test_common_motion(void **state)
{
    (void)state;
    assert_int_equal(searching_steps(0.1), 12);
    assert_true(searching_steps(0.02) < 8);
}

// What a script may do between two steps.
static void disturb(tide_world *world, tide_body_id top, uint32_t step)
{
    uint32_t count = scene_size(world, top);
    double *x = tide_world_positions(world, top), *v = tide_world_velocities(world, top);
    tide_world_settings settings = *tide_world_get_settings(world);
    switch (step % 50) {
    case 5: // slides
        scene_throw(world, top, (double[3]) { 0.05, 0, 0.02 });
        break;
    case 12: // one vertex jumps, within its skin and beyond
        x[3 * (step % count) + 1] += step % 100 == 12 ? 0.0004 : 0.01;
        break;
    case 19:
        for (uint32_t i = 0; i < count; i++)
            x[3 * i + 1] += 0.0002;
        break;
    case 26:
        v[3 * (step % count) + 1] = -2;
        break;
    case 33:
        settings.gravity[0] = step % 100 == 33 ? 0.5 : 0;
        assert_ok(tide_world_set_settings(world, &settings, &error), error);
        break;
    case 40: // a fold, edge over edge
        for (uint32_t i = 0; i < count; i++)
            v[3 * i + 1] = i % SIDE < 2 ? 0.8 : 0;
        break;
    default:
        break;
    }
}

static void restore_itself(tide_world *world)
{
    tide_snapshot *snapshot;
    assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
    assert_ok(tide_world_restore(world, snapshot, &error), error);
    tide_snapshot_destroy(snapshot);
}

// One world goes on; the other restores a snapshot of itself before each step, so that it searches within the recorded
// skins.
static void test_same_bits_from_snapshots(void **state)
{
    (void)state;
    static const char *const solvers[] = { "vbd", "local_global", "pbd" };
    int steps = (int)tide_test_count(150, 60);
    for (int s = 0; s < 3; s++) {
        tide_body_id top, other_top;
        tide_world *world = cloths_on_a_floor(solvers[s], &top), *other = cloths_on_a_floor(solvers[s], &other_top);
        int lasting = 0;
        for (int step = 0; step < steps; step++) {
            restore_itself(other);
            disturb(world, top, (uint32_t)step);
            disturb(other, other_top, (uint32_t)step);
            fixture_step(world, 1);
            fixture_step(other, 1);
            lasting += searches_of(world) == 0;
            if (hash_of(world) != hash_of(other))
                fail_msg("%s: step %d differs", solvers[s], step + 1);
        }
        if (lasting < steps / 10)
            fail_msg("%s: pairs lasted in %d steps of %d", solvers[s], lasting, steps);
        tide_world_destroy(world);
        tide_world_destroy(other);
    }
}

// Throws each vertex of the top cloth at a speed of its own.
static void ripple(tide_world *world, tide_body_id top)
{
    double *v = tide_world_velocities(world, top);
    for (uint32_t i = 0; i < scene_size(world, top); i++)
        v[3 * i + 1] += 0.05 * (i % 11);
}

// Returns the searches of 8 steps after a ripple. Another world, if any, restores a snapshot before each step.
static uint64_t searches_of_ripple(int side, bool another)
{
    tide_body_id top, other_top;
    tide_world *world = cloths_of("vbd", side, &top), *other = another ? cloths_of("vbd", side, &other_top) : NULL;
    uint64_t searches = 0;
    fixture_step(world, 6);
    if (other)
        fixture_step(other, 6);
    ripple(world, top);
    if (other)
        ripple(other, other_top);
    for (int step = 0; step < 8; step++) {
        fixture_step(world, 1);
        searches += searches_of(world);
        if (!other)
            continue;
        restore_itself(other);
        fixture_step(other, 1);
        if (hash_of(world) != hash_of(other))
            fail_msg("%d x %d: step %d differs", side, side, step + 1);
    }
    tide_world_destroy(world);
    if (other)
        tide_world_destroy(other);
    return searches;
}

// An update copies all pairs. In a world of more than 4,096 points it also recentres the skins of points that may soon
// leave theirs, so that fewer updates follow.
static void test_fewer_updates_of_many_points(void **state)
{
    (void)state;
    uint64_t few = searches_of_ripple(36, false), many = searches_of_ripple(38, true);
    if (many > few * 3 / 4)
        fail_msg("%llu searches of few points, %llu of many", (unsigned long long)few, (unsigned long long)many);
}

// The entries of skins in the history.
static size_t skins_in(tide_world *world, tide_contact_history_entry **entries)
{
    tide_contact_history_header header;
    size_t count = 0;
    *entries = (tide_contact_history_entry *)((char *)world->contact_history.bytes + sizeof header);
    memcpy(&header, world->contact_history.bytes, sizeof header);
    for (uint64_t i = 0; i < header.colliders + header.pairs; i++)
        count += (*entries)[i].kind == TIDE_HISTORY_SKIN;
    *entries += header.colliders + header.pairs - count;
    return count;
}

// Skins that no search has made are not used, or are refused.
static void test_bad_skins(void **state)
{
    (void)state;
    tide_body_id top;
    tide_world *world = cloths_on_a_floor("vbd", &top);
    tide_contact_history_entry *entries;
    fixture_step(world, 60);
    size_t count = skins_in(world, &entries);
    assert_int_equal(count, COUNT * SIDE * SIDE);
    tide_snapshot *good;
    assert_ok(tide_world_snapshot(world, &good, &error), error);
    static const struct {
        double skin;
        uint64_t key;
        bool sound; // without it, contacts begin anew
    } bad[] = { { 1e9, 0, true },
                { -1, 0, false },
                { NAN, 0, false },
                { 0.001, 1, true },
                { 0.001, UINT64_MAX, false },
                { 0.001, COUNT * SIDE * SIDE, false } };
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        assert_ok(tide_world_restore(world, good, &error), error);
        assert_int_equal(skins_in(world, &entries), count);
        entries[0].weights[0] = bad[n].skin;
        entries[0].key = bad[n].key;
        world->contact_history_awaits = true;
        assert_ok(tide_world_update_contacts(world, &error), error);
        assert_false(world->contacts->search.lasts);
        assert_true((world->contacts->list.pair_count > 0) == bad[n].sound);
        fixture_step(world, 1);
        assert_true(searches_of(world) >= 1);
    }
    assert_ok(tide_world_restore(world, good, &error), error);
    fixture_step(world, 1);
    assert_true(world->contacts->search.lasts);
    tide_snapshot_destroy(good);
    tide_world_destroy(world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_no_search_at_rest), cmocka_unit_test(test_search_from_outside),
    cmocka_unit_test(test_common_motion),     cmocka_unit_test(test_same_bits_from_snapshots),
    cmocka_unit_test(test_bad_skins),         cmocka_unit_test(test_fewer_updates_of_many_points),
};
TIDE_TEST_SUITE(world_contact_lasting, tests)

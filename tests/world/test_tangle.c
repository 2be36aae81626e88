// A start from a tangle: what begins crossed is told and pulled apart, with bounded energy, the same for any number of
// threads and after going back; and what cannot be is told and given up.
#include "contact/contact_history.h"
#include "contact/contacts_state.h"
#include "contact/tangle_state.h"
#include "world/certificate.h"
#include "world/collider_state.h"
#include "world/contact_scenes.h"
#include "world/world_state.h"

#define PI 3.14159265358979323846

static tide_error error;

static uint64_t crossings(tide_world *world)
{
    tide_certificate found;
    assert_ok(tide_world_certify(world, &found, &error), error);
    assert_true(found.complete);
    return found.count - found.let_pass;
}

static double kinetic(tide_world *world)
{
    tide_energy energy;
    assert_ok(tide_world_energy(world, &energy, &error), error);
    return energy.kinetic;
}

static tide_body_def cloth_def(bool self)
{
    tide_body_def def = scene_body(0.3, 100, 5);
    def.thickness = 0.01;
    def.self_collide = self;
    return def;
}

// Two cloths at an angle; the border of the second is below the first.
static tide_world *two_cloths(const char *solver, bool continuous)
{
    tide_world *world = scene_world(1.0 / 60, 0);
    tide_body_def def = cloth_def(false);
    if (continuous)
        scene_continuous(world);
    scene_use(world, solver, "");
    scene_add(world, &def, "first", scene_cloth_mesh(17, 1));
    tide_mesh *mesh = scene_cloth_mesh(12, 0.5);
    scene_turn_mesh(&mesh, (double[3]) { 1, 0, 0.1 }, 1.1);
    scene_move_mesh(&mesh, (double[3]) { 0.013, 0.17, 0.027 });
    scene_add(world, &def, "second", mesh);
    return world;
}

static tide_mesh *rectangle(int columns, int rows, double width, double height)
{
    tide_mesh_grid_def def = { 0 };
    tide_mesh *mesh;
    tide_fields_default(tide_mesh_grid.fields, &def);
    def.columns = columns, def.rows = rows, def.width = width, def.height = height;
    assert_ok(tide_mesh_grid.build(&def, &mesh, &error), error);
    return mesh;
}

// A strip whose end goes through itself: a straight leg, three quarters of a circle, and a leg across the first.
static tide_world *loop(void)
{
    enum { LENGTH = 61, WIDTH = 7 };
    const double r = 0.15, leg = 0.7, step = 1.72 / (LENGTH - 1);
    tide_world *world = scene_world(1.0 / 60, 0);
    tide_body_def def = cloth_def(true);
    tide_body_id id = scene_add(world, &def, "strip", rectangle(LENGTH, WIDTH, 1.72, 0.2));
    double *x = tide_world_positions(world, id);
    for (int i = 0; i < LENGTH * WIDTH; i++) {
        double s = step * (i % LENGTH), angle = fmin(fmax((s - leg) / r, 0), 1.5 * PI), beyond = s - leg - r * angle;
        x[3 * i] = s < leg ? s - leg : r * sin(angle);
        x[3 * i + 1] = r - r * cos(angle) - (s < leg ? 0 : beyond);
        x[3 * i + 2] = 0.2 / (WIDTH - 1) * (i / LENGTH) + 0.01 * angle;
    }
    return world;
}

// Steps until nothing has crossed for some steps. Returns the frame of the last crossing.
static int untangle(tide_world *world, int most)
{
    int last = 0;
    double before = kinetic(world), largest = 0;
    for (int frame = 1; frame <= most; frame++) {
        fixture_step(world, 1);
        last = crossings(world) ? frame : last;
        largest = fmax(largest, kinetic(world));
    }
    // No vertex is pulled faster than half of the thickness in a step, 0.3 m/s; nor do contacts part sides faster.
    assert_true(before == 0 && largest < 0.5 * 0.6 * 0.3 * 0.3 * 4);
    assert_true(!world->untangling.active);
    return last;
}

static void test_two_cloths(void **state)
{
    (void)state;
    static const char *const solvers[] = { "local_global", "newton", "vbd", "xpbd", "symplectic_euler" };
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++)
        for (int continuous = 0; continuous < 2; continuous++) {
            tide_world *world = two_cloths(solvers[i], continuous);
            assert_true(crossings(world) > 20);
            int last = untangle(world, 100);
            assert_true(last > 0 && last < 60);
            tide_world_destroy(world);
        }
}

static void test_momentum_stays(void **state)
{
    (void)state;
    tide_world *world = two_cloths("local_global", false);
    fixture_step(world, 8);
    assert_true(world->untangling.active && world->untangling.impulse > 0);
    double sum[3] = { 0 }, size = 0;
    for (uint32_t p = 0; p < world->particle_count; p++)
        for (int k = 0; k < 3; k++) {
            double momentum = world->system->masses[p] * world->velocities[3 * p + (uint32_t)k];
            sum[k] += momentum;
            size += fabs(momentum);
        }
    for (int k = 0; k < 3; k++)
        assert_near(sum[k], 0, 1e-6 * size);
    tide_world_destroy(world);
}

static void test_a_strip_through_itself(void **state)
{
    (void)state;
    tide_world *world = loop();
    assert_true(crossings(world) > 5);
    int last = untangle(world, 160);
    assert_true(last > 0 && last < 130);
    tide_world_destroy(world);
}

// A tube that is partly inside a block.
static void test_a_tube_in_a_collider(void **state)
{
    (void)state;
    enum { AROUND = 33, ALONG = 15 };
    tide_world *world = scene_world(1.0 / 60, 0);
    scene_continuous(world);
    tide_body_def def = cloth_def(true);
    tide_body_id id = scene_add(world, &def, "tube", rectangle(AROUND, ALONG, 1, 0.5));
    double *x = tide_world_positions(world, id);
    for (int i = 0; i < AROUND * ALONG; i++) {
        double angle = 2 * PI * 0.97 * (i % AROUND) / (AROUND - 1);
        x[3 * i] = 0.16 * sin(angle);
        x[3 * i + 1] = 0.5 / (ALONG - 1) * (i / AROUND);
        x[3 * i + 2] = 0.16 * cos(angle);
    }
    scene_box(world, "block", (double[3]) { 0.03, 0.25, 0.05 }, (double[3]) { 0.2, 0.4, 0.2 }, 0, 0.3);
    assert_true(crossings(world) > 20);
    for (int frame = 1; frame <= 60; frame++) {
        fixture_step(world, 1);
        assert_true(frame < 40 || crossings(world) == 0);
    }
    assert_true(kinetic(world) < 0.05);
    tide_world_destroy(world);
}

static void test_threads_and_rewind(void **state)
{
    (void)state;
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        tide_set_threads(1 << i);
        tide_world *world = two_cloths("local_global", true);
        tide_snapshot *snapshot;
        fixture_step(world, 9);
        assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
        assert_true(world->untangling.active);
        fixture_step(world, 30);
        hashes[i] = fixture_hash(world);
        assert_ok(tide_world_restore(world, snapshot, &error), error);
        fixture_step(world, 30);
        assert_int_equal(fixture_hash(world), hashes[i]);
        assert_int_equal(hashes[i], hashes[0]);
        tide_snapshot_destroy(snapshot);
        tide_world_destroy(world);
    }
    tide_set_threads(1);
}

// An edit in the middle of a run is seen, also when it comes back from a snapshot.
static void test_an_edit(void **state)
{
    (void)state;
    tide_world *world = scene_world(1.0 / 60, 0);
    tide_body_def def = cloth_def(false);
    scene_add(world, &def, "first", scene_cloth_mesh(17, 1));
    tide_mesh *mesh = scene_cloth_mesh(12, 0.5);
    scene_move_mesh(&mesh, (double[3]) { 0.013, 0.1, 0.027 });
    tide_body_id id = scene_add(world, &def, "second", mesh);
    fixture_step(world, 3);
    assert_true(!world->untangling.active);
    double *x = tide_world_positions(world, id);
    for (int i = 0; i < 12; i++) // one border
        x[3 * i + 1] -= 0.12;
    assert_true(crossings(world) > 5);
    tide_snapshot *snapshot;
    assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
    fixture_step(world, 1);
    assert_true(world->untangling.active);
    fixture_step(world, 79);
    assert_true(!world->untangling.active && crossings(world) == 0);
    uint64_t hash = fixture_hash(world);
    assert_ok(tide_world_restore(world, snapshot, &error), error);
    fixture_step(world, 80);
    assert_int_equal(fixture_hash(world), hash);
    tide_snapshot_destroy(snapshot);
    tide_world_destroy(world);
}

// Without crossings nothing is kept or searched after the first step.
static void test_nothing_crosses(void **state)
{
    (void)state;
    tide_world *world = scene_world(1.0 / 60, 0);
    tide_body_def def = cloth_def(false);
    scene_add(world, &def, "first", scene_cloth_mesh(9, 1));
    tide_mesh *mesh = scene_cloth_mesh(8, 0.5);
    scene_move_mesh(&mesh, (double[3]) { 0, 0.002, 0 }); // closer than the thickness
    scene_add(world, &def, "second", mesh);
    fixture_step(world, 5);
    tide_contact_history_entry entry;
    assert_true(!world->untangling.active && !world->untangling.edited && world->untangling.steps == 0);
    fixture_hash(world);
    assert_false(tide_contact_history_tangle(world->contact_history.bytes, world->contact_history.size, &entry));
    tide_world_destroy(world);
}

// Pins hold two cloths across each other: after some steps the world goes on as it is.
static void test_what_cannot_be_pulled(void **state)
{
    (void)state;
    tide_world *world = two_cloths("local_global", false);
    for (uint32_t body = 1; body <= 2; body++)
        for (uint32_t i = 0; i < (body == 1 ? 17 * 17 : 12 * 12); i++)
            if (body == 1 || i < 12 || i >= 132)
                assert_ok(tide_world_pin(world, (tide_body_id) { body, 1 }, i, TIDE_NOT_GIVEN, &error), error);
    fixture_step(world, 1);
    assert_true(world->untangling.active);
    for (int frame = 2; frame < 400 && world->untangling.active; frame++)
        fixture_step(world, 1);
    assert_true(!world->untangling.active && crossings(world) > 0);
    fixture_step(world, 20);
    assert_true(!world->untangling.active && kinetic(world) < 1);
    tide_world_destroy(world);
}

typedef struct said {
    const char *part;
    int times, lines;
} said;

static void listen(tide_log_level level, const char *message, void *context)
{
    said *s = context;
    if (level != TIDE_LOG_WARNING)
        return;
    s->lines++;
    s->times += strstr(message, s->part) != NULL;
}

// A cloth in the thickness of a collider crosses nothing: its vertices are told, with the place of the first.
static void test_in_the_thickness(void **state)
{
    (void)state;
    tide_world *world = scene_world(1.0 / 60, 0);
    tide_body_def def = cloth_def(false);
    tide_mesh *mesh = scene_cloth_mesh(4, 0.1);
    scene_move_mesh(&mesh, (double[3]) { 0.5, 0.19, -0.25 });
    scene_add(world, &def, "cloth", mesh);
    tide_collider_id id = scene_box(world, "block", (double[3]) { 0.5, 0, -0.25 }, (double[3]) { 1, 0.36, 1 }, 0, 0.3);
    tide_collider_values values = { .friction = 0.3, .thickness = 0.03 };
    assert_ok(tide_world_set_collider_values(world, id, &values, &error), error);
    said s = { "frame 0: 16 vertices are in colliders or in their thickness, the first at (0.", 0, 0 };
    tide_log_set_sink(listen, &s);
    fixture_step(world, 1);
    tide_log_set_sink(NULL, NULL);
    assert_true(s.times == 1 && s.lines == 1);
    tide_world_destroy(world);
}

// A search that stops at its bound says so once, with the bound; the next that is complete finds the rest.
static void test_a_bound_on_the_work(void **state)
{
    (void)state;
    tide_world *world = two_cloths("local_global", false);
    fixture_step(world, 1);
    tide_tangle *tangle = world->contacts->tangle;
    uint64_t bound = tangle->most_tests;
    tide_tangle_report all, some;
    assert_ok(tide_contacts_find_tangle(world->contacts, world->positions, &all, &error), error);
    assert_true(!all.stopped && all.tests > 0 && all.tests < bound);
    tangle->most_tests = all.tests / 4;
    assert_ok(tide_contacts_find_tangle(world->contacts, world->positions, &some, &error), error);
    assert_true(some.stopped && some.tests >= all.tests / 4 && some.tests < all.tests);
    assert_true(some.crossings < all.crossings);
    said s = { "the search for crossings stopped after ", 0, 0 };
    tide_log_set_sink(listen, &s);
    fixture_step(world, 3);
    tide_log_set_sink(NULL, NULL);
    assert_true(s.times == 1 && s.lines == 1);
    tangle->most_tests = bound;
    fixture_step(world, 60);
    assert_true(crossings(world) == 0 && !world->untangling.active && !world->told_of_stop);
    tide_world_destroy(world);
}

// Random positions cross more often than twice an edge: told once, with the place of a crossing, and left.
static void test_a_shape_that_diverged(void **state)
{
    (void)state;
    tide_world *world = two_cloths("local_global", false);
    fixture_step(world, 1);
    tide_random random = tide_random_seed(7);
    for (uint32_t i = 0; i < 3 * world->particle_count; i++)
        world->positions[i] = tide_random_uniform(&random);
    said s = { "edges go through triangles, the first at (0.", 0, 0 };
    tide_tangle_report found;
    assert_ok(tide_contacts_find_tangle(world->contacts, world->positions, &found, &error), error);
    assert_true(found.diverged && found.crossings > 2 * world->contacts->surface->edge_count);
    for (int k = 0; k < 3; k++)
        assert_true(found.place[k] > 0 && found.place[k] < 1);
    tide_log_set_sink(listen, &s);
    assert_ok(tide_world_untangle(world, &error), error);
    tide_log_set_sink(NULL, NULL);
    assert_true(s.times == 1 && s.lines == 1 && !world->untangling.active);
    tide_world_destroy(world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_two_cloths),
    cmocka_unit_test(test_momentum_stays),
    cmocka_unit_test(test_a_strip_through_itself),
    cmocka_unit_test(test_a_tube_in_a_collider),
    cmocka_unit_test(test_threads_and_rewind),
    cmocka_unit_test(test_an_edit),
    cmocka_unit_test(test_nothing_crosses),
    cmocka_unit_test(test_what_cannot_be_pulled),
    cmocka_unit_test(test_in_the_thickness),
    cmocka_unit_test(test_a_bound_on_the_work),
    cmocka_unit_test(test_a_shape_that_diverged),
};
TIDE_TEST_SUITE(world_tangle, tests)

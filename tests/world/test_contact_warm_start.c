// The warm start of contacts under vbd (contact/warm_start.h): a high stack rests, also on a floor that moves, and the
// factors of its groups are those that minimise the kinetic energy.
#include "contact/contacts_state.h"
#include "world/certificate.h"
#include "world/contact_scenes.h"
#include "world/world_state.h"

#define MASS 3.2e-4 // kg, of a cloth
#define THICKNESS 0.006

static tide_error error;

static tide_world *stack_of(int count, tide_collider_id *floor)
{
    tide_world *world = scene_world(1.0 / 120, 9.81);
    scene_continuous(world);
    scene_use(world, "vbd", "");
    *floor = scene_plane(world, "floor", 0, 0.5);
    tide_body_def def = scene_body(MASS, 120, 3);
    def.thickness = THICKNESS;
    def.friction = 0.3;
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "cloth %d", i + 1);
        tide_mesh *mesh = scene_cloth_mesh(3, 0.04);
        scene_move_mesh(&mesh, (double[3]) { 0, 1.05 * THICKNESS * (i + 1), 0 });
        scene_add(world, &def, name, mesh);
    }
    return world;
}

static double kinetic_energy(const tide_world *world)
{
    double sum = 0;
    for (size_t i = 0; i < 3 * (size_t)world->particle_count; i++)
        sum += MASS / 18 * world->velocities[i] * world->velocities[i];
    return sum;
}

// It fell by 0.3 mm a cloth, and no energy may come from nothing after that.
static void test_rest(void **state)
{
    (void)state;
    enum { COUNT = 30 };
    tide_collider_id floor;
    tide_world *world = stack_of(COUNT, &floor);
    double available = 0.5 * MASS * 9.81 * 0.05 * THICKNESS * COUNT * COUNT, most = 0;
    for (int frame = 0; frame < 120; frame++) {
        fixture_step(world, 1);
        if (frame >= 30)
            most = fmax(most, kinetic_energy(world));
    }
    assert_true(most < 0.05 * available);
    tide_certificate found;
    assert_ok(tide_world_certify(world, &found, &error), error);
    assert_true(found.complete && found.count == 0);
    tide_world_destroy(world);
}

// The slope of F along a factor, from the impulses of contacts one by one.
static double slope_of(const tide_contacts *c, uint32_t group, const double *motion)
{
    double slope = 0;
    for (size_t i = 0; i < c->list.count; i++) {
        const tide_contact_constraint *t = &c->list.items[i];
        for (int v = 0; v < tide_contact_corners(t->kind) && c->warm_start.group_of[i] == group; v++)
            for (size_t k = 0; k < 3; k++)
                slope += tide_contact_unit(c, t) * t->weights[v] * t->kept.accumulated[k] *
                         motion[3 * (size_t)(t->points[v] / 9) + k];
    }
    return slope;
}

// The displacement of each cloth by y and the impulses.
static void find_motions(const tide_contacts *c, const double *y, double *motion)
{
    for (uint32_t p = 0; p < c->particle_count; p++)
        for (size_t k = 0; k < 3; k++)
            motion[3 * (size_t)(p / 9) + k] += (y[3 * (size_t)p + k] - c->step->q[3 * (size_t)p + k]) / 9;
    for (size_t i = 0; i < c->list.count; i++) {
        const tide_contact_constraint *t = &c->list.items[i];
        for (int v = 0; v < tide_contact_corners(t->kind); v++)
            for (size_t k = 0; k < 3; k++)
                motion[3 * (size_t)(t->points[v] / 9) + k] +=
                    tide_contact_unit(c, t) * t->weights[v] * t->kept.accumulated[k] / MASS;
    }
}

// Three times the impulses of rest: the factors take away what would throw the cloths up.
static void test_factors(void **state)
{
    (void)state;
    enum { COUNT = 12, PARTICLES = 9 * COUNT };
    tide_collider_id floor;
    tide_world *world = stack_of(COUNT, &floor);
    fixture_step(world, 40);
    tide_contacts *c = world->contacts;
    double y[3 * PARTICLES], motion[3 * COUNT] = { 0 }, fall = 9.81 / (120.0 * 120);
    tide_step step = { .system = world->system, .h = 1.0 / 120, .q = world->positions, .velocity = world->velocities };
    c->step = &step;
    memcpy(y, world->positions, sizeof y);
    for (size_t n = 1; n < 3 * PARTICLES; n += 3)
        y[n] -= fall;
    for (size_t i = 0; i < c->list.count; i++)
        for (int k = 0; k < 3; k++)
            c->list.items[i].kept.accumulated[k] *= 3;
    tide_warm_start_reduce(c, y);
    find_motions(c, y, motion);
    const tide_warm_start *w = &c->warm_start;
    assert_true(w->body_count == COUNT && w->group_count >= COUNT && fabs(w->carried - 5.0 / COUNT) < 1e-12);
    for (int i = 0; i < COUNT; i++)
        assert_true(fabs(motion[3 * i + 1]) < 0.1 * fall);
    for (uint32_t e = 0; e < w->group_count; e++) {
        double factor = w->groups[e].old, scaled = slope_of(c, e, motion) / fmax(factor, 1e-9) / w->groups[e].row_sum;
        assert_true(factor > 0.1 && factor < 1 && fabs(scaled) < 0.01);
    }
    c->step = NULL;
    tide_world_destroy(world);
}

// Five cloths are no high stack.
static void test_few(void **state)
{
    (void)state;
    tide_collider_id floor;
    tide_world *world = stack_of(5, &floor);
    fixture_step(world, 40);
    assert_true(world->contacts->warm_start.carried == 1 && world->contacts->warm_start.group_count == 0);
    tide_world_destroy(world);
}

// Lifts and turns the floor in 30 steps.
static void lift(tide_world *world, tide_collider_id floor)
{
    for (int frame = 0; frame < 30; frame++) {
        tide_pose pose = tide_world_collider(world, floor)->end;
        pose.position[1] += 0.3 / 120;
        tide_quaternion_from_axis_angle((double[3]) { 0, 1, 0 }, 0.002 * frame, pose.rotation);
        assert_ok(tide_world_move_collider(world, floor, &pose, &error), error);
        fixture_step(world, 1);
    }
}

static void test_moving_floor(void **state)
{
    (void)state;
    tide_collider_id floor;
    tide_world *world = stack_of(12, &floor);
    fixture_step(world, 40);
    tide_snapshot *snapshot;
    assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
    lift(world, floor);
    assert_true(world->contacts->warm_start.carried < 1);
    for (uint32_t p = 0; p < world->particle_count; p++)
        assert_true(fabs(world->velocities[3 * (size_t)p + 1] - 0.3) < 0.03);
    uint64_t hash = fixture_hash(world);
    assert_ok(tide_world_restore(world, snapshot, &error), error);
    lift(world, floor);
    assert_true(fixture_hash(world) == hash);
    tide_snapshot_destroy(snapshot);
    tide_world_destroy(world);
}

static const struct CMUnitTest tests[] = { cmocka_unit_test(test_rest), cmocka_unit_test(test_factors),
                                           cmocka_unit_test(test_few), cmocka_unit_test(test_moving_floor) };
TIDE_TEST_SUITE(world_contact_warm_start, tests)

// Particles as fast as bullets, from all sides against every shape, at rest and moving, and against thin cloth. None
// passes through.
#include "collision/collider_tests.h"
#include "world/contact_scenes.h"

static tide_error error;

#define SPEED 300.0     // m/s
#define STEP (1.0 / 60) // s: 5 m in a step
#define DEEP 0.02       // m: what is shot at lies as deep in the shape
enum { BULLETS = 60, SAMPLES = 1000 };

// --- shots at colliders ---------------------------------------------------------------------------------------------

enum { FIXED, GLIDING, TURNING, TUMBLING, MOTIONS };
static const char *const motions[] = { "fixed", "gliding", "turning", "tumbling" };

typedef struct shot {
    double from[3], way[3]; // m, in a step
    double met[3];          // where it first meets the collider, as that has gone on but not turned
    double place[3];        // the same in the collider's own frame
    double slid[3];         // where it is at the end of the step when it slides in small steps
} shot;

// A pose one step on: 0.3 m and half a radian away, so that its surface moves at 20 to 40 m/s.
static tide_pose moved_pose(const tide_pose *from, int motion, tide_random *random)
{
    tide_pose step = tide_pose_identity(), to = *from;
    double axis[3], way[3];
    random_vector(random, 1, axis);
    random_vector(random, 0.3, way);
    if (motion == TURNING || motion == TUMBLING)
        tide_quaternion_from_axis_angle(axis, 0.5, step.rotation);
    to = tide_pose_compose(from, &step);
    for (int k = 0; k < 3 && (motion == GLIDING || motion == TUMBLING); k++)
        to.position[k] += way[k];
    return to;
}

// A way from outside to a point deep inside, and as far beyond. False when the shape or chance has none.
static bool aim(const tide_collider *collider, tide_random *random, shot *s)
{
    double inside[3], direction[3];
    for (int tries = 0;; tries++) {
        random_vector(random, 0.7, inside);
        double gap = tide_collider_gap(collider, 0, inside, NULL);
        if (gap < -DEEP && gap > -0.3)
            break;
        if (tries == 1000)
            return false;
    }
    random_vector(random, 1, direction);
    double length = tide_vec3_length(tide_vec3_load(direction)), back = random_in(random, 1.5, 3);
    if (!(length > 0.1))
        return false;
    for (int k = 0; k < 3; k++) {
        s->from[k] = inside[k] + back * direction[k] / length;
        s->way[k] = -SPEED * STEP * direction[k] / length;
    }
    return tide_collider_gap(collider, 0, s->from, NULL) > 0.01;
}

// The collider is on its way from start to end. Where the bullet first meets it, by small steps; false when it misses,
// or does not go as deep.
static bool find_meeting(const tide_collider *collider, shot *s)
{
    bool met = false;
    for (int i = 0; i <= SAMPLES; i++) {
        double fraction = (double)i / SAMPLES, p[3];
        for (int k = 0; k < 3; k++)
            p[k] = s->from[k] + fraction * s->way[k];
        double gap = tide_collider_gap(collider, fraction, p, NULL);
        if (gap < 0 && !met) {
            tide_pose pose = tide_collider_pose(collider, fraction);
            for (int k = 0; k < 3; k++)
                s->met[k] = p[k] + collider->end.position[k] - pose.position[k];
            tide_pose_apply_inverse(&pose, p, s->place);
            met = true;
        }
        if (gap < -DEEP / 2)
            return true;
    }
    return false;
}

// Whether the line between two points goes deep through the collider where it is at the end.
static bool is_blocked(const tide_collider *collider, const double from[3], const double *to)
{
    for (int i = 0; i <= SAMPLES; i++) {
        double p[3];
        for (int k = 0; k < 3; k++)
            p[k] = from[k] + i * (to[k] - from[k]) / SAMPLES;
        if (tide_collider_gap(collider, 1, p, NULL) < -DEEP)
            return true;
    }
    return false;
}

// In small steps, each put right along the normal: what was left of the way is kept along the surface.
static void slide(const tide_collider *collider, shot *s)
{
    double part[3], normal[3];
    for (int k = 0; k < 3; k++) {
        s->slid[k] = s->from[k];
        part[k] = s->way[k] / SAMPLES;
    }
    for (int i = 1; i <= SAMPLES; i++) {
        double fraction = (double)i / SAMPLES, before = (i - 1.0) / SAMPLES, motion[3], into = 0;
        for (int k = 0; k < 3; k++)
            s->slid[k] += part[k];
        double gap = tide_collider_gap(collider, fraction, s->slid, normal);
        if (gap >= 0)
            continue;
        tide_collider_motion(collider, before, fraction, s->slid, motion);
        for (int k = 0; k < 3; k++)
            into += normal[k] * (part[k] - motion[k]);
        for (int k = 0; k < 3; k++) {
            s->slid[k] -= gap * normal[k];
            part[k] -= fmin(into, 0) * normal[k];
        }
    }
}

// Whether it can have come to x only through the collider: the line to there from where they met is blocked, both from
// there as the collider has turned and as it has not, and from where sliding without friction takes it.
static bool passed_through(const tide_collider *collider, const shot *s, const double *x)
{
    double met[3];
    tide_pose pose = tide_collider_pose(collider, 1);
    tide_pose_apply(&pose, s->place, met);
    return is_blocked(collider, met, x) && is_blocked(collider, s->met, x) && is_blocked(collider, s->slid, x);
}

static tide_body_id add_bullets(tide_world *world, const shot *shots, uint32_t count)
{
    double x[3 * BULLETS];
    for (uint32_t i = 0; i < count; i++)
        memcpy(x + 3 * i, shots[i].from, sizeof shots[i].from);
    const tide_mesh *mesh = fixture_points(count, x);
    tide_body_def def = tide_body_def_default();
    tide_body_id id;
    def.name = "bullets";
    def.mesh = mesh;
    def.mass = 0.001 * count;
    def.thickness = 0;
    def.collide = TIDE_COLLIDE_COLLIDERS;
    def.friction = 0;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_mesh_release(mesh);
    for (uint32_t i = 0; i < 3 * count; i++)
        tide_world_velocities(world, id)[i] = shots[i / 3].way[i % 3] / STEP;
    return id;
}

static void shoot(const tide_shape_kind *kind, const any_shape *def, int motion, const char *solver, uint64_t seed)
{
    tide_random random = tide_random_seed(seed);
    tide_world *world = scene_world(STEP, 0);
    tide_collider_id id = scene_collider(world, "target", kind, def, 0);
    tide_collider *collider; // a copy on which to ask beforehand
    assert_ok(tide_collider_copy(tide_world_collider(world, id), &collider, &error), error);
    tide_pose end = moved_pose(&collider->start, motion, &random);
    shot shots[BULLETS];
    uint32_t count = 0;
    for (int tries = 0; tries < 20 * BULLETS && count < BULLETS; tries++) {
        tide_collider_end_motion(collider);
        tide_collider_place(collider, &tide_world_collider(world, id)->start, &error);
        if (!aim(collider, &random, &shots[count]))
            continue;
        if (motion != FIXED)
            assert_ok(tide_collider_move(collider, &end, &error), error);
        if (!find_meeting(collider, &shots[count]))
            continue;
        slide(collider, &shots[count++]);
    }
    assert_true(count > BULLETS / 4);
    tide_body_id body = add_bullets(world, shots, count);
    scene_use(world, solver, "");
    for (int n = 0; n < 6; n++) {
        if (n == 0 && motion != FIXED)
            assert_ok(tide_world_move_collider(world, id, &end, &error), error);
        fixture_step(world, 1);
        for (uint32_t i = 0; i < count; i++) {
            const double *x = tide_world_positions(world, body) + 3 * i;
            double gap = tide_collider_gap(tide_world_collider(world, id), 1, x, NULL);
            if (!(gap > -1e-6))
                fail_msg("%s: bullet %u is %g m inside a %s %s after step %d", solver, i, -gap, motions[motion],
                         kind->name, n);
            if (n == 0 && passed_through(tide_world_collider(world, id), &shots[i], x))
                fail_msg("%s: bullet %u passed through a %s %s to %g %g %g", solver, i, motions[motion], kind->name,
                         x[0], x[1], x[2]);
        }
    }
    tide_collider_destroy(collider);
    tide_world_destroy(world);
}

// A sampled distance has creases between its cells, which the sweep of a slide does not see; a height field's fold,
// too.
static bool is_held(const tide_shape_kind *kind)
{
    return kind != &tide_shape_distance && kind != &tide_shape_heightfield;
}

// Returns whether the shape's distance is a convex function. A body's vertices push one another on after they were
// stopped, so only these shapes hold a fast body.
static bool is_convex(const tide_shape_kind *kind, const any_shape *def)
{
    tide_shape shape;
    tide_error error;
    assert_ok(tide_shape_create(kind, def, &shape, &error), error);
    bool convex = shape.distance->kind->convex;
    tide_shape_release(&shape);
    return convex;
}

static void test_no_shape_lets_a_bullet_through(void **state)
{
    (void)state;
    static const char *const solvers[] = { "local_global", "newton", "xpbd", "semi_implicit", "symplectic_euler" };
    shape_parts parts = make_parts();
    const tide_shape_kind *kind;
    for (uint32_t s = 0; (kind = tide_shape_kind_at(s)); s++)
        for (int motion = 0; motion < MOTIONS; motion++)
            for (size_t k = 0; k < sizeof solvers / sizeof solvers[0] && is_held(kind); k++) {
                any_shape def;
                if (tide_test_skips(7))
                    continue;
                define(kind, &parts, &def);
                shoot(kind, &def, motion, solvers[k], 100 * s + 10 * (uint64_t)motion + k);
            }
    drop_parts(&parts);
}

// --- bodies ---------------------------------------------------------------------------------------------------------

// A soft cube of 8 cm, from outside towards the middle of a shape.
static void shoot_cube(const tide_shape_kind *kind, const any_shape *def, const double direction[3], const char *solver)
{
    tide_world *world = scene_world(STEP, 0);
    tide_collider_id id = scene_collider(world, "target", kind, def, 0.3);
    tide_body_def body = scene_body(0.1, 2000, TIDE_NOT_GIVEN);
    tide_mesh *mesh = scene_box_mesh((double[3]) { 0.08, 0.08, 0.08 }, (double[3]) { 2, 2, 2 });
    double at[3], velocity[3], mean[3];
    shot s = { 0 };
    for (int k = 0; k < 3; k++) {
        at[k] = s.from[k] = 2 * direction[k];
        velocity[k] = -SPEED * direction[k];
        s.way[k] = velocity[k] * STEP;
    }
    assert_true(find_meeting(tide_world_collider(world, id), &s));
    scene_turn_mesh(&mesh, (double[3]) { 1, 0.4, 0.2 }, 0.7);
    scene_move_mesh(&mesh, at);
    tide_body_id cube = scene_add(world, &body, "cube", mesh);
    scene_use(world, solver, "");
    scene_throw(world, cube, velocity);
    for (int n = 0; n < 10; n++) {
        fixture_step(world, 1);
        scene_mean(tide_world_positions(world, cube), scene_size(world, cube), mean);
        if (!(scene_least_gap(world) > -1e-6))
            fail_msg("%s: a cube is %g m in a %s after step %d", solver, -scene_least_gap(world), kind->name, n);
        if (n == 0 && is_blocked(tide_world_collider(world, id), s.met, mean))
            fail_msg("%s: a cube went through a %s to %g %g %g", solver, kind->name, mean[0], mean[1], mean[2]);
    }
    tide_world_destroy(world);
}

static void test_no_shape_lets_a_fast_body_through(void **state)
{
    (void)state;
    static const char *const solvers[] = { "local_global", "newton", "xpbd", "semi_implicit", "symplectic_euler" };
    static const double ways[][3] = { { 0, 1, 0 }, { 0.6, 0.8, 0 }, { 0.36, 0.48, -0.8 }, { 0, 0.6, 0.8 } };
    shape_parts parts = make_parts();
    const tide_shape_kind *kind;
    for (uint32_t s = 0; (kind = tide_shape_kind_at(s)); s++)
        for (size_t k = 0; k < sizeof solvers / sizeof solvers[0]; k++)
            for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
                any_shape def;
                define(kind, &parts, &def);
                if (is_convex(kind, &def) && !tide_test_skips(7))
                    shoot_cube(kind, &def, ways[w], solvers[k]);
            }
    drop_parts(&parts);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_no_shape_lets_a_bullet_through),
    cmocka_unit_test(test_no_shape_lets_a_fast_body_through),
};
TIDE_TEST_SUITE(contact_bullets, tests)

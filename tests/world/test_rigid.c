// Rigid bodies against mechanics: free motion, a pendulum, a slope, contact with others, snapshots.
#include "fixture.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/vec3.h"
#include "world/joints.h"
#include "world/snapshot.h"

#include <math.h>
#include <string.h>

static tide_error error;
static const double pi = 3.14159265358979323846;

static const char *const methods[] = { "local_global",      "newton", "lbfgs", "nonlinear_cg", "vbd", "semi_implicit",
                                       "implicit_midpoint", "pbd",    "xpbd" };
enum { METHODS = sizeof methods / sizeof methods[0] };

static tide_mesh *make_box(const double size[3])
{
    tide_mesh_box_def def;
    tide_mesh *mesh;
    tide_fields_default(tide_mesh_box.fields, &def);
    memcpy(def.size, size, sizeof def.size);
    for (int k = 0; k < 3; k++)
        def.cells[k] = 1;
    assert_ok(tide_mesh_box.build(&def, &mesh, &error), error);
    return mesh;
}

static tide_body_def rigid_def(const char *name, const tide_mesh *mesh)
{
    tide_body_def def = tide_body_def_default();
    def.name = name;
    def.mesh = mesh;
    def.density = 1000;
    def.rigid = true;
    return def;
}

// Adds a box of 1000 kg/m^3, turned about z and then moved.
static tide_body_id add_box(tide_world *world, const char *name, const double size[3], double angle,
                            const double place[3], double friction)
{
    tide_mesh *box = make_box(size), *turned, *moved;
    tide_body_id id;
    assert_ok(tide_mesh_rotate(box, (double[]) { 0, 0, 1 }, angle, &turned, &error), error);
    assert_ok(tide_mesh_translate(turned, place, &moved, &error), error);
    tide_body_def def = rigid_def(name, moved);
    def.friction = friction;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_mesh_release(box);
    tide_mesh_release(turned);
    tide_mesh_release(moved);
    return id;
}

static tide_world *make_world(double timestep, double gravity, const char *method)
{
    tide_world_settings settings = tide_world_settings_default();
    settings.timestep = timestep;
    settings.gravity[1] = gravity;
    tide_world *world = fixture_world(&settings, NULL);
    fixture_use(world, method, NULL, NULL);
    return world;
}

static void add_plane(tide_world *world, double angle, double friction)
{
    tide_collider_def def = tide_collider_def_default();
    tide_shape_plane_def plane;
    tide_collider_id id;
    tide_shape_default(&tide_shape_plane, &plane);
    memcpy(plane.normal, (double[]) { sin(angle), cos(angle), 0 }, sizeof plane.normal);
    def.name = "plane";
    def.shape = &tide_shape_plane;
    def.definition = &plane;
    def.friction = friction;
    assert_ok(tide_world_add_collider(world, &def, &id, &error), error);
}

static tide_body_motion motion_of(tide_world *world, tide_body_id id)
{
    tide_body_motion motion;
    assert_ok(tide_world_motion(world, id, &motion, &error), error);
    return motion;
}

// --- free motion ----------------------------------------------------------------------------------------------------

typedef struct momenta {
    tide_vec3 linear, angular; // about the origin
} momenta;

static momenta momenta_of(tide_world *world)
{
    const tide_system *system;
    momenta sum = { 0 };
    assert_ok(tide_world_system(world, &system, &error), error);
    for (uint32_t p = 0; p < system->particle_count; p++) {
        tide_vec3 x = tide_vec3_load(tide_world_all_positions(world) + 3 * (size_t)p);
        tide_vec3 v = tide_vec3_load(tide_world_all_velocities(world) + 3 * (size_t)p);
        sum.linear = tide_vec3_add(sum.linear, tide_vec3_scale(v, system->masses[p]));
        sum.angular = tide_vec3_add(sum.angular, tide_vec3_scale(tide_vec3_cross(x, v), system->masses[p]));
    }
    return sum;
}

static double apart(tide_vec3 a, tide_vec3 b)
{
    return tide_vec3_length(tide_vec3_subtract(a, b));
}

// A box spins about its intermediate axis, under every method: both momenta and the energy stay.
static void test_momenta_and_energy(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        tide_world *world = make_world(1.0 / 60, 0, methods[m]);
        tide_body_id id = add_box(world, "box", (double[]) { 0.1, 0.2, 0.4 }, 0.3, (double[]) { 0.2, 0, 0 }, 0);
        const tide_body_motion start = { .velocity = { 0.1, -0.2, 0.05 }, .spin = { 1, 5, 0.5 } };
        tide_energy before, after;
        assert_ok(tide_world_set_motion(world, id, &start, &error), error);
        momenta from = momenta_of(world);
        assert_ok(tide_world_energy(world, &before, &error), error);
        fixture_step(world, 300);
        momenta to = momenta_of(world);
        assert_ok(tide_world_energy(world, &after, &error), error);
        assert_true(apart(from.linear, to.linear) <= 1e-12 * tide_vec3_length(from.linear));
        assert_true(apart(from.angular, to.angular) <= 1e-12 * tide_vec3_length(from.angular));
        assert_near(after.kinetic / before.kinetic, 1, 1e-8);
        tide_world_destroy(world);
    }
}

// Euler's equations for the principal moments I, by tiny Runge-Kutta steps: the reference for the flip.
static void euler(const double i[3], const double w[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (i[(k + 1) % 3] - i[(k + 2) % 3]) * w[(k + 1) % 3] * w[(k + 2) % 3] / i[k];
}

static void reference_spin(const double i[3], double w[3], double seconds)
{
    enum { STEPS = 20000 };
    double h = seconds / STEPS, k[4][3], at[3];
    for (int n = 0; n < STEPS; n++) {
        euler(i, w, k[0]);
        for (int s = 1; s < 4; s++) {
            for (int a = 0; a < 3; a++)
                at[a] = w[a] + (s == 3 ? h : h / 2) * k[s - 1][a];
            euler(i, at, k[s]);
        }
        for (int a = 0; a < 3; a++)
            w[a] += h / 6 * (k[0][a] + 2 * k[1][a] + 2 * k[2][a] + k[3][a]);
    }
}

// The intermediate axis: a spin about y with a disturbance of 0.001 turns over and back (Dzhanibekov 1985). The box's
// axis follows the reference, and points the other way in between.
static void test_intermediate_axis(void **state)
{
    (void)state;
    const double size[3] = { 0.1, 0.2, 0.4 };
    tide_world *world = make_world(1.0 / 60, 0, "newton");
    tide_body_id id = add_box(world, "box", size, 0, (double[]) { 0, 0, 0 }, 0);
    const tide_body_motion start = { .spin = { 0.005, 5, 0 } };
    double w[3] = { 0.005, 5, 0 }, inertia[3], lowest = 1, a[3], b[3];
    for (int k = 0; k < 3; k++)
        inertia[k] = size[(k + 1) % 3] * size[(k + 1) % 3] + size[(k + 2) % 3] * size[(k + 2) % 3];
    assert_ok(tide_world_set_motion(world, id, &start, &error), error);
    for (int n = 0; n < 240; n++) {
        fixture_step(world, 1);
        tide_body_motion now = motion_of(world, id);
        // vertices 0 and 2 of a box of one cell are apart along y
        assert_true(tide_world_vertex(world, id, 0, a, NULL) && tide_world_vertex(world, id, 2, b, NULL));
        tide_vec3 axis = tide_vec3_scale(tide_vec3_subtract(tide_vec3_load(b), tide_vec3_load(a)), 1 / size[1]);
        double along = tide_vec3_dot(axis, tide_vec3_load(now.spin));
        reference_spin(inertia, w, 1.0 / 60);
        assert_near(along, w[1], 1e-5);
        lowest = fmin(lowest, axis.y);
    }
    assert_true(lowest < -0.99);
    tide_world_destroy(world);
}

// --- a pendulum -----------------------------------------------------------------------------------------------------

// A bar hangs on an edge, by two exact pins: T = 2 pi sqrt(I / (M g d)) (1 + amplitude^2 / 16).
static void check_pendulum(const char *method, double timestep)
{
    const double size[3] = { 0.1, 1, 0.06 }, amplitude = 1e-3, g = 9.81;
    tide_world *world = make_world(timestep, -g, method);
    double d = sqrt(0.25 + 0.0025), turn = atan2(0.05, 0.5), last = 0, first = 0, end = 0;
    tide_body_id id = add_box(world, "bar", size, turn, (double[]) { 0, -d, 0 }, 0);
    double rate = sqrt(g * d / ((size[0] * size[0] + 1) / 12 + d * d));
    int pinned = 0, crossings = 0;
    for (uint32_t v = 0; v < 8; v++) {
        double x[3];
        assert_true(tide_world_vertex(world, id, v, x, NULL));
        if (hypot(x[0], x[1]) > 1e-9)
            continue;
        assert_ok(tide_world_pin(world, id, v, TIDE_NOT_GIVEN, &error), error);
        pinned++;
    }
    assert_int_equal(pinned, 2);
    const tide_body_motion start = { .velocity = { amplitude * rate * d, 0, 0 }, .spin = { 0, 0, amplitude * rate } };
    assert_ok(tide_world_set_motion(world, id, &start, &error), error);
    for (int n = 1; crossings < 3; n++) {
        fixture_step(world, 1);
        double spin = motion_of(world, id).spin[2];
        if (n > 1 && (last < 0) != (spin < 0)) {
            end = (n - 1 + last / (last - spin)) * timestep;
            first = crossings++ == 0 ? end : first;
        }
        last = spin;
    }
    double period = 2 * pi / rate * (1 + amplitude * amplitude / 16);
    assert_near((end - first) / period, 1, 1e-6);
    tide_world_destroy(world);
}

static void test_pendulum(void **state)
{
    (void)state;
    check_pendulum("implicit_midpoint", 5e-4);
    check_pendulum("newton", 2.5e-4);
}

// --- contact --------------------------------------------------------------------------------------------------------

// A box on a slope: it sticks where friction is above the tangent of the angle, and slides with g (sin a - mu cos a).
static void test_slope(void **state)
{
    (void)state;
    const double angle = 0.4;
    for (int m = 0; m < METHODS; m++)
        for (int slides = 0; slides < 2; slides++) {
            double friction = slides ? 0.2 : 1.05 * tan(angle), away = 0.0511;
            tide_world *world = make_world(0.01, -9.81, methods[m]);
            tide_body_id id = add_box(world, "box", (double[]) { 0.2, 0.1, 0.2 }, -angle,
                                      (double[]) { away * sin(angle), away * cos(angle), 0 }, friction);
            add_plane(world, angle, friction);
            fixture_step(world, 50);
            tide_body_motion from = motion_of(world, id);
            fixture_step(world, 50);
            tide_body_motion to = motion_of(world, id);
            double change =
                (to.velocity[0] - from.velocity[0]) * cos(angle) - (to.velocity[1] - from.velocity[1]) * sin(angle);
            if (slides)
                assert_near(change / 0.5 / (9.81 * (sin(angle) - 0.2 * cos(angle))), 1,
                            strcmp(methods[m], "pbd") == 0 ? 0.025 : 0.01);
            else
                assert_near(hypot(to.centre[0] - from.centre[0], to.centre[1] - from.centre[1]), 0, 5e-3);
            tide_world_destroy(world);
        }
}

// A stack of four boxes stays where it stands, and upright.
static void test_stack(void **state)
{
    (void)state;
    enum { BOXES = 4 };
    static const char *const names[BOXES] = { "a", "b", "c", "d" };
    tide_world *world = make_world(1.0 / 60, -9.81, "newton");
    tide_body_id ids[BOXES];
    add_plane(world, 0, 0.5);
    for (int n = 0; n < BOXES; n++)
        ids[n] = add_box(world, names[n], (double[]) { 0.2, 0.2, 0.2 }, 0, (double[]) { 0, 0.101 + 0.202 * n, 0 }, 0.5);
    fixture_step(world, 180);
    for (int n = 0; n < BOXES; n++) {
        tide_body_motion now = motion_of(world, ids[n]);
        assert_near(now.centre[0], 0, 1e-3);
        assert_near(now.centre[1], 0.101 + 0.202 * n, 2e-3);
        assert_near(now.spin[2], 0, 1e-2);
    }
    tide_world_destroy(world);
}

// Two boxes collide in space: what one loses the other gains. Angular momentum is kept to the order
// of the step, because the places of contacts are those of the first touch.
static void test_collision(void **state)
{
    (void)state;
    tide_world *world = make_world(1.0 / 240, 0, "newton");
    tide_body_id a = add_box(world, "a", (double[]) { 0.2, 0.2, 0.2 }, 0.3, (double[]) { -0.2, 0.05, 0 }, 0.3);
    tide_body_id b = add_box(world, "b", (double[]) { 0.2, 0.2, 0.2 }, 0, (double[]) { 0.2, 0, 0 }, 0.3);
    const tide_body_motion right = { .velocity = { 1, 0, 0 } }, left = { .velocity = { -0.5, 0, 0 } };
    assert_ok(tide_world_set_motion(world, a, &right, &error), error);
    assert_ok(tide_world_set_motion(world, b, &left, &error), error);
    momenta from = momenta_of(world);
    fixture_step(world, 120);
    momenta to = momenta_of(world);
    assert_true(motion_of(world, a).velocity[0] < 0.6 && motion_of(world, b).velocity[0] > -0.1);
    assert_true(fabs(motion_of(world, b).spin[2]) > 0.1);
    assert_true(apart(from.linear, to.linear) < 1e-9 * tide_vec3_length(from.linear));
    assert_true(apart(from.angular, to.angular) < 0.03 * tide_vec3_length(from.angular));
    tide_world_destroy(world);
}

// --- the world ------------------------------------------------------------------------------------------------------

// A snapshot, a fork and another number of threads give the same bits.
static void test_snapshots(void **state)
{
    (void)state;
    tide_world *world = make_world(1.0 / 60, -9.81, "local_global"), *fork;
    tide_snapshot *snapshot;
    add_plane(world, 0, 0.5);
    tide_body_id id = add_box(world, "box", (double[]) { 0.2, 0.3, 0.1 }, 0.4, (double[]) { 0, 0.3, 0 }, 0.5);
    assert_ok(tide_world_pin(world, id, 3, 200, &error), error);
    fixture_step(world, 20);
    assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
    assert_ok(tide_world_fork(world, &fork, &error), error);
    fixture_step(world, 20);
    uint64_t hash = fixture_hash(world);
    fixture_step(fork, 20);
    assert_true(fixture_hash(fork) == hash);
    assert_ok(tide_world_restore(world, snapshot, &error), error);
    fixture_step(world, 20);
    assert_true(fixture_hash(world) == hash);
    tide_snapshot_destroy(snapshot);
    tide_world_destroy(fork);
    tide_world_destroy(world);
}

// Returns the joint's state in the bytes of a snapshot: where its motor's speed is.
static tide_joint_state *find_state(unsigned char *bytes, size_t size, double speed)
{
    for (size_t at = 0; at + sizeof(tide_joint_state) <= size; at += sizeof(double)) {
        tide_joint_state *state = (tide_joint_state *)(void *)(bytes + at);
        if (memcmp(&state->motor.speed, &speed, sizeof speed) == 0)
            return state;
    }
    fail_msg("the snapshot has no such motor");
    return NULL;
}

// The state of a joint goes through bytes, and bytes that no joint can have are refused.
static void test_states_of_joints(void **state)
{
    (void)state;
    tide_world *world = make_world(1.0 / 60, -9.81, "newton");
    tide_body_id id = add_box(world, "box", (double[]) { 0.6, 0.1, 0.1 }, 0, (double[]) { 0.3, 0, 0 }, 0.5);
    tide_joint_def def = tide_joint_def_default();
    tide_joint_id joint;
    tide_joint_motion motion;
    tide_snapshot *snapshot, *read;
    size_t size;
    def.kind = TIDE_JOINT_HINGE;
    def.axis[2] = 1;
    def.motor.speed = 1.2345;
    assert_ok(tide_world_add_joint(world, id, (tide_body_id) { 0 }, &def, &joint, &error), error);
    fixture_step(world, 10);
    assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
    const void *given = tide_snapshot_bytes(snapshot, &size);
    unsigned char *bytes = tide_copy_bytes(given, size);
    fixture_step(world, 10);
    assert_ok(tide_snapshot_read(world, bytes, size, &read, &error), error);
    assert_ok(tide_world_restore(world, read, &error), error);
    assert_true(tide_world_joint_motion(world, joint, &motion));
    assert_near(motion.angle, 10 * 1.2345 / 60, 0.02);
    tide_snapshot_destroy(read);
    double *numbers[] = { &find_state(bytes, size, 1.2345)->motor.torque, &find_state(bytes, size, 1.2345)->angle,
                          &find_state(bytes, size, 1.2345)->load, &find_state(bytes, size, 1.2345)->torque,
                          &find_state(bytes, size, 1.2345)->speed };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double kept = *numbers[i];
        *numbers[i] = i == 0 ? 3 : INFINITY; // a torque and a speed; not finite
        assert_true(tide_snapshot_read(world, bytes, size, &read, &error) != TIDE_OK);
        assert_string_equal(error.field, "joints");
        *numbers[i] = kept;
    }
    assert_ok(tide_snapshot_read(world, bytes, size, &read, &error), error);
    tide_snapshot_destroy(read);
    tide_snapshot_destroy(snapshot);
    tide_free(bytes);
    tide_world_destroy(world);
}

static void test_other_methods_refuse(void **state)
{
    (void)state;
    static const char *const others[] = { "imex",     "bdf2", "explicit_euler",     "symplectic_euler", "verlet",
                                          "midpoint", "rk4",  "linearized_explicit" };
    for (size_t m = 0; m < sizeof others / sizeof others[0]; m++) {
        tide_world *world = make_world(1.0 / 60, -9.81, others[m]);
        add_box(world, "box", (double[]) { 0.2, 0.2, 0.2 }, 0, (double[]) { 0, 0, 0 }, 0.5);
        assert_int_equal(tide_world_step(world, &error), TIDE_ERROR_ARGUMENT);
        assert_string_equal(error.field, "rigid");
        fixture_use(world, "newton", NULL, NULL);
        fixture_step(world, 1);
        tide_world_destroy(world);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_momenta_and_energy),
    cmocka_unit_test(test_intermediate_axis),
    cmocka_unit_test(test_pendulum),
    cmocka_unit_test(test_slope),
    cmocka_unit_test(test_stack),
    cmocka_unit_test(test_collision),
    cmocka_unit_test(test_snapshots),
    cmocka_unit_test(test_states_of_joints),
    cmocka_unit_test(test_other_methods_refuse),
};
TIDE_TEST_SUITE(world_rigid, tests)

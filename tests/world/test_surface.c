// A fine surface embedded in a coarse body: its positions, its errors, and its contacts.
#include "base/memory.h"
#include "base/random.h"
#include "linear/failing.h"
#include "quiet.h"
#include "solver/every_method.h"
#include "world/fixture.h"
#include "world/world_state.h"

#include <math.h>
#include <string.h>

static tide_error error;

// --- scenes ---------------------------------------------------------------------------------------------------------

static const tide_mesh *moved(tide_mesh *mesh, double x, double y, double z)
{
    tide_mesh *out;
    assert_ok(tide_mesh_translate(mesh, (double[3]) { x, y, z }, &out, &error), error);
    tide_mesh_release(mesh);
    return out;
}

// A cube of 0.4 m with its centre there, of 4 x 4 x 4 cells.
static const tide_mesh *block_at(double x, double y, double z)
{
    tide_mesh *mesh;
    tide_mesh_box_def def = { .size = { 0.4, 0.4, 0.4 }, .cells = { 4, 4, 4 } };
    assert_ok(tide_mesh_box.build(&def, &mesh, &error), error);
    return moved(mesh, x, y, z);
}

static const tide_mesh *ball_at(double x, double y, double z, double radius)
{
    tide_mesh *mesh;
    tide_mesh_sphere_def def = { .radius = radius, .subdivisions = 3 };
    assert_ok(tide_mesh_sphere.build(&def, &mesh, &error), error);
    return moved(mesh, x, y, z);
}

static tide_body_def definition(const char *name, const tide_mesh *mesh, const tide_mesh *surface)
{
    tide_body_def def = tide_body_def_default();
    def.name = name;
    def.mesh = mesh;
    def.surface = surface;
    def.mass = 1;
    def.stiffness = 4000;
    return def;
}

// A block that carries a ball within it.
static tide_body_id add_ball(tide_world *world, const char *name, double x, double y, double z)
{
    const tide_mesh *block = block_at(x, y, z), *ball = ball_at(x, y, z, 0.15);
    tide_body_def def = definition(name, block, ball);
    tide_body_id id;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_mesh_release(block);
    tide_mesh_release(ball);
    return id;
}

static void add_floor(tide_world *world)
{
    tide_shape_plane_def plane;
    tide_shape_default(&tide_shape_plane, &plane);
    tide_collider_def def = tide_collider_def_default();
    def.name = "floor";
    def.shape = &tide_shape_plane;
    def.definition = &plane;
    tide_collider_id id;
    assert_ok(tide_world_add_collider(world, &def, &id, &error), error);
}

// (3 * vertex_count) for the caller to free.
static double *positions_of(const tide_world *world, tide_body_id id)
{
    const tide_mesh *fine = tide_world_surface(world, id);
    assert_non_null(fine);
    double *x = tide_allocate_array(fine->vertex_count, 3 * sizeof *x);
    assert_true(tide_world_surface_positions(world, id, x));
    return x;
}

static double lowest_of(const tide_world *world, tide_body_id id)
{
    double *x = positions_of(world, id), lowest = INFINITY;
    for (size_t i = 0; i < tide_world_surface(world, id)->vertex_count; i++)
        lowest = fmin(lowest, x[3 * i + 1]);
    tide_free(x);
    return lowest;
}

// --- where it is ----------------------------------------------------------------------------------------------------

static void test_it_goes_with_every_affine_motion_of_the_body(void **state)
{
    (void)state;
    tide_world *world = fixture_world(NULL, NULL);
    tide_body_id first = add_ball(world, "first", 2, 0, 0), id = add_ball(world, "ball", 0, 1, 0), none = { 0, 0 };
    (void)first;
    const tide_mesh *fine = tide_world_surface(world, id);
    double *x = positions_of(world, id), *p = tide_world_positions(world, id), matrix[9], shift[3];
    assert_int_equal(fine->vertex_count, 642);
    for (size_t i = 0; i < 3 * (size_t)fine->vertex_count; i++)
        assert_near(x[i], fine->vertices[i], 1e-13);
    tide_random random = tide_random_seed(5);
    for (int i = 0; i < 9; i++)
        matrix[i] = 2 * tide_random_uniform(&random) - 1;
    for (int i = 0; i < 3; i++)
        shift[i] = tide_random_uniform(&random);
    for (size_t i = 0; i < 125; i++) {
        double q[3];
        memcpy(q, p + 3 * i, sizeof q);
        for (size_t k = 0; k < 3; k++)
            p[3 * i + k] = matrix[3 * k] * q[0] + matrix[3 * k + 1] * q[1] + matrix[3 * k + 2] * q[2] + shift[k];
    }
    assert_true(tide_world_surface_positions(world, id, x));
    for (size_t i = 0; i < fine->vertex_count; i++)
        for (size_t k = 0; k < 3; k++) {
            const double *q = fine->vertices + 3 * i;
            assert_near(x[3 * i + k],
                        matrix[3 * k] * q[0] + matrix[3 * k + 1] * q[1] + matrix[3 * k + 2] * q[2] + shift[k], 1e-13);
        }
    assert_null(tide_world_surface(world, none));
    assert_false(tide_world_surface_positions(world, none, x));
    tide_free(x);
    tide_world_destroy(world);
}

static void test_what_cannot_be_carried_is_refused(void **state)
{
    (void)state;
    const tide_mesh *block = block_at(0, 0, 0), *ball = ball_at(0, 0, 0, 0.2), *away = ball_at(0.3, 0, 0, 0.2);
    const tide_mesh *points = fixture_points(3, (double[9]) { 0, 0, 0, 0.1, 0, 0, 0, 0.1, 0 });
    const tide_mesh *cloth = fixture_grid(3, 3);
    tide_world *world = fixture_world(NULL, NULL);
    tide_body_id id;
    tide_body_def def = definition("thing", cloth, ball);
    assert_fails(tide_world_add_body(world, &def, &id, &error), error,
                 "body \"thing\": surface: the body's mesh has no tetrahedra that could carry it");
    def = definition("thing", block, points);
    assert_fails(tide_world_add_body(world, &def, &id, &error), error,
                 "body \"thing\": surface: has no triangles; expected a mesh of a surface");
    // within a quarter of the diagonal, 0.173 m, and beyond
    def = definition("near", block, ball_at(0.17, 0, 0, 0.2));
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_mesh_release(def.surface);
    def = definition("thing", block, away);
    assert_fails(tide_world_add_body(world, &def, &id, &error), error,
                 "m outside of the mesh's tetrahedra, over a quarter of the mesh's size");
    double flat[15] = { 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0.5, 1e-3, 0.5 };
    uint32_t slabs[8] = { 0, 1, 2, 4, 1, 2, 3, 4 };
    tide_mesh_parts parts = { .vertex_count = 5, .vertices = flat, .tetrahedron_count = 2, .tetrahedra = slabs };
    tide_mesh *slab;
    assert_ok(tide_mesh_create(&parts, &slab, &error), error);
    const tide_mesh *above = ball_at(0.5, 0.2, 0.5, 0.1);
    def = definition("thing", slab, above);
    assert_fails(tide_world_add_body(world, &def, &id, &error), error, "is in a tetrahedron so flat");
    assert_int_equal(tide_world_body_count(world), 1);
    const tide_mesh *const all[] = { block, ball, away, points, cloth, slab, above };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        tide_mesh_release(all[i]);
    tide_world_destroy(world);
}

// --- what contact is given ------------------------------------------------------------------------------------------

static bool may_touch(const tide_contact_surface *s, uint32_t a, uint32_t b)
{
    return s->touching[a * s->part_count + b];
}

// Parts: the particles of two balls and a plain block, then the balls' surfaces.
static void test_its_points_touch_in_the_place_of_the_particles(void **state)
{
    (void)state;
    tide_world *world = fixture_world(NULL, NULL);
    add_ball(world, "one", 0, 0, 0);
    const tide_mesh *block = block_at(1, 0, 0);
    tide_body_def def = definition("block", block, NULL);
    tide_body_id id;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_mesh_release(block);
    tide_body_id other = add_ball(world, "other", 2, 0, 0);
    assert_ok(tide_world_update_system(world, &error), error);
    tide_contact_surface *s;
    assert_ok(tide_world_make_surface(world, false, &s, &error), error);
    assert_int_equal(s->part_count, 5);
    assert_int_equal(s->carried_count, 2 * 642);
    assert_int_equal(s->point_count, 3 * 125 + s->carried_count);
    for (uint32_t a = 0; a < 5; a++) {
        const tide_contact_part *part = &s->parts[a];
        bool hidden = a == 0 || a == 2;
        assert_int_equal(part->point_count, a < 3 ? 125 : 642);
        assert_int_equal(part->first_point, a < 3 ? 125 * a : 375 + 642 * (a - 3));
        assert_int_equal(part->triangle_count, hidden ? 0 : a == 1 ? 192 : 1280);
        assert_int_equal(part->against_colliders, !hidden);
        assert_int_equal(part->solid, !hidden);
        for (uint32_t b = 0; b < 5; b++)
            assert_int_equal(may_touch(s, a, b), a != b && !hidden && b != 0 && b != 2);
    }
    for (size_t i = 0; i < 3 * (size_t)s->triangle_count; i++)
        assert_true(s->triangles[i] >= 125 && (s->triangles[i] < 250 || s->triangles[i] >= 375));
    tide_free(s);
    // a pair of bodies is one of their surfaces
    assert_ok(tide_world_set_touching(world, tide_world_body_at(world, 0), other, false, &error), error);
    assert_ok(tide_world_set_touching(world, other, other, true, &error), error);
    assert_ok(tide_world_make_surface(world, false, &s, &error), error);
    assert_true(!may_touch(s, 3, 4) && may_touch(s, 4, 4) && may_touch(s, 1, 4) && !may_touch(s, 2, 2));
    tide_free(s);
    tide_world_destroy(world);
}

// An impulse J on a carried point that its carriers share by their weights moves it by J times its inverse mass.
static void test_inverse_masses_are_those_of_a_shared_impulse(void **state)
{
    (void)state;
    tide_world *world = fixture_world(NULL, NULL);
    add_ball(world, "first", 2, 0, 0);
    tide_body_id id = add_ball(world, "ball", 0, 0, 0);
    for (uint32_t v = 0; v < 125; v++)
        if (tide_world_positions(world, id)[3 * v] > 0.05)
            assert_ok(tide_world_pin(world, id, v, TIDE_NOT_GIVEN, &error), error);
    assert_ok(tide_world_update_system(world, &error), error);
    tide_contact_surface *s;
    assert_ok(tide_world_make_surface(world, false, &s, &error), error);
    uint32_t held = 0, between = 0;
    const double *rest = tide_world_surface(world, id)->vertices;
    for (uint32_t p = 642; p < 1284; p++) {
        double sum = 0, place[3] = { 0 }, moves = 0, farthest = 0, inverse = s->inverse_masses[250 + p];
        for (size_t i = 4 * (size_t)p; i < 4 * (size_t)p + 4; i++) {
            uint32_t particle = s->carriers[i];
            double by = s->carrier_weights[i] * s->inverse_masses[particle]; // of this carrier, for an impulse of 1
            sum += s->carrier_weights[i];
            moves += s->carrier_weights[i] * by;
            farthest = fmax(farthest, fabs(by));
            for (size_t k = 0; k < 3; k++)
                place[k] += s->carrier_weights[i] * tide_world_all_positions(world)[3 * (size_t)particle + k];
        }
        assert_near(sum, 1, 1e-14);
        for (size_t k = 0; k < 3; k++)
            assert_near(place[k], rest[3 * (size_t)(p - 642) + k], 1e-13);
        if (inverse > 0) {
            assert_near(inverse, moves, 1e-12 * moves);
            assert_true(farthest <= 10 * inverse); // carriers go no more than ten times as far
        } else
            assert_true(moves <= 0.01 * 125);
        held += inverse == 0;
        between += inverse > 0 && inverse < 0.25 * 125 * (1 - 1e-9); // below what four free ones can have
    }
    assert_true(held > 100 && held < 400 && between > 10);
    tide_free(s);
    tide_world_destroy(world);
}

// --- contact --------------------------------------------------------------------------------------------------------

// A block that carries its own surface moves as one that carries none.
static void test_its_own_surface_changes_nothing(void **state)
{
    (void)state;
    tide_world *worlds[2];
    tide_body_id ids[2];
    const tide_mesh *block = block_at(0, 0.3, 0);
    for (int i = 0; i < 2; i++) {
        worlds[i] = fixture_world(NULL, NULL);
        tide_body_def def = definition("block", block, i ? block : NULL);
        def.friction = 0.4;
        assert_ok(tide_world_add_body(worlds[i], &def, &ids[i], &error), error);
        add_floor(worlds[i]);
        for (uint32_t v = 0; v < 125; v++)
            tide_world_velocities(worlds[i], ids[i])[3 * v] = 1;
        fixture_use(worlds[i], "xpbd", NULL, NULL);
    }
    const tide_mesh *skin = tide_world_surface(worlds[1], ids[1]);
    assert_int_equal(skin->vertex_count, 125 - 27); // of the outside
    assert_int_equal(skin->triangle_count, 192);
    for (int n = 0; n < 30; n++) {
        uint32_t counts[2];
        fixture_step(worlds[0], 1);
        fixture_step(worlds[1], 1);
        for (size_t i = 0; i < 3 * 125; i++)
            assert_near(tide_world_all_positions(worlds[0])[i], tide_world_all_positions(worlds[1])[i], 1e-9);
        const tide_contact *a = tide_world_contacts(worlds[0], &counts[0]);
        const tide_contact *b = tide_world_contacts(worlds[1], &counts[1]);
        assert_int_equal(counts[0], counts[1]);
        for (uint32_t i = 0; i < counts[0]; i++)
            assert_int_equal(a[i].vertex, b[i].vertex);
        if (n == 29)
            assert_true(counts[0] > 0);
    }
    tide_mesh_release(block);
    for (int i = 0; i < 2; i++)
        tide_world_destroy(worlds[i]);
}

// The upward momentum of the balls' particles over their mass, m/s.
static double rise_of(tide_world *world)
{
    double sum = 0;
    for (uint32_t i = 0; i < tide_world_particle_count(world); i++)
        sum += tide_world_all_velocities(world)[3 * i + 1] / 125;
    return sum;
}

// The sum of the forces of a ball's contacts with the floor, N.
static double force_on(tide_world *world, tide_body_id id)
{
    uint32_t count;
    const tide_contact *contacts = tide_world_contacts(world, &count);
    double force = 0;
    for (uint32_t c = 0; c < count; c++) {
        assert_true(contacts[c].body.index == id.index && contacts[c].vertex < 125);
        assert_near(contacts[c].normal[1], 1, 1e-12);
        const double *x = tide_world_positions(world, id) + 3 * (size_t)contacts[c].vertex, *p = contacts[c].point;
        // a corner of the tetrahedron around it, whose edges are at most 0.142 m
        assert_true(hypot(hypot(x[0] - p[0], x[2] - p[2]), x[1] - p[1]) < 0.15);
        force += contacts[c].force;
    }
    return force;
}

static void test_it_lies_on_a_floor_that_the_body_goes_through(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool exact; // what moves the particles is the forces that are told of, and nothing else
    } solvers[] = { { "local_global", false }, { "xpbd", true }, { "imex", true },          { "newton", false },
                    { "lbfgs", false },        { "vbd", false }, { "semi_implicit", false } };
    for (size_t i = 0; i < sizeof solvers / sizeof solvers[0]; i++) {
        tide_world_settings settings = tide_world_settings_default();
        settings.timestep = 1.0 / 120;
        settings.drag = 1;
        settings.deformation_drag = 5;
        tide_world *world = fixture_world(&settings, NULL);
        tide_body_id id = add_ball(world, "ball", 0, 0.2, 0);
        add_floor(world);
        fixture_use(world, solvers[i].name, NULL, NULL);
        double lowest = INFINITY, coarse = INFINITY, before = 0, off = 0, mean = 0;
        for (int n = 0; n < 360; n++) {
            fixture_step(world, 1);
            lowest = fmin(lowest, lowest_of(world, id));
            double needed = 120 * (rise_of(world) - exp(-1.0 / 120) * before) + 9.81;
            off = fmax(off, fabs(force_on(world, id) - needed));
            mean += n >= 240 ? needed / 120 : 0;
            before = rise_of(world);
        }
        for (size_t v = 0; v < 125; v++)
            coarse = fmin(coarse, tide_world_positions(world, id)[3 * v + 1]);
        // half of the default thickness, 2 mm, away; the block's lower side is at the ball's centre less 0.2 m
        if (!(lowest > 0.001 - 1e-9) || !(fabs(lowest_of(world, id) - 0.001) < 1e-4) || !(coarse < -0.02) ||
            !(fabs(mean - 9.81) < 0.01 * 9.81) || (solvers[i].exact && !(off < 1e-8)))
            fail_msg("%s: lowest ever %g, at last %g; the block's %g; %g N, off by up to %g N", solvers[i].name, lowest,
                     lowest_of(world, id), coarse, mean, off);
        tide_world_destroy(world);
    }
}

static void momentum_of(tide_world *world, double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    for (uint32_t i = 0; i < tide_world_particle_count(world); i++)
        for (uint32_t k = 0; k < 3; k++)
            out[k] += tide_world_all_velocities(world)[3 * i + k] / 125;
}

static void test_two_of_them_bounce_and_keep_their_momentum(void **state)
{
    (void)state;
    for (int continuous = 0; continuous <= 1; continuous++) {
        tide_world_settings settings = tide_world_settings_default();
        settings.timestep = 1.0 / 240;
        memset(settings.gravity, 0, sizeof settings.gravity);
        settings.contact.continuous = continuous;
        tide_world *world = fixture_world(&settings, NULL);
        tide_body_id left = add_ball(world, "left", -0.25, 0, 0), right = add_ball(world, "right", 0.25, 0.03, 0.02);
        fixture_use(world, "newton", NULL, NULL);
        for (uint32_t v = 0; v < 125; v++) {
            tide_world_velocities(world, left)[3 * v] = 2;
            tide_world_velocities(world, right)[3 * v] = -1;
        }
        uint32_t touched = 0, count;
        double momentum[3];
        for (int n = 0; n < 120; n++) {
            fixture_step(world, 1);
            tide_world_contacts(world, &count);
            touched += count;
            double *a = positions_of(world, left), *b = positions_of(world, right), front = -INFINITY, back = INFINITY;
            for (size_t i = 0; i < 642; i++) {
                front = fmax(front, a[3 * i]);
                back = fmin(back, b[3 * i]);
            }
            tide_free(a);
            tide_free(b);
            momentum_of(world, momentum);
            assert_near(momentum[0], 1, 2e-9);
            assert_near(momentum[1], 0, 2e-9);
            assert_near(momentum[2], 0, 2e-9);
            assert_true(front - back < 0.005); // not into each other: offset balls overlap by 4 mm along x
        }
        assert_true(touched > 0);
        double speed = 0;
        for (uint32_t v = 0; v < 125; v++)
            speed += tide_world_velocities(world, left)[3 * v] / 125;
        assert_true(speed < 0.6); // it was at 2, and gave some of it away
        tide_world_destroy(world);
    }
}

// --- life -----------------------------------------------------------------------------------------------------------

static tide_world *falling(const tide_world *predecessor)
{
    tide_world *world = fixture_world(NULL, predecessor);
    add_ball(world, "ball", 0, 0.3, 0);
    add_floor(world);
    return world;
}

static void test_forks_resets_and_snapshots_go_on_alike(void **state)
{
    (void)state;
    tide_world *world = falling(NULL), *fork;
    fixture_step(world, 12);
    assert_ok(tide_world_fork(world, &fork, &error), error);
    tide_snapshot *snapshot;
    assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
    fixture_step(world, 10);
    uint64_t hash = fixture_hash(world);
    fixture_step(fork, 10);
    assert_true(fixture_hash(fork) == hash);
    assert_ok(tide_world_restore(world, snapshot, &error), error);
    fixture_step(world, 10);
    assert_true(fixture_hash(world) == hash);
    assert_ok(tide_world_reset(world, &error), error);
    fixture_step(world, 22);
    assert_true(fixture_hash(world) == hash);
    tide_body_id id = tide_world_find_body(fork, "ball");
    assert_true(tide_world_surface(fork, id) == tide_world_surface(world, tide_world_find_body(world, "ball")));
    tide_world_destroy(world);
    double lowest = lowest_of(fork, id); // the fork has its own
    assert_true(lowest > 0.001 - 1e-9 && lowest < 0.05);
    tide_snapshot_destroy(snapshot);
    tide_world_destroy(fork);
}

static void test_reconciliation_keeps_the_state_and_takes_the_new_surface(void **state)
{
    (void)state;
    tide_world *old = falling(NULL);
    fixture_step(old, 20);
    tide_reconciliation reconciliation;
    tide_world *same = falling(old);
    double before = lowest_of(old, tide_world_find_body(old, "ball"));
    assert_ok(tide_world_reconcile(same, old, &reconciliation, &error), error);
    assert_int_equal(reconciliation.kept, 1);
    assert_near(lowest_of(same, tide_world_find_body(same, "ball")), before, 0);
    // a coarser and smaller ball: the body goes on, and its contacts begin anew
    tide_world *changed = fixture_world(NULL, same);
    tide_mesh_sphere_def sphere = { .radius = 0.1, .subdivisions = 1 };
    tide_mesh *small;
    assert_ok(tide_mesh_sphere.build(&sphere, &small, &error), error);
    const tide_mesh *block = block_at(0, 0.3, 0), *ball = moved(small, 0, 0.3, 0);
    tide_body_def def = definition("ball", block, ball);
    tide_body_id id;
    assert_ok(tide_world_add_body(changed, &def, &id, &error), error);
    add_floor(changed);
    tide_snapshot *snapshot;
    assert_ok(tide_world_snapshot(same, &snapshot, &error), error);
    assert_int_not_equal(tide_world_restore(changed, snapshot, &error), TIDE_OK); // its contacts are of other points
    double was[3 * 125];
    memcpy(was, tide_world_all_positions(same), sizeof was);
    assert_ok(tide_world_reconcile(changed, same, &reconciliation, &error), error);
    assert_int_equal(reconciliation.kept, 1);
    assert_int_equal(tide_world_surface(changed, id)->vertex_count, 42);
    double *x = positions_of(changed, id), expected[3 * 42];
    tide_embedding *embedding;
    assert_ok(tide_embedding_create(block, ball->vertices, 42, &embedding, &error), error);
    tide_embedding_apply(embedding, was, expected);
    assert_memory_equal(x, expected, sizeof expected);
    fixture_step(changed, 60);
    assert_true(lowest_of(changed, id) > 0.001 - 1e-9 && lowest_of(changed, id) < 0.1);
    tide_embedding_destroy(embedding);
    tide_free(x);
    tide_mesh_release(block);
    tide_mesh_release(ball);
    tide_snapshot_destroy(snapshot);
    tide_world_destroy(old);
    tide_world_destroy(same);
    tide_world_destroy(changed);
}

static void test_each_allocation_fails_and_steps_make_none(void **state)
{
    (void)state;
    const tide_mesh *block = block_at(0, 0.2, 0), *ball = ball_at(0, 0.2, 0, 0.15);
    tide_body_def def = definition("ball", block, ball);
    uint64_t n = 0;
    for (bool failed = true; failed; n += failed) {
        tide_world *world = fixture_world(NULL, NULL), *fork = NULL;
        tide_body_id id;
        add_floor(world);
        failing_allocation failing = { .left = n };
        tide_memory_set_failure_hook(fail_in_turn, &failing);
        tide_status status = tide_world_add_body(world, &def, &id, &error);
        if (status == TIDE_OK)
            status = tide_world_step(world, &error);
        if (status == TIDE_OK)
            status = tide_world_fork(world, &fork, &error);
        tide_memory_set_failure_hook(NULL, NULL);
        failed = status != TIDE_OK;
        assert_int_equal(status, failed ? TIDE_ERROR_MEMORY : TIDE_OK);
        tide_world_destroy(fork);
        if (!failed) { // once contacts have come and gone
            fixture_step(world, 100);
            assert_ok(tide_world_reset(world, &error), error);
            fixture_step(world, 1);
            uint64_t before = tide_memory_count().allocations;
            fixture_step(world, 60);
            assert_int_equal(tide_memory_count().allocations, before);
        }
        tide_world_destroy(world);
    }
    assert_true(n > 40);
    tide_mesh_release(block);
    tide_mesh_release(ball);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_it_goes_with_every_affine_motion_of_the_body),
    quiet_test(test_what_cannot_be_carried_is_refused),
    cmocka_unit_test(test_its_points_touch_in_the_place_of_the_particles),
    cmocka_unit_test(test_inverse_masses_are_those_of_a_shared_impulse),
    cmocka_unit_test(test_its_own_surface_changes_nothing),
    cmocka_unit_test(test_it_lies_on_a_floor_that_the_body_goes_through),
    cmocka_unit_test(test_two_of_them_bounce_and_keep_their_momentum),
    cmocka_unit_test(test_forks_resets_and_snapshots_go_on_alike),
    cmocka_unit_test(test_each_allocation_fails_and_steps_make_none),
    quiet_test(test_reconciliation_keeps_the_state_and_takes_the_new_surface),
};
TIDE_TEST_SUITE(world_surface, tests)

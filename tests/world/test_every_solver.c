// Every solver in a world: switched for every other, and in scenes that are not sane.
//
// Not here: snapshots, forks and resets under every solver, and snapshots of each restored under each, are in
// test_history.c.
#include "solver/every_method.h"
#include "world/fixture.h"

#include "quiet.h"

#include <time.h>

static tide_error error;

static void use(tide_world *world, const tide_solver_kind *kind, const char *options)
{
    tide_solver *solver = stepping_solver(kind->name, options);
    assert_ok(tide_world_set_solver(world, kind, tide_solver_options(solver), &error), error);
    tide_solver_destroy(solver);
}

static bool is_sound(const tide_world *world)
{
    const double *x = tide_world_all_positions(world), *v = tide_world_all_velocities(world);
    for (size_t i = 0; i < 3 * (size_t)tide_world_particle_count(world); i++)
        if (!(fabs(x[i]) <= 1e9) || !isfinite(v[i]))
            return false;
    return true;
}

// --- switching ------------------------------------------------------------------------------------------------------

enum { SIDE = 4, NUMBERS = 3 * SIDE * SIDE };

static void switch_to(tide_world *world, const tide_solver_kind *kind, const tide_solver_kind *from)
{
    double x[NUMBERS], v[NUMBERS];
    uint64_t frame = tide_world_frame(world);
    memcpy(x, tide_world_all_positions(world), sizeof x);
    memcpy(v, tide_world_all_velocities(world), sizeof v);
    use(world, kind, "");
    assert_memory_equal(tide_world_all_positions(world), x, sizeof x);
    assert_memory_equal(tide_world_all_velocities(world), v, sizeof v);
    // The first step starts from these positions and velocities.
    tide_step step;
    assert_ok(tide_world_inputs(world, &step, &error), error);
    assert_memory_equal(step.q, x, sizeof x);
    assert_memory_equal(step.undamped, v, sizeof v);
    fixture_step(world, 1);
    assert_int_equal(tide_world_frame(world), frame + 1);
    double fastest = 1, farthest = 0;
    for (int i = 0; i < NUMBERS; i++) {
        fastest = fmax(fastest, fabs(v[i]));
        farthest = fmax(farthest, fabs(tide_world_all_positions(world)[i] - x[i]));
    }
    if (!(farthest < 2 * fastest / 30)) // none jumps
        fail_msg("%s after %s moves a particle by %g at speeds of %g", kind->name, from->name, farthest, fastest);
}

static void test_every_solver_is_switched_for_every_other_and_back(void **state)
{
    (void)state;
    const tide_solver_kind *a, *b;
    for (uint32_t i = 0; (a = tide_solver_kind_at(i)); i++) {
        tide_world *start = fixture_curtain(SIDE, NULL);
        use(start, a, "");
        fixture_step(start, 5);
        for (uint32_t j = 0; (b = tide_solver_kind_at(j)); j++) {
            tide_world *world;
            if (tide_test_skips(5))
                continue;
            assert_ok(tide_world_fork(start, &world, &error), error);
            switch_to(world, b, a);
            fixture_step(world, 4);
            switch_to(world, a, b);
            fixture_step(world, 4);
            assert_int_equal(tide_world_frame(world), 15);
            if (!is_sound(world))
                fail_msg("%s, %s, %s: not sound after 15 steps", a->name, b->name, a->name);
            tide_world_destroy(world);
        }
        tide_world_destroy(start);
    }
}

// --- scenes that are not sane ---------------------------------------------------------------------------------------

enum { PLAIN, COINCIDENT, COLLAPSED, PINNED, FLOATING, LOOSE, EMPTY, FORCED, DRAGGED };

static const struct scene {
    const char *name;
    double timestep, stiffness, mass, speed; // 0: the usual
    int layout;
    bool slow; // explicit methods take tens of thousands of substeps
} scenes[] = {
    { "a timestep of 1e-9 s", .timestep = 1e-9 },
    { "a timestep of 1 s", .timestep = 1 },
    { "a timestep of 10 s", .timestep = 10 },
    { "1e12 N/m", .stiffness = 1e12, .slow = true },
    { "1e12 N/m at 0.1 ms", .timestep = 1e-4, .stiffness = 1e12 },
    { "1e-9 kg", .mass = 1e-9, .slow = true },
    { "1e12 N/m and 1e-9 kg", .stiffness = 1e12, .mass = 1e-9 },
    { "1e12 N/m and 1e-9 kg, floating", .stiffness = 1e12, .mass = 1e-9, .layout = FLOATING },
    { "1e-12 N/m", .stiffness = 1e-12 },
    { "1e8 m/s", .speed = 1e8 },
    { "1e8 m/s, floating", .speed = 1e8, .layout = FLOATING },
    { "1e200 m/s", .speed = 1e200 },
    { "coincident ends", .layout = COINCIDENT },
    { "all at one point", .layout = COLLAPSED },
    { "all pinned", .layout = PINNED },
    { "floating", .layout = FLOATING },
    { "no springs", .layout = LOOSE },
    { "no particles", .layout = EMPTY },
    { "a force of 1e12 N", .layout = FORCED },
    { "a pin dragged away 1e8 m", .layout = DRAGGED },
};

static void pin(tide_world *world, tide_body_id id, int layout)
{
    for (uint32_t p = 0; p < 9; p++)
        if (layout == PINNED || (layout != FLOATING && (p == 0 || p == 2)))
            assert_ok(tide_world_pin(world, id, p, TIDE_NOT_GIVEN, &error), error);
    if (layout == DRAGGED || layout == PINNED)
        assert_ok(tide_world_move_pin(world, id, 2, (double[3]) { layout == PINNED ? 1 : 1e8, 3, 0.1 }, &error), error);
}

static tide_world *make_world(const struct scene *scene)
{
    tide_world_settings settings = tide_world_settings_default();
    settings.timestep = scene->timestep > 0 ? scene->timestep : settings.timestep;
    tide_world *world = fixture_world(&settings, NULL);
    if (scene->layout == EMPTY)
        return world;
    const tide_mesh *mesh = fixture_grid(3, 3);
    tide_body_def def = fixture_cloth("cloth", mesh);
    tide_body_id id;
    if (scene->stiffness > 0)
        def.stiffness = def.bend = scene->stiffness;
    if (scene->layout == LOOSE)
        def.stiffness = def.bend = TIDE_NOT_GIVEN;
    if (scene->mass > 0)
        def.mass = scene->mass;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    double *x = tide_world_positions(world, id), *v = tide_world_velocities(world, id);
    for (uint32_t i = 0; i < 27; i++)
        v[i] = scene->speed * sin(1.7 * i);
    if (scene->layout == COINCIDENT)
        memcpy(x + 3 * 5, x + 3 * 4, 3 * sizeof *x);
    if (scene->layout == COLLAPSED)
        memset(x, 0, 27 * sizeof *x);
    pin(world, id, scene->layout);
    if (scene->layout == FORCED)
        assert_ok(tide_world_add_force(world, id, 4, (double[3]) { 1e12, 3e11, 0 }, &error), error);
    tide_mesh_release(mesh);
    return world;
}

// Steps until one fails, which changes nothing, or a few were taken, which are sound.
static void endure(const struct scene *scene, const tide_solver_kind *kind, const char *options)
{
    tide_world *world = make_world(scene);
    use(world, kind, options);
    for (int n = 0; n < (scene->slow ? 1 : 3); n++) {
        uint64_t before = fixture_hash(world);
        clock_t start = clock(); // processor time: load does not add to it
        error = (tide_error) { 0 };
        tide_status status = tide_world_step(world, &error);
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (seconds > 600) // the longest takes 0.2 s
            fail_msg("%s, %s, %s: step %d takes %.3g s", scene->name, kind->name, options, n, seconds);
        if (status == TIDE_OK && !is_sound(world))
            fail_msg("%s, %s, %s: step %d is not sound", scene->name, kind->name, options, n);
        if (status == TIDE_OK)
            continue;
        if (status == TIDE_ERROR_MEMORY || error.status != status || !error.remedy[0])
            fail_msg("%s, %s, %s: status %d, %s", scene->name, kind->name, options, status, error.remedy);
        if (fixture_hash(world) != before)
            fail_msg("%s, %s, %s: step %d failed and changed the state", scene->name, kind->name, options, n);
        break;
    }
    tide_world_destroy(world);
}

static void test_scenes_that_are_not_sane(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++) {
        const tide_solver_kind *kind;
        for (uint32_t i = 0; (kind = tide_solver_kind_at(i)); i++) {
            every_sets sets = every_sets_of(kind);
            for (uint32_t o = 0; o < sets.count; o++)
                if ((!scenes[s].slow || o == 0) && !tide_test_skips(7))
                    endure(&scenes[s], kind, sets.text[o]);
        }
    }
}

static const struct CMUnitTest tests[] = {
    quiet_test(test_every_solver_is_switched_for_every_other_and_back),
    quiet_test(test_scenes_that_are_not_sane),
};
TIDE_TEST_SUITE(world_every_solver, tests)

// Motions that diverge or are violent, among what touches: each steps, or is reported as diverged, in bounded work.
#include "base/random.h"
#include "collision/proximity_state.h"
#include "contact/contacts_state.h"
#include "world/contact_scenes.h"
#include "world/world_state.h"

static tide_error error;

// Units for a step of a few substeps: those of a timestep, and of its substeps.
static double bound_of(const tide_world *world, double substeps)
{
    const tide_contact_surface *s = world->contacts->surface;
    double features = (double)s->point_count + s->edge_count + s->triangle_count;
    return TIDE_WORK_TIMESTEP + substeps * TIDE_WORK_FEATURE * features;
}

static tide_body_id add_cloth(tide_world *world, const char *name, int side, double height, double stiffness)
{
    tide_body_def def = scene_body(0.5, stiffness, stiffness / 4);
    def.self_collide = true;
    def.thickness = 0.01;
    tide_mesh *mesh = scene_cloth_mesh(side, 1);
    scene_move_mesh(&mesh, (double[3]) { 0, height, 0 });
    return scene_add(world, &def, name, mesh);
}

// Steps until the first failure, which is of a diverged state. The largest work of a step.
static double most_work(tide_world *world, int frames, double substeps, bool *failed)
{
    double most = 0;
    tide_status status = TIDE_OK;
    for (int i = 0; i < frames && status == TIDE_OK; i++) {
        status = tide_world_step(world, &error);
        most = fmax(most, (double)world->contacts->work.spent);
        assert_true((double)world->contacts->work.spent <= bound_of(world, substeps));
    }
    *failed = status != TIDE_OK;
    if (*failed) {
        assert_int_equal(status, TIDE_ERROR_NUMERIC);
        assert_non_null(strstr(error.remedy, "diverged"));
    }
    return most;
}

// A cloth that collides with itself, thrown at a ball. Explicit Euler's method without damping blows up.
static void test_a_blow_up_is_reported(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        tide_world *world = scene_world(1.0 / 30, 9.81);
        if (kind % 2 == 0)
            scene_continuous(world);
        tide_body_id cloth = add_cloth(world, "cloth", kind < 2 ? 21 : 7, 0, 100);
        scene_sphere(world, "ball", (double[3]) { 0, -0.5, 0 }, 0.3, 0.3);
        scene_throw(world, cloth, (double[3]) { 0, -3, 0 });
        scene_use(world, "explicit_euler", "");
        bool failed;
        double most = most_work(world, 40, 20, &failed);
        assert_true(failed);
        // The cloth of 21 x 21 has 1.1 million pairs, which it would look at several times in each substep.
        assert_true(most < 4e7);
        tide_world_destroy(world);
    }
}

static void test_a_stiff_cloth_at_a_long_timestep(void **state)
{
    (void)state;
    static const char *const methods[] = { "local_global", "newton" };
    for (int m = 0; m < 2; m++) {
        tide_world *world = scene_world(1.0 / 30, 9.81);
        scene_continuous(world);
        tide_body_id cloth = add_cloth(world, "cloth", 21, 0, 1e6);
        scene_sphere(world, "ball", (double[3]) { 0, -0.5, 0 }, 0.3, 0.3);
        scene_throw(world, cloth, (double[3]) { 0, -3, 0 });
        scene_use(world, methods[m], "iterations=5");
        bool failed;
        most_work(world, 8, 1, &failed);
        assert_false(failed);
        tide_world_destroy(world);
    }
}

// Forces of 1e7 N, velocities of 1e6 m/s, places 1e8 m apart, a collider at 1e8 m/s: some step, others diverge.
enum { FORCES, VELOCITIES, PLACES, COLLIDER, MEETING, VIOLENCES };

static void be_violent(tide_world *world, int violence, const tide_body_id *cloths, tide_collider_id ball,
                       tide_random *random)
{
    for (uint32_t b = 0; b < 3; b++)
        for (uint32_t i = 0; i < scene_size(world, cloths[b]); i++) {
            double v[3];
            for (int k = 0; k < 3; k++)
                v[k] = tide_random_uniform(random) - 0.5;
            for (int k = 0; k < 3; k++)
                v[k] *= violence == FORCES ? 1e7 : violence == PLACES ? 2e8 : 2e6;
            if (violence == FORCES)
                assert_ok(tide_world_add_force(world, cloths[b], i, v, &error), error);
            else if (violence == PLACES)
                memcpy(tide_world_positions(world, cloths[b]) + 3 * (size_t)i, v, sizeof v);
            else if (violence == VELOCITIES)
                memcpy(tide_world_velocities(world, cloths[b]) + 3 * (size_t)i, v, sizeof v);
        }
    for (uint32_t b = 0; b < 3 && violence == MEETING; b++)
        scene_throw(world, cloths[b], (double[3]) { 0, b ? -1e6 : 1e6, 0 });
    if (violence == COLLIDER)
        scene_move(world, ball, (double[3]) { 0, -3e6, 0 });
}

static void test_violence_is_bounded(void **state)
{
    (void)state;
    for (int violence = 0; violence < VIOLENCES; violence++)
        for (int m = 0; m < 2; m++) {
            tide_random random = tide_random_seed(7);
            tide_world *world = scene_world(1.0 / 30, 9.81);
            scene_continuous(world);
            tide_body_id cloths[3];
            static const char *const names[] = { "a", "b", "c" };
            for (uint32_t b = 0; b < 3; b++)
                cloths[b] = add_cloth(world, names[b], 9, 0.1 * b, 1e4);
            tide_collider_id ball = scene_sphere(world, "ball", (double[3]) { 0, 0.6, 0 }, 0.3, 0.3);
            scene_use(world, m ? "newton" : "local_global", "");
            be_violent(world, violence, cloths, ball, &random);
            bool failed;
            most_work(world, 3, 1, &failed);
            tide_world_destroy(world);
        }
}

// Places within 9e8 m of the origin are a motion that diverged; places beyond 1e9 m are refused.
static void test_far_places_are_told(void **state)
{
    (void)state;
    for (int continuous = 0; continuous < 2; continuous++)
        for (int beyond = 0; beyond < 2; beyond++) {
            tide_random random = tide_random_seed(3);
            tide_world *world = scene_world(1.0 / 30, 9.81);
            if (continuous)
                scene_continuous(world);
            tide_body_id cloth = add_cloth(world, "cloth", 9, 0, 100);
            double *x = tide_world_positions(world, cloth);
            for (uint32_t i = 0; i < 3 * scene_size(world, cloth); i++)
                x[i] = (beyond ? 1e12 : 9e8) * (2 * tide_random_uniform(&random) - 1);
            assert_int_equal(tide_world_step(world, &error), TIDE_ERROR_NUMERIC);
            assert_non_null(strstr(error.remedy, beyond ? "not within 1e9 m of the origin" : "diverged"));
            assert_true(beyond || (double)world->contacts->work.spent <= 1.01 * bound_of(world, 1));
            tide_world_destroy(world);
        }
}

typedef struct told {
    int count;
    char text[512];
} told;

static void note_press(tide_log_level level, const char *message, void *context)
{
    told *t = context;
    (void)level;
    if (!strstr(message, "press its folds together"))
        return;
    t->count++;
    snprintf(t->text, sizeof t->text, "%s", message);
}

static void ignore(tide_log_level level, const char *message, void *context)
{
    (void)level;
    (void)message;
    (void)context;
}

// Two planes crush a cloth: a warning names them before the step fails, and so does the failure. Pairs and work stay
// bounded.
static void test_a_press_is_named(void **state)
{
    (void)state;
    tide_world *world = scene_world(1.0 / 30, 9.81);
    scene_continuous(world);
    tide_body_def def = scene_body(0.3, 200, 1);
    def.self_collide = true;
    def.thickness = 0.08;
    scene_add(world, &def, "cloth", scene_cloth_mesh(11, 1));
    scene_plane(world, "floor", 0, 0.3);
    tide_collider_id left = scene_plane(world, "left", acos(0), 0.3),
                     right = scene_plane(world, "right", -acos(0), 0.3);
    told t = { 0 };
    tide_log_set_sink(note_press, &t);
    tide_status status = TIDE_OK;
    for (int frame = 0; frame < 30 && status == TIDE_OK; frame++) {
        double x = fmax(0.001, 0.6 - 0.06 * frame);
        scene_move(world, left, (double[3]) { -x, 0, 0 });
        scene_move(world, right, (double[3]) { x, 0, 0 });
        status = tide_world_step(world, &error);
        const tide_contact_work *work = &world->contacts->work;
        assert_true(world->contacts->search.watches.count <= work->most_pairs);
        assert_true((double)work->spent <= 1.01 * bound_of(world, 1)); // with that of the last operations
    }
    tide_log_set_sink(ignore, NULL);
    assert_int_equal(t.count, 1);
    assert_non_null(strstr(t.text, "body \"cloth\": colliders \"left\" and \"right\" press its folds together"));
    assert_int_equal(status, TIDE_ERROR_NUMERIC);
    assert_non_null(strstr(error.remedy, "colliders \"left\" and \"right\" press it together"));
    assert_non_null(strstr(error.remedy, "keep these colliders farther apart"));
    tide_world_destroy(world);
}

// The search ends when there are more pairs than allowed.
static void test_pairs_are_bounded(void **state)
{
    (void)state;
    tide_world *world = scene_world(1.0 / 30, 0);
    tide_body_id first = add_cloth(world, "first", 9, 0, 100);
    add_cloth(world, "second", 9, 0.011, 100);
    scene_throw(world, first, (double[3]) { 0, 1, 0 });
    assert_ok(tide_world_step(world, &error), error);
    assert_true(world->contacts->search.proximity->pair_count > 100);
    assert_true(world->contacts->work.most_pairs < 100000);
    world->contacts->work.most_pairs = 100;
    assert_int_equal(tide_world_step(world, &error), TIDE_ERROR_NUMERIC);
    assert_non_null(strstr(error.remedy, "more than 100 pairs of vertices, edges and triangles are close to contact"));
    tide_world_destroy(world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_blow_up_is_reported), cmocka_unit_test(test_a_stiff_cloth_at_a_long_timestep),
    cmocka_unit_test(test_far_places_are_told),   cmocka_unit_test(test_violence_is_bounded),
    cmocka_unit_test(test_a_press_is_named),      cmocka_unit_test(test_pairs_are_bounded),
};
TIDE_TEST_SUITE(world_contact_divergence, tests)

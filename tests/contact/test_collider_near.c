// Points proved clear of a collider are tested at many moments of their paths.
#include "../collision/collider_tests.h"
#include "contact/collider_near.h"

enum { POINTS = 60, LOOKS = 400 };

// The least gap on the way of a point from q at the step's start to x at its end.
static double least_gap(const tide_collider *collider, const double q[3], const double x[3], double radius)
{
    double least = INFINITY;
    for (int i = 0; i <= LOOKS; i++) {
        double t = (double)i / LOOKS, p[3];
        for (int k = 0; k < 3; k++)
            p[k] = q[k] + t * (x[k] - q[k]);
        least = fmin(least, tide_collider_gap(collider, t, p, NULL) - radius);
    }
    return least;
}

// Contacts of free points with one collider, and nothing else.
typedef struct scene {
    tide_contact_surface surface;
    tide_contact_part part;
    uint32_t part_of[POINTS];
    double inverse_masses[POINTS], from[3 * POINTS];
    tide_collider *colliders[1];
    tide_step step;
    tide_contacts contacts;
} scene;

static void set_up(scene *s, tide_collider *collider, double radius)
{
    *s = (scene) { .part = { .point_count = POINTS, .radius = radius, .against_colliders = true },
                   .colliders = { collider },
                   .step = { .from = 0, .to = 1 } };
    s->surface = (tide_contact_surface) { .point_count = POINTS, .part_count = 1 };
    s->surface.parts = &s->part;
    s->surface.part_of = s->part_of;
    s->surface.inverse_masses = s->inverse_masses;
    s->contacts = (tide_contacts) { .surface = &s->surface,
                                    .colliders = s->colliders,
                                    .collider_count = 1,
                                    .moving_count = POINTS,
                                    .step = &s->step,
                                    .from = s->from };
    for (int p = 0; p < POINTS; p++)
        s->inverse_masses[p] = 1;
    tide_error error;
    assert_ok(tide_collider_near_create(&s->contacts, &s->contacts.near, &error), error);
}

// Counts the paths that were proved clear.
static uint32_t check_points(scene *s, tide_random *random, double way)
{
    const tide_collider *collider = s->colliders[0];
    const tide_collider_near *near = s->contacts.near;
    uint32_t proved = 0;
    tide_collider_near_begin(&s->contacts);
    for (uint32_t p = 0; p < POINTS; p++) {
        double x[3], own[3], start[3], *q = s->from + 3 * (size_t)p;
        random_vector(random, way, x);
        for (int k = 0; k < 3; k++)
            x[k] += q[k];
        double moved = distance_between(x, q);
        assert_true(near->least[p] == near->clear[p]);
        bool clear = near->clear[p] > 0 && moved < (double)near->clear[p];
        tide_pose_apply_inverse(&near->paths[0].to, x, own);
        clear = clear || tide_nearness_proves(&near->pairs[p], &near->paths[0], own, moved);
        proved += clear;
        if (clear)
            assert_true(least_gap(collider, q, x, s->part.radius) >= 0);
        // A look at the end, for the steps to come.
        tide_pose_apply_inverse(&near->paths[0].from, q, start);
        double gap = tide_distance_at(collider->shape.distance, own, NULL) - collider->thickness - s->part.radius;
        tide_nearness_note(&near->pairs[p], &near->paths[0], own, gap / collider->shape.distance->steepest, start);
        memcpy(q, x, sizeof x);
    }
    return proved;
}

static void test_proofs_hold(void **state)
{
    (void)state;
    static const tide_shape_kind *const kinds[] = { &tide_shape_mesh,  &tide_shape_sphere,      &tide_shape_box,
                                                    &tide_shape_plane, &tide_shape_heightfield, &tide_shape_distance };
    tide_random random = tide_random_seed(12);
    shape_parts parts = make_parts();
    static scene s;
    const uint32_t trials = tide_test_count(12, 4);
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        uint32_t proved = 0;
        for (uint32_t trial = 0; trial < trials; trial++) {
            any_shape def;
            define(kinds[kind], &parts, &def);
            tide_collider *collider = make_collider(kinds[kind], &def, trial % 2 ? 0.03 : 0);
            set_up(&s, collider, trial % 3 ? 0.01 : 0);
            for (int i = 0; i < 3 * POINTS; i++)
                s.from[i] = random_in(&random, -1.5, 1.5);
            for (int step = 0; step < 12; step++) {
                tide_pose pose = collider->end, turn = { .position = { 0 } };
                double axis[3];
                random_vector(&random, 1, axis);
                tide_quaternion_from_axis_angle(axis, trial % 4 == 3 ? 1.5 : 0.1, turn.rotation);
                random_vector(&random, 0.05, turn.position);
                pose = tide_pose_compose(&turn, &pose);
                tide_error error;
                if (trial % 4 > 0)
                    assert_ok(tide_collider_move(collider, &pose, &error), error);
                proved += check_points(&s, &random, 0.03);
                tide_collider_end_motion(collider);
            }
            tide_free(s.contacts.near);
            tide_collider_destroy(collider);
        }
        assert_true(proved > trials * POINTS);
    }
    drop_parts(&parts);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_proofs_hold),
};
TIDE_TEST_SUITE(contact_collider_near, tests)

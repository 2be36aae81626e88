// Contacts in levels (contact/pair_levels.h): what contacts one after another would give, and the same bits of strands
// on one another and on a ball for any number of threads.
#include "contact/collider_near.h"
#include "world/contact_scenes.h"
#include "world/world_state.h"

#include <stdlib.h>

enum { PARTICLES = 300, CONTACTS = 4000, EARLY = 2500 };

static const int threads[] = { 1, 2, 3, 4, 8 };

// --- the order -------------------------------------------------------------------------------------------------------

typedef struct tally {
    const tide_contacts *c;
    double values[PARTICLES];
    int visits[CONTACTS];
} tally;

// Changes the values of the particles of a contact so that any other order of two that share one would show.
static double mix(void *context, uint32_t index)
{
    tally *t = context;
    const tide_contact_constraint *contact = &t->c->list.items[index];
    double sum = 1 + index;
    t->visits[index]++;
    for (int i = 0; i < tide_contact_corners(contact->kind); i++)
        sum += (1 + i) * t->values[contact->points[i]];
    for (int i = 0; i < tide_contact_corners(contact->kind); i++)
        t->values[contact->points[i]] = sum / (5 + i);
    return index;
}

static void make_contacts(tide_contacts *c, tide_random *random)
{
    for (uint32_t i = 0; i < CONTACTS; i++) {
        tide_contact_constraint *t = &c->list.items[i];
        t->kind = i % 3 ? TIDE_PAIR_POINTS : TIDE_PAIR_EDGES;
        for (uint32_t k = 0; k < 4; k++) // four different ones
            t->points[k] = (PARTICLES / 4) * k + (uint32_t)(tide_random_next(random) % (PARTICLES / 4));
    }
}

static void test_order(void **state)
{
    (void)state;
    tide_contacts *c = tide_allocate_zeroed(1, sizeof *c);
    tide_random random = tide_random_seed(7);
    c->levels = tide_own(c, tide_pair_levels_create(PARTICLES));
    c->list.items = tide_own_zeroed(c, CONTACTS, sizeof *c->list.items);
    tally *wanted = calloc(1, sizeof *wanted), *got = calloc(1, sizeof *got);
    for (int round = 0; round < 20; round++) {
        make_contacts(c, &random);
        *wanted = (tally) { .c = c };
        for (uint32_t i = 0; i < CONTACTS; i++)
            mix(wanted, i);
        for (int n = 0; n < 5; n++) {
            tide_set_threads(threads[n]);
            tide_pair_levels_forget(c->levels);
            for (c->list.count = round % 2 ? EARLY : CONTACTS;; c->list.count = CONTACTS) { // some come later
                assert_true(tide_pair_levels_take(c));
                *got = (tally) { .c = c };
                assert_near(tide_pair_levels_run(c->levels, mix, got), c->list.count - 1.0, 0);
                if (c->list.count == CONTACTS)
                    break;
            }
            for (uint32_t i = 0; i < CONTACTS; i++)
                assert_int_equal(got->visits[i], 1);
            assert_memory_equal(got->values, wanted->values, sizeof got->values);
        }
    }
    tide_set_threads(1);
    tide_pair_levels_forget(c->levels);
    c->list.count = 0;
    assert_true(tide_pair_levels_take(c));
    assert_near(tide_pair_levels_run(c->levels, mix, got), 0, 0);
    free(wanted);
    free(got);
    tide_free(c);
}

// --- strands ---------------------------------------------------------------------------------------------------------

// Strands that fall on one another and on a ball.
static tide_world *falling_strands(const char *method)
{
    tide_world *world = scene_world(1.0 / 120, 9.81);
    scene_use(world, method, "");
    tide_body_def def = scene_body(0.2, 40, 0.5);
    def.radius = 0.006;
    def.friction = 0.3;
    def.self_collide = true;
    scene_sphere(world, "ball", (double[3]) { 0.02, -0.21, 0.01 }, 0.1, 0.4);
    tide_mesh *mesh = scene_brush_mesh(8, 0.125, 12, 0.16);
    scene_turn_mesh(&mesh, (double[3]) { 1, 0, 0.3 }, 1.5);
    scene_add(world, &def, "strands", mesh);
    return world;
}

static void test_threads(void **state)
{
    (void)state;
    static const char *const methods[] = { "local_global", "vbd", "xpbd", "symplectic_euler" };
    for (int m = 0; m < 4; m++) {
        uint64_t first = 0;
        for (int i = 0; i < 5; i++) {
            tide_set_threads(threads[i]);
            tide_world *world = falling_strands(methods[m]);
            size_t pairs = 0, with_ball = 0;
            for (int frame = 0; frame < 30; frame++) {
                fixture_step(world, 1);
                pairs = world->contacts->list.pair_count > pairs ? world->contacts->list.pair_count : pairs;
                with_ball =
                    world->contacts->near->contact_count > with_ball ? world->contacts->near->contact_count : with_ball;
            }
            assert_true(pairs > 200 && with_ball > 50);
            assert_non_null(world->contacts->levels);
            first = i == 0 ? fixture_hash(world) : first;
            assert_int_equal(fixture_hash(world), first);
            tide_world_destroy(world);
        }
    }
    tide_set_threads(1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_order),
    cmocka_unit_test(test_threads),
};
TIDE_TEST_SUITE(world_contact_levels, tests)

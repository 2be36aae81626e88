// Contacts in colours (contact/pair_colours.h): the same bits for any number of threads and any width of vectors, the
// laws of contact as solved one after another, momentum, and the overlap that a step leaves.
#include "base/processor.h"
#include "contact/contacts_state.h"
#include "world/certificate.h"
#include "world/contact_scenes.h"
#include "world/world_state.h"

enum { SIDE = 9, CLOTHS = 4, COLOURS = 64 };

static tide_error error;

static tide_world *falling_cloths(double gravity)
{
    tide_world *world = scene_world(1.0 / 120, gravity);
    scene_continuous(world);
    scene_use(world, "vbd", "");
    tide_body_def def = scene_body(0.05, 100, 2);
    def.thickness = 0.01;
    def.friction = 0.4;
    def.self_collide = true;
    if (gravity > 0)
        scene_plane(world, "floor", 0, 0.5);
    for (int i = 0; i < CLOTHS; i++) {
        char name[32];
        snprintf(name, sizeof name, "cloth %d", i + 1);
        tide_mesh *mesh = scene_cloth_mesh(SIDE, 0.25);
        scene_turn_mesh(&mesh, (double[3]) { 0, 1, 0 }, 0.4 * i);
        scene_move_mesh(&mesh, (double[3]) { 0, 0.0104 * (i + 1), 0 });
        scene_add(world, &def, name, mesh);
    }
    return world;
}

static void test_threads(void **state)
{
    (void)state;
    static const int threads[] = { 1, 2, 3, 4, 8 };
    uint64_t first = 0;
    for (int i = 0; i < 5; i++) {
        tide_set_threads(threads[i]);
        tide_world *world = falling_cloths(9.81);
        fixture_step(world, 40);
        assert_non_null(world->contacts->colours);
        assert_true(world->contacts->list.pair_count > 500);
        tide_certificate found;
        assert_ok(tide_world_certify(world, &found, &error), error);
        assert_true(found.complete && found.count == 0);
        first = i == 0 ? fixture_hash(world) : first;
        assert_int_equal(fixture_hash(world), first);
        tide_world_destroy(world);
    }
    tide_set_threads(1);
}

static void test_vectors(void **state)
{
    (void)state;
    uint64_t hashes[2];
    double moved[2] = { 0 };
    for (int i = 0; i < 2; i++) {
        tide_world *world = falling_cloths(9.81);
        fixture_step(world, 30);
        tide_contacts *c = world->contacts;
        tide_vector_bits_limit(i == 0 ? 128 : 0);
        for (uint32_t n = 0; n < 3 * world->particle_count; n++)
            world->positions[n] += 1e-4 * sin(0.7 * n);
        tide_pair_contacts_follow(c, world->positions);
        assert_true(tide_pair_colours_take(c));
        for (int sweep = 0; sweep < 3; sweep++)
            moved[i] = tide_pair_colours_sweep(c, true, world->positions, NULL, world->velocities);
        tide_pair_colours_give_back(c);
        tide_vector_bits_limit(0);
        hashes[i] = fixture_hash(world);
        tide_world_destroy(world);
    }
    assert_true(moved[0] > 1e-6 && moved[0] == moved[1]);
    assert_true(hashes[0] == hashes[1]);
}

// Returns how deep the sides of two cloths overlap, m.
static double find_overlap(const tide_contacts *c)
{
    double deepest = 0;
    for (uint32_t i = 0; i < c->search.watches.count; i++) {
        const tide_contact_pair pair = tide_proximity_pair(c->search.proximity, i);
        tide_contact_gap g;
        tide_proximity_gap(&pair, c->to, &g);
        deepest = g.near ? fmax(deepest, -g.gap) : deepest;
    }
    return deepest;
}

static void test_overlap(void **state)
{
    (void)state;
    tide_world *world = falling_cloths(9.81);
    double deepest = 0;
    for (int frame = 0; frame < 60; frame++) {
        fixture_step(world, 1);
        if (frame >= 20) // at rest
            deepest = fmax(deepest, find_overlap(world->contacts));
    }
    assert_true(world->contacts->end_tolerance == 1e-3 * 0.01);
    assert_true(deepest > 0 && deepest < 5 * world->contacts->end_tolerance);
    tide_world_destroy(world);
}

static bool is_solved(const tide_contact_constraint *t)
{
    return tide_contact_is_pair(t) && t->normal_fixed && t->kind != TIDE_PAIR_POINTS && t->inverse_mass > 0;
}

// Solves one contact by the laws, and moves x. Returns the largest change of a coordinate.
static double solve_one(const tide_contacts *c, tide_contact_constraint *t, double *x)
{
    double slip[3] = { 0 }, gap = -t->distance, change[3], most = 0;
    for (int i = 0; i < 4; i++)
        for (size_t k = 0; k < 3; k++)
            slip[k] += t->weights[i] * x[3 * (size_t)t->points[i] + k];
    for (int k = 0; k < 3; k++) {
        gap += t->kept.normal[k] * slip[k];
        slip[k] -= t->base[k];
    }
    const tide_friction friction = { t->friction, t->friction, { 0 } };
    tide_contact_solve(t->kept.accumulated, t->kept.normal, gap, slip, t->inverse_mass, &friction, true, change);
    for (int i = 0; i < 4; i++)
        for (size_t k = 0; k < 3; k++) {
            double by = t->weights[i] * c->surface->inverse_masses[t->points[i]] * change[k];
            x[3 * (size_t)t->points[i] + k] += by;
            most = fmax(most, fabs(by));
        }
    return most;
}

// Gives each contact the first colour that none of its particles has; -1: all are taken. Returns their number.
static int colour_all(const tide_contacts *c, int *colours)
{
    int most = 0;
    TIDE_SCOPED uint64_t *used = tide_allocate_zeroed(c->particle_count, sizeof *used);
    assert_non_null(used);
    for (size_t i = 0; i < c->list.count; i++) {
        const tide_contact_constraint *t = &c->list.items[i];
        uint64_t taken = 0;
        colours[i] = is_solved(t) ? 0 : -1;
        for (int k = 0; k < 4; k++)
            taken |= used[t->points[k]];
        while (colours[i] >= 0 && colours[i] < COLOURS && taken >> colours[i] & 1)
            colours[i]++;
        if (colours[i] == COLOURS)
            colours[i] = -1;
        for (int k = 0; k < 4 && colours[i] >= 0; k++)
            used[t->points[k]] |= (uint64_t)1 << colours[i];
        most = colours[i] >= most ? colours[i] + 1 : most;
    }
    return most;
}

// Sweeps in colours and contacts solved one by one in that order, by the laws as written for one: the same motion and
// impulses, but for rounding.
static void test_laws(void **state)
{
    (void)state;
    tide_world *world = falling_cloths(9.81);
    fixture_step(world, 30);
    tide_contacts *c = world->contacts;
    size_t size = 3 * world->particle_count * sizeof(double);
    TIDE_SCOPED double *x = tide_copy_bytes(world->positions, size),
                       *expected = tide_copy_bytes(world->positions, size),
                       *y = tide_copy_bytes(world->positions, size);
    TIDE_SCOPED int *colours = tide_allocate_array(c->list.count, sizeof *colours);
    assert_true(x && expected && y && colours);
    for (uint32_t i = 0; i < 3 * world->particle_count; i++)
        x[i] = expected[i] += 1e-4 * sin(0.7 * i); // something to solve
    tide_pair_contacts_follow(c, x);
    assert_true(tide_pair_colours_take(c));
    double moved[2] = { 0 };
    for (int sweep = 0; sweep < 3; sweep++)
        moved[0] = tide_pair_colours_sweep(c, true, x, y, NULL);
    TIDE_SCOPED tide_contact_constraint *pairs = tide_copy_bytes(c->list.items, c->list.count * sizeof *pairs);
    assert_non_null(pairs);
    tide_pair_colours_give_back(c);
    int count = colour_all(c, colours);
    assert_in_range(count, 8, COLOURS);
    uint32_t rest, taken = 0;
    tide_pair_colours_rest(c, &rest);
    for (int sweep = 0; sweep < 3; sweep++) {
        moved[1] = 0;
        for (int colour = 0; colour < count; colour++)
            for (size_t i = 0; i < c->list.count; i++)
                if (colours[i] == colour)
                    moved[1] = fmax(moved[1], solve_one(c, &pairs[i], expected));
    }
    for (uint32_t i = 0; i < 3 * world->particle_count; i++) {
        assert_true(fabs(x[i] - expected[i]) < 1e-15 && x[i] == c->to[i]);
        assert_true(fabs(y[i] - world->positions[i] - (x[i] - world->positions[i] - 1e-4 * sin(0.7 * i))) < 1e-15);
    }
    for (size_t i = 0; i < c->list.count; i++) {
        taken += colours[i] >= 0;
        for (int k = 0; k < 3; k++)
            assert_true(fabs(c->list.items[i].kept.accumulated[k] - pairs[i].kept.accumulated[k]) < 1e-15);
    }
    assert_true(moved[0] > 1e-6 && fabs(moved[0] - moved[1]) < 1e-15);
    assert_true(rest + taken == c->list.pair_count && taken > 500);
    tide_world_destroy(world);
}

static void momentum_of(tide_world *world, double p[3])
{
    memset(p, 0, 3 * sizeof *p);
    for (uint32_t i = 0; i < world->particle_count; i++)
        for (size_t k = 0; k < 3; k++)
            p[k] += world->velocities[3 * (size_t)i + k] * 0.05 / (SIDE * SIDE);
}

// Free cloths that meet: impulses between them are opposite.
static void test_momentum(void **state)
{
    (void)state;
    tide_world *world = falling_cloths(0);
    for (uint32_t body = 1; body <= CLOTHS; body++)
        scene_throw(world, (tide_body_id) { body, 1 }, (double[3]) { 0.1 * body, -0.3 * body, 0.05 });
    double before[3], after[3];
    momentum_of(world, before);
    size_t most = 0;
    for (int frame = 0; frame < 30; frame++) {
        fixture_step(world, 1);
        most = world->contacts->list.pair_count > most ? world->contacts->list.pair_count : most;
    }
    momentum_of(world, after);
    assert_true(most > 100);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(after[k] - before[k]) < 1e-9);
    tide_world_destroy(world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_threads), cmocka_unit_test(test_vectors),  cmocka_unit_test(test_overlap),
    cmocka_unit_test(test_laws),    cmocka_unit_test(test_momentum),
};
TIDE_TEST_SUITE(world_contact_colours, tests)

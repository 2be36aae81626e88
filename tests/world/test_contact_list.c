// The list of all contacts (contact/constraint_list.c): its order, its links to what detection keeps, and what it
// drops.
#include "contact/collider_near.h"
#include "contact/contact_history.h"
#include "world/contact_scenes.h"
#include "world/snapshot.h"
#include "world/world_state.h"

enum { SIDE = 6, CLOTHS = 4, FRAMES = 90 };

static tide_error error;

// Cloths that fall on a ball, slide off it and come to lie on a floor: contacts of all kinds come and go.
static tide_world *cloths_on_a_ball(const char *solver)
{
    tide_world *world = scene_world(1.0 / 120, 9.81);
    scene_use(world, solver, "");
    scene_plane(world, "floor", 0, 0.5);
    scene_sphere(world, "ball", (double[3]) { 0.02, 0.03, 0 }, 0.03, 0.1);
    for (int i = 0; i < CLOTHS; i++) {
        char name[24];
        snprintf(name, sizeof name, "cloth %d", i);
        tide_body_def def = scene_body(0.005, 120, 3);
        def.thickness = 0.006;
        tide_mesh *mesh = scene_cloth_mesh(SIDE, 0.02 * (SIDE - 1));
        scene_move_mesh(&mesh, (double[3]) { 0.004 * i, 0.066 + 0.008 * i, 0.002 * i });
        scene_add(world, &def, name, mesh);
    }
    return world;
}

static bool comes_before(const tide_contact_constraint *a, const tide_contact_constraint *b)
{
    return a->kind != b->kind ? a->kind < b->kind : a->kept.key < b->kept.key;
}

static void check_collider_contact(const tide_contacts *c, uint32_t index)
{
    const tide_contact_constraint *t = &c->list.items[index];
    assert_true(t->found < c->near->contact_count);
    const tide_collider_contact *own = &c->near->contacts[t->found];
    assert_int_equal(own->contact, index);
    assert_int_equal(t->found, index); // they come first, in one order
    assert_true(t->points[0] == own->point && t->collider == own->collider && t->weights[0] == 1);
    assert_int_equal(t->kept.key, (uint64_t)own->collider * c->moving_count + own->point);
    assert_ptr_equal(tide_contact_with(c, own->collider, own->point), t);
}

static void check_pair(const tide_contacts *c, uint32_t index)
{
    const tide_contact_constraint *t = &c->list.items[index];
    assert_true(index >= c->near->contact_count && t->kind <= TIDE_PAIR_EDGES);
    if (index > c->near->contact_count)
        assert_true(comes_before(t - 1, t));
    if (c->search.found == TIDE_PAIRS_NONE)
        return;
    assert_true(t->found < c->search.watches.count);
    assert_int_equal(c->search.watches.items[t->found].contact, index + 1);
}

static void check_list(const tide_contacts *c)
{
    uint32_t slots = 0;
    assert_int_equal(c->list.count, c->list.pair_count + c->near->contact_count);
    for (uint32_t i = 0; i < c->list.count; i++)
        if (tide_contact_is_pair(&c->list.items[i]))
            check_pair(c, i);
        else
            check_collider_contact(c, i);
    for (uint32_t p = 0; p < c->moving_count; p++) {
        uint32_t own = 0;
        for (uint32_t k = 0; k < c->collider_count; k++)
            own += c->near->slots[(size_t)p * c->collider_count + k] != 0;
        assert_int_equal(own, c->near->slot_counts[p]);
        slots += own;
    }
    assert_int_equal(slots, c->near->contact_count);
}

// What has happened to the contacts with colliders while there were others.
typedef struct changes {
    bool came, went;
} changes;

static void note_changes(changes *seen, const tide_contacts *c, size_t before)
{
    seen->came |= c->list.pair_count > 0 && c->near->contact_count > before;
    seen->went |= c->list.pair_count > 0 && c->near->contact_count < before;
}

static void test_order_and_links(void **state)
{
    (void)state;
    static const char *const solvers[] = { "vbd", "local_global", "newton", "semi_implicit" };
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        tide_world *world = cloths_on_a_ball(solvers[s]);
        changes seen = { 0 };
        size_t before = 0;
        for (int frame = 0; frame < FRAMES; frame++) {
            fixture_step(world, 1);
            check_list(world->contacts);
            note_changes(&seen, world->contacts, before);
            before = world->contacts->near->contact_count;
        }
        if (!seen.came || !seen.went)
            fail_msg("%s: contacts with colliders did not come and go", solvers[s]);
        tide_world_destroy(world);
    }
}

// A history whose contacts with colliders come last is put in order, and leads to the same step but for rounding.
static void test_other_order_in_history(void **state)
{
    (void)state;
    tide_world *world = cloths_on_a_ball("local_global");
    fixture_step(world, 40);
    tide_snapshot *good;
    assert_ok(tide_world_snapshot(world, &good, &error), error);
    fixture_step(world, 1);
    size_t size = 3 * (size_t)world->particle_count * sizeof(double);
    TIDE_SCOPED double *expected = tide_copy_bytes(world->positions, size);
    assert_ok(tide_world_restore(world, good, &error), error);
    tide_contact_history_header header;
    memcpy(&header, world->contact_history.bytes, sizeof header);
    tide_contact_history_entry *entries =
        (tide_contact_history_entry *)((char *)world->contact_history.bytes + sizeof header);
    size_t entry = sizeof *entries, pairs = 0;
    while (pairs < header.pairs && entries[header.colliders + pairs].kind < TIDE_HISTORY_COLLIDER)
        pairs++;
    assert_true(header.colliders > 5 && pairs > 20);
    TIDE_SCOPED tide_contact_history_entry *colliders = tide_copy_bytes(entries, header.colliders * entry);
    memmove(entries, entries + header.colliders, pairs * entry);
    memcpy(entries + pairs, colliders, header.colliders * entry);
    world->contact_history_awaits = true;
    assert_ok(tide_world_update_contacts(world, &error), error);
    assert_true(tide_contact_is_pair(&world->contacts->list.items[0]));
    fixture_step(world, 1);
    check_list(world->contacts);
    for (uint32_t i = 0; i < 3 * world->particle_count; i++)
        assert_true(fabs(world->positions[i] - expected[i]) < 1e-9);
    tide_snapshot_destroy(good);
    tide_world_destroy(world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_order_and_links),
    cmocka_unit_test(test_other_order_in_history),
};
TIDE_TEST_SUITE(world_contact_list, tests)

// The notice of the changes of a reload.
#include "world/fixture.h"

#include "base/memory.h"
#include "collision/shape.h"
#include "linear/failing.h"
#include "world/reconciliation_text.h"

#include <stdio.h>
#include <string.h>

static tide_error error;
static tide_text notice;

// The description of the world of these tests; each test changes part of it.
typedef struct description {
    int side, pins;
    double stiffness, bend, mass, radius, height;
    const double *stiffness_at;
    const char *more, *solver, *option, *value; // more: a body's name
    bool ball, flag;
    tide_world_settings settings;
} description;

static description plain(void)
{
    return (description) { .side = 5,
                           .pins = 2,
                           .stiffness = 80,
                           .bend = 20,
                           .mass = 1,
                           .radius = 0.2,
                           .ball = true,
                           .settings = tide_world_settings_default() };
}

static void add_ball(tide_world *world, const description *is)
{
    tide_shape_sphere_def sphere;
    tide_shape_default(&tide_shape_sphere, &sphere);
    sphere.radius = is->radius;
    sphere.position[1] = is->height - 5;
    tide_collider_def def = tide_collider_def_default();
    tide_collider_id id;
    def.name = "ball";
    def.shape = &tide_shape_sphere;
    def.definition = &sphere;
    assert_ok(tide_world_add_collider(world, &def, &id, &error), error);
}

static tide_world *make(const description *is, const tide_world *predecessor)
{
    const tide_mesh *mesh = fixture_grid(is->side, is->side), *small = fixture_grid(2, 2);
    tide_world *world = fixture_world(&is->settings, predecessor);
    tide_body_def def = fixture_cloth("curtain", mesh);
    tide_body_id id;
    def.stiffness = is->stiffness_at ? TIDE_NOT_GIVEN : is->stiffness;
    def.stiffness_at = is->stiffness_at;
    def.bend = is->bend;
    def.mass = is->mass;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    for (int pin = 0; pin < is->pins; pin++)
        assert_ok(tide_world_pin(world, id, (uint32_t)(pin * (is->side - 1)), TIDE_NOT_GIVEN, &error), error);
    const char *names[] = { is->more, is->flag ? "flag" : NULL };
    for (int n = 0; n < 2; n++) {
        def = fixture_cloth(names[n], small);
        if (names[n])
            assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    }
    if (is->ball)
        add_ball(world, is);
    if (is->solver)
        fixture_use(world, is->solver, is->option, is->value);
    tide_mesh_release(mesh);
    tide_mesh_release(small);
    return world;
}

// Returns the notice of going from one to the other, without the time of the factor.
static const char *told(const description *from, const description *to, tide_reconciliation *reconciliation)
{
    tide_world *old = make(from, NULL);
    fixture_step(old, 3);
    tide_world *world = make(to, old);
    assert_ok(tide_world_reconcile_with_notice(world, old, reconciliation, &notice, &error), error);
    tide_world_destroy(old);
    tide_world_destroy(world);
    char *end = strstr(notice.bytes, "refactored in ");
    if (end) {
        double milliseconds;
        assert_int_equal(sscanf(end, "refactored in %lf ms", &milliseconds), 1);
        assert_near(milliseconds, 1e3 * reconciliation->seconds, 0.5);
        end[strlen("refactored")] = '\0';
    }
    assert_int_equal(end != NULL, reconciliation->refactored);
    return notice.bytes;
}

static void test_each_thing_that_changes_is_told(void **state)
{
    (void)state;
    tide_reconciliation reconciliation;
    double each[25];
    for (int i = 0; i < 25; i++)
        each[i] = 80 + i;
    description old = plain();
    assert_string_equal(told(&old, &old, &reconciliation), "nothing changed");

#define TOLD(change, text)                                                                                             \
    do {                                                                                                               \
        description now = plain();                                                                                     \
        change;                                                                                                        \
        assert_string_equal(told(&old, &now, &reconciliation), text);                                                  \
    } while (0)
    TOLD(now.stiffness = 200, "curtain: stiffness 80 -> 200 N/m; refactored");
    TOLD(now.bend = TIDE_NOT_GIVEN, "curtain: bend 20 -> none N/m; refactored");
    TOLD(now.stiffness_at = each, "curtain: stiffness 80 -> none N/m; refactored");
    TOLD((now.stiffness = 200, now.mass = 2), "curtain: mass 1 -> 2 kg, stiffness 80 -> 200 N/m; refactored");
    TOLD(now.pins = 3, "curtain: 2 -> 3 pins; refactored");
    TOLD(now.pins = 1, "curtain: 2 -> 1 pin; refactored");
    TOLD(now.side = 9, "curtain: 25 -> 81 vertices, shape kept; refactored");
    assert_int_equal(reconciliation.rebuilt, 1);
    TOLD(now.height = 1, "ball: moved");
    TOLD(now.radius = 0.25, "ball: size or shape changed");
    TOLD(now.ball = false, "removed: ball");
    TOLD((now.ball = false, now.more = "net"), "new: net\nremoved: ball\nrefactored");
    TOLD(now.settings.timestep = 0.01, "scene: timestep 0.0333333 -> 0.01 s; refactored");
    TOLD((now.settings.gravity[1] = -1.62, now.settings.drag = 0.5),
         "scene: gravity (0, -9.81, 0) -> (0, -1.62, 0) m/s^2, drag 0 -> 0.5 1/s");
    TOLD(now.settings.contact.sweeps = 9, "contact: sweeps 4 -> 9");
    TOLD((now.stiffness = 200, now.height = 1), "curtain: stiffness 80 -> 200 N/m\nball: moved\nrefactored");
    TOLD(now.solver = "newton", "solver: local_global -> newton; refactored");
    TOLD((now.solver = "local_global", now.option = "iterations", now.value = "25"), "solver: iterations 10 -> 25");
#undef TOLD
}

static void test_what_each_vertex_was_given(void **state)
{
    (void)state;
    tide_reconciliation reconciliation;
    double each[25], other[25];
    for (int i = 0; i < 25; i++)
        each[i] = other[i] = 80 + i;
    other[7] = 300;
    description old = plain(), now = plain();
    old.stiffness_at = each;
    now.stiffness_at = other;
    assert_string_equal(told(&old, &now, &reconciliation), "curtain: springs changed; refactored");
    now.stiffness_at = each;
    assert_string_equal(told(&old, &now, &reconciliation), "nothing changed");
}

static tide_body_id add(tide_world *world, const tide_mesh *mesh, const char *name)
{
    tide_body_def def = fixture_cloth(name, mesh);
    tide_body_id id;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    return id;
}

static void test_pins_and_shapes_that_are_elsewhere(void **state)
{
    (void)state;
    const tide_mesh *mesh = fixture_grid(4, 4);
    tide_mesh *raised, *joined;
    tide_mesh_parts parts = tide_mesh_view(mesh);
    double vertices[48];
    for (int i = 0; i < 48; i++)
        vertices[i] = mesh->vertices[i] + (i % 3 == 1);
    parts.vertices = vertices;
    assert_ok(tide_mesh_create(&parts, &raised, &error), error);
    parts = tide_mesh_view(mesh);
    parts.skip_count = 0;
    parts.edge_count = 0; // those of the triangles
    parts.triangle_count--;
    assert_ok(tide_mesh_create(&parts, &joined, &error), error);
    static const struct {
        int pinned, raised;
        double stiffness;
        const char *text;
    } cases[] = {
        { 0, 0, TIDE_NOT_GIVEN, "nothing changed" },
        { 3, 0, TIDE_NOT_GIVEN, "cloth: other pins" },
        { 0, 0, 50, "cloth: stiffness of pins changed" },
        { 0, 1, TIDE_NOT_GIVEN, "cloth: rest shape changed" },
        { 0, 2, TIDE_NOT_GIVEN, "cloth: connectivity changed, shape kept" },
        { 0, 3, TIDE_NOT_GIVEN, "cloth: 16 -> 36 vertices, shape kept" },
        { 0, 4, TIDE_NOT_GIVEN, "cloth: 16 -> 2 vertices, starts anew: it is not where the old one was" },
    };
    const double far[6] = { 9, 9, 9, 9, 9, 8 };
    const tide_mesh *finer = fixture_grid(6, 6);
    tide_mesh *away;
    const uint32_t edge[2] = { 0, 1 };
    const tide_mesh_parts two = { .vertex_count = 2, .vertices = far, .edge_count = 1, .edges = edge };
    assert_ok(tide_mesh_create(&two, &away, &error), error);
    const tide_mesh *meshes[] = { mesh, raised, joined, finer, away };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        tide_reconciliation reconciliation;
        tide_world *old = fixture_world(NULL, NULL);
        assert_ok(tide_world_pin(old, add(old, mesh, "cloth"), 0, TIDE_NOT_GIVEN, &error), error);
        tide_world *world = fixture_world(NULL, old);
        tide_body_def def = fixture_cloth("cloth", meshes[cases[c].raised]);
        tide_body_id id;
        if (!def.mesh->triangle_count)
            def.bend = TIDE_NOT_GIVEN;
        assert_ok(tide_world_add_body(world, &def, &id, &error), error);
        assert_ok(tide_world_pin(world, id, (uint32_t)cases[c].pinned, cases[c].stiffness, &error), error);
        assert_ok(tide_world_reconcile_with_notice(world, old, &reconciliation, &notice, &error), error);
        if (cases[c].raised == 4)
            assert_non_null(strstr(notice.bytes, "starts anew: it is not where the old one was"));
        else
            assert_int_equal(strncmp(notice.bytes, cases[c].text, strlen(cases[c].text)), 0);
        tide_world_destroy(old);
        tide_world_destroy(world);
    }
    tide_mesh_release(mesh);
    tide_mesh_release(raised);
    tide_mesh_release(joined);
    tide_mesh_release(finer);
    tide_mesh_release(away);
}

static void test_long_lists_of_names_are_cut(void **state)
{
    (void)state;
    const tide_mesh *mesh = fixture_grid(2, 2);
    tide_world *old = fixture_world(NULL, NULL), *world = fixture_world(NULL, old);
    tide_reconciliation reconciliation;
    for (int b = 0; b < 8; b++) {
        char name[32];
        snprintf(name, sizeof name, "hair %d", b);
        add(world, mesh, name);
    }
    assert_ok(tide_world_reconcile_with_notice(world, old, &reconciliation, &notice, &error), error);
    const char expected[] = "new: hair 0, hair 1, hair 2, hair 3, hair 4 and 3 more";
    assert_int_equal(strncmp(notice.bytes, expected, strlen(expected)), 0);
    tide_world_destroy(old);
    tide_world_destroy(world);
    tide_mesh_release(mesh);
}

// A notice that finds no memory does not make the reconciliation fail; all else that finds none leaves both worlds as
// they were.
static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    tide_reconciliation reconciliation;
    tide_status status = TIDE_ERROR_MEMORY;
    int without_notice = 0;
    notice.failed = true;
    for (uint64_t n = 0; status != TIDE_OK || notice.failed; n++) {
        tide_world *old = fixture_curtain(3, NULL), *world = fixture_curtain(5, old);
        fixture_step(old, 2);
        uint64_t hash = fixture_hash(old);
        failing_allocation failing = { .left = n };
        tide_text_free(&notice);
        tide_memory_set_failure_hook(fail_in_turn, &failing);
        status = tide_world_reconcile_with_notice(world, old, &reconciliation, &notice, &error);
        tide_memory_set_failure_hook(NULL, NULL);
        assert_true(status == TIDE_OK || status == TIDE_ERROR_MEMORY);
        if (status != TIDE_OK)
            assert_int_equal(fixture_hash(old), hash);
        else if (notice.failed)
            without_notice++;
        tide_world_destroy(old);
        tide_world_destroy(world);
    }
    assert_true(without_notice >= 1);
    assert_int_equal(strncmp(notice.bytes, "curtain: 9 -> 25 vertices, shape kept", 37), 0);
}

static int free_notice(void **state)
{
    (void)state;
    tide_text_free(&notice);
    return 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_each_thing_that_changes_is_told),
    cmocka_unit_test(test_what_each_vertex_was_given),
    cmocka_unit_test(test_pins_and_shapes_that_are_elsewhere),
    cmocka_unit_test(test_long_lists_of_names_are_cut),
    cmocka_unit_test_teardown(test_every_allocation_may_fail, free_notice),
};
TIDE_TEST_SUITE(world_reconciliation_text, tests)

// The certificate of a world: what it names, that it changes nothing, its memory, and runs that it finds clean.
#include "world/certificate.h"

#include "linear/failing.h"
#include "world/contact_scenes.h"

static tide_error error;

static tide_certificate certify(tide_world *world)
{
    tide_certificate found;
    assert_ok(tide_world_certify(world, &found, &error), error);
    assert_true(found.complete);
    return found;
}

static tide_body_id add_cloth(tide_world *world, const char *name, int side, double height)
{
    tide_body_def def = scene_body(1, 50, 0);
    def.thickness = 0.01;
    tide_mesh *mesh = scene_cloth_mesh(side, 1);
    scene_move_mesh(&mesh, (double[3]) { 0, height, 0 });
    return scene_add(world, &def, name, mesh);
}

static void test_a_corner_through_a_cloth(void **state)
{
    (void)state;
    tide_world *world = scene_world(1.0 / 60, 0);
    add_cloth(world, "lower", 5, 0);
    tide_body_id upper = add_cloth(world, "upper", 4, 0.1);
    assert_true(tide_certificate_is_clean(&(tide_certificate) { .complete = true }));
    tide_certificate clean = certify(world);
    assert_true(tide_certificate_is_clean(&clean));
    uint64_t before = fixture_hash(world);
    double *x = tide_world_positions(world, upper);
    x[0] = -0.43, x[1] = -0.02, x[2] = -0.48;
    uint64_t moved = fixture_hash(world);
    tide_certificate found = certify(world);
    assert_true(before != moved && fixture_hash(world) == moved); // the check changes nothing
    assert_true(found.count > 0 && found.count == found.of[TIDE_CROSSING_TRIANGLES] && found.let_pass == 0);
    assert_int_equal(found.listed, found.count);
    for (uint32_t i = 0; i < found.listed; i++) {
        tide_named_crossing crossing;
        tide_world_crossing(world, i, &crossing);
        assert_int_equal(crossing.body.index, 1);
        assert_int_equal(crossing.other.index, 2);
        assert_int_equal(crossing.collider.index, 0);
        assert_true(crossing.item < 2 && crossing.other_item < 2); // the triangles at the corners
        assert_near(crossing.place[1], 0, 1e-12);
    }
    char text[600], short_text[40];
    tide_certificate_write(world, &found, text, sizeof text);
    assert_non_null(strstr(text, "of body \"lower\" goes through triangle "));
    tide_certificate_write(world, &found, short_text, sizeof short_text); // is cut
    assert_int_equal(strncmp(text, short_text, sizeof short_text - 1), 0);
    assert_int_equal(tide_world_crossing_count(world), found.listed);
    fixture_step(world, 1);
    assert_int_equal(tide_world_crossing_count(world), 0); // they were of another frame
    tide_world_destroy(world);
}

// A solid with a fine surface is certified by that; a rigid one too.
static void test_fine_surfaces(void **state)
{
    (void)state;
    for (int rigid = 0; rigid < 2; rigid++) {
        tide_world *world = scene_world(1.0 / 60, 0);
        tide_body_def def = tide_body_def_default();
        tide_mesh *fine = scene_box_mesh((double[3]) { 0.4, 0.4, 0.4 }, (double[3]) { 6, 6, 6 });
        if (rigid)
            def.rigid = true, def.density = 100;
        else
            def.surface = fine, def.stiffness = 500;
        tide_body_id block =
            scene_add(world, &def, "block", scene_box_mesh((double[3]) { 0.4, 0.4, 0.4 }, (double[3]) { 2, 2, 2 }));
        tide_mesh_release(fine);
        tide_body_id cloth = add_cloth(world, "cloth", 3, 0.21);
        assert_int_equal(certify(world).count, 0);
        double *x = tide_world_positions(world, cloth);
        x[3 * 4 + 1] = 0.19; // its middle dips into the top
        tide_certificate found = certify(world);
        assert_true(found.count > 0);
        assert_true(found.first.body.index == block.index || found.first.other.index == block.index);
        tide_world_destroy(world);
    }
}

// A cloth that is thrown at a box: nothing goes through, with contact; without, it is in the box in frames 6 to 10,
// 0.22 m above its top at first, at 0.04 m a frame, and below it afterwards.
static void test_thrown(void **state)
{
    (void)state;
    for (int off = 0; off < 2; off++) {
        tide_world *world = scene_world(0.02, 0);
        scene_continuous(world);
        tide_body_def def = scene_body(0.2, 50, 1);
        def.thickness = 0.01;
        def.collide = off ? TIDE_COLLIDE_NONE : TIDE_COLLIDE_ALL;
        def.self_collide = true;
        tide_mesh *mesh = scene_cloth_mesh(12, 0.5);
        scene_move_mesh(&mesh, (double[3]) { 0, 0.22, 0 });
        tide_body_id cloth = scene_add(world, &def, "cloth", mesh);
        scene_box(world, "box", (double[3]) { 0, -0.1, 0 }, (double[3]) { 0.2, 0.2, 0.2 }, 0, 0.3);
        double *v = tide_world_velocities(world, cloth);
        for (int i = 0; i < 12 * 12; i++)
            v[3 * i + 1] = -2;
        for (uint64_t frame = 1; frame <= 12; frame++) {
            fixture_step(world, 1);
            tide_certificate found = certify(world);
            assert_int_equal(found.frame, frame);
            assert_int_equal(tide_certificate_is_clean(&found), !off || frame < 6 || frame > 10);
            assert_true(found.count == 0 || found.first.collider.index == 1);
            assert_int_equal(found.let_pass, found.count);
        }
        tide_world_destroy(world);
    }
}

static tide_status call_certify(void *world, tide_error *failure)
{
    tide_certificate found;
    return tide_world_certify(world, &found, failure);
}

static void test_memory(void **state)
{
    (void)state;
    tide_world *world = scene_world(1.0 / 60, 10);
    add_cloth(world, "lower", 5, 0.2);
    tide_body_id upper = add_cloth(world, "upper", 4, 0.3);
    scene_plane(world, "floor", 0, 0.3);
    scene_box(world, "box", (double[3]) { 0, -1, 0 }, (double[3]) { 0.2, 0.2, 0.2 }, 0, 0.3);
    fixture_step(world, 1);
    tide_certificate found;
    assert_true(fail_each_allocation(call_certify, world) > 15);
    uint64_t before = tide_memory_count().allocations;
    certify(world);
    assert_int_equal(tide_memory_count().allocations, before);
    tide_world_positions(world, upper)[1] = NAN;
    assert_fails(tide_world_certify(world, &found, &error), error, "finite");
    tide_world_destroy(world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_corner_through_a_cloth),
    cmocka_unit_test(test_fine_surfaces),
    cmocka_unit_test(test_thrown),
    cmocka_unit_test(test_memory),
};
TIDE_TEST_SUITE(world_certificate, tests)

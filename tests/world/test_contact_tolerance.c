// Minimisations meet their tolerance in contact.
#include "world/contact_scenes.h"
#include "world/internal.h"

static tide_error error;

// A box falls on a plane. As it first touches nothing is deformed, and |grad g(y)| is 1e-14 kg m: the tolerance is
// relative to the contact forces there.
static void test_a_tolerance_is_met_at_the_first_touch(void **state)
{
    (void)state;
    static const char *const methods[] = { "newton" };
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        tide_world *world = scene_world(1.0 / 60, 9.81);
        tide_body_def def = scene_body(64, 20000, TIDE_NOT_GIVEN);
        tide_mesh *mesh = scene_box_mesh((double[3]) { 0.4, 0.4, 0.4 }, (double[3]) { 3, 3, 3 });
        scene_move_mesh(&mesh, (double[3]) { 0, 0.5, 0 });
        scene_add(world, &def, "box", mesh);
        scene_plane(world, "ground", 0, 0.3);
        scene_use(world, methods[m], "");
        int touched = 0;
        for (int frame = 0; frame < 40; frame++) {
            assert_ok(tide_world_step(world, &error), error);
            touched += world->report.touched;
            if (!world->report.converged)
                fail_msg("%s: frame %d has |grad g| %g after %u iterations", methods[m], frame + 1,
                         world->report.gradient_norm, world->report.iterations);
        }
        assert_true(touched > 10);
        tide_world_destroy(world);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_tolerance_is_met_at_the_first_touch),
};
TIDE_TEST_SUITE(world_contact_tolerance, tests)

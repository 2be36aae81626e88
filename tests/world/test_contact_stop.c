// A limit of time that is over while contact works: its loops end, nothing of the step stays, and later steps are those
// of a world that was never stopped.
#include "base/stop.h"
#include "contact/contacts_state.h"
#include "world/contact_scenes.h"
#include "world/world_state.h"

static tide_error error;

// Stands in front of the contact response of a world, and interrupts the step at one of its calls.
typedef struct interruption {
    tide_contacts *contacts;
    tide_contact_response own;
    tide_stop stop;
    int calls, at;
    bool limited;
    uint64_t spent; // units of work when it came
} interruption;

static interruption in;

// Distances ask for the limit of time once in many evaluations; the next ones of the step find that it is over.
static void reach_the_limit_of_distances(void)
{
    const double middle[3] = { 0 };
    while (tide_distance_at(in.contacts->colliders[0]->shape.distance, middle, NULL) < 0)
        continue;
}

static void count_call(void)
{
    if (++in.calls != in.at)
        return;
    in.stop.interrupted = in.limited;
    in.spent = in.contacts->work.spent;
    if (in.limited)
        reach_the_limit_of_distances();
}

static double iterate_target(void *context, const double *x, double *y, double rule, tide_report *report)
{
    count_call();
    return in.own.iterate_target(context, x, y, rule, report);
}

static double iterate_compliant(void *context, double *x, double *y, double rule,
                                const tide_compliance_operator *inverse, tide_iteration_place at, tide_report *report)
{
    count_call();
    return in.own.iterate_compliant(context, x, y, rule, inverse, at, report);
}

static double iterate_particles(void *context, double *x, double *y, double rule, bool ahead, tide_report *report)
{
    count_call();
    return in.own.iterate_particles(context, x, y, rule, ahead, report);
}

static tide_status post_step(void *context, double *x, double *v, tide_report *report, tide_error *failure)
{
    count_call();
    return in.own.post_step(context, x, v, report, failure);
}

// One step under a limit that is over at call `at`, or `limited` is false; false when there are fewer calls.
static bool step_until(tide_world *world, int at, bool limited, tide_status *status)
{
    tide_contacts *contacts = world->contacts;
    in = (interruption) { .contacts = contacts, .own = contacts->response, .at = at, .limited = limited };
    contacts->response.iterate_target = iterate_target;
    contacts->response.iterate_compliant = iterate_compliant;
    contacts->response.iterate_particles = iterate_particles;
    contacts->response.post_step = post_step;
    tide_stop_begin(&in.stop);
    *status = tide_world_step(world, &error);
    tide_stop_end(&in.stop);
    assert_ptr_equal(world->contacts, contacts);
    contacts->response = in.own;
    return in.calls >= at;
}

static uint64_t hash_of(tide_world *world)
{
    uint64_t hash;
    assert_ok(tide_world_hash(world, &hash, &error), error);
    return hash;
}

// A cloth of 8 x 8 that folds on itself and on a ball, or a brush of 4 x 4 hairs.
static tide_world *make_world(const char *method, bool hair)
{
    tide_world *world = scene_world(1.0 / 60, 9.81);
    if (!hair)
        scene_continuous(world);
    tide_body_def def = scene_body(0.1, 50, 5);
    def.self_collide = true;
    def.thickness = 0.02;
    tide_mesh *mesh = hair ? scene_brush_mesh(4, 0.06, 6, 0.3) : scene_cloth_mesh(8, 0.5);
    scene_move_mesh(&mesh, (double[3]) { 0, 0.22, 0 });
    tide_body_id id = scene_add(world, &def, "body", mesh);
    scene_sphere(world, "ball", (double[3]) { 0.02, 0, 0.01 }, 0.2, 0.3);
    scene_throw(world, id, (double[3]) { 0, -2, 0.1 });
    scene_use(world, method, "");
    return world;
}

static void test_a_stopped_step_leaves_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        bool hair;
    } cases[] = { { "local_global", false },     { "local_global", true }, { "newton", false },      { "lbfgs", false },
                  { "symplectic_euler", false }, { "xpbd", false },        { "semi_implicit", true } };
    int stopped = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tide_world *world = make_world(cases[i].method, cases[i].hair);
        tide_world *twin = make_world(cases[i].method, cases[i].hair);
        for (int step = 0; step < 6; step++) {
            assert_ok(tide_world_step(world, &error), error);
            assert_ok(tide_world_step(twin, &error), error);
        }
        for (int step = 0, at = 1; step < 8; step++, at += at / 2 + 1) {
            uint64_t before = hash_of(world);
            tide_status status;
            if (step_until(world, at, true, &status)) {
                assert_int_equal(status, TIDE_ERROR_SCRIPT);
                assert_non_null(strstr(error.remedy, "stopped before it was finished"));
                assert_int_equal(hash_of(world), before);
                assert_ok(tide_world_step(world, &error), error);
                stopped++;
            }
            assert_ok(tide_world_step(twin, &error), error);
            assert_int_equal(hash_of(world), hash_of(twin));
        }
        tide_world_destroy(world);
        tide_world_destroy(twin);
    }
    assert_in_range(stopped, 30, 56);
}

// A crumpled cloth whose points fly apart. Continuous collision works in `post_step`, the search for pairs before it.
static tide_world *make_burst(double speed, tide_body_id *cloth)
{
    tide_world *world = scene_world(1.0 / 30, 9.81);
    scene_continuous(world);
    tide_body_def def = scene_body(0.5, 100, 20);
    def.self_collide = true;
    def.thickness = 0.01;
    *cloth = scene_add(world, &def, "cloth", scene_cloth_mesh(21, 1));
    scene_sphere(world, "ball", (double[3]) { 0, -0.5, 0 }, 0.3, 0.3);
    scene_use(world, "local_global", "");
    assert_ok(tide_world_step(world, &error), error);
    tide_random random = tide_random_seed(7);
    double *v = tide_world_velocities(world, *cloth);
    for (uint32_t k = 0; k < 3 * scene_size(world, *cloth); k++)
        v[k] = speed * (tide_random_uniform(&random) - 0.5);
    return world;
}

// Units of work that the step spends from a call on, under a limit that is over as that call begins or without one.
static uint64_t spend_after(int at, bool limited, int *calls)
{
    tide_body_id cloth;
    tide_world *world = make_burst(12, &cloth);
    tide_status status;
    bool stopped = step_until(world, at, limited, &status);
    assert_true(stopped);
    assert_int_equal(status, limited ? TIDE_ERROR_SCRIPT : TIDE_OK);
    assert_int_equal(world->contacts->work.stopped, limited);
    uint64_t spent = world->contacts->work.spent - in.spent;
    *calls = in.calls;
    tide_world_destroy(world);
    return spent;
}

static void test_the_limit_ends_long_loops(void **state)
{
    (void)state;
    int calls, unused;
    assert_true(spend_after(1, false, &calls) > 1000 * (uint64_t)TIDE_WORK_LOOK);
    assert_true(spend_after(1, true, &unused) < 2 * (uint64_t)TIDE_WORK_LOOK);
    assert_true(spend_after(calls / 2, true, &unused) < 2 * (uint64_t)TIDE_WORK_LOOK);
    assert_true(spend_after(calls, false, &unused) > 20 * (uint64_t)TIDE_WORK_LOOK);
    assert_true(spend_after(calls, true, &unused) < 2 * (uint64_t)TIDE_WORK_LOOK);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_stopped_step_leaves_nothing),
    cmocka_unit_test(test_the_limit_ends_long_loops),
};
TIDE_TEST_SUITE(world_contact_stop, tests)

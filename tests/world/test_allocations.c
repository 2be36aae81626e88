// After a few first steps, a step allocates nothing, under every solver: free bodies, contacts with colliders, contacts
// between bodies with friction by direction, rigid bodies with rolling friction, joined by a hinge with a motor, and
// bodies of every material.
#include "world/contact_scenes.h"

#include "world/joints.h"
#include "world/material.h"

static tide_error error;

enum { SIDE = 8 };
enum { HANGING, ON_COLLIDERS, STACKED, CONTINUOUS, JOINED, SCENES };
static const char *const names[] = { "hanging cloth", "cloth and bristles on a ball and a box", "cloths and solids",
                                     "cloths, continuous", "cloth and a hinge with a motor" };

static void add_cloth(tide_world *world, const char *name, int side, double width, double height, bool self)
{
    tide_body_def def = scene_body(0.3, 100, 20);
    tide_mesh *mesh = scene_cloth_mesh(side, width);
    def.self_collide = self;
    scene_move_mesh(&mesh, (double[3]) { 0.013, height, 0.007 });
    scene_add(world, &def, name, mesh);
}

static void add_solid(tide_world *world, const char *name, double height)
{
    tide_body_def def = scene_body(1, 2000, TIDE_NOT_GIVEN);
    def.friction = 0.2;
    def.directed = (tide_directed_friction) { .across = 0.6, .direction = { 1, 0, 0.5 } };
    tide_mesh *mesh = scene_box_mesh((double[3]) { 0.3, 0.2, 0.3 }, (double[3]) { 2, 1, 2 });
    scene_move_mesh(&mesh, (double[3]) { 0, height, 0 });
    scene_add(world, &def, name, mesh);
}

static void add_bristles(tide_world *world)
{
    tide_body_def def = scene_body(0.2, 200, 50);
    tide_mesh *mesh = scene_brush_mesh(4, 0.2, 6, 0.2);
    def.thickness = 0.01;
    def.self_collide = true;
    scene_turn_mesh(&mesh, (double[3]) { 1, 0, 0.2 }, 1.2);
    scene_move_mesh(&mesh, (double[3]) { 1.2, 0.25, 0 });
    scene_add(world, &def, "bristles", mesh);
}

static tide_body_id add_rigid(tide_world *world, const char *name, double x)
{
    tide_body_def def = tide_body_def_default();
    tide_mesh *mesh = scene_box_mesh((double[3]) { 0.3, 0.05, 0.1 }, (double[3]) { 1, 1, 1 });
    def.density = 500;
    def.rigid = true;
    def.rolling = 0.002;
    scene_move_mesh(&mesh, (double[3]) { x, 0.03, 0 });
    return scene_add(world, &def, name, mesh);
}

static void add_joined(tide_world *world)
{
    tide_joint_def def = tide_joint_def_default();
    tide_joint_id joint;
    def.kind = TIDE_JOINT_HINGE;
    def.point[0] = 1.2;
    def.point[1] = 0.03;
    def.axis[1] = 1;
    def.motor.speed = 1;
    tide_body_id a = add_rigid(world, "a", 1), b = add_rigid(world, "b", 1.4);
    assert_ok(tide_world_add_joint(world, a, b, &def, &joint, &error), error);
}

static tide_world *make(int scene, const char *solver)
{
    tide_world *world = scene_world(1.0 / 60, 9.81);
    tide_world_settings settings = *tide_world_get_settings(world);
    settings.drag = 5;
    assert_ok(tide_world_set_settings(world, &settings, &error), error);
    add_cloth(world, "cloth", SIDE, 0.8, scene == STACKED ? 0.42 : 0.31, scene != HANGING);
    if (scene == HANGING) {
        tide_body_id cloth = tide_world_find_body(world, "cloth");
        for (uint32_t corner = 0; corner < SIDE; corner += SIDE - 1)
            assert_ok(tide_world_pin(world, cloth, corner, corner ? 1000 : TIDE_NOT_GIVEN, &error), error);
    } else
        scene_plane(world, "ground", 0, 0.3);
    if (scene == ON_COLLIDERS) {
        scene_sphere(world, "ball", (double[3]) { 0 }, 0.3, 0.3);
        scene_box(world, "box", (double[3]) { 1.2, 0, 0 }, (double[3]) { 0.3, 0.1, 0.3 }, 0, 0.4);
        add_bristles(world);
    } else if (scene == STACKED) {
        add_solid(world, "lower", 0.101);
        add_solid(world, "upper", 0.305);
    } else if (scene == CONTINUOUS) {
        add_cloth(world, "lower", 6, 0.7, 0.02, true);
        scene_continuous(world);
    } else if (scene == JOINED)
        add_joined(world);
    bool damped = fixture_gains_energy(solver);
    scene_use(world, solver, damped ? "damping=auto" : "");
    return world;
}

// With drag, all comes to rest: then no more touches than the steps before have made room for.
static void check(int scene, const char *solver, int threads)
{
    enum { WARM_UP = 130, STEPS = 20 };
    uint32_t touching = 0, count;
    tide_set_threads(threads);
    tide_world *world = make(scene, solver);
    for (int n = 0; n < WARM_UP + STEPS; n++) {
        uint64_t before = tide_memory_count().allocations;
        fixture_step(world, 1);
        tide_world_contacts(world, &count);
        uint64_t allocated = tide_memory_count().allocations - before;
        if (n < WARM_UP)
            continue;
        if (allocated)
            fail_msg("%s, %s, %d threads: step %d allocates %u times", solver, names[scene], threads, n,
                     (unsigned)allocated);
        touching += count;
    }
    if ((touching > 0) != (scene != HANGING))
        fail_msg("%s, %s: %u contacts", solver, names[scene], touching);
    tide_world_destroy(world);
    tide_set_threads(1);
}

static void test_steps_allocate_nothing(void **state)
{
    (void)state;
    const tide_solver_kind *kind;
    for (int scene = 0; scene < SCENES; scene++)
        for (uint32_t s = 0; (kind = tide_solver_kind_at(s)); s++)
            for (int threads = scene == HANGING ? 1 : 2; threads <= 2; threads++)
                if ((scene != JOINED || kind->rigid_stiffness > 0) && !tide_test_skips(5))
                    check(scene, kind->name, threads);
}

// --- materials -------------------------------------------------------------------------------------------------------

enum { SOLID, SHEET, ROD, BALLOON, MATERIALS };
static const char *const material_names[] = { "solid", "membrane with a shell and a limit", "rod that twists", "gas" };
static tide_material_solid_options solid;
static tide_material_membrane_options membrane;
static tide_material_shell_options shell;
static tide_material_strain_limit_options limit;
static tide_material_rod_options rod;
static tide_material_gas_options gas;

static void use(tide_body_def *def, const tide_material *material, void *options)
{
    def->materials[tide_material_index(material)] = options;
}

static void set_options(void)
{
    tide_fields_default(tide_material_solid.fields, &solid);
    tide_fields_default(tide_material_membrane.fields, &membrane);
    tide_fields_default(tide_material_shell.fields, &shell);
    tide_fields_default(tide_material_strain_limit.fields, &limit);
    tide_fields_default(tide_material_rod.fields, &rod);
    tide_fields_default(tide_material_gas.fields, &gas);
    solid.model = TIDE_SOLID_NEO_HOOKEAN;
    solid.young = 2e4;
    membrane.young = 5e4;
    membrane.thickness = 1e-3;
    shell.bending = 1e-3;
    limit.stretch = 0.02;
    limit.tolerance = 0.05;
    rod = (tide_material_rod_options) { .young = 1e6, .poisson = 0.3, .radius = 0.01, .twist = true };
    gas.pressure = 20;
    gas.isothermal = true;
    gas.ambient = 1000;
}

// A body that hangs by its first vertices.
static tide_world *make_material(int scene, const char *solver)
{
    tide_body_def def = tide_body_def_default();
    tide_mesh_box_def box = { .size = { 0.6, 0.2, 0.2 }, .cells = { 3, 1, 1 } };
    tide_mesh_strand_def strand = { .points = 9, .to = { 1, 0, 0 } };
    tide_mesh_sphere_def sphere = { .radius = 0.3, .subdivisions = 1 };
    tide_mesh *mesh = NULL;
    tide_world *world = scene_world(1.0 / 500, 9.81);
    def.density = scene == ROD || scene == SOLID ? 500 : TIDE_NOT_GIVEN;
    def.area_density = scene == SHEET || scene == BALLOON ? 0.3 : TIDE_NOT_GIVEN;
    if (scene == SOLID) {
        assert_ok(tide_mesh_box.build(&box, &mesh, &error), error);
        use(&def, &tide_material_solid, &solid);
    } else if (scene == ROD) {
        assert_ok(tide_mesh_strand.build(&strand, &mesh, &error), error);
        use(&def, &tide_material_rod, &rod);
    } else if (scene == BALLOON) {
        assert_ok(tide_mesh_sphere.build(&sphere, &mesh, &error), error);
        use(&def, &tide_material_gas, &gas);
        use(&def, &tide_material_membrane, &membrane);
    } else {
        mesh = scene_cloth_mesh(5, 0.5);
        use(&def, &tide_material_membrane, &membrane);
        use(&def, &tide_material_shell, &shell);
        use(&def, &tide_material_strain_limit, &limit);
    }
    tide_body_id id = scene_add(world, &def, "body", mesh);
    for (uint32_t v = 0; v < 2; v++)
        assert_ok(tide_world_pin(world, id, v, TIDE_NOT_GIVEN, &error), error);
    fixture_use(world, solver, fixture_gains_energy(solver) ? "damping" : NULL, "auto");
    return world;
}

// Three solvers refuse a gas; every other takes each material.
static void test_steps_of_materials_allocate_nothing(void **state)
{
    (void)state;
    const tide_solver_kind *kind;
    set_options();
    for (int scene = 0; scene < MATERIALS; scene++) {
        uint32_t s, taken = 0;
        for (s = 0; (kind = tide_solver_kind_at(s)); s++) {
            tide_world *world = make_material(scene, kind->name);
            bool takes = tide_world_step(world, &error) == TIDE_OK;
            if (takes) {
                fixture_step(world, 4);
                uint64_t before = tide_memory_count().allocations;
                fixture_step(world, 10);
                if (tide_memory_count().allocations != before)
                    fail_msg("%s, %s: allocates in a step", kind->name, material_names[scene]);
            }
            taken += takes;
            tide_world_destroy(world);
        }
        assert_int_equal(taken, scene == BALLOON ? s - 3 : s);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_steps_allocate_nothing),
    cmocka_unit_test(test_steps_of_materials_allocate_nothing),
};
TIDE_TEST_SUITE(world_allocations, tests)

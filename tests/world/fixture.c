#include "world/fixture.h"

#include "solver/explicit.h"
#include "world/cuts.h"

static tide_error error;

const tide_mesh *fixture_grid(int columns, int rows)
{
    tide_mesh_grid_def def;
    tide_fields_default(tide_mesh_grid.fields, &def);
    def.columns = columns;
    def.rows = rows;
    tide_mesh *mesh;
    assert_ok(tide_mesh_grid.build(&def, &mesh, &error), error);
    return mesh;
}

const tide_mesh *fixture_points(uint32_t count, const double *vertices)
{
    tide_mesh *mesh;
    tide_mesh_parts parts = { .vertex_count = count, .vertices = vertices };
    assert_ok(tide_mesh_create(&parts, &mesh, &error), error);
    return mesh;
}

tide_body_def fixture_cloth(const char *name, const tide_mesh *mesh)
{
    tide_body_def def = tide_body_def_default();
    def.name = name;
    def.mesh = mesh;
    def.mass = 1;
    def.stiffness = 80;
    def.bend = 20;
    def.script_file = "scene.lua";
    def.script_line = 7;
    return def;
}

tide_world *fixture_world(const tide_world_settings *settings, const tide_world *predecessor)
{
    tide_world *world;
    assert_ok(tide_world_create(settings, predecessor, &world, &error), error);
    return world;
}

// A square cloth pinned at two corners.
tide_world *fixture_curtain(int side, const tide_world *predecessor)
{
    const tide_mesh *mesh = fixture_grid(side, side);
    tide_world *world = fixture_world(NULL, predecessor);
    tide_body_def def = fixture_cloth("curtain", mesh);
    tide_body_id id;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    assert_ok(tide_world_pin(world, id, 0, TIDE_NOT_GIVEN, &error), error);
    assert_ok(tide_world_pin(world, id, (uint32_t)side - 1, TIDE_NOT_GIVEN, &error), error);
    tide_mesh_release(mesh);
    return world;
}

tide_world *fixture_singular(const tide_world *predecessor)
{
    tide_mesh_strand_def strand = { .points = 2, .to = { 0, 1, 0 } };
    tide_mesh *mesh;
    assert_ok(tide_mesh_strand.build(&strand, &mesh, &error), error);
    tide_world_settings settings = { .timestep = 0.5 };
    tide_world *world = fixture_world(&settings, predecessor);
    tide_body_def def = fixture_cloth("feather", mesh);
    def.mass = 1e-30;
    def.stiffness = 4; // h^2 k = 1: the pivots are 1 and 1 - 1
    def.bend = TIDE_NOT_GIVEN;
    tide_body_id id;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_mesh_release(mesh);
    return world;
}

void fixture_use(tide_world *world, const char *name, const char *option, const char *value)
{
    const tide_solver_kind *kind = tide_solver_kind_find(name, &error);
    assert_non_null(kind);
    _Alignas(16) char options[1024];
    assert_true(kind->options_size <= sizeof options);
    tide_fields_default(kind->fields, options);
    if (option)
        assert_ok(tide_fields_parse(kind->fields, name, options, option, value, &error), error);
    assert_ok(tide_world_set_solver(world, kind, options, &error), error);
}

bool fixture_gains_energy(const char *solver)
{
    const tide_solver_kind *kind = tide_solver_kind_find(solver, NULL);
    bool is_explicit = kind && tide_field_find(kind->fields, "", "safety", NULL);
    return is_explicit && ((const tide_scheme *)kind->context)->grows_undamped;
}

void fixture_step(tide_world *world, int count)
{
    for (int i = 0; i < count; i++)
        assert_ok(tide_world_step(world, &error), error);
}

uint64_t fixture_hash(tide_world *world)
{
    uint64_t hash;
    assert_ok(tide_world_hash(world, &hash, &error), error);
    return hash;
}

void fixture_fail_allocations(uint64_t (*fail_each)(tide_status (*live)(void *mesh, tide_error *error), void *mesh),
                              tide_status (*live)(void *mesh, tide_error *error))
{
    static tide_mesh_report report;
    const tide_mesh *mesh = fixture_grid(3, 3);
    assert_ok(tide_mesh_check(mesh, &report, &error), error); // its findings stay with the mesh
    assert_true(fail_each(live, (void *)mesh) > 50);
    tide_mesh_release(mesh);
}

tide_status fixture_cut_and_restore(tide_world *world, tide_body_id id, const double normals[2][3],
                                    const double offsets[2], tide_error *failure)
{
    tide_snapshot *snapshot = NULL;
    uint32_t count;
    tide_status status = tide_world_cut_plane(world, id, normals[0], offsets[0], &count, failure);
    if (status == TIDE_OK)
        status = tide_world_snapshot(world, &snapshot, failure);
    if (status == TIDE_OK)
        status = tide_world_cut_plane(world, id, normals[1], offsets[1], &count, failure);
    if (status == TIDE_OK)
        status = tide_world_step(world, failure);
    if (status == TIDE_OK)
        status = tide_world_restore(world, snapshot, failure);
    if (status == TIDE_OK)
        status = tide_world_step(world, failure);
    tide_snapshot_destroy(snapshot);
    return status;
}

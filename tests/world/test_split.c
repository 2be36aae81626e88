// Splitting: bodies that are cut or torn between their cells, against the same worlds described as cut.
#include "linear/failing.h"
#include "world/fixture.h"

#include "base/memory.h"
#include "world/cuts.h"
#include "world/lasting.h"
#include "world/material.h"
#include "world/openings.h"
#include "world/snapshot.h"

#include <string.h>

static tide_error error;

static tide_body_info info_of(const tide_world *world, tide_body_id id)
{
    tide_body_info info;
    assert_true(tide_world_body_info(world, id, &info));
    return info;
}

static const double *masses_of(tide_world *world, tide_body_id id)
{
    const tide_system *system;
    assert_ok(tide_world_system(world, &system, &error), error);
    return system->masses + info_of(world, id).first_particle;
}

// --- bodies ----------------------------------------------------------------------------------------------------------

static tide_material_membrane_options membrane;
static const tide_material_solid_options solid = { .model = TIDE_SOLID_NEO_HOOKEAN, .young = 2e4, .poisson = 0.3 };

static const tide_mesh *make_box(double x, double y, double z)
{
    tide_mesh_box_def box = { .size = { 2, 0.5, 0.5 }, .cells = { x, y, z } };
    tide_mesh *mesh;
    assert_ok(tide_mesh_box.build(&box, &mesh, &error), error);
    return mesh;
}

static tide_body_def definition(const tide_mesh *mesh, const double *masses)
{
    tide_body_def def = tide_body_def_default();
    def.name = "body";
    def.mesh = mesh;
    def.masses = masses;
    def.masses_count = masses ? mesh->vertex_count : 0;
    if (!masses)
        def.density = 500;
    tide_fields_default(tide_material_membrane.fields, &membrane);
    membrane.young = 2e4;
    membrane.thickness = 1e-3;
    if (mesh->tetrahedron_count)
        def.materials[tide_material_index(&tide_material_solid)] = &solid;
    else
        def.materials[tide_material_index(&tide_material_membrane)] = &membrane;
    return def;
}

// A body of this mesh before a smaller one, pinned where x is least.
static tide_world *make_world(const tide_mesh *mesh, const double *masses, tide_body_id *id)
{
    tide_world *world = fixture_world(NULL, NULL);
    tide_body_def def = definition(mesh, masses);
    assert_ok(tide_world_add_body(world, &def, id, &error), error);
    const tide_mesh *grid = fixture_grid(3, 3);
    tide_body_def other = fixture_cloth("other", grid);
    tide_body_id second;
    assert_ok(tide_world_add_body(world, &other, &second, &error), error);
    assert_ok(tide_world_pin(world, second, 2, TIDE_NOT_GIVEN, &error), error);
    double least = 1e9;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        least = fmin(least, mesh->vertices[3 * (size_t)v]);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (mesh->vertices[3 * (size_t)v] < least + 1e-9)
            assert_ok(tide_world_pin(world, *id, v, TIDE_NOT_GIVEN, &error), error);
    tide_mesh_release(grid);
    return world;
}

// --- what a cut makes ------------------------------------------------------------------------------------------------

static uint32_t find(uint32_t *parents, uint32_t v)
{
    while (parents[v] != v)
        v = parents[v];
    return v;
}

// Counts the pieces that cells hang together in by their vertices.
static uint32_t count_pieces(const tide_mesh *mesh)
{
    const uint32_t *cells = mesh->tetrahedron_count ? mesh->tetrahedra : mesh->triangles,
                   corners = mesh->tetrahedron_count ? 4 : 3;
    uint32_t count = mesh->tetrahedron_count ? mesh->tetrahedron_count : mesh->triangle_count, pieces = 0;
    uint32_t *parents = tide_allocate_array(mesh->vertex_count, sizeof *parents);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        parents[v] = v;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 1; c < corners; c++)
            parents[find(parents, cells[corners * i + c])] = find(parents, cells[corners * i]);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        pieces += parents[v] == v;
    tide_free(parents);
    return pieces;
}

static void check_closed(const tide_mesh *mesh)
{
    tide_mesh_report report;
    assert_ok(tide_mesh_check(mesh, &report, &error), error);
    for (uint32_t i = 0; i < report.note_count; i++)
        assert_true(report.notes[i].kind != TIDE_MESH_OPEN_SURFACE);
    for (uint32_t i = 0; i < report.problem_count; i++)
        assert_false(report.problems[i].fatal || report.problems[i].kind == TIDE_MESH_OPEN_SURFACE ||
                     report.problems[i].kind == TIDE_MESH_INSIDE_OUT ||
                     report.problems[i].kind == TIDE_MESH_MIXED_ORIENTATION);
}

// Every vertex of a described body and its copies: at one place, with one velocity, and with masses whose sum is that
// of the vertex, to the bit.
static void check_kept(tide_world *world, tide_body_id id, const tide_mesh *described, const double *masses)
{
    tide_body_info info = info_of(world, id);
    const double *now = masses_of(world, id), *x = tide_world_positions(world, id);
    const double *v = tide_world_velocities(world, id);
    for (uint32_t i = 0; i < described->vertex_count; i++) {
        double sum = now[i];
        for (uint32_t k = described->vertex_count; k < info.vertex_count; k++)
            if (memcmp(info.mesh->vertices + 3 * (size_t)k, described->vertices + 3 * (size_t)i, 3 * sizeof *x) == 0) {
                sum += now[k];
                assert_memory_equal(x + 3 * (size_t)k, x + 3 * (size_t)i, 3 * sizeof *x);
                assert_memory_equal(v + 3 * (size_t)k, v + 3 * (size_t)i, 3 * sizeof *v);
            }
        assert_true(sum == masses[i] && now[i] > 0);
    }
}

// A body cut by a plane has two pieces, no cell is lost, and the world goes on as one that is described as cut: the
// hashes are equal.
static void check_cut(const tide_mesh *mesh, const double normal[3], double offset)
{
    tide_body_id id, same;
    uint32_t count;
    tide_world *world = make_world(mesh, NULL, &id);
    double *masses = tide_copy_bytes(masses_of(world, id), mesh->vertex_count * sizeof *masses);
    assert_ok(tide_world_cut_plane(world, id, normal, offset, &count, &error), error);
    tide_body_info info = info_of(world, id);
    assert_int_equal(info.vertex_count, mesh->vertex_count + count);
    assert_int_equal(info.mesh->tetrahedron_count, mesh->tetrahedron_count);
    assert_true(mesh->tetrahedron_count || info.triangle_count == mesh->triangle_count);
    assert_int_equal(count_pieces(info.mesh), 2);
    if (mesh->tetrahedron_count)
        check_closed(info.mesh);
    check_kept(world, id, mesh, masses);
    tide_mesh_parts parts = tide_mesh_view(info.mesh);
    tide_mesh *cut;
    assert_ok(tide_mesh_create(&parts, &cut, &error), error);
    tide_world *described = make_world(cut, masses_of(world, id), &same);
    for (int i = 0; i < 8; i++) {
        fixture_step(world, 1);
        fixture_step(described, 1);
        assert_int_equal(fixture_hash(world), fixture_hash(described));
    }
    tide_mesh_release(cut);
    tide_free(masses);
    tide_world_destroy(world);
    tide_world_destroy(described);
}

static void test_pieces_as_described(void **state)
{
    (void)state;
    const tide_mesh *grid = fixture_grid(8, 8), *box = make_box(8, 2, 2);
    check_cut(grid, (const double[]) { 1, 0, 0 }, 0.47);
    check_cut(grid, (const double[]) { 1, 0, 0.4 }, 0.6);
    check_cut(box, (const double[]) { 1, 0, 0 }, 0.1);
    check_cut(box, (const double[]) { 1, 0.5, -0.3 }, 0.1);
    tide_mesh_release(grid);
    tide_mesh_release(box);
}

// Local/global goes on with a factor updated in place; the world described as cut has one of its own ordering. Both
// come to the same positions.
static void test_factor_updated_in_place(void **state)
{
    (void)state;
    const tide_mesh *grid = fixture_grid(20, 20);
    tide_body_def def = definition(grid, NULL);
    tide_world *world = fixture_world(NULL, NULL), *described = fixture_world(NULL, NULL);
    tide_body_id id, same;
    fixture_use(world, "local_global", "iterations", "60");
    fixture_use(described, "local_global", "iterations", "60");
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    assert_ok(tide_world_pin(world, id, 0, TIDE_NOT_GIVEN, &error), error);
    assert_ok(tide_world_pin(world, id, 19, TIDE_NOT_GIVEN, &error), error);
    fixture_step(world, 5);
    for (int k = 0; k < 3; k++) {
        uint32_t count;
        assert_ok(tide_world_cut_plane(world, id, (const double[]) { 1, 0, 0.3 * k }, 0.3 + 0.2 * k, &count, &error),
                  error);
        assert_true(count > 3);
        fixture_step(world, 2);
    }
    tide_body_info info = info_of(world, id);
    tide_mesh_parts parts = tide_mesh_view(info.mesh);
    tide_mesh *cut;
    assert_ok(tide_mesh_create(&parts, &cut, &error), error);
    def = definition(cut, masses_of(world, id));
    assert_ok(tide_world_add_body(described, &def, &same, &error), error);
    assert_ok(tide_world_pin(described, same, 0, TIDE_NOT_GIVEN, &error), error);
    assert_ok(tide_world_pin(described, same, 19, TIDE_NOT_GIVEN, &error), error);
    size_t numbers = 3 * (size_t)cut->vertex_count;
    memcpy(tide_world_positions(described, same), tide_world_positions(world, id), numbers * sizeof(double));
    memcpy(tide_world_velocities(described, same), tide_world_velocities(world, id), numbers * sizeof(double));
    for (int k = 0; k < 4; k++) {
        fixture_step(world, 1);
        fixture_step(described, 1);
        for (size_t i = 0; i < numbers; i++)
            assert_near(tide_world_positions(world, id)[i], tide_world_positions(described, same)[i], 1e-6);
    }
    tide_mesh_release(cut);
    tide_mesh_release(grid);
    tide_world_destroy(world);
    tide_world_destroy(described);
}

// A spring of an edge that opens becomes two of half the stiffness each, so that the energy stays; a spring that bends
// is cut with the edges below it, or goes with them.
static void test_springs_share(void **state)
{
    (void)state;
    const tide_mesh *mesh = fixture_grid(8, 8);
    tide_world *world = fixture_world(NULL, NULL);
    tide_body_def def = fixture_cloth("net", mesh);
    tide_body_id id;
    uint32_t count;
    tide_energy before, after;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    for (uint32_t v = 0; v < 64; v++) // stretched along the cut: only springs on one line
        tide_world_positions(world, id)[3 * (size_t)v + 2] *= 1.1;
    assert_ok(tide_world_energy(world, &before, &error), error);
    uint32_t springs = info_of(world, id).element_count;
    assert_ok(tide_world_cut_plane(world, id, (const double[]) { 1, 0, 0 }, 0.5, &count, &error), error);
    assert_ok(tide_world_energy(world, &after, &error), error);
    tide_body_info info = info_of(world, id);
    assert_int_equal(count_pieces(info.mesh), 2);
    uint32_t halves = 0, cut = tide_world_cut_count(world, id);
    const tide_elements *groups;
    uint32_t group_count;
    assert_ok(tide_world_groups(world, id, &groups, &group_count, &error), error);
    for (uint32_t g = 0; g < group_count; g++)
        for (uint32_t e = 0; e < groups[g].count; e++) {
            double k = tide_element_stiffness(&groups[g], e);
            assert_true(k == 80 || k == 20 || k == 40 || k == 10 || k == 0);
            halves += k == 40 || k == 10;
        }
    assert_int_equal(halves, 2 * (info.element_count - springs));
    assert_true(halves >= 14 && cut >= 8);
    assert_true(after.elastic <= before.elastic * (1 + 1e-12));
    // The cut bending springs held something; without them nothing is lost.
    double lost = 0;
    for (uint32_t e = 0; e < springs; e++)
        if (tide_world_is_cut(world, id, e)) {
            const uint32_t *v = info.groups[0].vertices + 2 * (size_t)e;
            const double *x = tide_world_positions(world, id), *p = info.groups[0].parameters;
            double length =
                hypot(x[3 * (size_t)v[0]] - x[3 * (size_t)v[1]], x[3 * (size_t)v[0] + 2] - x[3 * (size_t)v[1] + 2]);
            double rest = p[info.groups[0].count + e];
            lost += 0.5 * p[e] * (length - rest) * (length - rest);
        }
    assert_near(after.elastic + lost, before.elastic, 1e-12);
    tide_world_destroy(world);
    tide_mesh_release(mesh);
}

// A strand is cut at a vertex; both of its ends hold what they held.
static void test_strand(void **state)
{
    (void)state;
    tide_mesh *mesh;
    tide_mesh_strand_def strand = { .points = 6, .to = { 0, -5, 0 } };
    assert_ok(tide_mesh_strand.build(&strand, &mesh, &error), error);
    tide_world *world = fixture_world(NULL, NULL);
    tide_body_def def = fixture_cloth("strand", mesh);
    tide_body_id id;
    uint32_t count;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    assert_ok(tide_world_pin(world, id, 0, TIDE_NOT_GIVEN, &error), error);
    assert_ok(tide_world_cut_plane(world, id, (const double[]) { 0, 1, 0 }, -2.5, &count, &error), error);
    tide_body_info info = info_of(world, id);
    assert_int_equal(info.vertex_count, 7);
    assert_int_equal(count, 1 + 1); // and a bending spring
    fixture_step(world, 30);
    const double *x = tide_world_positions(world, id);
    assert_near(x[3 * 5 + 1], -5 - 9.81 * 30 * 31 / 2 / 900, 1e-6);
    assert_true(x[3 * 2 + 1] > -3.5);
    tide_world_destroy(world);
    tide_mesh_release(mesh);
}

// Pins and attachments of a vertex that splits: both copies stay pinned; a spring stays with the vertex.
static void test_pins(void **state)
{
    (void)state;
    const tide_mesh *mesh = fixture_grid(5, 5);
    tide_world *world = fixture_world(NULL, NULL);
    tide_body_def def = fixture_cloth("net", mesh);
    tide_body_id id;
    uint32_t count;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    for (uint32_t v = 0; v < 5; v++)
        assert_ok(tide_world_pin(world, id, 5 * v + 2, v == 4 ? 50 : TIDE_NOT_GIVEN, &error), error);
    assert_ok(tide_world_cut_plane(world, id, (const double[]) { 1, 0, 0 }, 0.5, &count, &error), error);
    tide_body_info info = info_of(world, id);
    uint32_t pinned = 0;
    for (uint32_t v = 0; v < info.vertex_count; v++)
        pinned += tide_world_is_pinned(world, id, v);
    assert_true(info.vertex_count >= 30 && pinned == 5 + info.vertex_count - 25);
    fixture_step(world, 5);
    for (uint32_t v = 25; v < 29; v++)
        assert_near(tide_world_positions(world, id)[3 * (size_t)v + 1], 0, 0);
    tide_world_destroy(world);
    tide_mesh_release(mesh);
}

// --- state -----------------------------------------------------------------------------------------------------------

static const tide_material_tear_options tears = { .strain = 0.2 };

// Makes a world whose body tears by its weight, before a smaller one.
typedef tide_world *make_hanging(tide_body_id *id, const tide_world *predecessor, double stiffness);

static tide_world *hang(const tide_body_def *def, tide_body_id *id, const tide_world *predecessor)
{
    const tide_mesh *small = fixture_grid(3, 3);
    tide_world *world = fixture_world(NULL, predecessor);
    tide_body_def after = fixture_cloth("after", small);
    after.collide = TIDE_COLLIDE_NONE; // it lies in the other
    tide_body_id second;
    assert_ok(tide_world_add_body(world, def, id, &error), error);
    assert_ok(tide_world_add_body(world, &after, &second, &error), error);
    assert_ok(tide_world_pin(world, *id, 0, TIDE_NOT_GIVEN, &error), error);
    tide_mesh_release(small);
    return world;
}

static tide_world *hanging_net(tide_body_id *id, const tide_world *predecessor, double stiffness)
{
    const tide_mesh *mesh = fixture_grid(8, 8);
    tide_body_def def = fixture_cloth("net", mesh);
    def.stiffness = stiffness;
    def.materials[tide_material_index(&tide_material_tear)] = &tears;
    tide_world *world = hang(&def, id, predecessor);
    for (uint32_t v = 4; v < 8; v += 3)
        assert_ok(tide_world_pin(world, *id, v, TIDE_NOT_GIVEN, &error), error);
    tide_mesh_release(mesh);
    return world;
}

// A rod with frames, which is held by two edges.
static tide_world *hanging_rod(tide_body_id *id, const tide_world *predecessor, double stiffness)
{
    const tide_material_rod_options rod = {
        .young = 1e3 * stiffness, .poisson = 0.3, .radius = 1.0 / 256, .twist = true
    };
    tide_mesh_strand_def strand = { .points = 17, .to = { 1, -2, 0 } };
    tide_mesh *mesh;
    assert_ok(tide_mesh_strand.build(&strand, &mesh, &error), error);
    tide_body_def def = tide_body_def_default();
    def.name = "rod";
    def.mesh = mesh;
    def.mass = 1;
    def.materials[tide_material_index(&tide_material_rod)] = &rod;
    def.materials[tide_material_index(&tide_material_tear)] = &tears;
    tide_world *world = hang(&def, id, predecessor);
    for (uint32_t v = 1; v < 10; v += v == 1 ? 7 : 1)
        assert_ok(tide_world_pin(world, *id, v, TIDE_NOT_GIVEN, &error), error);
    tide_mesh_release(mesh);
    return world;
}

// A sheet that hangs by a side, or a bar by an end: its weight tears it across.
static tide_world *hang_cells(const tide_mesh *mesh, const double *masses, tide_body_id *id,
                              const tide_world *predecessor, double stiffness)
{
    const tide_material_solid_options soft = { TIDE_SOLID_NEO_HOOKEAN, .young = 100 * stiffness, .poisson = 0.3 };
    tide_body_def def = definition(mesh, masses);
    membrane.young = 250 * stiffness;
    if (mesh->tetrahedron_count)
        def.materials[tide_material_index(&tide_material_solid)] = &soft;
    def.materials[tide_material_index(&tide_material_tear)] = &tears;
    tide_world *world = hang(&def, id, predecessor);
    for (uint32_t v = 1; v < mesh->vertex_count; v++)
        if (mesh->vertices[3 * (size_t)v + (mesh->tetrahedron_count ? 0 : 2)] < (mesh->tetrahedron_count ? -0.9 : 0.01))
            assert_ok(tide_world_pin(world, *id, v, TIDE_NOT_GIVEN, &error), error);
    return world;
}

static tide_world *hanging_sheet(tide_body_id *id, const tide_world *predecessor, double stiffness)
{
    const tide_mesh *mesh = fixture_grid(8, 8);
    tide_world *world = hang_cells(mesh, NULL, id, predecessor, stiffness);
    tide_mesh_release(mesh);
    return world;
}

static tide_world *hanging_bar(tide_body_id *id, const tide_world *predecessor, double stiffness)
{
    const tide_mesh *mesh = make_box(8, 2, 2);
    tide_world *world = hang_cells(mesh, NULL, id, predecessor, stiffness);
    tide_mesh_release(mesh);
    return world;
}

// A torn world goes back and forth over its tears by snapshots, undo, fork and reset, and through bytes.
static void check_tears_are_state(make_hanging *make)
{
    tide_body_id id;
    tide_world *world = make(&id, NULL, 80), *fork;
    assert_ok(tide_world_mark_initial(world, &error), error);
    uint64_t fresh = fixture_hash(world), hashes[3];
    uint32_t whole = info_of(world, id).vertex_count;
    tide_snapshot *snapshots[3], *read;
    for (int i = 0; i < 3; i++) {
        assert_ok(tide_world_snapshot(world, &snapshots[i], &error), error);
        fixture_step(world, 20);
        hashes[i] = fixture_hash(world);
    }
    assert_true(info_of(world, id).vertex_count > whole + 2);
    assert_ok(tide_world_fork(world, &fork, &error), error);
    assert_int_equal(fixture_hash(fork), hashes[2]);
    for (int i = 2; i >= 0; i--) {
        size_t size;
        const void *bytes = tide_snapshot_bytes(snapshots[i], &size);
        assert_ok(tide_snapshot_read(world, bytes, size, &read, &error), error);
        assert_ok(tide_world_keep(world, &error), error);
        uint64_t before = fixture_hash(world);
        assert_ok(tide_world_restore(world, read, &error), error);
        tide_world_undo(world);
        assert_int_equal(fixture_hash(world), before);
        assert_ok(tide_world_restore(world, read, &error), error);
        assert_int_equal(fixture_hash(world), tide_snapshot_hash(snapshots[i]));
        fixture_step(world, 20);
        assert_int_equal(fixture_hash(world), hashes[i]);
        tide_snapshot_destroy(read);
    }
    fixture_step(world, 40);
    assert_int_equal(fixture_hash(world), hashes[2]);
    fixture_step(world, 5);
    fixture_step(fork, 5);
    assert_int_equal(fixture_hash(world), fixture_hash(fork));
    assert_ok(tide_world_reset(world, &error), error);
    assert_int_equal(fixture_hash(world), fresh);
    assert_int_equal(info_of(world, id).vertex_count, whole);
    for (int i = 0; i < 3; i++)
        tide_snapshot_destroy(snapshots[i]);
    tide_world_destroy(fork);
    tide_world_destroy(world);
}

static void test_tears_are_state(void **state)
{
    (void)state;
    check_tears_are_state(hanging_net);
    check_tears_are_state(hanging_rod);
}

// Bytes that were changed are refused, or are those of another world that can go on; nothing is read beyond them.
static void check_changed_bytes(make_hanging *make, size_t least)
{
    tide_body_id id;
    tide_world *world = make(&id, NULL, 80);
    fixture_step(world, 40);
    tide_snapshot *snapshot, *read;
    assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
    size_t size, refused = 0;
    const void *bytes = tide_snapshot_bytes(snapshot, &size);
    unsigned char *changed = tide_allocate(size);
    size_t splits = size - 8 * (size_t)info_of(world, id).vertex_count; // about where they are
    for (size_t at = splits; at < size; at += 1 + at % 7) {
        memcpy(changed, bytes, size);
        changed[at] ^= (unsigned char)(1 + at % 255);
        if (tide_snapshot_read(world, changed, size, &read, &error) != TIDE_OK) {
            refused++;
            continue;
        }
        if (tide_world_restore(world, read, &error) == TIDE_OK)
            (void)tide_world_step(world, &error);
        tide_snapshot_destroy(read);
    }
    assert_true(refused > least);
    tide_free(changed);
    tide_snapshot_destroy(snapshot);
    tide_world_destroy(world);
}

static void test_changed_bytes(void **state)
{
    (void)state;
    check_changed_bytes(hanging_net, 50);
    check_changed_bytes(hanging_rod, 15);
}

static double stiffest_of(tide_world *world, tide_body_id id)
{
    const tide_elements *groups;
    uint32_t count;
    double most = 0;
    assert_ok(tide_world_groups(world, id, &groups, &count, &error), error);
    for (uint32_t g = 0; g < count; g++)
        for (uint32_t e = 0; e < groups[g].count; e++)
            most = fmax(most, tide_element_stiffness(&groups[g], e));
    return most;
}

// A reload keeps the tears, with the new stiffness.
static void check_reload(make_hanging *make)
{
    tide_body_id id, again;
    tide_world *world = make(&id, NULL, 80);
    uint32_t whole = info_of(world, id).vertex_count;
    fixture_step(world, 40);
    uint32_t vertices = info_of(world, id).vertex_count;
    double before = stiffest_of(world, id);
    assert_true(vertices > whole);
    tide_world *next = make(&again, world, 90);
    size_t size = 3 * (size_t)tide_world_particle_count(world) * sizeof(double);
    double *x = tide_copy_bytes(tide_world_all_positions(world), size);
    tide_reconciliation reconciliation;
    assert_ok(tide_world_reconcile(next, world, &reconciliation, &error), error);
    tide_world_destroy(world);
    assert_int_equal(info_of(next, again).vertex_count, vertices);
    assert_memory_equal(tide_world_all_positions(next), x, size);
    fixture_step(next, 5);
    assert_near(stiffest_of(next, again) / before, 90.0 / 80, 1e-12);
    assert_ok(tide_world_reset(next, &error), error);
    assert_int_equal(info_of(next, again).vertex_count, whole);
    tide_free(x);
    tide_world_destroy(next);
}

static void test_reload(void **state)
{
    (void)state;
    check_reload(hanging_net);
    check_reload(hanging_rod);
}

// A tear changes no position and no velocity, and no sum of masses: mass and momentum are the same to the bit.
static void check_mass_and_momentum(make_hanging *make)
{
    tide_body_id id;
    uint32_t all = 0, count;
    tide_world *world = make(&id, NULL, 80);
    const tide_mesh *mesh = tide_mesh_retain(info_of(world, id).mesh);
    double *masses = tide_copy_bytes(masses_of(world, id), mesh->vertex_count * sizeof *masses);
    for (int i = 0; i < 60 && all < 3; i++) {
        uint32_t vertices = info_of(world, id).vertex_count;
        fixture_step(world, 1);
        const tide_torn *torn = tide_world_torn(world, &count);
        for (uint32_t t = 0; t < count; t++)
            assert_true(torn[t].strain > 0.2);
        if (count && !all)
            check_kept(world, id, mesh, masses);
        assert_true(count == 0 || info_of(world, id).vertex_count > vertices || tide_world_has_cuts(world, id));
        all += count;
    }
    assert_true(all >= 3);
    tide_free(masses);
    tide_mesh_release(mesh);
    tide_world_destroy(world);
}

static void test_a_tear_keeps_mass_and_momentum(void **state)
{
    (void)state;
    check_mass_and_momentum(hanging_net);
    check_mass_and_momentum(hanging_rod);
    check_mass_and_momentum(hanging_sheet);
    check_mass_and_momentum(hanging_bar);
}

// A body that tore by its strain goes on as one that is described as torn, in the same motion: the hashes are equal,
// over further tears too. No net is tested: where its edges open, springs share their stiffness, which a description
// gives to each.
static void check_torn_as_described(make_hanging *make)
{
    tide_body_id id, same;
    uint32_t count = 0, steps = 0;
    tide_world *world = make(&id, NULL, 80);
    fixture_use(world, "newton", NULL, NULL);
    for (; count == 0 && steps < 60; steps++) {
        fixture_step(world, 1);
        tide_world_torn(world, &count);
    }
    assert_true(count > 0 && !tide_world_cut_count(world, id) && tide_world_split_count(world, id));
    const tide_mesh *torn = tide_mesh_retain(info_of(world, id).mesh);
    tide_world *described = hang_cells(torn, masses_of(world, id), &same, NULL, 80);
    fixture_use(described, "newton", NULL, NULL);
    // As many steps at rest, then the same motion.
    const tide_world_settings settings = *tide_world_get_settings(described);
    tide_world_settings floating = settings;
    floating.gravity[1] = 0;
    assert_ok(tide_world_set_settings(described, &floating, &error), error);
    fixture_step(described, (int)steps);
    assert_ok(tide_world_set_settings(described, &settings, &error), error);
    assert_int_equal(tide_world_split_count(described, same), 0);
    size_t size = 3 * (size_t)tide_world_particle_count(world) * sizeof(double);
    assert_int_equal(tide_world_particle_count(described), tide_world_particle_count(world));
    memcpy(tide_world_positions(described, same), tide_world_all_positions(world), size);
    memcpy(tide_world_velocities(described, same), tide_world_velocities(world, id), size);
    assert_int_equal(fixture_hash(world), fixture_hash(described));
    uint32_t more = 0;
    for (int i = 0; i < 8; i++) {
        fixture_step(world, 1);
        fixture_step(described, 1);
        tide_world_torn(world, &count);
        more += count;
        assert_int_equal(fixture_hash(world), fixture_hash(described));
    }
    assert_true(more > 0);
    tide_mesh_release(torn);
    tide_world_destroy(world);
    tide_world_destroy(described);
}

static void test_torn_as_described(void **state)
{
    (void)state;
    check_torn_as_described(hanging_sheet);
    check_torn_as_described(hanging_bar);
}

// --- memory ----------------------------------------------------------------------------------------------------------

static tide_status live(void *mesh, tide_error *failure)
{
    tide_world *world = NULL;
    tide_body_id id;
    tide_status status = tide_world_create(NULL, NULL, &world, failure);
    tide_body_def def = fixture_cloth("net", mesh);
    if (status == TIDE_OK)
        status = tide_world_add_body(world, &def, &id, failure);
    if (status == TIDE_OK)
        status = tide_world_pin(world, id, 1, TIDE_NOT_GIVEN, failure);
    const double normals[2][3] = { { 1, 0, 0 }, { 0, 0, 1 } };
    if (status == TIDE_OK)
        status = fixture_cut_and_restore(world, id, normals, (const double[2]) { 0.3, 0.3 }, failure);
    tide_world_destroy(world);
    return status;
}

// A solid with a fine surface.
static tide_status live_surface(void *unused, tide_error *failure)
{
    (void)unused;
    tide_mesh_box_def box = { .size = { 2, 0.5, 0.5 }, .cells = { 3, 1, 1 } };
    tide_mesh *mesh = NULL;
    tide_world *world = NULL;
    tide_body_id id;
    tide_status status = tide_world_create(NULL, NULL, &world, failure);
    if (status == TIDE_OK)
        status = tide_mesh_box.build(&box, &mesh, failure);
    if (status == TIDE_OK) {
        tide_body_def def = definition(mesh, NULL);
        def.surface = mesh;
        status = tide_world_add_body(world, &def, &id, failure);
    }
    const double normals[2][3] = { { 1, 0, 0 }, { 1, 0, 0 } };
    if (status == TIDE_OK)
        status = fixture_cut_and_restore(world, id, normals, (const double[2]) { 0.3, -0.3 }, failure);
    tide_mesh_release(mesh);
    tide_world_destroy(world);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    fixture_fail_allocations(fail_each_allocation_at_most, live);
    fixture_fail_allocations(fail_each_allocation_at_most, live_surface);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_pieces_as_described),
    cmocka_unit_test(test_springs_share),
    cmocka_unit_test(test_strand),
    cmocka_unit_test(test_pins),
    cmocka_unit_test(test_factor_updated_in_place),
    cmocka_unit_test(test_tears_are_state),
    cmocka_unit_test(test_changed_bytes),
    cmocka_unit_test(test_reload),
    cmocka_unit_test(test_a_tear_keeps_mass_and_momentum),
    cmocka_unit_test(test_torn_as_described),
    cmocka_unit_test(test_every_allocation_may_fail),
};
TIDE_TEST_SUITE(world_split, tests)

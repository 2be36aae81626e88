// Splitting rods that twist: their frames, whose particles are behind those of the vertices, follow.
#include "linear/failing.h"
#include "world/fixture.h"

#include "base/memory.h"
#include "model/rod_twist.h"
#include "world/cuts.h"
#include "world/material.h"
#include "world/openings.h"
#include "world/snapshot.h"

#include <string.h>

static tide_error error;

// Lengths and masses are sums of few powers of 2, so that those of a rod that is described as cut are the same bits.
#define RADIUS 0x1p-8
#define EDGE 0x1p-3 // m: the arm of a frame too
static const tide_material_rod_options rod = { .young = 1e8, .poisson = 0.3, .radius = RADIUS, .twist = true };

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

// A rod of these parts, with 1/16 kg at each end of each edge, before a small cloth.
static tide_world *make_rod(const tide_mesh_parts *parts, tide_body_id *id)
{
    const tide_mesh *grid = fixture_grid(3, 3);
    tide_mesh *mesh;
    tide_body_id second;
    assert_ok(tide_mesh_create(parts, &mesh, &error), error);
    double *masses = tide_allocate_zeroed(mesh->vertex_count, sizeof *masses);
    for (size_t i = 0; i < 2 * (size_t)mesh->edge_count; i++)
        masses[mesh->edges[i]] += 1.0 / 16;
    tide_body_def def = tide_body_def_default(), after = fixture_cloth("after", grid);
    def.name = "rod";
    def.mesh = mesh;
    def.masses = masses;
    def.masses_count = mesh->vertex_count;
    def.materials[tide_material_index(&tide_material_rod)] = &rod;
    def.collide = TIDE_COLLIDE_NONE;
    tide_world *world = fixture_world(NULL, NULL);
    fixture_use(world, "newton", "tolerance", "1e-12");
    assert_ok(tide_world_add_body(world, &def, id, &error), error);
    assert_ok(tide_world_add_body(world, &after, &second, &error), error);
    assert_ok(tide_world_pin(world, second, 2, TIDE_NOT_GIVEN, &error), error);
    tide_free(masses);
    tide_mesh_release(mesh);
    tide_mesh_release(grid);
    return world;
}

static tide_mesh_parts parts_of(const tide_world *world, tide_body_id id)
{
    return tide_mesh_view(info_of(world, id).mesh);
}

// --- four arms -------------------------------------------------------------------------------------------------------

enum { ARMS = 4, ARM_EDGES = 4, TIP = ARM_EDGES - 1 };

// Four rods that meet in vertex 0, where they do not bend: vertex ARM_EDGES * arm + k + 1 is the k-th of an arm.
static tide_world *make_cross(tide_body_id *id)
{
    double x[3 * (ARMS * ARM_EDGES + 1)] = { 0 };
    uint32_t edges[2 * ARMS * ARM_EDGES], count = 0;
    for (uint32_t arm = 0; arm < ARMS; arm++)
        for (uint32_t k = 0; k < ARM_EDGES; k++) {
            uint32_t vertex = ARM_EDGES * arm + k + 1;
            x[3 * vertex + (arm % 2 ? 2 : 0)] = (arm < 2 ? 1 : -1) * EDGE * (k + 1);
            edges[count++] = k ? vertex - 1 : 0;
            edges[count++] = vertex;
        }
    return make_rod(
        &(tide_mesh_parts) {
            .vertex_count = ARMS * ARM_EDGES + 1, .vertices = x, .edges = edges, .edge_count = ARMS * ARM_EDGES },
        id);
}

// Clamps the outer ends.
static void clamp(tide_world *world, tide_body_id id)
{
    for (uint32_t arm = 0; arm < ARMS; arm++)
        for (uint32_t k = TIP - 1; k <= TIP; k++)
            assert_ok(tide_world_pin(world, id, ARM_EDGES * arm + k + 1, TIDE_NOT_GIVEN, &error), error);
}

// Pulled apart in the middle, where nothing bends, the world goes on as one that is described so: the hashes are equal.
static void test_hash_of_arms_as_described(void **state)
{
    (void)state;
    tide_body_id id, same;
    uint32_t faces[ARMS], added;
    tide_world *world = make_cross(&id);
    clamp(world, id);
    for (uint32_t arm = 0; arm < ARMS; arm++)
        faces[arm] = 2 * ARM_EDGES * arm + 1; // opposite the outer end
    assert_ok(tide_world_open(world, id, faces, ARMS, &added, &error), error);
    assert_int_equal(added, ARMS - 1);
    tide_mesh_parts parts = parts_of(world, id);
    tide_world *described = make_rod(&parts, &same);
    clamp(described, same);
    assert_memory_equal(masses_of(world, id), masses_of(described, same),
                        (parts.vertex_count + parts.edge_count) * sizeof(double));
    for (int i = 0; i < 12; i++) {
        fixture_step(world, 1);
        fixture_step(described, 1);
        assert_int_equal(fixture_hash(world), fixture_hash(described));
        if (i == 5) // frames are held with their edges
            assert_ok(tide_world_turn(world, id, TIP, TIP + 1, 0.5, &error), error);
        if (i == 5)
            assert_ok(tide_world_turn(described, same, TIP, TIP + 1, 0.5, &error), error);
    }
    assert_true(tide_world_positions(world, id)[1] < -0.1); // the arms hang down
    tide_world_destroy(world);
    tide_world_destroy(described);
}

// --- a rod cut in the middle -----------------------------------------------------------------------------------------

enum { EDGES = 8, VERTICES = EDGES + 1 };

// Clamps the ends of a straight rod.
static tide_world *make_straight(tide_body_id *id)
{
    double x[3 * VERTICES] = { 0 };
    uint32_t edges[2 * EDGES];
    for (uint32_t v = 0; v < VERTICES; v++)
        x[3 * v] = EDGE * v;
    for (uint32_t e = 0; e < EDGES; e++) {
        edges[2 * e] = e;
        edges[2 * e + 1] = e + 1;
    }
    return make_rod(&(tide_mesh_parts) { .vertex_count = VERTICES, .vertices = x, .edges = edges, .edge_count = EDGES },
                    id);
}

static void hold_ends(tide_world *world, tide_body_id id)
{
    const uint32_t ends[] = { 0, 1, VERTICES - 2, VERTICES - 1 };
    for (int i = 0; i < 4; i++)
        assert_ok(tide_world_pin(world, id, ends[i], TIDE_NOT_GIVEN, &error), error);
}

static void twist(tide_world *world, tide_body_id id, double angle)
{
    assert_ok(tide_world_turn(world, id, VERTICES - 2, VERTICES - 1, angle, &error), error);
}

static void cut_middle(tide_world *world, tide_body_id id)
{
    uint32_t count;
    assert_ok(tide_world_cut_plane(world, id, (const double[]) { 1, 0, 0 }, EDGE * (EDGES / 2 - 0.4), &count, &error),
              error);
    assert_int_equal(count, 2); // a vertex and the joint
    assert_int_equal(tide_world_split_count(world, id), 1);
}

// Returns the energies of the joints of a rod that twists, J.
static void find_bends(tide_world *world, tide_body_id id, double *energies)
{
    const tide_elements *groups;
    uint32_t count;
    assert_ok(tide_world_groups(world, id, &groups, &count, &error), error);
    const double *x = tide_world_all_positions(world);
    for (uint32_t g = 0; g < count; g++)
        for (uint32_t e = 0; e < groups[g].count && groups[g].kind == &tide_rod_twist; e++)
            energies[e] = groups[g].kind->energy(&groups[g], x, e, e + 1);
}

// Masses, positions and velocities of vertices and frames are kept to the bit, so momentum is; each half keeps its
// bending and twist, and only the joint between them is lost.
static void test_halves_keep_their_bending(void **state)
{
    (void)state;
    enum { MIDDLE = EDGES / 2, COPY = VERTICES };
    tide_body_id id;
    tide_world *world = make_straight(&id);
    hold_ends(world, id);
    for (int i = 0; i < 12; i++) {
        twist(world, id, 0.2);
        fixture_step(world, 1);
    }
    double x[2][3 * (VERTICES + EDGES)], masses[VERTICES + EDGES], before[EDGES - 1], after[EDGES - 1];
    memcpy(x[0], tide_world_positions(world, id), sizeof x[0]);
    memcpy(x[1], tide_world_velocities(world, id), sizeof x[1]);
    memcpy(masses, masses_of(world, id), sizeof masses);
    find_bends(world, id, before);
    cut_middle(world, id);
    const double *now[] = { tide_world_positions(world, id), tide_world_velocities(world, id) };
    for (int i = 0; i < 2; i++) {
        assert_memory_equal(now[i], x[i], 3 * VERTICES * sizeof(double));
        assert_memory_equal(now[i] + 3 * COPY, x[i] + 3 * MIDDLE, 3 * sizeof(double));
        assert_memory_equal(now[i] + 3 * (COPY + 1), x[i] + 3 * VERTICES, 3 * EDGES * sizeof(double));
    }
    const double *own = masses_of(world, id);
    assert_true(own[MIDDLE] + own[COPY] == masses[MIDDLE] && own[MIDDLE] == own[COPY]);
    masses[MIDDLE] = own[MIDDLE];
    assert_memory_equal(own, masses, VERTICES * sizeof *own);
    assert_memory_equal(own + COPY + 1, masses + VERTICES, EDGES * sizeof *own);
    find_bends(world, id, after);
    for (int j = 0; j < EDGES - 1; j++) {
        assert_true(before[j] > 1e-6);
        assert_true(after[j] == (j + 1 == MIDDLE ? 0 : before[j]));
    }
    tide_world_destroy(world);
}

// The halves move as two rods that are described so: the vertices of both are the same.
static void test_halves_move_as_two_rods(void **state)
{
    (void)state;
    tide_body_id id, same;
    tide_world *world = make_straight(&id);
    hold_ends(world, id);
    cut_middle(world, id);
    tide_mesh_parts parts = parts_of(world, id);
    tide_world *described = make_rod(&parts, &same);
    hold_ends(described, same);
    for (int i = 0; i < 30; i++) {
        twist(world, id, 0.1);
        twist(described, same, 0.1);
        fixture_step(world, 1);
        fixture_step(described, 1);
    }
    const double *x = tide_world_positions(world, id), *y = tide_world_positions(described, same);
    for (size_t i = 0; i < 3 * (size_t)(parts.vertex_count + EDGES); i++)
        assert_near(x[i], y[i], 1e-7);
    assert_true(x[3 * (EDGES / 2) + 1] < -0.05);
    // No twist crosses the cut: the frame of the half that was not turned has stayed.
    assert_near(x[3 * parts.vertex_count + 2], -x[3 * (parts.vertex_count + EDGES / 2 - 1) + 2], 1e-3);
    tide_world_destroy(world);
    tide_world_destroy(described);
}

// Frames follow vertices that a script moved just before the cut.
static void test_frames_follow_over_a_cut(void **state)
{
    (void)state;
    tide_body_id id;
    tide_world *world = make_straight(&id);
    tide_energy energy;
    for (uint32_t v = 0; v < VERTICES; v++)
        tide_world_positions(world, id)[3 * (size_t)v + 1] += 2;
    cut_middle(world, id);
    assert_ok(tide_world_energy(world, &energy, &error), error);
    const double *x = tide_world_positions(world, id);
    for (size_t i = 0; i < VERTICES + 1 + EDGES; i++)
        assert_near(x[3 * i + 1], 2, EDGE + 1e-12);
    assert_near(energy.elastic, 0, 1e-9);
    tide_world_destroy(world);
}

// --- a lone edge -----------------------------------------------------------------------------------------------------

// An edge alone is cut itself, with its frame: its ends part.
static void test_a_lone_edge(void **state)
{
    (void)state;
    tide_body_id id;
    uint32_t count;
    const double x[] = { 0, 0, 0, EDGE, 0, 0 };
    tide_world *world = make_rod(
        &(tide_mesh_parts) { .vertex_count = 2, .vertices = x, .edges = (uint32_t[]) { 0, 1 }, .edge_count = 1 }, &id);
    assert_ok(tide_world_pin(world, id, 0, TIDE_NOT_GIVEN, &error), error);
    assert_ok(tide_world_cut_plane(world, id, (const double[]) { 1, 0, 0 }, EDGE / 2, &count, &error), error);
    assert_int_equal(count, 2);
    assert_int_equal(tide_world_split_count(world, id), 0);
    fixture_step(world, 30);
    assert_near(tide_world_positions(world, id)[4], -9.81 * 30 * 31 / 2 / 900, 1e-6);
    assert_near(tide_world_positions(world, id)[3], EDGE, 1e-6);
    tide_world_destroy(world);
}

// --- memory ----------------------------------------------------------------------------------------------------------

static tide_status live(void *mesh, tide_error *failure)
{
    tide_world *world = NULL;
    tide_body_id id;
    tide_body_def def = tide_body_def_default();
    def.name = "rod";
    def.mesh = mesh;
    def.density = 1000;
    def.materials[tide_material_index(&tide_material_rod)] = &rod;
    tide_status status = tide_world_create(NULL, NULL, &world, failure);
    if (status == TIDE_OK)
        status = tide_world_add_body(world, &def, &id, failure);
    for (uint32_t v = 0; v < 3 && status == TIDE_OK; v++)
        status = tide_world_pin(world, id, v, TIDE_NOT_GIVEN, failure);
    const double normals[2][3] = { { 0, 1, 0 }, { 0, 1, 0 } };
    if (status == TIDE_OK)
        status = fixture_cut_and_restore(world, id, normals, (const double[2]) { -0.3, -0.7 }, failure);
    tide_world_destroy(world);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    static tide_mesh_report report;
    tide_mesh_strand_def strand = { .points = 9, .to = { 0, -1, 0 } };
    tide_mesh *mesh;
    assert_ok(tide_mesh_strand.build(&strand, &mesh, &error), error);
    assert_ok(tide_mesh_check(mesh, &report, &error), error); // its findings stay with the mesh
    assert_true(fail_each_allocation_at_most(live, mesh) > 50);
    tide_mesh_release(mesh);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_hash_of_arms_as_described),
    cmocka_unit_test(test_halves_keep_their_bending),
    cmocka_unit_test(test_halves_move_as_two_rods),
    cmocka_unit_test(test_frames_follow_over_a_cut),
    cmocka_unit_test(test_a_lone_edge),
    cmocka_unit_test(test_every_allocation_may_fail),
};
TIDE_TEST_SUITE(world_split_rods, tests)

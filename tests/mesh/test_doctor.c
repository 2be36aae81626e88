// The mesh doctor: each problem, its words, and healthy meshes.
#include "mesh_tests.h"

static tide_mesh_report check(const tide_mesh *mesh)
{
    tide_mesh_report report;
    tide_error error;
    assert_ok(tide_mesh_check(mesh, &report, &error), error);
    return report;
}

static const tide_mesh_problem *find(const tide_mesh_report *report, tide_mesh_problem_kind kind)
{
    const tide_mesh_problem *found = NULL;
    for (uint32_t i = 0; i < report->problem_count; i++)
        if (report->problems[i].kind == kind) {
            assert_null(found);
            found = &report->problems[i];
        }
    return found;
}

static void assert_problem(const tide_mesh_report *report, tide_mesh_problem_kind kind, bool fatal, uint32_t count,
                           uint32_t first, const char *text)
{
    const tide_mesh_problem *problem = find(report, kind);
    assert_non_null(problem);
    assert_string_equal(problem->text, text);
    assert_true(problem->fatal == fatal);
    assert_int_equal(problem->count, count);
    assert_int_equal(problem->first, first);
}

static void test_healthy(void **state)
{
    (void)state;
    tide_mesh *meshes[] = { make_grid(6, 5, 1, 1, TIDE_DIAGONALS_ALTERNATING),
                            make_grid(3, 3, 1, 1, TIDE_DIAGONALS_NONE), make_strand(5), make_box(1, 1, 1, 2, 3, 1) };
    for (int i = 0; i < 4; i++) {
        assert_int_equal(check(meshes[i]).problem_count, 0);
        tide_mesh_release(meshes[i]);
    }
    const double points[] = { 0, 0, 0, 1, 2, 3 };
    tide_mesh *cloud = make_mesh(PARTS(points, .edge_count = 0));
    assert_int_equal(check(cloud).problem_count, 0);
    tide_mesh_release(cloud);
    const double one[] = { 5, 5, 5 };
    tide_mesh *particle = make_mesh(PARTS(one, .edge_count = 0));
    assert_int_equal(check(particle).problem_count, 0);
    tide_mesh_release(particle);
}

static void test_isolated_vertex(void **state)
{
    (void)state;
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 0.1, 0, 2, 0.2, 0, 2, 0, 0, 1, 0.3, 0, 2 };
    const uint32_t edges[] = { 0, 1, 1, 4 };
    tide_mesh *mesh = make_mesh(PARTS(vertices, .edges = edges, .edge_count = 2));
    tide_mesh_report report = check(mesh);
    assert_int_equal(report.problem_count, 1);
    assert_problem(&report, TIDE_MESH_ISOLATED_VERTEX, true, 3, 2,
                   "vertex 3 at (0.1, 0, 2) belongs to no edge, triangle or tetrahedron (3 such vertices); connect it "
                   "or remove it with :weld(0)");
    // What it says to do helps.
    tide_mesh *welded;
    tide_error error;
    assert_ok(tide_mesh_weld(mesh, 0, &welded, &error), error);
    assert_int_equal(check(welded).problem_count, 0);
    assert_int_equal(welded->vertex_count, 3);
    tide_mesh_release(mesh);
    tide_mesh_release(welded);
}

static void test_duplicate_vertices(void **state)
{
    (void)state;
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1e-10, 1, 1, 0, 1 };
    const uint32_t triangles[] = { 0, 2, 1, 3, 4, 5 };
    tide_mesh *mesh = make_mesh(PARTS(vertices, .triangles = triangles, .triangle_count = 2));
    tide_mesh_report report = check(mesh);
    assert_int_equal(report.problem_count, 1);
    assert_problem(&report, TIDE_MESH_DUPLICATE_VERTEX, false, 2, 3,
                   "vertex 4 at (1, 0, 0) is where vertex 2 is (2 such vertices); if this is a seam, join it with "
                   ":weld(1e-08)");
    tide_mesh *welded;
    tide_error error;
    assert_ok(tide_mesh_weld(mesh, 1e-8, &welded, &error), error);
    assert_int_equal(check(welded).problem_count, 0);
    assert_int_equal(welded->vertex_count, 4);
    tide_mesh_release(mesh);
    tide_mesh_release(welded);
}

static void test_zero_edge(void **state)
{
    (void)state;
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 1, 0, 0 };
    const uint32_t edges[] = { 0, 1, 1, 2 };
    tide_mesh *mesh = make_mesh(PARTS(vertices, .edges = edges, .edge_count = 2));
    tide_mesh_report report = check(mesh);
    assert_int_equal(report.problem_count, 2);
    assert_problem(&report, TIDE_MESH_ZERO_EDGE, true, 1, 1,
                   "edge 2, from vertex 2 to vertex 3 at (1, 0, 0), has no length (1 such edge); join its ends with "
                   ":weld(1e-09)");
    assert_problem(&report, TIDE_MESH_DUPLICATE_VERTEX, false, 1, 2,
                   "vertex 3 at (1, 0, 0) is where vertex 2 is (1 such vertex); if this is a seam, join it with "
                   ":weld(1e-09)");
    tide_mesh_release(mesh);
    // All at one place: there is no diagonal to measure by.
    const double same[] = { 2, 2, 2, 2, 2, 2 };
    mesh = make_mesh(PARTS(same, .edges = edges, .edge_count = 1));
    report = check(mesh);
    assert_problem(&report, TIDE_MESH_ZERO_EDGE, true, 1, 0,
                   "edge 1, from vertex 1 to vertex 2 at (2, 2, 2), has no length (1 such edge); join its ends with "
                   ":weld(0)");
    assert_null(find(&report, TIDE_MESH_SUSPICIOUS_SIZE));
    tide_mesh_release(mesh);
}

static void test_degenerate_triangle(void **state)
{
    (void)state;
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 3, 0, 0, 0, 0, 1 };
    const uint32_t triangles[] = { 0, 3, 1, 0, 1, 2 };
    tide_mesh *mesh = make_mesh(PARTS(vertices, .triangles = triangles, .triangle_count = 2));
    tide_mesh_report report = check(mesh);
    assert_int_equal(report.problem_count, 1);
    assert_problem(&report, TIDE_MESH_DEGENERATE_TRIANGLE, false, 1, 1,
                   "triangle 2 (vertices 1, 2, 3) at (0, 0, 0) has no area (1 such triangle); move one of its vertices "
                   "or remove it");
    tide_mesh_release(mesh);
}

static void test_degenerate_tetrahedron(void **state)
{
    (void)state;
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0 };
    const uint32_t tetrahedra[] = { 0, 1, 2, 3, 0, 1, 2, 4 };
    tide_mesh *mesh = make_mesh(PARTS(vertices, .tetrahedra = tetrahedra, .tetrahedron_count = 2));
    tide_mesh_report report = check(mesh);
    assert_problem(&report, TIDE_MESH_DEGENERATE_TETRAHEDRON, true, 1, 1,
                   "tetrahedron 2 (vertices 1, 2, 3, 5) at (0, 0, 0) has no volume (1 such tetrahedron); move one of "
                   "its vertices or remove it");
    tide_mesh_release(mesh);
}

static void test_duplicate_elements(void **state)
{
    (void)state;
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0 };
    const uint32_t edges[] = { 0, 1, 1, 2, 1, 0, 0, 3, 2, 1 }, triangles[] = { 0, 2, 1, 1, 2, 0 };
    const uint32_t tetrahedra[] = { 0, 1, 2, 3, 3, 2, 0, 1 };
    tide_mesh *mesh = make_mesh(PARTS(vertices, .edges = edges, .edge_count = 5, .triangles = triangles,
                                      .triangle_count = 2, .tetrahedra = tetrahedra, .tetrahedron_count = 2));
    tide_mesh_report report = check(mesh);
    assert_problem(&report, TIDE_MESH_DUPLICATE_ELEMENT, false, 4, 2,
                   "edge 3 (vertices 2, 1) was given before (4 such elements); remove it with :weld(0)");
    tide_mesh *welded;
    tide_error error;
    assert_ok(tide_mesh_weld(mesh, 0, &welded, &error), error);
    assert_int_equal(check(welded).problem_count, 0);
    tide_mesh_release(mesh);
    tide_mesh_release(welded);
}

static void test_non_manifold_edge(void **state)
{
    (void)state;
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1 };
    const uint32_t triangles[] = { 0, 1, 2, 0, 1, 3, 0, 1, 4 };
    tide_mesh *mesh = make_mesh(PARTS(vertices, .triangles = triangles, .triangle_count = 3));
    tide_mesh_report report = check(mesh);
    assert_int_equal(report.problem_count, 1);
    assert_problem(&report, TIDE_MESH_NON_MANIFOLD_EDGE, false, 1, 0,
                   "edge 1, from vertex 1 at (0, 0, 0) to vertex 2, is on 3 triangles (1 such edge); leave at most two "
                   "on an edge");
    tide_mesh_release(mesh);
}

static void test_size(void **state)
{
    (void)state;
    tide_mesh *grid = make_grid(3, 3, 150, 1, TIDE_DIAGONALS_ALTERNATING);
    tide_mesh_report report = check(grid);
    assert_int_equal(report.problem_count, 1);
    assert_problem(&report, TIDE_MESH_SUSPICIOUS_SIZE, false, 1, 0,
                   "the mesh is 150 m long; if its file is in millimetres, use :scale(0.001)");
    tide_mesh_release(grid);
    grid = make_grid(3, 3, 1e-4, 5e-4, TIDE_DIAGONALS_ALTERNATING);
    report = check(grid);
    assert_int_equal(report.problem_count, 1);
    assert_problem(&report, TIDE_MESH_SUSPICIOUS_SIZE, false, 1, 0,
                   "the mesh is 0.0005 m long; if its file is in kilometres, use :scale(1000)");
    tide_mesh_release(grid);
    // Sizes whose squares overflow or vanish are told nothing else.
    const double sizes[] = { 1e300, 1e-130 };
    for (int i = 0; i < 2; i++) {
        tide_mesh *box = make_box(sizes[i], sizes[i], sizes[i], 1, 1, 1);
        report = check(box);
        assert_int_equal(report.problem_count, 1);
        assert_non_null(find(&report, TIDE_MESH_SUSPICIOUS_SIZE));
        tide_mesh_release(box);
    }
}

static void test_memory_failures(void **state)
{
    (void)state;
    tide_mesh *box = make_box(1, 1, 1, 1, 1, 1);
    tide_mesh_report report;
    tide_error error;
    assert_survives_failures(tide_mesh_check(box, &report, &error), (void)0, 10);
    tide_mesh_release(box);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_healthy),
    cmocka_unit_test(test_isolated_vertex),
    cmocka_unit_test(test_duplicate_vertices),
    cmocka_unit_test(test_zero_edge),
    cmocka_unit_test(test_degenerate_triangle),
    cmocka_unit_test(test_degenerate_tetrahedron),
    cmocka_unit_test(test_duplicate_elements),
    cmocka_unit_test(test_non_manifold_edge),
    cmocka_unit_test(test_size),
    cmocka_unit_test(test_memory_failures),
};
TIDE_TEST_SUITE(mesh_doctor, tests)

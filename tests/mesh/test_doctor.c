// The mesh doctor: each problem, its words, and healthy meshes.
#include "mesh_tests.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

// `text` NULL: any.
static void assert_note(const tide_mesh_report *report, tide_mesh_problem_kind kind, uint32_t count, uint32_t first,
                        const char *text)
{
    const tide_mesh_problem *note = NULL;
    for (uint32_t i = 0; i < report->note_count; i++)
        if (report->notes[i].kind == kind)
            note = &report->notes[i];
    assert_non_null(note);
    assert_false(note->fatal);
    assert_int_equal(note->count, count);
    assert_int_equal(note->first, first);
    if (text)
        assert_string_equal(note->text, text);
}

static void test_healthy(void **state)
{
    (void)state;
    tide_mesh *meshes[] = { make_grid(6, 5, 1, 1, TIDE_DIAGONALS_ALTERNATING),
                            make_grid(3, 3, 1, 1, TIDE_DIAGONALS_NONE), make_strand(5), make_box(1, 1, 1, 2, 3, 1) };
    const uint32_t rims[] = { 18, 8, 0, 0 };
    for (int i = 0; i < 4; i++) {
        tide_mesh_report report = check(meshes[i]);
        assert_int_equal(report.problem_count, 0);
        assert_int_equal(report.note_count, rims[i] > 0);
        if (rims[i])
            assert_note(&report, TIDE_MESH_OPEN_SURFACE, rims[i], 0, NULL);
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
                   "vertex 3 at (0.1, 0, 2) belongs to no edge, triangle or tetrahedron (3 such vertices); connect it, "
                   "or remove it with fix = true, as `springtide check --fix` does");
    // Its advice repairs the mesh.
    tide_mesh *welded;
    tide_error error;
    assert_ok(tide_mesh_weld(mesh, 0, &welded, &error), error);
    assert_int_equal(check(welded).problem_count, 0);
    assert_int_equal(welded->vertex_count, 3);
    tide_mesh_release(mesh);
    tide_mesh_release(welded);
}

static void assert_welds(const tide_mesh *mesh, double distance, uint32_t vertices)
{
    tide_mesh *welded;
    tide_error error;
    assert_ok(tide_mesh_weld(mesh, distance, &welded, &error), error);
    assert_int_equal(check(welded).problem_count, 0);
    assert_int_equal(welded->vertex_count, vertices);
    tide_mesh_release(welded);
}

// Three seams: of two vertices, of three, and between solids; and cases that are not seams.
static void test_seams(void **state)
{
    (void)state;
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1e-10, 1, 1, 0, 1 };
    const uint32_t triangles[] = { 0, 2, 1, 3, 4, 5 };
    tide_mesh *mesh = make_mesh(PARTS(vertices, .triangles = triangles, .triangle_count = 2));
    tide_mesh_report report = check(mesh);
    assert_int_equal(report.problem_count, 1);
    assert_problem(&report, TIDE_MESH_SEAM, false, 2, 3,
                   "a seam of 2 vertices is not welded: vertex 4 at (1, 0, 0) is where vertex 2 is (1 seam, 2 such "
                   "vertices in all); join it with :weld(1e-08)");
    assert_welds(mesh, 1e-8, 4);
    tide_mesh_release(mesh);
    // Two grids side by side and one far from them, above another: rims of 4 and of 3 vertices.
    tide_mesh *whole = make_grid(4, 4, 3, 3, TIDE_DIAGONALS_ALTERNATING);
    double points[3 * 4 * 16];
    uint32_t sides[3 * 4 * 18], count = 0;
    for (uint32_t copy = 0; copy < 4; copy++) {
        for (uint32_t i = 0; i < 16; i++) {
            double *p = points + 3 * (16 * copy + i);
            memcpy(p, whole->vertices + 3 * i, 3 * sizeof *p);
            p[0] += copy == 1 ? 3 : copy >= 2 ? 20 : 0; // the last two share the corner vertices 1 to 3 of a side
            if (copy == 3)
                p[2] += 3;
            if (copy == 3 && i == 3)
                p[0] += 0.1;
        }
        for (uint32_t i = 0; i < 3 * 18; i++)
            sides[count++] = whole->triangles[i] + 16 * copy;
    }
    mesh = make_mesh(PARTS(points, .triangles = sides, .triangle_count = 72));
    report = check(mesh);
    assert_int_equal(report.problem_count, 1);
    assert_problem(&report, TIDE_MESH_SEAM, false, 7, 16,
                   "a seam of 4 vertices is not welded: vertex 17 at (3, 0, 0) is where vertex 4 is (2 seams, 7 such "
                   "vertices in all); join it with :weld(1e-07)");
    assert_note(&report, TIDE_MESH_PIECES, 4, 16, NULL);
    tide_mesh_release(mesh);
    tide_mesh_release(whole);
}

// Sides that rounding has left apart: a seam as well, and told how wide it gapes. Wider than that they are two sheets.
static void test_seam_that_gapes(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        double gap = wide ? 1e-4 : 4e-6;
        const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 0, 1, 1 + gap, 0, 0, 0, gap, 1, 1, 0, 1 };
        const uint32_t triangles[] = { 0, 2, 1, 3, 4, 5 };
        tide_mesh *mesh = make_mesh(PARTS(vertices, .triangles = triangles, .triangle_count = 2));
        tide_mesh_report report = check(mesh);
        assert_int_equal(report.problem_count, !wide);
        if (!wide) {
            assert_problem(&report, TIDE_MESH_SEAM, false, 2, 3,
                           "a seam of 2 vertices is not welded: vertex 4 at (1, 0, 0) is 4e-06 m from where vertex 2 "
                           "is (1 seam, 2 such vertices in all); join it with :weld(1e-05)");
            assert_welds(mesh, 1e-5, 4);
        }
        tide_mesh_release(mesh);
    }
}

static void test_seam_of_solids(void **state)
{
    (void)state;
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, -1 };
    const uint32_t tetrahedra[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    tide_mesh *mesh = make_mesh(PARTS(vertices, .tetrahedra = tetrahedra, .tetrahedron_count = 2));
    tide_mesh_report report = check(mesh);
    assert_int_equal(report.problem_count, 1);
    assert_problem(&report, TIDE_MESH_SEAM, false, 3, 4,
                   "a seam of 3 vertices is not welded: vertex 5 at (0, 0, 0) is where vertex 1 is (1 seam, 3 such "
                   "vertices in all); join it with :weld(1e-08)");
    assert_note(&report, TIDE_MESH_PIECES, 2, 4,
                "the mesh is in 2 pieces that nothing joins; the second begins with vertex 5 at (0, 0, 0)");
    tide_mesh_release(mesh);
}

// Triangles that touch in a point, and layers that lie on one another but have their rims apart.
static void test_duplicate_vertices(void **state)
{
    (void)state;
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0, 0, -1 };
    const uint32_t triangles[] = { 0, 2, 1, 3, 5, 4 };
    tide_mesh *mesh = make_mesh(PARTS(vertices, .triangles = triangles, .triangle_count = 2));
    tide_mesh_report report = check(mesh);
    assert_int_equal(report.problem_count, 1);
    assert_problem(&report, TIDE_MESH_DUPLICATE_VERTEX, false, 1, 3,
                   "vertex 4 at (0, 0, 0) is where vertex 1 is (1 such vertex); if they are one, join them with "
                   ":weld(1e-08)");
    tide_mesh_release(mesh);
    const double hexagon[] = { 0, 0, 0, 1, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, -1,
                               0, 0, 0, 2, 0, 0, 0, 0, 2, -2, 0, 0, 0, 0, -2 };
    const uint32_t fans[] = { 0, 2, 1, 0, 3, 2, 0, 4, 3, 0, 1, 4, 5, 7, 6, 5, 8, 7, 5, 9, 8, 5, 6, 9 };
    mesh = make_mesh(PARTS(hexagon, .triangles = fans, .triangle_count = 8));
    report = check(mesh);
    assert_int_equal(report.problem_count, 1);
    assert_problem(&report, TIDE_MESH_DUPLICATE_VERTEX, false, 1, 5,
                   "vertex 6 at (0, 0, 0) is where vertex 1 is (1 such vertex); if they are one, join them with "
                   ":weld(1e-08)");
    tide_mesh_release(mesh);
}

// Faces shared by two tetrahedra among the triangles: the advice repairs the mesh.
static void test_inner_faces(void **state)
{
    (void)state;
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1 };
    const uint32_t tetrahedra[] = { 0, 1, 2, 3, 1, 2, 3, 4 };
    const uint32_t triangles[] = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 1, 2, 4, 2, 3, 4, 1, 4, 3 };
    tide_mesh *mesh = make_mesh(
        PARTS(vertices, .tetrahedra = tetrahedra, .tetrahedron_count = 2, .triangles = triangles, .triangle_count = 7));
    tide_mesh_report report = check(mesh);
    bool told = false;
    for (uint32_t i = 0; i < report.problem_count; i++)
        told |= report.problems[i].kind == TIDE_MESH_NON_MANIFOLD_EDGE &&
                strstr(report.problems[i].text, "faces inside the solid go with fix = true, as `springtide check");
    assert_true(told);
    const tide_mesh_mend_def fix = { .scale = 1, .weld = TIDE_NOT_GIVEN, .fix = true };
    const tide_mesh *mended;
    tide_error error;
    assert_ok(tide_mesh_mend(mesh, &fix, &mended, NULL, &error), error);
    assert_int_equal(mended->triangle_count, 6);
    report = check(mended);
    assert_int_equal(report.problem_count, 0);
    tide_mesh_release(mended);
    tide_mesh_release(mesh);
}

static void test_massless_vertices(void **state)
{
    (void)state;
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 3, 3, 3, 4, 3, 3 };
    const uint32_t tetrahedra[] = { 0, 1, 2, 3 };
    const uint32_t edges[] = { 0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3, 3, 4 }, triangles[] = { 0, 2, 1 };
    const uint32_t alone[] = { 4, 5, 0 };
    tide_mesh *mesh = make_mesh(PARTS(vertices, .tetrahedra = tetrahedra, .tetrahedron_count = 1, .edges = edges,
                                      .edge_count = 7, .triangles = alone, .triangle_count = 1));
    tide_mesh_report report = check(mesh);
    assert_int_equal(report.problem_count, 1);
    assert_problem(&report, TIDE_MESH_MASSLESS_VERTEX, false, 2, 4,
                   "vertex 5 at (3, 3, 3) is in no tetrahedron of any volume, so that density gives it no mass (2 such "
                   "vertices); give the body mass or masses, or mend the mesh");
    tide_mesh_release(mesh);
    mesh = make_mesh(PARTS(vertices, .edges = edges, .edge_count = 7, .triangles = triangles, .triangle_count = 1));
    report = check(mesh);
    assert_problem(&report, TIDE_MESH_MASSLESS_VERTEX, false, 2, 3,
                   "vertex 4 at (0, 0, 1) is in no triangle of any area, so that density gives it no mass (2 such "
                   "vertices); give the body mass or masses, or mend the mesh");
    tide_mesh_release(mesh);
}

static void test_slivers(void **state)
{
    (void)state;
    // Lower than its longest side by 0.009 and by 0.011.
    const double vertices[] = { 0, 0, 0, 2, 0, 0, 1, 0, 0.018, 1, 0, -0.022 };
    const uint32_t triangles[] = { 0, 1, 3, 0, 2, 1 };
    tide_mesh *mesh = make_mesh(PARTS(vertices, .triangles = triangles, .triangle_count = 2));
    tide_mesh_report report = check(mesh);
    assert_int_equal(report.problem_count, 1);
    assert_problem(&report, TIDE_MESH_SLIVER_TRIANGLE, false, 1, 1,
                   "triangle 2 (vertices 1, 3, 2) at (0, 0, 0) is a sliver (1 such triangle, the flattest 0.009 times "
                   "as high as long); weld its short side or cut the mesh anew");
    tide_mesh_release(mesh);
    // A corner of a cube pressed flat to a height z. By its definition: the inner radius is 3 V / A, the outer one that
    // of the sphere through (0,0,0), (1,0,0), (0,1,0), (1,1,z): its centre is (1/2, 1/2, c) with c = z / 2, since
    // |(1/2, 1/2, c)|^2 = |(1/2, 1/2, z - c)|^2.
    for (int wide = 0; wide < 2; wide++) {
        double z = wide ? 0.0049 : 0.0045;
        const double corners[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, z };
        const uint32_t tetrahedra[] = { 0, 1, 2, 3 };
        mesh = make_mesh(PARTS(corners, .tetrahedra = tetrahedra, .tetrahedron_count = 1));
        double outer = sqrt(0.5 + z * z / 4), volume = z / 6;
        double area = 0.5 + 2 * sqrt(1 + z * z) / 2 + 0.5 * sqrt(1 + 2 * z * z);
        double ratio = 3 * (3 * volume / area) / outer;
        assert_true(wide ? ratio > 0.0051 && ratio < 0.0053 : ratio > 0.0047 && ratio < 0.0049);
        report = check(mesh);
        assert_int_equal(report.problem_count, !wide);
        if (!wide)
            assert_problem(&report, TIDE_MESH_SLIVER_TETRAHEDRON, false, 1, 0,
                           "tetrahedron 1 (vertices 1, 2, 3, 4) at (0, 0, 0) is a sliver (1 such tetrahedron, the "
                           "worst with a radius ratio of 0.0048); move one of its vertices or cut the mesh anew");
        tide_mesh_release(mesh);
    }
}

// Given with its corners the other way round it is only turned; one whose corner has gone through a face is told of.
static void test_inverted_tetrahedra(void **state)
{
    (void)state;
    tide_mesh *box = make_box(1, 1, 1, 2, 2, 2);
    assert_int_equal(check(box).note_count, 0);
    uint32_t *tetrahedra = malloc(4 * sizeof *tetrahedra * box->tetrahedron_count);
    memcpy(tetrahedra, box->tetrahedra, 4 * sizeof *tetrahedra * box->tetrahedron_count);
    for (uint32_t i = 3; i < 8; i += 2) {
        tetrahedra[4 * i] = box->tetrahedra[4 * i + 1];
        tetrahedra[4 * i + 1] = box->tetrahedra[4 * i];
    }
    tide_mesh_parts parts = tide_mesh_view(box);
    parts.tetrahedra = tetrahedra;
    tide_mesh *turned = make_mesh(parts);
    tide_mesh_report report = check(turned);
    assert_int_equal(report.problem_count, 0);
    char text[200];
    const double *at = box->vertices + 3 * (size_t)tetrahedra[12];
    snprintf(text, sizeof text,
             "tetrahedron 4 at (%g, %g, %g) was given inside out, its volume negative by the order of its corners, and "
             "is turned (3 of 40 tetrahedra)",
             at[0], at[1], at[2]);
    assert_note(&report, TIDE_MESH_TURNED_TETRAHEDRA, 3, 3, text);
    free(tetrahedra);
    tide_mesh_release(turned);
    tide_mesh_release(box);
    // Around an edge; the last corner of the third has gone through the face between it and the second.
    const double vertices[] = {
        0, 0, -1, 0, 0, 1, 1, 0, 0, 0.31, 0.95, 0, -0.81, 0.59, 0, 0.8, 0.8, 0, 0.31, -0.95, 0
    };
    const uint32_t around[] = { 0, 1, 2, 3, 0, 1, 3, 4, 0, 1, 4, 5, 0, 1, 6, 2 };
    tide_mesh *folded = make_mesh(PARTS(vertices, .tetrahedra = around, .tetrahedron_count = 4));
    report = check(folded);
    assert_problem(&report, TIDE_MESH_INVERTED_TETRAHEDRON, false, 1, 1,
                   "tetrahedra 2 and 3 are on the same side of the face that they share (vertices 1, 2, 5) at "
                   "(0, 0, -1), so that one of them is inverted (1 such face); move one of their vertices or remove "
                   "one");
    assert_note(&report, TIDE_MESH_TURNED_TETRAHEDRA, 1, 2, NULL);
    tide_mesh_release(folded);
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
                   "vertex 3 at (1, 0, 0) is where vertex 2 is (1 such vertex); if they are one, join them with "
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
    assert_int_equal(report.problem_count, 2);
    assert_problem(&report, TIDE_MESH_DEGENERATE_TRIANGLE, false, 1, 1,
                   "triangle 2 (vertices 1, 2, 3) at (0, 0, 0) has no area (1 such triangle); move one of its vertices "
                   "or remove it, as fix does");
    assert_problem(&report, TIDE_MESH_MASSLESS_VERTEX, false, 1, 2,
                   "vertex 3 at (3, 0, 0) is in no triangle of any area, so that density gives it no mass (1 such "
                   "vertex); give the body mass or masses, or mend the mesh");
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
                   "its vertices or remove it, as fix does");
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

// Two triangles that touch in a point, and two solids that do.
static void test_non_manifold_vertex(void **state)
{
    (void)state;
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, -1 };
    const uint32_t triangles[] = { 0, 2, 1, 0, 4, 3 };
    tide_mesh *mesh = make_mesh(PARTS(vertices, .triangles = triangles, .triangle_count = 2));
    tide_mesh_report report = check(mesh);
    assert_int_equal(report.problem_count, 1);
    assert_problem(&report, TIDE_MESH_NON_MANIFOLD_VERTEX, false, 1, 0,
                   "vertex 1 at (0, 0, 0) joins parts of the surface that share no edge there (1 such vertex); give "
                   "each part a vertex of its own, or join them along an edge");
    tide_mesh_release(mesh);
    const double corners[] = { 5, 5, 5, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, -1 };
    const uint32_t tetrahedra[] = { 1, 2, 3, 4, 1, 5, 6, 7 }, edges[] = { 0, 1 };
    mesh = make_mesh(PARTS(corners, .tetrahedra = tetrahedra, .tetrahedron_count = 2, .edges = edges, .edge_count = 1));
    report = check(mesh);
    assert_int_equal(report.problem_count, 2);
    assert_problem(&report, TIDE_MESH_NON_MANIFOLD_VERTEX, false, 1, 1,
                   "vertex 2 at (0, 0, 0) joins parts of the surface that share no edge there (1 such vertex); give "
                   "each part a vertex of its own, or join them along an edge");
    assert_non_null(find(&report, TIDE_MESH_MASSLESS_VERTEX));
    tide_mesh_release(mesh);
}

static void turn(uint32_t *triangle)
{
    uint32_t second = triangle[1];
    triangle[1] = triangle[2];
    triangle[2] = second;
}

static void test_mixed_orientation(void **state)
{
    (void)state;
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 2, 0, 0 };
    const uint32_t triangles[] = { 0, 2, 1, 0, 2, 3, 1, 2, 4 };
    tide_mesh *mesh = make_mesh(PARTS(vertices, .triangles = triangles, .triangle_count = 3));
    tide_mesh_report report = check(mesh);
    assert_int_equal(report.problem_count, 1);
    assert_problem(&report, TIDE_MESH_MIXED_ORIENTATION, false, 1, 0,
                   "triangles 1 and 2 face opposite ways across the edge from vertex 1 at (0, 0, 0) to vertex 3 (1 "
                   "such edge); turn them, as fix does");
    tide_mesh_release(mesh);
    // A Moebius strip of 5 quadrilaterals cannot be turned well.
    double strip[30];
    uint32_t sides[30];
    for (uint32_t i = 0; i < 5; i++) {
        double turn = 2 * 3.14159265358979 * i / 5;
        for (uint32_t k = 0; k < 2; k++) {
            double across = k ? 0.3 : -0.3, radius = 1 + across * cos(turn / 2);
            double *p = strip + 3 * (2 * i + k);
            p[0] = radius * cos(turn), p[1] = across * sin(turn / 2), p[2] = radius * sin(turn);
        }
        uint32_t a = 2 * i, b = 2 * i + 1, c = i < 4 ? a + 2 : 1, d = i < 4 ? a + 3 : 0;
        const uint32_t both[] = { a, b, c, b, d, c };
        memcpy(sides + 6 * i, both, sizeof both);
    }
    mesh = make_mesh(PARTS(strip, .triangles = sides, .triangle_count = 10));
    report = check(mesh);
    assert_int_equal(report.problem_count, 1);
    const tide_mesh_problem *mixed = find(&report, TIDE_MESH_MIXED_ORIENTATION);
    assert_non_null(mixed);
    assert_non_null(strstr(mixed->text, "one side only"));
    assert_note(&report, TIDE_MESH_OPEN_SURFACE, 10, 0, NULL);
    tide_mesh_release(mesh);
}

static void test_inside_out(void **state)
{
    (void)state;
    tide_mesh *box = make_box(1, 1, 1, 1, 1, 1);
    uint32_t sides[3 * 12];
    memcpy(sides, box->triangles, sizeof sides);
    for (int i = 0; i < 12; i++)
        turn(sides + 3 * i);
    tide_mesh_parts parts = { .vertices = box->vertices, .vertex_count = 8, .triangles = sides, .triangle_count = 12 };
    tide_mesh *mesh = make_mesh(parts);
    tide_mesh_report report = check(mesh);
    assert_int_equal(report.problem_count, 1);
    assert_int_equal(report.note_count, 0);
    char text[200];
    snprintf(text, sizeof text,
             "the closed surface with triangle 1 at (%g, %g, %g) faces inward (1 such piece); turn it, "
             "as fix does",
             box->vertices[3 * sides[0]], box->vertices[3 * sides[0] + 1], box->vertices[3 * sides[0] + 2]);
    assert_problem(&report, TIDE_MESH_INSIDE_OUT, false, 1, 0, text);
    tide_mesh_release(mesh);
    tide_mesh_release(box);
}

static void test_size(void **state)
{
    (void)state;
    tide_mesh *grid = make_grid(3, 3, 150, 15, TIDE_DIAGONALS_ALTERNATING);
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

static bool refuse(size_t size, void *context)
{
    (void)size;
    (void)context;
    return true;
}

static void test_what_was_found_is_kept(void **state)
{
    (void)state;
    const double points[] = { 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 2000, 0, 1 }; // the last two in no element
    const uint32_t triangles[] = { 0, 2, 1 };
    tide_mesh *mesh = make_mesh(PARTS(points, .triangles = triangles, .triangle_count = 1));
    static tide_mesh_report first, second;
    tide_error error;
    assert_ok(tide_mesh_check(mesh, &first, &error), error);
    assert_true(first.problem_count >= 2 && first.note_count >= 1);
    tide_memory_set_failure_hook(refuse, NULL);
    tide_status status = tide_mesh_check(mesh, &second, &error); // looks at nothing again
    tide_memory_set_failure_hook(NULL, NULL);
    assert_ok(status, error);
    assert_memory_equal(&first, &second, sizeof first);
    tide_mesh_release(mesh);
}

static void test_memory_failures(void **state)
{
    (void)state;
    tide_mesh *box = make_box(1, 1, 1, 1, 1, 1);
    tide_mesh_report report;
    tide_error error;
    const double seam[] = { 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 1 };
    const uint32_t triangles[] = { 0, 2, 1, 3, 4, 5 };
    tide_mesh *mesh = make_mesh(PARTS(seam, .triangles = triangles, .triangle_count = 2));
    assert_survives_failures(tide_mesh_check(mesh, &report, &error), (void)0, 25);
    tide_mesh_release(mesh);
    assert_survives_failures(tide_mesh_check(box, &report, &error), (void)0, 10);
    tide_mesh_release(box);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_healthy),
    cmocka_unit_test(test_isolated_vertex),
    cmocka_unit_test(test_seams),
    cmocka_unit_test(test_seam_that_gapes),
    cmocka_unit_test(test_seam_of_solids),
    cmocka_unit_test(test_duplicate_vertices),
    cmocka_unit_test(test_inner_faces),
    cmocka_unit_test(test_massless_vertices),
    cmocka_unit_test(test_slivers),
    cmocka_unit_test(test_inverted_tetrahedra),
    cmocka_unit_test(test_zero_edge),
    cmocka_unit_test(test_degenerate_triangle),
    cmocka_unit_test(test_degenerate_tetrahedron),
    cmocka_unit_test(test_duplicate_elements),
    cmocka_unit_test(test_non_manifold_edge),
    cmocka_unit_test(test_non_manifold_vertex),
    cmocka_unit_test(test_mixed_orientation),
    cmocka_unit_test(test_inside_out),
    cmocka_unit_test(test_size),
    cmocka_unit_test(test_what_was_found_is_kept),
    cmocka_unit_test(test_memory_failures),
};
TIDE_TEST_SUITE(mesh_doctor, tests)

// Mesh files: valid files, refused files with the place of the fault, and round trips.
#define _POSIX_C_SOURCE 200809L
#include "../mesh/mesh_tests.h"
#include "formats/mesh_file.h"
#include "output_checks.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static tide_mesh *read_obj(const char *text)
{
    tide_mesh *mesh = NULL;
    tide_error error;
    assert_ok(tide_mesh_read_obj(text, strlen(text), "a.obj", &mesh, &error), error);
    return mesh;
}

static tide_mesh *read_medit(const char *text)
{
    tide_mesh *mesh = NULL;
    tide_error error;
    assert_ok(tide_mesh_read_medit(text, strlen(text), "a.mesh", &mesh, &error), error);
    return mesh;
}

static void assert_indices(const uint32_t *found, uint32_t count, const uint32_t *expected, uint32_t expected_count,
                           size_t width)
{
    assert_int_equal(count, expected_count);
    assert_memory_equal(found, expected, width * sizeof(uint32_t) * count);
}

// --- OBJ

static void test_obj(void **state)
{
    (void)state;
    tide_mesh *mesh =
        read_obj("# a comment\r\nmtllib x.mtl\r\no thing\r\nv 0 0 0\r\nv 1.5 0 0 # here too\r\n"
                 "v 1 -2.5e-1 +1 1.0\r\nv 0 0 1 0.5 0.5 0.5\r\nvn 0 1 0\r\ng part\r\nusemtl red\r\ns 1\r\n"
                 "\r\n  f 1 2 3 4\r\nf -1//1 -3//1 -2//1\r\n");
    const double vertices[] = { 0, 0, 0, 1.5, 0, 0, 1, -0.25, 1, 0, 0, 1 };
    const uint32_t triangles[] = { 0, 1, 2, 0, 2, 3, 3, 1, 2 };
    assert_int_equal(mesh->vertex_count, 4);
    assert_memory_equal(mesh->vertices, vertices, sizeof vertices);
    assert_indices(mesh->triangles, mesh->triangle_count, triangles, 3, 3);
    assert_int_equal(mesh->edge_count, 6);
    assert_null(mesh->texture);
    tide_mesh_release(mesh);
}

static void test_obj_texture(void **state)
{
    (void)state;
    // A vertex keeps its first texture coordinate; one without has (0, 0).
    tide_mesh *mesh = read_obj("vt 0.5 0.25\nvt 1\nvt 0.75 1 0\nv 0 0 0\nv 1 0 0\nv 0 0 1\nv 0 1 0\nv 9 9 9\n"
                               "f 1/3 3/1/1 2/-2\nf 1/1 2/1 4\nl 5 4\nvn 0 1 0\n");
    const double texture[] = { 0.75, 1, 1, 0, 0.5, 0.25, 0, 0, 0, 0 };
    assert_memory_equal(mesh->texture, texture, sizeof texture);
    tide_mesh_release(mesh);
}

static void test_obj_lines(void **state)
{
    (void)state;
    const char *points = "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 0 1 0\n";
    char text[256];
    snprintf(text, sizeof text, "%sl 4 2 -4\nl 3/1 1/1\nvt 0 0\n", points);
    tide_mesh *mesh = read_obj(text);
    const uint32_t lines[] = { 3, 1, 1, 0, 2, 0 };
    assert_indices(mesh->edges, mesh->edge_count, lines, 3, 2);
    tide_mesh_release(mesh);
    // Beside faces, lines are added to the edges of those.
    snprintf(text, sizeof text, "%sf 1 3 2\nl 4 2 1\n", points);
    mesh = read_obj(text);
    const uint32_t united[] = { 0, 1, 0, 2, 1, 2, 1, 3 };
    assert_indices(mesh->edges, mesh->edge_count, united, 4, 2);
    tide_mesh_release(mesh);
}

static void test_obj_joined_lines_and_late_vertices(void **state)
{
    (void)state;
    tide_mesh *mesh =
        read_obj("\xef\xbb\xbf"
                 "f 1 \\\n 2 \\\r\n 3\nusemtl a \\\n v 7 7 7\n# ends in a backslash \\\nv 0 0 0\nv 1 0 0\nv 0 1 0");
    assert_int_equal(mesh->vertex_count, 3);
    assert_int_equal(mesh->triangle_count, 1);
    tide_mesh_release(mesh);
}

static void assert_obj_refused(const char *text, const char *message)
{
    tide_mesh *mesh = NULL;
    tide_error error;
    char found[1024];
    assert_int_equal(tide_mesh_read_obj(text, strlen(text), "broken.obj", &mesh, &error), TIDE_ERROR_FORMAT);
    assert_string_equal(tide_error_text(&error, found, sizeof found), message);
    assert_null(mesh);
}

#define POINTS "v 0 0 0\nv 1 0 0\n"
#define FOUR POINTS "v 0 1 0\nv 0 0 1\n"

static void test_obj_refusals(void **state)
{
    (void)state;
    assert_obj_refused(POINTS "f 1 2 9\nv 0 1 0\nv 0 0 1\n",
                       "broken.obj:3: OBJ mesh: face index 9: expected 1 to 4 (or negative)");
    assert_obj_refused(FOUR "f 1 0 2\n", "broken.obj:5: OBJ mesh: face index 0: expected 1 to 4 (or negative)");
    assert_obj_refused(FOUR "f 1 2 -5\n", "broken.obj:5: OBJ mesh: face index -5: expected -4 to -1 (or 1 to 4)");
    assert_obj_refused("f -1 -2 -3\n" FOUR,
                       "broken.obj:1: OBJ mesh: face index -1: no line above defines one; expected 1 to 4");
    assert_obj_refused("f 1 2 3\n", "broken.obj:1: OBJ mesh: face index 1: the file defines none");
    assert_obj_refused(FOUR "f 1 2\n",
                       "broken.obj:5: OBJ mesh: face index: expected an integer, found the end of the line");
    assert_obj_refused(FOUR "f 1 2",
                       "broken.obj:5: OBJ mesh: face index: expected an integer, found the end of the file");
    assert_obj_refused(FOUR "f 1 2 x3\n", "broken.obj:5: OBJ mesh: face index \"x3\": expected an integer");
    assert_obj_refused(FOUR "f 1 2 3.5\n", "broken.obj:5: OBJ mesh: face index \"3.5\": expected an integer");
    assert_obj_refused(FOUR "f 1 2 99999999999999999999\n",
                       "broken.obj:5: OBJ mesh: face index \"99999999999999999999\": expected an integer");
    assert_obj_refused(FOUR "f 1 2 2\n",
                       "broken.obj:5: OBJ mesh: face index 2: named twice; expected different vertices");
    assert_obj_refused(FOUR "f 1/1 2/1 3/1\n", "broken.obj:5: OBJ mesh: texture index 1: the file defines none");
    assert_obj_refused(FOUR "vt 0 0\nf 1/1 2/2 3/1\n",
                       "broken.obj:6: OBJ mesh: texture index 2: expected 1 to 1 (or negative)");
    assert_obj_refused(FOUR "f 1/ 2 3\n", "broken.obj:5: OBJ mesh: texture index \"\": expected an integer");
    assert_obj_refused(FOUR "f 1//n 2 3\n", "broken.obj:5: OBJ mesh: normal index \"n\": expected an integer");
    assert_obj_refused(FOUR "f 1//1/4 2 3\n",
                       "broken.obj:5: OBJ mesh: face index \"/4\": expected at most three indices");
    assert_obj_refused(FOUR "l 1\n",
                       "broken.obj:5: OBJ mesh: line index: expected an integer, found the end of the line");
    assert_obj_refused(FOUR "l 1 7\n", "broken.obj:5: OBJ mesh: line index 7: expected 1 to 4 (or negative)");
    assert_obj_refused(FOUR "l 1 3 3\n",
                       "broken.obj:5: OBJ mesh: line index 3: named twice; expected different vertices");
    assert_obj_refused("\n\nv 1 2\n",
                       "broken.obj:3: OBJ mesh: vertex coordinate: expected a number, found the end of the line");
    assert_obj_refused("v 1 2 zero\n", "broken.obj:1: OBJ mesh: vertex coordinate \"zero\": expected a number");
    assert_obj_refused("v 1 2 nan\n", "broken.obj:1: OBJ mesh: vertex coordinate \"nan\": expected a number");
    assert_obj_refused("v 1 2 0x10\n", "broken.obj:1: OBJ mesh: vertex coordinate \"0x10\": expected a number");
    assert_obj_refused("v 1 2 1e\n", "broken.obj:1: OBJ mesh: vertex coordinate \"1e\": expected a number");
    assert_obj_refused("v 1 2 1e999\n",
                       "broken.obj:1: OBJ mesh: vertex coordinate \"1e999\": expected a finite number");
    assert_obj_refused("v 1 2 3 4 5 6 7 8\n", "broken.obj:1: OBJ mesh: vertex \"8\": expected the end of the line");
    assert_obj_refused("v 0 0 0\nvt\n",
                       "broken.obj:2: OBJ mesh: texture coordinate: expected a number, found the end of the line");
    assert_obj_refused("", "broken.obj:1: OBJ mesh: there are no vertices; expected at least one");
    assert_obj_refused("# nothing\n", "broken.obj:2: OBJ mesh: there are no vertices; expected at least one");
    assert_obj_refused("v 1 2 a\001b\xff-0123456789-0123456789-0123456789\n",
                       "broken.obj:1: OBJ mesh: vertex coordinate \"a?b?-0123456789-0123456789-01234...\": expected a "
                       "number");
    assert_obj_refused(FOUR "#springtide skip 1 5\n", "broken.obj:5: OBJ mesh: skip vertex 5: expected 1 to 4");
    assert_obj_refused(FOUR "#springtide tetrahedron 1 2 3 3\n",
                       "broken.obj:5: OBJ mesh: tetrahedron vertex 3: named twice; expected different vertices");
    assert_obj_refused(FOUR "#springtide skop 1 2\n",
                       "broken.obj:5: OBJ mesh: note \"skop\": expected edges, skip, tetrahedron or texture");
    assert_obj_refused(FOUR "#springtide skip 1 2 3\n",
                       "broken.obj:5: OBJ mesh: note \"3\": expected the end of the line");
    assert_obj_refused(FOUR "#springtide texture 0 x\n",
                       "broken.obj:5: OBJ mesh: texture coordinate \"x\": expected a number");
    assert_obj_refused(FOUR "#springtide texture 0 0\n",
                       "broken.obj:6: OBJ mesh: texture notes: found 1 for 4 vertices; expected one for each");
}

// --- MEDIT

#define HEAD "MeshVersionFormatted 1\nDimension 3\n"
#define TETRA "Vertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"

static void test_medit(void **state)
{
    (void)state;
    tide_mesh *mesh = read_medit("MeshVersionFormatted\r\n2\r\n# a comment\r\nDimension\r\n3\r\n\r\nVertices 5\r\n"
                                 "0 0 0 7\r\n1 0 0 7 # here\r\n0 1 0 -1\r\n0 0 1 0\r\n2 0 0 0\r\n"
                                 "Corners\n2\n1\n2\nHexahedra 1 1 2 3 4 5 1 2 3 0 Normals 1 0.5 -1e3 0\n"
                                 "RequiredVertices 1\n3\nRidges\n1\n1\n"
                                 "Triangles\n1\n1 2 3 0\nEdges 1 2 5 4\nTetrahedra\n1\n1 2 3 4 9\nEnd\nwhatever");
    assert_int_equal(mesh->vertex_count, 5);
    const uint32_t edges[] = { 0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 1, 4, 2, 3 }, tetrahedron[] = { 0, 1, 2, 3 };
    assert_indices(mesh->edges, mesh->edge_count, edges, 7, 2);
    assert_indices(mesh->tetrahedra, mesh->tetrahedron_count, tetrahedron, 1, 4);
    // The triangle was given inward.
    const uint32_t triangle[] = { 0, 2, 1 };
    assert_indices(mesh->triangles, mesh->triangle_count, triangle, 1, 3);
    tide_mesh_release(mesh);
}

static void test_medit_quadrilaterals(void **state)
{
    (void)state;
    tide_mesh *mesh = read_medit(HEAD TETRA "Quadrilaterals 1\n1 2 4 3 0\nTriangles 1 1 2 3 0\nEnd\n");
    const uint32_t triangles[] = { 0, 1, 3, 0, 3, 2, 0, 1, 2 };
    assert_indices(mesh->triangles, mesh->triangle_count, triangles, 3, 3);
    tide_mesh_release(mesh);
}

static void test_medit_without_end_and_with_unknown_sections(void **state)
{
    (void)state;
    tide_mesh *mesh = read_medit(HEAD TETRA "AngleOfCornerBound 45.5\nGeometry \"x y.mesh\"\nIterations 2 1 2\n"
                                            "Edges 1\n1 2 0");
    assert_int_equal(mesh->edge_count, 1);
    tide_mesh_release(mesh);
}

static void assert_medit_refused(const char *text, const char *message)
{
    tide_mesh *mesh = NULL;
    tide_error error;
    char found[1024];
    assert_int_equal(tide_mesh_read_medit(text, strlen(text), "broken.mesh", &mesh, &error), TIDE_ERROR_FORMAT);
    assert_string_equal(tide_error_text(&error, found, sizeof found), message);
    assert_null(mesh);
}

static void test_medit_refusals(void **state)
{
    (void)state;
    assert_medit_refused("",
                         "broken.mesh:1: MEDIT mesh: header: expected MeshVersionFormatted, found the end of the file");
    assert_medit_refused("v 0 0 0\n", "broken.mesh:1: MEDIT mesh: header \"v\": expected MeshVersionFormatted");
    assert_medit_refused("MeshVersionFormatted 9\n",
                         "broken.mesh:1: MEDIT mesh: MeshVersionFormatted 9: expected 1 to 4");
    assert_medit_refused("MeshVersionFormatted x\n",
                         "broken.mesh:1: MEDIT mesh: MeshVersionFormatted \"x\": expected an integer");
    assert_medit_refused("MeshVersionFormatted 1\nDimension\n2\n",
                         "broken.mesh:3: MEDIT mesh: Dimension 2: expected 3");
    assert_medit_refused(HEAD "Vertices\n4000000000\n0 0 0 0\n",
                         "broken.mesh:4: MEDIT mesh: Vertices count 4000000000: expected at most 1, for which what is "
                         "left of the file has room");
    assert_medit_refused(HEAD "Vertices\n-1\n", "broken.mesh:4: MEDIT mesh: Vertices count -1: expected at least 0");
    assert_medit_refused(HEAD "Vertices\nmany\n",
                         "broken.mesh:4: MEDIT mesh: Vertices count \"many\": expected an integer");
    assert_medit_refused(HEAD "Vertices\n1\n0 0 zero 0\n",
                         "broken.mesh:5: MEDIT mesh: vertex coordinate \"zero\": expected a number");
    assert_medit_refused(HEAD "Vertices\n1\n0 0 inf 0\n",
                         "broken.mesh:5: MEDIT mesh: vertex coordinate \"inf\": expected a number");
    assert_medit_refused(HEAD "Vertices\n1\n0 -1e400 0 0\n",
                         "broken.mesh:5: MEDIT mesh: vertex coordinate \"-1e400\": expected a finite number");
    assert_medit_refused(HEAD "Vertices\n1\n0 0 0 \n \n",
                         "broken.mesh:7: MEDIT mesh: vertex reference: expected an integer, found the end of the file");
    assert_medit_refused(HEAD "Vertices 0\nEnd\n",
                         "broken.mesh:4: MEDIT mesh: there are no vertices; expected at least one");
    assert_medit_refused(HEAD "End\n", "broken.mesh:3: MEDIT mesh: there are no vertices; expected at least one");
    assert_medit_refused(HEAD "Edges 1\n1 2 0\n" TETRA,
                         "broken.mesh:3: MEDIT mesh: Edges: expected the section Vertices before this one");
    assert_medit_refused(HEAD TETRA "Tetrahedra\n1\n1 2 3 5 0\nEnd\n",
                         "broken.mesh:11: MEDIT mesh: tetrahedron vertex 5: expected 1 to 4");
    assert_medit_refused(HEAD TETRA "Triangles\n2\n1 2 3 0\n1 0 3 0\nEnd\n",
                         "broken.mesh:12: MEDIT mesh: triangle vertex 0: expected 1 to 4");
    assert_medit_refused(HEAD TETRA "Edges\n1\n2 2 0\nEnd\n",
                         "broken.mesh:11: MEDIT mesh: edge vertex 2: named twice; expected different vertices");
    assert_medit_refused(HEAD TETRA "Edges\n1\n2 1.5 0\nEnd\n",
                         "broken.mesh:11: MEDIT mesh: edge vertex \"1.5\": expected an integer");
    assert_medit_refused(
        HEAD TETRA "Quadrilaterals\n1\n1 2 3 1 0\nEnd\n",
        "broken.mesh:11: MEDIT mesh: quadrilateral vertex 1: named twice; expected different vertices");
    assert_medit_refused(HEAD TETRA TETRA,
                         "broken.mesh:9: MEDIT mesh: Vertices: the section is given twice; expected it once");
    assert_medit_refused(HEAD TETRA "Tetrahedar\n1\n",
                         "broken.mesh:9: MEDIT mesh: section \"Tetrahedar\": expected a known section; did you mean "
                         "\"Tetrahedra\"?");
    assert_medit_refused(HEAD TETRA "7 8\n",
                         "broken.mesh:9: MEDIT mesh: Vertices: 4 announced, more found; correct the number");
    assert_medit_refused(HEAD TETRA "Triangles\n1\n1 2 3 0\n2 3 4 0\nEnd\n",
                         "broken.mesh:12: MEDIT mesh: Triangles: 1 announced, more found; correct the number");
    assert_medit_refused(HEAD TETRA "Corners 2\n1\nEnd\n",
                         "broken.mesh:11: MEDIT mesh: Corners: 2 announced, 1 found; correct the number, or complete "
                         "the section");
    assert_medit_refused(HEAD "Vertices\n5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\nTriangles\n1\n1 2 3 0\nEnd\n",
                         "broken.mesh:9: MEDIT mesh: Vertices: 5 announced, 4 found; correct the number, or complete "
                         "the section");
    assert_medit_refused(HEAD TETRA "Triangles\n2\n1  2  3  0    \n",
                         "broken.mesh:12: MEDIT mesh: Triangles: 2 announced, 1 found; correct the number, or "
                         "complete the section");
}

static void test_long_names(void **state)
{
    (void)state;
    char name[400];
    memset(name, 'd', sizeof name);
    snprintf(name + 380, 20, "/the_end.obj");
    tide_mesh *mesh = NULL;
    tide_error error;
    assert_fails(tide_mesh_read_obj("v 1 2\n", 6, name, &mesh, &error), error, "/the_end.obj:1: OBJ mesh");
    assert_fails(tide_mesh_load(name, &mesh, &error), error, "/the_end.obj\": cannot be opened");
    assert_true(strncmp(error.object, "mesh file \"...d", 15) == 0);
}

static void test_too_long(void **state)
{
    (void)state;
    tide_mesh *mesh = NULL;
    tide_error error;
    assert_fails(tide_mesh_read_obj("v 0 0 0", (size_t)3 << 30, "a.obj", &mesh, &error), error,
                 "OBJ mesh: the text of 3221225472 bytes is too long; expected at most 2147483647 bytes");
}

// --- files

static const char *path_of(const char *name)
{
    static char path[300];
    snprintf(path, sizeof path, "%s/%s", tide_test_folder(), name);
    return path;
}

static void assert_round_trip(const tide_mesh *mesh)
{
    const char *names[] = { "round_trip.obj", "round_trip.mesh", "round_trip.ply" };
    for (int i = 0; i < 3; i++) {
        tide_mesh *back;
        tide_error error;
        assert_ok(tide_mesh_save(mesh, path_of(names[i]), &error), error);
        assert_ok(tide_mesh_load(path_of(names[i]), &back, &error), error);
        assert_same_mesh(mesh, back);
        tide_mesh_release(back);
    }
}

static void test_round_trips(void **state)
{
    (void)state;
    tide_mesh *meshes[16];
    int count = 0;
    for (int diagonals = 0; diagonals < 5; diagonals++)
        meshes[count++] = make_grid(7, 5, 1.0 / 3, 0.7, diagonals);
    meshes[count++] = make_strand(2);
    meshes[count++] = make_strand(9);
    meshes[count++] = make_box(0.1, 0.2, 0.3, 2, 3, 1);
    tide_error error;
    for (int i = 0; i < 8; i++) {
        if (i % 2 == 0)
            assert_ok(tide_mesh_rotate(meshes[i], (const double[3]) { 1, 2, 3 }, 0.4, &meshes[count++], &error), error);
        else
            assert_ok(tide_mesh_subdivide(meshes[i], &meshes[count++], &error), error);
    }
    for (int i = 0; i < count; i++) {
        assert_round_trip(meshes[i]);
        tide_mesh_release(meshes[i]);
    }
    // The default of every builder in the list.
    const tide_mesh_builder *builder;
    for (uint32_t i = 0; (builder = tide_mesh_builder_at(i)); i++) {
        _Alignas(double) char definition[256] = { 0 };
        tide_fields_default(builder->fields, definition);
        tide_mesh *mesh;
        assert_ok(builder->build(definition, &mesh, &error), error);
        assert_round_trip(mesh);
        tide_mesh_release(mesh);
    }
}

static void test_round_trips_of_odd_meshes(void **state)
{
    (void)state;
    // Extreme numbers, a texture without faces, a free edge beside a triangle, an edge given twice, particles.
    const double vertices[] = { 1.7976931348623157e308, -0.0,    5e-324, 0.1, 1e22, 1e23, -2.2250738585072014e-308,
                                9007199254740993.0,     1.0 / 3, 3,      4,   5 };
    const double texture[] = { 0, -0.0, 0.1, 0.2, 1e-300, 7, 1, 0.5 };
    const uint32_t triangle[] = { 0, 2, 1 }, edges[] = { 3, 2, 0, 1, 2, 3 }, skips[] = { 3, 0 };
    tide_mesh_parts parts[] = {
        PARTS(vertices, .edge_count = 0),
        PARTS(vertices, .texture = texture),
        PARTS(vertices, .texture = texture, .edges = edges, .edge_count = 3),
        PARTS(vertices, .texture = texture, .edges = edges, .edge_count = 3, .triangles = triangle, .triangle_count = 1,
              .skips = skips, .skip_count = 1),
        PARTS(vertices, .edges = edges, .edge_count = 1, .skips = skips, .skip_count = 1),
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        tide_mesh *mesh = make_mesh(parts[i]);
        assert_round_trip(mesh);
        tide_mesh_release(mesh);
    }
}

static void test_notes_are_comments(void **state)
{
    (void)state;
    // Without the notes, as another program reads the file.
    tide_mesh *mesh = make_grid(3, 2, 1, 1, TIDE_DIAGONALS_NONE), *back;
    tide_error error;
    assert_ok(tide_mesh_save(mesh, path_of("notes.obj"), &error), error);
    FILE *file = fopen(path_of("notes.obj"), "r");
    assert_non_null(file);
    char line[256], rest[4096] = "";
    int notes = 0;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "#springtide ", 12) == 0)
            notes++;
        else
            strcat(rest, line);
    }
    fclose(file);
    assert_int_equal(notes, 1 + (int)mesh->skip_count);
    back = read_obj(rest);
    assert_int_equal(back->triangle_count, mesh->triangle_count);
    assert_int_equal(back->edge_count, mesh->edge_count + 2);
    assert_int_equal(back->skip_count, 0);
    tide_mesh_release(back);
    tide_mesh_release(mesh);
}

// Every double is read as strtod reads it and written so that it is read back.
static void test_numbers(void **state)
{
    (void)state;
    static const char *const texts[] = { "0",
                                         "-0",
                                         "1.",
                                         ".5",
                                         "+.5e+3",
                                         "1E5",
                                         "1e-5",
                                         "1e22",
                                         "1e23",
                                         "123456789012345678901234567890",
                                         "0.1",
                                         "0.30000000000000004",
                                         "9007199254740993",
                                         "4.9e-324",
                                         "2.4e-324",
                                         "1.7976931348623157e308",
                                         "0.000000000000000000000000000001",
                                         "8.41e21",
                                         "2.2250738585072011e-308",
                                         "1e-400",
                                         "179769313486231580793e288",
                                         "5000000000000000000000000e-24",
                                         "0e99999999999",
                                         "1.e2" };
    tide_random random = tide_random_seed(6);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] + 20000; i++) {
        char number[64], text[256];
        if (i < sizeof texts / sizeof texts[0])
            snprintf(number, sizeof number, "%s", texts[i]);
        else {
            double exponent = tide_random_uniform(&random) * (i % 2 ? 20 : 600) - (i % 2 ? 10 : 300);
            snprintf(number, sizeof number, "%.*g", 1 + (int)(i % 20),
                     (tide_random_uniform(&random) - 0.5) * pow(10, exponent));
        }
        snprintf(text, sizeof text, "v %s 0 0", number);
        tide_mesh *mesh = read_obj(text);
        double expected = strtod(number, NULL);
        assert_memory_equal(mesh->vertices, &expected, sizeof expected);
        tide_mesh_release(mesh);
    }
}

// A cursor that ran past the end would read the digits that follow there.
static void test_reading_stops_at_the_end(void **state)
{
    (void)state;
    const char text[] = "v 1 2 3456";
    tide_mesh *mesh;
    tide_error error;
    assert_ok(tide_mesh_read_obj(text, 7, "a.obj", &mesh, &error), error);
    assert_true(mesh->vertices[2] == 3);
    tide_mesh_release(mesh);
    const char longer[] = "v 1 2 0.10000000000000000555111";
    assert_ok(tide_mesh_read_obj(longer, 26, "a.obj", &mesh, &error), error);
    assert_true(mesh->vertices[2] == 0.1);
    tide_mesh_release(mesh);
}

static void test_other_locale(void **state)
{
    (void)state;
    static const char *const names[] = {
        "de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR.utf8", "nl_NL.utf8"
    };
    char before[64];
    snprintf(before, sizeof before, "%s", setlocale(LC_NUMERIC, NULL));
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; i++)
        found = setlocale(LC_NUMERIC, names[i]) && strcmp(localeconv()->decimal_point, ",") == 0;
    if (!found) {
        setlocale(LC_NUMERIC, before);
        print_message("skipped: no locale with a decimal comma is installed\n");
        skip();
    }
    tide_mesh *mesh = make_strand(4), *back[2];
    tide_error error;
    tide_status saved = tide_mesh_save(mesh, path_of("comma.obj"), &error);
    tide_status here = tide_mesh_load(path_of("comma.obj"), &back[0], &error);
    setlocale(LC_NUMERIC, before);
    tide_status there = tide_mesh_load(path_of("comma.obj"), &back[1], &error);
    assert_true(saved == TIDE_OK && here == TIDE_OK && there == TIDE_OK);
    for (int i = 0; i < 2; i++) {
        assert_same_mesh(mesh, back[i]);
        tide_mesh_release(back[i]);
    }
    tide_mesh_release(mesh);
}

static void test_file_refusals(void **state)
{
    (void)state;
    tide_mesh *mesh = NULL, *strand = make_strand(3);
    tide_error error;
    assert_fails(tide_mesh_load("nowhere/x.obj", &mesh, &error), error,
                 "mesh file \"nowhere/x.obj\": cannot be opened: No such file or directory; check the path");
    assert_int_equal(error.status, TIDE_ERROR_FILE);
    assert_string_equal(error.object, "mesh file \"nowhere/x.obj\"");
    assert_fails(tide_mesh_load("x.off", &mesh, &error), error,
                 "mesh file \"x.off\": extension = .off: expected .obj (Wavefront OBJ), .ply (PLY), .stl (STL), "
                 ".mesh (MEDIT), .node (TetGen vertices), .ele (TetGen tetrahedra) or .msh (Gmsh)");
    assert_fails(tide_mesh_load("a.vtk", &mesh, &error), error, "extension = .vtk: expected .obj");
    assert_int_equal(error.status, TIDE_ERROR_ARGUMENT);
    assert_fails(tide_mesh_load("a.obj/x", &mesh, &error), error, "extension = none: expected .obj");
    assert_fails(tide_mesh_save(strand, "x.stl", &error), error,
                 "mesh file \"x.stl\": extension = .stl: expected .obj (Wavefront OBJ), .ply (PLY), .mesh (MEDIT) or "
                 ".vtk (legacy VTK)");
    assert_fails(tide_mesh_save(strand, "nowhere/x.obj", &error), error,
                 "mesh file \"nowhere/x.obj\": cannot be written: No such file or directory; check the path");
    assert_int_equal(error.status, TIDE_ERROR_FILE);
    char folder[300];
    snprintf(folder, sizeof folder, "%s", path_of("folder.obj"));
    mkdir(folder, 0777);
    assert_fails(tide_mesh_load(folder, &mesh, &error), error, "cannot be read: Is a directory");
    assert_null(mesh);
    unlink(path_of("full.obj"));
    struct rlimit before = limit_file_size(10);
    tide_status status = tide_mesh_save(strand, path_of("full.obj"), &error);
    restore_file_size(before);
    assert_fails(status, error, "cannot be written: File too large");
    assert_int_not_equal(access(path_of("full.obj"), F_OK), 0); // nothing half written
    assert_int_equal(unfinished_files(path_of("full.obj"), NULL), 0);
    FILE *file = fopen(path_of("Broken.OBJ"), "w");
    assert_non_null(file);
    fputs("v 0 0 0\nv 1 0 0\nf 1 2 9\n", file);
    fclose(file);
    assert_fails(tide_mesh_load(path_of("Broken.OBJ"), &mesh, &error), error,
                 "Broken.OBJ:3: OBJ mesh: face index 9: expected 1 to 2 (or negative)");
    assert_int_equal(error.status, TIDE_ERROR_FORMAT);
    tide_mesh_release(strand);
}

static void test_published_meshes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t vertices, tetrahedra, edges;
    } models[] = {
        { "hippo", 2387, 8406, 13135 },
        { "frog", 6834, 21909, 35261 },
        { "dog", 28390, 94367, 148047 },
    };
    const char *data = getenv("SPRINGTIDE_DATA");
    if (!data || !*data) {
        print_message("skipped: SPRINGTIDE_DATA is not set\n");
        skip();
    }
    for (int i = 0; i < 3; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/table1/%s.mesh", data, models[i].name);
        tide_mesh *mesh;
        tide_error error;
        assert_ok(tide_mesh_load(path, &mesh, &error), error);
        assert_int_equal(mesh->vertex_count, models[i].vertices);
        assert_int_equal(mesh->tetrahedron_count, models[i].tetrahedra);
        assert_int_equal(mesh->edge_count, models[i].edges);
        assert_closed(mesh);
        assert_near(enclosed_volume(mesh) / total_volume(mesh), 1, 1e-12);
        tide_mesh_report report;
        assert_ok(tide_mesh_check(mesh, &report, &error), error);
        for (uint32_t k = 0; k < report.problem_count; k++)
            assert_true(report.problems[k].kind == TIDE_MESH_SUSPICIOUS_SIZE ||
                        report.problems[k].kind == TIDE_MESH_SLIVER_TRIANGLE ||
                        report.problems[k].kind == TIDE_MESH_SLIVER_TETRAHEDRON);
        assert_round_trip(mesh);
        tide_mesh_release(mesh);
    }
}

static void test_memory_failures(void **state)
{
    (void)state;
    const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nf 1/1 2/1 3/1\nl 3 4\n"
                       "#springtide skip 1 4\n#springtide tetrahedron 1 2 3 4\n";
    const char medit[] = HEAD TETRA "Edges 1\n1 2 0\nTriangles 1\n1 2 3 0\nQuadrilaterals 1\n1 2 3 4 0\n"
                                    "#springtide texture 0 0\n#springtide texture 0 0\n#springtide texture 0 0\n"
                                    "#springtide texture 0 0\nTetrahedra 1\n1 2 3 4 0\n";
    tide_mesh *mesh, *saved = make_grid(3, 3, 1, 1, TIDE_DIAGONALS_BOTH);
    tide_error error;
    assert_survives_failures(tide_mesh_read_obj(obj, strlen(obj), "a.obj", &mesh, &error), tide_mesh_release(mesh), 15);
    assert_survives_failures(tide_mesh_read_medit(medit, strlen(medit), "a.mesh", &mesh, &error),
                             tide_mesh_release(mesh), 15);
    const char *names[] = { "memory.obj", "memory.mesh", "memory.ply" };
    for (int i = 0; i < 3; i++) {
        assert_survives_failures(tide_mesh_save(saved, path_of(names[i]), &error), (void)0, 5);
        assert_survives_failures(tide_mesh_load(path_of(names[i]), &mesh, &error), tide_mesh_release(mesh), 10);
    }
    tide_mesh_release(saved);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_obj),
    cmocka_unit_test(test_obj_texture),
    cmocka_unit_test(test_obj_lines),
    cmocka_unit_test(test_obj_joined_lines_and_late_vertices),
    cmocka_unit_test(test_obj_refusals),
    cmocka_unit_test(test_medit),
    cmocka_unit_test(test_medit_quadrilaterals),
    cmocka_unit_test(test_medit_without_end_and_with_unknown_sections),
    cmocka_unit_test(test_medit_refusals),
    cmocka_unit_test(test_long_names),
    cmocka_unit_test(test_too_long),
    cmocka_unit_test(test_round_trips),
    cmocka_unit_test(test_round_trips_of_odd_meshes),
    cmocka_unit_test(test_notes_are_comments),
    cmocka_unit_test(test_numbers),
    cmocka_unit_test(test_reading_stops_at_the_end),
    cmocka_unit_test(test_other_locale),
    cmocka_unit_test(test_file_refusals),
    cmocka_unit_test(test_published_meshes),
    cmocka_unit_test(test_memory_failures),
};
TIDE_TEST_SUITE(formats_files, tests)

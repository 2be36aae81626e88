// TetGen: pairs of files, named by either one; indices from 0 or 1; and refused files.
#define _POSIX_C_SOURCE 200809L
#include "../mesh/mesh_tests.h"

#include "formats/reading.h"

#include <stdio.h>
#include <unistd.h>

// `ele` and `face` may be NULL.
static tide_status read_files(const char *node, const char *ele, const char *face, tide_mesh **mesh, tide_error *error)
{
    const tide_mesh_bytes nodes = { node, strlen(node), "a.node" };
    const tide_mesh_bytes elements = { ele, ele ? strlen(ele) : 0, "a.ele" };
    const tide_mesh_bytes faces = { face, face ? strlen(face) : 0, "a.face" };
    return tide_mesh_read_tetgen(&nodes, ele ? &elements : NULL, face ? &faces : NULL, mesh, error);
}

static void assert_refused(const char *node, const char *ele, const char *face, const char *message)
{
    tide_mesh *mesh = NULL;
    tide_error error;
    char found[1024];
    assert_int_equal(read_files(node, ele, face, &mesh, &error), TIDE_ERROR_FORMAT);
    assert_string_equal(tide_error_text(&error, found, sizeof found), message);
    assert_null(mesh);
}

#define FOUR_0 "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n"
#define FOUR_1                                                                                                         \
    "# by hand\n4 3 2 1 # the numbers\n\n1 0 0 0 9 nan 1\n  2 1 0 0 9 9 0\n# between\n3 0 1 0 9 9 1\n4 0 0 1 9 9 1"

static void test_both_bases(void **state)
{
    (void)state;
    static const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    static const uint32_t corners[] = { 0, 1, 2, 3 };
    static const char *const nodes[] = { FOUR_0, FOUR_1 };
    static const char *const elements[] = { "1 4 0\n0 0 1 2 3\n", "1 4 2\r\n1   1 2 3 4   7 inf\r\n# end\r\n" };
    for (int i = 0; i < 2; i++) {
        tide_mesh *mesh;
        tide_error error;
        assert_ok(read_files(nodes[i], elements[i], NULL, &mesh, &error), error);
        assert_int_equal(mesh->vertex_count, 4);
        assert_memory_equal(mesh->vertices, vertices, sizeof vertices);
        assert_int_equal(mesh->tetrahedron_count, 1);
        assert_memory_equal(mesh->tetrahedra, corners, sizeof corners);
        assert_int_equal(mesh->triangle_count, 4);
        tide_mesh_release(mesh);
    }
}

static void test_faces(void **state)
{
    (void)state;
    static const uint32_t corners[] = { 0, 2, 1, 1, 2, 3 };
    tide_mesh *mesh;
    tide_error error;
    assert_ok(read_files(FOUR_0, NULL, "2 1\n0 0 2 1 -1\n1 1 2 3 5\n", &mesh, &error), error);
    assert_int_equal(mesh->triangle_count, 2);
    assert_memory_equal(mesh->triangles, corners, sizeof corners);
    tide_mesh_release(mesh);
}

static void test_refusals(void **state)
{
    (void)state;
    assert_refused("", NULL, NULL,
                   "a.node:1: TetGen mesh: vertex count: expected an integer, found the end of the file");
    assert_refused("4 2 0 0\n", NULL, NULL, "a.node:1: TetGen mesh: dimension 2: expected 3");
    assert_refused("0 3 0 0\n", NULL, NULL, "a.node:2: TetGen mesh: there are no vertices; expected at least one");
    assert_refused("-1 3 0 0\n", NULL, NULL,
                   "a.node:2: TetGen mesh: vertex count -1: expected a whole number, at least 0");
    assert_refused("9 3 0 0\n0 0 0 0\n", NULL, NULL,
                   "a.node:2: TetGen mesh: vertex count 9: expected at most 1, for which what is left of the file has "
                   "room");
    assert_refused("2 3 0 0\n0 0 0 0\n2 0 0 1\n", NULL, NULL, "a.node:3: TetGen mesh: vertex number 2: expected 1");
    assert_refused("1 3 0 0\n2 0 0 1\n", NULL, NULL, "a.node:2: TetGen mesh: vertex number 2: expected 0 or 1");
    assert_refused("1 3 0 0\n0 0 x 1\n", NULL, NULL,
                   "a.node:2: TetGen mesh: vertex coordinate \"x\": expected a number");
    assert_refused("1 3 0 0\n0 0 1e999 1\n", NULL, NULL,
                   "a.node:2: TetGen mesh: vertex coordinate \"1e999\": expected a finite number");
    assert_refused(FOUR_0, "", NULL,
                   "a.ele:1: TetGen mesh: tetrahedron count: expected an integer, found the end of the file");
    assert_refused(FOUR_0, "1 10 0\n0 0 1 2 3 4 5 6 7 8 9\n", NULL,
                   "a.ele:1: TetGen mesh: 10 vertices of a tetrahedron: expected 4; run tetgen without -o2");
    assert_refused(FOUR_0, "1 4 0\n0 0 1 2 4\n", NULL,
                   "a.ele:2: TetGen mesh: tetrahedron vertex 4: the index is beyond the end; expected 0 to 3");
    assert_refused(FOUR_1, "1 4 0\n1 1 2 3 0\n", NULL, "a.ele:2: TetGen mesh: tetrahedron vertex 0: expected 1 to 4");
    assert_refused(FOUR_1, "1 4 0\n1 1 2 3 3\n", NULL,
                   "a.ele:2: TetGen mesh: tetrahedron vertex 3: named twice; expected different vertices");
    assert_refused(FOUR_1, "70 4 0\n1 1 2 3 4\n", NULL,
                   "a.ele:2: TetGen mesh: tetrahedron count 70: expected at most 1, for which what is left of the file "
                   "has room");
    assert_refused(FOUR_1, NULL, "1 0\n1 1 2 5\n",
                   "a.face:2: TetGen mesh: face vertex 5: the index is beyond the end; expected 1 to 4");
}

static const char *path_of(const char *name)
{
    static char path[2][300];
    static int which;
    which = !which;
    snprintf(path[which], sizeof path[which], "%s/%s", tide_test_folder(), name);
    return path[which];
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void test_loading(void **state)
{
    (void)state;
    write_file("pair.1.node", FOUR_1);
    write_file("pair.1.ele", "1 4 0\n1 1 2 3 4\n");
    write_file("PAIR.NODE", FOUR_0);
    write_file("PAIR.ELE", "1 4 0\n0 0 1 2 3\n");
    write_file("shell.node", FOUR_0);
    write_file("shell.face", "1 0\n0 0 1 2\n");
    write_file("alone.node", FOUR_0);
    write_file("alone.ele", "");
    static const char *const names[] = { "pair.1.node", "pair.1.ele", "PAIR.NODE", "PAIR.ELE", "shell.node" };
    tide_mesh *mesh = NULL;
    tide_error error;
    for (int i = 0; i < 5; i++) {
        assert_ok(tide_mesh_load(path_of(names[i]), &mesh, &error), error);
        assert_int_equal(mesh->tetrahedron_count, i < 4);
        assert_int_equal(mesh->triangle_count, i < 4 ? 4 : 1);
        tide_mesh_release(mesh);
    }
    mesh = NULL;
    unlink(path_of("alone.ele"));
    assert_fails(tide_mesh_load(path_of("alone.node"), &mesh, &error), error,
                 "alone.ele\": cannot be opened: No such file or directory; TetGen writes NAME.node and NAME.ele, and "
                 "both are read");
    assert_int_equal(error.status, TIDE_ERROR_FILE);
    unlink(path_of("shell.node"));
    write_file("shell.ele", "1 4 0\n0 0 1 2 3\n");
    assert_fails(tide_mesh_load(path_of("shell.ele"), &mesh, &error), error,
                 "shell.node\": cannot be opened: No such file or directory; TetGen writes NAME.node and NAME.ele, and "
                 "both are read");
    unlink(path_of("shell.ele"));
    assert_fails(tide_mesh_load(path_of("shell.ele"), &mesh, &error), error,
                 "shell.ele\": cannot be opened: No such file or directory; check the path");
    assert_null(mesh);
    tide_mesh *strand = make_strand(3);
    assert_fails(tide_mesh_save(strand, "x.node", &error), error, "extension = .node: expected .obj");
    tide_mesh_release(strand);
}

static void test_memory_failures(void **state)
{
    (void)state;
    tide_mesh *mesh;
    tide_error error;
    write_file("memory.node", FOUR_1);
    write_file("memory.ele", "1 4 0\n1 1 2 3 4\n");
    assert_survives_failures(tide_mesh_load(path_of("memory.ele"), &mesh, &error), tide_mesh_release(mesh), 8);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_both_bases), cmocka_unit_test(test_faces),           cmocka_unit_test(test_refusals),
    cmocka_unit_test(test_loading),    cmocka_unit_test(test_memory_failures),
};
TIDE_TEST_SUITE(formats_files_tetgen, tests)

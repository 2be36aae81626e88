// STL: both encodings and how they are distinguished, joining of corners, and refused files.
#include "formats/mesh_file.h"
#include "mesh/mesh.h"
#define READER tide_mesh_read_stl
#include "file_tests.h"

#define FACET(a, b, c) "facet normal 0 0 1\nouter loop\nvertex " a "\nvertex " b "\nvertex " c "\nendloop\nendfacet\n"

static void test_text(void **state)
{
    (void)state;
    tide_mesh *mesh = read_text("solid a name # and more\n" FACET("0 0 0", "1 0 0", "0 1e0 0")
                                    FACET("1 0 0", "1 1 .1", "0 1 0") "endsolid a name\n");
    ASSERT_VERTICES(mesh, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0.1);
    ASSERT_TRIANGLES(mesh, 0, 1, 2, 1, 3, 2);
    assert_int_equal(mesh->edge_count, 5);
    tide_mesh_release(mesh);
}

static void test_text_variants(void **state)
{
    (void)state;
    // In capitals, on one line, with odd normals, several solids, one of them empty, no end of line.
    tide_mesh *mesh = read_text(
        "\r\n SOLID\r\n  FACET NORMAL nan -inf 1.#IND OUTER LOOP VERTEX 0 0 0 VERTEX 1 0 0 VERTEX 0 "
        "1 0 ENDLOOP ENDFACET ENDSOLID\nsolid b\nendsolid b\nsolid\n" FACET("0 0 0", "0 1 0", "0 0 1") "endsolid");
    ASSERT_TRIANGLES(mesh, 0, 1, 2, 0, 2, 3);
    tide_mesh_release(mesh);
}

static void test_joining(void **state)
{
    (void)state;
    // 0 and -0 are one place, neighbouring doubles two; what has only two places left goes, with its vertices.
    tide_mesh *mesh =
        read_text("solid\n" FACET("5 5 5", "6 6 6", "5 5 5") FACET("0 0 0", "1 0 0", "0 1 0")
                      FACET("-0 0 -0", "0 1 0", "0 0 1") FACET("0.1 0 0", "0.10000000000000001 0 0", "7 7 7")
                          FACET("0.1 0 0", "0.10000000000000002 0 0", "0 0 1") "endsolid\n");
    assert_int_equal(mesh->vertex_count, 6);
    ASSERT_TRIANGLES(mesh, 0, 1, 2, 0, 2, 3, 4, 5, 3);
    tide_mesh_release(mesh);
}

static void put_triangles(file_bytes *file, const char *header, uint32_t count, const float *corners)
{
    char name[81] = { 0 };
    *file = (file_bytes) { 0 };
    snprintf(name, sizeof name, "%s", header);
    memcpy(file->bytes, name, 80);
    file->size = 80;
    put_integer(file, count, 4, false);
    for (uint32_t i = 0; i < count; i++) {
        put_float(file, NAN, false);
        put_float(file, 1, false);
        put_float(file, 0, false);
        for (int k = 0; k < 9; k++)
            put_float(file, corners[9 * i + (uint32_t)k], false);
        put_integer(file, 0xffff, 2, false);
    }
}

static const float square[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0.1F, 0, 1, 0 };

static void test_binary(void **state)
{
    (void)state;
    // A header that looks like text's does not mislead.
    static const char *const headers[] = { "anything", "solid of bytes", "solid\nfacet normal", "" };
    for (int i = 0; i < 4; i++) {
        file_bytes file;
        put_triangles(&file, headers[i], 2, square);
        tide_mesh *mesh = read_bytes(file.bytes, file.size);
        ASSERT_VERTICES(mesh, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, (double)0.1F);
        ASSERT_TRIANGLES(mesh, 0, 1, 2, 1, 3, 2);
        tide_mesh_release(mesh);
        // Spaces in the place of zeros, as some programs fill the header.
        for (int k = (int)strlen(headers[i]); k < 80; k++)
            file.bytes[k] = ' ';
        tide_mesh_release(mesh = read_bytes(file.bytes, file.size));
        // Bytes behind the triangles are passed over.
        file.bytes[i] = 0;
        tide_mesh_release(mesh = read_bytes(file.bytes, file.size + 7));
    }
}

static void test_binary_refusals(void **state)
{
    (void)state;
    file_bytes file;
    put_triangles(&file, "bytes", 2, square);
    assert_refused_bytes(file.bytes, 60,
                         "a.file, byte 0: STL mesh: header: the file is cut short: expected 80 more "
                         "bytes, found 60; copy or save it again");
    assert_refused_bytes(file.bytes, 82,
                         "a.file, byte 80: STL mesh: triangle count: the file is cut short: expected 4 "
                         "more bytes, found 2; copy or save it again");
    for (size_t cut = 84; cut < file.size; cut++) {
        char message[256];
        snprintf(message, sizeof message,
                 "a.file, byte 84: STL mesh: triangle count 2: the file is cut short: expected 100 more bytes, found "
                 "%zu; copy or save it again",
                 cut - 84);
        assert_refused_bytes(file.bytes, cut, message);
    }
    const float infinite[] = { 0, 0, 0, 1, 0, 0, 0, INFINITY, 0 };
    put_triangles(&file, "bytes", 1, infinite);
    assert_refused_bytes(file.bytes, file.size,
                         "a.file, byte 124: STL mesh: vertex coordinate inf: expected a finite "
                         "number");
    put_triangles(&file, "bytes", 0, NULL);
    assert_refused_bytes(file.bytes, file.size,
                         "a.file, byte 84: STL mesh: there are no triangles; expected at least one");
    const float flat[] = { 0, 0, 0, 1, 0, 0, 0, -0.0F, 0 };
    put_triangles(&file, "bytes", 1, flat);
    assert_refused_bytes(file.bytes, file.size,
                         "a.file, byte 134: STL mesh: triangles: each has two corners at one "
                         "place; expected three different ones");
}

static void test_text_refusals(void **state)
{
    (void)state;
    assert_refused("", "a.file, byte 0: STL mesh: header: the file is cut short: expected 80 more bytes, found 0; copy "
                       "or save it again");
    assert_refused("solid a\n", "a.file:2: STL mesh: solid: expected facet or endsolid, found the end of the file");
    assert_refused("solid a\nendsolid\n", "a.file:3: STL mesh: there are no triangles; expected at least one");
    assert_refused("solid a\nface\n", "a.file:2: STL mesh: solid \"face\": expected facet or endsolid");
    assert_refused("solid\nfacet normal 0 0\nouter loop\n vertex 0 0 0\n",
                   "a.file:3: STL mesh: triangle \"loop\": expected outer");
    assert_refused("solid\nfacet normal 0 0 0\nouter loop\n vertex 0 0\n vertex 0 0 1\n",
                   "a.file:5: STL mesh: vertex coordinate \"vertex\": expected a number");
    assert_refused("solid\nfacet normal 0 0 0\nouter loop\n vertex 0 0 0 vertex 1 1 1 endloop\n",
                   "a.file:4: STL mesh: triangle \"endloop\": expected vertex");
    assert_refused("solid\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1e999 0\n",
                   "a.file:6: STL mesh: vertex coordinate \"1e999\": expected a finite number");
    assert_refused("solid\n" FACET("0 0 0", "1 0 0", "0 1 0") "endsolid\nsold\n",
                   "a.file:10: STL mesh: header \"sold\": expected solid");
}

static void test_memory_failures(void **state)
{
    (void)state;
    file_bytes file;
    put_triangles(&file, "bytes", 2, square);
    tide_mesh *mesh;
    tide_error error;
    assert_survives_failures(READER((char *)file.bytes, file.size, "a.stl", &mesh, &error), tide_mesh_release(mesh), 8);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_text),
    cmocka_unit_test(test_text_variants),
    cmocka_unit_test(test_joining),
    cmocka_unit_test(test_binary),
    cmocka_unit_test(test_binary_refusals),
    cmocka_unit_test(test_text_refusals),
    cmocka_unit_test(test_memory_failures),
};
TIDE_TEST_SUITE(formats_files_stl, tests)

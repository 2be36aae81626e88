// Readers on damaged text: they refuse it or make a valid mesh, touch nothing outside it, and take little memory.
#include "mesh_tests.h"

#include <stdio.h>

typedef tide_status reader(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error);

static const char obj[] = "# square\nmtllib a.mtl\nv 0 0 0\nv 1 0 0.30000000000000004\nv 1 1e-3 1\nv 0 .5 1 1 1 1\n"
                          "vt 0 0\nvt 1 0.5\nvn 0 1 0\nusemtl x \\\n y\nf 1/1 2/2/1 3//1 -1\nf 1 3 \\\n 4\nl 1 4 2\n"
                          "#springtide edges\n#springtide skip 1 3\n#springtide tetrahedron 1 2 3 4\n"
                          "#springtide texture 0 1\n#springtide texture 1 1\n#springtide texture 2 1\n"
                          "#springtide texture 3 1.5\n";
static const char medit[] = "MeshVersionFormatted 1\nDimension\n3\n# comment\nVertices\n5\n0 0 0 0\n1 0 0 1\n0 1 0 2\n"
                            "0 0 1 3\n-1e-3 2.5 0.1 4\nEdges 2\n1 5 0\n2 5 0\nTriangles\n1\n1 2 3 0\nQuadrilaterals 1\n"
                            "1 2 4 3 0\nCorners 1\n1\nUnheard 3 4 5\nTetrahedra\n2\n1 2 3 4 0\n2 3 4 5 0\n"
                            "#springtide skip 1 5\nEnd\n";

// Reads a copy that ends where its block of memory ends.
static void try_bytes(reader *read, const char *bytes, size_t size)
{
    char *copy = size ? test_malloc(size) : NULL;
    if (size)
        memcpy(copy, bytes, size);
    tide_mesh *mesh = NULL;
    tide_error error;
    uint64_t blocks = tide_memory_count().blocks;
    tide_status status = read(copy, size, "fuzz", &mesh, &error);
    if (status == TIDE_OK) {
        // A mesh that was made can be made again from its own parts: it is valid.
        tide_mesh_parts parts = tide_mesh_view(mesh);
        tide_mesh *again = make_mesh(parts);
        assert_same_mesh(mesh, again);
        tide_mesh_report report;
        assert_ok(tide_mesh_check(mesh, &report, &error), error);
        tide_mesh_release(again);
        tide_mesh_release(mesh);
    } else {
        assert_null(mesh);
        assert_true(status == TIDE_ERROR_FORMAT || status == TIDE_ERROR_ARGUMENT);
        assert_true(error.where[0] && error.remedy[0]);
    }
    assert_int_equal(tide_memory_count().blocks, blocks);
    if (size)
        test_free(copy);
}

static void fuzz(reader *read, const char *text, uint64_t seed)
{
    char bytes[2048];
    size_t size = strlen(text);
    assert_true(size < sizeof bytes);
    for (size_t cut = 0; cut <= size; cut++)
        try_bytes(read, text, cut);
    tide_random random = tide_random_seed(seed);
    static const char likely[] = "0123456789-+.eE/\\#\n\r \tvflnE";
    for (int trial = 0; trial < 6000; trial++) {
        memcpy(bytes, text, size);
        size_t length = trial % 3 ? size : tide_random_next(&random) % (size + 1);
        uint32_t flips = 1 + tide_random_next(&random) % 4;
        for (uint32_t i = 0; i < flips && length; i++) {
            size_t place = tide_random_next(&random) % length;
            uint32_t value = tide_random_next(&random);
            if (trial % 2)
                bytes[place] = likely[value % (sizeof likely - 1)];
            else
                bytes[place] = (char)(bytes[place] ^ (1 << value % 8));
        }
        try_bytes(read, bytes, length);
    }
}

static void test_the_texts_are_good(void **state)
{
    (void)state;
    tide_mesh *mesh;
    tide_error error;
    assert_ok(tide_mesh_read_obj(obj, strlen(obj), "a", &mesh, &error), error);
    assert_int_equal(mesh->tetrahedron_count, 1);
    tide_mesh_release(mesh);
    assert_ok(tide_mesh_read_medit(medit, strlen(medit), "a", &mesh, &error), error);
    assert_int_equal(mesh->tetrahedron_count, 2);
    tide_mesh_release(mesh);
}

static void test_damaged_obj(void **state)
{
    (void)state;
    fuzz(tide_mesh_read_obj, obj, 7);
}

static void test_damaged_medit(void **state)
{
    (void)state;
    fuzz(tide_mesh_read_medit, medit, 8);
}

static void test_random_bytes(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(9);
    for (int trial = 0; trial < 2000; trial++) {
        char bytes[64];
        size_t size = tide_random_next(&random) % sizeof bytes;
        for (size_t i = 0; i < size; i++)
            bytes[i] = (char)tide_random_next(&random);
        try_bytes(tide_mesh_read_obj, bytes, size);
        try_bytes(tide_mesh_read_medit, bytes, size);
    }
}

static bool note_largest(size_t size, void *context)
{
    size_t *largest = context;
    if (size > *largest)
        *largest = size;
    return false;
}

static void test_claims_are_not_allocated(void **state)
{
    (void)state;
    static const char *const sections[] = { "Vertices",   "Edges",     "Triangles", "Quadrilaterals",
                                            "Tetrahedra", "Hexahedra", "Corners" };
    static const char *const counts[] = { "4000000000", "4294967295", "100000000", "999999999999999999", "500" };
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        for (size_t j = 0; j < sizeof counts / sizeof counts[0]; j++) {
            char text[256];
            snprintf(text, sizeof text, "MeshVersionFormatted 1\nDimension 3\n%s%s\n%s\n1 2 3 4 0\n1 2 3 4 0\n",
                     i == 0 ? "" : "Vertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n", sections[i], counts[j]);
            size_t largest = 0;
            tide_mesh *mesh = NULL;
            tide_error error;
            tide_memory_set_failure_hook(note_largest, &largest);
            tide_status status = tide_mesh_read_medit(text, strlen(text), "a", &mesh, &error);
            tide_memory_set_failure_hook(NULL, NULL);
            assert_fails(status, error, "for which what is left of the file has room");
            assert_true(largest < 10000);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_texts_are_good),
    cmocka_unit_test(test_damaged_obj),
    cmocka_unit_test(test_damaged_medit),
    cmocka_unit_test(test_random_bytes),
    cmocka_unit_test(test_claims_are_not_allocated),
};
TIDE_TEST_SUITE(mesh_fuzz, tests)

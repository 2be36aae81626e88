// PLY: every type of number in every encoding, elements in any order, and refused files.
#define _GNU_SOURCE // memmem
#include "formats/mesh_file.h"
#include "mesh/mesh.h"
#define READER tide_mesh_read_ply
#include "file_tests.h"

#define HEADER "ply\nformat ascii 1.0\n"
#define POINTS "element vertex 4\nproperty double x\nproperty double y\nproperty double z\n"
#define FACES "element face 1\nproperty list uchar int vertex_indices\n"
#define FOUR "0 0 0\n1 0 0\n1 1 0\n0 1 0.5\n"

static void test_text(void **state)
{
    (void)state;
    tide_mesh *mesh =
        read_text("ply\r\nformat ascii 1.0\r\ncomment a # b\r\nobj_info c\r\n" POINTS
                  "element face 2\nproperty list uchar int vertex_indices\nend_header\r\n" FOUR "4 0 1 2 3\n3 3 1 0");
    ASSERT_VERTICES(mesh, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0.5);
    ASSERT_TRIANGLES(mesh, 0, 1, 2, 0, 2, 3, 3, 1, 0);
    assert_null(mesh->texture);
    tide_mesh_release(mesh);
}

static void test_any_order(void **state)
{
    (void)state;
    // Faces before vertices, coordinates out of order among others, lists of no interest, unknown elements.
    tide_mesh *mesh = read_text(HEADER "element camera 1\nproperty list uchar float a\nproperty short b\n"
                                       "element face 1\nproperty uchar red\nproperty list short uint vertex_index\n"
                                       "property list uchar uchar c\nelement vertex 3\nproperty float z\n"
                                       "property list int double odd\nproperty int y\nproperty float nx\n"
                                       "property float x\nproperty float v\nproperty float u\nend_header\n"
                                       "3 1 nan inf -7\n255 3 2 0 1 2 9 9\n.5 0 4 nan 3 0.25 1\n1 1 -0.5 5 0 2 0 0 7 2 "
                                       "1e300 -inf 8 0 6 1 1\n");
    ASSERT_VERTICES(mesh, 3, 4, 0.5, 2, 5, 1, 6, 8, 7);
    ASSERT_TRIANGLES(mesh, 2, 0, 1);
    const double texture[] = { 1, 0.25, 0, 0, 1, 1 };
    assert_memory_equal(mesh->texture, texture, sizeof texture);
    tide_mesh_release(mesh);
}

static void test_strips_and_edges(void **state)
{
    (void)state;
    tide_mesh *mesh =
        read_text(HEADER POINTS "element tristrips 1\nproperty list int int vertex_indices\n"
                                "element edge 1\nproperty int vertex1\nproperty int vertex2\nend_header\n" FOUR
                                "8 0 1 2 3 -1 3 0 1\n1 3\n");
    ASSERT_TRIANGLES(mesh, 0, 1, 2, 2, 1, 3, 3, 0, 1);
    assert_int_equal(mesh->edge_count, 6);
    tide_mesh_release(mesh);
}

static const struct type {
    const char *name;
    size_t size;
    bool real;
} types[] = { { "char", 1, false },   { "uchar", 1, false },  { "short", 2, false }, { "ushort", 2, false },
              { "int", 4, false },    { "uint", 4, false },   { "int64", 8, false }, { "uint64", 8, false },
              { "int8", 1, false },   { "uint8", 1, false },  { "int16", 2, false }, { "uint16", 2, false },
              { "int32", 4, false },  { "uint32", 4, false }, { "float", 4, true },  { "double", 8, true },
              { "float32", 4, true }, { "float64", 8, true } };
enum { TYPES = sizeof types / sizeof types[0] };

static void put_number(file_bytes *file, const struct type *type, int number, bool big)
{
    if (!type->real)
        put_integer(file, number, type->size, big);
    else if (type->size == 4)
        put_float(file, (float)number, big);
    else
        put_double(file, number, big);
}

// A square: coordinates of one type, indices of another, their count of a third, with an odd property between.
static void put_square(file_bytes *file, bool big, const struct type *real, const struct type *index,
                       const struct type *count)
{
    static const int corners[4][3] = { { 0, 0, 1 }, { 1, 0, 100 }, { 1, 1, 3 }, { 0, 1, 127 } };
    char header[512];
    *file = (file_bytes) { 0 };
    snprintf(header, sizeof header,
             "ply\nformat binary_%s_endian 1.0\nelement vertex 4\nproperty %s x\nproperty %s y\nproperty uchar a\n"
             "property %s z\nelement face 1\nproperty list %s %s vertex_indices\nproperty list %s double b\n"
             "end_header\n",
             big ? "big" : "little", real->name, real->name, real->name, count->name, index->name, count->name);
    put_text(file, header);
    for (int i = 0; i < 4; i++) {
        put_number(file, real, corners[i][0], big);
        put_number(file, real, corners[i][1], big);
        put_integer(file, '\n', 1, big);
        put_number(file, real, corners[i][2], big);
    }
    put_number(file, count, 4, big);
    for (int i = 0; i < 4; i++)
        put_number(file, index, 3 - i, big);
    put_number(file, count, 1, big);
    put_double(file, 7, big);
}

static void test_binary_types(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++)
        for (int r = 0; r < TYPES; r++)
            for (int i = 0; i < TYPES; i++) {
                const struct type *count = &types[(r + i) % 14]; // a whole number
                file_bytes file;
                put_square(&file, big, &types[r], &types[i], count);
                tide_mesh *mesh = read_bytes(file.bytes, file.size);
                ASSERT_VERTICES(mesh, 0, 0, 1, 1, 0, 100, 1, 1, 3, 0, 1, 127);
                ASSERT_TRIANGLES(mesh, 3, 2, 1, 3, 1, 0);
                tide_mesh_release(mesh);
                // Cut short anywhere behind the header, it says so.
                const char *end = "end_header\n";
                unsigned char *data = memmem(file.bytes, file.size, end, strlen(end));
                for (size_t cut = (size_t)(data + strlen(end) - file.bytes); cut < file.size && r == i; cut++) {
                    tide_error error;
                    assert_fails(READER((char *)file.bytes, cut, "a.ply", &mesh, &error), error,
                                 "the file is cut short: expected ");
                    assert_true(strstr(error.where, "a.ply, byte "));
                }
            }
}

static void test_signs(void **state)
{
    (void)state;
    file_bytes file = { 0 };
    put_text(&file, "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty char x\nproperty int16 y\n"
                    "property int z\nend_header\n");
    static const int numbers[3][3] = { { -1, -1, -1 }, { -128, -32768, -2147483647 - 1 }, { 127, 32767, 2147483647 } };
    for (int i = 0; i < 3; i++) {
        put_integer(&file, numbers[i][0], 1, true);
        put_integer(&file, numbers[i][1], 2, true);
        put_integer(&file, numbers[i][2], 4, true);
    }
    tide_mesh *mesh = read_bytes(file.bytes, file.size);
    ASSERT_VERTICES(mesh, -1, -1, -1, -128, -32768, -2147483648.0, 127, 32767, 2147483647);
    tide_mesh_release(mesh);
}

static void test_header_refusals(void **state)
{
    (void)state;
    assert_refused("", "a.file:1: PLY mesh: header: expected ply, found the end of the file");
    assert_refused("plymouth\n", "a.file:1: PLY mesh: header \"plymouth\": expected ply");
    assert_refused(HEADER "element vertex 6\nproperty double x\nproperty double y\nproperty double z\n" FACES
                          "end_header\n" FOUR "3 0 1 2\n3 0 2 3\n",
                   "a.file:14: PLY mesh: vertex: 6 announced, 4 found; correct the number, or complete the section");
    assert_refused("ply\nformat binary 1.0\n", "a.file:2: PLY mesh: format \"binary\": expected ascii, "
                                               "binary_little_endian or binary_big_endian");
    assert_refused("ply\nformat ascii 1.1\n", "a.file:2: PLY mesh: format version \"1.1\": expected 1.0");
    assert_refused("ply\nelement vertex 1\nend_header\n",
                   "a.file:3: PLY mesh: end_header: expected a line such as \"format ascii 1.0\" before it");
    assert_refused(
        HEADER "elephant\n",
        "a.file:3: PLY mesh: header \"elephant\": expected format, element, property, comment or end_header");
    assert_refused(HEADER "element vertex -1\n",
                   "a.file:3: PLY mesh: element count \"-1\": expected an integer, at least 0");
    assert_refused(HEADER "element vertex many\n",
                   "a.file:3: PLY mesh: element count \"many\": expected an integer, at least 0");
    assert_refused(HEADER "element\n", "a.file:3: PLY mesh: element: expected a name, found the end of the line");
    assert_refused(HEADER "property int x\n",
                   "a.file:3: PLY mesh: property: expected an element before its properties");
    assert_refused(HEADER "element vertex 1\nproperty complex x\n",
                   "a.file:4: PLY mesh: property type \"complex\": expected a type such as float or int");
    assert_refused(
        HEADER "element face 1\nproperty list float int vertex_indices\n",
        "a.file:4: PLY mesh: property type \"float\": expected a type of whole numbers such as uchar or int");
    assert_refused(HEADER "element vertex 1\nproperty float\n",
                   "a.file:4: PLY mesh: property: expected a name, found the end of the line");
    assert_refused(HEADER "element vertex 1\nproperty float x y\n",
                   "a.file:4: PLY mesh: header \"y\": expected the end of the line");
    assert_refused(HEADER POINTS POINTS, "a.file:7: PLY mesh: element vertex: given twice; expected it once");
    assert_refused(HEADER POINTS,
                   "a.file:7: PLY mesh: header: expected format, element, property, comment or end_header, found the "
                   "end of the file");
    assert_refused(HEADER "element vertex 1\nproperty float x\nproperty float y\nend_header\n0 0\n",
                   "a.file:3: PLY mesh: vertex: the element lacks properties; expected the properties x, y and z");
    assert_refused(HEADER POINTS "element face 1\nproperty int vertex_indices\nend_header\n" FOUR "1\n",
                   "a.file:7: PLY mesh: face: the element lacks properties; expected a list property vertex_indices");
    assert_refused(
        HEADER POINTS "element edge 1\nproperty int vertex1\nend_header\n" FOUR "1\n",
        "a.file:7: PLY mesh: edge: the element lacks properties; expected the properties vertex1 and vertex2");
    assert_refused(HEADER "end_header\n", "a.file:4: PLY mesh: there are no vertices; expected at least one");
}

static void test_data_refusals(void **state)
{
    (void)state;
    assert_refused(HEADER POINTS "end_header\n0 0 0\n1 0\n",
                   "a.file:8: PLY mesh: vertex count 4: expected at most 1, for which what is left of the file has "
                   "room");
    assert_refused(HEADER POINTS "end_header\n0 0 0\n1 0 0\n1 1 1\n 1 x     \n",
                   "a.file:11: PLY mesh: vertex coordinate \"x\": expected a number");
    assert_refused(HEADER POINTS "end_header\n0 0 0\n1 0 0\n1 1 1\n 1 nan 0\n",
                   "a.file:11: PLY mesh: vertex coordinate \"nan\": expected a number");
    assert_refused(HEADER POINTS FACES "end_header\n" FOUR "3 0 1 4\n",
                   "a.file:14: PLY mesh: face vertex 4: the index is beyond the end; expected 0 to 3");
    assert_refused(HEADER POINTS FACES "end_header\n" FOUR "3 0 -1 4\n",
                   "a.file:14: PLY mesh: face vertex -1: expected 0 to 3");
    assert_refused(HEADER POINTS FACES "end_header\n" FOUR "3 0 1.5 2\n",
                   "a.file:14: PLY mesh: face vertex \"1.5\": expected an integer");
    assert_refused(HEADER POINTS FACES "end_header\n" FOUR "3 0 1 1\n",
                   "a.file:14: PLY mesh: face vertex 1: named twice; expected different vertices");
    assert_refused(HEADER POINTS FACES "end_header\n" FOUR "2 0 1\n",
                   "a.file:14: PLY mesh: face of 2 vertices: expected at least 3");
    assert_refused(HEADER POINTS FACES "end_header\n" FOUR "4 0 1\n",
                   "a.file:14: PLY mesh: face vertex count 4: expected at most 3, for which what is left of the file "
                   "has room");
    assert_refused(HEADER POINTS FACES "end_header\n" FOUR "-3 0 1 2\n",
                   "a.file:14: PLY mesh: face vertex count -3: expected a whole number, at least 0");
    assert_refused(HEADER FACES "end_header\n3 0 1 2\n", "a.file:6: PLY mesh: face vertex 0: the file has no vertices");
}

static void test_binary_refusals(void **state)
{
    (void)state;
    static const char header[] = "ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\n"
                                 "property float y\nproperty float z\nelement face 1\n"
                                 "property list uchar int vertex_indices\nend_header\n";
    file_bytes file = { 0 };
    char message[256];
    put_text(&file, header);
    for (int i = 0; i < 12; i++)
        put_float(&file, (float)(i * i % 5), false);
    snprintf(
        message, sizeof message,
        "a.file, byte %zu: PLY mesh: vertex count 4: the file is cut short: expected 48 more bytes, found 40; copy "
        "or save it again",
        sizeof header - 1);
    assert_refused_bytes(file.bytes, file.size - 8, message);
    put_integer(&file, 3, 1, false);
    size_t indices = file.size;
    for (int i = 0; i < 3; i++)
        put_integer(&file, i, 4, false);
    snprintf(
        message, sizeof message,
        "a.file, byte %zu: PLY mesh: face vertex count 3: the file is cut short: expected 12 more bytes, found 11; "
        "copy or save it again",
        indices);
    assert_refused_bytes(file.bytes, file.size - 1, message);
    file.size = indices + 4;
    put_integer(&file, 4, 4, false);
    put_integer(&file, 2, 4, false);
    snprintf(message, sizeof message,
             "a.file, byte %zu: PLY mesh: face vertex 4: the index is beyond the end; expected 0 to 3", indices + 8);
    assert_refused_bytes(file.bytes, file.size, message);
    file.size = sizeof header - 1;
    put_float(&file, 1, false);
    put_integer(&file, 0x7f800000, 4, false);
    file.size = indices + 12;
    snprintf(message, sizeof message, "a.file, byte %zu: PLY mesh: vertex coordinate inf: expected a finite number",
             sizeof header - 1 + 4);
    assert_refused_bytes(file.bytes, file.size, message);
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
    static const char *const formats[] = { "ascii", "binary_little_endian", "binary_big_endian" };
    static const char *const counts[] = { "4294967295", "100000000", "900000000000000000" };
    static const char *const elements[] = { "vertex", "face", "other", "edge" };
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            for (size_t k = 0; k < 4; k++) {
                char text[512];
                snprintf(text, sizeof text,
                         "ply\nformat %s 1.0\nelement %s %s\nproperty float x\nproperty float y\nproperty float z\n"
                         "property list uint int vertex_indices\nproperty int vertex1\nproperty int vertex2\n"
                         "end_header\n1 2 3 0 1 2 3 4 5 6\n",
                         formats[i], elements[k], counts[j]);
                size_t largest = 0;
                tide_mesh *mesh = NULL;
                tide_error error;
                tide_memory_set_failure_hook(note_largest, &largest);
                tide_status status = READER(text, strlen(text), "a", &mesh, &error);
                tide_memory_set_failure_hook(NULL, NULL);
                assert_fails(status, error, i == 0 ? "for which what is left of the file has room" : "cut short");
                assert_true(largest < 10000);
            }
}

static void test_memory_failures(void **state)
{
    (void)state;
    const char *text = HEADER POINTS FACES "element edge 1\nproperty int vertex1\nproperty int vertex2\n"
                                           "element tetrahedron 1\nproperty list uchar int vertex_indices\n"
                                           "end_header\n" FOUR "4 0 1 2 3\n0 1\n4 0 1 2 3\n";
    tide_mesh *mesh;
    tide_error error;
    assert_survives_failures(READER(text, strlen(text), "a.ply", &mesh, &error), tide_mesh_release(mesh), 10);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_text),
    cmocka_unit_test(test_any_order),
    cmocka_unit_test(test_strips_and_edges),
    cmocka_unit_test(test_binary_types),
    cmocka_unit_test(test_signs),
    cmocka_unit_test(test_header_refusals),
    cmocka_unit_test(test_data_refusals),
    cmocka_unit_test(test_binary_refusals),
    cmocka_unit_test(test_claims_are_not_allocated),
    cmocka_unit_test(test_memory_failures),
};
TIDE_TEST_SUITE(formats_files_ply, tests)

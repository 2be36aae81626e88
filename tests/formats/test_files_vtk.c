// Legacy VTK: grids and polygons, lists before and since version 5, text and binary, and refused files.
#include "formats/mesh_file.h"
#include "mesh/mesh.h"
#define READER tide_mesh_read_vtk
#include "file_tests.h"

#define HEADER(version, encoding, dataset)                                                                             \
    "# vtk DataFile Version " version "\na title # of any kind\n" encoding "\nDATASET " dataset "\n"
#define GRID HEADER("3.0", "ASCII", "UNSTRUCTURED_GRID")
#define POLY HEADER("2.0", "ASCII", "POLYDATA")
#define FIVE HEADER("5.1", "ASCII", "UNSTRUCTURED_GRID")
#define POINTS "POINTS 4 float\n0 0 0 1 0 0\n0 1 0 0 0 1\n"

static void test_grid(void **state)
{
    (void)state;
    // Every type that is read, and two that are passed over.
    tide_mesh *mesh = read_text(GRID "POINTS 8 double\n0 0 0 1 0 0 0 1 0 1 1 0\n0 0 1 1 0 1 0 1 1 1 1 1\nCELLS 10 49\n"
                                     "1 0\n2 0 7\n3 1 2 7\n3 4 5 6\n4 4 5 6 7\n5 0 1 3 7 2\n4 0 1 2 3\n4 0 1 3 2\n"
                                     "4 0 1 2 4\n9 0 1 2 3 4 5 6 7 0\nCELL_TYPES 10\n1 3 4 5 6 7 8 9 10 12\n");
    ASSERT_TETRAHEDRA(mesh, 0, 1, 2, 4);
    ASSERT_TRIANGLES(mesh, 4, 5, 6, 4, 5, 6, 6, 5, 7, 0, 1, 3, 0, 3, 7, 0, 7, 2, 0, 1, 3, 0, 3, 2, 0, 1, 3, 0, 3, 2);
    tide_mesh_release(mesh);
}

static void test_polygons(void **state)
{
    (void)state;
    tide_mesh *mesh =
        read_text("# VTK datafile version 2.0\r\ntitle\r\nascii\r\nDataset PolyData\r\npoints 5 FLOAT\r\n0 0 0 1 "
                  "0 0 1 0 1 0 0 1 .5 1 .5\r\nvertices 2 4\n1 0 1 1\nlines 2 7\n3 4 0 3\n2 4 2\n"
                  "polygons 2 9\n4 0 1 2 3\n3 0 1 4\ntriangle_strips 1 5\n4 1 2 4 3\nPOINT_DATA 5\n"
                  "TEXTURE_COORDINATES uv 2 float\n0 0 1 0 1 1 0 1 .5 .5\nNORMALS n float\n");
    const double texture[] = { 0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.5 };
    assert_int_equal(mesh->vertex_count, 5);
    ASSERT_TRIANGLES(mesh, 0, 1, 2, 0, 2, 3, 0, 1, 4, 1, 2, 4, 4, 2, 3);
    assert_int_equal(mesh->edge_count, 9);
    assert_memory_equal(mesh->texture, texture, sizeof texture);
    tide_mesh_release(mesh);
}

static void test_version_5(void **state)
{
    (void)state;
    tide_mesh *mesh = read_text(FIVE POINTS "METADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\n"
                                            "DATA 2 0 1\n\nCELLS 4 9\nOFFSETS vtktypeint64\n0 3 7 9\n"
                                            "CONNECTIVITY vtktypeint64\n0 1 2 0 1 2 3 1\n3\nCELL_TYPES 3\n5\n10\n3\n");
    ASSERT_TRIANGLES(mesh, 0, 2, 1);
    ASSERT_TETRAHEDRA(mesh, 0, 1, 2, 3);
    tide_mesh_release(mesh);
    mesh = read_text(HEADER("5.1", "ASCII", "POLYDATA") POINTS "LINES 0 0\nPOLYGONS 2 3\nOFFSETS vtktypeint32\n0 3\n"
                                                               "CONNECTIVITY vtktypeint64\n0 1 3\n");
    ASSERT_TRIANGLES(mesh, 0, 1, 3);
    tide_mesh_release(mesh);
}

static void put_point(file_bytes *file, int point, bool real)
{
    for (int k = 1; k <= 3; k++)
        if (real)
            put_double(file, k == point, true);
        else
            put_integer(file, k == point, 2, true);
}

static void put_grid(file_bytes *file, bool version_5, bool real)
{
    *file = (file_bytes) { 0 };
    put_text(file,
             version_5 ? HEADER("5.1", "BINARY", "UNSTRUCTURED_GRID") : HEADER("4.2", "BINARY", "UNSTRUCTURED_GRID"));
    put_text(file, "FIELD FieldData 2\nTIME 1 1 double\n");
    put_double(file, 0.5, true);
    put_text(file, "\nflags 1 9 bit\n##\nPOINTS 4 ");
    put_text(file, real ? "double\n" : "short\n");
    for (int i = 0; i < 4; i++)
        put_point(file, i, real);
    static const int old[] = { 4, 0, 1, 2, 3, 3, 1, 2, 3 }, offsets[] = { 0, 4, 7 },
                     corners[] = { 0, 1, 2, 3, 1, 2, 3 };
    put_text(file, version_5 ? "\nCELLS 3 7\nOFFSETS vtktypeint64\n" : "\nCELLS 2 9\n");
    for (int i = 0; i < 9 && !version_5; i++)
        put_integer(file, old[i], 4, true);
    for (int i = 0; i < 3 && version_5; i++)
        put_integer(file, offsets[i], 8, true);
    if (version_5)
        put_text(file, "\nCONNECTIVITY vtktypeint64\n");
    for (int i = 0; i < 7 && version_5; i++)
        put_integer(file, corners[i], 8, true);
    put_text(file, "\nCELL_TYPES 2\n");
    put_integer(file, 10, 4, true);
    put_integer(file, 5, 4, true);
    put_text(file, "\n");
}

static void test_binary(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        file_bytes file;
        put_grid(&file, i % 2, i / 2);
        tide_mesh *mesh = read_bytes(file.bytes, file.size);
        ASSERT_VERTICES(mesh, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
        ASSERT_TETRAHEDRA(mesh, 0, 1, 2, 3);
        ASSERT_TRIANGLES(mesh, 1, 2, 3);
        tide_mesh_release(mesh);
        // Cut short it is never a mesh, but for the last end of line.
        for (size_t cut = 0; cut + 1 < file.size; cut++) {
            tide_error error;
            mesh = NULL;
            if (READER((char *)file.bytes, cut, "a.vtk", &mesh, &error) == TIDE_OK) {
                assert_int_equal(mesh->triangle_count + mesh->tetrahedron_count, 0); // before CELLS: particles
                tide_mesh_release(mesh);
            }
        }
        char message[256];
        snprintf(
            message, sizeof message,
            "a.file, byte %zu: VTK mesh: type count 2: the file is cut short: expected 8 more bytes, found 6; copy "
            "or save it again",
            file.size - 10);
        assert_refused_bytes(file.bytes, file.size - 4, message);
    }
}

static void test_arrays(void **state)
{
    (void)state;
    // Arrays of any type before the points; ours among others behind the cells; what follows is of no interest.
    tide_mesh *mesh =
        read_text(GRID "FIELD FieldData 3\na 1 2 string\nfirst words\nsecond\nMETADATA\nINFORMATION 0\n\n"
                       "b 2 1 bit\n1 0\nc 0 3 float\n\n" POINTS
                       "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n5\nFIELD more 2\nspringtide_skips 2 1 int\n0 3\n"
                       "d 1 1 unsigned_char\n7\nPOINT_DATA 4\nFIELD FieldData 2\nheat 1 4 float\n"
                       "1 nan 3 4\ntexture 2 4 double\n1 2 3 4 5 6 7 8\nSCALARS\n");
    const uint32_t skip[] = { 0, 3 };
    assert_indices(mesh->skips, mesh->skip_count, skip, 1, 2);
    assert_true(mesh->texture[7] == 8);
    tide_mesh_release(mesh);
}

static void test_header_refusals(void **state)
{
    (void)state;
    assert_refused("", "a.file:1: VTK mesh: header: expected a line such as \"# vtk DataFile Version 3.0\"");
    assert_refused("<VTKFile/>\n",
                   "a.file:1: VTK mesh: header: expected a line such as \"# vtk DataFile Version 3.0\"");
    assert_refused("# vtk DataFile Version 1.0\n", "a.file:1: VTK mesh: version \"1.0\": expected 2.0 to 5.1");
    assert_refused("# vtk DataFile Version 6.2\n", "a.file:1: VTK mesh: version \"6.2\": expected 2.0 to 5.1");
    assert_refused("# vtk DataFile Version x\n", "a.file:1: VTK mesh: version \"x\": expected 2.0 to 5.1");
    assert_refused("# vtk DataFile Version 3.0\ntitle\nOCTAL\n",
                   "a.file:3: VTK mesh: header \"OCTAL\": expected ASCII or BINARY");
    assert_refused("# vtk DataFile Version 3.0\ntitle\nASCII\nPOINTS 1\n",
                   "a.file:4: VTK mesh: header \"POINTS\": expected DATASET");
    assert_refused(HEADER("3.0", "ASCII", "STRUCTURED_GRID"),
                   "a.file:4: VTK mesh: dataset \"STRUCTURED_GRID\": expected POLYDATA or UNSTRUCTURED_GRID");
    assert_refused(GRID, "a.file:5: VTK mesh: there are no vertices; expected at least one");
    assert_refused(POLY "POINTS 4 float\n0 0 0 1 0 0\n0 1 0\nPOLYGONS 1 4\n3 0 1 2\n",
                   "a.file:8: VTK mesh: POINTS: 4 announced, 3 found; correct the number, or complete the section");
    assert_refused(POLY POINTS "POLYGONS 2 8\n3 0 1 2\nPOINT_DATA 4\nSCALARS s float\n",
                   "a.file:10: VTK mesh: cells: 2 announced, 1 found; correct the number, or complete the section");
    assert_refused(GRID "POLYGONS 1 2\n",
                   "a.file:5: VTK mesh: section \"POLYGONS\": expected POINTS, CELLS, CELL_TYPES, "
                   "FIELD, POINT_DATA or CELL_DATA");
    assert_refused(POLY "CELLS 1 2\n", "a.file:5: VTK mesh: section \"CELLS\": expected POINTS, LINES, POLYGONS, "
                                       "TRIANGLE_STRIPS, FIELD, POINT_DATA or CELL_DATA");
}

static void test_point_refusals(void **state)
{
    (void)state;
    assert_refused(GRID "POINTS 2 real\n", "a.file:5: VTK mesh: data type \"real\": expected a type such as float or "
                                           "int");
    assert_refused(GRID "POINTS x float\n", "a.file:5: VTK mesh: point count \"x\": expected an integer");
    assert_refused(GRID "POINTS -2 float\n0 0 0\n",
                   "a.file:6: VTK mesh: point count -2: expected a whole number, at least 0");
    assert_refused(
        GRID "POINTS 99 float\n0 0 0\n",
        "a.file:6: VTK mesh: point count 99: expected at most 1, for which what is left of the file has room");
    assert_refused(GRID "POINTS 1 float 0 0 0\n",
                   "a.file:5: VTK mesh: data \"0\": expected the end of the line before it");
    assert_refused(GRID "POINTS 1 int\n0 0.5 0\n", "a.file:6: VTK mesh: point coordinate \"0.5\": expected an integer");
    assert_refused(GRID "POINTS 1 float\n0 inf 0\n", "a.file:6: VTK mesh: point coordinate \"inf\": expected a number");
    assert_refused(GRID POINTS POINTS, "a.file:8: VTK mesh: POINTS: given twice; expected it once");
}

static void test_cell_refusals(void **state)
{
    (void)state;
    assert_refused(GRID "CELLS 1 4\n", "a.file:5: VTK mesh: CELLS: expected POINTS before this section");
    assert_refused(GRID POINTS "CELL_TYPES 1\n5\n",
                   "a.file:8: VTK mesh: CELL_TYPES: expected CELLS before this section");
    assert_refused(GRID POINTS "CELLS 1 4\n3 0 1 4\nCELL_TYPES 1\n5\n",
                   "a.file:9: VTK mesh: cell point 4: the index is beyond the end; expected 0 to 3");
    assert_refused(GRID POINTS "CELLS 1 4\n3 0 1 -1\nCELL_TYPES 1\n5\n",
                   "a.file:9: VTK mesh: cell point -1: expected 0 to 3");
    assert_refused(GRID POINTS "CELLS 1 4\n3 0 1 1\nCELL_TYPES 1\n5\n",
                   "a.file:11: VTK mesh: triangle vertex 1: named twice; expected different vertices");
    assert_refused(GRID POINTS "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n10\n",
                   "a.file:11: VTK mesh: tetrahedron of 3 points: expected 4");
    assert_refused(GRID POINTS "CELLS 1 3\n2 0 1\nCELL_TYPES 1\n7\n",
                   "a.file:11: VTK mesh: polygon of 2 vertices: expected at least 3");
    assert_refused(GRID POINTS "CELLS 1 5\n3 0 1 2\nCELL_TYPES 1\n5\n",
                   "a.file:9: VTK mesh: cells of 4 numbers: expected 5, as the list begins");
    assert_refused(GRID POINTS "CELLS 1 4\n99 0 1 2\nCELL_TYPES 1\n5\n",
                   "a.file:9: VTK mesh: cell point count 99: expected at most 11, for which what is left of the file "
                   "has room");
    assert_refused(GRID POINTS "CELLS 1 4\n3 0 1 2\nCELL_TYPES 2\n5 5\n",
                   "a.file:10: VTK mesh: 2 types: expected one for each of the 1 cells");
    assert_refused(GRID POINTS "CELLS 1 4\n3 0 1 2\n",
                   "a.file:10: VTK mesh: section: expected CELL_TYPES, found the end of the file");
    assert_refused(GRID POINTS "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n24\n",
                   "a.file:12: VTK mesh: cells of type 24: expected some lines, triangles, polygons or tetrahedra");
}

static void test_offset_refusals(void **state)
{
    (void)state;
    static const char *const lists[] = { "1 3 7", "0 5 4", "0 3 6", "0 8 7", "0 -1 7" };
    static const char *const shown[] = { "1", "4", "6", "8", "-1" };
    for (int i = 0; i < 5; i++) {
        char text[512], message[256];
        snprintf(text, sizeof text,
                 FIVE POINTS "CELLS 3 7\nOFFSETS vtktypeint64\n%s\nCONNECTIVITY vtktypeint64\n0 1 2 0 1 2 3\n"
                             "CELL_TYPES 2\n5 10\n",
                 lists[i]);
        snprintf(message, sizeof message, "a.file:10: VTK mesh: offset %s: expected them to rise from 0 to 7",
                 shown[i]);
        assert_refused(text, message);
    }
    assert_refused(FIVE POINTS "CELLS 3 7\n3 0 1 2 4 0 1 2 3\n", "a.file:9: VTK mesh: cells \"3\": expected OFFSETS");
    assert_refused(FIVE POINTS "CELLS 2 3\nOFFSETS vtktypeint64\n0 3\n0 1 2\n",
                   "a.file:11: VTK mesh: cells \"0\": expected CONNECTIVITY");
}

static void test_array_refusals(void **state)
{
    (void)state;
    assert_refused(GRID POINTS "FIELD f 1\nspringtide_skips 2 1 int\n0 4\n",
                   "a.file:10: VTK mesh: skip point 4: the index is beyond the end; expected 0 to 3");
    assert_refused(GRID POINTS "FIELD f 1\na 3 900000000 int\n0 4\n",
                   "a.file:9: VTK mesh: tuple count 900000000: expected at most 9, for which what is left of the file "
                   "has room");
    assert_refused(GRID POINTS "FIELD f 2\na 1 1 int\n0\n",
                   "a.file:11: VTK mesh: array: expected a name, found the end of the file");
    assert_refused(HEADER("3.0", "BINARY", "POLYDATA") "FIELD f 1\na 1 1 string\nwords\n",
                   "a.file, byte 96: VTK mesh: array of strings: they are not read from bytes; expected numbers, or a "
                   "file saved as text");
}

static void test_memory_failures(void **state)
{
    (void)state;
    const char *text = FIVE POINTS "CELLS 3 5\nOFFSETS vtktypeint64\n0 3 5\nCONNECTIVITY vtktypeint64\n0 1 2 0 3\n"
                                   "CELL_TYPES 2\n5 3\nFIELD f 1\nspringtide_skips 2 1 int\n0 3\n"
                                   "POINT_DATA 4\nFIELD g 1\ntexture 2 4 float\n0 0 0 0 0 0 0 0\n";
    tide_mesh *mesh;
    tide_error error;
    assert_survives_failures(READER(text, strlen(text), "a.vtk", &mesh, &error), tide_mesh_release(mesh), 12);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_grid),
    cmocka_unit_test(test_polygons),
    cmocka_unit_test(test_version_5),
    cmocka_unit_test(test_binary),
    cmocka_unit_test(test_arrays),
    cmocka_unit_test(test_header_refusals),
    cmocka_unit_test(test_point_refusals),
    cmocka_unit_test(test_cell_refusals),
    cmocka_unit_test(test_offset_refusals),
    cmocka_unit_test(test_array_refusals),
    cmocka_unit_test(test_memory_failures),
};
TIDE_TEST_SUITE(formats_files_vtk, tests)

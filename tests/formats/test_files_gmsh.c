// Gmsh: versions 2.2 and 4.1, tags with gaps and out of order, and refused files.
#include "formats/mesh_file.h"
#include "mesh/mesh.h"
#define READER tide_mesh_read_gmsh
#include "file_tests.h"

#define HEADER_2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define HEADER_4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define FOUR "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
#define FOUR_4 "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"

static void test_version_2(void **state)
{
    (void)state;
    tide_mesh *mesh = read_text("$Comments\n$Nodes are # below\n$EndComments\n" HEADER_2
                                "$PhysicalNames\n1\n2 1 \"a $Nodes\"\n$EndPhysicalNames\n$Nodes\r\n5\r\n7 0 0 0\r\n"
                                "9000000000000 1 0 0\n3 0 1e0 0\n4 0 0 1\n1 2 2 2\n$EndNodes\n"
                                "$Elements\n6\n1 15 2 0 1 7\n2 4 3 1 2 3 7 9000000000000 3 4\n3 2 2 0 1 3 4 7\n"
                                "4 3 0 7 9000000000000 1 3\n5 1 1 0 4 1\n6 5 2 0 0 1 2 3 4 5 6 7 8\n$EndElements\n"
                                "$NodeData\n1\nx\n$EndNodeData");
    ASSERT_VERTICES(mesh, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 2, 2);
    ASSERT_TETRAHEDRA(mesh, 0, 1, 2, 3);
    // The triangle is of the tetrahedron's surface and faces outward; the quadrilateral is not.
    ASSERT_TRIANGLES(mesh, 2, 0, 3, 0, 1, 4, 0, 4, 2);
    assert_int_equal(mesh->edge_count, 6 + 3 + 1);
    tide_mesh_release(mesh);
}

static void test_version_4(void **state)
{
    (void)state;
    // Several blocks, one empty, one with parameters; tags out of order.
    tide_mesh *mesh =
        read_text(HEADER_4 "$Entities\n0 0 0 0\n$EndEntities\n$Nodes\n4 5 2 100\n0 1 0 1\n100\n0 0 0\n"
                           "1 3 1 2\n5\n9\n1 0 0 .25\n0 1 0 .5\n2 7 1 1\n2\n0 0 1 .1 .2\n3 1 0 1\n4\n1 1 1\n"
                           "$EndNodes\n$Elements\n6 7 1 7\n0 1 15 1\n1 100\n1 1 1 1\n2 2 4\n2 1 2 1\n"
                           "3 100 5 9\n2 2 3 1\n4 100 5 4 9\n3 1 5 1\n5 1 2 3 4 5 6 7 8\n3 1 4 2\n"
                           "6 100 5 9 2\n7 5 9 2 4\n$EndElements\n");
    ASSERT_VERTICES(mesh, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1);
    ASSERT_TETRAHEDRA(mesh, 0, 1, 2, 3, 1, 2, 3, 4);
    assert_int_equal(mesh->triangle_count, 3);
    assert_int_equal(mesh->edge_count, 6 + 3 + 1); // the quadrilateral has an edge from 0 to 4
    tide_mesh_release(mesh);
}

static void test_format_refusals(void **state)
{
    (void)state;
    assert_refused("", "a.file:1: Gmsh mesh: there are no vertices; expected at least one");
    assert_refused("(2 3)\n", "a.file:1: Gmsh mesh: section \"(2\": expected $MeshFormat");
    assert_refused("$MeshFormat\n4 0 8\n", "a.file:2: Gmsh mesh: version \"4\": expected text of version 2.2 or 4.1: "
                                           "gmsh OLD -save -format msh41 -o NEW");
    assert_refused("$MeshFormat\n2.1 0 8\n", "a.file:2: Gmsh mesh: version \"2.1\": expected text of version 2.2 or "
                                             "4.1: gmsh OLD -save -format msh41 -o NEW");
    assert_refused("$MeshFormat\n4.1 1 8\n\x01", "a.file:2: Gmsh mesh: file type 1 (binary): expected text of version "
                                                 "2.2 or 4.1: gmsh OLD -save -format msh41 -o NEW");
    assert_refused("$MeshFormat\n4.1 2 8\n", "a.file:2: Gmsh mesh: file type \"2\": expected 0");
    assert_refused("$MeshFormat\n4.1 0 8 9\n", "a.file:2: Gmsh mesh: section \"9\": expected $EndMeshFormat");
    assert_refused(HEADER_2 "$Nodes\n3\n1 0 0 0\n2 1 0 0\n$EndNodes\n",
                   "a.file:8: Gmsh mesh: $Nodes: 3 announced, 2 found; correct the number, or complete the section");
    assert_refused(HEADER_4 "$Nodes\n1 2 1 2\n3 1 0 2\n1\n2\n0 0 0\n$EndNodes\n",
                   "a.file:10: Gmsh mesh: nodes of a block: 2 announced, 1 found; correct the number, or complete the "
                   "section");
    assert_refused(HEADER_2 HEADER_2, "a.file:4: Gmsh mesh: $MeshFormat: the section is given twice; expected it once");
    assert_refused(FOUR, "a.file:1: Gmsh mesh: $Nodes: expected the section $MeshFormat before this one");
    assert_refused(HEADER_2 "$Elements\n0\n", "a.file:4: Gmsh mesh: $Elements: expected the section $Nodes before this "
                                              "one");
    assert_refused(HEADER_2 FOUR FOUR, "a.file:11: Gmsh mesh: $Nodes: the section is given twice; expected it once");
    assert_refused(HEADER_2 "$Odd\n1 2 3\n$EndOther\n",
                   "a.file:7: Gmsh mesh: section $Odd: expected its $End, found the end of the file");
    assert_refused(HEADER_2 "Nodes\n", "a.file:4: Gmsh mesh: section \"Nodes\": expected a section such as $Nodes");
}

static void test_node_refusals(void **state)
{
    (void)state;
    assert_refused(HEADER_2 "$Nodes\n-1\n", "a.file:5: Gmsh mesh: node count -1: expected a whole number, at least 0");
    assert_refused(HEADER_2 "$Nodes\n2000000000\n1 0 0 0\n",
                   "a.file:5: Gmsh mesh: node count 2000000000: expected at most 1, for which what is left of the file "
                   "has room");
    assert_refused(HEADER_2 "$Nodes\n2\n1 0 0 0\n2 0 0 x\n$EndNodes\n",
                   "a.file:7: Gmsh mesh: node coordinate \"x\": expected a number");
    assert_refused(HEADER_2 "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n",
                   "a.file:7: Gmsh mesh: section \"2\": expected $EndNodes");
    assert_refused(HEADER_2 "$Nodes\n2\n7 0 0 0\n7 0 0 1\n$EndNodes\n",
                   "a.file:7: Gmsh mesh: node tag 7: given twice; expected different tags");
    assert_refused(HEADER_4 "$Nodes\n1 2 1 2\n4 1 0 2\n1\n2\n0 0 0\n",
                   "a.file:6: Gmsh mesh: dimension of an entity: expected 0 to "
                   "3");
    assert_refused(HEADER_4 "$Nodes\n1 2 1 2\n0 1 0 1\n1\n0 0 0\n$EndNodes\n",
                   "a.file:8: Gmsh mesh: 1 nodes: expected 2, as the section begins");
    assert_refused(HEADER_4 "$Nodes\n900000000000 2 1 2\n0 1 0 1\n1\n0 0 0\n$EndNodes\n",
                   "a.file:5: Gmsh mesh: block count 900000000000: expected at most 4, for which what is left of the "
                   "file has room");
}

static void test_element_refusals(void **state)
{
    (void)state;
    assert_refused(HEADER_2 FOUR "$Elements\n1\n1 2 0 1 2 5\n$EndElements\n",
                   "a.file:13: Gmsh mesh: triangle node 5: the tag is beyond the end; expected one of the 4 from 1 to "
                   "4");
    assert_refused(HEADER_2 "$Nodes\n2\n1 0 0 0\n9 1 0 0\n$EndNodes\n$Elements\n1\n1 1 0 1 5\n$EndElements\n",
                   "a.file:11: Gmsh mesh: line node 5: no node has this tag; expected one of the 2 from 1 to 9");
    assert_refused(HEADER_2 "$Nodes\n0\n$EndNodes\n$Elements\n1\n1 1 0 1 5\n$EndElements\n",
                   "a.file:9: Gmsh mesh: line node 1: the file has no nodes");
    assert_refused(HEADER_2 FOUR "$Elements\n1\n1 4 0 1 2 3 3\n$EndElements\n",
                   "a.file:13: Gmsh mesh: tetrahedron vertex 3: named twice; expected different vertices");
    assert_refused(HEADER_2 FOUR "$Elements\n1\n1 2 3 1 2 3\n$EndElements\n",
                   "a.file:14: Gmsh mesh: node of an element \"$EndElements\": expected an integer");
    assert_refused(HEADER_2 FOUR "$Elements\n1\n1 2 99 1 2 3\n$EndElements\n",
                   "a.file:13: Gmsh mesh: tag count 99: expected at most 10, for which what is left of the file has "
                   "room");
    assert_refused(HEADER_2 FOUR "$Elements\n2\n1 2 0 1 2 3\n$EndElements\n",
                   "a.file:14: Gmsh mesh: $Elements: 2 announced, 1 found; correct the number, or complete the "
                   "section");
    assert_refused(HEADER_4 FOUR_4 "$Elements\n1 2 1 2\n2 1 2 1\n1 1 2 3\n$EndElements\n",
                   "a.file:19: Gmsh mesh: 1 elements: expected 2, as the section begins");
    assert_refused(HEADER_4 FOUR_4 "$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 0\n$EndElements\n",
                   "a.file:19: Gmsh mesh: triangle node 0: no node has this tag; expected one of the 4 from 1 to 4");
    assert_refused(HEADER_4 FOUR_4 "$Elements\n1 1 1 1\n3 1 11 1\n1 1 2 3 4 1 2 3 4 1 2\n$EndElements\n",
                   "a.file:21: Gmsh mesh: elements of type 11: expected some of types 1 to 4: lines, triangles, "
                   "quadrilaterals or tetrahedra; gmsh -order 1 makes no others");
}

static void test_memory_failures(void **state)
{
    (void)state;
    const char *text = HEADER_4 FOUR_4 "$Elements\n2 2 1 2\n2 1 2 1\n1 1 2 3\n3 1 4 1\n2 1 2 3 4\n$EndElements\n";
    tide_mesh *mesh;
    tide_error error;
    assert_survives_failures(READER(text, strlen(text), "a.msh", &mesh, &error), tide_mesh_release(mesh), 8);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_version_2),        cmocka_unit_test(test_version_4),
    cmocka_unit_test(test_format_refusals),  cmocka_unit_test(test_node_refusals),
    cmocka_unit_test(test_element_refusals), cmocka_unit_test(test_memory_failures),
};
TIDE_TEST_SUITE(formats_files_gmsh, tests)

// The builders: counts in closed form, geometry, and what they refuse.
#include "mesh_tests.h"

#include <limits.h>
#include <math.h>

static void test_curtain(void **state)
{
    (void)state;
    tide_mesh *mesh = make_grid(81, 81, 1, 1, TIDE_DIAGONALS_ALTERNATING);
    assert_int_equal(mesh->vertex_count, 6561);
    assert_int_equal(mesh->edge_count, 19360);
    assert_int_equal(mesh->skip_count, 12798);
    assert_int_equal(mesh->edge_count + mesh->skip_count, 32158);
    assert_int_equal(mesh->triangle_count, 12800);
    tide_mesh_release(mesh);
}

static const int sizes[][2] = { { 2, 2 }, { 2, 5 }, { 7, 2 }, { 3, 3 }, { 4, 9 }, { 10, 6 } };
enum { SIZES = sizeof sizes / sizeof sizes[0], DIAGONALS = 5 };

static void test_grid_counts(void **state)
{
    (void)state;
    static const int diagonals_in_a_cell[DIAGONALS] = { 1, 1, 1, 2, 0 };
    for (int i = 0; i < SIZES; i++)
        for (int diagonals = 0; diagonals < DIAGONALS; diagonals++) {
            int c = sizes[i][0], r = sizes[i][1], cells = (c - 1) * (r - 1);
            tide_mesh *mesh = make_grid(c, r, 1, 1, diagonals);
            assert_int_equal(mesh->vertex_count, c * r);
            assert_int_equal(mesh->edge_count, (c - 1) * r + c * (r - 1) + cells * diagonals_in_a_cell[diagonals]);
            assert_int_equal(mesh->triangle_count, 2 * cells);
            assert_int_equal(mesh->skip_count, (c - 2) * r + c * (r - 2));
            assert_int_equal(mesh->tetrahedron_count, 0);
            tide_mesh_release(mesh);
        }
}

static void test_grid_edges(void **state)
{
    (void)state;
    // Where every cell has one diagonal, edges are those of the triangles, in the same order.
    for (int i = 0; i < SIZES; i++)
        for (int diagonals = TIDE_DIAGONALS_ALTERNATING; diagonals <= TIDE_DIAGONALS_BACKWARD; diagonals++) {
            tide_mesh *mesh = make_grid(sizes[i][0], sizes[i][1], 1, 2, diagonals);
            uint32_t *edges, count;
            tide_error error;
            assert_ok(tide_mesh_edges_of(mesh->vertex_count, mesh->triangles, mesh->triangle_count, NULL, 0, &edges,
                                         &count, &error),
                      error);
            assert_int_equal(count, mesh->edge_count);
            assert_memory_equal(edges, mesh->edges, 8 * (size_t)count);
            tide_free(edges);
            tide_mesh_release(mesh);
        }
}

static bool has_edge(const tide_mesh *mesh, uint32_t a, uint32_t b)
{
    int found = 0;
    for (uint32_t i = 0; i < mesh->edge_count; i++)
        found += (mesh->edges[2 * i] == a && mesh->edges[2 * i + 1] == b) ||
                 (mesh->edges[2 * i] == b && mesh->edges[2 * i + 1] == a);
    assert_true(found <= 1);
    return found == 1;
}

static void test_grid_diagonals(void **state)
{
    (void)state;
    for (int diagonals = 0; diagonals < DIAGONALS; diagonals++) {
        tide_mesh *mesh = make_grid(5, 4, 1, 1, diagonals);
        for (uint32_t r = 0; r < 3; r++)
            for (uint32_t c = 0; c < 4; c++) {
                bool even = (c + r) % 2 == 0;
                bool forward[DIAGONALS] = { even, true, false, true, false };
                bool backward[DIAGONALS] = { !even, false, true, true, false };
                assert_true(has_edge(mesh, r * 5 + c, (r + 1) * 5 + c + 1) == forward[diagonals]);
                assert_true(has_edge(mesh, r * 5 + c + 1, (r + 1) * 5 + c) == backward[diagonals]);
            }
        // Triangles are split as with "alternating" where edges do not say how.
        tide_mesh *alternating = make_grid(5, 4, 1, 1, TIDE_DIAGONALS_ALTERNATING);
        bool same = is_same_bytes(mesh->triangles, alternating->triangles, 12 * (size_t)mesh->triangle_count);
        assert_true(same == (diagonals != TIDE_DIAGONALS_FORWARD && diagonals != TIDE_DIAGONALS_BACKWARD));
        tide_mesh_release(alternating);
        tide_mesh_release(mesh);
    }
}

static void test_grid_geometry(void **state)
{
    (void)state;
    double width = 1.7, height = 0.9;
    int columns = 6, rows = 4;
    tide_mesh *mesh = make_grid(columns, rows, width, height, TIDE_DIAGONALS_ALTERNATING);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            const double *p = mesh->vertices + 3 * (r * columns + c), *uv = mesh->texture + 2 * (r * columns + c);
            assert_true(p[0] == c * width / (columns - 1));
            assert_true(p[1] == 0);
            assert_true(p[2] == r * height / (rows - 1));
            assert_near(uv[0], p[0] / 1.7, 0);
            assert_near(uv[1], p[2] / 1.7, 0);
        }
    double area = 0;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles + 3 * i;
        const double *a = mesh->vertices + 3 * t[0], *b = mesh->vertices + 3 * t[1], *c = mesh->vertices + 3 * t[2];
        // The y of cross(b - a, c - a).
        double up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
        assert_true(up > 0);
        area += up / 2;
    }
    assert_near(area, width * height, 1e-14);
    tide_mesh_release(mesh);
}

static void test_grid_skips(void **state)
{
    (void)state;
    uint32_t columns = 5, rows = 4;
    tide_mesh *mesh = make_grid((int)columns, (int)rows, 1, 1, TIDE_DIAGONALS_ALTERNATING);
    for (uint32_t i = 0; i < mesh->skip_count; i++) {
        uint32_t a = mesh->skips[2 * i], b = mesh->skips[2 * i + 1];
        bool along_row = b == a + 2 && b / columns == a / columns;
        assert_true(along_row || b == a + 2 * columns);
        assert_true(i == 0 || a > mesh->skips[2 * i - 2] ||
                    (a == mesh->skips[2 * i - 2] && b > mesh->skips[2 * i - 1]));
    }
    tide_mesh_release(mesh);
}

static void test_grid_is_a_consistent_manifold(void **state)
{
    (void)state;
    tide_mesh *mesh = make_grid(6, 5, 1, 1, TIDE_DIAGONALS_ALTERNATING);
    uint32_t *on, border = 0;
    tide_error error;
    assert_ok(tide_mesh_edge_triangles(mesh, &on, &error), error);
    for (uint32_t i = 0; i < mesh->edge_count; i++) {
        assert_true(on[2 * i] != TIDE_NO_TRIANGLE);
        border += on[2 * i + 1] == TIDE_NO_TRIANGLE;
        int forward = 0, sides = on[2 * i + 1] == TIDE_NO_TRIANGLE ? 1 : 2;
        for (int side = 0; side < sides; side++)
            for (int k = 0; k < 3; k++) {
                const uint32_t *t = mesh->triangles + 3 * on[2 * i + (uint32_t)side];
                forward += t[k] == mesh->edges[2 * i] && t[(k + 1) % 3] == mesh->edges[2 * i + 1];
            }
        assert_true(sides == 1 || forward == 1);
    }
    assert_int_equal(border, 2 * (5 + 4));
    tide_free(on);
    tide_mesh_release(mesh);
}

static void test_strand(void **state)
{
    (void)state;
    tide_mesh *mesh = make_strand(5);
    assert_int_equal(mesh->vertex_count, 5);
    assert_int_equal(mesh->edge_count, 4);
    assert_int_equal(mesh->skip_count, 3);
    assert_int_equal(mesh->triangle_count, 0);
    const double from[] = { 0.1, 0.2, 0.3 }, to[] = { 1, -2, 0.7 };
    assert_memory_equal(mesh->vertices, from, sizeof from);
    assert_memory_equal(mesh->vertices + 12, to, sizeof to);
    for (uint32_t i = 0; i < 5; i++)
        for (uint32_t k = 0; k < 3; k++)
            assert_near(mesh->vertices[3 * i + k], from[k] + (to[k] - from[k]) * i / 4, 1e-15);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(mesh->edges[2 * i] == i && mesh->edges[2 * i + 1] == i + 1);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(mesh->skips[2 * i] == i && mesh->skips[2 * i + 1] == i + 2);
    tide_mesh_release(mesh);
    mesh = make_strand(2);
    assert_true(mesh->edge_count == 1 && mesh->skip_count == 0);
    tide_mesh_release(mesh);
}

static const int blocks[][3] = { { 1, 1, 1 }, { 2, 1, 1 }, { 1, 3, 2 }, { 3, 3, 3 }, { 4, 2, 5 } };
enum { BLOCKS = sizeof blocks / sizeof blocks[0] };

static void test_box_counts(void **state)
{
    (void)state;
    for (int n = 0; n < BLOCKS; n++) {
        int i = blocks[n][0], j = blocks[n][1], k = blocks[n][2];
        tide_mesh *mesh = make_box(1, 2, 0.5, i, j, k);
        int sides = i * (j + 1) * (k + 1) + (i + 1) * j * (k + 1) + (i + 1) * (j + 1) * k;
        int faces = (i + 1) * j * k + i * (j + 1) * k + i * j * (k + 1);
        assert_int_equal(mesh->vertex_count, (i + 1) * (j + 1) * (k + 1));
        assert_int_equal(mesh->tetrahedron_count, 5 * i * j * k);
        // A diagonal on each face of a cell.
        assert_int_equal(mesh->edge_count, sides + faces);
        assert_int_equal(mesh->triangle_count, 4 * (i * j + j * k + k * i));
        assert_int_equal(mesh->skip_count, 0);
        tide_mesh_release(mesh);
    }
}

static void test_box_geometry(void **state)
{
    (void)state;
    for (int n = 0; n < BLOCKS; n++) {
        tide_mesh *mesh = make_box(1, 2, 0.5, blocks[n][0], blocks[n][1], blocks[n][2]);
        double lower[3], upper[3], volume = 0;
        tide_mesh_bounds(mesh, lower, upper);
        const double low[] = { -0.5, -1, -0.25 }, high[] = { 0.5, 1, 0.25 };
        assert_memory_equal(lower, low, sizeof low);
        assert_memory_equal(upper, high, sizeof high);
        for (uint32_t i = 0; i < mesh->tetrahedron_count; i++) {
            double part = tide_mesh_tetrahedron_volume(mesh->vertices, mesh->tetrahedra + 4 * i);
            assert_true(part > 0);
            volume += part;
        }
        assert_near(volume, 1, 1e-14);
        assert_near(enclosed_volume(mesh), 1, 1e-14);
        assert_closed(mesh);
        tide_mesh_release(mesh);
    }
}

static bool has_corner(const uint32_t *tetrahedron, uint32_t vertex)
{
    return tetrahedron[0] == vertex || tetrahedron[1] == vertex || tetrahedron[2] == vertex || tetrahedron[3] == vertex;
}

// Brute force: every face is on two tetrahedra, or on one and then a triangle of the mesh.
static void test_box_faces(void **state)
{
    (void)state;
    tide_mesh *mesh = make_box(1, 1, 1, 3, 2, 2);
    uint32_t outer = 0;
    for (uint32_t i = 0; i < mesh->tetrahedron_count; i++)
        for (uint32_t without = 0; without < 4; without++) {
            uint32_t face[3], n = 0, owners = 0, triangles = 0;
            for (uint32_t k = 0; k < 4; k++)
                if (k != without)
                    face[n++] = mesh->tetrahedra[4 * i + k];
            for (uint32_t j = 0; j < mesh->tetrahedron_count; j++) {
                const uint32_t *other = mesh->tetrahedra + 4 * j;
                owners += has_corner(other, face[0]) && has_corner(other, face[1]) && has_corner(other, face[2]);
            }
            for (uint32_t j = 0; j < mesh->triangle_count; j++) {
                const uint32_t *t = mesh->triangles + 3 * j;
                const uint32_t padded[4] = { t[0], t[1], t[2], t[2] };
                triangles += has_corner(padded, face[0]) && has_corner(padded, face[1]) && has_corner(padded, face[2]);
            }
            assert_true((owners == 2 && triangles == 0) || (owners == 1 && triangles == 1));
            outer += owners == 1;
        }
    assert_int_equal(outer, mesh->triangle_count);
    tide_mesh_release(mesh);
}

static void test_list(void **state)
{
    (void)state;
    assert_ptr_equal(tide_mesh_builder_at(0), &tide_mesh_grid);
    uint32_t count = 0;
    for (const tide_mesh_builder *builder; (builder = tide_mesh_builder_at(count)); count++) {
        // The defaults of each field table build a mesh.
        _Alignas(double) char definition[256] = { 0 };
        assert_true(builder->definition_size <= sizeof definition && strlen(builder->help) > 0);
        tide_fields_default(builder->fields, definition);
        tide_mesh *mesh;
        tide_error error;
        assert_ok(builder->build(definition, &mesh, &error), error);
        tide_mesh_release(mesh);
        for (const tide_field *field = builder->fields; field->name; field++)
            assert_true(field->help && strlen(field->help) > 0 && field->offset < builder->definition_size);
    }
    assert_int_equal(count, 7);
    assert_null(tide_mesh_builder_at(UINT32_MAX));
}

static void assert_refused(const tide_mesh_builder *builder, const void *def, const char *part)
{
    tide_mesh *mesh = NULL;
    tide_error error;
    uint64_t allocations = tide_memory_count().allocations;
    assert_fails(builder->build(def, &mesh, &error), error, part);
    assert_int_equal(error.status, TIDE_ERROR_ARGUMENT);
    assert_null(mesh);
    assert_true(tide_memory_count().allocations == allocations);
}

static void test_grid_refusals(void **state)
{
    (void)state;
    const tide_mesh_grid_def good = { 3, 3, 1, 1, 0 };
    tide_mesh_grid_def def = good;
    def.columns = 1;
    assert_refused(&tide_mesh_grid, &def, "mesh grid: columns = 1: expected an integer of at least 2");
    def = good;
    def.rows = -5;
    assert_refused(&tide_mesh_grid, &def, "mesh grid: rows = -5: expected an integer of at least 2");
    def = good;
    def.width = 0;
    assert_refused(&tide_mesh_grid, &def, "mesh grid: width = 0: expected a number greater than 0 m");
    def.width = NAN;
    assert_refused(&tide_mesh_grid, &def, "mesh grid: width = nan: expected a finite number");
    def = good;
    def.height = INFINITY;
    assert_refused(&tide_mesh_grid, &def, "mesh grid: height = inf: expected a finite number");
    def = good;
    def.diagonals = 5;
    assert_refused(&tide_mesh_grid, &def, "mesh grid: diagonals = 5: expected one of \"alternating\"");
    def.diagonals = -1;
    assert_refused(&tide_mesh_grid, &def, "mesh grid: diagonals = -1: expected one of");
    def = good;
    def.columns = 20000;
    def.rows = 20000;
    assert_refused(&tide_mesh_grid, &def,
                   "mesh grid: columns = 20000: with 20000 rows this makes 400000000 vertices; expected at most "
                   "100000000");
    def.columns = def.rows = INT_MAX;
    assert_refused(&tide_mesh_grid, &def, "this makes 4611686014132420609 vertices");
}

static void test_strand_refusals(void **state)
{
    (void)state;
    tide_mesh_strand_def def = { 1, { 0, 0, 0 }, { 1, 0, 0 } };
    assert_refused(&tide_mesh_strand, &def, "mesh strand: points = 1: expected an integer from 2 to 100000000");
    def.points = INT_MAX;
    assert_refused(&tide_mesh_strand, &def,
                   "mesh strand: points = 2147483647: expected an integer from 2 to 100000000");
    def.points = 3;
    def.to[1] = NAN;
    assert_refused(&tide_mesh_strand, &def, "mesh strand: to = {1, nan, 0}: expected finite numbers");
    def.to[0] = def.to[1] = 0;
    assert_refused(&tide_mesh_strand, &def, "mesh strand: to = {0, 0, 0}: expected a point other than `from`");
}

static void test_box_refusals(void **state)
{
    (void)state;
    tide_mesh_box_def def = { { 1, 0, 1 }, { 1, 1, 1 } };
    assert_refused(&tide_mesh_box, &def, "mesh box: size = {1, 0, 1}: expected three numbers");
    def.size[1] = 1;
    def.cells[2] = 0;
    assert_refused(&tide_mesh_box, &def, "mesh box: cells = {1, 1, 0}: expected three numbers");
    def.cells[2] = 1.5;
    assert_refused(&tide_mesh_box, &def, "mesh box: cells = {1, 1, 1.5}: expected whole numbers");
    def.cells[2] = INFINITY;
    assert_refused(&tide_mesh_box, &def, "mesh box: cells = {1, 1, inf}: expected finite numbers");
    def.cells[0] = def.cells[1] = def.cells[2] = 1000;
    assert_refused(&tide_mesh_box, &def, "this makes 1003003001 vertices; expected at most 100000000");
    def.cells[0] = def.cells[1] = def.cells[2] = 1e8;
    assert_refused(&tide_mesh_box, &def, "expected at most 100000000");
}

static void test_memory_failures(void **state)
{
    (void)state;
    const tide_mesh_grid_def grid = { 4, 3, 1, 1, 0 };
    const tide_mesh_strand_def strand = { 4, { 0, 0, 0 }, { 1, 0, 0 } };
    const tide_mesh_box_def box = { { 1, 1, 1 }, { 2, 1, 1 } };
    tide_mesh *mesh;
    tide_error error;
    assert_survives_failures(tide_mesh_grid.build(&grid, &mesh, &error), tide_mesh_release(mesh), 8);
    assert_survives_failures(tide_mesh_strand.build(&strand, &mesh, &error), tide_mesh_release(mesh), 5);
    assert_survives_failures(tide_mesh_box.build(&box, &mesh, &error), tide_mesh_release(mesh), 8);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_curtain),
    cmocka_unit_test(test_grid_counts),
    cmocka_unit_test(test_grid_edges),
    cmocka_unit_test(test_grid_diagonals),
    cmocka_unit_test(test_grid_geometry),
    cmocka_unit_test(test_grid_skips),
    cmocka_unit_test(test_grid_is_a_consistent_manifold),
    cmocka_unit_test(test_strand),
    cmocka_unit_test(test_box_counts),
    cmocka_unit_test(test_box_geometry),
    cmocka_unit_test(test_box_faces),
    cmocka_unit_test(test_list),
    cmocka_unit_test(test_grid_refusals),
    cmocka_unit_test(test_strand_refusals),
    cmocka_unit_test(test_box_refusals),
    cmocka_unit_test(test_memory_failures),
};
TIDE_TEST_SUITE(mesh_builders, tests)

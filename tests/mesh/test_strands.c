// Strands: roots, curls, random variation, and refused arguments.
#include "../geometry/shape_checks.h"

#include <limits.h>

static tide_mesh_strands_def with_defaults(void)
{
    tide_mesh_strands_def def = { 0 };
    tide_fields_default(tide_mesh_strands.fields, &def);
    return def;
}

static tide_mesh *make_strands(const tide_mesh_strands_def *def)
{
    return build_shape(&tide_mesh_strands, def);
}

#define POINTS(list)                                                                                                   \
    {                                                                                                                  \
        (list), (uint32_t)(sizeof(list) / (3 * sizeof(double)))                                                        \
    }

// Pairs `apart` in each strand, in order.
static void assert_pairs(const uint32_t *pairs, uint32_t count, uint32_t strands, uint32_t points, uint32_t separation)
{
    uint32_t n = 0;
    for (uint32_t s = 0; s < strands; s++)
        for (uint32_t i = 0; i + separation < points; i++, n++)
            assert_true(pairs[2 * n] == s * points + i && pairs[2 * n + 1] == s * points + i + separation);
    assert_int_equal(n, count);
}

// All edges of a strand are of one length, which the strand's is made of. Returns the strand's.
static double assert_even(const tide_mesh *mesh, uint32_t strand, uint32_t points)
{
    double edge = apart(mesh, strand * points, strand * points + 1);
    for (uint32_t i = 0; i + 1 < points; i++)
        assert_near(apart(mesh, strand * points + i, strand * points + i + 1), edge, 1e-12);
    return edge * (points - 1);
}

static void test_one_by_default(void **state)
{
    (void)state;
    tide_mesh_strands_def def = with_defaults();
    tide_mesh *mesh = make_strands(&def);
    assert_int_equal(mesh->vertex_count, 19);
    for (uint32_t i = 0; i < 19; i++) {
        assert_true(mesh->vertices[3 * i] == 0 && mesh->vertices[3 * i + 2] == 0);
        assert_near(mesh->vertices[3 * i + 1], 0.1 * i / 18, 1e-16);
    }
    assert_pairs(mesh->edges, mesh->edge_count, 1, 19, 1);
    assert_pairs(mesh->skips, mesh->skip_count, 1, 19, 2);
    assert_healthy(mesh);
    tide_mesh_release(mesh);
    def.points = 2;
    mesh = make_strands(&def);
    assert_true(mesh->edge_count == 1 && mesh->skip_count == 0 && mesh->vertices[4] == 0.1);
    tide_mesh_release(mesh);
}

static void test_given_roots(void **state)
{
    (void)state;
    const double roots[] = { 1, 2, 3, -1, 0, 4 }, normals[] = { 0, 0, -3, 1e-200, 1e-200, 0 }, one[] = { -1e200, 0, 0 };
    tide_mesh_strands_def def = with_defaults();
    def.points = 5;
    def.length = 2;
    def.roots = (tide_mesh_points)POINTS(roots);
    const double directions[3][6] = { { 0, 1, 0, 0, 1, 0 },
                                      { 0, 0, -1, sqrt(0.5), sqrt(0.5), 0 },
                                      { -1, 0, 0, -1, 0, 0 } };
    for (int trial = 0; trial < 3; trial++) {
        if (trial == 1)
            def.normals = (tide_mesh_points)POINTS(normals);
        if (trial == 2)
            def.normals = (tide_mesh_points)POINTS(one);
        tide_mesh *mesh = make_strands(&def);
        assert_int_equal(mesh->vertex_count, 10);
        for (uint32_t s = 0; s < 2; s++)
            for (uint32_t i = 0; i < 5; i++)
                for (uint32_t k = 0; k < 3; k++)
                    assert_near(mesh->vertices[3 * (5 * s + i) + k],
                                roots[3 * s + k] + 0.5 * i * directions[trial][3 * s + k], 1e-15);
        assert_pairs(mesh->edges, mesh->edge_count, 2, 5, 1);
        assert_pairs(mesh->skips, mesh->skip_count, 2, 5, 2);
        tide_mesh_release(mesh);
    }
}

static void test_curl(void **state)
{
    (void)state;
    const double roots[] = { 0.1, 0.2, 0.3, 0, 0, 0 }, normals[] = { 0, 1, 0, 3, -2, 1 };
    tide_mesh_strands_def def = with_defaults();
    def.points = 31;
    def.length = 0.5;
    def.curl = 0.015;
    def.roots = (tide_mesh_points)POINTS(roots);
    def.normals = (tide_mesh_points)POINTS(normals);
    for (int turns = -5; turns <= 4; turns += 3) {
        def.turns = turns;
        tide_mesh *mesh = make_strands(&def);
        for (uint32_t s = 0; s < 2; s++) {
            assert_near(assert_even(mesh, s, 31), 0.5, 1e-14);
            tide_vec3 root = tide_vec3_load(roots + 3 * s);
            tide_vec3 axis = tide_vec3_normalize(tide_vec3_load(normals + 3 * s)), before = { 0 };
            double height = 0, turned = 0;
            for (uint32_t i = 0; i < 31; i++) {
                tide_vec3 p = tide_vec3_subtract(vertex_at(mesh, s * 31 + i), root);
                double along = tide_vec3_dot(p, axis);
                tide_vec3 across = tide_vec3_subtract(p, tide_vec3_scale(axis, along));
                assert_near(tide_vec3_length(across), 0.015 * i / 30, 1e-15);
                assert_true(i == 0 || along > height);
                height = along;
                if (i > 1) // counter-clockwise about the axis
                    turned +=
                        atan2(tide_vec3_dot(axis, tide_vec3_cross(before, across)), tide_vec3_dot(before, across));
                before = across;
            }
            assert_near(turned, 2 * pi * turns * 29 / 30, 1e-10);
            assert_true(height < 0.5);
        }
        tide_mesh_release(mesh);
    }
}

// The tightest helix that so many points can represent, and a slightly tighter one.
static void test_curl_that_does_not_fit(void **state)
{
    (void)state;
    tide_mesh_strands_def def = with_defaults();
    def.curl = 0.02;
    def.length = 0.2;
    def.turns = 9;
    // At half a turn a step, the last step leads from 17/18 of the radius to the other side.
    double least = 18 * 0.02 * (17.0 / 18 + 1);
    def.length = least * 1.001;
    tide_mesh *mesh = make_strands(&def);
    assert_near(assert_even(mesh, 0, 19), least * 1.001, 1e-14);
    tide_mesh_release(mesh);
    def.length = 0.7;
    assert_shape_refused(
        &tide_mesh_strands, &def,
        "mesh strands: length = 0.7: with this curl, 19 points and 9 turns it must be more than 0.7 m");
    def.length = 0.1;
    assert_shape_refused(&tide_mesh_strands, &def, "mesh strands: length = 0.1: with this curl");
    def.turns = -9.5;
    assert_shape_refused(&tide_mesh_strands, &def,
                         "mesh strands: turns = -9.5: 19 points are too few to show them; expected 9 at most");
    def.turns = 0; // leans
    mesh = make_strands(&def);
    assert_near(mesh->vertices[3 * 18], 0.02, 1e-15);
    assert_near(mesh->vertices[3 * 18 + 1], sqrt(0.01 - 0.0004), 1e-15);
    tide_mesh_release(mesh);
}

static void test_jitter(void **state)
{
    (void)state;
    enum { N = 500, POINTS_EACH = 7 };
    static double roots[3 * N];
    for (int i = 0; i < 3 * N; i++)
        roots[i] = i;
    tide_mesh_strands_def def = with_defaults();
    def.points = POINTS_EACH;
    def.length = 1;
    def.curl = 0.05;
    def.turns = 1;
    def.jitter = 0.3;
    def.seed = 11;
    def.roots = (tide_mesh_points)POINTS(roots);
    tide_mesh *mesh = make_strands(&def), *again = make_strands(&def);
    assert_same_mesh(mesh, again);
    tide_mesh_release(again);
    def.seed = 12;
    again = make_strands(&def);
    assert_true(again->hash != mesh->hash);
    tide_mesh_release(again);
    double shortest = INFINITY, longest = 0, sum = 0;
    for (uint32_t s = 0; s < N; s++) {
        assert_memory_equal(mesh->vertices + 3 * POINTS_EACH * s, roots + 3 * s, 24);
        double length = assert_even(mesh, s, POINTS_EACH);
        shortest = fmin(shortest, length);
        longest = fmax(longest, length);
        sum += length / N;
    }
    assert_true(shortest >= 0.7 && shortest < 0.71 && longest <= 1.3 && longest > 1.29);
    assert_near(sum, 1, 0.03);
    tide_mesh_release(mesh);
    // Directions of straight ones: within a disc around the normal, all of it.
    def.curl = 0;
    mesh = make_strands(&def);
    double steepest = 0, mean = 0, x = 0, z = 0;
    for (uint32_t s = 0; s < N; s++) {
        tide_vec3 along = tide_vec3_subtract(vertex_at(mesh, s * POINTS_EACH + 1), vertex_at(mesh, s * POINTS_EACH));
        double tangent = hypot(along.x, along.z) / along.y;
        steepest = fmax(steepest, tangent);
        mean += tangent / N;
        x += along.x / along.y / N;
        z += along.z / along.y / N;
    }
    assert_true(steepest <= 0.3 + 1e-12 && steepest > 0.295);
    assert_near(mean, 0.2, 0.01); // 2/3 of a disc's radius
    assert_near(hypot(x, z), 0, 0.02);
    tide_mesh_release(mesh);
}

// The curls start within jitter * half a turn to either side.
static void test_jitter_of_curls(void **state)
{
    (void)state;
    enum { N = 200 };
    static double roots[3 * N];
    tide_mesh_strands_def def = with_defaults();
    def.points = 3;
    def.length = 1;
    def.curl = 0.1;
    def.turns = 0;
    def.jitter = 0.01;
    def.roots = (tide_mesh_points)POINTS(roots);
    tide_mesh *mesh = make_strands(&def);
    double largest = 0;
    for (uint32_t s = 0; s < N; s++) {
        // Tilting adds at most 0.01 * 1 across.
        tide_vec3 tip = vertex_at(mesh, 3 * s + 2);
        largest = fmax(largest, fabs(atan2(-tip.z, tip.x)));
    }
    assert_true(largest < 0.01 * pi + 0.12 && largest > 0.05);
    tide_mesh_release(mesh);
    def.jitter = 0.9;
    mesh = make_strands(&def);
    int quadrants[4] = { 0 };
    for (uint32_t s = 0; s < N; s++) {
        tide_vec3 tip = vertex_at(mesh, 3 * s + 2);
        quadrants[(tip.x > 0) + 2 * (tip.z > 0)]++;
    }
    for (int k = 0; k < 4; k++)
        assert_true(quadrants[k] > N / 8);
    tide_mesh_release(mesh);
}

// Rounding of normals does not turn curls, whichever way they face.
static void test_curls_of_like_normals(void **state)
{
    (void)state;
    static const double roots[12];
    double normals[12];
    tide_mesh_strands_def def = with_defaults();
    def.curl = 0.003;
    def.turns = 1.3;
    def.roots = (tide_mesh_points)POINTS(roots);
    def.normals = (tide_mesh_points)POINTS(normals);
    for (int facing = 0; facing < 26; facing++) {
        int code = facing < 13 ? facing : facing + 1; // not 0, 0, 0
        double direction[3] = { code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1 };
        for (int i = 0; i < 12; i++)
            normals[i] = direction[i % 3] + 1e-12 * ((i / 3 & 1 << i % 3) ? 1 : -1);
        tide_mesh *mesh = make_strands(&def);
        for (uint32_t i = 0; i < 19; i++)
            for (uint32_t s = 1; s < 4; s++)
                assert_true(apart(mesh, i, s * 19 + i) < 1e-11);
        tide_mesh_release(mesh);
    }
}

// The normal of a box's corner is its diagonal, however its sides are cut; vertices within have no strand.
static void test_on_vertices(void **state)
{
    (void)state;
    tide_mesh *box = make_box(2, 4, 6, 2, 4, 6);
    tide_mesh_strands_def def = with_defaults();
    def.points = 3;
    def.length = 1;
    def.on = box;
    tide_mesh *mesh = make_strands(&def);
    assert_int_equal(mesh->vertex_count, 3 * (3 * 5 * 7 - 1 * 3 * 5));
    uint32_t strand = 0;
    for (uint32_t i = 0; i < box->vertex_count; i++) {
        tide_vec3 p = vertex_at(box, i);
        tide_vec3 normal = { (p.x == 1) - (p.x == -1), (p.y == 2) - (p.y == -2), (p.z == 3) - (p.z == -3) };
        if (tide_vec3_length(normal) == 0)
            continue;
        assert_near(apart(mesh, 3 * strand, 3 * strand), 0, 0);
        tide_vec3 root = vertex_at(mesh, 3 * strand), tip = vertex_at(mesh, 3 * strand + 2);
        assert_near(tide_vec3_length(tide_vec3_subtract(root, p)), 0, 0);
        tide_vec3 expected = tide_vec3_add(p, tide_vec3_normalize(normal));
        assert_near(tide_vec3_length(tide_vec3_subtract(tip, expected)), 0, 1e-14);
        strand++;
    }
    assert_int_equal(3 * strand, mesh->vertex_count);
    assert_pairs(mesh->edges, mesh->edge_count, strand, 3, 1);
    tide_mesh_release(mesh);
    tide_mesh_release(box);
}

static void test_spread_evenly(void **state)
{
    (void)state;
    // A cloth of two pieces with large and small triangles.
    tide_mesh *grid = make_grid(9, 3, 2, 1, TIDE_DIAGONALS_FORWARD), *small = NULL;
    tide_error error;
    tide_mesh_parts parts = tide_mesh_view(grid);
    double *moved = tide_copy_bytes(grid->vertices, 24 * (size_t)grid->vertex_count);
    for (uint32_t i = 0; i < grid->vertex_count; i++)
        moved[3 * i] = 2 * pow(moved[3 * i] / 2, 3);
    parts.vertices = moved;
    assert_ok(tide_mesh_create(&parts, &small, &error), error);
    tide_free(moved);
    enum { N = 3200 };
    tide_mesh_strands_def def = with_defaults();
    def.points = 2;
    def.on = small;
    def.count = N;
    tide_mesh *mesh = make_strands(&def);
    assert_int_equal(mesh->vertex_count, 2 * N);
    int counts[8][4] = { 0 };
    double nearest = INFINITY;
    for (uint32_t i = 0; i < N; i++) {
        tide_vec3 p = vertex_at(mesh, 2 * i), tip = vertex_at(mesh, 2 * i + 1);
        assert_true(p.x >= 0 && p.x <= 2 && p.z >= 0 && p.z <= 1 && fabs(p.y) < 1e-15);
        assert_near(tide_vec3_length(tide_vec3_subtract(tip, (tide_vec3) { p.x, 0.1, p.z })), 0, 1e-14);
        counts[(int)fmin(p.x * 4, 7)][(int)fmin(p.z * 4, 3)]++;
        for (uint32_t j = 0; j < i; j++)
            nearest = fmin(nearest, apart(mesh, 2 * i, 2 * j));
    }
    // 100 in each square on average. Of independent points, the deviation would be about 10.
    double square = 0;
    for (int i = 0; i < 32; i++)
        square += (counts[i / 4][i % 4] - 100) * (counts[i / 4][i % 4] - 100) / 32.0;
    assert_true(sqrt(square) < 6);
    // No points of this number can all be further from one another than in a triangular lattice.
    double lattice = sqrt(2 * 2.0 / (sqrt(3) * N));
    assert_true(nearest > 0.6 * lattice && nearest < lattice);
    tide_mesh_release(mesh);
    tide_mesh_release(grid);
    tide_mesh_release(small);
}

static void test_spread_on_a_ball(void **state)
{
    (void)state;
    const tide_mesh_sphere_def ball = { 0.5, 4 };
    tide_mesh *sphere = build_shape(&tide_mesh_sphere, &ball);
    tide_mesh_strands_def def = with_defaults();
    def.on = sphere;
    def.count = 1000;
    def.seed = 3;
    tide_mesh *mesh = make_strands(&def), *again = make_strands(&def);
    assert_same_mesh(mesh, again);
    tide_mesh_release(again);
    def.seed = 4;
    again = make_strands(&def);
    assert_true(mesh->hash != again->hash);
    tide_mesh_release(again);
    tide_vec3 mean = { 0 };
    for (uint32_t s = 0; s < 1000; s++) {
        tide_vec3 root = vertex_at(mesh, 19 * s), tip = vertex_at(mesh, 19 * s + 18);
        assert_near(tide_vec3_length(root), 0.5, 0.001);
        tide_vec3 along = tide_vec3_scale(tide_vec3_subtract(tip, root), 10);
        assert_near(tide_vec3_dot(along, tide_vec3_normalize(root)), 1, 1e-4);
        mean = tide_vec3_add(mean, tide_vec3_scale(root, 0.001));
    }
    assert_near(tide_vec3_length(mean), 0, 0.01);
    tide_mesh_release(mesh);
    tide_mesh_release(sphere);
}

// Both sides of a sheet of no thickness take as many, and as evenly, as either would alone.
static void test_spread_on_both_sides(void **state)
{
    (void)state;
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1 };
    const uint32_t triangles[] = { 0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6 };
    tide_mesh *sheet = make_mesh(PARTS(vertices, .triangles = triangles, .triangle_count = 4));
    tide_mesh_strands_def def = with_defaults();
    def.on = sheet;
    def.count = 400;
    def.points = 2;
    tide_mesh *mesh = make_strands(&def);
    double nearest = INFINITY;
    uint32_t up = 0;
    for (uint32_t i = 0; i < 400; i++) {
        bool above = mesh->vertices[3 * (2 * i + 1) + 1] > 0;
        up += above;
        for (uint32_t j = 0; j < i; j++)
            if ((mesh->vertices[3 * (2 * j + 1) + 1] > 0) == above)
                nearest = fmin(nearest, apart(mesh, 2 * i, 2 * j));
    }
    assert_true(up > 190 && up < 210);
    assert_true(nearest > 0.6 * sqrt(2 * 2.0 / (sqrt(3) * 400)));
    tide_mesh_release(mesh);
    tide_mesh_release(sheet);
}

static void test_refusals(void **state)
{
    (void)state;
    tide_mesh *grid = make_grid(3, 3, 1, 1, 0), *line = make_strand(4);
    const double roots[] = { 0, 0, 0, 1, 1, 1 }, odd[] = { 0, 0, 0, 1, NAN, 1 }, flat[] = { 1, 0, 0, 0, 0, -0.0 };
    const tide_mesh_points none = { roots, 0 }, three = { NULL, 0 };
    const tide_mesh_strands_def good = with_defaults();
    const tide_mesh_builder *builder = &tide_mesh_strands;
    tide_mesh_strands_def def = good;
    def.points = 1;
    assert_shape_refused(builder, &def, "mesh strands: points = 1: expected an integer from 2 to");
    def = good;
    def.length = 0;
    assert_shape_refused(builder, &def, "mesh strands: length = 0: expected a number greater than 0 m");
    def = good;
    def.curl = -0.1;
    assert_shape_refused(builder, &def, "mesh strands: curl = -0.1: expected a number");
    def = good;
    def.jitter = 1;
    assert_shape_refused(builder, &def, "mesh strands: jitter = 1: expected a number from 0 to 0.9");
    def = good;
    def.turns = NAN;
    assert_shape_refused(builder, &def, "mesh strands: turns = nan: expected a finite number");
    def = good;
    def.seed = -1;
    assert_shape_refused(builder, &def, "mesh strands: seed = -1: expected an integer");
    def = good;
    def.on = grid;
    def.roots = (tide_mesh_points)POINTS(roots);
    assert_shape_refused(builder, &def, "mesh strands: roots: give either on or roots, not both");
    def.roots = three;
    def.normals = (tide_mesh_points)POINTS(roots);
    assert_shape_refused(builder, &def, "mesh strands: normals: are those of roots; expected roots as well instead of");
    def.on = NULL;
    assert_shape_refused(builder, &def, "mesh strands: normals: are those of roots; expected roots as well");
    def = good;
    def.count = 5;
    assert_shape_refused(builder, &def,
                         "mesh strands: count = 5: is how many to spread over a mesh; expected a mesh in on");
    def = good;
    def.roots = none;
    assert_shape_refused(builder, &def, "mesh strands: roots: the list is empty; expected a point");
    def.roots = (tide_mesh_points)POINTS(odd);
    assert_shape_refused(builder, &def, "mesh strands: roots[2] = {1, nan, 1}: expected finite numbers");
    def.roots = (tide_mesh_points)POINTS(roots);
    def.normals = (tide_mesh_points)POINTS(odd);
    assert_shape_refused(builder, &def, "mesh strands: normals[1] = {0, 0, 0}: expected finite numbers that are not");
    def.normals = (tide_mesh_points)POINTS(flat);
    assert_shape_refused(builder, &def, "mesh strands: normals[2] = {0, 0, -0}: expected finite numbers that are not");
    def.roots = (tide_mesh_points) { roots, 1 };
    assert_shape_refused(builder, &def,
                         "mesh strands: normals: expected one direction for all or one for each of the 1 roots, got 2");
    def = good;
    def.on = line;
    assert_shape_refused(builder, &def, "mesh strands: on: the mesh has no triangles to root strands on; give roots");
    def.on = grid;
    def.points = 100000000;
    assert_shape_refused(builder, &def,
                         "mesh strands: points = 100000000: with 9 strands this makes 900000000 vertices; expected at "
                         "most 100000000");
    tide_mesh_release(grid);
    tide_mesh_release(line);
}

static void test_surfaces_without_a_side(void **state)
{
    (void)state;
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 0, 0, 9, 9, 9 };
    const uint32_t both[] = { 0, 1, 2, 0, 2, 1 }, flat[] = { 0, 1, 3 };
    tide_mesh *folded = make_mesh(PARTS(vertices, .triangles = both, .triangle_count = 2));
    tide_mesh *line = make_mesh(PARTS(vertices, .triangles = flat, .triangle_count = 1));
    tide_mesh_strands_def def = with_defaults();
    def.on = folded;
    assert_shape_refused(&tide_mesh_strands, &def,
                         "mesh strands: on: the triangles at vertex 1 of the mesh have no area or face against");
    def.count = 40; // then from the triangles themselves
    tide_mesh *mesh = make_strands(&def);
    assert_int_equal(mesh->vertex_count, 40 * 19);
    tide_mesh_release(mesh);
    def.on = line;
    assert_shape_refused(&tide_mesh_strands, &def,
                         "mesh strands: on: the triangles of the mesh have an area of 0 m^2; give a surface");
    tide_mesh_release(folded);
    tide_mesh_release(line);
}

// Far from the origin, and so small that its numbers there are few.
static void test_spread_where_numbers_are_coarse(void **state)
{
    (void)state;
    tide_mesh *grid = make_grid(2, 2, 1, 1, 0), *far = NULL;
    tide_error error;
    assert_ok(tide_mesh_translate(grid, (const double[3]) { 1e12, 0, -1e12 }, &far, &error), error);
    tide_mesh_strands_def def = with_defaults();
    def.on = far;
    def.count = 1000;
    tide_mesh *mesh = make_strands(&def);
    assert_int_equal(mesh->vertex_count, 19000);
    tide_mesh_release(mesh);
    tide_mesh_release(grid);
    tide_mesh_release(far);
}

static void test_memory_failures(void **state)
{
    (void)state;
    tide_mesh *grid = make_grid(3, 3, 1, 1, 0), *mesh;
    const double roots[] = { 0, 0, 0, 1, 1, 1 };
    tide_mesh_strands_def def = with_defaults();
    tide_error error;
    def.points = 3;
    def.on = grid;
    assert_survives_failures(tide_mesh_strands.build(&def, &mesh, &error), tide_mesh_release(mesh), 10);
    def.count = 7;
    assert_survives_failures(tide_mesh_strands.build(&def, &mesh, &error), tide_mesh_release(mesh), 13);
    def.count = 0;
    def.on = NULL;
    def.roots = (tide_mesh_points)POINTS(roots);
    assert_survives_failures(tide_mesh_strands.build(&def, &mesh, &error), tide_mesh_release(mesh), 8);
    tide_mesh_release(grid);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_one_by_default),
    cmocka_unit_test(test_given_roots),
    cmocka_unit_test(test_curl),
    cmocka_unit_test(test_curl_that_does_not_fit),
    cmocka_unit_test(test_jitter),
    cmocka_unit_test(test_jitter_of_curls),
    cmocka_unit_test(test_curls_of_like_normals),
    cmocka_unit_test(test_on_vertices),
    cmocka_unit_test(test_spread_evenly),
    cmocka_unit_test(test_spread_on_a_ball),
    cmocka_unit_test(test_spread_on_both_sides),
    cmocka_unit_test(test_refusals),
    cmocka_unit_test(test_surfaces_without_a_side),
    cmocka_unit_test(test_spread_where_numbers_are_coarse),
    cmocka_unit_test(test_memory_failures),
};
TIDE_TEST_SUITE(mesh_strands, tests)

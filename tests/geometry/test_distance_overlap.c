// The signed distance of surfaces that overlap: against the exact distance of unions of balls and of boxes, and against
// winding numbers by a loop over all triangles.
#include "distance_tests.h"
#include "geometry/winding.h"

#include <stdlib.h>

static const tide_distance *make_distance(const tide_mesh *mesh)
{
    const tide_distance *distance = NULL;
    tide_error error;
    assert_ok(tide_distance_mesh(mesh, &distance, &error), error);
    return distance;
}

static tide_mesh *make_ball(int subdivisions)
{
    const tide_mesh_sphere_def def = { 1, subdivisions };
    tide_mesh *mesh = NULL;
    tide_error error;
    assert_ok(tide_mesh_sphere.build(&def, &mesh, &error), error);
    return mesh;
}

// Surfaces side by side in one mesh.
typedef struct pile {
    double vertices[120000];
    uint32_t triangles[240000];
    uint32_t vertex_count, triangle_count;
} pile;

static void add(pile *p, const tide_mesh *mesh, double x, double y, double z, bool turned)
{
    const double by[3] = { x, y, z };
    for (uint32_t t = 0; t < mesh->triangle_count; t++, p->triangle_count++)
        for (uint32_t k = 0; k < 3; k++)
            p->triangles[3 * p->triangle_count + k] =
                p->vertex_count + mesh->triangles[3 * t + (turned ? (3 - k) % 3 : k)];
    for (uint32_t i = 0; i < 3 * mesh->vertex_count; i++)
        p->vertices[3 * p->vertex_count + i] = mesh->vertices[i] + by[i % 3];
    p->vertex_count += mesh->vertex_count;
}

static tide_mesh *mesh_of(const pile *p)
{
    return make_mesh((tide_mesh_parts) { .vertices = p->vertices,
                                         .vertex_count = p->vertex_count,
                                         .triangles = p->triangles,
                                         .triangle_count = p->triangle_count });
}

// The distance to two unit balls, the second at (apart, 0, 0), as one solid: its boundary is each sphere outside the
// other ball, and the circle where they meet.
static double two_balls(const double p[3], double centres_apart)
{
    double best = INFINITY, inside = 0, half = 0.5 * centres_apart, rim = sqrt(1 - half * half);
    double around = hypot(p[1], p[2]);
    for (int k = 0; k < 2; k++) {
        double centre = k == 0 ? 0 : centres_apart, x = p[0] - centre, length = hypot(x, around);
        inside = inside || length < 1;
        double nearest = centre + x / length; // of this sphere
        if (k == 0 ? nearest <= half : nearest >= half)
            best = fmin(best, fabs(length - 1));
    }
    best = fmin(best, hypot(p[0] - half, around - rim));
    return inside ? -best : best;
}

static void test_two_balls(void **state)
{
    (void)state;
    pile *p = tide_allocate_zeroed(1, sizeof *p);
    double errors[2];
    for (int level = 0; level < 2; level++) {
        tide_mesh *ball = make_ball(3 + level);
        p->vertex_count = p->triangle_count = 0;
        add(p, ball, 0, 0, 0, false);
        add(p, ball, 0.5, 0, 0, false);
        tide_mesh *both = mesh_of(p);
        const tide_distance *distance = make_distance(both);
        const double at[3] = { -0.7, 0, 0 }, middle[3] = { 0.25, 0, 0 };
        assert_near(tide_distance_at(distance, at, NULL), -0.3, 0.01);
        assert_near(tide_distance_at(distance, middle, NULL), -sqrt(1 - 0.0625), 0.01);
        tide_random random = tide_random_seed(3);
        errors[level] = 0;
        for (int i = 0; i < 4000; i++) {
            const double lower[3] = { -1.5, -1.5, -1.5 }, upper[3] = { 2, 1.5, 1.5 };
            double q[3];
            random_point(&random, lower, upper, q);
            errors[level] = fmax(errors[level], fabs(tide_distance_at(distance, q, NULL) - two_balls(q, 0.5)));
        }
        tide_distance_release(distance);
        tide_mesh_release(both);
        tide_mesh_release(ball);
    }
    assert_true(errors[1] < 0.004);
    assert_near(log2(errors[0] / errors[1]), 2, 0.6); // that of the facets
    tide_free(p);
}

// --- boxes: space is cut into cells by the planes of all their sides

enum { BOXES = 3 };

typedef struct boxes {
    double lower[BOXES][3], upper[BOXES][3];
    double turn[3][3]; // rows of a rotation
} boxes;

static double to_cell(const double p[3], const double lower[3], const double upper[3])
{
    double squared = 0;
    for (int k = 0; k < 3; k++) {
        double d = fmax(0, fmax(lower[k] - p[k], p[k] - upper[k]));
        squared += d * d;
    }
    return sqrt(squared);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The exact distance: outside, that to the nearest box; inside, that to the nearest cell that is in none.
static double exact_boxes(const boxes *b, const double p[3])
{
    double planes[3][2 * BOXES + 2], outside = INFINITY, inside = INFINITY;
    for (int i = 0; i < BOXES; i++)
        outside = fmin(outside, to_cell(p, b->lower[i], b->upper[i]));
    for (int k = 0; k < 3; k++) {
        planes[k][0] = -100;
        planes[k][1] = 100;
        for (int i = 0; i < BOXES; i++) {
            planes[k][2 + 2 * i] = b->lower[i][k];
            planes[k][3 + 2 * i] = b->upper[i][k];
        }
        qsort(planes[k], 2 * BOXES + 2, sizeof(double), compare);
    }
    enum { CELLS = 2 * BOXES + 1 };
    for (int c = 0; c < CELLS * CELLS * CELLS; c++) {
        const int index[3] = { c % CELLS, c / CELLS % CELLS, c / CELLS / CELLS };
        double lower[3], upper[3], centre[3];
        bool taken = false, empty = false;
        for (int k = 0; k < 3; k++) {
            lower[k] = planes[k][index[k]];
            upper[k] = planes[k][index[k] + 1];
            centre[k] = 0.5 * (lower[k] + upper[k]);
            empty = empty || lower[k] == upper[k];
        }
        for (int i = 0; i < BOXES; i++)
            taken = taken || to_cell(centre, b->lower[i], b->upper[i]) == 0;
        if (!taken && !empty)
            inside = fmin(inside, to_cell(p, lower, upper));
    }
    return outside > 0 ? outside : -inside;
}

static void rotate(const boxes *b, const double p[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = b->turn[k][0] * p[0] + b->turn[k][1] * p[1] + b->turn[k][2] * p[2];
}

static void set_turn(boxes *b, double angle)
{
    double c = cos(angle), s = sin(angle);
    const double turn[3][3] = { { c * c, -s, c * s }, { s * c, c, s * s }, { -s, 0, c } };
    memcpy(b->turn, turn, sizeof turn);
}

static void assert_union_of_boxes(const boxes *b, bool inward, int cells)
{
    static pile p;
    p.vertex_count = p.triangle_count = 0;
    for (int i = 0; i < BOXES; i++) {
        const double *l = b->lower[i], *u = b->upper[i];
        tide_mesh *box = make_box(u[0] - l[0], u[1] - l[1], u[2] - l[2], cells, cells, cells);
        add(&p, box, 0.5 * (l[0] + u[0]), 0.5 * (l[1] + u[1]), 0.5 * (l[2] + u[2]), inward);
        tide_mesh_release(box);
    }
    for (uint32_t v = 0; v < p.vertex_count; v++) {
        const double at[3] = { p.vertices[3 * v], p.vertices[3 * v + 1], p.vertices[3 * v + 2] };
        rotate(b, at, p.vertices + 3 * v);
    }
    tide_mesh *mesh = mesh_of(&p);
    const tide_distance *distance = make_distance(mesh);
    tide_random random = tide_random_seed(5);
    const double lower[3] = { -1, -1, -1 }, upper[3] = { 3, 3, 3 };
    for (int i = 0; i < 400; i++) {
        double q[3], turned[3];
        random_point(&random, lower, upper, q);
        rotate(b, q, turned);
        assert_near(tide_distance_at(distance, turned, NULL), exact_boxes(b, q), 1e-8);
    }
    tide_distance_release(distance);
    tide_mesh_release(mesh);
}

// Corners on a coarse lattice: many sides lie in one plane, many boxes only touch, and some are within others.
static void test_boxes(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(17);
    for (int round = 0; round < 60; round++) {
        boxes b;
        bool on_lattice = round % 2 == 0;
        for (int i = 0; i < BOXES; i++)
            for (int k = 0; k < 3; k++) {
                double from = 2 * tide_random_uniform(&random), size = 0.2 + tide_random_uniform(&random);
                b.lower[i][k] = on_lattice ? floor(3 * from) / 3 : from;
                b.upper[i][k] = b.lower[i][k] + (on_lattice ? ceil(3 * size) / 3 : size);
            }
        set_turn(&b, round % 3 == 0 ? 0 : 0.1 * round);
        assert_union_of_boxes(&b, round % 5 == 0, 1 + round % 3);
    }
}

// Two halves with a wall between them, each side of which belongs to another half, are one box.
static void test_wall_between(void **state)
{
    (void)state;
    pile *p = tide_allocate_zeroed(1, sizeof *p);
    tide_mesh *box = make_box(1, 1, 1, 2, 3, 4);
    add(p, box, -0.5, 0, 0, false);
    add(p, box, 0.5, 0, 0, false);
    tide_mesh *mesh = mesh_of(p);
    const tide_distance *distance = make_distance(mesh), *exact = NULL;
    const double size[3] = { 2, 1, 1 }, lower[3] = { -1.5, -1, -1 }, upper[3] = { 1.5, 1, 1 };
    tide_error error;
    assert_ok(tide_distance_box(size, 0, &exact, &error), error);
    tide_random random = tide_random_seed(2);
    for (int i = 0; i < 2000; i++) {
        double q[3];
        random_point(&random, lower, upper, q);
        q[0] = i % 3 == 0 ? 0 : q[0];
        assert_near(tide_distance_at(distance, q, NULL), tide_distance_at(exact, q, NULL), 1e-12);
    }
    tide_distance_release(exact);
    tide_distance_release(distance);
    tide_mesh_release(mesh);
    tide_mesh_release(box);
    tide_free(p);
}

// A piece within another that faces outward, too, is no hollow; one that faces inward is.
static void test_within(void **state)
{
    (void)state;
    pile *p = tide_allocate_zeroed(1, sizeof *p);
    tide_mesh *outer = make_box(2, 2, 2, 1, 1, 1), *inner = make_box(1, 1, 1, 2, 2, 2);
    const double origin[3] = { 0 }, between[3] = { 0.6, 0, 0 };
    for (int hollow = 0; hollow < 2; hollow++) {
        p->vertex_count = p->triangle_count = 0;
        add(p, outer, 0, 0, 0, false);
        add(p, inner, 0, 0, 0, hollow);
        tide_mesh *mesh = mesh_of(p);
        const tide_distance *distance = make_distance(mesh);
        assert_near(tide_distance_at(distance, origin, NULL), hollow ? 0.5 : -1, 1e-15);
        assert_near(tide_distance_at(distance, between, NULL), hollow ? -0.1 : -0.4, 1e-15);
        tide_distance_release(distance);
        tide_mesh_release(mesh);
    }
    tide_mesh_release(outer);
    tide_mesh_release(inner);
    tide_free(p);
}

// --- winding numbers

static double exact_winding(const tide_mesh *mesh, const double p[3])
{
    double sum = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        tide_vec3 s[3];
        for (uint32_t k = 0; k < 3; k++)
            s[k] =
                tide_vec3_subtract(tide_vec3_load(mesh->vertices + 3 * mesh->triangles[3 * t + k]), tide_vec3_load(p));
        double a = tide_vec3_length(s[0]), b = tide_vec3_length(s[1]), c = tide_vec3_length(s[2]);
        sum += 2 * atan2(tide_vec3_dot(s[0], tide_vec3_cross(s[1], s[2])), a * b * c + tide_vec3_dot(s[0], s[1]) * c +
                                                                               tide_vec3_dot(s[1], s[2]) * a +
                                                                               tide_vec3_dot(s[2], s[0]) * b);
    }
    return sum / (4 * PI);
}

// One closed tube along three turns of a coil that is narrower than the tube: it passes through itself.
static tide_mesh *make_coil(void)
{
    enum { ALONG = 90, AROUND = 12 };
    static pile p;
    p.vertex_count = p.triangle_count = 0;
    for (int i = 0; i < ALONG; i++) {
        double angle = 6 * PI * i / (ALONG - 1), height = 1.2 * i / (ALONG - 1);
        for (int k = 0; k < AROUND; k++, p.vertex_count++) {
            double turn = 2 * PI * k / AROUND, radius = 1 + 0.35 * cos(turn);
            const double at[3] = { radius * cos(angle), height + 0.35 * sin(turn), -radius * sin(angle) };
            memcpy(p.vertices + 3 * p.vertex_count, at, sizeof at);
        }
    }
    for (int end = 0; end < 2; end++, p.vertex_count++) {
        double angle = end ? 6 * PI : 0;
        const double at[3] = { cos(angle), end ? 1.2 : 0, -sin(angle) };
        memcpy(p.vertices + 3 * p.vertex_count, at, sizeof at);
    }
    for (uint32_t k = 0; k < AROUND; k++) {
        uint32_t next = (k + 1) % AROUND, last = (ALONG - 1) * AROUND;
        const uint32_t caps[6] = { ALONG * AROUND, k, next, ALONG * AROUND + 1, last + next, last + k };
        memcpy(p.triangles + 3 * p.triangle_count, caps, sizeof caps);
        p.triangle_count += 2;
        for (uint32_t i = 0; i + 1 < ALONG; i++, p.triangle_count += 2) {
            uint32_t a = i * AROUND + k, b = i * AROUND + next;
            const uint32_t sides[6] = { a, a + AROUND, b, b, a + AROUND, b + AROUND };
            memcpy(p.triangles + 3 * p.triangle_count, sides, sizeof sides);
        }
    }
    return mesh_of(&p);
}

static void test_surface_through_itself(void **state)
{
    (void)state;
    tide_mesh *coil = make_coil();
    const tide_distance *distance = make_distance(coil);
    const double lower[3] = { -1.6, -0.6, -1.6 }, upper[3] = { 1.6, 1.8, 1.6 };
    assert_is_distance(distance, lower, upper, true);
    tide_random random = tide_random_seed(8);
    double facing = enclosed_volume(coil) < 0 ? -1 : 1;
    int twice = 0;
    for (int i = 0; i < 3000; i++) {
        double p[3];
        random_point(&random, lower, upper, p);
        double winding = facing * exact_winding(coil, p), value = tide_distance_at(distance, p, NULL);
        assert_true((winding > 0.5) == (value < 0) || fabs(value) < 1e-9);
        twice += winding > 1.5;
    }
    assert_true(twice > 50);
    tide_distance_release(distance);
    tide_mesh_release(coil);
}

// Signs near corners and edges agree with winding numbers: where surfaces cut one another, where they are whole, and
// where two tetrahedra share a corner but no edge.
static void test_signs_near_corners_and_edges(void **state)
{
    (void)state;
    static pile p;
    p.vertex_count = p.triangle_count = 0;
    tide_mesh *ball = make_ball(2);
    add(&p, ball, 0, 0, 0, false);
    add(&p, ball, 1.1, 0.1, 0, false);
    const double at[7][3] = { { 5, 0, 0 },   { 6, 0.2, 0 },     { 6, -0.2, 0.3 }, { 6, -0.2, -0.3 },
                              { 4, 0.1, 0 }, { 4, -0.1, -0.3 }, { 4, -0.1, 0.3 } };
    uint32_t first = p.vertex_count, *corners = p.triangles + 3 * p.triangle_count;
    memcpy(p.vertices + 3 * first, at, sizeof at);
    p.vertex_count += 7;
    const uint32_t faces[12] = { 0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3 };
    for (uint32_t k = 0; k < 24; k++) {
        uint32_t corner = faces[k % 12];
        corners[k] = first + (corner > 0 && k >= 12 ? corner + 3 : corner);
    }
    p.triangle_count += 8;
    tide_mesh *mesh = mesh_of(&p);
    const tide_distance *distance = make_distance(mesh);
    tide_random random = tide_random_seed(12);
    double facing = enclosed_volume(mesh) < 0 ? -1 : 1;
    int counts[2] = { 0 };
    for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++)
        for (int n = 0; n < 8; n++) {
            const double size = pow(10, -3.0 + n % 4), low[3] = { -size, -size, -size }, high[3] = { size, size, size };
            const double *a = mesh->vertices + 3 * mesh->triangles[i],
                         *b = mesh->vertices + 3 * mesh->triangles[i % 3 < 2 ? i + 1 : i - 2];
            double by[3], place[3];
            random_point(&random, low, high, by);
            for (int k = 0; k < 3; k++)
                place[k] = (n < 4 ? a[k] : 0.5 * (a[k] + b[k])) + 0.3 * by[k];
            double value = tide_distance_at(distance, place, NULL);
            bool inside = facing * exact_winding(mesh, place) > 0.5;
            assert_true(inside == (value < 0) || fabs(value) < 1e-9);
            counts[inside]++;
        }
    assert_true(counts[0] > 1000 && counts[1] > 1000);
    tide_distance_release(distance);
    tide_mesh_release(mesh);
    tide_mesh_release(ball);
}

// The winding number of a surface with a hole is not an integer; the hierarchy approximates the sum over all triangles.
static void test_winding_of_open_surfaces(void **state)
{
    (void)state;
    tide_mesh *ball = make_ball(4), *sheet = make_grid(20, 20, 1, 1, TIDE_DIAGONALS_ALTERNATING);
    tide_mesh *surfaces[2] = { ball, sheet };
    for (int i = 0; i < 2; i++) {
        tide_mesh_parts parts = { .vertices = surfaces[i]->vertices, .vertex_count = surfaces[i]->vertex_count };
        parts.triangles = surfaces[i]->triangles;
        parts.triangle_count = surfaces[i]->triangle_count * 3 / 4;
        tide_mesh *open = make_mesh(parts);
        tide_bvh bvh;
        tide_winding winding;
        tide_error error;
        assert_ok(tide_bvh_create(open->vertices, open->triangles, open->triangle_count, &bvh, &error), error);
        assert_ok(tide_winding_create(&bvh, &winding, &error), error);
        tide_random random = tide_random_seed(9);
        const double lower[3] = { -1.5, -1.5, -1.5 }, upper[3] = { 1.5, 1.5, 1.5 };
        double most = 0, between = 0;
        for (int k = 0; k < 2000; k++) {
            double p[3];
            random_point(&random, lower, upper, p);
            double exact = exact_winding(open, p);
            most = fmax(most, fabs(tide_winding_at(&winding, p) - exact));
            between = fmax(between, fmin(fabs(exact), fabs(1 - fabs(exact))));
        }
        assert_true(most < 0.03);
        assert_true(between > 0.1);
        tide_winding_destroy(&winding);
        tide_bvh_destroy(&bvh);
        tide_mesh_release(open);
    }
    tide_mesh_release(ball);
    tide_mesh_release(sheet);
}

static void test_memory(void **state)
{
    (void)state;
    pile *p = tide_allocate_zeroed(1, sizeof *p);
    tide_mesh *box = make_box(1, 1, 1, 1, 1, 1);
    add(p, box, 0, 0, 0, false);
    add(p, box, 0.3, 0.4, 0.2, false);
    tide_mesh *mesh = mesh_of(p);
    const tide_distance *distance = NULL;
    tide_error error;
    assert_survives_failures(tide_distance_mesh(mesh, &distance, &error), tide_distance_release(distance), 25);
    tide_mesh_release(mesh);
    tide_mesh_release(box);
    tide_free(p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_two_balls),
    cmocka_unit_test(test_boxes),
    cmocka_unit_test(test_wall_between),
    cmocka_unit_test(test_within),
    cmocka_unit_test(test_surface_through_itself),
    cmocka_unit_test(test_signs_near_corners_and_edges),
    cmocka_unit_test(test_winding_of_open_surfaces),
    cmocka_unit_test(test_memory),
};
TIDE_TEST_SUITE(geometry_distance_overlap, tests)

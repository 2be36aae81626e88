// Area springs: E = k/2 (A - A0)^2 of a triangle p0, p1, p2 with the unit normal N and the edges o_i = p_(i+2) -
// p_(i+1) opposite its corners (indices modulo 3). The area A = |o_1 x o_2| / 2 has the derivatives
//
//     dA/dp_i = N x o_i / 2
//     d2A/dp_i dp_j = s_ij [N]x / 2 + (o_i . o_j) / (4 A) N N',   s_ij = 1 for j = i + 2, -1 for j = i + 1, 0 for j =
//     i,
//
// with [N]x v = N x v. So dE/dp_i = k (A - A0) dA/dp_i and d2E = k dA dA' + k (A - A0) d2A.
//
// The constant matrix is L = w (I - 1 1' / 3), w = k (|o_0|^2 + |o_1|^2 + |o_2|^2) / 4 with the edges at rest. At rest
// the Hessian is k dA dA', whose only nonzero eigenvalue is k |dA|^2 = w. So L is the smallest multiple of the
// projection onto motions without translation that bounds the Hessian at rest. The local projection is the point d,
// relative to the centre, with L x - w d = dE/dx: d_i = x_i - mean - (dE/dp_i) / w.
//
// A triangle without area has no normal: N is taken as 0, so its gradient is 0 and its Hessian is that of N = 0. The
// Hessian uses an area of at least 1e-8 A0, so that it stays finite.
#include "base/vec3.h"
#include "model/dense_element.h"

#include <float.h>
#include <string.h>

#define NO_AREA 1e-280 // m^4, for |2 A N|^2: a smaller square is 0 or has lost digits to underflow
#define SMALLEST 1e-8  // fraction of the rest area

enum {
    STIFFNESS,  // N/m^3
    REST_AREA,  // m^2
    REST_EDGES, // m^2, the sum of the squared rest lengths of the edges
    PARAMETERS
};

typedef struct triangle {
    double stiffness, rest_area, area;
    tide_vec3 normal, opposite[3], slope[3]; // N, o_i, dA/dp_i
} triangle;

static inline double parameter(const tide_elements *elements, size_t which, uint32_t e)
{
    return elements->parameters[which * elements->count + e];
}

static void find_edges(const double *x, const uint32_t *vertices, tide_vec3 opposite[3])
{
    for (int i = 0; i < 3; i++)
        opposite[i] = tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)vertices[(i + 2) % 3]),
                                         tide_vec3_load(x + 3 * (size_t)vertices[(i + 1) % 3]));
}

static triangle triangle_at(const tide_elements *elements, const double *x, uint32_t e)
{
    triangle t = { .stiffness = parameter(elements, STIFFNESS, e), .rest_area = parameter(elements, REST_AREA, e) };
    find_edges(x, elements->vertices + 3 * (size_t)e, t.opposite);
    tide_vec3 twice = tide_vec3_cross(t.opposite[1], t.opposite[2]);
    double squared = tide_vec3_dot(twice, twice), length = sqrt(squared);
    t.area = length / 2;
    t.normal = tide_vec3_scale(twice, squared < NO_AREA ? 0 : 1 / length);
    for (int i = 0; i < 3; i++)
        t.slope[i] = tide_vec3_scale(tide_vec3_cross(t.normal, t.opposite[i]), 0.5);
    return t;
}

static double energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    double sum = 0;
    for (uint32_t e = begin; e < end; e++) {
        triangle t = triangle_at(elements, x, e);
        sum += 0.5 * t.stiffness * (t.area - t.rest_area) * (t.area - t.rest_area);
    }
    return sum;
}

static void gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++) {
        triangle t = triangle_at(elements, x, e);
        for (int i = 0; i < 3; i++, out += 3)
            tide_vec3_store(out, tide_vec3_scale(t.slope[i], t.stiffness * (t.area - t.rest_area)));
    }
}

// Replaces a Hessian by the nearest positive semidefinite matrix. Motions along N and in the plane decouple: along N
// the Hessian is `bend` (o_i . o_j), in the plane it is a 4 x 4 matrix on motions without translation.
static void make_semidefinite(const triangle *t, double bend, double *matrix)
{
    static const double centred[2][3] = { { 0.70710678118654752, -0.70710678118654752, 0 },
                                          { 0.40824829046386302, 0.40824829046386302, -0.81649658092772603 } };
    double axes[2][3], n[3], basis[4][9], turned[4][9], small[16];
    tide_vec3 along = tide_vec3_scale(t->opposite[0], 1 / (tide_vec3_length(t->opposite[0]) + DBL_MIN));
    tide_vec3_store(axes[0], along);
    tide_vec3_store(axes[1], tide_vec3_cross(t->normal, along));
    tide_vec3_store(n, t->normal);
    for (size_t b = 0; b < 4; b++)
        for (size_t r = 0; r < 9; r++)
            basis[b][r] = centred[b / 2][r / 3] * axes[b % 2][r % 3];
    for (size_t b = 0; b < 4; b++)
        for (size_t r = 0; r < 9; r++) {
            turned[b][r] = 0;
            for (size_t c = 0; c < 9; c++)
                turned[b][r] += matrix[9 * r + c] * basis[b][c];
        }
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++) {
            small[4 * i + j] = 0;
            for (size_t r = 0; r < 9; r++)
                small[4 * i + j] += basis[i < j ? i : j][r] * turned[i < j ? j : i][r];
        }
    tide_dense_make_semidefinite(small, 4);
    for (size_t i = 0; i < 4; i++)
        for (size_t r = 0; r < 9; r++) {
            turned[i][r] = 0;
            for (size_t j = 0; j < 4; j++)
                turned[i][r] += small[4 * i + j] * basis[j][r];
        }
    for (size_t r = 0; r < 9; r++)
        for (size_t c = 0; c < 9; c++) {
            double sum = bend * tide_vec3_dot(t->opposite[r / 3], t->opposite[c / 3]) * (n[r % 3] * n[c % 3]);
            for (size_t i = 0; i < 4; i++)
                sum += basis[i][r] * turned[i][c];
            matrix[9 * r + c] = sum;
        }
}

static void hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    triangle t = triangle_at(elements, x, element);
    double tension = t.stiffness * (t.area - t.rest_area), slopes[9], n[3];
    double divisor = 4 * fmax(t.area, SMALLEST * t.rest_area + DBL_MIN);
    tide_vec3_store(n, t.normal);
    for (int i = 0; i < 3; i++)
        tide_vec3_store(slopes + 3 * i, t.slope[i]);
    const double turn[9] = { 0, -n[2], n[1], n[2], 0, -n[0], -n[1], n[0], 0 }; // [N]x
    static const double signs[9] = { 0, -1, 1, 1, 0, -1, -1, 1, 0 };           // s
    for (size_t r = 0; r < 9; r++)
        for (size_t c = 0; c <= r; c++) {
            size_t i = r / 3, j = c / 3;
            double bend = tide_vec3_dot(t.opposite[i], t.opposite[j]) / divisor * (n[r % 3] * n[c % 3]);
            double curvature = 0.5 * signs[3 * i + j] * turn[3 * (r % 3) + c % 3] + bend;
            out[9 * r + c] = out[9 * c + r] = t.stiffness * (slopes[r] * slopes[c]) + tension * curvature;
        }
    if (project)
        make_semidefinite(&t, fmax(tension, 0) / divisor, out);
}

static double weight(const tide_elements *elements, uint32_t e)
{
    return parameter(elements, STIFFNESS, e) * parameter(elements, REST_EDGES, e) / 4;
}

static void laplacian(const tide_elements *elements, uint32_t element, double *out)
{
    double w = weight(elements, element);
    for (int i = 0; i < 9; i++)
        out[i] = i % 4 == 0 ? w * 2 / 3 : -w / 3;
}

static void project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++) {
        triangle t = triangle_at(elements, x, e);
        double w = weight(elements, e), step = w == 0 ? 0 : t.stiffness * (t.area - t.rest_area) / w;
        for (int i = 0; i < 3; i++, out += 3) {
            // x_i - mean is a third of the sum of the two edge vectors that end at corner i
            tide_vec3 to = tide_vec3_subtract(t.opposite[(i + 1) % 3], t.opposite[(i + 2) % 3]);
            tide_vec3_store(out, tide_vec3_subtract(tide_vec3_scale(to, 1.0 / 3), tide_vec3_scale(t.slope[i], step)));
        }
    }
}

// The compliance is 1 / k, in m^3/N: C is an area.
static double constraint(const tide_elements *elements, const double *x, uint32_t element, double *gradient_out,
                         double *compliance)
{
    triangle t = triangle_at(elements, x, element);
    for (int i = 0; i < 3; i++)
        tide_vec3_store(gradient_out + 3 * i, t.slope[i]);
    *compliance = t.stiffness == 0 ? INFINITY : 1 / t.stiffness;
    return t.area - t.rest_area;
}

static void strain(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++) {
        triangle t = triangle_at(elements, x, e);
        *out++ = t.rest_area > 0 ? t.area / t.rest_area - 1 : 0;
    }
}

static const char *rest(const tide_element_kind *kind, const double *x, const uint32_t *vertices, double *parameters)
{
    (void)kind;
    tide_vec3 edges[3];
    find_edges(x, vertices, edges);
    if (!tide_given(parameters[REST_AREA]))
        parameters[REST_AREA] = tide_vec3_length(tide_vec3_cross(edges[1], edges[2])) / 2;
    if (!tide_given(parameters[REST_EDGES]))
        parameters[REST_EDGES] =
            tide_vec3_dot(edges[0], edges[0]) + tide_vec3_dot(edges[1], edges[1]) + tide_vec3_dot(edges[2], edges[2]);
    return NULL;
}

static const tide_field fields[] = {
    TIDE_STIFFNESS_FIELD(STIFFNESS, 1e15, "N/m^3", "k of E = k/2 (A - A0)^2"),
    TIDE_REST_FIELD("rest_area", REST_AREA, 0, 1e15, "m^2", "A0: the area at rest"),
    TIDE_REST_FIELD("rest_edges", REST_EDGES, 0, 1e15, "m^2",
                    "sum of the squared lengths of the three edges at rest, which scales the constant matrix"),
    { .name = NULL },
};

static const unsigned char edges[] = { 0, 1, 1, 2, 2, 0 };

const tide_element_kind tide_area_spring = {
    .name = "area_spring",
    .help = "a spring between the area of a triangle and its area at rest",
    .parameter_count = PARAMETERS,
    .projection_size = 9,
    .fields = fields,
    .stiffness_parameter = STIFFNESS,
    .rest_parameter = REST_AREA,
    .noun = "triangle",
    .size = "area",
    TIDE_OWN_EDGES,
    TIDE_DENSE_FUNCTIONS(3),
    .constraint = constraint,
    TIDE_OWN_FUNCTIONS,
};

// The bending of a rod with a round cross-section at the middle one of three vertices p0, p1, p2 (Bergou et al. 2008,
// Discrete elastic rods, sec. 4.2.2). With the edges a = p1 - p0 and b = p2 - p1, their directions t_a and t_b, the
// angle phi between them and u = cos phi = t_a . t_b,
//
//     E = k/2 (c - c0)^2,   c = |2 a x b| / (|a| |b| + a . b) = 2 tan(phi / 2) = 2 sqrt((1 - u) / (1 + u))
//
// c is the integral of the curvature over the vertex's part of the rod, which is D = (|a| + |b|) / 2 long at rest. So
// k = E I / D with the bending stiffness E I in N m^2. The rod does not resist twist: where it is curved at rest
// (c0 > 0), only the size of the curvature matters, not its direction.
//
// E is a function of u alone:
//
//     dE/du = -4 k (1 - c0 / c) / (1 + u)^2
//     d2E/du2 = 8 k (1 - c0 / c) / (1 + u)^3 + 16 k c0 / (c^3 (1 + u)^4)
//     du/da = p / |a|,  p = t_b - u t_a;    du/db = q / |b|,  q = t_a - u t_b
//     d2u/da2  = -(t_a p' + p t_a' + u (I - t_a t_a')) / |a|^2
//     d2u/dadb = (I - t_b t_b' - t_a q') / (|a| |b|)
//
// Where edges fold back (u = -1), this c is infinite. Below the bound 1 + u = 1e-6, c is linear in u with the value and
// the slope that it has there: E and dE/dx are continuous and finite. Where the rod is straight but curved at
// rest, E has a kink; c is bounded by 1e-6 c0. An edge without length has no direction: then u = 1.
//
// The constant matrix is the Hessian of a straight rod along each axis: L = k w w', w = (1/|a|, -1/|a| - 1/|b|, 1/|b|)
// with the lengths at rest. The Hessian of a bent rod exceeds it, so solvers backtrack. The local projection is
// d = L x - dE/dx.
#include "model/rod_bend.h"
#include "base/vec3.h"
#include "model/dense_element.h"

#include <string.h>

#define LEAST_COSINE 1e-6    // of 1 + u: the bound
#define LEAST_CURVATURE 1e-6 // of c, as a fraction of c0

typedef struct joint {
    double k, rest;         // N m; c0
    double lengths[2];      // m
    tide_vec3 along[2];     // t_a, t_b
    tide_vec3 turn[2];      // p, q
    double u, sum, c, part; // sum: 1 + u, at least the bound; part: (c - c0) / base
    double base;            // c at `sum`: dc/du = -4 / (base sum^2)
    bool folded;            // u is below the bound
} joint;

static inline double parameter(const tide_elements *elements, size_t which, uint32_t e)
{
    return elements->parameters[which * elements->count + e];
}

// Computes t_b - t_a first, or t_a + t_b for an angle over 90 degrees: u, c, p and q then keep their digits where the
// rod is nearly straight or nearly folded back.
static void find_cosine(joint *j)
{
    tide_vec3 change = tide_vec3_subtract(j->along[1], j->along[0]);
    double less = tide_vec3_dot(change, change) / 2; // 1 - u
    j->u = 1 - less;
    double sum = 1 + j->u;
    j->turn[0] = tide_vec3_add(change, tide_vec3_scale(j->along[0], less));
    j->turn[1] = tide_vec3_subtract(tide_vec3_scale(j->along[1], less), change);
    if (j->u < 0) {
        tide_vec3 both = tide_vec3_add(j->along[0], j->along[1]);
        sum = tide_vec3_dot(both, both) / 2;
        less = 2 - sum;
        j->u = sum - 1;
        for (int i = 0; i < 2; i++)
            j->turn[i] = tide_vec3_subtract(both, tide_vec3_scale(j->along[i], sum));
    }
    j->folded = sum < LEAST_COSINE;
    j->sum = fmax(sum, LEAST_COSINE);
    j->base = j->c = 2 * sqrt(fmin(less, 2 - LEAST_COSINE) / j->sum);
    if (j->folded)
        j->c += 4 * (LEAST_COSINE - sum) / (j->base * (LEAST_COSINE * LEAST_COSINE));
}

static joint joint_at(const tide_elements *elements, const double *x, uint32_t e)
{
    const uint32_t *vertices = elements->vertices + 3 * (size_t)e;
    joint j = { .k = parameter(elements, TIDE_ROD_BEND_STIFFNESS, e),
                .rest = parameter(elements, TIDE_ROD_BEND_CURVATURE, e) };
    for (int i = 0; i < 2; i++) {
        tide_vec3 edge = tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)vertices[i + 1]),
                                            tide_vec3_load(x + 3 * (size_t)vertices[i]));
        j.lengths[i] = tide_vec3_length(edge);
        j.along[i] = tide_vec3_scale(edge, j.lengths[i] > 0 ? 1 / j.lengths[i] : 0);
    }
    if (j.lengths[0] > 0 && j.lengths[1] > 0) {
        find_cosine(&j);
    } else {
        j.u = 1;
        j.sum = 2;
    }
    j.part = j.rest > 0 ? 1 - j.rest / fmax(j.c, LEAST_CURVATURE * j.rest) : 1;
    if (j.folded)
        j.part = (j.c - j.rest) / j.base;
    return j;
}

static double energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    double sum = 0;
    for (uint32_t e = begin; e < end; e++) {
        joint j = joint_at(elements, x, e);
        sum += 0.5 * j.k * (j.c - j.rest) * (j.c - j.rest);
    }
    return sum;
}

// Returns dE/du.
static double slope_of(const joint *j)
{
    return -4 * j->k * j->part / (j->sum * j->sum);
}

// Computes du/dp of the three corners.
static void cosine_slopes(const joint *j, tide_vec3 slopes[3])
{
    tide_vec3 a = tide_vec3_scale(j->turn[0], j->lengths[0] > 0 ? 1 / j->lengths[0] : 0);
    tide_vec3 b = tide_vec3_scale(j->turn[1], j->lengths[1] > 0 ? 1 / j->lengths[1] : 0);
    slopes[0] = tide_vec3_scale(a, -1);
    slopes[1] = tide_vec3_subtract(a, b);
    slopes[2] = b;
}

static void gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++) {
        joint j = joint_at(elements, x, e);
        tide_vec3 slopes[3];
        cosine_slopes(&j, slopes);
        for (int i = 0; i < 3; i++, out += 3)
            tide_vec3_store(out, tide_vec3_scale(slopes[i], slope_of(&j)));
    }
}

// Adds s a b' to a 3 x 3 matrix.
static void add_product(double *matrix, double s, tide_vec3 a, tide_vec3 b)
{
    const double left[3] = { a.x, a.y, a.z }, right[3] = { b.x, b.y, b.z };
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            matrix[3 * r + c] += s * (left[r] * right[c]);
}

// Computes d2u/da2, d2u/dadb, d2u/db2: blocks of 3 x 3.
static void cosine_curvatures(const joint *j, double blocks[3][9])
{
    double inverse[2] = { 1 / j->lengths[0], 1 / j->lengths[1] }, mixed = inverse[0] * inverse[1];
    memset(blocks, 0, 27 * sizeof(double));
    for (size_t i = 0; i < 2; i++) {
        double *block = blocks[2 * i], s = inverse[i] * inverse[i];
        add_product(block, -s, j->along[i], j->turn[i]);
        add_product(block, -s, j->turn[i], j->along[i]);
        add_product(block, j->u * s, j->along[i], j->along[i]);
        for (size_t k = 0; k < 9; k += 4)
            block[k] -= j->u * s;
    }
    add_product(blocks[1], -mixed, j->along[1], j->along[1]);
    add_product(blocks[1], -mixed, j->along[0], j->turn[1]);
    for (size_t k = 0; k < 9; k += 4)
        blocks[1][k] += mixed;
}

static void hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    joint j = joint_at(elements, x, element);
    memset(out, 0, 81 * sizeof *out);
    if (!(j.lengths[0] > 0 && j.lengths[1] > 0))
        return;
    double cubed = j.sum * j.sum * j.sum, c = fmax(j.c, LEAST_CURVATURE * j.rest);
    double slope = slope_of(&j), second = 8 * j.k * j.part / cubed;
    if (j.folded)
        second = 16 * j.k / (j.base * j.base * cubed * j.sum);
    else if (j.rest > 0)
        second += 16 * j.k * j.rest / (c * c * c * cubed * j.sum);
    static const double signs[2][3] = { { -1, 1, 0 }, { 0, -1, 1 } }; // of the corners in a and b
    double blocks[3][9], slopes[9];
    tide_vec3 directions[3];
    cosine_curvatures(&j, blocks);
    cosine_slopes(&j, directions);
    for (int i = 0; i < 3; i++)
        tide_vec3_store(slopes + 3 * i, directions[i]);
    for (size_t r = 0; r < 9; r++)
        for (size_t s = 0; s <= r; s++) {
            size_t p = r / 3, q = s / 3, at = 3 * (r % 3) + s % 3, turned = 3 * (s % 3) + r % 3;
            double sum = signs[0][p] * signs[0][q] * blocks[0][at] + signs[1][p] * signs[1][q] * blocks[2][at] +
                         signs[0][p] * signs[1][q] * blocks[1][at] + signs[1][p] * signs[0][q] * blocks[1][turned];
            out[9 * r + s] = out[9 * s + r] = second * slopes[r] * slopes[s] + slope * sum;
        }
    if (project)
        tide_dense_make_semidefinite(out, 9);
}

// Computes w of L = k w w'.
static void weights(const tide_elements *elements, uint32_t e, double w[3])
{
    w[0] = 1 / parameter(elements, TIDE_ROD_BEND_LENGTH_1, e);
    w[2] = 1 / parameter(elements, TIDE_ROD_BEND_LENGTH_2, e);
    w[1] = -w[0] - w[2];
}

static void laplacian(const tide_elements *elements, uint32_t element, double *out)
{
    double w[3], k = parameter(elements, TIDE_ROD_BEND_STIFFNESS, element);
    weights(elements, element, w);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = k * w[i] * w[j];
}

static void project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    gradient(elements, x, begin, end, out);
    for (uint32_t e = begin; e < end; e++, out += 9) {
        const uint32_t *vertices = elements->vertices + 3 * (size_t)e;
        double w[3], k = parameter(elements, TIDE_ROD_BEND_STIFFNESS, e), sum[3] = { 0, 0, 0 };
        weights(elements, e, w);
        for (int i = 0; i < 9; i++)
            sum[i % 3] += w[i / 3] * x[3 * (size_t)vertices[i / 3] + (size_t)i % 3];
        for (int i = 0; i < 9; i++)
            out[i] = k * w[i / 3] * sum[i % 3] - out[i];
    }
}

// C = c - c0, of compliance 1 / k. dC/dx has no limit where the rod is straight, and is 0 there.
static double constraint(const tide_elements *elements, const double *x, uint32_t element, double *gradient_out,
                         double *compliance)
{
    joint j = joint_at(elements, x, element);
    tide_vec3 slopes[3];
    cosine_slopes(&j, slopes);
    for (int i = 0; i < 3; i++)
        tide_vec3_store(gradient_out + 3 * i, tide_vec3_scale(slopes[i], j.c > 0 ? -4 / (j.base * j.sum * j.sum) : 0));
    *compliance = j.k == 0 ? INFINITY : 1 / j.k;
    return j.c - j.rest;
}

static void strain(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++) {
        joint j = joint_at(elements, x, e);
        *out++ = parameter(elements, TIDE_ROD_BEND_STRAIN, e) * (j.c - j.rest);
    }
}

static const char *rest(const tide_element_kind *kind, const double *x, const uint32_t *vertices, double *parameters)
{
    (void)kind;
    tide_elements elements = { &tide_rod_bend, 1, (uint32_t[]) { vertices[0], vertices[1], vertices[2] }, parameters };
    parameters[TIDE_ROD_BEND_CURVATURE] = 0;
    joint j = joint_at(&elements, x, 0);
    if (!(j.lengths[0] > 0 && j.lengths[1] > 0))
        return "has an edge without length at rest; move its vertices apart";
    if (!(1 + j.u > LEAST_COSINE))
        return "is folded back on itself at rest; open its angle";
    parameters[TIDE_ROD_BEND_CURVATURE] = j.c;
    parameters[TIDE_ROD_BEND_LENGTH_1] = j.lengths[0];
    parameters[TIDE_ROD_BEND_LENGTH_2] = j.lengths[1];
    return NULL;
}

static const unsigned char edges[] = { 0, 1, 1, 2 };

const tide_element_kind tide_rod_bend = {
    .name = "rod_bend",
    .help = "the bending of a rod at a vertex",
    .parameter_count = TIDE_ROD_BEND_PARAMETERS,
    .projection_size = 9,
    .stiffness_parameter = TIDE_ROD_BEND_STIFFNESS,
    .rest_parameter = TIDE_ROD_BEND_CURVATURE,
    .strain_parameter = TIDE_ROD_BEND_STRAIN,
    .noun = "bend",
    .size = "curvature",
    TIDE_OWN_EDGES,
    TIDE_DENSE_FUNCTIONS(3),
    .constraint = constraint,
    TIDE_OWN_FUNCTIONS,
};

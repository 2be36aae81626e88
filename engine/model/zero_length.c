// Zero-length springs: E = k/2 |d|^2, d = sum c_i x_i - a, between weighted means of particles, or from one to the
// fixed point a. The energy is quadratic: the Hessian, k c c' times I3, is constant, and the local projection is a.
// Weights that sum to 0 conserve momentum.
//
// Anchors, ties and links hold particles, triangles and rigid bodies together. Isometric quadratic bending (Bergou et
// al. 2006) has the same form: k is the bending stiffness and c the weights of a hinge (hinge.h) of the shape at rest,
// which is taken as flat. For small angles and unstretched triangles its energy is that of discrete shells.
#include "base/vec3.h"
#include "model/shell.h"

#include <string.h>

// Where a kind's parameters stand; the stiffness is parameter 0.
typedef struct layout {
    uint32_t a, weights; // 0: none
    bool first_is_1;     // c_0 is 1, and the weights begin with that of the second particle
    double sign;         // of c: the parameters are c or -c
} layout;

static inline double weight(const tide_elements *elements, uint32_t e, uint32_t corner)
{
    const layout *l = elements->kind->context;
    if (corner == 0 && l->first_is_1)
        return 1;
    return l->sign * elements->parameters[(l->weights + (size_t)corner - l->first_is_1) * elements->count + e];
}

static inline tide_vec3 target(const tide_elements *elements, uint32_t e)
{
    const layout *l = elements->kind->context;
    const double *a = elements->parameters + l->a * (size_t)elements->count + e;
    size_t count = elements->count;
    return l->a ? (tide_vec3) { a[0], a[count], a[2 * count] } : (tide_vec3) { 0, 0, 0 };
}

// Computes sum c_i x_i - a.
static inline tide_vec3 offset(const tide_elements *elements, const double *x, tide_vec3 a, uint32_t e)
{
    uint32_t corners = elements->kind->vertex_count;
    const uint32_t *vertices = elements->vertices + (size_t)corners * e;
    tide_vec3 d = tide_vec3_scale(a, -1);
    for (uint32_t c = 0; c < corners; c++)
        d = tide_vec3_add(d, tide_vec3_scale(tide_vec3_load(x + 3 * (size_t)vertices[c]), weight(elements, e, c)));
    return d;
}

static double energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    double sum = 0;
    for (uint32_t e = begin; e < end; e++) {
        tide_vec3 d = offset(elements, x, target(elements, e), e);
        sum += 0.5 * tide_element_stiffness(elements, e) * tide_vec3_dot(d, d);
    }
    return sum;
}

// Computes the force on each corner: its weight times `force`.
static inline void share(const tide_elements *elements, uint32_t e, tide_vec3 force, double *out)
{
    for (uint32_t c = 0; c < elements->kind->vertex_count; c++)
        tide_vec3_store(out + 3 * (size_t)c, tide_vec3_scale(force, weight(elements, e, c)));
}

static void gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, out += 3 * elements->kind->vertex_count) {
        tide_vec3 d = offset(elements, x, target(elements, e), e);
        share(elements, e, tide_vec3_scale(d, tide_element_stiffness(elements, e)), out);
    }
}

static void laplacian(const tide_elements *elements, uint32_t element, double *out)
{
    uint32_t corners = elements->kind->vertex_count;
    for (uint32_t i = 0; i < corners * corners; i++)
        out[i] = tide_element_stiffness(elements, element) *
                 (weight(elements, element, i / corners) * weight(elements, element, i % corners));
}

static inline double convex(double stiffness, bool project)
{
    return project ? fmax(stiffness, 0) : stiffness;
}

static void hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    (void)x;
    uint32_t corners = elements->kind->vertex_count, side = 3 * corners;
    double k = convex(tide_element_stiffness(elements, element), project);
    memset(out, 0, (size_t)side * side * sizeof *out);
    for (uint32_t i = 0; i < corners; i++)
        for (uint32_t j = 0; j < corners; j++)
            for (uint32_t axis = 0; axis < 3; axis++)
                out[(3 * i + axis) * side + 3 * j + axis] =
                    k * (weight(elements, element, i) * weight(elements, element, j));
}

static void project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    (void)x;
    for (uint32_t e = begin; e < end; e++, out += 3)
        tide_vec3_store(out, target(elements, e));
}

static void compact(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, bool project,
                    double a, double b, double *out)
{
    (void)x;
    for (uint32_t e = begin; e < end; e++) {
        double k = tide_element_stiffness(elements, e);
        *out++ = a * convex(k, project) + b * k;
    }
}

static void multiply(const tide_elements *elements, const double *compact, const double *v, uint32_t begin,
                     uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, out += 3 * elements->kind->vertex_count)
        share(elements, e, tide_vec3_scale(offset(elements, v, (tide_vec3) { 0, 0, 0 }, e), *compact++), out);
}

static void blocks(const tide_elements *elements, const double *compact, uint32_t begin, uint32_t end, double *out)
{
    uint32_t corners = elements->kind->vertex_count;
    for (uint32_t e = begin; e < end; e++, compact++)
        for (uint32_t i = 0; i < corners; i++)
            for (uint32_t j = 0; j <= i; j++, out += 9) {
                memset(out, 0, 9 * sizeof *out);
                out[0] = out[4] = out[8] = *compact * (weight(elements, e, i) * weight(elements, e, j));
            }
}

static void corner(const tide_elements *elements, const double *x, uint32_t element, uint32_t corner,
                   double gradient_out[3], double hessian_out[9])
{
    double k = tide_element_stiffness(elements, element), c = weight(elements, element, corner);
    tide_vec3 d = offset(elements, x, target(elements, element), element);
    tide_vec3_store(gradient_out, tide_vec3_scale(d, k * c));
    if (!hessian_out)
        return;
    memset(hessian_out, 0, 9 * sizeof *hessian_out);
    hessian_out[0] = hessian_out[4] = hessian_out[8] = fmax(k, 0) * (c * c);
}

// C = |d|. At d = 0, C has a kink and E has none; the direction is then 0. |d| below 1e-140 counts as 0, since its
// square has lost digits to underflow.
static double constraint(const tide_elements *elements, const double *x, uint32_t element, double *gradient_out,
                         double *compliance)
{
    tide_vec3 d = offset(elements, x, target(elements, element), element);
    double k = tide_element_stiffness(elements, element), squared = tide_vec3_dot(d, d);
    bool coincident = squared < 1e-280;
    double length = coincident ? 0 : sqrt(squared);
    share(elements, element, tide_vec3_scale(d, coincident ? 0 : 1 / length), gradient_out);
    *compliance = k == 0 ? INFINITY : 1 / k;
    return length;
}

// There is no rest length to compare with.
static void strain(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    (void)elements, (void)x;
    memset(out, 0, (end - begin) * sizeof *out);
}

#define KIND(name_, layout_, corners, parameters, help_)                                                               \
    .name = name_, .context = &(layout_), .vertex_count = corners, .parameter_count = parameters, .help = help_,       \
    .projection_size = 3, .compact_size = 1, .rest_parameter = TIDE_ELEMENT_NO_PARAMETER, .energy = energy,            \
    .gradient = gradient, .hessian = hessian, .laplacian = laplacian, .project = project, .compact = compact,          \
    .multiply = multiply, .blocks = blocks, .corner = corner, .constraint = constraint, .strain = strain

static const layout to_point = { .a = TIDE_ANCHOR_X, .first_is_1 = true };
const tide_element_kind tide_anchor = {
    KIND("anchor", to_point, 1, TIDE_ANCHOR_PARAMETERS,
         "a zero-length spring from a particle to a fixed point: a pin "
         "with a stiffness"),
};

static const layout to_mean = { .weights = TIDE_TIE_WEIGHT_1, .first_is_1 = true, .sign = -1 };
const tide_element_kind tide_tie = {
    KIND("tie", to_mean, 4, TIDE_TIE_PARAMETERS, "a zero-length spring from a particle to a point of a triangle"),
};

static const layout between_means = { .a = TIDE_LINK_X, .weights = TIDE_LINK_WEIGHTS, .sign = 1 };
#define LINK(corners, help) KIND("link_" #corners, between_means, corners, TIDE_LINK_WEIGHTS + (corners), help)
const tide_element_kind tide_link_4 = { LINK(4, "a zero-length spring from a rigid body to a fixed point") };
const tide_element_kind tide_link_5 = { LINK(5, "a zero-length spring from a rigid body to a particle") };
const tide_element_kind tide_link_7 = { LINK(7, "a zero-length spring from a rigid body to a triangle") };
const tide_element_kind tide_link_8 = { LINK(8, "a zero-length spring between two rigid bodies") };

static const layout hinge = { .weights = TIDE_SHELL_QUADRATIC_WEIGHTS, .sign = 1 };
static const unsigned char edges[] = { 0, 1 };
const tide_element_kind tide_shell_quadratic = {
    KIND("shell_quadratic", hinge, 4, TIDE_SHELL_QUADRATIC_PARAMETERS,
         "a hinge between two triangles of a sheet that is flat at rest (isometric quadratic bending)"),
    .edges = edges,
    .edge_count = 1,
    .constant_hessian = true,
};

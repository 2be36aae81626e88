// Links: E = k/2 |d|^2, d = sum c_i x_i - a, a zero-length spring between weighted means of particles, or from one to
// the fixed point a. The energy is quadratic: the Hessian, k c c' times I3, is constant, and the local projection is a.
// Weights that sum to 0 conserve momentum. There is a kind for each number of particles.
#include "model/no_length.h"

static inline double weight(const tide_elements *elements, uint32_t e, uint32_t corner)
{
    return elements->parameters[(TIDE_LINK_WEIGHTS + (size_t)corner) * elements->count + e];
}

static inline tide_vec3 offset(const tide_elements *elements, const double *x, bool moved, uint32_t e)
{
    uint32_t corners = elements->kind->vertex_count;
    const uint32_t *vertices = elements->vertices + (size_t)corners * e;
    double a[3];
    for (size_t k = 0; k < 3; k++)
        a[k] = moved ? 0 : elements->parameters[(TIDE_LINK_X + k) * elements->count + e];
    tide_vec3 d = tide_vec3_scale(tide_vec3_load(a), -1);
    for (uint32_t c = 0; c < corners; c++)
        d = tide_vec3_add(d, tide_vec3_scale(tide_vec3_load(x + 3 * (size_t)vertices[c]), weight(elements, e, c)));
    return d;
}

static double energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    double sum = 0;
    for (uint32_t e = begin; e < end; e++) {
        tide_vec3 d = offset(elements, x, false, e);
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
    for (uint32_t e = begin; e < end; e++, out += 3 * elements->kind->vertex_count)
        share(elements, e, tide_vec3_scale(offset(elements, x, false, e), tide_element_stiffness(elements, e)), out);
}

static void laplacian(const tide_elements *elements, uint32_t element, double *out)
{
    uint32_t corners = elements->kind->vertex_count;
    for (uint32_t i = 0; i < corners * corners; i++)
        out[i] = tide_element_stiffness(elements, element) *
                 (weight(elements, element, i / corners) * weight(elements, element, i % corners));
}

static void hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    (void)x;
    uint32_t corners = elements->kind->vertex_count, side = 3 * corners;
    double k = tide_element_stiffness(elements, element);
    k = project ? fmax(k, 0) : k;
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
    for (uint32_t e = begin; e < end; e++)
        for (size_t k = 0; k < 3; k++)
            *out++ = elements->parameters[(TIDE_LINK_X + k) * elements->count + e];
}

static void compact(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, bool project,
                    double a, double b, double *out)
{
    (void)x;
    for (uint32_t e = begin; e < end; e++) {
        double k = tide_element_stiffness(elements, e);
        *out++ = a * (project ? fmax(k, 0) : k) + b * k;
    }
}

static void multiply(const tide_elements *elements, const double *compact, const double *v, uint32_t begin,
                     uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, out += 3 * elements->kind->vertex_count)
        share(elements, e, tide_vec3_scale(offset(elements, v, true, e), *compact++), out);
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
    tide_no_length_corner(tide_element_stiffness(elements, element), weight(elements, element, corner),
                          offset(elements, x, false, element), gradient_out, hessian_out);
}

static double constraint(const tide_elements *elements, const double *x, uint32_t element, double *gradient_out,
                         double *compliance)
{
    tide_vec3 direction;
    double length = tide_no_length_constraint(tide_element_stiffness(elements, element),
                                              offset(elements, x, false, element), &direction, compliance);
    share(elements, element, direction, gradient_out);
    return length;
}

#define LINK(name_, corners, help_)                                                                                    \
    {                                                                                                                  \
        .name = name_, .help = help_, .vertex_count = corners, .parameter_count = TIDE_LINK_WEIGHTS + (corners),       \
        .projection_size = 3, .compact_size = 1, .stiffness_parameter = TIDE_LINK_STIFFNESS,                           \
        .rest_parameter = TIDE_ELEMENT_NO_PARAMETER, .energy = energy, .gradient = gradient, .hessian = hessian,       \
        .laplacian = laplacian, .project = project, .compact = compact, .multiply = multiply, .blocks = blocks,        \
        .corner = corner, .constraint = constraint, .strain = tide_no_length_strain,                                   \
    }

const tide_element_kind tide_link_4 = LINK("link_4", 4, "a zero-length spring from a rigid body to a fixed point");
const tide_element_kind tide_link_5 = LINK("link_5", 5, "a zero-length spring from a rigid body to a particle");
const tide_element_kind tide_link_7 = LINK("link_7", 7, "a zero-length spring from a rigid body to a triangle");
const tide_element_kind tide_link_8 = LINK("link_8", 8, "a zero-length spring between two rigid bodies");

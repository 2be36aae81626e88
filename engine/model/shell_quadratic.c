// Isometric quadratic bending (Bergou et al. 2006): E = B/2 |d|^2 with d = sum c_i p_i and the weights c of a hinge
// (hinge.h) of the shape at rest, which is taken as flat. For small angles and unstretched triangles E is that of
// discrete shells. The Hessian B c c' times I3 is constant, and so are the constant matrix and the local projection 0.
#include "model/hinge.h"
#include "model/no_length.h"
#include "model/shell.h"

enum { CORNERS = 4 };

static inline double parameter(const tide_elements *elements, size_t which, uint32_t e)
{
    return elements->parameters[which * elements->count + e];
}

static inline double weight(const tide_elements *elements, size_t corner, uint32_t e)
{
    return parameter(elements, TIDE_SHELL_QUADRATIC_WEIGHTS + corner, e);
}

static inline tide_vec3 combine(const tide_elements *elements, const double *x, uint32_t e)
{
    const uint32_t *vertices = elements->vertices + CORNERS * (size_t)e;
    tide_vec3 d = { 0, 0, 0 };
    for (size_t c = 0; c < CORNERS; c++)
        d = tide_vec3_add(d, tide_vec3_scale(tide_vec3_load(x + 3 * (size_t)vertices[c]), weight(elements, c, e)));
    return d;
}

// Computes the force on each corner: its weight times `force`.
static inline void share(const tide_elements *elements, uint32_t e, tide_vec3 force, double *out)
{
    for (size_t c = 0; c < CORNERS; c++)
        tide_vec3_store(out + 3 * c, tide_vec3_scale(force, weight(elements, c, e)));
}

static double energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    double sum = 0;
    for (uint32_t e = begin; e < end; e++) {
        tide_vec3 d = combine(elements, x, e);
        sum += 0.5 * tide_element_stiffness(elements, e) * tide_vec3_dot(d, d);
    }
    return sum;
}

static void gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, out += 3 * CORNERS)
        share(elements, e, tide_vec3_scale(combine(elements, x, e), parameter(elements, 0, e)), out);
}

static inline double convex(double stiffness, bool project)
{
    return project ? fmax(stiffness, 0) : stiffness;
}

static void hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    (void)x;
    double k = convex(parameter(elements, 0, element), project);
    memset(out, 0, 9 * CORNERS * CORNERS * sizeof *out);
    for (size_t i = 0; i < CORNERS; i++)
        for (size_t j = 0; j < CORNERS; j++)
            for (size_t axis = 0; axis < 3; axis++)
                out[(3 * i + axis) * 3 * CORNERS + 3 * j + axis] =
                    k * (weight(elements, i, element) * weight(elements, j, element));
}

static void laplacian(const tide_elements *elements, uint32_t element, double *out)
{
    double k = parameter(elements, 0, element);
    for (size_t i = 0; i < CORNERS; i++)
        for (size_t j = 0; j < CORNERS; j++)
            out[CORNERS * i + j] = k * (weight(elements, i, element) * weight(elements, j, element));
}

static void project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    (void)elements, (void)x;
    memset(out, 0, 3 * (size_t)(end - begin) * sizeof *out);
}

static void compact(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, bool project,
                    double a, double b, double *out)
{
    (void)x;
    for (uint32_t e = begin; e < end; e++) {
        double k = parameter(elements, 0, e);
        *out++ = a * convex(k, project) + b * k;
    }
}

static void multiply(const tide_elements *elements, const double *compact, const double *v, uint32_t begin,
                     uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, out += 3 * CORNERS)
        share(elements, e, tide_vec3_scale(combine(elements, v, e), *compact++), out);
}

static void blocks(const tide_elements *elements, const double *compact, uint32_t begin, uint32_t end, double *out)
{
    memset(out, 0, 9 * (size_t)(CORNERS * (CORNERS + 1) / 2) * (end - begin) * sizeof *out);
    for (uint32_t e = begin; e < end; e++, compact++)
        for (size_t i = 0; i < CORNERS; i++)
            for (size_t j = 0; j <= i; j++, out += 9)
                out[0] = out[4] = out[8] = *compact * (weight(elements, i, e) * weight(elements, j, e));
}

static void corner(const tide_elements *elements, const double *x, uint32_t element, uint32_t corner,
                   double gradient_out[3], double hessian_out[9])
{
    tide_no_length_corner(parameter(elements, 0, element), weight(elements, corner, element),
                          combine(elements, x, element), gradient_out, hessian_out);
}

static double constraint(const tide_elements *elements, const double *x, uint32_t element, double *gradient_out,
                         double *compliance)
{
    tide_vec3 direction;
    double length = tide_no_length_constraint(parameter(elements, 0, element), combine(elements, x, element),
                                              &direction, compliance);
    share(elements, element, direction, gradient_out);
    return length;
}

static const unsigned char edges[] = { 0, 1 };

const tide_element_kind tide_shell_quadratic = {
    .name = "shell_quadratic",
    .help = "a hinge between two triangles of a sheet that is flat at rest (isometric quadratic bending)",
    .vertex_count = CORNERS,
    .parameter_count = TIDE_SHELL_QUADRATIC_PARAMETERS,
    .projection_size = 3,
    .compact_size = 1,
    .stiffness_parameter = 0,
    .rest_parameter = TIDE_ELEMENT_NO_PARAMETER,
    .edges = edges,
    .edge_count = sizeof edges / 2,
    .constant_hessian = true,
    .energy = energy,
    .gradient = gradient,
    .hessian = hessian,
    .laplacian = laplacian,
    .project = project,
    .compact = compact,
    .multiply = multiply,
    .blocks = blocks,
    .corner = corner,
    .constraint = constraint,
    .strain = tide_no_length_strain,
};

// Springs: E = k/2 (l - r)^2 with l = |p1 - p2| and the direction n = (p1 - p2) / l.
#include "base/vec3.h"
#include "base/vectors_128.h"
#include "model/element.h"

#include <float.h>
#include <stddef.h>
#include <string.h>

typedef struct spring {
    double stiffness, rest_length, length;
    tide_vec3 direction;
} spring;

static inline tide_vec3 between(const tide_elements *elements, const double *x, uint32_t e)
{
    const double *p1 = x + 3 * (size_t)elements->vertices[2 * (size_t)e];
    const double *p2 = x + 3 * (size_t)elements->vertices[2 * (size_t)e + 1];
    return tide_vec3_subtract(tide_vec3_load(p1), tide_vec3_load(p2));
}

static inline const double *stiffnesses(const tide_elements *elements)
{
    return elements->parameters + TIDE_SPRING_STIFFNESS * (size_t)elements->count;
}

static inline const double *rest_lengths(const tide_elements *elements)
{
    return elements->parameters + TIDE_SPRING_REST_LENGTH * (size_t)elements->count;
}

static spring spring_at(const tide_elements *elements, const double *x, uint32_t e)
{
    tide_vec3 d = between(elements, x, e);
    double squared = tide_vec3_dot(d, d), length = sqrt(squared);
    return (spring) { .stiffness = stiffnesses(elements)[e],
                      .rest_length = rest_lengths(elements)[e],
                      .length = length,
                      .direction =
                          squared < TIDE_SPRING_COINCIDENT ? (tide_vec3) { 1, 0, 0 } : tide_vec3_scale(d, 1 / length) };
}

static double energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    const double *stiffness = stiffnesses(elements), *rest_length = rest_lengths(elements);
    double sum = 0;
    for (uint32_t e = begin; e < end; e++) {
        double stretch = tide_vec3_length(between(elements, x, e)) - rest_length[e];
        sum += 0.5 * stiffness[e] * stretch * stretch;
    }
    return sum;
}

static void gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    const double *stiffness = stiffnesses(elements), *rest_length = rest_lengths(elements);
    for (uint32_t e = begin; e < end; e++, out += 6) {
        tide_vec3 d = between(elements, x, e);
        double squared = tide_vec3_dot(d, d), k = stiffness[e];
        tide_vec3 force = squared < TIDE_SPRING_COINCIDENT ? (tide_vec3) { -k * rest_length[e], 0, 0 }
                                                           : tide_vec3_scale(d, k - k * rest_length[e] / sqrt(squared));
        tide_vec3_store(out, force);
        tide_vec3_store(out + 3, tide_vec3_scale(force, -1));
    }
}

// Computes B = a k [n n' + c (I - n n')] + b k I with c = 1 - r / l, as xx, yy, zz, xy, xz, yz. The Hessian is (B, -B;
// -B, B) at a = 1, b = 0. B then has the eigenvalues k along the spring and k c across it. Raising both to at least 0
// gives the nearest positive semidefinite matrix, in the 3 dimensions of B and in the 6 of the Hessian. It has no
// branches, since it is the inner loop of most implicit methods.
static inline void stiffness_block(double k, double r, tide_vec3 d, bool project, double a, double b, double out[6])
{
    double squared = tide_vec3_dot(d, d), length = sqrt(squared);
    double shortest = TIDE_SPRING_SHORTEST * r + DBL_MIN; // DBL_MIN: r = 0 gives c = 1 at every length
    bool coincident = squared < TIDE_SPRING_COINCIDENT;
    double least = project ? 0 : -INFINITY, along = k > least ? k : least;
    double across = k - k * r / (length > shortest ? length : shortest);
    across = across > least ? across : least;
    double inverse = 1 / (coincident ? 1 : squared), dyad = a * (along - across) * inverse, rest = a * across + b * k;
    double x = coincident ? 1 : d.x, y = coincident ? 0 : d.y, z = coincident ? 0 : d.z;
    double tx = dyad * x, ty = dyad * y;
    out[0] = tx * x + rest;
    out[1] = ty * y + rest;
    out[2] = dyad * z * z + rest;
    out[3] = tx * y;
    out[4] = tx * z;
    out[5] = ty * z;
}

static inline void expand(const double block[6], double sign, double *out, size_t stride)
{
    static const unsigned char at[9] = { 0, 3, 4, 3, 1, 5, 4, 5, 2 };
    for (size_t i = 0; i < 9; i++)
        out[i / 3 * stride + i % 3] = sign * block[at[i]];
}

static void hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    double block[6];
    stiffness_block(stiffnesses(elements)[element], rest_lengths(elements)[element], between(elements, x, element),
                    project, 1, 0, block);
    expand(block, 1, out, 6);
    expand(block, -1, out + 3, 6);
    expand(block, -1, out + 18, 6);
    expand(block, 1, out + 21, 6);
}

static void compact(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, bool project,
                    double a, double b, double *out)
{
    const double *stiffness = stiffnesses(elements), *rest_length = rest_lengths(elements);
    if (a == 0) { // constant: x may be non-finite
        memset(out, 0, 6 * (size_t)(end - begin) * sizeof *out);
        for (uint32_t e = begin; e < end; e++, out += 6)
            out[0] = out[1] = out[2] = b * stiffness[e];
        return;
    }
    for (uint32_t e = begin; e < end; e++, out += 6)
        stiffness_block(stiffness[e], rest_length[e], between(elements, x, e), project, a, b, out);
}

static void multiply(const tide_elements *elements, const double *compact, const double *v, uint32_t begin,
                     uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, compact += 6, out += 6) {
        const double *restrict c = compact;
        tide_vec3 d = between(elements, v, e);
        double x = c[0] * d.x + c[3] * d.y + c[4] * d.z, y = c[3] * d.x + c[1] * d.y + c[5] * d.z,
               z = c[4] * d.x + c[5] * d.y + c[2] * d.z;
        tide_vec3_store(out, (tide_vec3) { x, y, z });
        tide_vec3_store(out + 3, (tide_vec3) { -x, -y, -z });
    }
}

static void blocks(const tide_elements *elements, const double *compact, uint32_t begin, uint32_t end, double *out)
{
    (void)elements;
    for (uint32_t e = begin; e < end; e++, compact += 6, out += 27) {
        expand(compact, 1, out, 3);
        expand(compact, -1, out + 9, 3);
        expand(compact, 1, out + 18, 3);
    }
}

static void corner(const tide_elements *elements, const double *x, uint32_t element, uint32_t corner,
                   double gradient[3], double hessian[9])
{
    spring s = spring_at(elements, x, element);
    double force = s.stiffness * (s.length - s.rest_length);
    tide_vec3_store(gradient, tide_vec3_scale(s.direction, corner == 0 ? force : -force));
    if (!hessian)
        return;
    double block[6];
    stiffness_block(s.stiffness, s.rest_length, between(elements, x, element), true, 1, 0, block);
    expand(block, 1, hessian, 3);
}

// Two springs at once, a lane each: d = p1 - p2, the derivatives dE/dp1 and d2E/dp1^2, as `corner` computes them.
typedef tide_two_doubles two;

typedef struct two_springs {
    two d[3], stiffness, rest_length, sign; // sign: -1 where the derivative by p2 is asked for
} two_springs;

static inline two_springs load_two(const tide_elements *elements, const double *x, const tide_corner *c,
                                   const tide_corner *other)
{
    const double *k = stiffnesses(elements), *r = rest_lengths(elements);
    tide_vec3 d = between(elements, x, c->element), e = between(elements, x, other->element);
    return (two_springs) { .d = { { d.x, e.x }, { d.y, e.y }, { d.z, e.z } },
                           .stiffness = { k[c->element], k[other->element] },
                           .rest_length = { r[c->element], r[other->element] },
                           .sign = { c->corner == 0 ? 1 : -1, other->corner == 0 ? 1 : -1 } };
}

static inline void two_corners(const two_springs *s, two gradient[3], two block[6])
{
    const two zero = { 0, 0 }, one = { 1, 1 };
    two squared = s->d[0] * s->d[0] + s->d[1] * s->d[1] + s->d[2] * s->d[2], length = tide_root_of_two(squared);
    two k = s->stiffness, r = s->rest_length, shortest = TIDE_SPRING_SHORTEST * r + DBL_MIN;
    tide_two_masks coincident = squared < TIDE_SPRING_COINCIDENT;
    two x = tide_select_of_two(coincident, one, s->d[0]), y = tide_select_of_two(coincident, zero, s->d[1]);
    two z = tide_select_of_two(coincident, zero, s->d[2]),
        inverse_length = tide_select_of_two(coincident, one, one / length);
    two force = k * (length - r) * s->sign, along = tide_select_of_two(k > zero, k, zero);
    two across = k - k * r / tide_select_of_two(length > shortest, length, shortest);
    across = tide_select_of_two(across > zero, across, zero);
    two dyad = (along - across) * (one / tide_select_of_two(coincident, one, squared)), tx = dyad * x, ty = dyad * y;
    gradient[0] = x * inverse_length * force;
    gradient[1] = y * inverse_length * force;
    gradient[2] = z * inverse_length * force;
    block[0] = tx * x + across;
    block[1] = ty * y + across;
    block[2] = dyad * z * z + across;
    block[3] = tx * y;
    block[4] = tx * z;
    block[5] = ty * z;
}

static void corners(const tide_elements *elements, const double *x, const tide_corner *list, uint32_t count,
                    double scale, double gradient[3], double hessian[9])
{
    for (uint32_t i = 0; i < count; i += 2) {
        two g[3], block[6];
        int lanes = count - i < 2 ? 1 : 2;
        two_springs s = load_two(elements, x, &list[i], &list[i + (uint32_t)lanes - 1]);
        two_corners(&s, g, block);
        for (int lane = 0; lane < lanes; lane++) {
            double of_lane[6], rows[9];
            for (int k = 0; k < 6; k++)
                of_lane[k] = block[k][lane];
            expand(of_lane, scale, rows, 3);
            for (int k = 0; k < 3; k++)
                gradient[k] += scale * g[k][lane];
            for (int k = 0; k < 9; k++)
                hessian[k] += rows[k];
        }
    }
}

static double constraint(const tide_elements *elements, const double *x, uint32_t element, double *gradient,
                         double *compliance)
{
    spring s = spring_at(elements, x, element);
    tide_vec3_store(gradient, s.direction);
    tide_vec3_store(gradient + 3, tide_vec3_scale(s.direction, -1));
    *compliance = s.stiffness == 0 ? INFINITY : 1 / s.stiffness;
    return s.length - s.rest_length;
}

static void laplacian(const tide_elements *elements, uint32_t element, double *out)
{
    double k = stiffnesses(elements)[element];
    out[0] = out[3] = k;
    out[1] = out[2] = -k;
}

static void project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, out += 3) {
        spring s = spring_at(elements, x, e);
        tide_vec3_store(out, tide_vec3_scale(s.direction, s.rest_length));
    }
}

static void strain(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    const double *rest_length = rest_lengths(elements);
    for (uint32_t e = begin; e < end; e++)
        *out++ = rest_length[e] > 0 ? tide_vec3_length(between(elements, x, e)) / rest_length[e] - 1 : 0;
}

static const tide_field fields[] = {
    TIDE_STIFFNESS_FIELD(TIDE_SPRING_STIFFNESS, 1e15, "N/m", "k of E = k/2 (l - r)^2"),
    TIDE_REST_FIELD("rest_length", TIDE_SPRING_REST_LENGTH, 0, 1e15, "m", "r: the length at rest"),
    { .name = NULL },
};

static const char *rest(const tide_element_kind *kind, const double *x, const uint32_t *vertices, double *parameters)
{
    (void)kind;
    double *length = &parameters[TIDE_SPRING_REST_LENGTH];
    if (!tide_given(*length))
        *length = tide_vec3_length(tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)vertices[0]),
                                                      tide_vec3_load(x + 3 * (size_t)vertices[1])));
    return NULL;
}

static const unsigned char edges[] = { 0, 1 };

const tide_element_kind tide_spring = {
    .name = "spring",
    .help = "a Hookean spring between two particles",
    .vertex_count = 2,
    .parameter_count = TIDE_SPRING_PARAMETERS,
    .projection_size = 3,
    .compact_size = 6,
    .fields = fields,
    .stiffness_parameter = TIDE_SPRING_STIFFNESS,
    .rest_parameter = TIDE_SPRING_REST_LENGTH,
    .noun = "spring",
    .size = "length",
    TIDE_OWN_EDGES,
    .in_slices = true,
    .compact = compact,
    .multiply = multiply,
    .blocks = blocks,
    .corner = corner,
    .corners = corners,
    .constraint = constraint,
    TIDE_OWN_FUNCTIONS,
};

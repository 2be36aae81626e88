// Volume springs: E = k/2 (V - V0)^2 of a tetrahedron with the signed volume V = (p1 - p0) . ((p2 - p0) x (p3 - p0))
// / 6. An inverted tetrahedron has a negative volume, so the spring turns it back. The derivatives are
//
//     dV/dp1 = (p2 - p0) x (p3 - p0) / 6 and cyclic, dV/dp0 = -(dV/dp1 + dV/dp2 + dV/dp3),
//     d2V/dp_i dp_j = [p_k - p_l]x / 6 for an even permutation (i, j, k, l), and its transpose for (j, i).
//
// So dE = k (V - V0) dV and d2E = k dV dV' + k (V - V0) d2V. The constant matrix is L = w (I - 1 1' / 4), w = k |dV|^2
// at rest: the Hessian at rest is k dV dV', whose only nonzero eigenvalue is w. The local projection is the point d,
// relative to the centre, with L x - w d = dE/dx.
#include "base/vec3.h"
#include "model/dense_element.h"

#include <string.h>

enum {
    STIFFNESS,   // N/m^5
    REST_VOLUME, // m^3
    REST_SLOPE,  // m^4, |dV|^2 at rest
    PARAMETERS
};

typedef struct tetrahedron {
    double stiffness, rest_volume, volume;
    tide_vec3 p[4], slope[4]; // dV/dp_i
} tetrahedron;

static inline double parameter(const tide_elements *elements, size_t which, uint32_t e)
{
    return elements->parameters[which * elements->count + e];
}

static void measure(const double *x, const uint32_t *vertices, tetrahedron *t)
{
    tide_vec3 to[4];
    for (int c = 0; c < 4; c++) {
        t->p[c] = tide_vec3_load(x + 3 * (size_t)vertices[c]);
        to[c] = tide_vec3_subtract(t->p[c], t->p[0]);
    }
    t->slope[1] = tide_vec3_scale(tide_vec3_cross(to[2], to[3]), 1.0 / 6);
    t->slope[2] = tide_vec3_scale(tide_vec3_cross(to[3], to[1]), 1.0 / 6);
    t->slope[3] = tide_vec3_scale(tide_vec3_cross(to[1], to[2]), 1.0 / 6);
    t->slope[0] = tide_vec3_scale(tide_vec3_add(tide_vec3_add(t->slope[1], t->slope[2]), t->slope[3]), -1);
    t->volume = tide_vec3_dot(to[1], t->slope[1]);
}

static tetrahedron tetrahedron_at(const tide_elements *elements, const double *x, uint32_t e)
{
    tetrahedron t = { .stiffness = parameter(elements, STIFFNESS, e),
                      .rest_volume = parameter(elements, REST_VOLUME, e) };
    measure(x, elements->vertices + 4 * (size_t)e, &t);
    return t;
}

static double energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    double sum = 0;
    for (uint32_t e = begin; e < end; e++) {
        tetrahedron t = tetrahedron_at(elements, x, e);
        sum += 0.5 * t.stiffness * (t.volume - t.rest_volume) * (t.volume - t.rest_volume);
    }
    return sum;
}

static void gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++) {
        tetrahedron t = tetrahedron_at(elements, x, e);
        for (int c = 0; c < 4; c++, out += 3)
            tide_vec3_store(out, tide_vec3_scale(t.slope[c], t.stiffness * (t.volume - t.rest_volume)));
    }
}

// Adds factor [v]x to block (i, j) of a 12 x 12 matrix and its transpose to block (j, i).
static void add_cross(size_t i, size_t j, tide_vec3 v, double factor, double *out)
{
    const double turn[9] = { 0, -v.z, v.y, v.z, 0, -v.x, -v.y, v.x, 0 };
    for (size_t r = 0; r < 3; r++)
        for (size_t c = 0; c < 3; c++) {
            out[12 * (3 * i + r) + 3 * j + c] += factor * turn[3 * r + c];
            out[12 * (3 * j + c) + 3 * i + r] += factor * turn[3 * r + c];
        }
}

static void hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    static const unsigned char even[6][4] = { { 0, 1, 2, 3 }, { 0, 2, 3, 1 }, { 0, 3, 1, 2 },
                                              { 1, 2, 0, 3 }, { 2, 3, 0, 1 }, { 3, 1, 0, 2 } };
    tetrahedron t = tetrahedron_at(elements, x, element);
    double factor = t.stiffness * (t.volume - t.rest_volume) / 6, slopes[12];
    for (int c = 0; c < 4; c++)
        tide_vec3_store(slopes + 3 * c, t.slope[c]);
    for (size_t r = 0; r < 12; r++)
        for (size_t c = 0; c < 12; c++)
            out[12 * r + c] = t.stiffness * (slopes[r] * slopes[c]);
    for (size_t n = 0; n < 6; n++) {
        const unsigned char *p = even[n]; // d2V/dp_i dp_j is a multiple of the edge between the other two
        add_cross(p[0], p[1], tide_vec3_subtract(t.p[p[2]], t.p[p[3]]), factor, out);
    }
    if (project)
        tide_dense_make_semidefinite(out, 12);
}

static double weight(const tide_elements *elements, uint32_t e)
{
    return parameter(elements, STIFFNESS, e) * parameter(elements, REST_SLOPE, e);
}

static void laplacian(const tide_elements *elements, uint32_t element, double *out)
{
    double w = weight(elements, element);
    for (int i = 0; i < 16; i++)
        out[i] = i % 5 == 0 ? w * 3 / 4 : -w / 4;
}

static void project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++) {
        tetrahedron t = tetrahedron_at(elements, x, e);
        double w = weight(elements, e), step = w == 0 ? 0 : t.stiffness * (t.volume - t.rest_volume) / w;
        tide_vec3 mean =
            tide_vec3_scale(tide_vec3_add(tide_vec3_add(t.p[0], t.p[1]), tide_vec3_add(t.p[2], t.p[3])), 0.25);
        for (int c = 0; c < 4; c++, out += 3)
            tide_vec3_store(out,
                            tide_vec3_subtract(tide_vec3_subtract(t.p[c], mean), tide_vec3_scale(t.slope[c], step)));
    }
}

// The compliance is 1 / k, in m^5/N: C is a volume.
static double constraint(const tide_elements *elements, const double *x, uint32_t element, double *gradient_out,
                         double *compliance)
{
    tetrahedron t = tetrahedron_at(elements, x, element);
    for (int c = 0; c < 4; c++)
        tide_vec3_store(gradient_out + 3 * c, t.slope[c]);
    *compliance = t.stiffness == 0 ? INFINITY : 1 / t.stiffness;
    return t.volume - t.rest_volume;
}

static void strain(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++) {
        tetrahedron t = tetrahedron_at(elements, x, e);
        *out++ = t.rest_volume != 0 ? t.volume / t.rest_volume - 1 : 0;
    }
}

static const char *rest(const tide_element_kind *kind, const double *x, const uint32_t *vertices, double *parameters)
{
    (void)kind;
    tetrahedron t = { 0 };
    double slope = 0;
    measure(x, vertices, &t);
    for (int c = 0; c < 4; c++)
        slope += tide_vec3_dot(t.slope[c], t.slope[c]);
    if (!tide_given(parameters[REST_VOLUME]))
        parameters[REST_VOLUME] = t.volume;
    if (!tide_given(parameters[REST_SLOPE]))
        parameters[REST_SLOPE] = slope;
    return NULL;
}

static const tide_field fields[] = {
    TIDE_STIFFNESS_FIELD(STIFFNESS, 1e18, "N/m^5", "k of E = k/2 (V - V0)^2"),
    TIDE_REST_FIELD("rest_volume", REST_VOLUME, -1e15, 1e15, "m^3", "V0: the volume at rest"),
    TIDE_REST_FIELD("rest_slope", REST_SLOPE, 0, 1e15, "m^4",
                    "squared gradient of the volume at rest, which scales the constant matrix"),
    { .name = NULL },
};

static const unsigned char edges[] = { 0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3 };

const tide_element_kind tide_volume_spring = {
    .name = "volume_spring",
    .help = "a spring between the volume of a tetrahedron and its volume at rest",
    .parameter_count = PARAMETERS,
    .projection_size = 12,
    .fields = fields,
    .stiffness_parameter = STIFFNESS,
    .rest_parameter = REST_VOLUME,
    .exceeds_laplacian = true,
    .noun = "tetrahedron",
    .size = "volume",
    TIDE_OWN_EDGES,
    TIDE_DENSE_FUNCTIONS(4),
    .constraint = constraint,
    TIDE_OWN_FUNCTIONS,
};

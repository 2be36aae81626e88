// The strain limit of an edge: E = r^2 W(l / r) with its length l, its length r at rest and the energy W of
// strain_limit.h, k in N/m. Beside a spring it makes a biphasic one, soft within the limits and stiff beyond them, as a
// thread of a net. The direction where both ends coincide is (1, 0, 0), as that of springs.
#include "base/vec3.h"
#include "model/dense_element.h"
#include "model/strain_limit.h"

#include <math.h>

enum {
    STIFFNESS,   // N/m
    REST_LENGTH, // m
    LIMIT,
    PARAMETERS = LIMIT + TIDE_LIMIT_PARAMETERS
};

typedef struct thread {
    double stiffness, rest, length;
    tide_vec3 along;
    tide_limit_energy w;
} thread;

static thread thread_at(const tide_elements *elements, const double *x, uint32_t e)
{
    size_t count = elements->count;
    const double *p = elements->parameters + e;
    const uint32_t *vertex = elements->vertices + 2 * (size_t)e;
    tide_vec3 d =
        tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)vertex[0]), tide_vec3_load(x + 3 * (size_t)vertex[1]));
    tide_limit limit = tide_limit_of(p + LIMIT * count, count);
    thread t = { .stiffness = p[STIFFNESS * count], .rest = p[REST_LENGTH * count], .length = tide_vec3_length(d) };
    t.along = t.length > 0 ? tide_vec3_scale(d, 1 / t.length) : (tide_vec3) { 1, 0, 0 };
    if (t.rest > 0)
        t.w = tide_limit_at(&limit, t.length / t.rest);
    return t;
}

static double energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    double sum = 0;
    for (uint32_t e = begin; e < end; e++) {
        thread t = thread_at(elements, x, e);
        sum += t.stiffness * t.rest * t.rest * t.w.value;
    }
    return sum;
}

static void gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, out += 6) {
        thread t = thread_at(elements, x, e);
        tide_vec3 force = tide_vec3_scale(t.along, t.stiffness * t.rest * t.w.slope);
        tide_vec3_store(out, force);
        tide_vec3_store(out + 3, tide_vec3_scale(force, -1));
    }
}

static void hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    thread t = thread_at(elements, x, element);
    double u[3], along = t.stiffness * t.w.curvature;
    double across = t.w.slope == 0 ? 0 : t.stiffness * t.w.slope * t.rest / fmax(t.length, 1e-8 * t.rest);
    if (project) {
        along = fmax(along, 0);
        across = fmax(across, 0);
    }
    tide_vec3_store(u, t.along);
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 6; j++) {
            double value = (along - across) * (u[i % 3] * u[j % 3]) + (i % 3 == j % 3 ? across : 0);
            out[6 * i + j] = i / 3 == j / 3 ? value : -value;
        }
}

static void laplacian(const tide_elements *elements, uint32_t element, double *out)
{
    double w = TIDE_LIMIT_BOUND * tide_element_stiffness(elements, element);
    out[0] = out[3] = w;
    out[1] = out[2] = -w;
}

// The vector d with w (p0 - p1 - d) = dE/dp0.
static void project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, out += 3) {
        thread t = thread_at(elements, x, e);
        tide_vec3_store(out, tide_vec3_scale(t.along, t.length - t.rest * t.w.slope / TIDE_LIMIT_BOUND));
    }
}

static void strain(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++) {
        thread t = thread_at(elements, x, e);
        *out++ = t.rest > 0 ? t.length / t.rest - 1 : 0;
    }
}

static const char *rest(const tide_element_kind *kind, const double *x, const uint32_t *vertices, double *parameters)
{
    (void)kind;
    if (!tide_given(parameters[REST_LENGTH]))
        parameters[REST_LENGTH] = tide_vec3_length(tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)vertices[0]),
                                                                      tide_vec3_load(x + 3 * (size_t)vertices[1])));
    return parameters[REST_LENGTH] > 0 ? NULL : "has no length at rest; move its vertices apart";
}

static const tide_field fields[] = {
    TIDE_STIFFNESS_FIELD(STIFFNESS, 1e15, "N/m", "k of the limit's energy"),
    TIDE_REST_FIELD("rest_length", REST_LENGTH, 0, 1e15, "m", "length at rest"),
    TIDE_LIMIT_FIELDS(LIMIT),
    { .name = NULL },
};

static const unsigned char edges[] = { 0, 1 };

const tide_element_kind tide_limit_spring = {
    .name = "limit_spring",
    .help = "holds the stretch of an edge within limits",
    .parameter_count = PARAMETERS,
    .projection_size = 3,
    .fields = fields,
    .stiffness_parameter = STIFFNESS,
    .rest_parameter = REST_LENGTH,
    .exceeds_laplacian = true,
    .noun = "thread",
    .size = "length",
    TIDE_OWN_EDGES,
    TIDE_DENSE_FUNCTIONS(2),
    .constraint = tide_dense_constraint,
    TIDE_OWN_FUNCTIONS,
};

#include "model/membrane.h"

#include "base/elementary.h"
#include "base/vec3.h"

#include <float.h>
#include <string.h>

const unsigned char tide_membrane_edges[6] = { 0, 1, 1, 2, 2, 0 };

static const double *law_of(const tide_elements *elements, uint32_t e)
{
    return elements->parameters + TIDE_MEMBRANE_LAW * (size_t)elements->count + e;
}

static double area_of(const tide_elements *elements, uint32_t e)
{
    return elements->parameters[TIDE_MEMBRANE_AREA * (size_t)elements->count + e];
}

static void evaluate(const tide_wide_loop *loop)
{
    const tide_membrane_law *law = loop->elements->kind->context;
    law->evaluate[tide_wide_variant()](loop);
}

double tide_membrane_energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    double sum = 0;
    evaluate(&(tide_wide_loop) { elements, x, false, begin, end, &sum, NULL });
    return sum;
}

void tide_membrane_gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    evaluate(&(tide_wide_loop) { elements, x, false, begin, end, NULL, out });
}

void tide_membrane_accumulate(const tide_elements *elements, const double *quads, uint32_t begin, uint32_t end,
                              double *energy, double *out)
{
    evaluate(&(tide_wide_loop) { elements, quads, true, begin, end, energy, out });
}

// --- one triangle ----------------------------------------------------------------------------------------------------

typedef struct frame {
    double f[2][3];     // columns of F
    double shape[3][2]; // g_c
    tide_membrane_strain c;
} frame;

static frame frame_at(const tide_elements *elements, const double *x, uint32_t e)
{
    frame m;
    size_t count = elements->count;
    const uint32_t *vertex = elements->vertices + 3 * (size_t)e;
    const double *b = elements->parameters + TIDE_MEMBRANE_INVERSE * count + e;
    const double *p0 = x + 3 * (size_t)vertex[0], *p1 = x + 3 * (size_t)vertex[1], *p2 = x + 3 * (size_t)vertex[2];
    for (int a = 0; a < 2; a++) {
        m.shape[1][a] = b[(size_t)a * count];
        m.shape[2][a] = b[((size_t)a + 2) * count];
        m.shape[0][a] = -m.shape[1][a] - m.shape[2][a];
    }
    for (int k = 0; k < 3; k++) {
        double to1 = p1[k] - p0[k], to2 = p2[k] - p0[k];
        m.f[0][k] = to1 * m.shape[1][0] + to2 * m.shape[2][0];
        m.f[1][k] = to1 * m.shape[1][1] + to2 * m.shape[2][1];
    }
    const double *f = m.f[0], *g = m.f[1];
    double n0 = f[1] * g[2] - f[2] * g[1], n1 = f[2] * g[0] - f[0] * g[2], n2 = f[0] * g[1] - f[1] * g[0];
    m.c = (tide_membrane_strain) { f[0] * f[0] + f[1] * f[1] + f[2] * f[2], g[0] * g[0] + g[1] * g[1] + g[2] * g[2],
                                   f[0] * g[0] + f[1] * g[1] + f[2] * g[2], n0 * n0 + n1 * n1 + n2 * n2 };
    return m;
}

tide_membrane_strain tide_membrane_strain_at(const tide_elements *elements, const double *x, uint32_t element)
{
    return frame_at(elements, x, element).c;
}

// The eigenvalues of C are m +- d. The smaller one is the determinant divided by the larger one.
void tide_membrane_singular_values(tide_membrane_strain c, double s[2])
{
    double m = (c.c11 + c.c22) / 2, larger = m + tide_hypot((c.c11 - c.c22) / 2, c.c12);
    s[0] = sqrt(larger);
    s[1] = larger > 0 ? fmin(sqrt(c.det / larger), s[0]) : 0;
}

void tide_membrane_strain_of(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++) {
        double s[2];
        tide_membrane_singular_values(tide_membrane_strain_at(elements, x, e), s);
        *out++ = s[0] - 1 >= 1 - s[1] ? s[0] - 1 : s[1] - 1;
    }
}

double tide_membrane_size_now(const tide_elements *elements, const double *x, uint32_t element)
{
    const tide_membrane_law *law = elements->kind->context;
    tide_membrane_strain c = tide_membrane_strain_at(elements, x, element);
    double thickness = law->thickness ? law->thickness(law_of(elements, element), elements->count, c) : 1;
    return area_of(elements, element) * sqrt(c.det) * thickness;
}

// --- Hessians --------------------------------------------------------------------------------------------------------

// Sets a negative eigenvalue of [a b; b c] to 0.
static void make_semidefinite(double *a, double *b, double *c)
{
    double m = (*a + *c) / 2, d = (*a - *c) / 2, r = tide_hypot(d, *b);
    if (m - r >= 0)
        return;
    double keep = fmax(m + r, 0) / 2, along = r > 0 ? d / r : 0, across = r > 0 ? *b / r : 0;
    *a = keep * (1 + along);
    *b = keep * across;
    *c = keep * (1 - along);
}

// An orthonormal basis with its first two vectors in the plane of F.
typedef struct basis {
    tide_vec3 u[2], n;
} basis;

// Completes u[0] and n. A column without length takes any direction.
static basis make_basis(tide_vec3 f1, tide_vec3 f2)
{
    basis b = { .u = { tide_vec3_normalize(f1) } };
    if (!(tide_vec3_length(b.u[0]) > 0.5))
        b.u[0] = (tide_vec3) { 1, 0, 0 };
    double l = tide_vec3_length(f2);
    tide_vec3 n = tide_vec3_cross(b.u[0], f2);
    if (!(tide_vec3_length(n) > 1e-14 * l))
        n = tide_vec3_cross(b.u[0], fabs(b.u[0].x) < 0.6 ? (tide_vec3) { 1, 0, 0 } : (tide_vec3) { 0, 1, 0 });
    b.n = tide_vec3_normalize(n);
    b.u[1] = tide_vec3_cross(b.n, b.u[0]);
    return b;
}

// Adds value * (d1 e_p' + ...): an entry of the Hessian in F for the directions (column a along `left`) and (column b
// along `right`): H[a][b] += value left right'.
static void add(double h[6][6], int a, tide_vec3 left, int b, tide_vec3 right, double value)
{
    const double l[3] = { left.x, left.y, left.z }, r[3] = { right.x, right.y, right.z };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            h[3 * a + i][3 * b + j] += value * (l[i] * r[j]);
}

static void add_both(double h[6][6], int a, tide_vec3 left, int b, tide_vec3 right, double value)
{
    add(h, a, left, b, right, value);
    add(h, b, right, a, left, value);
}

// d2W/dF2 in the axes of the right singular vectors, where C = diag(s1^2, s2^2), F = [s1 u1, s2 u2].
static void isotropic_hessian(const tide_membrane_law *law, double stiffness, const double *parameters, uint32_t count,
                              const basis *b, const double s[2], bool project, double h[6][6])
{
    tide_membrane_strain c = { s[0] * s[0], s[1] * s[1], 0, s[0] * s[0] * (s[1] * s[1]) };
    tide_membrane_stress p = law->stress(stiffness, parameters, count, c);
    tide_membrane_moduli d = law->moduli(stiffness, parameters, count, c);
    double a11 = p.s11 + d.d11 * c.c11, a22 = p.s22 + d.d22 * c.c22, a12 = d.d12 * (s[0] * s[1]); // stretches
    double b11 = p.s11 + d.d33 * c.c22, b22 = p.s22 + d.d33 * c.c11, b12 = d.d33 * (s[0] * s[1]); // shears
    double n1 = p.s11, n2 = p.s22;                                                                // along n
    if (project) {
        make_semidefinite(&a11, &a12, &a22);
        make_semidefinite(&b11, &b12, &b22);
        n1 = fmax(n1, 0);
        n2 = fmax(n2, 0);
    }
    add(h, 0, b->u[0], 0, b->u[0], a11);
    add(h, 1, b->u[1], 1, b->u[1], a22);
    add_both(h, 0, b->u[0], 1, b->u[1], a12);
    add(h, 0, b->u[1], 0, b->u[1], b11);
    add(h, 1, b->u[0], 1, b->u[0], b22);
    add_both(h, 0, b->u[1], 1, b->u[0], b12);
    add(h, 0, b->n, 0, b->n, n1);
    add(h, 1, b->n, 1, b->n, n2);
}

// Sets the negative eigenvalues of the motions in the plane and of those along the normal to 0.
static void project_in_plane(const basis *b, double s11, double s12, double s22, double h[6][6])
{
    double plane[16], axes[2][3];
    tide_vec3_store(axes[0], b->u[0]);
    tide_vec3_store(axes[1], b->u[1]);
    for (size_t p = 0; p < 4; p++)
        for (size_t q = 0; q < 4; q++) {
            double sum = 0;
            for (size_t i = 0; i < 3; i++)
                for (size_t j = 0; j < 3; j++)
                    sum += axes[p % 2][i] * h[3 * (p / 2) + i][3 * (q / 2) + j] * axes[q % 2][j];
            plane[4 * p + q] = sum;
        }
    tide_dense_make_semidefinite(plane, 4);
    make_semidefinite(&s11, &s12, &s22);
    memset(h, 0, 36 * sizeof(double));
    for (int p = 0; p < 4; p++)
        for (int q = 0; q < 4; q++)
            add(h, p / 2, b->u[p % 2], q / 2, b->u[q % 2], plane[4 * p + q]);
    add(h, 0, b->n, 0, b->n, s11);
    add(h, 1, b->n, 1, b->n, s22);
    add_both(h, 0, b->n, 1, b->n, s12);
}

static void general_hessian(const tide_membrane_law *law, double stiffness, const double *parameters, uint32_t count,
                            const frame *m, bool project, double h[6][6])
{
    tide_membrane_stress p = law->stress(stiffness, parameters, count, m->c);
    tide_membrane_moduli d = law->moduli(stiffness, parameters, count, m->c);
    const double moduli[3][3] = { { d.d11, d.d12, d.d13 }, { d.d12, d.d22, d.d23 }, { d.d13, d.d23, d.d33 } };
    double slope[3][6] = { { 0 } }; // de/dF
    for (int k = 0; k < 3; k++) {
        slope[0][k] = slope[2][3 + k] = m->f[0][k];
        slope[1][3 + k] = slope[2][k] = m->f[1][k];
        h[k][k] += p.s11;
        h[3 + k][3 + k] += p.s22;
        h[k][3 + k] += p.s12;
        h[3 + k][k] += p.s12;
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    h[i][j] += slope[a][i] * moduli[a][b] * slope[b][j];
    if (project) {
        basis b = make_basis(tide_vec3_load(m->f[0]), tide_vec3_load(m->f[1]));
        project_in_plane(&b, p.s11, p.s12, p.s22, h);
    }
}

// Rotates the columns of F and the gradients of the shape functions to the axes of the right singular vectors.
static basis rotate_to_principal(frame *m, double s[2])
{
    double angle = 0.5 * tide_atan2(2 * m->c.c12, m->c.c11 - m->c.c22), cosine = tide_cos(angle),
           sine = tide_sin(angle);
    for (int k = 0; k < 3; k++) {
        double f = m->f[0][k], g = m->f[1][k];
        m->f[0][k] = cosine * f + sine * g;
        m->f[1][k] = cosine * g - sine * f;
    }
    for (int c = 0; c < 3; c++) {
        double f = m->shape[c][0], g = m->shape[c][1];
        m->shape[c][0] = cosine * f + sine * g;
        m->shape[c][1] = cosine * g - sine * f;
    }
    tide_membrane_singular_values(m->c, s);
    return make_basis(tide_vec3_load(m->f[0]), tide_vec3_load(m->f[1]));
}

void tide_membrane_hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    const tide_membrane_law *law = elements->kind->context;
    frame m = frame_at(elements, x, element);
    const double *parameters = law_of(elements, element);
    double h[6][6] = { { 0 } }, s[2], stiffness = elements->parameters[element], area = area_of(elements, element);
    if (law->isotropic) {
        basis b = rotate_to_principal(&m, s);
        isotropic_hessian(law, stiffness, parameters, elements->count, &b, s, project, h);
    } else {
        general_hessian(law, stiffness, parameters, elements->count, &m, project, h);
    }
    for (size_t c = 0; c < 3; c++)
        for (size_t d = 0; d <= c; d++)
            for (size_t i = 0; i < 3; i++)
                for (size_t j = 0; j < 3; j++) {
                    double sum = 0;
                    for (size_t a = 0; a < 2; a++)
                        for (size_t b = 0; b < 2; b++)
                            sum += m.shape[c][a] * m.shape[d][b] * h[3 * a + i][3 * b + j];
                    out[9 * (3 * c + i) + 3 * d + j] = area * sum;
                }
    for (size_t r = 0; r < 9; r++)
        for (size_t c = r + 1; c < 9; c++)
            out[9 * r + c] = out[9 * c + r];
}

// --- the constant matrix and the local projection --------------------------------------------------------------------

double tide_membrane_bound(const tide_elements *elements, uint32_t element)
{
    const tide_membrane_law *law = elements->kind->context;
    return law->bound(elements->parameters[element], law_of(elements, element), elements->count);
}

void tide_membrane_laplacian(const tide_elements *elements, uint32_t element, double *out)
{
    size_t count = elements->count;
    const double *b = elements->parameters + TIDE_MEMBRANE_INVERSE * count + element;
    double w = area_of(elements, element) * tide_membrane_bound(elements, element);
    double shape[3][2] = { { 0 }, { b[0], b[count] }, { b[2 * count], b[3 * count] } };
    for (int a = 0; a < 2; a++)
        shape[0][a] = -shape[1][a] - shape[2][a];
    for (size_t c = 0; c < 3; c++)
        for (size_t d = 0; d < 3; d++)
            out[3 * c + d] = w * (shape[c][0] * shape[d][0] + shape[c][1] * shape[d][1]);
}

void tide_membrane_project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    const tide_membrane_law *law = elements->kind->context;
    for (uint32_t e = begin; e < end; e++, out += 6) {
        frame m = frame_at(elements, x, e);
        double stiffness = elements->parameters[e], w = law->bound(stiffness, law_of(elements, e), elements->count);
        tide_membrane_stress s = law->stress(stiffness, law_of(elements, e), elements->count, m.c);
        double inverse = w == 0 ? 0 : 1 / w;
        for (int k = 0; k < 3; k++) {
            out[k] = m.f[0][k] - inverse * (m.f[0][k] * s.s11 + m.f[1][k] * s.s12);
            out[3 + k] = m.f[1][k] - inverse * (m.f[0][k] * s.s12 + m.f[1][k] * s.s22);
        }
    }
}

// --- the shape at rest -----------------------------------------------------------------------------------------------

const char *tide_membrane_set_axes(const double *x, const uint32_t *vertices, const double warp[3], double *parameters)
{
    tide_vec3 origin = tide_vec3_load(x + 3 * (size_t)vertices[0]);
    tide_vec3 to1 = tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)vertices[1]), origin);
    tide_vec3 to2 = tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)vertices[2]), origin);
    tide_vec3 twice = tide_vec3_cross(to1, to2), normal = tide_vec3_normalize(twice), along = tide_vec3_load(warp);
    tide_vec3 flat = tide_vec3_subtract(along, tide_vec3_scale(normal, tide_vec3_dot(normal, along)));
    double det = tide_vec3_length(twice);
    if (!(det / 2 > 0))
        return "has no area at rest; move its vertices apart";
    if (!(tide_vec3_length(flat) > 1e-6 * tide_vec3_length(along)))
        return "lies across the direction of the warp; give another direction";
    tide_vec3 axis = tide_vec3_normalize(flat), other = tide_vec3_cross(normal, axis);
    double a = tide_vec3_dot(to1, axis), b = tide_vec3_dot(to2, axis), c = tide_vec3_dot(to1, other),
           d = tide_vec3_dot(to2, other); // [X1 - X0, X2 - X0] = [a b; c d]
    parameters[TIDE_MEMBRANE_AREA] = det / 2;
    parameters[TIDE_MEMBRANE_INVERSE] = d / det;
    parameters[TIDE_MEMBRANE_INVERSE + 1] = -b / det;
    parameters[TIDE_MEMBRANE_INVERSE + 2] = -c / det;
    parameters[TIDE_MEMBRANE_INVERSE + 3] = a / det;
    return NULL;
}

const char *tide_membrane_rest(const tide_element_kind *kind, const double *x, const uint32_t *vertices,
                               double *parameters)
{
    (void)kind;
    double warp[3], computed[TIDE_MEMBRANE_LAW];
    tide_vec3_store(warp, tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)vertices[1]),
                                             tide_vec3_load(x + 3 * (size_t)vertices[0])));
    const char *wrong = tide_membrane_set_axes(x, vertices, warp, computed);
    for (int p = TIDE_MEMBRANE_AREA; p < TIDE_MEMBRANE_LAW; p++)
        if (!tide_given(parameters[p])) {
            if (wrong)
                return wrong;
            parameters[p] = computed[p];
        }
    return NULL;
}

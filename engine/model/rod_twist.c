// The bending and twist of a rod with a round cross-section at the middle one of three vertices (Bergou et al. 2008,
// Discrete elastic rods, sec. 4.2). Each of its two edges has a frame t, d, e (rod_frame.h). With s = 1 + t0 . t1,
//
//     kb = 2 t0 x t1 / s,   k_j = (kb . d_j, kb . e_j),   tan m = (e0 . d1 - d0 . e1) / (d0 . d1 + e0 . e1)
//     E = k/4 sum_j |k_j - k0_j|^2 + k c/2 (m - m0)^2
//
// kb is the integral of the curvature, 2 tan(phi / 2) as in rod_bend.c, m the angle between d1 and d0 after parallel
// transport from t0 to t1. k = E I / D, and c = G J / E I = 1 / (1 + poisson). A rod that is straight at rest has the
// bending energy of rod_bend.c; where it is curved at rest, the curvature has a direction in the frames. The difference
// m - m0 is taken within (-pi, pi]: twist beyond half a turn at one vertex slips.
//
// E changes only when the frames turn against each other: dE = N . (w1 - w0). With f = kb / 2 where s is not bounded,
// v_j = (k_j - k0_j) in the frame j, and v = v0 + v1,
//
//     N = k/2 (2 t1 x (v x t0) / s + (kb . v) f + v1 x kb) + k c (m - m0) (t0 + t1) / s
//     dE/da = (N x t) / l - (N . t) z / (r l) e,    dE/dp = (N . t) / r e
//
// each with the sign of the edge. The Hessian is the derivative of these in twelve directions. Where edges fold back,
// s is bounded by 1e-6, so E and dE/dx are finite.
//
// The constant matrix is the Hessian of a straight rod along each axis, and the part of the curvature at rest: with the
// weights u of the edges' difference and v_j of (g_j - middle_j) / r_j,
//
//     L = k (u u' + c (v1 - v0) (v1 - v0)' + c0^2 / 2 (v0 v0' + v1 v1'))
//
// If d0 and d1 differ by more than TURNED at rest, 2 c (v0 v0' + v1 v1') takes the place of the second term.
#include "model/rod_twist.h"
#include "base/elementary.h"
#include "model/dense_element.h"
#include "model/rod_frame.h"

#include <string.h>

enum { CORNERS = 5, SIDE = 3 * CORNERS, MOTIONS = 12 };

#define LEAST_SUM 1e-6 // of s
#define TURNED 0.3     // rad

static const double pi = 3.14159265358979323846;

// Weights of the vertices in a and p of both edges.
static const double on_edge[2][CORNERS] = { { -1, 1, 0, 0, 0 }, { 0, -1, 1, 0, 0 } };
static const double on_point[2][CORNERS] = { { -0.5, -0.5, 0, 1, 0 }, { 0, -0.5, -0.5, 0, 1 } };

typedef struct joint {
    tide_rod_frame frames[2];
    double k, ratio, s;
    bool folded;              // s is bounded
    tide_vec3 curvature;      // kb
    double angle, excess;     // m, m - m0
    double off[2][2];         // k_j - k0_j
    tide_vec3 v[2], sum, arc; // v_j; v0 + v1; (t0 + t1) / s
    tide_vec3 moment;         // N
} joint;

static inline double parameter(const tide_elements *elements, size_t which, uint32_t e)
{
    return elements->parameters[which * elements->count + e];
}

static inline tide_vec3 combine(double a, tide_vec3 u, double b, tide_vec3 v)
{
    return tide_vec3_add(tide_vec3_scale(u, a), tide_vec3_scale(v, b));
}

static void find_frames(joint *j, const double *x, const uint32_t *v, double sign)
{
    for (size_t i = 0; i < 2; i++)
        j->frames[i] = tide_rod_frame_of(x + 3 * (size_t)v[i], x + 3 * (size_t)v[i + 1], x + 3 * (size_t)v[3 + i],
                                         i == 1 ? sign : 1);
    const tide_rod_frame *a = &j->frames[0], *b = &j->frames[1];
    tide_vec3 both = tide_vec3_add(a->t, b->t);
    double sum = a->length > 0 && b->length > 0 ? tide_vec3_dot(both, both) / 2 : 2;
    j->folded = sum < LEAST_SUM;
    j->s = fmax(sum, LEAST_SUM);
    j->curvature = tide_vec3_scale(tide_vec3_cross(a->t, b->t), 2 / j->s);
    j->arc = tide_vec3_scale(both, 1 / j->s);
    j->angle = tide_atan2(tide_vec3_dot(a->e, b->d) - tide_vec3_dot(a->d, b->e),
                          tide_vec3_dot(a->d, b->d) + tide_vec3_dot(a->e, b->e));
}

static joint joint_at(const tide_elements *elements, const double *x, uint32_t e)
{
    joint j = { .k = parameter(elements, TIDE_ROD_TWIST_STIFFNESS, e),
                .ratio = parameter(elements, TIDE_ROD_TWIST_RATIO, e) };
    find_frames(&j, x, elements->vertices + CORNERS * (size_t)e, parameter(elements, TIDE_ROD_TWIST_ARM_2, e));
    double rest = parameter(elements, TIDE_ROD_TWIST_CURVATURE, e);
    for (size_t i = 0; i < 2; i++) {
        const tide_rod_frame *f = &j.frames[i];
        j.off[i][0] =
            tide_vec3_dot(j.curvature, f->d) - rest * parameter(elements, TIDE_ROD_TWIST_DIRECTION_1 + 2 * i, e);
        j.off[i][1] =
            tide_vec3_dot(j.curvature, f->e) - rest * parameter(elements, TIDE_ROD_TWIST_DIRECTION_1 + 2 * i + 1, e);
        j.v[i] = combine(j.off[i][0], f->d, j.off[i][1], f->e);
    }
    j.sum = tide_vec3_add(j.v[0], j.v[1]);
    j.excess = j.angle - parameter(elements, TIDE_ROD_TWIST_ANGLE, e);
    j.excess -= 2 * pi * ceil(j.excess / (2 * pi) - 0.5);
    return j;
}

// Returns half the sum of the squares of both differences of curvature.
static double square_of(const joint *j)
{
    return (j->off[0][0] * j->off[0][0] + j->off[0][1] * j->off[0][1] + j->off[1][0] * j->off[1][0] +
            j->off[1][1] * j->off[1][1]) /
           2;
}

static double energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    double sum = 0;
    for (uint32_t e = begin; e < end; e++) {
        joint j = joint_at(elements, x, e);
        sum += 0.5 * j.k * (square_of(&j) + j.ratio * (j.excess * j.excess));
    }
    return sum;
}

// Returns 2 t1 x (v x t0).
static tide_vec3 doubled(tide_vec3 t1, tide_vec3 v, tide_vec3 t0)
{
    return tide_vec3_scale(tide_vec3_cross(t1, tide_vec3_cross(v, t0)), 2);
}

static void find_moment(joint *j)
{
    tide_vec3 bend = tide_vec3_scale(doubled(j->frames[1].t, j->sum, j->frames[0].t), 1 / j->s);
    bend = tide_vec3_add(bend, tide_vec3_cross(j->v[1], j->curvature));
    if (!j->folded)
        bend = tide_vec3_add(bend, tide_vec3_scale(j->curvature, tide_vec3_dot(j->curvature, j->sum) / 2));
    j->moment = combine(0.5 * j->k, bend, j->k * j->ratio * j->excess, j->arc);
}

// Adds forces on a and p of an edge to those of its points.
static void add_forces(size_t edge, double sign, tide_vec3 on_a, tide_vec3 on_p, double *out)
{
    double a[3], p[3];
    tide_vec3_store(a, on_a);
    tide_vec3_store(p, on_p);
    for (size_t i = 0; i < SIDE; i++)
        out[i] += sign * (on_edge[edge][i / 3] * a[i % 3] + on_point[edge][i / 3] * p[i % 3]);
}

static void gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, out += SIDE) {
        joint j = joint_at(elements, x, e);
        find_moment(&j);
        memset(out, 0, SIDE * sizeof *out);
        for (size_t i = 0; i < 2; i++) {
            const tide_rod_frame *f = &j.frames[i];
            double axial = tide_vec3_dot(j.moment, f->t) * f->inverse_arm;
            add_forces(
                i, i ? 1 : -1,
                combine(f->inverse_length, tide_vec3_cross(j.moment, f->t), -axial * f->z * f->inverse_length, f->e),
                tide_vec3_scale(f->e, axial), out);
        }
    }
}

// --- the Hessian -----------------------------------------------------------------------------------------------------

// Returns the derivative of the moment when the frames turn.
static tide_vec3 moment_change(const joint *j, const tide_rod_turn turns[2])
{
    const tide_rod_frame *f = j->frames;
    double ds = j->folded ? 0 : tide_vec3_dot(turns[0].t, f[1].t) + tide_vec3_dot(f[0].t, turns[1].t),
           inverse = 1 / j->s;
    tide_vec3 bent = tide_vec3_add(tide_vec3_cross(turns[0].t, f[1].t), tide_vec3_cross(f[0].t, turns[1].t));
    bent = combine(2 * inverse, bent, -ds * inverse, j->curvature);
    tide_vec3 dv[2];
    for (int i = 0; i < 2; i++) {
        double d = tide_vec3_dot(bent, f[i].d) + tide_vec3_dot(j->curvature, turns[i].d);
        double e = tide_vec3_dot(bent, f[i].e) + tide_vec3_dot(j->curvature, turns[i].e);
        dv[i] =
            tide_vec3_add(combine(d, f[i].d, e, f[i].e), combine(j->off[i][0], turns[i].d, j->off[i][1], turns[i].e));
    }
    tide_vec3 dsum = tide_vec3_add(dv[0], dv[1]);
    tide_vec3 change = tide_vec3_add(doubled(turns[1].t, j->sum, f[0].t),
                                     tide_vec3_add(doubled(f[1].t, dsum, f[0].t), doubled(f[1].t, j->sum, turns[0].t)));
    change = combine(inverse, change, -ds * inverse * inverse, doubled(f[1].t, j->sum, f[0].t));
    change = tide_vec3_add(change, tide_vec3_add(tide_vec3_cross(dv[1], j->curvature), tide_vec3_cross(j->v[1], bent)));
    if (!j->folded)
        change = tide_vec3_add(change, combine(0.5 * (tide_vec3_dot(bent, j->sum) + tide_vec3_dot(j->curvature, dsum)),
                                               j->curvature, 0.5 * tide_vec3_dot(j->curvature, j->sum), bent));
    double twist = tide_vec3_dot(tide_vec3_subtract(turns[1].w, turns[0].w), j->arc);
    tide_vec3 arc = combine(inverse, tide_vec3_add(turns[0].t, turns[1].t), -ds * inverse, j->arc);
    tide_vec3 twisting = combine(twist, j->arc, j->excess, arc);
    return combine(0.5 * j->k, change, j->k * j->ratio, twisting);
}

// Computes the derivative of the gradient when the edge `moved` changes by da, dp.
static void gradient_change(const joint *j, size_t moved, tide_vec3 da, tide_vec3 dp, double out[SIDE])
{
    tide_rod_turn turns[2] = { { .length = 0 }, { .length = 0 } };
    turns[moved] = tide_rod_frame_turn(&j->frames[moved], da, dp);
    tide_vec3 moment = moment_change(j, turns);
    memset(out, 0, SIDE * sizeof *out);
    for (size_t i = 0; i < 2; i++) {
        const tide_rod_frame *f = &j->frames[i];
        const tide_rod_turn *w = &turns[i];
        double axial = tide_vec3_dot(j->moment, f->t) * f->inverse_arm;
        double d_axial =
            (tide_vec3_dot(moment, f->t) + tide_vec3_dot(j->moment, w->t) - axial * w->arm) * f->inverse_arm;
        double tilt = axial * f->z * f->inverse_length;
        double d_tilt = (d_axial * f->z + axial * w->z - tilt * w->length) * f->inverse_length;
        tide_vec3 turned = tide_vec3_add(tide_vec3_cross(moment, f->t), tide_vec3_cross(j->moment, w->t));
        turned = tide_vec3_subtract(turned,
                                    tide_vec3_scale(tide_vec3_cross(j->moment, f->t), w->length * f->inverse_length));
        tide_vec3 on_a =
            tide_vec3_subtract(tide_vec3_scale(turned, f->inverse_length), combine(d_tilt, f->e, tilt, w->e));
        add_forces(i, i ? 1 : -1, on_a, combine(d_axial, f->e, axial, w->e), out);
    }
}

static void hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    joint j = joint_at(elements, x, element);
    double columns[MOTIONS][SIDE], full[SIDE * SIDE];
    memset(out, 0, SIDE * SIDE * sizeof *out);
    for (int i = 0; i < 2; i++)
        if (!(j.frames[i].length > 0 && j.frames[i].arm != 0))
            return;
    find_moment(&j);
    for (size_t m = 0; m < MOTIONS; m++) {
        tide_vec3 axis = { m % 3 == 0, m % 3 == 1, m % 3 == 2 }, none = { 0, 0, 0 };
        bool edge = m / 3 % 2 == 0;
        gradient_change(&j, m / 6, edge ? axis : none, edge ? none : axis, columns[m]);
    }
    for (size_t r = 0; r < SIDE; r++)
        for (size_t c = 0; c < SIDE; c++) {
            full[SIDE * r + c] = 0;
            for (size_t i = 0; i < 2; i++)
                full[SIDE * r + c] +=
                    on_edge[i][r / 3] * columns[6 * i + r % 3][c] + on_point[i][r / 3] * columns[6 * i + 3 + r % 3][c];
        }
    for (size_t r = 0; r < SIDE; r++)
        for (size_t c = 0; c <= r; c++)
            out[SIDE * r + c] = out[SIDE * c + r] = 0.5 * (full[SIDE * r + c] + full[SIDE * c + r]);
    if (project)
        tide_dense_make_semidefinite(out, SIDE);
}

// --- the constant matrix ---------------------------------------------------------------------------------------------

static void add_square(const double weights[CORNERS], double factor, double *out)
{
    for (int r = 0; r < CORNERS; r++)
        for (int c = 0; c < CORNERS; c++)
            out[CORNERS * r + c] += factor * (weights[r] * weights[c]);
}

static void laplacian(const tide_elements *elements, uint32_t element, double *out)
{
    double k = parameter(elements, TIDE_ROD_TWIST_STIFFNESS, element);
    double ratio = parameter(elements, TIDE_ROD_TWIST_RATIO, element);
    double rest = parameter(elements, TIDE_ROD_TWIST_CURVATURE, element), bend[CORNERS], twist[3][CORNERS];
    for (int c = 0; c < CORNERS; c++) {
        bend[c] = on_edge[1][c] / parameter(elements, TIDE_ROD_TWIST_LENGTH_2, element) -
                  on_edge[0][c] / parameter(elements, TIDE_ROD_TWIST_LENGTH_1, element);
        twist[0][c] = on_point[0][c] / parameter(elements, TIDE_ROD_TWIST_ARM_1, element);
        twist[1][c] = on_point[1][c] / parameter(elements, TIDE_ROD_TWIST_ARM_2, element);
        twist[2][c] = twist[1][c] - twist[0][c];
    }
    bool turned = fabs(parameter(elements, TIDE_ROD_TWIST_ANGLE, element)) > TURNED || rest > TURNED;
    double own = rest * rest / 2 + (turned ? 2 * ratio : 0);
    memset(out, 0, CORNERS * CORNERS * sizeof *out);
    add_square(bend, k, out);
    add_square(twist[0], k * own, out);
    add_square(twist[1], k * own, out);
    if (!turned)
        add_square(twist[2], k * ratio, out);
}

// --- the shape at rest, and strains ----------------------------------------------------------------------------------

static void strain(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++) {
        joint j = joint_at(elements, x, e);
        *out++ = parameter(elements, TIDE_ROD_TWIST_STRAIN, e) * sqrt(square_of(&j) + j.excess * j.excess / 3);
    }
}

// Rotates two numbers by an angle.
static void rotate(const double from[2], double angle, double to[2])
{
    double c = tide_cos(angle), s = tide_sin(angle), first = from[0];
    to[0] = c * first - s * from[1];
    to[1] = s * first + c * from[1];
}

static void rest_of(const tide_elements *elements, uint32_t e, double curvature[2], double *angle)
{
    double size = parameter(elements, TIDE_ROD_TWIST_CURVATURE, e);
    const double first[2] = { size * parameter(elements, TIDE_ROD_TWIST_DIRECTION_1, e),
                              size * parameter(elements, TIDE_ROD_TWIST_DIRECTION_1 + 1, e) };
    *angle = parameter(elements, TIDE_ROD_TWIST_ANGLE, e);
    rotate(first, -*angle / 2, curvature);
}

void tide_rod_twist_strains(const tide_elements *elements, const double *x, uint32_t e, double strains[3])
{
    joint j = joint_at(elements, x, e);
    double rest[2], angle;
    const double now[2] = { tide_vec3_dot(j.curvature, j.frames[0].d), tide_vec3_dot(j.curvature, j.frames[0].e) };
    rest_of(elements, e, rest, &angle);
    rotate(now, -(angle + j.excess) / 2, strains);
    strains[0] -= rest[0];
    strains[1] -= rest[1];
    strains[2] = j.excess;
}

static void set_rest(tide_elements *elements, uint32_t e, const double curvature[2], double angle)
{
    double size = tide_hypot(curvature[0], curvature[1]);
    double direction[2] = { size > 0 ? curvature[0] / size : 1, size > 0 ? curvature[1] / size : 0 }, turned[2];
    double *own = elements->parameters + e;
    size_t count = elements->count;
    own[TIDE_ROD_TWIST_CURVATURE * count] = size;
    own[TIDE_ROD_TWIST_ANGLE * count] = angle;
    for (size_t i = 0; i < 2; i++) {
        rotate(direction, i ? -angle / 2 : angle / 2, turned);
        own[(TIDE_ROD_TWIST_DIRECTION_1 + 2 * i) * count] = turned[0];
        own[(TIDE_ROD_TWIST_DIRECTION_1 + 2 * i + 1) * count] = turned[1];
    }
}

void tide_rod_twist_add_rest(tide_elements *elements, uint32_t e, const double strains[3])
{
    double curvature[2], angle;
    rest_of(elements, e, curvature, &angle);
    curvature[0] += strains[0];
    curvature[1] += strains[1];
    set_rest(elements, e, curvature, angle + strains[2]);
}

static const char *rest(const tide_element_kind *kind, const double *x, const uint32_t *vertices, double *parameters)
{
    (void)kind;
    joint j = { .k = 0 };
    find_frames(&j, x, vertices, 1);
    bool opposite = fabs(j.angle) > pi / 2;
    if (opposite)
        find_frames(&j, x, vertices, -1);
    for (int i = 0; i < 2; i++) {
        if (!(j.frames[i].length > 0))
            return "has an edge without length at rest; move its vertices apart";
        if (j.frames[i].arm == 0)
            return "has a frame without a direction at rest; move its vertices apart";
        parameters[TIDE_ROD_TWIST_LENGTH_1 + i] = j.frames[i].length;
        parameters[TIDE_ROD_TWIST_ARM_1 + i] = j.frames[i].arm;
    }
    if (j.folded)
        return "is folded back on itself at rest; open its angle";
    const double first[2] = { tide_vec3_dot(j.curvature, j.frames[0].d), tide_vec3_dot(j.curvature, j.frames[0].e) };
    double half[2];
    tide_elements elements = { &tide_rod_twist, 1, NULL, parameters };
    rotate(first, -j.angle / 2, half);
    set_rest(&elements, 0, half, j.angle);
    return NULL;
}

static const unsigned char edges[] = { 0, 1, 1, 2 };

const tide_element_kind tide_rod_twist = {
    .name = "rod_twist",
    .help = "the bending and twist of a rod at a vertex",
    .hidden_count = 2,
    .parameter_count = TIDE_ROD_TWIST_PARAMETERS,
    .projection_size = SIDE,
    .stiffness_parameter = TIDE_ROD_TWIST_STIFFNESS,
    .rest_parameter = TIDE_ELEMENT_NO_PARAMETER,
    .noun = "bend",
    .size = "curvature",
    TIDE_OWN_EDGES,
    .exceeds_laplacian = true,
    .rest = rest,
    .energy = energy,
    .gradient = gradient,
    .hessian = hessian,
    .laplacian = laplacian,
    .project = tide_dense_project,
    TIDE_DENSE_FUNCTIONS(CORNERS),
    .constraint = tide_dense_constraint,
    .strain = strain,
};

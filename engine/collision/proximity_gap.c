// The gap, normal and weights of a pair of features.
#include "collision/closest_points.h"
#include "collision/proximity_state.h"

// Tolerance of barycentric weights: points so little outside count as inside, so that nothing slips between two
// triangles.
#define BORDER 1e-6
// Sine of the angle between edges below which the closest points jump between the ends; the ends then decide.
#define PARALLEL 1e-3
// Relative error of lengths along a normal that was rounded to floats, with room.
#define ROUNDING 1e-6
// relative to the distance: farther beside a triangle than this is not near
#define BESIDE 2
enum { CROSSING_STEPS = 60 };

static inline tide_vec3 at(const double *x, uint32_t point)
{
    return tide_vec3_load(x + 3 * (size_t)point);
}

// --- the start

tide_edges_apart tide_proximity_edges_apart(const tide_contact_pair *pair)
{
    tide_vec3 q[4];
    for (int n = 0; n < 4; n++)
        q[n] = at(pair->from, pair->points[n]);
    tide_edges_apart start = { .first = tide_vec3_subtract(q[1], q[0]),
                               .second = tide_vec3_subtract(q[3], q[2]),
                               .apart = tide_vec3_subtract(q[0], q[2]) };
    start.cross = tide_vec3_cross(start.first, start.second);
    return start;
}

tide_vec3 tide_proximity_edges_closest(const tide_contact_pair *pair, const tide_edges_apart *at_start, double *square,
                                       bool *between)
{
    const double *q[4];
    double s, t;
    for (int n = 0; n < 4; n++)
        q[n] = pair->from + 3 * (size_t)pair->points[n];
    *square = tide_closest_of_segments(q[0], q[1], q[2], q[3], &s, &t);
    *between = s > 0 && s < 1 && t > 0 && t < 1;
    return tide_vec3_add(at_start->apart,
                         tide_vec3_subtract(tide_vec3_scale(at_start->first, s), tide_vec3_scale(at_start->second, t)));
}

// Sets the direction of the side, and the one that counts where that has no length.
static void side_directions(const tide_contact_pair *pair, tide_vec3 *direction, tide_vec3 *otherwise)
{
    *otherwise = (tide_vec3) { 0, 1, 0 };
    if (pair->kind == TIDE_PAIR_POINTS) {
        *direction = tide_vec3_subtract(at(pair->from, pair->points[0]), at(pair->from, pair->points[1]));
    } else if (pair->kind == TIDE_PAIR_TRIANGLE) {
        tide_vec3 a = at(pair->from, pair->points[1]);
        tide_vec3 n = tide_vec3_cross(tide_vec3_subtract(at(pair->from, pair->points[2]), a),
                                      tide_vec3_subtract(at(pair->from, pair->points[3]), a));
        *direction = pair->reversed ? tide_vec3_scale(n, -1) : n;
    } else {
        tide_edges_apart start = tide_proximity_edges_apart(pair);
        double square;
        bool between;
        tide_vec3 d = tide_proximity_edges_closest(pair, &start, &square, &between);
        *direction = pair->inside ? tide_vec3_scale(d, -1) : d;
        *otherwise = tide_vec3_scale(start.cross, pair->reversed ? -1 : 1);
    }
}

void tide_proximity_side(tide_contact_pair *pair)
{
    if (pair->sided)
        return;
    tide_vec3 direction, otherwise;
    side_directions(pair, &direction, &otherwise);
    double length = tide_vec3_length(direction);
    if (!(length > 1e-150)) {
        direction = otherwise;
        length = tide_vec3_length(direction);
    }
    tide_vec3_store(pair->side, length > 1e-150 ? tide_vec3_scale(direction, 1 / length) : (tide_vec3) { 0, 1, 0 });
    pair->sided = true;
}

static tide_vec3 side_of(const tide_contact_pair *pair)
{
    tide_contact_pair copy = *pair;
    tide_proximity_side(&copy);
    return tide_vec3_load(copy.side);
}

// --- the gap

static inline tide_vec3 at_time(const double *from, const double *x, uint32_t point, double t)
{
    tide_vec3 a = at(from, point), b = at(x, point);
    return tide_vec3_add(tide_vec3_scale(a, 1 - t), tide_vec3_scale(b, t));
}

static inline void lerp(const tide_contact_pair *pair, const double *x, double t, double p[4][3])
{
    for (int k = 0; k < 4; k++)
        tide_vec3_store(p[k], at_time(pair->from, x, pair->points[k], t));
}

static inline tide_vec3 from_to(const double *a, const double *b)
{
    return (tide_vec3) { b[0] - a[0], b[1] - a[1], b[2] - a[2] };
}

// Returns six times the volume that the points span; positive for a point above its triangle, or the first edge above
// the second.
static double volume(const tide_contact_pair *pair, double p[4][3])
{
    if (pair->kind == TIDE_PAIR_TRIANGLE)
        return tide_vec3_dot(tide_vec3_cross(from_to(p[1], p[2]), from_to(p[1], p[3])), from_to(p[1], p[0]));
    return tide_vec3_dot(tide_vec3_cross(from_to(p[0], p[1]), from_to(p[2], p[3])), from_to(p[2], p[0]));
}

// Finds when the points were in one plane; the volume at x has another sign than at the start. Uses false position with
// the weight of a retained end halved (the Illinois method; Dowell and Jarratt 1971).
static void crossing_place(const tide_contact_pair *pair, const double *x, double p[4][3])
{
    double low = 0, high = 1;
    lerp(pair, x, 0, p);
    double at_low = volume(pair, p), limit;
    lerp(pair, x, 1, p);
    double at_high = volume(pair, p);
    limit = 1e-14 * (fabs(at_low) + fabs(at_high));
    for (int i = 0, side = 0; i < CROSSING_STEPS && high - low > 1e-15 && fabs(at_low) > 0; i++) {
        double t = low + (high - low) * (at_low / (at_low - at_high));
        if (!(t > low && t < high))
            t = 0.5 * (low + high);
        lerp(pair, x, t, p);
        double v = volume(pair, p);
        if (fabs(v) <= limit)
            return;
        bool before = (v < 0) == pair->reversed;
        if (before) {
            low = t;
            at_low = v;
            at_high *= side == 1 ? 0.5 : 1;
        } else {
            high = t;
            at_high = v;
            at_low *= side == -1 ? 0.5 : 1;
        }
        side = before ? 1 : -1;
    }
}

static bool inside(const double weights[3])
{
    return weights[0] >= -BORDER && weights[1] >= -BORDER && weights[2] >= -BORDER;
}

static void set_triangle_weights(tide_contact_gap *gap, const double weights[3])
{
    double w[3], sum = 0;
    for (int k = 0; k < 3; k++)
        sum += w[k] = weights[k] > 0 ? weights[k] : 0;
    gap->weights[0] = 1;
    for (int k = 0; k < 3; k++)
        gap->weights[1 + k] = -w[k] / sum;
}

// Returns the bits of the corner or edge on which the weights lie; all bits for the inside.
static unsigned border_of(const double weights[3])
{
    int zeros = 0, sum = 0;
    for (int k = 0; k < 3; k++) {
        zeros += weights[k] == 0;
        sum += weights[k] == 0 ? k : 0;
    }
    if (zeros == 0)
        return TIDE_OWNS_ALL;
    return zeros == 1 ? (unsigned)TIDE_OWNS_EDGE << (sum + 1) % 3 : (unsigned)TIDE_OWNS_CORNER << (3 - sum);
}

// Computes the gap beside the triangle, or where the point has gone round its border: the normal points away from the
// closest point.
static void border_gap(const tide_contact_pair *pair, const double *p, const double *a, const double *b,
                       const double *c, tide_contact_gap *gap)
{
    double weights[3], square = tide_closest_on_triangle(p, a, b, c, weights);
    tide_vec3 d = tide_vec3_scale(from_to(a, p), weights[0]);
    d = tide_vec3_add(d, tide_vec3_scale(from_to(b, p), weights[1]));
    d = tide_vec3_add(d, tide_vec3_scale(from_to(c, p), weights[2]));
    // The two lengths may differ by rounding where the points coincide, so both must be positive.
    double length = tide_vec3_length(d);
    gap->near = square > 0 && length > 0 && length <= BESIDE * pair->distance && pair->owns & border_of(weights);
    if (!gap->near)
        return;
    gap->gap = length - pair->distance;
    tide_vec3_store(gap->normal, tide_vec3_scale(d, 1 / length));
    set_triangle_weights(gap, weights);
}

static void triangle_gap(const tide_contact_pair *pair, const double *x, tide_contact_gap *gap)
{
    const double *p = x + 3 * (size_t)pair->points[0], *a = x + 3 * (size_t)pair->points[1];
    const double *b = x + 3 * (size_t)pair->points[2], *c = x + 3 * (size_t)pair->points[3];
    double weights[3];
    gap->near = false;
    if (!tide_triangle_weights(p, a, b, c, weights))
        return;
    tide_vec3 n = tide_vec3_normalize(tide_vec3_cross(from_to(a, b), from_to(a, c)));
    if (pair->reversed)
        n = tide_vec3_scale(n, -1);
    double height = tide_vec3_dot(n, from_to(a, p));
    if (pair->inside && !inside(weights))
        return;
    if (height < 0 && !pair->inside) {
        double crossing[4][3], then[3];
        crossing_place(pair, x, crossing);
        if (!tide_triangle_weights(crossing[0], crossing[1], crossing[2], crossing[3], then) || !inside(then)) {
            border_gap(pair, p, a, b, c, gap);
            return;
        }
        if (!inside(weights))
            for (int k = 0; k < 3; k++)
                weights[k] = then[k];
    } else if (!inside(weights)) {
        border_gap(pair, p, a, b, c, gap);
        return;
    }
    gap->near = true;
    gap->gap = height - pair->distance;
    tide_vec3_store(gap->normal, n);
    set_triangle_weights(gap, weights);
}

// Tells whether the segments touch up to rounding, and where.
static bool segments_meet(double p[4][3], double *s, double *t)
{
    double distance2 = tide_closest_of_segments(p[0], p[1], p[2], p[3], s, t);
    tide_vec3 u = from_to(p[0], p[1]), v = from_to(p[2], p[3]);
    return distance2 <= 1e-12 * (tide_vec3_dot(u, u) + tide_vec3_dot(v, v));
}

static bool between_ends(double s, double t)
{
    return s >= BORDER && s <= 1 - BORDER && t >= BORDER && t <= 1 - BORDER;
}

static void edges_gap(const tide_contact_pair *pair, const double *x, tide_contact_gap *gap)
{
    const double *a = x + 3 * (size_t)pair->points[0], *b = x + 3 * (size_t)pair->points[1];
    const double *c = x + 3 * (size_t)pair->points[2], *d = x + 3 * (size_t)pair->points[3];
    double s, t, distance = sqrt(tide_closest_of_segments(a, b, c, d, &s, &t));
    tide_vec3 u = from_to(a, b), v = from_to(c, d), cross = tide_vec3_cross(u, v);
    double area = tide_vec3_length(cross), scale = sqrt(tide_vec3_dot(u, u) * tide_vec3_dot(v, v));
    double above = tide_vec3_dot(cross, from_to(c, a));
    bool through = pair->reversed ? above >= 0 : above < 0;
    bool near = pair->ends || (between_ends(s, t) && (area > PARALLEL * scale || pair->inside));
    if (through && !pair->inside) {
        double p[4][3], s1, t1;
        crossing_place(pair, x, p);
        through = segments_meet(p, &s1, &t1);
        if (through && !between_ends(s, t)) {
            s = s1;
            t = t1;
        }
        near = near || through;
    }
    gap->near = near;
    if (!near)
        return;
    // The difference of the closest points is accurate when the edges are apart, the normal of the edges when they
    // cross at a large angle.
    tide_vec3 difference =
        tide_vec3_subtract(tide_vec3_add(from_to(c, a), tide_vec3_scale(u, s)), tide_vec3_scale(v, t));
    tide_vec3 n;
    if (through && area > 1e-9 * scale)
        n = tide_vec3_scale(cross, (pair->reversed ? -1 : 1) / area);
    else if (through || !(distance > 0))
        n = side_of(pair);
    else if (area > PARALLEL * scale && between_ends(s, t))
        n = tide_vec3_scale(cross, (above < 0 ? -1 : 1) / area);
    else // the points coincide up to rounding: the length differs from the distance
        n = tide_vec3_length(difference) > 0 ? tide_vec3_normalize(difference) : side_of(pair);
    gap->gap = tide_vec3_dot(n, difference) - pair->distance;
    tide_vec3_store(gap->normal, n);
    gap->weights[0] = 1 - s;
    gap->weights[1] = s;
    gap->weights[2] = t - 1;
    gap->weights[3] = -t;
}

static void points_gap(const tide_contact_pair *pair, const double *x, tide_contact_gap *gap)
{
    uint32_t i = pair->points[0], j = pair->points[1];
    tide_vec3 d = tide_vec3_subtract(at(x, i), at(x, j)), d0 = tide_vec3_subtract(at(pair->from, i), at(pair->from, j));
    tide_vec3 n = { 0 };
    double length = tide_vec3_length(d);
    bool past = !(tide_vec3_dot(d, d0) > 0); // or beside each other, or in one place
    if (past || !(length > 0)) {
        n = side_of(pair);
        past = tide_vec3_dot(d, n) < 0;
    }
    if (past) {
        // The points have moved past each other. They have passed through each other if they came closer than the
        // distance on the way; the normal is then that of their first touch.
        tide_vec3 way = tide_vec3_subtract(d, d0);
        double ww = tide_vec3_dot(way, way), dw = tide_vec3_dot(d0, way);
        double outside = tide_vec3_dot(d0, d0) - pair->distance * pair->distance;
        double root = dw * dw - ww * outside;
        past = outside <= 0 || root > 0;
        if (outside > 0 && past)
            n = tide_vec3_normalize(tide_vec3_add(d0, tide_vec3_scale(way, outside / (sqrt(root) - dw))));
    }
    if (!past && length > 0)
        n = tide_vec3_scale(d, 1 / length);
    gap->near = true;
    gap->gap = tide_vec3_dot(n, d) - pair->distance;
    tide_vec3_store(gap->normal, n);
    gap->weights[0] = 1;
    gap->weights[1] = -1;
    gap->weights[2] = gap->weights[3] = 0;
}

void tide_proximity_gap(const tide_contact_pair *pair, const double *x, tide_contact_gap *gap)
{
    if (pair->kind == TIDE_PAIR_POINTS)
        points_gap(pair, x, gap);
    else if (pair->kind == TIDE_PAIR_TRIANGLE)
        triangle_gap(pair, x, gap);
    else
        edges_gap(pair, x, gap);
}

// --- clearance

// The closest points of the two sides of a pair, at x.
typedef struct closest_sides {
    double distance, n[3]; // n: unit vector from the second side to the first; unset when they meet
    double s, t;           // EDGES: parameters on the first and the second edge
} closest_sides;

static closest_sides find_closest(const tide_contact_pair *pair, const double *x)
{
    closest_sides c = { 0 };
    const double *p[4];
    double w[3], square;
    for (int k = 0; k < 4; k++)
        p[k] = x + 3 * (size_t)pair->points[k];
    if (pair->kind == TIDE_PAIR_TRIANGLE) {
        square = tide_closest_on_triangle(p[0], p[1], p[2], p[3], w);
        for (int k = 0; k < 3; k++)
            c.n[k] = p[0][k] - w[0] * p[1][k] - w[1] * p[2][k] - w[2] * p[3][k];
    } else {
        square = tide_closest_of_segments(p[0], p[1], p[2], p[3], &c.s, &c.t);
        for (int k = 0; k < 3; k++)
            c.n[k] = p[0][k] - p[2][k] + c.s * (p[1][k] - p[0][k]) - c.t * (p[3][k] - p[2][k]);
    }
    c.distance = sqrt(square);
    for (int k = 0; k < 3 && c.distance > 0; k++)
        c.n[k] /= c.distance;
    return c;
}

double tide_proximity_start(const tide_contact_pair *pair)
{
    return find_closest(pair, pair->from).distance;
}

// Returns by how much a plane with normal n separates the two sides at x. A plane that separates them at the start and
// at the end does so all the way, as points move along lines.
static double separated_along(const double n[3], tide_pair_kind kind, const uint32_t points[4], const double *x)
{
    double along[4];
    for (int k = 0; k < 4; k++)
        along[k] = tide_vec3_dot(tide_vec3_load(n), at(x, points[k]));
    bool edges = kind == TIDE_PAIR_EDGES;
    double low = edges && along[1] < along[0] ? along[1] : along[0];
    double high = !edges && along[1] > along[2] ? along[1] : along[2];
    return low - (high > along[3] ? high : along[3]);
}

static double separated_by(const tide_separation *plane, const uint32_t points[4], const double *x)
{
    const double n[3] = { plane->normal[0], plane->normal[1], plane->normal[2] };
    return separated_along(n, plane->kind, points, x);
}

// Returns the clearance of two points: their closest approach on the way counts.
static double points_clearance(const tide_contact_pair *pair, const double *x)
{
    uint32_t i = pair->points[0], j = pair->points[1];
    tide_vec3 d0 = tide_vec3_subtract(at(pair->from, i), at(pair->from, j)),
              d1 = tide_vec3_subtract(at(x, i), at(x, j));
    tide_vec3 way = tide_vec3_subtract(d1, d0);
    double ww = tide_vec3_dot(way, way), along = -tide_vec3_dot(d0, way);
    double t = along > 0 ? along < ww ? along / ww : 1 : 0;
    return tide_vec3_length(tide_vec3_add(d0, tide_vec3_scale(way, t))) - pair->distance;
}

// Returns the clearance of a pair that is not of points, from its closest points at x.
static double clearance_of(const tide_contact_pair *pair, const closest_sides *c, tide_separation *plane)
{
    double close = c->distance - pair->distance;
    double passing =
        (c->distance > 0 ? separated_along(c->n, pair->kind, pair->points, pair->from) : 0) - PASSING * pair->distance;
    if (plane && c->distance > 0) {
        *plane = (tide_separation) { { (float)c->n[0], (float)c->n[1], (float)c->n[2] }, .kind = pair->kind };
        plane->distance = (float)(pair->distance * (1 + ROUNDING));
        tide_separation_restart(plane, pair->points, pair->from);
    }
    return close < passing ? close : passing;
}

double tide_proximity_clearance(const tide_contact_pair *pair, const double *x, tide_separation *plane)
{
    if (plane)
        plane->kind = TIDE_PAIR_POINTS;
    if (pair->kind == TIDE_PAIR_POINTS)
        return points_clearance(pair, x);
    if (pair->inside)
        return -HUGE_VAL;
    closest_sides c = find_closest(pair, x);
    return clearance_of(pair, &c, plane);
}

// Returns a lower bound on the motion before the closest point of an edge can leave the end at which it lies.
// `slope`, m^2: half the derivative of the squared distance with respect to the edge's parameter, away from that end.
// The bound is for an edge of length `own`, the other edge being of length `other`. A motion L, all points together,
// changes the slope by at most 2 L (own + distance (1 + own / other)) while L <= min(own, other) / 4.
static double stays_at_end(double slope, double own, double other, double distance)
{
    double most = 0.25 * fmin(own, other);
    return fmin(most, 0.5 * slope / (own + distance * (1 + own / other)));
}

// Returns a lower bound on the motion before the closest points of two edges can both lie between the ends.
static double stay_at_ends(const tide_contact_pair *pair, const closest_sides *c, const double *x)
{
    const uint32_t *p = pair->points;
    tide_vec3 u = tide_vec3_subtract(at(x, p[1]), at(x, p[0])), v = tide_vec3_subtract(at(x, p[3]), at(x, p[2])),
              d = tide_vec3_scale(tide_vec3_load(c->n), c->distance);
    double first = tide_vec3_length(u), second = tide_vec3_length(v), bound = 0;
    if (!(first > 0 && second > 0))
        return 0;
    if (c->s == 0 || c->s == 1)
        bound = stays_at_end((c->s == 0 ? 1 : -1) * tide_vec3_dot(d, u), first, second, c->distance);
    if (c->t == 0 || c->t == 1)
        bound = fmax(bound, stays_at_end((c->t == 0 ? -1 : 1) * tide_vec3_dot(d, v), second, first, c->distance));
    return fmin(bound, 0.5 * c->distance);
}

double tide_proximity_motion_before_touch(const tide_contact_pair *pair, const double *x, tide_separation *plane)
{
    if (pair->kind != TIDE_PAIR_EDGES || pair->ends || pair->inside)
        return tide_proximity_clearance(pair, x, plane);
    closest_sides c = find_closest(pair, x);
    plane->kind = TIDE_PAIR_POINTS;
    double clearance = clearance_of(pair, &c, plane);
    if (clearance > 0 || !(c.distance > 0))
        return clearance;
    return fmax(clearance, fmin((double)plane->passing, stay_at_ends(pair, &c, x)));
}

double tide_separation_clearance(const tide_separation *plane, const uint32_t points[4], const double *x)
{
    if (plane->kind == TIDE_PAIR_POINTS)
        return -HUGE_VAL;
    double close = separated_by(plane, points, x) * (1 - ROUNDING) - plane->distance;
    return close < plane->passing ? close : plane->passing;
}

void tide_separation_restart(tide_separation *plane, const uint32_t points[4], const double *from)
{
    if (plane->kind == TIDE_PAIR_POINTS)
        return;
    double apart_at_start = separated_by(plane, points, from);
    plane->passing = (float)(apart_at_start - PASSING * plane->distance - ROUNDING * fabs(apart_at_start));
}

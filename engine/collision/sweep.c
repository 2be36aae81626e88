#include "base/vec3.h"
#include "collision/collider.h"
#include "collision/collider_vertices.h"

#include <string.h>

#define NEAR 1e-9 // m: a point this near touches
enum { MAX_STEPS = 4096, LEAST_PARTS = 1000 };

// The path of a point past a collider. In the world, d is the point relative to the frame's origin; it goes from d0 to
// d0 + u while the frame turns by `turn` (axis times angle). In the frame, y = R' d.
typedef struct way {
    const tide_collider *collider;
    tide_pose from, to;
    bool turning, convex;
    tide_vec3 d0, u, turn;
    tide_vec3 own0, own_u;              // paths without turning: y = own0 + t own_u
    double kept;                        // m: radius plus thickness
    double speed;                       // bound of the change of the gap from t = 0 to 1
    double bend;                        // bound of the change of y' likewise
    const double *corners[3], *ways[3]; // of a triangle that moves in the frame: at the start and the end; or NULL
} way;

typedef struct place {
    double t, gap, rate; // rate of change of the gap
    double gradient[3];  // in the frame
} place;

static tide_vec3 between(const double a[3], const double b[3])
{
    return tide_vec3_subtract(tide_vec3_load(b), tide_vec3_load(a));
}

// Returns the rotation from one pose to another by the shorter way: axis times angle, in the world.
static tide_vec3 turn_between(const tide_pose *from, const tide_pose *to)
{
    const double *a = from->rotation, *b = to->rotation;
    double sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
    // The vector part of b times the conjugate of a.
    tide_vec3 va = { a[1], a[2], a[3] }, vb = { b[1], b[2], b[3] };
    tide_vec3 v = tide_vec3_subtract(tide_vec3_scale(vb, a[0]), tide_vec3_scale(va, b[0]));
    v = tide_vec3_scale(tide_vec3_subtract(v, tide_vec3_cross(vb, va)), sign);
    double s = tide_vec3_length(v);
    return s > 0 ? tide_vec3_scale(v, tide_pose_angle(from, to) / s) : v;
}

static way way_of(const tide_collider *collider, double fraction0, double fraction1, const double a[3],
                  const double b[3], double radius)
{
    const tide_distance *distance = collider->shape.distance;
    way w = { .collider = collider, .convex = distance->kind->convex, .kept = radius + collider->thickness };
    w.from = tide_collider_pose(collider, fraction0);
    w.to = tide_collider_pose(collider, fraction1);
    w.d0 = between(w.from.position, a);
    tide_vec3 d1 = between(w.to.position, b);
    w.u = tide_vec3_subtract(d1, w.d0);
    if (collider->moving)
        w.turn = turn_between(&w.from, &w.to);
    double angle = tide_vec3_length(w.turn), reach = fmax(tide_vec3_length(w.d0), tide_vec3_length(d1));
    w.turning = angle > 0;
    if (!w.turning) {
        double own[3];
        tide_vec3_store(own, w.d0);
        tide_pose_turn_inverse(&w.from, own, own);
        w.own0 = tide_vec3_load(own);
        tide_vec3_store(own, w.u);
        tide_pose_turn_inverse(&w.from, own, own);
        w.own_u = tide_vec3_load(own);
    }
    // y' = R' (u - turn x d) and y'' = R' (turn x (turn x d) - 2 turn x u).
    w.speed = (tide_vec3_length(w.u) + angle * reach) * distance->steepest;
    w.bend = (2 * angle * tide_vec3_length(w.u) + angle * angle * reach) * distance->steepest;
    return w;
}

// Evaluates the distance of a moving triangle from its nearest point; `rate` is the rate of `own`.
static void look_at_triangle(const way *w, const double own[3], tide_vec3 rate, place *p)
{
    double at[3][3];
    tide_bvh_point nearest;
    for (int v = 0; v < 3; v++)
        for (int k = 0; k < 3; k++)
            at[v][k] = w->corners[v][k] + p->t * (w->ways[v][k] - w->corners[v][k]);
    tide_bvh_closest_on_triangle(at[0], at[1], at[2], own, &nearest);
    for (int v = 0; v < 3; v++)
        rate = tide_vec3_subtract(rate, tide_vec3_scale(between(w->corners[v], w->ways[v]), nearest.weights[v]));
    tide_vec3 away = between(nearest.position, own);
    double length = tide_vec3_length(away);
    if (!(length > 0)) { // on the triangle: opposite to the motion
        away = tide_vec3_cross(between(at[0], at[1]), between(at[0], at[2]));
        away = tide_vec3_dot(away, rate) > 0 ? tide_vec3_scale(away, -1) : away;
    }
    tide_vec3_store(p->gradient, tide_vec3_normalize(away));
    p->gap = length - w->kept;
    p->rate = tide_vec3_dot(tide_vec3_load(p->gradient), rate);
}

static place look_at(const way *w, double t)
{
    place p = { .t = t };
    double own[3];
    tide_vec3 rate = w->own_u;
    if (w->turning) {
        tide_pose pose = tide_pose_interpolate(&w->from, &w->to, t);
        tide_vec3 d = tide_vec3_add(w->d0, tide_vec3_scale(w->u, t));
        tide_vec3_store(own, tide_vec3_subtract(w->u, tide_vec3_cross(w->turn, d)));
        tide_pose_turn_inverse(&pose, own, own);
        rate = tide_vec3_load(own);
        tide_vec3_store(own, d);
        tide_pose_turn_inverse(&pose, own, own);
    } else
        tide_vec3_store(own, tide_vec3_add(w->own0, tide_vec3_scale(w->own_u, t)));
    if (w->corners[0]) {
        look_at_triangle(w, own, rate, &p);
        return p;
    }
    p.gap = tide_distance_at(w->collider->shape.distance, own, p.gradient) - w->kept;
    p.rate = tide_vec3_dot(tide_vec3_load(p.gradient), rate);
    return p;
}

// Returns a step that meets nothing; INFINITY: nothing will be met.
static double safe_step(const way *w, const place *p)
{
    double gap = fmax(p->gap, 0), step = gap / w->speed;
    if (!w->convex)
        return step;
    // A convex function of y is above its tangent, and y stays within bend s^2 / 2 of its own tangent, so the gap is at
    // least gap + rate s - bend s^2 / 2.
    if (w->bend == 0)
        return p->rate >= 0 ? INFINITY : fmax(step, gap / -p->rate);
    double root = sqrt(p->rate * p->rate + 2 * w->bend * gap);
    double ahead = p->rate > 0 ? (p->rate + root) / w->bend : 2 * gap / (root - p->rate);
    return root > 0 ? fmax(step, ahead) : step;
}

// Bisects for the last place without contact, in a step that ends in contact.
static place first_contact(const way *w, place out, place in)
{
    for (int i = 0; i < 100 && out.gap > NEAR; i++) {
        place middle = look_at(w, out.t + (in.t - out.t) / 2);
        if (!(middle.t > out.t && middle.t < in.t))
            break;
        if (middle.gap > 0)
            out = middle;
        else
            in = middle;
    }
    return out;
}

// Finds the first contact; false when there is none.
static bool advance(const way *w, place *found)
{
    // Over so short a step, a point that is `kept` off at both ends cannot have touched the surface in between: the
    // balls of that radius around both ends are free.
    double least = fmax(1.0 / LEAST_PARTS, w->speed > 0 ? 1.9 * w->kept / w->speed : 1);
    place p = look_at(w, 0);
    bool out = p.gap > NEAR;
    if (!out && p.rate < 0) {
        *found = p;
        return true;
    }
    if (!(w->speed > 0))
        return false;
    for (int i = 0; i < MAX_STEPS && p.t < 1; i++) {
        double step = safe_step(w, &p);
        // Along the surface or away from it. Towards it, steps shorten until the point arrives.
        bool skims = p.rate > -0.05 * w->speed;
        if (!out)
            step = fmax(step, -p.gap / w->speed); // long enough to come out
        if (!out || (skims && !w->convex))
            step = fmax(step, least);
        place next = look_at(w, fmin(p.t + step, 1));
        if (out && next.gap <= NEAR) {
            *found = next.gap > 0 ? next : first_contact(w, p, next);
            return true;
        }
        out = out || next.gap > NEAR;
        p = next;
    }
    *found = p; // too many steps: the part of the path up to here is safe
    return p.t < 1 && out;
}

// The path of a point past all triangles of a deforming mesh, and the first triangle that it meets.
typedef struct search {
    way way;
    place first;
    uint32_t triangle;
    bool found;
} search;

static bool try_triangle(void *context, uint32_t triangle)
{
    search *s = context;
    const tide_deform *deform = s->way.collider->shape.deform;
    const uint32_t *corner = deform->mesh->triangles + 3 * (size_t)triangle;
    way w = s->way;
    double farthest = 0;
    for (int v = 0; v < 3; v++) {
        w.corners[v] = deform->at_from + 3 * (size_t)corner[v];
        w.ways[v] = deform->at_to + 3 * (size_t)corner[v];
        farthest = fmax(farthest, tide_vec3_length(between(w.corners[v], w.ways[v])));
    }
    w.speed += farthest;
    w.convex = false;
    place met;
    // Triangles come in the order of the leaves. Of those met at the same time, the one with the lowest index counts.
    if (advance(&w, &met) && (!s->found || met.t < s->first.t || (met.t == s->first.t && triangle < s->triangle))) {
        s->first = met;
        s->triangle = triangle;
        s->found = true;
    }
    return true;
}

// The fractions of the step are those that the collider is prepared for.
static bool meet_triangles(search *s)
{
    const way *w = &s->way;
    double a[3], b[3], lower[3], upper[3], own[3];
    tide_vec3_store(own, w->d0);
    tide_pose_turn_inverse(&w->from, own, a);
    tide_vec3_store(own, tide_vec3_add(w->d0, w->u));
    tide_pose_turn_inverse(&w->to, own, b);
    // A turning path leaves the chord between its ends by at most its bend / 8.
    double grown = w->kept + (w->turning ? w->bend / 8 : 0) + 1e-9;
    for (int k = 0; k < 3; k++) {
        lower[k] = fmin(a[k], b[k]) - grown;
        upper[k] = fmax(a[k], b[k]) + grown;
    }
    tide_bvh_overlaps(&w->collider->shape.deform->ways, lower, upper, try_triangle, s);
    return s->found;
}

static bool sweeps_triangles(const tide_collider *collider, double fraction0, double fraction1)
{
    return collider->shape.deform && collider->shape.deform->displacement > 0 && fraction0 < fraction1;
}

static void normal_of(const way *w, const place *found, double normal[3])
{
    tide_pose pose = tide_pose_interpolate(&w->from, &w->to, found->t);
    tide_vec3 g = tide_vec3_normalize(tide_vec3_load(found->gradient));
    double own[3] = { g.x, g.y, g.z };
    if (tide_vec3_length(g) > 0)
        tide_pose_turn(&pose, own, normal);
    else
        tide_vec3_store(normal, (tide_vec3) { 0, 1, 0 });
}

bool tide_collider_meet(const tide_collider *collider, double fraction0, double fraction1, const double a[3],
                        const double b[3], double radius, double point[3], double normal[3])
{
    search s = { .found = false };
    double t;
    bool deforms = sweeps_triangles(collider, fraction0, fraction1);
    if (deforms) {
        s.way = way_of(collider, fraction0, fraction1, a, b, radius);
        if (!meet_triangles(&s))
            return false;
        normal_of(&s.way, &s.first, normal);
        t = s.first.t;
    } else if (!tide_collider_sweep(collider, fraction0, fraction1, a, b, radius, &t, normal))
        return false;
    // The point and the contact continue, and turn, with the collider.
    tide_pose then = tide_collider_pose(collider, fraction0 + t * (fraction1 - fraction0));
    tide_pose to = tide_collider_pose(collider, fraction1);
    for (int k = 0; k < 3; k++)
        point[k] = a[k] + t * (b[k] - a[k]) - radius * normal[k];
    tide_pose_apply_inverse(&then, point, point);
    tide_pose_turn_inverse(&then, normal, normal);
    if (deforms)
        tide_deform_carry(collider->shape.deform, s.triangle, t, point, normal);
    tide_pose_apply(&to, point, point);
    tide_pose_turn(&to, normal, normal);
    return true;
}

bool tide_collider_sweep(const tide_collider *collider, double fraction0, double fraction1, const double a[3],
                         const double b[3], double radius, double *t, double normal[3])
{
    search s = { .way = way_of(collider, fraction0, fraction1, a, b, radius) };
    bool deforms = sweeps_triangles(collider, fraction0, fraction1);
    if (deforms ? !meet_triangles(&s) : !advance(&s.way, &s.first))
        return false;
    *t = s.first.t;
    if (normal)
        normal_of(&s.way, &s.first, normal);
    return true;
}

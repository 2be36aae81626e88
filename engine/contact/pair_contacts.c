// Points, edges and triangles against one another.
#include "contact/geometry.h"
#include "contact/internal.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/vec3.h"

#include <string.h>

tide_status tide_pair_contacts_create(tide_contacts *c, tide_error *error)
{
    const tide_contact_surface *s = c->surface;
    double **const arrays[] = { &c->found_from, &c->found_to, &c->seen };
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; a++) {
        *arrays[a] = tide_allocate_zeroed(s->point_count, 3 * sizeof(double));
        if (!*arrays[a])
            return tide_fail_memory(error, "contact");
    }
    c->found_margin = c->slack = -1;
    tide_status status = tide_proximity_create(s, c->settings.lines, &c->proximity, error);
    if (status == TIDE_OK && c->settings.continuous)
        status = tide_continuous_create(s, &c->continuous, error);
    return status;
}

// --- where points are -----------------------------------------------------------------------------------------------

// Points that are no particles: vertices of colliders' meshes.
static void place_fixed(const tide_contacts *c, double fraction, double *points)
{
    const tide_contact_surface *s = c->surface;
    for (uint32_t i = 0; i < s->part_count; i++) {
        const tide_contact_part *part = &s->parts[i];
        if (!part->fixed)
            continue;
        tide_pose pose = tide_collider_pose(c->colliders[part->collider], fraction);
        for (size_t p = part->first_point; p < part->first_point + part->point_count; p++)
            tide_pose_apply(&pose, s->rest + 3 * p, points + 3 * p);
    }
}

void tide_pair_contacts_begin(tide_contacts *c)
{
    c->gone_count = 0;
    for (size_t i = 0; i < c->pair_count; i++) {
        c->pairs[i].settled_on = false;
        c->pairs[i].kept.pushed = NAN;
    }
    place_fixed(c, c->step->from, c->from);
    place_fixed(c, c->step->to, c->to);
    if (c->step->from != 0)
        return;
    c->found_margin = -1; // sides are those of each timestep's start
    for (size_t i = 0; i < c->pair_count; i++)
        c->pairs[i].kept.impulse = c->pairs[i].kept.depth = 0;
}

// --- pairs ----------------------------------------------------------------------------------------------------------

// Whether every point stays where the pairs were sought, or within the margin of there.
static bool still_found(const tide_contacts *c)
{
    double most = c->found_margin * c->found_margin;
    if (c->found_margin < 0)
        return false;
    for (size_t n = 0; n < 3 * (size_t)c->surface->point_count; n += 3) {
        double first = 0, last = 0, start = 0;
        for (size_t k = n; k < n + 3; k++) {
            first += (c->to[k] - c->found_from[k]) * (c->to[k] - c->found_from[k]);
            last += (c->to[k] - c->found_to[k]) * (c->to[k] - c->found_to[k]);
            start += (c->from[k] - c->found_from[k]) * (c->from[k] - c->found_from[k]);
        }
        if (fmin(first, last) > most || start > most)
            return false;
    }
    return true;
}

// Beyond what points are expected to move: by two radii, and by a part of how they move against one another. Few pairs
// more are cheaper than to seek them again within the step, but one point that flies off must not make them of all.
static double margin_of(const tide_contacts *c)
{
    double radius = 0, mean[3] = { 0 }, square = 0;
    size_t count = 3 * (size_t)c->moving_count;
    for (uint32_t i = 0; i < c->surface->part_count; i++)
        radius = fmax(radius, c->surface->parts[i].radius);
    for (size_t n = 0; n < count; n++)
        mean[n % 3] += 3 * (c->to[n] - c->from[n]) / (double)count;
    for (size_t n = 0; n < count; n++) {
        double d = c->to[n] - c->from[n] - mean[n % 3];
        square += 3 * d * d / (double)count;
    }
    return 2 * radius + 0.25 * sqrt(square);
}

static bool leave(tide_contacts *c, const tide_pair_contact *pair)
{
    if (!c->answered || tide_contact_is_idle(&pair->kept))
        return true;
    if (!tide_grow(&c->gone, &c->gone_capacity, c->gone_count + 1, sizeof *c->gone))
        return false;
    c->gone[c->gone_count++] = *pair;
    return true;
}

static bool comes_before(const tide_pair_contact *a, const tide_contact_pair *b)
{
    return a->kind != (uint64_t)b->kind ? a->kind < (uint64_t)b->kind : a->kept.key < b->key;
}

// Gives each pair what it had before.
static tide_status carry_over(tide_contacts *c, tide_error *error)
{
    tide_pair_contact *earlier = c->pairs;
    size_t capacity = c->pair_capacity, count = c->pair_count;
    c->pairs = c->earlier;
    c->pair_capacity = c->earlier_capacity;
    c->earlier = earlier;
    c->earlier_capacity = capacity;
    c->pair_count = 0;
    uint32_t found = 0;
    const tide_contact_pair *pairs = tide_proximity_pairs(c->proximity, &found);
    if (!tide_grow(&c->pairs, &c->pair_capacity, found, sizeof *c->pairs) ||
        !tide_grow(&c->active, &c->active_capacity, found, sizeof *c->active))
        return tide_fail_memory(error, "contact");
    c->pair_count = found;
    size_t e = 0;
    bool room = true;
    for (uint32_t i = 0; i < found; i++) {
        while (e < count && comes_before(&earlier[e], &pairs[i]))
            room = leave(c, &earlier[e++]) && room;
        bool same = e < count && earlier[e].kind == (uint64_t)pairs[i].kind && earlier[e].kept.key == pairs[i].key;
        if (same)
            c->pairs[i] = earlier[e++];
        else
            c->pairs[i] = (tide_pair_contact) { .kind = pairs[i].kind, .kept = { .key = pairs[i].key, .pushed = NAN } };
    }
    while (e < count)
        room = leave(c, &earlier[e++]) && room;
    return room ? TIDE_OK : tide_fail_memory(error, "contact");
}

tide_status tide_pair_contacts_find(tide_contacts *c, const double *x, tide_error *error)
{
    size_t size = 3 * (size_t)c->surface->point_count * sizeof(double);
    tide_contact_place_all(c, x, c->to);
    if (still_found(c))
        return TIDE_OK;
    double margin = margin_of(c);
    c->found_margin = -1;
    tide_status status = tide_proximity_find(c->proximity, c->from, c->to, margin, error);
    if (status == TIDE_OK)
        status = carry_over(c, error);
    if (status != TIDE_OK)
        return status;
    c->found_margin = margin;
    c->slack = -1;
    memcpy(c->found_from, c->from, size);
    memcpy(c->found_to, c->to, size);
    return TIDE_OK;
}

// --- answers --------------------------------------------------------------------------------------------------------

static double friction_of(const tide_contact_surface *s, const tide_contact_pair *pair)
{
    uint32_t other = pair->points[pair->kind == TIDE_PAIR_EDGES ? 2 : 1];
    return tide_contact_friction(s->parts[s->part_of[pair->points[0]]].friction, s->parts[s->part_of[other]].friction);
}

static int corners_of(const tide_contact_pair *pair)
{
    return pair->kind == TIDE_PAIR_POINTS ? 2 : 4;
}

// Changes x, and y and v with it, by an impulse (kg m, over h) on a pair's points.
static double apply(tide_contacts *c, const tide_contact_pair *pair, const double weights[4], const double change[3],
                    double *x, double *y, double *v)
{
    double moved = 0;
    for (int i = 0; i < corners_of(pair); i++) {
        uint32_t p = pair->points[i];
        double factor = weights[i] * c->surface->inverse_masses[p], by[3], faster[3];
        if (factor == 0)
            continue;
        for (int k = 0; k < 3; k++) {
            by[k] = factor * change[k];
            faster[k] = by[k] / c->rule;
            moved = fmax(moved, fabs(by[k]));
        }
        tide_contact_shift(c, x, p, by);
        if (y)
            tide_contact_shift(c, y, p, by);
        if (v)
            tide_contact_shift(c, v, p, faster);
        tide_contact_place(c, x, p, c->to + 3 * (size_t)p);
    }
    return moved;
}

static double inverse_mass_of(const tide_contact_surface *s, const tide_contact_pair *pair, const double weights[4])
{
    double w = 0;
    for (int i = 0; i < corners_of(pair); i++)
        w += weights[i] * weights[i] * s->inverse_masses[pair->points[i]];
    return w;
}

enum { TOUCH_STEPS = 30 }; // bisections of the way to the first touch

// How a pair stands when its points have gone a part of their ways.
static void gap_on_the_way(const tide_contacts *c, const tide_contact_pair *pair, double part, tide_contact_gap *g)
{
    double from[12] = { 0 }, at[12] = { 0 };
    tide_contact_pair local = *pair;
    local.from = from;
    for (int i = 0; i < corners_of(pair); i++) {
        local.points[i] = (uint32_t)i;
        for (size_t k = 0, n = 3 * (size_t)pair->points[i], m = 3 * (size_t)i; k < 3; k++, n++, m++) {
            from[m] = c->from[n];
            at[m] = c->from[n] + part * (c->to[n] - c->from[n]);
        }
    }
    tide_proximity_gap(&local, at, g);
}

// The normal and weights of a pair that touches at the end: those with which it first did on its way, so that the
// condition made of them holds at the start.
static void find_first_touch(const tide_contacts *c, const tide_contact_pair *pair, tide_contact_gap *touch)
{
    tide_contact_gap g;
    gap_on_the_way(c, pair, 0, &g);
    if (g.near && g.gap < 0) {
        *touch = g;
        return;
    }
    double apart = 0, together = 1;
    for (int i = 0; i < TOUCH_STEPS; i++) {
        double middle = (apart + together) / 2;
        gap_on_the_way(c, pair, middle, &g);
        if (g.near && g.gap < 0) {
            together = middle;
            *touch = g;
        } else
            apart = middle;
    }
}

// A pair that pushes is not dropped the moment its closest points come to a border of triangle or edges: of a stack's
// vertices, one over another, each would change pairs in every step. It goes on between the closest points that there
// are, which part by and by; false when they are far apart.
static bool still_touches(const tide_contact_pair *pair, const double *x, tide_contact_gap *g)
{
    const double *p[4];
    double s, t, w[3], square, along = 0;
    for (int i = 0; i < 4; i++)
        p[i] = x + 3 * (size_t)pair->points[i];
    if (pair->kind == TIDE_PAIR_TRIANGLE) {
        square = tide_closest_on_triangle(p[0], p[1], p[2], p[3], w);
        g->weights[0] = 1;
        for (int i = 0; i < 3; i++)
            g->weights[1 + i] = -w[i];
    } else {
        square = tide_closest_of_segments(p[0], p[1], p[2], p[3], &s, &t);
        g->weights[0] = 1 - s;
        g->weights[1] = s;
        g->weights[2] = t - 1;
        g->weights[3] = -t;
    }
    double length = sqrt(square);
    if (!(length > 0) || length > 2 * pair->distance)
        return false;
    for (int k = 0; k < 3; k++) {
        g->normal[k] = 0;
        for (int i = 0; i < 4; i++)
            g->normal[k] += g->weights[i] * p[i][k] / length;
        along += g->normal[k] * pair->side[k];
    }
    g->gap = length - pair->distance;
    return along > 0;
}

// How a pair stands at x. Once it touches, its normal and weights stay until the substep is over: what a solver
// approaches then is one linear condition, not one that turns about with every iteration.
static void gap_of(tide_contacts *c, const tide_contact_pair *pair, tide_pair_contact *t, const double *x,
                   tide_contact_gap *g)
{
    for (int i = 0; i < corners_of(pair); i++) // others of its carriers' points may have moved it
        if (pair->points[i] >= c->particle_count && pair->points[i] < c->moving_count)
            tide_contact_place(c, x, pair->points[i], c->to + 3 * (size_t)pair->points[i]);
    if (!t->settled_on) {
        tide_proximity_gap(pair, c->to, g);
        bool goes_on = !g->near && !tide_contact_is_idle(&t->kept) && pair->kind != TIDE_PAIR_POINTS &&
                       still_touches(pair, c->from, g);
        if (!goes_on && (!g->near || (g->gap >= 0 && tide_contact_is_idle(&t->kept))))
            return;
        t->settled_on = true;
        if (!goes_on)
            find_first_touch(c, pair, g);
        memcpy(t->weights, g->weights, sizeof t->weights);
        memcpy(t->points, pair->points, sizeof t->points);
        memcpy(t->kept.normal, g->normal, sizeof t->kept.normal);
    }
    g->near = true;
    g->gap = -pair->distance;
    memcpy(g->weights, t->weights, sizeof g->weights);
    memcpy(g->normal, t->kept.normal, sizeof g->normal);
    for (int i = 0; i < corners_of(pair); i++)
        for (size_t k = 0, n = 3 * (size_t)pair->points[i]; k < 3; k++, n++)
            g->gap += g->weights[i] * g->normal[k] * c->to[n];
}

static bool are_solids(const tide_contact_surface *s, const tide_contact_pair *pair)
{
    uint32_t other = pair->points[pair->kind == TIDE_PAIR_EDGES ? 2 : 1];
    return s->parts[s->part_of[pair->points[0]]].reach == 0 && s->parts[s->part_of[other]].reach == 0;
}

static double answer_one(tide_contacts *c, const tide_contact_pair *pair, tide_pair_contact *t, double *x, double *y,
                         double *v, bool settle)
{
    tide_contact_gap g;
    double *sum = t->kept.sum, slip[3] = { 0 }, change[3];
    gap_of(c, pair, t, x, &g);
    if ((!g.near || g.gap >= 0) && tide_contact_is_idle(&t->kept))
        return 0;
    if (!g.near) { // its points have left one another in the step before: what it pushed is taken back
        for (int k = 0; k < 3; k++) {
            change[k] = -sum[k];
            sum[k] = 0;
        }
        return settle ? 0 : apply(c, pair, t->weights, change, x, y, v);
    }
    double w = inverse_mass_of(c->surface, pair, g.weights);
    if (!(w > 0))
        return 0;
    for (int i = 0; i < corners_of(pair); i++)
        for (size_t k = 0, n = 3 * (size_t)pair->points[i]; k < 3; k++, n++)
            slip[k] += g.weights[i] * (c->to[n] - c->from[n]);
    t->kept.depth = fmax(t->kept.depth, -g.gap);
    tide_contact_answer(sum, g.normal, g.gap, slip, w, friction_of(c->surface, pair), !settle, change);
    if (!settle && are_solids(c->surface, pair))
        tide_contact_run_ahead(c, &t->kept, change);
    return apply(c, pair, g.weights, change, x, y, v);
}

// Takes back what pairs pushed that were not found again.
static double release_gone(tide_contacts *c, double *x, double *y)
{
    double moved = 0;
    for (size_t i = 0; i < c->gone_count; i++) {
        const tide_pair_contact *t = &c->gone[i];
        const tide_contact_pair pair = { .kind = (tide_pair_kind)t->kind,
                                         .points = { t->points[0], t->points[1], t->points[2], t->points[3] } };
        const double *sum = t->kept.sum, change[3] = { -sum[0], -sum[1], -sum[2] };
        moved = fmax(moved, apply(c, &pair, t->weights, change, x, y, NULL));
    }
    c->gone_count = 0;
    return moved;
}

static double farthest_since_seen(const tide_contacts *c)
{
    double square = 0;
    for (size_t n = 0; n < 3 * (size_t)c->surface->point_count; n += 3) {
        double dx = c->to[n] - c->seen[n], dy = c->to[n + 1] - c->seen[n + 1], dz = c->to[n + 2] - c->seen[n + 2];
        square = fmax(square, dx * dx + dy * dy + dz * dz);
    }
    return sqrt(square);
}

typedef struct box {
    double lower[3], upper[3];
} box;

// Of points, and with `other` (NULL: not) of where they are there.
static box box_of(const uint32_t *points, int count, const double *x, const double *other)
{
    box b;
    for (size_t k = 0; k < 3; k++) {
        b.lower[k] = b.upper[k] = x[3 * (size_t)points[0] + k];
        for (int i = 0; i < count; i++) {
            double at = x[3 * (size_t)points[i] + k], there = other ? other[3 * (size_t)points[i] + k] : at;
            b.lower[k] = fmin(b.lower[k], fmin(at, there));
            b.upper[k] = fmax(b.upper[k], fmax(at, there));
        }
    }
    return b;
}

static double square_between(const box *a, const box *b)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double apart = fmax(fmax(a->lower[k] - b->upper[k], b->lower[k] - a->upper[k]), 0);
        square += apart * apart;
    }
    return square;
}

// Whether the two sides are within `slack` of touching, or one has passed through the other since the start.
static bool may_touch(const tide_contacts *c, const tide_contact_pair *pair, double slack)
{
    int first = pair->kind == TIDE_PAIR_EDGES ? 2 : 1, second = corners_of(pair) - first;
    double reach = pair->distance + slack;
    box a = box_of(pair->points, first, c->to, NULL), b = box_of(pair->points + first, second, c->to, NULL);
    if (square_between(&a, &b) <= reach * reach)
        return true;
    a = box_of(pair->points, first, c->to, c->from);
    b = box_of(pair->points + first, second, c->to, c->from);
    if (square_between(&a, &b) > 0)
        return false;
    tide_contact_gap g;
    tide_proximity_gap(pair, c->to, &g);
    return g.near && g.gap <= slack;
}

// Looks at all pairs for those that are near, unless those of the last look will do.
static void find_active(tide_contacts *c, const tide_contact_pair *pairs, uint32_t count)
{
    if (c->slack >= 0 && farthest_since_seen(c) <= c->slack / 2)
        return;
    double radius = 0;
    for (uint32_t i = 0; i < c->surface->part_count; i++)
        radius = fmax(radius, c->surface->parts[i].radius);
    c->slack = radius;
    c->active_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!tide_contact_is_idle(&c->pairs[i].kept) || may_touch(c, &pairs[i], c->slack))
            c->active[c->active_count++] = i;
    }
    memcpy(c->seen, c->to, 3 * (size_t)c->surface->point_count * sizeof *c->seen);
}

double tide_pair_contacts_answer(tide_contacts *c, double *x, double *y, double *v, bool settle)
{
    uint32_t count;
    const tide_contact_pair *pairs = tide_proximity_pairs(c->proximity, &count);
    tide_contact_place_all(c, x, c->to);
    double moved = settle ? 0 : release_gone(c, x, y);
    int sweeps = settle ? c->settings.sweeps : 1;
    for (int sweep = 0; sweep < sweeps; sweep++) {
        double largest = 0;
        find_active(c, pairs, count);
        for (size_t a = 0; a < c->active_count; a++) {
            uint32_t i = c->active[a];
            largest = fmax(largest, answer_one(c, &pairs[i], &c->pairs[i], x, y, v, settle));
        }
        moved = fmax(moved, largest);
        if (largest < TIDE_CONTACT_SETTLED)
            break;
    }
    return moved;
}

// --- after the last answer ------------------------------------------------------------------------------------------

static double slowest_bounce(const tide_contacts *c, const tide_contact_pair *pair)
{
    double fastest = 0, force[3];
    for (int i = 0; i < corners_of(pair); i++) {
        uint32_t p = pair->points[i];
        if (p >= c->moving_count)
            continue;
        tide_contact_place(c, c->step->force, p, force);
        fastest = fmax(fastest, c->surface->inverse_masses[p] * tide_vec3_length(tide_vec3_load(force)));
    }
    return 2 * c->step->h * fastest;
}

static double restitution_of(const tide_contact_surface *s, const tide_contact_pair *pair)
{
    uint32_t other = pair->points[pair->kind == TIDE_PAIR_EDGES ? 2 : 1];
    return fmax(s->parts[s->part_of[pair->points[0]]].restitution, s->parts[s->part_of[other]].restitution);
}

// The velocity of the first side against the second, before the substep and after; fixed points have their collider's.
static void velocities_of(const tide_contacts *c, const tide_contact_pair *pair, const tide_pair_contact *t,
                          const double *v, double before[3], double after[3])
{
    memset(before, 0, 3 * sizeof *before);
    memset(after, 0, 3 * sizeof *after);
    for (int i = 0; i < corners_of(pair); i++) {
        uint32_t p = pair->points[i];
        double was[3], is[3];
        for (size_t k = 0, n = 3 * (size_t)p; k < 3; k++, n++)
            was[k] = is[k] = (c->to[n] - c->from[n]) / c->step->h;
        if (p < c->moving_count) {
            tide_contact_place(c, c->step->velocity, p, was);
            tide_contact_place(c, v, p, is);
        }
        for (int k = 0; k < 3; k++) {
            before[k] += t->weights[i] * was[k];
            after[k] += t->weights[i] * is[k];
        }
    }
}

static void bounce(tide_contacts *c, const tide_contact_pair *pair, tide_pair_contact *t, double *v)
{
    const double *n = t->kept.normal, *sum = t->kept.sum;
    double push = sum[0] * n[0] + sum[1] * n[1] + sum[2] * n[2], before[3], after[3], change[3];
    if (!(push > 0))
        return;
    t->kept.impulse += push / c->rule;
    for (int k = 0; k < 3; k++) {
        t->kept.place[k] = 0;
        for (int i = 0; i < corners_of(pair); i++)
            if (t->weights[i] > 0)
                t->kept.place[k] += t->weights[i] * c->to[3 * (size_t)pair->points[i] + (size_t)k];
    }
    double w = inverse_mass_of(c->surface, pair, t->weights);
    if (!(w > 0))
        return;
    velocities_of(c, pair, t, v, before, after);
    double approach = -(before[0] * n[0] + before[1] * n[1] + before[2] * n[2]);
    double keep = approach > slowest_bounce(c, pair) ? restitution_of(c->surface, pair) * approach : 0;
    tide_contact_stop(n, after, keep, w, friction_of(c->surface, pair), change);
    t->kept.impulse += change[0] * n[0] + change[1] * n[1] + change[2] * n[2];
    for (int i = 0; i < corners_of(pair); i++) {
        double by[3], factor = t->weights[i] * c->surface->inverse_masses[pair->points[i]];
        for (int k = 0; k < 3; k++)
            by[k] = factor * change[k];
        if (factor != 0)
            tide_contact_shift(c, v, pair->points[i], by);
    }
}

void tide_pair_contacts_bounce(tide_contacts *c, const double *x, double *v)
{
    uint32_t count;
    const tide_contact_pair *pairs = tide_proximity_pairs(c->proximity, &count);
    tide_contact_place_all(c, x, c->to);
    for (uint32_t i = 0; i < count && i < c->pair_count; i++)
        bounce(c, &pairs[i], &c->pairs[i], v);
}

tide_status tide_pair_contacts_sweep(tide_contacts *c, double *x, double *v, bool *moved, tide_error *error)
{
    tide_continuous_report report = { 0 };
    tide_contact_place_all(c, x, c->to);
    tide_status status = tide_continuous_resolve(c->continuous, c->from, c->to, &report, error);
    c->detect_seconds += report.detect_seconds;
    c->respond_seconds += report.respond_seconds;
    *moved = false;
    for (uint32_t p = 0; p < c->moving_count && status == TIDE_OK; p++) {
        double was[3], by[3], faster[3];
        tide_contact_place(c, x, p, was);
        for (int k = 0; k < 3; k++) {
            by[k] = c->to[3 * (size_t)p + (size_t)k] - was[k];
            faster[k] = by[k] / c->rule;
        }
        if (by[0] == 0 && by[1] == 0 && by[2] == 0)
            continue;
        *moved = true;
        tide_contact_shift(c, x, p, by);
        tide_contact_shift(c, v, p, faster);
    }
    return status;
}

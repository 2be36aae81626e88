// Impulses between points, edges and triangles that are too close to one another.
#include "collision/closest_points.h"
#include "contact/contacts_state.h"

#include "base/bit_set.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/vec3.h"

#include <string.h>

#define LEAPT 1e-3     // part of the distance: a pair deeper than this at its first touch keeps a lesser distance
#define SEPARATED 1e-6 // part of the distance: a plane with less room is not trusted
#define STAYED 1e-12   // m: a solved pair is evaluated again after this motion

// --- what touches ---------------------------------------------------------------------------------------------------

#define TOUCHING 1e-9 // part of the distance: so deep a gap is the first touch
enum { TOUCH_STEPS = 60 };

// Evaluates a pair at a part of the motion of its points.
static void gap_on_the_way(const tide_contacts *c, const tide_contact_pair *pair, double part, tide_contact_gap *g)
{
    double from[12] = { 0 }, at[12] = { 0 };
    tide_contact_pair local = *pair;
    local.from = from;
    for (int i = 0; i < tide_contact_corners(pair->kind); i++) {
        local.points[i] = (uint32_t)i;
        for (size_t k = 0, n = 3 * (size_t)pair->points[i], m = 3 * (size_t)i; k < 3; k++, n++, m++) {
            from[m] = c->from[n];
            at[m] = c->from[n] + part * (c->to[n] - c->from[n]);
        }
    }
    tide_proximity_gap(&local, at, g);
}

// Finds the normal and weights of the first touch of a pair, so that the constraint made of them holds at the start.
// `touch` is the pair at the end. Returns whether the pair touched at the start.
static bool find_first_touch(const tide_contacts *c, tide_contact_pair *pair, tide_contact_gap *touch)
{
    tide_proximity_side(pair);
    double end_gap = touch->gap;
    tide_contact_gap g;
    gap_on_the_way(c, pair, 0, &g);
    if (g.near && g.gap < 0) {
        *touch = g;
        return true;
    }
    // Finds the root of gap + goal / 2 by the Illinois method where both ends of the interval have a gap, else by
    // bisection: the gap jumps where closest points leave a feature.
    double goal = TOUCHING * pair->distance, apart = 0, together = 1, together_gap = end_gap + goal / 2;
    double apart_gap = g.near ? g.gap + goal / 2 : HUGE_VAL;
    bool last_apart = false;
    for (int i = 0; i < TOUCH_STEPS && together_gap < -goal / 2 && together - apart > 1e-9; i++) {
        double part = apart + (together - apart) * (apart_gap / (apart_gap - together_gap));
        if (i % 4 == 3 || !(part > apart && part < together))
            part = (apart + together) / 2;
        gap_on_the_way(c, pair, part, &g);
        bool parted = !(g.near && g.gap < 0);
        if (parted) {
            apart = part;
            apart_gap = g.near ? g.gap + goal / 2 : HUGE_VAL;
            together_gap *= last_apart ? 0.5 : 1;
        } else {
            together = part;
            together_gap = g.gap + goal / 2;
            *touch = g;
            apart_gap *= last_apart || i == 0 ? 1 : 0.5;
        }
        last_apart = parted;
    }
    return false;
}

// Returns whether the constraint holds at the start. It does not where points turn about one another, or pass the ends
// of one another.
static bool holds_at_start(const tide_contacts *c, const tide_contact_pair *pair, const tide_contact_gap *g)
{
    double apart = 0;
    for (int i = 0; i < tide_contact_corners(pair->kind); i++)
        for (size_t k = 0; k < 3; k++)
            apart += g->weights[i] * g->normal[k] * c->from[3 * (size_t)pair->points[i] + k];
    return apart >= 0;
}

// Keeps a pair with an impulse when its closest points reach the border of a triangle or edge; else the vertices of a
// stack, one over another, would change pairs in every step. The pair continues between the present closest points,
// which separate gradually. Returns false when they are far apart.
static bool still_touches(tide_contact_pair *pair, const double *x, tide_contact_gap *g)
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
    tide_vec3 apart = { 0 };
    for (int i = 0; i < 4; i++)
        apart = tide_vec3_add(apart, tide_vec3_scale(tide_vec3_load(p[i]), g->weights[i]));
    double length = tide_vec3_length(apart); // differs from the root of `square` for coincident points
    if (!(square > 0) || !(length > 0) || length > 2 * pair->distance)
        return false;
    tide_vec3_store(g->normal, tide_vec3_scale(apart, 1 / length));
    tide_proximity_side(pair);
    for (int k = 0; k < 3; k++)
        along += g->normal[k] * pair->side[k];
    g->gap = length - pair->distance;
    return along > 0;
}

// The length of the paths of the points of a pair, all together.
static inline double path_of(const double *paths, const tide_pair_watch *w)
{
    return paths[w->points[0]] + paths[w->points[1]] + (paths[w->points[2]] + paths[w->points[3]]);
}

static inline bool is_due(const tide_contacts *c, const tide_pair_watch *w)
{
    return !(path_of(c->search.paths, w) < w->due);
}

// Returns the `due` of a contact that is solved now, if it has to be evaluated again after a motion (m). In colours,
// the next test of all pairs shortens the paths, so that lengths of the present paths cannot be compared with later
// ones: the contact is then due at that test.
static double due_after(const tide_contacts *c, const tide_pair_watch *w, double motion)
{
    return c->search.tested ? -HUGE_VAL : path_of(c->search.paths, w) + motion;
}

static void replace(tide_contacts *c, const double *x, uint32_t point)
{
    double place[3], square = 0, *to = c->to + 3 * (size_t)point;
    tide_contact_place(c, x, point, place);
    for (int k = 0; k < 3; k++)
        square += (place[k] - to[k]) * (place[k] - to[k]);
    c->search.paths[point] += sqrt(square);
    memcpy(to, place, sizeof place);
}

// Adds a contact for a pair that touches for the first time. NULL: no memory.
static tide_contact_constraint *add_contact(tide_contacts *c, uint32_t index, const tide_contact_pair *pair)
{
    uint32_t count;
    uint64_t key = tide_proximity_pairs(c->search.proximity, &count)[index].key;
    tide_contact_constraint *t = tide_contact_list_add(c, pair->kind, key);
    if (!t)
        return NULL;
    t->found = index;
    memcpy(t->points, pair->points, sizeof t->points);
    c->search.watches.items[index].contact = (uint32_t)c->list.count;
    return t;
}

// Tells whether the plane between an idle pair still separates it, and sets when to look again.
static bool is_separated(tide_contacts *c, uint32_t index)
{
    tide_pair_watch *w = &c->search.watches.items[index];
    const tide_separation *plane = &c->search.watches.planes[index];
    double clearance = tide_separation_clearance(plane, w->points, c->to);
    if (!(clearance > SEPARATED * plane->distance))
        return false;
    w->due = path_of(c->search.paths, w) + clearance;
    return true;
}

// Sets when to look again at a pair that is apart.
static void wait(tide_contacts *c, uint32_t index, const tide_contact_pair *pair)
{
    tide_pair_watch *w = &c->search.watches.items[index];
    tide_separation *plane = &c->search.watches.planes[index];
    w->due = path_of(c->search.paths, w) + tide_proximity_motion_before_touch(pair, c->to, plane);
}

// Returns the contact of a pair that touches, with its normal and weights for the substep. Else returns NULL and,
// unless the pair has an impulse, sets when to evaluate it next.
static tide_contact_constraint *fix_normal(tide_contacts *c, uint32_t index, tide_contact_constraint *t)
{
    tide_contact_pair whole = tide_proximity_pair(c->search.proximity, index), *pair = &whole;
    bool idle = !t || tide_contact_is_idle(&t->kept);
    tide_contact_gap g;
    tide_proximity_gap(pair, c->to, &g);
    bool goes_on = !g.near && !idle && pair->kind != TIDE_PAIR_POINTS && still_touches(pair, c->from, &g);
    if (!goes_on && (!g.near || (g.gap >= 0 && idle))) {
        if (idle)
            wait(c, index, pair);
        return NULL;
    }
    if (!t)
        t = add_contact(c, index, pair);
    if (!t)
        return NULL;
    bool touched_at_start = !goes_on && find_first_touch(c, pair, &g);
    t->normal_fixed = true;
    // Not in methods that move points one after another: a heap of solids under pbd does not stay up with it.
    t->doubtful = c->bounces_within && !goes_on && !touched_at_start && !holds_at_start(c, pair, &g);
    // Edges that slide through one another in a plane touch only as they cross; their rounded ends have kept them apart
    // until then. They must not cross, but pushing them apart to the full distance, in a direction of rounding errors,
    // would throw them.
    t->distance = pair->distance;
    if (!goes_on && !touched_at_start && g.gap < -LEAPT * pair->distance)
        t->distance += g.gap;
    // What was pulled out of a tangle overlaps at first.
    if (c->surface->tangled && touched_at_start)
        t->distance += fmin(0, g.gap + TIDE_TANGLE_PART * pair->distance);
    memcpy(t->weights, g.weights, sizeof t->weights);
    memcpy(t->kept.normal, g.normal, sizeof t->kept.normal);
    memcpy(t->met, g.normal, sizeof t->met);
    t->inverse_mass = tide_contact_inverse_mass(c->surface, t);
    tide_friction friction = tide_pair_friction(c, t);
    t->friction = tide_friction_is_round(&friction) ? friction.along : -1;
    memset(t->base, 0, sizeof t->base);
    for (int i = 0; i < tide_contact_corners(t->kind); i++)
        for (size_t k = 0; k < 3; k++)
            t->base[k] += t->weights[i] * c->from[3 * (size_t)t->points[i] + k];
    return t;
}

// --- impulses -------------------------------------------------------------------------------------------------------

// Applies an impulse (kg m) to the points of a pair where all are particles that move freely. Returns the largest
// change of a coordinate.
static double apply_to_particles(tide_contacts *c, const tide_contact_constraint *t, const double change[3], double *x,
                                 double *y, double *v)
{
    double most = 0, size = fmax(fabs(change[0]), fmax(fabs(change[1]), fabs(change[2])));
    double length = sqrt(change[0] * change[0] + change[1] * change[1] + change[2] * change[2]) * (1 + 1e-12);
    for (int i = 0; i < tide_contact_corners(t->kind) && size > 0; i++) {
        uint32_t p = t->points[i];
        double factor = t->weights[i] * c->surface->inverse_masses[p];
        if (factor == 0)
            continue;
        for (size_t k = 0, n = 3 * (size_t)p; k < 3; k++, n++) {
            double by = factor * change[k];
            x[n] += by;
            c->to[n] = x[n];
            if (y)
                y[n] += by;
            if (v)
                v[n] += by / c->rule;
        }
        c->search.paths[p] += fabs(factor) * length;
        most = fmax(most, fabs(factor));
    }
    return most * size;
}

// Applies an impulse (kg m, over h) to the points of a pair: to x or the pending forces, and to y and v. Returns the
// largest change of a coordinate.
static double apply(tide_contacts *c, const tide_contact_constraint *t, const double change[3],
                    tide_contact_route route, double *x, double *y, double *v)
{
    double moved = 0;
    bool particles = c->surface->carried_count == 0 && !c->copy.sparse && !(c->inverse && c->inverse->of_lines);
    if (route == TIDE_APPLY_FREELY && particles)
        return apply_to_particles(c, t, change, x, y, v);
    for (int i = 0; i < tide_contact_corners(t->kind); i++) {
        uint32_t p = t->points[i];
        double factor = t->weights[i] * c->surface->inverse_masses[p], by[3], faster[3];
        if (factor == 0)
            continue;
        for (int k = 0; k < 3; k++) {
            by[k] = factor * change[k];
            faster[k] = by[k] / c->rule;
            double size = fabs(by[k]);
            moved = size > moved ? size : moved;
        }
        tide_contact_apply(c, p, t->weights[i], change, route, x);
        if (y)
            tide_contact_shift(c, y, p, by);
        if (v)
            tide_contact_shift(c, v, p, faster);
        if (route == TIDE_APPLY_FREELY)
            replace(c, x, p);
    }
    return moved;
}

// Removes the impulse of a contact whose points have separated.
static double take_back(tide_contacts *c, tide_contact_constraint *t, double *x, double *y, bool post_step)
{
    const double *accumulated = t->kept.accumulated, change[3] = { -accumulated[0], -accumulated[1], -accumulated[2] };
    memset(t->kept.accumulated, 0, sizeof t->kept.accumulated);
    if (post_step)
        return 0;
    bool compliant = tide_contact_is_compliant(c, t);
    tide_contact_route route = !compliant             ? TIDE_APPLY_FREELY
                               : c->inverse->measured ? TIDE_APPLY_LATER
                                                      : TIDE_APPLY_COMPLIANTLY;
    return apply(c, t, change, route, x, y, NULL);
}

// Turns the normal of two balls. They are apart by their distance along the first normal only while neither slides off
// the other: the normal is then that at the place above which the first ball is, or to which it has risen. Returns
// false when it has slid off.
static bool turn_about_ball(const tide_contacts *c, tide_contact_constraint *t, double distance)
{
    const double *a = c->to + 3 * (size_t)t->points[0], *b = c->to + 3 * (size_t)t->points[1], *met = t->met;
    double apart[3], up = 0, square = 0;
    for (int k = 0; k < 3; k++) {
        apart[k] = a[k] - b[k];
        up += apart[k] * met[k];
        square += apart[k] * apart[k];
    }
    double across = square - up * up, height = sqrt(fmax(0, distance * distance - across));
    if (across >= distance * distance)
        return false;
    for (int k = 0; k < 3; k++)
        t->kept.normal[k] = up > height ? apart[k] / sqrt(square) : (apart[k] + (height - up) * met[k]) / distance;
    return true;
}

// Returns whether the pair is apart. A constraint that did not hold at the start may ask for more than that.
static bool is_apart(const tide_contacts *c, uint32_t index)
{
    const tide_contact_pair pair = tide_proximity_pair(c->search.proximity, index);
    tide_contact_gap g;
    tide_proximity_gap(&pair, c->to, &g);
    return !g.near || g.gap >= 0;
}

// Returns the gap to close. Where the sides bounce, raises bounce_reach of their points.
static double leap(tide_contacts *c, tide_contact_constraint *t, double gap, const double slip[3])
{
    const double *n = t->kept.normal, separation = slip[0] * n[0] + slip[1] * n[1] + slip[2] * n[2];
    tide_approach impact = tide_pair_impact(c, t);
    double left = tide_contact_bounce_gap(c, &t->kept, &impact, gap, separation);
    for (int i = 0; i < tide_contact_corners(t->kind) && t->kept.leave > 0; i++) {
        double *reach = &c->search.bounce_reach[t->points[i]];
        *reach = fmax(*reach, c->step->h * (impact.approach + t->kept.leave));
    }
    return left;
}

// Solves one contact. Its normal and weights stay fixed for the substep once the pair touches, so that a solver
// converges to one linear constraint. For two points, which soon slide off one another, only the side stays.
static double solve_contact(tide_contacts *c, tide_pair_watch *w, tide_contact_constraint *t, double *x, double *y,
                            double *v, bool post_step)
{
    const double *n = t->kept.normal;
    double gap = -t->distance, slip[3] = { 0 }, change[3];
    if (t->kind == TIDE_PAIR_POINTS && !turn_about_ball(c, t, t->distance))
        return take_back(c, t, x, y, post_step);
    if (t->doubtful && is_apart(c, t->found))
        return tide_contact_is_idle(&t->kept) ? 0 : take_back(c, t, x, y, post_step);
    for (int i = 0; i < tide_contact_corners(t->kind); i++)
        for (size_t k = 0; k < 3; k++)
            slip[k] += t->weights[i] * c->to[3 * (size_t)t->points[i] + k];
    for (int k = 0; k < 3; k++) {
        gap += n[k] * slip[k];
        slip[k] -= t->base[k];
    }
    bool stays = !post_step && c->collector == TIDE_COLLECT_EXACT && t->kept.joined;
    if (gap >= 0 && tide_contact_is_idle(&t->kept) && !stays) {
        w->due = due_after(c, w, gap);
        return 0;
    }
    if (!(t->inverse_mass > 0))
        return tide_contact_is_idle(&t->kept) ? 0 : take_back(c, t, x, y, post_step);
    t->kept.depth = fmax(t->kept.depth, -gap);
    if (!post_step)
        gap = leap(c, t, gap, slip);
    w->due = post_step ? due_after(c, w, STAYED) : -HUGE_VAL;
    bool compliant = !post_step && tide_contact_is_compliant(c, t);
    tide_friction friction = { t->friction, t->friction, { 0 } };
    if (t->friction < 0)
        friction = tide_pair_friction(c, t);
    double inverse_mass = t->inverse_mass;
    tide_contact_turn turn =
        tide_contact_solve_one(c, t, gap, slip, &friction, compliant, !post_step, &inverse_mass, change);
    if (turn != TIDE_CONTACT_SOLVED)
        return turn == TIDE_CONTACT_WAITS ? fmax(0, -gap) : 0;
    return inverse_mass / t->inverse_mass * apply(c, t, change, tide_contact_route_of(compliant), x, y, v);
}

// Returns whether a point of the pair stays inside a collider: then the pair does not touch.
static bool is_penetrating(const tide_contacts *c, uint32_t index)
{
    const tide_contact_pair pair = tide_proximity_pair(c->search.proximity, index);
    return pair.kind != TIDE_PAIR_POINTS &&
           tide_contact_any_penetrating(c->surface, pair.points, pair.kind == TIDE_PAIR_EDGES ? 2 : 1);
}

static double solve_one(tide_contacts *c, uint32_t index, double *x, double *y, double *v, bool post_step)
{
    tide_pair_watch *w = &c->search.watches.items[index];
    tide_contact_constraint *t = w->contact ? &c->list.items[w->contact - 1] : NULL;
    if (c->surface->carried_count > 0)
        for (int i = 0; i < 4; i++) // other points of its carriers may have moved it
            if (w->points[i] >= c->particle_count && w->points[i] < c->moving_count)
                replace(c, x, w->points[i]);
    if (c->surface->penetrating && is_penetrating(c, index))
        return t && !tide_contact_is_idle(&t->kept) ? take_back(c, t, x, y, post_step) : 0;
    if (!t || !t->normal_fixed) {
        if ((!t || tide_contact_is_idle(&t->kept)) && is_separated(c, index))
            return 0;
        tide_contact_constraint *touching = fix_normal(c, index, t);
        if (!touching)
            return t && !tide_contact_is_idle(&t->kept) ? take_back(c, t, x, y, post_step) : 0;
        t = touching;
    }
    return solve_contact(c, w, t, x, y, v, post_step);
}

// Removes the impulses of contacts whose pairs were not found again.
static double release_gone(tide_contacts *c, double *x, double *y)
{
    double moved = 0;
    for (size_t i = 0; i < c->gone.count; i++)
        moved = fmax(moved, take_back(c, &c->gone.items[i], x, y, false));
    c->gone.count = 0;
    return moved;
}

// Solves pairs one after another, in their order.
static double sweep_in_order(tide_contacts *c, double *x, double *y, double *v, bool post_step)
{
    double largest = 0;
    for (uint32_t i = 0; i < c->search.watches.count; i++) {
        if (!is_due(c, &c->search.watches.items[i]))
            continue;
        if (c->work.stretched ? !tide_contact_work_spend(&c->work, TIDE_WORK_GAP)
                              : tide_contact_work_stops(&c->work, TIDE_WORK_SOLVE))
            break;
        double change = solve_one(c, i, x, y, v, post_step);
        largest = change > largest ? change : largest;
    }
    return largest;
}

// --- several at once -------------------------------------------------------------------------------------------------
//
// These sweeps first find all that touches, in parallel, and then solve it.

enum { WATCHED = 512, FIXED = 64, MOVED = 4096 }; // watches, contacts, points: of one task
#define WITHIN_STEP 5.0 // end tolerances: a point has to move by more before vbd tests pairs for touch again

static bool may_go_at_once(const tide_contacts *c)
{
    bool points_alone = c->surface->triangle_count == 0 && !c->settings.lines; // then no pair is penetrating
    return c->surface->carried_count == 0 && (points_alone || !c->surface->penetrating) && !c->work.stretched;
}

// Returns whether sweeps solve contacts in colours. It is so for vbd alone: pbd and xpbd gain energy from another order
// than that of the pairs (five cloths on one another diverge under xpbd).
static bool goes_in_colours(tide_contacts *c)
{
    if (!c->moves_ahead || c->surface->triangle_count == 0 || !may_go_at_once(c))
        return false;
    if (!c->colours)
        c->colours = tide_own(c, tide_pair_colours_create(c->particle_count));
    return c->colours;
}

// Returns whether sweeps solve contacts in levels. They do where only hair and grains touch: each point touches few
// others. Contacts of a mesh share vertices all along its surface, so that each level would have few contacts.
static bool goes_in_levels(tide_contacts *c)
{
    if (!tide_pairs_move_frame(c) || (c->inverse && c->inverse->of_lines) || !may_go_at_once(c))
        return false;
    if (!c->levels)
        c->levels = tide_own(c, tide_pair_levels_create(c->particle_count));
    return c->levels;
}

// Sets which of some pairs without a contact touch.
static void find_touching(void *context, uint32_t begin, uint32_t end)
{
    tide_contacts *c = context;
    for (uint32_t i = begin; i < end; i++) {
        const tide_pair_watch *w = &c->search.watches.items[i];
        bool *touching = &c->search.watches.touching[i];
        *touching = false;
        if (w->contact || !is_due(c, w) || is_separated(c, i))
            continue;
        const tide_contact_pair pair = tide_proximity_pair(c->search.proximity, i);
        tide_contact_gap g;
        tide_proximity_gap(&pair, c->to, &g);
        *touching = g.near && g.gap < 0;
        if (!*touching)
            wait(c, i, &pair);
    }
}

// Contacts whose normals may not be fixed yet.
typedef struct open_contacts {
    tide_contacts *c;
    const uint32_t *list; // NULL: all from c->list.first on
} open_contacts;

static tide_contact_constraint *open_contact(const open_contacts *o, uint32_t i)
{
    return &o->c->list.items[o->list ? o->list[i] : o->c->list.first + i];
}

// Fixes the normals of those that touch. `released`: they do not any more.
static void fix_some(void *context, uint32_t begin, uint32_t end)
{
    const open_contacts *o = context;
    tide_contacts *c = o->c;
    for (uint32_t i = begin; i < end; i++) {
        tide_contact_constraint *t = open_contact(o, i);
        t->released = false;
        if (!tide_contact_is_pair(t) || t->normal_fixed)
            continue;
        bool idle = tide_contact_is_idle(&t->kept);
        if (idle && (!is_due(c, &c->search.watches.items[t->found]) || is_separated(c, t->found)))
            continue;
        t->released = !fix_normal(c, t->found, t) && !idle;
    }
}

// Finds what touches, with normals for the substep. Returns the largest change of a coordinate by impulses of what has
// separated.
static double touch_all(tide_contacts *c, double *x, double *y, bool post_step)
{
    uint32_t pairs = (uint32_t)c->search.watches.count, count;
    tide_parallel_for(pairs, WATCHED, find_touching, c);
    for (uint32_t i = 0; (i = tide_next_set(c->search.watches.touching, i, pairs)) < pairs; i++) {
        tide_contact_pair pair = tide_proximity_pair(c->search.proximity, i);
        if (!add_contact(c, i, &pair))
            return 0;
    }
    open_contacts open = { c, tide_pair_colours_open(c, &count) };
    double moved = 0;
    tide_parallel_for(count, FIXED, fix_some, &open);
    for (uint32_t i = 0; i < count; i++)
        if (open_contact(&open, i)->released)
            moved = fmax(moved, take_back(c, open_contact(&open, i), x, y, post_step));
    return moved;
}

static inline double square_since_test(const tide_contacts *c, uint32_t point)
{
    const double *to = c->to + 3 * (size_t)point, *at = c->search.tested_at + 3 * (size_t)point;
    double x = to[0] - at[0], y = to[1] - at[1], z = to[2] - at[2];
    return x * x + y * y + z * z;
}

// Returns the largest squared displacement of some points since all pairs were tested.
static double moved_since_test(void *context, uint32_t begin, uint32_t end)
{
    const tide_contacts *c = context;
    double most = 0;
    for (uint32_t p = begin; p < end; p++) {
        double square = square_since_test(c, p);
        most = square > most ? square : most;
    }
    return most;
}

// Replaces the paths of some points since the last test of all pairs by straight lines. No pair is evaluated between
// two tests, so only the positions at tests matter.
static void straighten_paths(void *context, uint32_t begin, uint32_t end)
{
    const tide_contacts *c = context;
    for (uint32_t p = begin; p < end; p++)
        c->search.paths[p] = c->search.tested_paths[p] + sqrt(square_since_test(c, p));
}

static void note_test(void *context, uint32_t begin, uint32_t end)
{
    const tide_contacts *c = context;
    size_t count = end - begin, first = begin;
    memcpy(c->search.tested_paths + first, c->search.paths + first, count * sizeof *c->search.paths);
    memcpy(c->search.tested_at + 3 * first, c->to + 3 * first, 3 * count * sizeof *c->to);
}

// Finds what touches, but only if a point has moved by more than `reach` (m) since all pairs were tested. Otherwise no
// two sides have come nearer by more than twice that. Returns the largest change of a coordinate, as touch_all does.
static double touch_if_moved(tide_contacts *c, double *x, double *y, bool post_step, double reach)
{
    if (c->search.tested && tide_parallel_most(c->moving_count, MOVED, moved_since_test, c) <= reach * reach)
        return 0;
    if (c->search.tested)
        tide_parallel_for(c->moving_count, MOVED, straighten_paths, c);
    double moved = touch_all(c, x, y, post_step);
    tide_parallel_for(c->moving_count, MOVED, note_test, c);
    c->search.tested = true;
    return moved;
}

static double solve_colours(const tide_contact_pass *s)
{
    tide_contacts *c = s->c;
    double moved = tide_pair_colours_sweep(c, !s->post_step, s->x, s->y, s->v);
    uint32_t count;
    const uint32_t *rest = tide_pair_colours_rest(c, &count);
    for (uint32_t i = 0; i < count; i++) {
        tide_contact_constraint *t = &c->list.items[rest[i]];
        tide_pair_watch *w = &c->search.watches.items[t->found];
        if (t->normal_fixed)
            moved = fmax(moved, solve_contact(c, w, t, s->x, s->y, s->v, s->post_step));
    }
    return moved;
}

static double solve_in_level(void *context, uint32_t index)
{
    const tide_contact_pass *s = context;
    tide_contact_constraint *t = &s->c->list.items[index];
    tide_pair_watch *w = &s->c->search.watches.items[t->found];
    return t->normal_fixed && is_due(s->c, w) ? solve_contact(s->c, w, t, s->x, s->y, s->v, s->post_step) : 0;
}

static double sweep_at_once(tide_contact_pass *s, bool colours)
{
    tide_contacts *c = s->c;
    double reach = (s->post_step ? 0.5 : WITHIN_STEP) * c->end_tolerance;
    double moved =
        colours ? touch_if_moved(c, s->x, s->y, s->post_step, reach) : touch_all(c, s->x, s->y, s->post_step);
    if (c->out_of_memory || !(colours ? tide_pair_colours_take(c) : tide_pair_levels_take(c))) {
        c->out_of_memory = true;
        return moved;
    }
    if (tide_contact_work_stops(&c->work, TIDE_WORK_SOLVE * (uint64_t)c->list.pair_count))
        return moved;
    return fmax(moved, colours ? solve_colours(s) : tide_pair_levels_run(c->levels, solve_in_level, s));
}

double tide_pair_contacts_solve(tide_contacts *c, double *x, double *y, double *v, bool post_step)
{
    double moved = post_step ? 0 : release_gone(c, x, y);
    int sweeps = post_step ? c->settings.sweeps : 1;
    double enough = post_step ? c->end_tolerance : TIDE_CONTACT_TOLERANCE;
    tide_contact_pass pass = { c, x, y, v, post_step };
    bool colours = goes_in_colours(c), at_once = colours || goes_in_levels(c);
    if (!colours) {
        tide_pair_colours_drop(c);
        c->search.tested = false;
    }
    for (int sweep = 0; sweep < sweeps && !c->work.stopped; sweep++) {
        if (sweep > 0 && c->surface->carried_count > 0)
            tide_pair_contacts_follow(c, x);
        double largest = at_once ? sweep_at_once(&pass, colours) : sweep_in_order(c, x, y, v, post_step);
        moved = fmax(moved, largest);
        if (largest < enough)
            break;
    }
    if (post_step)
        tide_pair_colours_give_back(c);
    return moved;
}

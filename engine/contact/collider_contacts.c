// Contacts of points with colliders.
#include "contact/collider_near.h"
#include "contact/motion_bound.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/vec3.h"
#include "geometry/distance_near.h"

#include <string.h>

#define OFF_SURFACE 1e-7 // m: a slide is swept at this distance from the surface
#define CLEAR_BY 1e-9    // m: bounds the rounding of distances

enum { SLIDES = 3 };                 // most meetings of a swept point with its collider
enum { SEARCHED = 32, AT_ONCE = 4 }; // words of 64 particles for one task: of the search, of solves

void tide_collider_contacts_begin(tide_contacts *c)
{
    for (uint32_t i = 0; i < c->collider_count; i++)
        tide_collider_prepare(c->colliders[i], c->step->from, c->step->to);
    tide_collider_near_begin(c);
    tide_collider_contacts_begin_penetrating(c);
}

// --- one contact ----------------------------------------------------------------------------------------------------

// A point that moves from q to x, and a collider.
typedef struct meeting {
    const tide_collider *collider;
    const tide_collider_path *path;
    tide_nearness *near;
    uint32_t index, point;
    const double *q;
    double x[3], radius;
    double own[3]; // x in the collider's frame at the end
    double gap, normal[3];
    bool at_once;  // points are solved in parallel: nothing but the point's own state may change
    bool deferred; // it has to be solved alone
} meeting;

static void motion_at(const meeting *m, const double p[3], double out[3])
{
    out[0] = out[1] = out[2] = 0;
    if (m->collider->moving)
        tide_collider_motion_in(m->collider, &m->path->from, &m->path->to, p, m->near->hint, out);
}

// Evaluates the gap and the normal at x. With `note`, records the clearance.
static void evaluate(meeting *m, bool note)
{
    double start[3];
    m->gap = tide_collider_gap_from(m->collider, &m->path->to, m->own, &m->near->hint, m->normal) - m->radius;
    if (!note)
        return;
    tide_pose_apply_inverse(&m->path->from, m->q, start);
    tide_nearness_note(m->near, m->path, m->own, m->gap / m->collider->shape.distance->steepest, start);
}

// Returns whether the point enters the collider on its path. The contact is then with the plane of the first touch,
// which may be on another side than the nearest one at the end.
static bool meets_on_the_way(const tide_contacts *c, const meeting *m, double plane[3], double plane_point[3])
{
    const tide_step *step = c->step;
    return tide_collider_meet(m->collider, step->from, step->to, m->q, m->x, m->radius, plane_point, plane);
}

// Evaluates a point for the first time in this substep. Returns NULL if nothing touches, or if the point has to be
// solved alone because its contact changes what points share.
static tide_contact_constraint *look(tide_contacts *c, meeting *m, tide_contact_constraint *t)
{
    double motion[3], relative[3], plane[3], plane_point[3];
    motion_at(m, m->q, motion);
    for (int k = 0; k < 3; k++)
        relative[k] = m->x[k] - m->q[k] - motion[k];
    // Another part of a deforming surface may move differently from the nearest one, by up to twice the longest motion.
    double length = tide_vec3_length(tide_vec3_load(relative)) + 2 * m->path->displacement, gap = m->gap;
    bool outward = relative[0] * m->normal[0] + relative[1] * m->normal[1] + relative[2] * m->normal[2] > 0;
    bool swept = false;
    double before = 0;
    if (gap < 0 || gap < length) {
        before = tide_collider_gap_before(m->collider, &m->path->from, m->q, m->near->hint) - m->radius;
        if (before >= 0 && (gap < 0 ? outward || m->path->displacement > 0 : before + gap < length))
            swept = meets_on_the_way(c, m, plane, plane_point);
    }
    if (gap >= 0 && !swept && !t)
        return NULL;
    // A new contact changes the list, and one whose point begins inside or touches several colliders may be pinched.
    m->deferred = m->at_once && (!t || before < 0 || c->near->slot_counts[m->point] > 1);
    if (m->deferred)
        return NULL;
    if (!t)
        t = tide_collider_contacts_add(c, m->index, m->point);
    if (!t)
        return NULL;
    t->evaluated = true;
    t->swept = swept;
    t->inside = before < 0 ? -before : 0;
    t->allowed_depth = 0;
    if (swept) {
        tide_collider_contact *own = tide_collider_contact_of(c, t);
        memcpy(own->plane, plane, sizeof plane);
        memcpy(own->plane_point, plane_point, sizeof plane_point);
    }
    if (t->inside > TIDE_DEEP + m->radius && t->inside > c->statistics.penetration.depth && c->step->from == 0)
        c->statistics.penetration = (tide_initial_penetration) { m->point, m->index, t->inside };
    tide_collider_contacts_allow_depth(c, t);
    return t;
}

// The gap at the last evaluation less the motion of the point since then, m.
static double spare_of(const meeting *m, const tide_contact_constraint *t)
{
    double moved = tide_vec3_length(tide_vec3_subtract(tide_vec3_load(m->own), tide_vec3_load(t->own)));
    return (t->own_gap - CLEAR_BY) / m->collider->shape.distance->steepest - moved;
}

// Returns whether the contact has no impulse, now or in the finished substeps.
static bool is_unused(const tide_contact_constraint *t)
{
    return tide_contact_is_idle(&t->kept) && t->kept.impulse == 0;
}

// Evaluates the contact of a point: sets its gap and normal in `m`. Returns NULL if there is nothing to solve. An
// unused contact stays clear while its point has moved less than the gap that it had.
static tide_contact_constraint *evaluate_point(tide_contacts *c, meeting *m, tide_contact_constraint *t)
{
    bool again = t && t->evaluated;
    if (!again || !t->swept) {
        tide_pose_apply_inverse(&m->path->to, m->x, m->own);
        if (!t) {
            double moved = tide_vec3_length(tide_vec3_subtract(tide_vec3_load(m->x), tide_vec3_load(m->q)));
            if (tide_nearness_proves(m->near, m->path, m->own, moved))
                return NULL;
        }
        if (again && is_unused(t) && spare_of(m, t) > 0)
            return NULL;
        if (again && memcmp(t->own, m->own, sizeof m->own) == 0) {
            m->gap = t->own_gap;
            memcpy(m->normal, t->kept.normal, sizeof m->normal);
        } else
            evaluate(m, !again); // a contact needs no clearance
        if (!again)
            t = look(c, m, t);
        if (!t)
            return NULL;
        memcpy(t->own, m->own, sizeof m->own);
        t->own_gap = m->gap;
    }
    if (t->swept) {
        const tide_collider_contact *own = tide_collider_contact_of(c, t);
        memcpy(m->normal, own->plane, sizeof m->normal);
        m->gap = -m->radius;
        for (int k = 0; k < 3; k++)
            m->gap += m->normal[k] * (m->x[k] - own->plane_point[k]);
    }
    return t;
}

// Rotates an impulse with its normal by the shortest rotation. At the end of a step the impulse follows its point round
// the surface. Without this it would lie outside Coulomb's cone once the normal has turned, and the part cut off would
// drive the point on round the surface.
static void turn_impulse(double accumulated[3], const double from[3], const double to[3])
{
    double cosine = from[0] * to[0] + from[1] * to[1] + from[2] * to[2], before = 0, after = 0;
    for (int k = 0; k < 3; k++) {
        before += accumulated[k] * from[k];
        after += accumulated[k] * to[k];
    }
    if (cosine <= -0.5) { // of another side
        memset(accumulated, 0, 3 * sizeof *accumulated);
        return;
    }
    for (int k = 0; k < 3; k++)
        accumulated[k] += (to[k] * (before * (1 + 2 * cosine) - after) - from[k] * (before + after)) / (1 + cosine);
}

// The plane of a swept contact does not follow the rest of the shape. After the iterations, the path from the plane on
// is therefore swept against the collider at its end. At each further meeting the point slides along the surface; at
// the last it stops.
static void sweep_the_slide(const tide_contacts *c, const meeting *m, const tide_collider_contact *own,
                            double change[3])
{
    double at[3], rest[3], normal[3], fraction, end = c->step->to, into = 0;
    memcpy(normal, own->plane, sizeof normal);
    for (int k = 0; k < 3; k++) {
        at[k] = own->plane_point[k] + m->radius * normal[k];
        rest[k] = m->x[k] + change[k] - at[k];
    }
    for (int n = 0; n < SLIDES; n++) {
        double from[3], to[3];
        for (int k = 0; k < 3; k++) {
            from[k] = at[k] + OFF_SURFACE * normal[k];
            to[k] = from[k] + rest[k];
        }
        if (!tide_collider_sweep(m->collider, end, end, from, to, m->radius, &fraction, normal)) {
            if (n == 0)
                return;
            for (int k = 0; k < 3; k++)
                at[k] += rest[k];
            break;
        }
        into = 0;
        for (int k = 0; k < 3; k++) {
            at[k] = from[k] + fraction * rest[k];
            rest[k] *= 1 - fraction;
            into += rest[k] * normal[k];
        }
        for (int k = 0; k < 3; k++)
            rest[k] -= fmin(into, 0) * normal[k];
    }
    for (int k = 0; k < 3; k++)
        change[k] = at[k] - m->x[k];
}

// Sets where the contact is, once its point has moved by `change`.
static void place(tide_contact_constraint *t, const meeting *m, const double change[3])
{
    for (int k = 0; k < 3; k++)
        t->kept.place[k] = m->x[k] + change[k] - m->radius * m->normal[k];
}

static double solve_one(tide_contacts *c, meeting *m, uint32_t slot, double *x, double *y, double *v, bool post_step)
{
    tide_contact_constraint *t = evaluate_point(c, m, slot ? &c->list.items[slot - 1] : NULL);
    if (!t)
        return 0;
    double slip[3], change[3] = { 0 }, moved = 0;
    if (post_step)
        turn_impulse(t->kept.accumulated, t->kept.normal, m->normal);
    memcpy(t->kept.normal, m->normal, sizeof m->normal);
    t->kept.depth = t->kept.depth > -m->gap ? t->kept.depth : -m->gap;
    m->gap += t->allowed_depth;
    bool stays = (post_step && t->swept) || (c->collector == TIDE_COLLECT_EXACT && t->kept.joined);
    if (m->gap >= 0 && tide_contact_is_idle(&t->kept) && !stays)
        return 0;
    motion_at(m, m->x, slip);
    tide_approach impact = tide_collider_impact(c, m->point, m->collider, m->normal, slip);
    double gap = m->gap, separation = 0;
    for (int k = 0; k < 3; k++) {
        slip[k] = m->x[k] - m->q[k] - slip[k];
        separation += slip[k] * m->normal[k];
    }
    if (!post_step)
        gap = tide_contact_bounce_gap(c, &t->kept, &impact, gap, separation);
    tide_friction friction = { 0 }; // a pinch does not hold
    if (t->allowed_depth == 0)
        friction = tide_collider_friction(c, m->point, m->index, m->normal);
    bool compliant = !post_step && tide_contact_is_compliant(c, t);
    if (compliant)
        tide_support_see(&tide_collider_contact_of(c, t)->support, m->x, gap, slip, &friction);
    double w = 1;
    tide_contact_turn turn = tide_contact_solve_one(c, t, gap, slip, &friction, compliant, !post_step, &w, change);
    if (turn == TIDE_CONTACT_WAITS)
        return fmax(0, -gap);
    if (post_step && t->swept && t->allowed_depth == 0)
        sweep_the_slide(c, m, tide_collider_contact_of(c, t), change);
    place(t, m, change);
    for (int k = 0; k < 3; k++) {
        double size = fabs(change[k]) * w;
        moved = size > moved ? size : moved;
    }
    if (moved == 0)
        return 0;
    tide_contact_apply(c, m->point, tide_contact_unit(c, t), change, tide_contact_route_of(compliant), x);
    if (y)
        tide_contact_shift(c, y, m->point, change);
    for (int k = 0; k < 3; k++)
        change[k] /= c->rule;
    if (v)
        tide_contact_shift(c, v, m->point, change);
    return moved;
}

// --- all of them ----------------------------------------------------------------------------------------------------

// Returns how far the point may move from its evaluation before it can touch this collider; negative: unknown.
static double spare_after(const tide_contacts *c, const meeting *m, uint32_t slot)
{
    if (slot == 0) {
        double moved = tide_vec3_length(tide_vec3_subtract(tide_vec3_load(m->x), tide_vec3_load(m->q)));
        return tide_nearness_spare(m->near, m->path, m->own, moved);
    }
    const tide_contact_constraint *t = &c->list.items[slot - 1];
    return t->evaluated && !t->swept && is_unused(t) ? spare_of(m, t) : -1;
}

// Solves the contacts of one point with the colliders from row->next on. Returns false if it has to go on alone from
// there.
static bool solve_row(tide_contacts *c, tide_collider_row *row, const tide_contact_pass *s, bool at_once)
{
    tide_collider_near *near = c->near;
    uint32_t p = row->point;
    size_t first = (size_t)p * c->collider_count;
    meeting m = { .at_once = at_once };
    m.point = p;
    m.q = c->from + 3 * (size_t)p;
    m.radius = c->surface->parts[c->surface->part_of[p]].radius;
    double square = 0;
    for (; row->next < c->collider_count; row->next++) {
        uint32_t i = row->next;
        double clear = (double)near->clear[first + i];
        tide_contact_place(c, s->x, p, m.x);
        double dx = m.x[0] - m.q[0], dy = m.x[1] - m.q[1], dz = m.x[2] - m.q[2];
        square = dx * dx + dy * dy + dz * dz;
        if (!near->slots[first + i] && clear > 0 && square < clear * clear) {
            row->least_clear = clear < row->least_clear ? clear : row->least_clear;
            continue;
        }
        m.collider = c->colliders[i];
        m.path = &near->paths[i];
        m.near = &near->pairs[first + i];
        m.index = i;
        double moved = solve_one(c, &m, near->slots[first + i], s->x, s->y, s->v, s->post_step);
        if (m.deferred)
            return false;
        row->most = moved > row->most ? moved : row->most;
        double spare_here = row->most > 0 ? -1 : spare_after(c, &m, near->slots[first + i]);
        row->spare = spare_here < row->spare ? spare_here : row->spare;
    }
    double spare = row->spare;
    if (row->most == 0) // not moved: `square` is the squared distance from its start
        spare = fmin(spare, row->least_clear - sqrt(square));
    double limit = spare > CLEAR_BY ? (spare - CLEAR_BY) * (spare - CLEAR_BY) : -1;
    tide_collider_near_limit(near, p, c->particle_count, limit);
    memcpy(near->centres + 3 * (size_t)p, m.x, sizeof m.x);
    return true;
}

static inline tide_collider_row begin_row(uint32_t point)
{
    return (tide_collider_row) { .point = point, .spare = HUGE_VAL, .least_clear = HUGE_VAL };
}

// Solves the contacts of one point with all colliders. Returns the largest change.
static double solve_point(tide_contacts *c, uint32_t p, double *x, double *y, double *v, bool post_step)
{
    const tide_contact_pass s = { c, x, y, v, post_step };
    tide_collider_row row = begin_row(p);
    solve_row(c, &row, &s, false);
    return row.most;
}

typedef struct search {
    const tide_contacts *c;
    const double *x;
} search;

typedef struct word_search {
    uint64_t due;
    double least, farthest; // m^2, least limit, and largest squared distance from the centres
} word_search;

static inline void search_one(word_search *w, double square, double limit, uint32_t i)
{
    w->due |= (uint64_t) !(square < limit) << i;
    w->least = limit < w->least ? limit : w->least;
    w->farthest = square > w->farthest ? square : w->farthest;
}

// Finds the particles of a word that are not clear at x, two at a time.
static word_search search_word(const search *s, uint32_t word)
{
    const tide_collider_near *near = s->c->near;
    const double *limits = near->limits;
    uint32_t first = 64 * word, left = s->c->particle_count - first, here = left < 64 ? left : 64;
    word_search w = { .least = INFINITY };
    for (uint32_t i = 0; i + 2 <= here; i += 2) {
        size_t n = 3 * (size_t)(first + i);
        const tide_double2 *at = (const tide_double2 *)(s->x + n), *q = (const tide_double2 *)(near->centres + n);
        tide_double2 a = at[0] - q[0], b = at[1] - q[1], d = at[2] - q[2];
        a *= a;
        b *= b;
        d *= d;
        search_one(&w, a[0] + a[1] + b[0], limits[first + i], i);
        search_one(&w, b[1] + d[0] + d[1], limits[first + i + 1], i + 1);
    }
    if (here % 2) {
        w.due |= (uint64_t)1 << (here - 1);
        w.least = -1;
    }
    return w;
}

// Finds the particles of words [begin, end) that are not clear. For a word whose particles are all clear, sets the
// motion bound until which it need not be searched again.
static void find_due(void *context, uint32_t begin, uint32_t end)
{
    const search *s = context;
    tide_collider_near *near = s->c->near;
    for (uint32_t w = begin; w < end; w++) {
        if (near->gone < near->searched[w]) {
            near->due[w] = 0;
            continue;
        }
        word_search found = search_word(s, w);
        near->due[w] = found.due;
        if (isfinite(near->gone))
            near->searched[w] = found.due ? 0 : near->gone + sqrt(found.least) - sqrt(found.farthest) - CLEAR_BY;
    }
}

// Returns whether points may be solved in parallel: each particle by itself, without what compliant contacts share.
static bool go_at_once(const tide_contacts *c, bool post_step)
{
    if (post_step || !c->inverse)
        return true;
    return !c->inverse->of_lines && !c->all_compliant && c->surface->triangle_count == 0;
}

static bool may_touch_at(const tide_contacts *c, const double *x, uint32_t p)
{
    const double *q = c->near->centres + 3 * (size_t)p;
    double at[3];
    tide_contact_place(c, x, p, at);
    double dx = at[0] - q[0], dy = at[1] - q[1], dz = at[2] - q[2];
    return !(dx * dx + dy * dy + dz * dz < c->near->limits[p]) && c->near->takes_part[p];
}

// In a sparse solve, points that are not dirty are at c->to.
static bool is_due(const tide_contact_pass *s, uint32_t p)
{
    return may_touch_at(s->c, s->c->copy.sparse ? s->c->to : s->x, p);
}

// The particles of a word that may have to be solved. For sparse solves, the motion bound has tested most already.
static inline uint64_t due_of(const tide_contacts *c, size_t word)
{
    return c->copy.sparse ? c->search.to_test[word] | c->copy.dirty[word] : c->near->due[word];
}

// Solves a particle by itself, or marks it as one that has to be solved alone.
static double solve_particle(const tide_contact_pass *s, uint32_t p)
{
    tide_collider_near *near = s->c->near;
    tide_collider_row row = begin_row(p);
    if (solve_row(s->c, &row, s, true)) {
        near->has_moved[p] = row.most > 0;
        return row.most;
    }
    near->deferred[p] = true;
    near->rows[p] = row;
    return 0;
}

static double solve_words(void *context, uint32_t begin, uint32_t end)
{
    const tide_contact_pass *s = context;
    double most = 0;
    for (uint32_t w = begin; w < end; w++)
        for (uint64_t rest = due_of(s->c, w); rest;) {
            uint32_t p = tide_bit_take(&rest, w);
            if (!is_due(s, p))
                continue;
            tide_contact_make_dirty(s->c, p);
            double moved = solve_particle(s, p);
            most = moved > most ? moved : most;
        }
    return most;
}

// Solves some of the particles that have moved, again.
static double solve_again(void *context, uint32_t begin, uint32_t end)
{
    const tide_contact_pass *s = context;
    double most = 0;
    for (uint32_t i = begin; i < end; i++) {
        double moved = solve_particle(s, s->c->near->moved[i]);
        most = moved > most ? moved : most;
    }
    return most;
}

// Calls `solve` in parallel for `count` words or particles, `grain` of them to a task. Then solves, in order, the
// particles that have to be solved alone.
static double solve_at_once(tide_contact_pass *s, uint32_t count, uint32_t grain,
                            double (*solve)(void *context, uint32_t begin, uint32_t end))
{
    tide_collider_near *near = s->c->near;
    uint32_t particles = s->c->particle_count;
    if (tide_contact_work_stops(&s->c->work, TIDE_WORK_WALL * (uint64_t)count))
        return 0;
    double most = tide_parallel_most(count, grain, solve, s);
    near->moved_count = 0;
    for (uint32_t p = 0; (p = tide_next_set(near->deferred, p, particles)) < particles; p++) {
        near->deferred[p] = false;
        if (tide_contact_work_stops(&s->c->work, TIDE_WORK_WALL * (uint64_t)s->c->collider_count))
            continue;
        tide_collider_row *row = &near->rows[p];
        solve_row(s->c, row, s, false);
        near->has_moved[p] = row->most > 0;
        most = fmax(most, row->most);
    }
    for (uint32_t p = 0; (p = tide_next_set(near->has_moved, p, particles)) < particles; p++) {
        near->has_moved[p] = false;
        near->moved[near->moved_count++] = p;
    }
    return most;
}

static double solve_moved(const tide_contact_pass *s, uint32_t p)
{
    if (!is_due(s, p) || tide_contact_work_stops(&s->c->work, TIDE_WORK_WALL * (uint64_t)s->c->collider_count))
        return 0;
    tide_contact_make_dirty(s->c, p);
    double moved = solve_point(s->c, p, s->x, s->y, s->v, s->post_step);
    if (moved > 0)
        s->c->near->moved[s->c->near->moved_count++] = p;
    return moved;
}

static double solve_in_order(const tide_contact_pass *s)
{
    double most = 0;
    for (size_t w = 0; w < tide_bit_words(s->c->particle_count); w++)
        for (uint64_t rest = due_of(s->c, w); rest;)
            most = fmax(most, solve_moved(s, tide_bit_take(&rest, w)));
    return most;
}

double tide_collider_contacts_solve(tide_contacts *c, double *x, double *y, double *v, bool post_step)
{
    tide_contact_pass s = { c, x, y, v, post_step };
    search due = { c, x };
    uint32_t words = (uint32_t)tide_bit_words(c->particle_count);
    c->near->moved_count = 0;
    if (!c->copy.sparse)
        tide_parallel_for(words, SEARCHED, find_due, &due);
    double most = go_at_once(c, post_step) ? solve_at_once(&s, words, AT_ONCE, solve_words) : solve_in_order(&s);
    for (uint32_t p = c->particle_count; p < c->moving_count; p++)
        most = fmax(most, solve_moved(&s, p));
    return most;
}

double tide_collider_contacts_solve_compliant(tide_contacts *c, double *x, double *y)
{
    double most = 0;
    for (uint32_t i = 0; i < c->compliance.dense->count; i++)
        if (may_touch_at(c, x, c->compliance.dense->touched[i]))
            most = fmax(most, solve_point(c, c->compliance.dense->touched[i], x, y, NULL, false));
    for (uint32_t p = c->particle_count; p < c->moving_count; p++)
        if (c->near->slot_counts[p] > 0)
            most = fmax(most, solve_point(c, p, x, y, NULL, false));
    return most;
}

double tide_collider_contacts_solve_moved(tide_contacts *c, double *x, double *v)
{
    if (c->surface->carried_count > 0) // moving one moves others that share a carrier
        return tide_collider_contacts_solve(c, x, NULL, v, true);
    tide_contact_pass s = { c, x, NULL, v, true };
    return solve_at_once(&s, c->near->moved_count, 64 * AT_ONCE, solve_again);
}

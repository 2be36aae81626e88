// Particles against colliders.
#include "contact/internal.h"

#include "base/memory.h"
#include "base/vec3.h"

#include <string.h>

#define BORN_INSIDE 1e-4 // m, and a radius: deeper than this at the start of a step is worth a warning

tide_status tide_collider_contacts_create(tide_contacts *c, tide_error *error)
{
    size_t count = (size_t)c->collider_count * c->moving_count;
    c->clearances = tide_allocate_zeroed(count, sizeof *c->clearances);
    c->slots = tide_allocate_zeroed(count, sizeof *c->slots);
    return c->clearances && c->slots ? TIDE_OK : tide_fail_memory(error, "contact");
}

static uint64_t key_of(const tide_contacts *c, uint32_t collider, uint32_t point)
{
    return (uint64_t)collider * c->moving_count + point;
}

tide_collider_contact *tide_collider_contacts_add(tide_contacts *c, uint32_t collider, uint32_t point)
{
    if (!tide_grow(&c->touching, &c->touching_capacity, c->touching_count + 1, sizeof *c->touching))
        return NULL;
    tide_collider_contact *t = &c->touching[c->touching_count++];
    *t = (tide_collider_contact) { .kept = { .key = key_of(c, collider, point), .pushed = NAN },
                                   .point = point,
                                   .collider = collider };
    c->slots[t->kept.key] = (uint32_t)c->touching_count;
    return t;
}

void tide_collider_contacts_clear(tide_contacts *c)
{
    for (size_t i = 0; i < c->touching_count; i++)
        c->slots[c->touching[i].kept.key] = 0;
    c->touching_count = 0;
}

// Only contacts with a force go on to the next timestep.
static void drop_idle(tide_contacts *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->touching_count; i++) {
        tide_collider_contact *t = &c->touching[i];
        bool idle = tide_contact_is_idle(&t->kept);
        c->slots[t->kept.key] = idle ? 0 : (uint32_t)kept + 1;
        t->kept.impulse = t->kept.depth = 0;
        if (!idle)
            c->touching[kept++] = *t;
    }
    c->touching_count = kept;
}

static double distance_to_box(const double p[3], const double lower[3], const double upper[3])
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double beyond = fmax(fmax(lower[k] - p[k], p[k] - upper[k]), 0);
        square += beyond * beyond;
    }
    return sqrt(square);
}

// How far a particle may move from q before it can touch: the gap at the end, and where the collider moves, no more
// than lets them pass through one another on the way.
static double clearance_of(const tide_contacts *c, const tide_collider *collider, const tide_pose *end,
                           const double q[3])
{
    const tide_step *step = c->step;
    double last = tide_collider_gap_at(collider, end, q, NULL);
    if (!collider->moving)
        return last;
    double first = tide_collider_gap(collider, step->from, q, NULL), motion[3];
    tide_collider_motion(collider, step->from, step->to, q, motion);
    return fmin(last, (first + last - tide_vec3_length(tide_vec3_load(motion))) / 2);
}

static void find_clearances(tide_contacts *c, uint32_t index)
{
    const tide_collider *collider = c->colliders[index];
    const tide_contact_surface *s = c->surface;
    double lower[3], upper[3];
    tide_collider_bounds(collider, c->step->from, c->step->to, lower, upper);
    tide_pose end = tide_collider_pose(collider, c->step->to);
    float *clearances = c->clearances + (size_t)index * c->moving_count;
    for (uint32_t p = 0; p < c->moving_count; p++) {
        const double *q = c->from + 3 * (size_t)p;
        double away = distance_to_box(q, lower, upper);
        if (away == 0)
            away = clearance_of(c, collider, &end, q);
        clearances[p] = (float)(away - s->parts[s->part_of[p]].radius);
    }
}

void tide_collider_contacts_begin(tide_contacts *c)
{
    if (c->step->from == 0)
        drop_idle(c);
    for (size_t i = 0; i < c->touching_count; i++) {
        c->touching[i].evaluated = c->touching[i].swept = false;
        c->touching[i].kept.pushed = NAN;
    }
    for (uint32_t i = 0; i < c->collider_count; i++)
        find_clearances(c, i);
}

// --- one contact ----------------------------------------------------------------------------------------------------

// A point that goes from q to x, and a collider.
typedef struct meeting {
    const tide_collider *collider;
    const tide_pose *end;
    uint32_t index, point;
    const double *q;
    double x[3], radius;
} meeting;

// Whether the particle passes through or comes in from another side than the one that it is nearest to at the end; then
// the contact is with the plane that it met first.
static bool meets_on_the_way(tide_contacts *c, const meeting *m, double plane[3], double plane_point[3])
{
    double t;
    const tide_step *step = c->step;
    if (!tide_collider_sweep(m->collider, step->from, step->to, m->q, m->x, m->radius, &t, plane))
        return false;
    double at = step->from + t * (step->to - step->from), motion[3], met[3];
    for (int k = 0; k < 3; k++)
        met[k] = m->q[k] + t * (m->x[k] - m->q[k]) - m->radius * plane[k];
    tide_collider_motion(m->collider, at, step->to, met, motion);
    for (int k = 0; k < 3; k++)
        plane_point[k] = met[k] + motion[k];
    return true;
}

// The first look at a particle in this substep: the contact, or NULL when nothing touches.
static tide_collider_contact *look(tide_contacts *c, const meeting *m, tide_collider_contact *t, double gap,
                                   const double normal[3])
{
    const tide_step *step = c->step;
    double motion[3], way[3], plane[3], plane_point[3];
    tide_collider_motion(m->collider, step->from, step->to, m->q, motion);
    for (int k = 0; k < 3; k++)
        way[k] = m->x[k] - m->q[k] - motion[k];
    double length = tide_vec3_length(tide_vec3_load(way));
    bool outward = way[0] * normal[0] + way[1] * normal[1] + way[2] * normal[2] > 0;
    bool swept = false;
    double before = 0;
    if (gap < 0 || gap < length) {
        before = tide_collider_gap(m->collider, step->from, m->q, NULL) - m->radius;
        if (before >= 0 && (gap < 0 ? outward : before + gap < length))
            swept = meets_on_the_way(c, m, plane, plane_point);
    }
    if (gap >= 0 && !swept && !t)
        return NULL;
    if (!t)
        t = tide_collider_contacts_add(c, m->index, m->point);
    if (!t) {
        c->out_of_memory = true;
        return NULL;
    }
    t->evaluated = true;
    t->swept = swept;
    t->inside = fmax(0, -before);
    if (swept) {
        memcpy(t->plane, plane, sizeof plane);
        memcpy(t->plane_point, plane_point, sizeof plane_point);
    }
    if (t->inside > BORN_INSIDE + m->radius && t->inside > c->born.depth && step->from == 0)
        c->born = (tide_born_inside) { m->point, m->index, t->inside };
    return t;
}

static double answer_one(tide_contacts *c, const meeting *m, double *x, double *y, double *v, bool settle)
{
    tide_collider_contact *t = NULL;
    size_t key = (size_t)m->index * c->moving_count + m->point;
    if (c->slots[key])
        t = &c->touching[c->slots[key] - 1];
    double normal[3], gap = tide_collider_gap_at(m->collider, m->end, m->x, normal) - m->radius;
    if (!t || !t->evaluated)
        t = look(c, m, t, gap, normal);
    if (!t)
        return 0;
    if (t->swept) {
        memcpy(normal, t->plane, sizeof normal);
        gap = -m->radius;
        for (int k = 0; k < 3; k++)
            gap += normal[k] * (m->x[k] - t->plane_point[k]);
    }
    double *sum = t->kept.sum, slip[3], change[3], moved = 0;
    memcpy(t->kept.normal, normal, sizeof normal);
    t->kept.depth = fmax(t->kept.depth, -gap);
    if (gap >= 0 && tide_contact_is_idle(&t->kept))
        return 0;
    tide_collider_motion(m->collider, c->step->from, c->step->to, m->x, slip);
    for (int k = 0; k < 3; k++)
        slip[k] = m->x[k] - m->q[k] - slip[k];
    double friction =
        tide_contact_friction(c->surface->parts[c->surface->part_of[m->point]].friction, m->collider->friction);
    tide_contact_answer(sum, normal, gap, slip, 1, friction, !settle, change);
    if (!settle && c->surface->parts[c->surface->part_of[m->point]].reach == 0)
        tide_contact_run_ahead(c, &t->kept, change);
    for (int k = 0; k < 3; k++) {
        t->kept.place[k] = m->x[k] + change[k] - m->radius * normal[k];
        moved = fmax(moved, fabs(change[k]));
    }
    tide_contact_shift(c, x, m->point, change);
    if (y)
        tide_contact_shift(c, y, m->point, change);
    for (int k = 0; k < 3; k++)
        change[k] /= c->rule;
    if (v)
        tide_contact_shift(c, v, m->point, change);
    return moved;
}

// --- all of them ----------------------------------------------------------------------------------------------------

double tide_collider_contacts_answer(tide_contacts *c, double *x, double *y, double *v, bool settle)
{
    const tide_contact_surface *s = c->surface;
    double moved = 0;
    for (uint32_t i = 0; i < c->collider_count; i++) {
        tide_pose end = tide_collider_pose(c->colliders[i], c->step->to);
        const float *clearances = c->clearances + (size_t)i * c->moving_count;
        const uint32_t *slots = c->slots + (size_t)i * c->moving_count;
        for (uint32_t p = 0; p < c->moving_count; p++) {
            const tide_contact_part *part = &s->parts[s->part_of[p]];
            if (s->inverse_masses[p] == 0 || !part->against_colliders)
                continue;
            meeting m = { c->colliders[i], &end, i, p, c->from + 3 * (size_t)p, { 0 }, part->radius };
            tide_contact_place(c, x, p, m.x);
            double dx = m.x[0] - m.q[0], dy = m.x[1] - m.q[1], dz = m.x[2] - m.q[2], clear = clearances[p];
            if (slots[p] || !(clear > 0 && dx * dx + dy * dy + dz * dz < clear * clear))
                moved = fmax(moved, answer_one(c, &m, x, y, v, settle));
        }
    }
    return moved;
}

// What the forces of a step alone do to a resting point is no impact.
static double slowest_bounce(const tide_contacts *c, uint32_t p)
{
    double force[3];
    tide_contact_place(c, c->step->force, p, force);
    return 2 * c->step->h * c->surface->inverse_masses[p] * tide_vec3_length(tide_vec3_load(force));
}

static void bounce(const tide_contacts *c, tide_collider_contact *t, double *v)
{
    const tide_collider *collider = c->colliders[t->collider];
    const tide_contact_part *part = &c->surface->parts[c->surface->part_of[t->point]];
    const double *n = t->kept.normal, *sum = t->kept.sum;
    double push = sum[0] * n[0] + sum[1] * n[1] + sum[2] * n[2], h = c->step->h, motion[3], before[3], after[3];
    if (!(push > 0))
        return;
    double mass = 1 / c->surface->inverse_masses[t->point];
    t->kept.impulse += push / c->rule * mass;
    double risen = fmin(t->inside, push) / c->rule; // the way out of what it was in from the start is no speed
    tide_collider_motion(collider, c->step->from, c->step->to, t->kept.place, motion);
    tide_contact_place(c, c->step->velocity, t->point, before);
    tide_contact_place(c, v, t->point, after);
    double approach = 0, relative[3], change[3];
    for (int k = 0; k < 3; k++) {
        approach -= n[k] * (before[k] - motion[k] / h);
        relative[k] = after[k] - risen * n[k] - motion[k] / h;
    }
    double keep =
        approach > slowest_bounce(c, t->point) ? fmax(part->restitution, collider->restitution) * approach : 0;
    tide_contact_stop(n, relative, keep, 1, tide_contact_friction(part->friction, collider->friction), change);
    for (int k = 0; k < 3; k++) {
        t->kept.impulse += change[k] * n[k] * mass;
        change[k] -= risen * n[k];
    }
    tide_contact_shift(c, v, t->point, change);
}

void tide_collider_contacts_bounce(tide_contacts *c, double *v)
{
    for (size_t i = 0; i < c->touching_count; i++)
        if (c->touching[i].evaluated)
            bounce(c, &c->touching[i], v);
}

#include "contact/rolling.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "contact/contacts_state.h"
#include "solver/rigid_state.h"

#include <string.h>

// --- sides ----------------------------------------------------------------------------------------------------------

// A rigid body: its centre, inertia about it, and the inverse of that.
typedef struct rigid {
    uint32_t particles[4];
    double centre[3], mass, inverse[9];
} rigid;

static bool may_roll(const tide_contacts *c, uint32_t part)
{
    return part < c->surface->part_count && c->surface->parts[part].rigid;
}

static tide_vec3 arm_of(const rigid *r, int i, const double *x)
{
    return tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)r->particles[i]), tide_vec3_load(r->centre));
}

// Returns false for a body that is held or has no inertia: no couple acts on it.
static bool find_rigid(const tide_contacts *c, uint32_t part, const double *x, rigid *r)
{
    const tide_contact_surface *s = c->surface;
    const uint32_t *carriers = s->carriers + 4 * (size_t)(s->parts[part].first_point - c->particle_count);
    double inertia[9];
    tide_vec3 at[4];
    memcpy(r->particles, carriers, sizeof r->particles);
    for (int i = 0; i < 4; i++) {
        if (!(s->inverse_masses[carriers[i]] > 0))
            return false;
        at[i] = tide_vec3_load(x + 3 * (size_t)carriers[i]);
    }
    tide_vec3_store(r->centre, tide_rigid_mean(at));
    r->mass = 1 / s->inverse_masses[carriers[0]]; // that of each of the four
    for (int i = 0; i < 4; i++)
        at[i] = arm_of(r, i, x);
    tide_rigid_inertia(r->mass, at, inertia);
    tide_rigid_invert(inertia, r->inverse);
    return r->inverse[0] > 0 && isfinite(r->inverse[0]);
}

static tide_vec3 spin_of(const rigid *r, const double *x, const double *v)
{
    tide_vec3 momentum = { 0 };
    for (int i = 0; i < 4; i++) {
        tide_vec3 of = tide_vec3_cross(arm_of(r, i, x), tide_vec3_load(v + 3 * (size_t)r->particles[i]));
        momentum = tide_vec3_add(momentum, tide_vec3_scale(of, r->mass));
    }
    return tide_rigid_times(r->inverse, momentum);
}

// Adds factor * (I^-1 couple) x arm to `out` at the particles: the change of velocities by a couple's impulse, and with
// the mass as factor the forces of a couple.
static void turn(const rigid *r, const double couple[3], double factor, const double *x, double *out)
{
    double by[3];
    tide_vec3 spin = tide_rigid_times(r->inverse, tide_vec3_load(couple));
    for (int i = 0; i < 4; i++) {
        tide_vec3_store(by, tide_vec3_cross(spin, arm_of(r, i, x)));
        for (size_t k = 0; k < 3; k++)
            out[3 * (size_t)r->particles[i] + k] += factor * by[k];
    }
}

static tide_vec3 spin_of_collider(const tide_contacts *c, uint32_t collider)
{
    tide_pose from = tide_collider_pose(c->colliders[collider], c->step->from),
              to = tide_collider_pose(c->colliders[collider], c->step->to), back = tide_pose_inverse(&from);
    tide_pose turned = tide_pose_compose(&to, &back);
    tide_vec3 axis = tide_vec3_load(turned.rotation + 1);
    double sine = tide_vec3_length(axis), angle = 2 * tide_atan2(sine, fabs(turned.rotation[0]));
    double sign = turned.rotation[0] < 0 ? -1 : 1;
    return tide_vec3_scale(axis, sine > 0 ? sign * angle / sine / c->step->h : 0);
}

// --- entries --------------------------------------------------------------------------------------------------------

bool tide_rolling_is_key(const tide_contacts *c, uint64_t key)
{
    uint32_t part = (uint32_t)(key >> 32), other = (uint32_t)key;
    if (!may_roll(c, part))
        return false;
    return other & TIDE_ROLLING_COLLIDER ? (other ^ TIDE_ROLLING_COLLIDER) < c->collider_count
                                         : other > part && may_roll(c, other);
}

tide_rolling_contact *tide_rolling_of(tide_contacts *c, uint64_t key)
{
    tide_rolling_contacts *of = &c->rolling;
    size_t at = 0;
    while (at < of->count && of->items[at].key < key)
        at++;
    if (at < of->count && of->items[at].key == key)
        return &of->items[at];
    if (!tide_grow_owned(c, &of->items, &of->capacity, of->count + 1, sizeof *of->items)) {
        c->out_of_memory = true;
        return NULL;
    }
    memmove(of->items + at + 1, of->items + at, (of->count - at) * sizeof *of->items);
    of->count++;
    of->items[at] = (tide_rolling_contact) { .key = key };
    return &of->items[at];
}

// Drops entries without a couple.
static void begin_timestep(tide_rolling_contacts *of)
{
    size_t kept = 0;
    for (size_t i = 0; i < of->count; i++) {
        tide_rolling_contact *r = &of->items[i];
        memcpy(r->applied, r->couple, sizeof r->applied);
        memset(r->turned, 0, sizeof r->turned);
        if (r->couple[0] != 0 || r->couple[1] != 0 || r->couple[2] != 0)
            of->items[kept++] = *r;
    }
    of->count = kept;
}

void tide_rolling_begin(tide_contacts *c)
{
    for (size_t i = 0; i < c->rolling.count; i++)
        memset(c->rolling.items[i].push, 0, sizeof c->rolling.items[i].push);
}

static void note(tide_contacts *c, uint64_t key, double arm, const double normal[3], double impulse)
{
    tide_rolling_contact *r = arm > 0 && impulse > 0 ? tide_rolling_of(c, key) : NULL;
    if (!r)
        return;
    r->arm = arm;
    for (int k = 0; k < 3; k++)
        r->push[k] += impulse * normal[k];
}

void tide_rolling_note_collider(tide_contacts *c, uint32_t point, uint32_t collider, const double normal[3],
                                double impulse)
{
    uint32_t part = c->surface->part_of[point];
    if (may_roll(c, part))
        note(c, (uint64_t)part << 32 | TIDE_ROLLING_COLLIDER | collider,
             fmax(c->surface->parts[part].rolling, c->colliders[collider]->rolling), normal, impulse);
}

void tide_rolling_note_pair(tide_contacts *c, uint32_t first, uint32_t second, const double normal[3], double impulse)
{
    const tide_contact_surface *s = c->surface;
    uint32_t a = s->part_of[first], b = s->part_of[second];
    const double back[3] = { -normal[0], -normal[1], -normal[2] };
    if (s->parts[b].fixed)
        tide_rolling_note_collider(c, first, s->parts[b].collider, normal, impulse);
    else if (s->parts[a].fixed)
        tide_rolling_note_collider(c, second, s->parts[a].collider, back, impulse);
    else if (a != b && may_roll(c, a) && may_roll(c, b))
        note(c, a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a, fmax(s->parts[a].rolling, s->parts[b].rolling),
             a < b ? normal : back, impulse);
}

// --- the end of a substep -------------------------------------------------------------------------------------------

// Returns u' (A^-1 + B^-1) v.
static double mobility(const double inverse[9], tide_vec3 u, tide_vec3 v)
{
    return tide_vec3_dot(u, tide_rigid_times(inverse, v));
}

// Computes the couple's impulse that stops the spin, added to `before`, within the bound.
static void find_impulse(const double inverse[9], tide_vec3 spin, tide_vec3 push, double arm, const double before[3],
                         double out[3])
{
    double length = tide_vec3_length(push);
    memset(out, 0, 3 * sizeof *out);
    if (!(length > 0))
        return;
    double normal[3], first[3], second[3];
    tide_vec3_store(normal, tide_vec3_scale(push, 1 / length));
    tide_contact_tangents(normal, first, second);
    tide_vec3 e = tide_vec3_load(first), f = tide_vec3_load(second);
    double a = mobility(inverse, e, e), b = mobility(inverse, e, f), d = mobility(inverse, f, f);
    double x = tide_vec3_dot(spin, e), y = tide_vec3_dot(spin, f), determinant = a * d - b * b;
    double p = tide_vec3_dot(tide_vec3_load(before), e) - (d * x - b * y) / determinant;
    double q = tide_vec3_dot(tide_vec3_load(before), f) - (a * y - b * x) / determinant;
    double size = tide_hypot(p, q), most = arm * length, part = size > most ? most / size : 1;
    if (determinant > 0)
        tide_vec3_store(out, tide_vec3_add(tide_vec3_scale(e, part * p), tide_vec3_scale(f, part * q)));
}

static void correct(tide_contacts *c, tide_rolling_contact *r, const double *x, double *v)
{
    uint32_t part = (uint32_t)(r->key >> 32), other = (uint32_t)r->key;
    bool collider = other & TIDE_ROLLING_COLLIDER;
    rigid a, b;
    double inverse[9], before[3], change[3], now[3] = { 0 }, h = c->step->h;
    if (!find_rigid(c, part, x, &a) || (!collider && !find_rigid(c, other, x, &b))) {
        memset(r->couple, 0, sizeof r->couple); // held: no couple acts on it
        return;
    }
    tide_vec3 spin = spin_of(&a, x, v);
    spin = tide_vec3_subtract(spin, collider ? spin_of_collider(c, other ^ TIDE_ROLLING_COLLIDER) : spin_of(&b, x, v));
    for (int k = 0; k < 9; k++)
        inverse[k] = a.inverse[k] + (collider ? 0 : b.inverse[k]);
    for (int k = 0; k < 3; k++)
        before[k] = h * r->applied[k];
    find_impulse(inverse, spin, tide_vec3_load(r->push), r->arm, before, now);
    for (int k = 0; k < 3; k++) {
        change[k] = now[k] - before[k];
        r->couple[k] = now[k] / h;
        r->turned[k] += now[k];
    }
    turn(&a, change, 1, x, v);
    if (!collider)
        turn(&b, change, -1, x, v);
}

void tide_rolling_end(tide_contacts *c, const double *x, double *v)
{
    for (size_t i = 0; i < c->rolling.count; i++)
        correct(c, &c->rolling.items[i], x, v);
}

// --- forces ---------------------------------------------------------------------------------------------------------

static void add(const tide_contacts *c, const tide_rolling_contact *r, const double couple[3], double factor,
                const double *x, double *forces)
{
    uint32_t part = (uint32_t)(r->key >> 32), other = (uint32_t)r->key;
    bool collider = other & TIDE_ROLLING_COLLIDER;
    rigid a, b;
    if (!find_rigid(c, part, x, &a) || (!collider && !find_rigid(c, other, x, &b)))
        return;
    turn(&a, couple, factor * a.mass, x, forces);
    if (!collider)
        turn(&b, couple, -factor * b.mass, x, forces);
}

void tide_contacts_begin_couples(tide_contacts *c, const double *x, double *forces)
{
    if (!c->collider_count && !tide_contacts_have_pairs(c)) // nothing can touch any more
        c->rolling.count = 0;
    begin_timestep(&c->rolling);
    for (size_t i = 0; i < c->rolling.count; i++)
        add(c, &c->rolling.items[i], c->rolling.items[i].applied, 1, x, forces);
}

void tide_contacts_end_couples(const tide_contacts *c, const double *x, double *forces)
{
    for (size_t i = 0; i < c->rolling.count; i++)
        add(c, &c->rolling.items[i], c->rolling.items[i].applied, -1, x, forces);
}

void tide_rolling_add_forces(const tide_contacts *c, const double *x, double *forces)
{
    double timestep = c->statistics.timestep;
    for (size_t i = 0; i < c->rolling.count && timestep > 0; i++)
        add(c, &c->rolling.items[i], c->rolling.items[i].turned, 1 / timestep, x, forces);
}

void tide_contacts_add_rolling_torque(const tide_contacts *c, uint32_t collider, double torque[3])
{
    double timestep = c->statistics.timestep;
    for (size_t i = 0; i < c->rolling.count && timestep > 0; i++)
        for (int k = 0; k < 3 && (uint32_t)c->rolling.items[i].key == (TIDE_ROLLING_COLLIDER | collider); k++)
            torque[k] -= c->rolling.items[i].turned[k] / timestep;
}

#include "contact/projected_gradient.h"

#include "base/memory.h"
#include "contact/contacts_state.h"

#include <string.h>

// Iterations end when no particle moves farther in one than CONVERGED (m), than OF_FIRST of the motion in the first
// iteration, or than OF_MOTION of the fastest motion in the substep.
enum { MAX_ITERATIONS = 128 };
#define CONVERGED 1e-9
#define OF_FIRST 0.1
#define OF_MOTION 1e-4
// Contradictory constraints, as of cloths that begin crossed or in one place, would push harder with every iteration,
// and nothing would part. Iterations therefore end, and restart in the next solve, when TRIAL iterations have not
// brought the depth of the deepest contact below STUCK of what it was, if it is more than OF_DISTANCE of the distance
// to be kept.
enum { TRIAL = 16 };
#define OF_DISTANCE 0.05
#define STUCK 0.9
#define ROUNDING 3e-7f // relative: a smaller change of an impulse is none

typedef float four __attribute__((vector_size(16), may_alias)); // x, y, z, 0

typedef struct bearer {
    double share;
    uint32_t slot;
    float weight; // the share
} bearer;

// Impulses are kg m, W is 1/kg. gap and slip are those at the time when the contact was added.
typedef struct gradient_contact {
    four normal, slip;
    four impulse, before, ahead;    // this iteration's, the last iteration's, and the extrapolated one that x has
    float gap, stiffness, friction; // friction: negative where it is not round, see `origin`
    uint32_t first, end;            // bearers
} gradient_contact;

typedef struct origin {
    four impulse; // when it was added
    double mass;
    tide_friction friction;
    bool of_pair;
    uint32_t index;
} origin;

struct tide_projected_gradient {
    gradient_contact *contacts;
    origin *origins;
    bearer *bearers;
    size_t contact_capacity, origin_capacity, bearer_capacity;
    uint32_t contact_count, bearer_count;
    int lasting;     // iterations since the last restart in this substep
    double distance; // m, the least of all
    // The particles that contacts move.
    uint32_t *slots;     // (particle_count) + 1; 0: none
    uint32_t *particles; // (count)
    uint32_t count;
    four *moved, *force; // (particle_count) m, since contacts were added; kg m, of this iteration
    double *from;        // (3 * particle_count) m, positions when contacts were added
    double *due; // (3 * particle_count) kg m, the difference of the total impulse to what iterations have applied
};

tide_projected_gradient *tide_projected_gradient_create(uint32_t particle_count)
{
    tide_projected_gradient *r = tide_allocate_zeroed(1, sizeof *r);
    if (!r)
        return NULL;
    r->slots = tide_own_zeroed(r, particle_count, sizeof *r->slots);
    r->particles = tide_own_array(r, particle_count, sizeof *r->particles);
    r->moved = tide_own_array(r, particle_count, sizeof *r->moved);
    r->force = tide_own_array(r, particle_count, sizeof *r->force);
    r->from = tide_own_array(r, particle_count, 3 * sizeof *r->from);
    r->due = tide_own_array(r, particle_count, 3 * sizeof *r->due);
    if (tide_owns_all(r))
        return r;
    tide_free(r);
    return NULL;
}

// --- adding ---------------------------------------------------------------------------------------------------------

void tide_projected_gradient_clear(tide_projected_gradient *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        r->slots[r->particles[i]] = 0;
    r->contact_count = r->bearer_count = r->count = 0;
    r->distance = HUGE_VAL;
}

void tide_projected_gradient_restart(tide_projected_gradient *r)
{
    r->lasting = 0;
}

static uint32_t slot_of(tide_projected_gradient *r, uint32_t particle)
{
    if (r->slots[particle] == 0) {
        r->particles[r->count] = particle;
        r->slots[particle] = ++r->count;
    }
    return r->slots[particle] - 1;
}

static four load(const double v[3], double factor)
{
    return (four) { (float)(factor * v[0]), (float)(factor * v[1]), (float)(factor * v[2]), 0 };
}

static bool has_room(tide_projected_gradient *r, size_t bearers)
{
    return tide_grow_owned(r, &r->contacts, &r->contact_capacity, r->contact_count + 1, sizeof *r->contacts) &&
           tide_grow_owned(r, &r->origins, &r->origin_capacity, r->contact_count + 1, sizeof *r->origins) &&
           tide_grow_owned(r, &r->bearers, &r->bearer_capacity, r->bearer_count + bearers, sizeof *r->bearers);
}

static tide_contact_impulse *impulse_of(const tide_contacts *c, bool of_pair, uint32_t index)
{
    return of_pair ? &c->pairs.items[index].kept : &c->touching.items[index].kept;
}

void tide_projected_gradient_add(tide_contacts *c, const tide_gradient_contact *noted, const uint32_t *points,
                                 const double *weights, int count)
{
    tide_projected_gradient *r = c->projected_gradient;
    if (!has_room(r, TIDE_BEARERS * (size_t)count)) {
        c->out_of_memory = true;
        return;
    }
    const tide_contact_impulse *kept = impulse_of(c, noted->of_pair, noted->index);
    four impulse = load(kept->accumulated, noted->mass);
    r->origins[r->contact_count] = (origin) { impulse, noted->mass, noted->friction, noted->of_pair, noted->index };
    gradient_contact *t = &r->contacts[r->contact_count++];
    *t = (gradient_contact) { .normal = load(noted->normal, 1),
                              .slip = load(noted->slip, 1),
                              .impulse = load(kept->before, noted->mass),
                              .ahead = impulse,
                              .gap = (float)noted->gap,
                              .stiffness = (float)(noted->mass / noted->w),
                              .friction = tide_friction_is_round(&noted->friction) ? (float)noted->friction.along : -1,
                              .first = r->bearer_count };
    for (int i = 0; i < count; i++) {
        uint32_t particles[TIDE_BEARERS];
        double shares[TIDE_BEARERS];
        int bearers = tide_contact_bearers(c, points[i], particles, shares);
        for (int n = 0; n < bearers; n++)
            r->bearers[r->bearer_count++] =
                (bearer) { weights[i] * shares[n], slot_of(r, particles[n]), (float)(weights[i] * shares[n]) };
    }
    t->end = r->bearer_count;
    r->distance = fmin(r->distance, noted->distance);
}

// --- iterations ------------------------------------------------------------------------------------------------------

static inline float dot(four a, four b)
{
    four p = a * b;
    return p[0] + p[1] + p[2];
}

static inline void apply_change(tide_projected_gradient *r, const gradient_contact *t, four change)
{
    for (uint32_t n = t->first; n < t->end; n++)
        r->force[r->bearers[n].slot] += r->bearers[n].weight * change;
}

static four clip(const tide_friction *friction, float push, four drag)
{
    double clipped[3] = { (double)drag[0], (double)drag[1], (double)drag[2] };
    tide_friction_clip(friction, (double)push, clipped);
    return load(clipped, 1);
}

// Evaluates the laws of contact (contacts.h) at the present displacements. Sets *gap to the gap there.
static inline four solve_contact(const tide_projected_gradient *r, const gradient_contact *t, const origin *o,
                                 float *gap)
{
    four moved = { 0 };
    for (uint32_t n = t->first; n < t->end; n++)
        moved += r->bearers[n].weight * r->moved[r->bearers[n].slot];
    *gap = t->gap + dot(moved, t->normal);
    float along = dot(t->ahead, t->normal), push = along - t->stiffness * *gap;
    if (!(push > 0))
        return (four) { 0 };
    four slip = t->slip + moved, drag = t->ahead - along * t->normal;
    drag -= t->stiffness * (slip - dot(slip, t->normal) * t->normal);
    if (t->friction < 0)
        return push * t->normal + clip(&o->friction, push, drag);
    float most = t->friction * push, square = dot(drag, drag);
    float part = square > most * most ? most / sqrtf(square) : 1;
    return push * t->normal + part * drag;
}

static inline bool is_zero(four a)
{
    return a[0] == 0 && a[1] == 0 && a[2] == 0;
}

// One iteration: updates all impulses and extrapolates each by `part` of its change. Returns the depth of the deepest
// contact, m. *back is whether the changes point against the extrapolation: then the method restarts.
static double iterate_once(tide_projected_gradient *r, float part, bool *back)
{
    float against = 0, deepest = 0, gap;
    for (uint32_t i = 0; i < r->contact_count; i++) {
        gradient_contact *t = &r->contacts[i];
        four impulse = solve_contact(r, t, &r->origins[i], &gap), change = impulse - t->ahead;
        deepest = gap < -deepest ? -gap : deepest;
        if (dot(change, change) <= ROUNDING * ROUNDING * dot(t->ahead, t->ahead))
            impulse = t->ahead;
        against += dot(t->ahead - impulse, impulse - t->impulse) / t->stiffness;
        t->before = t->impulse;
        t->impulse = impulse;
        four ahead = impulse;
        if (!is_zero(impulse)) // a contact that has become idle stays so
            ahead += part * (impulse - t->before);
        apply_change(r, t, ahead - t->ahead);
        t->ahead = ahead;
    }
    *back = against > 0;
    return (double)deepest;
}

static void pass_forces_on(tide_contacts *c, tide_projected_gradient *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        for (size_t k = 0, n = 3 * (size_t)r->particles[i]; k < 3; k++) {
            c->compliance.force[n + k] += (double)r->force[i][k];
            r->due[3 * (size_t)i + k] -= (double)r->force[i][k];
        }
    memset(r->force, 0, r->count * sizeof *r->force);
    c->compliance.forced = true;
}

// Sets *farthest to the largest displacement of a particle, m. Returns the largest change of a coordinate.
static double follow(tide_contacts *c, tide_projected_gradient *r, double *x, double *also, double *farthest)
{
    double most = tide_contacts_apply_forces(c, x, also, NULL);
    float square = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        four before = r->moved[i];
        for (size_t k = 0, n = 3 * (size_t)r->particles[i]; k < 3; k++)
            r->moved[i][k] = (float)(x[n + k] - r->from[3 * (size_t)i + k]);
        before -= r->moved[i];
        square = fmaxf(square, dot(before, before));
    }
    *farthest = sqrt((double)square);
    return most;
}

// Adds the total change of a contact to its accumulated impulse and to its particles in double precision: single
// precision would not conserve momentum. Returns the largest change of y.
static double give_one_back(const tide_contacts *c, tide_projected_gradient *r, const gradient_contact *t,
                            const origin *o, double *y)
{
    tide_contact_impulse *kept = impulse_of(c, o->of_pair, o->index);
    double change[3], most = 0;
    for (int k = 0; k < 3; k++) {
        change[k] = is_zero(t->impulse) ? -o->mass * kept->accumulated[k] : (double)(t->impulse[k] - o->impulse[k]);
        kept->accumulated[k] = is_zero(t->impulse) ? 0 : kept->accumulated[k] + change[k] / o->mass;
        kept->before[k] = (double)t->before[k] / o->mass;
    }
    for (uint32_t n = t->first; n < t->end; n++) {
        const bearer *b = &r->bearers[n];
        size_t p = r->particles[b->slot];
        for (size_t k = 0; k < 3; k++) {
            double force = b->share * change[k], by = force * c->surface->inverse_masses[p];
            r->due[3 * (size_t)b->slot + k] += force;
            most = fmax(most, fabs(by));
            if (y)
                y[3 * p + k] += by;
        }
    }
    return most;
}

static double give_back(tide_contacts *c, tide_projected_gradient *r, double *y)
{
    double most = 0;
    for (uint32_t i = 0; i < r->contact_count; i++)
        most = fmax(most, give_one_back(c, r, &r->contacts[i], &r->origins[i], y));
    for (uint32_t i = 0; i < r->count; i++)
        for (size_t k = 0, n = 3 * (size_t)r->particles[i]; k < 3; k++)
            c->compliance.force[n + k] += r->due[3 * (size_t)i + k];
    c->compliance.forced = true;
    return most;
}

static double enough(const tide_contacts *c, const tide_projected_gradient *r)
{
    double fastest = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        const double *v = c->step->velocity + 3 * (size_t)r->particles[i];
        fastest = fmax(fastest, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    return fmax(CONVERGED, OF_MOTION * c->step->h * sqrt(fastest));
}

static void start(tide_projected_gradient *r, const double *x)
{
    memset(r->force, 0, r->count * sizeof *r->force);
    memset(r->moved, 0, r->count * sizeof *r->moved);
    memset(r->due, 0, 3 * r->count * sizeof *r->due);
    for (uint32_t i = 0; i < r->count; i++)
        memcpy(r->from + 3 * (size_t)i, x + 3 * (size_t)r->particles[i], 3 * sizeof *r->from);
}

static bool is_stuck(const tide_projected_gradient *r, double deepest, double before)
{
    return deepest > STUCK * before && deepest > OF_DISTANCE * r->distance;
}

double tide_projected_gradient_solve(tide_contacts *c, double *x, double *y, double *also)
{
    tide_projected_gradient *r = c->projected_gradient;
    if (r->contact_count == 0)
        return 0;
    start(r, x);
    double far, least = enough(c, r), most = follow(c, r, x, also, &far), deepest = 0, trial = 0;
    bool back = false, stuck = false;
    far = HUGE_VAL;
    for (int iteration = 0; iteration < MAX_ITERATIONS && far > least && !stuck; iteration++) {
        if (tide_contact_work_stops(&c->work, r->contact_count))
            break;
        r->lasting = back ? 1 : r->lasting + 1;
        deepest = iterate_once(r, (float)(r->lasting - 1) / (float)(r->lasting + 2), &back);
        pass_forces_on(c, r);
        most = fmax(most, follow(c, r, x, also, &far));
        if (iteration == 0)
            least = fmax(least, OF_FIRST * far);
        if (iteration % TRIAL == 0) {
            stuck = iteration > 0 && is_stuck(r, deepest, trial);
            trial = deepest;
        }
    }
    if (back || is_stuck(r, deepest, trial))
        r->lasting = 0;
    return fmax(most, give_back(c, r, y));
}

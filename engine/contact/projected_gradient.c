#include "contact/projected_gradient.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "contact/contacts_state.h"
#include "contact/gradient_blocks.h"

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

enum { LANES = TIDE_GRADIENT_LANES, GRAIN = 128, PARTICLES_AT_ONCE = 512 };
typedef tide_gradient_vector four;
typedef tide_gradient_lanes eight;
typedef tide_gradient_block block;
typedef tide_gradient_row bearer_row;

typedef struct bearer {
    double share;
    uint32_t slot, contact;
} bearer;

typedef struct origin {
    four impulse; // when it was added
    double mass;
    uint32_t first, end; // bearers
    bool of_pair, fresh; // fresh: gap and slip are those at the present x
    uint32_t index;
    uint64_t pass; // that added or updated it
} origin;

// What acts on a particle: the change of a contact times a weight.
typedef struct effect {
    uint32_t contact;
    float weight;
} effect;

struct tide_projected_gradient {
    block *blocks;
    origin *origins;
    tide_friction *frictions; // (contacts)
    bearer *bearers;
    bearer_row *rows;
    effect *effects;        // (bearer_count) by particle, in the order of contacts
    uint32_t *first_effect; // (count + 1)
    four *changes;          // (contacts) of `ahead` in this iteration
    tide_gradient_update *update;
    size_t block_capacity, origin_capacity, friction_capacity, bearer_capacity, row_capacity, effect_capacity,
        change_capacity;
    uint32_t contact_count, bearer_count, row_count, listed; // listed: bearers that `effects` has
    uint64_t set, pass;                                      // numbers; a set ends when all contacts are removed
    int lasting;                                             // iterations since the last restart in this substep
    double distance;                                         // m, the least of all
    // The particles that contacts move.
    uint32_t *slots;        // (particle_count) + 1; 0: none
    uint32_t *particles;    // (count)
    uint32_t count, placed; // placed: those of them that have a place in `from`
    four *moved;            // (particle_count) m, since `from`
    double *from;           // (3 * particle_count) m, positions when their first contact was added
    double *due;   // (3 * particle_count) kg m, the difference of the total impulse to what iterations have applied
    float *motion; // (particle_count / PARTICLES_AT_ONCE + 1) m^2, of the fastest particle in the last iteration
};

tide_projected_gradient *tide_projected_gradient_create(uint32_t particle_count)
{
    tide_projected_gradient *r = tide_allocate_zeroed(1, sizeof *r);
    if (!r)
        return NULL;
    r->update = tide_gradient_update_choose();
    r->slots = tide_own_zeroed(r, particle_count, sizeof *r->slots);
    r->particles = tide_own_array(r, particle_count, sizeof *r->particles);
    r->moved = tide_own_array(r, particle_count, sizeof *r->moved);
    r->first_effect = tide_own_array(r, particle_count + (size_t)1, sizeof *r->first_effect);
    r->motion = tide_own_array(r, particle_count / PARTICLES_AT_ONCE + (size_t)1, sizeof *r->motion);
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
    r->contact_count = r->bearer_count = r->row_count = r->count = r->placed = r->listed = 0;
    r->distance = HUGE_VAL;
    r->set++;
}

void tide_projected_gradient_begin_pass(tide_projected_gradient *r)
{
    r->pass++;
}

bool tide_projected_gradient_has(const tide_projected_gradient *r, const tide_contact_impulse *kept)
{
    return kept->set == r->set;
}

void tide_projected_gradient_restart(tide_projected_gradient *r)
{
    tide_projected_gradient_clear(r);
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
    return tide_grow_owned(r, &r->origins, &r->origin_capacity, r->contact_count + 1, sizeof *r->origins) &&
           tide_grow_owned(r, &r->frictions, &r->friction_capacity, r->contact_count + 1, sizeof *r->frictions) &&
           tide_grow_owned(r, &r->blocks, &r->block_capacity, r->contact_count / LANES + 1, sizeof *r->blocks) &&
           tide_grow_owned(r, &r->changes, &r->change_capacity, r->contact_count + LANES, sizeof *r->changes) &&
           tide_grow_owned(r, &r->bearers, &r->bearer_capacity, r->bearer_count + bearers, sizeof *r->bearers) &&
           tide_grow_owned(r, &r->rows, &r->row_capacity, r->row_count + bearers, sizeof *r->rows) &&
           tide_grow_owned(r, &r->effects, &r->effect_capacity, r->bearer_count + bearers, sizeof *r->effects);
}

static tide_contact_impulse *impulse_of(const tide_contacts *c, bool of_pair, uint32_t index)
{
    return of_pair ? &c->pairs.items[index].kept : &c->touching.items[index].kept;
}

static void set_lane(eight to[3], uint32_t lane, four from)
{
    for (int k = 0; k < 3; k++)
        to[k][lane] = from[k];
}

static inline four lane_of(const eight from[3], uint32_t lane)
{
    return (four) { from[0][lane], from[1][lane], from[2][lane], 0 };
}

// Adds the bearers of a contact in a lane of a block, which is the last one.
static void add_bearer(tide_projected_gradient *r, block *b, uint32_t lane, uint32_t nth, double share, uint32_t slot)
{
    if (nth == b->bearers) {
        r->rows[r->row_count++] = (bearer_row) { 0 };
        b->bearers++;
    }
    r->rows[b->first + nth].weight[lane] = (float)share;
    r->rows[b->first + nth].slot[lane] = slot;
    r->bearers[r->bearer_count++] = (bearer) { share, slot, r->contact_count };
}

// Sets what a contact is at the present x and with its present impulse.
static void describe(tide_projected_gradient *r, uint32_t member, const tide_contact_impulse *kept,
                     const tide_gradient_contact *noted)
{
    origin *o = &r->origins[member];
    block *b = &r->blocks[member / LANES];
    uint32_t lane = member % LANES;
    o->impulse = load(kept->accumulated, noted->mass);
    o->mass = noted->mass;
    r->frictions[member] = noted->friction;
    o->fresh = true;
    o->pass = r->pass;
    set_lane(b->normal, lane, load(noted->normal, 1));
    set_lane(b->slip, lane, load(noted->slip, 1));
    set_lane(b->impulse, lane, load(kept->before, noted->mass));
    set_lane(b->ahead, lane, o->impulse);
    b->gap[lane] = (float)noted->gap;
    b->stiffness[lane] = (float)(noted->mass / noted->w);
    b->friction[lane] = tide_friction_is_round(&noted->friction) ? (float)noted->friction.along : -1;
    b->directed = b->directed || b->friction[lane] < 0;
    r->distance = fmin(r->distance, noted->distance);
}

void tide_projected_gradient_add(tide_contacts *c, const tide_gradient_contact *noted, const uint32_t *points,
                                 const double *weights, int count)
{
    tide_projected_gradient *r = c->projected_gradient;
    tide_contact_impulse *kept = impulse_of(c, noted->of_pair, noted->index);
    if (tide_projected_gradient_has(r, kept)) {
        describe(r, kept->member, kept, noted);
        return;
    }
    if (!has_room(r, TIDE_BEARERS * (size_t)count)) {
        c->out_of_memory = true;
        return;
    }
    uint32_t lane = r->contact_count % LANES, nth = 0;
    block *b = &r->blocks[r->contact_count / LANES];
    if (lane == 0)
        *b = (block) { .gap = (eight) { 0 } + 1, .stiffness = (eight) { 0 } + 1, .first = r->row_count };
    kept->set = r->set;
    kept->member = r->contact_count;
    origin *o = &r->origins[kept->member];
    *o = (origin) { .first = r->bearer_count, .of_pair = noted->of_pair, .index = noted->index };
    describe(r, kept->member, kept, noted);
    for (int i = 0; i < count; i++) {
        uint32_t particles[TIDE_BEARERS];
        double shares[TIDE_BEARERS];
        int bearers = tide_contact_bearers(c, points[i], particles, shares);
        for (int n = 0; n < bearers; n++)
            add_bearer(r, b, lane, nth++, weights[i] * shares[n], slot_of(r, particles[n]));
    }
    o->end = r->bearer_count;
    r->contact_count++;
}

void tide_projected_gradient_reweigh(tide_contacts *c)
{
    tide_projected_gradient *r = c->projected_gradient;
    for (uint32_t i = 0; i < r->contact_count; i++) {
        const origin *o = &r->origins[i];
        const tide_contact_impulse *kept = impulse_of(c, o->of_pair, o->index);
        double w = o->of_pair ? tide_pair_compliance(c, &c->pairs.items[o->index])
                              : tide_contact_compliance_bound(c, c->touching.items[o->index].point) / kept->share;
        r->blocks[i / LANES].stiffness[i % LANES] = (float)(1 / w);
    }
}

// --- iterations ------------------------------------------------------------------------------------------------------

typedef struct iteration {
    tide_contacts *c;
    tide_projected_gradient *r;
    const double *x;
} iteration;

static uint32_t block_count(const tide_projected_gradient *r)
{
    return (r->contact_count + LANES - 1) / LANES;
}

// One iteration, which extrapolates each impulse by `part` of its last change. Returns the depth of the deepest
// contact, m. *back is whether the changes point against the extrapolation: then the method restarts.
static double iterate_once(iteration *it, float part, bool *back)
{
    float against = 0, most = 0;
    uint32_t count = block_count(it->r);
    const tide_projected_gradient *r = it->r;
    tide_gradient_pass pass = { r->blocks, r->rows, r->moved, r->frictions, r->changes, part };
    tide_parallel_for(count, GRAIN, r->update, &pass);
    for (uint32_t i = 0; i < count; i++) {
        const block *b = &it->r->blocks[i];
        for (int lane = 0; lane < LANES; lane++) {
            against += b->against[lane];
            most = b->deepest[lane] > most ? b->deepest[lane] : most;
        }
    }
    *back = against > 0;
    return (double)most;
}

// Lists what acts on each particle.
static void list_effects(tide_projected_gradient *r)
{
    r->listed = r->bearer_count;
    uint32_t *first = r->first_effect;
    memset(first, 0, (r->count + (size_t)1) * sizeof *first);
    for (uint32_t i = 0; i < r->bearer_count; i++)
        first[r->bearers[i].slot + 1]++;
    for (uint32_t s = 0; s < r->count; s++)
        first[s + 1] += first[s];
    for (uint32_t i = 0; i < r->bearer_count; i++) {
        const bearer *b = &r->bearers[i];
        r->effects[first[b->slot]++] = (effect) { b->contact, (float)b->share };
    }
    memmove(first + 1, first, r->count * sizeof *first); // each had moved to the start of the next
    first[0] = 0;
}

static void add_forces(void *context, uint32_t begin, uint32_t end)
{
    const iteration *it = context;
    tide_projected_gradient *r = it->r;
    for (uint32_t i = begin; i < end; i++) {
        four force = { 0 };
        for (uint32_t e = r->first_effect[i]; e < r->first_effect[i + 1]; e++)
            force += r->effects[e].weight * r->changes[r->effects[e].contact];
        double *to = it->c->compliance.force + 3 * (size_t)r->particles[i], *due = r->due + 3 * (size_t)i;
        for (size_t k = 0; k < 3; k++) {
            to[k] += (double)force[k];
            due[k] -= (double)force[k];
        }
    }
}

static void pass_forces_on(iteration *it)
{
    tide_parallel_for(it->r->count, PARTICLES_AT_ONCE, add_forces, it);
    it->c->compliance.forced = true;
}

// Notes the displacements of PARTICLES_AT_ONCE particles, from the part * PARTICLES_AT_ONCE-th one on.
static float note_part(const iteration *it, uint32_t part)
{
    tide_projected_gradient *r = it->r;
    uint32_t begin = part * PARTICLES_AT_ONCE,
             end = begin + PARTICLES_AT_ONCE < r->count ? begin + PARTICLES_AT_ONCE : r->count;
    float square = 0;
    for (uint32_t i = begin; i < end; i++) {
        const double *x = it->x + 3 * (size_t)r->particles[i], *from = r->from + 3 * (size_t)i;
        four now = { (float)(x[0] - from[0]), (float)(x[1] - from[1]), (float)(x[2] - from[2]), 0 },
             by = r->moved[i] - now, squares = by * by;
        r->moved[i] = now;
        square = fmaxf(square, squares[0] + squares[1] + squares[2]);
    }
    return square;
}

static void note_motion(void *context, uint32_t begin, uint32_t end)
{
    const iteration *it = context;
    for (uint32_t part = begin; part < end; part++)
        it->r->motion[part] = note_part(it, part);
}

// Sets *farthest to the largest displacement of a particle, m. Returns the largest change of a coordinate.
static double follow(iteration *it, double *x, double *also, double *farthest)
{
    double most = tide_contacts_apply_forces(it->c, x, also, NULL);
    float square = 0;
    it->x = x;
    uint32_t parts = (it->r->count + PARTICLES_AT_ONCE - 1) / PARTICLES_AT_ONCE;
    tide_parallel_for(parts, 1, note_motion, it);
    for (uint32_t part = 0; part < parts; part++)
        square = fmaxf(square, it->r->motion[part]);
    *farthest = sqrt((double)square);
    return most;
}

// Adds the total change of a contact to its accumulated impulse and to its particles in double precision: single
// precision would not conserve momentum. Returns the largest change of y.
static double give_one_back(const tide_contacts *c, tide_projected_gradient *r, uint32_t contact, double *y)
{
    origin *o = &r->origins[contact];
    block *t = &r->blocks[contact / LANES];
    four impulse = lane_of(t->impulse, contact % LANES), before = lane_of(t->before, contact % LANES);
    bool idle = impulse[0] == 0 && impulse[1] == 0 && impulse[2] == 0;
    tide_contact_impulse *kept = impulse_of(c, o->of_pair, o->index);
    double change[3], most = 0;
    for (int k = 0; k < 3; k++) {
        change[k] = idle ? -o->mass * kept->accumulated[k] : (double)(impulse[k] - o->impulse[k]);
        kept->accumulated[k] = idle ? 0 : kept->accumulated[k] + change[k] / o->mass;
        kept->before[k] = (double)before[k] / o->mass;
    }
    kept->depth = fmax(kept->depth, (double)t->deepest[contact % LANES]);
    o->impulse = load(kept->accumulated, o->mass);
    set_lane(t->impulse, contact % LANES, before);
    set_lane(t->ahead, contact % LANES, o->impulse);
    for (uint32_t n = o->first; n < o->end; n++) {
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
        most = fmax(most, give_one_back(c, r, i, y));
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

// Refers the gap and slip of a contact to `from`.
static void refer(const tide_projected_gradient *r, uint32_t member)
{
    const origin *o = &r->origins[member];
    block *b = &r->blocks[member / LANES];
    uint32_t lane = member % LANES;
    four moved = { 0 }, normal = lane_of(b->normal, lane), slip = lane_of(b->slip, lane);
    for (uint32_t n = o->first; n < o->end; n++)
        moved += (float)r->bearers[n].share * r->moved[r->bearers[n].slot];
    four along = moved * normal;
    b->gap[lane] -= along[0] + along[1] + along[2];
    set_lane(b->slip, lane, slip - moved);
}

// Removes a contact with a collider that is not evaluated any more, because it cannot touch.
static void retire(tide_projected_gradient *r, uint32_t member)
{
    block *b = &r->blocks[member / LANES];
    uint32_t lane = member % LANES;
    b->gap[lane] = HUGE_VALF;
    b->friction[lane] = 1;
    set_lane(b->impulse, lane, (four) { 0 });
    set_lane(b->ahead, lane, (four) { 0 });
    r->origins[member].impulse = (four) { 0 };
}

static void start(tide_projected_gradient *r, const double *x)
{
    if (r->listed < r->bearer_count)
        list_effects(r);
    memset(r->due, 0, 3 * r->count * sizeof *r->due);
    for (uint32_t i = 0; i < r->count; i++) {
        const double *now = x + 3 * (size_t)r->particles[i];
        double *from = r->from + 3 * (size_t)i;
        if (i >= r->placed)
            memcpy(from, now, 3 * sizeof *from);
        r->moved[i] = (four) { (float)(now[0] - from[0]), (float)(now[1] - from[1]), (float)(now[2] - from[2]), 0 };
    }
    r->placed = r->count;
    for (uint32_t i = 0; i < r->contact_count; i++) {
        origin *o = &r->origins[i];
        if (o->fresh)
            refer(r, i);
        else if (!o->of_pair && o->pass != r->pass)
            retire(r, i);
        o->fresh = false;
    }
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
    iteration it = { .c = c, .r = r };
    double far, least = enough(c, r), most = follow(&it, x, also, &far), deepest = 0, trial = 0;
    bool back = false, stuck = false;
    far = HUGE_VAL;
    for (int iteration = 0; iteration < MAX_ITERATIONS && far > least && !stuck; iteration++) {
        if (tide_contact_work_stops(&c->work, r->contact_count))
            break;
        r->lasting = back ? 1 : r->lasting + 1;
        float part = (float)(r->lasting - 1) / (float)(r->lasting + 2);
        deepest = iterate_once(&it, part, &back);
        pass_forces_on(&it);
        most = fmax(most, follow(&it, x, also, &far));
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

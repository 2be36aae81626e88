#include "contact/projected_gradient.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/vectors_128.h"
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

typedef float four __attribute__((vector_size(16), may_alias)); // x, y, z, 0; or a number of each lane
typedef int32_t four_masks __attribute__((vector_size(16)));

enum { LANES = 4, GRAIN = 256, PARTICLES_AT_ONCE = 1024 };

// Four contacts, a lane each. Impulses are kg m, W is 1/kg. gap and slip are those at the time when the contact was
// added. Lanes without a contact never touch.
typedef struct block {
    four normal[3], slip[3];
    four impulse[3], before[3], ahead[3]; // this iteration's, the last iteration's, and the extrapolated one that x has
    four gap, stiffness, friction;        // friction: negative where it is not round, see `origin`
    four deepest;                         // of this iteration: depth, m
    uint32_t first, bearers;              // rows of bearers: the most that one of the contacts has
} block;

// The n-th bearers of the contacts of a block; without one, a weight of 0.
typedef struct bearer_row {
    four weight;
    uint32_t slot[LANES];
} bearer_row;

typedef struct bearer {
    double share;
    uint32_t slot, contact;
} bearer;

typedef struct origin {
    four impulse; // when it was added
    double mass;
    tide_friction friction;
    uint32_t first, end; // bearers
    uint32_t index;
} origin;

// What acts on a particle: the change of a contact times a weight.
typedef struct effect {
    uint32_t contact;
    float weight;
} effect;

struct tide_projected_gradient {
    block *blocks;
    origin *origins;
    bearer *bearers;
    bearer_row *rows;
    effect *effects;        // (bearer_count) by particle, in the order of contacts
    uint32_t *first_effect; // (count + 1)
    four *changes;          // (contacts) of `ahead` in this iteration
    size_t block_capacity, origin_capacity, bearer_capacity, row_capacity, effect_capacity, change_capacity;
    uint32_t contact_count, bearer_count, row_count;
    int lasting;     // iterations since the last restart in this substep
    double distance; // m, the least of all
    // The particles that contacts move.
    uint32_t *slots;     // (particle_count) + 1; 0: none
    uint32_t *particles; // (count)
    uint32_t count;
    four *moved;  // (particle_count) m, since contacts were added
    double *from; // (3 * particle_count) m, positions when contacts were added
    double *due;  // (3 * particle_count) kg m, the difference of the total impulse to what iterations have applied
};

tide_projected_gradient *tide_projected_gradient_create(uint32_t particle_count)
{
    tide_projected_gradient *r = tide_allocate_zeroed(1, sizeof *r);
    if (!r)
        return NULL;
    r->slots = tide_own_zeroed(r, particle_count, sizeof *r->slots);
    r->particles = tide_own_array(r, particle_count, sizeof *r->particles);
    r->moved = tide_own_array(r, particle_count, sizeof *r->moved);
    r->first_effect = tide_own_array(r, particle_count + (size_t)1, sizeof *r->first_effect);
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
    r->contact_count = r->bearer_count = r->row_count = r->count = 0;
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
    return tide_grow_owned(r, &r->origins, &r->origin_capacity, r->contact_count + 1, sizeof *r->origins) &&
           tide_grow_owned(r, &r->blocks, &r->block_capacity, r->contact_count / LANES + 1, sizeof *r->blocks) &&
           tide_grow_owned(r, &r->changes, &r->change_capacity, r->contact_count + LANES, sizeof *r->changes) &&
           tide_grow_owned(r, &r->bearers, &r->bearer_capacity, r->bearer_count + bearers, sizeof *r->bearers) &&
           tide_grow_owned(r, &r->rows, &r->row_capacity, r->row_count + bearers, sizeof *r->rows) &&
           tide_grow_owned(r, &r->effects, &r->effect_capacity, r->bearer_count + bearers, sizeof *r->effects);
}

static void set_lane(four to[3], uint32_t lane, four from)
{
    for (int k = 0; k < 3; k++)
        to[k][lane] = from[k];
}

static four lane_of(const four from[3], uint32_t lane)
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

void tide_projected_gradient_add(tide_contacts *c, const tide_gradient_contact *noted, const uint32_t *points,
                                 const double *weights, int count)
{
    tide_projected_gradient *r = c->projected_gradient;
    if (!has_room(r, TIDE_BEARERS * (size_t)count)) {
        c->out_of_memory = true;
        return;
    }
    const tide_contact_impulse *kept = &c->list.items[noted->index].kept;
    uint32_t lane = r->contact_count % LANES, nth = 0;
    block *b = &r->blocks[r->contact_count / LANES];
    if (lane == 0)
        *b = (block) { .gap = { 1, 1, 1, 1 }, .stiffness = { 1, 1, 1, 1 }, .first = r->row_count };
    four impulse = load(kept->accumulated, noted->mass);
    set_lane(b->normal, lane, load(noted->normal, 1));
    set_lane(b->slip, lane, load(noted->slip, 1));
    set_lane(b->impulse, lane, load(kept->before, noted->mass));
    set_lane(b->ahead, lane, impulse);
    b->gap[lane] = (float)noted->gap;
    b->stiffness[lane] = (float)(noted->mass / noted->w);
    b->friction[lane] = tide_friction_is_round(&noted->friction) ? (float)noted->friction.along : -1;
    origin o = { impulse, noted->mass, noted->friction, r->bearer_count, 0, noted->index };
    for (int i = 0; i < count; i++) {
        uint32_t particles[TIDE_BEARERS];
        double shares[TIDE_BEARERS];
        int bearers = tide_contact_bearers(c, points[i], particles, shares);
        for (int n = 0; n < bearers; n++)
            add_bearer(r, b, lane, nth++, weights[i] * shares[n], slot_of(r, particles[n]));
    }
    o.end = r->bearer_count;
    r->origins[r->contact_count++] = o;
    r->distance = fmin(r->distance, noted->distance);
}

// --- iterations ------------------------------------------------------------------------------------------------------

static inline float larger(float a, float b)
{
    return b > a ? b : a;
}

static inline four dot(const four a[3], const four b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline four choose(four_masks mask, four yes, four no)
{
    return (four)((mask & (four_masks)yes) | (~mask & (four_masks)no));
}

static inline four root(four a)
{
    return (four)tide_root_of_four((tide_four_floats)a);
}

// Turns four vectors of x, y, z of a lane each into x, y, and z of all lanes.
static inline void turn(const four from[LANES], four to[3])
{
    four low = __builtin_shufflevector(from[0], from[1], 0, 4, 1, 5),
         next = __builtin_shufflevector(from[2], from[3], 0, 4, 1, 5),
         high = __builtin_shufflevector(from[0], from[1], 2, 6, 3, 7),
         last = __builtin_shufflevector(from[2], from[3], 2, 6, 3, 7);
    to[0] = __builtin_shufflevector(low, next, 0, 1, 4, 5);
    to[1] = __builtin_shufflevector(low, next, 2, 3, 6, 7);
    to[2] = __builtin_shufflevector(high, last, 0, 1, 4, 5);
}

static inline void find_moved(const tide_projected_gradient *r, const block *b, four moved[3])
{
    moved[0] = moved[1] = moved[2] = (four) { 0 };
    for (const bearer_row *row = r->rows + b->first, *end = row + b->bearers; row < end; row++) {
        four places[LANES], turned[3];
        for (int lane = 0; lane < LANES; lane++)
            places[lane] = r->moved[row->slot[lane]];
        turn(places, turned);
        for (int k = 0; k < 3; k++)
            moved[k] += row->weight * turned[k];
    }
}

// Replaces the friction of the lanes where it is not round.
static void clip(const tide_projected_gradient *r, const block *b, uint32_t first, four push, const four drag[3],
                 four clipped[3])
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        if (b->friction[lane] < 0 && push[lane] > 0) {
            double by[3] = { (double)drag[0][lane], (double)drag[1][lane], (double)drag[2][lane] };
            tide_friction_clip(&r->origins[first + lane].friction, (double)push[lane], by);
            set_lane(clipped, lane, load(by, 1));
        }
}

// Evaluates the laws of contact (contacts.h) at the present displacements.
static inline void solve_block(const tide_projected_gradient *r, block *b, uint32_t first, four impulse[3])
{
    four moved[3], slip[3], drag[3], clipped[3];
    find_moved(r, b, moved);
    four gap = b->gap + dot(moved, b->normal), along = dot(b->ahead, b->normal), push = along - b->stiffness * gap;
    for (int k = 0; k < 3; k++)
        slip[k] = b->slip[k] + moved[k];
    four slip_along = dot(slip, b->normal);
    for (int k = 0; k < 3; k++) {
        drag[k] = b->ahead[k] - along * b->normal[k];
        drag[k] -= b->stiffness * (slip[k] - slip_along * b->normal[k]);
    }
    four most = b->friction * push, square = dot(drag, drag), one = { 1, 1, 1, 1 };
    four_masks slides = square > most * most, touches = push > 0, directed = b->friction < 0;
    four part = choose(slides, most / root(choose(slides, square, one)), one);
    for (int k = 0; k < 3; k++)
        clipped[k] = part * drag[k];
    if (directed[0] | directed[1] | directed[2] | directed[3])
        clip(r, b, first, push, drag, clipped);
    for (int k = 0; k < 3; k++)
        impulse[k] = choose(touches, push * b->normal[k] + clipped[k], (four) { 0 });
    b->deepest = -gap;
}

typedef struct iteration {
    tide_contacts *c;
    tide_projected_gradient *r;
    float part; // of its last change by which each impulse is extrapolated
    const double *x;
} iteration;

// Updates the impulses of some blocks and extrapolates each by `part` of its change. Returns by how much the changes
// point against the extrapolation.
static double update_blocks(void *context, uint32_t begin, uint32_t end)
{
    const iteration *it = context;
    tide_projected_gradient *r = it->r;
    four against = { 0 };
    for (uint32_t i = begin; i < end; i++) {
        block *b = &r->blocks[i];
        four impulse[3], change[3], onward[3], off[3];
        solve_block(r, b, LANES * i, impulse);
        for (int k = 0; k < 3; k++)
            change[k] = impulse[k] - b->ahead[k];
        four_masks none = dot(change, change) <= ROUNDING * ROUNDING * dot(b->ahead, b->ahead);
        for (int k = 0; k < 3; k++) {
            impulse[k] = choose(none, b->ahead[k], impulse[k]);
            off[k] = b->ahead[k] - impulse[k];
            onward[k] = impulse[k] - b->impulse[k];
        }
        against += dot(off, onward) / b->stiffness;
        // a contact that has become idle stays so
        four_masks pushes = (impulse[0] != 0) | (impulse[1] != 0) | (impulse[2] != 0);
        for (int k = 0; k < 3; k++) {
            b->before[k] = b->impulse[k];
            b->impulse[k] = impulse[k];
            four ahead = choose(pushes, impulse[k] + it->part * onward[k], impulse[k]);
            change[k] = ahead - b->ahead[k];
            b->ahead[k] = ahead;
        }
        for (uint32_t lane = 0; lane < LANES; lane++)
            r->changes[LANES * i + lane] = lane_of(change, lane);
    }
    return (double)((against[0] + against[1]) + (against[2] + against[3]));
}

static uint32_t block_count(const tide_projected_gradient *r)
{
    return (r->contact_count + LANES - 1) / LANES;
}

static double deepest_of(void *context, uint32_t begin, uint32_t end)
{
    const tide_projected_gradient *r = context;
    four deepest = { 0 };
    for (uint32_t i = begin; i < end; i++)
        deepest = choose(r->blocks[i].deepest > deepest, r->blocks[i].deepest, deepest);
    return (double)larger(larger(deepest[0], deepest[1]), larger(deepest[2], deepest[3]));
}

// Returns the depth of the deepest contact in the last iteration, m.
static double find_deepest(tide_projected_gradient *r)
{
    return tide_parallel_most(block_count(r), GRAIN, deepest_of, r);
}

// One iteration. Returns whether the changes point against the extrapolation: then the method restarts.
static bool iterate_once(iteration *it)
{
    return tide_parallel_sum(block_count(it->r), GRAIN, update_blocks, it) > 0;
}

// Lists what acts on each particle.
static void list_effects(tide_projected_gradient *r)
{
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

// Notes the displacements of some particles. Returns the square of the largest change.
static double note_motion(void *context, uint32_t begin, uint32_t end)
{
    const iteration *it = context;
    tide_projected_gradient *r = it->r;
    float square = 0;
    for (uint32_t i = begin; i < end; i++) {
        const double *x = it->x + 3 * (size_t)r->particles[i], *from = r->from + 3 * (size_t)i;
        four now = { (float)(x[0] - from[0]), (float)(x[1] - from[1]), (float)(x[2] - from[2]), 0 },
             by = r->moved[i] - now, squares = by * by;
        r->moved[i] = now;
        square = larger(square, squares[0] + squares[1] + squares[2]);
    }
    return (double)square;
}

// Sets *farthest to the largest displacement of a particle, m. Returns the largest change of a coordinate.
static double follow(iteration *it, double *x, double *also, double *farthest)
{
    double most = tide_contacts_apply_forces(it->c, x, also, NULL);
    it->x = x;
    *farthest = sqrt(tide_parallel_most(it->r->count, PARTICLES_AT_ONCE, note_motion, it));
    return most;
}

// Adds the total change of a contact to its accumulated impulse and to its particles in double precision: single
// precision would not conserve momentum. Returns the largest change of y.
static double give_one_back(const tide_contacts *c, tide_projected_gradient *r, uint32_t contact, double *y)
{
    const origin *o = &r->origins[contact];
    const block *t = &r->blocks[contact / LANES];
    four impulse = lane_of(t->impulse, contact % LANES), before = lane_of(t->before, contact % LANES);
    bool idle = impulse[0] == 0 && impulse[1] == 0 && impulse[2] == 0;
    tide_contact_impulse *kept = &c->list.items[o->index].kept;
    double change[3], most = 0;
    for (int k = 0; k < 3; k++) {
        change[k] = idle ? -o->mass * kept->accumulated[k] : (double)(impulse[k] - o->impulse[k]);
        kept->accumulated[k] = idle ? 0 : kept->accumulated[k] + change[k] / o->mass;
        kept->before[k] = (double)before[k] / o->mass;
    }
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

static void start(tide_projected_gradient *r, const double *x)
{
    list_effects(r);
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
    iteration it = { .c = c, .r = r };
    double far, least = enough(c, r), most = follow(&it, x, also, &far), trial = 0;
    bool back = false, stuck = false;
    far = HUGE_VAL;
    for (int iteration = 0; iteration < MAX_ITERATIONS && far > least && !stuck; iteration++) {
        if (tide_contact_work_stops(&c->work, r->contact_count))
            break;
        r->lasting = back ? 1 : r->lasting + 1;
        it.part = (float)(r->lasting - 1) / (float)(r->lasting + 2);
        back = iterate_once(&it);
        pass_forces_on(&it);
        most = fmax(most, follow(&it, x, also, &far));
        if (iteration == 0)
            least = fmax(least, OF_FIRST * far);
        if (iteration % TRIAL == 0) {
            double deepest = find_deepest(r);
            stuck = iteration > 0 && is_stuck(r, deepest, trial);
            trial = deepest;
        }
    }
    if (back || is_stuck(r, find_deepest(r), trial))
        r->lasting = 0;
    return fmax(most, give_back(c, r, y));
}

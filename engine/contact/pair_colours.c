#include "contact/pair_colours.h"

#include "base/avx2.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/vectors_128.h"
#include "contact/contacts_state.h"

#include <string.h>

enum { LANES = 4, COLOURS = 64, GRAIN = 16, PARTICLES_AT_ONCE = 512, NO_COLOUR = 255 };
enum { LATE = 16 }; // contacts that come later are given colours once they are more than one of so many

typedef tide_two_doubles two;

// Four contacts, a lane each. A lane without a contact never touches.
typedef struct block {
    _Alignas(32) double weight[4][LANES];
    double factor[4][LANES]; // weight / mass of the point, 1/kg; 0: it does not move
    double normal[3][LANES], base[3][LANES], distance[LANES];
    double stiffness[LANES], friction[LANES]; // stiffness: 1 / w, kg
    double impulse[3][LANES], depth[LANES];   // kg m; m
    uint32_t point[4][LANES];
} block;

struct tide_pair_colours {
    block *blocks;
    uint8_t *colours;  // (contacts)
    uint32_t *members; // (LANES * blocks) the contact of each lane
    uint32_t *rest;
    size_t block_capacity, colour_capacity, member_capacity, rest_capacity;
    uint32_t starts[COLOURS + 1]; // of each colour in `blocks`
    uint32_t rest_count;
    uint32_t taken, seen; // contacts of pairs when colours were given; contacts in the list that were looked at by now
    uint64_t *used;       // (particle_count) set of colours of the contacts at a particle
    uint32_t *particles;  // (count) that contacts move
    uint32_t count;
    double *before; // (3 * particle_count) m, of `particles`: places before a sweep
    bool valid;     // the contacts taken are those of pairs in c->list
    bool ahead;     // impulses are later than those of c->list
};

tide_pair_colours *tide_pair_colours_create(uint32_t particle_count)
{
    tide_pair_colours *p = tide_allocate_zeroed(1, sizeof *p);
    if (!p)
        return NULL;
    p->used = tide_own_zeroed(p, particle_count, sizeof *p->used);
    p->particles = tide_own_array(p, particle_count, sizeof *p->particles);
    p->before = tide_own_array(p, particle_count, 3 * sizeof *p->before);
    if (tide_owns_all(p))
        return p;
    tide_free(p);
    return NULL;
}

// --- taking ---------------------------------------------------------------------------------------------------------

static bool is_taken(const tide_contact_constraint *t)
{
    return tide_contact_is_pair(t) && t->normal_fixed && !t->doubtful && t->kind != TIDE_PAIR_POINTS &&
           t->friction >= 0 && t->inverse_mass > 0;
}

static inline double inverse_mass_of(const tide_contacts *c, uint32_t point)
{
    return point < c->particle_count ? c->surface->inverse_masses[point] : 0;
}

// Finds the first colour that no contact at its moving points has, and gives it to them.
static uint8_t find_colour(tide_contacts *c, const tide_contact_constraint *t)
{
    tide_pair_colours *p = c->colours;
    uint64_t taken = 0;
    for (int i = 0; i < 4; i++)
        if (inverse_mass_of(c, t->points[i]) > 0)
            taken |= p->used[t->points[i]];
    if (~taken == 0)
        return NO_COLOUR;
    int colour = __builtin_ctzll(~taken);
    for (int i = 0; i < 4; i++) {
        uint32_t point = t->points[i];
        if (!(inverse_mass_of(c, point) > 0))
            continue;
        if (p->used[point] == 0)
            p->particles[p->count++] = point;
        p->used[point] |= (uint64_t)1 << colour;
    }
    return (uint8_t)colour;
}

static void fill_lane(const tide_contacts *c, block *b, uint32_t lane, uint32_t index)
{
    const tide_contact_constraint *t = &c->list.items[index];
    for (int i = 0; i < 4; i++) {
        b->point[i][lane] = t->points[i];
        b->weight[i][lane] = t->weights[i];
        b->factor[i][lane] = t->weights[i] * inverse_mass_of(c, t->points[i]);
    }
    for (int k = 0; k < 3; k++) {
        b->normal[k][lane] = t->kept.normal[k];
        b->base[k][lane] = t->base[k];
        b->impulse[k][lane] = t->kept.accumulated[k];
    }
    b->distance[lane] = t->distance;
    b->stiffness[lane] = 1 / t->inverse_mass;
    b->friction[lane] = t->friction;
    b->depth[lane] = t->kept.depth;
}

static void fill_some(void *context, uint32_t begin, uint32_t end)
{
    const tide_contacts *c = context;
    const tide_pair_colours *p = c->colours;
    for (uint32_t i = begin; i < end; i++) {
        p->blocks[i] = (block) { 0 };
        for (uint32_t lane = 0; lane < LANES; lane++) {
            p->blocks[i].distance[lane] = -1;
            p->blocks[i].stiffness[lane] = 1;
            uint32_t contact = p->members[LANES * i + lane];
            if (contact != TIDE_NO_PAIR)
                fill_lane(c, &p->blocks[i], lane, contact);
        }
    }
}

// Gives each contact its colour. Sets how many each colour has.
static void colour_all(tide_contacts *c, uint32_t counts[COLOURS])
{
    tide_pair_colours *p = c->colours;
    for (uint32_t i = 0; i < p->count; i++)
        p->used[p->particles[i]] = 0;
    p->count = p->rest_count = 0;
    memset(counts, 0, COLOURS * sizeof *counts);
    for (uint32_t i = 0; i < c->list.count; i++) {
        const tide_contact_constraint *t = &c->list.items[i];
        p->colours[i] = is_taken(t) ? find_colour(c, t) : NO_COLOUR;
        if (p->colours[i] != NO_COLOUR)
            counts[p->colours[i]]++;
        else if (tide_contact_is_pair(t))
            p->rest[p->rest_count++] = i;
    }
}

// Adds the contacts that have come since the others were taken to the rest. Returns false where they are too many, or
// without memory.
static bool add_late(tide_contacts *c)
{
    tide_pair_colours *p = c->colours;
    uint32_t count = (uint32_t)c->list.count, late = count - p->seen;
    if (c->list.pair_count - p->taken > p->taken / LATE ||
        !tide_grow_owned(p, &p->rest, &p->rest_capacity, p->rest_count + late, sizeof *p->rest))
        return false;
    for (; p->seen < count; p->seen++)
        if (tide_contact_is_pair(&c->list.items[p->seen]))
            p->rest[p->rest_count++] = p->seen;
    return true;
}

bool tide_pair_colours_take(tide_contacts *c)
{
    tide_pair_colours *p = c->colours;
    if (p->valid && add_late(c))
        return true;
    tide_pair_colours_give_back(c);
    size_t most = c->list.count;
    uint32_t counts[COLOURS];
    if (!tide_grow_owned(p, &p->colours, &p->colour_capacity, most, sizeof *p->colours) ||
        !tide_grow_owned(p, &p->members, &p->member_capacity, LANES * (most / LANES + COLOURS), sizeof *p->members) ||
        !tide_grow_owned(p, &p->rest, &p->rest_capacity, most, sizeof *p->rest) ||
        !tide_grow_owned(p, &p->blocks, &p->block_capacity, most / LANES + COLOURS, sizeof *p->blocks))
        return false;
    colour_all(c, counts);
    for (uint32_t k = 0; k < COLOURS; k++) {
        p->starts[k + 1] = p->starts[k] + (counts[k] + LANES - 1) / LANES;
        counts[k] = 0;
    }
    memset(p->members, 0xff, LANES * (size_t)p->starts[COLOURS] * sizeof *p->members); // each is TIDE_NO_PAIR
    for (uint32_t i = 0; i < c->list.count; i++)
        if (p->colours[i] != NO_COLOUR)
            p->members[LANES * p->starts[p->colours[i]] + counts[p->colours[i]]++] = i;
    tide_parallel_for(p->starts[COLOURS], GRAIN, fill_some, c);
    p->taken = (uint32_t)c->list.pair_count;
    p->seen = (uint32_t)c->list.count;
    return p->valid = true;
}

const uint32_t *tide_pair_colours_open(tide_contacts *c, uint32_t *count)
{
    bool known = c->colours && c->colours->valid && add_late(c);
    *count = known ? c->colours->rest_count : (uint32_t)c->list.count - c->list.first;
    return known ? c->colours->rest : NULL;
}

void tide_pair_colours_forget(tide_contacts *c)
{
    if (c->colours)
        c->colours->valid = c->colours->ahead = false;
}

const uint32_t *tide_pair_colours_rest(const tide_contacts *c, uint32_t *count)
{
    *count = c->colours->rest_count;
    return c->colours->rest;
}

// --- sweeps ---------------------------------------------------------------------------------------------------------

typedef struct sweep {
    tide_contacts *c;
    block *at; // the first of its colour
    bool release;
    double *x, *y, *v;
} sweep;

#define INLINE static inline __attribute__((always_inline))

// For each WIDTH: `fetch` loads the coordinates of WIDTH points, a vector for each axis. `pairs_of` turns vectors of x
// and of y into a vector of x and y for each lane.
typedef two vec __attribute__((may_alias));
typedef tide_two_masks mask;

INLINE void fetch(const double *to, const uint32_t *points, vec place[3])
{
    const double *a = to + 3 * (size_t)points[0], *b = to + 3 * (size_t)points[1];
    for (int k = 0; k < 3; k++)
        place[k] = (vec) { a[k], b[k] };
}

INLINE void pairs_of(vec x, vec y, two xy[2])
{
    xy[0] = (two) { x[0], y[0] };
    xy[1] = (two) { x[1], y[1] };
}

#define TARGET
#define NAME(x) x
#define ROOT(a) tide_root_of_two(a)
#define WIDTH 2
#include "contact/pair_colours_template.h"

#if defined(__x86_64__)
typedef double vec_256 __attribute__((vector_size(32), may_alias));
typedef int64_t mask_256 __attribute__((vector_size(32)));

TIDE_AVX2_INLINE void fetch_256(const double *to, const uint32_t *points, vec_256 place[3])
{
    const double *p[4];
    two xy[4];
    for (int lane = 0; lane < 4; lane++) {
        p[lane] = to + 3 * (size_t)points[lane];
        xy[lane] = *(const tide_double2 *)p[lane];
    }
    vec_256 even = __builtin_shufflevector(xy[0], xy[2], 0, 1, 2, 3),
            odd = __builtin_shufflevector(xy[1], xy[3], 0, 1, 2, 3);
    place[0] = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
    place[1] = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
    place[2] = (vec_256) { p[0][2], p[1][2], p[2][2], p[3][2] };
}

TIDE_AVX2_INLINE void pairs_of_256(vec_256 x, vec_256 y, two xy[4])
{
    vec_256 even = __builtin_shufflevector(x, y, 0, 4, 2, 6), odd = __builtin_shufflevector(x, y, 1, 5, 3, 7);
    xy[0] = __builtin_shufflevector(even, even, 0, 1);
    xy[1] = __builtin_shufflevector(odd, odd, 0, 1);
    xy[2] = __builtin_shufflevector(even, even, 2, 3);
    xy[3] = __builtin_shufflevector(odd, odd, 2, 3);
}

#define TARGET TIDE_AVX2
#define NAME(x) x##_256
#define ROOT(a) (vec_256) _mm256_sqrt_pd((__m256d)(a))
#define WIDTH 4
#include "contact/pair_colours_template.h"
#endif

static double (*find_sweep(void))(void *context, uint32_t begin, uint32_t end)
{
#if defined(__x86_64__)
    if (tide_vector_bits(256) == 256)
        return sweep_blocks_256;
#endif
    return sweep_blocks;
}

static void note_places(void *context, uint32_t begin, uint32_t end)
{
    const sweep *s = context;
    const tide_pair_colours *p = s->c->colours;
    for (uint32_t i = begin; i < end; i++)
        memcpy(p->before + 3 * (size_t)i, s->c->to + 3 * (size_t)p->particles[i], 3 * sizeof *p->before);
}

// Moves x, y and v as a sweep has moved particles, and adds to their paths.
static void follow_sweep(void *context, uint32_t begin, uint32_t end)
{
    const sweep *s = context;
    const tide_contacts *c = s->c;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t particle = c->colours->particles[i];
        double square = 0;
        for (size_t k = 0, n = 3 * (size_t)particle; k < 3; k++, n++) {
            double by = c->to[n] - c->colours->before[3 * (size_t)i + k];
            square += by * by;
            s->x[n] = c->to[n];
            if (s->y)
                s->y[n] += by;
            if (s->v)
                s->v[n] += by / c->rule;
        }
        c->search.paths[particle] += sqrt(square);
    }
}

double tide_pair_colours_sweep(tide_contacts *c, bool release, double *x, double *y, double *v)
{
    tide_pair_colours *p = c->colours;
    sweep s = { .c = c, .release = release, .x = x, .y = y, .v = v };
    double (*of_colour)(void *, uint32_t, uint32_t) = find_sweep(), most = 0;
    tide_parallel_for(p->count, PARTICLES_AT_ONCE, note_places, &s);
    for (uint32_t k = 0; k < COLOURS && p->starts[k] < p->starts[COLOURS]; k++) {
        s.at = p->blocks + p->starts[k];
        most = fmax(most, tide_parallel_most(p->starts[k + 1] - p->starts[k], GRAIN, of_colour, &s));
    }
    tide_parallel_for(p->count, PARTICLES_AT_ONCE, follow_sweep, &s);
    p->ahead = true;
    return most;
}

static void give_some_back(void *context, uint32_t begin, uint32_t end)
{
    const tide_contacts *c = context;
    const tide_pair_colours *p = c->colours;
    for (uint32_t i = begin; i < end; i++)
        for (uint32_t lane = 0; lane < LANES; lane++) {
            uint32_t contact = p->members[LANES * i + lane];
            if (contact == TIDE_NO_PAIR)
                continue;
            tide_contact_impulse *kept = &c->list.items[contact].kept;
            for (int k = 0; k < 3; k++)
                kept->accumulated[k] = p->blocks[i].impulse[k][lane];
            kept->depth = p->blocks[i].depth[lane];
        }
}

void tide_pair_colours_give_back(tide_contacts *c)
{
    tide_pair_colours *p = c->colours;
    if (!p || !p->ahead)
        return;
    tide_parallel_for(p->starts[COLOURS], GRAIN, give_some_back, c);
    p->ahead = false;
}

void tide_pair_colours_drop(tide_contacts *c)
{
    tide_pair_colours_give_back(c);
    tide_pair_colours_forget(c);
}

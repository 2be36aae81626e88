#include "solver/rigid_blocks.h"

#include "base/disjoint_set.h"
#include "base/memory.h"
#include "solver/rigid_motion.h"
#include "solver/rigid_state.h"

#include <string.h>

enum { CORNERS = 4, SIX = 6, HALVINGS = 6, NUMBERS = TIDE_ELEMENT_MAX_NUMBERS, NONE = -1 };

// --- preparation -----------------------------------------------------------------------------------------------------

// Joins the sets of bodies that links join. The lowest body of a set is its root.
static void join_linked(const tide_system *system, const uint32_t *body_of, uint32_t *parents)
{
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        for (uint32_t e = 0; group->kind == &tide_link_8 && e < group->count; e++) {
            const uint32_t *vertices = group->vertices + (size_t)2 * CORNERS * e;
            tide_disjoint_set_join(parents, body_of[vertices[0]], body_of[vertices[CORNERS]]);
        }
    }
}

static void number_particles(const tide_rigid_block_body *bodies, uint32_t count, uint32_t *body_of)
{
    for (uint32_t n = 0; n < count; n++)
        for (int i = 0; i < CORNERS; i++)
            body_of[bodies[n].particles[i]] = n;
}

static tide_rigid_block_body body_at(const tide_elements *group, uint32_t e)
{
    tide_rigid_block_body body = { .particles = group->vertices + CORNERS * (size_t)e };
    for (size_t i = 0; i < 12; i++)
        body.shape[i] = group->parameters[(TIDE_RIGID_SHAPE + i) * group->count + e];
    return body;
}

// Sorts the bodies by blocks. Without links, each body is a block, in the order of the system.
static tide_status sort_bodies(const tide_system *system, tide_rigid_blocks *blocks, tide_error *error)
{
    uint32_t next = 0, count = blocks->body_count;
    TIDE_SCOPED tide_rigid_block_body *found = tide_allocate_zeroed(count, sizeof *found);
    TIDE_SCOPED uint32_t *parents = tide_allocate_array(count, sizeof *parents);
    if (!found || !parents)
        return tide_fail_memory(error, "solver");
    for (uint32_t g = 0; g < system->group_count; g++)
        for (uint32_t e = 0; system->groups[g].kind == &tide_rigid && e < system->groups[g].count; e++, next++)
            found[next] = body_at(&system->groups[g], e);
    memset(blocks->body_of, 0xff, system->particle_count * sizeof *blocks->body_of);
    number_particles(found, count, blocks->body_of);
    for (uint32_t n = 0; n < count; n++)
        parents[n] = n;
    join_linked(system, blocks->body_of, parents);
    next = 0;
    for (uint32_t root = 0; root < count; root++) {
        for (uint32_t n = root; n < count && parents[root] == root; n++)
            if (tide_disjoint_set_root(parents, n) == root)
                blocks->bodies[next++] = found[n];
        if (parents[root] == root)
            blocks->first[++blocks->count] = next;
    }
    number_particles(blocks->bodies, count, blocks->body_of);
    return TIDE_OK;
}

static bool is_listed(const tide_rigid_blocks *blocks, uint32_t from, uint32_t to, const tide_corner *corner)
{
    for (uint32_t n = from; n < to; n++)
        if (blocks->elements[n].group == corner->group && blocks->elements[n].element == corner->element)
            return true;
    return false;
}

// Lists each element that has a particle of the block once, without the rigid elements themselves.
static void list_elements(const tide_system *system, const tide_incidence *incidence, tide_rigid_blocks *blocks,
                          uint32_t block)
{
    uint32_t begin = blocks->start[block], end = begin;
    for (uint32_t n = blocks->first[block]; n < blocks->first[block + 1]; n++)
        for (int i = 0; i < CORNERS; i++) {
            uint32_t p = blocks->bodies[n].particles[i];
            for (uint32_t c = incidence->first[p]; c < incidence->first[p + 1]; c++) {
                const tide_corner *corner = &incidence->corners[c];
                if (system->groups[corner->group].kind != &tide_rigid && !is_listed(blocks, begin, end, corner))
                    blocks->elements[end++] = *corner;
            }
        }
    blocks->start[block + 1] = end;
}

static bool make_arrays(const tide_system *system, const tide_incidence *incidence, tide_rigid_blocks *blocks)
{
    size_t corners = 0, largest = 0;
    for (uint32_t n = 0; n < blocks->body_count; n++)
        for (int i = 0; i < CORNERS; i++) {
            uint32_t p = blocks->bodies[n].particles[i];
            corners += incidence->first[p + 1] - incidence->first[p];
        }
    for (uint32_t block = 0; block < blocks->count; block++) {
        size_t side = SIX * (size_t)(blocks->first[block + 1] - blocks->first[block]);
        largest = side > largest ? side : largest;
    }
    blocks->elements = tide_own_zeroed(blocks->memory, corners, sizeof *blocks->elements);
    blocks->matrix = tide_own_zeroed(blocks->memory, largest, largest * sizeof *blocks->matrix);
    blocks->slopes = tide_own_zeroed(blocks->memory, largest, sizeof *blocks->slopes);
    blocks->step = tide_own_zeroed(blocks->memory, largest, sizeof *blocks->step);
    blocks->nonzero = tide_own_zeroed(blocks->memory, largest, sizeof *blocks->nonzero);
    if (!tide_owns_all(blocks->memory))
        return false;
    for (uint32_t block = 0; block < blocks->count; block++)
        list_elements(system, incidence, blocks, block);
    return true;
}

tide_status tide_rigid_blocks_make(const tide_system *system, const tide_incidence *incidence,
                                   tide_rigid_blocks *blocks, tide_error *error)
{
    tide_rigid_blocks_free(blocks);
    blocks->body_count = tide_rigid_count(system);
    if (!blocks->body_count)
        return TIDE_OK;
    tide_renew_owner(&blocks->memory, false);
    size_t count = blocks->body_count;
    blocks->bodies = tide_own_zeroed(blocks->memory, count, sizeof *blocks->bodies);
    blocks->first = tide_own_zeroed(blocks->memory, count + 1, sizeof *blocks->first);
    blocks->start = tide_own_zeroed(blocks->memory, count + 1, sizeof *blocks->start);
    blocks->body_of = tide_own_zeroed(blocks->memory, system->particle_count, sizeof *blocks->body_of);
    if (!tide_owns_all(blocks->memory))
        return tide_fail_memory(error, "solver");
    TIDE_TRY(sort_bodies(system, blocks, error));
    return make_arrays(system, incidence, blocks) ? TIDE_OK : tide_fail_memory(error, "solver");
}

void tide_rigid_blocks_free(tide_rigid_blocks *blocks)
{
    tide_free(blocks->memory);
    *blocks = (tide_rigid_blocks) { 0 };
}

// --- motion ----------------------------------------------------------------------------------------------------------

typedef struct block {
    const tide_objective *o;
    const tide_rigid_blocks *blocks;
    const tide_corner *elements;
    uint32_t element_count, first; // `first`: the index of its first body
    tide_rigid_block_body *bodies;
    uint32_t body_count;
    size_t side;
    double *slopes, *matrix; // of t, then of w, body after body; of the matrix, the lower triangle
} block;

static block block_at(const tide_rigid_blocks *blocks, uint32_t n, const tide_objective *o, const double *x)
{
    block b = { .o = o,
                .blocks = blocks,
                .elements = blocks->elements + blocks->start[n],
                .element_count = blocks->start[n + 1] - blocks->start[n],
                .first = blocks->first[n],
                .bodies = blocks->bodies + blocks->first[n],
                .body_count = blocks->first[n + 1] - blocks->first[n],
                .slopes = blocks->slopes,
                .matrix = blocks->matrix };
    b.side = SIX * (size_t)b.body_count;
    memset(b.slopes, 0, b.side * sizeof *b.slopes);
    memset(b.matrix, 0, b.side * b.side * sizeof *b.matrix);
    for (uint32_t k = 0; k < b.body_count; k++) {
        tide_rigid_block_body *body = &b.bodies[k];
        body->centre = (tide_vec3) { 0, 0, 0 };
        for (int i = 0; i < CORNERS; i++) {
            body->arms[i] = tide_vec3_load(x + 3 * (size_t)body->particles[i]);
            body->centre = tide_vec3_add(body->centre, tide_vec3_scale(body->arms[i], 1.0 / CORNERS));
        }
        tide_rigid_fit(body->shape, body->centre, body->arms);
    }
    return b;
}

// Computes the 3 x 6 matrix J of the motion of a particle with the arm r.
static void motion_of(tide_vec3 r, double out[3 * SIX])
{
    const double rows[3 * SIX] = { 1, 0, 0, 0, r.z, -r.y, 0, 1, 0, -r.z, 0, r.x, 0, 0, 1, r.y, -r.x, 0 };
    memcpy(out, rows, sizeof rows);
}

static void add_slope(double slopes[SIX], const double motion[3 * SIX], const double *gradient, double factor)
{
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < SIX; j++)
            slopes[j] += factor * gradient[k] * motion[SIX * k + j];
}

// Adds factor J_a' H J_b at the rows of one body and the columns of another, H the 3 x 3 block with rows `stride`
// apart.
static void add_block(block *b, int row, const double first[3 * SIX], const double *hessian, size_t stride, int column,
                      const double second[3 * SIX], double factor)
{
    double *at = b->matrix + SIX * ((size_t)row * b->side + (size_t)column);
    for (size_t k = 0; k < 3; k++)
        for (size_t l = 0; l < 3; l++)
            for (size_t i = 0; i < SIX; i++)
                for (size_t j = 0; j < SIX; j++)
                    at[b->side * i + j] += factor * first[SIX * k + i] * hessian[stride * k + l] * second[SIX * l + j];
}

static void add_inertia(block *b, const double *x)
{
    static const double identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    for (uint32_t n = 0; n < b->body_count; n++)
        for (int i = 0; i < CORNERS; i++) {
            const tide_rigid_block_body *body = &b->bodies[n];
            size_t p = body->particles[i];
            double motion[3 * SIX], away[3], m = b->o->system->masses[p];
            for (size_t k = 0; k < 3; k++)
                away[k] = x[3 * p + k] - b->o->y[3 * p + k];
            motion_of(body->arms[i], motion);
            add_slope(b->slopes + SIX * n, motion, away, m);
            add_block(b, (int)n, motion, identity, 3, (int)n, motion, m * tide_objective_mass_factor(b->o));
        }
}

// Returns the body of a particle in the block, or NONE. Sets *arm to the particle's place relative to its centre.
static int body_in(const block *b, uint32_t particle, tide_vec3 *arm)
{
    uint32_t n = b->blocks->body_of[particle] - b->first;
    if (n >= b->body_count) // others wrap around
        return NONE;
    int i = 0;
    while (b->bodies[n].particles[i] != particle)
        i++;
    *arm = b->bodies[n].arms[i];
    return (int)n;
}

static void add_element(block *b, const tide_corner *which, const double *x)
{
    const tide_elements *group = &b->o->system->groups[which->group];
    uint32_t n = group->kind->vertex_count;
    const uint32_t *vertices = group->vertices + (size_t)n * which->element;
    double gradient[NUMBERS], hessian[NUMBERS * NUMBERS], motions[TIDE_ELEMENT_MAX_VERTICES][3 * SIX];
    double factor = b->o->s * b->o->s;
    int bodies[TIDE_ELEMENT_MAX_VERTICES];
    group->kind->gradient(group, x, which->element, which->element + 1, gradient);
    group->kind->hessian(group, x, which->element, true, hessian);
    for (uint32_t c = 0; c < n; c++) {
        tide_vec3 arm;
        bodies[c] = body_in(b, vertices[c], &arm);
        if (bodies[c] == NONE)
            continue;
        motion_of(arm, motions[c]);
        add_slope(b->slopes + SIX * bodies[c], motions[c], gradient + 3 * (size_t)c, factor);
    }
    for (size_t c = 0; c < n; c++)
        for (size_t d = 0; d < n; d++)
            if (bodies[d] != NONE && bodies[c] >= bodies[d])
                add_block(b, bodies[c], motions[c], hessian + 9 * n * c + 3 * d, 3 * (size_t)n, bodies[d], motions[d],
                          factor);
}

static bool solve(const block *b)
{
    return tide_rigid_solve(b->side, b->matrix, b->blocks->nonzero, b->slopes, b->blocks->step);
}

// Returns the part of g that the motion changes.
static double value_of(const block *b, const double *x)
{
    double inertia = 0, energy = 0;
    for (uint32_t n = 0; n < b->body_count; n++)
        for (int i = 0; i < CORNERS; i++) {
            size_t p = b->bodies[n].particles[i];
            tide_vec3 away = tide_vec3_subtract(tide_vec3_load(x + 3 * p), tide_vec3_load(b->o->y + 3 * p));
            inertia += b->o->system->masses[p] * tide_vec3_dot(away, away) / 2;
        }
    for (uint32_t n = 0; n < b->element_count; n++) {
        const tide_elements *group = &b->o->system->groups[b->elements[n].group];
        energy += group->kind->energy(group, x, b->elements[n].element, b->elements[n].element + 1);
    }
    return inertia + b->o->s * b->o->s * energy;
}

static void place(const block *b, double *x)
{
    for (uint32_t n = 0; n < b->body_count; n++) {
        const tide_rigid_block_body *body = &b->bodies[n];
        const double *step = b->blocks->step + SIX * (size_t)n;
        tide_vec3 to = tide_vec3_add(body->centre, tide_vec3_load(step)), turn = tide_vec3_load(step + 3);
        for (int i = 0; i < CORNERS; i++) {
            tide_vec3 arm = tide_rigid_turned(body->arms[i], turn);
            tide_vec3_store(x + 3 * (size_t)body->particles[i], tide_vec3_add(to, arm));
        }
    }
}

static void move_block(block *b, double *x)
{
    memset(b->blocks->step, 0, b->side * sizeof *b->blocks->step);
    place(b, x); // contacts move particles singly
    double before = value_of(b, x);
    add_inertia(b, x);
    for (uint32_t n = 0; n < b->element_count; n++)
        add_element(b, &b->elements[n], x);
    for (int halving = solve(b) ? 0 : HALVINGS + 1; halving <= HALVINGS; halving++) {
        place(b, x);
        if (value_of(b, x) <= before)
            return;
        for (size_t k = 0; k < b->side; k++)
            b->blocks->step[k] /= 2;
    }
    memset(b->blocks->step, 0, b->side * sizeof *b->blocks->step);
    place(b, x);
}

void tide_rigid_blocks_move(const tide_rigid_blocks *blocks, const tide_objective *objective, double *x)
{
    for (uint32_t n = 0; n < blocks->count; n++) {
        block b = block_at(blocks, n, objective, x);
        move_block(&b, x);
    }
}

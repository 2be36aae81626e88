#include "solver/rigid_blocks.h"

#include "base/memory.h"
#include "base/vec3.h"
#include "solver/rigid_motion.h"

#include <string.h>

enum { CORNERS = 4, SIX = 6, HALVINGS = 6, NUMBERS = TIDE_ELEMENT_MAX_NUMBERS };

// --- preparation -----------------------------------------------------------------------------------------------------

static bool is_listed(const tide_rigid_blocks *blocks, uint32_t from, uint32_t to, const tide_corner *corner)
{
    for (uint32_t n = from; n < to; n++)
        if (blocks->elements[n].group == corner->group && blocks->elements[n].element == corner->element)
            return true;
    return false;
}

// Lists each element that has a particle of the block once, without the rigid element itself.
static void list_elements(const tide_system *system, const tide_incidence *incidence, tide_rigid_blocks *blocks,
                          uint32_t block)
{
    uint32_t begin = blocks->start[block], end = begin;
    for (int i = 0; i < CORNERS; i++) {
        uint32_t p = blocks->particles[block][i];
        for (uint32_t c = incidence->first[p]; c < incidence->first[p + 1]; c++) {
            const tide_corner *corner = &incidence->corners[c];
            if (system->groups[corner->group].kind != &tide_rigid && !is_listed(blocks, begin, end, corner))
                blocks->elements[end++] = *corner;
        }
    }
    blocks->start[block + 1] = end;
}

tide_status tide_rigid_blocks_make(const tide_system *system, const tide_incidence *incidence,
                                   tide_rigid_blocks *blocks, tide_error *error)
{
    uint32_t count = 0;
    size_t corners = 0;
    for (uint32_t g = 0; g < system->group_count; g++)
        count += system->groups[g].kind == &tide_rigid ? system->groups[g].count : 0;
    tide_rigid_blocks_free(blocks);
    if (!count)
        return TIDE_OK;
    tide_renew_owner(&blocks->memory, false);
    blocks->particles = tide_own_zeroed(blocks->memory, count, sizeof *blocks->particles);
    blocks->start = tide_own_zeroed(blocks->memory, count + (size_t)1, sizeof *blocks->start);
    if (!tide_owns_all(blocks->memory))
        return tide_fail_memory(error, "solver");
    for (uint32_t g = 0; g < system->group_count; g++)
        for (uint32_t e = 0; system->groups[g].kind == &tide_rigid && e < system->groups[g].count; e++) {
            const uint32_t *four = system->groups[g].vertices + CORNERS * (size_t)e;
            blocks->particles[blocks->count++] = four;
            for (int i = 0; i < CORNERS; i++)
                corners += incidence->first[four[i] + 1] - incidence->first[four[i]];
        }
    blocks->elements = tide_own_zeroed(blocks->memory, corners, sizeof *blocks->elements);
    if (!tide_owns_all(blocks->memory))
        return tide_fail_memory(error, "solver");
    for (uint32_t block = 0; block < count; block++)
        list_elements(system, incidence, blocks, block);
    return TIDE_OK;
}

void tide_rigid_blocks_free(tide_rigid_blocks *blocks)
{
    tide_free(blocks->memory);
    *blocks = (tide_rigid_blocks) { 0 };
}

// --- motion ----------------------------------------------------------------------------------------------------------

typedef struct block {
    const tide_objective *o;
    const tide_corner *elements;
    uint32_t element_count;
    const uint32_t *particles;
    tide_vec3 from[CORNERS], centre;
    double slopes[SIX], matrix[SIX * SIX]; // of t, then of w
} block;

static block block_at(const tide_rigid_blocks *blocks, uint32_t n, const tide_objective *o, const double *x)
{
    block b = { .o = o,
                .elements = blocks->elements + blocks->start[n],
                .element_count = blocks->start[n + 1] - blocks->start[n],
                .particles = blocks->particles[n] };
    for (int i = 0; i < CORNERS; i++) {
        b.from[i] = tide_vec3_load(x + 3 * (size_t)b.particles[i]);
        b.centre = tide_vec3_add(b.centre, tide_vec3_scale(b.from[i], 1.0 / CORNERS));
    }
    return b;
}

// Computes the 3 x 6 matrix J of the motion of a particle with the arm r.
static void motion_of(tide_vec3 r, double out[3 * SIX])
{
    const double rows[3 * SIX] = { 1, 0, 0, 0, r.z, -r.y, 0, 1, 0, -r.z, 0, r.x, 0, 0, 1, r.y, -r.x, 0 };
    memcpy(out, rows, sizeof rows);
}

static void add_slope(block *b, const double motion[3 * SIX], const double *gradient, double factor)
{
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < SIX; j++)
            b->slopes[j] += factor * gradient[k] * motion[SIX * k + j];
}

// Adds factor J_a' H J_b, H the 3 x 3 block with rows `stride` apart.
static void add_block(block *b, const double first[3 * SIX], const double *hessian, size_t stride,
                      const double second[3 * SIX], double factor)
{
    for (size_t k = 0; k < 3; k++)
        for (size_t l = 0; l < 3; l++)
            for (size_t i = 0; i < SIX; i++)
                for (size_t j = 0; j < SIX; j++)
                    b->matrix[SIX * i + j] +=
                        factor * first[SIX * k + i] * hessian[stride * k + l] * second[SIX * l + j];
}

static void add_inertia(block *b, const double *x)
{
    static const double identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    for (int i = 0; i < CORNERS; i++) {
        size_t p = b->particles[i];
        double motion[3 * SIX], away[3], m = b->o->system->masses[p];
        for (size_t k = 0; k < 3; k++)
            away[k] = x[3 * p + k] - b->o->y[3 * p + k];
        motion_of(tide_vec3_subtract(b->from[i], b->centre), motion);
        add_slope(b, motion, away, m);
        add_block(b, motion, identity, 3, motion, m * tide_objective_mass_factor(b->o));
    }
}

// Returns the index of a particle in the block; CORNERS if it is in another.
static int place_of(const block *b, uint32_t particle)
{
    int i = 0;
    while (i < CORNERS && b->particles[i] != particle)
        i++;
    return i;
}

static void add_element(block *b, const tide_corner *which, const double *x)
{
    const tide_elements *group = &b->o->system->groups[which->group];
    uint32_t n = group->kind->vertex_count;
    const uint32_t *vertices = group->vertices + (size_t)n * which->element;
    double gradient[NUMBERS], hessian[NUMBERS * NUMBERS], motions[TIDE_ELEMENT_MAX_VERTICES][3 * SIX];
    double factor = b->o->s * b->o->s;
    bool inside[TIDE_ELEMENT_MAX_VERTICES];
    group->kind->gradient(group, x, which->element, which->element + 1, gradient);
    group->kind->hessian(group, x, which->element, true, hessian);
    for (uint32_t c = 0; c < n; c++) {
        int i = place_of(b, vertices[c]);
        inside[c] = i < CORNERS;
        if (!inside[c])
            continue;
        motion_of(tide_vec3_subtract(b->from[i], b->centre), motions[c]);
        add_slope(b, motions[c], gradient + 3 * (size_t)c, factor);
    }
    for (size_t c = 0; c < n; c++)
        for (size_t d = 0; d < n; d++)
            if (inside[c] && inside[d])
                add_block(b, motions[c], hessian + 9 * n * c + 3 * d, 3 * (size_t)n, motions[d], factor);
}

// Solves the system by L D L'. Writes the step (t, w). Returns false if the matrix is not positive definite.
static bool solve(const block *b, double step[SIX])
{
    double l[SIX][SIX], d[SIX];
    for (int j = 0; j < SIX; j++) {
        d[j] = b->matrix[SIX * j + j];
        for (int k = 0; k < j; k++)
            d[j] -= l[j][k] * l[j][k] * d[k];
        if (!(d[j] > 0))
            return false;
        for (int i = j + 1; i < SIX; i++) {
            l[i][j] = b->matrix[SIX * i + j];
            for (int k = 0; k < j; k++)
                l[i][j] -= l[i][k] * l[j][k] * d[k];
            l[i][j] /= d[j];
        }
    }
    for (int i = 0; i < SIX; i++) {
        step[i] = -b->slopes[i];
        for (int k = 0; k < i; k++)
            step[i] -= l[i][k] * step[k];
    }
    for (int i = SIX - 1; i >= 0; i--) {
        step[i] /= d[i];
        for (int k = i + 1; k < SIX; k++)
            step[i] -= l[k][i] * step[k];
    }
    return true;
}

// Returns the part of g that the motion changes.
static double value_of(const block *b, const double *x)
{
    double inertia = 0, energy = 0;
    for (int i = 0; i < CORNERS; i++) {
        size_t p = b->particles[i];
        tide_vec3 away = tide_vec3_subtract(tide_vec3_load(x + 3 * p), tide_vec3_load(b->o->y + 3 * p));
        inertia += b->o->system->masses[p] * tide_vec3_dot(away, away) / 2;
    }
    for (uint32_t n = 0; n < b->element_count; n++) {
        const tide_elements *group = &b->o->system->groups[b->elements[n].group];
        energy += group->kind->energy(group, x, b->elements[n].element, b->elements[n].element + 1);
    }
    return inertia + b->o->s * b->o->s * energy;
}

static void place(const block *b, const double step[SIX], double *x)
{
    tide_vec3 to = tide_vec3_add(b->centre, tide_vec3_load(step));
    for (int i = 0; i < CORNERS; i++)
        tide_vec3_store(
            x + 3 * (size_t)b->particles[i],
            tide_vec3_add(to, tide_rigid_turned(tide_vec3_subtract(b->from[i], b->centre), tide_vec3_load(step + 3))));
}

static void move_block(block *b, double *x)
{
    double step[SIX], before = value_of(b, x);
    add_inertia(b, x);
    for (uint32_t n = 0; n < b->element_count; n++)
        add_element(b, &b->elements[n], x);
    if (!solve(b, step))
        return;
    for (int halving = 0; halving <= HALVINGS; halving++) {
        place(b, step, x);
        if (value_of(b, x) <= before)
            return;
        for (int k = 0; k < SIX; k++)
            step[k] /= 2;
    }
    for (int i = 0; i < CORNERS; i++)
        tide_vec3_store(x + 3 * (size_t)b->particles[i], b->from[i]);
}

void tide_rigid_blocks_move(const tide_rigid_blocks *blocks, const tide_objective *objective, double *x)
{
    for (uint32_t n = 0; n < blocks->count; n++) {
        block b = block_at(blocks, n, objective, x);
        move_block(&b, x);
    }
}

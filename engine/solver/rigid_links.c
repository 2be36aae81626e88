#include "solver/rigid_links.h"

#include "base/memory.h"
#include "base/vec3.h"
#include "solver/rigid_bodies.h"
#include "solver/rigid_motion.h"
#include "solver/rigid_state.h"

#include <string.h>

#define STIFFNESS 1e4 // k of the least motion, per kg of the body
#define STILL 1e-13   // m and rad: a motion that counts as none
enum { CORNERS = 4, SIX = 6, NONE = UINT32_MAX, ROUNDS = 8, SWEEPS = 30, MOST = 8 };

typedef struct exact_link {
    const tide_elements *group;
    uint32_t element;
} exact_link;

typedef struct held_body {
    const uint32_t *particles; // (CORNERS)
    double mass;               // kg, of each
    uint32_t first_pin, pin_count;
    bool held;
    tide_vec3 centre, velocity, spin;
    double inertia[9], inverse[9];
} held_body;

typedef struct tide_rigid_links {
    const tide_system *system;
    held_body *bodies;
    uint32_t body_count, between_count;
    uint32_t *body_of;   // (particle_count) NONE: of no rigid body
    exact_link *pins;    // to fixed points, by body
    exact_link *between; // of two ends
    bool slack;          // of the present step
} tide_rigid_links;

// --- preparation ----------------------------------------------------------------------------------------------------

static bool is_link(const tide_element_kind *kind)
{
    return kind == &tide_link_4 || kind == &tide_link_5 || kind == &tide_link_7 || kind == &tide_link_8;
}

// Returns the mass of the lighter end. An end is a rigid body, or all particles of no body.
static double lighter_end(const tide_rigid_links *l, const exact_link *link)
{
    uint32_t count = link->group->kind->vertex_count;
    const uint32_t *vertices = link->group->vertices + (size_t)count * link->element;
    double least = INFINITY;
    for (uint32_t c = 0; c < count; c++) {
        double mass = 0;
        for (uint32_t d = 0; d < count; d++)
            mass += l->body_of[vertices[d]] == l->body_of[vertices[c]] ? l->system->masses[vertices[d]] : 0;
        least = fmin(least, mass);
    }
    return least;
}

static bool is_exact(const tide_rigid_links *l, const exact_link *link, double h)
{
    double stiffness = tide_element_stiffness(link->group, link->element);
    return stiffness * h * h >= 0.999 * TIDE_LINK_EXACT * lighter_end(l, link); // but for rounding
}

static void list_bodies(tide_rigid_links *l)
{
    const tide_system *system = l->system;
    memset(l->body_of, 0xff, system->particle_count * sizeof *l->body_of);
    for (uint32_t g = 0, b = 0; g < system->group_count; g++)
        for (uint32_t e = 0; system->groups[g].kind == &tide_rigid && e < system->groups[g].count; e++, b++) {
            held_body *body = &l->bodies[b];
            body->particles = system->groups[g].vertices + CORNERS * (size_t)e;
            body->mass = system->masses[body->particles[0]];
            for (int i = 0; i < CORNERS; i++)
                l->body_of[body->particles[i]] = b;
        }
}

// Enters the exact links: those to fixed points behind the first one of their body, if `body` is not NONE.
static void list_links(tide_rigid_links *l, double h, uint32_t body, uint32_t *pins)
{
    for (uint32_t g = 0; g < l->system->group_count; g++) {
        const tide_elements *group = &l->system->groups[g];
        for (uint32_t e = 0; is_link(group->kind) && e < group->count; e++) {
            const exact_link link = { group, e };
            bool pin = group->kind == &tide_link_4;
            if ((pin && l->body_of[group->vertices[CORNERS * (size_t)e]] != body) || pin == (body == NONE) ||
                !is_exact(l, &link, h))
                continue;
            if (pin)
                l->pins[(*pins)++] = link;
            else
                l->between[l->between_count++] = link;
        }
    }
}

static void mark_held(tide_rigid_links *l)
{
    for (uint32_t n = 0; n < l->between_count; n++) {
        const exact_link *link = &l->between[n];
        uint32_t count = link->group->kind->vertex_count;
        for (uint32_t c = 0; c < count; c++) {
            uint32_t b = l->body_of[link->group->vertices[(size_t)count * link->element + c]];
            if (b != NONE)
                l->bodies[b].held = true;
        }
    }
}

tide_status tide_rigid_links_prepare(tide_rigid_links **out, const tide_system *system, double h, tide_error *error)
{
    size_t links = 0, bodies = tide_rigid_count(system);
    tide_rigid_links_destroy(*out);
    *out = NULL;
    for (uint32_t g = 0; g < system->group_count; g++)
        links += is_link(system->groups[g].kind) ? system->groups[g].count : 0;
    if (!links || !bodies)
        return TIDE_OK;
    tide_rigid_links *l = tide_allocate_zeroed(1, sizeof *l);
    if (!l)
        return tide_fail_memory(error, "solver");
    l->system = system;
    l->body_count = (uint32_t)bodies;
    l->bodies = tide_own_zeroed(l, bodies, sizeof *l->bodies);
    l->body_of = tide_own_array(l, system->particle_count, sizeof *l->body_of);
    l->pins = tide_own_array(l, links, sizeof *l->pins);
    l->between = tide_own_array(l, links, sizeof *l->between);
    if (!tide_owns_all(l)) {
        tide_free(l);
        return tide_fail_memory(error, "solver");
    }
    uint32_t pins = 0;
    list_bodies(l);
    for (uint32_t b = 0; b < l->body_count; b++) {
        held_body *body = &l->bodies[b];
        body->first_pin = pins;
        list_links(l, h, b, &pins);
        body->pin_count = pins - body->first_pin;
        body->held = body->pin_count > 0;
    }
    list_links(l, h, NONE, &pins);
    mark_held(l);
    *out = l;
    return TIDE_OK;
}

void tide_rigid_links_destroy(tide_rigid_links *links)
{
    tide_free(links);
}

// --- bodies ---------------------------------------------------------------------------------------------------------

static tide_vec3 arm(const held_body *b, const double *x, int corner)
{
    return tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)b->particles[corner]), b->centre);
}

static void set_pose(held_body *b, const double *x)
{
    tide_vec3 arms[CORNERS];
    b->centre = (tide_vec3) { 0, 0, 0 };
    for (int i = 0; i < CORNERS; i++)
        b->centre =
            tide_vec3_add(b->centre, tide_vec3_scale(tide_vec3_load(x + 3 * (size_t)b->particles[i]), 1.0 / CORNERS));
    for (int i = 0; i < CORNERS; i++)
        arms[i] = arm(b, x, i);
    tide_rigid_inertia(b->mass, arms, b->inertia);
    tide_rigid_invert(b->inertia, b->inverse);
}

static void load_body(held_body *b, const double *x, const double *v)
{
    tide_vec3 momentum = { 0, 0, 0 };
    set_pose(b, x);
    b->velocity = momentum;
    for (int i = 0; i < CORNERS; i++) {
        tide_vec3 velocity = tide_vec3_load(v + 3 * (size_t)b->particles[i]);
        b->velocity = tide_vec3_add(b->velocity, tide_vec3_scale(velocity, 1.0 / CORNERS));
        momentum = tide_vec3_add(momentum, tide_vec3_scale(tide_vec3_cross(arm(b, x, i), velocity), b->mass));
    }
    b->spin = tide_rigid_times(b->inverse, momentum);
}

static void store_velocities(const held_body *b, const double *x, double *v)
{
    for (int i = 0; i < CORNERS; i++)
        tide_vec3_store(v + 3 * (size_t)b->particles[i],
                        tide_vec3_add(b->velocity, tide_vec3_cross(b->spin, arm(b, x, i))));
}

// Moves a body, and lets its velocity follow.
static void move_body(held_body *b, tide_vec3 shift, tide_vec3 turn, double h, double *x)
{
    tide_vec3 to = tide_vec3_add(b->centre, shift);
    for (int i = 0; i < CORNERS; i++)
        tide_vec3_store(x + 3 * (size_t)b->particles[i], tide_vec3_add(to, tide_rigid_turned(arm(b, x, i), turn)));
    b->velocity = tide_vec3_add(b->velocity, tide_vec3_scale(shift, 1 / h));
    b->spin = tide_vec3_add(b->spin, tide_vec3_scale(turn, 1 / h));
    set_pose(b, x);
}

// Moves a body or, with `velocities`, changes its velocities.
static void change_body(held_body *b, tide_vec3 shift, tide_vec3 turn, const tide_step *step, bool velocities)
{
    if (!velocities) {
        move_body(b, shift, turn, step->h, step->x);
        return;
    }
    b->velocity = tide_vec3_add(b->velocity, shift);
    b->spin = tide_vec3_add(b->spin, turn);
    store_velocities(b, step->x, step->v);
}

// --- what the links ask for -----------------------------------------------------------------------------------------

static double weight(const exact_link *link, uint32_t corner)
{
    return link->group->parameters[(TIDE_LINK_WEIGHTS + (size_t)corner) * link->group->count + link->element];
}

// Returns the weighted sum of an array (3 * particle_count) at the corners.
static tide_vec3 sum_of(const exact_link *link, const double *array)
{
    uint32_t count = link->group->kind->vertex_count;
    const uint32_t *vertices = link->group->vertices + (size_t)count * link->element;
    tide_vec3 sum = { 0, 0, 0 };
    for (uint32_t c = 0; c < count; c++)
        sum = tide_vec3_add(sum, tide_vec3_scale(tide_vec3_load(array + 3 * (size_t)vertices[c]), weight(link, c)));
    return sum;
}

static tide_vec3 target_of(const exact_link *link)
{
    const double *a = link->group->parameters + TIDE_LINK_X * (size_t)link->group->count + link->element;
    return (tide_vec3) { a[0], a[link->group->count], a[2 * (size_t)link->group->count] };
}

// Returns how far the places are apart or, for velocities, how much faster they part than they did in the step.
static tide_vec3 excess(const exact_link *link, const tide_step *step, bool velocities)
{
    if (!velocities)
        return tide_vec3_subtract(sum_of(link, step->x), target_of(link));
    tide_vec3 moved = tide_vec3_subtract(sum_of(link, step->x), sum_of(link, step->q));
    return tide_vec3_subtract(sum_of(link, step->v), tide_vec3_scale(moved, 1 / step->h));
}

// Returns how large an excess at a point r from the centre may stay. The implicit midpoint rule holds links in the
// middle of a step. At its end a point that turns by the angle a is off its circle by a^2/4 of the radius and its speed
// by a/2, without a loss of energy; to move it there would cost a^2/4 of the energy.
static double slack_of(const tide_rigid_links *l, const held_body *b, tide_vec3 r, double h, bool velocities)
{
    double turn = h * tide_vec3_length(b->spin);
    return l->slack ? turn * turn * tide_vec3_length(r) * (velocities ? 1 / h : 1) : 0;
}

// --- links to fixed points ------------------------------------------------------------------------------------------

// Adds k/2 |d + t + w x r|^2 to a quadratic function of (t, w).
static void add_pin(double matrix[SIX * SIX], double slopes[SIX], double k, tide_vec3 r, tide_vec3 d)
{
    const double rows[3][SIX] = { { 1, 0, 0, 0, r.z, -r.y }, { 0, 1, 0, -r.z, 0, r.x }, { 0, 0, 1, r.y, -r.x, 0 } };
    const double away[3] = { d.x, d.y, d.z };
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < SIX; i++) {
            slopes[i] += k * rows[a][i] * away[a];
            for (int j = 0; j < SIX; j++)
                matrix[SIX * i + j] += k * rows[a][i] * rows[a][j];
        }
}

// Moves a body, or changes its velocities, towards its links to fixed points. Returns the largest motion.
static double hold_body(tide_rigid_links *l, held_body *b, const tide_step *step, bool velocities)
{
    double matrix[SIX * SIX] = { 0 }, slopes[SIX] = { 0 }, motion[SIX], mass = CORNERS * b->mass;
    uint32_t nonzero[SIX];
    bool slack = true;
    for (size_t k = 0; k < 3; k++)
        matrix[(SIX + 1) * k] = mass;
    for (size_t k = 0; k < 9; k++)
        matrix[SIX * (3 + k / 3) + 3 + k % 3] = b->inertia[k];
    for (uint32_t p = b->first_pin; p < b->first_pin + b->pin_count; p++) {
        const exact_link *link = &l->pins[p];
        tide_vec3 r = tide_vec3_subtract(sum_of(link, step->x), b->centre), d = excess(link, step, velocities);
        slack = slack && tide_vec3_length(d) <= slack_of(l, b, r, step->h, velocities);
        add_pin(matrix, slopes, STIFFNESS * mass, r, d);
    }
    if (slack || !tide_rigid_solve(SIX, matrix, nonzero, slopes, motion))
        return 0;
    tide_vec3 shift = tide_vec3_load(motion), turn = tide_vec3_load(motion + 3);
    change_body(b, shift, turn, step, velocities);
    return fmax(tide_vec3_length(shift), tide_vec3_length(turn));
}

// --- links between ends ---------------------------------------------------------------------------------------------

// The ends of a link: rigid bodies, and particles of none.
typedef struct end {
    held_body *body; // NULL: a particle
    uint32_t particle;
    double weight; // of the point, the sum over a body's corners
    tide_vec3 r;   // the point from the centre
} end;

static uint32_t find_ends(tide_rigid_links *l, const exact_link *link, const double *x, end ends[MOST])
{
    uint32_t count = link->group->kind->vertex_count, found = 0;
    const uint32_t *vertices = link->group->vertices + (size_t)count * link->element;
    for (uint32_t c = 0; c < count; c++) {
        uint32_t b = l->body_of[vertices[c]], e = 0;
        held_body *body = b == NONE ? NULL : &l->bodies[b];
        while (e < found && !(body && ends[e].body == body))
            e++;
        if (e == found)
            ends[found++] = (end) { .body = body, .particle = vertices[c] };
        ends[e].weight += weight(link, c);
        if (body)
            ends[e].r = tide_vec3_add(
                ends[e].r,
                tide_vec3_scale(tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)vertices[c]), body->centre),
                                weight(link, c)));
    }
    for (uint32_t e = 0; e < found; e++)
        ends[e].r = tide_vec3_scale(ends[e].r, 1 / ends[e].weight);
    return found;
}

static double inverse_mass(const tide_system *system, uint32_t particle)
{
    return system->rows[particle] == TIDE_PINNED ? 0 : 1 / system->masses[particle];
}

// Adds what an impulse on the link moves its end by, per impulse.
static void add_mobility(const tide_rigid_links *l, const end *e, double matrix[9])
{
    static const tide_vec3 axes[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    double inverse = e->body ? 1 / (CORNERS * e->body->mass) : inverse_mass(l->system, e->particle);
    double square = e->weight * e->weight;
    for (int k = 0; k < 3; k++) {
        tide_vec3 column = tide_vec3_scale(axes[k], inverse);
        if (e->body)
            column = tide_vec3_add(
                column, tide_vec3_cross(tide_rigid_times(e->body->inverse, tide_vec3_cross(e->r, axes[k])), e->r));
        matrix[k] += square * column.x;
        matrix[3 + k] += square * column.y;
        matrix[6 + k] += square * column.z;
    }
}

static void push_particle(const tide_system *system, uint32_t particle, tide_vec3 impulse, const tide_step *step,
                          bool velocities)
{
    tide_vec3 by = tide_vec3_scale(impulse, inverse_mass(system, particle));
    double *x = step->x + 3 * (size_t)particle, *v = step->v + 3 * (size_t)particle;
    if (!velocities)
        tide_vec3_store(x, tide_vec3_add(tide_vec3_load(x), by));
    tide_vec3_store(v, tide_vec3_add(tide_vec3_load(v), tide_vec3_scale(by, velocities ? 1 : 1 / step->h)));
}

static double hold_link(tide_rigid_links *l, const exact_link *link, const tide_step *step, bool velocities)
{
    end ends[MOST] = { 0 };
    double matrix[9] = { 0 }, inverse[9], slack = 0;
    uint32_t count = find_ends(l, link, step->x, ends);
    tide_vec3 d = excess(link, step, velocities);
    for (uint32_t e = 0; e < count; e++) {
        slack += ends[e].body ? slack_of(l, ends[e].body, ends[e].r, step->h, velocities) : 0;
        add_mobility(l, &ends[e], matrix);
    }
    if (tide_vec3_length(d) <= slack)
        return 0;
    tide_rigid_invert(matrix, inverse);
    tide_vec3 impulse = tide_vec3_scale(tide_rigid_times(inverse, d), -1);
    if (!isfinite(tide_vec3_length(impulse))) // all ends are pinned
        return 0;
    for (uint32_t e = 0; e < count; e++) {
        tide_vec3 part = tide_vec3_scale(impulse, ends[e].weight);
        held_body *b = ends[e].body;
        if (!b) {
            push_particle(l->system, ends[e].particle, part, step, velocities);
            continue;
        }
        tide_vec3 shift = tide_vec3_scale(part, 1 / (CORNERS * b->mass));
        tide_vec3 turn = tide_rigid_times(b->inverse, tide_vec3_cross(ends[e].r, part));
        change_body(b, shift, turn, step, velocities);
    }
    return tide_vec3_length(d);
}

// --- the step -------------------------------------------------------------------------------------------------------

static void hold_all(tide_rigid_links *l, const tide_step *step, bool velocities)
{
    double moved = INFINITY;
    for (int sweep = 0; sweep < (l->between_count ? SWEEPS : 1) && moved > STILL; sweep++) {
        moved = 0;
        for (uint32_t n = 0; n < l->between_count; n++)
            moved = fmax(moved, hold_link(l, &l->between[n], step, velocities));
        for (uint32_t b = 0; b < l->body_count; b++) {
            double motion = l->bodies[b].pin_count ? INFINITY : 0;
            for (int round = 0; round < ROUNDS && motion > STILL; round++) {
                motion = hold_body(l, &l->bodies[b], step, velocities);
                moved = fmax(moved, round == 0 ? motion : 0);
            }
        }
    }
}

void tide_rigid_links_hold(tide_rigid_links *links, const tide_step *step, double place)
{
    links->slack = place > 0 && place < 1;
    for (uint32_t b = 0; b < links->body_count; b++)
        if (links->bodies[b].held)
            load_body(&links->bodies[b], step->x, step->v);
    hold_all(links, step, false);
    for (uint32_t b = 0; b < links->body_count; b++)
        if (links->bodies[b].held)
            store_velocities(&links->bodies[b], step->x, step->v);
    hold_all(links, step, true);
}

// With c the centre, L the angular momentum about it and I the inertia of the particles, the free motion of a body is
//
//     c' = v_c,   R' = [w]x R,   w = R I^-1 R' L
//
// with L constant in space. Its rotation over h is integrated by Runge-Kutta steps of order 4, each of at most
// `LONGEST` rad. With p_i = q_i + h v~_i, where the method would come without forces, and a_i the end of the free
// motion, the method's response is x_i - p_i in positions and v_i - v~_i in velocities:
//
//     z_i = a_i + x_i - p_i,   v_c <- v_c + mean(v_i - v~_i),   L <- L + m sum (z_i - c) x (v_i - v~_i)
//
// The particles then go to the rigid shape that is nearest to z, and move with v_c + (I^-1 L) x r_i.
//
// Elements that hold the particles together have no torque about the positions at which they are evaluated. The
// velocities v~ are therefore those that lead to a rigid shape there: v~_i = (a_i(place h) - q_i) / (place h).
#include "solver/rigid_bodies.h"

#include "base/memory.h"
#include "base/vec3.h"
#include "model/svd3.h"
#include "solver/rigid_links.h"
#include "solver/rigid_state.h"

#include <string.h>

#define LONGEST 0.02   // rad
#define ROUNDING 2e-15 // of positions
#define UNLOADED 1e-11 // the same for bodies without external forces: a stiffness of 10,000 m / h^2 multiplies rounding
#define LEAST 1e-12    // m: a change of y that counts
enum { CORNERS = 4, MOST_STEPS = 10000 };

typedef struct rigid_body {
    const uint32_t *particles; // (CORNERS)
    double shape[3 * CORNERS]; // at rest, relative to the centre
    double mass;               // kg, of each particle
    bool unloaded;             // no external force acts on the particles
    tide_vec3 velocity, momentum;
    tide_vec3 free[CORNERS], expected[CORNERS], given[CORNERS]; // a_i, p_i, v~_i
} rigid_body;

typedef struct tide_rigid_bodies {
    uint32_t count;
    rigid_body *bodies;
    struct tide_rigid_links *links; // NULL: nothing holds a body exactly
    double place;                   // of the step, see tide_rigid_bodies_begin
    double *velocities;             // (3 * particle_count)
    uint32_t particle_count;
    const tide_contact_response *contact; // of the step
    tide_contact_response wrapped;        // the same, with the multipliers of the rigid shapes
    double stiffness;                     // k h^2 / m
} tide_rigid_bodies;

// --- preparation ----------------------------------------------------------------------------------------------------

static void list_bodies(const tide_system *system, rigid_body *next)
{
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        for (uint32_t e = 0; group->kind == &tide_rigid && e < group->count; e++, next++) {
            next->particles = group->vertices + CORNERS * (size_t)e;
            next->mass = system->masses[next->particles[0]];
            for (size_t i = 0; i < 3 * CORNERS; i++)
                next->shape[i] = group->parameters[(TIDE_RIGID_SHAPE + i) * group->count + e];
        }
    }
}

tide_status tide_rigid_bodies_prepare(tide_rigid_bodies **out, const tide_system *system, double h, tide_error *error)
{
    tide_rigid_bodies_destroy(*out);
    *out = NULL;
    uint32_t count = tide_rigid_count(system);
    if (!count)
        return TIDE_OK;
    tide_rigid_bodies *made = tide_allocate_zeroed(1, sizeof *made);
    if (!made)
        return tide_fail_memory(error, "solver");
    made->count = count;
    made->particle_count = system->particle_count;
    made->bodies = tide_allocate_zeroed(count, sizeof *made->bodies);
    made->velocities = tide_allocate_zeroed(system->particle_count, 3 * sizeof *made->velocities);
    if (!made->bodies || !made->velocities) {
        tide_rigid_bodies_destroy(made);
        return tide_fail_memory(error, "solver");
    }
    list_bodies(system, made->bodies);
    tide_status status = tide_rigid_links_prepare(&made->links, system, h, error);
    if (status == TIDE_OK)
        *out = made;
    else
        tide_rigid_bodies_destroy(made);
    return status;
}

void tide_rigid_bodies_destroy(tide_rigid_bodies *bodies)
{
    if (!bodies)
        return;
    tide_rigid_links_destroy(bodies->links);
    tide_free(bodies->bodies);
    tide_free(bodies->velocities);
    tide_free(bodies);
}

// --- rotation -------------------------------------------------------------------------------------------------------

typedef struct quaternion {
    double w;
    tide_vec3 v;
} quaternion;

static tide_vec3 turn(quaternion q, tide_vec3 a)
{
    tide_vec3 twice = tide_vec3_scale(tide_vec3_cross(q.v, a), 2);
    return tide_vec3_add(tide_vec3_add(a, tide_vec3_scale(twice, q.w)), tide_vec3_cross(q.v, twice));
}

static tide_vec3 angular_velocity(const double inverse[9], tide_vec3 momentum, quaternion q)
{
    const quaternion back = { q.w, tide_vec3_scale(q.v, -1) };
    return turn(q, tide_rigid_times(inverse, turn(back, momentum)));
}

// Returns q + h w q / 2, with w the angular velocity at `at`.
static quaternion advanced(const double inverse[9], tide_vec3 momentum, quaternion q, quaternion at, double h)
{
    tide_vec3 w = tide_vec3_scale(angular_velocity(inverse, momentum, at), h / 2);
    return (quaternion) { q.w - tide_vec3_dot(w, at.v),
                          tide_vec3_add(q.v, tide_vec3_add(tide_vec3_scale(w, at.w), tide_vec3_cross(w, at.v))) };
}

static quaternion normalised(quaternion q)
{
    double length = sqrt(q.w * q.w + tide_vec3_dot(q.v, q.v));
    return (quaternion) { q.w / length, tide_vec3_scale(q.v, 1 / length) };
}

// The classical Runge-Kutta step, written with the three points at which it evaluates: with b, c and d the results of
// Euler steps of h/2, h/2 and h, and e one of h from d, its end is (b - q + 2 (c - q) + (d - q)) / 3 + (e - q) / 6.
static quaternion runge_kutta(const double inverse[9], tide_vec3 momentum, quaternion q, double h)
{
    quaternion b = advanced(inverse, momentum, q, q, h / 2), c = advanced(inverse, momentum, q, b, h / 2);
    quaternion d = advanced(inverse, momentum, q, c, h), e = advanced(inverse, momentum, q, d, h);
    static const double weights[] = { 1.0 / 3, 2.0 / 3, 1.0 / 3, 1.0 / 6 };
    const quaternion ends[] = { b, c, d, e };
    quaternion sum = q;
    for (int i = 0; i < 4; i++) {
        sum.w += weights[i] * (ends[i].w - q.w);
        sum.v = tide_vec3_add(sum.v, tide_vec3_scale(tide_vec3_subtract(ends[i].v, q.v), weights[i]));
    }
    return normalised(sum);
}

void tide_rigid_free_rotation(const double inertia[9], const double momentum[3], double h, double rotation[9])
{
    double inverse[9], left = h;
    tide_vec3 l = tide_vec3_load(momentum);
    quaternion q = { 1, { 0, 0, 0 } };
    tide_rigid_invert(inertia, inverse);
    for (int step = 0; step < MOST_STEPS && left > 0; step++) {
        double speed = tide_vec3_length(angular_velocity(inverse, l, q)), longest = LONGEST / speed;
        double part = left > longest ? left / ceil(left / longest) : left;
        q = runge_kutta(inverse, l, q, part);
        left = part < left ? left - part : 0;
    }
    static const tide_vec3 axes[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int k = 0; k < 3; k++) {
        tide_vec3 column = turn(q, axes[k]);
        rotation[k] = column.x;
        rotation[3 + k] = column.y;
        rotation[6 + k] = column.z;
    }
}

// --- the start of a step --------------------------------------------------------------------------------------------

static void load(const rigid_body *b, const double *array, tide_vec3 out[CORNERS])
{
    for (int i = 0; i < CORNERS; i++)
        out[i] = tide_vec3_load(array + 3 * (size_t)b->particles[i]);
}

// Computes the positions at the end of a free motion of h seconds.
static void move_freely(const rigid_body *b, const tide_vec3 q[CORNERS], double h, tide_vec3 out[CORNERS])
{
    tide_vec3 centre = tide_rigid_mean(q), arms[CORNERS],
              there = tide_vec3_add(centre, tide_vec3_scale(b->velocity, h));
    double inertia[9], rotation[9];
    for (int i = 0; i < CORNERS; i++)
        arms[i] = tide_vec3_subtract(q[i], centre);
    tide_rigid_inertia(b->mass, arms, inertia);
    const double momentum[3] = { b->momentum.x, b->momentum.y, b->momentum.z };
    tide_rigid_free_rotation(inertia, momentum, h, rotation);
    for (int i = 0; i < CORNERS; i++)
        out[i] = tide_vec3_add(there, tide_rigid_times(rotation, arms[i]));
}

// Returns v~ of each particle: to where the free motion is after place * h, or for 0 the velocities at the start.
static void aim(rigid_body *b, const tide_vec3 q[CORNERS], double h, double place)
{
    tide_vec3 centre = tide_rigid_mean(q), arms[CORNERS], there[CORNERS];
    double inertia[9], inverse[9];
    move_freely(b, q, h, b->free);
    for (int i = 0; i < CORNERS; i++)
        arms[i] = tide_vec3_subtract(q[i], centre);
    tide_rigid_inertia(b->mass, arms, inertia);
    tide_rigid_invert(inertia, inverse);
    tide_vec3 spin = tide_rigid_times(inverse, b->momentum);
    if (place == 1)
        memcpy(there, b->free, sizeof there);
    else if (place > 0)
        move_freely(b, q, place * h, there);
    for (int i = 0; i < CORNERS; i++) {
        b->given[i] = place > 0 ? tide_vec3_scale(tide_vec3_subtract(there[i], q[i]), 1 / (place * h))
                                : tide_vec3_add(b->velocity, tide_vec3_cross(spin, arms[i]));
        b->expected[i] = tide_vec3_add(q[i], tide_vec3_scale(b->given[i], h));
    }
}

static bool is_unloaded(const rigid_body *b, const double *force)
{
    tide_vec3 forces[CORNERS];
    bool unloaded = true;
    load(b, force, forces);
    for (int i = 0; i < CORNERS; i++)
        unloaded = unloaded && tide_vec3_dot(forces[i], forces[i]) == 0;
    return unloaded;
}

// Sets the velocity and the angular momentum of a body from those of its particles.
static void set_momenta(rigid_body *b, const tide_vec3 q[CORNERS], const tide_vec3 v[CORNERS])
{
    tide_vec3 centre = tide_rigid_mean(q);
    b->velocity = tide_rigid_mean(v);
    b->momentum = (tide_vec3) { 0, 0, 0 };
    for (int i = 0; i < CORNERS; i++)
        b->momentum = tide_vec3_add(b->momentum, tide_vec3_scale(tide_vec3_cross(tide_vec3_subtract(q[i], centre),
                                                                                 tide_vec3_subtract(v[i], b->velocity)),
                                                                 b->mass));
}

const double *tide_rigid_bodies_begin(tide_rigid_bodies *bodies, const tide_step *step, double place)
{
    bodies->place = place;
    memcpy(bodies->velocities, step->velocity, 3 * (size_t)bodies->particle_count * sizeof *bodies->velocities);
    for (uint32_t n = 0; n < bodies->count; n++) {
        rigid_body *b = &bodies->bodies[n];
        tide_vec3 q[CORNERS], v[CORNERS];
        load(b, step->q, q);
        load(b, step->velocity, v);
        b->unloaded = is_unloaded(b, step->force);
        set_momenta(b, q, v);
        aim(b, q, step->h, place);
        for (int i = 0; i < CORNERS; i++)
            tide_vec3_store(bodies->velocities + 3 * (size_t)b->particles[i], b->given[i]);
    }
    return bodies->velocities;
}

// --- the end of a step ----------------------------------------------------------------------------------------------

// Returns whether a method has moved the particles as expected, but for rounding. Adding up this rounding over the
// steps would change the momenta of a free body.
static bool is_free(const rigid_body *b, const tide_vec3 x[CORNERS], const tide_vec3 v[CORNERS], double h)
{
    bool free = true;
    double rounding = b->unloaded ? UNLOADED : ROUNDING;
    for (int i = 0; i < CORNERS; i++) {
        double size = tide_vec3_length(x[i]) + h * tide_vec3_length(v[i]);
        free = free && tide_vec3_length(tide_vec3_subtract(x[i], b->expected[i])) <= rounding * size &&
               h * tide_vec3_length(tide_vec3_subtract(v[i], b->given[i])) <= rounding * size;
    }
    return free;
}

static void end_body(rigid_body *b, const tide_step *step)
{
    tide_vec3 x[CORNERS], v[CORNERS], z[CORNERS], change[CORNERS];
    double inertia[9], inverse[9];
    load(b, step->x, x);
    load(b, step->v, v);
    bool free = is_free(b, x, v, step->h);
    for (int i = 0; i < CORNERS; i++) {
        z[i] = free ? b->free[i] : tide_vec3_add(b->free[i], tide_vec3_subtract(x[i], b->expected[i]));
        change[i] = tide_vec3_scale(tide_vec3_subtract(v[i], b->given[i]), !free);
    }
    tide_vec3 centre = tide_rigid_mean(z);
    b->velocity = tide_vec3_add(b->velocity, tide_rigid_mean(change));
    for (int i = 0; i < CORNERS; i++)
        b->momentum = tide_vec3_add(
            b->momentum, tide_vec3_scale(tide_vec3_cross(tide_vec3_subtract(z[i], centre), change[i]), b->mass));
    tide_rigid_fit(b->shape, centre, z);
    tide_rigid_inertia(b->mass, z, inertia);
    tide_rigid_invert(inertia, inverse);
    tide_vec3 spin = tide_rigid_times(inverse, b->momentum);
    for (int i = 0; i < CORNERS; i++) {
        b->free[i] = b->expected[i] = tide_vec3_add(centre, z[i]);
        b->given[i] = tide_vec3_add(b->velocity, tide_vec3_cross(spin, z[i]));
        tide_vec3_store(step->x + 3 * (size_t)b->particles[i], b->free[i]);
        tide_vec3_store(step->v + 3 * (size_t)b->particles[i], b->given[i]);
    }
}

// Notes the motion of a body that links have changed.
static void note_end(rigid_body *b, const tide_step *step)
{
    load(b, step->x, b->free);
    load(b, step->v, b->given);
    memcpy(b->expected, b->free, sizeof b->free);
    set_momenta(b, b->free, b->given);
}

void tide_rigid_bodies_end(tide_rigid_bodies *bodies, const tide_step *step)
{
    for (uint32_t n = 0; n < bodies->count; n++)
        end_body(&bodies->bodies[n], step);
    if (!bodies->links)
        return;
    tide_rigid_links_hold(bodies->links, step, bodies->place);
    for (uint32_t n = 0; n < bodies->count; n++)
        note_end(&bodies->bodies[n], step);
}

// --- multipliers ----------------------------------------------------------------------------------------------------

// A method that takes few steps with one matrix works with a low stiffness k, at which bodies are soft. The force of
// the elements is therefore added up: y_i <- y_i - (k h^2 / m) d_i after each iteration, with d_i the offset from the
// nearest rigid shape. At a fixed point, d is 0 for any k (the method of multipliers, Hestenes 1969).
// Returns the largest change of a coordinate of y, m.
static double add_multipliers(const tide_rigid_bodies *bodies, const double *x, double *y)
{
    double most = 0;
    for (uint32_t n = 0; n < bodies->count; n++) {
        const rigid_body *b = &bodies->bodies[n];
        tide_vec3 from[CORNERS], aim[CORNERS];
        load(b, x, from);
        load(b, x, aim);
        tide_vec3 centre = tide_rigid_mean(from);
        tide_rigid_fit(b->shape, centre, aim);
        for (int i = 0; i < CORNERS; i++) {
            double *to = y + 3 * (size_t)b->particles[i];
            tide_vec3 d = tide_vec3_subtract(tide_vec3_subtract(from[i], centre), aim[i]);
            tide_vec3_store(to, tide_vec3_subtract(tide_vec3_load(to), tide_vec3_scale(d, bodies->stiffness)));
            most = fmax(most, bodies->stiffness * fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z))));
        }
    }
    return most;
}

static double iterate_compliant(void *context, double *x, double *y, double rule,
                                const tide_compliance_operator *inverse, tide_iteration_place at, tide_report *report)
{
    const tide_rigid_bodies *bodies = context;
    const tide_contact_response *contact = bodies->contact;
    double moved = contact ? contact->iterate_compliant(contact->context, x, y, rule, inverse, at, report) : 0;
    double changed = moved >= 0 && at != TIDE_ITERATION_FIRST ? add_multipliers(bodies, x, y) : 0;
    return changed > LEAST ? fmax(moved, changed) : moved;
}

const tide_contact_response *tide_rigid_bodies_wrap(tide_rigid_bodies *bodies, const tide_contact_response *contact,
                                                    double stiffness)
{
    bodies->contact = contact;
    bodies->wrapped = contact ? *contact : (tide_contact_response) { 0 };
    bodies->wrapped.context = bodies;
    bodies->wrapped.iterate_compliant = iterate_compliant;
    bodies->stiffness = stiffness;
    return &bodies->wrapped;
}

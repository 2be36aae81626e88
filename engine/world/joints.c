// Joints. A ball joint is a link (links.h) between one point of each body, a hinge two links on its axis.
//
// A motor is a torque T about the axis u. It acts on the particles as external forces do, f_i = m_i (I^-1 T u) x r_i
// with r_i where a step without it would turn them. With M the masses, a the accelerations of the two bodies without
// the joint, the constraint rows C of the hinge (3 of the point, 2 across the axis; S is their compliance) and the row
// d of the axis, the rate w = (spin_a - spin_b) . u of a hinge changes by h (a_u + T / J) in a step of h seconds:
//
//     1 / J = d M^-1 d' - d M^-1 C' (C M^-1 C' + S)^-1 C M^-1 d'
//       a_u = d a - d M^-1 C' (C M^-1 C' + S)^-1 C a
//
// Both come from the Cholesky factorisation of (C, d) M^-1 (C, d)' + S. A motor that holds a speed is a controller on
// this model. It learns from what the model does not know, as contacts and other joints, a torque p:
//
//     T = p + J / h (GAIN (speed - w) - h a_u), limited to max_torque
//     p <- p + LEARNING J / h (w + h (a_u + (T - p) / J) - w_new)
//
// Other bodies and contacts only add to the inertia that the hinge has. With c J for J, c >= 1, the errors of w and p
// go by the matrix (1 - GAIN/c, -1/c; LEARNING GAIN (1 - 1/c), 1 - LEARNING/c), whose eigenvalues are below 1 for every
// such c.
#include "world/joints.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "solver/rigid_motion.h"
#include "solver/rigid_state.h"
#include "world/world_state.h"

#include <float.h>
#include <string.h>

#define GAIN 0.7
#define LEARNING 0.4
#define LARGEST_TORQUE 1e15 // N m
#define LARGEST_SPEED 1e6   // rad/s

static const char *const kinds[] = { "ball", "hinge", NULL };

const tide_field tide_motor_fields[] = {
    { TIDE_MEMBER(tide_motor, torque), .type = TIDE_FIELD_REAL, .initial = { TIDE_NOT_GIVEN }, .initial_text = "nil",
      .minimum = -LARGEST_TORQUE, .maximum = LARGEST_TORQUE, .unit = "N m",
      .help = "constant torque on the first body about the axis, with the opposite one on the second" },
    { TIDE_MEMBER(tide_motor, speed), .type = TIDE_FIELD_REAL, .initial = { TIDE_NOT_GIVEN }, .initial_text = "nil",
      .minimum = -LARGEST_SPEED, .maximum = LARGEST_SPEED, .unit = "rad/s",
      .help =
          "in place of torque: the speed to hold, of the first body about the axis relative to the second; 0 brakes" },
    TIDE_OMITTED_FIELD(tide_motor, max_torque, "nil", LARGEST_TORQUE, "N m",
                       "largest torque of a motor with a speed; default: no limit"),
    { .name = NULL },
};

const tide_field tide_joint_fields[] = {
    { .name = "joint",
      .type = TIDE_FIELD_CHOICE,
      .offset = offsetof(tide_joint_def, kind),
      .required = true,
      .choices = kinds,
      .help = "\"ball\" leaves the bodies free to turn about the point, \"hinge\" only about the axis" },
    { TIDE_MEMBER(tide_joint_def, point), .type = TIDE_FIELD_VECTOR, .required = true, .minimum = -TIDE_FARTHEST,
      .maximum = TIDE_FARTHEST, .unit = "m", .help = "where the bodies are joined, at their current places" },
    { TIDE_MEMBER(tide_joint_def, axis), .type = TIDE_FIELD_VECTOR, .initial_text = "nil", .minimum = -TIDE_LARGEST,
      .maximum = TIDE_LARGEST, .help = "direction of a hinge's axis, of any length; it turns with the first body" },
    { TIDE_MEMBER(tide_joint_def, stiffness), .type = TIDE_FIELD_REAL, .initial = { TIDE_NOT_GIVEN },
      .initial_text = "nil", .maximum = 1e15, .positive = true, .unit = "N/m",
      .help = "stiffness against pulling the bodies apart; default: held exactly" },
    { TIDE_MEMBER(tide_joint_def, touching), .type = TIDE_FIELD_BOOLEAN,
      .help = "let the joined bodies collide with each other" },
    { .name = "motor",
      .type = TIDE_FIELD_OTHER,
      .initial_text = "nil",
      .lua_type = "tide.Motor",
      .help = "of a hinge: what drives it" },
    { .name = NULL },
};

tide_joint_def tide_joint_def_default(void)
{
    tide_joint_def def;
    tide_fields_default(tide_joint_fields, &def);
    tide_fields_default(tide_motor_fields, &def.motor);
    return def;
}

// --- checks ---------------------------------------------------------------------------------------------------------

static tide_status refuse(const char *field, const char *remedy, tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_ARGUMENT, "joint", field, NULL, "%s", remedy);
}

static tide_status check_motor(int kind, const tide_motor *motor, tide_error *error)
{
    TIDE_TRY(tide_fields_check(tide_motor_fields, "motor", motor, error));
    bool torque = tide_given(motor->torque), speed = tide_given(motor->speed);
    if (kind == TIDE_JOINT_BALL && (torque || speed))
        return refuse("motor", "a ball joint has no axis to turn about; make it a hinge", error);
    if (torque && speed)
        return refuse("motor", "give torque or speed, not both", error);
    if (tide_given(motor->max_torque) && !speed)
        return refuse("motor", "max_torque limits a motor with a speed; give speed, or leave it out", error);
    return TIDE_OK;
}

static tide_status check_end(const tide_world *world, tide_body_id id, tide_error *error)
{
    tide_body_info info;
    char object[96];
    TIDE_TRY(tide_world_check_body(world, id, &info, error));
    if (tide_world_is_rigid(world, id))
        return TIDE_OK;
    tide_body_object(info.name, object);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "joint", NULL,
                     "holds rigid bodies; give the body rigid = true, or attach its vertices");
}

static double length_of(const double vector[3])
{
    double largest = fmax(fmax(fabs(vector[0]), fabs(vector[1])), fabs(vector[2]));
    if (largest == 0)
        return 0;
    return largest * tide_vec3_length(tide_vec3_scale(tide_vec3_load(vector), 1 / largest));
}

static tide_status check(const tide_world *world, tide_body_id a, tide_body_id b, const tide_joint_def *def,
                         tide_error *error)
{
    TIDE_TRY(tide_world_check_idle(world, "attach", error));
    TIDE_TRY(tide_fields_check(tide_joint_fields, "joint", def, error));
    TIDE_TRY(check_motor(def->kind, &def->motor, error));
    TIDE_TRY(check_end(world, a, error));
    if (b.index)
        TIDE_TRY(check_end(world, b, error));
    if (b.index && tide_world_lookup(world, a) == tide_world_lookup(world, b))
        return refuse("attach", "joins a body to itself; give two bodies, or one to join it to the world", error);
    double length = length_of(def->axis);
    if (def->kind == TIDE_JOINT_HINGE && !(length > 0 && length <= TIDE_LARGEST))
        return refuse("axis", "expected the direction of the hinge, as { 0, 0, 1 }", error);
    if (def->kind == TIDE_JOINT_BALL && length != 0)
        return refuse("axis", "a ball joint turns about every axis; leave it out, or make it a hinge", error);
    return TIDE_OK;
}

// --- making ---------------------------------------------------------------------------------------------------------

// Returns a unit vector across u.
static tide_vec3 across(tide_vec3 u)
{
    double x = fabs(u.x), y = fabs(u.y), z = fabs(u.z);
    tide_vec3 least = { x <= y && x <= z, y < x && y <= z, z < x && z < y };
    return tide_vec3_normalize(tide_vec3_cross(u, least));
}

static tide_rigid_state state_of(const tide_world *world, const tide_body *body)
{
    size_t first = 3 * (size_t)body->first_particle;
    return tide_rigid_state_of(world->positions + first, world->velocities + first, body->masses[0]);
}

// Returns the radius of gyration about the centre, m.
static double radius_of(const tide_world *world, const tide_body *body)
{
    tide_rigid_state state = state_of(world, body);
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += tide_vec3_dot(state.arms[i], state.arms[i]);
    return sqrt(sum / 4);
}

// Half the distance of the two links of a hinge. At the radius of gyration they resist turning as much as shifting.
static double spread_of(const tide_world *world, tide_body_id a, tide_body_id b)
{
    const tide_body *first = tide_world_lookup(world, a), *second = b.index ? tide_world_lookup(world, b) : first;
    return radius_of(world, second->masses[0] < first->masses[0] ? second : first);
}

static void set_end(const tide_world *world, tide_body_id id, uint32_t carrier, const tide_vec3 points[3],
                    tide_joint_end *end)
{
    *end = (tide_joint_end) { .body = id, .carrier = carrier };
    for (int k = 0; k < 3; k++) {
        tide_vec3_store(end->places[k], points[k]);
        if (carrier)
            tide_pose_apply_inverse(&world->colliders[carrier - 1]->start, end->places[k], end->places[k]);
        if (!id.index)
            continue;
        tide_point point = tide_world_point_at(world, tide_world_lookup(world, id), end->places[k]);
        memcpy(end->weights[k], point.weights, sizeof end->weights[k]);
    }
}

static tide_status add_link(tide_world *world, tide_body_id a, tide_body_id b, uint32_t carrier, tide_vec3 place,
                            double stiffness, tide_error *error)
{
    tide_link link = { .stiffness = stiffness, .carrier = carrier };
    tide_vec3_store(link.target, place);
    link.ends[0] = tide_world_point_at(world, tide_world_lookup(world, a), link.target);
    if (b.index)
        link.ends[1] = tide_world_point_at(world, tide_world_lookup(world, b), link.target);
    if (carrier)
        tide_pose_apply_inverse(&world->colliders[carrier - 1]->start, link.target, link.target);
    return tide_world_add_link(world, &link, error);
}

static tide_status add_links(tide_world *world, tide_body_id a, tide_body_id b, uint32_t carrier,
                             const tide_joint_def *def, tide_vec3 along, tide_error *error)
{
    tide_vec3 point = tide_vec3_load(def->point);
    if (def->kind == TIDE_JOINT_BALL)
        return add_link(world, a, b, carrier, point, def->stiffness, error);
    TIDE_TRY(add_link(world, a, b, carrier, tide_vec3_add(point, along), def->stiffness / 2, error));
    return add_link(world, a, b, carrier, tide_vec3_subtract(point, along), def->stiffness / 2, error);
}

static tide_status join(tide_world *world, tide_body_id a, tide_body_id b, uint32_t carrier, const tide_joint_def *def,
                        tide_joint_id *id, tide_error *error)
{
    TIDE_TRY(check(world, a, b, def, error));
    if (!tide_grow(&world->joints, &world->joint_capacity, world->joint_count + 1, sizeof *world->joints))
        return tide_fail_memory(error, "joint");
    tide_vec3 unit =
        tide_vec3_normalize(tide_vec3_scale(tide_vec3_load(def->axis), 1 / fmax(length_of(def->axis), DBL_MIN)));
    double spread = spread_of(world, a, b);
    tide_vec3 point = tide_vec3_load(def->point), along = tide_vec3_scale(unit, spread);
    const tide_vec3 points[3] = { point, tide_vec3_add(point, along),
                                  tide_vec3_add(point, tide_vec3_scale(across(unit), spread)) };
    size_t before = world->link_count;
    tide_status status = add_links(world, a, b, carrier, def, along, error);
    if (status == TIDE_OK && b.index && !def->touching)
        status = tide_world_set_touching(world, a, b, false, error);
    if (status != TIDE_OK) {
        world->link_count = before;
        return status;
    }
    tide_joint *joint = &world->joints[world->joint_count++];
    *joint = (tide_joint) {
        .kind = def->kind, .stiffness = def->stiffness, .spread = spread, .described = { .motor = def->motor }
    };
    joint->state = joint->described;
    set_end(world, a, 0, points, &joint->ends[0]);
    set_end(world, b, carrier, points, &joint->ends[1]);
    *id = (tide_joint_id) { (uint32_t)world->joint_count, world->joint_generation };
    return TIDE_OK;
}

tide_status tide_world_add_joint(tide_world *world, tide_body_id a, tide_body_id b, const tide_joint_def *def,
                                 tide_joint_id *id, tide_error *error)
{
    return join(world, a, b, 0, def, id, error);
}

tide_status tide_world_join_collider(tide_world *world, tide_body_id a, tide_collider_id b, const tide_joint_def *def,
                                     tide_joint_id *id, tide_error *error)
{
    uint32_t index = tide_slots_owner(&world->collider_slots, b.index, b.generation);
    if (index == TIDE_NO_OWNER)
        return tide_world_refuse_stale_collider(error);
    return join(world, a, (tide_body_id) { 0 }, index + 1, def, id, error);
}

tide_status tide_world_copy_joints(tide_world *fork, const tide_world *world, tide_error *error)
{
    if (!tide_grow(&fork->joints, &fork->joint_capacity, world->joint_count, sizeof *fork->joints))
        return tide_fail_memory(error, "joints");
    if (world->joint_count)
        memcpy(fork->joints, world->joints, world->joint_count * sizeof *fork->joints);
    fork->joint_count = world->joint_count;
    fork->joint_generation = world->joint_generation;
    return TIDE_OK;
}

// --- motion ---------------------------------------------------------------------------------------------------------

static tide_vec3 point_of(const tide_world *world, const tide_joint_end *end, int which)
{
    tide_point point = { .count = 4 };
    double place[3];
    if (end->carrier) {
        tide_pose_apply(&world->colliders[end->carrier - 1]->start, end->places[which], place);
        return tide_vec3_load(place);
    }
    if (!end->body.index)
        return tide_vec3_load(end->places[which]);
    memcpy(point.weights, end->weights[which], sizeof point.weights);
    for (uint32_t i = 0; i < 4; i++)
        point.particles[i] = tide_world_lookup(world, end->body)->first_particle + i;
    tide_point_apply(&point, world->positions, place);
    return tide_vec3_load(place);
}

static tide_vec3 axis_of(const tide_world *world, const tide_joint *joint)
{
    const tide_joint_end *end = &joint->ends[0];
    return tide_vec3_normalize(tide_vec3_subtract(point_of(world, end, 1), point_of(world, end, 0)));
}

// Returns the angle at present: the one nearest to that of the last step.
static double angle_of(const tide_world *world, const tide_joint *joint)
{
    tide_vec3 u = axis_of(world, joint), arms[2];
    for (int e = 0; e < 2; e++)
        arms[e] = tide_vec3_subtract(point_of(world, &joint->ends[e], 2), point_of(world, &joint->ends[e], 0));
    double angle = tide_atan2(tide_vec3_dot(u, tide_vec3_cross(arms[1], arms[0])),
                              tide_vec3_dot(arms[0], arms[1]) - tide_vec3_dot(u, arms[0]) * tide_vec3_dot(u, arms[1]));
    return joint->state.angle + remainder(angle - joint->state.angle, 2 * tide_acos(-1));
}

// A hinge as the controller sees it: at present, or after the coming step if it goes on as it moves.
typedef struct hinge {
    tide_vec3 axis;
    uint32_t count; // of bodies
    const tide_body *bodies[2];
    tide_rigid_state states[2];
    tide_vec3 arms[2]; // from the bodies' centres to the joint
} hinge;

static hinge hinge_at(const tide_world *world, const tide_joint *joint, double h)
{
    hinge hinge = { .axis = axis_of(world, joint), .count = joint->ends[1].body.index ? 2 : 1 };
    for (uint32_t e = 0; e < hinge.count; e++) {
        hinge.bodies[e] = tide_world_lookup(world, joint->ends[e].body);
        tide_rigid_state now = state_of(world, hinge.bodies[e]);
        tide_vec3 arm = tide_vec3_subtract(point_of(world, &joint->ends[e], 0), now.centre);
        hinge.arms[e] = tide_rigid_turned(arm, tide_vec3_scale(now.spin, h));
        hinge.states[e] = h > 0 ? tide_rigid_state_after(&now, h) : now;
    }
    return hinge;
}

static double speed_of(const hinge *hinge)
{
    double speed = tide_vec3_dot(hinge->states[0].spin, hinge->axis);
    return hinge->count == 2 ? speed - tide_vec3_dot(hinge->states[1].spin, hinge->axis) : speed;
}

// --- motors ---------------------------------------------------------------------------------------------------------

enum { POINT = 3, ROWS = 6, AXIS = ROWS - 1 }; // rows: of the point, across the axis, of the axis

// Computes a row for a body: the direction of its velocity and that of its spin.
static void row_of(const hinge *hinge, uint32_t e, int row, tide_vec3 *linear, tide_vec3 *angular)
{
    *linear = (tide_vec3) { row == 0, row == 1, row == 2 };
    *angular = tide_vec3_cross(hinge->arms[e], *linear);
    if (row == POINT)
        *angular = across(hinge->axis);
    else if (row == POINT + 1)
        *angular = tide_vec3_cross(hinge->axis, across(hinge->axis));
    else if (row == AXIS)
        *angular = hinge->axis;
}

// Computes the lower triangle of (C, d) M^-1 (C, d)' + S.
static void add_matrix(const hinge *hinge, const tide_joint *joint, double h, double l[ROWS][ROWS])
{
    for (uint32_t e = 0; e < hinge->count; e++)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j <= i; j++) {
                tide_vec3 linear[2], angular[2];
                row_of(hinge, e, i, &linear[0], &angular[0]);
                row_of(hinge, e, j, &linear[1], &angular[1]);
                l[i][j] += tide_vec3_dot(linear[0], linear[1]) / (4 * hinge->states[e].mass) +
                           tide_vec3_dot(angular[0], tide_rigid_times(hinge->states[e].inverse_inertia, angular[1]));
            }
    double square = joint->spread * joint->spread;
    for (int i = 0; i < AXIS && tide_given(joint->stiffness); i++)
        l[i][i] += 1 / (joint->stiffness * h * h * (i < POINT ? 1 : square));
}

// Computes (C, d) a. Accelerations come from the forces on the particles, and from the turning of the arms.
static void add_accelerations(const tide_world *world, const hinge *hinge, double rates[ROWS])
{
    for (uint32_t e = 0; e < hinge->count; e++) {
        const tide_rigid_state *state = &hinge->states[e];
        const double *forces = world->total_forces + 3 * (size_t)hinge->bodies[e]->first_particle;
        tide_vec3 force = { 0, 0, 0 }, torque = { 0, 0, 0 }, spin = state->spin;
        for (size_t i = 0; i < 4; i++) {
            tide_vec3 one = tide_vec3_load(forces + 3 * i);
            force = tide_vec3_add(force, one);
            torque = tide_vec3_add(torque, tide_vec3_cross(state->arms[i], one));
            // -w x I w, particle by particle: m r x (w x (w x r))
            tide_vec3 turning = tide_vec3_cross(spin, tide_vec3_cross(spin, state->arms[i]));
            torque = tide_vec3_subtract(torque, tide_vec3_scale(tide_vec3_cross(state->arms[i], turning), state->mass));
        }
        tide_vec3 turning = tide_rigid_times(state->inverse_inertia, torque);
        tide_vec3 moving = tide_vec3_scale(force, 1 / (4 * state->mass));
        moving = tide_vec3_add(moving, tide_vec3_cross(spin, tide_vec3_cross(spin, hinge->arms[e])));
        for (int row = 0; row < ROWS; row++) {
            tide_vec3 linear, angular;
            row_of(hinge, e, row, &linear, &angular);
            rates[row] += (e ? -1 : 1) * (tide_vec3_dot(linear, moving) + tide_vec3_dot(angular, turning));
        }
    }
}

// Computes J (kg m^2) and a_u (rad/s^2).
static void find_response(const tide_world *world, const tide_joint *joint, const hinge *hinge, double *inertia,
                          double *acceleration)
{
    double l[ROWS][ROWS] = { { 0 } }, rates[ROWS] = { 0 };
    add_matrix(hinge, joint, world->settings.timestep, l);
    add_accelerations(world, hinge, rates);
    for (int j = 0; j < ROWS; j++)
        for (int i = j; i < ROWS; i++) {
            for (int k = 0; k < j; k++)
                l[i][j] -= l[i][k] * l[j][k];
            l[i][j] = i == j ? sqrt(l[i][j]) : l[i][j] / l[j][j];
        }
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < i; k++)
            rates[i] -= l[i][k] * rates[k];
        rates[i] /= l[i][i];
    }
    *inertia = 1 / (l[AXIS][AXIS] * l[AXIS][AXIS]);
    *acceleration = rates[AXIS] * l[AXIS][AXIS];
}

// Returns the speed that the controller sees. The implicit midpoint rule does not damp links: an error of the speed
// across them changes its sign each step, for ever. The mean speed of a step is free of it.
static double seen_speed(const tide_world *world, const tide_joint *joint, const hinge *hinge)
{
    bool rings = tide_solver_kind_of(world->solver)->rigid_place == 0.5 && world->frame > 0;
    return rings ? joint->state.speed : speed_of(hinge) - joint->turning;
}

// Returns the spin about an axis of the collider that carries a joint, in the coming step; 0 without one.
static double turning_of(const tide_world *world, const tide_joint *joint, tide_vec3 axis)
{
    uint32_t carrier = joint->ends[1].carrier;
    if (!carrier)
        return 0;
    const tide_collider *collider = world->colliders[carrier - 1];
    tide_pose back = tide_pose_inverse(&collider->start), turn = tide_pose_compose(&collider->end, &back);
    tide_vec3 sine = tide_vec3_load(turn.rotation + 1); // of half the angle, along the axis of the turn
    double length = tide_vec3_length(sine), angle = 2 * tide_atan2(length, fabs(turn.rotation[0]));
    double sign = turn.rotation[0] < 0 ? -1 : 1;
    return length > 0 ? sign * angle / length * tide_vec3_dot(sine, axis) / world->settings.timestep : 0;
}

// Chooses the torque of a motor that holds a speed.
static void control(const tide_world *world, tide_joint *joint, const hinge *hinge)
{
    double h = world->settings.timestep, inertia, acceleration, limit = joint->state.motor.max_torque;
    find_response(world, joint, hinge, &inertia, &acceleration);
    double speed = seen_speed(world, joint, hinge), known = joint->state.load - inertia * acceleration;
    joint->coming = known + GAIN * inertia / h * (joint->state.motor.speed - speed);
    if (tide_given(limit))
        joint->coming = fmax(-limit, fmin(joint->coming, limit));
    joint->expected = speed + h / inertia * (joint->coming - known);
    joint->rate = inertia / h;
}

static bool holds_speed(const tide_joint *joint)
{
    return tide_given(joint->state.motor.speed);
}

void tide_world_apply_motors(tide_world *world)
{
    for (size_t n = 0; n < world->joint_count; n++) {
        tide_joint *joint = &world->joints[n];
        joint->turning = 0;
        joint->coming = tide_given(joint->state.motor.torque) ? joint->state.motor.torque : 0;
        if (!holds_speed(joint) && joint->coming == 0)
            continue;
        hinge hinge = hinge_at(world, joint, world->settings.timestep);
        joint->turning = turning_of(world, joint, hinge.axis);
        if (holds_speed(joint))
            control(world, joint, &hinge);
        for (uint32_t e = 0; e < hinge.count; e++)
            tide_rigid_state_add_torque(&hinge.states[e],
                                        tide_vec3_scale(hinge.axis, e ? -joint->coming : joint->coming),
                                        world->total_forces + 3 * (size_t)hinge.bodies[e]->first_particle);
    }
}

void tide_world_settle_joints(tide_world *world)
{
    for (size_t n = 0; n < world->joint_count; n++) {
        tide_joint *joint = &world->joints[n];
        if (joint->kind == TIDE_JOINT_BALL)
            continue;
        double angle = angle_of(world, joint);
        joint->state.speed = (angle - joint->state.angle) / world->settings.timestep;
        joint->state.angle = angle;
        joint->state.torque = joint->coming;
        if (!holds_speed(joint)) {
            joint->state.load = 0;
            continue;
        }
        hinge hinge = hinge_at(world, joint, 0);
        joint->state.load += LEARNING * joint->rate * (joint->expected - seen_speed(world, joint, &hinge));
    }
}

// --- by id ----------------------------------------------------------------------------------------------------------

static tide_joint *lookup(const tide_world *world, tide_joint_id id)
{
    bool live = id.generation == world->joint_generation && id.index > 0 && id.index <= world->joint_count;
    return live ? &world->joints[id.index - 1] : NULL;
}

tide_status tide_world_set_motor(tide_world *world, tide_joint_id id, const tide_motor *motor, tide_error *error)
{
    tide_joint *joint = lookup(world, id);
    TIDE_TRY(tide_world_check_idle(world, "set_motor", error));
    if (!joint)
        return tide_fail(error, TIDE_ERROR_STATE, "joint", NULL, NULL, "the world does not have it any more");
    TIDE_TRY(check_motor(joint->kind, motor, error));
    joint->state.motor = *motor;
    return TIDE_OK;
}

bool tide_world_joint_kind(const tide_world *world, tide_joint_id id, tide_joint_kind *kind)
{
    const tide_joint *joint = lookup(world, id);
    if (joint)
        *kind = (tide_joint_kind)joint->kind;
    return joint != NULL;
}

bool tide_world_joint_motor(const tide_world *world, tide_joint_id id, tide_motor *motor)
{
    const tide_joint *joint = lookup(world, id);
    if (joint)
        *motor = joint->state.motor;
    return joint != NULL;
}

bool tide_world_joint_motion(const tide_world *world, tide_joint_id id, tide_joint_motion *motion)
{
    const tide_joint *joint = lookup(world, id);
    if (!joint)
        return false;
    *motion = (tide_joint_motion) { 0 };
    if (joint->kind == TIDE_JOINT_BALL)
        return true;
    hinge hinge = hinge_at(world, joint, 0);
    double speed = joint->ends[1].carrier ? joint->state.speed : seen_speed(world, joint, &hinge);
    *motion = (tide_joint_motion) { angle_of(world, joint), speed, joint->state.torque };
    return true;
}

// --- states ---------------------------------------------------------------------------------------------------------

void tide_world_get_joint_states(const tide_world *world, tide_joint_state *states)
{
    for (size_t n = 0; n < world->joint_count; n++)
        states[n] = world->joints[n].state;
}

void tide_world_set_joint_states(tide_world *world, const tide_joint_state *states, size_t count)
{
    for (size_t n = 0; n < world->joint_count; n++)
        world->joints[n].state = n < count ? states[n] : world->joints[n].described;
}

bool tide_joint_states_are_valid(const tide_joint_state *states, size_t count)
{
    for (size_t n = 0; n < count; n++)
        if (check_motor(TIDE_JOINT_HINGE, &states[n].motor, NULL) != TIDE_OK || !isfinite(states[n].angle) ||
            !(fabs(states[n].load) <= TIDE_LARGEST) || !(fabs(states[n].torque) <= TIDE_LARGEST) ||
            !(fabs(states[n].speed) <= TIDE_LARGEST))
            return false;
    return true;
}

// --- reconciling ----------------------------------------------------------------------------------------------------

static const char *name_of(const tide_world *world, const tide_joint_end *end)
{
    if (end->body.index)
        return tide_world_lookup(world, end->body)->name;
    return end->carrier ? world->colliders[end->carrier - 1]->name : "";
}

static bool are_alike(const tide_world *world, const tide_joint *joint, const tide_world *old, const tide_joint *before)
{
    return joint->kind == before->kind &&
           strcmp(name_of(world, &joint->ends[0]), name_of(old, &before->ends[0])) == 0 &&
           strcmp(name_of(world, &joint->ends[1]), name_of(old, &before->ends[1])) == 0;
}

// Finds the old joint of a joint: the one with as many like it before it.
static const tide_joint *old_joint(const tide_world *world, size_t index, const tide_world *old)
{
    const tide_joint *joint = &world->joints[index];
    size_t before = 0;
    for (size_t n = 0; n < index; n++)
        before += are_alike(world, joint, world, &world->joints[n]);
    for (size_t n = 0; n < old->joint_count; n++)
        if (are_alike(world, joint, old, &old->joints[n]) && before-- == 0)
            return &old->joints[n];
    return NULL;
}

void tide_world_carry_joints(tide_world *world, const tide_world *old)
{
    for (size_t n = 0; n < world->joint_count; n++) {
        tide_joint *joint = &world->joints[n];
        const tide_joint *before = old_joint(world, n, old);
        if (!before)
            continue;
        tide_motor motor = joint->state.motor;
        bool same = memcmp(&motor, &before->described.motor, sizeof motor) == 0;
        joint->state = before->state;
        if (!same)
            joint->state.motor = motor;
    }
}

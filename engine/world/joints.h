// Joints of rigid bodies: hinges and ball joints, and motors on hinges.
//
//     tide_joint_def def = tide_joint_def_default();
//     def.point[1] = 1, def.axis[2] = 1;
//     status = tide_world_add_joint(world, wheel, car, &def, &joint, error);
//     status = tide_world_set_motor(world, joint, &(tide_motor) { NAN, 10, 5 }, error); // 10 rad/s, at most 5 N m
//
// A joint is part of the description. Its motor, its angle and what the motor has learnt are state: snapshots have
// them. Units: m, rad, s, N, N m. Errors name the body and the field; a failed call changes nothing.
#ifndef TIDE_WORLD_JOINTS_H
#define TIDE_WORLD_JOINTS_H

#include "world/world.h"

typedef enum tide_joint_kind { TIDE_JOINT_BALL, TIDE_JOINT_HINGE } tide_joint_kind;

// What drives a hinge: a constant torque, or what holds a speed, or nothing.
typedef struct tide_motor {
    double torque;     // N m on the first body about the axis, and the opposite on the second; or TIDE_NOT_GIVEN
    double speed;      // rad/s of the first body about the axis, relative to the second; or TIDE_NOT_GIVEN
    double max_torque; // N m, of a motor with a speed; TIDE_NOT_GIVEN: no limit
} tide_motor;
extern const tide_field tide_motor_fields[];

typedef struct tide_joint_def {
    int kind;         // tide_joint_kind
    double point[3];  // m, where the bodies are held together, in the present places of the bodies
    double axis[3];   // of a hinge, of any length
    double stiffness; // N/m; TIDE_NOT_GIVEN: held exactly
    bool touching;    // the two bodies may collide with each other
    tide_motor motor; // of a hinge
} tide_joint_def;
extern const tide_field tide_joint_fields[]; // without the motor
tide_joint_def tide_joint_def_default(void);

// The motion of a hinge. The angle is that of the first body about the axis relative to the second, 0 where the joint
// was made; whole turns count. Of a ball joint, all are 0.
typedef struct tide_joint_motion {
    double angle, speed; // rad, rad/s
    double torque;       // N m, of the motor over the last step
} tide_joint_motion;

// Names a joint by value. The generation tells joints of a world from those of a reconciled one.
typedef struct tide_joint_id {
    uint32_t index, generation;
} tide_joint_id;

// Joins two rigid bodies, or one to the world: then b is { 0 }.
tide_status tide_world_add_joint(tide_world *world, tide_body_id a, tide_body_id b, const tide_joint_def *def,
                                 tide_joint_id *joint, tide_error *error);
// Joins a rigid body to a collider. The joint moves with it.
tide_status tide_world_join_collider(tide_world *world, tide_body_id a, tide_collider_id b, const tide_joint_def *def,
                                     tide_joint_id *joint, tide_error *error);
// Sets the motor of a hinge from the next step on. Fails for a ball joint and for a stale id.
tide_status tide_world_set_motor(tide_world *world, tide_joint_id joint, const tide_motor *motor, tide_error *error);
// Return false for a stale id.
bool tide_world_joint_kind(const tide_world *world, tide_joint_id joint, tide_joint_kind *kind);
bool tide_world_joint_motor(const tide_world *world, tide_joint_id joint, tide_motor *motor);
bool tide_world_joint_motion(const tide_world *world, tide_joint_id joint, tide_joint_motion *motion);

// --- for the files of world/

// The state of a joint. Snapshots store these bytes, so there is no padding.
typedef struct tide_joint_state {
    tide_motor motor;
    double angle;
    double load;   // N m: the part of the motor's torque that it has learnt from past steps
    double torque; // N m, over the last step
    double speed;  // rad/s, the mean over the last step
} tide_joint_state;

// One of the two sides: a rigid body or, if body.index is 0, a collider or the world.
typedef struct tide_joint_end {
    tide_body_id body;
    uint32_t carrier;     // 1 + the index of the collider; 0: the world
    double weights[3][4]; // points as weighted means of the body's particles: at the joint, along the axis, across it
    double places[3][3];  // m, the points of the world or, in its own frame, of the collider
} tide_joint_end;

typedef struct tide_joint {
    int kind;
    tide_joint_end ends[2];
    double stiffness, spread; // N/m or TIDE_NOT_GIVEN; m, half the distance of a hinge's links
    tide_joint_state described, state;
    // Of the coming step: the motor's torque, N m; the speed that the controller expects after it, rad/s; J / h.
    double coming, expected, rate;
    double turning; // rad/s: the spin of the collider about the axis
} tide_joint;

// Adds the forces of the motors in the coming step to total_forces.
void tide_world_apply_motors(tide_world *world);
// Takes over angles and torques after a step.
void tide_world_settle_joints(tide_world *world);
void tide_world_get_joint_states(const tide_world *world, tide_joint_state *states); // (joint_count)
// Sets the states of the first `count` joints. Others get the state as described.
void tide_world_set_joint_states(tide_world *world, const tide_joint_state *states, size_t count);
bool tide_joint_states_are_valid(const tide_joint_state *states, size_t count);
// Copies the joints, without the links that hold them, to a world with the same bodies.
tide_status tide_world_copy_joints(tide_world *fork, const tide_world *world, tide_error *error);
// Reconciling: a joint takes over the angle and the motor of the old one of the same kind between bodies of the same
// names; the motor only if its description is the same.
void tide_world_carry_joints(tide_world *world, const tide_world *old);

#endif

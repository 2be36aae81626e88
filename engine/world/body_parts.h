// The parts of a body, made for body.c by body_masses.c, body_springs.c, body_elements.c, body_mesh.c,
// body_surface.c and split_surface.c. `object` is the name of the body in errors.
#ifndef TIDE_WORLD_BODY_PARTS_H
#define TIDE_WORLD_BODY_PARTS_H

#include "world/world_state.h"

#define TIDE_BODY_LARGEST 1e15 // of masses, stiffnesses, lengths

// Check or make masses and springs. Fail on numbers out of range and on masses that are not positive.
tide_status tide_body_make_masses(tide_body *body, const tide_body_def *def, const char *object, tide_error *error);
tide_status tide_body_check_springs(const tide_body_def *def, const char *object, tide_error *error);
tide_status tide_body_make_springs(tide_body *body, const tide_body_def *def, const char *object, tide_error *error);

// body_elements.c
// Appends a group with room for `count` elements of a kind; returns NULL if memory runs out.
tide_elements *tide_body_add_group(tide_body *body, const tide_element_kind *kind, uint32_t count);
bool tide_body_copy_groups(tide_body *copy, const tide_body *body); // false if memory runs out
// Check and make the elements of the definition. Errors name `elements[G]`; empty groups are left out.
tide_status tide_body_check_elements(const tide_body_def *def, const char *object, tide_error *error);
tide_status tide_body_make_elements(tide_body *body, const tide_body_def *def, const char *object, tide_error *error);

// body_mesh.c
// Checks the mesh in `field` of a definition with the mesh doctor: fails on fatal findings, logs the others.
tide_status tide_body_check_mesh(const tide_mesh *mesh, const tide_body_def *def, const char *object, const char *field,
                                 tide_mesh_report *report, tide_error *error);

// body_surface.c
// Checks def->surface and embeds it in body->mesh, which is already checked. Does nothing without a surface.
tide_status tide_body_make_surface(tide_body *body, const tide_body_def *def, const char *object, tide_error *error);
tide_status tide_body_copy_surface(tide_body *copy, const tide_body *body, tide_error *error);
// Returns whether a surface is closed and consistently oriented outward.
bool tide_body_is_closed(const tide_mesh_report *report);

// Largest sum of |weights| of a vertex of a surface: how far it moves when the four of its tetrahedron move by 1 each.
#define TIDE_STEEPEST 100

// split_surface.c
// Splits the surface of a body that came apart, from the described one: a triangle between tetrahedra that are no
// longer joined goes with one of them, and takes copies of its other vertices, which follow those of the description. A
// surface with copies is open. Does nothing without a surface.
tide_status tide_body_split_surface(tide_body *body, tide_error *error);

// body_rigid.c
// Makes a rigid body of the definition, whose numbers and mesh are checked: its mesh, surface and masses.
tide_status tide_body_make_rigid(tide_body *body, const tide_body_def *def, const char *object, tide_error *error);

#endif

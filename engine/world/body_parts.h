// What body.c has made by body_masses.c and body_springs.c. `object` is what errors call the body.
#ifndef TIDE_WORLD_BODY_PARTS_H
#define TIDE_WORLD_BODY_PARTS_H

#include "world/world_state.h"

#define TIDE_BODY_LARGEST 1e15 // of masses, stiffnesses, lengths

// Numbers are in range, masses positive: otherwise they fail.
tide_status tide_body_make_masses(tide_body *body, const tide_body_def *def, const char *object, tide_error *error);
tide_status tide_body_check_springs(const tide_body_def *def, const char *object, tide_error *error);
tide_status tide_body_make_springs(tide_body *body, const tide_body_def *def, const char *object, tide_error *error);

// body_elements.c. Space for a group of `count` elements of a kind at the end of the body's; NULL when memory runs out.
// With errors named after `elements[G]`, groups that are empty are left out.
tide_elements *tide_body_add_group(tide_body *body, const tide_element_kind *kind, uint32_t count);
bool tide_body_copy_groups(tide_body *copy, const tide_body *body);
tide_status tide_body_check_elements(const tide_body_def *def, const char *object, tide_error *error);
tide_status tide_body_make_elements(tide_body *body, const tide_body_def *def, const char *object, tide_error *error);

// body_surface.c: checks `surface` and embeds it in body->mesh, whose own check has passed; nothing when there is none.
tide_status tide_body_make_surface(tide_body *body, const tide_body_def *def, const char *object, tide_error *error);
tide_status tide_body_copy_surface(tide_body *copy, const tide_body *body, tide_error *error);
// The mesh doctor's findings on the mesh that is `field` of a body: fatal ones fail, others are logged.
tide_status tide_body_check_mesh(const tide_mesh *mesh, const tide_body_def *def, const char *object, const char *field,
                                 tide_mesh_report *report, tide_error *error);

#endif

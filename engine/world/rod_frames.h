// The frames of rods that twist: hidden particles of a body, one for each edge, which turn with the rod's cross-section
// (model/rod_frame.h). Private to world/.
//
// Frames are particles for the solver, and part of snapshots and of the hash. An edge whose two ends are pinned exactly
// holds its frame too: a pin of the frame's particle turns with the edge when the pins move, and about the edge by
// tide_world_turn. When a script moves vertices, their frames follow. Where vertices at a bend move as one rigid body,
// frames move with it; elsewhere by the shortest rotation of their edge, from which a rotation about it cannot be seen.
#ifndef TIDE_WORLD_ROD_FRAMES_H
#define TIDE_WORLD_ROD_FRAMES_H

#include "world/world_state.h"

// Gives a body frames at these positions (3 * edge_count), which it copies, with these masses (edge_count).
tide_status tide_body_add_frames(tide_body *body, const double *positions, const double *masses, const char *object,
                                 tide_error *error);
bool tide_body_copy_frames(tide_body *copy, const tide_body *body); // false if memory runs out
// `made` is a copy of `body` whose vertices were split: its mesh, the masses of the vertices, and the origins are set.
// Its frames are those of the same edges, with their masses. Returns false without memory.
bool tide_body_split_frames(tide_body *made, const tide_body *body);
// Whether vertices of the body can be split: it has no frames, or those of edges that are its cells (split.h).
bool tide_body_can_split(const tide_body *body);

// Takes the positions and velocities of vertices as those that the frames have followed: they were set together.
void tide_world_note_body_frames(const tide_world *world, const tide_body *body);
void tide_world_note_frames(const tide_world *world); // those of all bodies
// Moves frames after vertices that a script has moved since.
void tide_world_follow_frames(tide_world *world);
// Gives the frames of a body, whose vertices have the shape of one on another mesh that twists, the rotations of the
// nearest edges of that.
void tide_world_reshape_frames(tide_world *world, const tide_body *body, const tide_world *old,
                               const tide_body *before);

// Pins the frames at a vertex whose edges are held at both ends, and unpins the others.
tide_status tide_world_pin_frames(tide_world *world, const tide_body *body, uint32_t vertex, tide_error *error);
// Computes the places of pinned frames at the end of the step, into pinned_positions, which has those of the vertices.
void tide_world_place_frames(tide_world *world);
void tide_world_settle_frames(tide_world *world); // the step is accepted: their pins take these places

#endif

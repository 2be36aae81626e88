// Sequences of meshes: the bodies of a world in their current state, one export per frame.
#ifndef TIDE_SESSION_EXPORT_H
#define TIDE_SESSION_EXPORT_H

#include "world/world.h"

// Checks that a pattern names files that can be exported: it ends in .obj, .ply, .mesh or .vtk, with at most one frame
// number (%d, %04d) and at most one %s. Or it ends as a file of motion does (formats/motion_file.h), which has no frame
// number; motion_recorder.h writes it.
tide_status tide_export_check(const char *option, const char *pattern, tide_error *error);

// Writes all bodies as they are drawn: the fine surface of a body that has one, otherwise its mesh. All go into one
// file; with %s, each goes into its own file, with the body's name for %s (characters that a path must not have become
// %2F and the like). Makes the folders. In OBJ each body is an object `o name`: triangles as faces, edges without a
// face as lines, unused vertices as points. In the other formats all bodies are one mesh, in their order, with doubles
// that are read back exactly. .ply and .vtk also have numbers (shown_numbers.h); .obj has velocities as comments. Skip
// springs are left out. Tetrahedra stay as they are, inverted or not. Bodies without texture coordinates have (0, 0) if
// others have some.
tide_status tide_export(tide_world *world, const char *pattern, uint64_t frame, tide_error *error);

#endif

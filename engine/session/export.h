// Sequences of meshes: the bodies of a world as they are, frame by frame.
#ifndef TIDE_SESSION_EXPORT_H
#define TIDE_SESSION_EXPORT_H

#include "world/world.h"

// Whether a pattern names files that can be exported: it ends in .obj, .ply, .mesh or .vtk and has at most one number
// of the frame (%d, %04d) and at most one %s.
tide_status tide_export_check(const char *option, const char *pattern, tide_error *error);

// Writes all bodies as they are drawn: of a body with a fine surface this, in place of the mesh that carries it. Into
// one file, or with %s each into one of its own with its name in place of %s (characters that a path must not have
// become %2F and the like); makes folders. In OBJ each body is an object `o name`: triangles as faces, edges that no
// face has as lines, vertices that nothing uses as points. In the other formats they are one mesh in the order of the
// bodies, with doubles, which is read back exactly; skips are left out, tetrahedra stay as the body has them, inverted
// or not, and bodies without texture coordinates have (0, 0) beside others that have some.
tide_status tide_export(tide_world *world, const char *pattern, uint64_t frame, tide_error *error);

#endif

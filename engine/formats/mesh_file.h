// Reads and writes mesh files.
//
//     tide_mesh *mesh;
//     tide_status status = tide_mesh_load("ball.obj", &mesh, &error);
//     if (status == TIDE_OK)
//         status = tide_mesh_save(mesh, "ball.ply", &error);
#ifndef TIDE_FORMATS_MESH_FILE_H
#define TIDE_FORMATS_MESH_FILE_H

#include "mesh/mesh.h"

// By extension. Read and written: .obj (Wavefront: v, vt, f with any polygon, l; negative indices), .ply (text or
// bytes, any properties), .mesh (MEDIT text), .vtk (legacy 2.0 to 5.1, polygons and unstructured grids, text or bytes).
// Read: .stl (text or bytes; corners at one place are joined), .node and .ele (TetGen; either finds the other beside
// it), .msh (Gmsh 2.2 and 4.1 as text). Polygons become triangles; elements that the engine has no use for, such as
// prisms, are passed over. A malformed file is refused with file:line, or the byte, what was found and what was
// expected. Reading is safe on any bytes. Edges that a file lists are added to those of its faces. What is saved is
// read back exactly: what a format has no words for (skips, a list of edges that is complete, in OBJ tetrahedra) is
// kept in comments or arrays that other programs pass over; reading.h, ply.c and vtk_write.c describe them.
tide_status tide_mesh_load(const char *path, tide_mesh **mesh, tide_error *error);
tide_status tide_mesh_save(const tide_mesh *mesh, const char *path, tide_error *error);
// A number that changes when tide_mesh_load might read another mesh: of the path, and of the sizes and times of all
// files that it reads, those beside the path's own too. False where the path is of no file, or without memory.
bool tide_mesh_file_stamp(const char *path, uint64_t *stamp);
// The same from and to memory; `name` is used in messages.
tide_status tide_mesh_read_obj(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error);
tide_status tide_mesh_read_ply(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error);
tide_status tide_mesh_read_stl(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error);
tide_status tide_mesh_read_medit(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error);
tide_status tide_mesh_read_gmsh(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error);
tide_status tide_mesh_read_vtk(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error);

#endif

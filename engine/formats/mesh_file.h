// Reads and writes mesh files. The caller releases a mesh that was read. Lengths are m, as in the file. Functions may
// be called by several threads at once, for different files.
//
//     tide_mesh *mesh;
//     tide_status status = tide_mesh_load("ball.obj", &mesh, &error);
//     if (status == TIDE_OK)
//         status = tide_mesh_save(mesh, "ball.ply", &error);
#ifndef TIDE_FORMATS_MESH_FILE_H
#define TIDE_FORMATS_MESH_FILE_H

#include "mesh/mesh.h"

// Load or save a mesh; the extension of the path gives the format. Read and written: .obj (Wavefront: v, vt, f with any
// polygon, l; negative indices), .ply (text or binary, any properties), .mesh (MEDIT text). Read only: .stl (text or
// binary; coincident corners are joined), .node and .ele (TetGen; both files are read), .msh (Gmsh 2.2 and 4.1 as
// text). Written only: .vtk (legacy 3.0, unstructured grid, text). Polygons become triangles; elements that the engine
// does not use, such as prisms, are skipped. A malformed file is refused with file:line, or the byte, what was found
// and what was expected. Reading is safe for any bytes. Edges that a file lists are added to those of its faces. A mesh
// that is saved in a format that can be read is read back exactly: data that a format cannot express (skips, a list of
// edges that is complete, in OBJ tetrahedra) is stored in comments or arrays that other programs skip; reading.h and
// ply.c describe them.
tide_status tide_mesh_load(const char *path, tide_mesh **mesh, tide_error *error);
tide_status tide_mesh_save(const tide_mesh *mesh, const char *path, tide_error *error);

// Numbers at the vertices, edges, triangles and tetrahedra of a mesh, to be written with it.
typedef struct tide_mesh_numbers {
    const char *name; // one word; NULL ends a list
    int width;        // numbers for each part: 1 or 3
    const double *values;
} tide_mesh_numbers;
enum { TIDE_MESH_MOST_NUMBERS = 4 }; // of a list, its end included
typedef struct tide_mesh_data {
    tide_mesh_numbers vertices[TIDE_MESH_MOST_NUMBERS], edges[TIDE_MESH_MOST_NUMBERS],
        triangles[TIDE_MESH_MOST_NUMBERS], tetrahedra[TIDE_MESH_MOST_NUMBERS];
} tide_mesh_data;
// Saves a mesh with numbers: in .ply as properties of its elements (a velocity is vx, vy, vz), in .vtk as data of
// points and cells, 0 in cells that have none. With numbers of edges, all edges are written. Other formats leave them
// out.
tide_status tide_mesh_save_data(const tide_mesh *mesh, const tide_mesh_data *data, const char *path, tide_error *error);

// Computes a hash that changes when tide_mesh_load might read another mesh: of the path, and of the sizes and times of
// all files that it reads, including those beside the path. Returns false where the path names no file, or without
// memory.
bool tide_mesh_file_stamp(const char *path, uint64_t *stamp);
// The same from and to memory; `name` is used in messages.
tide_status tide_mesh_read_obj(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error);
tide_status tide_mesh_read_ply(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error);
tide_status tide_mesh_read_stl(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error);
tide_status tide_mesh_read_medit(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error);
tide_status tide_mesh_read_gmsh(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error);

#endif

// libspringtide: every public header.
//
// A cloth of 21 x 21 vertices hangs by two corners and falls for 2 s. tests/scripts/test_c_program.sh compiles this
// program and runs it:
//
//     #include "springtide.h"
//     #include <stdio.h>
//
//     static tide_status run(tide_world *world, tide_error *error)
//     {
//         tide_mesh_grid_def grid;
//         tide_fields_default(tide_mesh_grid.fields, &grid);
//         grid.columns = grid.rows = 21;
//         tide_mesh *mesh;
//         if (tide_mesh_grid.build(&grid, &mesh, error) != TIDE_OK)
//             return error->status;
//         tide_body_def cloth = tide_body_def_default();
//         cloth.name = "cloth", cloth.mesh = mesh, cloth.mass = 0.1, cloth.stiffness = 50;
//         tide_body_id body;
//         tide_status status = tide_world_add_body(world, &cloth, &body, error); // retains the mesh
//         tide_mesh_release(mesh);
//         for (uint32_t corner = 0; corner <= 20 && status == TIDE_OK; corner += 20)
//             status = tide_world_pin(world, body, corner, TIDE_NOT_GIVEN, error);
//         for (int frame = 0; frame < 60 && status == TIDE_OK; frame++)
//             status = tide_world_step(world, error);
//         if (status == TIDE_OK)
//             printf("vertex 441 is at y = %.3f m\n", tide_world_positions(world, body)[3 * 440 + 1]);
//         return status;
//     }
//
//     int main(void)
//     {
//         tide_error error;
//         tide_world *world;
//         char text[1024];
//         tide_status status = tide_world_create(NULL, NULL, &world, &error);
//         if (status == TIDE_OK) {
//             status = run(world, &error);
//             tide_world_destroy(world);
//         }
//         if (status != TIDE_OK)
//             fprintf(stderr, "%s\n", tide_error_text(&error, text, sizeof text));
//         return status != TIDE_OK;
//     }
//
// The compiler is given the folder engine/ and these libraries:
//
//     gcc -std=c17 -Iengine program.c build/release/libspringtide.a -lcholmod -lsuitesparseconfig
//         $(pkg-config --libs libpng epoxy lua5.4) -lm -pthread
//
// All of it holds for every header: lengths are m, times s, masses kg, forces N. Arrays of positions, velocities and
// forces hold x, y, z of one particle after another, (3 * count) doubles. Indices start at 0. A function that can fail
// returns a tide_status, takes a tide_error last and leaves its outputs unchanged on failure (base/error.h). What
// tide_NAME_create makes, tide_NAME_destroy frees; meshes and distances count their owners (retain and release).
// One object is used by one thread at a time, and different objects may be used by different threads, unless a header
// says otherwise: all scripts belong to one thread, while meshes and distances, which never change, may be shared by
// threads (their reference counts are atomic).
#ifndef TIDE_SPRINGTIDE_H
#define TIDE_SPRINGTIDE_H

#define TIDE_VERSION "0.1.0"

#include "base/clock.h"
#include "base/error.h"
#include "base/field.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/text.h"
#include "base/vec3.h"
#include "draw/camera.h"
#include "draw/draw_list.h"
#include "draw/image.h"
#include "draw/rasterizer.h"
#include "draw/world_view.h"
#include "factor/cholesky.h"
#include "formats/mesh_file.h"
#include "linear/iterative.h"
#include "linear/sparse.h"
#include "mesh/mesh.h"
#include "model/element.h"
#include "model/system.h"
#include "script/script.h"
#include "solver/solver.h"
#include "solver/solver_text.h"
#include "world/collider_state.h"
#include "world/cuts.h"
#include "world/intact.h"
#include "world/reactions.h"
#include "world/stresses.h"
#include "world/world.h"

#endif

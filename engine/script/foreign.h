// Scenes for programs in other languages: all is said with handles, numbers and texts, so that a caller needs no struct
// of the engine. The shared library springtide_c.so exports these functions and nothing else; scripts/springtide.py is
// a module of Python on top of them.
//
//     tide_foreign *scene;
//     if (tide_foreign_open("scenes/curtain.lua", NULL, NULL, 0, NULL, 0, 0, 0, NULL, &scene))
//         puts(tide_foreign_message());
//     tide_foreign_step(scene);
//     tide_foreign_close(scene);
//
// Functions that can fail return 0, or a tide_status with a message in tide_foreign_message(). A failed call changes
// nothing. Texts are the engine's and valid until the next call. One thread at a time may use the library. Bodies,
// vertices and parameters count from 0.
#ifndef TIDE_SCRIPT_FOREIGN_H
#define TIDE_SCRIPT_FOREIGN_H

#include <stddef.h>
#include <stdint.h>

typedef struct tide_foreign tide_foreign; // a scene

const char *tide_foreign_version(void);
const char *tide_foreign_message(void); // of the last call that failed

// --- a scene

// Runs a scene file. `names` and `values` (count) are parameters; `solver` NULL and `timestep` 0 keep the scene's.
// `time_limit` is that of a call into the script, s; 0: none. `progress` (NULL: none) is called about 20 times a second
// while the script runs, and interrupts it by returning nonzero.
int tide_foreign_open(const char *path, const char *const *names, const char *const *values, uint32_t count,
                      const char *solver, double timestep, uint64_t seed, double time_limit, int (*progress)(void),
                      tide_foreign **scene);
void tide_foreign_close(tide_foreign *scene); // NULL does nothing
int tide_foreign_step(tide_foreign *scene);
int tide_foreign_reset(tide_foreign *scene);
// Run the file again, the second with another value of a parameter, and continue from the present state.
int tide_foreign_reload(tide_foreign *scene);
int tide_foreign_set(tide_foreign *scene, const char *name, const char *value);
int tide_foreign_set_solver(tide_foreign *scene, const char *solver); // "newton,iterations=5"; the state stays

double tide_foreign_time(tide_foreign *scene);
uint64_t tide_foreign_frame(tide_foreign *scene);
const char *tide_foreign_title(tide_foreign *scene);
const char *tide_foreign_solver(tide_foreign *scene);
const char *tide_foreign_warning(tide_foreign *scene); // of the last step, or ""
int tide_foreign_hash(tide_foreign *scene, char hash[17]);

// Numbers by name. `what`: 0 the energies (J), 1 the report of the last step, 2 the settings. Returns the name of
// number `index` of the last measure, or NULL past the last, and its value.
int tide_foreign_measure(tide_foreign *scene, int what); // computes them
const char *tide_foreign_number(tide_foreign *scene, uint32_t index, double *value);

// Describes parameter `index`: 0 its name, 1 its value as text, 2 its unit, 3 its help, 4 its type: "number",
// "boolean", "choice" or "text". NULL past the last.
const char *tide_foreign_parameter(tide_foreign *scene, uint32_t index, int what);

// --- snapshots as bytes, for the same build

// Sets *bytes to a snapshot of the present state, owned by the scene until the next snapshot.
int tide_foreign_snapshot(tide_foreign *scene, const void **bytes, size_t *size);
int tide_foreign_restore(tide_foreign *scene, const void *bytes, size_t size); // any bytes are safe
int tide_foreign_save(tide_foreign *scene, const char *path);                  // a world file, for --open-world
int tide_foreign_load(tide_foreign *scene, const char *path);

// --- bodies

const char *tide_foreign_body(tide_foreign *scene, uint32_t index); // its name; NULL past the last
// Sets counts[4]: vertices, edges, triangles, tetrahedra.
int tide_foreign_counts(tide_foreign *scene, const char *body, uint32_t counts[4]);
// Sets *numbers to the engine's own positions (what 0, m) or velocities (1, m/s), (3 * vertices). The caller may write
// to them between steps. *block is the memory that they are in: where it changes, old numbers no longer are the body's.
int tide_foreign_array(tide_foreign *scene, const char *body, int what, double **numbers, void **block);
// Keeps a block readable and writable, even after the engine has freed it, until it is dropped.
void tide_foreign_hold(void *block);
void tide_foreign_drop(void *block);
// Copies numbers of the mesh of a body: what 0 its edges, 1 triangles, 2 tetrahedra, as (corners * count) indices.
int tide_foreign_corners(tide_foreign *scene, const char *body, int what, uint32_t *out);
// Computes numbers at the vertices: what 0 masses (kg), 1 von Mises stresses (Pa), 2 tensions (N), each (vertices);
// 3 reactions and 4 contact forces (N), each (3 * vertices). world/stresses.h and world/reactions.h define them.
int tide_foreign_compute(tide_foreign *scene, const char *body, int what, double *out);

#endif

// Small worlds for the tests of world/. A failure in one of these functions fails the test.
#ifndef TIDE_TESTS_WORLD_FIXTURE_H
#define TIDE_TESTS_WORLD_FIXTURE_H

#include "tests.h"

#include "world/world.h"

const tide_mesh *fixture_grid(int columns, int rows); // 1 m square
const tide_mesh *fixture_points(uint32_t count, const double *vertices);
tide_body_def fixture_cloth(const char *name, const tide_mesh *mesh); // 1 kg, 80 and 20 N/m, made at scene.lua:7
tide_world *fixture_world(const tide_world_settings *settings, const tide_world *predecessor);
tide_world *fixture_curtain(int side, const tide_world *predecessor); // a body "curtain", pinned at two corners
// A dumbbell "feather" whose masses are lost by rounding in M + h^2 L, which is singular in double precision at
// h = 1/2 s.
tide_world *fixture_singular(const tide_world *predecessor);
// Sets the solver by its name, with one option as on a command line (NULL: none).
void fixture_use(tide_world *world, const char *name, const char *option, const char *value);
bool fixture_gains_energy(const char *solver); // an explicit method without a stable substep unless it is damped
void fixture_step(tide_world *world, int count);
uint64_t fixture_hash(tide_world *world);
// Runs `live` on a mesh again and again by `fail_each` (tests.h), which lets every allocation fail in turn.
void fixture_fail_allocations(uint64_t (*fail_each)(tide_status (*live)(void *mesh, tide_error *error), void *mesh),
                              tide_status (*live)(void *mesh, tide_error *error));
// Cuts a body by a plane, takes a snapshot, cuts it by another plane, steps, restores the snapshot and steps. Stops at
// the first failure.
tide_status fixture_cut_and_restore(tide_world *world, tide_body_id id, const double normals[2][3],
                                    const double offsets[2], tide_error *failure);

#endif

// scene:system(): the energy, forces and matrices of a scene at any positions x. The step function of a script's solver
// receives the same object for the current step.
#include "script/binding.h"

#include "base/memory.h"
#include "model/stiffness.h"
#include "solver/filter.h"

#include <math.h>
#include <string.h>

int tide_scene_system(lua_State *L)
{
    tide_scene_self(L);
    tide_system_handle *handle = tide_object_new(L, &tide_system_class, sizeof *handle, 1);
    handle->scene = lua_touserdata(L, 1);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1);
    return 1;
}

tide_system_handle *tide_system_push_step(lua_State *L)
{
    return tide_object_new(L, &tide_system_class, sizeof(tide_system_handle), 0);
}

// The target of a handle: of a scene, its current world; of a step, the state at its beginning.
typedef struct view {
    const tide_system *system;
    double h;
    const double *positions, *velocities;
} view;

static view live(lua_State *L)
{
    const tide_system_handle *handle = tide_object_self(L, &tide_system_class);
    const tide_step *step = handle->step;
    if (step)
        return (view) { step->system, step->h, step->q, step->undamped };
    if (!handle->scene)
        tide_raise_bad(L, "system", NULL, NULL,
                       "its step is over; a solver's step gets its system anew each time, and elsewhere there is "
                       "scene:system()");
    tide_world *world = tide_scene_live(L, handle->scene)->world;
    view found = { .h = tide_world_get_settings(world)->timestep };
    tide_error error;
    tide_raise_unless_ok(L, tide_world_system(world, &found.system, &error), &error);
    found.positions = tide_world_all_positions(world);
    found.velocities = tide_world_all_velocities(world);
    return found;
}

static const tide_system *self(lua_State *L)
{
    return live(L).system;
}

static const double *check_positions(lua_State *L, const tide_system *system, const char *field)
{
    size_t size = 3 * (size_t)system->particle_count;
    const double *x = tide_check_numbers(L, 2, &size, "system", field);
    return x;
}

static int energy(lua_State *L)
{
    const tide_system *system = self(L);
    lua_pushnumber(L, tide_system_energy(system, check_positions(L, system, "energy")));
    return 1;
}

static int gradient(lua_State *L)
{
    const tide_system *system = self(L);
    const double *x = check_positions(L, system, "gradient");
    tide_vector *out = tide_vector_new(L, 3 * (size_t)system->particle_count);
    tide_system_gradient(system, x, out->values);
    return 1;
}

static const tide_field hessian_fields[] = {
    { "project", TIDE_FIELD_BOOLEAN, 0, .help = "project the Hessian of each element to a positive semidefinite one" },
    { 0 },
};

static int hessian(lua_State *L)
{
    const tide_system *system = self(L);
    bool project = false;
    if (!lua_isnoneornil(L, 3))
        tide_read_fields(L, 3, hessian_fields, "system", &project, 0);
    const double *x = check_positions(L, system, "hessian");
    tide_error error;
    tide_matrix *matrix = tide_matrix_new(L);
    tide_raise_unless_ok(L, tide_system_hessian(system, x, project, &matrix->sparse, &error), &error);
    return 1;
}

typedef struct eigenvalue_options {
    double tolerance;
    int max_iterations;
} eigenvalue_options;

static const tide_field eigenvalue_fields[] = {
    { TIDE_MEMBER(eigenvalue_options, tolerance), .type = TIDE_FIELD_REAL, .initial = { 1e-6 }, .maximum = 1,
      .positive = true, .help = "relative tolerance" },
    { TIDE_MEMBER(eigenvalue_options, max_iterations), .type = TIDE_FIELD_INTEGER, .initial = { 2000 }, .minimum = 1,
      .maximum = 1e9, .help = "largest number of iterations of the power method" },
    { 0 },
};

// Returns the filter of the scene's solver; NULL if there is none.
static const tide_filter *filter_of(lua_State *L)
{
    const tide_system_handle *handle = tide_object_self(L, &tide_system_class);
    if (!handle->scene)
        return NULL;
    const tide_solver *solver = tide_world_solver(tide_scene_live(L, handle->scene)->world);
    const tide_field *field = tide_field_find(tide_solver_kind_of(solver)->fields, "", "filter", NULL);
    if (!field || field->record != tide_filter_fields)
        return NULL;
    const tide_filter *filter = tide_solver_option(solver, "filter");
    return filter->kind == TIDE_FILTER_NONE ? NULL : filter;
}

// K at x and work space of the power method. free_room frees both.
typedef struct room {
    tide_stiffness stiffness;
    double *vector, *work; // (3 * particle_count) and (15 * particle_count)
} room;

static void free_room(room *r)
{
    tide_stiffness_free(&r->stiffness);
    tide_free(r->vector);
    tide_free(r->work);
}

static tide_status make_room(const tide_system *system, const double *x, room *r, tide_error *error)
{
    *r = (room) { .vector = tide_allocate_array(system->particle_count, 3 * sizeof(double)),
                  .work = tide_allocate_array(system->particle_count, 15 * sizeof(double)) };
    if (!r->vector || !r->work)
        return tide_fail_memory(error, "system");
    TIDE_TRY(tide_stiffness_prepare(&r->stiffness, system, error));
    tide_stiffness_evaluate(&r->stiffness, system, x, true, 1, 0);
    return TIDE_OK;
}

static int largest_eigenvalue(lua_State *L)
{
    const tide_system *system = self(L);
    eigenvalue_options options;
    tide_fields_default(eigenvalue_fields, &options);
    if (!lua_isnoneornil(L, 3))
        tide_read_fields(L, 3, eigenvalue_fields, "system", &options, 0);
    const double *x = check_positions(L, system, "largest_eigenvalue");
    tide_eigenvalue found = { 0 };
    tide_error error;
    room r;
    tide_status status = make_room(system, x, &r, &error);
    if (status == TIDE_OK)
        found = tide_stiffness_largest_eigenvalue(&r.stiffness, options.tolerance, (uint32_t)options.max_iterations,
                                                  r.vector, r.work);
    free_room(&r);
    tide_raise_unless_ok(L, status, &error);
    tide_check_limit(L);
    lua_pushnumber(L, found.value);
    lua_pushboolean(L, found.converged);
    return 2;
}

static int filtered_eigenvalue(lua_State *L)
{
    const tide_filter *filter = filter_of(L);
    const tide_system *system = self(L);
    const double *x = check_positions(L, system, "filtered_eigenvalue");
    if (!filter)
        return lua_pushnil(L), 1;
    double found = 0;
    tide_filter_graph graph = { 0 };
    tide_error error;
    room r;
    tide_status status = make_room(system, x, &r, &error);
    if (status == TIDE_OK)
        status = tide_filter_prepare(&graph, system, x, &error);
    if (status == TIDE_OK) {
        tide_filter_weigh(&graph, filter, system, x);
        found = tide_filter_eigenvalue(&graph, &r.stiffness, r.vector, r.work);
    }
    tide_filter_free(&graph);
    free_room(&r);
    tide_raise_unless_ok(L, status, &error);
    tide_check_limit(L);
    lua_pushnumber(L, found);
    return 1;
}

static int laplacian(lua_State *L)
{
    const tide_system *system = self(L);
    tide_error error;
    tide_matrix *matrix = tide_matrix_new(L);
    tide_raise_unless_ok(L, tide_system_laplacian(system, &matrix->sparse, &error), &error);
    return 1;
}

static int system_matrix(lua_State *L)
{
    view found = live(L);
    double h = lua_isnoneornil(L, 2) ? found.h : tide_check_number(L, 2, "system", "matrix");
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (h < 0)
        tide_raise_bad(L, "system", "matrix", tide_show(L, 2, shown), "expected a timestep of at least 0 s");
    tide_error error;
    tide_matrix *matrix = tide_matrix_new(L);
    tide_raise_unless_ok(L, tide_system_matrix(found.system, h, &matrix->sparse, &error), &error);
    return 1;
}

static int mass_matrix(lua_State *L)
{
    const tide_system *system = self(L);
    tide_error error;
    tide_triplets *triplets = tide_triplets_new(L);
    for (uint32_t row = 0; row < 3 * system->free_count; row++)
        tide_triplets_add(triplets, row, row, system->masses[system->free_particles[row / 3]]);
    if (triplets->failed)
        tide_raise_memory(L, "matrix");
    tide_matrix *matrix = tide_matrix_new(L);
    tide_raise_unless_ok(L,
                         tide_sparse_from_triplets(triplets, 3 * system->free_count, 3 * system->free_count, true,
                                                   &matrix->sparse, &error),
                         &error);
    return 1;
}

static int masses(lua_State *L)
{
    const tide_system *system = self(L);
    tide_vector *out = tide_vector_new(L, system->particle_count);
    memcpy(out->values, system->masses, system->particle_count * sizeof(double));
    return 1;
}

static int push_copy(lua_State *L, const tide_system *system, const double *numbers)
{
    size_t size = 3 * (size_t)system->particle_count;
    memcpy(tide_vector_new(L, size)->values, numbers, size * sizeof(double));
    return 1;
}

static int positions(lua_State *L)
{
    view found = live(L);
    return push_copy(L, found.system, found.positions);
}

static int velocities(lua_State *L)
{
    view found = live(L);
    return push_copy(L, found.system, found.velocities);
}

static int gather(lua_State *L)
{
    const tide_system *system = self(L);
    const double *full = check_positions(L, system, "gather");
    tide_system_gather(system, full, tide_vector_new(L, 3 * (size_t)system->free_count)->values);
    return 1;
}

static int scatter(lua_State *L)
{
    const tide_system *system = self(L);
    size_t free_size = 3 * (size_t)system->free_count, size = 3 * (size_t)system->particle_count;
    const double *full = lua_isnoneornil(L, 3) ? NULL : tide_check_numbers(L, 3, &size, "system", "scatter (full)");
    // If every particle is pinned, the vector is empty.
    const double *free_only = tide_check_numbers(L, 2, &free_size, "system", "scatter (free)");
    if (free_size != 3 * (size_t)system->free_count)
        tide_raise_bad(L, "system", "scatter (free)", NULL, "expected no numbers: every particle is pinned");
    tide_vector *out = tide_vector_new(L, size);
    if (full)
        memcpy(out->values, full, size * sizeof(double));
    tide_system_scatter(system, free_only, out->values);
    return 1;
}

TIDE_GETTER(particle_count, lua_pushinteger, self(L)->particle_count);
TIDE_GETTER(free_count, lua_pushinteger, self(L)->free_count);

static const tide_member members[] = {
    { "particle_count", .get = particle_count, .type = "integer", .help = "Number of particles of all bodies." },
    { "free_count", .get = free_count, .type = "integer", .help = "Number of particles that are not pinned." },
    { "positions", positions, .type = "(): tide.Vector", .help = "Current positions of all particles, in m." },
    { "velocities", velocities, .type = "(): tide.Vector", .help = "Current velocities of all particles, in m/s." },
    { "masses", masses, .type = "(): tide.Vector", .help = "The mass of each particle, in kg." },
    { "energy", energy, .type = "(x: tide.Numbers): number", .help = "The elastic energy at positions x, in J." },
    { "gradient", gradient, .type = "(x: tide.Numbers): tide.Vector",
      .help = "The energy's gradient at x, in N; 0 at pinned particles." },
    { "hessian", hessian, .type = "(x: tide.Numbers, options?: { project: boolean }): tide.Matrix",
      .help = "The Hessian of the energy at x over the coordinates of free particles; with project, that of each "
              "element is projected to a positive semidefinite one." },
    { "largest_eigenvalue", largest_eigenvalue,
      .type = "(x: tide.Numbers, options?: { tolerance: number, max_iterations: integer }): number, boolean",
      .help = "k0, 1/s^2: the largest eigenvalue of M^-1 K at x over free particles (Shinya 2005, eq. 27), by the "
              "power method; and whether the tolerance was met." },
    { "filtered_eigenvalue", filtered_eigenvalue, .type = "(x: tide.Numbers): number?",
      .help = "The largest eigenvalue of M^-1 K with the velocity filter of the scene's solver after every "
              "multiplication (Ahmad et al. 2007, algorithm 1); nil without a filter." },
    { "laplacian", laplacian, .type = "(): tide.Matrix",
      .help = "L, the Laplacian of Liu et al. 2013, eq. 12, over free particles." },
    { "mass_matrix", mass_matrix, .type = "(): tide.Matrix",
      .help = "M, the diagonal mass matrix, over the coordinates of free particles, as the Hessian; laplacian and "
              "matrix have one row per particle." },
    { "matrix", system_matrix, .type = "(timestep?: number): tide.Matrix",
      .help = "A = M + h^2 L, the matrix of local_global, over free particles." },
    { "gather", gather, .type = "(full: tide.Numbers): tide.Vector",
      .help = "The coordinates of the free particles, extracted from those of all particles." },
    { "scatter", scatter, .type = "(free: tide.Numbers, full?: tide.Numbers): tide.Vector",
      .help = "The coordinates of all particles: a copy of `full` (default zeros) into which those of the free "
              "particles are written." },
    { 0 },
};

const tide_class tide_system_class = {
    "tide.System",
    "system",
    "The mathematical system of a scene in its current state. Positions x hold x, y, z of each particle in turn.",
    members,
    NULL,
    NULL,
    NULL,
};

// Helpers of the contact tests: they build worlds, bodies and colliders, and measure the results. Lengths are in m.
#ifndef TIDE_TESTS_WORLD_CONTACT_SCENES_H
#define TIDE_TESTS_WORLD_CONTACT_SCENES_H

#include "base/log.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "solver/every_method.h"
#include "world/fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- worlds ---------------------------------------------------------------------------------------------------------

static inline tide_world *scene_world(double h, double gravity)
{
    tide_world_settings settings = tide_world_settings_default();
    settings.timestep = h;
    settings.gravity[1] = -gravity;
    return fixture_world(&settings, NULL);
}

static inline void scene_continuous(tide_world *world)
{
    tide_error error;
    tide_world_settings settings = *tide_world_get_settings(world);
    settings.contact.continuous = true;
    assert_ok(tide_world_set_settings(world, &settings, &error), error);
}

static inline void scene_use(tide_world *world, const char *name, const char *options)
{
    tide_error error;
    tide_solver *solver = stepping_solver(name, options);
    assert_ok(tide_world_set_solver(world, tide_solver_kind_of(solver), tide_solver_options(solver), &error), error);
    tide_solver_destroy(solver);
}

// --- bodies ---------------------------------------------------------------------------------------------------------

static inline void scene_move_mesh(tide_mesh **mesh, const double at[3])
{
    tide_error error;
    tide_mesh *moved;
    assert_ok(tide_mesh_translate(*mesh, at, &moved, &error), error);
    tide_mesh_release(*mesh);
    *mesh = moved;
}

static inline void scene_turn_mesh(tide_mesh **mesh, const double axis[3], double angle)
{
    tide_error error;
    tide_mesh *turned;
    assert_ok(tide_mesh_rotate(*mesh, axis, angle, &turned, &error), error);
    tide_mesh_release(*mesh);
    *mesh = turned;
}

// Adds a body, setting the name and mesh of `def`. Releases the mesh.
static inline tide_body_id scene_add(tide_world *world, tide_body_def *def, const char *name, tide_mesh *mesh)
{
    tide_error error;
    tide_body_id id;
    def->name = name;
    def->mesh = mesh;
    assert_ok(tide_world_add_body(world, def, &id, &error), error);
    tide_mesh_release(mesh);
    return id;
}

// A square grid of side x side vertices, in the x-z plane, centred at the origin.
static inline tide_mesh *scene_cloth_mesh(int side, double width)
{
    tide_error error;
    tide_mesh_grid_def def = { 0 };
    tide_fields_default(tide_mesh_grid.fields, &def);
    def.columns = def.rows = side;
    def.width = def.height = width;
    tide_mesh *mesh;
    assert_ok(tide_mesh_grid.build(&def, &mesh, &error), error);
    scene_move_mesh(&mesh, (double[3]) { -width / 2, 0, -width / 2 });
    return mesh;
}

static inline tide_mesh *scene_box_mesh(const double size[3], const double cells[3])
{
    tide_error error;
    tide_mesh_box_def def = { .size = { size[0], size[1], size[2] }, .cells = { cells[0], cells[1], cells[2] } };
    tide_mesh *mesh;
    assert_ok(tide_mesh_box.build(&def, &mesh, &error), error);
    return mesh;
}

static inline tide_mesh *scene_strand_mesh(int points, const double from[3], const double to[3])
{
    tide_error error;
    tide_mesh_strand_def def = { .points = points };
    memcpy(def.from, from, sizeof def.from);
    memcpy(def.to, to, sizeof def.to);
    tide_mesh *mesh;
    assert_ok(tide_mesh_strand.build(&def, &mesh, &error), error);
    return mesh;
}

// side x side upright strands on a square lattice in the x-z plane; `side` is from 2 to 20.
static inline tide_mesh *scene_brush_mesh(int side, double width, int points, double length)
{
    tide_error error;
    double roots[3 * 400];
    assert_true(side * side <= 400);
    for (int i = 0; i < side * side; i++) {
        roots[3 * i] = width * ((i % side) / (side - 1.0) - 0.5);
        roots[3 * i + 1] = 0;
        roots[3 * i + 2] = width * ((i / side) / (side - 1.0) - 0.5);
    }
    tide_mesh_strands_def def = { 0 };
    tide_fields_default(tide_mesh_strands.fields, &def);
    double normal[3] = { 0, 1, 0 };
    def.points = points;
    def.length = length;
    def.roots = (tide_mesh_points) { roots, (uint32_t)(side * side) };
    def.normals = (tide_mesh_points) { normal, 1 };
    tide_mesh *mesh;
    assert_ok(tide_mesh_strands.build(&def, &mesh, &error), error);
    return mesh;
}

static inline tide_body_def scene_body(double mass, double stiffness, double bend)
{
    tide_body_def def = tide_body_def_default();
    def.mass = mass;
    def.stiffness = stiffness;
    def.bend = bend;
    return def;
}

static inline tide_body_id scene_points(tide_world *world, const char *name, uint32_t count, const double *x,
                                        double mass, double thickness)
{
    tide_error error;
    tide_body_def def = tide_body_def_default();
    def.name = name;
    def.mesh = fixture_points(count, x);
    def.mass = mass;
    def.thickness = thickness;
    tide_body_id id;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_mesh_release(def.mesh);
    return id;
}

// --- colliders ------------------------------------------------------------------------------------------------------

static inline tide_collider_id scene_collider(tide_world *world, const char *name, const tide_shape_kind *shape,
                                              const void *definition, double friction)
{
    tide_error error;
    tide_collider_def def = tide_collider_def_default();
    def.name = name;
    def.shape = shape;
    def.definition = definition;
    def.friction = friction;
    tide_collider_id id;
    assert_ok(tide_world_add_collider(world, &def, &id, &error), error);
    return id;
}

static inline tide_collider_id scene_plane(tide_world *world, const char *name, double angle, double friction)
{
    tide_shape_plane_def plane;
    tide_shape_default(&tide_shape_plane, &plane);
    plane.normal[0] = sin(angle);
    plane.normal[1] = cos(angle);
    plane.normal[2] = 0;
    return scene_collider(world, name, &tide_shape_plane, &plane, friction);
}

static inline tide_collider_id scene_sphere(tide_world *world, const char *name, const double at[3], double radius,
                                            double friction)
{
    tide_shape_sphere_def sphere;
    tide_shape_default(&tide_shape_sphere, &sphere);
    memcpy(sphere.position, at, sizeof sphere.position);
    sphere.radius = radius;
    return scene_collider(world, name, &tide_shape_sphere, &sphere, friction);
}

static inline tide_collider_id scene_box(tide_world *world, const char *name, const double at[3], const double size[3],
                                         double angle, double friction)
{
    tide_shape_box_def box;
    tide_shape_default(&tide_shape_box, &box);
    memcpy(box.position, at, sizeof box.position);
    memcpy(box.size, size, sizeof box.size);
    tide_quaternion_from_axis_angle((double[3]) { 0, 0, 1 }, -angle, box.rotation);
    return scene_collider(world, name, &tide_shape_box, &box, friction);
}

// The same block as a mesh collider.
static inline tide_collider_id scene_mesh_box(tide_world *world, const char *name, const double at[3],
                                              const double size[3], double angle, double friction)
{
    tide_shape_mesh_def mesh;
    tide_shape_default(&tide_shape_mesh, &mesh);
    tide_mesh *block = scene_box_mesh(size, (double[3]) { 3, 1, 3 });
    mesh.mesh = block;
    memcpy(mesh.position, at, sizeof mesh.position);
    tide_quaternion_from_axis_angle((double[3]) { 0, 0, 1 }, -angle, mesh.rotation);
    tide_collider_id id = scene_collider(world, name, &tide_shape_mesh, &mesh, friction);
    tide_mesh_release(block);
    return id;
}

static inline void scene_move(tide_world *world, tide_collider_id id, const double to[3])
{
    tide_error error;
    tide_pose pose = tide_world_collider(world, id)->end;
    memcpy(pose.position, to, sizeof pose.position);
    assert_ok(tide_world_move_collider(world, id, &pose, &error), error);
}

// --- measurements ---------------------------------------------------------------------------------------------------

static inline uint32_t scene_size(tide_world *world, tide_body_id id)
{
    tide_body_info info;
    assert_true(tide_world_body_info(world, id, &info));
    return info.vertex_count;
}

static inline void scene_throw(tide_world *world, tide_body_id id, const double velocity[3])
{
    double *v = tide_world_velocities(world, id);
    for (uint32_t i = 0; i < 3 * scene_size(world, id); i++)
        v[i] = velocity[i % 3];
}

static inline void scene_mean(const double *of, uint32_t count, double mean[3])
{
    memset(mean, 0, 3 * sizeof *mean);
    for (uint32_t i = 0; i < 3 * count; i++)
        mean[i % 3] += of[i] / count;
}

static inline double scene_fastest(const tide_world *world)
{
    double fastest = 0;
    const double *v = tide_world_all_velocities(world);
    for (uint32_t p = 0; p < tide_world_particle_count(world); p++)
        fastest = fmax(fastest, hypot(hypot(v[3 * p], v[3 * p + 1]), v[3 * p + 2]));
    return fastest;
}

// Returns the smallest signed gap between a vertex and a collider, without the body's thickness; negative is inside.
static inline double scene_least_gap(tide_world *world)
{
    double least = INFINITY;
    for (uint32_t b = 0; b < tide_world_body_count(world); b++) {
        tide_body_id id = tide_world_body_at(world, b);
        const double *x = tide_world_positions(world, id);
        for (uint32_t c = 0; c < tide_world_collider_count(world); c++) {
            const tide_collider *collider = tide_world_collider(world, tide_world_collider_at(world, c));
            for (uint32_t i = 0; i < scene_size(world, id); i++)
                least = fmin(least, tide_collider_gap(collider, 1, x + 3 * i, NULL));
        }
    }
    return least;
}

static inline double scene_energy(tide_world *world)
{
    tide_error error;
    tide_energy energy;
    assert_ok(tide_world_energy(world, &energy, &error), error);
    return energy.total;
}

static inline double scene_kinetic(tide_world *world)
{
    tide_error error;
    tide_energy energy;
    assert_ok(tide_world_energy(world, &energy, &error), error);
    return energy.kinetic;
}

// Sums over all particles: linear is m v, angular is x cross m v about the origin; all is |m v| and all_angular
// |x| |m v|, the scales for tolerances.
typedef struct scene_momentum {
    double linear[3], angular[3], all, all_angular;
} scene_momentum;

static inline scene_momentum scene_momentum_of(tide_world *world)
{
    tide_error error;
    const tide_system *system;
    assert_ok(tide_world_system(world, &system, &error), error);
    scene_momentum sum = { 0 };
    for (uint32_t p = 0; p < tide_world_particle_count(world); p++) {
        const double *x = tide_world_all_positions(world) + 3 * (size_t)p;
        const double *v = tide_world_all_velocities(world) + 3 * (size_t)p;
        double m = system->masses[p], speed = m * hypot(hypot(v[0], v[1]), v[2]);
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            sum.linear[k] += m * v[k];
            sum.angular[k] += m * (x[i] * v[j] - x[j] * v[i]);
        }
        sum.all += speed;
        sum.all_angular += speed * hypot(hypot(x[0], x[1]), x[2]);
    }
    return sum;
}

static inline double scene_apart(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

#endif

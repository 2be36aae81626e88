// Shapes for the tests of colliders: one of each kind, in random poses.
#ifndef TIDE_COLLIDER_TESTS_H
#define TIDE_COLLIDER_TESTS_H

#include "tests.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/vec3.h"
#include "collision/collider.h"

#define PI 3.14159265358979323846

static inline double random_in(tide_random *random, double lower, double upper)
{
    return lower + tide_random_uniform(random) * (upper - lower);
}

static inline void random_vector(tide_random *random, double reach, double p[3])
{
    for (int k = 0; k < 3; k++)
        p[k] = random_in(random, -reach, reach);
}

static inline tide_pose random_pose(tide_random *random, double reach)
{
    tide_pose pose;
    double axis[3];
    random_vector(random, reach, pose.position);
    random_vector(random, 1, axis);
    tide_quaternion_from_axis_angle(axis, random_in(random, -3, 3), pose.rotation);
    return pose;
}

static inline double distance_between(const double a[3], const double b[3])
{
    return tide_vec3_length(tide_vec3_subtract(tide_vec3_load(a), tide_vec3_load(b)));
}

// A definition of any shape.
typedef union any_shape {
    tide_shape_plane_def plane;
    tide_shape_sphere_def sphere;
    tide_shape_capsule_def capsule;
    tide_shape_cylinder_def cylinder;
    tide_shape_box_def box;
    tide_shape_torus_def torus;
    tide_shape_mesh_def mesh;
    tide_shape_heightfield_def heightfield;
    tide_shape_distance_def distance;
} any_shape;

// Data for the mesh, the height field and the distance, made once.
typedef struct shape_parts {
    tide_mesh *mesh;
    const tide_distance *distance;
    double heights[7 * 5];
} shape_parts;

static inline shape_parts make_parts(void)
{
    shape_parts parts = { 0 };
    tide_error error;
    // Any closed surface serves; that of a torus is not convex.
    tide_shape_torus_def torus;
    tide_shape shape;
    tide_shape_default(&tide_shape_torus, &torus);
    assert_ok(tide_shape_create(&tide_shape_torus, &torus, &shape, &error), error);
    parts.mesh = (tide_mesh *)tide_mesh_retain(shape.surface);
    tide_shape_release(&shape);
    const double a[3] = { -0.3, 0, 0 }, b[3] = { 0.3, 0.1, 0 };
    const tide_distance *balls[2];
    assert_ok(tide_distance_sphere(a, 0.4, &balls[0], &error), error);
    assert_ok(tide_distance_sphere(b, 0.3, &balls[1], &error), error);
    assert_ok(tide_distance_union(balls, 2, 0, &parts.distance, &error), error);
    tide_distance_release(balls[0]);
    tide_distance_release(balls[1]);
    tide_random random = tide_random_seed(99);
    for (size_t i = 0; i < sizeof parts.heights / sizeof parts.heights[0]; i++)
        parts.heights[i] = random_in(&random, -0.3, 0.3);
    return parts;
}

static inline void drop_parts(shape_parts *parts)
{
    tide_mesh_release(parts->mesh);
    tide_distance_release(parts->distance);
}

// Defaults, completed by values for fields without one.
static inline void define(const tide_shape_kind *kind, const shape_parts *parts, any_shape *def)
{
    assert_true(kind->definition_size <= sizeof *def);
    tide_shape_default(kind, def);
    if (kind == &tide_shape_mesh)
        def->mesh.mesh = parts->mesh;
    if (kind == &tide_shape_distance)
        def->distance.distance = parts->distance;
    if (kind == &tide_shape_heightfield) {
        def->heightfield.columns = 7;
        def->heightfield.rows = 5;
        def->heightfield.width = 2;
        def->heightfield.depth = 1.5;
        def->heightfield.heights = parts->heights;
    }
}

static inline tide_collider *make_collider(const tide_shape_kind *kind, const void *def, double thickness)
{
    tide_collider_def collider_def = tide_collider_def_default();
    collider_def.name = "it";
    collider_def.shape = kind;
    collider_def.definition = def;
    collider_def.thickness = thickness;
    tide_collider *collider = NULL;
    tide_error error;
    assert_ok(tide_collider_create(&collider_def, &collider, &error), error);
    return collider;
}

static inline tide_collider *make_ball(double radius)
{
    tide_shape_sphere_def def;
    tide_shape_default(&tide_shape_sphere, &def);
    def.radius = radius;
    return make_collider(&tide_shape_sphere, &def, 0);
}

// From one random pose to another nearby, within a step.
static inline void move_at_random(tide_collider *collider, tide_random *random, double way, double angle)
{
    tide_error error;
    tide_pose start = random_pose(random, 1), step = { .position = { 0 } };
    double axis[3];
    random_vector(random, 1, axis);
    tide_quaternion_from_axis_angle(axis, angle, step.rotation);
    tide_pose end = tide_pose_compose(&start, &step);
    for (int k = 0; k < 3; k++)
        end.position[k] += random_in(random, -way, way);
    assert_ok(tide_collider_place(collider, &start, &error), error);
    assert_ok(tide_collider_move(collider, &end, &error), error);
}

#endif

// The axes of friction of bodies: at each point the sum of the gradients of the surrounding elements' barycentric
// coordinates along the axis at rest, as weights of their corners (tide_contact_surface.axis_weights). The sum of the
// corners' places times these weights is the axis as the elements have deformed it.
#include "world/body_friction.h"

#include "base/memory.h"
#include "base/vec3.h"
#include "world/material.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Returns whether the membrane of a body gives the direction of its warp.
static bool warp_of_membrane(const tide_body_def *def, double direction[3])
{
    const tide_material *material;
    for (uint32_t m = 0; (material = tide_material_at(m)); m++)
        if (material == &tide_material_membrane && def->materials[m])
            return tide_membrane_warp(def->materials[m], direction);
    return false;
}

// --- the definition -------------------------------------------------------------------------------------------------

tide_status tide_body_check_friction(const tide_body_def *def, const char *object, tide_error *error)
{
    static const char field[] = "friction.direction";
    bool solid = def->rigid || def->mesh->tetrahedron_count > 0;
    char value[32];
    snprintf(value, sizeof value, "%.10g", def->rolling);
    if (def->rolling > 0 && !def->rigid)
        return tide_fail(
            error, TIDE_ERROR_ARGUMENT, object, "rolling", value,
            "only rigid bodies and colliders have rolling friction, as a body that deforms resists rolling "
            "by its damping; leave it out or give `rigid = true`");
    TIDE_TRY(tide_directed_friction_check(&def->directed, def->friction, object, error));
    if (def->directed.across == 0)
        return TIDE_OK;
    if (!solid && !def->mesh->triangle_count)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, NULL,
                         "lines and single vertices have no surface for it; give friction as one number");
    if (def->directed.warp && solid)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, "\"warp\"",
                         "only cloth has a warp; give a vector in the mesh's coordinates");
    double own[3];
    if (def->directed.warp && !def->mesh->texture && !warp_of_membrane(def, own))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, "\"warp\"",
                         "the body's mesh has no texture coordinates, as grids have them; give a vector in the mesh's "
                         "coordinates");
    return TIDE_OK;
}

void tide_body_set_friction(tide_body *body, const tide_body_def *def)
{
    tide_directed_friction_axis(&def->directed, body->friction_axis);
    if (def->directed.warp && !warp_of_membrane(def, body->friction_axis))
        body->friction_axis[0] = TIDE_NOT_GIVEN;
}

// --- weights --------------------------------------------------------------------------------------------------------

typedef struct rows {
    tide_contact_surface *surface;
    uint32_t *next; // (point_count) of each point, in its row
    size_t capacity;
} rows;

// Computes the weights of a tetrahedron's corners: its volume times 6 times the gradients of the barycentric
// coordinates, along the axis d. The corners are (0, a, b, c): the gradient of that of a is (b x c) / (a . b x c).
static void weigh_tetrahedron(const double *const corners[4], const double d[3], double weights[4])
{
    tide_vec3 origin = tide_vec3_load(corners[0]), axis = tide_vec3_load(d);
    tide_vec3 a = tide_vec3_subtract(tide_vec3_load(corners[1]), origin);
    tide_vec3 b = tide_vec3_subtract(tide_vec3_load(corners[2]), origin);
    tide_vec3 c = tide_vec3_subtract(tide_vec3_load(corners[3]), origin);
    double sign = tide_vec3_dot(a, tide_vec3_cross(b, c)) < 0 ? -1 : 1;
    weights[1] = sign * tide_vec3_dot(tide_vec3_cross(b, c), axis);
    weights[2] = sign * tide_vec3_dot(tide_vec3_cross(c, a), axis);
    weights[3] = sign * tide_vec3_dot(tide_vec3_cross(a, b), axis);
    weights[0] = -weights[1] - weights[2] - weights[3];
}

// The same in a triangle's plane, times 2 its area: the gradients are (b x n) and (n x a) over it, with the unit normal
// n. Without `d`, the axis is the gradient of the first texture coordinate.
static void weigh_triangle(const double *const corners[3], const double *d, const double texture[3], double weights[4])
{
    tide_vec3 origin = tide_vec3_load(corners[0]);
    tide_vec3 a = tide_vec3_subtract(tide_vec3_load(corners[1]), origin);
    tide_vec3 b = tide_vec3_subtract(tide_vec3_load(corners[2]), origin);
    tide_vec3 n = tide_vec3_normalize(tide_vec3_cross(a, b)), first = tide_vec3_cross(b, n),
              second = tide_vec3_cross(n, a), axis;
    if (d)
        axis = tide_vec3_load(d);
    else
        axis = tide_vec3_normalize(tide_vec3_add(tide_vec3_scale(first, texture[1] - texture[0]),
                                                 tide_vec3_scale(second, texture[2] - texture[0])));
    weights[1] = tide_vec3_dot(first, axis);
    weights[2] = tide_vec3_dot(second, axis);
    weights[0] = -weights[1] - weights[2];
}

// Counts the entries of a point's row (`weights` NULL), or adds them.
static void add(rows *r, uint32_t point, const uint32_t *corners, int count, const double *weights)
{
    tide_contact_surface *s = r->surface;
    if (!weights) {
        s->axis_starts[point + 1] += (uint32_t)count;
        return;
    }
    for (int i = 0; i < count; i++, r->next[point]++) {
        s->axis_points[r->next[point]] = corners[i];
        s->axis_weights[r->next[point]] = weights[i];
    }
}

static void add_carried(rows *r, const tide_world *world, const tide_body *body, const tide_contact_part *part,
                        const double axis[3], bool fill)
{
    const tide_contact_surface *s = r->surface;
    for (uint32_t p = part->first_point; p < part->first_point + part->point_count; p++) {
        const uint32_t *carriers = s->carriers + 4 * (size_t)(p - world->particle_count);
        const double *corners[4];
        double weights[4];
        for (int i = 0; i < 4; i++)
            corners[i] = body->mesh->vertices + 3 * (size_t)(carriers[i] - body->first_particle);
        weigh_tetrahedron(corners, axis, weights);
        add(r, p, carriers, 4, fill ? weights : NULL);
    }
}

static void add_tetrahedra(rows *r, const tide_body *body, const tide_contact_part *part, const double axis[3],
                           bool fill)
{
    for (uint32_t t = 0; t < body->mesh->tetrahedron_count; t++) {
        const uint32_t *of = body->mesh->tetrahedra + 4 * (size_t)t;
        const double *corners[4];
        uint32_t points[4];
        double weights[4];
        for (int i = 0; i < 4; i++) {
            corners[i] = body->mesh->vertices + 3 * (size_t)of[i];
            points[i] = part->first_point + of[i];
        }
        weigh_tetrahedron(corners, axis, weights);
        for (int i = 0; i < 4; i++)
            add(r, points[i], points, 4, fill ? weights : NULL);
    }
}

static void add_triangles(rows *r, const tide_body *body, const tide_contact_part *part, const double *axis, bool fill)
{
    const tide_contact_surface *s = r->surface;
    for (uint32_t t = part->first_triangle; t < part->first_triangle + part->triangle_count; t++) {
        const uint32_t *points = s->triangles + 3 * (size_t)t;
        const double *corners[3];
        double texture[3] = { 0 }, weights[4];
        for (int i = 0; i < 3; i++) {
            uint32_t vertex = points[i] - part->first_point;
            corners[i] = s->rest + 3 * (size_t)points[i];
            texture[i] = axis ? 0 : body->mesh->texture[2 * (size_t)vertex];
        }
        weigh_triangle(corners, axis, texture, weights);
        for (int i = 0; i < 3; i++)
            add(r, points[i], points, 3, fill ? weights : NULL);
    }
}

static void add_bodies(rows *r, const tide_world *world, bool fill)
{
    size_t next = world->body_count;
    for (size_t b = 0; b < world->body_count; b++) {
        const tide_body *body = world->bodies[b];
        const tide_contact_part *part = &r->surface->parts[body->surface ? next++ : b];
        const double *axis = tide_given(body->friction_axis[0]) ? body->friction_axis : NULL;
        if (part->friction_ratio == 0)
            continue;
        if (body->surface)
            add_carried(r, world, body, part, axis, fill);
        else if (body->mesh->tetrahedron_count)
            add_tetrahedra(r, body, part, axis, fill);
        else
            add_triangles(r, body, part, axis, fill);
    }
}

tide_status tide_world_set_axes(const tide_world *world, tide_contact_surface *s, tide_error *error)
{
    bool any = false;
    for (uint32_t i = 0; i < s->part_count; i++)
        any |= !s->parts[i].fixed && s->parts[i].friction_ratio != 0;
    if (!any)
        return TIDE_OK;
    size_t size = (size_t)s->point_count + 1;
    s->axis_starts = tide_own_zeroed(s, size, sizeof *s->axis_starts);
    rows r = { .surface = s };
    if (!s->axis_starts)
        return tide_fail_memory(error, "contact");
    add_bodies(&r, world, false);
    for (size_t p = 1; p < size; p++)
        s->axis_starts[p] += s->axis_starts[p - 1];
    TIDE_SCOPED uint32_t *next = tide_copy_bytes(s->axis_starts, size * sizeof *next);
    s->axis_points = tide_own_array(s, s->axis_starts[size - 1], sizeof *s->axis_points);
    s->axis_weights = tide_own_array(s, s->axis_starts[size - 1], sizeof *s->axis_weights);
    if (!next || !s->axis_points || !s->axis_weights)
        return tide_fail_memory(error, "contact");
    r.next = next;
    add_bodies(&r, world, true);
    return TIDE_OK;
}

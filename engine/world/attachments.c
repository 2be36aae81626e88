// Attachments: springs between vertices of bodies, and ties of a vertex to a point of a body's surface.
#include "world/attachments.h"

#include "base/memory.h"
#include "base/vec3.h"
#include "geometry/bvh.h"
#include "world/world_state.h"

#include <stdio.h>
#include <string.h>

const tide_field tide_attach_fields[] = {
    { TIDE_MEMBER(tide_attach_def, stiffness), .type = TIDE_FIELD_REAL, .required = true, .maximum = 1e15,
      .positive = true, .unit = "N/m", .help = "stiffness of each spring" },
    { TIDE_MEMBER(tide_attach_def, rest_length), .type = TIDE_FIELD_REAL, .maximum = 1e15, .unit = "m",
      .help = "rest length of springs between two vertices; springs to the nearest point of a body have 0" },
    { TIDE_MEMBER(tide_attach_def, keep_distance), .type = TIDE_FIELD_BOOLEAN,
      .help = "use the current distance of the two vertices as the rest length" },
    { .name = NULL },
};

static tide_status refuse(const tide_world *world, tide_body_id body, const char *field, const char *remedy,
                          uint32_t vertex, tide_error *error)
{
    char object[96];
    tide_body_object(tide_world_lookup(world, body)->name, object);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, NULL, remedy, vertex + 1);
}

static tide_status add(tide_world *world, const tide_attachment *attachment, tide_error *error)
{
    if (!tide_grow(&world->attachments, &world->attachment_capacity, world->attachment_count + 1,
                   sizeof *world->attachments))
        return tide_fail_memory(error, "attachments");
    world->attachments[world->attachment_count++] = *attachment;
    world->system_changed = true;
    world->contacts_changed = true; // attached particles do not touch each other
    return TIDE_OK;
}

static tide_status begin(const tide_world *world, const tide_attach_def *def, tide_error *error)
{
    TIDE_TRY(tide_world_check_idle(world, "attach", error));
    TIDE_TRY(tide_fields_check(tide_attach_fields, "attach", def, error));
    if (def->keep_distance && def->rest_length != 0)
        TIDE_TRY(tide_fail(error, TIDE_ERROR_ARGUMENT, "attach", "keep_distance", "true",
                           "give either it or a rest_length, not both"));
    return TIDE_OK;
}

static double square_distance(tide_vec3 a, tide_vec3 b)
{
    tide_vec3 d = tide_vec3_subtract(a, b);
    return tide_vec3_dot(d, d);
}

static tide_vec3 position(const tide_world *world, uint32_t particle)
{
    return tide_vec3_load(world->positions + 3 * (size_t)particle);
}

static tide_status check_no_length(const tide_attach_def *def, const char *remedy, tide_error *error)
{
    if (def->rest_length == 0 && !def->keep_distance)
        return TIDE_OK;
    return tide_fail(error, TIDE_ERROR_ARGUMENT, "attach", def->keep_distance ? "keep_distance" : "rest_length", NULL,
                     "%s", remedy);
}

static tide_status refuse_own(const tide_world *world, tide_body_id a, uint32_t vertex, tide_error *error)
{
    return refuse(world, a, "attach", "vertex %u would be joined to its own rigid body, which holds its shape", vertex,
                  error);
}

// Links two vertices where one is of a rigid body.
static tide_status link_points(tide_world *world, tide_body_id a, uint32_t vertex_a, tide_body_id b, uint32_t vertex_b,
                               const tide_attach_def *def, tide_error *error)
{
    tide_link link = { .stiffness = def->stiffness };
    TIDE_TRY(tide_world_find_point(world, a, vertex_a, "attach", &link.ends[0], error));
    TIDE_TRY(tide_world_find_point(world, b, vertex_b, "attach", &link.ends[1], error));
    TIDE_TRY(check_no_length(def, "springs to a rigid body have no rest length; leave it out", error));
    if (tide_world_lookup(world, a) == tide_world_lookup(world, b))
        return refuse_own(world, a, vertex_a, error);
    return tide_world_add_link(world, &link, error);
}

tide_status tide_world_attach(tide_world *world, tide_body_id a, uint32_t vertex_a, tide_body_id b, uint32_t vertex_b,
                              const tide_attach_def *def, tide_error *error)
{
    tide_attachment made = { .stiffness = def->stiffness, .rest_length = def->rest_length };
    tide_status status = begin(world, def, error);
    if (status == TIDE_OK && (tide_world_is_rigid(world, a) || tide_world_is_rigid(world, b)))
        return link_points(world, a, vertex_a, b, vertex_b, def, error);
    if (status == TIDE_OK)
        status = tide_world_find_vertex(world, a, vertex_a, "attach", &made.particles[0], error);
    if (status == TIDE_OK)
        status = tide_world_find_vertex(world, b, vertex_b, "attach", &made.particles[1], error);
    if (status == TIDE_OK && made.particles[0] == made.particles[1])
        status = refuse(world, a, "attach", "joins vertex %u to itself", vertex_a, error);
    if (status == TIDE_OK && def->keep_distance) {
        made.rest_length =
            sqrt(square_distance(position(world, made.particles[0]), position(world, made.particles[1])));
        if (!(made.rest_length <= 1e15))
            status = refuse(world, a, "attach",
                            "vertex %u is too far from the other one, or its position is not finite", vertex_a, error);
    }
    return status == TIDE_OK ? add(world, &made, error) : status;
}

// --- the nearest point -----------------------------------------------------------------------------------------------

// The body that vertices are attached to. If it is their own, the search leaves out triangles with the vertex as a
// corner.
typedef struct target {
    const tide_world *world;
    const tide_body *body;
    const tide_mesh *mesh; // as given
    double *positions;     // of its vertices
    bool own;              // the vertices to attach belong to this body
    tide_bvh triangles;    // unless `own`
} target;

static void close_target(target *target)
{
    tide_bvh_destroy(&target->triangles);
    tide_free(target->positions);
}

static tide_status open_target(const tide_world *world, tide_body_id b, bool own, target *target, tide_error *error)
{
    const tide_body *body = tide_world_lookup(world, b);
    const tide_mesh *mesh = tide_body_face(body);
    const double *particles = world->positions + 3 * (size_t)body->first_particle;
    *target = (struct target) { world, body, mesh, NULL, own, { 0 } };
    target->positions = body->rigid ? tide_allocate_array(mesh->vertex_count, 3 * sizeof *particles)
                                    : tide_copy_bytes(particles, 3 * (size_t)mesh->vertex_count * sizeof *particles);
    if (!target->positions)
        return tide_fail_memory(error, "attachments");
    if (body->rigid)
        tide_embedding_apply(body->embedding, particles, target->positions);
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++)
        if (!isfinite(target->positions[i]))
            return refuse(world, b, "attach", "the position of vertex %u is not finite", (uint32_t)(i / 3), error);
    if (own || !mesh->triangle_count)
        return TIDE_OK;
    return tide_bvh_create(target->positions, mesh->triangles, mesh->triangle_count, &target->triangles, error);
}

// Finds the point of the triangles that is nearest to p, the place of `vertex` of the body to be attached. Returns
// false when there is none.
static bool find_nearest(const target *target, const double p[3], uint32_t vertex, tide_bvh_point *nearest)
{
    const tide_mesh *mesh = target->mesh;
    if (!target->own)
        return tide_bvh_closest(&target->triangles, p, INFINITY, nearest);
    nearest->squared = INFINITY;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *c = mesh->triangles + 3 * (size_t)t;
        tide_bvh_point point;
        if (c[0] == vertex || c[1] == vertex || c[2] == vertex)
            continue;
        tide_bvh_closest_on_triangle(target->positions + 3 * (size_t)c[0], target->positions + 3 * (size_t)c[1],
                                     target->positions + 3 * (size_t)c[2], p, &point);
        if (!(point.squared < nearest->squared))
            continue;
        *nearest = point;
        nearest->triangle = t;
    }
    return nearest->squared < INFINITY;
}

// Finds the vertex that is nearest to p, the place of `vertex`. Returns false when there is no other one.
static bool find_nearest_vertex(const target *target, const double p[3], uint32_t vertex, uint32_t *nearest)
{
    double least = INFINITY;
    for (uint32_t v = 0; v < target->mesh->vertex_count; v++) {
        double square = square_distance(tide_vec3_load(p), tide_vec3_load(target->positions + 3 * (size_t)v));
        if ((target->own && v == vertex) || !(square < least))
            continue;
        least = square;
        *nearest = v;
    }
    return least < INFINITY;
}

// Finds the point of the body that is nearest to p: on a rigid body, its surface or a triangle, or else a vertex.
static bool find_point(const target *target, const double p[3], uint32_t vertex, tide_point *point)
{
    uint32_t first = target->body->first_particle, found = 0;
    if (target->mesh->triangle_count) {
        tide_bvh_point nearest;
        if (!find_nearest(target, p, vertex, &nearest))
            return false;
        const uint32_t *corners = target->mesh->triangles + 3 * (size_t)nearest.triangle;
        *point = (tide_point) { .count = 3 };
        for (size_t k = 0; k < 3; k++) {
            point->particles[k] = first + corners[k];
            point->weights[k] = nearest.weights[k];
        }
        if (target->body->rigid) {
            *point = tide_world_point_at(target->world, target->body, nearest.position);
            point->corner_count = 3;
            memcpy(point->corners, corners, sizeof point->corners);
        }
        return true;
    }
    if (!find_nearest_vertex(target, p, vertex, &found))
        return false;
    *point = (tide_point) { .count = 1, .particles = { first + found }, .weights = { 1 } };
    return true;
}

// Joins two points by a link if one is of a rigid body, or else by a tie to a triangle or a spring.
static tide_status join(tide_world *world, const tide_point *from, const tide_point *to, double stiffness,
                        tide_error *error)
{
    if (from->count == 4 || to->count == 4)
        return tide_world_add_link(world, &(tide_link) { .ends = { *from, *to }, .stiffness = stiffness }, error);
    tide_attachment made = { .particles = { from->particles[0] }, .tied = to->count == 3, .stiffness = stiffness };
    for (size_t k = 0; k < to->count; k++)
        made.particles[1 + k] = to->particles[k];
    for (size_t k = 0; made.tied && k < 3; k++)
        made.weights[k] = to->weights[k];
    return add(world, &made, error);
}

static tide_status attach_one(tide_world *world, tide_body_id a, uint32_t vertex, const target *target,
                              double stiffness, tide_error *error)
{
    tide_point from, to = { 0 };
    double p[3];
    TIDE_TRY(tide_world_find_point(world, a, vertex, "attach", &from, error));
    tide_point_apply(&from, world->positions, p);
    if (!(isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2])))
        return refuse(world, a, "attach", "the position of vertex %u is not finite", vertex, error);
    if (!find_point(target, p, vertex, &to))
        return refuse(world, a, "attach", "vertex %u: the body has no other place that it could be attached to", vertex,
                      error);
    return join(world, &from, &to, stiffness, error);
}

static tide_status attach_all(tide_world *world, tide_body_id a, const uint32_t *vertices, uint32_t count,
                              const target *target, double stiffness, tide_error *error)
{
    size_t before = world->attachment_count, links = world->link_count;
    tide_status status = TIDE_OK;
    for (uint32_t i = 0; i < count && status == TIDE_OK; i++)
        status = attach_one(world, a, vertices[i], target, stiffness, error);
    if (status != TIDE_OK) {
        world->attachment_count = before;
        world->link_count = links;
    }
    return status;
}

tide_status tide_world_attach_nearest(tide_world *world, tide_body_id a, const uint32_t *vertices, uint32_t count,
                                      tide_body_id b, const tide_attach_def *def, tide_error *error)
{
    tide_body_info info;
    TIDE_TRY(begin(world, def, error));
    TIDE_TRY(tide_world_check_body(world, a, &info, error));
    TIDE_TRY(tide_world_check_body(world, b, &info, error));
    TIDE_TRY(
        check_no_length(def, "springs to the nearest point have no rest length; name a vertex or leave it out", error));
    bool own = tide_world_lookup(world, a) == tide_world_lookup(world, b);
    if (own && count && tide_world_is_rigid(world, a))
        return refuse_own(world, a, vertices[0], error);
    target target;
    tide_status status = open_target(world, b, own, &target, error);
    if (status == TIDE_OK)
        status = attach_all(world, a, vertices, count, &target, def->stiffness, error);
    close_target(&target);
    return status;
}

uint32_t tide_world_attachment_count(const tide_world *world)
{
    return (uint32_t)(world->attachment_count + world->link_count + world->collider_attachment_count);
}

// --- elements --------------------------------------------------------------------------------------------------------

// Adds the ties (`tied`) or the springs among the attachments in [begin, end) as a group of elements.
static tide_status add_kind(const tide_world *world, bool tied, size_t begin, size_t end, tide_system *system,
                            tide_error *error)
{
    const tide_element_kind *kind = tied ? &tide_tie : &tide_spring;
    uint32_t count = 0, next = 0;
    for (size_t i = begin; i < end; i++)
        count += world->attachments[i].tied == tied;
    if (!count)
        return TIDE_OK;
    TIDE_SCOPED uint32_t *vertices = tide_allocate_array(count, kind->vertex_count * sizeof *vertices);
    TIDE_SCOPED double *parameters = tide_allocate_array(count, kind->parameter_count * sizeof *parameters);
    TIDE_TRY(vertices && parameters ? TIDE_OK : tide_fail_memory(error, "attachments"));
    for (size_t i = begin; i < end; i++) {
        const tide_attachment *attachment = &world->attachments[i];
        if (attachment->tied != tied)
            continue;
        memcpy(vertices + (size_t)kind->vertex_count * next, attachment->particles,
               kind->vertex_count * sizeof *vertices);
        parameters[next] = attachment->stiffness;
        if (!tied)
            parameters[TIDE_SPRING_REST_LENGTH * (size_t)count + next] = attachment->rest_length;
        for (size_t k = 0; tied && k < 3; k++)
            parameters[(TIDE_TIE_WEIGHT_1 + k) * count + next] = attachment->weights[k];
        next++;
    }
    return tide_system_add(system, kind, count, vertices, parameters, error);
}

static tide_status add_both(const tide_world *world, size_t begin, size_t end, tide_system *system, tide_error *error)
{
    tide_status status = add_kind(world, false, begin, end, system, error);
    return status == TIDE_OK ? add_kind(world, true, begin, end, system, error) : status;
}

tide_status tide_world_add_attachments(const tide_world *world, tide_system *system, tide_error *error)
{
    size_t described = world->initial ? world->described_attachments : world->attachment_count;
    tide_status status = add_both(world, 0, described, system, error);
    if (status != TIDE_OK || described == world->attachment_count)
        return status;
    tide_system_add_late(system);
    return add_both(world, described, world->attachment_count, system, error);
}

tide_status tide_world_copy_attachments(tide_world *fork, const tide_world *world, tide_error *error)
{
    for (size_t i = 0; i < world->attachment_count; i++) {
        tide_status status = add(fork, &world->attachments[i], error);
        if (status != TIDE_OK)
            return status;
    }
    for (size_t i = 0; i < world->link_count; i++)
        TIDE_TRY(tide_world_add_link(fork, &world->links[i], error));
    return TIDE_OK;
}

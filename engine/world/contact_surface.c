// Builds the tide_contact_surface of a world's bodies and colliders for contact/.
#include "base/memory.h"
#include "base/vec3.h"
#include "world/body_friction.h"
#include "world/feature_filter.h"
#include "world/friction_pairs.h"
#include "world/intact.h"
#include "world/world_state.h"

#include <string.h>

// --- thickness ------------------------------------------------------------------------------------------------------

#define CLOTH_THICKNESS 0.005 // m
#define SOLID_THICKNESS 0.002 // m
#define LARGEST_PART 0.25     // upper limit of the default thickness, in mean edges
#define SAFE_MOVE 0.25        // motion bound within an iteration (tide_contact_part.reach), in mean edges

static double mean_edge(const tide_mesh *mesh)
{
    double sum = 0;
    for (uint32_t e = 0; e < mesh->edge_count; e++) {
        const uint32_t *v = &mesh->edges[2 * (size_t)e];
        sum += tide_vec3_length(tide_vec3_subtract(tide_vec3_load(&mesh->vertices[3 * (size_t)v[0]]),
                                                   tide_vec3_load(&mesh->vertices[3 * (size_t)v[1]])));
    }
    return mesh->edge_count ? sum / mesh->edge_count : INFINITY;
}

// Returns the mesh that takes part in contact.
static const tide_mesh *touching_mesh(const tide_body *body)
{
    return body->surface ? body->surface : body->mesh;
}

static double thickness_of(const tide_body *body)
{
    const tide_mesh *mesh = touching_mesh(body);
    if (tide_given(body->look.thickness))
        return body->look.thickness;
    if (mesh->triangle_count == 0)
        return 2 * body->look.radius;
    double thickness = body->mesh->tetrahedron_count ? SOLID_THICKNESS : CLOTH_THICKNESS;
    return fmin(thickness, LARGEST_PART * mean_edge(mesh));
}

// --- parts ----------------------------------------------------------------------------------------------------------

bool tide_world_has_fixed_part(const tide_world *world, const tide_collider *collider)
{
    return world->settings.contact.continuous && collider->kind->exact && collider->shape.surface->triangle_count;
}

static tide_contact_part part_of_body(const tide_body *body, const tide_intact *intact)
{
    const tide_mesh *mesh = touching_mesh(body);
    return (tide_contact_part) {
        .point_count = mesh->vertex_count,
        .triangle_count = intact->mesh.triangle_count,
        .radius = thickness_of(body) / 2,
        .reach = body->mesh->tetrahedron_count ? 0 : SAFE_MOVE * mean_edge(body->mesh),
        .friction = body->look.friction,
        .friction_ratio = tide_directed_friction_ratio(&body->look.directed, body->look.friction),
        .restitution = body->look.restitution,
        .rigid = body->rigid,
        .rolling = body->look.rolling,
        .against_colliders = body->look.collide != TIDE_COLLIDE_NONE,
        .solid = body->surface ? body->surface_closed && !intact->triangles : mesh->tetrahedron_count > 0
    };
}

static tide_contact_part part_of_collider(const tide_collider *collider, uint32_t index)
{
    return (tide_contact_part) { .point_count = collider->shape.surface->vertex_count,
                                 .triangle_count = collider->shape.surface->triangle_count,
                                 .radius = collider->thickness,
                                 .friction = collider->friction,
                                 .friction_ratio = collider->friction_ratio,
                                 .rolling = collider->rolling,
                                 .restitution = collider->restitution,
                                 .solid = true,
                                 .fixed = true,
                                 .guarded = true,
                                 .deforms = collider->shape.deform != NULL,
                                 .collider = index };
}

// Lists the edges that take part in contact: those of triangles or, without triangles, those of the mesh. The caller
// frees them.
static tide_status edges_of(const tide_mesh *mesh, uint32_t **edges, uint32_t *count, tide_error *error)
{
    if (mesh->triangle_count)
        return tide_mesh_edges_of(mesh->vertex_count, mesh->triangles, mesh->triangle_count, NULL, 0, edges, count,
                                  error);
    *count = mesh->edge_count;
    *edges = tide_copy_bytes(mesh->edges, 2 * (size_t)mesh->edge_count * sizeof **edges);
    return *edges ? TIDE_OK : tide_fail_memory(error, "contact");
}

// A surface under construction, with the capacities of its arrays.
typedef struct builder {
    tide_contact_surface *surface;
    size_t edge_capacity, triangle_capacity, rest_capacity, part_of_capacity;
} builder;

static bool make_room(builder *b, const tide_mesh *mesh, uint32_t edge_count)
{
    tide_contact_surface *s = b->surface;
    return tide_grow_owned(s, &s->edges, &b->edge_capacity, 2 * ((size_t)s->edge_count + edge_count),
                           sizeof *s->edges) &&
           tide_grow_owned(s, &s->triangles, &b->triangle_capacity,
                           3 * ((size_t)s->triangle_count + mesh->triangle_count), sizeof *s->triangles) &&
           tide_grow_owned(s, &s->rest, &b->rest_capacity, 3 * ((size_t)s->point_count + mesh->vertex_count),
                           sizeof *s->rest) &&
           tide_grow_owned(s, &s->part_of, &b->part_of_capacity, (size_t)s->point_count + mesh->vertex_count,
                           sizeof *s->part_of);
}

static tide_status append(builder *b, tide_contact_part part, const tide_mesh *mesh, tide_error *error)
{
    tide_contact_surface *s = b->surface;
    uint32_t *edges, edge_count;
    TIDE_TRY(edges_of(mesh, &edges, &edge_count, error));
    if (!make_room(b, mesh, edge_count)) {
        tide_free(edges);
        return tide_fail_memory(error, "contact");
    }
    part.first_point = s->point_count;
    part.first_edge = s->edge_count;
    part.first_triangle = s->triangle_count;
    part.edge_count = edge_count;
    for (size_t i = 0; i < 2 * (size_t)edge_count; i++)
        s->edges[2 * (size_t)s->edge_count + i] = s->point_count + edges[i];
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        s->triangles[3 * (size_t)s->triangle_count + i] = s->point_count + mesh->triangles[i];
    memcpy(s->rest + 3 * (size_t)s->point_count, mesh->vertices, 3 * (size_t)mesh->vertex_count * sizeof *s->rest);
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        s->part_of[s->point_count + i] = s->part_count;
    s->edge_count += edge_count;
    s->triangle_count += mesh->triangle_count;
    s->point_count += mesh->vertex_count;
    s->parts[s->part_count++] = part;
    tide_free(edges);
    return TIDE_OK;
}

// Appends the particles of a body with a fine surface, which takes part in contact instead of them.
static tide_status append_particles(builder *b, const tide_body *body, tide_error *error)
{
    tide_mesh points = *body->mesh;
    points.triangle_count = points.edge_count = 0;
    return append(b, (tide_contact_part) { .point_count = points.vertex_count, .friction = TIDE_NOT_GIVEN }, &points,
                  error);
}

// Appends points for the frames of a body: points are particles, and these are in no feature.
static tide_status append_frames(builder *b, const tide_body *body, tide_error *error)
{
    tide_contact_surface *s = b->surface;
    const tide_mesh points = { .vertex_count = body->frame_count };
    if (!make_room(b, &points, 0))
        return tide_fail_memory(error, "contact");
    if (body->frame_count)
        memcpy(s->rest + 3 * (size_t)s->point_count, body->frames, 3 * (size_t)body->frame_count * sizeof *s->rest);
    for (uint32_t i = 0; i < body->frame_count; i++)
        s->part_of[s->point_count + i] = s->part_count - 1;
    s->point_count += body->frame_count;
    return TIDE_OK;
}

// Appends what is intact of the mesh that takes part in contact.
static tide_status append_body(builder *b, const tide_world *world, const tide_body *body, tide_error *error)
{
    tide_intact intact;
    tide_status status = tide_world_intact(world, body->id, true, &intact, error);
    if (status != TIDE_OK)
        return status;
    status = append(b, part_of_body(body, &intact), &intact.mesh, error);
    tide_intact_free(&intact);
    return status;
}

static tide_status append_bodies(builder *b, const tide_world *world, tide_error *error)
{
    for (size_t i = 0; i < world->body_count; i++) {
        const tide_body *body = world->bodies[i];
        TIDE_TRY(body->surface ? append_particles(b, body, error) : append_body(b, world, body, error));
        TIDE_TRY(append_frames(b, body, error));
    }
    for (size_t i = 0; i < world->body_count; i++)
        if (world->bodies[i]->surface)
            TIDE_TRY(append_body(b, world, world->bodies[i], error));
    return TIDE_OK;
}

// --- embedded points ------------------------------------------------------------------------------------------------

// A point for which sum w_i^2 over its free particles is less than this counts as held: they would have to move over
// ten times as far as the point.
#define LEAST_CARRIED 0.01

static double inverse_mass_of_carried(const tide_contact_surface *s, size_t first)
{
    double sum = 0, free = 0;
    for (size_t i = first; i < first + 4; i++) {
        double square = s->carrier_weights[i] * s->carrier_weights[i], inverse = s->inverse_masses[s->carriers[i]];
        sum += square * inverse;
        free += inverse > 0 ? square : 0;
    }
    return free >= LEAST_CARRIED ? sum : 0;
}

static tide_status set_carriers(const tide_world *world, tide_contact_surface *s, tide_error *error)
{
    size_t count = 0;
    for (size_t i = 0; i < world->body_count; i++)
        count += world->bodies[i]->surface ? world->bodies[i]->surface->vertex_count : 0;
    s->carriers = tide_own_array(s, count, 4 * sizeof *s->carriers);
    s->carrier_weights = tide_own_array(s, count, 4 * sizeof *s->carrier_weights);
    if (!s->carriers || !s->carrier_weights)
        return tide_fail_memory(error, "contact");
    for (size_t b = 0; b < world->body_count; b++) {
        const tide_body *body = world->bodies[b];
        for (size_t i = 0; body->surface && i < 4 * (size_t)body->embedding->fine_count; i++) {
            s->carriers[4 * (size_t)s->carried_count + i] = body->first_particle + body->embedding->vertices[i];
            s->carrier_weights[4 * (size_t)s->carried_count + i] = body->embedding->weights[i];
        }
        s->carried_count += body->surface ? body->embedding->fine_count : 0;
    }
    for (uint32_t p = 0; p < s->carried_count; p++)
        s->inverse_masses[world->particle_count + p] = inverse_mass_of_carried(s, 4 * (size_t)p);
    return TIDE_OK;
}

// --- who may touch whom ---------------------------------------------------------------------------------------------

static void allow(tide_contact_surface *s, size_t a, size_t b, bool touching)
{
    s->touching[a * s->part_count + b] = s->touching[b * s->part_count + a] = touching;
}

// Fills in s->touching. `part_of` (body_count) is the part that takes part in contact for each body; the parts from
// `fixed` on are those of colliders.
static void set_touching(const tide_world *world, tide_contact_surface *s, const size_t *part_of, size_t fixed)
{
    for (size_t a = 0; a < world->body_count; a++) {
        const tide_body_def *look = &world->bodies[a]->look;
        allow(s, part_of[a], part_of[a], look->self_collide);
        for (size_t b = 0; b < a; b++)
            allow(s, part_of[a], part_of[b],
                  look->collide == TIDE_COLLIDE_ALL && world->bodies[b]->look.collide == TIDE_COLLIDE_ALL);
        for (size_t b = fixed; b < s->part_count; b++)
            allow(s, part_of[a], b, look->collide != TIDE_COLLIDE_NONE);
    }
    for (size_t i = 0; i < world->body_pair_count; i++) {
        const tide_world_body_pair *pair = &world->body_pairs[i];
        allow(s, part_of[pair->bodies[0]], part_of[pair->bodies[1]], pair->touching);
    }
}

static tide_status make_touching(const tide_world *world, tide_contact_surface *s, tide_error *error)
{
    size_t *part_of = tide_allocate_array(world->body_count, sizeof *part_of), next = world->body_count;
    s->touching = tide_own_zeroed(s, (size_t)s->part_count * s->part_count, sizeof *s->touching);
    if (!part_of || !s->touching) {
        tide_free(part_of);
        return tide_fail_memory(error, "contact");
    }
    for (size_t b = 0; b < world->body_count; b++)
        part_of[b] = world->bodies[b]->surface ? next++ : b;
    set_touching(world, s, part_of, next);
    tide_free(part_of);
    return TIDE_OK;
}

// --- what is attached -----------------------------------------------------------------------------------------------

// Returns whether an attachment holds its ends closer together than contact allows. A longer spring leaves contact
// between them possible.
static bool joins(const tide_contact_surface *s, const tide_attachment *attachment)
{
    const uint32_t *p = attachment->particles;
    return attachment->tied ||
           attachment->rest_length < s->parts[s->part_of[p[0]]].radius + s->parts[s->part_of[p[1]]].radius;
}

// Points that are joined to one another: those of one end to those of the other.
typedef struct joint {
    uint32_t points[2][4], count[2];
} joint;

static joint joint_of_attachment(const tide_attachment *attachment)
{
    joint j = { .count = { 1, attachment->tied ? 3 : 1 }, .points = { { attachment->particles[0] } } };
    memcpy(j.points[1], attachment->particles + 1, 3 * sizeof *j.points[1]);
    return j;
}

// Returns the first point of a body's surface, behind the particles.
static uint32_t first_of_surface(const tide_world *world, const tide_body *body)
{
    uint32_t first = world->particle_count;
    for (size_t b = 0; world->bodies[b] != body; b++)
        first += world->bodies[b]->surface ? world->bodies[b]->surface->vertex_count : 0;
    return first;
}

static joint joint_of_link(const tide_world *world, const tide_link *link)
{
    joint j = { 0 };
    for (int end = 0; end < 2; end++) {
        const tide_point *point = &link->ends[end];
        const tide_body *body = point->count ? tide_world_body_of_particle(world, point->particles[0]) : NULL;
        bool rigid = body && body->rigid;
        uint32_t first = rigid ? first_of_surface(world, body) : 0;
        j.count[end] = rigid ? point->corner_count : point->count;
        for (uint32_t i = 0; i < j.count[end]; i++)
            j.points[end][i] = first + (rigid ? point->corners : point->particles)[i];
    }
    return j;
}

// Counts the entries of each row (`to` NULL), or adds each end to the row of the other, at the row's next place in
// `to`.
static void add_joint(tide_contact_surface *s, const joint *joint, uint32_t *to)
{
    for (uint32_t i = 0; i < joint->count[0]; i++)
        for (uint32_t k = 0; k < joint->count[1]; k++) {
            uint32_t a = joint->points[0][i], b = joint->points[1][k];
            if (to) {
                s->joined[to[a]++] = b;
                s->joined[to[b]++] = a;
            } else {
                s->joined_starts[a + 1]++;
                s->joined_starts[b + 1]++;
            }
        }
}

static void add_joints(const tide_world *world, tide_contact_surface *s, uint32_t *to)
{
    joint joint;
    for (size_t i = 0; i < world->attachment_count; i++)
        if (joins(s, &world->attachments[i])) {
            joint = joint_of_attachment(&world->attachments[i]);
            add_joint(s, &joint, to);
        }
    for (size_t i = 0; i < world->link_count; i++) {
        joint = joint_of_link(world, &world->links[i]);
        add_joint(s, &joint, to);
    }
}

static tide_status set_joined(const tide_world *world, tide_contact_surface *s, tide_error *error)
{
    if (!world->attachment_count && !world->link_count)
        return TIDE_OK;
    size_t size = (size_t)s->point_count + 1;
    s->joined_starts = tide_own_zeroed(s, size, sizeof *s->joined_starts);
    if (s->joined_starts)
        add_joints(world, s, NULL);
    for (size_t p = 1; p < size && s->joined_starts; p++)
        s->joined_starts[p] += s->joined_starts[p - 1];
    TIDE_SCOPED uint32_t *next = s->joined_starts ? tide_copy_bytes(s->joined_starts, size * sizeof *next) : NULL;
    s->joined = s->joined_starts ? tide_own_array(s, s->joined_starts[size - 1], sizeof *s->joined) : NULL;
    if (!next || !s->joined)
        return tide_fail_memory(error, "contact");
    add_joints(world, s, next);
    return TIDE_OK;
}

static bool has_part(const tide_world *world, const tide_collider *collider, bool all)
{
    return all ? collider->kind->exact && collider->shape.surface->triangle_count
               : tide_world_has_fixed_part(world, collider);
}

static tide_status fill(const tide_world *world, bool all, tide_contact_surface *s, size_t parts, tide_error *error)
{
    builder b = { .surface = s };
    s->parts = tide_own_zeroed(s, parts, sizeof *s->parts);
    if (!s->parts)
        return tide_fail_memory(error, "contact");
    TIDE_TRY(append_bodies(&b, world, error));
    for (uint32_t c = 0; c < world->collider_count; c++)
        if (has_part(world, world->colliders[c], all))
            TIDE_TRY(append(&b, part_of_collider(world->colliders[c], c), world->colliders[c]->shape.surface, error));
    TIDE_TRY(make_touching(world, s, error));
    TIDE_TRY(set_joined(world, s, error));
    TIDE_TRY(tide_world_mark_smooth(s, error));
    s->inverse_masses = tide_own_zeroed(s, s->point_count, sizeof *s->inverse_masses);
    if (!s->inverse_masses)
        return tide_fail_memory(error, "contact");
    for (uint32_t p = 0; p < world->particle_count; p++)
        s->inverse_masses[p] = world->system->rows[p] == TIDE_PINNED ? 0 : 1 / world->system->masses[p];
    TIDE_TRY(set_carriers(world, s, error));
    TIDE_TRY(tide_world_set_materials(world, s, error));
    return tide_world_set_axes(world, s, error);
}

tide_status tide_world_make_surface(const tide_world *world, bool all, tide_contact_surface **out, tide_error *error)
{
    tide_contact_surface *surface = tide_allocate_zeroed(1, sizeof *surface);
    if (!surface)
        return tide_fail_memory(error, "contact");
    size_t parts = world->body_count;
    for (size_t b = 0; b < world->body_count; b++)
        parts += world->bodies[b]->surface != NULL;
    for (size_t c = 0; c < world->collider_count; c++)
        parts += has_part(world, world->colliders[c], all);
    tide_status status = fill(world, all, surface, parts, error);
    if (status != TIDE_OK) {
        tide_free(surface);
        return status;
    }
    *out = surface;
    return TIDE_OK;
}

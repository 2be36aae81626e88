// Rods: edges that resist stretching, with a spring of E A / l each, and bending, at the vertices where exactly two
// edges meet (model/rod_bend.h). The cross-section is a disc: A = pi r^2, I = pi r^4 / 4. At other vertices rods meet
// in ball joints.
//
// With `twist`, each edge has a frame (rod_frames.h), and model/rod_twist.h takes the place of rod_bend.h: rods resist
// twist with G J, G = E / (2 (1 + poisson)) and J = 2 I. A particle of the frame is at an arm a from the middle of the
// edge, and has the mass m r^2 / (2 a^2) of the edge's mass m: the inertia of a disc, r^2 / 2 per mass. The ends of the
// edge have so much less, so the mass of the body stays. a is at least LEAST_ARM radii. Frames of neighbouring
// edges are on opposite sides, so that their weights cancel. They have no twist between them at rest (parallel
// transport), except where a ring closes.
//
// Why frames by particles: every solver, snapshots and contacts treat them as the others, and the energy is a sum of
// small elements without history. Angles that are minimised out (Bergou et al. 2008, sec. 5.1) join all edges of a rod
// in one element, and depend on the past where a rod is curved at rest.
#include "base/memory.h"
#include "base/vec3.h"
#include "model/rod_bend.h"
#include "model/rod_frame.h"
#include "model/rod_twist.h"
#include "world/body_parts.h"
#include "world/material.h"
#include "world/rod_frames.h"

#include <math.h>
#include <string.h>

typedef tide_material_rod_options options;

static const double pi = 3.14159265358979323846;

static const tide_field fields[] = {
    TIDE_POSITIVE_FIELD(options, young, TIDE_BODY_LARGEST, "Pa", "Young's modulus"),
    { .name = "poisson",
      .type = TIDE_FIELD_REAL,
      .offset = offsetof(options, poisson),
      .initial = { 0.3 },
      .minimum = -1,
      .maximum = 0.5,
      .help = "Poisson's ratio, which gives the resistance to twist: G = young / (2 (1 + poisson)); for `twist`" },
    TIDE_POSITIVE_FIELD(options, radius, 1e6, "m", "radius of the round cross-section"),
    { .name = "twist",
      .type = TIDE_FIELD_BOOLEAN,
      .offset = offsetof(options, twist),
      .help = "the rods resist twist with G J, and curvature at rest keeps its direction; an edge with both vertices "
              "pinned does not turn about itself (body:turn turns it)" },
    { .name = NULL },
};

static double section(const void *given)
{
    const options *o = given;
    return pi * o->radius * o->radius;
}

// --- joints ----------------------------------------------------------------------------------------------------------

// A vertex with exactly two edges, between its neighbours.
typedef struct joint {
    uint32_t vertices[3], edges[2];
} joint;

// The joints of a mesh, and the number of edges at each vertex.
typedef struct joints {
    joint *items;
    uint32_t count, *degrees;
} joints;

static void free_joints(joints *found)
{
    tide_free(found->items);
    tide_free(found->degrees);
}

static tide_status find_joints(const tide_mesh *mesh, joints *found, const char *object, tide_error *error)
{
    size_t vertices = mesh->vertex_count;
    TIDE_SCOPED size_t *ends = tide_allocate_array(2 * vertices, sizeof *ends); // of edges, at the other vertices
    *found = (joints) { .items = tide_allocate_array(vertices, sizeof *found->items),
                        .degrees = tide_allocate_zeroed(vertices, sizeof *found->degrees) };
    if (!ends || !found->items || !found->degrees) {
        free_joints(found);
        return tide_fail_memory(error, object);
    }
    for (size_t i = 0; i < 2 * (size_t)mesh->edge_count; i++) {
        uint32_t vertex = mesh->edges[i];
        if (found->degrees[vertex] < 2)
            ends[2 * (size_t)vertex + found->degrees[vertex]] = i ^ 1;
        found->degrees[vertex]++;
    }
    for (uint32_t v = 0; v < vertices; v++)
        if (found->degrees[v] == 2) {
            const size_t *e = ends + 2 * (size_t)v;
            found->items[found->count++] =
                (joint) { { mesh->edges[e[0]], v, mesh->edges[e[1]] }, { (uint32_t)(e[0] / 2), (uint32_t)(e[1] / 2) } };
        }
    return TIDE_OK;
}

static double length_at_rest(const tide_material_use *use, const uint32_t edge[2])
{
    return tide_vec3_length(tide_vec3_subtract(tide_vec3_load(use->rest + 3 * (size_t)edge[0]),
                                               tide_vec3_load(use->rest + 3 * (size_t)edge[1])));
}

// Computes the parameters of a joint. Returns NULL, or what is wrong with it at rest.
static const char *find_parameters(const tide_material_use *use, const uint32_t *joint,
                                   double parameters[TIDE_ROD_BEND_PARAMETERS])
{
    const options *o = use->options;
    double inertia = pi * o->radius * o->radius * o->radius * o->radius / 4;
    const char *wrong = tide_rod_bend.rest(&tide_rod_bend, use->rest, joint, parameters);
    double reach = (parameters[TIDE_ROD_BEND_LENGTH_1] + parameters[TIDE_ROD_BEND_LENGTH_2]) / 2;
    parameters[TIDE_ROD_BEND_STIFFNESS] = o->young * inertia / reach;
    parameters[TIDE_ROD_BEND_STRAIN] = o->radius / reach;
    return wrong;
}

static tide_status check_lengths(const tide_material_use *use, tide_error *error)
{
    const options *o = use->options;
    const tide_mesh *mesh = use->def->mesh;
    for (uint32_t e = 0; e < mesh->edge_count; e++) {
        const uint32_t *edge = mesh->edges + 2 * (size_t)e;
        double stiffness = o->young * section(o) / length_at_rest(use, edge);
        if (!(stiffness <= TIDE_BODY_LARGEST))
            return tide_material_refuse(
                use, NULL, NULL, error,
                "the edge of vertices %u and %u is too short at rest for a stiffness of E A / l; "
                "move them apart",
                edge[0] + 1, edge[1] + 1);
    }
    return TIDE_OK;
}

static tide_status check(const tide_material_use *use, tide_error *error)
{
    const options *o = use->options;
    joints found;
    if (!(o->poisson > -1 && o->poisson < 0.5))
        return tide_material_refuse(use, "poisson", NULL, error,
                                    "expected a number above -1 and below 0.5; give 0.49 for rubber");
    TIDE_TRY(check_lengths(use, error));
    TIDE_TRY(find_joints(use->def->mesh, &found, use->object, error));
    tide_status status = TIDE_OK;
    for (uint32_t j = 0; status == TIDE_OK && j < found.count; j++) {
        const uint32_t *v = found.items[j].vertices;
        double parameters[TIDE_ROD_BEND_PARAMETERS];
        const char *wrong = find_parameters(use, v, parameters);
        if (wrong)
            status = tide_material_refuse(use, NULL, NULL, error, "the rod through vertices %u, %u and %u %s", v[0] + 1,
                                          v[1] + 1, v[2] + 1, wrong);
    }
    free_joints(&found);
    return status;
}

// --- elements --------------------------------------------------------------------------------------------------------

static tide_status make_springs(tide_body *body, const tide_material_use *use, tide_error *error)
{
    const options *o = use->options;
    const tide_mesh *mesh = use->def->mesh;
    size_t count = mesh->edge_count;
    tide_elements *group = tide_body_add_group(body, &tide_spring, mesh->edge_count);
    if (!group)
        return tide_fail_memory(error, use->object);
    for (size_t e = 0; e < count; e++) {
        const uint32_t *edge = mesh->edges + 2 * e;
        double length = length_at_rest(use, edge);
        group->vertices[2 * e] = edge[0];
        group->vertices[2 * e + 1] = edge[1];
        group->parameters[TIDE_SPRING_STIFFNESS * count + e] = o->young * section(o) / length;
        group->parameters[TIDE_SPRING_REST_LENGTH * count + e] = length;
    }
    return TIDE_OK;
}

static tide_status make_bends(tide_body *body, const tide_material_use *use, const joints *found, tide_error *error)
{
    tide_elements *group = tide_body_add_group(body, &tide_rod_bend, found->count);
    for (size_t j = 0; group && j < found->count; j++) {
        double parameters[TIDE_ROD_BEND_PARAMETERS];
        find_parameters(use, found->items[j].vertices, parameters);
        memcpy(group->vertices + 3 * j, found->items[j].vertices, sizeof found->items[j].vertices);
        for (size_t p = 0; p < TIDE_ROD_BEND_PARAMETERS; p++)
            group->parameters[p * found->count + j] = parameters[p];
    }
    return group ? TIDE_OK : tide_fail_memory(error, use->object);
}

// --- frames ----------------------------------------------------------------------------------------------------------

#define LEAST_ARM 20 // radii

static double arm_of(const tide_material_use *use, uint32_t edge)
{
    const options *o = use->options;
    return fmax(length_at_rest(use, use->def->mesh->edges + 2 * (size_t)edge), LEAST_ARM * o->radius);
}

static tide_vec3 along(const double *x, uint32_t from, uint32_t to)
{
    return tide_vec3_normalize(
        tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)to), tide_vec3_load(x + 3 * (size_t)from)));
}

static tide_vec3 across(tide_vec3 t)
{
    tide_vec3 axis = { fabs(t.x) <= fabs(t.y) && fabs(t.x) <= fabs(t.z),
                       fabs(t.y) < fabs(t.x) && fabs(t.y) <= fabs(t.z),
                       fabs(t.z) < fabs(t.x) && fabs(t.z) < fabs(t.y) };
    return tide_vec3_normalize(tide_vec3_cross(t, axis));
}

// Frames that are placed one after another along rods.
typedef struct placing {
    const tide_material_use *use;
    const double *x;
    const int64_t *joint_of; // (vertex_count) index of the vertex's joint; -1
    const joints *found;
    bool *placed; // (edge_count)
    double *out;  // (3 * edge_count)
} placing;

static void place(const placing *p, uint32_t edge, tide_vec3 d, double side)
{
    const uint32_t *ends = p->use->def->mesh->edges + 2 * (size_t)edge;
    tide_vec3 a = tide_vec3_load(p->x + 3 * (size_t)ends[0]), b = tide_vec3_load(p->x + 3 * (size_t)ends[1]);
    tide_vec3 arm = tide_vec3_scale(d, side * arm_of(p->use, edge));
    tide_vec3_store(p->out + 3 * (size_t)edge, tide_vec3_add(tide_vec3_scale(tide_vec3_add(a, b), 0.5), arm));
    p->placed[edge] = true;
}

// Places frames from an edge on, beyond its end `at`, as far as the rod goes.
static void place_along(const placing *p, uint32_t edge, uint32_t from, uint32_t at, tide_vec3 d, double side)
{
    tide_vec3 t = along(p->x, from, at);
    while (p->joint_of[at] >= 0) {
        const joint *j = &p->found->items[p->joint_of[at]];
        int next = j->edges[0] == edge;
        if (p->placed[j->edges[next]])
            return;
        tide_vec3 onwards = along(p->x, at, j->vertices[2 * next]);
        d = tide_rod_transport(d, t, onwards);
        d = tide_vec3_normalize(tide_vec3_subtract(d, tide_vec3_scale(onwards, tide_vec3_dot(d, onwards))));
        side = -side;
        edge = j->edges[next];
        at = j->vertices[2 * next];
        t = onwards;
        place(p, edge, d, side);
    }
}

// Computes the positions of all frames for the vertices at x.
static tide_status place_frames(const tide_material_use *use, const joints *found, const double *x, double *out,
                                tide_error *error)
{
    const tide_mesh *mesh = use->def->mesh;
    TIDE_SCOPED int64_t *joint_of = tide_allocate_array(mesh->vertex_count, sizeof *joint_of);
    TIDE_SCOPED bool *placed = tide_allocate_zeroed(mesh->edge_count, sizeof *placed);
    if (!joint_of || !placed)
        return tide_fail_memory(error, use->object);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        joint_of[v] = -1;
    for (uint32_t j = 0; j < found->count; j++)
        joint_of[found->items[j].vertices[1]] = j;
    const placing p = { use, x, joint_of, found, placed, out };
    for (uint32_t e = 0; e < mesh->edge_count; e++) {
        const uint32_t *ends = mesh->edges + 2 * (size_t)e;
        if (placed[e])
            continue;
        tide_vec3 d = across(along(x, ends[0], ends[1]));
        place(&p, e, d, 1);
        place_along(&p, e, ends[0], ends[1], d, 1);
        place_along(&p, e, ends[1], ends[0], d, 1);
    }
    return TIDE_OK;
}

// Moves mass from the ends of the edges to their frames.
static tide_status add_frames(tide_body *body, const tide_material_use *use, const joints *found, tide_error *error)
{
    const options *o = use->options;
    const tide_mesh *mesh = use->def->mesh;
    TIDE_SCOPED double *positions = tide_allocate_array(mesh->edge_count, 3 * sizeof *positions);
    TIDE_SCOPED double *masses = tide_allocate_array(mesh->edge_count, sizeof *masses);
    TIDE_SCOPED double *given = tide_copy_bytes(body->masses, mesh->vertex_count * sizeof *given);
    if (!positions || !masses || !given)
        return tide_fail_memory(error, use->object);
    for (uint32_t e = 0; e < mesh->edge_count; e++) {
        double ratio = o->radius / arm_of(use, e);
        masses[e] = 0;
        for (size_t k = 0; k < 2; k++) {
            uint32_t v = mesh->edges[2 * (size_t)e + k];
            double part = given[v] / found->degrees[v] * (ratio * ratio / 2);
            masses[e] += part;
            body->masses[v] -= part;
        }
    }
    TIDE_TRY(place_frames(use, found, mesh->vertices, positions, error));
    return tide_body_add_frames(body, positions, masses, use->object, error);
}

static void set_twist(const tide_material_use *use, const double *rest, tide_elements *group, const joint *joint,
                      size_t j)
{
    const options *o = use->options;
    double parameters[TIDE_ROD_TWIST_PARAMETERS], radius = o->radius;
    uint32_t *v = group->vertices + 5 * j;
    memcpy(v, joint->vertices, sizeof joint->vertices);
    for (int k = 0; k < 2; k++)
        v[3 + k] = use->def->mesh->vertex_count + joint->edges[k];
    tide_rod_twist.rest(&tide_rod_twist, rest, v, parameters); // the shape at rest was checked
    double reach = (parameters[TIDE_ROD_TWIST_LENGTH_1] + parameters[TIDE_ROD_TWIST_LENGTH_2]) / 2;
    parameters[TIDE_ROD_TWIST_STIFFNESS] = o->young * (pi * radius * radius * radius * radius / 4) / reach;
    parameters[TIDE_ROD_TWIST_RATIO] = 1 / (1 + o->poisson);
    parameters[TIDE_ROD_TWIST_STRAIN] = radius / reach;
    for (size_t p = 0; p < TIDE_ROD_TWIST_PARAMETERS; p++)
        group->parameters[p * group->count + j] = parameters[p];
}

static tide_status make_twists(tide_body *body, const tide_material_use *use, const joints *found, tide_error *error)
{
    const options *o = use->options;
    const tide_mesh *mesh = use->def->mesh;
    size_t vertices = mesh->vertex_count, edges = mesh->edge_count;
    TIDE_SCOPED double *rest = tide_allocate_array(vertices + edges, 3 * sizeof *rest);
    if (!rest)
        return tide_fail_memory(error, use->object);
    memcpy(rest, use->rest, 3 * vertices * sizeof *rest);
    TIDE_TRY(place_frames(use, found, use->rest, rest + 3 * vertices, error));
    tide_elements *group = found->count ? tide_body_add_group(body, &tide_rod_twist, found->count) : NULL;
    for (size_t j = 0; group && j < found->count; j++)
        set_twist(use, rest, group, &found->items[j], j);
    tide_elements *arms = tide_body_add_group(body, &tide_rod_arm, mesh->edge_count);
    if ((found->count && !group) || !arms)
        return tide_fail_memory(error, use->object);
    for (uint32_t e = 0; e < edges; e++) {
        double arm = arm_of(use, e), length = length_at_rest(use, mesh->edges + 2 * (size_t)e);
        double inertia = pi * o->radius * o->radius * o->radius * o->radius / 4;
        memcpy(arms->vertices + 3 * (size_t)e, mesh->edges + 2 * (size_t)e, 2 * sizeof(uint32_t));
        arms->vertices[3 * (size_t)e + 2] = (uint32_t)vertices + e;
        arms->parameters[TIDE_ROD_ARM_STIFFNESS * edges + e] =
            o->young * inertia / (1 + o->poisson) / (length * arm * arm);
        arms->parameters[TIDE_ROD_ARM_RADIUS * edges + e] = arm;
        arms->parameters[TIDE_ROD_ARM_OFFSET * edges + e] = 0;
        arms->parameters[TIDE_ROD_ARM_LENGTH * edges + e] = length;
    }
    return TIDE_OK;
}

static tide_status make_joints(tide_body *body, const tide_material_use *use, const joints *found, tide_error *error)
{
    const options *o = use->options;
    if (!o->twist)
        return found->count ? make_bends(body, use, found, error) : TIDE_OK;
    TIDE_TRY(add_frames(body, use, found, error));
    return make_twists(body, use, found, error);
}

static tide_status make(tide_body *body, const tide_material_use *use, tide_error *error)
{
    joints found;
    TIDE_TRY(make_springs(body, use, error));
    TIDE_TRY(find_joints(use->def->mesh, &found, use->object, error));
    tide_status status = make_joints(body, use, &found, error);
    free_joints(&found);
    return status;
}

const tide_material tide_material_rod = {
    .name = "rod",
    .help = "elastic rods along edges, which stretch, bend and, with twist = true, twist",
    .fields = fields,
    .options_size = sizeof(options),
    .lua_type = "tide.MaterialRod",
    .part = TIDE_MATERIAL_EDGES,
    .section = section,
    .check = check,
    .make = make,
};

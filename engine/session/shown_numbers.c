#include "session/shown_numbers.h"

#include "base/memory.h"
#include "base/vec3.h"
#include "world/stresses.h"

#include <math.h>
#include <string.h>

// Where the numbers of a body go in the arrays of all bodies.
typedef struct place {
    size_t vertex, edge, triangle, tetrahedron;
} place;

typedef struct numbers {
    double *velocity, *stress, *tension;   // of vertices
    double *edge_tension, *edge_strain;    // of edges
    double *triangle_stress, *cell_stress; // of triangles and tetrahedra
    bool has_stress, has_tension, has_springs, has_triangle_stress, has_cell_stress;
} numbers;

static double finite_or_zero(double number)
{
    return isfinite(number) ? number : 0;
}

// Moves numbers at the vertices of a body to those of its fine surface if it is shown by that.
static tide_status put(tide_world *world, const tide_shown_body *body, tide_body_id id, const double *at_vertices,
                       double *out, tide_error *error)
{
    if (!body->surface) {
        memcpy(out, at_vertices, body->mesh->vertex_count * sizeof *out);
        return TIDE_OK;
    }
    return tide_world_surface_numbers(world, id, at_vertices, out) ? TIDE_OK : tide_fail_memory(error, "surface");
}

static tide_status add_velocities(tide_world *world, const tide_shown_body *body, tide_body_id id, double *out,
                                  tide_error *error)
{
    const double *v = tide_world_velocities(world, id);
    uint32_t count = body->info.vertex_count, shown = body->mesh->vertex_count;
    TIDE_SCOPED double *one = tide_allocate_array(count, sizeof *one);
    TIDE_SCOPED double *moved = tide_allocate_array(shown, sizeof *moved);
    if (!one || !moved)
        return tide_fail_memory(error, "velocities");
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < count; i++)
            one[i] = v[3 * i + k];
        TIDE_TRY(put(world, body, id, one, moved, error));
        for (size_t i = 0; i < shown; i++)
            out[3 * i + k] = moved[i];
    }
    return TIDE_OK;
}

// Adds the largest numbers at vertices.
static tide_status add_largest(tide_world *world, const tide_shown_body *body, tide_body_id id,
                               tide_status (*find)(tide_world *, tide_body_id, double *, tide_error *), double *out,
                               tide_error *error)
{
    TIDE_SCOPED double *each = tide_allocate_array(body->info.vertex_count, sizeof *each);
    if (!each)
        return tide_fail_memory(error, "stresses");
    TIDE_TRY(find(world, id, each, error));
    for (uint32_t i = 0; i < body->info.vertex_count; i++)
        each[i] = finite_or_zero(each[i]);
    return put(world, body, id, each, out, error);
}

// Returns whether a body has elements between two vertices, which have a tension.
static bool has_tensions(const tide_body_info *info)
{
    for (uint32_t g = 0; g < info->group_count; g++)
        if (info->groups[g].count && info->groups[g].kind->vertex_count == 2)
            return true;
    return false;
}

static void add_part_stresses(const tide_stress_field *field, double *out)
{
    for (uint32_t begin = 0; begin < field->count; begin += TIDE_STRESS_BLOCK) {
        tide_stress stresses[TIDE_STRESS_BLOCK];
        uint32_t end = begin + TIDE_STRESS_BLOCK < field->count ? begin + TIDE_STRESS_BLOCK : field->count;
        tide_stress_of(field, begin, end, stresses);
        for (uint32_t i = begin; i < end; i++)
            out[i] = finite_or_zero(tide_stress_von_mises(stresses[i - begin]));
    }
}

// The springs of edges are the first of a body, in the order of the edges.
static tide_status add_springs(tide_world *world, const tide_shown_body *body, tide_body_id id, double *tension,
                               double *strain, bool *any, tide_error *error)
{
    const double *x = tide_world_positions(world, id);
    for (uint32_t e = 0; e < body->mesh->edge_count && e < body->info.spring_count; e++) {
        tide_extra_spring spring;
        TIDE_TRY(tide_world_spring(world, id, e, &spring, error));
        const uint32_t *ends = body->mesh->edges + 2 * (size_t)e;
        bool same = (spring.i == ends[0] && spring.j == ends[1]) || (spring.i == ends[1] && spring.j == ends[0]);
        if (!same)
            continue;
        *any = true;
        tide_vec3 along =
            tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)spring.j), tide_vec3_load(x + 3 * (size_t)spring.i));
        double longer = sqrt(along.x * along.x + along.y * along.y + along.z * along.z) - spring.rest_length;
        tension[e] = finite_or_zero(spring.stiffness * longer);
        strain[e] = spring.stiffness != 0 ? finite_or_zero(longer / spring.rest_length) : 0;
    }
    return TIDE_OK;
}

static tide_status add_body(tide_world *world, const tide_shown_body *body, const place *at, numbers *n,
                            tide_error *error)
{
    tide_body_id id = tide_world_find_body(world, body->info.name);
    double *triangles = n->triangle_stress + at->triangle, *cells = n->cell_stress + at->tetrahedron;
    tide_stress_field field[2];
    TIDE_TRY(add_velocities(world, body, id, n->velocity + 3 * at->vertex, error));
    TIDE_TRY(tide_world_stress_field(world, id, TIDE_STRESS_TRIANGLES, &field[0], error));
    TIDE_TRY(tide_world_stress_field(world, id, TIDE_STRESS_TETRAHEDRA, &field[1], error));
    n->has_stress = n->has_stress || field[0].count || field[1].count;
    n->has_tension = n->has_tension || has_tensions(&body->info);
    TIDE_TRY(add_largest(world, body, id, tide_world_vertex_stresses, n->stress + at->vertex, error));
    TIDE_TRY(add_largest(world, body, id, tide_world_vertex_tensions, n->tension + at->vertex, error));
    if (body->surface) // its triangles are no elements
        return TIDE_OK;
    n->has_triangle_stress = n->has_triangle_stress || field[0].count;
    n->has_cell_stress = n->has_cell_stress || field[1].count;
    add_part_stresses(&field[0], triangles);
    add_part_stresses(&field[1], cells);
    return add_springs(world, body, id, n->edge_tension + at->edge, n->edge_strain + at->edge, &n->has_springs, error);
}

static void add_array(tide_mesh_numbers *list, const char *name, int width, const double *values)
{
    while (list->name)
        list++;
    *list = (tide_mesh_numbers) { name, width, values };
}

tide_status tide_shown_numbers_find(tide_world *world, const tide_shown_body *bodies, uint32_t count,
                                    const tide_mesh *sum, void *owner, tide_mesh_data *data, tide_error *error)
{
    numbers n = { .velocity = tide_own_zeroed(owner, sum->vertex_count, 3 * sizeof(double)),
                  .stress = tide_own_zeroed(owner, sum->vertex_count, sizeof(double)),
                  .tension = tide_own_zeroed(owner, sum->vertex_count, sizeof(double)),
                  .edge_tension = tide_own_zeroed(owner, sum->edge_count, sizeof(double)),
                  .edge_strain = tide_own_zeroed(owner, sum->edge_count, sizeof(double)),
                  .triangle_stress = tide_own_zeroed(owner, sum->triangle_count, sizeof(double)),
                  .cell_stress = tide_own_zeroed(owner, sum->tetrahedron_count, sizeof(double)) };
    if (!tide_owns_all(owner))
        return tide_fail_memory(error, "exported numbers");
    place at = { 0 };
    for (uint32_t i = 0; i < count; i++) {
        const tide_mesh *mesh = bodies[i].mesh;
        TIDE_TRY(add_body(world, &bodies[i], &at, &n, error));
        at.vertex += mesh->vertex_count;
        at.edge += mesh->edge_count;
        at.triangle += mesh->triangle_count;
        at.tetrahedron += mesh->tetrahedron_count;
    }
    *data = (tide_mesh_data) { 0 };
    add_array(data->vertices, "velocity", 3, n.velocity);
    if (n.has_stress)
        add_array(data->vertices, "stress", 1, n.stress);
    if (n.has_tension)
        add_array(data->vertices, "tension", 1, n.tension);
    if (n.has_springs) {
        add_array(data->edges, "tension", 1, n.edge_tension);
        add_array(data->edges, "strain", 1, n.edge_strain);
    }
    if (n.has_triangle_stress)
        add_array(data->triangles, "stress", 1, n.triangle_stress);
    if (n.has_cell_stress)
        add_array(data->tetrahedra, "stress", 1, n.cell_stress);
    return TIDE_OK;
}

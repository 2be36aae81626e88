// Rigid bodies. The simulated mesh is one tetrahedron: four particles with the mass, centre and inertia of the mesh
// that was given. That mesh becomes the embedded surface, all its vertices included, so that contact and drawing are
// those of every body with a surface (body_surface.c).
#include "base/memory.h"
#include "model/mass_properties.h"
#include "world/body_parts.h"
#include "world/material.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static tide_status refuse(const char *object, const char *field, const char *remedy, tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, NULL, "%s", remedy);
}

// Fails for fields that make a body deform.
static tide_status check_fields(const tide_body_def *def, const char *object, tide_error *error)
{
    const struct {
        const char *field;
        bool given;
    } fields[] = { { "stiffness", tide_given(def->stiffness) || def->stiffness_at },
                   { "modulus", tide_given(def->modulus) || def->modulus_at },
                   { "bend", tide_given(def->bend) || def->bend_at },
                   { "bend_modulus", tide_given(def->bend_modulus) || def->bend_modulus_at },
                   { "springs", def->spring_count > 0 },
                   { "elements", def->element_group_count > 0 } };
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++)
        if (fields[f].given)
            return refuse(object, fields[f].field,
                          "has no effect on a rigid body, which does not deform; leave it or `rigid` out", error);
    const tide_material *material;
    for (uint32_t m = 0; (material = tide_material_at(m)); m++)
        if (def->materials[m])
            return refuse(object, material->name,
                          "has no effect on a rigid body, which does not deform; leave it or `rigid` out", error);
    if (def->surface)
        return refuse(object, "surface",
                      "a rigid body shows and touches with `mesh` itself; give the fine mesh as `mesh`", error);
    if (def->rest)
        return refuse(object, "rest", "has no effect on a rigid body; leave it or `rigid` out", error);
    if (!def->mesh->triangle_count)
        return refuse(object, "rigid",
                      "the body's mesh has no triangles, so nothing could touch it; use a mesh of a surface or a solid",
                      error);
    return TIDE_OK;
}

static tide_status find_masses(const tide_body_def *def, bool closed, const char *object, tide_mass_properties *of,
                               tide_error *error)
{
    const tide_mesh *mesh = def->mesh;
    bool density = tide_given(def->density) || def->density_at, solid = mesh->tetrahedron_count || closed;
    if (!density && !def->masses && !tide_given(def->mass) && !tide_given(def->area_density))
        return refuse(object, "density",
                      "is missing; a rigid body needs density (kg/m^3), area_density (kg/m^2), mass (kg) or masses",
                      error);
    if (density && !solid)
        return refuse(object, "density",
                      "is in kg/m^3, and the body's mesh encloses no volume; close it (mesh:check() tells where it is "
                      "open), or give area_density (kg/m^2) or mass (kg), which are spread over its triangles",
                      error);
    if (def->density_at && !mesh->tetrahedron_count)
        return refuse(object, "density",
                      "differs from vertex to vertex, for which a rigid body needs tetrahedra; give one number", error);
    if (def->masses)
        *of = tide_mass_of_points(mesh, def->masses);
    else if (tide_given(def->area_density))
        *of = tide_mass_of_area(mesh, def->area_density);
    else
        *of =
            solid ? tide_mass_of_volume(mesh, def->density_at, density ? def->density : 1) : tide_mass_of_area(mesh, 1);
    if (of->mass < 0) // a closed surface that faces inward
        tide_mass_scale(of, -1);
    if (tide_given(def->mass) && of->mass > 0)
        tide_mass_scale(of, def->mass / of->mass);
    return TIDE_OK;
}

static tide_status check_masses(const tide_mass_properties *of, const char *object, tide_error *error)
{
    char value[48];
    double trace = of->moments[0] + of->moments[4] + of->moments[8];
    snprintf(value, sizeof value, "%.6g kg", of->mass);
    if (!(of->mass > 0 && of->mass <= TIDE_BODY_LARGEST))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "rigid", value,
                         "is the mass of the whole body; expected more than 0");
    if (!(trace > 0 && trace / of->mass > 1e-24))
        return refuse(object, "rigid", "all its mass is at one point; expected mass at three points at least", error);
    return TIDE_OK;
}

// Creates the tetrahedron of the four particles.
static tide_status make_tetrahedron(const double points[12], const tide_mesh **out, tide_error *error)
{
    static const uint32_t corners[] = { 0, 1, 2, 3 };
    tide_mesh_parts parts = { .vertex_count = 4, .tetrahedron_count = 1, .vertices = points, .tetrahedra = corners };
    tide_mesh *made = NULL;
    TIDE_TRY(tide_mesh_create(&parts, &made, error));
    *out = made;
    return TIDE_OK;
}

// Creates the surface: all vertices and triangles of the mesh.
static tide_status make_surface(const tide_mesh *mesh, const tide_mesh **out, tide_error *error)
{
    tide_mesh_parts parts = tide_mesh_view(mesh);
    tide_mesh *made = NULL;
    parts.tetrahedra = parts.edges = parts.skips = NULL;
    parts.tetrahedron_count = parts.edge_count = parts.skip_count = 0;
    TIDE_TRY(tide_mesh_create(&parts, &made, error));
    *out = made;
    return TIDE_OK;
}

tide_status tide_body_make_rigid(tide_body *body, const tide_body_def *def, const char *object, tide_error *error)
{
    tide_mass_properties of;
    tide_mesh_report report;
    double points[12];
    TIDE_TRY(check_fields(def, object, error));
    const tide_mesh *surface = NULL, *tetrahedron = NULL;
    TIDE_TRY(make_surface(def->mesh, &surface, error));
    body->surface = surface;
    TIDE_TRY(tide_mesh_check(surface, &report, error));
    body->surface_closed = tide_body_is_closed(&report);
    TIDE_TRY(find_masses(def, body->surface_closed, object, &of, error));
    TIDE_TRY(check_masses(&of, object, error));
    tide_equimomental_points(&of, points);
    TIDE_TRY(make_tetrahedron(points, &tetrahedron, error));
    tide_mesh_release(body->mesh);
    body->mesh = tetrahedron;
    body->rigid = true;
    for (size_t i = 0; i < 12; i++)
        body->shape[i] = points[i] - of.centre[i % 3];
    TIDE_TRY(tide_embedding_create(tetrahedron, surface->vertices, surface->vertex_count, &body->embedding, error));
    body->masses = tide_allocate_array(4, sizeof *body->masses);
    if (!body->masses || !tide_body_add_group(body, &tide_spring, 0))
        return tide_fail_memory(error, object);
    for (int i = 0; i < 4; i++)
        body->masses[i] = of.mass / 4;
    return TIDE_OK;
}

// --- in the system --------------------------------------------------------------------------------------------------

bool tide_world_has_rigid(const tide_world *world)
{
    for (size_t b = 0; b < world->body_count; b++)
        if (world->bodies[b]->rigid)
            return true;
    return false;
}

tide_status tide_world_add_rigid(const tide_world *world, tide_system *system, tide_error *error)
{
    size_t count = 0, next = 0;
    for (size_t b = 0; b < world->body_count; b++)
        count += world->bodies[b]->rigid;
    TIDE_SCOPED uint32_t *vertices = tide_allocate_array(count, 4 * sizeof *vertices);
    TIDE_SCOPED double *parameters = tide_allocate_array(count, TIDE_RIGID_PARAMETERS * sizeof *parameters);
    if (!vertices || !parameters)
        return tide_fail_memory(error, "rigid bodies");
    const tide_solver_common *common = tide_solver_options(world->solver);
    double rate = common->substeps / world->settings.timestep;
    double stiffness = tide_solver_kind_of(world->solver)->rigid_stiffness * rate * rate;
    for (size_t b = 0; b < world->body_count; b++) {
        const tide_body *body = world->bodies[b];
        if (!body->rigid)
            continue;
        for (uint32_t i = 0; i < 4; i++)
            vertices[4 * next + i] = body->first_particle + i;
        parameters[TIDE_RIGID_STIFFNESS * count + next] = body->masses[0] * stiffness;
        for (size_t i = 0; i < 12; i++)
            parameters[(TIDE_RIGID_SHAPE + i) * count + next] = body->shape[i];
        next++;
    }
    return tide_system_add(system, &tide_rigid, (uint32_t)count, vertices, parameters, error);
}

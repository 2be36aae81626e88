#include "world/stresses.h"

#include "base/vec3.h"
#include "world/material.h"
#include "world/world_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- stress ----------------------------------------------------------------------------------------------------------

// Solids that are springs have tensions, and no stress.
static bool has_part(const tide_body *body, tide_stress_part part)
{
    const tide_material_solid_options *solid = body->materials[tide_material_index(&tide_material_solid)];
    if (part == TIDE_STRESS_TETRAHEDRA)
        return solid && solid->model != TIDE_SOLID_SPRING;
    return body->materials[tide_material_index(&tide_material_membrane)] != NULL;
}

static double thickness_of(const tide_body *body, tide_stress_part part)
{
    const tide_material_membrane_options *membrane = body->materials[tide_material_index(&tide_material_membrane)];
    return part == TIDE_STRESS_TETRAHEDRA ? 1 : membrane->thickness;
}

tide_status tide_world_stress_field(tide_world *world, tide_body_id id, tide_stress_part part, tide_stress_field *field,
                                    tide_error *error)
{
    *field = (tide_stress_field) { 0 };
    TIDE_TRY(tide_world_groups(world, id, &field->groups, &field->group_count, error));
    const tide_body *body = tide_world_lookup(world, id);
    const tide_mesh *mesh = body->mesh;
    if (!has_part(body, part))
        return TIDE_OK;
    field->first_particle = body->first_particle;
    field->corners = part == TIDE_STRESS_TETRAHEDRA ? 4 : 3;
    field->count = part == TIDE_STRESS_TETRAHEDRA ? mesh->tetrahedron_count : mesh->triangle_count;
    field->vertices = part == TIDE_STRESS_TETRAHEDRA ? mesh->tetrahedra : mesh->triangles;
    field->positions = world->positions;
    field->thickness = thickness_of(body, part);
    return TIDE_OK;
}

// Returns whether a group may have the parts of the mesh as its elements.
static bool may_be_on(const tide_stress_field *field, const tide_elements *group)
{
    return group->kind->size_now && group->kind->vertex_count == field->corners && group->count == field->count;
}

// Returns whether element `index` of a group is that part of the mesh: a group that a script lists may have others.
static bool is_on(const tide_stress_field *field, const tide_elements *group, uint32_t index)
{
    size_t first = field->corners * (size_t)index;
    for (size_t c = first; c < first + field->corners; c++)
        if (group->vertices[c] != field->first_particle + field->vertices[c])
            return false;
    return true;
}

void tide_stress_of(const tide_stress_field *field, uint32_t begin, uint32_t end, tide_stress *out)
{
    double sizes[TIDE_STRESS_BLOCK] = { 0 }; // by the first group, the solid or membrane itself
    tide_stress virials[TIDE_STRESS_BLOCK];
    memset(out, 0, (end - begin) * sizeof *out);
    for (uint32_t g = 0; g < field->group_count; g++) {
        const tide_elements *group = &field->groups[g];
        if (!may_be_on(field, group))
            continue;
        tide_stress_find_virials(group, field->positions, begin, end, virials);
        for (uint32_t e = begin; e < end; e++) {
            uint32_t i = e - begin;
            if (!is_on(field, group, e) || tide_element_stiffness(group, e) == 0)
                continue;
            if (sizes[i] <= 0)
                sizes[i] = group->kind->size_now(group, field->positions, e) * field->thickness;
            out[i] = tide_stress_add(out[i], virials[i]);
        }
    }
    for (uint32_t i = 0; i < end - begin; i++)
        if (sizes[i] > 0 || tide_stress_von_mises(out[i]) > 0)
            out[i] = tide_stress_scale(out[i], 1 / sizes[i]);
}

// Finds the stresses of the solid, or if there is none of the membrane.
static tide_status field_of(tide_world *world, tide_body_id id, tide_stress_field *field, tide_error *error)
{
    TIDE_TRY(tide_world_stress_field(world, id, TIDE_STRESS_TETRAHEDRA, field, error));
    return field->count ? TIDE_OK : tide_world_stress_field(world, id, TIDE_STRESS_TRIANGLES, field, error);
}

// Computes the von Mises stresses of the first parts from `begin` on, and returns how many.
static uint32_t find_von_mises(const tide_stress_field *field, uint32_t begin, double out[TIDE_STRESS_BLOCK])
{
    uint32_t count = field->count - begin < TIDE_STRESS_BLOCK ? field->count - begin : TIDE_STRESS_BLOCK;
    tide_stress stresses[TIDE_STRESS_BLOCK];
    tide_stress_of(field, begin, begin + count, stresses);
    for (uint32_t i = 0; i < count; i++)
        out[i] = tide_stress_von_mises(stresses[i]);
    return count;
}

tide_status tide_world_largest_stress(tide_world *world, tide_body_id id, double *stress, uint32_t *index,
                                      tide_error *error)
{
    tide_stress_field field;
    double found[TIDE_STRESS_BLOCK];
    TIDE_TRY(field_of(world, id, &field, error));
    uint32_t largest = 0;
    *stress = 0;
    for (uint32_t e = 0, count; e < field.count; e += count) {
        count = find_von_mises(&field, e, found);
        for (uint32_t i = 0; i < count; i++)
            if (found[i] > *stress) {
                *stress = found[i];
                largest = e + i;
            }
    }
    if (index)
        *index = largest;
    return TIDE_OK;
}

tide_status tide_world_vertex_stresses(tide_world *world, tide_body_id id, double *out, tide_error *error)
{
    tide_body_info info;
    tide_stress_field field;
    double found[TIDE_STRESS_BLOCK];
    TIDE_TRY(tide_world_check_body(world, id, &info, error));
    TIDE_TRY(field_of(world, id, &field, error));
    memset(out, 0, info.vertex_count * sizeof *out);
    for (uint32_t e = 0, count; e < field.count; e += count) {
        count = find_von_mises(&field, e, found);
        for (uint32_t c = 0; c < field.corners * count; c++) {
            uint32_t vertex = field.vertices[field.corners * (size_t)e + c];
            out[vertex] = fmax(out[vertex], found[c / field.corners]);
        }
    }
    return TIDE_OK;
}

// --- tension ---------------------------------------------------------------------------------------------------------

// The part of dE/dp1 along p1 - p0.
static double tension_of(const tide_elements *group, const double *x, uint32_t e)
{
    double gradient[TIDE_ELEMENT_MAX_NUMBERS];
    const uint32_t *ends = group->vertices + 2 * (size_t)e;
    group->kind->gradient(group, x, e, e + 1, gradient);
    tide_vec3 along =
                  tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)ends[1]), tide_vec3_load(x + 3 * (size_t)ends[0])),
              force = tide_vec3_load(gradient + 3);
    double length = tide_vec3_length(along);
    return length > 0 ? tide_vec3_dot(force, along) / length : -tide_vec3_length(force);
}

tide_status tide_world_tension(tide_world *world, tide_body_id id, uint32_t element, double *tension, tide_error *error)
{
    tide_body_info info;
    const tide_elements *group;
    uint32_t count, e = element;
    char object[96], value[32];
    TIDE_TRY(tide_world_check_body(world, id, &info, error));
    TIDE_TRY(tide_world_groups(world, id, &group, &count, error));
    tide_body_object(info.name, object);
    snprintf(value, sizeof value, "%llu", 1ULL + element);
    if (element >= info.element_count)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "tension", value, "expected %s from 1 to %u",
                         info.element_count > info.spring_count ? "an element" : "a spring", info.element_count);
    for (; e >= group->count; group++)
        e -= group->count;
    if (group->kind->vertex_count != 2)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "tension", value,
                         "this element is of the kind %s; expected one between two vertices, or stress(i) for "
                         "tetrahedra and triangles",
                         group->kind->name);
    *tension = tension_of(group, world->positions, e);
    return TIDE_OK;
}

tide_status tide_world_vertex_tensions(tide_world *world, tide_body_id id, double *out, tide_error *error)
{
    tide_body_info info;
    const tide_elements *groups;
    uint32_t count;
    TIDE_TRY(tide_world_check_body(world, id, &info, error));
    TIDE_TRY(tide_world_groups(world, id, &groups, &count, error));
    memset(out, 0, info.vertex_count * sizeof *out);
    for (uint32_t g = 0; g < count; g++)
        for (uint32_t e = 0; groups[g].kind->vertex_count == 2 && e < groups[g].count; e++) {
            double tension = tension_of(&groups[g], world->positions, e);
            for (uint32_t c = 0; c < 2; c++) {
                uint32_t vertex = groups[g].vertices[2 * (size_t)e + c] - info.first_particle;
                if (fabs(tension) > fabs(out[vertex]))
                    out[vertex] = tension;
            }
        }
    return TIDE_OK;
}

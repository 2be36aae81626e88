// Limits of strain: of the tetrahedra of a solid, of the triangles of a membrane, and of the edges that have springs.
#include "model/membrane.h"
#include "model/solid.h"
#include "model/solid_flow.h"
#include "model/strain_limit.h"
#include "world/body_parts.h"
#include "world/material.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef tide_material_strain_limit_options options;

#define STIFFER                                                                                                        \
    10 // stiffness of a limit, relative to what it limits: 0.002 then hold a load that stretches that by 110 %

static const tide_field fields[] = {
    TIDE_OMITTED_FIELD(options, stretch, "no limit", 1e6, NULL,
                       "largest stretch, relative to the length at rest; 0.02: 2 % longer"),
    TIDE_OMITTED_FIELD(options, compression, "no limit", 1, NULL, "largest compression; 0.1: 10 % shorter"),
    { .name = "tolerance",
      .type = TIDE_FIELD_REAL,
      .offset = offsetof(options, tolerance),
      .initial = { 0.002 },
      .minimum = 1e-6,
      .maximum = 1,
      .help = "how far a stretch may exceed a limit; the smaller, the harder to solve" },
    { .name = NULL },
};

static bool has_springs(const tide_body_def *def)
{
    return tide_given(def->stiffness) || tide_given(def->modulus) || def->stiffness_at || def->modulus_at;
}

static tide_status check(const tide_material_use *use, tide_error *error)
{
    const options *o = use->options;
    if (!tide_given(o->stretch) && !tide_given(o->compression))
        return tide_material_refuse(use, "stretch", NULL, error, "missing; give stretch, compression or both");
    return TIDE_OK;
}

static void set_limit(const options *o, double *parameters)
{
    parameters[TIDE_LIMIT_STRETCH] = tide_given(o->stretch) ? o->stretch : 1e6;
    parameters[TIDE_LIMIT_COMPRESSION] = tide_given(o->compression) ? o->compression : 1;
    parameters[TIDE_LIMIT_TOLERANCE] = o->tolerance;
}

static void store(tide_elements *group, uint32_t e, const double *parameters)
{
    for (size_t p = 0; p < group->kind->parameter_count; p++)
        group->parameters[p * group->count + e] = parameters[p];
}

// Limits the triangles of group g, a membrane: k is the larger of its stiffnesses along warp and weft.
static tide_status limit_triangles(tide_body *body, uint32_t g, const tide_material_use *use, tide_error *error)
{
    tide_elements *group = tide_body_add_group(body, &tide_limit_triangle, body->groups[g].count);
    if (!group)
        return tide_fail_memory(error, use->object);
    const tide_elements *membrane = &body->groups[g];
    memcpy(group->vertices, membrane->vertices, 3 * (size_t)group->count * sizeof *group->vertices);
    for (uint32_t t = 0; t < group->count; t++) {
        double parameters[TIDE_ELEMENT_MAX_PARAMETERS];
        for (size_t p = 0; p < TIDE_MEMBRANE_LAW; p++)
            parameters[p] = membrane->parameters[p * membrane->count + t];
        parameters[TIDE_MEMBRANE_STIFFNESS] =
            STIFFER * fmax(parameters[TIDE_MEMBRANE_STIFFNESS], tide_membrane_bound(membrane, t) / 2);
        set_limit(use->options, parameters + TIDE_MEMBRANE_LAW);
        store(group, t, parameters);
    }
    return TIDE_OK;
}

// Limits the tetrahedra of group g, a solid: k is its modulus lambda + 2 mu of a stretch, or 2 mu if that is larger.
static tide_status limit_tetrahedra(tide_body *body, uint32_t g, const tide_material_use *use, tide_error *error)
{
    tide_elements *group = tide_body_add_group(body, &tide_limit_tetrahedron, body->groups[g].count);
    if (!group)
        return tide_fail_memory(error, use->object);
    const tide_elements *tetrahedra = &body->groups[g];
    memcpy(group->vertices, tetrahedra->vertices, 4 * (size_t)group->count * sizeof *group->vertices);
    for (uint32_t t = 0; t < group->count; t++) {
        double parameters[TIDE_ELEMENT_MAX_PARAMETERS];
        for (size_t p = 0; p < TIDE_SOLID_PARAMETERS; p++)
            parameters[p] = tetrahedra->parameters[p * tetrahedra->count + t];
        parameters[TIDE_SOLID_STIFFNESS] *= STIFFER * (2 + fmax(parameters[TIDE_SOLID_RATIO], 0));
        set_limit(use->options, parameters + TIDE_SOLID_PARAMETERS);
        store(group, t, parameters);
    }
    return TIDE_OK;
}

// Limits the first `count` springs of group g.
static tide_status limit_springs(tide_body *body, uint32_t g, uint32_t count, const tide_material_use *use,
                                 tide_error *error)
{
    tide_elements *group = tide_body_add_group(body, &tide_limit_spring, count);
    if (!group)
        return tide_fail_memory(error, use->object);
    const tide_elements *springs = &body->groups[g];
    memcpy(group->vertices, springs->vertices, 2 * (size_t)count * sizeof *group->vertices);
    for (uint32_t e = 0; e < count; e++) {
        double parameters[TIDE_ELEMENT_MAX_PARAMETERS];
        parameters[0] = STIFFER * springs->parameters[TIDE_SPRING_STIFFNESS * (size_t)springs->count + e];
        parameters[1] = springs->parameters[TIDE_SPRING_REST_LENGTH * (size_t)springs->count + e];
        set_limit(use->options, parameters + 2);
        store(group, e, parameters);
    }
    return TIDE_OK;
}

// The first group holds the springs of the edges, then others; later groups of springs are those of materials.
static tide_status make(tide_body *body, const tide_material_use *use, tide_error *error)
{
    uint32_t groups = body->group_count, limited = 0;
    tide_status status = TIDE_OK;
    for (uint32_t g = 0; g < groups && status == TIDE_OK; g++) {
        const tide_elements *group = &body->groups[g];
        bool springs = group->kind == &tide_spring && (g > 0 || has_springs(use->def));
        bool membrane = group->kind->rest == tide_membrane_rest;
        bool solid = tide_is_solid(group->kind);
        limited += springs || membrane || solid;
        if (solid)
            status = limit_tetrahedra(body, g, use, error);
        else if (springs)
            status = limit_springs(body, g, g > 0 ? group->count : use->def->mesh->edge_count, use, error);
        else if (membrane)
            status = limit_triangles(body, g, use, error);
    }
    if (status == TIDE_OK && !limited)
        return tide_material_refuse(use, NULL, NULL, error,
                                    "it limits a solid, a membrane or the springs of edges, and the body has none; "
                                    "give solid, membrane or stiffness");
    return status;
}

const tide_material tide_material_strain_limit = {
    .name = "strain_limit",
    .help = "holds the stretches of a solid, a membrane or springs within limits",
    .fields = fields,
    .options_size = sizeof(options),
    .lua_type = "tide.MaterialStrainLimit",
    .part = TIDE_MATERIAL_BODY,
    .check = check,
    .make = make,
};

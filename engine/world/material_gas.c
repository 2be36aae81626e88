// A gas within a closed surface, and a constant pressure on it.
#include "base/vec3.h"
#include "model/pressure.h"
#include "world/body_parts.h"
#include "world/material.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef tide_material_gas_options options;

#define PRESSURE                                                                                                       \
    {                                                                                                                  \
        .name = "pressure", .type = TIDE_FIELD_REAL, .offset = offsetof(options, pressure),                            \
        .minimum = -TIDE_BODY_LARGEST, .maximum = TIDE_BODY_LARGEST, .required = true, .unit = "Pa",                   \
        .help = "pressure over the ambient pressure; of an isothermal gas, at the volume at rest"                      \
    }

static const tide_field pressure_fields[] = { PRESSURE, { .name = NULL } };

static const tide_field gas_fields[] = {
    PRESSURE,
    { .name = "isothermal",
      .type = TIDE_FIELD_BOOLEAN,
      .offset = offsetof(options, isothermal),
      .help =
          "the pressure falls as the volume grows, as that of an enclosed ideal gas at constant temperature; false: "
          "it is constant" },
    { .name = "ambient",
      .type = TIDE_FIELD_REAL,
      .offset = offsetof(options, ambient),
      .initial = { 101325 },
      .maximum = TIDE_BODY_LARGEST,
      .unit = "Pa",
      .help = "ambient pressure, of an isothermal gas" },
    { .name = NULL },
};

// The mean of the vertices at rest, which the volume is summed about.
static tide_vec3 centre_of(const tide_material_use *use)
{
    tide_vec3 sum = { 0, 0, 0 };
    uint32_t count = use->def->mesh->vertex_count;
    for (uint32_t v = 0; v < count; v++)
        sum = tide_vec3_add(sum, tide_vec3_load(use->rest + 3 * (size_t)v));
    return tide_vec3_scale(sum, 1.0 / count);
}

static double volume_at_rest(const tide_material_use *use)
{
    tide_vec3 centre = centre_of(use);
    double sum = 0;
    for (uint32_t t = 0; t < use->def->mesh->triangle_count; t++) {
        tide_vec3 p[3];
        for (size_t c = 0; c < 3; c++)
            p[c] = tide_vec3_subtract(
                tide_vec3_load(use->rest + 3 * (size_t)use->def->mesh->triangles[3 * (size_t)t + c]), centre);
        sum += tide_vec3_dot(p[0], tide_vec3_cross(p[1], p[2])) / 6;
    }
    return sum;
}

static tide_status check(const tide_material_use *use, tide_error *error)
{
    const options *o = use->options;
    const tide_mesh *mesh = use->def->mesh;
    uint32_t edge;
    bool turned;
    char value[64];
    tide_status status = tide_mesh_find_opening(mesh, &edge, &turned, error);
    if (status != TIDE_OK)
        return status;
    if (edge < mesh->edge_count) {
        const uint32_t *v = mesh->edges + 2 * (size_t)edge;
        snprintf(value, sizeof value, "edge (%u, %u)", v[0] + 1, v[1] + 1);
        return tide_material_refuse(use, NULL, value, error,
                                    turned ? "the triangles at this edge face opposite sides; turn one around, as "
                                             "mesh:repair() does"
                                           : "the surface is not closed, so that it encloses no gas; close it, as "
                                             "tide.mesh.sphere { ... } is");
    }
    if (!(volume_at_rest(use) > 0))
        return tide_material_refuse(use, NULL, NULL, error,
                                    "the surface faces inward; turn its triangles around, as mesh:repair() does");
    if (use->material == &tide_material_gas && o->isothermal && !(o->ambient + o->pressure > 0)) {
        snprintf(value, sizeof value, "%.10g", o->pressure);
        return tide_material_refuse(use, "pressure", value, error,
                                    "an isothermal gas has a positive absolute pressure; expected more than -ambient");
    }
    return TIDE_OK;
}

static tide_status make(tide_body *body, const tide_material_use *use, tide_error *error)
{
    const options *o = use->options;
    const tide_mesh *mesh = use->def->mesh;
    bool isothermal = use->material == &tide_material_gas && o->isothermal;
    const tide_element_kind *kind = isothermal ? &tide_gas : &tide_pressure;
    tide_elements *group = tide_body_add_group(body, kind, mesh->triangle_count);
    if (!group)
        return tide_fail_memory(error, use->object);
    double volume = volume_at_rest(use);
    tide_vec3 centre = centre_of(use);
    memcpy(group->vertices, mesh->triangles, 3 * (size_t)group->count * sizeof *group->vertices);
    const double parameters[TIDE_GAS_PARAMETERS] = { o->pressure, centre.x,   centre.y,
                                                     centre.z,    o->ambient, (o->ambient + o->pressure) * volume,
                                                     volume };
    for (size_t p = 0; p < kind->parameter_count; p++)
        for (size_t t = 0; t < group->count; t++)
            group->parameters[p * group->count + t] = parameters[p];
    return TIDE_OK;
}

const tide_material tide_material_gas = {
    .name = "gas",
    .help = "a gas within a closed surface",
    .fields = gas_fields,
    .options_size = sizeof(options),
    .lua_type = "tide.MaterialGas",
    .part = TIDE_MATERIAL_CLOSED_SURFACE,
    .check = check,
    .make = make,
};

const tide_material tide_material_pressure = {
    .name = "pressure",
    .help = "a constant pressure within a closed surface: pressure = 500, the same as gas = { pressure = 500 }",
    .fields = pressure_fields,
    .options_size = sizeof(options),
    .lua_type = "number|tide.MaterialPressure",
    .part = TIDE_MATERIAL_CLOSED_SURFACE,
    .allows_number = true,
    .check = check,
    .make = make,
};

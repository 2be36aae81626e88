// Shells: hinges between triangles that resist bending.
#include "base/memory.h"
#include "model/hinge.h"
#include "model/shell.h"
#include "world/body_parts.h"
#include "world/material.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef tide_material_shell_options options;

enum { QUADRATIC, DISCRETE };
enum { FLAT, SHAPE };
static const char *const models[] = { "quadratic", "discrete", NULL };
static const char *const rests[] = { "flat", "shape", NULL };

static const tide_field fields[] = {
    { .name = "model",
      .type = TIDE_FIELD_CHOICE,
      .offset = offsetof(options, model),
      .choices = models,
      .help = "quadratic: isometric quadratic bending, for sheets that are flat at rest and hardly stretch; discrete: "
              "discrete shells, by the angles between triangles" },
    TIDE_POSITIVE_FIELD(options, bending, TIDE_BODY_LARGEST, "N m",
                        "bending stiffness: torque per width and curvature, young thickness^3 / (12 (1 - poisson^2))"),
    { .name = "rest",
      .type = TIDE_FIELD_CHOICE,
      .offset = offsetof(options, rest),
      .choices = rests,
      .help = "flat: the sheet tends to a plane; shape: to the angles of the mesh at rest, with discrete" },
    { .name = "thickness",
      .type = TIDE_FIELD_REAL,
      .offset = offsetof(options, thickness),
      .initial = { TIDE_NOT_GIVEN },
      .initial_text = "that of the membrane",
      .maximum = TIDE_BODY_LARGEST,
      .positive = true,
      .unit = "m",
      .help = "thickness for plasticity: the faces of a sheet of curvature k have the strain k thickness / 2" },
    { .name = NULL },
};

static tide_status refuse_hinge(const tide_material_use *use, const uint32_t *v, tide_error *error)
{
    char value[64];
    snprintf(value, sizeof value, "edge (%u, %u)", v[0] + 1, v[1] + 1);
    return tide_material_refuse(use, NULL, value, error,
                                "a triangle at this edge has no area at rest; move its vertices apart");
}

static double thickness_of(const tide_material_use *use)
{
    const options *o = use->options;
    return tide_given(o->thickness) ? o->thickness : use->membrane ? use->membrane->thickness : TIDE_NOT_GIVEN;
}

// Returns the strain of the faces, k thickness / 2, for an angle of 1: k is the angle over the distance of the centres
// of the two triangles across the edge, 2/3 (A + A') / |e| on a flat sheet.
static double strain_of(const tide_material_use *use, const uint32_t *v, const tide_hinge_shape *shape)
{
    double length = tide_vec3_length(
        tide_vec3_subtract(tide_vec3_load(use->rest + 3 * (size_t)v[1]), tide_vec3_load(use->rest + 3 * (size_t)v[0])));
    return 0.75 * thickness_of(use) * shape->factor / length;
}

// Fills in the parameters of one hinge.
static tide_status find_parameters(const tide_material_use *use, const uint32_t *v, double *parameters,
                                   tide_error *error)
{
    const options *o = use->options;
    tide_hinge_shape shape = tide_hinge_at_rest(use->rest, v);
    double sum = shape.factor;
    for (int c = 0; c < 4; c++)
        sum += shape.weights[c];
    if (!isfinite(sum))
        return refuse_hinge(use, v, error);
    if (o->model == QUADRATIC) {
        memcpy(parameters + TIDE_SHELL_QUADRATIC_WEIGHTS, shape.weights, sizeof shape.weights);
    } else {
        tide_fields_default(tide_shell_discrete.fields, parameters);
        parameters[TIDE_SHELL_DISCRETE_REST_ANGLE] = o->rest == SHAPE ? TIDE_NOT_GIVEN : 0;
        if (tide_given(thickness_of(use)))
            parameters[TIDE_SHELL_DISCRETE_STRAIN] = strain_of(use, v, &shape);
        tide_shell_discrete.rest(&tide_shell_discrete, use->rest, v, parameters);
    }
    parameters[0] = o->bending;
    return TIDE_OK;
}

static tide_status check(const tide_material_use *use, tide_error *error)
{
    const options *o = use->options;
    if (o->model == QUADRATIC && o->rest == SHAPE)
        return tide_material_refuse(use, "rest", "\"shape\"", error,
                                    "quadratic is for sheets that are flat at rest; choose model = \"discrete\"");
    if (use->plastic && o->model == QUADRATIC)
        return tide_material_refuse(use, "model", "\"quadratic\"", error,
                                    "it is flat at rest for good, and the body is plastic; choose \"discrete\"");
    if (use->plastic && !tide_given(thickness_of(use)))
        return tide_material_refuse(use, "thickness", NULL, error,
                                    "missing: plastic flow begins at a strain of the sheet's faces");
    uint32_t *corners, count;
    tide_status status = tide_mesh_hinge_corners(use->def->mesh, &corners, &count, error);
    if (status != TIDE_OK)
        return status;
    if (!count)
        status = tide_material_refuse(use, NULL, NULL, error,
                                      "the body's mesh has no two triangles that share an edge; leave it out");
    for (uint32_t h = 0; h < count && status == TIDE_OK; h++) {
        double parameters[TIDE_ELEMENT_MAX_PARAMETERS];
        status = find_parameters(use, corners + 4 * (size_t)h, parameters, error);
    }
    tide_free(corners);
    return status;
}

static tide_status make(tide_body *body, const tide_material_use *use, tide_error *error)
{
    const options *o = use->options;
    const tide_element_kind *kind = o->model == QUADRATIC ? &tide_shell_quadratic : &tide_shell_discrete;
    uint32_t *corners, count;
    tide_status status = tide_mesh_hinge_corners(use->def->mesh, &corners, &count, error);
    if (status != TIDE_OK)
        return status;
    tide_elements *group = tide_body_add_group(body, kind, count);
    if (!group)
        status = tide_fail_memory(error, use->object);
    else
        memcpy(group->vertices, corners, 4 * (size_t)count * sizeof *corners);
    for (uint32_t h = 0; h < count && status == TIDE_OK; h++) {
        double parameters[TIDE_ELEMENT_MAX_PARAMETERS];
        status = find_parameters(use, corners + 4 * (size_t)h, parameters, error);
        for (size_t p = 0; p < kind->parameter_count && status == TIDE_OK; p++)
            group->parameters[p * count + h] = parameters[p];
    }
    tide_free(corners);
    return status;
}

const tide_material tide_material_shell = {
    .name = "shell",
    .help = "edges between triangles that resist bending",
    .fields = fields,
    .options_size = sizeof(options),
    .lua_type = "tide.MaterialShell",
    .part = TIDE_MATERIAL_TRIANGLES,
    .check = check,
    .make = make,
};

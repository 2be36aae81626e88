// Membranes: triangles that resist stretch and shear in their plane.
#include "base/vec3.h"
#include "model/membrane.h"
#include "world/body_parts.h"
#include "world/material.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef tide_material_membrane_options options;

#define USUAL_POISSON 0.3

extern const tide_element_kind tide_membrane_arap, tide_membrane_stvk, tide_membrane_neo_hookean,
    tide_membrane_orthotropic, tide_membrane_baraff_witkin;
enum { ARAP, STVK, NEO_HOOKEAN, ORTHOTROPIC, BARAFF_WITKIN };
static const char *const models[] = { "arap", "stvk", "neo_hookean", "orthotropic", "baraff_witkin", NULL };
static const tide_element_kind *const kinds[] = { &tide_membrane_arap, &tide_membrane_stvk, &tide_membrane_neo_hookean,
                                                  &tide_membrane_orthotropic, &tide_membrane_baraff_witkin };

#define MODULUS(name_, text, help_)                                                                                    \
    {                                                                                                                  \
        .name = #name_, .type = TIDE_FIELD_REAL, .offset = offsetof(options, name_), .initial = { TIDE_NOT_GIVEN },    \
        .initial_text = text, .maximum = TIDE_BODY_LARGEST, .positive = true, .unit = "Pa", .help = help_              \
    }

static const tide_field fields[] = {
    { .name = "model",
      .type = TIDE_FIELD_CHOICE,
      .offset = offsetof(options, model),
      .initial = { STVK },
      .choices = models,
      .help =
          "arap: as rigid as possible, by mu alone, without lateral contraction; stvk: St. Venant-Kirchhoff, for small "
          "strain; "
          "neo_hookean: rubber, for large strain; orthotropic: stvk with moduli along warp and weft; baraff_witkin: "
          "the stretch and shear conditions of Baraff and Witkin 1998" },
    MODULUS(young, "required by arap, stvk, neo_hookean", "Young's modulus"),
    { .name = "poisson",
      .type = TIDE_FIELD_REAL,
      .offset = offsetof(options, poisson),
      .initial = { TIDE_NOT_GIVEN },
      .initial_text = "0.3; 0 for arap",
      .minimum = -1,
      .maximum = 0.5,
      .help = "Poisson's ratio, above -1 and below 0.5; for orthotropic that of tension along the warp" },
    TIDE_POSITIVE_FIELD(options, thickness, TIDE_BODY_LARGEST, "m",
                        "thickness, which turns Pa into N/m and density into mass per area"),
    MODULUS(warp, "young", "modulus along the warp, of orthotropic and baraff_witkin"),
    MODULUS(weft, "that of the warp", "modulus across the warp, of orthotropic and baraff_witkin"),
    MODULUS(shear, "a tenth of that of the warp", "shear modulus, of orthotropic and baraff_witkin"),
    { .name = "direction",
      .type = TIDE_FIELD_VECTOR,
      .offset = offsetof(options, direction),
      .initial = { TIDE_NOT_GIVEN, TIDE_NOT_GIVEN, TIDE_NOT_GIVEN },
      .initial_text = "along the texture, or {1, 0, 0}",
      .help = "direction of the warp at rest, of orthotropic and baraff_witkin; if it is not given, that in which the "
              "first texture coordinate grows" },
    { .name = NULL },
};

static double section(const void *given)
{
    return ((const options *)given)->thickness;
}

static bool has_threads(const options *o)
{
    return o->model == ORTHOTROPIC || o->model == BARAFF_WITKIN;
}

static double warp_of(const options *o)
{
    return tide_given(o->warp) ? o->warp : o->young;
}

static double weft_ratio(const options *o)
{
    return tide_given(o->weft) ? o->weft / warp_of(o) : 1;
}

static double poisson_of(const options *o)
{
    return tide_given(o->poisson) ? o->poisson : o->model == ARAP ? 0 : USUAL_POISSON;
}

static tide_status check_poisson(const tide_material_use *use, tide_error *error)
{
    const options *o = use->options;
    char value[32];
    snprintf(value, sizeof value, "%.10g", o->poisson);
    if (!tide_given(o->poisson))
        return TIDE_OK;
    if (!(o->poisson > -1 && o->poisson < 0.5))
        return tide_material_refuse(use, "poisson", value, error,
                                    "expected a number above -1 and below 0.5; give 0.49 for rubber");
    if (o->model == BARAFF_WITKIN)
        return tide_material_refuse(use, "poisson", value, error,
                                    "the conditions of baraff_witkin have no lateral contraction; leave it out, or "
                                    "choose model = \"orthotropic\"");
    if (o->model == NEO_HOOKEAN && o->poisson < 0)
        return tide_material_refuse(use, "poisson", value, error,
                                    "neo_hookean expects at least 0; choose model = \"stvk\" for a sheet that widens "
                                    "when it is pulled");
    return TIDE_OK;
}

// The moduli that the model takes, and no others.
static tide_status check_moduli(const tide_material_use *use, tide_error *error)
{
    const options *o = use->options;
    const struct {
        const char *name;
        bool given;
    } own[] = { { "warp", tide_given(o->warp) },
                { "weft", tide_given(o->weft) },
                { "shear", tide_given(o->shear) },
                { "direction", tide_given(o->direction[0]) } };
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (own[i].given && !has_threads(o))
            return tide_material_refuse(use, own[i].name, NULL, error,
                                        "%s is alike in all directions; leave it out, or choose model = "
                                        "\"orthotropic\"",
                                        models[o->model]);
    if (!tide_given(o->young) && (!has_threads(o) || !tide_given(o->warp)))
        return tide_material_refuse(use, "young", NULL, error, "missing; Young's modulus%s",
                                    has_threads(o) ? ", or give warp" : "");
    if (has_threads(o) && tide_given(o->young) && tide_given(o->warp))
        return tide_material_refuse(use, "young", NULL, error, "give either young or warp, not both");
    if (o->model == ORTHOTROPIC && !(fabs(poisson_of(o)) * sqrt(weft_ratio(o)) < 1))
        return tide_material_refuse(use, "poisson", NULL, error,
                                    "poisson^2 weft / warp must be below 1; take the stiffer threads as the warp, or a "
                                    "smaller ratio");
    return TIDE_OK;
}

// Computes the direction of the warp at a triangle at rest: where the first texture coordinate u grows. With the edges
// a, b and their differences of u, the gradient of u is (du_a (b x n) + du_b (n x a)) / |a x b|.
static void find_warp(const tide_material_use *use, const uint32_t *v, double warp[3])
{
    const options *o = use->options;
    const double *texture = use->def->mesh->texture;
    memcpy(warp, o->direction, 3 * sizeof *warp);
    if (tide_given(o->direction[0]))
        return;
    tide_vec3_store(warp, (tide_vec3) { 1, 0, 0 });
    if (!texture)
        return;
    tide_vec3 origin = tide_vec3_load(use->rest + 3 * (size_t)v[0]);
    tide_vec3 a = tide_vec3_subtract(tide_vec3_load(use->rest + 3 * (size_t)v[1]), origin);
    tide_vec3 b = tide_vec3_subtract(tide_vec3_load(use->rest + 3 * (size_t)v[2]), origin);
    tide_vec3 normal = tide_vec3_normalize(tide_vec3_cross(a, b));
    double along_a = texture[2 * (size_t)v[1]] - texture[2 * (size_t)v[0]];
    double along_b = texture[2 * (size_t)v[2]] - texture[2 * (size_t)v[0]];
    tide_vec3_store(warp, tide_vec3_add(tide_vec3_scale(tide_vec3_cross(b, normal), along_a),
                                        tide_vec3_scale(tide_vec3_cross(normal, a), along_b)));
}

// Fills in the parameters of triangle t.
static tide_status find_parameters(const tide_material_use *use, uint32_t t, double *parameters, tide_error *error)
{
    const options *o = use->options;
    const uint32_t *v = use->def->mesh->triangles + 3 * (size_t)t;
    const tide_element_kind *kind = kinds[o->model];
    double warp[3];
    tide_fields_default(kind->fields, parameters);
    find_warp(use, v, warp);
    const char *wrong = has_threads(o) ? tide_membrane_set_axes(use->rest, v, warp, parameters)
                                       : tide_membrane_rest(kind, use->rest, v, parameters);
    if (wrong) {
        char value[64];
        snprintf(value, sizeof value, "triangle %u (%u, %u, %u)", t + 1, v[0] + 1, v[1] + 1, v[2] + 1);
        return tide_material_refuse(use, NULL, value, error, "%s", wrong);
    }
    double *law = parameters + TIDE_MEMBRANE_LAW;
    parameters[TIDE_MEMBRANE_STIFFNESS] = (has_threads(o) ? warp_of(o) : o->young) * o->thickness;
    if (o->model == ARAP) // 2 mu thickness
        parameters[TIDE_MEMBRANE_STIFFNESS] /= 1 + poisson_of(o);
    if (has_threads(o)) {
        *law++ = weft_ratio(o);
        *law++ = tide_given(o->shear) ? o->shear / warp_of(o) : 0.1;
    }
    if (o->model == ORTHOTROPIC)
        *law = poisson_of(o) * sqrt(weft_ratio(o));
    else if (o->model == STVK || o->model == NEO_HOOKEAN)
        *law = poisson_of(o);
    return TIDE_OK;
}

static tide_status check(const tide_material_use *use, tide_error *error)
{
    double parameters[TIDE_ELEMENT_MAX_PARAMETERS];
    tide_status status = check_moduli(use, error);
    if (status == TIDE_OK)
        status = check_poisson(use, error);
    for (uint32_t t = 0; t < use->def->mesh->triangle_count && status == TIDE_OK; t++)
        status = find_parameters(use, t, parameters, error);
    return status;
}

static tide_status make(tide_body *body, const tide_material_use *use, tide_error *error)
{
    const options *o = use->options;
    const tide_mesh *mesh = use->def->mesh;
    const tide_element_kind *kind = kinds[o->model];
    tide_elements *group = tide_body_add_group(body, kind, mesh->triangle_count);
    if (!group)
        return tide_fail_memory(error, use->object);
    memcpy(group->vertices, mesh->triangles, 3 * (size_t)group->count * sizeof *group->vertices);
    for (uint32_t t = 0; t < group->count; t++) {
        double parameters[TIDE_ELEMENT_MAX_PARAMETERS];
        tide_status status = find_parameters(use, t, parameters, error);
        if (status != TIDE_OK)
            return status;
        for (size_t p = 0; p < kind->parameter_count; p++)
            group->parameters[p * group->count + t] = parameters[p];
    }
    return TIDE_OK;
}

bool tide_membrane_warp(const void *membrane, double direction[3])
{
    const options *o = membrane;
    if (!has_threads(o) || !tide_given(o->direction[0]))
        return false;
    tide_vec3_store(direction, tide_vec3_normalize(tide_vec3_load(o->direction)));
    return true;
}

const tide_material tide_material_membrane = {
    .name = "membrane",
    .help = "triangles that resist stretch and shear",
    .fields = fields,
    .options_size = sizeof(options),
    .lua_type = "tide.MaterialMembrane",
    .part = TIDE_MATERIAL_TRIANGLES,
    .section = section,
    .check = check,
    .make = make,
};

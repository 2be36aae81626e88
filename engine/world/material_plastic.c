// Plastic flow of a body's elements.
#include "model/membrane_flow.h"
#include "model/solid_flow.h"
#include "world/body_parts.h"
#include "world/material.h"

typedef tide_material_plastic_options options;

static const tide_field fields[] = {
    { .name = "yield",
      .type = TIDE_FIELD_REAL,
      .offset = offsetof(options, yield),
      .maximum = 100,
      .required = true,
      .help = "elastic strain at which an element begins to flow: of a spring its elongation, of a rod that at its "
              "surface, "
              "of a solid or a membrane the equivalent logarithmic strain" },
    { .name = "hardening",
      .type = TIDE_FIELD_REAL,
      .offset = offsetof(options, hardening),
      .maximum = 1e9,
      .help = "growth of the yield strain with accumulated plastic strain; 0: perfectly plastic" },
    TIDE_OMITTED_FIELD(
        options, creep, "at once", 1e9, "1/s",
        "rate at which strain beyond the yield strain flows: exp(-creep t) of it is left after a time t"),
    { .name = NULL },
};

static bool can_flow(const tide_element_kind *kind)
{
    return tide_is_solid(kind) || tide_is_membrane(kind) || tide_element_has_rest(kind);
}

static tide_status make(tide_body *body, const tide_material_use *use, tide_error *error)
{
    for (uint32_t g = 0; g < body->group_count; g++)
        if (body->groups[g].count && can_flow(body->groups[g].kind))
            return TIDE_OK; // lasting.c changes the elements
    return tide_material_refuse(use, NULL, NULL, error,
                                "no element of this body can flow: springs, rods, solids, membranes and discrete "
                                "shells can, quadratic shells and gas stay elastic; give the body one of these, or "
                                "leave plastic out");
}

const tide_material tide_material_plastic = {
    .name = "plastic",
    .help = "plastic flow: springs, rods, solids, membranes, discrete shells and other elements with a size at rest "
            "change their shape at rest for good beyond a strain",
    .fields = fields,
    .options_size = sizeof(options),
    .lua_type = "tide.MaterialPlastic",
    .part = TIDE_MATERIAL_BODY,
    .make = make,
};

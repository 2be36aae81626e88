// Tearing of a body's elements.
#include "world/body_parts.h"
#include "world/material.h"

typedef tide_material_tear_options options;

static const tide_field fields[] = {
    TIDE_POSITIVE_FIELD(options, strain, 1e6, NULL,
                        "strain beyond which an element tears: 0.3 when stretched by 30 %; plastic strain that it has "
                        "accumulated counts"),
    { .name = "toughness",
      .type = TIDE_FIELD_REAL,
      .offset = offsetof(options, toughness),
      .maximum = 1e15,
      .unit = "J/m",
      .help = "energy that an element must hold to tear, per length of the tear: its length at rest for a spring, the "
              "square root of its area for a triangle; for a tetrahedron per area (J/m^2), volume^(2/3)" },
    { .name = NULL },
};

static tide_status make(tide_body *body, const tide_material_use *use, tide_error *error)
{
    (void)body, (void)use, (void)error; // lasting.c changes the elements that are there
    return TIDE_OK;
}

const tide_material tide_material_tear = {
    .name = "tear",
    .help =
        "tearing: where springs and other elements are stretched too far, vertices are split and the body comes apart; "
        "scene.torn is called for each",
    .fields = fields,
    .options_size = sizeof(options),
    .lua_type = "tide.MaterialTear",
    .part = TIDE_MATERIAL_BODY,
    .make = make,
};

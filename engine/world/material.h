// Materials: what a body is made of beyond its springs. A material is one file with a const table, and one line in the
// list in materials.c. A body's definition holds a struct of options for each material that it has. The material checks
// them and appends groups of elements to the body.
//
//     tide_body_def def = tide_body_def_default();
//     tide_material_solid_options solid;
//     tide_fields_default(tide_material_solid.fields, &solid);
//     solid.young = 2e4;
//     def.density = 1000;
//     def.materials[tide_material_index(&tide_material_solid)] = &solid;
//
// A scene writes density = 1000, solid = { young = 2e4 }. The name in the scene is the name of the material.
//
// Units: SI. Ownership: tables are constant; a body copies the options, which therefore hold no pointers. Threads: as
// world.h. Errors: TIDE_ERROR_ARGUMENT; the field in the error is "solid.young".
#ifndef TIDE_WORLD_MATERIAL_H
#define TIDE_WORLD_MATERIAL_H

#include "world/world.h"

struct tide_body; // world_state.h

// The part of a body that a material takes. A body whose mesh has no such part is refused before `check` is called.
typedef enum tide_material_part {
    TIDE_MATERIAL_TETRAHEDRA,
    TIDE_MATERIAL_TRIANGLES,
    TIDE_MATERIAL_EDGES,
    TIDE_MATERIAL_CLOSED_SURFACE, // all triangles; they enclose a volume
    TIDE_MATERIAL_BODY            // the other materials and springs of the body, as plasticity does
} tide_material_part;

// A material as one body has it.
typedef struct tide_material_use {
    const struct tide_material *material;
    const void *options;                                   // of the material
    const tide_body_def *def;                              // of the body
    const char *object;                                    // name of the body in errors
    const double *rest;                                    // (3 * vertex_count) positions at rest
    const struct tide_material_plastic_options *plastic;   // of the body; NULL: it is not plastic
    const struct tide_material_membrane_options *membrane; // likewise
} tide_material_use;

typedef struct tide_material {
    const char *name, *help;
    const tide_field *fields; // the options; the first field may be given as [1] if it is a choice
    size_t options_size;
    const char *lua_type; // the class of the options in the annotations: "tide.MaterialSolid"
    tide_material_part part;
    // The body may say `NAME = true` instead of a table: all options have their defaults.
    bool allows_true;
    // The body may say `NAME = 500` instead of a table: the first field has this value.
    bool allows_number;
    // Returns the factor from density (kg/m^3) to mass per measure of the part: 1 for tetrahedra; the thickness, m, for
    // triangles; the cross-section, m^2, for edges; 0 where the options do not determine it. The masses of all
    // materials of a body add up. NULL: the material has no mass.
    double (*section)(const void *options);
    // Checks the options beyond the ranges of their fields. NULL: nothing to check.
    tide_status (*check)(const tide_material_use *use, tide_error *error);
    // Appends groups of elements to the body (body_parts.h), which has its masses and springs already.
    tide_status (*make)(struct tide_body *body, const tide_material_use *use, tide_error *error);
} tide_material;

const tide_material *tide_material_at(uint32_t index); // NULL past the last
uint32_t tide_material_index(const tide_material *material);

// Fails for a field of the material's options, "young": the error's field is "solid.young". `value` may be NULL.
tide_status tide_material_refuse(const tide_material_use *use, const char *field, const char *value, tide_error *error,
                                 const char *remedy, ...) __attribute__((format(printf, 5, 6)));

// Parts of body.c. tide_materials_check checks all materials of a definition, whose mesh is checked already.
// tide_materials_keep copies their options into the body, tide_materials_copy those of another body.
// tide_materials_make calls `make` of each.
bool tide_has_materials(const tide_body_def *def); // any but those of TIDE_MATERIAL_BODY, which have no elements
tide_status tide_materials_check(const tide_body_def *def, const char *object, tide_error *error);
tide_status tide_materials_keep(struct tide_body *body, const tide_body_def *def, const char *object,
                                tide_error *error);
tide_status tide_materials_copy(struct tide_body *copy, const struct tide_body *body, tide_error *error);
tide_status tide_materials_make(struct tide_body *body, const tide_body_def *def, const char *object,
                                tide_error *error);
// Returns the sum of `section` over the materials that take this part. *any: at least one takes it and has a mass.
double tide_materials_section(const tide_body_def *def, tide_material_part part, bool *any);
// Return the material as a field: of type TIDE_FIELD_RECORD, whose `record` are the options, at offset 0; of type
// TIDE_FIELD_OTHER, as a field of a body's definition.
tide_field tide_material_field(const tide_material *material);
tide_field tide_material_as_field(const tide_material *material);

// --- the materials ---------------------------------------------------------------------------------------------------

// Solids on tetrahedra.
typedef enum tide_solid_kind {
    TIDE_SOLID_COROTATED,
    TIDE_SOLID_ARAP,
    TIDE_SOLID_STVK,
    TIDE_SOLID_NEO_HOOKEAN,
    TIDE_SOLID_SPRING
} tide_solid_kind;
typedef struct tide_material_solid_options {
    int model;      // tide_solid_kind
    double young;   // Pa
    double poisson; // TIDE_NOT_GIVEN: 0.3; 0 for arap, 1/4 for spring
    bool incompressible;
} tide_material_solid_options;
extern const tide_material tide_material_solid;

// Rods on edges.
typedef struct tide_material_rod_options {
    double young;   // Pa
    double poisson; // 0.3
    double radius;  // m
    bool twist;
} tide_material_rod_options;
extern const tide_material tide_material_rod;

// Plastic flow of the body's solids and elements with a size at rest (lasting.h).
typedef struct tide_material_plastic_options {
    double yield, hardening;
    double creep; // 1/s; TIDE_NOT_GIVEN: at once
} tide_material_plastic_options;
extern const tide_material tide_material_plastic;

// Tearing of the body's elements.
typedef struct tide_material_tear_options {
    double strain;
    double toughness; // J/m; J/m^2 for tetrahedra
} tide_material_tear_options;
extern const tide_material tide_material_tear;

// Membranes and shells on triangles, a gas within them, and limits of strain.
typedef struct tide_material_membrane_options {
    int model;                // arap, stvk, neo_hookean, orthotropic, baraff_witkin
    double young, poisson;    // Pa, 1; TIDE_NOT_GIVEN: see the fields
    double thickness;         // m
    double warp, weft, shear; // Pa, of the models with two directions
    double direction[3];      // of the warp at rest
} tide_material_membrane_options;
typedef struct tide_material_shell_options {
    int model;        // quadratic, discrete
    double bending;   // N m
    int rest;         // flat, shape
    double thickness; // m, of the strain of plastic flow; TIDE_NOT_GIVEN: that of the membrane
} tide_material_shell_options;
typedef struct tide_material_gas_options {
    double pressure; // Pa, over the ambient pressure
    bool isothermal;
    double ambient; // Pa
} tide_material_gas_options;
typedef struct tide_material_strain_limit_options {
    double stretch, compression, tolerance;
} tide_material_strain_limit_options;
// Returns whether these options of a membrane give the direction of its warp, and that direction (unit vector).
bool tide_membrane_warp(const void *options, double direction[3]);
extern const tide_material tide_material_membrane, tide_material_shell, tide_material_gas, tide_material_pressure,
    tide_material_strain_limit;

#endif

// The list of all materials, and what body.c asks of them together.
#include "world/material.h"

#include "base/memory.h"
#include "world/body_parts.h"

#include <string.h>

#define MATERIALS(X)                                                                                                   \
    X(tide_material_solid)                                                                                             \
    X(tide_material_rod)                                                                                               \
    X(tide_material_membrane)                                                                                          \
    X(tide_material_shell)                                                                                             \
    X(tide_material_gas)                                                                                               \
    X(tide_material_pressure)                                                                                          \
    X(tide_material_strain_limit)                                                                                      \
    X(tide_material_plastic)                                                                                           \
    X(tide_material_tear)

#define DECLARE(material) extern const tide_material material;
MATERIALS(DECLARE)

#define ADDRESS(material) &material,
static const tide_material *const materials[] = { MATERIALS(ADDRESS) };

enum { COUNT = sizeof materials / sizeof materials[0] };
_Static_assert((int)COUNT <= (int)TIDE_MOST_MATERIALS, "raise TIDE_MOST_MATERIALS");

const tide_material *tide_material_at(uint32_t index)
{
    return index < COUNT ? materials[index] : NULL;
}

uint32_t tide_material_index(const tide_material *material)
{
    uint32_t index = 0;
    while (index < COUNT && materials[index] != material)
        index++;
    return index;
}

bool tide_has_materials(const tide_body_def *def)
{
    bool has = false;
    for (uint32_t m = 0; m < COUNT; m++)
        has = has || (def->materials[m] && materials[m]->part != TIDE_MATERIAL_BODY);
    return has;
}

static tide_material_use use_of(const tide_body_def *def, uint32_t index, const char *object)
{
    return (tide_material_use) { .material = materials[index],
                                 .options = def->materials[index],
                                 .def = def,
                                 .object = object,
                                 .rest = (def->rest ? def->rest : def->mesh)->vertices,
                                 .plastic = def->materials[tide_material_index(&tide_material_plastic)],
                                 .membrane = def->materials[tide_material_index(&tide_material_membrane)] };
}

// --- checks ----------------------------------------------------------------------------------------------------------

// Fails unless the body has the part that the material takes.
static tide_status check_part(const tide_material_use *use, tide_error *error)
{
    const tide_mesh *mesh = use->def->mesh;
    switch (use->material->part) {
    case TIDE_MATERIAL_TETRAHEDRA:
        if (!mesh->tetrahedron_count)
            return tide_material_refuse(use, NULL, NULL, error,
                                        "the body's mesh has no tetrahedra; use tide.mesh.box { ... }, make some with "
                                        "tide.mesh.tetrahedralize { ... }, or choose a material of surfaces");
        break;
    case TIDE_MATERIAL_TRIANGLES:
    case TIDE_MATERIAL_CLOSED_SURFACE:
        if (!mesh->triangle_count)
            return tide_material_refuse(use, NULL, NULL, error,
                                        "the body's mesh has no triangles; use a mesh of a surface, as tide.mesh.grid "
                                        "{ ... } makes one");
        break;
    case TIDE_MATERIAL_EDGES:
        if (!mesh->edge_count)
            return tide_material_refuse(use, NULL, NULL, error,
                                        "the body's mesh has no edges; use a mesh of lines, as tide.mesh.strand { ... "
                                        "} makes one");
        break;
    case TIDE_MATERIAL_BODY:
        break;
    }
    return TIDE_OK;
}

static tide_status check_mass(const tide_body_def *def, const char *object, tide_error *error)
{
    bool density = tide_given(def->density) || def->density_at, any = false, other;
    double section = 0;
    for (int part = TIDE_MATERIAL_TETRAHEDRA; part <= TIDE_MATERIAL_CLOSED_SURFACE; part++) {
        section += tide_materials_section(def, (tide_material_part)part, &other);
        any = any || other;
    }
    if (!density && !def->masses && !tide_given(def->mass) && !tide_given(def->area_density))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "density", NULL,
                         "is missing; with a material give density (kg/m^3), area_density (kg/m^2) or mass (kg)");
    if (density && !(section > 0))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "density", NULL,
                         "%s; give area_density (kg/m^2) or mass (kg) instead",
                         any ? "is in kg/m^3, and no material of this body has a thickness or radius"
                             : "is in kg/m^3, and no material of this body has a volume");
    return TIDE_OK;
}

tide_status tide_materials_check(const tide_body_def *def, const char *object, tide_error *error)
{
    tide_status status = TIDE_OK;
    for (uint32_t m = 0; m < COUNT && status == TIDE_OK; m++) {
        if (!def->materials[m])
            continue;
        const tide_material_use use = use_of(def, m, object);
        const tide_field fields[] = { tide_material_field(use.material), { .name = NULL } };
        status = tide_fields_check(fields, object, use.options, error);
        if (status == TIDE_OK)
            status = check_part(&use, error);
        if (status == TIDE_OK && use.material->check)
            status = use.material->check(&use, error);
    }
    return status == TIDE_OK && tide_has_materials(def) ? check_mass(def, object, error) : status;
}

// --- masses ----------------------------------------------------------------------------------------------------------

double tide_materials_section(const tide_body_def *def, tide_material_part part, bool *any)
{
    double sum = 0;
    *any = false;
    for (uint32_t m = 0; m < COUNT; m++)
        if (def->materials[m] && materials[m]->part == part && materials[m]->section) {
            sum += materials[m]->section(def->materials[m]);
            *any = true;
        }
    return sum;
}

// --- a body ----------------------------------------------------------------------------------------------------------

tide_status tide_materials_keep(tide_body *body, const tide_body_def *def, const char *object, tide_error *error)
{
    for (uint32_t m = 0; m < COUNT; m++)
        if (def->materials[m] && !(body->materials[m] = tide_copy_bytes(def->materials[m], materials[m]->options_size)))
            return tide_fail_memory(error, object);
    return TIDE_OK;
}

tide_status tide_materials_copy(tide_body *copy, const tide_body *body, tide_error *error)
{
    for (uint32_t m = 0; m < COUNT; m++)
        if (body->materials[m] &&
            !(copy->materials[m] = tide_copy_bytes(body->materials[m], materials[m]->options_size)))
            return tide_fail_memory(error, "a body");
    return TIDE_OK;
}

tide_status tide_materials_make(tide_body *body, const tide_body_def *def, const char *object, tide_error *error)
{
    for (uint32_t m = 0; m < COUNT; m++)
        if (def->materials[m]) {
            const tide_material_use use = use_of(def, m, object);
            TIDE_TRY(materials[m]->make(body, &use, error));
        }
    return TIDE_OK;
}

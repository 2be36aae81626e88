// Bodies: the fields of their definition, its checks, creation, copies.
#include "base/memory.h"
#include "world/body_friction.h"
#include "world/body_parts.h"
#include "world/material.h"
#include "world/rod_frames.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const bend_models[] = { "automatic", "skip", "hinge", NULL };
static const char *const collides[] = { "all", "colliders", "none", NULL };
static const char *const patterns[] = { "plain", "checker", NULL };

#define FIELD(field) .offset = offsetof(tide_body_def, field)
#define NOT_GIVEN .initial = { TIDE_NOT_GIVEN }, .initial_text = "nil"
#define LARGEST TIDE_BODY_LARGEST
#define DEFAULT_RADIUS 0.005 // m
static const double pi = 3.14159265358979323846;
#define OR_FUNCTION .lua_type = "number|fun(i: integer, x: number, y: number, z: number): number"

#define SPRING_FIELD(member, unit_, help_)                                                                             \
    {                                                                                                                  \
        TIDE_MEMBER(tide_body_def, member), .type = TIDE_FIELD_REAL, OR_FUNCTION, NOT_GIVEN, .maximum = LARGEST,       \
                                            .unit = unit_, .help = help_                                               \
    }
#define MASS_FIELD(member, unit_, help_)                                                                               \
    {                                                                                                                  \
        TIDE_MEMBER(tide_body_def, member), .type = TIDE_FIELD_REAL, NOT_GIVEN, .maximum = LARGEST, .positive = true,  \
                                            .unit = unit_, .help = help_                                               \
    }

const tide_field tide_body_fields[] = {
    { .name = "mesh",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "tide.Mesh",
      .required = true,
      .help = "shape of the body at rest" },
    { .name = "surface",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "tide.Mesh",
      .help = "embedded fine surface of triangles, in the mesh's coordinates, which moves with the mesh's tetrahedra; "
              "it replaces the mesh's own surface for drawing and contact" },
    { .name = "rest",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "tide.Mesh",
      .help = "mesh with the same number of vertices that defines rest lengths and areas, such as the pattern of a "
              "garment (mesh:unfold); default: `mesh`" },
    MASS_FIELD(mass, "kg",
               "mass of the whole body, shared equally by its vertices; 1 kg if neither masses nor density is given"),
    { .name = "masses",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "number[]|fun(i: integer, x: number, y: number, z: number): number",
      .unit = "kg",
      .help = "mass of each vertex" },
    { .name = "density",
      .type = TIDE_FIELD_REAL,
      FIELD(density),
      OR_FUNCTION,
      NOT_GIVEN,
      .maximum = LARGEST,
      .positive = true,
      .unit = "kg/m^3",
      .help = "density. With materials: a solid has it times its volume, a membrane times thickness and area, a rod "
              "times cross-section and length. Without: kg/m^3 for tetrahedra; for a mesh without them kg/m^2 for "
              "triangles; for edges alone kg/m. If it is a list, a number per vertex; an element takes the mean of its "
              "vertices" },
    MASS_FIELD(area_density, "kg/m^2",
               "mass per area of the mesh's triangles; for them it replaces density times thickness"),
    { .name = "rigid",
      .type = TIDE_FIELD_BOOLEAN,
      FIELD(rigid),
      .help = "the body moves as a whole and does not deform; it needs density (a closed surface or tetrahedra), "
              "area_density, mass or masses" },
    SPRING_FIELD(
        stiffness, "N/m",
        "stiffness of the spring of each edge; if it is a list, a number per vertex, and a spring takes the mean "
        "of its two"),
    SPRING_FIELD(modulus, "N",
                 "instead of stiffness: stiffness = modulus / rest length, which is independent of resolution"),
    SPRING_FIELD(bend, "N/m", "stiffness of every bending spring"),
    SPRING_FIELD(bend_modulus, "N", "instead of bend: stiffness = modulus / rest length"),
    { .name = "bend_model",
      .type = TIDE_FIELD_CHOICE,
      FIELD(bend_model),
      .choices = bend_models,
      .help = "skip: springs between vertices two apart in a grid or strand, or along the lines of a mesh of edges; "
              "hinge: springs between the two vertices opposite an edge; automatic: skip if the mesh has such "
              "vertices, else hinge" },
    { .name = "springs",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "number[][]",
      .help = "additional springs, each { i, j, stiffness [, rest length] }" },
    { .name = "elements",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "tide.Element[]",
      .help = "groups of elements, each { kind, on = \"edges\", \"triangles\" or \"tetrahedra\", parameters }, as "
              "{ \"area_spring\", on = \"triangles\", stiffness = 50 }; `springtide elements` lists the kinds" },
    { .name = "colour",
      .type = TIDE_FIELD_VECTOR,
      FIELD(colour),
      .initial = { 0.72, 0.16, 0.18 },
      .maximum = 1,
      .help = "colour of the front: red, green, blue in sRGB; bodies left at the default get different colours" },
    { .name = "back_colour",
      .type = TIDE_FIELD_VECTOR,
      FIELD(back_colour),
      .maximum = 1,
      .initial = { TIDE_NOT_GIVEN, TIDE_NOT_GIVEN, TIDE_NOT_GIVEN },
      .initial_text = "made from colour",
      .help = "colour of the back: red, green, blue in sRGB" },
    { .name = "pattern",
      .type = TIDE_FIELD_CHOICE,
      FIELD(pattern),
      .choices = patterns,
      .help = "pattern of the surface" },
    { .name = "checkers",
      .type = TIDE_FIELD_REAL,
      FIELD(checkers),
      .initial = { 16 },
      .minimum = 1,
      .maximum = 1000,
      .help = "number of squares across the mesh's texture" },
    { .name = "radius",
      .type = TIDE_FIELD_REAL,
      FIELD(radius),
      .initial = { TIDE_NOT_GIVEN },
      .initial_text = "that of its rods, else 5 mm",
      .minimum = 0,
      .maximum = 1000,
      .positive = true,
      .unit = "m",
      .help = "radius of the tubes and balls that represent lines and single vertices" },
    TIDE_OMITTED_FIELD(
        tide_body_def, thickness,
        "twice the radius of lines; cloth 5 mm, solids 2 mm, at most a quarter of the mean edge", 1000, "m",
        "bodies keep a distance of half of each one's thickness from each other, and of half of it from colliders"),
    { .name = "friction",
      .type = TIDE_FIELD_REAL,
      FIELD(friction),
      .lua_type = "number | tide.Friction",
      .initial = { TIDE_NOT_GIVEN },
      .initial_text = "that of what it touches; between two bodies 0.3",
      .maximum = 1000,
      .help =
          "Coulomb's coefficient of friction; between two objects the geometric mean applies, unless friction_pairs "
          "has their contact materials. Or { along = ..., across = ..., direction = { x, y, z } or \"warp\" }, which "
          "depends on the direction along the surface" },
    { .name = "contact_material",
      .type = TIDE_FIELD_TEXT,
      FIELD(contact_material),
      .initial_text = "",
      .help = "name of its material in the scene's friction_pairs" },
    { .name = "rolling",
      .type = TIDE_FIELD_REAL,
      FIELD(rolling),
      .maximum = 1000,
      .unit = "m",
      .help = "coefficient of rolling friction of a rigid body: the torque that resists rolling, divided by the normal "
              "force; between two objects the larger one applies" },
    { .name = "restitution",
      .type = TIDE_FIELD_REAL,
      FIELD(restitution),
      .maximum = 1,
      .help = "coefficient of restitution: the fraction of the approach speed that a bounce keeps; between two objects "
              "the larger one applies" },
    { .name = "collide",
      .type = TIDE_FIELD_CHOICE,
      FIELD(collide),
      .choices = collides,
      .help = "what the body collides with: colliders and other bodies, only colliders, or nothing" },
    { .name = "self_collide",
      .type = TIDE_FIELD_BOOLEAN,
      FIELD(self_collide),
      .help = "the body collides with itself" },
    { .name = NULL },
};

tide_body_def tide_body_def_default(void)
{
    tide_body_def def = { 0 };
    tide_fields_default(tide_body_fields, &def);
    return def;
}

// --- checks ----------------------------------------------------------------------------------------------------------

static tide_status check_one_of(const char *object, const char *a, bool has_a, const char *b, bool has_b,
                                tide_error *error)
{
    if (has_a && has_b)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, b, NULL, "give either %s or %s, not both", a, b);
    return TIDE_OK;
}

// Checks the values per vertex: in range, and not given together with one value for all.
static tide_status check_each_vertex(const tide_body_def *def, const char *object, tide_error *error)
{
    const struct {
        const char *field;
        double all;
        const double *each;
    } values[] = { { "density", def->density, def->density_at },
                   { "stiffness", def->stiffness, def->stiffness_at },
                   { "modulus", def->modulus, def->modulus_at },
                   { "bend", def->bend, def->bend_at },
                   { "bend_modulus", def->bend_modulus, def->bend_modulus_at } };
    for (size_t f = 0; f < sizeof values / sizeof values[0]; f++) {
        if (values[f].each && tide_given(values[f].all))
            return tide_fail(error, TIDE_ERROR_ARGUMENT, object, values[f].field, NULL,
                             "give either one value or one for each vertex, not both");
        for (uint32_t v = 0; values[f].each && v < def->mesh->vertex_count; v++) {
            double value = values[f].each[v];
            char text[32];
            snprintf(text, sizeof text, "%.10g", value);
            if (!(value >= 0 && value <= LARGEST))
                return tide_fail(error, TIDE_ERROR_ARGUMENT, object, values[f].field, text,
                                 "at vertex %u; expected a number from 0 to 1e+15", v + 1);
        }
    }
    return TIDE_OK;
}

static tide_status check_numbers(const tide_body_def *def, const char *object, tide_error *error)
{
    tide_status status = tide_fields_check(tide_body_fields, object, def, error);
    if (status != TIDE_OK)
        return status;
    if (def->masses && def->masses_count != def->mesh->vertex_count)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "masses", NULL,
                         "expected %u numbers, one for each vertex, and got %u", def->mesh->vertex_count,
                         def->masses_count);
    bool density = tide_given(def->density) || def->density_at;
    if (check_one_of(object, "mass", tide_given(def->mass), "masses", def->masses != NULL, error) ||
        check_one_of(object, "mass", tide_given(def->mass), "density", density, error) ||
        check_one_of(object, "masses", def->masses != NULL, "density", density, error) ||
        check_one_of(object, "mass", tide_given(def->mass), "area_density", tide_given(def->area_density), error) ||
        check_one_of(object, "masses", def->masses != NULL, "area_density", tide_given(def->area_density), error) ||
        check_one_of(object, "stiffness", tide_given(def->stiffness) || def->stiffness_at, "modulus",
                     tide_given(def->modulus) || def->modulus_at, error) ||
        check_one_of(object, "bend", tide_given(def->bend) || def->bend_at, "bend_modulus",
                     tide_given(def->bend_modulus) || def->bend_modulus_at, error))
        return TIDE_ERROR_ARGUMENT;
    if (tide_given(def->area_density) && !def->mesh->triangle_count)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "area_density", NULL,
                         "the body's mesh has no triangles; give density (kg/m^3) or mass (kg) instead");
    return check_each_vertex(def, object, error);
}

static tide_status check_rest(const tide_body_def *def, const char *object, tide_error *error)
{
    char value[48];
    if (!def->rest || def->rest->vertex_count == def->mesh->vertex_count)
        return TIDE_OK;
    snprintf(value, sizeof value, "a mesh of %u vertices", def->rest->vertex_count);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "rest", value, "expected as many as the mesh has, %u",
                     def->mesh->vertex_count);
}

// --- life ------------------------------------------------------------------------------------------------------------

static tide_status fill(tide_body *body, const tide_body_def *def, const char *object, tide_error *error)
{
    tide_status status;
    tide_mesh_report report;
    body->mesh = tide_mesh_retain(def->mesh);
    body->name = tide_copy_string(def->name);
    body->script_line = def->script_line;
    if (!body->name || (def->script_file && !(body->script_file = tide_copy_string(def->script_file))))
        return tide_fail_memory(error, object);
    if ((status = check_numbers(def, object, error)) || (status = check_rest(def, object, error)) ||
        (status = tide_body_check_friction(def, object, error)) ||
        (status = tide_body_check_springs(def, object, error)) ||
        (status = tide_body_check_elements(def, object, error)) ||
        (status = tide_body_check_mesh(def->mesh, def, object, "mesh", &report, error)))
        return status;
    if (def->rigid)
        return tide_body_make_rigid(body, def, object, error);
    if ((status = tide_materials_check(def, object, error)) ||
        (status = tide_materials_keep(body, def, object, error)) ||
        (status = tide_body_make_surface(body, def, object, error)) ||
        (status = tide_body_make_masses(body, def, object, error)) ||
        (status = tide_body_make_springs(body, def, object, error)) ||
        (status = tide_body_make_elements(body, def, object, error)))
        return status;
    return tide_materials_make(body, def, object, error);
}

// The radius of tubes is that of a disc with the cross-section of the body's rods.
static double radius_of(const tide_body_def *def)
{
    bool any;
    if (tide_given(def->radius))
        return def->radius;
    double section = tide_materials_section(def, TIDE_MATERIAL_EDGES, &any);
    return section > 0 ? sqrt(section / pi) : DEFAULT_RADIUS;
}

static void set_look(tide_body *body, const tide_body_def *def)
{
    body->look = *def;
    body->look.radius = radius_of(def);
    body->look.name = NULL;
    body->look.mesh = NULL;
    body->look.surface = NULL;
    body->look.rest = NULL;
    body->look.masses = NULL;
    body->look.density_at = body->look.stiffness_at = body->look.modulus_at = NULL;
    body->look.bend_at = body->look.bend_modulus_at = NULL;
    body->look.springs = NULL;
    body->look.elements = NULL;
    memset(body->look.materials, 0, sizeof body->look.materials);
    body->look.script_file = NULL;
    tide_body_set_friction(body, def);
}

tide_status tide_body_create(const tide_body_def *def, tide_body **out, tide_error *error)
{
    char object[96];
    tide_body_object(def->name, object);
    if (!def->name || !def->name[0])
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "body", "name", "\"\"",
                         "expected a name: it is the body's identity");
    if (!def->mesh)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "mesh", NULL, "is missing; expected a mesh");
    tide_body *body = tide_allocate_zeroed(1, sizeof *body);
    if (!body)
        return tide_fail_memory(error, object);
    tide_status status = fill(body, def, object, error);
    if (status != TIDE_OK) {
        tide_body_destroy(body);
        return status;
    }
    set_look(body, def);
    *out = body;
    return TIDE_OK;
}

const tide_body *tide_body_described(const tide_body *body)
{
    return body->split ? body->split->described : body;
}

uint32_t tide_body_copies(const tide_body *body)
{
    return body->mesh->vertex_count - tide_body_described(body)->mesh->vertex_count;
}

static tide_status copy_split(tide_body *copy, const tide_body *body, tide_error *error)
{
    const tide_body_split *from = body->split;
    if (!from)
        return TIDE_OK;
    size_t copies = tide_body_copies(body), groups = body->group_count - from->described->group_count, twins = 0;
    for (uint32_t g = from->described->group_count; g < body->group_count; g++)
        twins += body->groups[g].count;
    copy->split = tide_allocate_zeroed(1, sizeof *copy->split);
    if (!copy->split)
        return tide_fail_memory(error, "a body");
    *copy->split =
        (tide_body_split) { .described = tide_body_retain(from->described),
                            .origins = tide_copy_bytes(from->origins, copies * sizeof *from->origins),
                            .opened = tide_copy_bytes(from->opened, from->opened_count * sizeof *from->opened),
                            .opened_count = from->opened_count,
                            .sources = tide_copy_bytes(from->sources, groups * sizeof *from->sources),
                            .twins = tide_copy_bytes(from->twins, twins * sizeof *from->twins) };
    bool made = copy->split->origins && copy->split->opened && copy->split->sources && copy->split->twins;
    return made ? TIDE_OK : tide_fail_memory(error, "a body");
}

static void free_split(tide_body *body)
{
    if (!body->split)
        return;
    tide_body_destroy(body->split->described);
    tide_free(body->split->origins);
    tide_free(body->split->opened);
    tide_free(body->split->sources);
    tide_free(body->split->twins);
    tide_free(body->split);
}

tide_status tide_body_copy(const tide_body *body, tide_body **out, tide_error *error)
{
    tide_body *copy = tide_allocate_zeroed(1, sizeof *copy);
    if (!copy)
        return tide_fail_memory(error, "a body");
    copy->look = body->look;
    copy->script_line = body->script_line;
    copy->mesh = tide_mesh_retain(body->mesh);
    copy->rigid = body->rigid;
    memcpy(copy->shape, body->shape, sizeof copy->shape);
    copy->name = tide_copy_string(body->name);
    copy->script_file = body->script_file ? tide_copy_string(body->script_file) : NULL;
    tide_status status = tide_materials_copy(copy, body, error);
    copy->masses = tide_copy_bytes(body->masses, tide_body_particle_count(body) * sizeof *body->masses);
    if (!copy->name || (body->script_file && !copy->script_file) || !copy->masses ||
        !tide_body_copy_groups(copy, body) || !tide_body_copy_frames(copy, body))
        status = tide_fail_memory(error, "a body");
    if (status == TIDE_OK)
        status = tide_body_copy_surface(copy, body, error);
    if (status == TIDE_OK)
        status = copy_split(copy, body, error);
    if (status != TIDE_OK) {
        tide_body_destroy(copy);
        return status;
    }
    *out = copy;
    return TIDE_OK;
}

tide_body *tide_body_retain(const tide_body *body)
{
    __atomic_fetch_add(&((tide_body *)body)->more_uses, 1, __ATOMIC_RELAXED);
    return (tide_body *)body;
}

void tide_body_destroy(tide_body *body)
{
    if (!body || __atomic_fetch_sub(&body->more_uses, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    free_split(body);
    tide_mesh_release(body->mesh);
    tide_mesh_release(body->surface);
    tide_embedding_destroy(body->embedding);
    tide_free(body->name);
    tide_free(body->script_file);
    tide_free(body->masses);
    tide_free(body->frames);
    tide_free(body->seen);
    tide_free(body->couples);
    for (uint32_t g = 0; g < body->group_count; g++) {
        tide_element_release(body->groups[g].kind);
        tide_free(body->groups[g].vertices);
        tide_free(body->groups[g].parameters);
    }
    tide_free(body->groups);
    for (uint32_t m = 0; m < TIDE_MOST_MATERIALS; m++)
        tide_free(body->materials[m]);
    tide_free(body);
}

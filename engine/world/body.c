// Bodies: the masses and springs that a definition makes of a mesh.
#include "base/log.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "world/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const bend_models[] = { "automatic", "skip", "hinge", NULL };
static const char *const patterns[] = { "plain", "checker", NULL };

#define FIELD(field) .offset = offsetof(tide_body_def, field)
#define NOT_GIVEN .initial = { TIDE_NOT_GIVEN }, .initial_text = "nil"
#define LARGEST 1e15

const tide_field tide_body_fields[] = {
    { .name = "mesh",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "tide.Mesh",
      .required = true,
      .help = "the body's shape at rest" },
    { .name = "mass",
      .type = TIDE_FIELD_REAL,
      FIELD(mass),
      NOT_GIVEN,
      .maximum = LARGEST,
      .positive = true,
      .unit = "kg",
      .help = "of the whole body, shared equally by its vertices (1 kg when neither masses nor density is given)" },
    { .name = "masses", .type = TIDE_FIELD_OTHER, .lua_type = "number[]", .unit = "kg", .help = "of each vertex" },
    { .name = "density",
      .type = TIDE_FIELD_REAL,
      FIELD(density),
      NOT_GIVEN,
      .maximum = LARGEST,
      .positive = true,
      .unit = "kg/m^3",
      .help = "of the tetrahedra; in kg/m^2 of the triangles, in kg/m of the edges where there are no others" },
    { .name = "stiffness",
      .type = TIDE_FIELD_REAL,
      FIELD(stiffness),
      NOT_GIVEN,
      .maximum = LARGEST,
      .unit = "N/m",
      .help = "of every edge's spring" },
    { .name = "modulus",
      .type = TIDE_FIELD_REAL,
      FIELD(modulus),
      NOT_GIVEN,
      .maximum = LARGEST,
      .unit = "N",
      .help = "instead of stiffness: stiffness = modulus / rest length, which does not change with resolution" },
    { .name = "bend",
      .type = TIDE_FIELD_REAL,
      FIELD(bend),
      NOT_GIVEN,
      .maximum = LARGEST,
      .unit = "N/m",
      .help = "stiffness of every bending spring" },
    { .name = "bend_modulus",
      .type = TIDE_FIELD_REAL,
      FIELD(bend_modulus),
      NOT_GIVEN,
      .maximum = LARGEST,
      .unit = "N",
      .help = "instead of bend: stiffness = modulus / rest length" },
    { .name = "bend_model",
      .type = TIDE_FIELD_CHOICE,
      FIELD(bend_model),
      .choices = bend_models,
      .help =
          "skip: springs between vertices two apart in a grid or strand; hinge: between the two vertices opposite an "
          "edge; automatic: skip where the mesh has them" },
    { .name = "springs",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "number[][]",
      .help = "further springs, each { i, j, stiffness [, rest length] }" },
    { .name = "colour",
      .type = TIDE_FIELD_VECTOR,
      FIELD(colour),
      .initial = { 0.72, 0.16, 0.18 },
      .maximum = 1,
      .help = "red, green, blue of the front, sRGB; several bodies left at the default take different colours" },
    { .name = "back_colour",
      .type = TIDE_FIELD_VECTOR,
      FIELD(back_colour),
      .maximum = 1,
      .initial = { TIDE_NOT_GIVEN, TIDE_NOT_GIVEN, TIDE_NOT_GIVEN },
      .initial_text = "made from colour",
      .help = "red, green, blue of the back" },
    { .name = "pattern", .type = TIDE_FIELD_CHOICE, FIELD(pattern), .choices = patterns, .help = "of the surface" },
    { .name = "checkers",
      .type = TIDE_FIELD_REAL,
      FIELD(checkers),
      .initial = { 16 },
      .minimum = 1,
      .maximum = 1000,
      .help = "squares along the mesh's texture" },
    { .name = "radius",
      .type = TIDE_FIELD_REAL,
      FIELD(radius),
      .initial = { 0.005 },
      .minimum = 0,
      .maximum = 1000,
      .positive = true,
      .unit = "m",
      .help = "of the tubes and balls that lines and lone vertices are drawn as" },
    { .name = NULL },
};

tide_body_def tide_body_def_default(void)
{
    tide_body_def def = { 0 };
    tide_fields_default(tide_body_fields, &def);
    return def;
}

void tide_body_object(const char *name, char text[96])
{
    snprintf(text, 96, "body \"%.80s\"", name ? name : "");
}

// --- checks
// -----------------------------------------------------------------------------------------------------------------

static tide_status refuse(tide_error *error, const char *object, const char *field, double value, const char *remedy)
{
    char text[32];
    snprintf(text, sizeof text, "%.10g", value);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, text, "%s", remedy);
}

static tide_status check_one_of(const char *object, const char *a, bool has_a, const char *b, bool has_b,
                                tide_error *error)
{
    if (has_a && has_b)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, b, NULL, "give either %s or %s, not both", a, b);
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
    if (check_one_of(object, "mass", tide_given(def->mass), "masses", def->masses != NULL, error) ||
        check_one_of(object, "mass", tide_given(def->mass), "density", tide_given(def->density), error) ||
        check_one_of(object, "masses", def->masses != NULL, "density", tide_given(def->density), error) ||
        check_one_of(object, "stiffness", tide_given(def->stiffness), "modulus", tide_given(def->modulus), error) ||
        check_one_of(object, "bend", tide_given(def->bend), "bend_modulus", tide_given(def->bend_modulus), error))
        return TIDE_ERROR_ARGUMENT;
    return TIDE_OK;
}

static tide_status check_springs(const tide_body_def *def, const char *object, tide_error *error)
{
    for (uint32_t s = 0; s < def->spring_count; s++) {
        const tide_extra_spring *spring = &def->springs[s];
        char field[64];
        snprintf(field, sizeof field, "springs[%u]", s + 1);
        uint32_t largest = spring->i > spring->j ? spring->i : spring->j;
        if (largest >= def->mesh->vertex_count)
            return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, NULL,
                             "vertex %u: expected a vertex from 1 to %u", largest + 1, def->mesh->vertex_count);
        if (spring->i == spring->j)
            return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, NULL, "joins vertex %u to itself",
                             spring->i + 1);
        if (!(spring->stiffness >= 0 && spring->stiffness <= LARGEST))
            return refuse(error, object, field, spring->stiffness, "expected a stiffness from 0 to 1e+15 N/m");
        if (tide_given(spring->rest_length) && !(spring->rest_length >= 0 && spring->rest_length <= LARGEST))
            return refuse(error, object, field, spring->rest_length, "expected a rest length from 0 to 1e+15 m");
    }
    return TIDE_OK;
}

// A vertex that the mesh leaves alone is fine when an extra spring holds it.
static tide_status springs_hold_all(const tide_body_def *def, bool *all, tide_error *error)
{
    const tide_mesh *mesh = def->mesh;
    bool *used = tide_allocate_zeroed(mesh->vertex_count, sizeof *used);
    if (!used)
        return tide_fail_memory(error, "a body");
    for (size_t i = 0; i < 2 * (size_t)mesh->edge_count; i++)
        used[mesh->edges[i]] = true;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        used[mesh->triangles[i]] = true;
    for (size_t i = 0; i < 4 * (size_t)mesh->tetrahedron_count; i++)
        used[mesh->tetrahedra[i]] = true;
    for (uint32_t s = 0; s < def->spring_count; s++)
        used[def->springs[s].i] = used[def->springs[s].j] = true;
    *all = true;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        *all = *all && used[v];
    tide_free(used);
    return TIDE_OK;
}

static tide_status check_mesh(const tide_body_def *def, const char *object, tide_error *error)
{
    tide_mesh_report report;
    tide_status status = tide_mesh_check(def->mesh, &report, error);
    for (uint32_t p = 0; status == TIDE_OK && p < report.problem_count; p++) {
        const tide_mesh_problem *problem = &report.problems[p];
        bool excused = !problem->fatal;
        if (problem->kind == TIDE_MESH_ISOLATED_VERTEX && def->spring_count)
            status = springs_hold_all(def, &excused, error);
        if (status == TIDE_OK && !excused)
            status = tide_fail(error, TIDE_ERROR_ARGUMENT, object, "mesh", NULL, "%s", problem->text);
        else if (status == TIDE_OK && !problem->fatal)
            tide_log(TIDE_LOG_WARNING, "%s: mesh: %s", object, problem->text);
    }
    return status;
}

// --- masses
// -----------------------------------------------------------------------------------------------------------------

// Shares each element's measure times density equally among its vertices.
static void spread_density(const tide_mesh *mesh, double density, double *masses)
{
    memset(masses, 0, mesh->vertex_count * sizeof *masses);
    for (uint32_t t = 0; t < mesh->tetrahedron_count; t++) {
        const uint32_t *v = &mesh->tetrahedra[4 * (size_t)t];
        double part = density * tide_mesh_tetrahedron_volume(mesh->vertices, v) / 4;
        for (int k = 0; k < 4; k++)
            masses[v[k]] += part;
    }
    for (uint32_t t = 0; t < mesh->triangle_count && !mesh->tetrahedron_count; t++) {
        const uint32_t *v = &mesh->triangles[3 * (size_t)t];
        tide_vec3 a = tide_vec3_load(&mesh->vertices[3 * (size_t)v[0]]);
        tide_vec3 ab = tide_vec3_subtract(tide_vec3_load(&mesh->vertices[3 * (size_t)v[1]]), a);
        tide_vec3 ac = tide_vec3_subtract(tide_vec3_load(&mesh->vertices[3 * (size_t)v[2]]), a);
        double part = density * tide_vec3_length(tide_vec3_cross(ab, ac)) / 6;
        for (int k = 0; k < 3; k++)
            masses[v[k]] += part;
    }
    for (uint32_t e = 0; e < mesh->edge_count && !mesh->tetrahedron_count && !mesh->triangle_count; e++) {
        const uint32_t *v = &mesh->edges[2 * (size_t)e];
        tide_vec3 a = tide_vec3_load(&mesh->vertices[3 * (size_t)v[0]]);
        double part =
            density * tide_vec3_length(tide_vec3_subtract(tide_vec3_load(&mesh->vertices[3 * (size_t)v[1]]), a)) / 2;
        masses[v[0]] += part;
        masses[v[1]] += part;
    }
}

static tide_status make_masses(tide_body *body, const tide_body_def *def, const char *object, tide_error *error)
{
    uint32_t n = def->mesh->vertex_count;
    body->masses = tide_allocate_array(n, sizeof *body->masses);
    if (!body->masses)
        return tide_fail_memory(error, object);
    if (def->masses)
        memcpy(body->masses, def->masses, n * sizeof *body->masses);
    else if (tide_given(def->density))
        spread_density(def->mesh, def->density, body->masses);
    else
        for (uint32_t v = 0; v < n; v++)
            body->masses[v] = (tide_given(def->mass) ? def->mass : 1) / n;
    for (uint32_t v = 0; v < n; v++)
        if (!(body->masses[v] > 0 && body->masses[v] <= LARGEST)) {
            char value[32];
            snprintf(value, sizeof value, "%.10g", body->masses[v]);
            return tide_fail(error, TIDE_ERROR_ARGUMENT, object,
                             def->masses                ? "masses"
                             : tide_given(def->density) ? "density"
                                                        : "mass",
                             value, "gives vertex %u this mass; expected more than 0 kg", v + 1);
        }
    return TIDE_OK;
}

// --- springs
// ----------------------------------------------------------------------------------------------------------------

static double distance(const tide_mesh *mesh, uint32_t i, uint32_t j)
{
    return tide_vec3_length(tide_vec3_subtract(tide_vec3_load(&mesh->vertices[3 * (size_t)i]),
                                               tide_vec3_load(&mesh->vertices[3 * (size_t)j])));
}

// Springs of the mesh's pairs, from *next on: `stiffness` for each, or modulus over rest length.
static tide_status add_springs(tide_body *body, uint32_t *next, const uint32_t *pairs, uint32_t count, double stiffness,
                               double modulus, const char *object, const char *field, tide_error *error)
{
    for (uint32_t p = 0; p < count; p++, (*next)++) {
        uint32_t i = pairs[2 * (size_t)p], j = pairs[2 * (size_t)p + 1];
        double rest = distance(body->mesh, i, j);
        double k = tide_given(stiffness) ? stiffness : modulus / rest;
        if (!(k <= LARGEST))
            return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, NULL,
                             "vertices %u and %u are %.3g m apart, too close for a stiffness of modulus / rest length",
                             i + 1, j + 1, rest);
        body->spring_vertices[2 * (size_t)*next] = i;
        body->spring_vertices[2 * (size_t)*next + 1] = j;
        body->spring_parameters[TIDE_SPRING_STIFFNESS * (size_t)body->spring_count + *next] = k;
        body->spring_parameters[TIDE_SPRING_REST_LENGTH * (size_t)body->spring_count + *next] = rest;
    }
    return TIDE_OK;
}

// The pairs that bend: of the mesh itself, or new ones in *owned.
static tide_status find_bends(const tide_body_def *def, const char *object, const uint32_t **pairs, uint32_t *count,
                              uint32_t **owned, tide_error *error)
{
    const tide_mesh *mesh = def->mesh;
    bool skip = def->bend_model == TIDE_BEND_SKIP || (def->bend_model == TIDE_BEND_AUTOMATIC && mesh->skip_count);
    if (skip) {
        *pairs = mesh->skips;
        *count = mesh->skip_count;
    } else {
        tide_status status = tide_mesh_hinges(mesh, owned, count, error);
        if (status != TIDE_OK)
            return status;
        *pairs = *owned;
    }
    if (*count == 0)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, tide_given(def->bend) ? "bend" : "bend_modulus", NULL,
                         skip ? "this mesh has no vertices two apart along a grid or strand; use bend_model = \"hinge\""
                              : "this mesh has no two triangles that share an edge; leave it out or add springs");
    return TIDE_OK;
}

static tide_status make_springs(tide_body *body, const tide_body_def *def, const char *object, tide_error *error)
{
    const tide_mesh *mesh = def->mesh;
    const uint32_t *bends = NULL;
    uint32_t *owned = NULL, bend_count = 0, next = 0;
    bool has_edges = tide_given(def->stiffness) || tide_given(def->modulus);
    if (tide_given(def->bend) || tide_given(def->bend_modulus)) {
        tide_status status = find_bends(def, object, &bends, &bend_count, &owned, error);
        if (status != TIDE_OK) {
            tide_free(owned);
            return status;
        }
    }
    uint64_t total = (uint64_t)(has_edges ? mesh->edge_count : 0) + bend_count + def->spring_count;
    tide_status status = TIDE_OK;
    if (total > UINT32_MAX / 2)
        status = tide_fail(error, TIDE_ERROR_ARGUMENT, object, "mesh", NULL, "too many springs; use a coarser mesh");
    else {
        body->spring_count = (uint32_t)total;
        body->spring_vertices = tide_allocate_array(2 * total, sizeof *body->spring_vertices);
        body->spring_parameters = tide_allocate_array(TIDE_SPRING_PARAMETERS * total, sizeof *body->spring_parameters);
        if (!body->spring_vertices || !body->spring_parameters)
            status = tide_fail_memory(error, object);
    }
    if (status == TIDE_OK && has_edges)
        status = add_springs(body, &next, mesh->edges, mesh->edge_count, def->stiffness, def->modulus, object,
                             "modulus", error);
    if (status == TIDE_OK)
        status =
            add_springs(body, &next, bends, bend_count, def->bend, def->bend_modulus, object, "bend_modulus", error);
    for (uint32_t s = 0; status == TIDE_OK && s < def->spring_count; s++, next++) {
        const tide_extra_spring *spring = &def->springs[s];
        body->spring_vertices[2 * (size_t)next] = spring->i;
        body->spring_vertices[2 * (size_t)next + 1] = spring->j;
        body->spring_parameters[TIDE_SPRING_STIFFNESS * (size_t)body->spring_count + next] = spring->stiffness;
        body->spring_parameters[TIDE_SPRING_REST_LENGTH * (size_t)body->spring_count + next] =
            tide_given(spring->rest_length) ? spring->rest_length : distance(mesh, spring->i, spring->j);
    }
    tide_free(owned);
    return status;
}

// --- life
// -------------------------------------------------------------------------------------------------------------------

static tide_status fill(tide_body *body, const tide_body_def *def, const char *object, tide_error *error)
{
    tide_status status;
    body->mesh = tide_mesh_retain(def->mesh);
    body->name = tide_copy_string(def->name);
    body->script_line = def->script_line;
    if (!body->name || (def->script_file && !(body->script_file = tide_copy_string(def->script_file))))
        return tide_fail_memory(error, object);
    if ((status = check_numbers(def, object, error)) || (status = check_springs(def, object, error)) ||
        (status = check_mesh(def, object, error)) || (status = make_masses(body, def, object, error)))
        return status;
    return make_springs(body, def, object, error);
}

static void set_look(tide_body *body, const tide_body_def *def)
{
    body->look = *def;
    body->look.name = NULL;
    body->look.mesh = NULL;
    body->look.masses = NULL;
    body->look.springs = NULL;
    body->look.script_file = NULL;
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

tide_status tide_body_copy(const tide_body *body, tide_body **out, tide_error *error)
{
    tide_body *copy = tide_allocate_zeroed(1, sizeof *copy);
    if (!copy)
        return tide_fail_memory(error, "a body");
    copy->look = body->look;
    copy->script_line = body->script_line;
    copy->mesh = tide_mesh_retain(body->mesh);
    copy->spring_count = body->spring_count;
    copy->name = tide_copy_string(body->name);
    copy->script_file = body->script_file ? tide_copy_string(body->script_file) : NULL;
    copy->masses = tide_copy_bytes(body->masses, body->mesh->vertex_count * sizeof *body->masses);
    copy->spring_vertices = tide_copy_bytes(body->spring_vertices, 2 * (size_t)body->spring_count * sizeof(uint32_t));
    copy->spring_parameters =
        tide_copy_bytes(body->spring_parameters, TIDE_SPRING_PARAMETERS * (size_t)body->spring_count * sizeof(double));
    if (!copy->name || (body->script_file && !copy->script_file) || !copy->masses || !copy->spring_vertices ||
        !copy->spring_parameters) {
        tide_body_destroy(copy);
        return tide_fail_memory(error, "a body");
    }
    *out = copy;
    return TIDE_OK;
}

void tide_body_destroy(tide_body *body)
{
    if (!body)
        return;
    tide_mesh_release(body->mesh);
    tide_free(body->name);
    tide_free(body->script_file);
    tide_free(body->masses);
    tide_free(body->spring_vertices);
    tide_free(body->spring_parameters);
    tide_free(body);
}

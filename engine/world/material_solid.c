// Solids: tetrahedra of an elastic material, given by Young's modulus and Poisson's ratio.
#include "base/memory.h"
#include "base/vec3.h"
#include "model/solid.h"
#include "world/body_parts.h"
#include "world/material.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef tide_material_solid_options options;

#define USUAL_POISSON 0.3
#define SPRING_POISSON 0.25
#define INCOMPRESSIBLE 100 // bulk modulus over Young's

static const char *const models[] = { "corotated", "arap", "stvk", "neo_hookean", "spring", NULL };
static const tide_element_kind *const kinds[] = { &tide_solid_corotated, &tide_solid_corotated, &tide_solid_stvk,
                                                  &tide_solid_neo_hookean }; // ARAP is corotated with lambda = 0

static const tide_field fields[] = {
    { .name = "model",
      .type = TIDE_FIELD_CHOICE,
      .offset = offsetof(options, model),
      .choices = models,
      .help =
          "corotated: linear elasticity in a frame that rotates with each tetrahedron; arap: as rigid as possible, "
          "by mu alone, without lateral contraction; stvk: St. Venant-Kirchhoff, for small strain; neo_hookean: stable "
          "neo-Hookean, for large strain; spring: springs along the edges, for Poisson's ratio 1/4" },
    TIDE_POSITIVE_FIELD(options, young, TIDE_BODY_LARGEST, "Pa", "Young's modulus"),
    { .name = "poisson",
      .type = TIDE_FIELD_REAL,
      .offset = offsetof(options, poisson),
      .initial = { TIDE_NOT_GIVEN },
      .initial_text = "0.3; 0 for arap, 0.25 for spring",
      .help = "Poisson's ratio, above -1 and below 0.5" },
    { .name = "incompressible",
      .type = TIDE_FIELD_BOOLEAN,
      .offset = offsetof(options, incompressible),
      .help =
          "tetrahedra keep their volumes too, by a bulk modulus of 100 young; it asks more iterations of solvers, and "
          "coarse meshes bend less than they should" },
    { .name = NULL },
};

static double section(const void *given)
{
    (void)given;
    return 1;
}

static tide_status check_numbers(const tide_material_use *use, tide_error *error)
{
    const options *o = use->options;
    char value[32];
    snprintf(value, sizeof value, "%.10g", o->poisson);
    if (!tide_given(o->poisson))
        return TIDE_OK;
    if (!(o->poisson > -1 && o->poisson < 0.5))
        return tide_material_refuse(use, "poisson", value, error,
                                    "expected a number above -1 and below 0.5; give 0.49 for rubber");
    if (o->model == TIDE_SOLID_SPRING && o->poisson != SPRING_POISSON)
        return tide_material_refuse(use, "poisson", value, error,
                                    "springs have Poisson's ratio 1/4; leave it out, or choose model = \"corotated\"");
    return TIDE_OK;
}

// Computes the parameters of a tetrahedron by its shape at rest. Returns NULL, or what is wrong with that.
static const char *find_rest(const tide_material_use *use, uint32_t tetrahedron,
                             double parameters[TIDE_SOLID_PARAMETERS])
{
    for (int p = 0; p < TIDE_SOLID_PARAMETERS; p++)
        parameters[p] = TIDE_NOT_GIVEN;
    return tide_solid_rest(NULL, use->rest, use->def->mesh->tetrahedra + 4 * (size_t)tetrahedron, parameters);
}

static tide_status check(const tide_material_use *use, tide_error *error)
{
    const tide_mesh *mesh = use->def->mesh;
    TIDE_TRY(check_numbers(use, error));
    for (uint32_t t = 0; t < mesh->tetrahedron_count; t++) {
        const uint32_t *v = mesh->tetrahedra + 4 * (size_t)t;
        double parameters[TIDE_SOLID_PARAMETERS];
        const char *wrong = find_rest(use, t, parameters);
        if (wrong)
            TIDE_TRY(tide_material_refuse(use, NULL, NULL, error, "tetrahedron %u (%u, %u, %u, %u) %s", t + 1, v[0] + 1,
                                          v[1] + 1, v[2] + 1, v[3] + 1, wrong));
    }
    return TIDE_OK;
}

// Young's modulus and Poisson's ratio as mu and lambda / mu. ARAP takes mu alone.
static void find_lame(const options *o, double *mu, double *ratio)
{
    double poisson = tide_given(o->poisson) ? o->poisson : o->model == TIDE_SOLID_ARAP ? 0 : USUAL_POISSON;
    *mu = o->young / (2 * (1 + poisson));
    *ratio = o->model == TIDE_SOLID_ARAP ? 0 : 2 * poisson / (1 - 2 * poisson);
}

// Appends a group with an element for each tetrahedron.
static tide_status add_group(tide_body *body, const tide_material_use *use, const tide_element_kind *kind,
                             double stiffness, double ratio, tide_error *error)
{
    const tide_mesh *mesh = use->def->mesh;
    size_t count = mesh->tetrahedron_count;
    tide_elements *group = tide_body_add_group(body, kind, mesh->tetrahedron_count);
    if (!group)
        return tide_fail_memory(error, use->object);
    memcpy(group->vertices, mesh->tetrahedra, 4 * count * sizeof *group->vertices);
    for (size_t e = 0; e < count; e++) {
        double parameters[TIDE_SOLID_PARAMETERS];
        find_rest(use, (uint32_t)e, parameters);
        parameters[TIDE_SOLID_STIFFNESS] = stiffness;
        parameters[TIDE_SOLID_RATIO] = ratio;
        for (size_t p = 0; p < TIDE_SOLID_PARAMETERS; p++)
            group->parameters[p * count + e] = parameters[p];
    }
    return TIDE_OK;
}

// --- springs along the edges -----------------------------------------------------------------------------------------
//
// A tetrahedron of volume V gives each of its edges, of length l, a spring of stiffness E V / l^2 (Van Gelder 1998,
// Approximate simulation of elastic membranes by triangulated spring meshes). With directions n that are spread
// evenly, springs have the moduli C_ijkl = sum k l^2 <n_i n_j n_k n_l> / V, which are isotropic with lambda = mu, that
// is Poisson's ratio 1/4, and mu = sum k l^2 / (15 V). As E = 5/2 mu and sum k l^2 = 6 E V, Young's modulus is E.

typedef struct side {
    uint32_t ends[2], tetrahedron;
    double length, stiffness;
} side;

static int compare_sides(const void *a, const void *b)
{
    const side *p = a, *q = b;
    if (p->ends[0] != q->ends[0])
        return p->ends[0] < q->ends[0] ? -1 : 1;
    if (p->ends[1] != q->ends[1])
        return p->ends[1] < q->ends[1] ? -1 : 1;
    return (p->tetrahedron > q->tetrahedron) - (p->tetrahedron < q->tetrahedron);
}

// Lists the edges of all tetrahedra, sorted, those of one pair of vertices joined. Returns their number.
static uint32_t find_sides(const tide_material_use *use, side *sides)
{
    const tide_mesh *mesh = use->def->mesh;
    uint32_t count = 0;
    for (uint32_t t = 0; t < mesh->tetrahedron_count; t++) {
        double parameters[TIDE_SOLID_PARAMETERS];
        find_rest(use, t, parameters);
        for (int e = 0; e < 6; e++) {
            uint32_t a = mesh->tetrahedra[4 * (size_t)t + tide_solid_edges[2 * e]];
            uint32_t b = mesh->tetrahedra[4 * (size_t)t + tide_solid_edges[2 * e + 1]];
            double length = tide_vec3_length(tide_vec3_subtract(tide_vec3_load(use->rest + 3 * (size_t)b),
                                                                tide_vec3_load(use->rest + 3 * (size_t)a)));
            double stiffness =
                ((const options *)use->options)->young * parameters[TIDE_SOLID_VOLUME] / (length * length);
            sides[6 * (size_t)t + (size_t)e] = (side) { { a < b ? a : b, a < b ? b : a }, t, length, stiffness };
        }
    }
    qsort(sides, 6 * (size_t)mesh->tetrahedron_count, sizeof *sides, compare_sides);
    for (size_t i = 0; i < 6 * (size_t)mesh->tetrahedron_count; i++)
        if (count && memcmp(sides[count - 1].ends, sides[i].ends, sizeof sides[i].ends) == 0)
            sides[count - 1].stiffness += sides[i].stiffness;
        else
            sides[count++] = sides[i];
    return count;
}

static tide_status add_springs(tide_body *body, const tide_material_use *use, tide_error *error)
{
    TIDE_SCOPED side *sides = tide_allocate_array(6 * (size_t)use->def->mesh->tetrahedron_count, sizeof *sides);
    uint32_t count = sides ? find_sides(use, sides) : 0;
    tide_elements *group = sides ? tide_body_add_group(body, &tide_spring, count) : NULL;
    if (!group)
        return tide_fail_memory(error, use->object);
    for (size_t e = 0; e < count; e++) {
        memcpy(group->vertices + 2 * e, sides[e].ends, sizeof sides[e].ends);
        group->parameters[TIDE_SPRING_STIFFNESS * (size_t)count + e] = sides[e].stiffness;
        group->parameters[TIDE_SPRING_REST_LENGTH * (size_t)count + e] = sides[e].length;
    }
    return TIDE_OK;
}

static tide_status make(tide_body *body, const tide_material_use *use, tide_error *error)
{
    const options *o = use->options;
    double mu, ratio;
    find_lame(o, &mu, &ratio);
    tide_status status = o->model == TIDE_SOLID_SPRING ? add_springs(body, use, error)
                                                       : add_group(body, use, kinds[o->model], mu, ratio, error);
    if (status == TIDE_OK && o->incompressible)
        status = add_group(body, use, &tide_solid_volume, INCOMPRESSIBLE * o->young, 0, error);
    return status;
}

const tide_material tide_material_solid = {
    .name = "solid",
    .help = "elastic tetrahedra",
    .fields = fields,
    .options_size = sizeof(options),
    .lua_type = "tide.MaterialSolid",
    .part = TIDE_MATERIAL_TETRAHEDRA,
    .section = section,
    .check = check,
    .make = make,
};

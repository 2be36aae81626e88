// The springs of a body.
#include "base/memory.h"
#include "base/vec3.h"
#include "world/body_parts.h"

#include <stdio.h>

static tide_status refuse(tide_error *error, const char *object, const char *field, double value, const char *remedy)
{
    char text[32];
    snprintf(text, sizeof text, "%.10g", value);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, text, "%s", remedy);
}

tide_status tide_body_check_springs(const tide_body_def *def, const char *object, tide_error *error)
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
        if (!(spring->stiffness >= 0 && spring->stiffness <= TIDE_BODY_LARGEST))
            return refuse(error, object, field, spring->stiffness, "expected a stiffness from 0 to 1e+15 N/m");
        if (tide_given(spring->rest_length) && !(spring->rest_length >= 0 && spring->rest_length <= TIDE_BODY_LARGEST))
            return refuse(error, object, field, spring->rest_length, "expected a rest length from 0 to 1e+15 m");
    }
    return TIDE_OK;
}

static double distance(const tide_mesh *mesh, uint32_t i, uint32_t j)
{
    return tide_vec3_length(tide_vec3_subtract(tide_vec3_load(&mesh->vertices[3 * (size_t)i]),
                                               tide_vec3_load(&mesh->vertices[3 * (size_t)j])));
}

// A number for all vertices or one for each.
typedef struct values {
    double all;
    const double *each;
} values;

static bool is_given(values values)
{
    return tide_given(values.all) || values.each;
}

static double mean(values values, uint32_t i, uint32_t j)
{
    return values.each ? (values.each[i] + values.each[j]) / 2 : values.all;
}

// Fills in springs for pairs of vertices, from *next on. k is the stiffness, or modulus / rest length.
static tide_status add_springs(tide_elements *springs, const tide_mesh *at_rest, uint32_t *next, const uint32_t *pairs,
                               uint32_t count, values stiffness, values modulus, const char *object, const char *field,
                               tide_error *error)
{
    for (uint32_t p = 0; p < count; p++, (*next)++) {
        uint32_t i = pairs[2 * (size_t)p], j = pairs[2 * (size_t)p + 1];
        double rest = distance(at_rest, i, j);
        double k = is_given(stiffness) ? mean(stiffness, i, j) : mean(modulus, i, j) / rest;
        if (!(k <= TIDE_BODY_LARGEST))
            return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, NULL,
                             "vertices %u and %u are %.3g m apart, too close for a stiffness of modulus / rest length",
                             i + 1, j + 1, rest);
        springs->vertices[2 * (size_t)*next] = i;
        springs->vertices[2 * (size_t)*next + 1] = j;
        springs->parameters[TIDE_SPRING_STIFFNESS * (size_t)springs->count + *next] = k;
        springs->parameters[TIDE_SPRING_REST_LENGTH * (size_t)springs->count + *next] = rest;
    }
    return TIDE_OK;
}

// Finds the pairs of bending springs: skips of the mesh, or pairs allocated in *owned, which the caller frees.
static tide_status find_bends(const tide_body_def *def, const char *object, const uint32_t **pairs, uint32_t *count,
                              uint32_t **owned, tide_error *error)
{
    const tide_mesh *mesh = def->mesh;
    bool lines = mesh->skip_count || (!mesh->triangle_count && !mesh->tetrahedron_count);
    bool skip = def->bend_model == TIDE_BEND_SKIP || (def->bend_model == TIDE_BEND_AUTOMATIC && lines);
    if (skip && mesh->skip_count) {
        *pairs = mesh->skips;
        *count = mesh->skip_count;
    } else {
        tide_status status =
            skip ? tide_mesh_path_skips(mesh, owned, count, error) : tide_mesh_hinges(mesh, owned, count, error);
        if (status != TIDE_OK)
            return status;
        *pairs = *owned;
    }
    if (*count == 0)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object,
                         tide_given(def->bend) || def->bend_at ? "bend" : "bend_modulus", NULL,
                         skip && mesh->triangle_count
                             ? "this mesh has no vertices two apart along a grid or strand; use bend_model = \"hinge\""
                         : skip ? "no vertex of this mesh lies between two others along a path; leave it out or add "
                                  "springs"
                                : "this mesh has no two triangles that share an edge; leave it out or add springs");
    return TIDE_OK;
}

tide_status tide_body_make_springs(tide_body *body, const tide_body_def *def, const char *object, tide_error *error)
{
    const tide_mesh *mesh = def->mesh, *at_rest = def->rest ? def->rest : mesh;
    const uint32_t *bends = NULL;
    uint32_t *owned = NULL, bend_count = 0, next = 0;
    const values stiffness = { def->stiffness, def->stiffness_at }, modulus = { def->modulus, def->modulus_at };
    const values bend = { def->bend, def->bend_at }, bend_modulus = { def->bend_modulus, def->bend_modulus_at };
    bool has_edges = is_given(stiffness) || is_given(modulus);
    if (is_given(bend) || is_given(bend_modulus)) {
        tide_status status = find_bends(def, object, &bends, &bend_count, &owned, error);
        if (status != TIDE_OK) {
            tide_free(owned);
            return status;
        }
    }
    uint64_t total = (uint64_t)(has_edges ? mesh->edge_count : 0) + bend_count + def->spring_count;
    tide_status status = TIDE_OK;
    tide_elements *springs = NULL;
    if (total > UINT32_MAX / 2)
        status = tide_fail(error, TIDE_ERROR_ARGUMENT, object, "mesh", NULL, "too many springs; use a coarser mesh");
    else if (!(springs = tide_body_add_group(body, &tide_spring, (uint32_t)total)))
        status = tide_fail_memory(error, object);
    if (status == TIDE_OK && has_edges)
        status = add_springs(springs, at_rest, &next, mesh->edges, mesh->edge_count, stiffness, modulus, object,
                             "modulus", error);
    if (status == TIDE_OK)
        status =
            add_springs(springs, at_rest, &next, bends, bend_count, bend, bend_modulus, object, "bend_modulus", error);
    for (uint32_t s = 0; status == TIDE_OK && s < def->spring_count; s++, next++) {
        const tide_extra_spring *spring = &def->springs[s];
        springs->vertices[2 * (size_t)next] = spring->i;
        springs->vertices[2 * (size_t)next + 1] = spring->j;
        springs->parameters[TIDE_SPRING_STIFFNESS * (size_t)springs->count + next] = spring->stiffness;
        springs->parameters[TIDE_SPRING_REST_LENGTH * (size_t)springs->count + next] =
            tide_given(spring->rest_length) ? spring->rest_length : distance(at_rest, spring->i, spring->j);
    }
    tide_free(owned);
    return status;
}

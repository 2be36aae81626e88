#include "world/cuts.h"

#include "base/memory.h"
#include "base/vec3.h"
#include "contact/contact_history.h"
#include "world/element_numbers.h"
#include "world/openings.h"
#include "world/split.h"

#include <stdio.h>
#include <string.h>

tide_status tide_world_cut(tide_world *world, tide_body_id id, const uint32_t *elements, uint32_t count,
                           tide_error *error)
{
    const tide_body *body;
    size_t first;
    tide_status status = tide_world_check_elements(world, id, elements, count, "cut", &body, &first, error);
    if (status != TIDE_OK || !count)
        return status;
    status = tide_world_reserve_numbers(world, TIDE_NUMBER_REST, error);
    for (uint32_t e = 0; e < count && status == TIDE_OK; e++)
        tide_world_put_number(world, TIDE_NUMBER_REST, first + elements[e], TIDE_CUT);
    if (status != TIDE_OK)
        return status;
    world->system_changed = true;
    tide_history *history = &world->contact_history;
    history->size = tide_contact_history_drop_surfaces(history->bytes, history->size);
    return TIDE_OK;
}

bool tide_world_is_cut(const tide_world *world, tide_body_id id, uint32_t element)
{
    const tide_body *body = tide_world_lookup(world, id);
    return body && element < tide_body_element_count(body) &&
           tide_world_number(world, TIDE_NUMBER_REST, tide_world_first_element(world, body) + element) == TIDE_CUT;
}

bool tide_world_has_cuts(const tide_world *world, tide_body_id id)
{
    return tide_world_cut_count(world, id) > 0;
}

uint32_t tide_world_cut_count(const tide_world *world, tide_body_id id)
{
    const tide_body *body = tide_world_lookup(world, id);
    size_t first = body ? tide_world_first_element(world, body) : 0, own = body ? tide_body_element_count(body) : 0;
    uint32_t count = 0;
    for (size_t e = 0; e < own && first + e < world->number_count; e++)
        count += world->numbers[first + e] == TIDE_CUT;
    return count;
}

uint32_t tide_world_split_count(const tide_world *world, tide_body_id id)
{
    const tide_body *body = tide_world_lookup(world, id);
    return body ? tide_body_copies(body) : 0;
}

// --- cuts by geometry ------------------------------------------------------------------------------------------------

typedef struct surface {
    const double *x;      // (3 * vertex_count) m: the body
    const bool *sides;    // (vertex_count); or
    const double *normal; // of a plane with normal . x = offset; or
    double offset;
    const double *triangles; // (9 * triangle_count) m
    uint32_t triangle_count;
} surface;

// Returns six times the signed volume of the tetrahedron a, b, c, d.
static double volume(tide_vec3 a, tide_vec3 b, tide_vec3 c, tide_vec3 d)
{
    return tide_vec3_dot(tide_vec3_subtract(b, a), tide_vec3_cross(tide_vec3_subtract(c, a), tide_vec3_subtract(d, a)));
}

// Returns whether the segment from p to q passes through a triangle, its rim included.
static bool passes(const double *triangle, const double *p, const double *q)
{
    tide_vec3 a = tide_vec3_load(triangle), b = tide_vec3_load(triangle + 3), c = tide_vec3_load(triangle + 6);
    tide_vec3 from = tide_vec3_load(p), to = tide_vec3_load(q);
    if ((volume(a, b, c, from) >= 0) == (volume(a, b, c, to) >= 0))
        return false;
    double u = volume(from, to, a, b), v = volume(from, to, b, c), w = volume(from, to, c, a);
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

static tide_vec3 mean(const double *x, const uint32_t *vertices, uint32_t count)
{
    tide_vec3 sum = { 0 };
    for (uint32_t i = 0; i < count; i++)
        sum = tide_vec3_add(sum, tide_vec3_load(x + 3 * (size_t)vertices[i]));
    return tide_vec3_scale(sum, 1.0 / count);
}

// Returns the side of a cell: that of most of its vertices, of its first vertex if there are as many on both sides.
static bool side_of(const bool *sides, const uint32_t *vertices, uint32_t count)
{
    uint32_t on = 0;
    for (uint32_t i = 0; i < count; i++)
        on += sides[vertices[i]];
    return 2 * on == count ? sides[vertices[0]] : 2 * on > count;
}

static bool separates(const void *context, const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count)
{
    const surface *cut = context;
    if (cut->sides)
        return side_of(cut->sides, a, a_count) != side_of(cut->sides, b, b_count);
    double from[3], to[3];
    tide_vec3_store(from, mean(cut->x, a, a_count));
    tide_vec3_store(to, mean(cut->x, b, b_count));
    if (cut->normal)
        return (tide_vec3_dot(tide_vec3_load(cut->normal), tide_vec3_load(from)) >= cut->offset) !=
               (tide_vec3_dot(tide_vec3_load(cut->normal), tide_vec3_load(to)) >= cut->offset);
    for (size_t t = 0; t < cut->triangle_count; t++)
        if (passes(cut->triangles + 9 * t, from, to))
            return true;
    return false;
}

// Cuts a body along a surface. Sets *count to the number of new vertices and cut elements.
static tide_status cut_along(tide_world *world, tide_body_id id, const surface *cut, uint32_t *count, tide_error *error)
{
    uint32_t added = 0;
    TIDE_SCOPED_BY(tide_openings_free) tide_openings found = { 0 };
    TIDE_TRY(tide_world_find_openings(world, id, separates, cut, &found, error));
    TIDE_SCOPED double *factors = tide_allocate_array(found.element_count, sizeof *factors);
    if (!factors)
        return tide_fail_memory(error, "cut");
    uint32_t before = tide_world_cut_count(world, id);
    size_t first = tide_world_first_element(world, tide_world_lookup(world, id));
    for (uint32_t e = 0; e < found.element_count; e++)
        factors[e] = tide_world_number(world, TIDE_NUMBER_REST, first + found.elements[e]);
    TIDE_TRY(tide_world_cut(world, id, found.elements, found.element_count, error));
    tide_status status = tide_world_open(world, id, found.faces, found.face_count, &added, error);
    for (uint32_t e = 0; e < found.element_count && status != TIDE_OK; e++)
        tide_world_put_number(world, TIDE_NUMBER_REST, first + found.elements[e], factors[e]);
    if (status == TIDE_OK)
        *count = added + tide_world_cut_count(world, id) - before;
    return status;
}

static tide_status begin(const tide_world *world, tide_body_id id, const double *numbers, size_t count,
                         const char *field, tide_error *error)
{
    tide_body_info info;
    TIDE_TRY(tide_world_check_idle(world, "cut", error));
    TIDE_TRY(tide_world_check_body(world, id, &info, error));
    for (size_t i = 0; i < count; i++)
        if (!(fabs(numbers[i]) <= TIDE_FARTHEST)) {
            char object[96], value[32];
            tide_body_object(info.name, object);
            snprintf(value, sizeof value, "%.10g", numbers[i]);
            TIDE_TRY(tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, value, "expected numbers within 1e9"));
        }
    return TIDE_OK;
}

tide_status tide_world_cut_sides(tide_world *world, tide_body_id id, const bool *sides, uint32_t *count,
                                 tide_error *error)
{
    tide_status status = begin(world, id, NULL, 0, "cut", error);
    return status == TIDE_OK ? cut_along(world, id, &(surface) { .sides = sides }, count, error) : status;
}

tide_status tide_world_cut_plane(tide_world *world, tide_body_id id, const double normal[3], double offset,
                                 uint32_t *count, tide_error *error)
{
    const double numbers[4] = { normal[0], normal[1], normal[2], offset };
    tide_status status = begin(world, id, numbers, 4, "cut.plane", error);
    tide_vec3 n = tide_vec3_load(normal);
    double length = tide_vec3_length(n);
    if (status != TIDE_OK)
        return status;
    const tide_body *body = tide_world_lookup(world, id);
    if (!(length > 0)) {
        char object[96];
        tide_body_object(body->name, object);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "cut.plane.normal", "{ 0, 0, 0 }",
                         "expected a vector that is not 0");
    }
    const double far = offset * length;
    return cut_along(world, id, &(surface) { .x = tide_world_positions(world, id), .normal = normal, .offset = far },
                     count, error);
}

tide_status tide_world_cut_triangles(tide_world *world, tide_body_id id, const double *triangles,
                                     uint32_t triangle_count, uint32_t *count, tide_error *error)
{
    TIDE_TRY(begin(world, id, triangles, 9 * (size_t)triangle_count, "cut.triangles", error));
    const surface cut = { .x = tide_world_positions(world, id),
                          .triangles = triangles,
                          .triangle_count = triangle_count };
    return cut_along(world, id, &cut, count, error);
}

// --- stiffnesses -----------------------------------------------------------------------------------------------------

static tide_status check_stiffness(const tide_body *body, const uint32_t *elements, uint32_t count, double stiffness,
                                   tide_error *error)
{
    char object[96], value[32];
    tide_body_object(body->name, object);
    snprintf(value, sizeof value, "%.10g", stiffness);
    if (!(stiffness >= 0 && stiffness <= 1e15))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "set_stiffness", value,
                         "expected a number from 0 to 1e15");
    for (uint32_t e = 0; e < count && stiffness > 0; e++) {
        double factor = stiffness / tide_body_stiffness(body, elements[e]);
        if (!(factor > 0 && factor <= 1e15))
            return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "set_stiffness", value,
                             "element %u is described with a stiffness of %.10g, and can change to at most 1e15 times "
                             "that",
                             elements[e] + 1, tide_body_stiffness(body, elements[e]));
    }
    return TIDE_OK;
}

tide_status tide_world_set_stiffness(tide_world *world, tide_body_id id, const uint32_t *elements, uint32_t count,
                                     double stiffness, tide_error *error)
{
    const tide_body *body;
    size_t first;
    tide_status status = tide_world_check_elements(world, id, elements, count, "set_stiffness", &body, &first, error);
    if (status != TIDE_OK || !count)
        return status;
    status = check_stiffness(body, elements, count, stiffness, error);
    if (status == TIDE_OK)
        status = tide_world_reserve_numbers(world, TIDE_NUMBER_STIFFNESS, error);
    for (uint32_t e = 0; e < count && status == TIDE_OK; e++)
        tide_world_put_number(world, TIDE_NUMBER_STIFFNESS, first + elements[e],
                              stiffness > 0 ? stiffness / tide_body_stiffness(body, elements[e]) : 0);
    if (status == TIDE_OK)
        world->system_changed = true;
    return status;
}

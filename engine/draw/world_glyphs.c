// Arrows and contacts.
#include "base/vec3.h"
#include "draw/world_view_parts.h"
#include "world/certificate.h"

#include <math.h>
#include <string.h>

enum { MOST_ARROWS = 400, MOST_DIRECTIONS = 500 };
static const double longest = 0.12;    // length of the longest arrow, as a fraction of the scene's size
static const double least = 0.04;      // shorter arrows are omitted; as a fraction of the longest
static const double head = 0.22;       // length of the head, as a fraction of the arrow
static const double cross_size = 0.02; // half of a mark of a crossing, as a fraction of the scene's size
static const float arrow_width = 1.8f; // pixels

const tide_colour tide_view_velocity_colour = { 0.06f, 0.22f, 0.62f, 1 };
const tide_colour tide_view_force_colour = { 0.80f, 0.24f, 0.02f, 1 };
const tide_colour tide_view_contact_colour = { 0.05f, 0.05f, 0.07f, 1 };
const tide_colour tide_view_crossing_colour = { 0.85f, 0.02f, 0.05f, 1 };
const tide_colour tide_view_residual_colour = { 0.62f, 0.10f, 0.42f, 1 };
const tide_colour tide_view_direction_colour = { 0.00f, 0.42f, 0.34f, 1 };

static double size_of(const tide_draw_list *list)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double side = (double)list->upper[k] - (double)list->lower[k];
        square += side * side;
    }
    return sqrt(square);
}

// Adds a line over a pale, wider one, so that it is visible on light and dark.
static void add_line(tide_draw_list *list, tide_vec3 from, tide_vec3 to, tide_colour colour)
{
    double a[3], b[3];
    tide_draw_line line = { .width = arrow_width + 2, .colour = { 1, 1, 1, 0.5f } };
    tide_vec3_store(a, from);
    tide_vec3_store(b, to);
    for (int k = 0; k < 3; k++) {
        line.from[k] = (float)a[k];
        line.to[k] = (float)b[k];
    }
    tide_draw_add_line(list, &line);
    line.width = arrow_width;
    line.colour = colour;
    tide_draw_add_line(list, &line);
}

// Adds an arrow whose head is perpendicular to the view.
static void add_arrow(tide_draw_list *list, tide_vec3 from, tide_vec3 along, tide_colour colour)
{
    tide_vec3 to = tide_vec3_add(from, along), eye;
    eye = (tide_vec3) { list->camera.position[0], list->camera.position[1], list->camera.position[2] };
    tide_vec3 aside = tide_vec3_cross(along, tide_vec3_subtract(eye, to));
    double size = tide_vec3_length(aside);
    add_line(list, from, to, colour);
    if (!(size > 0))
        return;
    double length = tide_vec3_length(along);
    tide_vec3 back = tide_vec3_subtract(to, tide_vec3_scale(along, head));
    aside = tide_vec3_scale(aside, 0.5 * head * length / size);
    add_line(list, to, tide_vec3_add(back, aside), colour);
    add_line(list, to, tide_vec3_subtract(back, aside), colour);
}

// Adds arrows and returns the largest magnitude.
static double add_arrows(tide_draw_list *list, tide_world *world, const double *vectors, double scene,
                         tide_colour colour)
{
    const double *x = tide_world_all_positions(world);
    uint32_t count = tide_world_particle_count(world), step = count / MOST_ARROWS + 1;
    double most = 0;
    for (uint32_t i = 0; i < count; i += step) {
        double length = tide_vec3_length(tide_vec3_load(vectors + 3 * (size_t)i));
        most = isfinite(length) ? fmax(most, length) : most;
    }
    for (uint32_t i = 0; i < count && most > 0; i += step) {
        tide_vec3 along = tide_vec3_scale(tide_vec3_load(vectors + 3 * (size_t)i), longest * scene / most);
        if (tide_vec3_length(along) >= least * longest * scene)
            add_arrow(list, tide_vec3_load(x + 3 * (size_t)i), along, colour);
    }
    return most;
}

static tide_status add_forces(tide_draw_list *list, tide_world *world, double scene, tide_seen *seen, tide_error *error)
{
    const tide_system *system;
    tide_status status = tide_world_system(world, &system, error);
    size_t count = 3 * (size_t)tide_world_particle_count(world);
    double *forces = status == TIDE_OK ? tide_draw_list_allocate(list, count * sizeof *forces) : NULL;
    if (!forces)
        return status;
    tide_system_gradient(system, tide_world_all_positions(world), forces);
    for (size_t i = 0; i < count; i++)
        forces[i] = -forces[i];
    seen->strongest = add_arrows(list, world, forces, scene, tide_view_force_colour);
    return TIDE_OK;
}

// Adds the bar of a spring from i to j, from its middle - d / 2 to its middle + d / 2, with d = rest length (x_j - x_i)
// / |x_j - x_i|. It is shorter than a stretched spring and longer than a compressed one.
static void add_direction(tide_draw_list *list, const tide_elements *springs, const double *x, uint32_t e)
{
    tide_vec3 a = tide_vec3_load(x + 3 * (size_t)springs->vertices[2 * (size_t)e]);
    tide_vec3 b = tide_vec3_load(x + 3 * (size_t)springs->vertices[2 * (size_t)e + 1]);
    tide_vec3 along = tide_vec3_subtract(b, a), middle = tide_vec3_scale(tide_vec3_add(a, b), 0.5);
    double length = tide_vec3_length(along);
    double rest = springs->parameters[springs->kind->rest_parameter * (size_t)springs->count + e];
    if (!(length > 0))
        return;
    tide_vec3 half = tide_vec3_scale(along, 0.5 * rest / length);
    add_line(list, tide_vec3_subtract(middle, half), tide_vec3_add(middle, half), tide_view_direction_colour);
}

static bool is_shown(const tide_elements *springs, const unsigned char *sorts, uint32_t e, bool bending)
{
    bool cut = tide_element_stiffness(springs, e) == 0;
    return !cut && (sorts[e] == TIDE_SPRING_BEND) == bending;
}

// Counts the bending springs, or the others; with a `step` draws every step-th of them.
static uint32_t walk_springs(tide_draw_list *list, tide_world *world, const tide_system *system, bool bending,
                             uint32_t step)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *springs = &system->groups[g];
        bool long_ones = springs->kind->vertex_count == 2 && tide_element_has_rest(springs->kind);
        const unsigned char *sorts = long_ones ? tide_view_spring_sorts(list, world, system, g) : NULL;
        for (uint32_t e = 0; e < springs->count && sorts; e++)
            if (is_shown(springs, sorts, e, bending) && count++ % (step ? step : UINT32_MAX) == 0 && step)
                add_direction(list, springs, tide_world_all_positions(world), e);
    }
    return count;
}

// Draws some of the springs if there are many; omits bending springs, which overlap the edges, if there are edges.
static tide_status add_directions(tide_draw_list *list, tide_world *world, tide_error *error)
{
    const tide_system *system;
    TIDE_TRY(tide_world_system(world, &system, error));
    uint32_t count = walk_springs(list, world, system, false, 0);
    bool bending = count == 0;
    if (bending)
        count = walk_springs(list, world, system, true, 0);
    walk_springs(list, world, system, bending, count / MOST_DIRECTIONS + 1);
    return TIDE_OK;
}

// Adds contacts and returns the largest force.
static double add_contacts(tide_draw_list *list, tide_world *world, double scene)
{
    uint32_t count;
    double most = 0;
    const tide_contact *contacts = tide_world_contacts(world, &count);
    for (uint32_t i = 0; i < count; i++)
        most = fmax(most, contacts[i].force);
    for (uint32_t i = 0; i < count; i++) {
        const tide_contact *contact = &contacts[i];
        double length = longest * scene * (0.2 + 0.8 * contact->force / most);
        tide_vec3 place = tide_vec3_load(contact->point);
        tide_vec3 tip = tide_vec3_add(place, tide_vec3_scale(tide_vec3_load(contact->normal), length));
        add_line(list, place, tip, tide_view_contact_colour);
        tide_draw_point point = { .size = 6, .colour = tide_view_contact_colour };
        for (int k = 0; k < 3; k++)
            point.position[k] = (float)contact->point[k];
        tide_draw_add_point(list, &point);
    }
    return most;
}

// Adds a cross at each crossing and returns their number. A label above the first shows through what is in front.
static uint32_t add_crossings(tide_draw_list *list, const tide_world *world, double scene)
{
    uint32_t count = tide_world_crossing_count(world);
    for (uint32_t i = 0; i < count; i++) {
        tide_named_crossing crossing;
        tide_world_crossing(world, i, &crossing);
        tide_vec3 place = tide_vec3_load(crossing.place);
        tide_draw_point point = { .size = 9, .colour = tide_view_crossing_colour };
        for (int k = 0; k < 3; k++) {
            tide_vec3 arm = { k == 0, k == 1, k == 2 };
            arm = tide_vec3_scale(arm, cross_size * scene);
            add_line(list, tide_vec3_subtract(place, arm), tide_vec3_add(place, arm), tide_view_crossing_colour);
            point.position[k] = (float)crossing.place[k];
        }
        tide_draw_add_point(list, &point);
        tide_draw_label label = { .size = 16, .colour = tide_view_crossing_colour, .text = "first crossing" };
        memcpy(label.position, point.position, sizeof label.position);
        if (i == 0)
            tide_draw_add_label(list, &label);
    }
    return count;
}

tide_status tide_view_add_glyphs(tide_draw_list *list, tide_world *world, const tide_view_options *options,
                                 tide_seen *seen, tide_error *error)
{
    float bounds[6];
    memcpy(bounds, list->lower, sizeof list->lower);
    memcpy(bounds + 3, list->upper, sizeof list->upper);
    double scene = size_of(list);
    tide_status status = TIDE_OK;
    seen->velocities = options->velocities;
    seen->forces = options->forces;
    seen->contacts = options->contacts;
    seen->directions = options->directions;
    seen->residual = options->residual != NULL;
    if (options->velocities)
        seen->fastest = add_arrows(list, world, tide_world_all_velocities(world), scene, tide_view_velocity_colour);
    if (options->forces)
        status = add_forces(list, world, scene, seen, error);
    if (options->contacts && status == TIDE_OK)
        seen->touching = add_contacts(list, world, scene);
    if (options->crossings)
        seen->crossings = add_crossings(list, world, scene);
    if (options->directions && status == TIDE_OK)
        status = add_directions(list, world, error);
    if (options->residual && status == TIDE_OK)
        seen->unbalanced = add_arrows(list, world, options->residual, scene, tide_view_residual_colour);
    memcpy(list->lower, bounds, sizeof list->lower);
    memcpy(list->upper, bounds + 3, sizeof list->upper);
    return status;
}

#include "world/lasting.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "contact/contact_history.h"
#include "model/membrane_flow.h"
#include "model/rod_twist.h"
#include "model/solid_flow.h"
#include "world/cuts.h"
#include "world/element_numbers.h"
#include "world/exchange.h"
#include "world/rod_frames.h"
#include "world/tear.h"

#include <math.h>
#include <string.h>

static const void *options_of(const tide_body *body, const tide_material *material)
{
    return body->materials[tide_material_index(material)];
}

static bool any_has(const tide_world *world, const tide_material *material)
{
    bool found = false;
    for (size_t b = 0; b < world->body_count; b++)
        found = found || options_of(world->bodies[b], material);
    return found;
}

// Returns whether elements have a plastic deformation, or plastic strains, beyond one factor of a size at rest.
static bool has_plastic_numbers(const tide_element_kind *kind)
{
    return tide_is_solid(kind) || tide_is_membrane(kind) || kind == &tide_rod_twist;
}

tide_status tide_world_reserve_changes(tide_world *world, tide_error *error)
{
    bool plastic = any_has(world, &tide_material_plastic), tear = any_has(world, &tide_material_tear);
    world->torn_count = 0;
    if ((!plastic && !tear) || !tide_world_element_total(world))
        return TIDE_OK;
    tide_element_number last = plastic ? TIDE_NUMBER_SHIFT : TIDE_NUMBER_REST;
    for (size_t b = 0; b < world->body_count; b++)
        for (uint32_t g = 0; g < world->bodies[b]->group_count; g++)
            if (options_of(world->bodies[b], &tide_material_plastic) &&
                has_plastic_numbers(world->bodies[b]->groups[g].kind))
                last = (tide_element_number)(TIDE_NUMBER_KINDS - 1);
    return tide_world_reserve_numbers(world, last, error);
}

// --- plastic flow ----------------------------------------------------------------------------------------------------

#define SHORTEST 0.02 // of the described size: flow does not go beyond
#define LONGEST 100.0

bool tide_plastic_flow(const tide_material_plastic_options *o, double h, double size, double *rest, double *flow)
{
    double elastic = size - *rest, excess = fabs(elastic) - (o->yield + o->hardening * *flow);
    if (!(excess > 0))
        return false;
    double change = excess / (1 + o->hardening);
    if (tide_given(o->creep))
        change *= -tide_expm1(-o->creep * h);
    double to = fmin(fmax(*rest + copysign(change, elastic), SHORTEST), LONGEST);
    change = fabs(to - *rest);
    *rest = to;
    *flow += change;
    return change > 0;
}

// A group of elements at the end of a step.
typedef struct changing {
    tide_world *world;
    const tide_body *body;
    const tide_elements *described;
    tide_elements *present;
    size_t first;    // index of its first element among those of all bodies
    uint32_t number; // likewise, among those of the body
    uint32_t index;  // of the body
} changing;

// Returns whether the elastic energy of an element would rise with another size at rest. It may for an element of one's
// own, whose strain can be any function.
static bool would_gain(const changing *c, uint32_t e, double *size, double next)
{
    const tide_element_kind *kind = c->present->kind;
    double before = kind->energy(c->present, c->world->positions, e, e + 1), now = *size;
    *size = next;
    double after = kind->energy(c->present, c->world->positions, e, e + 1);
    *size = now; // the next step sets it
    return !(after <= before);
}

// Lets an element flow whose strain is relative to its size at rest.
static void flow_by_factor(const changing *c, const tide_material_plastic_options *options, uint32_t e, double strain)
{
    size_t rests = c->present->kind->rest_parameter * (size_t)c->present->count + e;
    double start = c->described->parameters[rests], *now = &c->present->parameters[rests];
    double rest = tide_world_number(c->world, TIDE_NUMBER_REST, c->first + e);
    double flow = tide_world_number(c->world, TIDE_NUMBER_FLOW, c->first + e) - 1;
    if (!(start > 0) ||
        !tide_plastic_flow(options, c->world->settings.timestep, *now * (1 + strain) / start, &rest, &flow) ||
        would_gain(c, e, now, start * rest))
        return;
    tide_world_put_number(c->world, TIDE_NUMBER_REST, c->first + e, rest);
    tide_world_put_number(c->world, TIDE_NUMBER_FLOW, c->first + e, 1 + flow);
}

// Lets an element flow whose size at rest may be 0. The size becomes negative only where it is signed.
static void flow_by_shift(const changing *c, const tide_material_plastic_options *options, uint32_t e, double strain)
{
    size_t count = c->present->count;
    double scale = c->present->parameters[c->present->kind->strain_parameter * count + e];
    double now = scale * c->present->parameters[c->present->kind->rest_parameter * count + e];
    double shift = tide_world_number(c->world, TIDE_NUMBER_SHIFT, c->first + e);
    bool signed_rest = c->present->kind->signed_rest;
    double rest = now, flow = tide_world_number(c->world, TIDE_NUMBER_FLOW, c->first + e) - 1;
    // In units of strain; above SHORTEST by 1, so that a size of 0 is within the limits.
    rest += 1;
    if (!tide_plastic_flow(options, c->world->settings.timestep, now + strain + 1, &rest, &flow))
        return;
    tide_world_put_number(c->world, TIDE_NUMBER_SHIFT, c->first + e,
                          shift + (signed_rest ? rest - 1 : fmax(rest - 1, 0)) - now);
    tide_world_put_number(c->world, TIDE_NUMBER_FLOW, c->first + e, 1 + flow);
}

// Lets solids or membranes flow. Their matrix then changes.
static void let_cells_flow(const changing *c, const tide_material_plastic_options *o)
{
    bool (*flow_of)(tide_elements *, const double *, uint32_t, double, double, double, double[9], double *) =
        tide_is_solid(c->present->kind) ? tide_solid_flow : tide_membrane_flow;
    double share = tide_given(o->creep) ? -tide_expm1(-o->creep * c->world->settings.timestep) : 1;
    for (uint32_t e = 0; e < c->present->count; e++) {
        double plastic[9], flow = tide_world_number(c->world, TIDE_NUMBER_FLOW, c->first + e) - 1;
        if (!(tide_element_stiffness(c->present, e) > 0))
            continue;
        tide_world_get_plastic(c->world, c->first + e, plastic);
        if (!flow_of(c->present, c->world->positions, e, o->yield + o->hardening * flow, o->hardening, share, plastic,
                     &flow))
            continue;
        tide_world_put_plastic(c->world, c->first + e, plastic);
        tide_world_put_number(c->world, TIDE_NUMBER_FLOW, c->first + e, 1 + flow);
        c->world->system_changed = true;
    }
}

// Lets rods flow that twist: the curvature and the twist at rest approach the present ones by the same fraction.
static void let_rods_flow(const changing *c, const tide_material_plastic_options *o)
{
    for (uint32_t e = 0; e < c->present->count; e++) {
        double strain, strains[3], rest = 1, flow = tide_world_number(c->world, TIDE_NUMBER_FLOW, c->first + e) - 1;
        c->present->kind->strain(c->present, c->world->positions, e, e + 1, &strain);
        if (!(tide_element_stiffness(c->present, e) > 0) ||
            !tide_plastic_flow(o, c->world->settings.timestep, 1 + strain, &rest, &flow))
            continue;
        tide_rod_twist_strains(c->present, c->world->positions, e, strains);
        for (uint32_t i = 0; i < 3; i++) {
            tide_element_number number = (tide_element_number)(TIDE_NUMBER_PLASTIC + i);
            double plastic = tide_world_number(c->world, number, c->first + e) + (rest - 1) / strain * strains[i];
            tide_world_put_number(c->world, number, c->first + e, plastic);
        }
        tide_world_put_number(c->world, TIDE_NUMBER_FLOW, c->first + e, 1 + flow);
        c->world->system_changed = true;
    }
}

static void let_flow(const changing *c, const tide_material_plastic_options *options)
{
    enum { BLOCK = 64 };
    double strain[BLOCK];
    const tide_element_kind *kind = c->present->kind;
    if (tide_is_solid(kind) || tide_is_membrane(kind))
        let_cells_flow(c, options);
    else if (kind == &tide_rod_twist)
        let_rods_flow(c, options);
    if (!tide_element_has_rest(kind))
        return;
    for (uint32_t begin = 0; begin < c->present->count; begin += BLOCK) {
        uint32_t end = c->present->count - begin < BLOCK ? c->present->count : begin + BLOCK;
        kind->strain(c->present, c->world->positions, begin, end, strain);
        for (uint32_t e = begin; e < end; e++) {
            if (tide_world_number(c->world, TIDE_NUMBER_REST, c->first + e) == TIDE_CUT)
                continue;
            if (kind->strain_parameter)
                flow_by_shift(c, options, e, strain[e - begin]);
            else
                flow_by_factor(c, options, e, strain[e - begin]);
        }
    }
}

// --- tears -----------------------------------------------------------------------------------------------------------

// Returns the measure of the crack that opens when an element tears: m for springs and triangles, m^2 for tetrahedra.
static double crack_of(const tide_body *body, const tide_elements *described, uint32_t e)
{
    uint32_t corners = tide_shown_corners(described->kind);
    const uint32_t *v = described->vertices + described->kind->vertex_count * (size_t)e;
    tide_vec3 at[4];
    for (uint32_t c = 0; c < corners; c++)
        at[c] = tide_vec3_load(body->mesh->vertices + 3 * (size_t)v[c]);
    if (corners == 2 && tide_element_has_rest(described->kind))
        return described->parameters[described->kind->rest_parameter * (size_t)described->count + e];
    if (corners == 2)
        return tide_vec3_length(tide_vec3_subtract(at[1], at[0]));
    tide_vec3 normal = tide_vec3_cross(tide_vec3_subtract(at[1], at[0]), tide_vec3_subtract(at[2], at[0]));
    if (corners == 3)
        return sqrt(0.5 * tide_vec3_length(normal));
    return tide_pow(fabs(tide_vec3_dot(normal, tide_vec3_subtract(at[3], at[0]))) / 6, 2.0 / 3);
}

// The elements of all bodies beyond their limits.
typedef struct tearing {
    tide_overstrained *elements; // in the order of the bodies
    size_t count, capacity;
} tearing;

// Collects the elements of a group that are beyond the limits. Strain counts with the plastic strain accumulated
// before. Elements that resist bending come apart with their cells. Without memory they hold.
static void collect(const changing *c, const tide_material_tear_options *o, tearing *t)
{
    enum { BLOCK = 64 };
    double strain[BLOCK];
    const tide_element_kind *kind = c->present->kind;
    for (uint32_t begin = 0; begin < c->present->count && !kind->strain_parameter && !kind->hidden_count;
         begin += BLOCK) {
        uint32_t end = c->present->count - begin < BLOCK ? c->present->count : begin + BLOCK;
        kind->strain(c->present, c->world->positions, begin, end, strain);
        for (uint32_t e = begin; e < end; e++) {
            double flow = tide_world_number(c->world, TIDE_NUMBER_FLOW, c->first + e) - 1;
            double all = strain[e - begin] + flow;
            if (!(strain[e - begin] > 0 && all > o->strain) || !(tide_element_stiffness(c->present, e) > 0) ||
                (o->toughness > 0 && kind->energy(c->present, c->world->positions, e, e + 1) <
                                         o->toughness * crack_of(c->body, c->described, e)))
                continue;
            if (tide_grow(&t->elements, &t->capacity, t->count + 1, sizeof *t->elements))
                t->elements[t->count++] = (tide_overstrained) { c->index, c->number + e,
                                                                c->described->vertices + kind->vertex_count * (size_t)e,
                                                                kind->vertex_count, all };
        }
    }
}

// Records a tear: at a vertex that splits, or in the middle of an element that is cut.
static bool add_torn(tide_world *world, const tide_body *body, const tide_overstrained *e, uint32_t at)
{
    if (!tide_grow(&world->torn, &world->torn_capacity, world->torn_count + 1, sizeof *world->torn))
        return false;
    tide_torn *torn = &world->torn[world->torn_count++];
    *torn = (tide_torn) {
        .body = body->id, .element = e->element, .vertex_count = e->vertex_count, .strain = e->strain, .vertex = at
    };
    memcpy(torn->vertices, e->vertices, e->vertex_count * sizeof *e->vertices);
    for (uint32_t c = 0; c < e->vertex_count; c++) {
        uint32_t vertex = at == TIDE_TEAR_CUT ? e->vertices[c] : at;
        const double *x = world->positions + 3 * (size_t)(body->first_particle + vertex);
        for (int k = 0; k < 3; k++)
            torn->position[k] += x[k] / e->vertex_count;
    }
    return true;
}

// Cuts an element that tears where no vertex can be split, and the frame of its edge.
static void cut_torn(tide_world *world, const tide_body *body, size_t first, const tide_overstrained *torn)
{
    tide_world_put_number(world, TIDE_NUMBER_REST, first + torn->element, TIDE_CUT);
    for (uint32_t g = 0; g < body->group_count; first += body->groups[g++].count) {
        const tide_elements *group = &body->groups[g];
        for (size_t e = 0; e < group->count && group->kind == &tide_rod_arm && torn->vertex_count == 2; e++) {
            const uint32_t *v = group->vertices + 3 * e, *ends = torn->vertices;
            if ((v[0] == ends[0] && v[1] == ends[1]) || (v[0] == ends[1] && v[1] == ends[0]))
                tide_world_put_number(world, TIDE_NUMBER_REST, first + e, TIDE_CUT);
        }
    }
}

// Tears edges of a body whose vertices cannot be split: with a spring go the elements that have both of its ends.
static void tear_frames(tide_world *world, const tide_body *body, size_t first, const tide_overstrained *torn,
                        uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *ends = torn[i].vertices;
        uint32_t number = 0;
        if (!add_torn(world, body, &torn[i], TIDE_TEAR_CUT))
            return;
        for (uint32_t g = 0; g < body->group_count; g++) {
            const tide_elements *group = &body->groups[g];
            for (size_t e = 0; e < group->count; e++, number++) {
                const uint32_t *v = group->vertices + group->kind->vertex_count * e;
                uint32_t common = 0;
                for (uint32_t c = 0; c < tide_shown_corners(group->kind); c++)
                    common += v[c] == ends[0] || v[c] == ends[1];
                if (common == 2)
                    tide_world_put_number(world, TIDE_NUMBER_REST, first + number, TIDE_CUT);
            }
        }
    }
}

// Tears a body. Without memory it holds, and tears in a later step.
static void tear(tide_world *world, const tide_overstrained *elements, uint32_t count)
{
    const tide_body *body = world->bodies[elements->body];
    size_t before = world->torn_count, first = tide_world_first_element(world, body);
    uint32_t added;
    tide_tears tears;
    if (!tide_body_can_split(body)) {
        tear_frames(world, body, first, elements, count);
        return;
    }
    if (!tide_find_tears(body, world->positions + 3 * (size_t)body->first_particle, elements, count, &tears))
        return;
    for (uint32_t i = 0; i < count; i++)
        if (tears.at[i] != TIDE_TEAR_HOLDS && add_torn(world, body, &elements[i], tears.at[i]) &&
            tears.at[i] == TIDE_TEAR_CUT)
            cut_torn(world, body, first, &elements[i]);
    if (tide_world_open_faces(world, body->id, tears.faces, tears.face_count, &added, NULL) != TIDE_OK)
        world->torn_count = before;
    tide_tears_free(&tears);
}

// Tears all bodies. The list of contacts is kept: they are of the bodies before.
static void tear_all(tide_world *world, const tearing *t)
{
    uint32_t contacts;
    bool listed = tide_world_contacts(world, &contacts) || !contacts;
    for (size_t begin = 0, end; begin < t->count; begin = end) {
        for (end = begin; end < t->count && t->elements[end].body == t->elements[begin].body;)
            end++;
        tear(world, t->elements + begin, (uint32_t)(end - begin));
    }
    if (!world->torn_count)
        return;
    world->contacts_listed = listed;
    world->contact_count = contacts;
    world->system_changed = true;
    tide_history *history = &world->contact_history;
    history->size = tide_contact_history_drop_surfaces(history->bytes, history->size);
}

// --- a step ----------------------------------------------------------------------------------------------------------

void tide_world_change_elements(tide_world *world)
{
    tide_elements *present = world->system->groups; // those of bodies come first, without empty ones
    tearing torn = { 0 };
    size_t first = 0;
    for (uint32_t b = 0; b < world->body_count; b++) {
        const tide_body *body = world->bodies[b];
        const void *plastic = options_of(body, &tide_material_plastic), *tears = options_of(body, &tide_material_tear);
        uint32_t number = 0;
        for (uint32_t g = 0; g < body->group_count; g++) {
            const tide_elements *described = &body->groups[g];
            const changing group = { world, body, described, present, first, number, b };
            if (described->count && plastic)
                let_flow(&group, plastic);
            if (described->count && tears)
                collect(&group, tears, &torn);
            present += described->count > 0;
            first += described->count;
            number += described->count;
        }
    }
    if (torn.count)
        tear_all(world, &torn);
    tide_free(torn.elements);
}

const tide_torn *tide_world_torn(const tide_world *world, uint32_t *count)
{
    *count = (uint32_t)world->torn_count;
    return world->torn;
}

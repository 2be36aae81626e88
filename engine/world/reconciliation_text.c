#include "world/reconciliation_text.h"

#include "collision/collider_vertices.h"
#include "world/friction_pairs.h"
#include "world/material.h"
#include "world/world_state.h"

#include <inttypes.h>
#include <string.h>

enum { SHOWN_NAMES = 5 };

// --- a line: "NAME: part, part" --------------------------------------------------------------------------------------

typedef struct line {
    tide_text *text;
    const char *name;
    bool begun;
} line;

// Writes the line's name or a comma before the next part, and returns the text.
static tide_text *next_part(line *line)
{
    if (line->begun)
        tide_text_format(line->text, ", ");
    else
        tide_text_format(line->text, "%s%s: ", line->text->length ? "\n" : "", line->name);
    line->begun = true;
    return line->text;
}

static void add_count(line *line, size_t before, size_t now, const char *what)
{
    if (before != now)
        tide_text_format(next_part(line), "%zu -> %zu %s", before, now, what);
}

// --- fields ----------------------------------------------------------------------------------------------------------

static const void *value_of(const tide_field *field, const void *object)
{
    return (const char *)object + field->offset;
}

static double real_of(const tide_field *field, const void *object)
{
    double value;
    memcpy(&value, value_of(field, object), sizeof value);
    return value;
}

static bool same_real(double a, double b)
{
    return a == b || (!tide_given(a) && !tide_given(b));
}

static bool same_value(const tide_field *field, const void *a, const void *b)
{
    const double *x = value_of(field, a), *y = value_of(field, b);
    switch (field->type) {
    case TIDE_FIELD_BOOLEAN:
        return *(const bool *)value_of(field, a) == *(const bool *)value_of(field, b);
    case TIDE_FIELD_INTEGER:
    case TIDE_FIELD_CHOICE:
        return *(const int *)value_of(field, a) == *(const int *)value_of(field, b);
    case TIDE_FIELD_REAL:
        return same_real(real_of(field, a), real_of(field, b));
    case TIDE_FIELD_VECTOR:
        return same_real(x[0], y[0]) && same_real(x[1], y[1]) && same_real(x[2], y[2]);
    case TIDE_FIELD_TEXT:
        return strcmp(value_of(field, a), value_of(field, b)) == 0;
    default:
        return true;
    }
}

static void add_value(const tide_field *field, const void *object, tide_text *text)
{
    const double *vector = value_of(field, object);
    int index;
    switch (field->type) {
    case TIDE_FIELD_BOOLEAN:
        tide_text_format(text, *(const bool *)value_of(field, object) ? "true" : "false");
        break;
    case TIDE_FIELD_INTEGER:
        tide_text_format(text, "%d", *(const int *)value_of(field, object));
        break;
    case TIDE_FIELD_CHOICE:
        index = *(const int *)value_of(field, object);
        tide_text_format(text, "%s", field->choices[index]);
        break;
    case TIDE_FIELD_REAL:
        if (tide_given(real_of(field, object)))
            tide_text_format(text, "%.6g", real_of(field, object));
        else
            tide_text_format(text, "%s", field->word ? field->word : "none");
        break;
    case TIDE_FIELD_VECTOR:
        if (tide_given(vector[0]))
            tide_text_format(text, "(%.4g, %.4g, %.4g)", vector[0], vector[1], vector[2]);
        else
            tide_text_format(text, "none");
        break;
    default:
        tide_text_format(text, "%s", (const char *)value_of(field, object));
    }
}

// Writes a field that differs as "stiffness 80 -> 200 N/m".
static void compare_field(line *line, const tide_field *field, const void *before, const void *now)
{
    if (same_value(field, before, now))
        return;
    tide_text *text = next_part(line);
    tide_text_format(text, "%s ", field->name);
    add_value(field, before, text);
    tide_text_format(text, " -> ");
    add_value(field, now, text);
    if (field->unit)
        tide_text_format(text, " %s", field->unit);
}

// Writes the fields that differ and returns their number.
static uint32_t compare_fields(line *line, const tide_field *fields, const void *before, const void *now)
{
    uint32_t count = 0;
    for (const tide_field *field = fields; field->name; field++) {
        if (field->type == TIDE_FIELD_RECORD) {
            for (const tide_field *part = field->record; part->name; part++) {
                char name[TIDE_FIELD_NAME_SIZE];
                tide_field within = tide_field_within(field, part, name);
                count += !same_value(&within, before, now);
                compare_field(line, &within, before, now);
            }
        } else if (field->type != TIDE_FIELD_OTHER) {
            count += !same_value(field, before, now);
            compare_field(line, field, before, now);
        }
    }
    return count;
}

// --- bodies ----------------------------------------------------------------------------------------------------------

static bool same_mesh(const tide_mesh *a, const tide_mesh *b)
{
    return a == b || (a && b && a->topology_hash == b->topology_hash && a->vertex_count == b->vertex_count &&
                      memcmp(a->vertices, b->vertices, 3 * (size_t)a->vertex_count * sizeof *a->vertices) == 0);
}

static bool same_group(const tide_elements *a, const tide_elements *b)
{
    size_t count = a->count;
    return tide_element_same_kind(a->kind, b->kind) && count == b->count &&
           memcmp(a->vertices, b->vertices, a->kind->vertex_count * count * sizeof *a->vertices) == 0 &&
           memcmp(a->parameters, b->parameters, a->kind->parameter_count * count * sizeof *a->parameters) == 0;
}

// Compares the groups other than the springs.
static bool same_elements(const tide_body *a, const tide_body *b)
{
    bool same = a->group_count == b->group_count;
    for (uint32_t g = 1; g < a->group_count && same; g++)
        same = same_group(&a->groups[g], &b->groups[g]);
    return same;
}

// Returns the number under which a pin of the body's first vertex is entered.
static uint64_t first_pin(const tide_world *world, const tide_body *body)
{
    return body->rigid ? tide_world_rigid_pin(world, body, 0) : body->first_particle;
}

// Returns the number of a body's pins; *first is the first of them.
static size_t pins_of(const tide_world *world, const tide_body *body, const tide_pin **first)
{
    size_t low = 0, high;
    uint64_t begin = first_pin(world, body);
    while (low < world->pin_count && world->pins[low].particle < begin)
        low++;
    for (high = low; high < world->pin_count; high++)
        if (world->pins[high].particle - begin >= tide_body_face(body)->vertex_count)
            break;
    *first = world->pins + low;
    return high - low;
}

static void compare_pins(line *line, const tide_world *world, const tide_body *body, const tide_world *old,
                         const tide_body *before)
{
    const tide_pin *pins, *pins_before;
    size_t count = pins_of(world, body, &pins), count_before = pins_of(old, before, &pins_before);
    bool other = false, moved = false, stiffness = false;
    uint64_t begin = first_pin(world, body), begin_before = first_pin(old, before);
    add_count(line, count_before, count, count == 1 ? "pin" : "pins");
    if (count != count_before || !same_mesh(tide_body_face(body), tide_body_face(before)))
        return;
    for (size_t p = 0; p < count; p++) {
        other = other || pins[p].particle - begin != pins_before[p].particle - begin_before;
        stiffness = stiffness || !same_real(pins[p].stiffness, pins_before[p].stiffness);
        moved = moved || memcmp(pins[p].described, pins_before[p].described, sizeof pins[p].described) != 0;
    }
    if (other || moved)
        tide_text_format(next_part(line), other ? "other pins" : "pins moved");
    if (stiffness)
        tide_text_format(next_part(line), "stiffness of pins changed");
}

static void compare_meshes(line *line, const tide_body *body, const tide_body *before, bool shape_kept)
{
    const tide_mesh *mesh = tide_body_face(body), *mesh_before = tide_body_face(before);
    if (body->rigid != before->rigid && mesh->vertex_count == mesh_before->vertex_count) {
        if (!shape_kept)
            tide_text_format(next_part(line), "starts anew: it is not where the old one was");
        return;
    }
    if (mesh->topology_hash == mesh_before->topology_hash && mesh->vertex_count == mesh_before->vertex_count) {
        if (!same_mesh(mesh, mesh_before))
            tide_text_format(next_part(line), "rest shape changed");
        return;
    }
    if (mesh->vertex_count != mesh_before->vertex_count)
        add_count(line, mesh_before->vertex_count, mesh->vertex_count, "vertices");
    else
        tide_text_format(next_part(line), "connectivity changed");
    tide_text_format(next_part(line), shape_kept ? "shape kept" : "starts anew: it is not where the old one was");
}

// Writes the materials that are new or gone, and the options that differ. Returns whether any does.
static bool compare_materials(line *line, const tide_body *body, const tide_body *before)
{
    const tide_material *material;
    bool differ = false;
    for (uint32_t m = 0; (material = tide_material_at(m)); m++) {
        const void *now = body->materials[m], *then = before->materials[m];
        const tide_field fields[] = { tide_material_field(material), { .name = NULL } };
        if (now && then)
            differ = compare_fields(line, fields, then, now) > 0 || differ;
        else if (now || then)
            tide_text_format(next_part(line), "%s %s", material->name, now ? "added" : "removed");
        differ = differ || !now != !then;
    }
    return differ;
}

static void compare_bodies(tide_text *text, const tide_world *world, const tide_body *body, const tide_world *old,
                           const tide_body *before, bool shape_kept)
{
    line line = { text, body->name, false };
    bool same_topology = body->mesh->topology_hash == before->mesh->topology_hash &&
                         body->mesh->vertex_count == before->mesh->vertex_count;
    compare_meshes(&line, body, before, shape_kept);
    if (!body->rigid && !before->rigid && !same_mesh(body->surface, before->surface))
        tide_text_format(next_part(&line), "another surface");
    bool other_fields = compare_fields(&line, tide_body_fields, &before->look, &body->look) > 0;
    other_fields = compare_materials(&line, body, before) || other_fields;
    if (body->look.directed.across != before->look.directed.across ||
        memcmp(body->friction_axis, before->friction_axis, sizeof before->friction_axis) != 0)
        tide_text_format(next_part(&line), "friction by direction changed");
    // Compares what the fields do not show: values per vertex, extra springs and elements.
    if (same_topology && !other_fields && same_mesh(body->mesh, before->mesh)) {
        const tide_elements *springs = tide_body_springs(body), *springs_before = tide_body_springs(before);
        add_count(&line, springs_before->count, springs->count, "springs");
        if (springs->count == springs_before->count && !same_group(springs, springs_before))
            tide_text_format(next_part(&line), "springs changed");
        if (!same_elements(body, before))
            tide_text_format(next_part(&line), "elements changed");
        if (memcmp(body->masses, before->masses, body->mesh->vertex_count * sizeof *body->masses) != 0)
            tide_text_format(next_part(&line), "masses changed");
    }
    compare_pins(&line, world, body, old, before);
}

// --- colliders -------------------------------------------------------------------------------------------------------

static tide_collider_def definition_of(const tide_collider *collider)
{
    tide_collider_def def = tide_collider_def_default();
    def.friction = collider->friction;
    def.restitution = collider->restitution;
    def.rolling = collider->rolling;
    def.thickness = collider->thickness;
    memcpy(def.contact_material, collider->contact_material, sizeof def.contact_material);
    memcpy(def.colour, collider->colour, sizeof def.colour);
    def.visible = collider->visible;
    def.interpolation = collider->interpolation;
    def.loop = collider->loop;
    return def;
}

static bool same_keyframes(const tide_collider *a, const tide_collider *b)
{
    bool same = a->keyframe_count == b->keyframe_count;
    for (uint32_t k = 0; same && k < a->keyframe_count; k++) {
        const tide_keyframe *x = &a->keyframes[k], *y = &b->keyframes[k];
        same = x->time == y->time && memcmp(x->position, y->position, sizeof x->position) == 0 &&
               memcmp(x->rotation, y->rotation, sizeof x->rotation) == 0;
    }
    return same;
}

static void compare_colliders(tide_text *text, const tide_collider *collider, const tide_collider *before)
{
    line line = { text, collider->name, false };
    const tide_collider_def def = definition_of(collider), def_before = definition_of(before);
    if (collider->kind != before->kind)
        tide_text_format(next_part(&line), "%s -> %s", before->kind->name, collider->kind->name);
    else if (!same_mesh(collider->shape.surface, before->shape.surface))
        tide_text_format(next_part(&line), "size or shape changed");
    if (!tide_pose_equal(&collider->shape.pose, &before->shape.pose))
        tide_text_format(next_part(&line), "moved");
    if (!same_keyframes(collider, before))
        tide_text_format(next_part(&line), "other keyframes");
    if (!tide_deform_same_frames(collider->shape.deform, before->shape.deform))
        tide_text_format(next_part(&line), "other frames");
    compare_fields(&line, tide_collider_fields, &def_before, &def);
    if (collider->friction_ratio != before->friction_ratio ||
        memcmp(collider->friction_axis, before->friction_axis, sizeof before->friction_axis) != 0)
        tide_text_format(next_part(&line), "friction by direction changed");
}

// --- the rest --------------------------------------------------------------------------------------------------------

static void compare_settings(tide_text *text, const tide_world *world, const tide_world *old)
{
    line scene = { text, "scene", false }, contact = { text, "contact", false }, solver = { text, "solver", false };
    compare_fields(&scene, tide_world_fields, &old->settings, &world->settings);
    size_t attachments = world->attachment_count + world->link_count,
           before_count = old->attachment_count + old->link_count;
    if (attachments != before_count)
        add_count(&scene, before_count, attachments, "attachments");
    if (!tide_world_same_friction_pairs(world, old))
        tide_text_format(next_part(&scene), "friction_pairs changed");
    compare_fields(&contact, tide_contact_fields, &old->settings.contact, &world->settings.contact);
    const tide_solver_kind *kind = tide_solver_kind_of(world->solver), *before = tide_solver_kind_of(old->solver);
    if (strcmp(kind->name, before->name) != 0)
        tide_text_format(next_part(&solver), "%s -> %s", before->name, kind->name);
    else if (kind == before)
        compare_fields(&solver, kind->fields, tide_solver_options(old->solver), tide_solver_options(world->solver));
}

// Writes "removed: flag, ball and 3 more". `name` returns NULL for an index that is not in the list.
static void list_names(tide_text *text, const char *title, const tide_world *world, size_t count,
                       const char *(*name)(const tide_world *, const tide_world *, size_t), const tide_world *other)
{
    line line = { text, title, false };
    size_t named = 0, more = 0;
    for (size_t i = 0; i < count; i++) {
        const char *found = name(world, other, i);
        if (found && named < SHOWN_NAMES)
            tide_text_format(next_part(&line), "%s", found);
        more += found && named >= SHOWN_NAMES;
        named += found != NULL;
    }
    if (more)
        tide_text_format(text, " and %zu more", more);
}

static const char *lone_body(const tide_world *world, const tide_world *other, size_t index)
{
    const char *name = world->bodies[index]->name;
    return tide_world_lookup(other, tide_world_find_body(other, name)) ? NULL : name;
}

static const char *lone_collider(const tide_world *world, const tide_world *other, size_t index)
{
    const char *name = world->colliders[index]->name;
    return tide_world_collider(other, tide_world_find_collider(other, name)) ? NULL : name;
}

static const char *lone_part(const tide_world *world, const tide_world *other, size_t index)
{
    return index < world->body_count ? lone_body(world, other, index)
                                     : lone_collider(world, other, index - world->body_count);
}

void tide_reconciliation_write(const tide_world *world, const tide_world *old, const bool *shape_kept,
                               tide_text *notice)
{
    for (size_t b = 0; b < world->body_count; b++) {
        const tide_body *body = world->bodies[b];
        const tide_body *before = tide_world_lookup(old, tide_world_find_body(old, body->name));
        if (before)
            compare_bodies(notice, world, body, old, before, shape_kept && shape_kept[b]);
    }
    for (size_t c = 0; c < world->collider_count; c++) {
        const tide_collider *collider = world->colliders[c];
        const tide_collider *before = tide_world_collider(old, tide_world_find_collider(old, collider->name));
        if (before)
            compare_colliders(notice, collider, before);
    }
    compare_settings(notice, world, old);
    list_names(notice, "new", world, world->body_count + world->collider_count, lone_part, old);
    list_names(notice, "removed", old, old->body_count + old->collider_count, lone_part, world);
}

#include "world/friction_pairs.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define OBJECT "scene"
#define FIELD "friction_pairs"

// --- names ----------------------------------------------------------------------------------------------------------

typedef struct names {
    const char **items;
    size_t count;
} names;

static size_t index_of(const names *n, const char *name)
{
    size_t i = 0;
    while (i < n->count && strcmp(n->items[i], name) != 0)
        i++;
    return i;
}

// Lists the names in the order of their first pair. The caller frees the items.
static tide_status list_names(const tide_friction_pair *pairs, uint32_t count, names *out, tide_error *error)
{
    *out = (names) { .items = tide_allocate_array(2 * (size_t)count + 1, sizeof *out->items) };
    if (!out->items)
        return tide_fail_memory(error, OBJECT);
    for (uint32_t i = 0; i < count; i++)
        for (int side = 0; side < 2; side++)
            if (index_of(out, pairs[i].materials[side]) == out->count)
                out->items[out->count++] = pairs[i].materials[side];
    return TIDE_OK;
}

static tide_status check_material(const tide_friction_pair *pairs, uint32_t count, const char *object, const char *name,
                                  tide_error *error)
{
    if (!name[0])
        return TIDE_OK;
    names known;
    size_t index;
    char value[TIDE_FIELD_TEXT_SIZE + 2];
    snprintf(value, sizeof value, "\"%s\"", name);
    if (count == 0)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "contact_material", value,
                         "the scene has no friction_pairs; give them first, as tide.scene { friction_pairs = { { "
                         "\"%.40s\", \"steel\", 0.3 } } }",
                         name);
    TIDE_TRY(list_names(pairs, count, &known, error));
    tide_status status =
        tide_find_name(name, known.items, known.count, "contact material", object, "contact_material", &index, error);
    tide_free(known.items);
    return status;
}

tide_status tide_world_check_contact_material(const tide_world *world, const char *object, const char *name,
                                              tide_error *error)
{
    return check_material(world->friction_pairs, world->friction_pair_count, object, name, error);
}

// --- the table ------------------------------------------------------------------------------------------------------

static bool same_materials(const tide_friction_pair *a, const tide_friction_pair *b)
{
    return (strcmp(a->materials[0], b->materials[0]) == 0 && strcmp(a->materials[1], b->materials[1]) == 0) ||
           (strcmp(a->materials[0], b->materials[1]) == 0 && strcmp(a->materials[1], b->materials[0]) == 0);
}

static tide_status check_pair(const tide_friction_pair *pairs, uint32_t i, tide_error *error)
{
    char field[48], value[2 * TIDE_FIELD_TEXT_SIZE];
    snprintf(field, sizeof field, FIELD "[%u]", i + 1);
    for (int side = 0; side < 2; side++)
        if (!pairs[i].materials[side][0])
            return tide_fail(error, TIDE_ERROR_ARGUMENT, OBJECT, field, "\"\"", "expected the name of a material");
    snprintf(value, sizeof value, "%.10g", pairs[i].friction);
    if (!(pairs[i].friction >= 0 && pairs[i].friction <= 1000))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, OBJECT, field, value,
                         "expected a coefficient of friction from 0 to 1000 for \"%.40s\" on \"%.40s\"",
                         pairs[i].materials[0], pairs[i].materials[1]);
    for (uint32_t k = 0; k < i; k++)
        if (same_materials(&pairs[k], &pairs[i]))
            return tide_fail(error, TIDE_ERROR_ARGUMENT, OBJECT, field, NULL,
                             "\"%.40s\" and \"%.40s\" are in entry %u too; leave one of them out",
                             pairs[i].materials[0], pairs[i].materials[1], k + 1);
    return TIDE_OK;
}

static tide_status check_users(const tide_world *world, const tide_friction_pair *pairs, uint32_t count,
                               tide_error *error)
{
    char object[96];
    for (size_t b = 0; b < world->body_count; b++) {
        tide_body_object(world->bodies[b]->name, object);
        TIDE_TRY(check_material(pairs, count, object, world->bodies[b]->look.contact_material, error));
    }
    for (size_t c = 0; c < world->collider_count; c++) {
        snprintf(object, sizeof object, "collider \"%.80s\"", world->colliders[c]->name);
        TIDE_TRY(check_material(pairs, count, object, world->colliders[c]->contact_material, error));
    }
    return TIDE_OK;
}

tide_status tide_world_set_friction_pairs(tide_world *world, const tide_friction_pair *pairs, uint32_t count,
                                          tide_error *error)
{
    enum { MOST = 10000 };
    TIDE_TRY(tide_world_check_idle(world, FIELD, error));
    if (count > MOST)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, OBJECT, FIELD, NULL, "expected at most %d pairs", MOST);
    for (uint32_t i = 0; i < count; i++)
        TIDE_TRY(check_pair(pairs, i, error));
    TIDE_TRY(check_users(world, pairs, count, error));
    tide_friction_pair *copy = count ? tide_copy_bytes(pairs, count * sizeof *pairs) : NULL;
    if (count && !copy)
        return tide_fail_memory(error, OBJECT);
    tide_free(world->friction_pairs);
    world->friction_pairs = copy;
    world->friction_pair_count = count;
    world->contacts_changed = true;
    return TIDE_OK;
}

const tide_friction_pair *tide_world_friction_pairs(const tide_world *world, uint32_t *count)
{
    *count = world->friction_pair_count;
    return world->friction_pairs;
}

tide_status tide_world_copy_friction_pairs(tide_world *fork, const tide_world *world, tide_error *error)
{
    return tide_world_set_friction_pairs(fork, world->friction_pairs, world->friction_pair_count, error);
}

bool tide_world_same_friction_pairs(const tide_world *a, const tide_world *b)
{
    bool same = a->friction_pair_count == b->friction_pair_count;
    for (uint32_t i = 0; same && i < a->friction_pair_count; i++) {
        const tide_friction_pair *p = &a->friction_pairs[i], *q = &b->friction_pairs[i];
        same = same_materials(p, q) && p->friction == q->friction;
    }
    return same;
}

// --- in contact -----------------------------------------------------------------------------------------------------

// Returns the index of a material from 1; 0: none.
static uint32_t material_of(const names *known, const char *name)
{
    return name[0] ? (uint32_t)index_of(known, name) + 1 : 0;
}

static void set_parts(const tide_world *world, const names *known, tide_contact_surface *s)
{
    size_t next = world->body_count;
    for (size_t b = 0; b < world->body_count; b++) {
        const tide_body *body = world->bodies[b];
        s->parts[body->surface ? next++ : b].material = material_of(known, body->look.contact_material);
    }
    for (size_t c = 0; c < world->collider_count; c++)
        s->collider_materials[c] = material_of(known, world->colliders[c]->contact_material);
    for (uint32_t i = 0; i < s->part_count; i++)
        if (s->parts[i].fixed)
            s->parts[i].material = s->collider_materials[s->parts[i].collider];
}

tide_status tide_world_set_materials(const tide_world *world, tide_contact_surface *s, tide_error *error)
{
    names known;
    if (!world->friction_pair_count)
        return TIDE_OK;
    TIDE_TRY(list_names(world->friction_pairs, world->friction_pair_count, &known, error));
    size_t count = s->material_count = (uint32_t)known.count + 1;
    s->pair_friction = tide_own_array(s, count * count, sizeof *s->pair_friction);
    s->collider_materials = tide_own_zeroed(s, world->collider_count, sizeof *s->collider_materials);
    bool room = s->pair_friction && s->collider_materials;
    for (size_t i = 0; room && i < count * count; i++)
        s->pair_friction[i] = TIDE_NOT_GIVEN;
    for (uint32_t i = 0; room && i < world->friction_pair_count; i++) {
        const tide_friction_pair *pair = &world->friction_pairs[i];
        size_t a = material_of(&known, pair->materials[0]), b = material_of(&known, pair->materials[1]);
        s->pair_friction[a * count + b] = s->pair_friction[b * count + a] = pair->friction;
    }
    if (room)
        set_parts(world, &known, s);
    tide_free(known.items);
    return room ? TIDE_OK : tide_fail_memory(error, "contact");
}

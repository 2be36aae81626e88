// A world's colliders: ids, motion, and their part in snapshots and reconciling.
#include "base/memory.h"
#include "collision/collider_vertices.h"
#include "world/collider_state.h"
#include "world/friction_pairs.h"
#include "world/world_state.h"

#include <stdio.h>
#include <string.h>

static tide_status fail_collider(const char *name, const char *remedy, tide_error *error)
{
    char object[96];
    snprintf(object, sizeof object, "collider \"%.80s\"", name);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, NULL, NULL, "%s", remedy);
}

// Adds the collider to the world, which owns it from then on. Destroys it on failure.
static tide_status insert(tide_world *world, tide_collider *collider, tide_collider_id *id, tide_error *error)
{
    tide_slot *slot = NULL;
    if (tide_grow(&world->colliders, &world->collider_capacity, world->collider_count + 1, sizeof *world->colliders))
        slot = tide_slots_claim(&world->collider_slots, collider->name);
    if (!slot) {
        tide_collider_destroy(collider);
        return tide_fail_memory(error, "collider");
    }
    slot->owner = (uint32_t)world->collider_count;
    *id = (tide_collider_id) { (uint32_t)(slot - world->collider_slots.items) + 1, slot->generation };
    world->colliders[world->collider_count++] = collider;
    world->contacts_changed = world->untangling.edited = true;
    tide_snapshot_destroy(world->initial); // reset must restore a state with this collider
    world->initial = NULL;
    return TIDE_OK;
}

tide_status tide_world_add_collider(tide_world *world, const tide_collider_def *def, tide_collider_id *id,
                                    tide_error *error)
{
    tide_collider *collider;
    tide_status status = tide_world_check_idle(world, "collider", error);
    if (status == TIDE_OK && def->name && tide_world_find_collider(world, def->name).index)
        status = fail_collider(
            def->name, "the scene has a collider of this name already; a name is a collider's identity, choose another",
            error);
    if (status == TIDE_OK && def->name && def->contact_material[0]) {
        char object[96];
        snprintf(object, sizeof object, "collider \"%.80s\"", def->name);
        status = tide_world_check_contact_material(world, object, def->contact_material, error);
    }
    if (status == TIDE_OK)
        status = tide_collider_create(def, &collider, error);
    if (status == TIDE_OK) {
        tide_collider_follow(collider, world->time);
        tide_collider_end_motion(collider);
        status = insert(world, collider, id, error);
    }
    if (status != TIDE_OK)
        tide_error_locate(error, def->script_file, def->script_line);
    return status;
}

tide_status tide_world_add_ground(tide_world *world, const double up[3], double height,
                                  const tide_collider_def *surface, tide_error *error)
{
    const tide_shape_plane_def plane = { .normal = { up[0], up[1], up[2] }, .offset = height };
    tide_collider_def def = tide_collider_def_default();
    tide_collider_id id;
    def.name = tide_world_find_collider(world, "ground").index ? "drawn ground" : "ground";
    def.shape = &tide_shape_plane;
    def.definition = &plane;
    def.friction = surface->friction;
    def.restitution = surface->restitution;
    def.rolling = surface->rolling;
    memcpy(def.contact_material, surface->contact_material, sizeof def.contact_material);
    def.visible = false; // the picture draws its own ground there
    tide_status status = tide_world_add_collider(world, &def, &id, error);
    return status == TIDE_OK ? tide_world_note_ground(world, tide_world_lookup_collider(world, id), error) : status;
}

static tide_status change(tide_world *world, tide_collider_id id, const tide_pose *pose,
                          tide_status (*to)(tide_collider *, const tide_pose *, tide_error *), tide_error *error)
{
    tide_collider *collider = tide_world_lookup_collider(world, id);
    tide_status status = tide_world_check_idle(world, "collider", error);
    if (status == TIDE_OK && !collider)
        status = tide_world_refuse_stale_collider(error);
    return status == TIDE_OK ? to(collider, pose, error) : status;
}

tide_status tide_world_move_collider(tide_world *world, tide_collider_id id, const tide_pose *pose, tide_error *error)
{
    return change(world, id, pose, tide_collider_move, error);
}

tide_status tide_world_place_collider(tide_world *world, tide_collider_id id, const tide_pose *pose, tide_error *error)
{
    return change(world, id, pose, tide_collider_place, error);
}

void tide_world_destroy_colliders(tide_world *world)
{
    for (size_t c = 0; c < world->collider_count; c++)
        tide_collider_destroy(world->colliders[c]);
    tide_free(world->colliders);
    tide_free(world->ground_state);
}

tide_status tide_world_copy_colliders(tide_world *fork, const tide_world *world, tide_error *error)
{
    for (size_t c = 0; c < world->collider_count; c++) {
        tide_collider *copy;
        tide_collider_id id;
        TIDE_TRY(tide_collider_copy(world->colliders[c], &copy, error));
        TIDE_TRY(insert(fork, copy, &id, error));
        if (world->colliders[c] == world->ground) {
            TIDE_TRY(tide_world_note_ground(fork, copy, error));
            memcpy(fork->ground_state, world->ground_state, sizeof *fork->ground_state);
        }
    }
    if (!tide_grow(&fork->body_pairs, &fork->body_pair_capacity, world->body_pair_count, sizeof *fork->body_pairs))
        TIDE_TRY(tide_fail_memory(error, "world"));
    if (world->body_pair_count)
        memcpy(fork->body_pairs, world->body_pairs, world->body_pair_count * sizeof *fork->body_pairs);
    fork->body_pair_count = world->body_pair_count;
    return tide_world_copy_friction_pairs(fork, world, error);
}

static bool is_untouched(const tide_collider *collider)
{
    return !collider->keyframe_count && tide_pose_equal(&collider->start, &collider->shape.pose) &&
           tide_pose_equal(&collider->end, &collider->shape.pose);
}

// Carries over vertices that a script moved, if the mesh of the collider is the same.
static void carry_vertices(tide_collider *collider, const tide_collider *before)
{
    const tide_deform *now = collider->shape.deform, *then = before ? before->shape.deform : NULL;
    if (now && then && !now->frames && !then->frames && now->mesh->topology_hash == then->mesh->topology_hash &&
        now->mesh->hash == then->mesh->hash)
        tide_collider_set_vertices(collider, then->start, then->end);
}

void tide_world_carry_colliders(tide_world *world, const tide_world *old)
{
    for (size_t c = 0; c < world->collider_count; c++) {
        tide_collider *collider = world->colliders[c];
        const tide_collider *before = tide_world_lookup_collider(old, tide_world_find_collider(old, collider->name));
        tide_collider_follow(collider, old->time);
        tide_collider_end_motion(collider);
        if (before && before->kind == collider->kind && !before->keyframe_count && is_untouched(collider) &&
            tide_pose_equal(&before->shape.pose, &collider->shape.pose))
            tide_collider_set_poses(collider, &before->start, &before->end);
        carry_vertices(collider, before);
        if (before)
            collider->known = before->known;
    }
}

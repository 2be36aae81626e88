#include "world/deform_state.h"

#include "base/hash.h"
#include "collision/collider_vertices.h"
#include "world/world_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Precedes the vertices of each collider: first those at the start, then those at the end of a step.
typedef struct deform_header {
    uint64_t name, vertex_count;
} deform_header;

static tide_deform *moved_by_script(const tide_collider *collider)
{
    tide_deform *deform = collider->shape.deform;
    return deform && !deform->frames ? deform : NULL;
}

static size_t array_size(uint64_t vertex_count)
{
    return 3 * (size_t)vertex_count * sizeof(double);
}

size_t tide_world_deform_size(const tide_world *world)
{
    size_t size = 0;
    for (size_t c = 0; c < world->collider_count; c++) {
        const tide_deform *deform = moved_by_script(world->colliders[c]);
        if (deform)
            size += sizeof(deform_header) + 2 * array_size(deform->mesh->vertex_count);
    }
    return size;
}

void tide_world_save_deforms(const tide_world *world, void *bytes)
{
    unsigned char *next = bytes;
    for (size_t c = 0; c < world->collider_count; c++) {
        const tide_deform *deform = moved_by_script(world->colliders[c]);
        if (!deform)
            continue;
        deform_header header = { tide_hash_string(TIDE_HASH_START, world->colliders[c]->name),
                                 deform->mesh->vertex_count };
        size_t array = array_size(header.vertex_count);
        memcpy(next, &header, sizeof header);
        memcpy(next + sizeof header, deform->start, array);
        memcpy(next + sizeof header + array, deform->end, array);
        next += sizeof header + 2 * array;
    }
}

void tide_world_load_deforms(tide_world *world, const void *bytes, size_t size)
{
    const unsigned char *next = bytes;
    for (size_t left = size; left >= sizeof(deform_header);) {
        deform_header header;
        memcpy(&header, next, sizeof header);
        size_t array = array_size(header.vertex_count);
        for (size_t c = 0; c < world->collider_count; c++) {
            tide_collider *collider = world->colliders[c];
            const tide_deform *deform = moved_by_script(collider);
            const double *start = (const double *)(const void *)(next + sizeof header);
            if (deform && deform->mesh->vertex_count == header.vertex_count &&
                tide_hash_string(TIDE_HASH_START, collider->name) == header.name)
                tide_collider_set_vertices(collider, start, start + array / sizeof *start);
        }
        next += sizeof header + 2 * array;
        left -= sizeof header + 2 * array;
    }
    for (size_t c = 0; c < world->collider_count; c++) {
        tide_collider *collider = world->colliders[c];
        if (!collider->shape.deform || !collider->shape.deform->frames)
            continue;
        tide_pose start = collider->start, end = collider->end;
        tide_collider_follow(collider, world->time);
        tide_collider_end_motion(collider);
        tide_collider_set_poses(collider, &start, &end);
    }
}

bool tide_world_deforms_are_valid(const void *bytes, size_t size)
{
    const unsigned char *next = bytes;
    size_t left = size;
    while (left > 0) {
        deform_header header;
        if (left < sizeof header)
            return false;
        memcpy(&header, next, sizeof header);
        left -= sizeof header;
        if (header.vertex_count > left / array_size(1) / 2)
            return false;
        const double *numbers = (const double *)(const void *)(next + sizeof header);
        for (size_t i = 0; i < 6 * (size_t)header.vertex_count; i++)
            if (!(fabs(numbers[i]) <= TIDE_DISTANCE_LARGEST))
                return false;
        next += sizeof header + 2 * array_size(header.vertex_count);
        left -= 2 * array_size(header.vertex_count);
    }
    return true;
}

tide_status tide_world_deform_targets(tide_world *world, tide_collider_id id, double **positions,
                                      uint32_t *vertex_count, tide_error *error)
{
    char object[96];
    const tide_collider *collider = tide_world_collider(world, id);
    if (!collider)
        return tide_world_refuse_stale_collider(error);
    snprintf(object, sizeof object, "collider \"%.80s\"", collider->name);
    const tide_deform *deform = collider->shape.deform;
    if (!deform)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "positions", NULL,
                         "it is rigid; give it shape = \"mesh\" and deforms = true to move its vertices");
    if (deform->frames)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "positions", NULL,
                         "its `frames` say where its vertices are; leave them out to move these from here");
    *positions = deform->end;
    *vertex_count = deform->mesh->vertex_count;
    return TIDE_OK;
}

tide_status tide_world_check_deforms(const tide_world *world, tide_error *error)
{
    char object[96], value[48];
    for (size_t c = 0; c < world->collider_count; c++) {
        const tide_collider *collider = world->colliders[c];
        const tide_deform *deform = moved_by_script(collider);
        for (size_t i = 0; deform && i < 3 * (size_t)deform->mesh->vertex_count; i++) {
            if (fabs(deform->end[i]) <= TIDE_DISTANCE_LARGEST)
                continue;
            snprintf(object, sizeof object, "collider \"%.80s\"", collider->name);
            snprintf(value, sizeof value, "%.10g", deform->end[i]);
            tide_status status = tide_fail(
                error, TIDE_ERROR_ARGUMENT, object, "positions", value,
                "vertex %zu is not finite or too far away; expected coordinates from -1e9 to 1e9 m", i / 3 + 1);
            if (collider->script_file[0])
                tide_error_locate(error, collider->script_file, collider->script_line);
            return status;
        }
    }
    return TIDE_OK;
}

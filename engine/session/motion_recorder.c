#include "session/motion_recorder.h"

#include "base/memory.h"
#include "draw/world_view.h"
#include "formats/motion_file.h"
#include "session/output.h"
#include "session/shown_body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_PATH = 4096 };

// A body in frames that follow one another, in which its mesh is the same.
typedef struct track {
    char *name;            // owned
    const tide_mesh *mesh; // retained
    float *positions;      // owned, (3 * mesh->vertex_count * count)
    size_t capacity;       // numbers in `positions`
    uint32_t first, count; // frames
    double colour[3], radius;
} track;

struct tide_motion_recorder {
    char *pattern;
    double *times; // (frame_count)
    size_t time_capacity;
    uint32_t frame_count;
    double timestep;
    int up;
    track *tracks; // in the order of their first frames, then of the bodies
    size_t track_capacity;
    uint32_t track_count;
};

static void free_track(track *t)
{
    tide_free(t->name);
    tide_mesh_release(t->mesh);
    tide_free(t->positions);
}

static void free_recorder(tide_motion_recorder *recorder)
{
    for (uint32_t t = 0; t < recorder->track_count; t++)
        free_track(&recorder->tracks[t]);
    tide_free(recorder->tracks);
    tide_free(recorder->times);
    tide_free(recorder->pattern);
    tide_free(recorder);
}

tide_status tide_motion_recorder_open(const char *pattern, tide_motion_recorder **out, tide_error *error)
{
    tide_motion_recorder *recorder = tide_allocate_zeroed(1, sizeof *recorder);
    if (!recorder)
        return tide_fail_memory(error, pattern);
    recorder->pattern = tide_copy_string(pattern);
    if (!recorder->pattern) {
        free_recorder(recorder);
        return tide_fail_memory(error, pattern);
    }
    *out = recorder;
    return TIDE_OK;
}

// --- frames ----------------------------------------------------------------------------------------------------------

static void drop_from(tide_motion_recorder *recorder, double time)
{
    uint32_t kept = 0;
    while (recorder->frame_count && recorder->times[recorder->frame_count - 1] >= time)
        recorder->frame_count--;
    for (uint32_t i = 0; i < recorder->track_count; i++) {
        track t = recorder->tracks[i];
        uint32_t most = recorder->frame_count > t.first ? recorder->frame_count - t.first : 0;
        t.count = t.count < most ? t.count : most;
        if (t.count)
            recorder->tracks[kept++] = t;
        else
            free_track(&t);
    }
    recorder->track_count = kept;
}

// Returns the track that ends with the last frame and has this body and mesh; NULL: there is none.
static track *find_track(const tide_motion_recorder *recorder, const tide_shown_body *body)
{
    for (uint32_t i = 0; i < recorder->track_count; i++) {
        track *t = &recorder->tracks[i];
        if (t->first + t->count == recorder->frame_count && strcmp(t->name, body->info.name) == 0 &&
            t->mesh->topology_hash == body->mesh->topology_hash)
            return t;
    }
    return NULL;
}

static track *begin_track(tide_motion_recorder *recorder, const tide_shown_body *body)
{
    track t = { .name = tide_copy_string(body->info.name),
                .first = recorder->frame_count,
                .radius = body->info.look->radius };
    memcpy(t.colour, body->info.look->colour, sizeof t.colour);
    if (!t.name || !tide_grow(&recorder->tracks, &recorder->track_capacity, (size_t)recorder->track_count + 1,
                              sizeof *recorder->tracks)) {
        tide_free(t.name);
        return NULL;
    }
    t.mesh = tide_mesh_retain(body->mesh);
    recorder->tracks[recorder->track_count] = t;
    return &recorder->tracks[recorder->track_count++];
}

// Single precision holds less than double: a position beyond it fails.
static tide_status add_positions(track *t, const tide_shown_body *body, tide_error *error)
{
    size_t numbers = 3 * (size_t)body->mesh->vertex_count, old = numbers * t->count;
    if (!tide_grow(&t->positions, &t->capacity, old + numbers, sizeof *t->positions))
        return tide_fail_memory(error, "exported motion");
    for (size_t i = 0; i < numbers; i++) {
        t->positions[old + i] = (float)body->x[i];
        if (!isfinite(t->positions[old + i]))
            return tide_fail(error, TIDE_ERROR_NUMERIC, body->info.name, "position", NULL,
                             "vertex %zu is too far away for a file of motion, which has single precision", i / 3 + 1);
    }
    t->count++;
    return TIDE_OK;
}

static tide_status add_body(tide_motion_recorder *recorder, tide_world *world, tide_body_id id, tide_error *error)
{
    tide_shown_body body;
    TIDE_TRY(tide_shown_body_find(world, id, &body, error));
    TIDE_SCOPED double *surface = body.surface;
    (void)surface;
    track *t = find_track(recorder, &body);
    t = t ? t : begin_track(recorder, &body);
    return t ? add_positions(t, &body, error) : tide_fail_memory(error, "exported motion");
}

tide_status tide_motion_recorder_add(tide_motion_recorder *recorder, tide_world *world, tide_error *error)
{
    float up[3];
    double time = tide_world_time(world);
    drop_from(recorder, time);
    if (!tide_grow(&recorder->times, &recorder->time_capacity, (size_t)recorder->frame_count + 1, sizeof(double)))
        return tide_fail_memory(error, "exported motion");
    if (recorder->frame_count == 0) {
        tide_view_up(world, up);
        recorder->up = up[2] != 0 ? 2 : 1;
        recorder->timestep = tide_world_get_settings(world)->timestep;
    }
    tide_status status = TIDE_OK;
    for (uint32_t i = 0; i < tide_world_body_count(world) && status == TIDE_OK; i++)
        status = add_body(recorder, world, tide_world_body_at(world, i), error);
    recorder->times[recorder->frame_count++] = time;
    if (status != TIDE_OK)
        drop_from(recorder, time);
    return status;
}

// --- files -----------------------------------------------------------------------------------------------------------

// Writes the tracks of one body, or with `name` NULL all, to the file of that name.
static tide_status write_file(const tide_motion_recorder *recorder, const char *name, tide_error *error)
{
    char path[LONGEST_PATH];
    TIDE_SCOPED tide_motion_part *parts = tide_allocate_array(recorder->track_count, sizeof *parts);
    if (!parts)
        return tide_fail_memory(error, recorder->pattern);
    tide_motion motion = { .times = recorder->times,
                           .frame_count = recorder->frame_count,
                           .timestep = recorder->timestep,
                           .up = recorder->up,
                           .parts = parts };
    for (uint32_t i = 0; i < recorder->track_count; i++) {
        const track *t = &recorder->tracks[i];
        if (name && strcmp(t->name, name) != 0)
            continue;
        tide_motion_part *part = &parts[motion.part_count++];
        *part = (tide_motion_part) { .name = t->name,
                                     .mesh = t->mesh,
                                     .positions = t->positions,
                                     .first_frame = t->first,
                                     .frame_count = t->count,
                                     .radius = t->radius };
        memcpy(part->colour, t->colour, sizeof part->colour);
    }
    TIDE_TRY(tide_pattern_path(recorder->pattern, 0, name, path, sizeof path, error));
    return tide_motion_save(&motion, path, error);
}

static bool is_first_of_body(const tide_motion_recorder *recorder, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (strcmp(recorder->tracks[i].name, recorder->tracks[index].name) == 0)
            return false;
    return true;
}

tide_status tide_motion_recorder_close(tide_motion_recorder *recorder, tide_error *error)
{
    if (!recorder)
        return TIDE_OK;
    tide_status status = TIDE_OK;
    if (!tide_pattern_is_named(recorder->pattern))
        status = write_file(recorder, NULL, error);
    else if (!recorder->track_count)
        status = tide_fail(error, TIDE_ERROR_STATE, recorder->pattern, NULL, NULL,
                           "there is no body to write; add a body to the scene");
    else
        for (uint32_t i = 0; i < recorder->track_count && status == TIDE_OK; i++)
            if (is_first_of_body(recorder, i))
                status = write_file(recorder, recorder->tracks[i].name, error);
    free_recorder(recorder);
    return status;
}

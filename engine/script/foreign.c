#include "script/foreign.h"

#include "base/error.h"
#include "base/input_file.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/reading.h"
#include "script/script.h"
#include "springtide.h"
#include "world/snapshot.h"
#include "world/snapshot_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NUMBERS = 24 };

typedef struct named_number {
    const char *name;
    double value;
} named_number;

struct tide_foreign {
    tide_script *script;
    tide_setting *settings; // owned, and so are their texts
    uint32_t setting_count;
    size_t setting_capacity;
    char *solver; // owned; NULL: the scene's
    double timestep, time_limit;
    uint64_t seed;
    int (*progress)(void);
    tide_snapshot *snapshot; // the last one; its bytes are the caller's to read
    named_number numbers[MOST_NUMBERS];
    uint32_t number_count;
};

static char message[1400];

const char *tide_foreign_message(void)
{
    return message;
}

const char *tide_foreign_version(void)
{
    return TIDE_VERSION;
}

static int finish(tide_status status, const tide_error *error)
{
    if (status != TIDE_OK)
        tide_error_text(error, message, sizeof message);
    return (int)status;
}

// --- life ------------------------------------------------------------------------------------------------------------

static bool call_progress(void *context)
{
    const tide_foreign *scene = context;
    return scene->progress && scene->progress();
}

static tide_script_options options_of(tide_foreign *scene)
{
    return (tide_script_options) { .settings = scene->settings,
                                   .setting_count = scene->setting_count,
                                   .solver = scene->solver,
                                   .timestep = scene->timestep,
                                   .seed = scene->seed,
                                   .time_limit = scene->time_limit,
                                   .progress = call_progress,
                                   .progress_context = scene };
}

static tide_status add_setting(tide_foreign *scene, const char *name, const char *value, tide_error *error)
{
    tide_setting setting = { tide_copy_string(name), tide_copy_string(value) };
    if (setting.name && setting.value &&
        tide_grow(&scene->settings, &scene->setting_capacity, (size_t)scene->setting_count + 1,
                  sizeof *scene->settings)) {
        scene->settings[scene->setting_count++] = setting;
        return TIDE_OK;
    }
    tide_free((char *)setting.name);
    tide_free((char *)setting.value);
    return tide_fail_memory(error, name);
}

static void drop_setting(tide_foreign *scene, uint32_t index)
{
    tide_free((char *)scene->settings[index].name);
    tide_free((char *)scene->settings[index].value);
    scene->settings[index] = scene->settings[--scene->setting_count];
}

void tide_foreign_close(tide_foreign *scene)
{
    if (!scene)
        return;
    tide_script_close(scene->script);
    tide_snapshot_destroy(scene->snapshot);
    while (scene->setting_count)
        drop_setting(scene, scene->setting_count - 1);
    tide_free(scene->settings);
    tide_free(scene->solver);
    tide_free(scene);
}

static tide_status open_scene(tide_foreign *scene, const char *path, const char *const *names,
                              const char *const *values, uint32_t count, const char *solver, tide_error *error)
{
    for (uint32_t i = 0; i < count; i++)
        TIDE_TRY(add_setting(scene, names[i], values[i], error));
    scene->solver = solver ? tide_copy_string(solver) : NULL;
    if (solver && !scene->solver)
        return tide_fail_memory(error, "solver");
    tide_script_options options = options_of(scene);
    return tide_script_open(path, &options, &scene->script, error);
}

int tide_foreign_open(const char *path, const char *const *names, const char *const *values, uint32_t count,
                      const char *solver, double timestep, uint64_t seed, double time_limit, int (*progress)(void),
                      tide_foreign **out)
{
    tide_error error;
    tide_foreign *scene = tide_allocate_zeroed(1, sizeof *scene);
    if (!scene)
        return finish(tide_fail_memory(&error, "scene"), &error);
    scene->timestep = timestep;
    scene->seed = seed;
    scene->time_limit = time_limit;
    scene->progress = progress;
    tide_status status = open_scene(scene, path, names, values, count, solver, &error);
    if (status == TIDE_OK)
        *out = scene;
    else
        tide_foreign_close(scene);
    return finish(status, &error);
}

// --- running ---------------------------------------------------------------------------------------------------------

static tide_world *world_of(tide_foreign *scene)
{
    return tide_script_world(scene->script);
}

int tide_foreign_step(tide_foreign *scene)
{
    tide_error error;
    return finish(tide_script_step(scene->script, &error), &error);
}

int tide_foreign_reset(tide_foreign *scene)
{
    tide_error error;
    return finish(tide_world_reset(world_of(scene), &error), &error);
}

static tide_status reload(tide_foreign *scene, uint32_t setting_count, tide_error *error)
{
    tide_script_options options = options_of(scene);
    options.setting_count = setting_count;
    return tide_script_reload(scene->script, &options, NULL, error);
}

int tide_foreign_reload(tide_foreign *scene)
{
    tide_error error;
    return finish(reload(scene, scene->setting_count, &error), &error);
}

static void exchange(tide_setting *a, tide_setting *b)
{
    tide_setting kept = *a;
    *a = *b;
    *b = kept;
}

int tide_foreign_set(tide_foreign *scene, const char *name, const char *value)
{
    tide_error error;
    uint32_t last = scene->setting_count, place = 0;
    while (place < last && strcmp(scene->settings[place].name, name) != 0)
        place++;
    if (add_setting(scene, name, value, &error) != TIDE_OK)
        return finish(TIDE_ERROR_MEMORY, &error);
    bool replaces = place < last; // then the old value waits at the end
    exchange(&scene->settings[place], &scene->settings[last]);
    tide_status status = reload(scene, replaces ? last : last + 1, &error);
    if (status != TIDE_OK)
        exchange(&scene->settings[place], &scene->settings[last]);
    if (status != TIDE_OK || replaces)
        drop_setting(scene, last);
    return finish(status, &error);
}

int tide_foreign_set_solver(tide_foreign *scene, const char *solver)
{
    tide_error error;
    char *copy = tide_copy_string(solver);
    tide_status status =
        copy ? tide_script_set_solver(scene->script, solver, &error) : tide_fail_memory(&error, "solver");
    if (status == TIDE_OK) {
        tide_free(scene->solver);
        scene->solver = copy;
    } else
        tide_free(copy);
    return finish(status, &error);
}

// --- what it is and did ----------------------------------------------------------------------------------------------

double tide_foreign_time(tide_foreign *scene)
{
    return tide_world_time(world_of(scene));
}

uint64_t tide_foreign_frame(tide_foreign *scene)
{
    return tide_world_frame(world_of(scene));
}

const char *tide_foreign_title(tide_foreign *scene)
{
    return tide_script_title(scene->script);
}

const char *tide_foreign_solver(tide_foreign *scene)
{
    return tide_solver_kind_of(tide_world_solver(world_of(scene)))->name;
}

const char *tide_foreign_warning(tide_foreign *scene)
{
    return tide_world_report(world_of(scene))->warning;
}

int tide_foreign_hash(tide_foreign *scene, char text[17])
{
    tide_error error;
    uint64_t hash = 0;
    tide_status status = tide_world_hash(world_of(scene), &hash, &error);
    if (status == TIDE_OK)
        snprintf(text, 17, "%016" PRIx64, hash);
    return finish(status, &error);
}

static void set_numbers(tide_foreign *scene, const named_number *numbers, size_t size)
{
    memcpy(scene->numbers, numbers, size);
    scene->number_count = (uint32_t)(size / sizeof *numbers);
}

static void measure_report(tide_foreign *scene)
{
    const tide_report *r = tide_world_report(world_of(scene));
    const named_number numbers[] = {
        { "iterations", r->iterations },
        { "converged", r->converged },
        { "g", r->g },
        { "gradient_norm", r->gradient_norm },
        { "initial_gradient_norm", r->initial_gradient_norm },
        { "line_searches", r->line_searches },
        { "linear_iterations", r->linear_iterations },
        { "substeps", r->substeps },
        { "rejected", r->rejected },
        { "substep", r->substep },
        { "stable_substep", r->stable_substep },
        { "largest_eigenvalue", r->largest_eigenvalue },
        { "local_seconds", r->local_seconds },
        { "global_seconds", r->global_seconds },
        { "contact_seconds", r->contact_seconds },
        { "step_seconds", r->step_seconds },
        { "energy_gain", r->energy_gain },
    };
    _Static_assert(sizeof numbers / sizeof numbers[0] <= MOST_NUMBERS, "numbers of a report");
    set_numbers(scene, numbers, sizeof numbers);
}

static void measure_settings(tide_foreign *scene)
{
    const tide_world_settings *s = tide_world_get_settings(world_of(scene));
    const named_number numbers[] = {
        { "timestep", s->timestep },
        { "gravity_x", s->gravity[0] },
        { "gravity_y", s->gravity[1] },
        { "gravity_z", s->gravity[2] },
        { "drag", s->drag },
        { "deformation_drag", s->deformation_drag },
    };
    set_numbers(scene, numbers, sizeof numbers);
}

int tide_foreign_measure(tide_foreign *scene, int what)
{
    tide_error error;
    tide_energy e = { 0 };
    scene->number_count = 0;
    if (what == 1)
        measure_report(scene);
    if (what == 2)
        measure_settings(scene);
    if (what != 0)
        return TIDE_OK;
    tide_status status = tide_world_energy(world_of(scene), &e, &error);
    const named_number numbers[] = {
        { "kinetic", e.kinetic }, { "elastic", e.elastic }, { "gravity", e.gravity }, { "total", e.total }
    };
    if (status == TIDE_OK)
        set_numbers(scene, numbers, sizeof numbers);
    return finish(status, &error);
}

const char *tide_foreign_number(tide_foreign *scene, uint32_t index, double *value)
{
    if (index >= scene->number_count)
        return NULL;
    *value = scene->numbers[index].value;
    return scene->numbers[index].name;
}

const char *tide_foreign_parameter(tide_foreign *scene, uint32_t index, int what)
{
    static const char *const types[] = { "number", "boolean", "choice", "text" };
    if (index >= tide_script_param_count(scene->script))
        return NULL;
    const tide_param *p = tide_script_param_at(scene->script, index);
    const char *const texts[] = { p->name, p->text, p->unit ? p->unit : "", p->help ? p->help : "", types[p->type] };
    return what >= 0 && what < 5 ? texts[what] : NULL;
}

// --- snapshots -------------------------------------------------------------------------------------------------------

int tide_foreign_snapshot(tide_foreign *scene, const void **bytes, size_t *size)
{
    tide_error error;
    tide_snapshot *snapshot;
    tide_status status = tide_world_snapshot(world_of(scene), &snapshot, &error);
    if (status == TIDE_OK) {
        tide_snapshot_destroy(scene->snapshot);
        scene->snapshot = snapshot;
        *bytes = tide_snapshot_bytes(snapshot, size);
    }
    return finish(status, &error);
}

int tide_foreign_restore(tide_foreign *scene, const void *bytes, size_t size)
{
    tide_error error;
    tide_snapshot *snapshot = NULL;
    tide_status status = tide_snapshot_read(world_of(scene), bytes, size, &snapshot, &error);
    if (status == TIDE_OK)
        status = tide_world_restore(world_of(scene), snapshot, &error);
    tide_snapshot_destroy(snapshot);
    return finish(status, &error);
}

int tide_foreign_save(tide_foreign *scene, const char *path)
{
    tide_error error;
    tide_snapshot *snapshot = NULL;
    TIDE_SCOPED_BY(tide_text_free) tide_text text = { 0 };
    tide_status status = tide_world_snapshot(world_of(scene), &snapshot, &error);
    if (status == TIDE_OK)
        status = tide_snapshot_write_text(snapshot, &text, &error);
    if (status == TIDE_OK)
        status = tide_text_save(&text, path, path, &error);
    tide_snapshot_destroy(snapshot);
    return finish(status, &error);
}

int tide_foreign_load(tide_foreign *scene, const char *path)
{
    tide_error error;
    TIDE_SCOPED char *bytes = NULL;
    size_t size = 0;
    tide_snapshot *snapshot = NULL;
    tide_status status = tide_mesh_file_bytes(path, &bytes, &size, &error);
    if (status == TIDE_OK)
        status = tide_snapshot_read_text(world_of(scene), bytes, size, &snapshot, &error);
    if (status == TIDE_OK)
        status = tide_world_restore(world_of(scene), snapshot, &error);
    if (status == TIDE_ERROR_FORMAT)
        tide_error_locate(&error, path, 0);
    tide_snapshot_destroy(snapshot);
    return finish(status, &error);
}

// --- bodies ----------------------------------------------------------------------------------------------------------

const char *tide_foreign_body(tide_foreign *scene, uint32_t index)
{
    tide_body_info info;
    tide_world *world = world_of(scene);
    bool found =
        index < tide_world_body_count(world) && tide_world_body_info(world, tide_world_body_at(world, index), &info);
    return found ? info.name : NULL;
}

static tide_status find_body(tide_foreign *scene, const char *name, tide_body_id *id, tide_body_info *info,
                             tide_error *error)
{
    *id = tide_world_find_body(world_of(scene), name);
    if (tide_world_body_info(world_of(scene), *id, info))
        return TIDE_OK;
    return tide_fail(error, TIDE_ERROR_STATE, "scene", "body", name, "there is no body of this name now");
}

int tide_foreign_counts(tide_foreign *scene, const char *body, uint32_t counts[4])
{
    tide_error error;
    tide_body_id id;
    tide_body_info info;
    tide_status status = find_body(scene, body, &id, &info, &error);
    if (status == TIDE_OK) {
        counts[0] = info.vertex_count;
        counts[1] = info.mesh->edge_count;
        counts[2] = info.mesh->triangle_count;
        counts[3] = info.mesh->tetrahedron_count;
    }
    return finish(status, &error);
}

int tide_foreign_array(tide_foreign *scene, const char *body, int what, double **numbers, void **block)
{
    tide_error error;
    tide_body_id id;
    tide_body_info info;
    tide_world *world = world_of(scene);
    tide_status status = find_body(scene, body, &id, &info, &error);
    if (status == TIDE_OK)
        status = tide_world_mark_initial(world, &error); // the caller may write before the first step
    if (status == TIDE_OK) {
        *numbers = what ? tide_world_velocities(world, id) : tide_world_positions(world, id);
        *block = *numbers - 3 * (size_t)info.first_particle;
    }
    return finish(status, &error);
}

void tide_foreign_hold(void *block)
{
    tide_hold_block(block);
}

void tide_foreign_drop(void *block)
{
    tide_drop_block(block);
}

int tide_foreign_corners(tide_foreign *scene, const char *body, int what, uint32_t *out)
{
    tide_error error;
    tide_body_id id;
    tide_body_info info;
    tide_status status = find_body(scene, body, &id, &info, &error);
    if (status != TIDE_OK)
        return finish(status, &error);
    const tide_mesh *m = info.mesh;
    const struct {
        const uint32_t *corners;
        size_t count;
    } parts[] = { { m->edges, 2 * (size_t)m->edge_count },
                  { m->triangles, 3 * (size_t)m->triangle_count },
                  { m->tetrahedra, 4 * (size_t)m->tetrahedron_count } };
    if (what >= 0 && what < 3 && parts[what].count)
        memcpy(out, parts[what].corners, parts[what].count * sizeof *out);
    return TIDE_OK;
}

static tide_status find_masses(tide_world *world, const tide_body_info *info, double *out, tide_error *error)
{
    const tide_system *system;
    TIDE_TRY(tide_world_system(world, &system, error));
    memcpy(out, system->masses + info->first_particle, info->vertex_count * sizeof *out);
    return TIDE_OK;
}

int tide_foreign_compute(tide_foreign *scene, const char *body, int what, double *out)
{
    tide_error error;
    tide_body_id id;
    tide_body_info info;
    tide_world *world = world_of(scene);
    tide_status status = find_body(scene, body, &id, &info, &error);
    if (status == TIDE_OK)
        status = what == 0   ? find_masses(world, &info, out, &error)
                 : what == 1 ? tide_world_vertex_stresses(world, id, out, &error)
                 : what == 2 ? tide_world_vertex_tensions(world, id, out, &error)
                 : what == 3 ? tide_world_reactions(world, id, out, &error)
                             : tide_world_contact_forces(world, id, out, &error);
    return finish(status, &error);
}

// Snapshots: taking, restoring, saving and loading them.
#include "script/binding.h"

#include "base/memory.h"
#include "base/output_file.h"
#include "formats/reading.h"
#include "world/snapshot_text.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct snapshot_handle {
    tide_snapshot *snapshot;
} snapshot_handle;

int tide_scene_snapshot(lua_State *L)
{
    tide_scene *scene = tide_scene_self(L);
    snapshot_handle *handle = tide_object_new(L, &tide_snapshot_class, sizeof *handle, 0);
    tide_error error;
    tide_raise_unless_ok(L, tide_world_snapshot(scene->world, &handle->snapshot, &error), &error);
    tide_account(L, tide_snapshot_size(handle->snapshot));
    return 1;
}

int tide_scene_restore(lua_State *L)
{
    tide_scene *scene = tide_scene_self(L);
    const snapshot_handle *handle = tide_object_check(L, 2, &tide_snapshot_class);
    tide_error error;
    tide_raise_unless_ok(L, tide_world_restore(scene->world, handle->snapshot, &error), &error);
    lua_settop(L, 1);
    return 1;
}

static const tide_snapshot *self_snapshot(lua_State *L)
{
    const snapshot_handle *handle = tide_object_self(L, &tide_snapshot_class);
    return handle->snapshot;
}

static int snapshot_hash(lua_State *L)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, tide_snapshot_hash(self_snapshot(L)));
    lua_pushstring(L, text);
    return 1;
}

TIDE_GETTER(snapshot_frame, lua_pushinteger, (lua_Integer)tide_snapshot_frame(self_snapshot(L)));
TIDE_GETTER(snapshot_time, lua_pushnumber, tide_snapshot_time(self_snapshot(L)));
TIDE_GETTER(snapshot_size, lua_pushinteger, (lua_Integer)tide_snapshot_size(self_snapshot(L)));

static int collect_snapshot(lua_State *L)
{
    snapshot_handle *handle = lua_touserdata(L, 1);
    tide_snapshot_destroy(handle->snapshot);
    handle->snapshot = NULL;
    return 0;
}

// --- files -----------------------------------------------------------------------------------------------------------

static int save(lua_State *L)
{
    const tide_snapshot *snapshot = self_snapshot(L);
    const char *path = tide_check_path(L, 2, "snapshot", "save");
    bool confined = tide_is_confined(L);
    if (confined)
        tide_check_output_path(L, path, "snapshot", "save");
    tide_text *text = tide_text_new(L);
    tide_error error;
    tide_raise_unless_ok(L, tide_snapshot_write_text(snapshot, text, &error), &error);
    if (tide_text_save_as(text, path, path, confined ? TIDE_OUTPUT_REGULAR : TIDE_OUTPUT_ANY, &error) != TIDE_OK)
        return tide_push_failure(L, &error);
    lua_pushboolean(L, 1);
    return 1;
}

static tide_status read_file(const tide_world *world, const char *path, tide_snapshot **snapshot, tide_error *error)
{
    TIDE_SCOPED char *bytes = NULL;
    size_t size;
    TIDE_TRY(tide_mesh_file_bytes(path, &bytes, &size, error));
    tide_status status = tide_snapshot_read_text(world, bytes, size, snapshot, error);
    if (status == TIDE_ERROR_FORMAT)
        tide_error_locate(error, path, 0);
    return status;
}

int tide_scene_load_snapshot(lua_State *L)
{
    tide_scene *scene = tide_scene_self(L);
    const char *path = tide_check_path(L, 2, "scene", "load_snapshot");
    if (tide_is_confined(L))
        path = tide_run_resolve(L, tide_scene_run_of(L, scene), path, "scene", "load_snapshot");
    snapshot_handle *handle = tide_object_new(L, &tide_snapshot_class, sizeof *handle, 0);
    tide_error error;
    if (read_file(scene->world, path, &handle->snapshot, &error) != TIDE_OK)
        return tide_push_failure(L, &error);
    tide_account(L, tide_snapshot_size(handle->snapshot));
    return 1;
}

// --- the class -------------------------------------------------------------------------------------------------------

static const tide_member snapshot_members[] = {
    { "save", save, .type = "(path: string): true?, string?",
      .help = "Writes a world file, as --save-world does; --open-world and scene:load_snapshot read it. A scene may "
              "write into the current folder and those below it. Returns true, or nil and a message." },
    { "hash", snapshot_hash, .type = "(): string", .help = "The hash of the state, 16 hexadecimal digits." },
    { "frame", .get = snapshot_frame, .type = "integer", .help = "Number of steps taken before the snapshot." },
    { "time", .get = snapshot_time, .type = "number", .help = "Simulated time, in s." },
    { "size", .get = snapshot_size, .type = "integer", .help = "Size in bytes." },
    { 0 },
};
static const luaL_Reg snapshot_metamethods[] = { { "__gc", collect_snapshot }, { 0 } };

const tide_class tide_snapshot_class = {
    "tide.Snapshot",
    "snapshot",
    "The complete state of a scene at one moment.",
    snapshot_members,
    snapshot_metamethods,
    NULL,
    NULL,
};

// Functions for commands that are written in Lua: meshes, times, files.
#define _GNU_SOURCE // flock
#include "script/tool.h"

#include "base/clock.h"
#include "base/memory.h"
#include "formats/mesh_file.h"
#include "springtide.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <lualib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

// --- meshes ----------------------------------------------------------------------------------------------------------

// load_mesh(path): returns a mesh, or nil and a message.
static int load_mesh(lua_State *L)
{
    tide_mesh *mesh;
    tide_error error;
    const char *path = luaL_checkstring(L, 1);
    tide_mesh_push_handle(L);
    if (tide_mesh_load(path, &mesh, &error) != TIDE_OK)
        return tide_push_failure(L, &error);
    tide_mesh_hand_over(L, mesh);
    return 1;
}

// mend_mesh(mesh, options): returns the mended mesh and { joined_vertices =, ... }, or nil and a message. Options are
// texts.
static int mend_mesh(lua_State *L)
{
#define COUNT_OF(member)                                                                                               \
    {                                                                                                                  \
#member, offsetof(tide_mesh_mending, member)                                                                   \
    }
    static const struct {
        const char *name;
        size_t offset;
    } counts[] = { COUNT_OF(joined_vertices),    COUNT_OF(duplicate_elements), COUNT_OF(joined_elements),
                   COUNT_OF(flat_elements),      COUNT_OF(dropped_vertices),   COUNT_OF(turned_triangles),
                   COUNT_OF(unorientable_pieces) };
    const tide_mesh *mesh = tide_mesh_of(L, 1), *mended;
    tide_mesh_mend_def def;
    tide_mesh_mending did;
    tide_error error;
    luaL_argexpected(L, mesh, 1, "mesh");
    tide_fields_default(tide_mesh_mend_fields, &def);
    tide_read_fields(L, 2, tide_mesh_mend_fields, "mesh", &def, 0);
    tide_mesh_push_handle(L);
    if (tide_mesh_mend(mesh, &def, &mended, &did, &error) != TIDE_OK)
        return tide_push_failure(L, &error);
    tide_mesh_hand_over(L, mended);
    lua_newtable(L);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        tide_set_integer(L, counts[i].name, *(const uint32_t *)(const void *)((const char *)&did + counts[i].offset));
    }
    return 2;
}

// --- times -----------------------------------------------------------------------------------------------------------

// Returns the processor time of all threads together, since the program started.
TIDE_GETTER(processor_seconds, lua_pushnumber, tide_processor_seconds());

// timed_step(scene): takes a frame. Returns the seconds of its step without the script's `update`, those of the
// processor, and those of finding contacts and of responding to them.
static int timed_step(lua_State *L)
{
    tide_scene *scene = tide_scene_check(L, 1);
    tide_error error;
    tide_raise_unless_ok(L, tide_scene_update(L, scene, &error), &error);
    double start = tide_clock_seconds(), processor = tide_processor_seconds();
    tide_status status = tide_world_step(scene->world, &error);
    lua_pushnumber(L, tide_clock_seconds() - start);
    lua_pushnumber(L, tide_processor_seconds() - processor);
    tide_raise_unless_ok(L, status, &error);
    const tide_report *report = tide_world_report(scene->world);
    lua_pushnumber(L, report->contact_detect_seconds);
    lua_pushnumber(L, report->contact_seconds - report->contact_detect_seconds);
    return 4;
}

// contact_phases(scene): returns the phases of contact in the last step, in s, and its counts.
static int contact_phases(lua_State *L)
{
    tide_world *world = tide_scene_check(L, 1)->world;
    const tide_report *report = tide_world_report(world);
    const tide_contact_phases *phases = &report->contact_phases;
    uint32_t contacts;
    tide_world_contacts(world, &contacts);
    double detect = report->contact_detect_seconds - phases->continuous_detect_seconds;
    lua_createtable(L, 0, 9);
    tide_set_number(L, "broad", detect - phases->narrow_seconds);
    tide_set_number(L, "narrow", phases->narrow_seconds);
    tide_set_number(L, "continuous", phases->continuous_seconds);
    tide_set_number(L, "response", report->contact_seconds - detect - phases->continuous_seconds);
    tide_set_integer(L, "searches", (lua_Integer)phases->searches);
    tide_set_integer(L, "candidates", (lua_Integer)phases->candidates);
    tide_set_integer(L, "swept", (lua_Integer)phases->swept_candidates);
    tide_set_integer(L, "pairs", (lua_Integer)phases->pairs);
    tide_set_integer(L, "contacts", contacts);
    return 1;
}

// library_folder(): returns the folder of the Lua library.
static int library_folder(lua_State *L)
{
    char folder[PATH_MAX];
    tide_library_find(folder, sizeof folder);
    lua_pushstring(L, folder);
    return 1;
}

// list_folder(path): returns a list of the names in a folder, in no order; or nil and a message.
static int list_folder(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    lua_Integer count = 0;
    lua_newtable(L);
    luaL_checkstack(L, 4, NULL);
    DIR *folder = opendir(path);
    if (!folder) {
        lua_pushnil(L);
        lua_pushfstring(L, "%s: cannot be read: %s", path, strerror(errno));
        return 2;
    }
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.') {
            lua_pushstring(L, entry->d_name);
            lua_rawseti(L, -2, ++count);
        }
    closedir(folder);
    return 1;
}

// memory(): returns the bytes that the program holds.
TIDE_GETTER(memory, lua_pushinteger, (lua_Integer)tide_memory_count().bytes);

// factor_seconds(scene): prepares a new solver, because the scene's own may be prepared already. Returns the seconds of
// ordering and factoring, or nil for a solver without a factor.
static int factor_seconds(lua_State *L)
{
    tide_world *world = tide_scene_check(L, 1)->world;
    const tide_solver *like = tide_world_solver(world);
    const tide_solver_kind *kind = tide_solver_kind_of(like);
    const tide_system *system;
    tide_solver *solver;
    tide_error error;
    lua_pushnil(L);
    if (!kind->describe)
        return 1;
    tide_raise_unless_ok(L, tide_world_system(world, &system, &error), &error);
    tide_raise_unless_ok(L, tide_solver_create(kind, tide_solver_options(like), &solver, &error), &error);
    tide_status status = tide_solver_prepare(solver, system, tide_world_get_settings(world)->timestep,
                                             tide_world_all_positions(world), NULL, &error);
    tide_cholesky_info info = status == TIDE_OK ? tide_solver_describe(solver) : (tide_cholesky_info) { 0 };
    tide_solver_destroy(solver);
    tide_raise_unless_ok(L, status, &error);
    if (info.factorizations)
        lua_pushnumber(L, info.analyse_seconds + info.factor_seconds + (info.precision ? info.trial_seconds : 0));
    return 1;
}

// reference_seconds(count): runs a fixed number of independent multiply-adds over an array, then as many dependent
// ones.
static int reference_seconds(lua_State *L)
{
    size_t count = (size_t)luaL_checkinteger(L, 1);
    TIDE_SCOPED double *array = tide_allocate_zeroed(count, sizeof *array);
    double start = tide_clock_seconds(), sum = 0;
    for (size_t i = 0; array && i < count; i++)
        array[i] = 0.5 * array[i] + 0.5;
    for (size_t i = 0; i < count; i++)
        sum = 0.5 * sum + 0.5;
    volatile double kept = sum; // keeps the compiler from removing the sum
    (void)kept;
    lua_pushnumber(L, tide_clock_seconds() - start);
    return 1;
}

// --- the program -----------------------------------------------------------------------------------------------------

// compiler(): returns the name and version of the compiler that made the program.
static int compiler(lua_State *L)
{
#if defined __clang__
    lua_pushfstring(L, "clang %d.%d.%d", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined __GNUC__
    lua_pushfstring(L, "gcc %d.%d.%d", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
    lua_pushliteral(L, "unknown compiler");
#endif
    return 1;
}

static int call_io(lua_State *L, const char *name)
{
    luaL_requiref(L, LUA_IOLIBNAME, luaopen_io, 0);
    lua_getfield(L, -1, name);
    lua_insert(L, 1);
    lua_pop(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

// open_file: io.open
static int open_file(lua_State *L)
{
    return call_io(L, "open");
}

// open_pipe: io.popen
static int open_pipe(lua_State *L)
{
    return call_io(L, "popen");
}

// lock(path): locks a file, which is made if it is not there, until this program and all that it has started have
// ended. Returns true, false if others have it, or nil and a message.
static int lock(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    int file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0666); // children inherit it
    if (file < 0 || (flock(file, LOCK_EX | LOCK_NB) != 0 && errno != EWOULDBLOCK)) {
        lua_pushnil(L);
        lua_pushfstring(L, "%s: %s", path, strerror(errno));
        if (file >= 0)
            close(file);
        return 2;
    }
    bool held = flock(file, LOCK_EX | LOCK_NB) == 0;
    if (!held)
        close(file);
    lua_pushboolean(L, held);
    return 1;
}

// compile(text, name, globals): returns a function of a text of Lua with these globals, or nil and a message.
static int compile(lua_State *L)
{
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    lua_settop(L, 3); // the third: its globals
    if (luaL_loadbufferx(L, text, size, lua_pushfstring(L, "@%s", luaL_checkstring(L, 2)), "t") != LUA_OK) {
        lua_pushnil(L);
        lua_insert(L, -2);
        return 2;
    }
    lua_pushvalue(L, 3);
    lua_setupvalue(L, -2, 1);
    return 1;
}

// complain(message): prints an error that does not end the command.
static int complain(lua_State *L)
{
    lua_writestringerror("springtide: %s\n", luaL_checkstring(L, 1));
    return 0;
}

const luaL_Reg tide_tool_functions[] = {
    { "load_mesh", load_mesh },
    { "mend_mesh", mend_mesh },
    { "processor_seconds", processor_seconds },
    { "timed_step", timed_step },
    { "contact_phases", contact_phases },
    { "memory", memory },
    { "library_folder", library_folder },
    { "list_folder", list_folder },
    { "factor_seconds", factor_seconds },
    { "reference_seconds", reference_seconds },
    { "compiler", compiler },
    { "open_file", open_file },
    { "open_pipe", open_pipe },
    { "lock", lock },
    { "compile", compile },
    { "complain", complain },
    { "report", tide_tool_report },
    { "run_children", tide_tool_run_children },
    { "documents", tide_documents_call },
    { "nearest", tide_tool_nearest },
    { 0 },
};

// A scene script in a Lua state of its own: what the program runs.
#include "script/binding.h"

#include "base/clock.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum { HOOK_COUNT = 10000 }; // instructions between two looks at the clock

struct tide_script {
    lua_State *L;
    tide_run *run;          // kept by the registry
    tide_scene *scene;      // likewise, by its handle
    double time_limit;      // s for one call into the script; 0: none
    double deadline;        // of the call under way
    bool expired;           // the call under way has taken too long: whatever it does now, it fails
    bool running;           // a call is under way
    char place[256];        // file:line where it was when the time was over
    size_t bytes, capacity; // that the Lua state holds and may hold; capacity 0: no limit
    char *path;
};

// --- limits ----------------------------------------------------------------------------------------------------------

// Lua counts on a block's becoming smaller never to fail.
static void *allocate(void *context, void *block, size_t old_size, size_t size)
{
    tide_script *script = context;
    old_size = block ? old_size : 0;
    if (size == 0) {
        tide_free(block);
        script->bytes -= old_size;
        return NULL;
    }
    if (size > old_size && script->capacity && script->bytes + (size - old_size) > script->capacity)
        return NULL;
    void *moved = tide_reallocate(block, size);
    if (!moved && size > old_size)
        return NULL;
    script->bytes += size - old_size;
    return moved ? moved : block;
}

static tide_status fail_expired(const tide_script *script, tide_error *error)
{
    tide_fail(error, TIDE_ERROR_SCRIPT, "script", NULL, NULL,
              "stopped: it took more than %g s; look for an endless loop, or raise the time limit", script->time_limit);
    if (script->place[0])
        tide_error_locate(error, script->place, 0);
    return TIDE_ERROR_SCRIPT;
}

static void check_time(lua_State *L, lua_Debug *unused)
{
    (void)unused;
    tide_script *script = *(tide_script **)lua_getextraspace(L);
    if (!script->expired && (!script->running || tide_clock_seconds() < script->deadline)) {
        if (lua_gethookcount(L) != HOOK_COUNT)
            lua_sethook(L, check_time, LUA_MASKCOUNT, HOOK_COUNT);
        return;
    }
    // A pcall in the script must not outlive the limit: from now on every instruction raises.
    const char *file;
    int line;
    if (!script->expired && tide_lua_place(L, &file, &line))
        snprintf(script->place, sizeof script->place, "%s:%d", file, line);
    script->expired = tide_context_of(L)->stopped = true;
    lua_sethook(L, check_time, LUA_MASKCOUNT, 1);
    tide_error error;
    fail_expired(script, &error);
    tide_raise(L, &error);
}

// Calls a C function with arguments (at most two pointers) under the script's limits; it leaves no result.
static tide_status enter(tide_script *script, lua_CFunction function, void *first, void *second, tide_error *error)
{
    lua_State *L = script->L;
    script->expired = false;
    script->place[0] = '\0';
    script->running = true;
    script->deadline = script->time_limit > 0 ? tide_clock_seconds() + script->time_limit : 0;
    if (script->time_limit > 0)
        lua_sethook(L, check_time, LUA_MASKCOUNT, HOOK_COUNT);
    lua_pushcfunction(L, function);
    lua_pushlightuserdata(L, first);
    lua_pushlightuserdata(L, second);
    tide_status status = tide_call(L, 2, 0, error);
    script->running = false;
    tide_context *context = tide_context_of(L);
    if (context)
        context->stopped = false;
    if (script->expired) // also when the script made something else of the error
        status = fail_expired(script, error);
    if (script->scene)
        script->scene->L = L;
    return status;
}

tide_status tide_limited_call(lua_State *L, lua_CFunction function, void *argument, tide_error *error)
{
    if (!lua_checkstack(L, 16))
        return tide_fail_memory(error, "script");
    tide_script *script = tide_context_of(L)->limited ? *(tide_script **)lua_getextraspace(L) : NULL;
    if (script && !script->running)
        return enter(script, function, argument, NULL, error);
    lua_pushcfunction(L, function);
    lua_pushlightuserdata(L, argument);
    return tide_call(L, 1, 0, error);
}

// --- opening and closing ---------------------------------------------------------------------------------------------

typedef struct opening {
    tide_script *script;
    const char *path;
    const tide_script_options *options;
    const tide_world *predecessor;
} opening;

static int open_state(lua_State *L) // what it takes to run anything; not under the time limit
{
    opening *what = lua_touserdata(L, 1);
    tide_script *script = what->script;
    tide_context_open(L);
    tide_context_of(L)->limited = true;
    tide_sandbox_guard(L);
    script->run = tide_run_new(L, what->path, what->options);
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, "tide.run");
    if (script->run->library) {
        lua_pushstring(L, script->run->library);
        lua_setfield(L, LUA_REGISTRYINDEX, "tide.library");
    }
    return 0;
}

static int run_script(lua_State *L)
{
    opening *what = lua_touserdata(L, 1);
    lua_getfield(L, LUA_REGISTRYINDEX, "tide.run");
    tide_run_execute(L, what->predecessor);
    what->script->scene = tide_scene_check(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, "tide.scene");
    return 0;
}

static tide_status open_script(const char *path, const tide_script_options *options, const tide_world *predecessor,
                               tide_script **out, tide_error *error)
{
    tide_script *script = tide_allocate_zeroed(1, sizeof *script);
    if (!script)
        return tide_fail_memory(error, "script");
    script->time_limit = options->time_limit;
    script->capacity = options->memory_limit;
    script->path = tide_copy_string(path);
    script->L = script->path ? lua_newstate(allocate, script) : NULL;
    if (!script->L) {
        tide_script_close(script);
        return tide_fail_memory(error, "script");
    }
    *(tide_script **)lua_getextraspace(script->L) = script;
    opening what = { script, path, options, predecessor };
    double time_limit = script->time_limit;
    script->time_limit = 0;
    tide_status status = enter(script, open_state, &what, NULL, error);
    script->time_limit = time_limit;
    if (status == TIDE_OK)
        status = enter(script, run_script, &what, NULL, error);
    if (status != TIDE_OK) {
        tide_script_close(script);
        return status;
    }
    *out = script;
    return TIDE_OK;
}

static tide_status check_options(const char *path, const tide_script_options *options, tide_error *error)
{
    char value[32];
    if (!path || !path[0])
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "script", "path", "\"\"", "expected the name of a scene file");
    if (options->timestep != 0 && !(options->timestep > 0 && options->timestep <= 10)) {
        snprintf(value, sizeof value, "%g", options->timestep);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "script", "timestep", value,
                         "expected a number greater than 0 and at most 10 s");
    }
    return TIDE_OK;
}

tide_status tide_script_open(const char *path, const tide_script_options *options, tide_script **script,
                             tide_error *error)
{
    static const tide_script_options none;
    options = options ? options : &none;
    tide_status status = check_options(path, options, error);
    return status == TIDE_OK ? open_script(path, options, NULL, script, error) : status;
}

void tide_script_close(tide_script *script)
{
    if (!script)
        return;
    if (script->L)
        lua_close(script->L);
    tide_free(script->path);
    tide_free(script);
}

typedef struct adopting {
    tide_script *old, *fresh;
    tide_adoption *adoption;
} adopting;

static int adopt(lua_State *L)
{
    adopting *what = lua_touserdata(L, 1);
    tide_error error;
    what->old->scene->L = what->old->L;
    tide_raise_unless_ok(
        L, tide_scene_adopt(L, what->fresh->scene, what->old->L, what->old->scene, what->adoption, &error), &error);
    return 0;
}

tide_status tide_script_reload(tide_script *script, const tide_script_options *options, tide_adoption *adoption,
                               tide_error *error)
{
    tide_adoption unread;
    tide_script_options last = tide_run_options(script->run);
    last.time_limit = script->time_limit;
    last.memory_limit = script->capacity;
    options = options ? options : &last;
    tide_script *fresh;
    tide_status status = check_options(script->path, options, error);
    if (status == TIDE_OK)
        status = open_script(script->path, options, script->scene->world, &fresh, error);
    if (status != TIDE_OK)
        return status;
    adopting what = { script, fresh, adoption ? adoption : &unread };
    status = enter(fresh, adopt, &what, NULL, error);
    if (status == TIDE_OK) {
        // The new state takes the place of the old one, whose owner holds a pointer to it.
        tide_script old = *script;
        *script = *fresh;
        *fresh = old;
        tide_script *owners[] = { script, fresh };
        for (int i = 0; i < 2; i++) {
            *(tide_script **)lua_getextraspace(owners[i]->L) = owners[i];
            lua_setallocf(owners[i]->L, allocate, owners[i]);
        }
    }
    tide_script_close(fresh);
    return status;
}

// --- what it tells ---------------------------------------------------------------------------------------------------

tide_world *tide_script_world(tide_script *script)
{
    return script->scene->world;
}

const char *tide_script_title(const tide_script *script)
{
    return script->scene->title;
}

const tide_scene_view *tide_script_view(const tide_script *script)
{
    return &script->scene->view;
}

uint32_t tide_script_param_count(const tide_script *script)
{
    return (uint32_t)script->run->param_count;
}

const tide_param *tide_script_param_at(const tide_script *script, uint32_t index)
{
    return index < script->run->param_count ? &script->run->params[index] : NULL;
}

// --- the solver ------------------------------------------------------------------------------------------------------

static int set_solver_call(lua_State *L)
{
    tide_scene_set_solver_text(L, lua_touserdata(L, 2), lua_touserdata(L, 1));
    return 0;
}

tide_status tide_script_set_solver(tide_script *script, const char *text, tide_error *error)
{
    return enter(script, set_solver_call, script->scene, (void *)text, error);
}

const tide_solver_kind *tide_script_find_solver(tide_script *script, const char *name, tide_error *error)
{
    return tide_run_find_solver(script->run, name, error);
}

tide_status tide_script_parse_solver(tide_script *script, const char *text, const tide_solver_kind **kind,
                                     void **options, tide_error *error)
{
    return tide_run_parse_solver(script->run, text, kind, options, error);
}

tide_status tide_script_check_solver(tide_script *script, const char *text, tide_error *error)
{
    const tide_solver_kind *kind;
    void *options;
    tide_status status = tide_script_parse_solver(script, text, &kind, &options, error);
    if (status == TIDE_OK)
        tide_free(options);
    return status;
}

// --- callbacks -------------------------------------------------------------------------------------------------------

static int step_call(lua_State *L)
{
    tide_error error;
    tide_raise_unless_ok(L, tide_scene_step(L, lua_touserdata(L, 1), &error), &error);
    return 0;
}

tide_status tide_script_step(tide_script *script, tide_error *error)
{
    return enter(script, step_call, script->scene, NULL, error);
}

static int update_call(lua_State *L)
{
    tide_error error;
    tide_raise_unless_ok(L, tide_scene_update(L, lua_touserdata(L, 1), &error), &error);
    return 0;
}

tide_status tide_script_update(tide_script *script, tide_error *error)
{
    return enter(script, update_call, script->scene, NULL, error);
}

typedef struct drawing {
    tide_draw_list *list;
    uint32_t width, height;
} drawing;

static int draw_call(lua_State *L)
{
    const drawing *what = lua_touserdata(L, 2);
    tide_error error;
    tide_canvas_push(L, what->list, what->width, what->height);
    int canvas = lua_gettop(L);
    lua_pushvalue(L, canvas);
    tide_status status = tide_scene_callback(L, lua_touserdata(L, 1), "draw", 1, &error);
    tide_canvas_end(L, canvas);
    tide_raise_unless_ok(L, status, &error);
    return 0;
}

tide_status tide_script_draw(tide_script *script, tide_draw_list *list, uint32_t width, uint32_t height,
                             tide_error *error)
{
    drawing what = { list, width, height };
    return enter(script, draw_call, script->scene, &what, error);
}

static int key_call(lua_State *L)
{
    tide_error error;
    lua_pushstring(L, lua_touserdata(L, 2));
    tide_raise_unless_ok(L, tide_scene_callback(L, lua_touserdata(L, 1), "keypressed", 1, &error), &error);
    return 0;
}

tide_status tide_script_key_pressed(tide_script *script, const char *key, tide_error *error)
{
    return enter(script, key_call, script->scene, (void *)key, error);
}

typedef struct press {
    double x, y;
    int button;
} press;

static int mouse_call(lua_State *L)
{
    const press *what = lua_touserdata(L, 2);
    tide_error error;
    lua_pushnumber(L, what->x);
    lua_pushnumber(L, what->y);
    lua_pushinteger(L, what->button);
    tide_raise_unless_ok(L, tide_scene_callback(L, lua_touserdata(L, 1), "mousepressed", 3, &error), &error);
    return 0;
}

tide_status tide_script_mouse_pressed(tide_script *script, double x, double y, int button, tide_error *error)
{
    press what = { x, y, button };
    return enter(script, mouse_call, script->scene, &what, error);
}

static int quit_call(lua_State *L)
{
    tide_error error;
    tide_raise_unless_ok(L, tide_scene_callback(L, lua_touserdata(L, 1), "quit", 0, &error), &error);
    return 0;
}

tide_status tide_script_quit(tide_script *script, tide_error *error)
{
    return enter(script, quit_call, script->scene, NULL, error);
}

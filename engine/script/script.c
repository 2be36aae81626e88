// A scene script in its own Lua state.
#include "script/console_parts.h"
#include "script/script_state.h"
#include "script/step_time.h"

#include "base/characters.h"
#include "base/memory.h"
#include "base/portable.h"

#include <string.h>

// --- opening and closing ---------------------------------------------------------------------------------------------

typedef struct opening {
    tide_script_state *state;
    const char *path;
    const tide_script_options *options;
    const tide_world *predecessor;
} opening;

static int open_state(lua_State *L) // the setup of any run; outside the time limit
{
    opening *what = lua_touserdata(L, 1);
    tide_script_state *state = what->state;
    tide_module_open(L);
    tide_context_of(L)->limited = true;
    tide_context_of(L)->record = &state->record;
    tide_sandbox_guard(L);
    tide_script_options options = *what->options; // the limits apply to the state
    options.time_limit = 0;
    options.memory_limit = 0;
    state->run = tide_run_new(L, what->path, &options);
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, "tide.run");
    if (state->run->library) {
        lua_pushstring(L, state->run->library);
        lua_setfield(L, LUA_REGISTRYINDEX, "tide.library");
    }
    return 0;
}

static int run_script(lua_State *L)
{
    opening *what = lua_touserdata(L, 1);
    lua_getfield(L, LUA_REGISTRYINDEX, "tide.run");
    tide_run_execute(L, what->predecessor);
    what->state->scene = tide_scene_check(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, "tide.scene");
    return 0;
}

static tide_status run_file(tide_script *script, const tide_script_options *options, const tide_world *predecessor,
                            tide_error *error)
{
    tide_script_state *state = script->state;
    opening what = { state, script->path, options, predecessor };
    double seconds = state->limits.seconds;
    state->limits.seconds = 0;
    tide_status status = tide_script_call(script, open_state, &what, NULL, error);
    state->limits.seconds = seconds;
    if (status == TIDE_OK && !tide_script_record_give(&state->record, options->texts, options->text_count))
        status = tide_fail_memory(error, "script");
    return status == TIDE_OK ? tide_script_call(script, run_script, &what, NULL, error) : status;
}

// On failure `made` still receives the script, or NULL if out of memory. It tells about the failure. The caller closes
// it.
static tide_status open_script(const char *path, const tide_script_options *options, const tide_world *predecessor,
                               tide_script **made, tide_error *error)
{
    tide_script *script = *made = tide_allocate_zeroed(1, sizeof *script);
    tide_script_state *state = script ? tide_allocate_zeroed(1, sizeof *state) : NULL;
    if (!state)
        return tide_fail_memory(error, "script");
    script->state = state;
    state->script = script;
    script->path = tide_copy_string(path);
    if (!tide_limits_open(&state->limits, options->time_limit, (double)options->memory_limit / 0x1p20) || !script->path)
        return tide_fail_memory(error, "script");
    state->limits.progress = options->progress;
    state->limits.context = options->progress_context;
    tide_account_book *before = tide_account_use(state->limits.account);
    state->L = lua_newstate(tide_script_allocate, state);
    tide_account_use(before);
    if (!state->L)
        return tide_fail_memory(error, "script");
    *(tide_script_state **)lua_getextraspace(state->L) = state;
    return run_file(script, options, predecessor, error);
}

static tide_status check_options(const char *path, const tide_script_options *options, tide_error *error)
{
    char value[32];
    for (uint32_t i = 0; i < options->text_count; i++)
        if (!options->texts[i].path || !options->texts[i].text)
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "script", "texts", NULL, "expected a path and a text in each");
    if (!path || !path[0])
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "script", "path", "\"\"", "expected the name of a scene file");
    if (tide_find_control(path))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "script", "path", path,
                         "the file's name has a control character, such as a newline; rename the file");
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
    tide_script *made = NULL;
    options = options ? options : &none;
    tide_status status = check_options(path, options, error);
    if (status == TIDE_OK)
        status = open_script(path, options, NULL, &made, error);
    if (made && made->state && made->state->run && made->state->run->asks_portable) {
        tide_script_options portable = *options;
        portable.portable = true;
        tide_script_close(made);
        status = open_script(path, &portable, NULL, &made, error);
    }
    if (status == TIDE_OK)
        *script = made;
    else
        tide_script_close(made);
    return status;
}

void tide_script_close(tide_script *script)
{
    if (!script)
        return;
    if (script->state && script->state->L && !script->borrowed)
        lua_close(script->state->L);
    if (script->state)
        tide_script_record_free(&script->state->record);
    if (script->state)
        tide_limits_close(&script->state->limits);
    tide_script_record_free(&script->failed);
    tide_free(script->state);
    tide_free(script->traceback);
    tide_colour_store_free(&script->colours);
    tide_free(script->path);
    tide_free(script);
}

tide_status tide_script_borrow(lua_State *L, tide_scene *scene, tide_script **out, tide_error *error)
{
    tide_script *script = tide_allocate_zeroed(1, sizeof *script);
    tide_script_state *state = script ? tide_allocate_zeroed(1, sizeof *state) : NULL;
    if (!state) {
        tide_free(script);
        return tide_fail_memory(error, "script");
    }
    *state = (tide_script_state) { .L = L, .script = script, .run = tide_scene_run_of(L, scene), .scene = scene };
    script->state = state;
    script->borrowed = true;
    *out = script;
    return TIDE_OK;
}

typedef struct reconciling {
    tide_script *old, *fresh;
    tide_reconciliation *reconciliation;
} reconciling;

static int reconcile(lua_State *L)
{
    reconciling *what = lua_touserdata(L, 1);
    tide_script_state *old = what->old->state, *fresh = what->fresh->state;
    tide_error error;
    old->scene->L = old->L;
    tide_raise_unless_ok(
        L,
        tide_scene_reconcile(L, fresh->scene, old->L, old->scene, what->reconciliation, &fresh->record.notice, &error),
        &error);
    return 0;
}

// Moves the record of a failed reload to the script, whose own state is unchanged.
static void keep_failure(tide_script *script, tide_script *fresh)
{
    tide_script_record none = { 0 };
    tide_free(script->traceback);
    script->traceback = fresh ? fresh->traceback : NULL;
    tide_script_record_free(&script->failed);
    script->reload_failed = fresh && fresh->state;
    if (!script->reload_failed)
        return;
    fresh->traceback = NULL;
    script->failed = fresh->state->record;
    fresh->state->record = none;
}

static void exchange_states(tide_script *script, tide_script *fresh)
{
    tide_script_state *old = script->state;
    script->state = fresh->state;
    fresh->state = old;
    script->state->script = script;
    old->script = fresh;
    tide_script_record_free(&script->failed);
    script->reload_failed = false;
}

tide_status tide_script_reload(tide_script *script, const tide_script_options *options,
                               tide_reconciliation *reconciliation, tide_error *error)
{
    tide_reconciliation unread;
    tide_script_options last = tide_run_options(script->state->run);
    last.time_limit = script->state->limits.seconds;
    last.memory_limit = script->state->limits.account ? tide_account_limit(script->state->limits.account) : 0;
    last.progress = script->state->limits.progress;
    last.progress_context = script->state->limits.context;
    tide_script_options now = options ? *options : last;
    now.portable = last.portable; // the world goes on in its mode
    tide_script *fresh;
    TIDE_TRY(check_options(script->path, &now, error));
    tide_status status = open_script(script->path, &now, script->state->scene->world, &fresh, error);
    reconciling what = { script, fresh, reconciliation ? reconciliation : &unread };
    if (status == TIDE_OK)
        status = tide_script_call(fresh, reconcile, &what, NULL, error);
    if (status == TIDE_OK) {
        tide_script_record_compare(&fresh->state->record, &script->state->record);
        tide_console_carry(script->state->L, fresh->state->L);
        exchange_states(script, fresh);
    } else
        keep_failure(script, fresh);
    tide_script_close(fresh);
    tide_set_portable(last.portable);
    return status;
}

void tide_script_set_time_limit(tide_script *script, double seconds)
{
    script->state->limits.seconds = seconds;
}

// --- queries ---------------------------------------------------------------------------------------------------------

const char *const *tide_script_files(const tide_script *script, uint32_t *count)
{
    const tide_script_record *record = script->reload_failed ? &script->failed : &script->state->record;
    *count = (uint32_t)record->file_count;
    return (const char *const *)record->files;
}

const tide_script_text *tide_script_texts(const tide_script *script, uint32_t *count)
{
    *count = (uint32_t)script->state->record.text_count;
    return script->state->record.texts;
}

tide_status tide_script_give(tide_script *script, const tide_script_text *text, tide_error *error)
{
    return tide_script_record_give(&script->state->record, text, 1) ? TIDE_OK : tide_fail_memory(error, "script");
}

const char *tide_script_traceback(const tide_script *script)
{
    return script->traceback ? script->traceback : "";
}

const char *tide_script_notice(const tide_script *script)
{
    const tide_text *notice = &script->state->record.notice;
    return notice->length ? notice->bytes : "";
}

bool tide_script_portable(const tide_script *script)
{
    return script->state->run->portable;
}

tide_world *tide_script_world(tide_script *script)
{
    return script->state->scene->world;
}

const char *tide_script_title(const tide_script *script)
{
    return script->state->scene->title;
}

const tide_scene_view *tide_script_view(const tide_script *script)
{
    return &script->state->scene->view;
}

uint32_t tide_script_param_count(const tide_script *script)
{
    return (uint32_t)script->state->run->param_count;
}

const tide_param *tide_script_param_at(const tide_script *script, uint32_t index)
{
    return index < script->state->run->param_count ? &script->state->run->params[index] : NULL;
}

const tide_comparison *tide_script_comparison(const tide_script *script)
{
    const tide_comparison *comparison = &script->state->run->comparison;
    return comparison->solvers || comparison->vary || comparison->timesteps ? comparison : NULL;
}

// --- the solver ------------------------------------------------------------------------------------------------------

static int set_solver_call(lua_State *L)
{
    tide_scene_set_solver_text(L, lua_touserdata(L, 2), lua_touserdata(L, 1));
    return 0;
}

tide_status tide_script_set_solver(tide_script *script, const char *text, tide_error *error)
{
    return tide_script_call(script, set_solver_call, script->state->scene, (void *)text, error);
}

tide_status tide_script_check_solver(tide_script *script, const char *text, tide_error *error)
{
    const tide_solver_kind *kind;
    void *options;
    TIDE_TRY(tide_run_parse_solver(script->state->run, text, &kind, &options, error));
    tide_free(options);
    return TIDE_OK;
}

// --- callbacks -------------------------------------------------------------------------------------------------------

static int step_call(lua_State *L)
{
    tide_error error;
    tide_step_time_begin(L);
    tide_raise_unless_ok(L, tide_scene_step(L, lua_touserdata(L, 1), TIDE_STEP_WHOLE, &error), &error);
    return 0;
}

tide_status tide_script_step(tide_script *script, tide_error *error)
{
    return tide_script_call(script, step_call, script->state->scene, NULL, error);
}

static int update_call(lua_State *L)
{
    tide_error error;
    tide_raise_unless_ok(L, tide_scene_update(L, lua_touserdata(L, 1), &error), &error);
    return 0;
}

tide_status tide_script_update(tide_script *script, tide_error *error)
{
    return tide_script_call(script, update_call, script->state->scene, NULL, error);
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
    return tide_script_call(script, draw_call, script->state->scene, &what, error);
}

static int colours_call(lua_State *L)
{
    tide_error error;
    tide_raise_unless_ok(L, tide_scene_find_colours(L, lua_touserdata(L, 1), lua_touserdata(L, 2), &error), &error);
    return 0;
}

tide_status tide_script_colours(tide_script *script, const tide_body_numbers **numbers, uint32_t *count,
                                tide_error *error)
{
    tide_status status = tide_script_call(script, colours_call, script->state->scene, &script->colours, error);
    *numbers = script->colours.items;
    *count = status == TIDE_OK ? (uint32_t)script->colours.count : 0;
    return status;
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
    return tide_script_call(script, key_call, script->state->scene, (void *)key, error);
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
    return tide_script_call(script, mouse_call, script->state->scene, &what, error);
}

static int quit_call(lua_State *L)
{
    tide_error error;
    tide_raise_unless_ok(L, tide_scene_callback(L, lua_touserdata(L, 1), "quit", 0, &error), &error);
    return 0;
}

tide_status tide_script_quit(tide_script *script, tide_error *error)
{
    return tide_script_call(script, quit_call, script->state->scene, NULL, error);
}

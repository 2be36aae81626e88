#include "script/console_parts.h"
#include "script/script_state.h"

#include <string.h>

static const char chunk_name[] = "=console";

// --- compiling -------------------------------------------------------------------------------------------------------

// Loads `before` followed by the line; leaves a function or an error message.
static int load_with(lua_State *L, const char *before, const char *line)
{
    lua_pushfstring(L, "%s%s", before, line);
    size_t length;
    const char *text = lua_tolstring(L, -1, &length);
    int status = luaL_loadbufferx(L, text, length, chunk_name, "t");
    lua_remove(L, -2);
    return status;
}

static const char *after_equals(const char *line)
{
    const char *p = line + strspn(line, " \t");
    return *p == '=' && p[1] != '=' ? p + 1 : NULL;
}

// Loads the line as an expression, else as statements. A failure leaves the message of the latter. Lines count from 1
// in both.
static int load_line(lua_State *L, const char *line)
{
    const char *expression = after_equals(line);
    if (load_with(L, "return ", expression ? expression : line) == LUA_OK || expression)
        return lua_isfunction(L, -1) ? LUA_OK : LUA_ERRSYNTAX;
    lua_pop(L, 1);
    return load_with(L, "", line);
}

static int check_unfinished(lua_State *L)
{
    static const char mark[] = "<eof>";
    const char *line = lua_touserdata(L, 1);
    bool *unfinished = lua_touserdata(L, 2);
    *unfinished = false;
    if (load_line(L, line) == LUA_OK)
        return 0;
    size_t length;
    const char *message = lua_tolstring(L, -1, &length);
    *unfinished = length >= sizeof mark - 1 && strcmp(message + length - (sizeof mark - 1), mark) == 0;
    return 0;
}

bool tide_script_is_unfinished(tide_script *script, const char *line)
{
    bool unfinished;
    tide_error unread;
    return tide_script_enter(script, check_unfinished, (void *)line, &unfinished, TIDE_CONSOLE_MEMORY, &unread) ==
               TIDE_OK &&
           unfinished;
}

// --- rollback --------------------------------------------------------------------------------------------------------

// The state to which a failed line is rolled back. Its copies of tables are its user values.
typedef struct checkpoint {
    tide_world *world;
    tide_text state;
    char title[TIDE_FIELD_TEXT_SIZE];
    tide_scene_view view;
    uint64_t hash;
    uint32_t bodies, colliders, attachments;
} checkpoint;

enum { OLD_CALLBACKS = 1, OLD_MOVES, OLD_COLOURS, OLD_SCRIPT, OLD_CONSOLE, OLD_STATE, OLD_VALUES = OLD_STATE };

static int collect_checkpoint(lua_State *L)
{
    checkpoint *before = lua_touserdata(L, 1);
    tide_world_destroy(before->world);
    before->world = NULL;
    tide_text_free(&before->state);
    return 0;
}

static const luaL_Reg checkpoint_metamethods[] = { { "__gc", collect_checkpoint }, { 0 } };
static const tide_class checkpoint_class = { "tide.Checkpoint",      "checkpoint", "",  tide_no_members,
                                             checkpoint_metamethods, NULL,         NULL };

// Replaces the contents of the table on top by those of the table below it and pops both. Does nothing to other values.
static void refill_table(lua_State *L)
{
    int to = lua_gettop(L), from = to - 1;
    if (lua_istable(L, to) && lua_istable(L, from)) {
        lua_pushnil(L);
        while (lua_next(L, to)) { // Lua allows clearing fields during a traversal
            lua_pop(L, 1);
            lua_pushvalue(L, -1);
            lua_pushnil(L);
            lua_rawset(L, to);
        }
        lua_pushnil(L);
        while (lua_next(L, from)) {
            lua_pushvalue(L, -2);
            lua_insert(L, -2);
            lua_rawset(L, to);
        }
    }
    lua_settop(L, from - 1);
}

static void push_core_value(lua_State *L, const tide_scene *scene, int value)
{
    tide_scene_push_core(L, scene);
    lua_getiuservalue(L, -1, value);
    lua_remove(L, -2);
}

static void set_core_value(lua_State *L, const tide_scene *scene, int value)
{
    tide_scene_push_core(L, scene);
    lua_insert(L, -2);
    lua_setiuservalue(L, -2, value);
    lua_pop(L, 1);
}

static const struct {
    int core, old;
} core_tables[] = { { TIDE_CORE_CALLBACKS, OLD_CALLBACKS },
                    { TIDE_CORE_MOVES, OLD_MOVES },
                    { TIDE_CORE_COLOURS, OLD_COLOURS } };
enum { CORE_TABLES = sizeof core_tables / sizeof *core_tables };

static void measure(const tide_scene *scene, checkpoint *of)
{
    tide_world *world = scene->world;
    of->bodies = tide_world_body_count(world);
    of->colliders = tide_world_collider_count(world);
    of->attachments = tide_world_attachment_count(world);
}

// Pushes a checkpoint.
static checkpoint *take_checkpoint(lua_State *L, tide_scene *scene)
{
    tide_error error;
    checkpoint *before = tide_object_new(L, &checkpoint_class, sizeof *before, OLD_VALUES);
    int at = lua_gettop(L);
    for (int t = 0; t < CORE_TABLES; t++) {
        push_core_value(L, scene, core_tables[t].core);
        tide_copy_table(L);
        lua_setiuservalue(L, at, core_tables[t].old);
    }
    push_core_value(L, scene, TIDE_CORE_STATE);
    lua_setiuservalue(L, at, OLD_STATE);
    tide_console_push_script_environment(L);
    tide_copy_table(L);
    lua_setiuservalue(L, at, OLD_SCRIPT);
    tide_console_push_environment(L);
    tide_copy_table(L);
    lua_setiuservalue(L, at, OLD_CONSOLE);
    tide_state_save(L, scene, &before->state);
    memcpy(before->title, scene->title, sizeof before->title);
    before->view = scene->view;
    measure(scene, before);
    tide_raise_unless_ok(L, tide_world_hash(scene->world, &before->hash, &error), &error);
    tide_raise_unless_ok(L, tide_world_fork(scene->world, &before->world, &error), &error);
    return before;
}

// Rolls back to the checkpoint at `at`. The scene gets the checkpoint's fork as its world; the changed world is
// destroyed.
static void go_back(lua_State *L, tide_scene *scene, int at)
{
    checkpoint *before = lua_touserdata(L, at);
    tide_world *world = scene->world;
    tide_error unread; // out of memory: state that cannot be restored stays as the line left it
    scene->world = before->world;
    before->world = world;
    scene->stepping = false;
    memcpy(scene->title, before->title, sizeof scene->title);
    scene->view = before->view;
    tide_scene_connect(scene);
    for (int t = 0; t < CORE_TABLES; t++) {
        lua_getiuservalue(L, at, core_tables[t].old);
        set_core_value(L, scene, core_tables[t].core);
    }
    lua_getiuservalue(L, at, OLD_STATE);
    set_core_value(L, scene, TIDE_CORE_STATE);
    tide_state_load(L, scene, before->state.bytes, before->state.length, false, &unread);
    lua_getiuservalue(L, at, OLD_SCRIPT);
    tide_console_push_script_environment(L);
    refill_table(L);
    lua_getiuservalue(L, at, OLD_CONSOLE);
    tide_console_push_environment(L);
    refill_table(L);
    tide_world_destroy(before->world);
    before->world = NULL;
}

static bool same_solver(const tide_world *a, const tide_world *b)
{
    const tide_solver_kind *kind = tide_solver_kind_of(tide_world_solver(a));
    return kind == tide_solver_kind_of(tide_world_solver(b)) &&
           (!kind->options_size || memcmp(tide_solver_options(tide_world_solver(a)),
                                          tide_solver_options(tide_world_solver(b)), kind->options_size) == 0);
}

static bool is_changed(lua_State *L, const tide_scene *scene, const checkpoint *before)
{
    checkpoint now;
    tide_error error;
    measure(scene, &now);
    tide_raise_unless_ok(L, tide_world_hash(scene->world, &now.hash, &error), &error);
    return now.hash != before->hash || !same_solver(scene->world, before->world) || now.bodies != before->bodies ||
           now.colliders != before->colliders || now.attachments != before->attachments ||
           memcmp(tide_world_get_settings(scene->world), tide_world_get_settings(before->world),
                  sizeof(tide_world_settings)) != 0;
}

// --- running a line --------------------------------------------------------------------------------------------------

typedef struct evaluation {
    const char *line;
    const tide_console_host *host;
    tide_scene *scene;
    bool changed;
} evaluation;

static void print_values(lua_State *L, int first)
{
    int last = lua_gettop(L);
    if (last < first)
        return;
    luaL_checkstack(L, 8, NULL);
    tide_text *text = tide_text_new(L);
    for (int i = first; i <= last; i++) {
        tide_text_add(text, "  ", i > first ? 2 : 0);
        tide_console_show(L, i, text);
    }
    tide_text_add(text, "\n", 1);
    if (text->failed)
        tide_raise_memory(L, "console");
    tide_print_text(tide_context_of(L), text->bytes, text->length);
    lua_settop(L, last);
}

static int run_line(lua_State *L) // argument: the function of the line
{
    lua_call(L, 0, LUA_MULTRET);
    print_values(L, 1);
    return 0;
}

static int evaluate_call(lua_State *L)
{
    evaluation *what = lua_touserdata(L, 1);
    tide_context *context = tide_context_of(L);
    tide_error error;
    lua_getfield(L, LUA_REGISTRYINDEX, "tide.scene");
    what->scene = tide_scene_check(L, -1);
    lua_settop(L, 0);
    lua_pushcfunction(L, run_line);
    if (load_line(L, what->line) != LUA_OK)
        return lua_error(L);
    tide_console_push_environment(L);
    if (!lua_setupvalue(L, -2, 1))
        lua_pop(L, 1);
    const checkpoint *before = take_checkpoint(L, what->scene);
    lua_insert(L, 1); // checkpoint, run_line, function
    context->console = what->host;
    context->console_scene = what->scene;
    tide_status status = tide_scene_run(L, what->scene, 1, 0, &error);
    context->console = NULL;
    context->console_scene = NULL;
    if (status != TIDE_OK) {
        go_back(L, what->scene, 1);
        tide_raise(L, &error);
    }
    what->changed = is_changed(L, what->scene, before);
    return 0;
}

tide_status tide_script_evaluate(tide_script *script, const char *line, const tide_console_host *host, bool *changed,
                                 tide_error *error)
{
    static const tide_console_host nobody;
    evaluation what = { line, host ? host : &nobody, NULL, false };
    tide_status status = tide_script_enter(script, evaluate_call, &what, NULL, TIDE_CONSOLE_MEMORY, error);
    if (changed)
        *changed = what.changed;
    return status;
}

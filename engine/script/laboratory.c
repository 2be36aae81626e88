#include "script/laboratory.h"

#include "base/megabytes.h"
#include "base/parallel.h"
#include "draw/gnuplot.h"
#include "draw/picture_sheet.h"
#include "script/tool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct bench {
    const tide_laboratory *lab;
    tide_script *script; // the scene, while lists are checked against it; NULL before and after
    tide_lab_failure *failure;
    bool done;
} bench;

// Upvalue 1 of the functions is the bench, upvalue 2 the lab's run.
static bench *bench_of(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(1));
}

// Returns true, or nil and the error's text.
static int push_outcome(lua_State *L, tide_status status, const tide_error *error)
{
    if (status != TIDE_OK)
        return tide_push_failure(L, error);
    lua_pushboolean(L, 1);
    return 1;
}

// Pushes the path of a file in the output folder and creates its folders. Returns NULL and fills the error on failure.
static const char *push_path(lua_State *L, int index, const char *ending, tide_error *error)
{
    const tide_laboratory *lab = bench_of(L)->lab;
    const char *name = tide_check_path(L, index, "laboratory", "name");
    const char *path = lab->folder ? lua_pushfstring(L, "%s/%s%s", lab->folder, name, ending) : name;
    if (lab->folder && strchr(name, '/')) {
        tide_fail(error, TIDE_ERROR_ARGUMENT, path, NULL, NULL, "expected a file's name without folders");
        return NULL;
    }
    return lab->make_folders(path, error) == TIDE_OK ? path : NULL;
}

// Returns a text field of the table on top; the table keeps the text alive.
static const char *text_of(lua_State *L, const char *name)
{
    lua_getfield(L, -1, name);
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    lua_pop(L, 1);
    return text;
}

static double number_of(lua_State *L, const char *name)
{
    lua_getfield(L, -1, name);
    double number = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return number;
}

// --- the command line ------------------------------------------------------------------------------------------------

static void close_script(bench *b)
{
    tide_script_close(b->script);
    b->script = NULL;
}

// params(): opens the scene and returns its parameters, as tide_param_push does; or nil and a message.
static int params(lua_State *L)
{
    bench *b = bench_of(L);
    tide_error *error = &b->failure->error;
    if (!b->script && tide_script_open(b->lab->subjects[0], b->lab->options, &b->script, error) != TIDE_OK)
        return tide_push_failure(L, error);
    lua_newtable(L);
    for (uint32_t i = 0; i < tide_script_param_count(b->script); i++) {
        tide_param_push(L, tide_script_param_at(b->script, i));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

// check(solver): returns whether the scene opened by params() takes the solver, and if not, whether the solver at least
// has all options that are given.
static int check(lua_State *L)
{
    tide_error error;
    bool good = tide_script_check_solver(bench_of(L)->script, luaL_checkstring(L, 1), &error) == TIDE_OK;
    lua_pushboolean(L, good);
    lua_pushboolean(L, good || !strstr(error.remedy, "unknown field"));
    return 2;
}

// refuse_solver(solver): ends the study because the scene does not take the solver.
static int refuse_solver(lua_State *L)
{
    tide_lab_failure *failure = bench_of(L)->failure;
    tide_status status = tide_script_check_solver(bench_of(L)->script, luaL_checkstring(L, 1), &failure->error);
    failure->refused = status != TIDE_ERROR_MEMORY;
    if (failure->refused)
        failure->error.where[0] = '\0'; // the script is not at fault
    return tide_push_failure(L, &failure->error);
}

// refuse(option or nil, value or nil, remedy, object or nil): ends the command because the command line is wrong.
static int refuse(lua_State *L)
{
    tide_lab_failure *failure = bench_of(L)->failure;
    failure->refused = true;
    tide_fail(&failure->error, TIDE_ERROR_ARGUMENT, luaL_optstring(L, 4, "command line"), luaL_optstring(L, 1, NULL),
              luaL_optstring(L, 2, NULL), "%s", luaL_checkstring(L, 3));
    return tide_push_failure(L, &failure->error);
}

// number(text): returns the number, or nil.
static int number(lua_State *L)
{
    static const tide_field field = { .name = "value", .type = TIDE_FIELD_REAL };
    double value;
    if (tide_field_parse(&field, "axis", &value, luaL_checkstring(L, 1), NULL) == TIDE_OK)
        lua_pushnumber(L, value);
    else
        lua_pushnil(L);
    return 1;
}

// pane { solver =, param =, value =, timestep = }: adds a pane. Returns whether it could.
static int pane(lua_State *L)
{
    const tide_laboratory *lab = bench_of(L)->lab;
    lua_settop(L, 1);
    const tide_lab_pane pane = { text_of(L, "solver"), text_of(L, "param"), text_of(L, "value"),
                                 number_of(L, "timestep") };
    lua_pushboolean(L, lab->pane(lab->context, &pane));
    return 1;
}

// --- scenes ----------------------------------------------------------------------------------------------------------

// open({ solver =, timestep =, set = }, path): runs a scene file, by default the first subject. Returns a scene, or
// nil, a message, and whether the options of the command line are at fault.
static int open_scene(lua_State *L)
{
    const tide_laboratory *lab = bench_of(L)->lab;
    close_script(bench_of(L));
    lua_settop(L, 2);
    const char *path = luaL_optstring(L, 2, lab->subjects[0]);
    lua_pushvalue(L, 1);
    tide_script_options given = tide_read_load_options(L, 3, "open"), options = *lab->options;
    options.solver = given.solver;
    options.timestep = given.timestep > 0 ? given.timestep : options.timestep;
    options.setting_count += given.setting_count;
    tide_setting *settings = lua_newuserdatauv(L, options.setting_count * sizeof *settings + 1, 0);
    for (uint32_t i = 0; i < lab->options->setting_count; i++)
        settings[i] = lab->options->settings[i];
    for (uint32_t i = 0; i < given.setting_count; i++)
        settings[lab->options->setting_count + i] = given.settings[i];
    options.settings = settings;
    tide_context_of(L)->last_error = (tide_error) { 0 };
    int count = tide_load_scene(L, path, &options, lua_upvalueindex(2));
    if (count == 1)
        return 1;
    tide_error *error = &bench_of(L)->failure->error;
    *error = tide_context_of(L)->last_error;
    lua_pushboolean(L, tide_is_about_setting(lab->options->settings, lab->options->setting_count, error));
    return 3;
}

// set_solver(scene, "NAME,key=value"): returns true, or nil and a message; the command line is wrong then.
static int set_solver(lua_State *L)
{
    tide_lab_failure *failure = bench_of(L)->failure;
    tide_error *error = &failure->error;
    tide_script *script;
    tide_raise_unless_ok(L, tide_script_borrow(L, tide_scene_check(L, 1), &script, error), error);
    tide_status status = tide_script_set_solver(script, luaL_checkstring(L, 2), error);
    tide_script_close(script);
    failure->refused = status != TIDE_OK;
    if (failure->refused)
        error->where[0] = '\0'; // the script is not at fault
    return push_outcome(L, status, error);
}

TIDE_GETTER(seconds, lua_pushnumber, tide_computing_seconds());

// --- progress --------------------------------------------------------------------------------------------------------

static int progress(lua_State *L)
{
    bench_of(L)->lab->progress(luaL_checkstring(L, 1), (uint64_t)luaL_checkinteger(L, 2),
                               (uint64_t)luaL_checkinteger(L, 3));
    return 0;
}

static int silence(lua_State *L)
{
    bench_of(L)->lab->silence(lua_toboolean(L, 1));
    return 0;
}

// --- files -----------------------------------------------------------------------------------------------------------

// make_folder([name]): makes the output folder, or a folder in it.
static int make_folder(lua_State *L)
{
    const tide_laboratory *lab = bench_of(L)->lab;
    const char *name = luaL_optstring(L, 1, ".");
    tide_error error;
    return push_outcome(L, lab->make_folders(lua_pushfstring(L, "%s/%s/", lab->folder, name), &error), &error);
}

// confine { processor_seconds =, memory =, readable = { path, ... } }: confines this process, a child of the program,
// for good: it writes no files and reads no others. Returns true, or nil and a message.
static int confine(lua_State *L)
{
    const tide_laboratory *lab = bench_of(L)->lab;
    tide_confinement confinement = { .with_parent = true };
    tide_error error;
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    confinement.processor_seconds = (uint64_t)number_of(L, "processor_seconds");
    confinement.memory = tide_megabytes(number_of(L, "memory"));
    lua_getfield(L, 1, "readable");
    size_t count = lua_rawlen(L, 2);
    const char **paths = lua_newuserdatauv(L, (count + 1) * sizeof *paths, 0);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, 2, (lua_Integer)i + 1);
        paths[i] = luaL_checkstring(L, -1);
        lua_pop(L, 1); // the list keeps it alive
    }
    paths[count] = NULL;
    confinement.readable = paths;
    return push_outcome(L, lab->confine(&confinement, &error), &error);
}

static int save(lua_State *L)
{
    size_t size;
    const char *bytes = luaL_checklstring(L, 2, &size);
    tide_error error;
    const char *path = push_path(L, 1, "", &error);
    if (!path)
        return tide_push_failure(L, &error);
    const tide_text text = { .bytes = (char *)(uintptr_t)bytes, .length = size };
    return push_outcome(L, tide_text_save(&text, path, path, &error), &error);
}

// draw(name): draws NAME.png by NAME.gnuplot. Returns whether gnuplot is installed, or nil and a message.
static int draw(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    tide_error error;
    if (!push_path(L, 1, ".png", &error))
        return tide_push_failure(L, &error);
    bool drawn;
    tide_status status = tide_gnuplot_draw(bench_of(L)->lab->folder, name, &drawn, &error);
    if (status != TIDE_OK)
        return tide_push_failure(L, &error);
    lua_pushboolean(L, drawn);
    return 1;
}

// store(name): begins a file of arrays and texts, or returns nil and a message.
static int new_store(lua_State *L)
{
    tide_error error;
    const char *path = push_path(L, 1, "", &error);
    return path ? tide_store_push(L, &bench_of(L)->lab->store, path) : tide_push_failure(L, &error);
}

// --- sheets of pictures ----------------------------------------------------------------------------------------------

typedef struct sheet {
    tide_sheet sheet;
    uint32_t count;
} sheet;

static const tide_class sheet_class;

static int new_sheet(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    uint32_t columns = (uint32_t)number_of(L, "columns"), rows = (uint32_t)number_of(L, "rows");
    uint32_t width = (uint32_t)number_of(L, "width"), height = (uint32_t)number_of(L, "height");
    uint32_t lines = (uint32_t)number_of(L, "caption_lines");
    const char *title = text_of(L, "title");
    tide_error error;
    sheet *s = tide_object_new(L, &sheet_class, sizeof *s, 0);
    tide_raise_unless_ok(L, tide_sheet_create(&s->sheet, columns, rows, width, height, lines, title, &error), &error);
    s->count = columns * rows;
    return 1;
}

static int collect_sheet(lua_State *L)
{
    sheet *s = lua_touserdata(L, 1);
    tide_sheet_free(&s->sheet);
    return 0;
}

static sheet *self(lua_State *L)
{
    return tide_object_self(L, &sheet_class);
}

static uint32_t place(lua_State *L, const sheet *s)
{
    return (uint32_t)tide_check_integer(L, 2, 1, s->count, "sheet", "place") - 1;
}

static int caption(lua_State *L)
{
    sheet *s = self(L);
    tide_sheet_caption(&s->sheet, place(L, s), luaL_checkstring(L, 3));
    return 0;
}

// fill(place, x, y, width, height, red, green, blue): fills a rectangle, in pixels from the top left.
static int fill(lua_State *L)
{
    sheet *s = self(L);
    uint32_t numbers[4];
    for (int i = 0; i < 4; i++)
        numbers[i] = (uint32_t)luaL_checkinteger(L, 3 + i);
    const double colour[3] = { luaL_checknumber(L, 7), luaL_checknumber(L, 8), luaL_checknumber(L, 9) };
    tide_sheet_fill(&s->sheet, place(L, s), numbers, numbers + 2, colour);
    return 0;
}

static int save_sheet(lua_State *L)
{
    sheet *s = self(L);
    tide_error error;
    const char *path = push_path(L, 2, "", &error);
    return push_outcome(L, path ? tide_sheet_save(&s->sheet, path, &error) : TIDE_ERROR_FILE, &error);
}

// --- pictures of scenes ----------------------------------------------------------------------------------------------

typedef struct picture {
    const tide_lab_pictures *by;
    void *picture;
    tide_script *script; // of the scene, borrowed from the Lua state
} picture;

static int collect_picture(lua_State *L)
{
    picture *p = lua_touserdata(L, 1);
    if (p->picture)
        p->by->destroy(p->picture);
    tide_script_close(p->script);
    *p = (picture) { 0 };
    return 0;
}

static const luaL_Reg picture_metamethods[] = { { "__gc", collect_picture }, { 0 } };
static const tide_class picture_class = {
    "tide.Picture", "picture", "", tide_no_members, picture_metamethods, NULL, NULL,
};

// picture(scene, width, height): makes a picture; its camera is fitted to the scene's current state.
static int new_picture(lua_State *L)
{
    const tide_laboratory *lab = bench_of(L)->lab;
    tide_scene *scene = tide_scene_check(L, 1);
    uint32_t width = (uint32_t)luaL_checkinteger(L, 2), height = (uint32_t)luaL_checkinteger(L, 3);
    picture *p = tide_object_new(L, &picture_class, sizeof *p, 1);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1);
    p->by = &lab->pictures;
    tide_error error;
    tide_status status = tide_script_borrow(L, scene, &p->script, &error);
    if (status == TIDE_OK)
        status = p->by->create(p->script, width, height, &p->picture, &error);
    tide_raise_unless_ok(L, status, &error);
    return 1;
}

// draw_picture(picture): draws the current state of its scene.
static int draw_picture(lua_State *L)
{
    picture *p = tide_object_check(L, 1, &picture_class);
    const tide_image *image;
    tide_error error;
    return push_outcome(L, p->by->draw(p->picture, p->script, &image, &error), &error);
}

// sheet:place(place, picture): draws the current state of the picture's scene.
static int place_picture(lua_State *L)
{
    sheet *s = self(L);
    picture *p = tide_object_check(L, 3, &picture_class);
    uint32_t at = place(L, s);
    const tide_image *image;
    tide_error error;
    tide_status status = p->by->draw(p->picture, p->script, &image, &error);
    if (status == TIDE_OK && (image->width != s->sheet.width || image->height != s->sheet.height))
        status =
            tide_fail(&error, TIDE_ERROR_ARGUMENT, "sheet", "place", NULL, "expected a picture of the sheet's size");
    if (status == TIDE_OK)
        tide_sheet_place(&s->sheet, at, image);
    return push_outcome(L, status, &error);
}

static const luaL_Reg sheet_metamethods[] = { { "__gc", collect_sheet }, { 0 } };
static const tide_member sheet_members[] = {
    { "caption", caption, .type = "", .help = "" },
    { "fill", fill, .type = "", .help = "" },
    { "place", place_picture, .type = "", .help = "" },
    { 0 },
};
static const tide_class sheet_class = {
    "tide.Sheet", "sheet", "", sheet_members, sheet_metamethods, NULL, NULL,
};

// --- running ---------------------------------------------------------------------------------------------------------

static const luaL_Reg functions[] = {
    { "open", open_scene },
    { "set_solver", set_solver },
    { "seconds", seconds },
    { "refuse", refuse },
    { "refuse_solver", refuse_solver },
    { "check", check },
    { "params", params },
    { "number", number },
    { "pane", pane },
    { "progress", progress },
    { "silence", silence },
    { "make_folder", make_folder },
    { "save", save },
    { "confine", confine },
    { "draw", draw },
    { "store", new_store },
    { "sheet", new_sheet },
    { "picture", new_picture },
    { "draw_picture", draw_picture },
    { "save_sheet", save_sheet },
    { 0 },
};

static void push_request(lua_State *L, const tide_laboratory *lab)
{
    lua_newtable(L);
    for (const tide_lab_option *option = lab->given; option->name; option++)
        if (option->text)
            tide_set_text(L, option->name, option->text);
        else if (option->number >= 0) {
            if (option->number == floor(option->number))
                tide_set_integer(L, option->name, (lua_Integer)option->number);
            else
                tide_set_number(L, option->name, option->number);
        }
    tide_set_text(L, "scene", lab->subjects[0]);
    tide_set_text(L, "folder", lab->folder);
    lua_newtable(L);
    for (lua_Integer i = 0; lab->subjects[i]; i++) {
        lua_pushstring(L, lab->subjects[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "subjects");
    if (lab->options && lab->options->timestep > 0) {
        tide_set_number(L, "timestep", lab->options->timestep);
    }
}

static int push_arguments(lua_State *L, int run, void *context)
{
    bench *b = context;
    lua_gc(L, LUA_GCINC, 400, 0, 0); // scenes are large and short-lived; the studies collect them explicitly
    push_request(L, b->lab);
    lua_newtable(L);
    lua_pushlightuserdata(L, b);
    lua_pushvalue(L, run);
    luaL_setfuncs(L, functions, 2);
    luaL_setfuncs(L, tide_tool_functions, 0);
    return 2;
}

// Takes true, false (failed, and told already), or nil and a message.
static void take_result(lua_State *L, void *context)
{
    bench *b = context;
    const char *text = lua_tostring(L, -1);
    b->done = lua_toboolean(L, -2);
    b->failure->told = lua_isboolean(L, -2);
    if (!b->failure->told)
        snprintf(b->failure->message, sizeof b->failure->message, "%s", text ? text : "the study failed");
}

tide_status tide_laboratory_run(const tide_laboratory *laboratory, tide_lab_failure *failure)
{
    bench b = { .lab = laboratory, .failure = failure };
    const tide_tool tool = { laboratory->module, push_arguments, take_result, &b };
    tide_error error;
    *failure = (tide_lab_failure) { 0 };
    tide_status status = tide_tool_run(&tool, &error);
    close_script(&b);
    if (status == TIDE_OK)
        return b.done ? TIDE_OK : TIDE_ERROR_STATE;
    failure->error = error;
    tide_error_text(&error, failure->message, sizeof failure->message);
    return status;
}

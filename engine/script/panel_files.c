#include "script/panel_files.h"

#include "base/memory.h"
#include "draw/rasterizer.h"
#include "script/tool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- parameters ------------------------------------------------------------------------------------------------------

typedef struct writing {
    const tide_script *script;
    bool as_options;
    tide_text *out;
} writing;

void tide_param_push(lua_State *L, const tide_param *param)
{
    static const char *const types[] = { "number", "boolean", "choice", "text" };
    lua_newtable(L);
    tide_set_text(L, "name", param->name);
    tide_set_text(L, "type", types[param->type]);
    tide_set_text(L, "unit", param->unit ? param->unit : "");
    tide_set_text(L, "help", param->help ? param->help : "");
    tide_set_text(L, "text", param->text);
    tide_set_number(L, "number", param->number);
    tide_set_number(L, "minimum", param->minimum);
    tide_set_number(L, "maximum", param->maximum);
    tide_set_flag(L, "logarithmic", param->logarithmic);
    tide_set_flag(L, "of_element", param->of_element);
    if (!param->choices)
        return;
    lua_newtable(L);
    for (lua_Integer i = 0; param->choices[i]; i++) {
        lua_pushstring(L, param->choices[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "choices");
}

static int push_params(lua_State *L, int run, void *context)
{
    const writing *what = context;
    (void)run;
    lua_newtable(L);
    for (uint32_t i = 0; i < tide_script_param_count(what->script); i++) {
        tide_param_push(L, tide_script_param_at(what->script, i));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_pushboolean(L, what->as_options);
    return 2;
}

static void take_text(lua_State *L, void *context)
{
    size_t length;
    const char *text = luaL_checklstring(L, -2, &length);
    tide_text_add(((writing *)context)->out, text, length);
}

tide_status tide_params_write(const tide_script *script, bool as_options, tide_text *out, tide_error *error)
{
    writing what = { script, as_options, out };
    const tide_tool tool = { "springtide.panels.params", push_params, take_text, &what };
    return tide_tool_run(&tool, error);
}

// --- plots -----------------------------------------------------------------------------------------------------------

typedef struct saving {
    const tide_plots *plots;
    const char *folder, *name;
    tide_draw_list list;
    tide_text csv;
    float width, height; // of the picture, pixels
} saving;

static const float letters = 15; // pixels

static tide_draw_list *list_of(lua_State *L)
{
    return &((saving *)lua_touserdata(L, lua_upvalueindex(1)))->list;
}

static tide_colour colour_at(lua_State *L, int index)
{
    lua_Integer rgb = luaL_checkinteger(L, index);
    return (tide_colour) { (float)(rgb >> 16 & 255) / 255, (float)(rgb >> 8 & 255) / 255, (float)(rgb & 255) / 255, 1 };
}

// line(x0, y0, x1, y1, width, 0xrrggbb), in pixels from the top left.
static int line(lua_State *L)
{
    float p[5];
    for (int i = 0; i < 5; i++)
        p[i] = (float)luaL_checknumber(L, 1 + i);
    tide_draw_add_line(list_of(L),
                       &(tide_draw_line) { { p[0], -p[1], 0 }, { p[2], -p[3], 0 }, p[4], colour_at(L, 6), false });
    return 0;
}

// text(x, y, right, 0xrrggbb, text): with its left end, or right end if `right`, at x. Returns its width.
static int text(lua_State *L)
{
    float x = (float)luaL_checknumber(L, 1), y = (float)luaL_checknumber(L, 2), width, height;
    const char *shown = luaL_checkstring(L, 5);
    tide_draw_text_size(shown, letters, &width, &height);
    const float left = lua_toboolean(L, 3) ? x - width : x;
    tide_draw_add_label(list_of(L), &(tide_draw_label) { .position = { left, y - 0.6f * letters, 0 },
                                                         .on_screen = true,
                                                         .size = letters,
                                                         .colour = colour_at(L, 4),
                                                         .text = shown });
    lua_pushnumber(L, (double)width);
    return 1;
}

static int push_plots(lua_State *L, int run, void *context)
{
    static const luaL_Reg functions[] = { { "line", line }, { "text", text }, { 0 } };
    const saving *what = context;
    const tide_plots *plots = what->plots;
    (void)run;
    luaL_checkstack(L, 12, NULL);
    lua_newtable(L);
    tide_set_text(L, "title", what->name);
    lua_newtable(L);
    lua_newtable(L);
    for (uint32_t i = 0; i < plots->frame_count; i++) {
        double time;
        lua_pushinteger(L, (lua_Integer)plots->frame(plots->data, i, &time));
        lua_rawseti(L, -3, (lua_Integer)i + 1);
        lua_pushnumber(L, time);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -3, "times");
    lua_setfield(L, -2, "frames");
    for (uint32_t s = 0; s < plots->series_count; s++) {
        const char *unit, *name = plots->name(plots->data, s, &unit);
        lua_newtable(L);
        tide_set_text(L, "name", name);
        tide_set_text(L, "unit", unit);
        for (uint32_t i = 0; i < plots->frame_count; i++) {
            lua_pushnumber(L, plots->value(plots->data, s, i));
            lua_rawseti(L, -2, (lua_Integer)i + 1);
        }
        lua_rawseti(L, -2, (lua_Integer)s + 1);
    }
    lua_newtable(L);
    lua_pushlightuserdata(L, context);
    luaL_setfuncs(L, functions, 1);
    return 2;
}

// Takes the table as text, and { width, height } of the picture.
static void take_plots(lua_State *L, void *context)
{
    saving *what = context;
    size_t length;
    const char *csv = luaL_checklstring(L, -2, &length);
    tide_text_add(&what->csv, csv, length);
    lua_rawgeti(L, -1, 1);
    lua_rawgeti(L, -2, 2);
    what->width = (float)luaL_checknumber(L, -2);
    what->height = (float)luaL_checknumber(L, -1);
}

// A unit of the plane that the camera faces is a pixel; y points down.
static tide_status write_picture(saving *what, const char *path, tide_error *error)
{
    const float angle = 0.5f, width = what->width, height = what->height;
    TIDE_SCOPED_BY(tide_image_free) tide_image image = { 0 };
    tide_rasterizer *rasterizer;
    tide_draw_list *list = &what->list;
    list->stage = tide_draw_stage_default();
    list->stage.has_ground = false;
    list->stage.background_top = list->stage.background_bottom = (tide_colour) { 1, 1, 1, 1 };
    list->camera = (tide_draw_camera) {
        .position = { 0.5f * width, -0.5f * height, 0.5f * height / tanf(0.5f * angle) },
        .target = { 0.5f * width, -0.5f * height, 0 },
        .up = { 0, 1, 0 },
        .field_of_view = angle,
    };
    TIDE_TRY(list->failed ? tide_fail_memory(error, "plots")
                          : tide_image_resize(&image, (uint32_t)width, (uint32_t)height, error));
    TIDE_TRY(tide_rasterizer_create(&rasterizer, error));
    tide_status status = tide_rasterizer_draw(rasterizer, list, &image, error);
    tide_rasterizer_destroy(rasterizer);
    return status == TIDE_OK ? tide_image_write_png(&image, path, error) : status;
}

tide_status tide_plots_save(const tide_plots *plots, const char *folder, const char *name, tide_error *error)
{
    char path[700];
    saving what = { .plots = plots, .name = name };
    const tide_tool tool = { "springtide.panels.plots", push_plots, take_plots, &what };
    tide_status status = tide_tool_run(&tool, error);
    snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    if (status == TIDE_OK)
        status = tide_text_save(&what.csv, path, "plots", error);
    snprintf(path, sizeof path, "%s/%s.png", folder, name);
    if (status == TIDE_OK)
        status = write_picture(&what, path, error);
    tide_text_free(&what.csv);
    tide_draw_list_free(&what.list);
    return status;
}

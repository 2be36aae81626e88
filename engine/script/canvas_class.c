// The canvas passed to scene.draw: adds to the frame's draw list while the callback runs.
#include "script/binding.h"
#include "script/identity.h"

#include <math.h>
#include <string.h>

typedef struct canvas {
    tide_draw_list *list; // NULL after the callback has ended
    uint32_t width, height;
    tide_colour colour;
} canvas;

void tide_canvas_push(lua_State *L, tide_draw_list *list, uint32_t width, uint32_t height)
{
    canvas *made = tide_object_new(L, &tide_canvas_class, sizeof *made, 0);
    *made = (canvas) { list, width, height, { 0.1f, 0.1f, 0.1f, 1 } };
}

void tide_canvas_end(lua_State *L, int index)
{
    canvas *ended = lua_touserdata(L, index);
    ended->list = NULL;
}

static canvas *self(lua_State *L)
{
    canvas *drawn = tide_object_self(L, &tide_canvas_class);
    if (!drawn->list)
        tide_raise_bad(L, "canvas", NULL, NULL, "it can be drawn on only while scene.draw runs");
    return drawn;
}

static void check_position(lua_State *L, int first, const char *field, float out[3])
{
    double position[3];
    tide_check_vec3(L, first, "canvas", field, position);
    for (int k = 0; k < 3; k++)
        out[k] = (float)position[k];
}

static float check_size(lua_State *L, int index, const char *field, float standard)
{
    if (lua_isnoneornil(L, index))
        return standard;
    char shown[TIDE_VALUE_TEXT_SIZE];
    double size = tide_check_number(L, index, "canvas", field);
    if (!(size > 0 && size <= 1e4))
        tide_raise_bad(L, "canvas", field, tide_show(L, index, shown), "expected a size in pixels from 0 to 10000");
    return (float)size;
}

// Adds a label with any value as text, as print shows it.
static void add_label(lua_State *L, canvas *drawn, tide_draw_label *label, int text)
{
    label->colour = drawn->colour;
    label->text = tide_push_text(L, text, NULL);
    tide_draw_add_label(drawn->list, label);
}

static int text(lua_State *L)
{
    canvas *drawn = self(L);
    tide_draw_label label = { .on_screen = true, .size = check_size(L, 5, "text (size)", 18) };
    label.position[0] = (float)tide_check_number(L, 2, "canvas", "text (x)");
    label.position[1] = (float)tide_check_number(L, 3, "canvas", "text (y)");
    luaL_checkany(L, 4);
    add_label(L, drawn, &label, 4);
    return 0;
}

static int label(lua_State *L)
{
    canvas *drawn = self(L);
    tide_draw_label placed = { .size = check_size(L, 6, "label (size)", 18) };
    check_position(L, 2, "label", placed.position);
    luaL_checkany(L, 5);
    add_label(L, drawn, &placed, 5);
    return 0;
}

static int line(lua_State *L)
{
    canvas *drawn = self(L);
    tide_draw_line drawn_line = { .width = check_size(L, 8, "line (width)", 2), .colour = drawn->colour };
    check_position(L, 2, "line", drawn_line.from);
    check_position(L, 5, "line", drawn_line.to);
    tide_draw_add_line(drawn->list, &drawn_line);
    return 0;
}

static int point(lua_State *L)
{
    canvas *drawn = self(L);
    tide_draw_point drawn_point = { .size = check_size(L, 5, "point (size)", 8), .colour = drawn->colour };
    check_position(L, 2, "point", drawn_point.position);
    tide_draw_add_point(drawn->list, &drawn_point);
    return 0;
}

static int colour(lua_State *L)
{
    canvas *drawn = self(L);
    char shown[TIDE_VALUE_TEXT_SIZE];
    double parts[4] = { 0, 0, 0, 1 };
    for (int k = 0; k < (lua_isnoneornil(L, 5) ? 3 : 4); k++) {
        parts[k] = tide_check_number(L, k + 2, "canvas", "colour");
        if (parts[k] < 0 || parts[k] > 1)
            tide_raise_bad(L, "canvas", "colour", tide_show(L, k + 2, shown), "expected numbers from 0 to 1");
    }
    drawn->colour = (tide_colour) { (float)parts[0], (float)parts[1], (float)parts[2], (float)parts[3] };
    return 0;
}

TIDE_GETTER(width, lua_pushinteger, self(L)->width);
TIDE_GETTER(height, lua_pushinteger, self(L)->height);

static const tide_member members[] = {
    { "width", .get = width, .type = "integer", .help = "Of the picture, in pixels." },
    { "height", .get = height, .type = "integer", .help = "Of the picture, in pixels." },
    { "colour", colour, .type = "(r: number, g: number, b: number, a?: number)",
      .help = "Sets the colour of what is drawn next: sRGB, 0 to 1." },
    { "text", text, .type = "(x: number, y: number, text: any, size?: number)",
      .help = "Draws text at a position in the picture, in pixels from the top left." },
    { "label", label, .type = "(x: number, y: number, z: number, text: any, size?: number)",
      .help = "Draws text at a position in the world, in m." },
    { "line", line, .type = "(x1: number, y1: number, z1: number, x2: number, y2: number, z2: number, width?: number)",
      .help = "Draws a line in the world; its width is in pixels." },
    { "point", point, .type = "(x: number, y: number, z: number, size?: number)",
      .help = "Draws a point in the world; its size is in pixels." },
    { 0 },
};

const tide_class tide_canvas_class = {
    "tide.Canvas", "canvas", "The surface on which scene.draw draws, over the picture of the world.", members, NULL,
    NULL,          NULL,
};

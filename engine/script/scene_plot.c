#include "script/scene_plot.h"

#include "script/binding.h"

static tide_plot_sink *current_sink;
static void *current_context;

void tide_scene_set_plot_sink(tide_plot_sink *sink, void *context)
{
    current_sink = sink;
    current_context = context;
}

int tide_scene_plot(lua_State *L)
{
    const tide_scene *scene = tide_scene_self(L);
    const char *name = tide_check_text(L, 2, "scene", "plot");
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (!name[0])
        tide_raise_bad(L, "scene", "plot", "\"\"", "expected the name of what is plotted");
    if (lua_type(L, 3) != LUA_TNUMBER)
        tide_raise_bad(L, "scene", "plot", tide_show(L, 3, shown), "expected a number after the name");
    if (current_sink)
        current_sink(scene->world, name, lua_tonumber(L, 3), current_context);
    lua_settop(L, 1);
    return 1;
}

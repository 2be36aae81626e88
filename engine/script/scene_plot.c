#include "script/scene_plot.h"

#include "script/binding.h"

static struct {
    tide_plot_sink *call;
    void *context;
} sinks[TIDE_PLOT_SINKS_MAX];

// Returns the index of a sink, or TIDE_PLOT_SINKS_MAX. NULL, NULL finds a free place.
static int find_sink(tide_plot_sink *call, const void *context)
{
    int i = 0;
    while (i < TIDE_PLOT_SINKS_MAX && (sinks[i].call != call || sinks[i].context != context))
        i++;
    return i;
}

void tide_scene_add_plot_sink(tide_plot_sink *call, void *context)
{
    int free = find_sink(NULL, NULL);
    if (free == TIDE_PLOT_SINKS_MAX)
        return;
    sinks[free].call = call;
    sinks[free].context = context;
}

void tide_scene_remove_plot_sink(tide_plot_sink *call, void *context)
{
    int found = find_sink(call, context);
    if (found == TIDE_PLOT_SINKS_MAX)
        return;
    sinks[found].call = NULL;
    sinks[found].context = NULL;
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
    for (int i = 0; i < TIDE_PLOT_SINKS_MAX; i++)
        if (sinks[i].call)
            sinks[i].call(scene->world, name, lua_tonumber(L, 3), sinks[i].context);
    lua_settop(L, 1);
    return 1;
}

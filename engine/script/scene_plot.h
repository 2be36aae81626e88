// scene:plot(name, value): numbers that a scene gives to whoever plots them.
#ifndef TIDE_SCRIPT_SCENE_PLOT_H
#define TIDE_SCRIPT_SCENE_PLOT_H

#include "world/world.h"

// Called for each number, which may be infinite or NAN, while the script runs; `name` is valid during the call. Of a
// fork, a comparison or a run that is not in force yet, `world` is another than the one that is seen.
typedef void tide_plot_sink(const tide_world *world, const char *name, double value, void *context);
void tide_scene_set_plot_sink(tide_plot_sink *sink, void *context); // NULL: they go nowhere

struct lua_State;
int tide_scene_plot(struct lua_State *L); // the method

#endif

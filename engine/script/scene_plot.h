// scene:plot(name, value): numbers that a scene reports for plotting.
#ifndef TIDE_SCRIPT_SCENE_PLOT_H
#define TIDE_SCRIPT_SCENE_PLOT_H

#include "world/world.h"

// Receives each number, which may be infinite or NAN, while the script runs. `name` is valid during the call. `world`
// is not the visible one if a fork, a comparison or a run that is not yet in use calls.
typedef void tide_plot_sink(const tide_world *world, const char *name, double value, void *context);
// Adds a sink, at most TIDE_PLOT_SINKS_MAX. Without any, the numbers are dropped.
enum { TIDE_PLOT_SINKS_MAX = 4 };
void tide_scene_add_plot_sink(tide_plot_sink *sink, void *context);
void tide_scene_remove_plot_sink(tide_plot_sink *sink, void *context); // does nothing if there is no such sink

struct lua_State;
int tide_scene_plot(struct lua_State *L); // the method

#endif

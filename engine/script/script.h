// Scenes as Lua scripts: running a file, its parameters and callbacks, and the world it describes.
//
// A tide_script is a Lua state of its own with one scene in it: what the program runs. The Lua module
// (luaopen_springtide) gives the same scenes to any other Lua state.
#ifndef TIDE_SCRIPT_SCRIPT_H
#define TIDE_SCRIPT_SCRIPT_H

#include "draw/draw_list.h"
#include "world/world.h"

typedef struct tide_script tide_script;

// NAME=VALUE of a tide_param, as --set gives it.
typedef struct tide_setting {
    const char *name, *value;
} tide_setting;

typedef struct tide_script_options {
    const tide_setting *settings; // values of the script's parameters
    uint32_t setting_count;
    const char *solver;  // "NAME" or "NAME,key=value,...", instead of the script's; NULL: the script's
    double timestep;     // s, instead of the script's; 0: the script's
    uint64_t seed;       // of the world's random generator
    const char *library; // folder of the Lua library that scenes `require` (scripts/); NULL: found beside the program
    double time_limit;   // s that one call into the script may take before it is stopped with an error; 0: none
    size_t memory_limit; // bytes that the Lua state may hold; 0: none
} tide_script_options;

// Runs a scene file in a new Lua state. On failure the error's `where` is the script's file:line.
tide_status tide_script_open(const char *path, const tide_script_options *options, tide_script **script,
                             tide_error *error);
void tide_script_close(tide_script *script); // NULL does nothing

// Runs the file again in a new Lua state and reconciles (DESIGN 1). On failure nothing has changed.
tide_status tide_script_reload(tide_script *script, const tide_script_options *options, tide_adoption *adoption,
                               tide_error *error);

tide_world *tide_script_world(tide_script *script); // owned by the script; another one after a reload
const char *tide_script_title(const tide_script *script);

// Gives the scene this solver, "NAME" or "NAME,key=value,...", from the next step on; positions and velocities stay.
// The second only tells whether the first would.
tide_status tide_script_set_solver(tide_script *script, const char *text, tide_error *error);
tide_status tide_script_check_solver(tide_script *script, const char *text, tide_error *error);
// A solver by name, the engine's or one that the script made (tide.solver); NULL with an error that names the nearest.
// A world that is given it, or a fork that has it, may outlive the script: from then on it only fails to step.
const tide_solver_kind *tide_script_find_solver(tide_script *script, const char *name, tide_error *error);
// The same from "NAME,key=value,...", with its options, for tide_world_set_solver and then tide_free.
tide_status tide_script_parse_solver(tide_script *script, const char *text, const tide_solver_kind **kind,
                                     void **options, tide_error *error);

// What the scene says about the picture.
typedef struct tide_scene_view {
    bool has_camera;
    tide_draw_camera camera; // of the scene, when it has one
    tide_draw_stage stage;
    bool automatic_ground; // stage.ground_height is not given: just below the scene's lowest point at the start
} tide_scene_view;
const tide_scene_view *tide_script_view(const tide_script *script);

// Callbacks of the scene; one that the scene does not define does nothing. Errors carry the script's file:line.
tide_status tide_script_step(tide_script *script, tide_error *error); // update(dt), then the world's step
// The update alone, for measuring the step that would come (tide_world_inputs) and stepping the world itself. What one
// that fails has done is undone.
tide_status tide_script_update(tide_script *script, tide_error *error);
tide_status tide_script_draw(tide_script *script, tide_draw_list *list, uint32_t width, uint32_t height,
                             tide_error *error);
tide_status tide_script_key_pressed(tide_script *script, const char *key, tide_error *error);
tide_status tide_script_mouse_pressed(tide_script *script, double x, double y, int button, tide_error *error); // pixels
tide_status tide_script_quit(tide_script *script, tide_error *error);

// Parameters that the script declared with tide.param, in order.
typedef struct tide_param {
    const char *name, *unit, *help;
    enum { TIDE_PARAM_NUMBER, TIDE_PARAM_BOOLEAN, TIDE_PARAM_CHOICE, TIDE_PARAM_TEXT } type;
    double number, initial, minimum, maximum; // minimum > maximum: no range
    const char *text;                         // the value as text, of any type
    bool logarithmic;
    const char *const *choices; // of a choice: its texts, ended by NULL; otherwise NULL
} tide_param;
uint32_t tide_script_param_count(const tide_script *script);
const tide_param *tide_script_param_at(const tide_script *script, uint32_t index);

// The field tables as documents: the reference page (Markdown) and the annotation file for editors (Lua).
tide_status tide_script_write_reference(const char *path, tide_error *error);
tide_status tide_script_write_annotations(const char *path, tide_error *error);

struct lua_State;
int luaopen_springtide(struct lua_State *L);

#endif

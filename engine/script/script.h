// Runs scenes written in Lua: loads a scene file, holds its parameters and callbacks, and owns the world that it
// describes.
//
// A tide_script is a Lua state of its own with one scene in it. The Lua module (luaopen_springtide) offers the same
// scenes to any other Lua state.
//
//     tide_script *script;
//     tide_script_options options = { .time_limit = 10 };
//     status = tide_script_open("scenes/curtain.lua", &options, &script, error);
//     status = tide_script_step(script, error);
//     double time = tide_world_time(tide_script_world(script));
//     tide_script_close(script);
//
// Threads: one thread uses all scripts of a process, because they share the cache of built meshes.
// Ownership: the script owns its Lua state, its world and every text that it returns.
// Errors carry the script's file and line. A call that fails changes nothing.
#ifndef TIDE_SCRIPT_SCRIPT_H
#define TIDE_SCRIPT_SCRIPT_H

#include "draw/draw_list.h"
#include "draw/world_colours.h"
#include "world/world.h"

typedef struct tide_script tide_script;

// The value of a tide_param, as --set NAME=VALUE gives it.
typedef struct tide_setting {
    const char *name, *value;
} tide_setting;

// A script file held as text.
typedef struct tide_script_text {
    const char *path; // as tide_script_files returns it
    const char *text;
    size_t size; // bytes; the text may contain zero bytes
} tide_script_text;

typedef struct tide_script_options {
    const tide_setting *settings; // (setting_count) values of the script's parameters
    uint32_t setting_count;
    const char *solver;  // "NAME" or "NAME,key=value,..."; replaces the script's solver. NULL: keep it
    double timestep;     // s; replaces the script's timestep. 0: keep it
    uint64_t seed;       // seed of the world's random generator
    bool portable;       // runs in the portable mode (base/portable.h), whatever the script says
    const char *library; // folder of the Lua library that scenes `require` (scripts/); NULL: search beside the program
    double time_limit;   // s of one call into the script; a longer call is stopped with an error. 0: no limit
    size_t memory_limit; // bytes that the script and its scene may hold; 0: no limit
    // Called about 20 times a second during a call into the script; true interrupts the call. NULL: none
    bool (*progress)(void *context);
    void *progress_context;
    const tide_script_text *texts; // replace scene files and modules; copied
    uint32_t text_count;           // a reload without options has no texts
    bool folder_barred;            // the script may read the Lua library and the data folder, but not its own folder
    bool untrusted;                // besides its file, the script reads only the Lua library, and it saves nothing
    bool answers;                  // tide.load returns the script's second result, too
} tide_script_options;

void tide_library_find(char *folder, size_t size); // finds the folder of the Lua library; "" if there is none

// Runs a scene file in a new Lua state. On failure `where` of the error is the script's file:line.
tide_status tide_script_open(const char *path, const tide_script_options *options, tide_script **script,
                             tide_error *error);
// Returns whether that failed because of a setting: an unknown parameter, or a value that it refuses.
bool tide_is_about_setting(const tide_setting *settings, uint32_t count, const tide_error *error);
void tide_script_close(tide_script *script); // NULL is allowed

// Runs the file again in a new Lua state and reconciles the two worlds (engine/README.md, "The life of a reload"). A
// failure changes nothing.
tide_status tide_script_reload(tide_script *script, const tide_script_options *options,
                               tide_reconciliation *reconciliation, tide_error *error);

// Returns the files that the last run asked for, each once, in order of first use: the scene file, required modules,
// meshes with their companion files (.ele beside .node) and scenes that it loaded. Files that callbacks asked for later
// and files that were not found are included. After a failed reload these are the files of the failed run: a change of
// one of them makes another attempt worthwhile. Valid until the next call that runs code of the script.
const char *const *tide_script_files(const tide_script *script, uint32_t *count);
// Returns the scene file and modules as the last successful run read them. Passed as `texts` of the options, they
// repeat the run without the files. A module of the Lua library has the path "@library/springtide/wind.lua",
// independent of the library's folder. Valid as long as the result of tide_script_files.
const tide_script_text *tide_script_texts(const tide_script *script, uint32_t *count);
// Adds a text that replaces the file of its path from now on, like `texts` of the options. Copies the text.
tide_status tide_script_give(tide_script *script, const tide_script_text *text, tide_error *error);
// Returns the traceback of the last failed call, innermost function first, one line each: "curtain.lua:12: in function
// 'wave'". Returns "" if no Lua function was running, as for a syntax error. Valid as long as the result of
// tide_script_files.
const char *tide_script_traceback(const tide_script *script);
// Returns what the last successful reload changed, one line for each body, collider or setting: "curtain: stiffness 80
// -> 200 N/m; refactored in 19 ms", or "nothing changed". Returns "" before the first reload. Valid until the next
// reload.
const char *tide_script_notice(const tide_script *script);

// Sets the time limit (s) of later calls in place of the options' limit. 0: no limit
void tide_script_set_time_limit(tide_script *script, double seconds);

bool tide_script_portable(const tide_script *script); // runs in the portable mode, by its own will or by the options
tide_world *tide_script_world(tide_script *script);   // owned by the script; a reload replaces it
const char *tide_script_title(const tide_script *script);

// Selects a solver, "NAME" or "NAME,key=value,...", from the next step on. Positions and velocities stay.
// tide_script_check_solver only tells whether tide_script_set_solver would succeed.
tide_status tide_script_set_solver(tide_script *script, const char *text, tide_error *error);
tide_status tide_script_check_solver(tide_script *script, const char *text, tide_error *error);

// What tide.compare declares, in the syntax of the command line; NULL where nothing is given.
typedef struct tide_comparison {
    const char *solvers, *vary, *timesteps; // "local_global,iterations=5,newton", "stiffness=20,80", "0.01,0.02"
} tide_comparison;
const tide_comparison *tide_script_comparison(const tide_script *script); // NULL: no comparison declared

// The scene's settings of the picture.
typedef struct tide_scene_view {
    bool has_camera;
    tide_draw_camera camera; // valid if has_camera
    tide_draw_stage stage;
    bool automatic_ground; // stage.ground_height is not given: the ground lies at a visible floor, else just below the
                           // scene's lowest point. Without stage.has_ground it is drawn only at such a floor
    bool solid_ground;     // bodies come to rest on it
    bool ground_is_made;   // its collider is in the world, or none is needed
    double ground_friction, ground_restitution, ground_rolling;
    char ground_material[TIDE_FIELD_TEXT_SIZE];
} tide_scene_view;
const tide_scene_view *tide_script_view(const tide_script *script);

// Call the scene's callbacks; an undefined callback does nothing. Errors carry the script's file:line.
tide_status tide_script_step(tide_script *script, tide_error *error); // update(dt), then the world's step
// Calls update(dt) without the step, so that a caller can measure the next step (tide_world_inputs) or step the world
// itself. A failed update is rolled back.
tide_status tide_script_update(tide_script *script, tide_error *error);
tide_status tide_script_draw(tide_script *script, tide_draw_list *list, uint32_t width, uint32_t height,
                             tide_error *error);
// Evaluates the numbers that colour the bodies (body:colour). They are valid until the next call into the script. A
// failure returns none.
tide_status tide_script_colours(tide_script *script, const tide_body_numbers **numbers, uint32_t *count,
                                tide_error *error);
tide_status tide_script_key_pressed(tide_script *script, const char *key, tide_error *error);
tide_status tide_script_mouse_pressed(tide_script *script, double x, double y, int button, tide_error *error); // pixels
tide_status tide_script_quit(tide_script *script, tide_error *error);

// Parameters that the script declared with tide.param, and those of its own elements, in the order of declaration.
typedef struct tide_param {
    const char *name, *unit, *help;
    enum { TIDE_PARAM_NUMBER, TIDE_PARAM_BOOLEAN, TIDE_PARAM_CHOICE, TIDE_PARAM_TEXT } type;
    double number, initial, minimum, maximum; // minimum > maximum: no range; of an element, one may be infinite
    const char *text;                         // the value as text, for every type
    bool logarithmic;
    bool of_element;            // a parameter of an element that tide.element made; `initial` is what the script gives
    const char *const *choices; // texts of a choice, ended by NULL; NULL for other types
} tide_param;
uint32_t tide_script_param_count(const tide_script *script);
const tide_param *tide_script_param_at(const tide_script *script, uint32_t index);

struct lua_State;
int luaopen_springtide(struct lua_State *L);

#endif

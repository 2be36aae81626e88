// Scenes as Lua scripts: running a file, its parameters and callbacks, and the world it describes.
//
// A tide_script is a Lua state of its own with one scene in it: what the program runs. The Lua module
// (luaopen_springtide) gives the same scenes to any other Lua state.
//
//     tide_script *script;
//     tide_script_options options = { .time_limit = 10 };
//     status = tide_script_open("scenes/curtain.lua", &options, &script, error);
//     status = tide_script_step(script, error);
//     double time = tide_world_time(tide_script_world(script));
//     tide_script_close(script);
//
// Ownership: the script owns its Lua state, its world and every text that it returns. Errors carry the script's file
// and line, and a call that fails changes nothing. Threads: all scripts of a process are used by one
// thread, because they share the cache of built meshes.
#ifndef TIDE_SCRIPT_SCRIPT_H
#define TIDE_SCRIPT_SCRIPT_H

#include "draw/draw_list.h"
#include "draw/world_colours.h"
#include "world/world.h"

typedef struct tide_script tide_script;

// NAME=VALUE of a tide_param, as --set gives it.
typedef struct tide_setting {
    const char *name, *value;
} tide_setting;

// A script's file as text.
typedef struct tide_script_text {
    const char *path; // as tide_script_files gives it
    const char *text;
    size_t size; // bytes; there may be zeros among them
} tide_script_text;

typedef struct tide_script_options {
    const tide_setting *settings; // values of the script's parameters
    uint32_t setting_count;
    const char *solver;  // "NAME" or "NAME,key=value,...", instead of the script's; NULL: the script's
    double timestep;     // s, instead of the script's; 0: the script's
    uint64_t seed;       // of the world's random generator
    const char *library; // folder of the Lua library that scenes `require` (scripts/); NULL: found beside the program
    double time_limit;   // s that one call into the script may take before it is stopped with an error; 0: none
    size_t memory_limit; // bytes that the script and its scene may hold; 0: none
    // Called some 20 times a second while a call into the script is under way; true interrupts it. NULL: none
    bool (*progress)(void *context);
    void *progress_context;
    const tide_script_text *texts; // of scene files and modules: taken instead of what these files hold; copied. A
    uint32_t text_count;           // reload without options takes none
    bool folder_barred;            // it reads the Lua library and the data folder, and not the folder of its file
} tide_script_options;

// Runs a scene file in a new Lua state. On failure the error's `where` is the script's file:line.
tide_status tide_script_open(const char *path, const tide_script_options *options, tide_script **script,
                             tide_error *error);
void tide_script_close(tide_script *script); // NULL does nothing

// Runs the file again in a new Lua state and reconciles (engine/README.md, "The life of a
// reload"). On failure nothing has changed.
tide_status tide_script_reload(tide_script *script, const tide_script_options *options, tide_adoption *adoption,
                               tide_error *error);

// What an open that failed leaves behind: which files to wait for, and where it was. Both as of a script below.
typedef struct tide_script_trial {
    char **files; // (file_count)
    uint32_t file_count;
    char *traceback; // NULL: no memory for it
} tide_script_trial;
// tide_script_open that on failure fills `trial`, which tide_script_trial_free then frees.
tide_status tide_script_try(const char *path, const tide_script_options *options, tide_script_trial *trial,
                            tide_script **script, tide_error *error);
void tide_script_trial_free(tide_script_trial *trial);

// The files that the last run asked for, each once, in order: the scene file, modules that it required, meshes with the
// files that belong to them (.ele beside .node), scenes that it loaded, also later from its callbacks; those that it
// looked for and did not find, too. After a reload that failed, the files of that run: once one of them changes, it is
// worth another. Valid until the next call that runs something of the script.
const char *const *tide_script_files(const tide_script *script, uint32_t *count);
// The scene file and modules as the last run that succeeded read them, to do the same without the files: as options'
// `texts`. A module of the Lua library is called "@library/springtide/wind.lua" there, wherever the library is. Valid
// as above.
const tide_script_text *tide_script_texts(const tide_script *script, uint32_t *count);
// Adds a text that is taken from now on instead of the file of its path, as the options' texts are; copied.
tide_status tide_script_give(tide_script *script, const tide_script_text *text, tide_error *error);
// The calls under way where the last function given this script that failed did so, innermost first, a line for each:
// "curtain.lua:12: in function 'wave'"; "" when none was, as for a syntax error. Valid as above.
const char *tide_script_traceback(const tide_script *script);
// What the last reload that succeeded changed, a line for each body, collider or setting: "curtain: stiffness 80 -> 200
// N/m; refactored in 19 ms", or "nothing changed"; "" before the first. Valid until the next reload.
const char *tide_script_notice(const tide_script *script);

// For the calls from now on; that of the options is for the run.
void tide_script_set_time_limit(tide_script *script, double seconds);

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

// What tide.compare declares, in the command line's words; NULL what was left out.
typedef struct tide_comparison {
    const char *solvers, *vary, *timesteps; // "local_global,iterations=5,newton", "stiffness=20,80", "0.01,0.02"
} tide_comparison;
const tide_comparison *tide_script_comparison(const tide_script *script); // NULL: it declares nothing

// What the scene says about the picture.
typedef struct tide_scene_view {
    bool has_camera;
    tide_draw_camera camera; // of the scene, when it has one
    tide_draw_stage stage;
    bool automatic_ground; // stage.ground_height is not given: at a visible floor, else just below the scene's lowest
                           // point; without stage.has_ground it is drawn only where there is such a floor
    bool solid_ground;     // bodies come to rest on it
    bool ground_is_made;   // its collider is in the world, or there is to be none
    double ground_friction, ground_restitution;
} tide_scene_view;
const tide_scene_view *tide_script_view(const tide_script *script);

// Callbacks of the scene; one that the scene does not define does nothing. Errors carry the script's file:line.
tide_status tide_script_step(tide_script *script, tide_error *error); // update(dt), then the world's step
// The update alone, for measuring the step that would come (tide_world_inputs) and stepping the world itself. What one
// that fails has done is undone.
tide_status tide_script_update(tide_script *script, tide_error *error);
tide_status tide_script_draw(tide_script *script, tide_draw_list *list, uint32_t width, uint32_t height,
                             tide_error *error);
// The numbers that the scene gives its bodies (body:colour), found anew; valid until the next call and while the script
// is not called otherwise. On failure there are none.
tide_status tide_script_colours(tide_script *script, const tide_body_numbers **numbers, uint32_t *count,
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

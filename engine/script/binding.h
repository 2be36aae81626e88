// What the files of this folder share: errors, classes of userdata, tables read by field tables, runs of scripts, and
// scenes. Functions named tide_raise_..., tide_check_... and tide_read_... raise Lua errors, so a caller keeps what it
// must free in userdata.
#ifndef TIDE_SCRIPT_BINDING_H
#define TIDE_SCRIPT_BINDING_H

#include "base/field.h"
#include "base/random.h"
#include "base/text.h"
#include "script/script.h"

#include <lauxlib.h>
#include <lua.h>

// --- one for a Lua state ---------------------------------------------------------------------------------------------

typedef struct tide_context {
    struct tide_scene *running;              // the scene whose callback runs, or NULL
    const struct tide_run *executing;        // the run whose script runs from its file, or NULL
    tide_error last_error;                   // that tide_raise raised
    char unread[160];                        // why the last call of tide.mesh.load gave no mesh; "" when it gave one
    uint64_t objects;                        // that were made
    struct tide_limited *call;               // the call under limits that is under way, limits.h; NULL: none
    bool stopped;                            // its limit is reached: nothing of the script is to run any more
    bool solving;                            // a step of a solver that a script made is under way
    bool limited;                            // the state is a tide_script's
    const struct tide_console_host *console; // while a line of a console runs; NULL
    struct tide_scene *console_scene;        // that it is about
} tide_context;
tide_context *tide_context_of(lua_State *L); // NULL before it is opened
void tide_context_open(lua_State *L);

// --- errors ----------------------------------------------------------------------------------------------------------

// The file and line of the innermost running Lua function (one outside the library folder where there is one); false
// when there is none. `file` stays valid while that function runs.
bool tide_lua_place(lua_State *L, const char **file, int *line);
// Raises the error's text, located at the script's line unless it has a place already.
_Noreturn void tide_raise(lua_State *L, tide_error *error);
__attribute__((format(printf, 5, 6))) _Noreturn void tide_raise_bad(lua_State *L, const char *object, const char *field,
                                                                    const char *value, const char *remedy, ...);
_Noreturn void tide_raise_memory(lua_State *L, const char *object);
// Raises unless `status` is TIDE_OK.
void tide_raise_unless_ok(lua_State *L, tide_status status, tide_error *error);
// Calls the function below the `argument_count` values on top. On failure, pops all of it and fills the error.
tide_status tide_call(lua_State *L, int argument_count, int result_count, tide_error *error);
// The same for a function that a script gave as an object's field: the error names both. tide_call_field raises it.
void tide_name_error(tide_error *error, const char *object, const char *field); // where it names no object of its own
void tide_call_field(lua_State *L, int argument_count, int result_count, const char *object, const char *field);
// Pushes nil and the error's text; returns 2.
int tide_push_failure(lua_State *L, const tide_error *error);
// Calls a C function with a pointer for argument, for C that may have been called by no Lua: in a tide_script's state
// under its limits, those of the call under way if there is one.
tide_status tide_limited_call(lua_State *L, lua_CFunction function, void *argument, tide_error *error);
// Raises once the call under way is over its limits, for loops in C (limits.c).
void tide_check_limit(lua_State *L);

// --- classes ---------------------------------------------------------------------------------------------------------

// A method, a property or a function of a module, with its documentation in the notation of EmmyLua annotations.
typedef struct tide_member {
    const char *name;
    lua_CFunction call; // a method or function
    lua_CFunction get;  // a property: the object is at index 1
    lua_CFunction set;  // NULL: it cannot be assigned; the value is at index 3
    const char *type;   // of a property; of a method "(i: integer): number, number"
    const char *help;
} tide_member; // lists end with a NULL name

typedef struct tide_class {
    const char *name;  // "tide.Body"
    const char *label; // "body", for messages
    const char *help;
    const tide_member *members;
    const luaL_Reg *metamethods;            // may be NULL
    lua_CFunction element_get, element_set; // of numeric keys; NULL: none. Key at 2, value at 3
} tide_class;

extern const tide_class tide_mesh_class, tide_scene_class, tide_body_class, tide_buffer_class, tide_snapshot_class,
    tide_system_class, tide_vector_class, tide_matrix_class, tide_factor_class, tide_canvas_class,
    tide_solver_state_class, tide_problem_class, tide_method_class;
extern const tide_member tide_module_members[], tide_mesh_functions[], tide_linear_functions[], tide_no_members[];

// Pushes a new zeroed userdata of the class with `values` user values.
void *tide_object_new(lua_State *L, const tide_class *class, size_t size, int values);
uint64_t tide_object_serial(lua_State *L, int index); // counts the objects that were made; 0: of no class
void *tide_object_test(lua_State *L, int index, const tide_class *class); // NULL when it is not of the class
void *tide_object_check(lua_State *L, int index, const tide_class *class);
// The object of a method call: the message says to use a colon.
void *tide_object_self(lua_State *L, const tide_class *class);
// Pushes an empty text that Lua frees.
tide_text *tide_text_new(lua_State *L);
// Pushes the registry's table of a key, which has weak values and is made on first use.
void tide_push_weak_table(lua_State *L, const void *key);
// Sets the functions of a list in the table on top, each with the value at `upvalue` (absolute) as its first upvalue.
void tide_set_functions(lua_State *L, const tide_member *members, int upvalue);
// Raises `object: name: unknown; did you mean ...?`.
_Noreturn void tide_raise_unknown(lua_State *L, const char *object, const char *name, const char *const *known,
                                  size_t count);

// --- tables that properties give -------------------------------------------------------------------------------------

// Makes the table on top one whose fields can be assigned: the object at `owner` then gets its property `name` anew, as
// it is now but for that field. Tables in it become such likewise. `object` and `path` are for messages.
void tide_property_table(lua_State *L, int owner, const char *object, const char *path, const char *name);
// Replaces such a table by a plain one with its values, for C that reads tables as they are; others stay.
void tide_property_plain(lua_State *L, int index);

// --- arguments -------------------------------------------------------------------------------------------------------

enum { TIDE_OBJECT_TEXT = 96, TIDE_VALUE_TEXT_SIZE = 96, TIDE_MESSAGE_SIZE = 1280 };

// The value as messages show it.
const char *tide_show(lua_State *L, int index, char text[TIDE_VALUE_TEXT_SIZE]);
// An index from 1 to count, returned from 0. `noun`: "a vertex".
uint32_t tide_check_index(lua_State *L, int index, uint32_t count, const char *object, const char *field,
                          const char *noun);
double tide_check_number(lua_State *L, int index, const char *object, const char *field);            // finite
void tide_check_vec3(lua_State *L, int first, const char *object, const char *field, double out[3]); // three numbers
// Printable text of one line: UTF-8 without control characters. For names, units, titles and the like.
const char *tide_check_text(lua_State *L, int index, const char *object, const char *field);
// A file's name: no control characters, and any other bytes.
const char *tide_check_path(lua_State *L, int index, const char *object, const char *field);
// An integer from minimum to maximum.
lua_Integer tide_check_integer(lua_State *L, int index, lua_Integer minimum, lua_Integer maximum, const char *object,
                               const char *field);
// `size` numbers (any number when size is 0; *size tells) as a vector, a buffer or a flat table. May push a userdata
// that keeps them alive.
const double *tide_check_numbers(lua_State *L, int index, size_t *size, const char *object, const char *field);

// --- tables read by field tables -------------------------------------------------------------------------------------

// Reads the table at `index` into `object` (already holding the defaults). Refuses unknown names; of keys 1, 2, ...
// only the first `positional` are let through. Fields of type TIDE_FIELD_OTHER are the caller's.
void tide_read_fields(lua_State *L, int index, const tide_field *fields, const char *owner, void *object,
                      lua_Integer positional);
void tide_read_field(lua_State *L, int index, const tide_field *field, const char *owner, void *object);
void tide_push_field(lua_State *L, const tide_field *field, const void *object);
bool tide_is_list(lua_State *L, int index, size_t count); // a table of as many values and nothing by a name
// Writes both tables, one after the other and ended, into `out`.
enum { TIDE_MAX_FIELDS = 64 };
void tide_join_fields(const tide_field *first, const tide_field *second, tide_field out[TIDE_MAX_FIELDS]);
// Pushes a list of the table's keys: numbers ascending, strings by their bytes, booleans, then all others by
// tide_place_of.
void tide_push_sorted_keys(lua_State *L, int index);
int tide_compare_keys(lua_State *L, int first, int second); // as qsort's comparison, in that order
// Pushes a table { name, type, default, range, unit, help } for each field, as a list.
void tide_push_field_list(lua_State *L, const tide_field *fields);

// --- runs: one execution of a script file ----------------------------------------------------------------------------

typedef struct tide_run {
    char *path;    // as given; NULL: plain Lua
    char *folder;  // of the path, "." for none
    char *library; // may be NULL
    char *root;    // the folder whose files it may read, resolved: its own, or that of the scene that loaded it;
                   // NULL: any file, for plain Lua
    tide_setting *settings;
    uint32_t setting_count;
    char *solver; // may be NULL
    double timestep;
    uint64_t seed;
    struct tide_limits *limits; // owned; that tide.load gave it; NULL: none
    tide_comparison comparison; // its texts owned
    tide_param *params;
    size_t param_count, param_capacity;
    const tide_world *predecessor; // while the script runs
    bool executing;                // it runs: solvers that it makes may still come
    tide_random random;
    const struct tide_run *parent; // that loaded this one and whose solvers it knows too; NULL: none
    struct tide_script_solver **solvers;
    size_t solver_count, solver_capacity;
} tide_run;

// User values of a run: the run that is its parent, a table of what its solvers are made of, and its script's globals.
enum { TIDE_RUN_PARENT = 1, TIDE_RUN_SOLVERS, TIDE_RUN_ENVIRONMENT, TIDE_RUN_VALUES = TIDE_RUN_ENVIRONMENT };

// Pushes a run; `path` NULL: plain Lua. Copies the options.
tide_run *tide_run_new(lua_State *L, const char *path, const tide_script_options *options);
tide_run *tide_run_of_upvalue(lua_State *L); // the run of a module's function
// Makes the run on top know the solvers of the run at `parent`, which may be nil.
void tide_run_set_parent(lua_State *L, int parent);
// Runs the file of the run on top of the stack in a fresh environment; replaces it by the scene that the file returned.
void tide_run_execute(lua_State *L, const tide_world *predecessor);
// tide.load of a path that has been checked; `parent` is the index of the run that loads it. Pushes the scene and
// returns 1, or nil and a message and returns 2.
int tide_load_scene(lua_State *L, const char *path, const tide_script_options *options, int parent);
// Pushes a run that may read any file, and the module that `require` finds in the Lua library in a sandbox of its own.
void tide_run_push_library(lua_State *L, const char *module);
tide_script_options tide_run_options(const tide_run *run); // borrowed
// Pushes the path of a file: of a relative one, in the run's folder where it is there. Raises for a file that the run
// may not read; `object` and `field` are for the message.
const char *tide_run_resolve(lua_State *L, const tide_run *run, const char *path, const char *object,
                             const char *field);
// Whether the run may read a file: one of its root, of the Lua library or of the data folder, links followed.
bool tide_run_may_read(const tide_run *run, const char *path);
_Noreturn void tide_run_refuse_file(lua_State *L, const tide_run *run, const char *path, const char *object,
                                    const char *field);
// Whether a scene's script runs, and no plain Lua: it writes into the output folder alone, which is the current folder.
bool tide_is_confined(lua_State *L);
// Raises unless the path is relative, without "..", and of the output folder, links followed.
void tide_check_output_path(lua_State *L, const char *path, const char *object, const char *field);
void tide_library_find(char *folder, size_t size); // of the Lua library; "" when it is not found
int tide_param_call(lua_State *L);                 // tide.param
void tide_params_check_settings(lua_State *L, const tide_run *run);
void tide_params_free(tide_run *run);

void tide_sandbox_push(lua_State *L, int run); // pushes a fresh environment for the run (absolute index)
void tide_sandbox_push_strings(lua_State *L);  // pushes a new string library whose functions are guarded
void tide_sandbox_guard(lua_State *L);         // makes the state's own libraries safe: for states of tide_script
void tide_module_push(lua_State *L, int run);  // pushes a new module table
int tide_pairs_call(lua_State *L);             // pairs of a table in a fixed order
int tide_random_call(lua_State *L);            // tide.random and math.random
int tide_print_call(lua_State *L);             // print: to the console whose line runs, else to standard output

// --- scenes ----------------------------------------------------------------------------------------------------------

// A live scene. It lives in a userdata, the core; the scenes that scripts hold are handles to it, so that after a
// reload the old script's handle and the new one's are the same scene.
typedef struct tide_scene {
    tide_world *world;           // NULL once it has moved to another core
    struct tide_scene *redirect; // while a fork runs its callbacks: where handles lead instead
    struct tide_scene *origin;   // of a fork
    struct tide_scene *moved;    // of a reloaded script's core: where its world went
    lua_State *L;                // the thread that last used it
    char title[TIDE_FIELD_TEXT_SIZE];
    tide_scene_view view;
    tide_text before;    // scene.state before the update under way, in memory that is used again
    tide_text described; // scene.state as the script left it when it had run
    bool stepping;
    bool awaits_solver; // that the run's options name, once the script has made it
} tide_scene;

enum {
    TIDE_CORE_CALLBACKS = 1,
    TIDE_CORE_STATE,
    TIDE_CORE_MOVES,   // functions that move colliders, by the colliders' names; nil: none
    TIDE_CORE_COLOURS, // what body:colour was given, by the bodies' names; nil: none
    TIDE_CORE_RUN,
    TIDE_CORE_LINK,
    TIDE_CORE_VALUES = TIDE_CORE_LINK
};

typedef struct tide_scene_handle {
    tide_scene *scene; // its core is the handle's user value 1
} tide_scene_handle;

int tide_scene_call(lua_State *L); // tide.scene
// The scene as a tide_script that does not own it, for what needs one. The scene must outlive it.
tide_status tide_script_borrow(lua_State *L, tide_scene *scene, tide_script **script, tide_error *error);
tide_scene *tide_scene_check(lua_State *L, int index);
tide_scene *tide_scene_live(lua_State *L, const tide_scene_handle *handle);
void tide_scene_push_core(lua_State *L, const tide_scene *scene);
tide_run *tide_scene_run_of(lua_State *L, const tide_scene *scene); // that made the scene, whose core keeps it
// Pushes a handle of a new core that has no world yet. The core keeps the run at index `run`.
tide_scene *tide_scene_new(lua_State *L, int run);
void tide_scene_refuse_callbacks(lua_State *L, int index); // among the settings in the table at an absolute index
void tide_scene_connect(tide_scene *scene);                // makes the world keep scene.state
// Calls a callback with the values on top; pops them. A scene without it does nothing.
tide_status tide_scene_callback(lua_State *L, tide_scene *scene, const char *name, int argument_count,
                                tide_error *error);
// Pushes a callback; false and nothing when the scene has none.
bool tide_scene_push_callback(lua_State *L, const tide_scene *scene, const char *name);
// Calls the function below the arguments as the scene's own: handles that its script holds lead to this scene.
tide_status tide_scene_run(lua_State *L, tide_scene *scene, int argument_count, int result_count, tide_error *error);
// The scene that the script's own handles are of: for a fork, where it came from.
tide_scene *tide_scene_origin(tide_scene *scene);
// The motions of colliders and the update alone: a step's first half. What one that fails has done is undone.
tide_status tide_scene_update(lua_State *L, tide_scene *scene, tide_error *error);
typedef enum tide_step_part { TIDE_STEP_WHOLE, TIDE_STEP_UPDATE, TIDE_STEP_ADVANCE } tide_step_part;
// Takes a step or one half of it: the update, or the world's step after it. Errors are in `error`; nothing is raised.
tide_status tide_scene_step(lua_State *L, tide_scene *scene, tide_step_part part, tide_error *error);
int tide_scene_problem(lua_State *L), tide_scene_method(lua_State *L); // step_problem_class.c
void tide_report_push(lua_State *L, const char *solver, const tide_report *report);
void tide_solver_info_push(lua_State *L, const tide_solver_kind *kind); // a tide.SolverInfo
int tide_scene_fork(lua_State *L), tide_scene_reload(lua_State *L), tide_scene_snapshot(lua_State *L),
    tide_scene_restore(lua_State *L);
void tide_console_note_step(lua_State *L, const tide_scene *scene); // that scene:step took
void tide_push_adoption(lua_State *L, const tide_adoption *adoption);

// Definitions of scenes and solvers.
extern const tide_field tide_scene_fields[], tide_ground_fields[], tide_camera_fields[], tide_load_fields[],
    tide_param_fields[];
void tide_scene_define(lua_State *L, int index, const tide_run *run, tide_scene *scene); // makes the world
tide_scene_view tide_scene_view_default(void);
void tide_scene_set_solver(lua_State *L, int index, tide_scene *scene);
void tide_scene_set_solver_text(lua_State *L, const char *text, tide_scene *scene);
void tide_scene_push_solver(lua_State *L, const tide_scene *scene);
void tide_scene_set_camera(lua_State *L, int index, tide_scene *scene);
void tide_scene_set_ground(lua_State *L, int index, tide_scene *scene);
void tide_scene_push_ground(lua_State *L, const tide_scene *scene);
// Makes the ground a collider where the scene has a solid one and no floor as high. Once, before the first step.
tide_status tide_scene_make_ground(tide_scene *scene, tide_error *error);
void tide_scene_set_background(lua_State *L, int index, tide_scene *scene);
// Reads the options of tide.load and scene:reload; texts stay in the table, settings in a userdata that it pushes.
tide_script_options tide_read_load_options(lua_State *L, int index, const char *owner);

// Solvers that scripts make.
int tide_solver_call(lua_State *L); // tide.solver
extern const tide_field tide_solver_fields[], tide_solver_option_fields[], tide_solver_report_fields[];
// The run's solvers and those of its parents; how many of them there are.
enum { TIDE_MAX_SCRIPT_SOLVERS = 256 };
size_t tide_run_solvers(const tide_run *run, const tide_solver_kind *kinds[TIDE_MAX_SCRIPT_SOLVERS]);
const tide_solver_kind *tide_run_find_solver(const tide_run *run, const char *name, tide_error *error);
tide_status tide_run_parse_solver(const tide_run *run, const char *text, const tide_solver_kind **kind, void **options,
                                  tide_error *error);
void tide_solvers_close(tide_run *run); // when it is collected

// A kind that a script made. It lives while its run or any solver of it does: a world can outlive the script that gave
// it its solver, and then only fails to step.
typedef struct tide_script_solver {
    tide_solver_kind kind; // its context is this struct
    uint32_t references;
    tide_run *run; // NULL once it is gone
    lua_State *L;  // main thread
    char *file;    // where the step function begins
    int line;
    tide_field fields[TIDE_MAX_FIELDS];
    char **texts; // owned: all that kind and fields point to
    size_t text_count, text_capacity;
} tide_script_solver;

void tide_script_solver_methods(tide_solver_kind *kind); // fills in its functions
// Pushes the table of what the solvers of the run at `run` are made of, made on first use.
void tide_solver_make_own(lua_State *L, int run);
// Pushes the table of what the run's solvers are made of; false and nothing when the run is gone. Cannot fail once the
// run has the table.
bool tide_solver_push_own(lua_State *L, const tide_run *run);

// scene.state. The first raises; it writes nothing for an empty or absent state.
void tide_state_save(lua_State *L, const tide_scene *scene, tide_text *text);
// Replaces the content of the state, or with `merge` adds to it.
tide_status tide_state_load(lua_State *L, tide_scene *scene, const void *bytes, size_t size, bool merge,
                            tide_error *error);
// Lists in `fields` those of scene.state to which the script that ran now assigns another value than the one before did
// (`described`) and that keep the value that is carried over. Nothing when there are none.
tide_status tide_state_find_overridden(lua_State *L, tide_scene *scene, const tide_text *described,
                                       const tide_text *carried, tide_text *fields, tide_error *error);
tide_status tide_state_save_protected(lua_State *L, const tide_scene *scene, tide_text *text, tide_error *error);
void tide_state_push(lua_State *L, const tide_scene *scene); // the table, made on first use

// Plain data as bytes, the same for the same data: booleans, numbers, strings, vectors where `vectors` allows them, and
// tables of these. The first writes the value on top and raises what it refuses, of `object`, with its place from
// `name` on: "state.balls[3]". The second pushes what was written.
typedef struct tide_data_owner {
    const char *object, *name;
    bool vectors;
    const struct tide_vector *refilled[4]; // vectors that are refused
} tide_data_owner;
void tide_data_write(lua_State *L, const tide_data_owner *owner, tide_text *text);
void tide_data_push(lua_State *L, const tide_data_owner *owner, const void *bytes, size_t size);

// --- other objects ---------------------------------------------------------------------------------------------------

// scene_part.c: a body or a collider, whose noun that is.
typedef struct tide_part_handle {
    uint32_t index, generation;     // of its tide_body_id or tide_collider_id
    const tide_scene_handle *scene; // user value 1
    char name[64];
} tide_part_handle;
enum { TIDE_MOST_NAMES = 64 }; // among which one that is near is sought
void tide_part_name(const char *noun, const char *name, char object[TIDE_OBJECT_TEXT]); // body "cloth"
void tide_part_push(lua_State *L, const tide_class *class, int scene, uint32_t index, uint32_t generation,
                    const char *name);
const char *tide_part_check_name(lua_State *L, int index, const char *noun); // that scene:body or :collider gets
// Raises that a name which the object at 1 has not, at 2, is one of its definition's fields; returns for any other.
void tide_part_explain(lua_State *L, const tide_class *class);
_Noreturn void tide_part_gone(lua_State *L, const char *noun, const char *name);
_Noreturn void tide_part_missing(lua_State *L, const char *noun, const char *name, const char *const names[],
                                 uint32_t count, const char *definition);
int tide_part_equal(lua_State *L, const tide_class *class); // the metamethod __eq

typedef tide_part_handle tide_body_handle;
static inline tide_body_id tide_body_id_of(const tide_body_handle *body)
{
    return (tide_body_id) { body->index, body->generation };
}
int tide_scene_body(lua_State *L), tide_scene_bodies(lua_State *L); // scene:body, scene:bodies
int tide_scene_attach(lua_State *L);
void tide_body_push(lua_State *L, int scene, tide_body_id id, const char *name);
int tide_body_colour(lua_State *L);
extern const tide_field tide_colour_fields[];
// The numbers of all bodies that have a function for them, found anew, in memory that is used again.
typedef struct tide_colour_store {
    tide_body_numbers *items;
    size_t count, capacity;
    double *values;
    size_t value_capacity;
} tide_colour_store;
tide_status tide_scene_find_colours(lua_State *L, tide_scene *scene, tide_colour_store *store, tide_error *error);
void tide_colour_store_free(tide_colour_store *store);
// The live body or an error that says that it is gone.
tide_scene *tide_body_live(lua_State *L, const tide_body_handle *body, tide_body_info *info);
void tide_read_body(lua_State *L, int index, const char *owner, tide_body_def *def); // pushes what def points to

typedef struct tide_buffer {
    tide_body_handle body; // its scene is user value 1; with of_collider, a collider's
    bool velocities, of_collider;
} tide_buffer;
double *tide_buffer_data(lua_State *L, const tide_buffer *buffer, uint32_t *size);
int tide_body_positions(lua_State *L), tide_body_velocities(lua_State *L);

typedef struct tide_mesh_handle {
    const tide_mesh *mesh;
} tide_mesh_handle;
// Pushes a handle without a mesh, and gives the handle on top its mesh, whose reference it takes over: the handle comes
// first, so that no Lua error can lose a mesh.
void tide_mesh_push_handle(lua_State *L);
void tide_mesh_hand_over(lua_State *L, const tide_mesh *mesh);
const tide_mesh *tide_mesh_of(lua_State *L, int index); // NULL when it is not a mesh
int tide_mesh_build_call(lua_State *L), tide_mesh_new_call(lua_State *L), tide_mesh_load_call(lua_State *L),
    tide_mesh_tetrahedralize_call(lua_State *L);
extern const tide_field tide_mesh_new_fields[];
extern const char *const tide_mesh_problem_names[TIDE_MESH_PROBLEM_KINDS];

// Meshes by what they were made from, for all Lua states of the process (which use it from one thread at a time); it
// lives while any state that opened it does.
void tide_mesh_cache_open(void);
void tide_mesh_cache_close(void);
const tide_mesh *tide_mesh_cache_find(uint64_t kind, const void *key, size_t size); // retained; NULL: not there
void tide_mesh_cache_add(uint64_t kind, const void *key, size_t size, const tide_mesh *mesh);

typedef struct tide_vector {
    size_t size;
    double values[];
} tide_vector;
tide_vector *tide_vector_new(lua_State *L, size_t size); // pushed, zero
typedef struct tide_matrix {
    tide_sparse sparse;
} tide_matrix;
tide_matrix *tide_matrix_new(lua_State *L);     // pushed, empty
tide_triplets *tide_triplets_new(lua_State *L); // likewise
int tide_scene_system(lua_State *L);

// What scene:system() gives, or the system of a step that a script's solver takes.
typedef struct tide_system_handle {
    const tide_scene_handle *scene; // user value 1; NULL: of a step
    const tide_step *step;          // the step under way, or NULL
} tide_system_handle;
tide_system_handle *tide_system_push_step(lua_State *L); // pushed, of no step yet

void tide_canvas_push(lua_State *L, tide_draw_list *list, uint32_t width, uint32_t height);
void tide_canvas_end(lua_State *L, int index);

// Tells the collector of memory that a userdata holds outside Lua.
void tide_account(lua_State *L, size_t bytes);

#endif

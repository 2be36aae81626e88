// Declarations that the files of this folder share: errors, classes of userdata, tables read by field tables, runs of
// scripts, and scenes. Functions named tide_raise_..., tide_check_... and tide_read_... raise Lua errors. A caller
// therefore keeps memory that must be freed in userdata.
#ifndef TIDE_SCRIPT_BINDING_H
#define TIDE_SCRIPT_BINDING_H

#include "base/field.h"
#include "base/random.h"
#include "base/text.h"
#include "script/script.h"

#include <lauxlib.h>
#include <lua.h>

// --- the state's context ---------------------------------------------------------------------------------------------

typedef struct tide_context {
    struct tide_scene *running;       // the scene whose callback runs, or NULL
    const struct tide_run *executing; // the run whose file is being executed, or NULL
    tide_error last_error;            // the last error that tide_raise raised
    char unread[160];                 // why the last tide.mesh.load failed; "" if it succeeded
    uint64_t objects;                 // number of objects made so far
    struct tide_limited *call;        // the innermost call under limits (limits.h); NULL: none
    bool stopped;                     // the limit is reached: no more code of the script may run
    bool solving;                     // a step of a script-defined solver is running
    uint32_t mistrusts; // calls by tide.limited { trusted = false }, and steps of untrusted scenes, that run
    uint32_t sceneless; // calls by tide.limited { scenes = false } that run
    bool limited;       // the state belongs to a tide_script
    struct tide_script_record *record;       // of that script; else NULL
    const struct tide_console_host *console; // while a console line runs; else NULL
    struct tide_scene *console_scene;        // the scene of that line
    // module.c fills these in for the files below it: the table of `require "springtide"`, pushed for the run at an
    // absolute index, and the class of scenes.
    void (*push_module)(lua_State *L, int run);
    const struct tide_class *scene_class;
} tide_context;
tide_context *tide_context_of(lua_State *L); // NULL before tide_context_open
void tide_context_open(lua_State *L);

// --- errors ----------------------------------------------------------------------------------------------------------

// Finds the file and line of the innermost running Lua function, preferring functions outside the library folder.
// Returns false if none is running. `file` is valid while that function runs.
bool tide_lua_place(lua_State *L, const char **file, int *line);
// Lua shortens a long path in a message to "..." and its end. If the message begins with the short form of this path,
// pushes the message with the whole path.
bool tide_push_with_path(lua_State *L, const char *message, const char *path);
// Raises the error's text. Adds the script's line if the error has no location yet.
_Noreturn void tide_raise(lua_State *L, tide_error *error);
__attribute__((format(printf, 5, 6))) _Noreturn void tide_raise_bad(lua_State *L, const char *object, const char *field,
                                                                    const char *value, const char *remedy, ...);
_Noreturn void tide_raise_memory(lua_State *L, const char *object);
// Raises unless `status` is TIDE_OK.
void tide_raise_unless_ok(lua_State *L, tide_status status, tide_error *error);
// Calls the function below the top `argument_count` values. On failure, pops the function and its arguments and fills
// the error.
tide_status tide_call(lua_State *L, int argument_count, int result_count, tide_error *error);
// tide_call_field calls a function that a script assigned to a field of an object. It raises on failure, and the error
// names the object and the field.
void tide_name_error(tide_error *error, const char *object, const char *field); // if the error names no object yet
void tide_call_field(lua_State *L, int argument_count, int result_count, const char *object, const char *field);
// Pushes nil and the error's text; returns 2.
int tide_push_failure(lua_State *L, const tide_error *error);
// Calls a C function with a pointer as its argument, also from C code that Lua has not called. In the state of a
// tide_script the call is under the script's limits, or under those of the call that is already running.
tide_status tide_limited_call(lua_State *L, lua_CFunction function, void *argument, tide_error *error);
// Raises if the running call has exceeded its limits. For loops in C (limits.c).
void tide_check_limit(lua_State *L);

// --- classes ---------------------------------------------------------------------------------------------------------

// A method, a property or a function of a module, documented in the notation of EmmyLua annotations.
typedef struct tide_member {
    const char *name;
    lua_CFunction call; // a method or function
    lua_CFunction get;  // a property: the object is at index 1
    lua_CFunction set;  // NULL: read-only; the value is at index 3
    const char *type;   // of a property: its type; of a method: "(i: integer): number, number"
    const char *help;
} tide_member; // lists end with a NULL name

// Defines the function of a property, or of a method without arguments: pushes a value of the object at index 1.
#define TIDE_GETTER(name, push, value)                                                                                 \
    static int name(lua_State *L)                                                                                      \
    {                                                                                                                  \
        push(L, value);                                                                                                \
        return 1;                                                                                                      \
    }                                                                                                                  \
    static int name(lua_State *L)

typedef struct tide_class {
    const char *name;  // "tide.Body"
    const char *label; // "body", for messages
    const char *help;
    const tide_member *members;
    const luaL_Reg *metamethods;            // may be NULL
    lua_CFunction element_get, element_set; // for numeric keys; may be NULL. Key at index 2, value at 3
} tide_class;

extern const tide_class tide_mesh_class, tide_scene_class, tide_body_class, tide_buffer_class, tide_snapshot_class,
    tide_system_class, tide_vector_class, tide_matrix_class, tide_factor_class, tide_canvas_class,
    tide_solver_state_class, tide_problem_class, tide_method_class;
extern const tide_member tide_module_members[], tide_mesh_functions[], tide_linear_functions[], tide_no_members[];

// Pushes a new zeroed userdata of the class with `values` user values.
void *tide_object_new(lua_State *L, const tide_class *class, size_t size, int values);
uint64_t tide_object_serial(lua_State *L, int index); // the object's serial number, from 1; 0: not an object of a class
void *tide_object_test(lua_State *L, int index, const tide_class *class); // NULL if it is not of the class
void *tide_object_named(lua_State *L, int index, const char *name); // the same by the name of the class, "tide.Body"
void *tide_object_check(lua_State *L, int index, const tide_class *class);
// Returns the object of a method call. The error message says to call with a colon.
void *tide_object_self(lua_State *L, const tide_class *class);
// Pushes an empty text. Lua frees it.
tide_text *tide_text_new(lua_State *L);
// Pushes the registry's table of a key. The table has weak values and is created on first use.
void tide_push_weak_table(lua_State *L, const void *key);
// Sets the functions of a list in the table on top. The value at `upvalue` (absolute) is the first upvalue of each.
void tide_set_functions(lua_State *L, const tide_member *members, int upvalue);
// Raises `object: name: unknown; did you mean ...?`.
_Noreturn void tide_raise_unknown(lua_State *L, const char *object, const char *name, const char *const *known,
                                  size_t count);

// --- tables that properties return -----------------------------------------------------------------------------------

// Makes the fields of the table on top assignable: an assignment sets the property `name` of the object at `owner` to a
// copy of the table with that field changed. Applies to nested tables, too. `object` and `path` are for messages.
void tide_property_table(lua_State *L, int owner, const char *object, const char *path, const char *name);
// Replaces such a table by a plain one with its values, for C code that reads raw tables. Leaves others alone.
void tide_property_plain(lua_State *L, int index);

// --- arguments -------------------------------------------------------------------------------------------------------

enum { TIDE_OBJECT_TEXT = 96, TIDE_VALUE_TEXT_SIZE = 96, TIDE_MESSAGE_SIZE = 1280 };

// Writes the value as messages show it.
const char *tide_show(lua_State *L, int index, char text[TIDE_VALUE_TEXT_SIZE]);
// Reads an index from 1 to count and returns it from 0. `noun`: "a vertex".
uint32_t tide_check_index(lua_State *L, int index, uint32_t count, const char *object, const char *field,
                          const char *noun);
double tide_check_number(lua_State *L, int index, const char *object, const char *field);            // finite
void tide_check_vec3(lua_State *L, int first, const char *object, const char *field, double out[3]); // three numbers
// Reads printable text of one line: UTF-8 without control characters. For names, units, titles.
const char *tide_check_text(lua_State *L, int index, const char *object, const char *field);
// Reads a file name: any bytes except control characters.
const char *tide_check_path(lua_State *L, int index, const char *object, const char *field);
// Reads an integer from minimum to maximum.
lua_Integer tide_check_integer(lua_State *L, int index, lua_Integer minimum, lua_Integer maximum, const char *object,
                               const char *field);
// Raises unless the name is one that a script may give to a solver, an option or a parameter.
enum { TIDE_IDENTIFIER_LIMIT = 32 };
void tide_check_identifier(lua_State *L, const char *object, const char *field, const char *name);
// Reads a vector, a buffer or a flat table of `*size` numbers. A *size of 0 allows any count and returns it. May push a
// userdata that keeps the numbers alive.
const double *tide_check_numbers(lua_State *L, int index, size_t *size, const char *object, const char *field);

// --- tables read by field tables -------------------------------------------------------------------------------------

// Reads the table at `index` into `object`, which already holds the defaults. Refuses unknown names. Allows the integer
// keys 1 to `positional`. The caller reads fields of type TIDE_FIELD_OTHER.
void tide_read_fields(lua_State *L, int index, const tide_field *fields, const char *owner, void *object,
                      lua_Integer positional);
void tide_read_field(lua_State *L, int index, const tide_field *field, const char *owner, void *object);
void tide_push_field(lua_State *L, const tide_field *field, const void *object);
// Set a field of the table on top.
void tide_set_number(lua_State *L, const char *name, double value); // leaves NaN out
void tide_set_integer(lua_State *L, const char *name, lua_Integer value);
void tide_set_text(lua_State *L, const char *name, const char *text); // NULL: nil
void tide_set_flag(lua_State *L, const char *name, bool flag);
void tide_push_vec3(lua_State *L, const double values[3]); // as a list
void tide_copy_table(lua_State *L); // replaces a table on top by a copy; leaves other values alone
bool tide_is_list(lua_State *L, int index, size_t count); // a table with `count` list items and no other keys
// Writes both field tables, one after the other, and an end mark into `out`.
enum { TIDE_MAX_FIELDS = 64 };
void tide_join_fields(const tide_field *first, const tide_field *second, tide_field out[TIDE_MAX_FIELDS]);
// Pushes a list of the table's keys: numbers ascending, strings by their bytes, booleans, then all others by
// tide_place_of.
void tide_push_sorted_keys(lua_State *L, int index);
int tide_compare_keys(lua_State *L, int first, int second); // compares as qsort's function does, in that order
// Pushes a list with a table { name, type, default, range, unit, help } for each field.
void tide_push_field_list(lua_State *L, const tide_field *fields);

// --- runs: one execution of a script file ----------------------------------------------------------------------------

typedef struct tide_run {
    void *owned;   // a block that owns the texts and settings
    char *path;    // as given; NULL: plain Lua
    char *folder;  // of the path; "." if the path has none
    char *library; // may be NULL
    char *root; // resolved folder that it may read: its own, or that of the scene that loaded it; "": no folder; NULL:
                // any file, for plain Lua
    bool untrusted; // it reads only the Lua library, and saves nothing; so do the scenes that it loads
    tide_setting *settings;
    uint32_t setting_count;
    char *solver; // may be NULL
    double timestep;
    uint64_t seed;
    bool portable, asks_portable; // runs in the portable mode; asks to be run again in it
    struct tide_limits *limits;   // owned; from the options of tide.load; NULL: none
    tide_comparison comparison;   // owns its texts
    tide_param *params;
    size_t param_count, param_capacity;
    const tide_world *predecessor; // while the script runs
    bool executing;                // the script runs and may still define solvers
    tide_random random;
    const struct tide_run *parent; // the run that loaded this one; its solvers are available here; NULL: none
    struct tide_script_solver **solvers;
    size_t solver_count, solver_capacity;
} tide_run;

// User values of a run: the parent run, a table with the Lua objects of its solvers, the globals of its script, and the
// second value that the script returned.
enum {
    TIDE_RUN_PARENT = 1,
    TIDE_RUN_SOLVERS,
    TIDE_RUN_ENVIRONMENT,
    TIDE_RUN_ANSWERS,
    TIDE_RUN_VALUES = TIDE_RUN_ANSWERS
};

// Pushes a run; `path` NULL: plain Lua. Copies the options.
tide_run *tide_run_new(lua_State *L, const char *path, const tide_script_options *options);
// Returns the run that a module's function has as upvalue.
static inline tide_run *tide_run_of_upvalue(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(1));
}
// Sets the run at `parent`, which may be nil, as the parent of the run on top: its solvers become available.
void tide_run_set_parent(lua_State *L, int parent);
// Executes the file of the run on top of the stack in a fresh environment. Replaces the run by the scene that the file
// returned.
void tide_run_execute(lua_State *L, const tide_world *predecessor);
// Implements tide.load for a checked path; `parent` is the index of the loading run. Pushes the scene and returns 1, or
// pushes nil and a message and returns 2. With the option `answers`, pushes the script's second result after the scene.
int tide_load_scene(lua_State *L, const char *path, const tide_script_options *options, int parent);
// Pushes a run that may read any file, and the Lua library's module of that name, loaded in a sandbox of its own.
void tide_run_push_library(lua_State *L, const char *module);
void tide_run_forget_comparison(tide_run *run);
tide_script_options tide_run_options(const tide_run *run); // borrowed
// Pushes the path of a file. A relative path means the file in the run's folder if it exists there. Raises if the run
// may not read the file; `object` and `field` are for the message.
const char *tide_run_resolve(lua_State *L, const tide_run *run, const char *path, const char *object,
                             const char *field);
// Tells whether the run may read a file: one in its root, the Lua library or the data folder, after resolving links.
bool tide_run_may_read(const tide_run *run, const char *path);
_Noreturn void tide_run_refuse_file(lua_State *L, const tide_run *run, const char *path, const char *object,
                                    const char *field);
// Tells whether the state runs a scene's script instead of plain Lua. Such a script writes only into the output folder,
// which is the current folder.
bool tide_is_confined(lua_State *L);
bool tide_is_mistrusted(lua_State *L); // code of an untrusted script runs
// Raises unless the path is relative, without "..", and inside the output folder after resolving links.
void tide_check_output_path(lua_State *L, const char *path, const char *object, const char *field);
// Pushes what a file of the Lua library returns, "console/show", in the state of a scene. The file runs once in a
// state, in an environment that no script reaches. Reloads and replays do not know it.
void tide_library_push(lua_State *L, const char *file);
int tide_param_call(lua_State *L); // implements tide.param
// Declares a parameter of an element, whose value is *number unless it is set, and sets *number to its value. One with
// the same name, range, unit and value in the script counts as the same. Returns false if the name is another one's.
bool tide_param_of_element(lua_State *L, tide_run *run, const char *name, const tide_field *field, double *number);
void tide_params_check_settings(lua_State *L, const tide_run *run);
void tide_params_free(tide_run *run);

void tide_sandbox_push(lua_State *L, int run); // pushes a fresh environment for the run (absolute index)
void tide_sandbox_push_strings(lua_State *L);  // pushes a new string library whose functions are guarded
void tide_sandbox_guard(lua_State *L);         // makes the state's own libraries safe; for states of tide_script
void tide_module_open(lua_State *L);           // opens the context of a state in which scripts run
int tide_pairs_call(lua_State *L);             // pairs of a table in a fixed order
int tide_random_call(lua_State *L);            // tide.random and math.random
int tide_limited_run_call(lua_State *L);       // tide.limited
int tide_print_call(lua_State *L); // print: to the console if one of its lines runs, else to standard output

// --- scenes ----------------------------------------------------------------------------------------------------------

// A live scene. It is stored in a userdata, the core. Scripts hold handles to the core, so that after a reload the
// handles of the old and of the new script refer to the same scene.
typedef struct tide_scene {
    tide_world *world;           // NULL after it has moved to another core
    struct tide_scene *redirect; // during callbacks of a fork: the scene that handles lead to
    struct tide_scene *origin;   // of a fork: the scene it was made from
    struct tide_scene *moved;    // of a reloaded script's core: the core that has its world now
    lua_State *L;                // the thread that last used it
    char title[TIDE_FIELD_TEXT_SIZE];
    tide_scene_view view;
    tide_text before;    // scene.state before the current update; memory is reused
    tide_text described; // scene.state at the end of the script's run
    bool portable;       // its world is in the portable mode
    bool stepping;
    bool awaits_solver; // the options name a solver that the script has not defined yet
} tide_scene;

enum {
    TIDE_CORE_CALLBACKS = 1,
    TIDE_CORE_STATE,
    TIDE_CORE_MOVES,   // functions that move colliders, keyed by collider name; nil: none
    TIDE_CORE_COLOURS, // arguments of body:colour, keyed by body name; nil: none
    TIDE_CORE_RUN,
    TIDE_CORE_LINK,
    TIDE_CORE_VALUES = TIDE_CORE_LINK
};

typedef struct tide_scene_handle {
    tide_scene *scene; // user value 1 of the handle is its core
} tide_scene_handle;

int tide_scene_call(lua_State *L); // implements tide.scene
// Makes a tide_script that refers to the scene without owning it. The scene must outlive it.
tide_status tide_script_borrow(lua_State *L, tide_scene *scene, tide_script **script, tide_error *error);
tide_scene *tide_scene_check(lua_State *L, int index);
tide_scene *tide_scene_self(lua_State *L);             // the scene of a method call, at index 1
void tide_scene_push(lua_State *L, tide_scene *scene); // pushes a handle
tide_scene *tide_scene_live(lua_State *L, const tide_scene_handle *handle);
void tide_scene_push_core(lua_State *L, const tide_scene *scene);
tide_run *tide_scene_run_of(lua_State *L, const tide_scene *scene); // the run that made the scene; the core keeps it
// Fails in a step of an untrusted script's solver, and in tide.limited { scenes = false }: neither may have another
// scene do its work.
tide_status tide_scene_check_allowed(lua_State *L, const char *what, tide_error *error);
// Pushes a handle of a new core without a world. The core keeps the run at index `run`.
tide_scene *tide_scene_new(lua_State *L, int run);
void tide_scene_connect(tide_scene *scene); // makes the world's snapshots include scene.state
// Calls a callback with the values on top and pops them. Does nothing if the scene has no such callback.
tide_status tide_scene_callback(lua_State *L, tide_scene *scene, const char *name, int argument_count,
                                tide_error *error);
// Pushes a callback. Returns false and pushes nothing if the scene has none.
bool tide_scene_push_callback(lua_State *L, const tide_scene *scene, const char *name);
// Calls the function below the arguments with the scene as its own: all handles that its script holds lead to this
// scene.
tide_status tide_scene_run(lua_State *L, tide_scene *scene, int argument_count, int result_count, tide_error *error);
// Returns the scene that the script's own handles refer to: for a fork, the scene it was made from.
tide_scene *tide_scene_origin(tide_scene *scene);
// Moves colliders and calls update: the first half of a step. A failure is rolled back.
tide_status tide_scene_update(lua_State *L, tide_scene *scene, tide_error *error);
typedef enum tide_step_part { TIDE_STEP_WHOLE, TIDE_STEP_UPDATE, TIDE_STEP_ADVANCE } tide_step_part;
// Takes a whole step or one half: the update, or the world's step after it. Returns errors in `error` and never raises.
tide_status tide_scene_step(lua_State *L, tide_scene *scene, tide_step_part part, tide_error *error);
int tide_scene_problem(lua_State *L), tide_scene_method(lua_State *L); // step_problem_class.c
// Tables that describe solvers (solver_tables.c).
void tide_report_push(lua_State *L, const char *solver, const tide_report *report);
void tide_solver_info_push(lua_State *L, const tide_solver_kind *kind); // a tide.SolverInfo
int tide_scene_fork(lua_State *L), tide_scene_reload(lua_State *L), tide_scene_snapshot(lua_State *L),
    tide_scene_restore(lua_State *L), tide_scene_load_snapshot(lua_State *L);
// Carries the state of `old` over to `scene` and continues its world from that of `old`, which is then unusable. On
// failure `old` is unchanged. `notice` (NULL or empty) receives the changes as text.
tide_status tide_scene_reconcile(lua_State *L, tide_scene *scene, lua_State *old_L, tide_scene *old,
                                 tide_reconciliation *reconciliation, tide_text *notice, tide_error *error);
void tide_console_note_step(lua_State *L, const tide_scene *scene); // notes a step taken by scene:step
void tide_push_reconciliation(lua_State *L, const tide_reconciliation *reconciliation);

// Definitions of scenes and solvers.
extern const tide_field tide_scene_fields[], tide_ground_fields[], tide_camera_fields[], tide_load_fields[],
    tide_limited_fields[], tide_param_fields[];
void tide_scene_define(lua_State *L, int index, tide_run *run, tide_scene *scene); // creates the world
tide_scene_view tide_scene_view_default(void);
void tide_scene_set_solver(lua_State *L, int index, tide_scene *scene);
void tide_scene_set_solver_text(lua_State *L, const char *text, tide_scene *scene);
void tide_scene_push_solver(lua_State *L, const tide_scene *scene);
void tide_scene_set_camera(lua_State *L, int index, tide_scene *scene);
void tide_scene_set_ground(lua_State *L, int index, tide_scene *scene);
void tide_scene_push_ground(lua_State *L, const tide_scene *scene);
// Makes the ground a collider if the scene has solid ground and no floor at that height. Runs once, before the first
// step.
tide_status tide_scene_make_ground(tide_scene *scene, tide_error *error);
void tide_scene_set_background(lua_State *L, int index, tide_scene *scene);
void tide_scene_set_friction_pairs(lua_State *L, int index, tide_scene *scene);
void tide_scene_push_friction_pairs(lua_State *L, const tide_scene *scene);
// Reads the field `friction` of a definition where it is a table.
void tide_read_friction(lua_State *L, int index, const char *owner, double *friction, tide_directed_friction *directed);
// Reads the options of tide.load and scene:reload. Texts stay in the table; settings are in a userdata that it pushes.
tide_script_options tide_read_load_options(lua_State *L, int index, const char *owner);

// Solvers defined by scripts.
int tide_solver_call(lua_State *L); // implements tide.solver
extern const tide_field tide_solver_fields[], tide_solver_option_fields[], tide_solver_report_fields[];
// tide_run_solvers lists the solvers of the run and of its parents and returns their number, at most
// TIDE_MAX_SCRIPT_SOLVERS.
enum { TIDE_MAX_SCRIPT_SOLVERS = 256 };
size_t tide_run_solvers(const tide_run *run, const tide_solver_kind *kinds[TIDE_MAX_SCRIPT_SOLVERS]);
const tide_solver_kind *tide_run_find_solver(const tide_run *run, const char *name, tide_error *error);
tide_status tide_run_parse_solver(const tide_run *run, const char *text, const tide_solver_kind **kind, void **options,
                                  tide_error *error);
void tide_solvers_close(tide_run *run); // called when the run is collected

// A solver kind defined by a script. It owns the texts that the kind and the fields point to. It lives as long as its
// run or any solver of the kind. If a world outlives the script that defined its solver, its steps fail.
typedef struct tide_script_solver {
    tide_solver_kind kind; // its context points to this struct
    uint32_t references;
    tide_run *run; // NULL after the run is collected
    lua_State *L;  // main thread
    char *file;    // where the step function begins
    int line;
    tide_field fields[TIDE_MAX_FIELDS];
} tide_script_solver;

void tide_script_solver_methods(tide_solver_kind *kind); // fills in the kind's functions
// Pushes the table with the Lua objects of the solvers of the run at `run`; created on first use.
void tide_solver_make_own(lua_State *L, int run);
// Pushes that table for a run. Returns false and pushes nothing if the run is gone. Cannot fail once the table exists.
bool tide_solver_push_own(lua_State *L, const tide_run *run);

// scene.state as bytes. tide_state_save raises errors; it writes nothing for an empty or absent state.
void tide_state_save(lua_State *L, const tide_scene *scene, tide_text *text);
// Replaces the content of the state. With `merge`, adds to it instead.
tide_status tide_state_load(lua_State *L, tide_scene *scene, const void *bytes, size_t size, bool merge,
                            tide_error *error);
// Lists in `fields` the keys of scene.state for which the new script assigns a value that differs from the old script's
// (`described`) but the value carried over is kept. Writes nothing if there are none.
tide_status tide_state_find_overridden(lua_State *L, tide_scene *scene, const tide_text *described,
                                       const tide_text *carried, tide_text *fields, tide_error *error);
tide_status tide_state_save_protected(lua_State *L, const tide_scene *scene, tide_text *text, tide_error *error);
void tide_state_push(lua_State *L, const tide_scene *scene); // the table, created on first use

// Plain data as bytes; equal data gives equal bytes. Plain data is booleans, numbers, strings, vectors if `vectors`
// allows them, and tables of these. tide_data_write writes the value on top. Its errors name `object` and the path of a
// refused value, which starts with `name`: "state.balls[3]". tide_data_push pushes the value that the bytes hold.
typedef struct tide_data_owner {
    const char *object, *name;
    bool vectors;
    const struct tide_vector *refilled[4]; // vectors that are refused, because steps refill them
} tide_data_owner;
void tide_data_write(lua_State *L, const tide_data_owner *owner, tide_text *text);
void tide_data_push(lua_State *L, const tide_data_owner *owner, const void *bytes, size_t size);

// --- other objects ---------------------------------------------------------------------------------------------------

// A handle of a body or a collider; `noun` below says which (scene_part.c).
typedef struct tide_part_handle {
    uint32_t index, generation;     // of its tide_body_id or tide_collider_id
    const tide_scene_handle *scene; // user value 1
    char name[64];
} tide_part_handle;
enum { TIDE_MOST_NAMES = 64 }; // names that are searched for a similar one
void tide_part_name(const char *noun, const char *name, char object[TIDE_OBJECT_TEXT]); // body "cloth"
void tide_part_push(lua_State *L, const tide_class *class, int scene, uint32_t index, uint32_t generation,
                    const char *name);
const char *tide_part_check_name(lua_State *L, int index, const char *noun); // the name given to scene:body etc.
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
// Sets the colour function of a body: arguments of body:colour from index 2.
void tide_scene_set_colour(lua_State *L, const tide_scene *scene, const char *body);
extern const tide_field tide_colour_fields[];
extern const tide_field tide_element_group_fields[]; // of a group of elements, besides the parameters of its kind
// The numbers of all bodies that have a colour function. Evaluated for each picture; memory is reused.
typedef struct tide_colour_store {
    tide_body_numbers *items;
    size_t count, capacity;
    double *values;
    size_t value_capacity;
} tide_colour_store;
tide_status tide_scene_find_colours(lua_State *L, tide_scene *scene, tide_colour_store *store, tide_error *error);
void tide_colour_store_free(tide_colour_store *store);
// Returns the scene of a live body. Raises if the body is gone.
tide_scene *tide_body_live(lua_State *L, const tide_body_handle *body, tide_body_info *info);
// Joins the fields of bodies with one of type TIDE_FIELD_OTHER for each material.
void tide_body_join_materials(tide_field out[TIDE_MAX_FIELDS]);
void tide_read_body(lua_State *L, int index, const char *owner, tide_body_def *def); // pushes what def points to

typedef struct tide_buffer {
    tide_body_handle body; // its scene is user value 1; if of_collider, a handle of a collider
    bool velocities, of_collider;
} tide_buffer;
// Pushes a buffer of the body or collider whose handle is at index 1.
void tide_buffer_push(lua_State *L, tide_buffer what);
double *tide_buffer_data(lua_State *L, const tide_buffer *buffer, uint32_t *size);
double *tide_buffer_find(lua_State *L, const tide_buffer *buffer, tide_scene **scene, uint32_t *size); // the same

typedef struct tide_mesh_handle {
    const tide_mesh *mesh;
} tide_mesh_handle;
// tide_mesh_push_handle pushes a handle without a mesh. tide_mesh_hand_over gives the handle on top a mesh and takes
// over the caller's reference. The handle comes first, so that no Lua error can leak a mesh.
void tide_mesh_push_handle(lua_State *L);
void tide_mesh_hand_over(lua_State *L, const tide_mesh *mesh);
const tide_mesh *tide_mesh_of(lua_State *L, int index); // NULL if it is not a mesh
int tide_mesh_build_call(lua_State *L), tide_mesh_new_call(lua_State *L), tide_mesh_load_call(lua_State *L),
    tide_mesh_tetrahedralize_call(lua_State *L);
extern const tide_field tide_mesh_new_fields[];
extern const char *const tide_mesh_problem_names[TIDE_MESH_PROBLEM_KINDS];

// Cache of meshes, keyed by what they were built from. All Lua states of the process share it and use it from one
// thread at a time. It lives as long as any state that opened it.
void tide_mesh_cache_open(void);
void tide_mesh_cache_close(void);
const tide_mesh *tide_mesh_cache_find(uint64_t kind, const void *key, size_t size); // retained; NULL: not found
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
tide_triplets *tide_triplets_new(lua_State *L); // pushed, empty
int tide_scene_system(lua_State *L);

// The result of scene:system(), or the system that a script's solver receives in its step.
typedef struct tide_system_handle {
    const tide_scene_handle *scene; // user value 1; NULL: of a step
    const tide_step *step;          // the running step, or NULL
} tide_system_handle;
tide_system_handle *tide_system_push_step(lua_State *L); // pushes a handle without a step

void tide_canvas_push(lua_State *L, tide_draw_list *list, uint32_t width, uint32_t height);
void tide_canvas_end(lua_State *L, int index);

// Informs the garbage collector of memory that a userdata holds outside Lua.
void tide_account(lua_State *L, size_t bytes);

#endif

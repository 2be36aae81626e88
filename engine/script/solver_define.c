// tide.solver: solver kinds whose step is a function of the script.
#include "script/binding.h"

#include "base/memory.h"
#include "solver/solver_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_OPTIONS = TIDE_MAX_FIELDS - 2 };

typedef struct definition {
    char name[TIDE_FIELD_TEXT_SIZE], help[TIDE_FIELD_TEXT_SIZE], source[TIDE_FIELD_TEXT_SIZE];
    int order;
} definition;

const tide_field tide_solver_fields[] = {
    { TIDE_MEMBER(definition, name), .type = TIDE_FIELD_TEXT, .required = true,
      .help = "name: letters, digits and underscores; must differ from all other solvers" },
    { TIDE_MEMBER(definition, help), .type = TIDE_FIELD_TEXT, .initial_text = "", .help = "description in one line" },
    { TIDE_MEMBER(definition, source), .type = TIDE_FIELD_TEXT, .initial_text = "", .help = "paper and equation" },
    { TIDE_MEMBER(definition, order), .type = TIDE_FIELD_INTEGER, .maximum = 16,
      .help = "order of accuracy in the timestep; 0: none, or dependent on the iterations" },
    { "options", TIDE_FIELD_OTHER, .lua_type = "table<string, number|boolean|string|tide.SolverOption>",
      .initial_text = "none",
      .help = "options: name = default, or name = { default, min = ..., ... }; `substeps` always exists" },
    { "step", TIDE_FIELD_OTHER, .required = true,
      .lua_type = "fun(system: tide.System, state: tide.SolverState, h: number): "
                  "(tide.Numbers|tide.SolverReport)?, (tide.Numbers|tide.SolverReport)?, tide.SolverReport?",
      .help = "function that takes one step of h seconds: returns positions, velocities (default: (x - q) / h) and a "
              "report, or changes state.positions and state.velocities; contacts are resolved after it" },
    { 0 },
};

typedef struct option {
    double minimum, maximum;
    bool integer;
    char unit[TIDE_FIELD_TEXT_SIZE], help[TIDE_FIELD_TEXT_SIZE];
} option;

const tide_field tide_solver_option_fields[] = {
    { "min",
      TIDE_FIELD_REAL,
      offsetof(option, minimum),
      { TIDE_NOT_GIVEN },
      .initial_text = "none",
      .help = "smallest value" },
    { "max",
      TIDE_FIELD_REAL,
      offsetof(option, maximum),
      { TIDE_NOT_GIVEN },
      .initial_text = "none",
      .help = "largest value" },
    { TIDE_MEMBER(option, integer), .type = TIDE_FIELD_BOOLEAN, .help = "integers only" },
    { TIDE_MEMBER(option, unit), .type = TIDE_FIELD_TEXT, .initial_text = "", .help = "unit of the number" },
    { TIDE_MEMBER(option, help), .type = TIDE_FIELD_TEXT, .initial_text = "", .help = "one line of explanation" },
    { "choices", TIDE_FIELD_OTHER, .initial_text = "none", .lua_type = "string[]",
      .help = "choices, which include the default" },
    { 0 },
};

// --- lifetime --------------------------------------------------------------------------------------------------------

static void release(tide_script_solver *solver)
{
    if (!--solver->references)
        tide_free(solver);
}

static void retain_kind(const tide_solver_kind *kind)
{
    ((tide_script_solver *)kind->context)->references++;
}

static void release_kind(const tide_solver_kind *kind)
{
    release((tide_script_solver *)kind->context);
}

void tide_solvers_close(tide_run *run)
{
    for (size_t i = 0; i < run->solver_count; i++) {
        run->solvers[i]->run = NULL;
        release(run->solvers[i]);
    }
    tide_free(run->solvers);
    run->solvers = NULL;
    run->solver_count = run->solver_capacity = 0;
}

// A kind under construction, in a userdata, so that an error does not leak it.
typedef struct making {
    tide_script_solver *solver;
} making;

static int collect_making(lua_State *L)
{
    making *made = lua_touserdata(L, 1);
    if (made->solver)
        release(made->solver);
    made->solver = NULL;
    return 0;
}

static const luaL_Reg making_metamethods[] = { { "__gc", collect_making }, { 0 } };
static const tide_class making_class = { "tide.Making", "solver", "", tide_no_members, making_metamethods, NULL, NULL };

static tide_script_solver *push_making(lua_State *L)
{
    making *made = tide_object_new(L, &making_class, sizeof *made, 0);
    made->solver = tide_allocate_zeroed(1, sizeof *made->solver);
    if (!made->solver)
        tide_raise_memory(L, "solver");
    made->solver->references = 1;
    return made->solver;
}

// Copies a text or an array into memory that the kind owns.
static void *keep(lua_State *L, tide_script_solver *solver, const void *bytes, size_t size)
{
    void *kept = tide_own(solver, tide_copy_bytes(bytes, size));
    if (!kept)
        tide_raise_memory(L, "solver");
    return kept;
}

static char *keep_text(lua_State *L, tide_script_solver *solver, const char *text)
{
    return keep(L, solver, text, strlen(text) + 1);
}

// --- options ---------------------------------------------------------------------------------------------------------

// Assigns the field its offset in the struct of options.
static void place(tide_script_solver *solver, tide_field *field, size_t size)
{
    size_t aligned = (solver->kind.options_size + 7) / 8 * 8;
    field->offset = aligned;
    solver->kind.options_size = aligned + size;
}

static void set_range(lua_State *L, const char *owner, const option *given, tide_field *field)
{
    field->minimum = -INFINITY;
    field->maximum = INFINITY;
    if (tide_given(given->minimum))
        field->minimum = given->minimum;
    if (tide_given(given->maximum))
        field->maximum = given->maximum;
    if (field->minimum >= field->maximum)
        tide_raise_bad(L, owner, "min", NULL, "expected less than max");
}

// Reads the choices at `index`; the default is the text at `value`.
static void set_choices(lua_State *L, int index, int value, const char *owner, tide_script_solver *solver,
                        tide_field *field)
{
    enum { MAX_CHOICES = 32 };
    const char *choices[MAX_CHOICES + 1] = { NULL };
    char shown[TIDE_VALUE_TEXT_SIZE];
    size_t count = lua_istable(L, index) ? (size_t)lua_rawlen(L, index) : 0;
    if (count == 0 || count > MAX_CHOICES)
        tide_raise_bad(L, owner, "choices", tide_show(L, index, shown), "expected a list of at most %d strings",
                       MAX_CHOICES);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, index, (lua_Integer)i + 1);
        choices[i] = keep_text(L, solver, tide_check_text(L, -1, owner, "choices"));
        lua_pop(L, 1);
    }
    field->type = TIDE_FIELD_CHOICE;
    field->choices = keep(L, solver, choices, (count + 1) * sizeof *choices);
    place(solver, field, sizeof(int));
    int initial;
    tide_field alone = *field;
    alone.offset = 0;
    alone.name = "default";
    tide_read_field(L, value, &alone, owner, &initial);
    field->initial[0] = initial;
}

// Makes a field with the type of the default at `value`. Reads defaults of numbers and texts like any other value.
static void set_type(lua_State *L, int value, const char *owner, const option *given, tide_script_solver *solver,
                     tide_field *field)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    double number;
    int integer;
    tide_field alone = { .name = "default" };
    switch (lua_type(L, value)) {
    case LUA_TBOOLEAN:
        field->type = TIDE_FIELD_BOOLEAN;
        field->initial[0] = lua_toboolean(L, value);
        place(solver, field, sizeof(bool));
        return;
    case LUA_TNUMBER:
        field->type = alone.type = given->integer ? TIDE_FIELD_INTEGER : TIDE_FIELD_REAL;
        set_range(L, owner, given, field);
        alone.minimum = field->minimum;
        alone.maximum = field->maximum;
        tide_read_field(L, value, &alone, owner, given->integer ? (void *)&integer : &number);
        field->initial[0] = lua_tonumber(L, value);
        place(solver, field, given->integer ? sizeof integer : sizeof number);
        return;
    case LUA_TSTRING: {
        char text[TIDE_FIELD_TEXT_SIZE];
        field->type = alone.type = TIDE_FIELD_TEXT;
        tide_read_field(L, value, &alone, owner, text);
        field->initial_text = keep_text(L, solver, text);
        place(solver, field, sizeof text);
        return;
    }
    default:
        tide_raise_bad(L, owner, NULL, tide_show(L, value, shown),
                       "expected a number, true, false or a string, or a table { default, min = ..., help = ... }");
    }
}

// Refuses settings that have no meaning for an option of this type.
static void refuse_useless(lua_State *L, const char *owner, const option *given, const tide_field *field)
{
    bool number = field->type == TIDE_FIELD_INTEGER || field->type == TIDE_FIELD_REAL;
    const char *useless = number                       ? NULL
                          : tide_given(given->minimum) ? "min"
                          : tide_given(given->maximum) ? "max"
                          : given->integer             ? "integer"
                                                       : NULL;
    if (useless)
        tide_raise_bad(L, owner, useless, NULL, "only a number has it");
}

// Makes the field of an option. `value` is the index of the default, or of a table that begins with it.
static void add_option(lua_State *L, const char *name, int value, tide_script_solver *solver, tide_field *field)
{
    char owner[TIDE_OBJECT_TEXT];
    int top = lua_gettop(L);
    snprintf(owner, sizeof owner, "option \"%s\" of solver \"%s\"", name, solver->kind.name);
    option given;
    tide_fields_default(tide_solver_option_fields, &given);
    bool table = lua_istable(L, value);
    if (table) {
        tide_read_fields(L, value, tide_solver_option_fields, owner, &given, 1);
        lua_rawgeti(L, value, 1);
        if (lua_isnil(L, -1))
            tide_raise_bad(L, owner, NULL, NULL, "missing the default; write it first: { 10, min = 1 }");
        lua_pushliteral(L, "choices");
        lua_rawget(L, value);
    } else {
        lua_pushvalue(L, value);
        lua_pushnil(L);
    }
    field->name = keep_text(L, solver, name);
    field->help = keep_text(L, solver, given.help);
    field->unit = given.unit[0] ? keep_text(L, solver, given.unit) : NULL;
    if (lua_isnil(L, -1))
        set_type(L, top + 1, owner, &given, solver, field);
    else
        set_choices(L, top + 2, top + 1, owner, solver, field);
    refuse_useless(L, owner, &given, field);
    lua_settop(L, top);
}

typedef struct common_options { // options of every solver begin with these
    tide_solver_common common;
} common_options;

static void read_options(lua_State *L, int index, const char *owner, tide_script_solver *solver)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    size_t count = 0;
    solver->fields[count++] = (tide_field)TIDE_SOLVER_COMMON_FIELDS(common_options);
    solver->kind.options_size = sizeof(tide_solver_common);
    solver->kind.fields = solver->fields;
    if (lua_isnil(L, index))
        return;
    if (!lua_istable(L, index))
        tide_raise_bad(L, owner, "options", tide_show(L, index, shown),
                       "expected a table like { iterations = 10, tolerance = { 1e-6, min = 0 } }");
    tide_push_sorted_keys(L, index);
    int keys = lua_gettop(L);
    for (lua_Integer i = 1; lua_rawgeti(L, keys, i) != LUA_TNIL; i++) {
        if (lua_type(L, -1) != LUA_TSTRING)
            tide_raise_bad(L, owner, "options", tide_show(L, -1, shown), "expected names of options, name = default");
        const char *name = tide_check_text(L, -1, owner, "options");
        tide_check_identifier(L, owner, "options", name);
        for (size_t k = 0; k < count; k++)
            if (strcmp(solver->fields[k].name, name) == 0)
                tide_raise_bad(L, owner, "options", name, "every solver has this option; choose another name");
        if (count > MAX_OPTIONS)
            tide_raise_bad(L, owner, "options", NULL, "expected at most %d options", MAX_OPTIONS);
        lua_pushvalue(L, -1);
        lua_rawget(L, index);
        add_option(L, name, lua_gettop(L), solver, &solver->fields[count++]);
        lua_settop(L, keys);
    }
    lua_settop(L, keys - 1);
}

// --- tide.solver -----------------------------------------------------------------------------------------------------

static void refuse_known_name(lua_State *L, const tide_run *run, const char *name)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    snprintf(shown, sizeof shown, "\"%.80s\"", name);
    if (tide_solver_kind_find(name, NULL))
        tide_raise_bad(L, "solver", "name", shown, "the engine has a solver of this name; choose another");
    for (size_t i = 0; i < run->solver_count; i++)
        if (strcmp(run->solvers[i]->kind.name, name) == 0)
            tide_raise_bad(L, "solver", "name", shown, "defined twice; give each solver a name of its own");
}

// Adds the kind to the run. Its step function is at `step`.
static void join(lua_State *L, tide_run *run, tide_script_solver *solver, int step)
{
    if (run->solver_count == TIDE_MAX_SCRIPT_SOLVERS)
        tide_raise_bad(L, "solver", "name", NULL, "expected at most %d solvers in a script", TIDE_MAX_SCRIPT_SOLVERS);
    if (!tide_grow(&run->solvers, &run->solver_capacity, run->solver_count + 1, sizeof *run->solvers))
        tide_raise_memory(L, "solver");
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
    solver->L = lua_tothread(L, -1);
    lua_pop(L, 1);
    lua_Debug where;
    lua_pushvalue(L, step);
    lua_getinfo(L, ">S", &where);
    solver->file =
        keep_text(L, solver, where.source[0] == '@' || where.source[0] == '=' ? where.source + 1 : "(script)");
    solver->line = where.linedefined;
    tide_solver_make_own(L, lua_upvalueindex(1));
    lua_pushvalue(L, step);
    lua_rawsetp(L, -2, solver);
    lua_pop(L, 1);
    solver->run = run;
    solver->references++;
    run->solvers[run->solver_count++] = solver;
}

int tide_solver_call(lua_State *L)
{
    char owner[TIDE_OBJECT_TEXT], shown[TIDE_VALUE_TEXT_SIZE];
    tide_run *run = tide_run_of_upvalue(L);
    definition given;
    lua_settop(L, 1);
    luaL_checkstack(L, 24, NULL);
    tide_fields_default(tide_solver_fields, &given);
    tide_read_fields(L, 1, tide_solver_fields, "solver", &given, 0);
    tide_check_identifier(L, "solver", "name", given.name);
    refuse_known_name(L, run, given.name);
    snprintf(owner, sizeof owner, "solver \"%.*s\"", TIDE_IDENTIFIER_LIMIT, given.name);
    lua_getfield(L, 1, "step");
    if (!lua_isfunction(L, 2))
        tide_raise_bad(L, owner, "step", tide_show(L, 2, shown), "expected a function(system, state, h)");
    lua_getfield(L, 1, "options");
    tide_script_solver *solver = push_making(L);
    solver->kind =
        (tide_solver_kind) { .context = solver, .order = given.order, .retain = retain_kind, .release = release_kind };
    solver->kind.name = keep_text(L, solver, given.name);
    solver->kind.help = keep_text(L, solver, given.help);
    solver->kind.source = keep_text(L, solver, given.source);
    tide_script_solver_methods(&solver->kind);
    read_options(L, 3, owner, solver);
    join(L, run, solver, 2);
    lua_pushstring(L, solver->kind.name);
    return 1;
}

// --- lookup ----------------------------------------------------------------------------------------------------------

size_t tide_run_solvers(const tide_run *run, const tide_solver_kind *kinds[TIDE_MAX_SCRIPT_SOLVERS])
{
    size_t count = 0;
    for (; run; run = run->parent)
        for (size_t i = 0; i < run->solver_count && count < TIDE_MAX_SCRIPT_SOLVERS; i++) {
            bool hidden = false; // by a solver of the same name that the run itself defined
            for (size_t k = 0; k < count && !hidden; k++)
                hidden = strcmp(kinds[k]->name, run->solvers[i]->kind.name) == 0;
            if (!hidden)
                kinds[count++] = &run->solvers[i]->kind;
        }
    return count;
}

const tide_solver_kind *tide_run_find_solver(const tide_run *run, const char *name, tide_error *error)
{
    const tide_solver_kind *more[TIDE_MAX_SCRIPT_SOLVERS];
    size_t count = tide_run_solvers(run, more);
    return tide_solver_kind_find_among(name, more, count, error);
}

tide_status tide_run_parse_solver(const tide_run *run, const char *text, const tide_solver_kind **kind, void **options,
                                  tide_error *error)
{
    const tide_solver_kind *more[TIDE_MAX_SCRIPT_SOLVERS];
    size_t count = tide_run_solvers(run, more);
    return tide_solver_text_parse(text, more, count, kind, options, error);
}

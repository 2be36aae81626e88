// tide.element: kinds of elements whose energy is a function of the script. The function is called once, with symbols.
#include "script/symbol_binding.h"

#include "model/expression_element.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HINT                                                                                                           \
    "; functions such as math.sqrt take numbers, no symbols: use tide.sqrt, tide.max, tide.abs, tide.exp and the like"

typedef struct definition {
    char name[TIDE_FIELD_TEXT_SIZE], help[TIDE_FIELD_TEXT_SIZE], muscle[TIDE_FIELD_TEXT_SIZE];
    int vertices;
} definition;

const tide_field tide_element_fields[] = {
    { TIDE_MEMBER(definition, vertices), .type = TIDE_FIELD_INTEGER, .minimum = 1, .maximum = TIDE_ELEMENT_MAX_VERTICES,
      .required = true, .help = "vertices that an element joins" },
    { "energy", TIDE_FIELD_OTHER, .required = true, .unit = "J",
      .lua_type = "fun(p: table<string, tide.Symbol>, ...: "
                  "tide.SymbolVector): tide.Symbol",
      .help = "energy of an element: a function of the parameters, p.NAME, of the positions of its vertices, and after "
              "them of their positions at rest; called once with symbols" },
    { "parameters", TIDE_FIELD_OTHER, .initial_text = "none",
      .lua_type = "table<string, number|tide.ElementParameter|fun(...: tide.SymbolVector): tide.Symbol>",
      .help = "parameters: name = default, or name = { default, min = ..., unit = ... }; a default that is a function "
              "is computed from the positions of the vertices at rest" },
    { "strain", TIDE_FIELD_OTHER, .initial_text = "relative change of the distances of its vertices",
      .lua_type = "fun(p: table<string, tide.Symbol>, ...: tide.SymbolVector): tide.Symbol",
      .help = "relative deformation, for colours and reports: a function as `energy`" },
    { TIDE_MEMBER(definition, muscle), .type = TIDE_FIELD_TEXT, .initial_text = "none",
      .help = "name of the parameter that body:contract multiplies, as a rest length" },
    { TIDE_MEMBER(definition, name), .type = TIDE_FIELD_TEXT, .initial_text = "element",
      .help = "name in reports and errors" },
    { TIDE_MEMBER(definition, help), .type = TIDE_FIELD_TEXT, .initial_text = "an element of the script's own",
      .help = "description in one line" },
    { 0 },
};

typedef struct parameter {
    double minimum, maximum;
    char name[TIDE_IDENTIFIER_LIMIT + 1];
    char unit[TIDE_FIELD_TEXT_SIZE], help[TIDE_FIELD_TEXT_SIZE];
} parameter;

const tide_field tide_element_parameter_fields[] = {
    { "min",
      TIDE_FIELD_REAL,
      offsetof(parameter, minimum),
      { TIDE_NOT_GIVEN },
      .initial_text = "none",
      .help = "smallest value" },
    { "max",
      TIDE_FIELD_REAL,
      offsetof(parameter, maximum),
      { TIDE_NOT_GIVEN },
      .initial_text = "none",
      .help = "largest value" },
    { TIDE_MEMBER(parameter, unit), .type = TIDE_FIELD_TEXT, .initial_text = "", .help = "unit of the number" },
    { TIDE_MEMBER(parameter, help), .type = TIDE_FIELD_TEXT, .initial_text = "", .help = "one line of explanation" },
    { 0 },
};

// --- making ----------------------------------------------------------------------------------------------------------

// An element that is being defined. A userdata, so that an error does not leak it.
typedef struct making {
    definition given;
    char owner[TIDE_OBJECT_TEXT], place[192];
    parameter parameters[TIDE_EXPRESSION_MAX_PARAMETERS];
    tide_field fields[TIDE_EXPRESSION_MAX_PARAMETERS + 1];
    tide_node rests[TIDE_EXPRESSION_MAX_PARAMETERS];
    uint32_t count;
} making;

enum { DEFINITION = 1, ENERGY, PARAMETERS, STRAIN, MAKING, SHEET }; // places on the stack

// Raises the error with the place of the function at `function`.
static _Noreturn void raise_at(lua_State *L, int function, tide_error *error)
{
    lua_Debug where;
    lua_pushvalue(L, function);
    lua_getinfo(L, ">S", &where);
    if (where.source[0] == '@')
        tide_error_locate(error, where.source + 1, where.linedefined);
    tide_raise(L, error);
}

static void push_corners(lua_State *L, const making *made, bool at_rest)
{
    tide_expression *e = ((tide_sheet *)lua_touserdata(L, SHEET))->expression;
    uint32_t n = (uint32_t)made->given.vertices;
    for (uint32_t c = 0; c < n; c++) {
        tide_node nodes[3];
        for (uint32_t k = 0; k < 3; k++)
            nodes[k] = tide_expression_input(e, at_rest ? tide_expression_rest_position(n, made->count, c, k)
                                                        : tide_expression_position(c, k));
        tide_symbol_push_vector(L, SHEET, nodes);
    }
}

// Calls the function below its arguments, which returns a symbol. Pops all and returns its node.
static tide_node call(lua_State *L, int function, int arguments, const char *field)
{
    tide_sheet *sheet = lua_touserdata(L, SHEET);
    char shown[TIDE_VALUE_TEXT_SIZE];
    tide_error error;
    sheet->field = field;
    if (tide_call(L, arguments, 1, &error) != TIDE_OK) {
        size_t length = strlen(error.remedy);
        if (strstr(error.remedy, "got tide.Symbol"))
            snprintf(error.remedy + length, sizeof error.remedy - length, "%s", HINT);
        tide_name_error(&error, sheet->object, field);
        tide_raise(L, &error);
    }
    tide_node node = tide_symbol_node(L, -1, sheet);
    if (node == TIDE_NO_NODE) {
        tide_fail(&error, TIDE_ERROR_SCRIPT, sheet->object, field, tide_show(L, -1, shown),
                  "the function must return a symbol, such as p.k / 2 * (a - b):dot(a - b)");
        raise_at(L, function, &error);
    }
    lua_pop(L, 1);
    return node;
}

// --- parameters ------------------------------------------------------------------------------------------------------

static void check_parameter_name(lua_State *L, const char *owner, const char *name)
{
    tide_check_identifier(L, owner, "parameters", name);
    for (const tide_field *field = tide_element_group_fields; field->name; field++)
        if (strcmp(field->name, name) == 0)
            tide_raise_bad(L, owner, "parameters", name, "groups of elements have this field; choose another name");
}

// Reads the parameter whose value is on top: a default, or a table that begins with it. Replaces it by the default.
static void read_parameter(lua_State *L, making *made, const char *name, tide_field *field)
{
    char owner[TIDE_OBJECT_TEXT + 64], shown[TIDE_VALUE_TEXT_SIZE];
    parameter *p = &made->parameters[made->count];
    snprintf(owner, sizeof owner, "parameter \"%s\" of %s", name, made->owner);
    tide_fields_default(tide_element_parameter_fields, p);
    snprintf(p->name, sizeof p->name, "%s", name);
    if (lua_istable(L, -1)) {
        tide_read_fields(L, lua_gettop(L), tide_element_parameter_fields, owner, p, 1);
        lua_rawgeti(L, -1, 1);
        lua_remove(L, -2);
    }
    *field = (tide_field) { .name = p->name,
                            .type = TIDE_FIELD_REAL,
                            .offset = made->count * sizeof(double),
                            .initial = { TIDE_NOT_GIVEN },
                            .initial_text = "from the shape at rest",
                            .minimum = tide_given(p->minimum) ? p->minimum : -INFINITY,
                            .maximum = tide_given(p->maximum) ? p->maximum : INFINITY,
                            .unit = p->unit[0] ? p->unit : NULL,
                            .help = p->help };
    if (field->minimum >= field->maximum)
        tide_raise_bad(L, owner, "min", NULL, "expected less than max");
    if (lua_isfunction(L, -1))
        return;
    if (lua_type(L, -1) != LUA_TNUMBER)
        tide_raise_bad(L, owner, NULL, tide_show(L, -1, shown),
                       "expected a default, as in { 10, min = 0 }: a number, or a function of the positions at rest");
    double number;
    tide_field alone = *field;
    alone.name = "default";
    alone.offset = 0;
    tide_read_field(L, lua_gettop(L), &alone, owner, &number);
    field->initial[0] = number;
    field->initial_text = NULL;
}

static void read_parameters(lua_State *L, making *made)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (lua_isnil(L, PARAMETERS))
        return;
    if (!lua_istable(L, PARAMETERS))
        tide_raise_bad(L, made->owner, "parameters", tide_show(L, PARAMETERS, shown),
                       "expected a table like { k = { 10, min = 0, unit = \"N/m\" } }");
    tide_push_sorted_keys(L, PARAMETERS);
    int keys = lua_gettop(L);
    for (lua_Integer i = 1; lua_rawgeti(L, keys, i) != LUA_TNIL; i++, lua_settop(L, keys)) {
        if (lua_type(L, -1) != LUA_TSTRING)
            tide_raise_bad(L, made->owner, "parameters", tide_show(L, -1, shown),
                           "expected names of parameters, name = default");
        const char *name = tide_check_text(L, -1, made->owner, "parameters");
        check_parameter_name(L, made->owner, name);
        if (made->count == TIDE_EXPRESSION_MAX_PARAMETERS)
            tide_raise_bad(L, made->owner, "parameters", NULL, "expected at most %d parameters",
                           TIDE_EXPRESSION_MAX_PARAMETERS);
        lua_pushvalue(L, -1);
        lua_rawget(L, PARAMETERS);
        read_parameter(L, made, name, &made->fields[made->count]);
        made->rests[made->count] = TIDE_NO_NODE;
        if (lua_isfunction(L, -1)) {
            int function = lua_gettop(L);
            lua_pushvalue(L, function);
            push_corners(L, made, false); // the defaults are evaluated at the positions at rest
            made->rests[made->count] = call(L, function, made->given.vertices, "parameters");
        }
        made->count++;
    }
    lua_settop(L, keys - 1);
}

// Raises the error of a parameter that the element does not have. Upvalue: the making.
static int unknown_parameter(lua_State *L)
{
    const making *made = lua_touserdata(L, lua_upvalueindex(1));
    const char *names[TIDE_EXPRESSION_MAX_PARAMETERS];
    char shown[TIDE_VALUE_TEXT_SIZE];
    for (uint32_t p = 0; p < made->count; p++)
        names[p] = made->fields[p].name;
    const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : tide_show(L, 2, shown);
    lua_pushfstring(L, "p.%s", key);
    const char *nearest = tide_nearest_name(key, names, made->count);
    if (nearest)
        tide_raise_bad(L, made->owner, lua_tostring(L, -1), NULL, "unknown parameter; did you mean p.%s?", nearest);
    tide_raise_bad(L, made->owner, lua_tostring(L, -1), NULL,
                   "unknown parameter; name it in `parameters` with its default");
}

// Pushes the table of the parameters as symbols.
static void push_parameters(lua_State *L, const making *made)
{
    tide_sheet *sheet = lua_touserdata(L, SHEET);
    lua_newtable(L);
    for (uint32_t p = 0; p < made->count; p++) {
        tide_node node =
            tide_expression_input(sheet->expression, tide_expression_parameter((uint32_t)made->given.vertices, p));
        tide_symbol_push(L, SHEET, node);
        lua_setfield(L, -2, made->fields[p].name);
    }
    lua_newtable(L);
    lua_pushvalue(L, MAKING);
    lua_pushcclosure(L, unknown_parameter, 1);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
}

// --- tide.element ----------------------------------------------------------------------------------------------------

// Calls `energy` or `strain` with all symbols.
static tide_node call_whole(lua_State *L, const making *made, int function, const char *field)
{
    luaL_checkstack(L, 2 * TIDE_ELEMENT_MAX_VERTICES + 8, NULL);
    lua_pushvalue(L, function);
    push_parameters(L, made);
    push_corners(L, made, false);
    push_corners(L, made, true);
    return call(L, function, 1 + 2 * made->given.vertices, field);
}

static void find_place(lua_State *L, making *made)
{
    lua_Debug where;
    lua_pushvalue(L, ENERGY);
    lua_getinfo(L, ">S", &where);
    snprintf(made->place, sizeof made->place, "%.160s:%d", where.source[0] == '@' ? where.source + 1 : where.short_src,
             where.linedefined);
}

static uint32_t find_muscle(lua_State *L, const making *made)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (strcmp(made->given.muscle, "none") == 0)
        return TIDE_ELEMENT_NO_PARAMETER;
    for (uint32_t p = 0; p < made->count; p++)
        if (strcmp(made->fields[p].name, made->given.muscle) == 0)
            return p;
    snprintf(shown, sizeof shown, "\"%.80s\"", made->given.muscle);
    tide_raise_bad(L, made->owner, "muscle", shown, "expected the name of one of its parameters");
}

// Puts the parts of the definition at their places on the stack.
static making *begin(lua_State *L)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    definition given;
    lua_settop(L, 1);
    luaL_checkstack(L, 32, NULL);
    tide_fields_default(tide_element_fields, &given);
    tide_read_fields(L, 1, tide_element_fields, "element", &given, 0);
    lua_getfield(L, DEFINITION, "energy");
    lua_getfield(L, DEFINITION, "parameters");
    lua_getfield(L, DEFINITION, "strain");
    making *made = lua_newuserdatauv(L, sizeof *made, 0);
    memset(made, 0, sizeof *made);
    made->given = given;
    snprintf(made->owner, sizeof made->owner, "element \"%.64s\"", given.name);
    if (!lua_isfunction(L, ENERGY))
        tide_raise_bad(L, made->owner, "energy", tide_show(L, ENERGY, shown),
                       "expected a function(p, x1, ...) of the parameters and the vertices");
    if (!lua_isfunction(L, STRAIN) && !lua_isnil(L, STRAIN))
        tide_raise_bad(L, made->owner, "strain", tide_show(L, STRAIN, shown), "expected a function(p, x1, ...)");
    find_place(L, made);
    tide_sheet_push(L, made->owner);
    return made;
}

int tide_element_call(lua_State *L)
{
    tide_error error;
    making *made = begin(L);
    tide_sheet *sheet = lua_touserdata(L, SHEET);
    read_parameters(L, made);
    tide_expression_definition described = {
        .name = made->given.name,
        .help = made->given.help,
        .place = made->place,
        .vertex_count = (uint32_t)made->given.vertices,
        .parameters = made->fields,
        .parameter_count = made->count,
        .rests = made->rests,
        .rest_parameter = find_muscle(L, made),
        .energy = call_whole(L, made, ENERGY, "energy"),
        .strain = TIDE_NO_NODE,
    };
    if (lua_isfunction(L, STRAIN))
        described.strain = call_whole(L, made, STRAIN, "strain");
    const tide_element_kind **kind = tide_element_kind_push(L);
    if (tide_expression_kind_create(sheet->expression, &described, kind, &error) != TIDE_OK)
        raise_at(L, ENERGY, &error);
    tide_expression_destroy(sheet->expression);
    sheet->expression = NULL;
    return 1;
}

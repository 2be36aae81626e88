// Symbols of the energies of elements: operators, methods of vectors, and the functions tide.max, tide.sqrt and so on,
// which take numbers, too.
#include "script/symbol_binding.h"

#include <math.h>
#include <string.h>

#define ADVICE                                                                                                         \
    "the energy is evaluated later, for all elements at once, so it cannot branch on a symbol: write tide.max(a, b), " \
    "tide.min(a, b), tide.abs(a), or tide.select(c, a, b), which is a where c > 0 and b elsewhere"

// A number or a vector in an operation.
typedef struct operand {
    bool vector;
    tide_node nodes[3];
} operand;

// --- sheets ----------------------------------------------------------------------------------------------------------

static int collect_sheet(lua_State *L)
{
    tide_sheet *sheet = lua_touserdata(L, 1);
    tide_expression_destroy(sheet->expression);
    sheet->expression = NULL;
    return 0;
}

static const luaL_Reg sheet_metamethods[] = { { "__gc", collect_sheet }, { 0 } };
static const tide_class sheet_class = { "tide.Sheet", "sheet", "", tide_no_members, sheet_metamethods, NULL, NULL };

tide_sheet *tide_sheet_push(lua_State *L, const char *object)
{
    tide_error error;
    tide_sheet *sheet = tide_object_new(L, &sheet_class, sizeof *sheet, 0);
    strncpy(sheet->object, object, sizeof sheet->object - 1);
    sheet->field = "energy";
    tide_raise_unless_ok(L, tide_expression_create(&sheet->expression, &error), &error);
    return sheet;
}

static void push(lua_State *L, int sheet, const tide_class *class, const tide_node *nodes, size_t count)
{
    tide_symbol *symbol = tide_object_new(L, class, sizeof *symbol, 1);
    symbol->sheet = lua_touserdata(L, sheet);
    memcpy(symbol->nodes, nodes, count * sizeof *nodes);
    lua_pushvalue(L, sheet);
    lua_setiuservalue(L, -2, 1);
}

void tide_symbol_push(lua_State *L, int sheet, tide_node node)
{
    push(L, sheet, &tide_symbol_class, &node, 1);
}

void tide_symbol_push_vector(lua_State *L, int sheet, const tide_node nodes[3])
{
    push(L, sheet, &tide_symbol_vector_class, nodes, 3);
}

static bool is_symbol(lua_State *L, int index)
{
    return tide_object_test(L, index, &tide_symbol_class) || tide_object_test(L, index, &tide_symbol_vector_class);
}

// Pushes the sheet of a symbol, or of the first one in a list of three. Returns false and pushes nothing if there is
// none.
static bool push_sheet_of(lua_State *L, int index)
{
    bool list = lua_istable(L, index);
    for (int k = 1; k <= (list ? 3 : 1); k++) {
        if (list)
            lua_rawgeti(L, index, k);
        else
            lua_pushvalue(L, index);
        if (is_symbol(L, -1)) {
            lua_getiuservalue(L, -1, 1);
            lua_remove(L, -2);
            return true;
        }
        lua_pop(L, 1);
    }
    return false;
}

// Pushes the sheet of the arguments and returns it. Returns NULL and pushes nothing if no argument is a symbol.
static tide_sheet *push_sheet(lua_State *L)
{
    for (int i = 1, top = lua_gettop(L); i <= top; i++) {
        if (!push_sheet_of(L, i))
            continue;
        tide_sheet *sheet = lua_touserdata(L, -1);
        if (!sheet->expression)
            tide_raise_bad(L, sheet->object, sheet->field, NULL,
                           "a symbol is used after the function that got it has returned; use it there only");
        return sheet;
    }
    return NULL;
}

// --- operands --------------------------------------------------------------------------------------------------------

static tide_node check_sheet(lua_State *L, const tide_symbol *symbol, const tide_sheet *sheet, tide_node node)
{
    if (symbol->sheet != sheet)
        tide_raise_bad(L, sheet->object, sheet->field, NULL,
                       "a symbol of another element is used; use the parameters and vertices that the function gets");
    return node;
}

tide_node tide_symbol_node(lua_State *L, int index, tide_sheet *sheet)
{
    const tide_symbol *symbol = tide_object_test(L, index, &tide_symbol_class);
    if (symbol)
        return check_sheet(L, symbol, sheet, symbol->nodes[0]);
    if (lua_type(L, index) == LUA_TNUMBER && isfinite(lua_tonumber(L, index)))
        return tide_expression_constant(sheet->expression, lua_tonumber(L, index));
    return TIDE_NO_NODE;
}

// Raises if the expression has become too large, so that a loop of the script ends.
static void check_size(lua_State *L, const tide_sheet *sheet)
{
    if (!sheet->expression->failed)
        return;
    if (sheet->expression->count < TIDE_EXPRESSION_MAX_NODES)
        tide_raise_memory(L, sheet->object);
    tide_raise_bad(L, sheet->object, sheet->field, NULL,
                   "is too large: more than %d operations; write a shorter one, or divide it into several elements",
                   TIDE_EXPRESSION_MAX_NODES);
}

// Reads a symbol, a number, or a list of three for a vector.
static operand read_operand(lua_State *L, int index, tide_sheet *sheet, const char *expected)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    operand found = { .nodes = { tide_symbol_node(L, index, sheet), TIDE_NO_NODE, TIDE_NO_NODE } };
    const tide_symbol *vector = tide_object_test(L, index, &tide_symbol_vector_class);
    if (vector) {
        check_sheet(L, vector, sheet, 0);
        found.vector = true;
        memcpy(found.nodes, vector->nodes, sizeof found.nodes);
    } else if (tide_is_list(L, index, 3)) {
        found.vector = true;
        for (int k = 0; k < 3; k++) {
            lua_rawgeti(L, index, k + 1);
            found.nodes[k] = tide_symbol_node(L, -1, sheet);
            lua_pop(L, 1);
        }
    }
    check_size(L, sheet);
    for (int k = 0; k < (found.vector ? 3 : 1); k++)
        if (found.nodes[k] == TIDE_NO_NODE)
            tide_raise_bad(L, sheet->object, sheet->field, tide_show(L, index, shown), "expected %s", expected);
    return found;
}

static tide_node read_number(lua_State *L, int index, tide_sheet *sheet)
{
    operand found = read_operand(L, index, sheet, "a finite number or a symbol of one");
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (found.vector)
        tide_raise_bad(
            L, sheet->object, sheet->field, tide_show(L, index, shown),
            "expected a number or a symbol of one, not a vector; its parts are v.x, v.y, v.z and v:length()");
    return found.nodes[0];
}

static operand read_vector(lua_State *L, int index, tide_sheet *sheet)
{
    operand found = read_operand(L, index, sheet, "a vector, or a list of three numbers");
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (!found.vector)
        tide_raise_bad(L, sheet->object, sheet->field, tide_show(L, index, shown),
                       "expected a vector, or a list of three numbers");
    return found;
}

// Pushes the result of an operation; the sheet is on top.
static int give(lua_State *L, tide_sheet *sheet, const operand *result)
{
    check_size(L, sheet);
    int at = lua_gettop(L);
    if (result->vector)
        tide_symbol_push_vector(L, at, result->nodes);
    else
        tide_symbol_push(L, at, result->nodes[0]);
    return 1;
}

static int give_number(lua_State *L, tide_sheet *sheet, tide_node node)
{
    return give(L, sheet, &(operand) { .nodes = { node } });
}

static tide_node apply(const tide_sheet *sheet, tide_operation operation, tide_node a, tide_node b)
{
    return tide_expression_binary(sheet->expression, operation, a, b);
}

// --- operators -------------------------------------------------------------------------------------------------------

// Computes an operation of each coordinate; numbers count for each.
static operand each(const tide_sheet *sheet, tide_operation operation, const operand *a, const operand *b)
{
    operand result = { .vector = a->vector || b->vector };
    for (int k = 0; k < (result.vector ? 3 : 1); k++)
        result.nodes[k] = apply(sheet, operation, a->nodes[a->vector ? k : 0], b->nodes[b->vector ? k : 0]);
    return result;
}

static int operate(lua_State *L, tide_operation operation)
{
    static const char *const expected = "a number, a vector, or a symbol of one";
    lua_settop(L, 2);
    tide_sheet *sheet = push_sheet(L);
    operand a = read_operand(L, 1, sheet, expected), b = read_operand(L, 2, sheet, expected);
    const char *wrong = NULL;
    if (operation == TIDE_OP_ADD || operation == TIDE_OP_SUBTRACT)
        wrong = a.vector != b.vector ? "a vector and a number cannot be added or subtracted" : NULL;
    else if (operation == TIDE_OP_MULTIPLY)
        wrong = a.vector && b.vector ? "the product of two vectors is a:dot(b) or a:cross(b)" : NULL;
    else if (operation == TIDE_OP_DIVIDE)
        wrong = b.vector ? "a vector is no divisor; divide by its length, v:length()" : NULL;
    else
        wrong = a.vector || b.vector ? "the square of a vector is v:dot(v)" : NULL;
    if (wrong)
        tide_raise_bad(L, sheet->object, sheet->field, NULL, "%s", wrong);
    operand result = each(sheet, operation, &a, &b);
    return give(L, sheet, &result);
}

#define OPERATOR(name, operation)                                                                                      \
    static int name(lua_State *L)                                                                                      \
    {                                                                                                                  \
        return operate(L, operation);                                                                                  \
    }
OPERATOR(operator_add, TIDE_OP_ADD)
OPERATOR(operator_subtract, TIDE_OP_SUBTRACT)
OPERATOR(operator_multiply, TIDE_OP_MULTIPLY)
OPERATOR(operator_divide, TIDE_OP_DIVIDE)
OPERATOR(operator_power, TIDE_OP_POWER)

static int operator_negate(lua_State *L)
{
    lua_settop(L, 1);
    tide_sheet *sheet = push_sheet(L);
    operand a = read_operand(L, 1, sheet, "a symbol");
    for (int k = 0; k < (a.vector ? 3 : 1); k++)
        a.nodes[k] = tide_expression_unary(sheet->expression, TIDE_OP_NEGATE, a.nodes[k]);
    return give(L, sheet, &a);
}

static int refuse_comparison(lua_State *L)
{
    const tide_sheet *sheet = push_sheet(L);
    tide_raise_bad(L, sheet ? sheet->object : "element", sheet ? sheet->field : "energy", NULL,
                   "compares symbols; " ADVICE);
}

static int refuse_operation(lua_State *L)
{
    const tide_sheet *sheet = push_sheet(L);
    tide_raise_bad(L, sheet ? sheet->object : "element", sheet ? sheet->field : "energy", NULL,
                   "symbols have no such operation; they have + - * / ^, the methods of vectors, and functions such as "
                   "tide.sqrt and tide.max");
}

static const luaL_Reg metamethods[] = {
    { "__add", operator_add },        { "__sub", operator_subtract },
    { "__mul", operator_multiply },   { "__div", operator_divide },
    { "__pow", operator_power },      { "__unm", operator_negate },
    { "__lt", refuse_comparison },    { "__le", refuse_comparison },
    { "__eq", refuse_comparison },    { "__mod", refuse_operation },
    { "__idiv", refuse_operation },   { "__band", refuse_operation },
    { "__bor", refuse_operation },    { "__bxor", refuse_operation },
    { "__shl", refuse_operation },    { "__shr", refuse_operation },
    { "__bnot", refuse_operation },   { "__len", refuse_operation },
    { "__concat", refuse_operation }, { 0 },
};

// --- vectors ---------------------------------------------------------------------------------------------------------

static tide_node dot_of(const tide_sheet *sheet, const operand *a, const operand *b)
{
    operand p = each(sheet, TIDE_OP_MULTIPLY, a, b);
    return apply(sheet, TIDE_OP_ADD, apply(sheet, TIDE_OP_ADD, p.nodes[0], p.nodes[1]), p.nodes[2]);
}

static operand cross_of(const tide_sheet *sheet, const operand *a, const operand *b)
{
    operand result = { .vector = true };
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        tide_node less = apply(sheet, TIDE_OP_MULTIPLY, a->nodes[j], b->nodes[i]);
        tide_node product = apply(sheet, TIDE_OP_MULTIPLY, a->nodes[i], b->nodes[j]);
        result.nodes[k] = apply(sheet, TIDE_OP_SUBTRACT, product, less);
    }
    return result;
}

static tide_node length_of(const tide_sheet *sheet, const operand *a)
{
    return tide_expression_ternary(sheet->expression, TIDE_OP_NORM, a->nodes[0], a->nodes[1], a->nodes[2]);
}

// Pushes the sheet of a method call and reads its vector.
static tide_sheet *begin_method(lua_State *L, int arguments, operand *self)
{
    tide_object_self(L, &tide_symbol_vector_class);
    lua_settop(L, arguments);
    tide_sheet *sheet = push_sheet(L);
    *self = read_vector(L, 1, sheet);
    return sheet;
}

static int vector_length(lua_State *L)
{
    operand a;
    tide_sheet *sheet = begin_method(L, 1, &a);
    return give_number(L, sheet, length_of(sheet, &a));
}

static int vector_dot(lua_State *L)
{
    operand a;
    tide_sheet *sheet = begin_method(L, 2, &a);
    operand b = read_vector(L, 2, sheet);
    return give_number(L, sheet, dot_of(sheet, &a, &b));
}

static int vector_cross(lua_State *L)
{
    operand a;
    tide_sheet *sheet = begin_method(L, 2, &a);
    operand b = read_vector(L, 2, sheet), result = cross_of(sheet, &a, &b);
    return give(L, sheet, &result);
}

// The gradient of a length: (1, 0, 0) for a vector of length 0.
static int vector_normalized(lua_State *L)
{
    operand a;
    tide_sheet *sheet = begin_method(L, 1, &a);
    tide_expression *e = sheet->expression;
    operand inverse = { .nodes = { tide_expression_unary(e, TIDE_OP_INVERSE, length_of(sheet, &a)) } };
    operand result = each(sheet, TIDE_OP_MULTIPLY, &a, &inverse);
    result.nodes[0] =
        tide_expression_ternary(e, TIDE_OP_SELECT, inverse.nodes[0], result.nodes[0], tide_expression_constant(e, 1));
    return give(L, sheet, &result);
}

// The property "x", "y" or "z".
static int coordinate(lua_State *L)
{
    operand a;
    int axis = *lua_tostring(L, 2) - 'x';
    tide_sheet *sheet = begin_method(L, 1, &a);
    return give_number(L, sheet, a.nodes[axis]);
}

static const tide_member vector_members[] = {
    { "x", .get = coordinate, .type = "tide.Symbol", .help = "coordinate" },
    { "y", .get = coordinate, .type = "tide.Symbol", .help = "coordinate" },
    { "z", .get = coordinate, .type = "tide.Symbol", .help = "coordinate" },
    { "length", vector_length, .type = "(): tide.Symbol",
      .help = "The length. Its gradient at 0 is taken as (1, 0, 0)." },
    { "dot", vector_dot, .type = "(other: tide.SymbolVector|number[]): tide.Symbol", .help = "The dot product." },
    { "cross", vector_cross, .type = "(other: tide.SymbolVector|number[]): tide.SymbolVector",
      .help = "The cross product." },
    { "normalized", vector_normalized, .type = "(): tide.SymbolVector",
      .help = "The vector divided by its length; (1, 0, 0) if it is 0." },
    { 0 },
};

const tide_class tide_symbol_class = {
    "tide.Symbol",
    "symbol",
    "A number in the energy of an element: of an expression that is evaluated later for all elements. It has + - * / ^ "
    "with numbers and symbols, and cannot be compared.",
    tide_no_members,
    metamethods,
    NULL,
    NULL,
};
const tide_class tide_symbol_vector_class = {
    "tide.SymbolVector",
    "symbol of a vector",
    "A vector in the energy of an element, as a vertex is: + and - with vectors, * and / with numbers. A list of three "
    "numbers stands for a vector, too.",
    vector_members,
    metamethods,
    NULL,
    NULL,
};

// --- functions -------------------------------------------------------------------------------------------------------

static double check_plain(lua_State *L, int index, const char *function)
{
    if (lua_type(L, index) != LUA_TNUMBER) {
        char shown[TIDE_VALUE_TEXT_SIZE];
        tide_raise_bad(L, function, NULL, tide_show(L, index, shown), "expected numbers or symbols of the element");
    }
    return lua_tonumber(L, index);
}

// Calls a function of `count` numbers.
static int call(lua_State *L, const char *name, tide_operation operation, int count)
{
    lua_settop(L, count);
    tide_sheet *sheet = push_sheet(L);
    if (!sheet) {
        double a = check_plain(L, 1, name), b = count > 1 ? check_plain(L, 2, name) : 0;
        lua_pushnumber(L, tide_operation_apply(operation, a, b, 0));
        return 1;
    }
    tide_node a = read_number(L, 1, sheet), b = count > 1 ? read_number(L, 2, sheet) : TIDE_NO_NODE;
    return give_number(
        L, sheet, count > 1 ? apply(sheet, operation, a, b) : tide_expression_unary(sheet->expression, operation, a));
}

#define FUNCTION(name, operation, count)                                                                               \
    static int function_##name(lua_State *L)                                                                           \
    {                                                                                                                  \
        return call(L, "tide." #name, operation, count);                                                               \
    }
FUNCTION(abs, TIDE_OP_ABSOLUTE, 1)
FUNCTION(sqrt, TIDE_OP_ROOT, 1)
FUNCTION(exp, TIDE_OP_EXP, 1)
FUNCTION(log, TIDE_OP_LOG, 1)
FUNCTION(sin, TIDE_OP_SIN, 1)
FUNCTION(cos, TIDE_OP_COS, 1)
FUNCTION(atan2, TIDE_OP_ATAN2, 2)

// The largest or smallest of any number of values.
static int extreme(lua_State *L, const char *name, tide_operation operation)
{
    int count = lua_gettop(L);
    luaL_checkstack(L, 8, NULL);
    if (!count)
        tide_raise_bad(L, name, NULL, NULL, "expected at least one number");
    tide_sheet *sheet = push_sheet(L);
    if (!sheet) {
        double value = check_plain(L, 1, name);
        for (int i = 2; i <= count; i++)
            value = tide_operation_apply(operation, value, check_plain(L, i, name), 0);
        lua_pushnumber(L, value);
        return 1;
    }
    tide_node node = read_number(L, 1, sheet);
    for (int i = 2; i <= count; i++)
        node = apply(sheet, operation, node, read_number(L, i, sheet));
    return give_number(L, sheet, node);
}

static int function_max(lua_State *L)
{
    return extreme(L, "tide.max", TIDE_OP_MAXIMUM);
}

static int function_min(lua_State *L)
{
    return extreme(L, "tide.min", TIDE_OP_MINIMUM);
}

static int function_select(lua_State *L)
{
    lua_settop(L, 3);
    tide_sheet *sheet = push_sheet(L);
    if (!sheet) {
        bool first = check_plain(L, 1, "tide.select") > 0;
        lua_pushvalue(L, first ? 2 : 3);
        return 1;
    }
    static const char *const expected = "a number, a vector, or a symbol of one";
    tide_node condition = read_number(L, 1, sheet);
    operand a = read_operand(L, 2, sheet, expected), b = read_operand(L, 3, sheet, expected), result = a;
    if (a.vector != b.vector)
        tide_raise_bad(L, sheet->object, sheet->field, NULL, "tide.select expects two numbers or two vectors");
    for (int k = 0; k < (a.vector ? 3 : 1); k++)
        result.nodes[k] = tide_expression_ternary(sheet->expression, TIDE_OP_SELECT, condition, a.nodes[k], b.nodes[k]);
    return give(L, sheet, &result);
}

static int function_det(lua_State *L)
{
    lua_settop(L, 3);
    tide_sheet *sheet = push_sheet(L);
    if (!sheet)
        tide_raise_bad(L, "tide.det", NULL, NULL, "expected three vectors, of which at least one is of an element");
    operand a = read_vector(L, 1, sheet), b = read_vector(L, 2, sheet), c = read_vector(L, 3, sheet);
    operand n = cross_of(sheet, &b, &c);
    return give_number(L, sheet, dot_of(sheet, &a, &n));
}

#define NUMBER "number|tide.Symbol"

const tide_member tide_symbol_functions[] = {
    { "max", function_max, .type = "(...: " NUMBER "): " NUMBER, .help = "The largest, of symbols or numbers." },
    { "min", function_min, .type = "(...: " NUMBER "): " NUMBER, .help = "The smallest, of symbols or numbers." },
    { "abs", function_abs, .type = "(a: " NUMBER "): " NUMBER, .help = "|a|, of a symbol or a number." },
    { "sqrt", function_sqrt, .type = "(a: " NUMBER "): " NUMBER,
      .help = "The square root of a symbol or a number. Its derivative at 0 is taken as 0." },
    { "exp", function_exp, .type = "(a: " NUMBER "): " NUMBER, .help = "e^a, of a symbol or a number." },
    { "log", function_log, .type = "(a: " NUMBER "): " NUMBER,
      .help = "The natural logarithm of a symbol or a number." },
    { "sin", function_sin, .type = "(a: " NUMBER "): " NUMBER, .help = "The sine of a symbol or a number." },
    { "cos", function_cos, .type = "(a: " NUMBER "): " NUMBER, .help = "The cosine of a symbol or a number." },
    { "atan2", function_atan2, .type = "(y: " NUMBER ", x: " NUMBER "): " NUMBER,
      .help = "The angle of the point (x, y), of symbols or numbers." },
    { "select", function_select,
      .type = "(c: " NUMBER ", a: " NUMBER "|tide.SymbolVector, b: " NUMBER "|tide.SymbolVector): " NUMBER
              "|tide.SymbolVector",
      .help = "a where c > 0, else b. Both are evaluated, so neither may be infinite where it is not selected." },
    { "det", function_det,
      .type = "(a: tide.SymbolVector|number[], b: tide.SymbolVector|number[], c: tide.SymbolVector|number[]): "
              "tide.Symbol",
      .help = "The determinant of three vectors, a . (b x c): six times the volume of their tetrahedron." },
    { 0 },
};

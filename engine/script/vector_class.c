// The vectors of tide.linear.
#include "script/binding.h"

#include "base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONG = 4096 }; // numbers: filling as many takes longer than looking at the clock

tide_vector *tide_vector_new(lua_State *L, size_t size)
{
    if (size > LONG)
        tide_check_limit(L);
    tide_vector *vector = tide_object_new(L, &tide_vector_class, sizeof *vector + size * sizeof(double), 0);
    vector->size = size;
    return vector;
}

static tide_vector *self(lua_State *L)
{
    return tide_object_self(L, &tide_vector_class);
}

static double *element(lua_State *L, bool may_end)
{
    tide_vector *vector = self(L);
    int is_integer;
    lua_Integer i = lua_tointegerx(L, 2, &is_integer);
    if (is_integer && i >= 1 && i <= (lua_Integer)vector->size)
        return &vector->values[i - 1];
    if (may_end && is_integer && i == (lua_Integer)vector->size + 1)
        return NULL;
    char shown[TIDE_VALUE_TEXT_SIZE];
    tide_raise_bad(L, "vector", "index", tide_show(L, 2, shown), "expected an integer from 1 to %zu", vector->size);
}

static int get_element(lua_State *L)
{
    const double *number = element(L, true);
    if (number)
        lua_pushnumber(L, *number);
    else
        lua_pushnil(L);
    return 1;
}

static int set_element(lua_State *L)
{
    double *number = element(L, false);
    *number = tide_check_number(L, 3, "vector", "element");
    return 0;
}

TIDE_GETTER(length, lua_pushinteger, (lua_Integer)self(L)->size);

// Reads a list of `size` numbers, which may be 0.
static const double *check_same_size(lua_State *L, int index, size_t size, const char *what)
{
    size_t found = size;
    const double *numbers = tide_check_numbers(L, index, &found, "vector", what);
    if (found != size)
        tide_raise_bad(L, "vector", what, NULL, "expected no numbers, got %zu: both need one size", found);
    return numbers;
}

static int dot(lua_State *L)
{
    const tide_vector *a = self(L);
    const double *b = check_same_size(L, 2, a->size, "dot");
    double sum = 0;
    for (size_t i = 0; i < a->size; i++)
        sum += a->values[i] * b[i];
    tide_check_limit(L);
    lua_pushnumber(L, sum);
    return 1;
}

static int norm(lua_State *L)
{
    const tide_vector *a = self(L);
    double sum = 0;
    for (size_t i = 0; i < a->size; i++)
        sum += a->values[i] * a->values[i];
    tide_check_limit(L);
    lua_pushnumber(L, sqrt(sum));
    return 1;
}

static int copy(lua_State *L)
{
    const tide_vector *a = self(L);
    memcpy(tide_vector_new(L, a->size)->values, a->values, a->size * sizeof(double));
    return 1;
}

static int to_table(lua_State *L)
{
    const tide_vector *a = self(L);
    lua_createtable(L, (int)a->size, 0);
    for (size_t i = 0; i < a->size; i++) {
        lua_pushnumber(L, a->values[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

// v:add(w, s): v <- v + s w.
static int add_scaled(lua_State *L)
{
    tide_vector *a = self(L);
    double factor = lua_isnoneornil(L, 3) ? 1 : tide_check_number(L, 3, "vector", "add");
    const double *b = check_same_size(L, 2, a->size, "add");
    for (size_t i = 0; i < a->size; i++)
        a->values[i] += factor * b[i];
    tide_check_limit(L);
    lua_settop(L, 1);
    return 1;
}

// --- operators -------------------------------------------------------------------------------------------------------
// Each makes a new vector.

static _Noreturn void refuse_operand(lua_State *L, int index, const char *operation, const char *remedy)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    tide_raise_bad(L, "vector", operation, tide_show(L, index, shown), "%s", remedy);
}

static int combine(lua_State *L, double factor, const char *what)
{
    for (int index = 1; index <= 2; index++)
        if (lua_type(L, index) == LUA_TNUMBER)
            refuse_operand(L, index, what,
                           "expected a vector or a list of numbers, not a number: both sides need one "
                           "size");
    size_t size = 0;
    const double *a = tide_check_numbers(L, 1, &size, "vector", what);
    const double *b = check_same_size(L, 2, size, what);
    tide_vector *sum = tide_vector_new(L, size);
    for (size_t i = 0; i < size; i++)
        sum->values[i] = a[i] + factor * b[i];
    return 1;
}

static int add(lua_State *L)
{
    return combine(L, 1, "+");
}

static int subtract(lua_State *L)
{
    return combine(L, -1, "-");
}

static int scaled(lua_State *L, int vector, double factor)
{
    const tide_vector *a = tide_object_check(L, vector, &tide_vector_class);
    tide_vector *result = tide_vector_new(L, a->size);
    for (size_t i = 0; i < a->size; i++)
        result->values[i] = factor * a->values[i];
    return 1;
}

static int multiply(lua_State *L)
{
    int vector = lua_type(L, 1) == LUA_TNUMBER ? 2 : 1, factor = 3 - vector;
    if (tide_object_named(L, factor, "tide.Matrix"))
        refuse_operand(L, factor, "*", "expected the matrix on the left: A * v, or A:transpose() * v");
    if (lua_type(L, factor) != LUA_TNUMBER)
        refuse_operand(L, factor, "*",
                       "expected a number; a:dot(b) is the dot product, a:times(b) the elementwise one");
    return scaled(L, vector, tide_check_number(L, factor, "vector", "*"));
}

static int divide(lua_State *L)
{
    if (lua_type(L, 2) != LUA_TNUMBER)
        refuse_operand(L, 2, "/", "expected a number; a:over(b) is the elementwise quotient");
    double by = tide_check_number(L, 2, "vector", "/");
    if (by == 0)
        tide_raise_bad(L, "vector", "/", "0", "expected a number other than 0");
    return scaled(L, 1, 1 / by);
}

static int negate(lua_State *L)
{
    return scaled(L, 1, -1);
}

// Shows the size and the first numbers: "vector(5) { 1, 2, 3, ... }".
static int describe(lua_State *L)
{
    enum { SHOWN = 8 };
    const tide_vector *a = tide_object_check(L, 1, &tide_vector_class);
    size_t shown = a->size < SHOWN ? a->size : SHOWN;
    char number[32];
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    snprintf(number, sizeof number, "vector(%zu) {", a->size);
    luaL_addstring(&text, number);
    for (size_t i = 0; i < shown; i++) {
        tide_format(number, sizeof number, i ? ", %.6g" : " %.6g", a->values[i]);
        luaL_addstring(&text, number);
    }
    luaL_addstring(&text, shown < a->size ? ", ... }" : " }");
    luaL_pushresult(&text);
    return 1;
}

// --- elementwise -----------------------------------------------------------------------------------------------------

// Reads the second operand of an elementwise operation. *each is the number of elements of the vector per number: 1, or
// 3 for one number per particle.
static const double *check_elements(lua_State *L, const tide_vector *a, const char *what, size_t *each)
{
    size_t size = 0;
    const double *b = tide_check_numbers(L, 2, &size, "vector", what);
    if (size != a->size && 3 * size != a->size) {
        char shown[TIDE_VALUE_TEXT_SIZE];
        snprintf(shown, sizeof shown, "%zu numbers", size);
        tide_raise_bad(L, "vector", what, shown, "expected %zu numbers, or a third as many: one for each particle",
                       a->size);
    }
    *each = size == a->size ? 1 : 3;
    return b;
}

static int times(lua_State *L)
{
    const tide_vector *a = self(L);
    size_t each;
    const double *b = check_elements(L, a, "times", &each);
    tide_vector *product = tide_vector_new(L, a->size);
    for (size_t i = 0; i < a->size; i++)
        product->values[i] = a->values[i] * b[i / each];
    return 1;
}

static int over(lua_State *L)
{
    const tide_vector *a = self(L);
    size_t each;
    const double *b = check_elements(L, a, "over", &each);
    tide_vector *quotient = tide_vector_new(L, a->size);
    for (size_t i = 0; i < a->size; i++)
        quotient->values[i] = a->values[i] / b[i / each];
    return 1;
}

static const tide_member members[] = {
    { "dot", dot, .type = "(w: tide.Numbers): number", .help = "The dot product." },
    { "norm", norm, .type = "(): number", .help = "The Euclidean length." },
    { "copy", copy, .type = "(): tide.Vector", .help = "A vector with the same numbers." },
    { "table", to_table, .type = "(): number[]", .help = "The numbers as a table." },
    { "add", add_scaled, .type = "(w: tide.Numbers, factor?: number): tide.Vector",
      .help = "Adds factor times w to this vector itself." },
    { "times", times, .type = "(w: tide.Numbers): tide.Vector",
      .help = "The elementwise product. w may have one number per particle, which applies to x, y and z." },
    { "over", over, .type = "(w: tide.Numbers): tide.Vector",
      .help = "The elementwise quotient, with w as in times: forces:over(system:masses()) are accelerations." },
    { 0 },
};

static const luaL_Reg metamethods[] = { { "__len", length },        { "__add", add },
                                        { "__sub", subtract },      { "__mul", multiply },
                                        { "__div", divide },        { "__unm", negate },
                                        { "__tostring", describe }, { 0 } };

const tide_class tide_vector_class = {
    "tide.Vector",
    "vector",
    "Numbers v[1] to v[#v], with + and -, and with * and / by a number. ipairs visits them; tostring shows the first.",
    members,
    metamethods,
    get_element,
    set_element,
};

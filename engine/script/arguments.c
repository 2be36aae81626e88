#include "script/binding.h"

#include "base/characters.h"
#include "base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *tide_show(lua_State *L, int index, char text[TIDE_VALUE_TEXT_SIZE])
{
    switch (lua_type(L, index)) {
    case LUA_TNONE:
    case LUA_TNIL:
        return "nil";
    case LUA_TBOOLEAN:
        return lua_toboolean(L, index) ? "true" : "false";
    case LUA_TNUMBER:
        if (lua_isinteger(L, index))
            snprintf(text, TIDE_VALUE_TEXT_SIZE, LUA_INTEGER_FMT, lua_tointeger(L, index));
        else if (isnan(lua_tonumber(L, index)))
            return "nan"; // drops the sign bit of NaN
        else
            tide_format(text, TIDE_VALUE_TEXT_SIZE, "%.10g", lua_tonumber(L, index));
        return text;
    case LUA_TSTRING:
        snprintf(text, TIDE_VALUE_TEXT_SIZE, "\"%.80s\"", lua_tostring(L, index));
        return text;
    case LUA_TUSERDATA:
        if (luaL_getmetafield(L, index, "__name") == LUA_TSTRING) {
            snprintf(text, TIDE_VALUE_TEXT_SIZE, "a %.80s", lua_tostring(L, -1));
            lua_pop(L, 1);
            return text;
        }
        return "a userdata";
    case LUA_TTHREAD:
        return "a coroutine";
    default:
        snprintf(text, TIDE_VALUE_TEXT_SIZE, "a %s", luaL_typename(L, index));
        return text;
    }
}

uint32_t tide_check_index(lua_State *L, int index, uint32_t count, const char *object, const char *field,
                          const char *noun)
{
    int is_integer = 0;
    lua_Integer i = lua_type(L, index) == LUA_TNUMBER ? lua_tointegerx(L, index, &is_integer) : 0;
    if (!is_integer || i < 1 || i > (lua_Integer)count) {
        char shown[TIDE_VALUE_TEXT_SIZE];
        tide_raise_bad(L, object, field, tide_show(L, index, shown), "expected %s from 1 to %u", noun, count);
    }
    return (uint32_t)(i - 1);
}

double tide_check_number(lua_State *L, int index, const char *object, const char *field)
{
    double number = lua_tonumber(L, index);
    if (lua_type(L, index) != LUA_TNUMBER || !isfinite(number)) {
        char shown[TIDE_VALUE_TEXT_SIZE];
        tide_raise_bad(L, object, field, tide_show(L, index, shown), "expected a finite number");
    }
    return number;
}

void tide_check_vec3(lua_State *L, int first, const char *object, const char *field, double out[3])
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (lua_istable(L, first))
        tide_raise_bad(L, object, field, tide_show(L, first, shown),
                       "expected three numbers, x, y, z, not a list; table.unpack takes one apart");
    for (int k = 0; k < 3; k++)
        out[k] = tide_check_number(L, first + k, object, field);
}

// Reads a string without zero bytes.
static const char *check_string(lua_State *L, int index, const char *object, const char *field)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (lua_type(L, index) != LUA_TSTRING)
        tide_raise_bad(L, object, field, tide_show(L, index, shown), "expected a string");
    size_t length;
    const char *text = lua_tolstring(L, index, &length);
    if (strlen(text) != length)
        tide_raise_bad(L, object, field, NULL, "expected a string without zero bytes");
    return text;
}

static void refuse_byte(lua_State *L, const char *text, const char *at, const char *object, const char *field)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (at)
        tide_raise_bad(L, object, field, tide_visible_text(text, strlen(text), shown, sizeof shown),
                       "byte %zu (0x%02X) is a control character or no UTF-8; expected printable text on one line",
                       (size_t)(at - text) + 1, (unsigned)(unsigned char)*at);
}

const char *tide_check_text(lua_State *L, int index, const char *object, const char *field)
{
    const char *text = check_string(L, index, object, field);
    refuse_byte(L, text, tide_find_unprintable(text), object, field);
    return text;
}

const char *tide_check_path(lua_State *L, int index, const char *object, const char *field)
{
    const char *text = check_string(L, index, object, field);
    refuse_byte(L, text, tide_find_control(text), object, field);
    return text;
}

lua_Integer tide_check_integer(lua_State *L, int index, lua_Integer minimum, lua_Integer maximum, const char *object,
                               const char *field)
{
    int is_integer = 0;
    lua_Integer value = lua_type(L, index) == LUA_TNUMBER ? lua_tointegerx(L, index, &is_integer) : 0;
    if (!is_integer || value < minimum || value > maximum) {
        char shown[TIDE_VALUE_TEXT_SIZE];
        tide_show(L, index, shown);
        tide_raise_bad(L, object, field, tide_show(L, index, shown),
                       "expected an integer from " LUA_INTEGER_FMT " to " LUA_INTEGER_FMT, minimum, maximum);
    }
    return value;
}

static void check_size(lua_State *L, size_t found, size_t *size, const char *object, const char *field)
{
    if (*size && found != *size) {
        char shown[TIDE_VALUE_TEXT_SIZE];
        snprintf(shown, sizeof shown, "%zu numbers", found);
        tide_raise_bad(L, object, field, shown, "expected %zu numbers", *size);
    }
    *size = found;
}

static const double *numbers_of_table(lua_State *L, int index, size_t *size, const char *object, const char *field)
{
    size_t count = lua_rawlen(L, index);
    check_size(L, count, size, object, field);
    double *numbers = lua_newuserdatauv(L, count * sizeof(double) + 1, 0);
    for (size_t i = 0; i < count; i++) {
        int type = lua_rawgeti(L, index, (lua_Integer)i + 1);
        numbers[i] = lua_tonumber(L, -1);
        if (type != LUA_TNUMBER || !isfinite(numbers[i])) { // formats the name only on failure, because that is slow
            char name[64];
            snprintf(name, sizeof name, "%.40s[%zu]", field, i + 1);
            numbers[i] = tide_check_number(L, -1, object, name);
        }
        lua_pop(L, 1);
    }
    return numbers;
}

const double *tide_check_numbers(lua_State *L, int index, size_t *size, const char *object, const char *field)
{
    index = lua_absindex(L, index);
    tide_property_plain(L, index);
    if (lua_istable(L, index))
        return numbers_of_table(L, index, size, object, field);
    const tide_vector *vector = tide_object_test(L, index, &tide_vector_class);
    if (vector) {
        check_size(L, vector->size, size, object, field);
        return vector->values;
    }
    const tide_buffer *buffer = tide_object_test(L, index, &tide_buffer_class);
    if (buffer) {
        uint32_t count;
        const double *data = tide_buffer_data(L, buffer, &count);
        check_size(L, count, size, object, field);
        return data;
    }
    char shown[TIDE_VALUE_TEXT_SIZE];
    tide_raise_bad(L, object, field, tide_show(L, index, shown), "expected a vector or a list of numbers");
}

#include "script/binding.h"

#include "base/characters.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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

void tide_check_identifier(lua_State *L, const char *object, const char *field, const char *name)
{
    size_t length = strlen(name);
    bool sound = length && length <= TIDE_IDENTIFIER_LIMIT && !isdigit((unsigned char)name[0]);
    for (const char *p = name; *p; p++)
        sound = sound && (isalnum((unsigned char)*p) || *p == '_') && (unsigned char)*p < 128;
    char shown[TIDE_VALUE_TEXT_SIZE];
    snprintf(shown, sizeof shown, "\"%.80s\"", name);
    if (!sound)
        tide_raise_bad(L, object, field, shown,
                       "expected at most %d letters, digits and underscores, the first no digit",
                       TIDE_IDENTIFIER_LIMIT);
}

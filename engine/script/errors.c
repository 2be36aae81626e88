#include "script/script_record.h"

#include "base/decimal.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char context_key;

tide_context *tide_context_of(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &context_key);
    tide_context *context = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return context;
}

static int close_context(lua_State *L)
{
    (void)L;
    tide_mesh_cache_close();
    return 0;
}

void tide_context_open(lua_State *L)
{
    if (tide_context_of(L))
        return;
    tide_context *context = lua_newuserdatauv(L, sizeof *context, 0);
    *context = (tide_context) { 0 };
    lua_newtable(L);
    lua_pushcfunction(L, close_context);
    lua_setfield(L, -2, "__gc");
    lua_pushvalue(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &context_key); // before __gc is active, which must not see a failed creation
    tide_mesh_cache_open();
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

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

static bool is_library(lua_State *L, const char *file)
{
    if (lua_getfield(L, LUA_REGISTRYINDEX, "tide.library") != LUA_TSTRING) {
        lua_pop(L, 1);
        return false;
    }
    const char *folder = lua_tostring(L, -1);
    size_t length = strlen(folder);
    bool inside = strncmp(file, folder, length) == 0 && file[length] == '/';
    lua_pop(L, 1);
    return inside;
}

bool tide_lua_place(lua_State *L, const char **file, int *line)
{
    lua_Debug frame;
    bool found = false;
    for (int level = 0; lua_getstack(L, level, &frame); level++) {
        lua_getinfo(L, "Sl", &frame);
        if (frame.currentline <= 0)
            continue;
        const char *source = frame.source[0] == '@' || frame.source[0] == '=' ? frame.source + 1 : "(script)";
        bool library = is_library(L, source);
        if (!found || !library) {
            *file = source;
            *line = frame.currentline;
            found = true;
        }
        if (!library)
            break;
    }
    return found;
}

bool tide_push_with_path(lua_State *L, const char *message, const char *path)
{
    enum { KEPT = LUA_IDSIZE - sizeof "..." };
    size_t length = strlen(path);
    if (length <= KEPT || strncmp(message, "...", 3) != 0 || strncmp(message + 3, path + length - KEPT, KEPT) != 0)
        return false;
    lua_pushfstring(L, "%s%s", path, message + 3 + KEPT);
    return true;
}

// Makes the message one printable line, because names and values from scripts may contain anything.
static void make_printable(tide_error *error)
{
    char *texts[] = { error->object, error->field, error->value };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (char *p = texts[i]; *p; p++)
            if (iscntrl((unsigned char)*p))
                *p = '?';
}

_Noreturn void tide_raise(lua_State *L, tide_error *error)
{
    const char *file;
    int line;
    luaL_checkstack(L, 8, NULL);
    if (!error->where[0] && tide_lua_place(L, &file, &line))
        tide_error_locate(error, file, line);
    tide_solver_explain(error);
    make_printable(error);
    tide_context *context = tide_context_of(L);
    if (context)
        context->last_error = *error;
    char text[TIDE_MESSAGE_SIZE];
    lua_pushstring(L, tide_error_text(error, text, sizeof text));
    lua_error(L);
    __builtin_unreachable();
}

_Noreturn void tide_raise_bad(lua_State *L, const char *object, const char *field, const char *value,
                              const char *remedy, ...)
{
    tide_error error;
    va_list arguments;
    tide_fail(&error, TIDE_ERROR_ARGUMENT, object, field, value, "%s", "");
    va_start(arguments, remedy);
    tide_format_list(error.remedy, sizeof error.remedy, remedy, arguments);
    va_end(arguments);
    tide_raise(L, &error);
}

_Noreturn void tide_raise_memory(lua_State *L, const char *object)
{
    tide_error error;
    tide_fail_memory(&error, object);
    tide_raise(L, &error);
}

void tide_raise_unless_ok(lua_State *L, tide_status status, tide_error *error)
{
    if (status != TIDE_OK)
        tide_raise(L, error);
}

int tide_push_failure(lua_State *L, const tide_error *error)
{
    char text[TIDE_MESSAGE_SIZE];
    tide_error printable = *error;
    make_printable(&printable);
    lua_pushnil(L);
    lua_pushstring(L, tide_error_text(&printable, text, sizeof text));
    return 2;
}

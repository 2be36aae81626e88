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

// Returns the length of "file:line" at the start of a message, or 0. File names may contain colons and spaces.
static size_t place_length(const char *message)
{
    for (const char *p = message; *p && *p != '\n' && *p != '"'; p++) {
        if (*p != ':')
            continue;
        const char *end = p + 1;
        while (isdigit((unsigned char)*end))
            end++;
        if (end > p + 1 && end[0] == ':' && end[1] == ' ')
            return (size_t)(end - message);
    }
    return 0;
}

// Converts any error value to a text that begins with a location in the script, and records the traceback.
static int locate_message(lua_State *L)
{
    tide_script_record_calls(L);
    char shown[TIDE_VALUE_TEXT_SIZE];
    const char *message = lua_tostring(L, 1);
    if (!message && luaL_callmeta(L, 1, "__tostring") && lua_type(L, -1) == LUA_TSTRING)
        message = lua_tostring(L, -1);
    if (!message)
        message = lua_pushfstring(L, "the script raised %s as an error, which is no text", tide_show(L, 1, shown));
    const char *file;
    int line;
    if (place_length(message) || !tide_lua_place(L, &file, &line))
        lua_pushstring(L, message);
    else
        lua_pushfstring(L, "%s:%d: %s", file, line, message);
    return 1;
}

// Restores the error that tide_raise raised. For other messages, splits off the location.
static void error_of_message(lua_State *L, tide_error *error, const char *message)
{
    const tide_context *context = tide_context_of(L);
    char text[TIDE_MESSAGE_SIZE];
    if (context && strcmp(tide_error_text(&context->last_error, text, sizeof text), message) == 0) {
        *error = context->last_error;
        return;
    }
    size_t place = place_length(message);
    const char *rest = place ? message + place + 2 : message;
    tide_fail(error, TIDE_ERROR_SCRIPT, NULL, NULL, NULL, "%s", rest);
    if (place)
        snprintf(error->where, sizeof error->where, "%.*s", (int)place, message);
}

tide_status tide_call(lua_State *L, int argument_count, int result_count, tide_error *error)
{
    if (!lua_checkstack(L, 8)) {
        lua_pop(L, argument_count + 1);
        return tide_fail_memory(error, "script");
    }
    int handler = lua_gettop(L) - argument_count;
    lua_pushcfunction(L, locate_message);
    lua_insert(L, handler);
    void *locale = tide_locale_enter(); // ensures a decimal point in every host's locale
    int status = lua_pcall(L, argument_count, result_count, handler);
    tide_locale_leave(locale);
    lua_remove(L, handler);
    if (status == LUA_OK)
        return TIDE_OK;
    tide_error unread;
    error = error ? error : &unread;
    if (status == LUA_ERRMEM)
        tide_fail_memory(error, "script");
    else
        error_of_message(L, error,
                         lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error while handling an error");
    lua_pop(L, 1);
    tide_script_record_cause(L, error);
    return error->status;
}

void tide_name_error(tide_error *error, const char *object, const char *field)
{
    if (!error->object[0])
        snprintf(error->object, sizeof error->object, "%s", object);
    if (!error->field[0] && strcmp(error->object, object) == 0)
        snprintf(error->field, sizeof error->field, "%s", field);
}

void tide_call_field(lua_State *L, int argument_count, int result_count, const char *object, const char *field)
{
    tide_error error;
    if (tide_call(L, argument_count, result_count, &error) == TIDE_OK)
        return;
    tide_name_error(&error, object, field);
    tide_raise(L, &error);
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

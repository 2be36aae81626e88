// Calls of a script's functions: a failure becomes an error with its place in the script.
#include "script/script_record.h"
#include "script/step_time.h"

#include "base/decimal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

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

// Returns a message that begins with its place, with the whole path of the script.
static const char *with_whole_path(lua_State *L, const char *message)
{
    lua_Debug frame;
    for (int level = 0; message[0] == '.' && lua_getstack(L, level, &frame); level++)
        if (lua_getinfo(L, "S", &frame) && frame.source[0] == '@' && tide_push_with_path(L, message, frame.source + 1))
            return lua_tostring(L, -1);
    return message;
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
    message = with_whole_path(L, message);
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
    bool turned = tide_step_time_turn(L, false);
    int status = lua_pcall(L, argument_count, result_count, handler);
    if (turned)
        tide_step_time_turn(L, true);
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

#include "script/identity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool tide_is_list(lua_State *L, int index, size_t count)
{
    index = lua_absindex(L, index);
    if (!lua_istable(L, index) || lua_rawlen(L, index) != count)
        return false;
    luaL_checkstack(L, 4, NULL);
    size_t keys = 0;
    for (lua_pushnil(L); lua_next(L, index); keys++)
        lua_pop(L, 1);
    return keys == count;
}

static bool read_vector(lua_State *L, int index, double out[3])
{
    if (!tide_is_list(L, index, 3))
        return false;
    bool numbers = true;
    for (int k = 0; k < 3; k++) {
        numbers = lua_rawgeti(L, index, k + 1) == LUA_TNUMBER && numbers;
        out[k] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    return numbers;
}

static tide_value value_at(lua_State *L, int index, char shown[TIDE_VALUE_TEXT_SIZE])
{
    tide_value value = { .type = TIDE_VALUE_UNKNOWN };
    switch (lua_type(L, index)) {
    case LUA_TBOOLEAN:
        value.type = TIDE_VALUE_BOOLEAN;
        value.boolean = lua_toboolean(L, index);
        break;
    case LUA_TNUMBER:
        value.type = TIDE_VALUE_NUMBER;
        value.number = lua_tonumber(L, index);
        break;
    case LUA_TSTRING:
        value.type = TIDE_VALUE_TEXT;
        value.text = lua_tostring(L, index);
        break;
    case LUA_TTABLE:
        if (read_vector(L, index, value.vector))
            value.type = TIDE_VALUE_VECTOR;
        break;
    }
    if (value.type == TIDE_VALUE_UNKNOWN)
        value.shown = tide_show(L, index, shown);
    return value;
}

static bool is_known(const tide_field *fields, const char *name)
{
    for (; fields->name; fields++)
        if (strcmp(fields->name, name) == 0)
            return true;
    return false;
}

// Reports the first unknown name in byte order, so that the message does not depend on hashing. `record` is the field
// that the table belongs to, or NULL.
static void refuse_unknown(lua_State *L, int index, const tide_field *fields, const tide_field *record,
                           const char *owner, lua_Integer positional)
{
    const char *within = record ? record->name : "";
    const char *unknown = NULL;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) == LUA_TSTRING) {
            const char *name = lua_tostring(L, -1);
            if (!is_known(fields, name) && (!unknown || strcmp(name, unknown) < 0))
                unknown = name;
        } else if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 1 || lua_tointeger(L, -1) > positional) {
            char key[TIDE_VALUE_TEXT_SIZE], shown[TIDE_VALUE_TEXT_SIZE];
            snprintf(key, sizeof key, "%.30s[%.60s]", within, tide_show(L, -1, shown));
            tide_raise_bad(L, owner, key, NULL, "unexpected; give every field by its name");
        }
    }
    tide_error error;
    if (unknown) {
        tide_field_find(fields, owner, unknown, &error);
        if (record)
            snprintf(error.field, sizeof error.field, "%s.%s", within, unknown);
        tide_raise(L, &error);
    }
}

static _Noreturn void refuse_missing(lua_State *L, const char *owner, const tide_field *field)
{
    // A mesh that could not be read is nil. Repeats the reason, which the script may have dropped.
    const tide_context *context = tide_context_of(L);
    bool mesh = context && field->lua_type && strcmp(field->lua_type, "tide.Mesh") == 0;
    if (mesh && context->unread[0])
        tide_raise_bad(L, owner, field->name, NULL, "missing; tide.mesh.load gave none: %s", context->unread);
    tide_raise_bad(L, owner, field->name, NULL, "missing; %s", field->help);
}

// Reads the fields by name. `record` is as above; `object` holds it.
static void read_named(lua_State *L, int index, const tide_field *fields, const tide_field *record, const char *owner,
                       void *object)
{
    char name[TIDE_FIELD_NAME_SIZE];
    luaL_checkstack(L, 8, NULL);
    for (; fields->name; fields++) {
        tide_field field = record ? tide_field_within(record, fields, name) : *fields;
        lua_pushstring(L, fields->name);
        int type = lua_rawget(L, index);
        if (type == LUA_TNIL && field.required)
            refuse_missing(L, owner, &field);
        bool owned = field.type == TIDE_FIELD_OTHER || (field.lua_type && type == LUA_TFUNCTION) ||
                     (field.lua_type && strstr(field.lua_type, "tide.") && type == LUA_TTABLE);
        if (type != LUA_TNIL && !owned)
            tide_read_field(L, -1, &field, owner, object);
        lua_pop(L, 1);
    }
}

static void read_record(lua_State *L, int index, const tide_field *record, const char *owner, void *object)
{
    char name[TIDE_FIELD_NAME_SIZE], key[TIDE_FIELD_NAME_SIZE];
    tide_field first = tide_field_within(record, record->record, name);
    bool positional = first.type == TIDE_FIELD_CHOICE;
    refuse_unknown(L, index, record->record, record, owner, positional);
    tide_fields_default(record->record, (char *)object + record->offset);
    read_named(L, index, record->record, record, owner, object);
    if (lua_rawgeti(L, index, 1) != LUA_TNIL && positional) {
        snprintf(key, sizeof key, "%.40s[1]", record->name);
        lua_pushstring(L, record->record->name);
        if (lua_rawget(L, index) != LUA_TNIL)
            tide_raise_bad(L, owner, name, NULL, "given twice: as %s too; leave one of them out", key);
        lua_pop(L, 1);
        first.name = key;
        tide_read_field(L, -1, &first, owner, object);
    }
    lua_pop(L, 1);
}

void tide_read_field(lua_State *L, int index, const tide_field *field, const char *owner, void *object)
{
    tide_error error;
    char shown[TIDE_VALUE_TEXT_SIZE];
    index = lua_absindex(L, index);
    tide_property_plain(L, index);
    if (field->type == TIDE_FIELD_RECORD && lua_istable(L, index)) {
        read_record(L, index, field, owner, object);
        return;
    }
    if (lua_type(L, index) == LUA_TSTRING)
        tide_check_text(L, index, owner, field->name); // a zero byte would truncate it
    tide_value value = value_at(L, index, shown);
    tide_raise_unless_ok(L, tide_field_set(field, owner, object, &value, &error), &error);
}

void tide_read_fields(lua_State *L, int index, const tide_field *fields, const char *owner, void *object,
                      lua_Integer positional)
{
    index = lua_absindex(L, index);
    tide_property_plain(L, index);
    if (!lua_istable(L, index)) {
        char shown[TIDE_VALUE_TEXT_SIZE];
        tide_raise_bad(L, owner, NULL, NULL, "expected a table of fields, not %s", tide_show(L, index, shown));
    }
    refuse_unknown(L, index, fields, NULL, owner, positional);
    read_named(L, index, fields, NULL, owner, object);
}

// Pushes the text of the first field if all others are defaults, else a table of all fields.
static void push_record(lua_State *L, const tide_field *field, const void *object)
{
    const char *at = (const char *)object + field->offset;
    if (tide_field_is_default(field, object)) {
        tide_push_field(L, field->record, at);
        return;
    }
    lua_newtable(L);
    for (const tide_field *inner = field->record; inner->name; inner++) {
        tide_push_field(L, inner, at);
        lua_setfield(L, -2, inner->name);
    }
}

void tide_push_field(lua_State *L, const tide_field *field, const void *object)
{
    const char *at = (const char *)object + field->offset;
    switch (field->type) {
    case TIDE_FIELD_BOOLEAN:
        lua_pushboolean(L, *(const bool *)at);
        break;
    case TIDE_FIELD_INTEGER:
        lua_pushinteger(L, *(const int *)at);
        break;
    case TIDE_FIELD_REAL:
        if (tide_given(*(const double *)at))
            lua_pushnumber(L, *(const double *)at);
        else
            lua_pushstring(L, field->word); // NULL pushes nil
        break;
    case TIDE_FIELD_VECTOR:
        lua_createtable(L, 3, 0);
        for (int k = 0; k < 3; k++) {
            lua_pushnumber(L, ((const double *)at)[k]);
            lua_rawseti(L, -2, k + 1);
        }
        break;
    case TIDE_FIELD_CHOICE:
        lua_pushstring(L, field->choices[*(const int *)at]);
        break;
    case TIDE_FIELD_TEXT:
        lua_pushstring(L, at);
        break;
    case TIDE_FIELD_RECORD:
        push_record(L, field, object);
        break;
    case TIDE_FIELD_OTHER:
        lua_pushnil(L);
        break;
    }
}

void tide_join_fields(const tide_field *first, const tide_field *second, tide_field out[TIDE_MAX_FIELDS])
{
    size_t count = 0;
    for (; first->name && count < TIDE_MAX_FIELDS - 1; first++)
        out[count++] = *first;
    for (; second->name && count < TIDE_MAX_FIELDS - 1; second++)
        out[count++] = *second;
    out[count] = (tide_field) { 0 };
}

// Appends the fields to the list on top, those of a record directly after it.
static void push_list(lua_State *L, const tide_field *fields, const tide_field *record)
{
    char text[256], name[TIDE_FIELD_NAME_SIZE];
    for (; fields->name; fields++) {
        tide_field field = record ? tide_field_within(record, fields, name) : *fields;
        lua_newtable(L);
        tide_set_text(L, "name", field.name);
        tide_set_text(L, "type", tide_field_type_text(&field, text, sizeof text));
        tide_set_text(L, "default", tide_field_default_text(&field, text, sizeof text));
        tide_set_text(L, "range", tide_field_range_text(&field, text, sizeof text));
        tide_set_text(L, "unit", field.unit ? field.unit : "");
        tide_set_text(L, "help", field.help);
        bool number = field.type == TIDE_FIELD_REAL || field.type == TIDE_FIELD_INTEGER;
        if (number && field.minimum < field.maximum && isfinite(field.maximum)) {
            tide_set_number(L, "maximum", field.maximum);
        }
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
        if (field.type == TIDE_FIELD_RECORD)
            push_list(L, field.record, &field);
    }
}

void tide_push_field_list(lua_State *L, const tide_field *fields)
{
    lua_newtable(L);
    push_list(L, fields, NULL);
}

void tide_push_vec3(lua_State *L, const double values[3])
{
    lua_createtable(L, 3, 0);
    for (int k = 0; k < 3; k++) {
        lua_pushnumber(L, values[k]);
        lua_rawseti(L, -2, k + 1);
    }
}

void tide_copy_table(lua_State *L)
{
    if (!lua_istable(L, -1))
        return;
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, -3)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
    lua_remove(L, -2);
}

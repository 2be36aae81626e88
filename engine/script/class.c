#include "script/binding.h"
#include "world/material.h"

#include <stdio.h>
#include <string.h>

void tide_account(lua_State *L, size_t bytes)
{
    size_t kilobytes = bytes / 1024;
    if (kilobytes)
        lua_gc(L, LUA_GCSTEP, kilobytes < 1 << 20 ? (int)kilobytes : 1 << 20);
}

_Noreturn void tide_raise_unknown(lua_State *L, const char *object, const char *name, const char *const *known,
                                  size_t count)
{
    const char *nearest = tide_nearest_name(name, known, count);
    if (nearest)
        tide_raise_bad(L, object, name, NULL, "unknown; did you mean \"%s\"?", nearest);
    tide_raise_bad(L, object, name, NULL, "unknown");
}

static bool is_field(const tide_field *fields, const char *name)
{
    while (fields->name && strcmp(fields->name, name) != 0)
        fields++;
    return fields->name;
}

static bool is_material(const char *name)
{
    const tide_material *material;
    for (uint32_t m = 0; (material = tide_material_at(m)); m++)
        if (strcmp(material->name, name) == 0)
            return true;
    return false;
}

static bool is_defined(const tide_class *class, const char *name)
{
    if (strcmp(class->name, "tide.Body") == 0)
        return is_field(tide_body_fields, name) || is_material(name);
    bool found = is_field(tide_collider_fields, name);
    for (uint32_t i = 0; !found && tide_shape_kind_at(i); i++)
        found = is_field(tide_shape_kind_at(i)->fields, name);
    return found;
}

// Explains an unknown name at index 2 of a body or a collider at index 1: raises if the name is a field of the object's
// definition, else returns.
static void explain_part(lua_State *L, const tide_class *class)
{
    bool part = strcmp(class->name, "tide.Body") == 0 || strcmp(class->name, "tide.Collider") == 0;
    if (!part || lua_type(L, 2) != LUA_TSTRING)
        return;
    const char *name = lua_tostring(L, 2);
    if (is_defined(class, name))
        tide_raise_bad(L, class->label, name, NULL,
                       "unknown; only its definition has it: change it there, as by tide.param, and run the script "
                       "again");
}

static _Noreturn void raise_unknown_member(lua_State *L, const tide_class *class)
{
    enum { MAX_NAMES = 64 };
    const char *names[MAX_NAMES];
    size_t count = 0;
    explain_part(L, class);
    for (const tide_member *member = class->members; member && member->name && count < MAX_NAMES; member++)
        names[count++] = member->name;
    char shown[TIDE_VALUE_TEXT_SIZE];
    const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : tide_show(L, 2, shown);
    tide_raise_unknown(L, class->label, key, names, count);
}

static const tide_member *find_member(lua_State *L)
{
    lua_settop(L, 3);
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(1));
    const tide_member *member = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return member;
}

static int index_object(lua_State *L)
{
    const tide_class *class = lua_touserdata(L, lua_upvalueindex(2));
    if (class->element_get && lua_type(L, 2) == LUA_TNUMBER)
        return class->element_get(L);
    const tide_member *member = find_member(L);
    if (!member)
        raise_unknown_member(L, class);
    if (member->get)
        return member->get(L);
    lua_pushcfunction(L, member->call);
    return 1;
}

static int assign_object(lua_State *L)
{
    const tide_class *class = lua_touserdata(L, lua_upvalueindex(2));
    if (class->element_set && lua_type(L, 2) == LUA_TNUMBER)
        return class->element_set(L);
    const tide_member *member = find_member(L);
    if (!member)
        raise_unknown_member(L, class);
    if (!member->set)
        tide_raise_bad(L, class->label, member->name, NULL, "cannot be assigned");
    return member->set(L);
}

static int describe_object(lua_State *L)
{
    const tide_class *class = lua_touserdata(L, lua_upvalueindex(1));
    char number[32];
    snprintf(number, sizeof number, "0x%08llx", (unsigned long long)tide_object_serial(L, 1));
    lua_pushfstring(L, "%s: %s", class->name, number);
    return 1;
}

static void make_metatable(lua_State *L, const tide_class *class)
{
    lua_newtable(L);
    lua_newtable(L);
    for (const tide_member *member = class->members; member && member->name; member++) {
        lua_pushlightuserdata(L, (void *)member);
        lua_setfield(L, -2, member->name);
    }
    lua_pushvalue(L, -1);
    lua_pushlightuserdata(L, (void *)class);
    lua_pushcclosure(L, index_object, 2);
    lua_setfield(L, -3, "__index");
    lua_pushlightuserdata(L, (void *)class);
    lua_pushcclosure(L, assign_object, 2);
    lua_setfield(L, -2, "__newindex");
    lua_pushlightuserdata(L, (void *)class);
    lua_pushcclosure(L, describe_object, 1);
    lua_setfield(L, -2, "__tostring");
    tide_set_text(L, "__name", class->name);
    lua_pushstring(L, class->name);
    lua_setfield(L, -2, "__metatable"); // keeps scripts away from __gc
    if (class->metamethods)
        luaL_setfuncs(L, class->metamethods, 0);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, class);
}

void *tide_object_new(lua_State *L, const tide_class *class, size_t size, int values)
{
    luaL_checkstack(L, 8, NULL);
    // The serial number follows the object.
    tide_context *context = tide_context_of(L);
    uint64_t serial = context ? ++context->objects : 0;
    size = (size + sizeof serial - 1) / sizeof serial * sizeof serial;
    void *object = lua_newuserdatauv(L, size + sizeof serial, values);
    memset(object, 0, size);
    memcpy((char *)object + size, &serial, sizeof serial);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, class) == LUA_TNIL) {
        lua_pop(L, 1);
        make_metatable(L, class);
    }
    lua_setmetatable(L, -2);
    return object;
}

uint64_t tide_object_serial(lua_State *L, int index)
{
    uint64_t serial = 0;
    luaL_checkstack(L, 4, NULL);
    if (!lua_getmetatable(L, index))
        return 0;
    lua_pushliteral(L, "__metatable");
    bool own = lua_rawget(L, -2) == LUA_TSTRING && strncmp(lua_tostring(L, -1), "tide.", 5) == 0;
    lua_pop(L, 2);
    if (own)
        memcpy(&serial, (char *)lua_touserdata(L, index) + lua_rawlen(L, index) - sizeof serial, sizeof serial);
    return serial;
}

void *tide_object_test(lua_State *L, int index, const tide_class *class)
{
    void *object = lua_touserdata(L, index);
    if (!object || !lua_getmetatable(L, index))
        return NULL;
    lua_rawgetp(L, LUA_REGISTRYINDEX, class);
    bool same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return same ? object : NULL;
}

void *tide_object_named(lua_State *L, int index, const char *name)
{
    void *object = lua_touserdata(L, index);
    luaL_checkstack(L, 4, NULL);
    if (!object || !lua_getmetatable(L, index))
        return NULL;
    lua_pushliteral(L, "__metatable");
    bool same = lua_rawget(L, -2) == LUA_TSTRING && strcmp(lua_tostring(L, -1), name) == 0;
    lua_pop(L, 2);
    return same ? object : NULL;
}

void *tide_object_check(lua_State *L, int index, const tide_class *class)
{
    void *object = tide_object_test(L, index, class);
    if (!object) {
        char shown[TIDE_VALUE_TEXT_SIZE];
        tide_raise_bad(L, class->label, NULL, NULL, "expected a %s, not %s", class->label, tide_show(L, index, shown));
    }
    return object;
}

void *tide_object_self(lua_State *L, const tide_class *class)
{
    void *object = tide_object_test(L, 1, class);
    if (!object) {
        char shown[TIDE_VALUE_TEXT_SIZE];
        tide_raise_bad(L, class->label, NULL, NULL,
                       "expected a %s before the method's name, not %s; call it with a colon: %s:method(...)",
                       class->label, tide_show(L, 1, shown), class->label);
    }
    return object;
}

const tide_member tide_no_members[] = { { 0 } };

static int collect_text(lua_State *L)
{
    tide_text_free(lua_touserdata(L, 1));
    return 0;
}

static const luaL_Reg text_metamethods[] = { { "__gc", collect_text }, { 0 } };
static const tide_class text_class = { "tide.Text", "text", "", tide_no_members, text_metamethods, NULL, NULL };

tide_text *tide_text_new(lua_State *L)
{
    return tide_object_new(L, &text_class, sizeof(tide_text), 0);
}

void tide_push_weak_table(lua_State *L, const void *key)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, key) == LUA_TTABLE)
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_newtable(L);
    tide_set_text(L, "__mode", "v");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, key);
}

void tide_set_functions(lua_State *L, const tide_member *members, int upvalue)
{
    for (; members->name; members++) {
        if (!members->call)
            continue;
        lua_pushvalue(L, upvalue);
        lua_pushcclosure(L, members->call, 1);
        lua_setfield(L, -2, members->name);
    }
}

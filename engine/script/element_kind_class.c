// Kinds of elements that tide.element made, as Lua objects.
#include "script/symbol_binding.h"

typedef struct kind_handle {
    const tide_element_kind *kind; // retained; NULL while it is made
} kind_handle;

static int collect_kind(lua_State *L)
{
    kind_handle *handle = lua_touserdata(L, 1);
    if (handle->kind)
        tide_element_release(handle->kind);
    handle->kind = NULL;
    return 0;
}

static const tide_element_kind *self_kind(lua_State *L)
{
    return ((const kind_handle *)tide_object_self(L, &tide_element_kind_class))->kind;
}

TIDE_GETTER(kind_name, lua_pushstring, self_kind(L)->name);
TIDE_GETTER(kind_vertex_count, lua_pushinteger, self_kind(L)->vertex_count);

static const tide_member kind_members[] = {
    { "name", .get = kind_name, .type = "string", .help = "its name" },
    { "vertex_count", .get = kind_vertex_count, .type = "integer", .help = "vertices that an element joins" },
    { 0 },
};
static const luaL_Reg kind_metamethods[] = { { "__gc", collect_kind }, { 0 } };

const tide_class tide_element_kind_class = {
    "tide.ElementKind",
    "kind of element",
    "A kind of element made by tide.element. Bodies take it as elements = { { kind, on = \"edges\", NAME = value } }.",
    kind_members,
    kind_metamethods,
    NULL,
    NULL,
};

const tide_element_kind *tide_element_kind_of(lua_State *L, int index)
{
    const kind_handle *handle = tide_object_test(L, index, &tide_element_kind_class);
    return handle ? handle->kind : NULL;
}

const tide_element_kind **tide_element_kind_push(lua_State *L)
{
    kind_handle *handle = tide_object_new(L, &tide_element_kind_class, sizeof *handle, 0);
    return &handle->kind;
}

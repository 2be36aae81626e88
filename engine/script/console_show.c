// Conversion of values to readable text for the console.
#include "script/console_parts.h"

#include "script/collider_binding.h"
#include "script/identity.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum {
    DEPTH = 3,        // maximum depth of nested tables
    ITEMS = 24,       // maximum items of a table
    NUMBERS = 12,     // maximum numbers of a buffer or vector
    INNER_TEXT = 200, // maximum bytes of a string in a table
    LINE = 76,        // maximum width of a table on one line, characters
    SHOWN = 1 << 16   // maximum bytes of one value
};

static void show(lua_State *L, int index, int depth, int indent, tide_text *text);

static bool is_full(const tide_text *text)
{
    return text->length >= SHOWN || text->failed;
}

// --- plain values ----------------------------------------------------------------------------------------------------

static void show_number(lua_State *L, int index, tide_text *text)
{
    size_t length;
    lua_pushvalue(L, index);
    const char *number = lua_tolstring(L, -1, &length);
    if (lua_tonumber(L, index) != lua_tonumber(L, index)) // drops the sign bit of NaN
        tide_text_add(text, "nan", 3);
    else
        tide_text_add(text, number, length);
    lua_pop(L, 1);
}

static void show_quoted(lua_State *L, int index, tide_text *text)
{
    size_t length;
    const char *bytes = lua_tolstring(L, index, &length);
    size_t shown = length < INNER_TEXT ? length : INNER_TEXT;
    tide_text_add(text, "\"", 1);
    for (size_t i = 0; i < shown; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == '\n')
            tide_text_add(text, "\\n", 2);
        else if (c == '"' || c == '\\')
            tide_text_format(text, "\\%c", c);
        else if (iscntrl(c))
            tide_text_format(text, "\\%03u", c);
        else
            tide_text_add(text, bytes + i, 1);
    }
    tide_text_add(text, "\"", 1);
    if (shown < length)
        tide_text_format(text, "... (%zu bytes)", length);
}

static void show_function(lua_State *L, int index, tide_text *text)
{
    lua_Debug about;
    lua_pushvalue(L, index);
    lua_getinfo(L, ">S", &about);
    if (strcmp(about.what, "C") == 0)
        tide_text_format(text, "function (of the engine or Lua)");
    else
        tide_text_format(text, "function (%s:%d)",
                         about.source[0] == '@' || about.source[0] == '=' ? about.source + 1 : "text",
                         about.linedefined);
}

// --- objects of the engine -------------------------------------------------------------------------------------------

static void show_numbers(const double *values, size_t count, tide_text *text)
{
    size_t shown = count < NUMBERS ? count : NUMBERS;
    for (size_t i = 0; i < shown; i++)
        tide_text_format(text, "%s%.6g", i ? ", " : "", values[i]);
    if (shown < count)
        tide_text_format(text, ", ...");
}

static void show_scene(lua_State *L, const tide_scene_handle *handle, tide_text *text)
{
    const tide_scene *scene = tide_scene_live(L, handle);
    const tide_world *world = scene->world;
    uint32_t bodies = tide_world_body_count(world), colliders = tide_world_collider_count(world);
    tide_text_format(text, "scene \"%s\": t = %g s, frame %llu, %u %s, %u vertices, %u %s, solver %s", scene->title,
                     tide_world_time(world), (unsigned long long)tide_world_frame(world), bodies,
                     bodies == 1 ? "body" : "bodies", tide_world_particle_count(world), colliders,
                     colliders == 1 ? "collider" : "colliders", tide_solver_kind_of(tide_world_solver(world))->name);
}

static void show_body(lua_State *L, const tide_body_handle *body, tide_text *text)
{
    tide_body_info info;
    tide_body_live(L, body, &info);
    tide_text_format(text, "body \"%s\": %u vertices, %u springs, %u triangles", body->name, info.vertex_count,
                     info.spring_count, info.triangle_count);
}

static void show_collider(lua_State *L, const tide_collider_handle *handle, tide_text *text)
{
    const tide_scene *scene = tide_scene_live(L, handle->scene);
    const tide_collider *collider =
        tide_world_collider(scene->world, (tide_collider_id) { handle->index, handle->generation });
    if (!collider)
        tide_part_gone(L, "collider", handle->name);
    tide_pose pose = tide_collider_pose(collider, 1);
    tide_text_format(text, "collider \"%s\": %s at ", handle->name, collider->kind->name);
    show_numbers(pose.position, 3, text);
}

static void show_buffer(lua_State *L, const tide_buffer *buffer, tide_text *text)
{
    uint32_t size;
    const double *values = tide_buffer_data(L, buffer, &size);
    tide_text_format(text, "%s of %s \"%s\" (%u numbers): ", buffer->velocities ? "velocities" : "positions",
                     buffer->of_collider ? "collider" : "body", buffer->body.name, size);
    show_numbers(values, size, text);
}

static void show_userdata(lua_State *L, int index, tide_text *text)
{
    const void *object;
    if ((object = tide_object_test(L, index, &tide_scene_class)))
        show_scene(L, object, text);
    else if ((object = tide_object_test(L, index, &tide_body_class)))
        show_body(L, object, text);
    else if ((object = tide_object_test(L, index, &tide_collider_class)))
        show_collider(L, object, text);
    else if ((object = tide_object_test(L, index, &tide_buffer_class)))
        show_buffer(L, object, text);
    else if ((object = tide_object_test(L, index, &tide_vector_class))) {
        const tide_vector *vector = object;
        tide_text_format(text, "vector (%zu numbers): ", vector->size);
        show_numbers(vector->values, vector->size, text);
    } else if (tide_object_test(L, index, &tide_mesh_class)) {
        const tide_mesh *mesh = tide_mesh_of(L, index);
        tide_text_format(text, "mesh: %u vertices, %u edges, %u triangles, %u tetrahedra", mesh->vertex_count,
                         mesh->edge_count, mesh->triangle_count, mesh->tetrahedron_count);
    } else {
        char shown[TIDE_VALUE_TEXT_SIZE];
        const char *name = tide_show(L, index, shown);
        tide_text_add(text, name, strlen(name));
    }
}

// --- tables ----------------------------------------------------------------------------------------------------------

static bool is_name(const char *text, size_t length)
{
    static const char *const words[] = { "and",      "break",  "do",   "else", "elseif", "end",   "false", "for",
                                         "function", "goto",   "if",   "in",   "local",  "nil",   "not",   "or",
                                         "repeat",   "return", "then", "true", "until",  "while", NULL };
    for (size_t i = 0; i < length; i++)
        if (!(isalnum((unsigned char)text[i]) || text[i] == '_') || (i == 0 && isdigit((unsigned char)text[0])))
            return false;
    for (const char *const *word = words; *word; word++)
        if (strlen(*word) == length && memcmp(*word, text, length) == 0)
            return false;
    return length > 0;
}

static void show_key(lua_State *L, int index, tide_text *text)
{
    size_t length = 0;
    const char *bytes = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &length) : NULL;
    if (bytes && is_name(bytes, length))
        tide_text_add(text, bytes, length);
    else {
        tide_text_add(text, "[", 1);
        show(L, index, DEPTH, 0, text);
        tide_text_add(text, "]", 1);
    }
    tide_text_add(text, " = ", 3);
}

static void break_line(int indent, tide_text *text)
{
    tide_text_format(text, "\n%*s", 2 * indent, "");
}

// Appends the items of the table at `index`, whose sorted keys are on top: on one line, or with `wide` one per line.
static void show_items(lua_State *L, int index, int depth, int indent, bool wide, tide_text *text)
{
    int keys = lua_gettop(L);
    lua_Integer count = (lua_Integer)lua_rawlen(L, keys), list = 0;
    for (lua_Integer i = 1; i <= count && !is_full(text); i++) {
        tide_text_add(text, i > 1 ? "," : "", i > 1);
        if (wide)
            break_line(indent + 1, text);
        else
            tide_text_add(text, " ", 1);
        if (i > ITEMS) {
            tide_text_format(text, "... (%lld in all)", (long long)count);
            break;
        }
        lua_rawgeti(L, keys, i);
        if (lua_isinteger(L, -1) && lua_tointeger(L, -1) == list + 1)
            list++;
        else
            show_key(L, lua_gettop(L), text);
        lua_rawget(L, index);
        show(L, lua_gettop(L), depth + 1, indent + 1, text);
        lua_settop(L, keys);
    }
    if (wide)
        break_line(indent, text);
    else
        tide_text_add(text, " ", 1);
}

static void show_table(lua_State *L, int index, int depth, int indent, tide_text *text)
{
    luaL_checkstack(L, 16, NULL);
    int top = lua_gettop(L);
    tide_push_sorted_keys(L, index);
    if (lua_rawlen(L, -1) == 0) {
        tide_text_add(text, "{}", 2);
    } else if (depth >= DEPTH) {
        tide_text_format(text, "{ ... (%zu in all) }", (size_t)lua_rawlen(L, -1));
    } else {
        size_t start = text->length;
        tide_text_add(text, "{", 1);
        show_items(L, index, depth, indent, false, text);
        bool fits = !text->failed && text->length - start + 2 * (size_t)indent <= LINE &&
                    !memchr(text->bytes + start, '\n', text->length - start);
        if (!fits && !text->failed) {
            text->length = start + 1;
            text->bytes[text->length] = '\0';
            show_items(L, index, depth, indent, true, text);
        }
        tide_text_add(text, "}", 1);
    }
    lua_settop(L, top);
}

static void show(lua_State *L, int index, int depth, int indent, tide_text *text)
{
    size_t length;
    const char *bytes;
    if (is_full(text))
        return;
    tide_property_plain(L, index);
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        show_number(L, index, text);
        break;
    case LUA_TSTRING:
        bytes = lua_tolstring(L, index, &length);
        if (depth == 0)
            tide_text_add(text, bytes, length < SHOWN ? length : SHOWN);
        else
            show_quoted(L, index, text);
        break;
    case LUA_TFUNCTION:
        show_function(L, index, text);
        break;
    case LUA_TUSERDATA:
        show_userdata(L, index, text);
        break;
    case LUA_TTABLE:
        if (luaL_getmetafield(L, index, "__tostring") != LUA_TNIL) {
            lua_pop(L, 1);
            bytes = tide_push_text(L, index, &length);
            tide_text_add(text, bytes, length < SHOWN ? length : SHOWN);
            lua_pop(L, 1);
        } else
            show_table(L, index, depth, indent, text);
        break;
    default: {
        char shown[TIDE_VALUE_TEXT_SIZE];
        bytes = tide_show(L, index, shown);
        tide_text_add(text, bytes, strlen(bytes));
        break;
    }
    }
}

void tide_console_show(lua_State *L, int index, tide_text *text)
{
    show(L, lua_absindex(L, index), 0, 0, text);
    if (text->failed)
        tide_raise_memory(L, "console");
    if (text->length >= SHOWN)
        tide_text_format(text, " ...");
}

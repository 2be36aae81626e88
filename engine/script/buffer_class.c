// Buffers: flat lists that give access to the engine's memory of a body's positions or velocities, or of a collider's
// positions. The memory is looked up on every use.
#include "script/collider_binding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void tide_buffer_push(lua_State *L, tide_buffer what)
{
    tide_buffer *buffer = tide_object_new(L, &tide_buffer_class, sizeof *buffer, 1);
    *buffer = what;
    lua_getiuservalue(L, 1, 1);
    lua_setiuservalue(L, -2, 1);
}

static const char *name_of(const tide_buffer *buffer)
{
    return buffer->velocities ? "velocities" : "positions";
}

static const char *kind_of(const tide_buffer *buffer)
{
    return buffer->of_collider ? "collider" : "body";
}

static _Noreturn void refuse(lua_State *L, const tide_buffer *buffer, const char *value, const char *remedy,
                             size_t size)
{
    char object[TIDE_OBJECT_TEXT];
    tide_part_name(kind_of(buffer), buffer->body.name, object);
    tide_raise_bad(L, object, name_of(buffer), value, remedy, size);
}

// Returns the numbers for writing.
static double *data_to_change(lua_State *L, const tide_buffer *buffer, uint32_t *size)
{
    tide_error error;
    tide_scene *scene;
    double *data = tide_buffer_find(L, buffer, &scene, size);
    tide_status idle = tide_world_check_idle(scene->world, name_of(buffer), &error);
    tide_raise_unless_ok(L, idle, &error);
    return data;
}

static double check_number(lua_State *L, int index, const tide_buffer *buffer)
{
    if (lua_type(L, index) == LUA_TNUMBER) {
        double number = lua_tonumber(L, index);
        if (isfinite(number))
            return number;
    }
    char object[TIDE_OBJECT_TEXT];
    tide_part_name(kind_of(buffer), buffer->body.name, object);
    return tide_check_number(L, index, object, name_of(buffer));
}

// --- access to one number or one vertex ------------------------------------------------------------------------------

// Returns the offset of the number with the key at index 2. The key after the last gives the size, so that loops end.
static uint32_t place_of(lua_State *L, const tide_buffer *buffer, uint32_t size, bool may_end)
{
    int is_integer;
    lua_Integer i = lua_tointegerx(L, 2, &is_integer);
    if (is_integer && i >= 1 && i <= (lua_Integer)size + may_end)
        return (uint32_t)(i - 1);
    char shown[TIDE_VALUE_TEXT_SIZE];
    refuse(L, buffer, tide_show(L, 2, shown), "expected an index from 1 to %zu", size);
}

static int get_element(lua_State *L)
{
    uint32_t size;
    const tide_buffer *buffer = tide_object_check(L, 1, &tide_buffer_class);
    const double *data = tide_buffer_data(L, buffer, &size);
    uint32_t place = place_of(L, buffer, size, true);
    if (place < size)
        lua_pushnumber(L, data[place]);
    else
        lua_pushnil(L);
    return 1;
}

static int set_element(lua_State *L)
{
    uint32_t size;
    const tide_buffer *buffer = tide_object_check(L, 1, &tide_buffer_class);
    tide_buffer_data(L, buffer, &size);
    uint32_t place = place_of(L, buffer, size, false);
    double *data = data_to_change(L, buffer, &size);
    data[place] = check_number(L, 3, buffer);
    return 0;
}

static const tide_buffer *self(lua_State *L)
{
    return tide_object_self(L, &tide_buffer_class);
}

static uint32_t check_vertex(lua_State *L, const tide_buffer *buffer, uint32_t size)
{
    int is_integer;
    lua_Integer i = lua_tointegerx(L, 2, &is_integer);
    if (is_integer && i >= 1 && i <= (lua_Integer)size / 3)
        return 3 * (uint32_t)(i - 1);
    char shown[TIDE_VALUE_TEXT_SIZE];
    refuse(L, buffer, tide_show(L, 2, shown), "expected a vertex from 1 to %zu", size / 3);
}

static int get_vertex(lua_State *L)
{
    uint32_t size;
    const tide_buffer *buffer = self(L);
    const double *data = tide_buffer_data(L, buffer, &size);
    data += check_vertex(L, buffer, size);
    for (int k = 0; k < 3; k++)
        lua_pushnumber(L, data[k]);
    return 3;
}

static int set_vertex(lua_State *L)
{
    uint32_t size;
    double numbers[3];
    const tide_buffer *buffer = self(L);
    double *data = data_to_change(L, buffer, &size);
    data += check_vertex(L, buffer, size);
    for (int k = 0; k < 3; k++)
        numbers[k] = check_number(L, 3 + k, buffer);
    memcpy(data, numbers, sizeof numbers);
    return 0;
}

// --- access to all numbers -------------------------------------------------------------------------------------------

static int length(lua_State *L)
{
    uint32_t size;
    tide_buffer_data(L, tide_object_check(L, 1, &tide_buffer_class), &size);
    lua_pushinteger(L, size);
    return 1;
}

static int to_table(lua_State *L)
{
    uint32_t size;
    const tide_buffer *buffer = self(L);
    const double *data = tide_buffer_data(L, buffer, &size);
    lua_settop(L, 2);
    if (lua_isnil(L, 2)) {
        lua_createtable(L, (int)size, 0);
        lua_replace(L, 2);
    }
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (!lua_istable(L, 2))
        refuse(L, buffer, tide_show(L, 2, shown), "expected a table to fill with %zu numbers", size);
    for (lua_Integer i = (lua_Integer)lua_rawlen(L, 2); i > (lua_Integer)size; i--) {
        lua_pushnil(L);
        lua_rawseti(L, 2, i);
    }
    for (uint32_t i = 0; i < size; i++) {
        lua_pushnumber(L, data[i]);
        lua_rawseti(L, 2, (lua_Integer)i + 1);
    }
    return 1;
}

static int to_vector(lua_State *L)
{
    uint32_t size;
    const double *data = tide_buffer_data(L, self(L), &size);
    memcpy(tide_vector_new(L, size)->values, data, size * sizeof *data);
    return 1;
}

// Returns as many numbers as the buffer has from the value at `index`. Copies a table. Checks that all are finite.
static const double *check_all(lua_State *L, int index, const tide_buffer *buffer, uint32_t count)
{
    size_t size = count;
    char object[TIDE_OBJECT_TEXT];
    if (lua_istable(L, index) && lua_rawlen(L, index) == count) {
        double *numbers = lua_newuserdatauv(L, count * sizeof *numbers + 1, 0);
        uint32_t good = 0;
        for (; good < count; good++) {
            bool is_number = lua_rawgeti(L, index, (lua_Integer)good + 1) == LUA_TNUMBER;
            numbers[good] = lua_tonumber(L, -1);
            lua_pop(L, 1);
            if (!is_number || !isfinite(numbers[good]))
                break;
        }
        if (good == count)
            return numbers;
        lua_pop(L, 1); // the check below reports the error
    }
    tide_part_name(kind_of(buffer), buffer->body.name, object);
    const double *numbers = tide_check_numbers(L, index, &size, object, name_of(buffer));
    for (uint32_t i = 0; i < count; i++)
        if (!isfinite(numbers[i]))
            refuse(L, buffer, NULL, "number %zu of those given is not finite", (size_t)i + 1);
    return numbers;
}

// Returns the numbers again after code that may have run a script: a call or a memory allocation.
static double *data_again(lua_State *L, const tide_buffer *buffer, uint32_t size)
{
    uint32_t now;
    double *data = data_to_change(L, buffer, &now);
    if (now != size)
        refuse(L, buffer, NULL, "the scene changed meanwhile: there were %zu numbers", size);
    return data;
}

static int assign(lua_State *L)
{
    uint32_t size;
    const tide_buffer *buffer = self(L);
    data_to_change(L, buffer, &size);
    lua_settop(L, 2);
    const double *numbers = check_all(L, 2, buffer, size);
    memmove(data_again(L, buffer, size), numbers, size * sizeof *numbers);
    lua_settop(L, 1);
    return 1;
}

// Adds factor * b to a. Changes nothing if a result is not finite.
static int add(lua_State *L)
{
    uint32_t size;
    const tide_buffer *buffer = self(L);
    data_to_change(L, buffer, &size);
    lua_settop(L, 3);
    double factor = lua_isnil(L, 3) ? 1 : check_number(L, 3, buffer);
    const double *more = check_all(L, 2, buffer, size);
    double *data = data_again(L, buffer, size);
    for (uint32_t i = 0; i < size; i++)
        if (!isfinite(data[i] + factor * more[i]))
            refuse(L, buffer, NULL, "number %zu of the sum is not finite", (size_t)i + 1);
    for (uint32_t i = 0; i < size; i++)
        data[i] += factor * more[i];
    lua_settop(L, 1);
    return 1;
}

static int fill(lua_State *L)
{
    uint32_t size;
    double numbers[3];
    const tide_buffer *buffer = self(L);
    double *data = data_to_change(L, buffer, &size);
    for (int k = 0; k < 3; k++)
        numbers[k] = check_number(L, 2 + k, buffer);
    for (uint32_t i = 0; i < size; i += 3)
        memcpy(data + i, numbers, sizeof numbers);
    lua_settop(L, 1);
    return 1;
}

// --- bytes -----------------------------------------------------------------------------------------------------------
// The bytes are those of doubles, little-endian on every machine.

static int to_bytes(lua_State *L)
{
    uint32_t size, now;
    const tide_buffer *buffer = self(L);
    tide_buffer_data(L, buffer, &size);
    unsigned char *bytes = lua_newuserdatauv(L, size * sizeof(double) + 1, 0);
    const double *data = tide_buffer_data(L, buffer, &now); // again, because the allocation may run a finalizer
    for (uint32_t i = 0; i < size && i < now; i++) {
        uint64_t bits;
        memcpy(&bits, &data[i], sizeof bits);
        for (int k = 0; k < 8; k++)
            bytes[8 * (size_t)i + (size_t)k] = (unsigned char)(bits >> 8 * k);
    }
    lua_pushlstring(L, (const char *)bytes, (size < now ? size : now) * sizeof(double));
    return 1;
}

static double number_of_bytes(const unsigned char bytes[8])
{
    uint64_t bits = 0;
    double number;
    for (int k = 0; k < 8; k++)
        bits |= (uint64_t)bytes[k] << 8 * k;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static int set_bytes(lua_State *L)
{
    uint32_t size;
    size_t length;
    char shown[TIDE_VALUE_TEXT_SIZE];
    const tide_buffer *buffer = self(L);
    double *data = data_to_change(L, buffer, &size);
    const unsigned char *bytes = (const unsigned char *)lua_tolstring(L, 2, &length);
    snprintf(shown, sizeof shown, "%zu bytes", length);
    if (length != size * sizeof(double))
        refuse(L, buffer, shown, "expected %zu bytes, 8 a number", size * sizeof(double));
    for (uint32_t i = 0; i < size; i++)
        if (!isfinite(number_of_bytes(bytes + 8 * (size_t)i)))
            refuse(L, buffer, NULL, "number %zu of the bytes is not finite", (size_t)i + 1);
    for (uint32_t i = 0; i < size; i++)
        data[i] = number_of_bytes(bytes + 8 * (size_t)i);
    lua_settop(L, 1);
    return 1;
}

// set(vertex, x, y, z) or set(bytes).
static int set(lua_State *L)
{
    return lua_type(L, 2) == LUA_TSTRING ? set_bytes(L) : set_vertex(L);
}

// --- a function for each vertex --------------------------------------------------------------------------------------

// The function sees the old numbers. They change after it has seen all, so that an error changes none and the function
// may read the buffer.
static int each(lua_State *L)
{
    uint32_t size;
    const tide_buffer *buffer = self(L);
    data_to_change(L, buffer, &size);
    lua_settop(L, 2);
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (!lua_isfunction(L, 2))
        refuse(L, buffer, tide_show(L, 2, shown), "expected a function(i, x, y, z), to be called for %zu vertices",
               size / 3);
    double *numbers = lua_newuserdatauv(L, size * sizeof *numbers + 1, 0);
    memcpy(numbers, data_again(L, buffer, size), size * sizeof *numbers);
    for (uint32_t i = 0; i < size; i += 3) {
        lua_pushvalue(L, 2);
        lua_pushinteger(L, (lua_Integer)i / 3 + 1);
        for (int k = 0; k < 3; k++)
            lua_pushnumber(L, numbers[i + (uint32_t)k]);
        lua_call(L, 4, 3);
        if (lua_type(L, 4) != LUA_TNIL)
            for (int k = 0; k < 3; k++)
                numbers[i + (uint32_t)k] = check_number(L, 4 + k, buffer);
        lua_settop(L, 3);
    }
    memcpy(data_again(L, buffer, size), numbers, size * sizeof *numbers);
    lua_settop(L, 1);
    return 1;
}

static const tide_member members[] = {
    { "get", get_vertex, .type = "(vertex: integer): number, number, number", .help = "Returns x, y, z of a vertex." },
    { "set", set, .type = "(vertex: integer|string, x?: number, y?: number, z?: number): tide.Buffer?",
      .help = "Sets x, y, z of a vertex; or, from a string as bytes() makes it, all numbers. If one of them is not "
              "finite, nothing changes." },
    { "bytes", to_bytes, .type = "(): string",
      .help = "Returns all numbers as raw bytes: 8 a number, a little-endian double, as string.unpack(\"<d\", s) and "
              "numpy.frombuffer(s, \"<f8\") read them." },
    { "table", to_table, .type = "(into?: number[]): number[]",
      .help = "Copies all numbers into a new table or into the given one. A table is faster to read and change; "
              "assign() writes it back." },
    { "assign", assign, .type = "(numbers: tide.Numbers): tide.Buffer",
      .help = "Replaces all numbers by those of a list of the same length. If one of them is not finite, nothing "
              "changes." },
    { "copy", to_vector, .type = "(): tide.Vector", .help = "Returns a copy of the numbers as a vector." },
    { "add", add, .type = "(numbers: tide.Numbers, factor?: number): tide.Buffer",
      .help = "Adds factor (default 1) times a list of the same length." },
    { "fill", fill, .type = "(x: number, y: number, z: number): tide.Buffer",
      .help = "Sets all vertices to the same x, y, z." },
    { "each", each,
      .type = "(visit: fun(vertex: integer, x: number, y: number, z: number): number?, number?, number?): tide.Buffer",
      .help = "Calls the function for each vertex. The three numbers that it returns replace those of the vertex after "
              "all vertices have been visited; if it returns nothing, the vertex stays unchanged." },
    { 0 },
};
static const luaL_Reg metamethods[] = { { "__len", length }, { 0 } };

const tide_class tide_buffer_class = {
    "tide.Buffer",
    "buffer",
    "Numbers of a body or a collider in the engine's own memory: buffer[1] to buffer[#buffer], x, y, z of each vertex "
    "in turn. Access to single numbers is ten times slower than that of a table; operations on whole buffers are fast.",
    members,
    metamethods,
    get_element,
    set_element,
};

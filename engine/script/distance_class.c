// Signed distances in Lua: the class, whose methods return new distances, and the combinations.
#include "script/distance_binding.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>

void tide_distance_push_handle(lua_State *L)
{
    tide_object_new(L, &tide_distance_class, sizeof(tide_distance_handle), 0);
}

void tide_distance_hand_over(lua_State *L, const tide_distance *distance, uint64_t hash)
{
    tide_distance_handle *handle = lua_touserdata(L, -1);
    handle->distance = distance;
    handle->hash = hash;
}

const tide_distance_handle *tide_distance_of(lua_State *L, int index)
{
    return tide_object_test(L, index, &tide_distance_class);
}

static const tide_distance_handle *self(lua_State *L)
{
    return tide_object_self(L, &tide_distance_class);
}

// Gives the handle on top the new distance.
static int finish(lua_State *L, tide_status status, const tide_distance *distance, uint64_t hash, tide_error *error)
{
    tide_raise_unless_ok(L, status, error);
    tide_distance_hand_over(L, distance, hash);
    return 1;
}

// Hashes an operation on a distance with numbers.
static uint64_t hash_of(const char *operation, const tide_distance_handle *of, const double *numbers, size_t count)
{
    if (!of->hash)
        return 0;
    uint64_t hash = tide_hash_string(TIDE_HASH_START, operation);
    hash = tide_hash_bytes(hash, &of->hash, sizeof of->hash);
    return tide_hash_bytes(hash, numbers, count * sizeof *numbers);
}

static void check_list(lua_State *L, int index, const char *field, double out[3])
{
    const tide_field vector = { field, TIDE_FIELD_VECTOR, 0, .help = "" };
    tide_read_field(L, index, &vector, "distance", out);
}

static int translate(lua_State *L)
{
    const tide_distance_handle *of = self(L);
    const tide_distance *moved = NULL;
    tide_error error;
    double by[3];
    tide_check_vec3(L, 2, "distance", "translate", by);
    tide_distance_push_handle(L);
    tide_status status = tide_distance_translate(of->distance, by, &moved, &error);
    return finish(L, status, moved, hash_of("translate", of, by, 3), &error);
}

static int rotate(lua_State *L)
{
    const tide_distance_handle *of = self(L);
    const tide_distance *turned = NULL;
    tide_error error;
    double numbers[4];
    check_list(L, 2, "rotate", numbers);
    numbers[3] = tide_check_number(L, 3, "distance", "rotate (angle)");
    tide_distance_push_handle(L);
    tide_status status = tide_distance_rotate(of->distance, numbers, numbers[3], &turned, &error);
    return finish(L, status, turned, hash_of("rotate", of, numbers, 4), &error);
}

static int scale(lua_State *L)
{
    const tide_distance_handle *of = self(L);
    const tide_distance *scaled = NULL;
    tide_error error;
    double factor = tide_check_number(L, 2, "distance", "scale");
    tide_distance_push_handle(L);
    tide_status status = tide_distance_scale(of->distance, factor, &scaled, &error);
    return finish(L, status, scaled, hash_of("scale", of, &factor, 1), &error);
}

static int grow(lua_State *L)
{
    const tide_distance_handle *of = self(L);
    const tide_distance *grown = NULL;
    tide_error error;
    double by = tide_check_number(L, 2, "distance", "grow");
    tide_distance_push_handle(L);
    tide_status status = tide_distance_grow(of->distance, by, &grown, &error);
    return finish(L, status, grown, hash_of("grow", of, &by, 1), &error);
}

static int copies(lua_State *L)
{
    const tide_distance_handle *of = self(L);
    const tide_distance *repeated = NULL;
    tide_error error;
    double numbers[6];
    char shown[TIDE_VALUE_TEXT_SIZE];
    int counts[3];
    check_list(L, 2, "copies (counts)", numbers);
    check_list(L, 3, "copies (spacing)", numbers + 3);
    for (int k = 0; k < 3; k++) {
        if (!(numbers[k] >= 1 && numbers[k] <= 1e6 && numbers[k] == (int)numbers[k])) {
            snprintf(shown, sizeof shown, "%.10g", numbers[k]);
            tide_raise_bad(L, "distance", "copies (counts)", shown, "expected whole numbers of at least 1");
        }
        counts[k] = (int)numbers[k];
    }
    tide_distance_push_handle(L);
    tide_status status = tide_distance_repeat(of->distance, numbers + 3, counts, &repeated, &error);
    return finish(L, status, repeated, hash_of("copies", of, numbers, 6), &error);
}

static int at(lua_State *L)
{
    const tide_distance *distance = self(L)->distance;
    double p[3], gradient[3];
    tide_check_vec3(L, 2, "distance", "at", p);
    lua_pushnumber(L, tide_distance_at(distance, p, gradient));
    for (int k = 0; k < 3; k++)
        lua_pushnumber(L, gradient[k]);
    return 4;
}

static int bounds(lua_State *L)
{
    const tide_distance *distance = self(L)->distance;
    for (int k = 0; k < 3; k++)
        lua_pushnumber(L, distance->lower[k]);
    for (int k = 0; k < 3; k++)
        lua_pushnumber(L, distance->upper[k]);
    return 6;
}

// --- combinations ----------------------------------------------------------------------------------------------------

const tide_field tide_distance_parts_fields[] = {
    { "blend", TIDE_FIELD_REAL, 0, .minimum = 0, .maximum = 1e9, .unit = "m",
      .help =
          "distance from the seam within which it is smoothed; the distances precede it: { a, b, ..., blend = 0.1 }" },
    { 0 },
};

static const tide_distance *part(lua_State *L, int index, const char *owner, const char *field, uint64_t *hash)
{
    const tide_distance_handle *handle = tide_distance_of(L, index);
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (!handle)
        tide_raise_bad(L, owner, field, tide_show(L, index, shown),
                       "expected a distance, as tide.distance.sphere { ... } makes one");
    *hash = *hash && handle->hash ? tide_hash_bytes(*hash, &handle->hash, sizeof handle->hash) : 0;
    return handle->distance;
}

// Reads the parts into a userdata that it pushes. The table at 1 keeps the distances alive.
static const tide_distance **read_parts(lua_State *L, const char *owner, size_t *count, double *blend, uint64_t *hash)
{
    *blend = 0;
    *hash = tide_hash_string(TIDE_HASH_START, owner);
    tide_read_fields(L, 1, tide_distance_parts_fields, owner, blend, INT32_MAX);
    *count = lua_rawlen(L, 1);
    if (!*count)
        tide_raise_bad(L, owner, NULL, NULL, "expected distances, { a, b, ... }");
    const tide_distance **parts = lua_newuserdatauv(L, *count * sizeof *parts, 0);
    for (size_t i = 0; i < *count; i++) {
        char field[32];
        snprintf(field, sizeof field, "[%zu]", i + 1);
        lua_rawgeti(L, 1, (lua_Integer)i + 1);
        parts[i] = part(L, -1, owner, field, hash);
        lua_pop(L, 1);
    }
    if (*hash)
        *hash = tide_hash_bytes(*hash, blend, sizeof *blend);
    return parts;
}

typedef tide_status combination(const tide_distance *const *parts, uint32_t count, double blend,
                                const tide_distance **out, tide_error *error);

static int combine(lua_State *L, const char *owner, combination *of)
{
    double blend;
    size_t count;
    uint64_t hash;
    const tide_distance **parts = read_parts(L, owner, &count, &blend, &hash), *combined = NULL;
    tide_error error;
    tide_distance_push_handle(L);
    tide_status status = of(parts, (uint32_t)count, blend, &combined, &error);
    return finish(L, status, combined, hash, &error);
}

static int join(lua_State *L)
{
    return combine(L, "distance union", tide_distance_union);
}

static int intersect(lua_State *L)
{
    return combine(L, "distance intersection", tide_distance_intersection);
}

static int subtract(lua_State *L)
{
    return combine(L, "distance difference", tide_distance_difference);
}

// Operators: the combination of two distances.
static int operate(lua_State *L, const char *operation, int (*combine)(lua_State *))
{
    lua_settop(L, 2);
    lua_createtable(L, 2, 0);
    for (int i = 1; i <= 2; i++) {
        lua_pushvalue(L, i);
        lua_rawseti(L, 3, i);
    }
    if (!tide_distance_of(L, 1) || !tide_distance_of(L, 2)) {
        char shown[TIDE_VALUE_TEXT_SIZE];
        tide_raise_bad(L, "distance", operation, tide_show(L, tide_distance_of(L, 1) ? 2 : 1, shown),
                       "expected a distance");
    }
    lua_replace(L, 1);
    lua_settop(L, 1);
    return combine(L);
}

static int operator_add(lua_State *L)
{
    return operate(L, "+", join);
}

static int operator_subtract(lua_State *L)
{
    return operate(L, "-", subtract);
}

static int operator_multiply(lua_State *L)
{
    return operate(L, "*", intersect);
}

// --- sampled functions and meshes ------------------------------------------------------------------------------------

typedef struct function_definition {
    double cell;
} function_definition;

const tide_field tide_distance_function_fields[] = {
    { "fn", TIDE_FIELD_OTHER, .required = true, .lua_type = "fun(x: number, y: number, z: number): number", .unit = "m",
      .help = "signed distance from the surface, negative inside" },
    { "bounds", TIDE_FIELD_OTHER, .required = true, .lua_type = "number[][]", .unit = "m",
      .help = "box in which it is sampled, { { least x, y, z }, { greatest x, y, z } }" },
    { TIDE_MEMBER(function_definition, cell), .type = TIDE_FIELD_REAL, .initial = { 0.05 }, .minimum = 0,
      .maximum = 1e9, .positive = true, .unit = "m", .help = "edge length of the sampling grid" },
    { 0 },
};

void tide_check_bounds(lua_State *L, int index, const char *object, const char *field, double lower[3], double upper[3])
{
    char name[TIDE_FIELD_NAME_SIZE], shown[TIDE_VALUE_TEXT_SIZE];
    double *const corners[2] = { lower, upper };
    index = lua_absindex(L, index);
    if (!lua_istable(L, index) || lua_rawlen(L, index) != 2)
        tide_raise_bad(L, object, field, tide_show(L, index, shown),
                       "expected two corners, { { least x, y, z }, { greatest x, y, z } }");
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "%.40s[%d]", field, i + 1);
        const tide_field corner = { name, TIDE_FIELD_VECTOR, 0, .minimum = -1e9, .maximum = 1e9, .help = "" };
        lua_rawgeti(L, index, i + 1);
        tide_read_field(L, -1, &corner, object, corners[i]);
        lua_pop(L, 1);
    }
    for (int k = 0; k < 3; k++)
        if (!(lower[k] < upper[k]))
            tide_raise_bad(L, object, field, NULL, "expected a second corner that is above the first along each axis");
}

typedef struct sampling {
    lua_State *L;
    int function;
    const char *object, *field;
} sampling;

// Protected, so that the grid being filled is freed if the function fails.
static tide_status sample(void *context, const double p[3], double *value, tide_error *error)
{
    const sampling *from = context;
    lua_State *L = from->L;
    lua_pushvalue(L, from->function);
    for (int k = 0; k < 3; k++)
        lua_pushnumber(L, p[k]);
    tide_status status = tide_call(L, 3, 1, error);
    if (status != TIDE_OK) {
        tide_name_error(error, from->object, from->field);
        return status;
    }
    int is_number = lua_type(L, -1) == LUA_TNUMBER;
    *value = lua_tonumber(L, -1);
    if (!is_number || !(*value - *value == 0)) {
        char shown[TIDE_VALUE_TEXT_SIZE];
        status = tide_fail(error, TIDE_ERROR_ARGUMENT, from->object, from->field, tide_show(L, -1, shown),
                           "expected it to return a finite number at {%.10g, %.10g, %.10g}", p[0], p[1], p[2]);
    }
    lua_pop(L, 1);
    return status;
}

void tide_distance_sample(lua_State *L, int function, const double lower[3], const double upper[3], double cell,
                          const char *object, const char *field)
{
    sampling from = { L, lua_absindex(L, function), object, field };
    const tide_distance *made = NULL;
    tide_error error;
    luaL_checkstack(L, 12, NULL);
    tide_distance_push_handle(L);
    tide_status status = tide_distance_grid(sample, &from, lower, upper, cell, &made, &error);
    if (status != TIDE_OK && strcmp(error.object, "distance grid") == 0) // name the script's object, not the grid
        snprintf(error.object, sizeof error.object, "%s", object);
    finish(L, status, made, 0, &error);
}

void tide_distance_cut(lua_State *L, const tide_distance_handle *of, const double lower[3], const double upper[3])
{
    double size[3], middle[3];
    const double numbers[6] = { lower[0], lower[1], lower[2], upper[0], upper[1], upper[2] };
    for (int k = 0; k < 3; k++) {
        size[k] = upper[k] - lower[k];
        middle[k] = 0.5 * (lower[k] + upper[k]);
    }
    const tide_distance *box = NULL, *moved = NULL, *part = NULL;
    tide_error error;
    tide_distance_push_handle(L);
    tide_status status = tide_distance_box(size, 0, &box, &error);
    if (status == TIDE_OK)
        status = tide_distance_translate(box, middle, &moved, &error);
    if (status == TIDE_OK)
        status = tide_distance_intersection((const tide_distance *[]) { of->distance, moved }, 2, 0, &part, &error);
    tide_distance_release(box);
    tide_distance_release(moved);
    finish(L, status, part, hash_of("cut", of, numbers, 6), &error);
}

static int of_function(lua_State *L)
{
    static const char owner[] = "distance fn";
    function_definition given;
    double lower[3], upper[3];
    char shown[TIDE_VALUE_TEXT_SIZE];
    tide_fields_default(tide_distance_function_fields, &given);
    tide_read_fields(L, 1, tide_distance_function_fields, owner, &given, 0);
    lua_settop(L, 1);
    lua_pushliteral(L, "bounds");
    lua_rawget(L, 1);
    tide_check_bounds(L, 2, owner, "bounds", lower, upper);
    lua_pushliteral(L, "fn");
    if (lua_rawget(L, 1) != LUA_TFUNCTION)
        tide_raise_bad(L, owner, "fn", tide_show(L, 3, shown), "expected a function(x, y, z)");
    tide_distance_sample(L, 3, lower, upper, given.cell, owner, "fn");
    return 1;
}

void tide_distance_push_mesh(lua_State *L, int index, const char *object)
{
    const tide_mesh *mesh = tide_mesh_of(L, index);
    const tide_distance *made = NULL;
    char shown[TIDE_VALUE_TEXT_SIZE];
    tide_error error;
    if (!mesh)
        tide_raise_bad(L, object, "mesh", tide_show(L, index, shown),
                       "expected a mesh, as tide.mesh.load(file) gives one");
    tide_distance_push_handle(L);
    tide_status status = tide_distance_mesh(mesh, &made, &error);
    finish(L, status, made, tide_hash_bytes(TIDE_HASH_START, &mesh->hash, sizeof mesh->hash), &error);
}

static int of_mesh(lua_State *L)
{
    tide_distance_push_mesh(L, 1, "distance");
    return 1;
}

const tide_member tide_distance_functions[] = {
    { "union", join, .type = "(parts: tide.DistanceParts): tide.Distance",
      .help = "The union of the parts: { a, b, ..., blend = 0.1 }." },
    { "intersection", intersect, .type = "(parts: tide.DistanceParts): tide.Distance",
      .help = "The intersection of the parts." },
    { "difference", subtract, .type = "(parts: tide.DistanceParts): tide.Distance",
      .help = "The first part without the others." },
    { "fn", of_function, .type = "(definition: tide.DistanceFunction): tide.Distance",
      .help = "A distance function sampled on a grid: { fn = function(x, y, z) ... end, bounds = ..., cell = 0.05 }." },
    { "mesh", of_mesh, .type = "(mesh: tide.Mesh): tide.Distance",
      .help = "The exact signed distance from a closed surface." },
    { 0 },
};

// --- the class -------------------------------------------------------------------------------------------------------

static int collect(lua_State *L)
{
    tide_distance_handle *handle = lua_touserdata(L, 1);
    tide_distance_release(handle->distance);
    handle->distance = NULL;
    return 0;
}

static const tide_member members[] = {
    { "at", at, .type = "(x: number, y: number, z: number): number, number, number, number",
      .help = "The signed distance at a point, in m, negative inside; and its gradient." },
    { "bounds", bounds, .type = "(): number, number, number, number, number, number",
      .help = "The least and the greatest x, y, z of the inside; infinite where it is unbounded." },
    { "translate", translate, .type = "(x: number, y: number, z: number): tide.Distance",
      .help = "A copy of the distance, translated." },
    { "rotate", rotate, .type = "(axis: number[], angle: number): tide.Distance",
      .help = "A copy of the distance, rotated about an axis through the origin by an angle in radians." },
    { "scale", scale, .type = "(factor: number): tide.Distance", .help = "A copy of the distance, scaled." },
    { "grow", grow, .type = "(by: number): tide.Distance",
      .help = "A copy of the distance with the surface offset outward by so many m, inward if negative. Edges become "
              "round." },
    { "copies", copies, .type = "(counts: integer[], spacing: number[]): tide.Distance",
      .help = "Copies along each axis around the origin: their numbers, and the distances between their centres." },
    { 0 },
};

static const luaL_Reg metamethods[] = {
    { "__gc", collect },
    { "__add", operator_add },
    { "__sub", operator_subtract },
    { "__mul", operator_multiply },
    { 0 },
};

const tide_class tide_distance_class = {
    "tide.Distance",
    "distance",
    "A signed distance from a surface, negative inside. It is immutable: each method returns a new one. a + b is the "
    "union, a - b the difference, a * b the intersection.",
    members,
    metamethods,
    NULL,
    NULL,
};

// The function tide.mesh.tetrahedralize { ... }.
#include "script/distance_binding.h"

#include "base/elementary.h"
#include "base/hash.h"
#include "geometry/tetrahedralize.h"

#include <math.h>
#include <string.h>

const tide_field tide_tetrahedralize_source_fields[] = {
    { "distance", TIDE_FIELD_OTHER, .lua_type = "tide.Distance | fun(x: number, y: number, z: number): number",
      .initial_text = "none",
      .help = "solid to fill; a function is sampled twice per cell along each axis and needs `bounds`" },
    { "mesh", TIDE_FIELD_OTHER, .lua_type = "tide.Mesh", .initial_text = "none",
      .help = "a closed surface instead of a distance" },
    { "bounds", TIDE_FIELD_OTHER, .lua_type = "number[][]", .unit = "m", .initial_text = "those of the distance",
      .help = "box outside of which the solid is cut off, { { least x, y, z }, { greatest x, y, z } }" },
    { 0 },
};

static const char owner[] = "mesh tetrahedralize";

// Returns the sampling distance of a function: half of the cell size. If no cell size is given, estimates it: the
// lattice has two vertices per cube, and a shape fills about a third of its bounds.
static double sampling_cell(const tide_mesh_tetrahedralize_def *def, const double lower[3], const double upper[3])
{
    double size[3], longest = 0;
    for (int k = 0; k < 3; k++) {
        size[k] = upper[k] - lower[k];
        longest = fmax(longest, size[k]);
    }
    double cell = longest / 20;
    if (tide_given(def->cell))
        cell = def->cell;
    else if (def->vertices)
        cell = tide_cbrt(2 * size[0] * size[1] * size[2] / 3 / def->vertices);
    return cell / 2;
}

// Pushes the distance: `distance`, or that of the surface `mesh`.
static void push_source(lua_State *L, const tide_mesh_tetrahedralize_def *def)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    double lower[3], upper[3];
    lua_pushliteral(L, "bounds");
    bool bounded = lua_rawget(L, 1) != LUA_TNIL;
    if (bounded)
        tide_check_bounds(L, -1, owner, "bounds", lower, upper);
    lua_pushliteral(L, "mesh");
    bool mesh = lua_rawget(L, 1) != LUA_TNIL;
    lua_pushliteral(L, "distance");
    int type = lua_rawget(L, 1), given = lua_gettop(L);
    if (mesh == (type != LUA_TNIL))
        tide_raise_bad(L, owner, "distance", NULL,
                       mesh ? "given together with a mesh; leave one of them out" : "missing; give it or a mesh");
    if (type == LUA_TFUNCTION && !bounded)
        tide_raise_bad(
            L, owner, "bounds", NULL,
            "missing; give the box in which the function is sampled, { { least x, y, z }, { greatest x, y, z } }");
    if (type == LUA_TFUNCTION) {
        tide_distance_sample(L, given, lower, upper, sampling_cell(def, lower, upper), owner, "distance");
        return;
    }
    if (mesh)
        tide_distance_push_mesh(L, given - 1, owner);
    else if (!tide_distance_of(L, given))
        tide_raise_bad(L, owner, "distance", tide_show(L, given, shown),
                       "expected a distance, as tide.distance.sphere { ... } makes one, or a function(x, y, z)");
    if (bounded)
        tide_distance_cut(L, tide_distance_of(L, -1), lower, upper);
}

int tide_mesh_tetrahedralize_call(lua_State *L)
{
    struct {
        uint64_t hash;
        tide_mesh_tetrahedralize_def def;
    } key;
    tide_field fields[TIDE_MAX_FIELDS];
    memset(&key, 0, sizeof key);
    tide_fields_default(tide_mesh_tetrahedralize_fields, &key.def);
    tide_join_fields(tide_tetrahedralize_source_fields, tide_mesh_tetrahedralize_fields, fields);
    luaL_checkstack(L, 16, NULL);
    tide_read_fields(L, 1, fields, owner, &key.def, 0);
    lua_settop(L, 1);
    push_source(L, &key.def);
    const tide_distance_handle *source = tide_distance_of(L, -1);
    uint64_t kind = tide_hash_string(TIDE_HASH_START, owner);
    key.hash = source->hash;
    tide_mesh_push_handle(L);
    const tide_mesh *known = key.hash ? tide_mesh_cache_find(kind, &key, sizeof key) : NULL;
    if (known) {
        tide_mesh_hand_over(L, known);
        return 1;
    }
    tide_mesh *made = NULL;
    tide_error error;
    tide_raise_unless_ok(L, tide_mesh_tetrahedralize(source->distance, &key.def, &made, &error), &error);
    tide_mesh_hand_over(L, made);
    if (key.hash)
        tide_mesh_cache_add(kind, &key, sizeof key, made);
    return 1;
}

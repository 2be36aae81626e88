// Signed distances in Lua: the class tide.Distance and the functions of tide.distance.
#ifndef TIDE_SCRIPT_DISTANCE_BINDING_H
#define TIDE_SCRIPT_DISTANCE_BINDING_H

#include "geometry/distance.h"
#include "script/binding.h"

typedef struct tide_distance_handle {
    const tide_distance *distance;
    uint64_t hash; // of its construction; 0: unknown, because it contains a script's function
} tide_distance_handle;
extern const tide_class tide_distance_class;

// tide_distance_push_handle pushes a handle without a distance. tide_distance_hand_over gives the handle on top a
// distance and takes over the caller's reference.
void tide_distance_push_handle(lua_State *L);
void tide_distance_hand_over(lua_State *L, const tide_distance *distance, uint64_t hash);
const tide_distance_handle *tide_distance_of(lua_State *L, int index); // NULL if it is not a distance

// A primitive, made from a table of these fields.
typedef struct tide_distance_builder {
    const char *name, *help;
    const tide_field *fields;
    size_t definition_size; // of the struct that the fields describe
    tide_status (*make)(const void *definition, const tide_distance **out, tide_error *error);
} tide_distance_builder;
const tide_distance_builder *tide_distance_builder_at(uint32_t index); // NULL past the last
extern const tide_member tide_distance_functions[];                    // union, fn, mesh, ...
extern const tide_field tide_distance_parts_fields[], tide_distance_function_fields[],
    tide_tetrahedralize_source_fields[];      // fields `distance`, `mesh` and `bounds` of tide.mesh.tetrahedralize
void tide_distance_module_push(lua_State *L); // pushes a table of all these functions

// Reads { lower, upper } with finite numbers, such as { {-1, -1, -1}, {1, 1, 1} }.
void tide_check_bounds(lua_State *L, int index, const char *object, const char *field, double lower[3],
                       double upper[3]);
// Samples the function(x, y, z) at `function` at the corners of cubic cells with the side `cell` (m) and pushes the
// interpolated distance. Errors name `object` and `field`.
void tide_distance_sample(lua_State *L, int function, const double lower[3], const double upper[3], double cell,
                          const char *object, const char *field);
// Pushes the distance of the closed mesh at `index`.
void tide_distance_push_mesh(lua_State *L, int index, const char *object);
// Pushes the part of a distance inside the bounds.
void tide_distance_cut(lua_State *L, const tide_distance_handle *of, const double lower[3], const double upper[3]);

#endif

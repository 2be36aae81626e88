// tide.distance: primitives, each made from a table of fields, and the table of the module.
#include "script/distance_binding.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>

#define SIZE .minimum = 0, .maximum = TIDE_DISTANCE_LARGEST, .positive = true, .unit = "m"
#define PLACE .minimum = -TIDE_DISTANCE_LARGEST, .maximum = TIDE_DISTANCE_LARGEST, .unit = "m"

typedef struct plane_definition {
    double normal[3], offset;
} plane_definition;

static const tide_field plane_fields[] = {
    { TIDE_MEMBER(plane_definition, normal), .type = TIDE_FIELD_VECTOR, .initial = { 0, 1, 0 },
      .help = "outward normal" },
    { TIDE_MEMBER(plane_definition, offset), .type = TIDE_FIELD_REAL, PLACE,
      .help = "signed distance from the origin along the normal" },
    { 0 },
};

static tide_status make_plane(const void *definition, const tide_distance **out, tide_error *error)
{
    const plane_definition *plane = definition;
    return tide_distance_plane(plane->normal, plane->offset, out, error);
}

typedef struct sphere_definition {
    double position[3], radius;
} sphere_definition;

static const tide_field sphere_fields[] = {
    { TIDE_MEMBER(sphere_definition, position), .type = TIDE_FIELD_VECTOR, PLACE, .help = "position of the centre" },
    { TIDE_MEMBER(sphere_definition, radius), .type = TIDE_FIELD_REAL, .initial = { 0.5 }, SIZE, .help = "radius" },
    { 0 },
};

static tide_status make_sphere(const void *definition, const tide_distance **out, tide_error *error)
{
    const sphere_definition *sphere = definition;
    return tide_distance_sphere(sphere->position, sphere->radius, out, error);
}

typedef struct tube_definition {
    double from[3], to[3], radius;
} tube_definition;

static const tide_field tube_fields[] = {
    { TIDE_MEMBER(tube_definition, from), .type = TIDE_FIELD_VECTOR, .initial = { 0, -0.5, 0 }, PLACE,
      .help = "first end of the axis" },
    { TIDE_MEMBER(tube_definition, to), .type = TIDE_FIELD_VECTOR, .initial = { 0, 0.5, 0 }, PLACE,
      .help = "second end of the axis" },
    { TIDE_MEMBER(tube_definition, radius), .type = TIDE_FIELD_REAL, .initial = { 0.25 }, SIZE,
      .help = "radius around the axis" },
    { 0 },
};

static tide_status make_capsule(const void *definition, const tide_distance **out, tide_error *error)
{
    const tube_definition *tube = definition;
    return tide_distance_capsule(tube->from, tube->to, tube->radius, out, error);
}

static tide_status make_cylinder(const void *definition, const tide_distance **out, tide_error *error)
{
    const tube_definition *tube = definition;
    return tide_distance_cylinder(tube->from, tube->to, tube->radius, out, error);
}

typedef struct box_definition {
    double position[3], size[3], rounding;
} box_definition;

static const tide_field box_fields[] = {
    { TIDE_MEMBER(box_definition, position), .type = TIDE_FIELD_VECTOR, PLACE, .help = "position of the centre" },
    { TIDE_MEMBER(box_definition, size), .type = TIDE_FIELD_VECTOR, .initial = { 1, 1, 1 }, SIZE,
      .help = "side lengths along x, y and z" },
    { TIDE_MEMBER(box_definition, rounding), .type = TIDE_FIELD_REAL, .minimum = 0, .maximum = TIDE_DISTANCE_LARGEST,
      .unit = "m", .help = "radius of the rounded edges, at most half of the shortest side" },
    { 0 },
};

static tide_status make_box(const void *definition, const tide_distance **out, tide_error *error)
{
    const box_definition *box = definition;
    const tide_distance *centred = NULL;
    TIDE_TRY(tide_distance_box(box->size, box->rounding, &centred, error));
    tide_status status = tide_distance_translate(centred, box->position, out, error);
    tide_distance_release(centred);
    return status;
}

typedef struct ellipsoid_definition {
    double position[3], radii[3];
} ellipsoid_definition;

static const tide_field ellipsoid_fields[] = {
    { TIDE_MEMBER(ellipsoid_definition, position), .type = TIDE_FIELD_VECTOR, PLACE, .help = "position of the centre" },
    { TIDE_MEMBER(ellipsoid_definition, radii), .type = TIDE_FIELD_VECTOR, .initial = { 0.5, 0.5, 0.5 }, SIZE,
      .help = "semi-axes along x, y and z" },
    { 0 },
};

static tide_status make_ellipsoid(const void *definition, const tide_distance **out, tide_error *error)
{
    const ellipsoid_definition *ellipsoid = definition;
    return tide_distance_ellipsoid(ellipsoid->position, ellipsoid->radii, out, error);
}

typedef struct torus_definition {
    double position[3], axis[3], major, minor;
} torus_definition;

static const tide_field torus_fields[] = {
    { TIDE_MEMBER(torus_definition, position), .type = TIDE_FIELD_VECTOR, PLACE, .help = "position of the centre" },
    { TIDE_MEMBER(torus_definition, axis), .type = TIDE_FIELD_VECTOR, .initial = { 0, 1, 0 },
      .help = "axis of the ring" },
    { TIDE_MEMBER(torus_definition, major), .type = TIDE_FIELD_REAL, .initial = { 0.5 }, SIZE,
      .help = "distance from the centre to the centre line of the tube" },
    { TIDE_MEMBER(torus_definition, minor), .type = TIDE_FIELD_REAL, .initial = { 0.15 }, SIZE,
      .help = "radius of the tube, at most that of the ring" },
    { 0 },
};

static tide_status make_torus(const void *definition, const tide_distance **out, tide_error *error)
{
    const torus_definition *torus = definition;
    return tide_distance_torus(torus->position, torus->axis, torus->major, torus->minor, out, error);
}

static const tide_distance_builder builders[] = {
    { "plane", "All that is below a plane.", plane_fields, sizeof(plane_definition), make_plane },
    { "sphere", "A ball.", sphere_fields, sizeof(sphere_definition), make_sphere },
    { "capsule", "All that is near a line.", tube_fields, sizeof(tube_definition), make_capsule },
    { "cylinder", "A rod with flat ends.", tube_fields, sizeof(tube_definition), make_cylinder },
    { "box", "A block along the axes; its :rotate turns it.", box_fields, sizeof(box_definition), make_box },
    { "ellipsoid", "A ball with three radii.", ellipsoid_fields, sizeof(ellipsoid_definition), make_ellipsoid },
    { "torus", "A ring.", torus_fields, sizeof(torus_definition), make_torus },
};

const tide_distance_builder *tide_distance_builder_at(uint32_t index)
{
    return index < sizeof builders / sizeof *builders ? &builders[index] : NULL;
}

// Upvalue: the builder.
static int build(lua_State *L)
{
    const tide_distance_builder *builder = lua_touserdata(L, lua_upvalueindex(1));
    char owner[TIDE_OBJECT_TEXT];
    snprintf(owner, sizeof owner, "distance %s", builder->name);
    lua_settop(L, 1);
    void *definition = lua_newuserdatauv(L, builder->definition_size, 0);
    memset(definition, 0, builder->definition_size); // clears padding, too, because the bytes are hashed
    tide_fields_default(builder->fields, definition);
    if (!lua_isnoneornil(L, 1))
        tide_read_fields(L, 1, builder->fields, owner, definition, 0);
    uint64_t hash = tide_hash_string(TIDE_HASH_START, builder->name);
    hash = tide_hash_bytes(hash, definition, builder->definition_size);
    const tide_distance *made = NULL;
    tide_error error;
    tide_distance_push_handle(L);
    tide_raise_unless_ok(L, builder->make(definition, &made, &error), &error);
    tide_distance_hand_over(L, made, hash);
    return 1;
}

void tide_distance_module_push(lua_State *L)
{
    lua_newtable(L);
    for (const tide_member *member = tide_distance_functions; member->name; member++) {
        lua_pushcfunction(L, member->call);
        lua_setfield(L, -2, member->name);
    }
    for (size_t i = 0; i < sizeof builders / sizeof *builders; i++) {
        lua_pushlightuserdata(L, (void *)&builders[i]);
        lua_pushcclosure(L, build, 1);
        lua_setfield(L, -2, builders[i].name);
    }
}

// The ground: its settings in a scene, and its collider.
#include "script/binding.h"

#include "draw/world_view.h"

#include <math.h>
#include <string.h>

typedef struct ground_definition {
    double height, friction, restitution, rolling;
    char contact_material[TIDE_FIELD_TEXT_SIZE];
    bool solid;
} ground_definition;

#define FIELD(member) .name = #member, .offset = offsetof(ground_definition, member)
const tide_field tide_ground_fields[] = {
    { FIELD(height), .type = TIDE_FIELD_REAL, .initial = { TIDE_NOT_GIVEN }, .minimum = -1e9, .maximum = 1e9,
      .unit = "m", .initial_text = "just below the scene", .help = "height of the ground along the up axis" },
    { FIELD(solid), .type = TIDE_FIELD_BOOLEAN, .initial = { 1 },
      .help = "bodies collide with the ground; false: it is only drawn" },
    { FIELD(friction), .type = TIDE_FIELD_REAL, .initial = { 0.3 }, .minimum = 0, .maximum = 1e6,
      .help = "Coulomb's coefficient" },
    { FIELD(rolling), .type = TIDE_FIELD_REAL, .maximum = 1000, .unit = "m",
      .help = "coefficient of rolling friction of rigid bodies on it" },
    { FIELD(contact_material), .type = TIDE_FIELD_TEXT, .initial_text = "",
      .help = "name of its material in the scene's friction_pairs" },
    { FIELD(restitution), .type = TIDE_FIELD_REAL, .initial = { 0 }, .minimum = 0, .maximum = 1,
      .help = "coefficient of restitution: the fraction of the approach speed that a bounce keeps" },
    { 0 },
};

static void set(tide_scene_view *view, const ground_definition *given)
{
    view->stage.has_ground = true;
    view->automatic_ground = !tide_given(given->height);
    view->solid_ground = given->solid;
    view->ground_friction = given->friction;
    view->ground_restitution = given->restitution;
    view->ground_rolling = given->rolling;
    memcpy(view->ground_material, given->contact_material, sizeof view->ground_material);
    if (tide_given(given->height))
        view->stage.ground_height = (float)given->height;
}

void tide_scene_set_ground(lua_State *L, int index, tide_scene *scene)
{
    tide_scene_view *view = &scene->view;
    char shown[TIDE_VALUE_TEXT_SIZE];
    ground_definition given;
    tide_fields_default(tide_ground_fields, &given);
    index = lua_absindex(L, index);
    switch (lua_type(L, index)) {
    case LUA_TNIL: // uses a visible floor among the colliders, if there is one
        set(view, &given);
        view->stage.has_ground = false;
        break;
    case LUA_TBOOLEAN:
        set(view, &given);
        view->stage.has_ground = lua_toboolean(L, index);
        view->automatic_ground = lua_toboolean(L, index);
        break;
    case LUA_TNUMBER:
        given.height = lua_tonumber(L, index);
        if (!(fabs(given.height) <= 1e9))
            tide_raise_bad(L, "scene", "ground", tide_show(L, index, shown), "expected a height from -1e9 to 1e9 m");
        set(view, &given);
        break;
    case LUA_TTABLE:
        tide_read_fields(L, index, tide_ground_fields, "ground", &given, 0);
        set(view, &given);
        break;
    default:
        tide_raise_bad(L, "scene", "ground", tide_show(L, index, shown),
                       "expected a height in m, true, false or a table like { height = 0, solid = false }");
    }
}

void tide_scene_push_ground(lua_State *L, const tide_scene *scene)
{
    const tide_scene_view *view = &scene->view;
    if (view->automatic_ground && !view->stage.has_ground)
        lua_pushnil(L);
    else if (!view->stage.has_ground || (view->automatic_ground && view->solid_ground))
        lua_pushboolean(L, view->stage.has_ground);
    else if (view->solid_ground)
        lua_pushnumber(L, (double)view->stage.ground_height);
    else {
        lua_createtable(L, 0, 2);
        if (!view->automatic_ground) {
            tide_set_number(L, "height", (double)view->stage.ground_height);
        }
        tide_set_flag(L, "solid", false);
    }
}

// Returns the height just below the initial state of all objects and below what hangs down.
static double automatic_height(tide_world *world)
{
    double height, size;
    return tide_view_bottom(world, &height, &size) ? height - 0.02 * size : 0;
}

tide_status tide_scene_make_ground(tide_scene *scene, tide_error *error)
{
    tide_scene_view *view = &scene->view;
    if (view->ground_is_made)
        return TIDE_OK;
    view->ground_is_made = true;
    double floor, height = (double)view->stage.ground_height;
    if (!view->stage.has_ground || !view->solid_ground)
        return TIDE_OK;
    bool has_floor = tide_view_floor(scene->world, false, &floor);
    if (view->automatic_ground && has_floor) {
        double visible;
        view->automatic_ground = tide_view_floor(scene->world, true, &visible);
        view->stage.ground_height = (float)floor; // a hidden floor gives a fixed height; a visible one may move
        return TIDE_OK;
    }
    if (view->automatic_ground) {
        height = automatic_height(scene->world);
        view->stage.ground_height = (float)height;
        view->automatic_ground = false;
    }
    if (has_floor && floor >= height - 1e-4 * fmax(1, fabs(height)))
        return TIDE_OK;
    float up[3];
    tide_view_up(scene->world, up);
    const double normal[3] = { (double)up[0], (double)up[1], (double)up[2] };
    tide_collider_def surface = tide_collider_def_default();
    surface.friction = view->ground_friction;
    surface.restitution = view->ground_restitution;
    surface.rolling = view->ground_rolling;
    memcpy(surface.contact_material, view->ground_material, sizeof surface.contact_material);
    return tide_world_add_ground(scene->world, normal, height, &surface, error);
}

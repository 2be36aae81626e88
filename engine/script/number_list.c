// Lists of numbers from scripts: vectors, buffers and tables.
#include "script/collider_binding.h"

#include <math.h>
#include <stdio.h>

static void check_size(lua_State *L, size_t found, size_t *size, const char *object, const char *field)
{
    if (*size && found != *size) {
        char shown[TIDE_VALUE_TEXT_SIZE];
        snprintf(shown, sizeof shown, "%zu numbers", found);
        tide_raise_bad(L, object, field, shown, "expected %zu numbers", *size);
    }
    *size = found;
}

static const double *numbers_of_table(lua_State *L, int index, size_t *size, const char *object, const char *field)
{
    size_t count = lua_rawlen(L, index);
    check_size(L, count, size, object, field);
    double *numbers = lua_newuserdatauv(L, count * sizeof(double) + 1, 0);
    for (size_t i = 0; i < count; i++) {
        int type = lua_rawgeti(L, index, (lua_Integer)i + 1);
        numbers[i] = lua_tonumber(L, -1);
        if (type != LUA_TNUMBER || !isfinite(numbers[i])) { // formats the name only on failure, because that is slow
            char name[64];
            snprintf(name, sizeof name, "%.40s[%zu]", field, i + 1);
            numbers[i] = tide_check_number(L, -1, object, name);
        }
        lua_pop(L, 1);
    }
    return numbers;
}

double *tide_buffer_find(lua_State *L, const tide_buffer *buffer, tide_scene **scene_of, uint32_t *size)
{
    tide_body_info info;
    if (buffer->of_collider) {
        double *targets = tide_collider_targets(L, &buffer->body, scene_of, size);
        *size *= 3;
        return targets;
    }
    tide_scene *scene = *scene_of = tide_body_live(L, &buffer->body, &info);
    *size = 3 * info.vertex_count;
    return buffer->velocities ? tide_world_velocities(scene->world, tide_body_id_of(&buffer->body))
                              : tide_world_positions(scene->world, tide_body_id_of(&buffer->body));
}

double *tide_buffer_data(lua_State *L, const tide_buffer *buffer, uint32_t *size)
{
    tide_scene *scene;
    return tide_buffer_find(L, buffer, &scene, size);
}

const double *tide_check_numbers(lua_State *L, int index, size_t *size, const char *object, const char *field)
{
    index = lua_absindex(L, index);
    tide_property_plain(L, index);
    if (lua_istable(L, index))
        return numbers_of_table(L, index, size, object, field);
    const tide_vector *vector = tide_object_named(L, index, "tide.Vector");
    if (vector) {
        check_size(L, vector->size, size, object, field);
        return vector->values;
    }
    const tide_buffer *buffer = tide_object_named(L, index, "tide.Buffer");
    if (buffer) {
        uint32_t count;
        const double *data = tide_buffer_data(L, buffer, &count);
        check_size(L, count, size, object, field);
        return data;
    }
    char shown[TIDE_VALUE_TEXT_SIZE];
    tide_raise_bad(L, object, field, tide_show(L, index, shown), "expected a vector or a list of numbers");
}

// Bodies, colliders, and the camera.
#include "gui/panels_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// --- bodies ----------------------------------------------------------------------------------------------------------

static void number_row(tide_panels *panels, const char *label, double number, const char *unit)
{
    if (tide_given(number))
        tide_panels_row(panels, label, "%.4g%s%s", number, unit[0] ? " " : "", unit);
}

static double mass_of(tide_world *world, const tide_body_info *body)
{
    const tide_system *system;
    double sum = 0;
    if (tide_world_system(world, &system, NULL) != TIDE_OK)
        return TIDE_NOT_GIVEN;
    for (uint32_t v = 0; v < body->vertex_count; v++)
        sum += system->masses[body->first_particle + v];
    return sum;
}

static void material_rows(tide_panels *panels, const tide_body_info *body)
{
    const tide_body_def *def = body->look;
    number_row(panels, "mass", mass_of(tide_live_world(panels->live), body), "kg");
    number_row(panels, "stiffness", def->stiffness, "N/m");
    number_row(panels, "modulus", def->modulus, "N");
    if (def->stiffness_at || def->modulus_at)
        tide_gui_row(panels->gui, "stiffness", "by vertex");
    number_row(panels, "bend", def->bend, "N/m");
    number_row(panels, "bend modulus", def->bend_modulus, "N");
    number_row(panels, "thickness", 1e3 * def->thickness, "mm");
    number_row(panels, "friction", def->friction, "");
}

static uint32_t count_pins(const tide_world *world, tide_body_id id, const tide_body_info *body)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < body->vertex_count; v++)
        count += tide_world_is_pinned(world, id, v);
    return count;
}

static void unpin_all(tide_panels *panels, tide_body_id id, const tide_body_info *body)
{
    const tide_world *world = tide_live_world(panels->live);
    for (uint32_t v = 0; v < body->vertex_count; v++)
        if (tide_world_is_pinned(world, id, v))
            tide_panels_ask(panels, &(tide_input) { .kind = TIDE_INPUT_UNPIN, .name = body->name, .vertex = v });
}

// Draws the pin widgets. Vertices count from 1 here, as in scripts.
static void pin_widgets(tide_panels *panels, tide_body_id id, const tide_body_info *body)
{
    tide_gui *gui = panels->gui;
    const tide_world *world = tide_live_world(panels->live);
    uint32_t pins = count_pins(world, id, body);
    tide_panels_row(panels, "pinned", "%" PRIu32, pins);
    double typed = panels->pin_vertex + 1;
    if (tide_gui_number(gui, "vertex", &typed, NULL))
        panels->pin_vertex = (int)fmin(fmax(round(typed), 1), body->vertex_count) - 1;
    tide_gui_help(gui, "from 1; in the world, a click with the key for pins does the same");
    uint32_t vertex = (uint32_t)panels->pin_vertex;
    bool there = vertex < body->vertex_count, pinned = there && tide_world_is_pinned(world, id, vertex);
    tide_gui_disable(gui, !there);
    if (tide_gui_button(gui, pinned ? "Unpin it" : "Pin it"))
        tide_panels_ask(
            panels,
            &(tide_input) { .kind = pinned ? TIDE_INPUT_UNPIN : TIDE_INPUT_PIN, .name = body->name, .vertex = vertex });
    tide_gui_enable(gui);
    tide_gui_next(gui);
    tide_gui_disable(gui, !pins);
    if (tide_gui_button(gui, "Unpin all"))
        unpin_all(panels, id, body);
    tide_gui_enable(gui);
}

// Adds the name to the hidden ones, or removes it. Without room for the name, the body stays visible.
static void set_hidden(tide_view_settings *view, const char *name, bool hidden)
{
    size_t length = strlen(name), used = strlen(view->hidden);
    if (hidden && used + length + 2 <= sizeof view->hidden)
        snprintf(view->hidden + used, sizeof view->hidden - used, "%s\n", name);
    for (char *at = view->hidden; !hidden && *at; at += strcspn(at, "\n") + 1)
        if (strncmp(at, name, length) == 0 && at[length] == '\n') {
            memmove(at, at + length + 1, strlen(at + length + 1) + 1);
            return;
        }
}

static void body_part(tide_panels *panels, tide_body_id id, const tide_body_info *body)
{
    const tide_mesh *mesh = body->mesh;
    tide_view_settings *view = &panels->frame->picture->view;
    bool shown = !tide_view_hides(view, body->name);
    if (tide_gui_check(panels->gui, "shown", &shown))
        set_hidden(view, body->name, !shown);
    tide_panels_row(panels, "vertices", "%" PRIu32, body->vertex_count);
    tide_panels_row(panels, "springs", "%" PRIu32, body->spring_count);
    for (uint32_t g = 1; g < body->group_count; g++)
        tide_panels_row(panels, body->groups[g].kind->name, "%" PRIu32, body->groups[g].count);
    if (mesh->triangle_count)
        tide_panels_row(panels, "triangles", "%" PRIu32, mesh->triangle_count);
    if (mesh->tetrahedron_count)
        tide_panels_row(panels, "tetrahedra", "%" PRIu32, mesh->tetrahedron_count);
    material_rows(panels, body);
    pin_widgets(panels, id, body);
}

void tide_panel_bodies(tide_panels *panels)
{
    tide_world *world = tide_live_world(panels->live);
    uint32_t count = tide_world_body_count(world);
    tide_panels_row(panels, "particles", "%" PRIu32, tide_world_particle_count(world));
    if (tide_world_attachment_count(world))
        tide_panels_row(panels, "attachments", "%" PRIu32, tide_world_attachment_count(world));
    for (uint32_t i = 0; i < count; i++) {
        tide_body_id id = tide_world_body_at(world, i);
        tide_body_info body;
        if (!tide_world_body_info(world, id, &body) || !tide_gui_begin_part(panels->gui, body.name, count == 1))
            continue;
        body_part(panels, id, &body);
        tide_gui_end_part(panels->gui);
    }
}

// --- colliders -------------------------------------------------------------------------------------------------------

// Draws a number of a collider by its field. If the field has no useful maximum, the slider goes to `far`, or to 10,
// 100, ... times that for a larger number; any number can be typed.
static void value_slider(tide_panels *panels, const tide_collider *collider, const char *name, double value, double far)
{
    const tide_field *field = tide_field_find(tide_collider_fields, "collider", name, NULL);
    double before = value, most = field->maximum <= 1 ? field->maximum : far;
    while (most < value)
        most *= 10;
    unsigned acts = tide_gui_slider(panels->gui, name, &value, field->minimum, most, false, field->unit);
    tide_gui_help(panels->gui, field->help);
    const tide_input was = { .kind = TIDE_INPUT_COLLIDER, .name = collider->name, .text = name, .number = before };
    tide_input is = was;
    is.number = fmin(fmax(value, field->minimum), field->maximum);
    if (isfinite(value))
        tide_panels_change_to(panels, &was, &is, acts);
}

static void collider_part(tide_panels *panels, const tide_collider *collider)
{
    tide_pose pose = tide_collider_pose(collider, 1);
    double wanted[3];
    tide_gui_row(panels->gui, "shape", collider->kind->name);
    memcpy(wanted, pose.position, sizeof wanted);
    if (collider->keyframe_count)
        tide_panels_row(panels, "position", "%.3g  %.3g  %.3g m", wanted[0], wanted[1], wanted[2]);
    else if (tide_gui_vector(panels->gui, "position", wanted, "m")) {
        tide_input move_collider = { .kind = TIDE_INPUT_MOVE_COLLIDER, .name = collider->name };
        for (int k = 0; k < 3; k++)
            move_collider.point[k] = wanted[k] - pose.position[k];
        if (isfinite(move_collider.point[0]) && isfinite(move_collider.point[1]) && isfinite(move_collider.point[2]))
            tide_panels_ask(panels, &move_collider);
    }
    value_slider(panels, collider, "friction", collider->friction, 1);
    value_slider(panels, collider, "restitution", collider->restitution, 1);
    value_slider(panels, collider, "thickness", collider->thickness, 0.02);
}

void tide_panel_colliders(tide_panels *panels)
{
    tide_world *world = tide_live_world(panels->live);
    uint32_t count = tide_world_collider_count(world);
    if (!count)
        tide_gui_text(panels->gui, TIDE_GUI_QUIET, "The scene has none.");
    for (uint32_t i = 0; i < count; i++) {
        const tide_collider *collider = tide_world_collider(world, tide_world_collider_at(world, i));
        if (!collider || !tide_gui_begin_part(panels->gui, collider->name, count == 1))
            continue;
        collider_part(panels, collider);
        tide_gui_end_part(panels->gui);
    }
}

// --- camera ----------------------------------------------------------------------------------------------------------

static const double degree = 0.017453292519943295;

// The same with angles in degrees
static void camera_angles(const tide_draw_camera *camera, const float up[3], double *around, double *above,
                          double *distance)
{
    tide_camera_angles(camera, up, around, above, distance);
    *around /= degree;
    *above /= degree;
}

static void look_from(tide_draw_camera *camera, const float up[3], double around, double above, double distance)
{
    tide_camera_look_from(camera, up, around * degree, above * degree, distance);
}

static void camera_views(tide_panels *panels, tide_draw_camera *camera, const float up[3])
{
    static const struct {
        const char *label;
        double around, above;
    } views[] = { { "Front", 0, 0 }, { "Side", 90, 0 }, { "Top", 0, 89 } };
    double around, above, distance;
    camera_angles(camera, up, &around, &above, &distance);
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        if (i)
            tide_gui_next(panels->gui);
        if (tide_gui_button(panels->gui, views[i].label))
            look_from(camera, up, views[i].around, views[i].above, distance);
    }
}

static void camera_sliders(tide_panels *panels, tide_draw_camera *camera, const float up[3])
{
    tide_gui *gui = panels->gui;
    double around, above, distance, before, view = (double)camera->field_of_view / degree;
    camera_angles(camera, up, &around, &above, &distance);
    unsigned acts = tide_gui_slider(gui, "around", &around, -180, 180, false, "°");
    acts |= tide_gui_slider(gui, "above", &above, -89, 89, false, "°");
    before = distance;
    acts |= tide_gui_slider(gui, "distance", &distance, 0.01, 1000, true, "m");
    if ((acts & TIDE_GUI_CHANGED) && isfinite(around) && isfinite(above) && distance > 0)
        look_from(camera, up, around, fmin(fmax(above, -89), 89), fmin(distance, 1e5));
    if (tide_gui_slider(gui, "view angle", &view, 5, 100, false, "°") & TIDE_GUI_CHANGED) {
        // Keeps the size of the target, so that only the perspective changes
        view = fmin(fmax(view, 1), 150);
        double scale = tan(0.5 * (double)camera->field_of_view) / tan(0.5 * view * degree);
        camera->field_of_view = (float)(view * degree);
        look_from(camera, up, around, fmin(fmax(above, -89), 89), before * scale);
    }
    tide_gui_help(gui,
                  "from top to bottom of the picture; the distance changes with it, so that the target stays as large");
}

static void copy_camera(tide_panels *panels, const tide_draw_camera *c)
{
    char text[320];
    snprintf(text, sizeof text,
             "camera = { position = { %.5g, %.5g, %.5g }, target = { %.5g, %.5g, %.5g }, up = { %.4g, %.4g, %.4g }, "
             "field_of_view = %.4g },",
             (double)c->position[0], (double)c->position[1], (double)c->position[2], (double)c->target[0],
             (double)c->target[1], (double)c->target[2], (double)c->up[0], (double)c->up[1], (double)c->up[2],
             (double)c->field_of_view);
    tide_panels_copy(panels, text, "the camera");
}

void tide_panel_camera(tide_panels *panels)
{
    tide_gui *gui = panels->gui;
    tide_picture *picture = panels->frame->picture;
    tide_script *script = tide_live_script(panels->live);
    if (tide_gui_button(gui, "Fit"))
        panels->failed = tide_picture_fit(picture, script, NULL) == TIDE_ERROR_MEMORY || panels->failed;
    tide_gui_help(gui, "show the whole world");
    tide_gui_next(gui);
    if (tide_gui_button(gui, "Scene's view"))
        panels->failed = tide_picture_look_again(picture, script, NULL) == TIDE_ERROR_MEMORY || panels->failed;
    if (tide_gui_button(gui, "Copy camera as Lua"))
        copy_camera(panels, &picture->camera);
    tide_gui_help(gui, "camera = { ... } for the scene's table");
    float up[3];
    tide_view_up(tide_live_world(panels->live), up);
    camera_views(panels, &picture->camera, up);
    camera_sliders(panels, &picture->camera, up);
}

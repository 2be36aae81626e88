// The picture of the page: its size, its camera, what is shown, and who draws it.
#include "app/web_state.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_SIDE = 16, MOST_SIDE = 4096 }; // pixels

// --- size and drawing ------------------------------------------------------------------------------------------------

static uint32_t side(double pixels)
{
    return pixels >= LEAST_SIDE ? (uint32_t)fmin(pixels, MOST_SIDE) : LEAST_SIDE;
}

TIDE_WEB_CALL void tide_web_resize(double width, double height, double ratio)
{
    tide_picture *picture = tide_web_picture();
    picture->width = side(width);
    picture->height = side(height);
    picture->part = (tide_camera_part) { 0, 0, 1, 1 };
    tide_web_page.ratio = ratio >= 0.25 && ratio <= 8 ? ratio : 1;
    picture->scale.size = (float)(11 * tide_web_page.ratio);
    tide_web_page.dirty = true;
}

static void note_renderer(bool was_opengl)
{
    const tide_picture *picture = tide_web_picture();
    if (was_opengl && !picture->opengl)
        tide_web_renderer("software", "WebGL could not draw the picture");
}

TIDE_WEB_CALL int tide_web_draw(void)
{
    tide_web *w = &tide_web_page;
    tide_job *job = tide_web_job();
    tide_error error = { 0 };
    if (!job)
        return 0;
    w->dirty = false;
    bool opengl = job->picture.opengl;
    job->picture.shown = opengl && !job->compare;
    double start = tide_clock_seconds();
    tide_status status = tide_job_draw(job, !w->draw_failed, &error);
    if (status != TIDE_OK && !w->draw_failed) { // the scene's own drawing is left out until it is mended
        w->draw_failed = true;
        tide_live_fail(job->live, TIDE_FAILURE_DRAW, &error);
        tide_web_tell_failure();
        status = tide_job_draw(job, false, &error);
    }
    if (job->compare && status == TIDE_OK && job->picture.opengl) // the panes are put together in memory
        status = tide_gl_show(job->picture.gl, &job->picture.image, job->picture.width, job->picture.height, &error);
    if (job->compare)
        job->picture.draw_seconds = tide_clock_seconds() - start;
    if (status != TIDE_OK)
        tide_web_tell_error("draw", &error, "");
    note_renderer(opengl);
    w->dirty = false;
    return status == TIDE_OK;
}

TIDE_WEB_CALL int tide_web_is_dirty(void)
{
    return tide_web_page.dirty;
}

TIDE_WEB_CALL const uint8_t *tide_web_pixels(void)
{
    return tide_web_picture()->image.pixels;
}

TIDE_WEB_CALL int tide_web_width(void)
{
    return (int)tide_web_picture()->image.width;
}

TIDE_WEB_CALL int tide_web_height(void)
{
    return (int)tide_web_picture()->image.height;
}

TIDE_WEB_CALL int tide_web_renderer(const char *name, const char *why)
{
    tide_picture *picture = tide_web_picture();
    tide_error error;
    char reason[1200];
    tide_status status = TIDE_OK;
    snprintf(reason, sizeof reason, "%s", why);
    if (strcmp(name, "webgl") == 0) {
        status = tide_picture_use_opengl(picture, TIDE_GL_OFFSCREEN_ES, &error);
        if (status != TIDE_OK)
            tide_error_text(&error, reason, sizeof reason);
    } else
        tide_picture_drop_opengl(picture);
    tide_web_page.dirty = true;
    tide_text *text = tide_web_tell("renderer");
    tide_json_string(text, "name", picture->opengl ? "webgl" : "software");
    tide_json_string(text, "driver", picture->opengl ? tide_gl_name(picture->gl) : "");
    tide_json_string(text, "why", reason);
    tide_web_told();
    return status == TIDE_OK;
}

// --- what is shown ---------------------------------------------------------------------------------------------------

typedef struct tide_web_switch {
    const char *option, *label, *help;
    size_t offset; // of a bool in tide_view_settings
} tide_web_switch;

#define SWITCH(name, member, label, help)                                                                              \
    {                                                                                                                  \
        name, label, help, offsetof(tide_view_settings, member)                                                        \
    }
static const tide_web_switch switches[] = {
    SWITCH("contacts", options.contacts, "contacts",
           "a point and a normal at each contact of the last step, longer the more force it carries"),
    SWITCH("crossings", options.crossings, "crossings",
           "check after each step that nothing goes through anything else, and mark where it does"),
    SWITCH("pins", pins, "pins", "a ball at each pinned vertex"),
    SWITCH("velocities", options.velocities, "velocities", "arrows at vertices"),
    SWITCH("forces", options.forces, "forces", "spring force on each vertex"),
    SWITCH("springs", options.springs, "springs by kind", "all springs as lines, coloured by their kind"),
    SWITCH("wireframe", wireframe, "springs by strain", "springs as lines, coloured by their strain"),
};
enum { SWITCHES = sizeof switches / sizeof *switches };

static bool *switch_of(tide_view_settings *view, const tide_web_switch *which)
{
    return (bool *)(void *)((char *)view + which->offset);
}

static void begin_view(tide_text *text, const char *option, const char *label, const char *help, const char *type)
{
    tide_json_open(text, NULL, '{');
    tide_json_string(text, "option", option);
    tide_json_string(text, "label", label);
    tide_json_string(text, "help", help);
    tide_json_string(text, "type", type);
}

static void add_choices(tide_text *text, const tide_view_options *options)
{
    begin_view(text, "colour", "colours", "by what the bodies are coloured", "choice");
    tide_json_string(text, "value", tide_colouring_name(options->colouring, NULL));
    tide_json_open(text, "choices", '[');
    for (int i = 0; i < TIDE_COLOURING_COUNT; i++)
        tide_json_string(text, NULL, tide_colouring_name((tide_colouring)i, NULL));
    tide_json_close(text, ']');
    tide_json_close(text, '}');
    begin_view(text, "map", "map", "the colours of low and high numbers", "choice");
    tide_json_string(text, "value", tide_colour_map_name(options->map, NULL));
    tide_json_open(text, "choices", '[');
    for (int i = 0; i < TIDE_MAP_COUNT; i++)
        tide_json_string(text, NULL, tide_colour_map_name((tide_colour_map)i, NULL));
    tide_json_close(text, ']');
    tide_json_close(text, '}');
    const struct {
        const char *option, *label;
        double value;
    } range[] = { { "low", "from", options->low }, { "high", "to", options->high } };
    for (int i = 0; i < 2; i++) {
        begin_view(text, range[i].option, range[i].label, "the range of the colours; equal: chosen by the numbers",
                   "number");
        tide_json_number(text, "value", range[i].value);
        tide_json_close(text, '}');
    }
}

void tide_web_add_views(tide_text *text, const char *key)
{
    tide_view_settings *view = &tide_web_picture()->view;
    tide_json_open(text, key, '[');
    add_choices(text, &view->options);
    for (int i = 0; i < SWITCHES; i++) {
        begin_view(text, switches[i].option, switches[i].label, switches[i].help, "boolean");
        tide_json_boolean(text, "value", *switch_of(view, &switches[i]));
        tide_json_close(text, '}');
    }
    tide_json_close(text, ']');
}

void tide_web_tell_views(void)
{
    tide_web_add_views(tide_web_tell("views"), "list");
    tide_web_told();
}

static tide_status set_number(const char *option, const char *value, double *number, tide_error *error)
{
    char *end;
    double read = strtod(value, &end);
    if (end == value || *end || !isfinite(read))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "view", option, value, "expected a number");
    *number = read;
    return TIDE_OK;
}

static tide_status set_view(tide_view_settings *view, const char *option, const char *value, tide_error *error)
{
    tide_view_options *options = &view->options;
    if (strcmp(option, "colour") == 0) {
        TIDE_TRY(tide_colouring_find(value, "view", option, &options->colouring, error));
        options->low = options->high = 0;
        return TIDE_OK;
    }
    if (strcmp(option, "map") == 0)
        return tide_colour_map_find(value, "view", option, &options->map, error);
    if (strcmp(option, "low") == 0)
        return set_number(option, value, &options->low, error);
    if (strcmp(option, "high") == 0)
        return set_number(option, value, &options->high, error);
    for (int i = 0; i < SWITCHES; i++) {
        bool on = strcmp(value, "true") == 0;
        if (strcmp(option, switches[i].option) != 0)
            continue;
        if (!on && strcmp(value, "false") != 0)
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "view", option, value, "expected true or false");
        *switch_of(view, &switches[i]) = on;
        return TIDE_OK;
    }
    return tide_fail(error, TIDE_ERROR_ARGUMENT, "view", NULL, option, "there is no such option");
}

TIDE_WEB_CALL int tide_web_view(const char *option, const char *value)
{
    tide_error error;
    tide_status status = set_view(&tide_web_picture()->view, option, value, &error);
    if (status != TIDE_OK)
        tide_web_tell_error("input", &error, "");
    tide_web_page.dirty = true;
    tide_web_tell_views();
    return status == TIDE_OK;
}

// --- the camera ------------------------------------------------------------------------------------------------------

static void add_point(tide_text *text, const char *key, const float point[3])
{
    tide_json_numbers(text, key, (const double[]) { (double)point[0], (double)point[1], (double)point[2] }, 3);
}

void tide_web_tell_camera(void)
{
    const tide_draw_camera *camera = &tide_web_picture()->camera;
    tide_text *text = tide_web_tell("camera");
    add_point(text, "position", camera->position);
    add_point(text, "target", camera->target);
    add_point(text, "up", camera->up);
    tide_json_number(text, "field_of_view", (double)camera->field_of_view);
    tide_web_told();
}

TIDE_WEB_CALL void tide_web_camera_to(const char *place)
{
    tide_job *job = tide_web_job();
    if (!job)
        return;
    if (strcmp(place, "fit") == 0)
        tide_picture_fit(&job->picture, tide_live_script(job->live), NULL);
    else
        tide_picture_look_again(&job->picture, tide_live_script(job->live), NULL);
    tide_web_page.dirty = true;
    tide_web_tell_camera();
}

TIDE_WEB_CALL void tide_web_camera(const char *numbers)
{
    enum { COUNT = 10 };
    double read[COUNT];
    const char *at = numbers;
    for (int i = 0; i < COUNT; i++) {
        char *end;
        read[i] = strtod(at, &end);
        if (end == at || !(fabs(read[i]) <= 1e9))
            return; // a link's camera that is damaged leaves the scene's
        at = end;
    }
    double apart = hypot(hypot(read[0] - read[3], read[1] - read[4]), read[2] - read[5]);
    if (!(apart > 1e-6) || !(hypot(hypot(read[6], read[7]), read[8]) > 1e-6) || !(read[9] > 0.01 && read[9] < 3))
        return;
    tide_draw_camera *camera = &tide_web_picture()->camera;
    for (int k = 0; k < 3; k++) {
        camera->position[k] = (float)read[k];
        camera->target[k] = (float)read[3 + k];
        camera->up[k] = (float)read[6 + k];
    }
    camera->field_of_view = (float)read[9];
    tide_web_page.dirty = true;
    tide_web_tell_camera();
}

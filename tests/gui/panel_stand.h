// Panels on a picture in memory, for tests: events in, inputs and texts out.
#ifndef TIDE_TESTS_APP_PANEL_STAND_H
#define TIDE_TESTS_APP_PANEL_STAND_H

#include "gui/panel_console.h"
#include "gui/panels.h"
#include "gui/panels_state.h"
#include "tests.h"

#include <stdio.h>
#include <string.h>

static tide_error error; // of the last call

typedef struct stand {
    tide_live *live;
    tide_picture picture;
    tide_panels *panels;
    tide_panels_frame frame;
    tide_status last; // of the inputs that were applied
    char inputs[4000];
} stand;

// The texts of the last drawing, the rectangle of a widget (tide_gui_find), and what was copied last.
static inline const char *tide_panels_said(const tide_panels *panels)
{
    return tide_gui_said(panels->gui);
}

static inline bool tide_panels_find(const tide_panels *panels, const char *label, float box[4])
{
    return tide_gui_find(panels->gui, label, box);
}

static inline const char *tide_panels_copied(const tide_panels *panels)
{
    return panels->copied ? panels->copied : "";
}

// Panels of an experiment that is open; the stand owns it.
static inline void set_up_live(stand *s, tide_live *live)
{
    static const tide_panels_key keys[] = { { "Space", "pause, go on" }, { NULL, NULL } };
    *s = (stand) { .live = live };
    assert_ok(tide_picture_create(&s->picture, tide_live_script(s->live), 1280, 720, false, &error), error);
    assert_ok(tide_panels_create(&s->panels, &error), error);
    s->frame = (tide_panels_frame) { .live = s->live, .picture = &s->picture, .keys = keys, .bottom = 20, .text = 15 };
}

// Panels of a scene with this text.
static inline void set_up(stand *s, const char *text)
{
    char path[300];
    tide_live *live;
    snprintf(path, sizeof path, "%s/panels.lua", tide_test_folder());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    tide_live_options options = { .scene = path, .time_limit = 60, .history_limit = 1 << 24 };
    assert_ok(tide_live_open(&options, &live, &error), error);
    set_up_live(s, live);
}

static inline void tear_down(stand *s)
{
    tide_panels_destroy(s->panels);
    tide_picture_free(&s->picture);
    tide_live_close(s->live);
}

// Draws a picture with the panels, and applies the inputs that they ask for.
static inline void turn(stand *s)
{
    const tide_input *input;
    assert_ok(tide_image_resize(&s->picture.image, 1280, 720, &error), error);
    memset(s->picture.image.pixels, 200, 4 * 1280 * 720);
    assert_ok(tide_panels_draw(s->panels, &s->frame, &error), error);
    while ((input = tide_panels_next(s->panels))) {
        size_t length = strlen(s->inputs);
        snprintf(s->inputs + length, sizeof s->inputs - length, "%s %s %s %.6g %u;", tide_input_name(input->kind),
                 input->name ? input->name : "-", input->text ? input->text : "-", input->number, input->vertex);
        s->last = tide_live_apply(s->live, input, &error);
        if (s->last != TIDE_OK && input->kind == TIDE_INPUT_CONSOLE)
            tide_panels_console_failed(s->panels, &error);
    }
}

static inline void turns(stand *s, int count)
{
    for (int i = 0; i < count; i++)
        turn(s);
}

// A place within a widget: at a share of its width, in the middle of its height.
static inline void place_in(stand *s, const char *label, float share, int *x, int *y)
{
    float box[4];
    if (!tide_panels_find(s->panels, label, box)) {
        print_error("there is no %s in:\n%s", label, tide_panels_said(s->panels));
        fail();
    }
    *x = (int)(box[0] + share * (box[2] - box[0]));
    *y = (int)(0.5f * (box[1] + box[3]));
}

static inline void middle_of(stand *s, const char *label, int *x, int *y)
{
    place_in(s, label, 0.5f, x, y);
}

static inline void mouse_to(stand *s, int x, int y)
{
    SDL_Event event = { .motion = { .type = SDL_MOUSEMOTION, .x = x, .y = y } };
    tide_panels_event(s->panels, &event, 1);
    turn(s);
}

static inline bool button(stand *s, bool down, int x, int y)
{
    SDL_Event event = {
        .button = { .type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP, .button = SDL_BUTTON_LEFT, .x = x, .y = y }
    };
    bool taken = tide_panels_event(s->panels, &event, 1);
    turns(s, 3);
    return taken;
}

static inline bool click_at(stand *s, int x, int y)
{
    mouse_to(s, x, y);
    bool taken = button(s, true, x, y);
    button(s, false, x, y);
    return taken;
}

static inline void click_in(stand *s, const char *label, float share)
{
    int x, y;
    place_in(s, label, share, &x, &y);
    assert_true(click_at(s, x, y));
}

static inline void click(stand *s, const char *label)
{
    click_in(s, label, 0.5f);
}

#endif

// What the window shows over the scene: panels, failures, the keys.
#include "gui/window_state.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

static const tide_panels_key keys[] = {
    { "Space", "pause, go on" },
    { ". or Right", "a single step" },
    { ",", "one solver iteration of it, shown (Esc or . ends the step)" },
    { "Left, Right", "back and forth among the frames; PgUp, PgDn: ten at once" },
    { "R", "start again" },
    { "F5", "run the file again and go on" },
    { "W", "springs, coloured by strain" },
    { "Ctrl with + - 0", "larger text, smaller, as at first (F9: three sizes)" },
    { "F11, Alt+Enter", "full screen, and back" },
    { "click on a body", "select it: its numbers are at the right (tool Look)" },
    { "a file dropped here", "opens: a scene, a mesh, a saved world" },
    { "G", "the other renderer: software, OpenGL" },
    { "F", "fit the world into the window" },
    { "Home", "the scene's own view" },
    { "P", "save a picture" },
    { "L", "in a lesson: the demonstration, your exercise; Shift+PgUp, Shift+PgDn: its text" },
    { "C", "panes: this state under several solvers (F8: panels, of the first); C: the one clicked last alone" },
    { "V", "begin a video of the window, end it" },
    { "B", "save the last ten seconds as a video" },
    { "F12, Shift+F12", "save the world; open the last saved (or drop such a file here)" },
    { "Esc", "close what is open: console, this page, a menu, the panels of a small window, a message" },
    { "Q", "quit; asks first where frames would be lost (so does Esc, where nothing is open)" },
    { "Tab", "the next use of the left button" },
    { "F2 F3 F4 F6 F7", "look, drag, pin, cut, push" },
    { "[ ]", "a drag's spring softer, stiffer" },
    { "Backspace", "hide a message" },
    { "1 2 3", "apply a suggestion after a failed step" },
    { "left drag", "turn (or what the tool does)" },
    { "right drag", "move (also middle drag, or Shift and left drag)" },
    { "wheel", "nearer, farther" },
    { "Shift and click", "pin a vertex or free it" },
    { "strip below", "go back in time" },
    { "other keys, clicks", "go to the scene" },
    { NULL, NULL },
};

static const char *const tools[TIDE_TOOL_COUNT + 1] = { "Look", "Drag", "Pin", "Cut", "Push", NULL };

static void add_failure(tide_window *w, tide_text *text)
{
    static const char *const what_then[] = {
        [TIDE_FAILURE_STEP] = "The world is as it was before, and stands still. R runs the file again and starts over; "
                              "F5 runs it again and goes on.",
        [TIDE_FAILURE_RUN] = "The world goes on as it was. F5 runs the file again; Backspace hides this.",
        [TIDE_FAILURE_INPUT] = "The world goes on as if it had not been pressed. F5 runs the file again; Backspace "
                               "hides this.",
        [TIDE_FAILURE_DRAW] = "The world goes on without the scene's drawing. F5 runs the file again.",
    };
    const tide_failure *failure = tide_live_failure(w->job->live);
    tide_suggestion suggestions[TIDE_SUGGESTION_MAX];
    char message[1200];
    const char *calls = tide_script_traceback(tide_live_script(w->job->live));
    tide_text_format(text, "%s\n", tide_error_text(&failure->error, message, sizeof message));
    if (failure->error.status == TIDE_ERROR_SCRIPT && calls[0])
        tide_text_format(text, "%s\n", calls);
    tide_text_format(text, "\n%s", what_then[failure->kind]);
    if (failure->exploded)
        tide_text_format(text, " Backspace lets it explode.");
    if (failure->theory[0])
        tide_text_format(text, "\n\n%s", failure->theory);
    uint32_t count = tide_live_suggestions(w->job->live, suggestions);
    for (uint32_t r = 0; r < count; r++)
        tide_text_format(text, "%s%u  %s", r ? "\n" : "\n\nWhat may help, by its number or a click:\n", r + 1,
                         suggestions[r].label);
}

static tide_status panel(tide_window *w, tide_image *onto, tide_panel_place place, tide_text *text, bool alert,
                         tide_error *error)
{
    tide_status status = text->failed ? tide_fail_memory(error, "panel")
                                      : tide_overlay_panel(&w->overlay, onto, place, text->bytes, alert, error);
    tide_text_free(text);
    return status;
}

// Returns the part of the picture that notices may cover: between the sides, below the tool bar, above the console and
// the lines at the bottom. If that is too narrow for reading, the whole width.
static tide_notice_place free_place(const tide_window *w)
{
    const tide_image *image = &w->job->picture.image;
    tide_notice_place place = { 0, 0, image->width, image->height };
    uint32_t bottom = w->bottom;
    if (w->panels) {
        tide_panels_free_width(w->panels, &place.left, &place.right);
        place.top = tide_panels_top(w->panels);
        bottom += tide_panels_console_height(w->panels);
    }
    bool narrow = !(place.left < place.right && place.right <= image->width &&
                    (float)(place.right - place.left) > 12 * w->overlay.text_size);
    if (narrow) {
        place.left = 0;
        place.right = image->width;
    }
    if (place.top + bottom + 4 * w->overlay.text_size < image->height)
        place.bottom -= bottom;
    else { // in a very low picture only the lines at the bottom stay free
        place.top = 0;
        place.bottom -= w->bottom < image->height ? w->bottom : 0;
    }
    return place;
}

static void copy_place(const tide_image *from, uint32_t x, uint32_t y, tide_image *to, uint32_t to_x, uint32_t to_y,
                       uint32_t width, uint32_t height)
{
    for (uint32_t row = 0; row < height; row++)
        memcpy(to->pixels + 4 * ((size_t)to->width * (to_y + row) + to_x),
               from->pixels + 4 * ((size_t)from->width * (y + row) + x), 4 * (size_t)width);
}

tide_status tide_window_draw_notice(tide_window *w, tide_panel_place where, const char *text, bool alert,
                                    tide_error *error)
{
    tide_image *image = &w->job->picture.image;
    const tide_notice_place place = free_place(w);
    uint32_t width = place.right - place.left, height = place.bottom - place.top;
    TIDE_TRY(tide_image_resize(&w->middle, width, height, error));
    copy_place(image, place.left, place.top, &w->middle, 0, 0, width, height);
    tide_status status = tide_overlay_panel(&w->overlay, &w->middle, where, text, alert, error);
    copy_place(&w->middle, 0, 0, image, place.left, place.top, width, height);
    if (where == TIDE_PANEL_CENTRE) {
        w->overlay.lines_left += (float)place.left;
        w->overlay.lines_top += (float)place.top;
    }
    return status;
}

// The same for a text that it frees.
static tide_status notice(tide_window *w, tide_panel_place where, tide_text *text, bool alert, tide_error *error)
{
    tide_status status =
        text->failed ? tide_fail_memory(error, "panel") : tide_window_draw_notice(w, where, text->bytes, alert, error);
    tide_text_free(text);
    return status;
}

// Writes the message in the middle; false: none.
static bool add_message(tide_window *w, tide_text *text)
{
    if (w->asks_to_quit)
        tide_window_add_question(w, text);
    else if (w->refused[0])
        tide_text_format(text, "%s\n\nThis scene goes on. Backspace hides this.", w->refused);
    else if (tide_window_has_failed(w))
        add_failure(w, text);
    return tide_window_has_message(w);
}

// Returns the height of a failure's message, pixels, which the scene should stay clear of; 0: none.
static float message_height(tide_window *w, uint32_t from, uint32_t to, uint32_t height)
{
    const tide_image room = { .width = to > from ? to - from : 1, .height = height };
    tide_text text = { 0 };
    if (w->asks_to_quit || !height || !add_message(w, &text))
        return 0;
    uint32_t taken = text.failed ? 0 : tide_overlay_height(&w->overlay, &room, TIDE_PANEL_CENTRE, text.bytes);
    tide_text_free(&text);
    return (float)taken;
}

// Puts the scale of the ground's grid above the lines at the bottom and the console.
static void place_scale(tide_window *w)
{
    tide_text text = { 0 };
    tide_window_add_status(w, &text);
    w->job->picture.scale.size = 0.8f * w->overlay.text_size;
    w->job->picture.scale.above =
        (float)(tide_window_strip_height(w) + tide_window_bar_height(w, &text) + tide_panels_console_height(w->panels));
    tide_text_free(&text);
}

// Sets the part of the picture that no panel covers, where the camera shows the scene. Notices in the bar at the bottom
// do not count, so that they do not move the picture; a failure's message counts fully.
static void see_visible_part(tide_window *w)
{
    tide_picture *picture = &w->job->picture;
    const tide_image size = { .width = picture->width, .height = picture->height };
    picture->part = (tide_camera_part) { 0 };
    picture->whole = w->job->options->lesson; // its text refers to everything in the picture
    memset(&picture->scale, 0, sizeof picture->scale);
    if (w->job->compare)
        return;
    uint32_t from, to;
    tide_panels_lay_out(w->panels, picture->width, picture->height, w->text_size);
    tide_panels_free_width(w->panels, &from, &to);
    w->overlay.text_size = w->text_size * tide_panels_enlargement(w->panels);
    const char *lines =
        tide_window_is_alone(w) && size.width < 64 * w->overlay.text_size ? "t\nt" : "t"; // the lines of add_status
    uint32_t bar = tide_overlay_height(&w->overlay, &size, TIDE_PANEL_BOTTOM, lines);
    float high = (float)size.height, top = (float)tide_panels_top(w->panels) / high;
    float bottom = 1 - ((float)bar + 0.7f * w->overlay.text_size) / high;
    if (high < 18 * w->overlay.text_size) { // makes the bar as low as possible
        top = 0;
        bottom = 1;
    }
    bottom = fmaxf(bottom - message_height(w, from, to, (uint32_t)(bottom * high)) / high, top + 0.4f * (bottom - top));
    picture->part = (tide_camera_part) { (float)from / (float)size.width, top, (float)to / (float)size.width, bottom };
    place_scale(w);
}

static tide_status add_widgets(tide_window *w, uint32_t bottom, tide_error *error)
{
    const tide_panels_frame frame = {
        .live = w->job->live,
        .picture = &w->job->picture,
        .keys = keys,
        .tools = tools,
        .tool = (int)w->tool,
        .paused = tide_window_is_paused(w),
        .frames_per_second = w->frames_per_second,
        .real_time_rate = w->real_time_rate,
        .iterate = tide_window_iterate_text(w),
        .bottom = bottom,
        .text = w->text_size,
    };
    return tide_panels_draw(w->panels, &frame, error);
}

// Shows what to do first, until the user has done it once.
static tide_status draw_hint(tide_window *w, tide_error *error)
{
    char hint[600];
    const char *path = tide_live_path(w->job->live), *slash = strrchr(path, '/');
    char edit[260] = "";
    const tide_notice_place place = free_place(w);
    const tide_image room = { .width = place.right - place.left, .height = place.bottom - place.top };
    const uint32_t scale = (uint32_t)(2.2f * w->job->picture.scale.size); // the ground's scale is below the hint
    const tide_lesson *lesson = w->job->options->lesson;
    if (lesson)
        snprintf(edit, sizeof edit, "L shows your exercise, and this. Save it: it is marked.\n");
    else if (!w->job->is_view && !w->job->options->link)
        snprintf(edit, sizeof edit, "Edit and save %.200s: the window follows.\n", slash ? slash + 1 : path);
    snprintf(hint, sizeof hint,
             "Drag pulls a body: choose it above, or press F3.\n%sF1 shows all keys. Backspace hides this.", edit);
    uint32_t high = tide_overlay_height(&w->overlay, &room, TIDE_PANEL_BOTTOM_LEFT, hint);
    if (room.width < 24 * w->overlay.text_size || room.height < 4 * high)
        return TIDE_OK;
    w->bottom += scale;
    tide_status status = tide_window_draw_notice(w, TIDE_PANEL_BOTTOM_LEFT, hint, false, error);
    w->bottom -= scale;
    return status;
}

// Adds the texts over the scene: a message, or else recent notices and the hint.
static tide_status add_notices(tide_window *w, tide_error *error)
{
    tide_text text = { 0 };
    tide_overlay_forget_lines(&w->overlay);
    if (add_message(w, &text))
        return notice(w, TIDE_PANEL_CENTRE, &text, !w->asks_to_quit, error);
    if (!w->hint_is_over && !tide_panels_show_help(w->panels) && !w->job->options->frames_given && !w->job->replay &&
        !w->job->compare)
        TIDE_TRY(draw_hint(w, error));
    if (w->toast[0] && tide_window_is_alone(w))
        TIDE_TRY(tide_window_draw_notice(w, TIDE_PANEL_TOP_LEFT, w->toast, false, error));
    return TIDE_OK;
}

// Draws the legend of the springs' colours, below the tool bar.
static tide_status draw_legend(tide_window *w, tide_error *error)
{
    tide_image part = w->job->picture.image;
    uint32_t top = tide_panels_top(w->panels);
    if (top >= part.height)
        return TIDE_OK;
    part.pixels += 4 * (size_t)part.width * top;
    part.height -= top;
    return tide_overlay_legend(&w->overlay, &part, error);
}

static tide_status add_panels(tide_window *w, tide_error *error)
{
    tide_image *image = &w->job->picture.image;
    tide_text text = { 0 };
    w->overlay.text_size = w->text_size * tide_panels_enlargement(w->panels);
    if (!w->iterates && !w->job->compare)
        tide_window_draw_marks(w);
    tide_window_note_partial_picture(w);
    tide_window_add_status(w, &text);
    w->bottom = tide_window_strip_height(w) + tide_window_bar_height(w, &text);
    tide_status status = add_widgets(w, w->bottom, error);
    if (status != TIDE_OK) {
        tide_text_free(&text);
        return status;
    }
    // The strip is at the very bottom.
    tide_image above = *image;
    above.height -= tide_window_strip_height(w);
    status = panel(w, &above, TIDE_PANEL_BOTTOM, &text, w->warning[0] || w->is_partial, error);
    tide_window_draw_strip(w);
    if (status == TIDE_OK && w->job->picture.view.wireframe && tide_panels_are_hidden(w->panels))
        status = draw_legend(w, error);
    return status == TIDE_OK ? add_notices(w, error) : status;
}

// Draws the world with the scene's drawing; a `draw` that fails is left out until the scene is corrected.
tide_status tide_window_draw_scene(tide_window *w, tide_error *error)
{
    tide_live *live = w->job->live;
    if (w->job->compare)
        return tide_window_draw_panes(w, error);
    if (w->iterates)
        return tide_window_draw_iterate(w, error);
    tide_status status = tide_job_draw(w->job, !w->draw_failed, error);
    if (status == TIDE_OK || w->draw_failed || error->status == TIDE_ERROR_MEMORY)
        return status;
    w->draw_failed = true;
    tide_live_fail(live, TIDE_FAILURE_DRAW, error);
    return TIDE_OK;
}

tide_status tide_window_draw(tide_window *w, tide_error *error)
{
    tide_window_make_room(w);
    see_visible_part(w);
    tide_status status = tide_window_draw_scene(w, error);
    return status == TIDE_OK ? add_panels(w, error) : status;
}

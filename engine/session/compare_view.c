#include "session/compare_view.h"

#include "base/memory.h"
#include "draw/overlay.h"

#include <math.h>
#include <string.h>

// --- places ----------------------------------------------------------------------------------------------------------

enum { GAP = 2 }; // pixels between panes

static uint32_t columns_of(uint32_t count)
{
    return count <= 1 ? 1 : count <= 4 ? 2 : 3;
}

static uint32_t rows_of(uint32_t count)
{
    return (count + columns_of(count) - 1) / columns_of(count);
}

static uint32_t side(uint32_t whole, uint32_t parts)
{
    uint32_t gaps = GAP * (parts - 1);
    return whole > gaps + parts ? (whole - gaps) / parts : 1;
}

tide_pane_place tide_pane_place_of(uint32_t count, uint32_t index, uint32_t width, uint32_t height)
{
    uint32_t columns = columns_of(count), wide = side(width, columns), high = side(height, rows_of(count));
    return (tide_pane_place) { index % columns * (wide + GAP), index / columns * (high + GAP), wide, high };
}

static uint32_t part(double at, uint32_t size, uint32_t count)
{
    double index = floor(at / (size + GAP));
    return index > 0 ? (uint32_t)fmin(index, count - 1) : 0;
}

uint32_t tide_pane_at(uint32_t count, double x, double y, uint32_t width, uint32_t height)
{
    uint32_t columns = columns_of(count), rows = rows_of(count);
    uint32_t index = part(y, side(height, rows), rows) * columns + part(x, side(width, columns), columns);
    return index < count ? index : count - 1;
}

// --- one pane of a job -----------------------------------------------------------------------------------------------

static uint32_t height_of(const tide_compare *c, uint32_t height)
{
    return height > c->bottom ? height - c->bottom : 1;
}

static uint32_t above(const tide_compare *c, uint32_t height)
{
    return height_of(c, height) > 4 * c->top ? c->top : 0;
}

// Returns the width that is left for the panes, if the picture is wide enough to leave space beside them
static uint32_t beside(const tide_compare *c, uint32_t width, uint32_t *left)
{
    uint32_t least = 64 * c->count, side = c->left + c->right;
    *left = width > side + least ? c->left : 0;
    return width > side + least ? width - side : width;
}

tide_pane_place tide_compare_place(const tide_compare *c, uint32_t index, uint32_t width, uint32_t height)
{
    uint32_t left, wide = beside(c, width, &left);
    tide_pane_place place = tide_pane_place_of(c->count, index, wide, height_of(c, height) - above(c, height));
    place.left += left;
    place.top += above(c, height);
    return place;
}

uint32_t tide_compare_pane_at(const tide_compare *c, double x, double y, uint32_t width, uint32_t height)
{
    uint32_t left, wide = beside(c, width, &left);
    return tide_pane_at(c->count, x - left, y - above(c, height), wide, height_of(c, height) - above(c, height));
}

static float label_size(uint32_t width, uint32_t height)
{
    return fminf(fmaxf(roundf(fminf((float)height / 24, (float)width / 42)), 11), 26);
}

static float caption_size(uint32_t width, uint32_t height)
{
    return fmaxf(label_size(width, height) - 2, 10);
}

// The part of a pane above its two-line caption.
static tide_camera_part visible_part(const tide_pane_place *place)
{
    const float size = caption_size(place->width, place->height);
    float width, height;
    tide_draw_text_size("t\nt", size, &width, &height);
    const float bottom = 1 - (height + size) / (float)place->height;
    return (tide_camera_part) { 0, 0, 1, fmaxf(bottom, 0.6f) };
}

tide_pane_focus tide_pane_enter(tide_job *job, uint32_t pane)
{
    const tide_pane_focus focus = { job->live,          job->compare,         job->picture.camera,
                                    job->picture.part,  job->picture.covered, job->picture.width,
                                    job->picture.height };
    tide_pane_place place = tide_compare_place(focus.compare, pane, focus.width, focus.height);
    job->live = focus.compare->panes[pane].live;
    job->compare = NULL;
    job->picture.width = place.width;
    job->picture.height = place.height;
    job->picture.covered = 0;
    job->picture.part = visible_part(&place);
    job->picture.follows_nothing = true;
    return focus;
}

void tide_pane_leave(tide_job *job, const tide_pane_focus *focus)
{
    job->live = focus->live;
    job->compare = focus->compare;
    job->picture.camera = focus->camera;
    job->picture.part = focus->part;
    job->picture.follows_nothing = false;
    job->picture.covered = focus->covered;
    job->picture.width = focus->width;
    job->picture.height = focus->height;
}

// --- pictures --------------------------------------------------------------------------------------------------------

struct tide_compare_view {
    tide_overlay overlay;
    tide_image other; // the whole picture while a pane is drawn, otherwise a pane's picture
    tide_text text;
};

tide_status tide_compare_view_create(tide_compare_view **out, tide_error *error)
{
    tide_compare_view *view = tide_allocate_zeroed(1, sizeof *view);
    if (!view)
        return tide_fail_memory(error, "comparison");
    tide_status status = tide_overlay_create(&view->overlay, error);
    if (status != TIDE_OK) {
        tide_free(view);
        return status;
    }
    *out = view;
    return TIDE_OK;
}

void tide_compare_view_destroy(tide_compare_view *view)
{
    if (!view)
        return;
    tide_overlay_free(&view->overlay);
    tide_image_free(&view->other);
    tide_text_free(&view->text);
    tide_free(view);
}

static tide_status write_panel(tide_compare_view *view, tide_image *image, tide_panel_place place, bool alert,
                               tide_error *error)
{
    if (view->text.failed)
        return tide_fail_memory(error, "comparison");
    return view->text.bytes ? tide_overlay_panel(&view->overlay, image, place, view->text.bytes, alert, error)
                            : TIDE_OK;
}

static tide_status write_caption(tide_compare_view *view, const tide_compare *c, uint32_t index, tide_image *image,
                                 tide_error *error)
{
    const tide_pane *pane = &c->panes[index];
    view->overlay.text_size = label_size(image->width, image->height);
    tide_text_clear(&view->text);
    tide_text_format(&view->text, "%u  %s", index + 1, pane->label);
    tide_status status = write_panel(view, image, TIDE_PANEL_TOP_LEFT, false, error);
    view->overlay.text_size = caption_size(image->width, image->height);
    tide_text_clear(&view->text);
    tide_compare_write(c, index, &view->text);
    return status == TIDE_OK ? write_panel(view, image, TIDE_PANEL_BOTTOM, tide_compare_has_stopped(pane), error)
                             : status;
}

static void copy_into(const tide_image *from, tide_image *to, const tide_pane_place *place)
{
    for (uint32_t y = 0; y < from->height && place->top + y < to->height; y++) {
        uint32_t width = from->width < to->width - place->left ? from->width : to->width - place->left;
        memcpy(to->pixels + 4 * ((size_t)to->width * (place->top + y) + place->left),
               from->pixels + 4 * (size_t)from->width * y, 4 * (size_t)width);
    }
}

static void exchange(tide_compare_view *view, tide_picture *picture)
{
    tide_image image = picture->image;
    picture->image = view->other;
    view->other = image;
}

// Draws a pane's world with the scene's draw callback, or without it if the callback fails.
static tide_status draw_world(tide_job *job, bool callback, tide_error *error)
{
    tide_error why;
    tide_picture *picture = &job->picture;
    tide_script *script = tide_live_script(job->live);
    tide_failure_kind failed = tide_live_failure(job->live)->kind;
    tide_status status = tide_picture_draw_checked(picture, script, callback && failed != TIDE_FAILURE_DRAW, &why);
    if (status != TIDE_OK && status != TIDE_ERROR_MEMORY && callback) {
        tide_live_fail(job->live, TIDE_FAILURE_DRAW, &why);
        status = tide_picture_draw_checked(picture, script, false, &why);
    }
    if (status != TIDE_OK)
        *error = why;
    return status;
}

static tide_status draw_pane(tide_compare_view *view, tide_job *job, uint32_t index, bool callback,
                             tide_pane_mark *mark, void *context, tide_error *error)
{
    const tide_pane_focus focus = tide_pane_enter(job, index);
    tide_status status = draw_world(job, callback, error);
    if (status == TIDE_OK && mark)
        mark(context, index);
    tide_pane_leave(job, &focus);
    return status == TIDE_OK ? write_caption(view, job->compare, index, &job->picture.image, error) : status;
}

// Fills the area outside the panes with a dark colour.
static void clear(tide_image *image)
{
    for (size_t i = 0; i < (size_t)image->width * image->height; i++)
        memcpy(image->pixels + 4 * i, (const uint8_t[4]) { 18, 20, 25, 255 }, 4);
}

tide_status tide_compare_draw(tide_compare_view *view, tide_job *job, bool callback, tide_pane_mark *mark,
                              void *context, tide_error *error)
{
    tide_picture *picture = &job->picture;
    const uint32_t count = job->compare->count;
    const double before = picture->draw_seconds;
    double seconds = 0;
    uint32_t left_out = 0;
    exchange(view, picture);
    tide_status status = tide_image_resize(&view->other, picture->width, picture->height, error);
    if (status == TIDE_OK)
        clear(&view->other);
    for (uint32_t i = 0; i < count && status == TIDE_OK; i++) {
        tide_pane_place place = tide_compare_place(job->compare, i, picture->width, picture->height);
        picture->draw_seconds = 0; // stays 0 if the picture repeats the last one
        status = draw_pane(view, job, i, callback, mark, context, error);
        seconds += picture->draw_seconds;
        left_out += picture->left_out;
        if (status == TIDE_OK)
            copy_into(&picture->image, &view->other, &place);
    }
    exchange(view, picture);
    picture->draw_seconds = seconds > 0 ? seconds : before;
    picture->left_out = left_out;
    return status;
}

// Draws the panes in the window.
#include "gui/window_state.h"

#include "session/job_compare.h"

static void mark(void *context, uint32_t pane)
{
    (void)pane;
    tide_window_draw_marks(context);
}

// Draws a frame around the chosen pane.
static void draw_frame(tide_window *w)
{
    static const uint8_t colour[3] = { 240, 160, 30 };
    tide_image *image = &w->job->picture.image;
    tide_pane_place p = tide_compare_place(w->job->compare, w->pane, image->width, image->height);
    for (uint32_t y = p.top; y < p.top + p.height && y < image->height; y++)
        for (uint32_t x = p.left; x < p.left + p.width && x < image->width; x++)
            if (y < p.top + 2 || y + 2 >= p.top + p.height || x < p.left + 2 || x + 2 >= p.left + p.width)
                for (int c = 0; c < 3; c++)
                    image->pixels[4 * ((size_t)image->width * y + x) + (size_t)c] = colour[c];
}

void tide_window_make_room(tide_window *w)
{
    if (!w->job->compare)
        return;
    w->overlay.text_size = w->text_size * tide_panels_enlargement(w->panels);
    uint32_t from, to, width = w->job->picture.width;
    tide_panels_lay_out(w->panels, width, w->job->picture.height, w->text_size);
    tide_panels_free_width(w->panels, &from, &to);
    w->job->compare->left = from;
    w->job->compare->top = tide_panels_top(w->panels);
    w->job->compare->right = to < width ? width - to : 0;
    w->job->compare->bottom = tide_window_strip_height(w) + tide_window_lines_height(w);
}

tide_status tide_window_draw_panes(tide_window *w, tide_error *error)
{
    TIDE_TRY(tide_job_draw_panes(w->job, true, mark, w, error));
    draw_frame(w);
    return TIDE_OK;
}

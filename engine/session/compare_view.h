// The picture of panes: rows of them side by side, under one camera, each with its label and its numbers.
#ifndef TIDE_SESSION_COMPARE_VIEW_H
#define TIDE_SESSION_COMPARE_VIEW_H

#include "session/compare_panes.h"
#include "session/job.h"

// Where a pane is, pixels from the top left of the whole picture.
typedef struct tide_pane_place {
    uint32_t left, top, width, height;
} tide_pane_place;
// All panes have one size: 2 in a row, up to 4 in two rows, up to 6 in two rows of 3, up to 9 in three.
tide_pane_place tide_pane_place_of(uint32_t count, uint32_t index, uint32_t width, uint32_t height);
// The pane at a pixel; the nearest one where there is none.
uint32_t tide_pane_at(uint32_t count, double x, double y, uint32_t width, uint32_t height);
// The same within the part of a picture that is not left free
tide_pane_place tide_compare_place(const tide_compare *compare, uint32_t index, uint32_t width, uint32_t height);
uint32_t tide_compare_pane_at(const tide_compare *compare, double x, double y, uint32_t width, uint32_t height);

// Between these, the job is about that pane: its experiment, and a picture of its size under the common camera, which
// nobody is to change there, fitted into the part above the pane's caption. Not within each other.
typedef struct tide_pane_focus {
    tide_live *live;
    tide_compare *compare;
    tide_draw_camera camera; // of the whole picture
    tide_camera_part part;
    uint32_t covered, width, height;
} tide_pane_focus;
tide_pane_focus tide_pane_enter(tide_job *job, uint32_t pane);
void tide_pane_leave(tide_job *job, const tide_pane_focus *focus);

typedef struct tide_compare_view tide_compare_view;
tide_status tide_compare_view_create(tide_compare_view **view, tide_error *error);
void tide_compare_view_destroy(tide_compare_view *view); // NULL does nothing

// The picture of all panes into job->picture.image, of the size that it is to have. `mark` (may be NULL) is called for
// each pane in between enter and leave, with its picture drawn. A pane whose scene fails to draw is drawn without that,
// and has the failure.
typedef void tide_pane_mark(void *context, uint32_t pane);
tide_status tide_compare_draw(tide_compare_view *view, tide_job *job, bool callback, tide_pane_mark *mark,
                              void *context, tide_error *error);

#endif

// The picture of panes: rows of panes under one camera, each with its label and its numbers.
#ifndef TIDE_SESSION_COMPARE_VIEW_H
#define TIDE_SESSION_COMPARE_VIEW_H

#include "session/compare_panes.h"
#include "session/job.h"

// The rectangle of a pane in the whole picture, pixels from the top left.
typedef struct tide_pane_place {
    uint32_t left, top, width, height;
} tide_pane_place;
// Returns the rectangle of a pane. All panes have one size: 2 in one row, up to 4 in two rows, up to 6 in two rows of
// 3, up to 9 in three rows.
tide_pane_place tide_pane_place_of(uint32_t count, uint32_t index, uint32_t width, uint32_t height);
// Returns the index of the pane at a pixel, or of the nearest pane.
uint32_t tide_pane_at(uint32_t count, double x, double y, uint32_t width, uint32_t height);
// Do the same within the part of the picture that `compare` does not leave free.
tide_pane_place tide_compare_place(const tide_compare *compare, uint32_t index, uint32_t width, uint32_t height);
uint32_t tide_compare_pane_at(const tide_compare *compare, double x, double y, uint32_t width, uint32_t height);

// Between enter and leave the job refers to one pane: to its experiment, and to a picture of the pane's size under the
// common camera, fitted into the part above the caption. The camera must not be changed meanwhile. Calls do not nest.
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

// Draws all panes into job->picture.image, at the picture's size. Calls `mark` (may be NULL) for each pane between
// enter and leave, after its picture is drawn. If a scene's draw callback fails, its pane is drawn without it and has
// the failure.
typedef void tide_pane_mark(void *context, uint32_t pane);
tide_status tide_compare_draw(tide_compare_view *view, tide_job *job, bool callback, tide_pane_mark *mark,
                              void *context, tide_error *error);

#endif

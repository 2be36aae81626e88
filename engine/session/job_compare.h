// Panes in a job: opens them as the command line, the scene or a key asks for, then steps, draws and records them in
// place of the single experiment. `springtide compare` adds this to a run.
#ifndef TIDE_SESSION_JOB_COMPARE_H
#define TIDE_SESSION_JOB_COMPARE_H

#include "session/compare_view.h"

// Prepares a run, once its scene is open. With `compare`, goes to --frame and opens the panes; otherwise opens those
// that the scene asks for (tide.compare), if they can be seen. *refused: the command line is at fault.
tide_status tide_job_begin_comparing(tide_job *job, bool *refused, tide_error *error);
// Opens panes as job->plan (of the command line) says; if it is empty, those of the scene, or else the usual ones.
tide_status tide_job_compare(tide_job *job, tide_error *error);
// Opens other panes, or none, after a run of the script, if the scene now asks for others. Does nothing for panes that
// the command line or a key asked for. A failure leaves the single experiment.
tide_status tide_job_follow_scene(tide_job *job, bool *changed, tide_error *error);
// Closes all panes but one and continues with that one. On failure all panes remain.
tide_status tide_job_continue_with(tide_job *job, uint32_t pane, tide_error *error);
void tide_job_end_comparing(tide_job *job); // frees everything about panes

// Steps the panes by one frame, and measures their errors if asked for.
tide_status tide_job_step_panes(tide_job *job, tide_error *error);
// Draws the panes, as tide_compare_draw does.
tide_status tide_job_draw_panes(tide_job *job, bool callback, tide_pane_mark *mark, void *context, tide_error *error);
// Writes the rows of --stats, with `compare`.
tide_status tide_job_record_panes(tide_job *job, tide_error *error);
// Writes the table of --stats. Without a window, also prints the results of each pane, with hashes last.
tide_status tide_job_finish_panes(tide_job *job, tide_error *error);

#endif

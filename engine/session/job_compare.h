// Panes in a job: opened as the command line, the scene or a key asks for, stepped, drawn and written about in place of
// the one experiment. What `springtide compare` adds to a run.
#ifndef TIDE_SESSION_JOB_COMPARE_H
#define TIDE_SESSION_JOB_COMPARE_H

#include "session/compare_view.h"

// What is to be done at the beginning of a run, once its scene is open: with `compare` goes to --frame and opens the
// panes; otherwise opens those that the scene asks for (tide.compare) where they would be seen. *refused: the command
// line is at fault.
tide_status tide_job_begin_comparing(tide_job *job, bool *refused, tide_error *error);
// Opens panes by job->plan (of the command line), or where it is empty by what the scene asks for, or the usual ones.
tide_status tide_job_compare(tide_job *job, tide_error *error);
// After a run of the script: other panes, or none, where it asks for others than before. Not where the command line or
// a key has asked for them. What fails leaves one experiment.
tide_status tide_job_follow_scene(tide_job *job, bool *changed, tide_error *error);
// Goes on with one of them alone. On failure, the others are there still.
tide_status tide_job_go_on_with(tide_job *job, uint32_t pane, tide_error *error);
void tide_job_end_comparing(tide_job *job); // frees all of it

// A frame of the panes, with their errors where they are asked for.
tide_status tide_job_step_panes(tide_job *job, tide_error *error);
// Draws them; as tide_compare_draw.
tide_status tide_job_draw_panes(tide_job *job, bool callback, tide_pane_mark *mark, void *context, tide_error *error);
// Rows of --stats, with `compare`.
tide_status tide_job_record_panes(tide_job *job, tide_error *error);
// Writes the table of --stats and, without a window, prints what there is to say of each pane, with hashes last.
tide_status tide_job_finish_panes(tide_job *job, tide_error *error);

#endif

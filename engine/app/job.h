// A job: a scene to run, its picture, and the files to write about it. Stepped without a window by run.c and in
// one by window.c.
#ifndef TIDE_APP_JOB_H
#define TIDE_APP_JOB_H

#include "app/command_line.h"
#include "app/output.h"
#include "app/picture.h"

typedef struct tide_job {
    const tide_arguments *arguments;
    tide_script_options options; // to run the file with
    tide_script *script;
    tide_picture picture;
    tide_stats *stats; // NULL when not asked for
    uint64_t frame;    // steps taken since the beginning of the run
    uint32_t chosen;   // solvers of the command line whose frame has come; the last of them is in force
} tide_job;

// Takes a step, with the solver that the command line has for it. On failure the world is as it was before.
tide_status tide_job_step(tide_job *job, tide_error *error);
// Makes the solver that the command line has for the start, or the scene's own, the one that the file is run with.
// Whether another one was.
bool tide_job_forget_choices(tide_job *job);
bool tide_job_wants_picture(const tide_job *job); // of every frame
bool tide_job_is_over(const tide_job *job);       // all frames that were asked for are done
// Writes what was asked for about the frame: the picture (as it is in job->picture), the meshes, the row.
tide_status tide_job_record(tide_job *job, tide_error *error);

// Writes the picture in job->picture for a frame.
tide_status tide_job_write_picture(tide_job *job, tide_error *error);

#endif

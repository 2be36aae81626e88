// A job: a live experiment to run, its picture, and the files to write about it. Driven without a window by run.c and
// in one by window.c.
#ifndef TIDE_APP_JOB_H
#define TIDE_APP_JOB_H

#include "app/compare_plan.h"
#include "app/film.h"
#include "app/live.h"
#include "app/output.h"
#include "app/picture.h"
#include "app/replay.h"
#include "app/watch.h"

typedef struct tide_job {
    const tide_arguments *arguments;
    tide_live *live;
    tide_picture picture;
    tide_stats *stats;                // NULL when not asked for
    tide_recorder *recorder;          // likewise
    tide_film *film;                  // likewise: the video
    tide_replay *replay;              // what is done again; NULL: none, or taken over
    tide_watch *watch;                // the scene's files; NULL: they are not watched
    tide_compare_plan plan;           // of the panes that the command line asks for
    struct tide_comparing *comparing; // what of it is there; NULL before it is asked for
    struct tide_next *next;           // a scene that takes the place of this one; owned; NULL: none
    struct tide_job *opening;         // the next one's, while its file runs; NULL otherwise
    char warnings[1000];              // of the run of its file, before its window was there; a line each
    struct tide_window *window;       // that is open; NULL: none is
    bool files_changed;               // while a script ran: it was interrupted
    bool (*alive)(void *context);     // called while a script runs; NULL: nothing is
    void *alive_context;
    struct tide_compare *compare; // the panes, of which the first is `live`; NULL: there is one experiment
} tide_job;

// A scene that was opened from within a window, with what it is run with.
typedef struct tide_next {
    tide_arguments arguments; // of the command line, what is about the window and the machine
    tide_job job;             // open: its file has been run
    char *path;               // owned
    char *folder;             // to be removed after it; owned; NULL: the scene is a person's own
} tide_next;

// Opens a scene file, or a mesh file for which a scene is written, as job->next: open_file.c. On failure there is none,
// and the job's own scene is as it was. One that is there already is kept.
tide_status tide_job_open_next(tide_job *job, const char *path, tide_error *error);
void tide_next_free(tide_next *next); // not what is in the job; NULL does nothing

// Runs the file of the job's scene: job->live, and job->watch where files are watched. While the script runs, what
// tide_job_keep_alive was given is called, and a correction that is saved is run instead.
tide_status tide_job_open_scene(tide_job *job, tide_error *error);
// Lets go of both, of a job that was not run.
void tide_job_close_scene(tide_job *job);

// The path of the scene, or of the replay that has it.
const char *tide_job_scene(const tide_job *job);

// Takes a step, of the replay where there is one. A failure of the scene is also the live's.
tide_status tide_job_step(tide_job *job, tide_error *error);
// Ends the replay: from now on it goes on without.
void tide_job_take_over(tide_job *job);

uint64_t tide_job_steps(const tide_job *job); // taken; with panes, frames in which all went on, from there on

// Has this called some 20 times a second while a script runs; true interrupts it. NULL: nothing.
void tide_job_keep_alive(tide_job *job, bool (*alive)(void *context), void *context);
// Whether a file of the script's has changed since; noted for tide_job_look_at_files.
bool tide_job_files_have_changed(tide_job *job);

// Runs the script again once its files have changed. Whether it did; what failed of it is the live's failure.
bool tide_job_look_at_files(tide_job *job);
void tide_job_watch_files(tide_job *job);         // those of the last run from now on; for after one
bool tide_job_wants_picture(const tide_job *job); // of the state as it is: for a file, or the video
bool tide_job_is_over(const tide_job *job);       // all frames that were asked for are done

// A signal that ends the program (base/signals.h) from now on interrupts what runs: tide_job_is_interrupted is true,
// and the program has three seconds to finish.
void tide_job_catch_signals(void);
bool tide_job_is_interrupted(void);
// Ends the program by the signal where there was one.
void tide_job_end_by_signal(void);

// The picture of now, with the script's drawing unless `callback` is false. A script that changes the world while it
// draws fails, and has changed nothing: what becomes of the world is not to depend on how often it is drawn.
tide_status tide_job_draw(tide_job *job, bool callback, tide_error *error);
// Writes what was asked for about the frame: the picture (as it is in job->picture), the meshes, the row.
tide_status tide_job_record(tide_job *job, tide_error *error);

// Writes the picture in job->picture for a frame.
tide_status tide_job_write_picture(tide_job *job, tide_error *error);

#endif

// A job: a live experiment, its picture, and the files that are written about it. app/run.c runs it headless,
// gui/window.c in a window. job_compare.c adds what is different while there are panes.
#ifndef TIDE_SESSION_JOB_H
#define TIDE_SESSION_JOB_H

#include "session/compare_plan.h"
#include "session/live.h"
#include "session/motion_recorder.h"
#include "session/output.h"
#include "session/picture.h"
#include "session/replay.h"
#include "session/stats.h"
#include "session/video_recorder.h"
#include "session/watch.h"

enum { TIDE_HEADLESS_FRAMES = 120 }; // default for a run without a window and without --frames

typedef struct tide_job {
    const tide_run_options *options;
    tide_live *live;
    tide_picture picture;
    tide_stats *stats;                     // NULL when not asked for
    tide_recorder *recorder;               // NULL when not asked for
    tide_video_recorder *video_recorder;   // the video; NULL when not asked for
    tide_motion_recorder *motion_recorder; // the motion that --export writes; NULL when not asked for
    tide_replay *replay;    // the replay that provides the inputs; NULL: there is none, or the user has left it
    tide_watch *watch;      // the scene's files; NULL: they are not watched
    tide_compare_plan plan; // the panes that the command line asks for
    struct tide_comparing *comparing; // the view of panes and their files; NULL until panes are asked for
    struct tide_next *next;           // the scene that replaces this one; owned; NULL: none
    struct tide_job *opening;         // the job of the next scene while its script runs for the first time; else NULL
    char warnings[1000];              // logged while the script ran before there was a window; one per line
    struct tide_window *window;       // NULL when no window is open
    bool is_view;                     // the scene shows a mesh, and its file is temporary
    bool files_changed;               // a file changed while a script ran, which was interrupted
    bool (*alive)(void *context);     // see tide_job_keep_alive; NULL: nothing is called
    void *alive_context;
    struct tide_compare *compare; // the panes; `live` is the first; NULL: there is one experiment
} tide_job;

// A scene that was opened from a window.
typedef struct tide_next {
    tide_run_options options; // the options of the command line that concern the window and the machine
    tide_job job;             // the script has been run
    char *path;               // owned
    char *folder;             // temporary, removed at the end; owned; NULL: the scene is a file of the user
} tide_next;

// Opens a scene file as job->next. For a mesh file, it writes a scene that shows the mesh and opens that. On failure
// job->next stays NULL, and the job's own scene is unchanged. Does nothing when there is a job->next.
tide_status tide_job_open_next(tide_job *job, const char *path, tide_error *error);
void tide_next_free(tide_next *next); // but for its job, which a run closes; NULL does nothing

// Runs the script of the job's scene, which sets job->live, and job->watch when files are watched. The function of
// tide_job_keep_alive is called while the script runs. When a file of the script is saved meanwhile, the script is
// interrupted and runs again.
tide_status tide_job_open_scene(tide_job *job, tide_error *error);
// Frees job->live and job->watch of a job that was not run.
void tide_job_close_scene(tide_job *job);

// Returns the path of the scene, or of the replay that contains it.
const char *tide_job_scene(const tide_job *job);

// Takes a step; with a replay, the next step of it. A failure of the scene is also noted in job->live.
tide_status tide_job_step(tide_job *job, tide_error *error);
// Leaves the replay; the experiment continues without it.
void tide_job_take_over(tide_job *job);

// Returns the steps taken; with panes, those before the panes opened plus the frames that all panes have taken since.
uint64_t tide_job_steps(const tide_job *job);

// Sets the function that is called some 20 times a second while a script runs; when it returns true, the script is
// interrupted. NULL: none is called.
void tide_job_keep_alive(tide_job *job, bool (*alive)(void *context), void *context);
// Calls that function while any script of the job runs from now on; NULL: no function is called.
void tide_job_call_while_running(tide_job *job);
// Returns whether a file of the script has changed since its last run. tide_job_look_at_files then runs it again.
bool tide_job_files_have_changed(tide_job *job);

// Runs the script again when its files have changed. Returns whether it did; job->live has the failure, if there is
// one.
bool tide_job_look_at_files(tide_job *job);
void tide_job_watch_files(tide_job *job);         // those of the last run; to be called after a run
bool tide_job_wants_picture(const tide_job *job); // whether a file or the video takes a picture of this frame
bool tide_job_is_over(const tide_job *job);       // all frames that were asked for are done

// Installs handlers for the signals that end the program (base/signals.h). A signal then makes tide_job_is_interrupted
// true, and the program has three seconds to finish.
void tide_job_catch_signals(void);
bool tide_job_is_interrupted(void);
// Ends the program by the signal, if one was received.
void tide_job_end_by_signal(void);

// Draws the current state into job->picture, as tide_picture_draw_checked does; with panes, all of them.
tide_status tide_job_draw(tide_job *job, bool callback, tide_error *error);
// Writes the files that were asked for about this frame: the picture in job->picture, the meshes, the row of --stats.
tide_status tide_job_record(tide_job *job, tide_error *error);

// Writes the bodies' meshes as the files of this frame (--export).
tide_status tide_job_write_meshes(tide_job *job, tide_error *error);
// Writes the picture in job->picture as the file of this frame.
tide_status tide_job_write_picture(tide_job *job, tide_error *error);

#endif

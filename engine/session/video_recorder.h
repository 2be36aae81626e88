// The video of a run: one second of video is one second of the scene, whatever the speed of the run.
#ifndef TIDE_SESSION_VIDEO_RECORDER_H
#define TIDE_SESSION_VIDEO_RECORDER_H

#include "draw/video.h"

typedef struct tide_video_recorder tide_video_recorder;

// Begins a video of a scene with this timestep (s) at `rate` pictures per second. 0: one picture per step, or per
// several steps so that the rate stays below tide_video_most. Makes the folders of `path`. Fails as tide_video_open
// does.
tide_status tide_video_recorder_open(const char *path, double rate, double timestep, tide_video_recorder **recorder,
                                     tide_error *error);
// To be called after every step. A picture of the new state may then be due until tide_video_recorder_add gets it.
void tide_video_recorder_step(tide_video_recorder *recorder, double timestep);
bool tide_video_recorder_is_due(const tide_video_recorder *recorder); // false for NULL
tide_status tide_video_recorder_add(tide_video_recorder *recorder, const tide_image *image, tide_error *error);
// Ends the video as tide_video_finish does. Afterwards only tide_video_recorder_free is needed.
tide_status tide_video_recorder_finish(tide_video_recorder *recorder, double seconds, bool *done, tide_error *error);
// Returns whether a picture could not be added: free it then. false for NULL
bool tide_video_recorder_has_failed(const tide_video_recorder *recorder);
tide_video_facts tide_video_recorder_facts(const tide_video_recorder *recorder);
// A video that is not finished leaves no file. NULL does nothing.
void tide_video_recorder_free(tide_video_recorder *recorder);
// Finishes the video, unless it has failed, and frees it. NULL does nothing.
tide_status tide_video_recorder_close(tide_video_recorder *recorder, tide_error *error);

#endif

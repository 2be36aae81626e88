// Videos: sends pictures through a pipe to ffmpeg, which writes the file. If ffmpeg is not installed, numbered PNG
// files are written instead.
//
// Output goes to FILE.part, which is renamed to FILE when it is complete. The same pictures and the same ffmpeg give
// the same file.
#ifndef TIDE_DRAW_VIDEO_H
#define TIDE_DRAW_VIDEO_H

#include "draw/image.h"

#include <stdbool.h>

typedef struct tide_video tide_video;

// Checks that the name ends in .mp4, .mkv, .mov, .webm, .avi, .gif, .apng or .webp, which decides the format. `object`
// and `field` name it in messages.
tide_status tide_video_check(const char *object, const char *field, const char *path, tide_error *error);

// Returns the pictures per second for a simulation with this timestep (s): one per step, or per 2, 3, ... steps, so
// that the rate is about `most` at most. The time between pictures is a whole number of timesteps.
double tide_video_rate(double timestep, double most);
// Returns a suitable `most` for a file of this name: 60, or 30 for formats that store whole pictures.
double tide_video_most(const char *path);

// Begins a video of `rate` pictures per second (more than 0). The folder must exist. Fails if the file cannot be
// written, and for a name that tide_video_check refuses.
tide_status tide_video_open(const char *path, double rate, tide_video **video, tide_error *error);
// Adds a picture, `times` times. The first picture determines the video's size (a black line makes odd sizes even);
// others are scaled to fit, with black bars. Waits while ffmpeg is behind. Fails with ffmpeg's message; after a failure
// the video can only be freed.
tide_status tide_video_add(tide_video *video, const tide_image *image, uint32_t times, tide_error *error);

// Ends the video. Waits for ffmpeg up to `seconds` (INFINITY: as long as it takes). *done: everything is written, or
// has failed; otherwise call it again. A video without pictures leaves no file. The video still has to be freed.
tide_status tide_video_finish(tide_video *video, double seconds, bool *done, tide_error *error);
// Frees it (NULL does nothing). An unfinished video leaves no file (but PNG files stay).
void tide_video_free(tide_video *video);

typedef struct tide_video_facts {
    uint64_t pictures;
    double seconds;         // duration
    bool pngs;              // ffmpeg is not installed (known from the first picture on): `name` is a PNG file
    const char *name;       // the file, or the first of the PNG files
    const char *last;       // the last of the PNG files
    uint32_t width, height; // of the first picture, pixels
} tide_video_facts;
tide_video_facts tide_video_get_facts(const tide_video *video); // the video owns the names

// A line of advice for a video that became PNG files.
extern const char *const tide_video_advice;

#endif

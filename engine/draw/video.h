// Videos, by the program ffmpeg through a pipe: pictures go to it as they are, and it writes the file. Where it is not
// installed, numbered PNG files are written instead.
//
// What is written goes to FILE.part, which takes the name FILE once it is whole. The same pictures give the same file,
// with the same ffmpeg.
#ifndef TIDE_DRAW_VIDEO_H
#define TIDE_DRAW_VIDEO_H

#include "draw/image.h"

#include <stdbool.h>

typedef struct tide_video tide_video;

// Whether the name ends in .mp4, .mkv, .mov, .webm, .avi, .gif, .apng or .webp, which says what the file is to be.
// `object` and `field` are what a message calls it.
tide_status tide_video_check(const char *object, const char *field, const char *path, tide_error *error);

// The pictures a second for a simulation with this timestep (s): one for every step, or for every second, third ... so
// that they are about `most` at most. The time between pictures is a whole number of timesteps.
double tide_video_rate(double timestep, double most);
// That is good for a file of this name: 60, or 30 where a file holds whole pictures.
double tide_video_most(const char *path);

// Begins a video of `rate` pictures a second (more than 0). The folder must be there; that the file can be written is
// tried. Fails for a name that tide_video_check refuses.
tide_status tide_video_open(const char *path, double rate, tide_video **video, tide_error *error);
// Adds a picture, `times` times. The first one's size is the video's (odd ones are made even by a black line); others
// are scaled to fit into it, with black beside them. Waits while ffmpeg is behind. Fails with what ffmpeg said; after a
// failure there is only tide_video_abandon.
tide_status tide_video_add(tide_video *video, const tide_image *image, uint32_t times, tide_error *error);

// Ends the video. Waits for ffmpeg up to `seconds` (INFINITY: as long as it takes); *done says whether all is written,
// or failed. While it is not: call it again. A video without pictures leaves no file. The video is still to be freed.
tide_status tide_video_finish(tide_video *video, double seconds, bool *done, tide_error *error);
// Frees it (NULL does nothing). One that is not finished leaves no file (but PNGs that are there stay).
void tide_video_free(tide_video *video);

typedef struct tide_video_facts {
    uint64_t pictures;
    double seconds;         // that they last
    bool pngs;              // ffmpeg is not installed (known from the first picture on): `name` is of PNG files
    const char *name;       // the file, or the first of the PNG files
    const char *last;       // of the PNG files
    uint32_t width, height; // of the first picture, pixels
} tide_video_facts;
tide_video_facts tide_video_get_facts(const tide_video *video); // the names are the video's own

// What to say, in a line, of a video that became PNG files.
extern const char *const tide_video_advice;

#endif

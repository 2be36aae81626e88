// The video of a run: one second of video is one second of the scene, whatever the speed of the run.
#ifndef TIDE_SESSION_FILM_H
#define TIDE_SESSION_FILM_H

#include "draw/video.h"

typedef struct tide_film tide_film;

// Begins a film of a scene with this timestep (s) at `rate` pictures per second. 0: one picture per step, or per
// several steps so that the rate stays below tide_video_most. Makes the folders of `path`. Fails as tide_video_open
// does.
tide_status tide_film_open(const char *path, double rate, double timestep, tide_film **film, tide_error *error);
// To be called after every step. A picture of the new state may then be due until tide_film_add gets it.
void tide_film_step(tide_film *film, double timestep);
bool tide_film_is_due(const tide_film *film); // false for NULL
tide_status tide_film_add(tide_film *film, const tide_image *image, tide_error *error);
// Ends the film as tide_video_finish does. Afterwards only tide_film_free is needed.
tide_status tide_film_finish(tide_film *film, double seconds, bool *done, tide_error *error);
bool tide_film_has_failed(const tide_film *film); // no picture could be added: free it; false for NULL
tide_video_facts tide_film_facts(const tide_film *film);
void tide_film_free(tide_film *film); // NULL does nothing; a film that is not finished leaves no file
// Finishes the film, unless it has failed, and frees it. NULL does nothing.
tide_status tide_film_close(tide_film *film, tide_error *error);

#endif

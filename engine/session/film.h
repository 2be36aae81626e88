// The video of a run: a second of it is a second of the scene, however fast the run is.
#ifndef TIDE_SESSION_FILM_H
#define TIDE_SESSION_FILM_H

#include "draw/video.h"

typedef struct tide_film tide_film;

// Begins a film of a scene with this timestep (s), of `rate` pictures a second; 0: one for a step, or for as many that
// tide_video_most is kept. Makes the folders of `path`. Fails as tide_video_open does.
tide_status tide_film_open(const char *path, double rate, double timestep, tide_film **film, tide_error *error);
// To be told of every step that is taken. From then on until it has it, a picture of the state after it may be due.
void tide_film_step(tide_film *film, double timestep);
bool tide_film_is_due(const tide_film *film); // false for NULL
tide_status tide_film_add(tide_film *film, const tide_image *image, tide_error *error);
// As tide_video_finish. A film that has ended needs no other call but tide_film_free.
tide_status tide_film_finish(tide_film *film, double seconds, bool *done, tide_error *error);
bool tide_film_has_failed(const tide_film *film); // it took no picture: it is to be freed; false for NULL
tide_video_facts tide_film_facts(const tide_film *film);
void tide_film_free(tide_film *film); // NULL does nothing; one that is not finished leaves no file
// Finishes it, unless it has failed, and frees it; NULL does nothing.
tide_status tide_film_close(tide_film *film, tide_error *error);

#endif

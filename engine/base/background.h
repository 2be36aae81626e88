// Work in a thread of its own, beside what the calling thread goes on with. Its loops (parallel.h) run within it, so
// that those of the caller keep the helpers. Do not fork(2) while there is any.
#ifndef TIDE_BASE_BACKGROUND_H
#define TIDE_BASE_BACKGROUND_H

#include <stdbool.h>

typedef struct tide_background tide_background;

// NULL when there is no memory. Where the system has no more threads, the work is done before this returns.
tide_background *tide_background_start(void (*work)(void *context), void *context);
void tide_background_join(tide_background *background); // waits for it and frees; NULL does nothing

// For tests: work begins so many milliseconds late; 0 at first.
void tide_background_delay(int milliseconds);

#endif

#define _POSIX_C_SOURCE 200809L
#include "base/background.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

struct tide_background {
    pthread_t thread;
    bool started;
    void (*work)(void *);
    void *context;
};

static atomic_int delay;

static void *run(void *argument)
{
    const tide_background *background = argument;
    tide_parallel_alone();
    int milliseconds = atomic_load(&delay);
    if (milliseconds)
        nanosleep(&(struct timespec) { milliseconds / 1000, milliseconds % 1000 * 1000000L }, NULL);
    background->work(background->context);
    return NULL;
}

tide_background *tide_background_start(void (*work)(void *context), void *context)
{
    tide_background *made = tide_allocate_zeroed(1, sizeof *made);
    if (!made)
        return NULL;
    made->work = work;
    made->context = context;
    made->started = pthread_create(&made->thread, NULL, run, made) == 0;
    if (!made->started)
        work(context);
    return made;
}

void tide_background_join(tide_background *background)
{
    if (background && background->started)
        pthread_join(background->thread, NULL);
    tide_free(background);
}

void tide_background_delay(int milliseconds)
{
    atomic_store(&delay, milliseconds);
}

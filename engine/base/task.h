// Tasks that may take long, such as factoring a matrix. A listener that shows progress is told of a task that takes
// longer than 100 ms. A task calls it while its loops poll tide_stop_requested().
//
//     tide_task task;
//     tide_task_begin(&task, "factoring a matrix of %u rows", rows);
//     ...
//     tide_task_end(&task);
//
// Tasks of several threads may run at the same time. The listener is called in the thread that began the task, and must
// be set while no task runs.
#ifndef TIDE_BASE_TASK_H
#define TIDE_BASE_TASK_H

#include "base/stop.h"

typedef struct tide_task {
    char name[100];
    double began; // tide_clock_seconds()
    bool told;
    tide_stop stop;
} tide_task;

__attribute__((format(printf, 2, 3))) void tide_task_begin(tide_task *task, const char *format, ...);
void tide_task_end(tide_task *task);

// Called some 20 times a second while a task takes longer than 100 ms, with the seconds so far; and with NULL when that
// task has ended. NULL: no listener.
typedef void tide_task_listener(void *context, const char *task, double seconds);
// Sets the listener of the calling thread.
void tide_task_listen(tide_task_listener *listener, void *context);

extern double tide_task_patience; // s before the listener is told: 0.1; tests change it

#endif

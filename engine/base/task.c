#include "base/task.h"

#include "base/clock.h"
#include "base/thread_local.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

double tide_task_patience = 0.1;

static TIDE_THREAD_LOCAL struct {
    tide_task_listener *listener;
    void *context;
} listening;

void tide_task_listen(tide_task_listener *listener, void *context)
{
    listening.listener = listener;
    listening.context = context;
}

static bool tell(void *context)
{
    tide_task *task = context;
    task->told = true;
    listening.listener(listening.context, task->name, tide_clock_seconds() - task->began);
    return false;
}

void tide_task_begin(tide_task *task, const char *format, ...)
{
    *task = (tide_task) { .began = tide_clock_seconds() };
    if (!listening.listener)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(task->name, sizeof task->name, format, arguments);
    va_end(arguments);
    task->stop = (tide_stop) { .progress = tell, .context = task };
    tide_stop_begin(&task->stop);
    task->stop.next_progress = task->began + tide_task_patience;
}

void tide_task_end(tide_task *task)
{
    if (!task->stop.progress)
        return;
    tide_stop_end(&task->stop);
    if (task->told)
        listening.listener(listening.context, NULL, 0);
}

#include "base/stop.h"

#include "base/clock.h"
#include "base/thread_local.h"

#include <stddef.h>

static TIDE_THREAD_LOCAL tide_stop *current;
static TIDE_THREAD_LOCAL bool helping;

void tide_stop_begin(tide_stop *stop)
{
    stop->outer = current;
    stop->requested = false;
    stop->next_look = 0;
    stop->next_progress = stop->progress ? tide_clock_seconds() + 0.1 : 0;
    current = stop;
}

void tide_stop_end(tide_stop *stop)
{
    current = stop->outer;
}

static bool is_used_up(tide_stop *stop, double now)
{
    if (stop->processor_deadline <= 0 || helping || now < stop->next_look)
        return false;
    stop->next_look = now + 2e-3;
    return tide_processor_seconds() >= stop->processor_deadline;
}

static bool is_over(tide_stop *stop, double now)
{
    if (stop->requested || stop->interrupted || (stop->deadline > 0 && now >= stop->deadline) || is_used_up(stop, now))
        return true;
    if (!stop->progress || helping || now < stop->next_progress)
        return false;
    stop->next_progress = now + 1e9; // prevents recursion
    bool over = stop->progress(stop->context);
    stop->next_progress = tide_clock_seconds() + 0.05;
    if (over)
        stop->interrupted = 1;
    return over;
}

bool tide_stop_requested(void)
{
    tide_stop *stop = current;
    if (!stop)
        return false;
    if (stop->requested)
        return true;
    double now = tide_clock_seconds();
    for (tide_stop *each = stop; each; each = each->outer)
        if (is_over(each, now)) {
            if (helping)
                return true;
            each->requested = stop->requested = true;
            return true;
        }
    return false;
}

tide_status tide_stop_check(const char *object, tide_error *error)
{
    return tide_stop_requested()
               ? tide_fail(error, TIDE_ERROR_SCRIPT, object, NULL, NULL, "stopped before it was finished")
               : TIDE_OK;
}

tide_stop *tide_stop_current(void)
{
    return current;
}

void tide_stop_help(tide_stop *stop)
{
    current = stop;
    helping = true;
}

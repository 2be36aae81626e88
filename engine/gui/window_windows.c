// The build for Windows has no window yet.
#include "gui/window.h"

tide_status tide_window_open(tide_job *job, tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_STATE, tide_job_scene(job), NULL, NULL,
                     "the Springtide for Windows has no window yet; give --headless and --png out/%%04d.png");
}

tide_status tide_window_run(tide_job *job, tide_error *error)
{
    return tide_window_open(job, error);
}

void tide_window_close(tide_job *job)
{
    (void)job;
}

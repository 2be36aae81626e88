// Panes: one experiment under several solvers, values or timesteps.
#include "app/web_state.h"

static const char *given(const char *text)
{
    return text[0] ? text : NULL;
}

TIDE_WEB_CALL int tide_web_compare(const char *solvers, const char *vary, const char *timesteps)
{
    tide_job *job = tide_web_job();
    tide_error error;
    bool refused;
    if (!job)
        return 0;
    if (job->compare && !tide_web_end_comparing(0))
        return 0;
    tide_run_options asked = tide_web_page.now->options;
    asked.compare =
        (tide_compare_options) { .solvers = given(solvers), .vary = given(vary), .timesteps = given(timesteps) };
    job->plan = (tide_compare_plan) { 0 };
    tide_status status = tide_compare_plan_read(&asked, &job->plan, &refused, &error);
    if (status == TIDE_OK)
        status = tide_job_compare(job, &error);
    job->plan = (tide_compare_plan) { 0 };
    tide_web_page.pane = 0;
    tide_web_page.dirty = true;
    if (status != TIDE_OK)
        tide_web_tell_error("input", &error, "");
    tide_web_tell_panes();
    for (uint32_t i = 0; job->compare && i < job->compare->count; i++)
        tide_web_tell_solver(i);
    return status == TIDE_OK;
}

TIDE_WEB_CALL int tide_web_end_comparing(double pane)
{
    tide_job *job = tide_web_job();
    tide_error error;
    if (!job || !job->compare)
        return 0;
    bool paused = tide_live_is_paused(job->live);
    uint64_t index = tide_web_count(pane, job->compare->count - 1);
    tide_status status = tide_job_continue_with(job, (uint32_t)index, &error);
    tide_web_page.pane = 0;
    tide_web_page.dirty = true;
    if (status != TIDE_OK)
        tide_web_tell_error("input", &error, "");
    else
        tide_live_pause(job->live, paused);
    tide_web_tell_panes();
    tide_web_tell_solver(0);
    tide_web_tell_parameters();
    return status == TIDE_OK;
}

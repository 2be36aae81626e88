// Inputs of the page: each is applied, and its failure or what it has changed is told.
#include "app/web_state.h"

static bool runs_script(tide_input_kind kind)
{
    return kind == TIDE_INPUT_RELOAD || kind == TIDE_INPUT_PARAM || kind == TIDE_INPUT_TIMESTEP ||
           kind == TIDE_INPUT_CONSOLE || kind == TIDE_INPUT_REWIND || kind == TIDE_INPUT_RESET;
}

bool tide_web_apply(tide_live *to, const tide_input *input)
{
    tide_web *w = &tide_web_page;
    tide_error error;
    tide_job *job = tide_web_job();
    if (!job)
        return false;
    bool done = tide_live_apply(to, input, &error) == TIDE_OK;
    w->dirty = true;
    tide_web_tell_busy("", 0);
    if (done && runs_script(input->kind)) {
        w->draw_failed = false;
        tide_web_tell_parameters();
    }
    if (done && (runs_script(input->kind) || input->kind == TIDE_INPUT_SOLVER))
        for (uint32_t pane = 0; pane == 0 || (job->compare && pane < job->compare->count); pane++)
            tide_web_tell_solver(pane);
    if (!tide_web_tell_failure() && !done) // a failure that is told already hides no other
        tide_web_tell_error(input->kind == TIDE_INPUT_RELOAD ? "run" : "input", &error,
                            tide_script_traceback(tide_live_script(to)));
    return done;
}

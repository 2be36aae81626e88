// The message about a frame: numbers of the step, the history, and the marks over the picture.
#include "app/web_state.h"

#include "session/live_pick.h"

#include <math.h>

static void add_energy(tide_text *text, tide_world *world)
{
    tide_energy energy;
    if (tide_world_energy(world, &energy, NULL) != TIDE_OK) {
        tide_json_null(text, "energy");
        return;
    }
    tide_json_open(text, "energy", '{');
    tide_json_number(text, "kinetic", energy.kinetic);
    tide_json_number(text, "elastic", energy.elastic);
    tide_json_number(text, "gravity", energy.gravity);
    tide_json_number(text, "total", energy.total);
    tide_json_close(text, '}');
}

static void add_report(tide_text *text, const tide_live *live)
{
    uint32_t contacts = 0;
    const tide_report *report = tide_live_report(live, &contacts);
    if (!report) {
        tide_json_null(text, "report");
        return;
    }
    tide_json_open(text, "report", '{');
    tide_json_count(text, "iterations", report->iterations);
    tide_json_number(text, "objective", report->g);
    tide_json_number(text, "gradient_norm", report->gradient_norm);
    tide_json_number(text, "initial_gradient_norm", report->initial_gradient_norm);
    tide_json_boolean(text, "converged", report->converged);
    tide_json_count(text, "line_searches", report->line_searches);
    tide_json_count(text, "linear_iterations", report->linear_iterations);
    tide_json_count(text, "substeps", report->substeps);
    tide_json_count(text, "contacts", contacts);
    tide_json_number(text, "local_ms", 1e3 * report->local_seconds);
    tide_json_number(text, "global_ms", 1e3 * report->global_seconds);
    tide_json_number(text, "contact_ms", 1e3 * report->contact_seconds);
    tide_json_number(text, "energy_gain", report->energy_gain);
    tide_json_string(text, "warning", report->warning);
    tide_json_close(text, '}');
}

static void add_history(tide_text *text, const tide_live *live)
{
    tide_history_span span = tide_live_history(live);
    tide_json_open(text, "history", '{');
    tide_json_count(text, "first", span.first);
    tide_json_count(text, "last", span.last);
    tide_json_count(text, "count", span.count);
    tide_json_close(text, '}');
}

static void add_mark(tide_text *text, const char *kind, const double from[2], const double to[2])
{
    const double scale = 1 / tide_web_page.ratio;
    tide_json_open(text, NULL, '{');
    tide_json_string(text, "kind", kind);
    tide_json_numbers(text, "from", (const double[]) { scale * from[0], scale * from[1] }, 2);
    tide_json_numbers(text, "to", (const double[]) { scale * to[0], scale * to[1] }, 2);
    tide_json_close(text, '}');
}

// Adds the spring of a drag and the place of a failure, which the page draws over the picture.
static void add_marks(tide_text *text, tide_job *job)
{
    tide_world *world = tide_live_world(job->live);
    tide_picture *picture = &job->picture;
    const tide_pick_view view = { tide_picture_see(picture), picture->width, picture->height };
    const tide_live_drag *drag = tide_live_dragging(job->live);
    const tide_failure *failure = tide_live_failure(job->live);
    const double *held = drag->active ? tide_world_positions(world, drag->body) : NULL;
    const double *failed = failure->has_vertex ? tide_world_positions(world, failure->body) : NULL;
    double from[2], to[2];
    tide_json_open(text, "marks", '[');
    if (held && !job->compare && tide_pick_project(&view, held + 3 * (size_t)drag->vertex, from) &&
        tide_pick_project(&view, drag->point, to))
        add_mark(text, "drag", from, to);
    if (failed && !job->compare && tide_pick_project(&view, failed + 3 * (size_t)failure->vertex, from))
        add_mark(text, "failure", from, from);
    tide_json_close(text, ']');
}

TIDE_WEB_CALL void tide_web_tell_frame(void)
{
    const tide_web *w = &tide_web_page;
    tide_job *job = tide_web_job();
    if (!job)
        return;
    tide_world *world = tide_live_world(job->live);
    bool playing = tide_web_is_playing();
    tide_text *text = tide_web_tell("frame");
    tide_json_count(text, "frame", tide_live_frame(job->live));
    tide_json_count(text, "steps", tide_job_steps(job));
    tide_json_number(text, "time", tide_world_time(world));
    tide_json_number(text, "timestep", tide_world_get_settings(world)->timestep);
    add_energy(text, world);
    add_report(text, job->live);
    tide_json_number(text, "step_ms", 1e3 * w->step_seconds);
    tide_json_number(text, "draw_ms", 1e3 * job->picture.draw_seconds);
    tide_json_number(text, "rate", w->rate);
    tide_json_boolean(text, "slow", playing && w->rate > 0 && w->rate < 0.9 * w->factor);
    tide_json_boolean(text, "playing", playing);
    tide_json_string(text, "tool", tide_web_tools[w->tool]);
    add_history(text, job->live);
    add_marks(text, job);
    tide_web_told();
    if (job->compare)
        tide_web_tell_panes();
}

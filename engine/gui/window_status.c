// The lines at the bottom of the window.
#include "gui/window_state.h"

#include "base/log.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>

bool tide_window_pane_tells(const tide_window *w)
{
    return w->job->compare && tide_live_failure(w->job->live)->kind == TIDE_FAILURE_STEP;
}

bool tide_window_is_alone(const tide_window *w)
{
    return tide_panels_are_hidden(w->panels) && !w->job->compare;
}

bool tide_window_has_failed(const tide_window *w)
{
    return tide_live_failure(w->job->live)->kind != TIDE_FAILURE_NONE && !tide_window_pane_tells(w);
}

// Returns whether there is a message in the middle.
bool tide_window_has_message(const tide_window *w)
{
    return w->asks_to_quit || w->refused[0] || tide_window_has_failed(w);
}

static const char *partial_picture(const tide_window *w, char *text, size_t size)
{
    snprintf(text, size, "the picture is incomplete: %u triangles, lines or points are too large to be drawn in time",
             (unsigned)w->job->picture.left_out);
    return text;
}

// Logs once that a picture is incomplete, until a complete one.
void tide_window_note_partial_picture(tide_window *w)
{
    char text[160];
    if (w->job->picture.left_out && !w->is_partial)
        tide_log(TIDE_LOG_INFO, "%s", partial_picture(w, text, sizeof text));
    w->is_partial = w->job->picture.left_out > 0;
}

// Writes the lines at the bottom, and what the panels would show if they are hidden.
void tide_window_add_status(tide_window *w, tide_text *text)
{
    tide_live *live = w->job->live;
    tide_world *world = tide_live_world(live);
    static const tide_report none = { .substeps = 1 };
    const tide_report *shown = tide_live_report(live, NULL), *report = shown ? shown : &none;
    bool paused = tide_window_is_paused(w);
    tide_energy energy;
    char line[160];
    tide_history_span span = tide_live_history(live);
    bool panes = w->job->compare != NULL, alone = tide_window_is_alone(w);
    if (w->toast[0] && (!alone || tide_window_has_message(w))) // otherwise notices are in their usual place
        tide_text_format(text, "%s\n", w->toast);
    if (w->tool != TIDE_TOOL_LOOK)
        tide_text_format(text, "%s  |  ", tide_window_tool_text(w));
    if (paused && span.count > 1)
        tide_text_format(text, "paused at %" PRIu64 " (%" PRIu64 " to %" PRIu64 ", %.0f of %.0f MB)",
                         tide_live_frame(live), span.first, span.last, ceil(1e-6 * (double)span.bytes),
                         1e-6 * (double)span.limit);
    else if (paused)
        tide_text_format(text, "paused");
    else
        tide_text_format(text, "%.0f fps", w->frames_per_second);
    if (!paused && w->real_time_rate > 0 && w->real_time_rate < 0.9)
        tide_text_format(text, ", %.2f of real time", w->real_time_rate);
    if (alone)
        tide_text_format(text, "  |  ms: local %.1f  global %.1f  contact %.1f  step %.1f  draw %.1f%s",
                         1e3 * report->local_seconds, 1e3 * report->global_seconds, 1e3 * report->contact_seconds,
                         1e3 * report->step_seconds, 1e3 * w->job->picture.draw_seconds,
                         w->job->picture.opengl ? " (OpenGL)" : "");
    if (!panes)
        tide_text_format(text, "  |  %s", tide_solver_kind_of(tide_world_solver(world))->name);
    if (alone && (report->iterations || report->substeps <= 1))
        tide_text_format(text, ", %" PRIu32 " iterations", report->iterations);
    if (alone && report->substeps > 1)
        tide_text_format(text, ", %" PRIu32 " substeps", report->substeps);
    if (alone && tide_world_energy(world, &energy, NULL) == TIDE_OK)
        tide_text_format(text, "  |  energy %.4g J", energy.total);
    tide_text_format(text, "  |  t = %.2f s", tide_world_time(world));
    if (panes)
        tide_text_format(text, "  |  C: on with pane %u alone", w->pane + 1);
    const tide_live_certificates *certificates = tide_live_get_certificates(live);
    if (certificates->on && certificates->current && !tide_certificate_is_clean(&certificates->last))
        tide_text_format(text, "\n%s", certificates->text);
    else if (certificates->on && certificates->current)
        tide_text_format(text, "  |  no crossing");
    if (w->iterates)
        tide_text_format(text, "\n%s", tide_window_iterate_text(w));
    if (w->job->picture.left_out)
        tide_text_format(text, "\n%s", partial_picture(w, line, sizeof line));
    if (w->warning[0])
        tide_text_format(text, "\nwarning: %s", w->warning);
}

uint32_t tide_window_bar_height(tide_window *w, const tide_text *text)
{
    tide_image above = { .width = w->job->picture.width, .height = w->job->picture.height };
    above.height -= tide_window_strip_height(w);
    return text->failed ? 0 : tide_overlay_height(&w->overlay, &above, TIDE_PANEL_BOTTOM, text->bytes);
}

// At least two lines, so that a notice does not move the panes.
uint32_t tide_window_lines_height(tide_window *w)
{
    tide_text text = { 0 }, two = { 0 };
    tide_window_add_status(w, &text);
    tide_text_format(&two, "t\nt");
    uint32_t lines = tide_window_bar_height(w, &text), least = tide_window_bar_height(w, &two);
    tide_text_free(&text);
    tide_text_free(&two);
    return lines > least ? lines : least;
}

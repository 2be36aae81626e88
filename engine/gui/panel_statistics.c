// The result and cost of the last step, and whether its solve converged.
#include "gui/panels_state.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void times(tide_panels *panels, const tide_report *report)
{
    const tide_panels_frame *frame = panels->frame;
    double rate = frame->real_time_rate;
    if (frame->frames_per_second > 0)
        tide_panels_row(panels, "pictures per second", "%.0f", frame->frames_per_second);
    if (rate > 0)
        tide_panels_row(panels, "clock", rate < 0.9 ? "%.2f of real time" : "real time", rate);
    tide_panels_row(panels, "time, frame", "%.3f s, %" PRIu64, tide_world_time(tide_live_world(panels->live)),
                    tide_live_frame(panels->live));
    if (report) {
        tide_panels_row(panels, "step", "%.2f ms", 1e3 * report->step_seconds);
        tide_panels_row(panels, "   local", "%.2f ms", 1e3 * report->local_seconds);
        tide_panels_row(panels, "   global", "%.2f ms", 1e3 * report->global_seconds);
        tide_panels_row(panels, "   contact", "%.2f ms", 1e3 * report->contact_seconds);
    } else
        tide_panels_row(panels, "step", "none to this frame");
    tide_panels_row(panels, "drawing", "%.2f ms", 1e3 * frame->picture->draw_seconds);
}

static void numbers(tide_panels *panels, const tide_report *report, uint32_t contacts)
{
    tide_panels_row(panels, "iterations", "%" PRIu32, report->iterations);
    if (report->substeps > 1)
        tide_panels_row(panels, "substeps", "%" PRIu32 " of %.3g ms", report->substeps, 1e3 * report->substep);
    if (!isnan(report->g) && report->initial_gradient_norm > 0) {
        tide_panels_row(panels, "g", "%.6g J s²", report->g);
        tide_panels_row(panels, "|grad g|", "%.3g kg m", report->gradient_norm);
        double residual = report->gradient_norm / report->initial_gradient_norm;
        if (residual < 1e3) // a larger one means nothing: there was nothing to solve, as in free fall
            tide_panels_row(panels, "   of that at y", "%.3g", residual);
    }
    if (report->line_searches)
        tide_panels_row(panels, "line searches", "%" PRIu32, report->line_searches);
    if (report->linear_iterations)
        tide_panels_row(panels, "linear iterations", "%" PRIu32, report->linear_iterations);
    if (report->never_stable)
        tide_panels_row(panels, "stable below", "0: gains energy");
    else if (report->stable_substep > 0)
        tide_panels_row(panels, "stable below", "%.3g ms", 1e3 * report->stable_substep);
    if (contacts)
        tide_panels_row(panels, "contacts", "%" PRIu32, contacts);
}

static void crossings(tide_panels *panels)
{
    const tide_live_certificates *c = tide_live_get_certificates(panels->live);
    if (!c->on || !c->current)
        return;
    if (tide_certificate_is_clean(&c->last))
        tide_gui_text(panels->gui, TIDE_GUI_GOOD, "no crossing");
    else
        tide_gui_text(panels->gui, TIDE_GUI_WARNING, c->text);
    tide_panels_row(panels, "certificate", "%.2f ms", 1e3 * c->last.seconds);
}

static void energies(tide_panels *panels, const tide_report *report)
{
    tide_energy energy;
    if (tide_world_energy(tide_live_world(panels->live), &energy, NULL) != TIDE_OK)
        return;
    tide_panels_row(panels, "energy", "%.5g J", energy.total);
    tide_panels_row(panels, "   kinetic", "%.4g J", energy.kinetic);
    tide_panels_row(panels, "   elastic", "%.4g J", energy.elastic);
    if (report)
        tide_panels_row(panels, "   gained", "%.3g J", report->energy_gain);
}

// Shows how well the step is solved. It is measured from time to time, and names its frame if that is another one. With
// contacts, it does not report that there was nothing to solve before them.
static void convergence(tide_panels *panels, uint32_t contacts)
{
    char text[256], whole[320];
    bool notable;
    tide_convergence found;
    if (!tide_convergence_can_measure(tide_live_world(panels->live), text, sizeof text))
        tide_gui_text(panels->gui, TIDE_GUI_QUIET, text);
    else if (!tide_convergence_probe_result(panels->probe, &found) || (isnan(found.error) && contacts))
        tide_gui_text(panels->gui, TIDE_GUI_QUIET, "measuring the convergence ...");
    else {
        tide_convergence_text(&found, text, sizeof text, &notable);
        bool here = found.frame == tide_live_frame(panels->live);
        snprintf(whole, sizeof whole, "from frame %" PRIu64 ": %s", found.frame, text);
        tide_gui_text(panels->gui, notable ? TIDE_GUI_WARNING : TIDE_GUI_GOOD, here ? text : whole);
    }
    tide_gui_help(panels->gui,
                  "Measured on a copy of the world, about once per second: a step by the solver, and the same step by "
                  "L-BFGS to convergence. Error: the remaining fraction of the decrease of g (Liu et al. 2013, eq. "
                  "15). Softer: the stiffness whose converged step equals this one.");
}

void tide_panel_statistics(tide_panels *panels)
{
    uint32_t contacts;
    const tide_report *report = tide_live_report(panels->live, &contacts);
    contacts = report ? contacts : 0;
    convergence(panels, contacts);
    times(panels, report);
    if (report)
        numbers(panels, report, contacts);
    crossings(panels);
    energies(panels, report);
    tide_history_span history = tide_live_history(panels->live);
    if (history.limit)
        tide_panels_row(panels, "history", "%.0f of %.0f MB", 1e-6 * (double)history.bytes,
                        1e-6 * (double)history.limit);
    tide_panels_row(panels, "memory", "%.0f MB", 1e-6 * (double)tide_memory_count().bytes);
}

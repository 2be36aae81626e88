#include "session/compare_panes.h"

#include "base/memory.h"
#include "session/live_fork.h"
#include "world/step_measure.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- labels ----------------------------------------------------------------------------------------------------------

static const tide_param *find_param(tide_live *live, const char *name)
{
    tide_script *script = tide_live_script(live);
    for (uint32_t i = 0; i < tide_script_param_count(script); i++)
        if (strcmp(tide_script_param_at(script, i)->name, name) == 0)
            return tide_script_param_at(script, i);
    return NULL;
}

static void relabel(tide_pane *pane)
{
    const tide_compare *c = pane->compare;
    TIDE_SCOPED_BY(tide_text_free) tide_text text = { 0 };
    const tide_param *param = c->own_param[0] ? find_param(pane->live, c->own_param) : NULL;
    bool bare = !c->own_param[0] && !c->own_timestep;
    if (c->own_solver || bare)
        tide_live_write_solver(pane->live, &text);
    if (param && param->type == TIDE_PARAM_NUMBER)
        tide_text_format(&text, "%s%s = %.4g%s%s", text.length ? ", " : "", param->name, param->number,
                         param->unit && param->unit[0] ? " " : "", param->unit ? param->unit : "");
    else if (param)
        tide_text_format(&text, "%s%s = %s", text.length ? ", " : "", param->name, param->text);
    if (c->own_timestep)
        tide_text_format(&text, "%stimestep = %.4g s", text.length ? ", " : "",
                         tide_world_get_settings(tide_live_world(pane->live))->timestep);
    snprintf(pane->label, sizeof pane->label, "%s", text.bytes ? text.bytes : "");
}

// --- inputs ----------------------------------------------------------------------------------------------------------

static bool is_own(const tide_compare *c, const tide_input *input)
{
    return (input->kind == TIDE_INPUT_SOLVER && c->own_solver) ||
           (input->kind == TIDE_INPUT_TIMESTEP && c->own_timestep) ||
           (input->kind == TIDE_INPUT_PARAM && strcmp(input->name, c->own_param) == 0);
}

static bool is_jump(const tide_input *input)
{
    return input->kind == TIDE_INPUT_RESET || input->kind == TIDE_INPUT_REWIND || input->kind == TIDE_INPUT_RESTORE;
}

// Finds the pane's frame at a time.
static bool find_frame(const tide_live *live, double time, uint64_t *frame)
{
    tide_history_span span = tide_live_history(live);
    double nearest = INFINITY;
    for (uint64_t f = span.first; span.count && f <= span.last; f++) {
        double off = fabs(tide_live_time_of(live, f) - time);
        if (off < nearest) {
            nearest = off;
            *frame = f;
        }
    }
    return nearest < 1e-6;
}

// Gives a pane the state of another one. Frames before the comparison are the same for all panes.
static tide_status take_state(tide_live *live, tide_live *from, tide_error *error)
{
    TIDE_SCOPED_BY(tide_text_free) tide_text state = { 0 };
    TIDE_TRY(tide_live_write_world(from, &state, error));
    return tide_live_apply(
        live, &(tide_input) { .kind = TIDE_INPUT_RESTORE, .text = state.bytes, .size = state.length }, error);
}

static tide_status rewind_other(tide_live *live, tide_live *from, double began, tide_error *error)
{
    tide_input input = { .kind = TIDE_INPUT_REWIND };
    double time = tide_world_time(tide_live_world(from));
    if (find_frame(live, time, &input.frame))
        return tide_live_apply(live, &input, error);
    if (time < began + 1e-6)
        return take_state(live, from, error);
    return tide_fail(error, TIDE_ERROR_STATE, "history", "frame", NULL, "it has none of this time, and stays");
}

static tide_status give(tide_pane *to, tide_pane *from, const tide_input *input, tide_error *error)
{
    if (input->kind == TIDE_INPUT_REWIND)
        return rewind_other(to->live, from->live, to->compare->began, error);
    return tide_live_apply(to->live, input, error);
}

static void forget_measures(tide_pane *pane)
{
    pane->measured = false;
    tide_convergence_can_measure(tide_live_world(pane->live), pane->unmeasured, sizeof pane->unmeasured);
}

static void applied(void *context, uint64_t steps, const tide_input *input)
{
    (void)steps;
    tide_pane *from = context;
    tide_compare *c = from->compare;
    tide_error error;
    char message[1200];
    if (c->sharing)
        return;
    c->sharing = true;
    for (uint32_t i = 0; i < c->count && !is_own(c, input); i++) {
        if (&c->panes[i] == from || give(&c->panes[i], from, input, &error) == TIDE_OK)
            continue;
        snprintf(c->refused, sizeof c->refused, "pane %u: %.280s", i + 1,
                 tide_error_text(&error, message, sizeof message));
    }
    c->sharing = false;
    for (uint32_t i = 0; i < c->count; i++) {
        relabel(&c->panes[i]);
        forget_measures(&c->panes[i]);
        if (is_jump(input))
            c->panes[i].owed = 0;
    }
    if (c->probe)
        tide_convergence_probe_forget(c->probe);
}

// --- opening and closing ---------------------------------------------------------------------------------------------

// Finds what differs between the panes of the plan.
static void find_own(tide_compare *c, const tide_compare_plan *plan)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        const tide_pane_def *def = &plan->panes[i];
        c->own_solver = c->own_solver || strcmp(def->solver, plan->panes[0].solver) != 0;
        c->own_timestep = c->own_timestep || def->timestep != plan->panes[0].timestep;
        if (def->param[0])
            snprintf(c->own_param, sizeof c->own_param, "%s", def->param);
    }
}

static tide_status set_apart(tide_live *live, const tide_pane_def *def, tide_error *error)
{
    const char *now = tide_live_solver_text(live);
    if (def->solver[0] && !(now && strcmp(now, def->solver) == 0))
        TIDE_TRY(tide_live_apply(live, &(tide_input) { .kind = TIDE_INPUT_SOLVER, .text = def->solver }, error));
    if (def->param[0])
        TIDE_TRY(tide_live_apply(
            live, &(tide_input) { .kind = TIDE_INPUT_PARAM, .name = def->param, .text = def->value }, error));
    if (def->timestep > 0)
        TIDE_TRY(tide_live_apply(live, &(tide_input) { .kind = TIDE_INPUT_TIMESTEP, .number = def->timestep }, error));
    return TIDE_OK;
}

static tide_status open_panes(tide_compare *c, tide_live *first, const tide_compare_plan *plan, size_t history_limit,
                              tide_error *error)
{
    for (; c->count < plan->count; c->count++) {
        tide_pane *pane = &c->panes[c->count];
        *pane = (tide_pane) { .compare = c, .live = first, .recent = NAN, .distance = c->count ? NAN : 0 };
        if (c->count)
            TIDE_TRY(tide_live_fork(first, history_limit, &pane->live, error));
    }
    for (uint32_t i = c->count; i-- > 0;) // the first pane last: on failure it is unchanged
        TIDE_TRY(set_apart(c->panes[i].live, &plan->panes[i], error));
    for (uint32_t i = 0; i < c->count; i++) {
        tide_pane *pane = &c->panes[i];
        relabel(pane);
        forget_measures(pane);
        TIDE_TRY(tide_live_observe(pane->live, &(tide_live_observer) { .applied = applied, .context = pane }, error));
    }
    return TIDE_OK;
}

tide_status tide_compare_open(tide_live *first, const tide_compare_plan *plan, size_t history_limit, tide_compare **out,
                              tide_error *error)
{
    tide_compare *c = tide_allocate_zeroed(1, sizeof *c);
    if (!c)
        return tide_fail_memory(error, "comparison");
    c->began = tide_world_time(tide_live_world(first));
    find_own(c, plan);
    tide_status status = open_panes(c, first, plan, history_limit, error);
    if (status != TIDE_OK) {
        tide_compare_close(c);
        return status;
    }
    *out = c;
    return TIDE_OK;
}

void tide_compare_close(tide_compare *c)
{
    if (!c)
        return;
    tide_convergence_probe_destroy(c->probe);
    for (uint32_t i = 0; i < c->count; i++) {
        tide_live_ignore(c->panes[i].live, &c->panes[i]);
        if (i > 0)
            tide_live_close(c->panes[i].live);
    }
    tide_free(c);
}

tide_status tide_compare_continue_as(tide_compare *c, uint32_t index, tide_error *error)
{
    tide_live *first = c->panes[0].live, *other = c->panes[index].live;
    TIDE_SCOPED_BY(tide_text_free) tide_text solver = { 0 };
    tide_pane_def def = { 0 };
    const tide_param *param = c->own_param[0] ? find_param(other, c->own_param) : NULL;
    if (index == 0)
        return TIDE_OK;
    if (c->own_solver)
        tide_live_write_solver(other, &solver);
    if (solver.failed || solver.length >= sizeof def.solver)
        return tide_fail(error, TIDE_ERROR_STATE, "pane", "solver", NULL, "its options are too many to write");
    snprintf(def.solver, sizeof def.solver, "%s", solver.bytes ? solver.bytes : "");
    if (param) {
        snprintf(def.param, sizeof def.param, "%s", c->own_param);
        snprintf(def.value, sizeof def.value, "%s", param->text);
    }
    if (c->own_timestep)
        def.timestep = tide_live_timestep(other);
    c->sharing = true; // so that the others do not follow
    tide_status status = set_apart(first, &def, error);
    if (status == TIDE_OK)
        status = take_state(first, other, error);
    c->sharing = false;
    return status;
}

// --- steps -----------------------------------------------------------------------------------------------------------

bool tide_compare_has_stopped(const tide_pane *pane)
{
    return tide_live_failure(pane->live)->kind == TIDE_FAILURE_STEP;
}

bool tide_compare_is_over(const tide_compare *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (!tide_compare_has_stopped(&c->panes[i]))
            return false;
    return true;
}

// A failed step is the pane's own failure, except for lack of memory.
static tide_status step_pane(tide_pane *pane, double by, tide_error *error)
{
    const double slack = 1e-6; // of a step
    pane->owed += by;
    pane->new_steps = 0;
    pane->new_seconds = 0;
    while (!tide_compare_has_stopped(pane)) {
        double h = tide_world_get_settings(tide_live_world(pane->live))->timestep;
        if (pane->owed < (1 - slack) * h)
            return TIDE_OK;
        tide_status status = tide_live_step(pane->live, error);
        if (status == TIDE_ERROR_MEMORY)
            return status;
        if (status != TIDE_OK)
            break;
        const tide_report *report = tide_world_report(tide_live_world(pane->live));
        double seconds = report->step_seconds;
        pane->owed -= h;
        pane->iterations = report->iterations;
        pane->new_steps++;
        pane->new_seconds += seconds;
        pane->seconds += pane->steps++ ? seconds : 0;
        // mean over about ten steps; the first sets up the solver
        pane->recent = pane->steps <= 2 ? seconds : 0.9 * pane->recent + 0.1 * seconds;
    }
    pane->owed = 0;
    return TIDE_OK;
}

static void find_distance(tide_pane *pane, const tide_pane *first)
{
    tide_world *a = tide_live_world(pane->live), *b = tide_live_world(first->live);
    uint32_t count = tide_world_particle_count(a);
    const double *x = tide_world_all_positions(a), *y = tide_world_all_positions(b);
    double sum = 0;
    pane->distance = NAN;
    if (count != tide_world_particle_count(b) || fabs(tide_world_time(a) - tide_world_time(b)) > 1e-6)
        return;
    for (size_t i = 0; i < 3 * (size_t)count; i++)
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    pane->distance = count ? sqrt(sum / count) : 0;
}

tide_status tide_compare_step(tide_compare *c, tide_error *error)
{
    double by = tide_world_get_settings(tide_live_world(c->panes[0].live))->timestep;
    for (uint32_t i = 0; i < c->count; i++) {
        TIDE_TRY(step_pane(&c->panes[i], by, error));
    }
    for (uint32_t i = 0; i < c->count; i++)
        find_distance(&c->panes[i], &c->panes[0]);
    c->frames++;
    return TIDE_OK;
}

// --- errors ----------------------------------------------------------------------------------------------------------

static tide_status measure(tide_pane *pane, tide_error *error)
{
    tide_world *world = tide_live_world(pane->live), *fork = NULL;
    double *forces = NULL;
    forget_measures(pane);
    if (pane->unmeasured[0] || tide_compare_has_stopped(pane))
        return TIDE_OK;
    tide_status status = tide_step_measure_forces(world, &forces, error);
    if (status == TIDE_OK)
        status = tide_world_fork(world, &fork, error);
    if (status == TIDE_OK)
        status = tide_convergence_measure(fork, forces, INFINITY, &pane->error, error);
    pane->measured = status == TIDE_OK;
    tide_world_destroy(fork);
    tide_free(forces);
    return status == TIDE_ERROR_MEMORY ? status : TIDE_OK; // a failing step is reported when it is taken
}

tide_status tide_compare_measure(tide_compare *c, tide_error *error)
{
    for (uint32_t i = 0; i < c->count; i++)
        TIDE_TRY(measure(&c->panes[i], error));
    return TIDE_OK;
}

tide_status tide_compare_probe(tide_compare *c, double now, bool *changed, tide_error *error)
{
    tide_pane *pane = &c->panes[c->probed];
    tide_status status = TIDE_OK;
    *changed = false;
    if (!c->probe)
        status = tide_convergence_probe_create(&c->probe, error);
    if (status != TIDE_OK || tide_convergence_probe_is_busy(c->probe))
        return status;
    if (tide_convergence_probe_result(c->probe, &pane->error)) {
        pane->measured = *changed = true;
        tide_convergence_probe_forget(c->probe);
        c->probed = (c->probed + 1) % c->count;
    }
    for (uint32_t i = 0; i < c->count; i++, c->probed = (c->probed + 1) % c->count) {
        pane = &c->panes[c->probed];
        if (!pane->unmeasured[0] && !tide_compare_has_stopped(pane))
            return tide_convergence_probe_ask(c->probe, tide_live_world(pane->live), now, error);
    }
    return TIDE_OK;
}

// --- words -----------------------------------------------------------------------------------------------------------

void tide_compare_write_length(double metres, char text[32])
{
    double size = fabs(metres);
    if (size == 0)
        snprintf(text, 32, "0 mm");
    else if (size < 1e-4)
        snprintf(text, 32, "%.2g mm", 1e3 * metres);
    else if (size < 0.9995)
        snprintf(text, 32, "%.3g mm", 1e3 * metres);
    else
        snprintf(text, 32, "%.4g m", metres);
}

void tide_compare_write_time(double seconds, char text[32])
{
    double milliseconds = 1e3 * seconds;
    snprintf(text, 32, milliseconds < 9.995 ? "%.2f ms" : milliseconds < 99.95 ? "%.1f ms" : "%.0f ms", milliseconds);
}

static void write_failure(const tide_pane *pane, tide_text *text)
{
    char message[1200];
    const tide_failure *failure = tide_live_failure(pane->live);
    bool diverged = failure->error.status == TIDE_ERROR_NUMERIC;
    tide_text_format(text, "%s at t = %.4g s: %.160s",
                     failure->exploded ? "exploded"
                     : diverged        ? "diverged"
                                       : "stopped",
                     tide_world_time(tide_live_world(pane->live)),
                     tide_error_text(&failure->error, message, sizeof message));
}

static void write_error(const tide_pane *pane, tide_text *text)
{
    char line[400];
    if (pane->unmeasured[0] && pane->iterations)
        tide_text_format(text, "  |  %" PRIu32 " iterations; no error: %s", pane->iterations, pane->unmeasured);
    else if (pane->unmeasured[0])
        tide_text_format(text, "  |  no error: %s", pane->unmeasured);
    else if (pane->measured)
        tide_text_format(text, "  |  %s", tide_convergence_text(&pane->error, line, sizeof line, NULL));
    else
        tide_text_format(text, "  |  %" PRIu32 " iterations", pane->iterations);
}

static void write_distance(const tide_compare *c, uint32_t index, tide_text *text)
{
    const tide_pane *pane = &c->panes[index];
    char length[32];
    tide_compare_write_length(pane->distance, length);
    if (index == 0)
        tide_text_format(text, "distances are from here");
    else if (isnan(pane->distance))
        tide_text_format(text, "no distance from 1: %s",
                         tide_world_particle_count(tide_live_world(pane->live)) ==
                                 tide_world_particle_count(tide_live_world(c->panes[0].live))
                             ? "not at the same time"
                             : "another mesh");
    else
        tide_text_format(text, "%s rms from 1", length);
}

void tide_compare_write(const tide_compare *c, uint32_t index, tide_text *text)
{
    const tide_pane *pane = &c->panes[index];
    tide_world *world = tide_live_world(pane->live);
    tide_energy energy;
    char time[32];
    if (tide_compare_has_stopped(pane)) {
        write_failure(pane, text);
        return;
    }
    tide_compare_write_time(pane->recent, time);
    if (!isnan(pane->recent))
        tide_text_format(text, "%s a step", time);
    else
        tide_text_format(text, "no step yet");
    write_error(pane, text);
    tide_text_format(text, "\n");
    write_distance(c, index, text);
    if (tide_world_energy(world, &energy, NULL) == TIDE_OK)
        tide_text_format(text, "  |  energy %.4g J", energy.total);
    if (isnan(pane->distance) || index == 0)
        tide_text_format(text, "  |  t = %.3f s", tide_world_time(world));
}

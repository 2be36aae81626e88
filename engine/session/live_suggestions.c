// Remedies for a step that failed numerically: inputs that a click applies. They agree with the theory of the method: a
// shorter timestep is offered only if it can help.
#include "session/live_state.h"

#include "base/memory.h"
#include "base/text.h"
#include "solver/damping.h"
#include "solver/solver_text.h"

#include <stdio.h>
#include <string.h>

static const tide_solver *solver_of(tide_live *live)
{
    return tide_world_solver(tide_live_world(live));
}

static const char *name_of(tide_live *live)
{
    return tide_solver_kind_of(solver_of(live))->name;
}

// Returns whether the solver's substeps are so short that half the timestep would not change them.
static bool has_own_substep(tide_live *live, double half)
{
    const double *substep = tide_solver_option(solver_of(live), "substep");
    return substep && tide_given(*substep) && *substep <= half;
}

static const tide_field *damping_of(const tide_solver_kind *kind)
{
    for (const tide_field *field = kind->fields; field->name; field++)
        if (field->type == TIDE_FIELD_RECORD && field->record == tide_explicit_damping_fields)
            return field;
    return NULL;
}

bool tide_live_is_undamped(tide_live *live)
{
    const tide_field *field = damping_of(tide_solver_kind_of(solver_of(live)));
    if (!field)
        return false;
    const tide_damping *damping = tide_solver_option(solver_of(live), "damping");
    return damping->model == TIDE_DAMPING_NONE ||
           (damping->model != TIDE_DAMPING_AUTO && damping->mass <= 0 && damping->stiffness <= 0);
}

static tide_suggestion *add_solver(tide_suggestion suggestions[TIDE_SUGGESTION_MAX], uint32_t *count, const char *text)
{
    tide_suggestion *suggestion = &suggestions[(*count)++];
    *suggestion = (tide_suggestion) { .input = { .kind = TIDE_INPUT_SOLVER, .text = suggestion->solver } };
    snprintf(suggestion->solver, sizeof suggestion->solver, "%s", text);
    return suggestion;
}

// Adds the current solver with four times the iterations. Returns false if it has none, or its text does not fit.
static bool add_iterations(tide_live *live, tide_suggestion suggestions[TIDE_SUGGESTION_MAX], uint32_t *count)
{
    const tide_solver_kind *kind = tide_solver_kind_of(solver_of(live));
    const tide_field *field = tide_field_find(kind->fields, "", "iterations", NULL);
    if (!field || field->type != TIDE_FIELD_INTEGER)
        return false;
    TIDE_SCOPED char *options = tide_copy_bytes(tide_solver_options(solver_of(live)), kind->options_size);
    if (!options)
        return false;
    int *iterations = (int *)(void *)(options + field->offset);
    TIDE_SCOPED_BY(tide_text_free) tide_text text = { 0 };
    bool more = *iterations > 0 && 4.0 * *iterations <= 1000 &&
                (!(field->maximum > field->minimum) || 4.0 * *iterations <= field->maximum);
    *iterations = more ? 4 * *iterations : *iterations;
    tide_solver_text_write(kind, options, &text);
    more = more && !text.failed && text.length < sizeof suggestions->solver;
    if (more)
        snprintf(add_solver(suggestions, count, text.bytes)->label, sizeof suggestions->label, "%s with %d iterations",
                 kind->name, *iterations);
    return more;
}

static void add_own(tide_live *live, tide_suggestion suggestions[TIDE_SUGGESTION_MAX], uint32_t *count)
{
    const tide_failure *failure = &live->failure;
    char text[sizeof suggestions->solver];
    double half = tide_world_get_settings(tide_live_world(live))->timestep / 2;
    if (failure->stable == TIDE_STABLE_NEVER) {
        snprintf(text, sizeof text, "%s,damping=auto", name_of(live));
        snprintf(add_solver(suggestions, count, text)->label, sizeof suggestions->label,
                 "%s with damping = \"auto\", which makes it stable", name_of(live));
    } else if (failure->stable == TIDE_STABLE_ALWAYS)
        add_iterations(live, suggestions, count);
    else if (has_own_substep(live, half))
        snprintf(add_solver(suggestions, count, name_of(live))->label, sizeof suggestions->label,
                 "%s with substeps that are stable", name_of(live));
    else {
        suggestions[*count] = (tide_suggestion) { .input = { .kind = TIDE_INPUT_TIMESTEP, .number = half } };
        snprintf(suggestions[(*count)++].label, sizeof suggestions->label, "half the timestep: %.3g s", half);
    }
}

uint32_t tide_live_suggestions(tide_live *live, tide_suggestion suggestions[TIDE_SUGGESTION_MAX])
{
    static const char *const solvers[] = { "local_global", "newton" };
    uint32_t count = 0;
    if (live->failure.kind != TIDE_FAILURE_STEP || live->failure.error.status != TIDE_ERROR_NUMERIC)
        return 0;
    add_own(live, suggestions, &count);
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++)
        if (strcmp(name_of(live), solvers[s]) != 0)
            snprintf(add_solver(suggestions, &count, solvers[s])->label, sizeof suggestions->label, "the solver %s",
                     solvers[s]);
    return count;
}

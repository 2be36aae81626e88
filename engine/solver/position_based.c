#include "solver/position_based.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/stop.h"

#include <stdio.h>
#include <string.h>

enum { GRAIN = 4096 }; // constraints in a chunk of a parallel loop: about 0.1 ms of work

static tide_status check_kinds(const tide_solver *solver, const tide_system *system, tide_error *error)
{
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_element_kind *kind = system->groups[g].kind;
        if (kind->constraint)
            continue;
        char object[96], value[48];
        snprintf(value, sizeof value, "\"%.40s\"", kind->name);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, tide_solver_object(solver->kind, object), "element", value,
                         "this kind of element is no constraint, which position-based methods need; choose another "
                         "solver");
    }
    return TIDE_OK;
}

// Cuts the items of each colour, which ascend through the groups, into runs of one group. Only counts the runs when
// `runs` is NULL. `order` receives each item's index within its group.
static uint32_t cut_runs(const tide_system *system, const tide_colouring *colouring, tide_position_run *runs,
                         uint32_t *order)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < colouring->colours; c++) {
        uint32_t first = 0, at = colouring->start[c], end = colouring->start[c + 1];
        for (uint32_t g = 0; g < system->group_count && at < end; first += system->groups[g++].count) {
            uint32_t begin = at;
            for (; at < end && colouring->items[at] - first < system->groups[g].count; at++)
                if (runs)
                    order[at] = colouring->items[at] - first;
            if (at == begin)
                continue;
            if (runs)
                runs[count] = (tide_position_run) { .group = g, .begin = begin, .end = at };
            count++;
        }
    }
    return count;
}

static tide_status make_arrays(tide_position_based *s, const tide_system *system, const tide_colouring *colouring,
                               tide_error *error)
{
    tide_renew_owner(&s->memory, false);
    s->element_count = colouring->count;
    s->run_count = cut_runs(system, colouring, NULL, NULL);
    s->order = tide_own_array(s->memory, colouring->count, sizeof *s->order);
    s->runs = tide_own_array(s->memory, s->run_count, sizeof *s->runs);
    s->inverse_masses = tide_own_array(s->memory, system->particle_count, sizeof *s->inverse_masses);
    s->memories = tide_own_array(s->memory, colouring->count, sizeof *s->memories);
    s->gradient = tide_own_zeroed(s->memory, system->particle_count, 3 * sizeof *s->gradient);
    if (!tide_owns_all(s->memory))
        return tide_fail_memory(error, "solver");
    cut_runs(system, colouring, s->runs, s->order);
    for (uint32_t p = 0; p < system->particle_count; p++)
        s->inverse_masses[p] = system->rows[p] == TIDE_PINNED ? 0 : 1 / system->masses[p];
    return TIDE_OK;
}

tide_status tide_position_prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                                  uint32_t *bad_particle, tide_error *error)
{
    tide_position_based *s = solver->state;
    (void)x, (void)bad_particle;
    s->method = solver->kind->context;
    s->options = solver->options;
    s->h = h;
    tide_colouring colouring = { 0 };
    tide_status status = check_kinds(solver, system, error);
    if (!status)
        status = tide_objective_prepare(&s->objective, system, h, NULL, error);
    if (!status)
        status = tide_colour_elements(system, &colouring, error);
    if (!status)
        status = make_arrays(s, system, &colouring, error);
    tide_colouring_free(&colouring);
    if (status)
        s->objective.system = NULL;
    return status;
}

typedef struct sweep {
    tide_position_based *s;
    const tide_elements *group;
    uint32_t begin; // of the run
} sweep;

static void project_one(tide_position_based *s, const tide_elements *group, uint32_t place)
{
    uint32_t corners = group->kind->vertex_count, element = s->order[place];
    double gradient[TIDE_ELEMENT_MAX_NUMBERS], compliance, w = 0;
    double c = group->kind->constraint(group, s->x, element, gradient, &compliance);
    if (isinf(compliance))
        return;
    const uint32_t *vertices = group->vertices + (size_t)corners * element;
    for (uint32_t i = 0; i < corners; i++) {
        const double *d = gradient + 3 * i;
        w += s->inverse_masses[vertices[i]] * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
    if (w == 0)
        return;
    double multiplier = s->method->increment(s, c, w, compliance, &s->memories[place]);
    for (uint32_t i = 0; i < corners; i++) {
        double factor = s->inverse_masses[vertices[i]] * multiplier, *x = s->x + 3 * (size_t)vertices[i];
        if (factor == 0) // a pinned particle may also belong to other constraints of this colour
            continue;
        for (uint32_t k = 0; k < 3; k++)
            x[k] += factor * gradient[3 * i + k];
    }
}

static void project_some(void *context, uint32_t begin, uint32_t end)
{
    const sweep *w = context;
    for (uint32_t i = begin; i < end; i++)
        project_one(w->s, w->group, w->begin + i);
}

static void project_all(tide_position_based *s, const tide_system *system)
{
    for (uint32_t r = 0; r < s->run_count; r++) {
        const tide_position_run *run = &s->runs[r];
        sweep w = { .s = s, .group = &system->groups[run->group], .begin = run->begin };
        tide_parallel_for(run->end - run->begin, GRAIN, project_some, &w);
    }
}

tide_status tide_position_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error)
{
    tide_position_based *s = solver->state;
    const tide_position_options *o = solver->options;
    if (!tide_objective_is_for(&s->objective, step->system, step->h))
        return tide_solver_fail_unprepared(solver, error);
    double start = tide_method_seconds(report);
    tide_objective_predict(&s->objective, step);
    tide_objective_begin(&s->objective, step->q);
    memcpy(step->x, s->objective.y, 3 * (size_t)step->system->particle_count * sizeof *step->x);
    memset(s->memories, 0, s->element_count * sizeof *s->memories);
    s->x = step->x;
    double touched = tide_step_iterate_particles(step, step->x, s->objective.y, false, report);
    double norm = tide_objective_gradient(&s->objective, step->x, s->gradient), initial = norm;
    double target = tide_objective_target(&s->objective, o->tolerance, initial);
    while (report->iterations < (uint32_t)o->iterations && !tide_stop_requested() &&
           !(o->tolerance > 0 && norm <= target && touched <= TIDE_CONTACT_TOLERANCE)) {
        project_all(s, step->system);
        touched = tide_step_iterate_particles(step, step->x, s->objective.y, false, report);
        report->iterations++;
        if (o->tolerance > 0 || report->iterations == (uint32_t)o->iterations)
            norm = tide_objective_gradient(&s->objective, step->x, s->gradient);
    }
    tide_step_finish_velocities(step);
    double g = tide_objective_value(&s->objective, step->x);
    tide_objective_report(&s->objective, g, initial, norm, o->tolerance, report);
    report->local_seconds += tide_method_seconds(report) - start;
    return TIDE_OK;
}

void tide_position_destroy(tide_solver *solver)
{
    tide_position_based *s = solver->state;
    tide_objective_free(&s->objective);
    tide_free(s->memory);
}

#include "world/step_measure.h"

#include "base/decimal.h"
#include "base/memory.h"
#include "solver/solver_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

tide_step_measure tide_step_measure_begin(const tide_system *system, double h, const double *y, const double *minimum,
                                          const double *start, const bool *touches, double *work)
{
    tide_step_measure measure = { .system = system, .h = h, .y = y };
    measure.lowest = tide_system_objective(system, h, y, minimum);
    for (uint32_t p = 0; p < system->particle_count; p++)
        memcpy(work + 3 * (size_t)p, (touches && touches[p] ? minimum : start) + 3 * (size_t)p, 3 * sizeof *work);
    double range = tide_system_objective(system, h, y, work) - measure.lowest;
    measure.range = range > 1e-13 * fabs(measure.lowest) ? range : 0;
    return measure;
}

double tide_step_measure_left(const tide_step_measure *m, const double *x)
{
    return m->range > 0 ? fmax(tide_system_objective(m->system, m->h, m->y, x) - m->lowest, 0) / m->range : NAN;
}

tide_status tide_step_measure_use_reference(tide_world *world, int iterations, double tolerance, tide_error *error)
{
    const tide_solver_kind *kind;
    TIDE_SCOPED void *options = NULL;
    char text[96];
    tide_format(text, sizeof text, "lbfgs,iterations=%d,history=8,tolerance=%g", iterations, tolerance);
    TIDE_TRY(tide_solver_text_parse(text, NULL, 0, &kind, &options, error));
    return tide_world_set_solver(world, kind, options, error);
}

tide_status tide_step_measure_forces(tide_world *world, double **out, tide_error *error)
{
    const tide_system *system;
    *out = NULL;
    TIDE_TRY(tide_world_system(world, &system, error));
    const double *acting = tide_world_last_forces(world), *gravity = tide_world_get_settings(world)->gravity;
    size_t count = 3 * (size_t)system->particle_count;
    bool any = false, added = false;
    for (size_t i = 0; i < count && !any; i++)
        any = acting[i] != 0;
    if (!any) // no step was taken, or there is no gravity and no force
        return TIDE_OK;
    double *forces = tide_copy_bytes(acting, count * sizeof *forces);
    if (!forces)
        return tide_fail_memory(error, "step");
    for (size_t i = 0; i < count; i++) {
        double weight = system->masses[i / 3] * gravity[i % 3];
        forces[i] = fabs(forces[i] - weight) > 1e-12 * fabs(weight) ? forces[i] - weight : 0;
        added = added || forces[i] != 0;
    }
    if (added)
        *out = forces;
    else
        tide_free(forces);
    return TIDE_OK;
}

tide_status tide_step_measure_add_forces(tide_world *fork, const double *forces, tide_error *error)
{
    for (uint32_t b = 0; forces && b < tide_world_body_count(fork); b++) {
        tide_body_info body;
        tide_body_id id = tide_world_body_at(fork, b);
        if (!tide_world_body_info(fork, id, &body))
            continue;
        for (uint32_t v = 0; v < body.vertex_count; v++) {
            const double *force = forces + 3 * (size_t)(body.first_particle + v);
            if (force[0] != 0 || force[1] != 0 || force[2] != 0)
                TIDE_TRY(tide_world_add_force(fork, id, v, force, error));
        }
    }
    return TIDE_OK;
}

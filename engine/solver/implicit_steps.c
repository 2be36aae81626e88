#include "solver/implicit_steps.h"

#include "base/memory.h"

const tide_field tide_implicit_step_fields[] = {
    TIDE_SOLVER_COMMON_FIELDS(tide_implicit_step_options),
    TIDE_NEWTON_FIELDS(tide_implicit_step_options),
    TIDE_DAMPING_FIELD(tide_implicit_step_options, tide_damping_fields),
    { 0 },
};

tide_status tide_implicit_step_prepare(tide_solver *solver, const tide_system *system, double s, int arrays,
                                       uint32_t *bad_particle, tide_error *error)
{
    tide_implicit_step *own = solver->state;
    const tide_implicit_step_options *o = solver->options;
    char object[96];
    tide_solver_object(solver->kind, object);
    tide_status status = tide_solver_arrays(own, own->arrays, arrays, &own->particle_count, system, object, error);
    if (!status)
        status = tide_objective_prepare(&own->objective, system, s, &o->damping, error);
    if (!status)
        status = tide_newton_prepare(&own->newton, &o->newton, &own->objective, object, bad_particle, error);
    if (status)
        own->objective.system = NULL;
    return status;
}

void tide_implicit_step_destroy(tide_solver *solver)
{
    tide_implicit_step *own = solver->state;
    tide_objective_free(&own->objective);
    tide_newton_free(&own->newton);
}

tide_cholesky_info tide_implicit_step_describe(const tide_solver *solver)
{
    const tide_implicit_step *own = solver->state;
    return tide_newton_describe(&own->newton);
}

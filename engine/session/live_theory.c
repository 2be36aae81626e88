// Explains a failed step: the element at fault, and what theory says about the timestep.
#include "session/live_state.h"

#include "base/memory.h"
#include "model/stiffness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- the element -----------------------------------------------------------------------------------------------------

// Finds another vertex of the element that the error names, "spring 12-13" or "triangle 4-5-9"
// (tide_world_name_element). None is found if the vertex is one of another body.
static void find_other(tide_live *live, tide_failure *failure)
{
    unsigned own = failure->vertex + 1, first, second;
    int length = 0;
    const char *at = strchr(failure->error.remedy, ' ');
    while (at && sscanf(at, " %u-%u%n", &first, &second, &length) != 2)
        at = strchr(at + 1, ' ');
    tide_body_info body;
    if (!at || strncmp(at + length, " of ", 4) == 0 ||
        !tide_world_body_info(tide_live_world(live), failure->body, &body))
        return;
    unsigned other = second == own ? first : second;
    failure->has_other = other > 0 && other <= body.vertex_count && other != own;
    failure->other = other - 1;
}

// --- the theory ------------------------------------------------------------------------------------------------------

// Returns the largest eigenvalue k0 of the current world, 1/s^2; 0: unknown.
static double largest_eigenvalue(tide_world *world)
{
    const tide_system *system;
    TIDE_SCOPED_BY(tide_stiffness_free) tide_stiffness stiffness = { 0 };
    double k0 = 0;
    if (tide_world_system(world, &system, NULL) != TIDE_OK || !system->free_count)
        return 0;
    size_t free = system->free_count, all = system->particle_count;
    TIDE_SCOPED double *vector = tide_allocate_zeroed(9 * free + 6 * all, sizeof *vector);
    if (vector && tide_stiffness_prepare(&stiffness, system, NULL) == TIDE_OK) {
        tide_stiffness_evaluate(&stiffness, system, tide_world_all_positions(world), true, 1, 0);
        k0 = tide_stiffness_largest_eigenvalue(&stiffness, 1e-3, 500, vector, vector + 3 * free).value;
    }
    return isfinite(k0) ? k0 : 0;
}

// Returns the largest h^2 k for which a method is stable without damping; 0: never, INFINITY: always.
static double stable_to(const tide_solver_kind *kind)
{
    const double least = 1e-3, most = 1e9, slack = 1e-7;
    double last = 0;
    for (double y = least; y < most; y *= 1.002) {
        if (!(kind->amplification(0, y) <= 1 + slack))
            return last;
        last = y;
    }
    return INFINITY;
}

tide_stability tide_live_stability(tide_live *live)
{
    const tide_solver_kind *kind = tide_solver_kind_of(tide_world_solver(tide_live_world(live)));
    double limit = kind->amplification ? stable_to(kind) : NAN;
    if (isnan(limit))
        return TIDE_STABLE_UNKNOWN;
    const double negligible = 0.01; // h^2 k; methods with a limit have it between 1 and 10
    if (limit < negligible && tide_live_is_undamped(live))
        return TIDE_STABLE_NEVER;
    return isfinite(limit) ? TIDE_STABLE_BELOW : TIDE_STABLE_ALWAYS;
}

static void write_theory(tide_live *live, tide_failure *failure)
{
    tide_world *world = tide_live_world(live);
    const tide_report *report = tide_world_report(world);
    const tide_solver_kind *kind = tide_solver_kind_of(tide_world_solver(world));
    tide_stability stable = failure->stable;
    double k0 = largest_eigenvalue(world), h = tide_world_get_settings(world)->timestep, substep = h, limit;
    char *text = failure->theory;
    size_t size = sizeof failure->theory;
    if (!(k0 > 0))
        return;
    if (report->substep > 0)
        substep = report->substep;
    else
        substep = h / ((const tide_solver_common *)tide_solver_options(tide_world_solver(world)))->substeps;
    int length = snprintf(text, size, "Theory (Shinya 2005): the fastest mode has a period of %.3g ms; ",
                          1e3 * 6.283185307179586 / sqrt(k0));
    text += length;
    size -= (size_t)length;
    limit = kind->amplification ? stable_to(kind) : 0;
    if (report->stable_substep > 0 && stable == TIDE_STABLE_BELOW)
        snprintf(text, size, "%.40s is stable below %.3g ms. Its steps are %.3g ms.", kind->name,
                 1e3 * report->stable_substep, 1e3 * substep);
    else if (stable == TIDE_STABLE_NEVER)
        snprintf(text, size, "without damping %.40s is stable at no timestep. Its steps are %.3g ms.", kind->name,
                 1e3 * substep);
    else if (stable == TIDE_STABLE_BELOW && limit > 0)
        snprintf(text, size, "%.40s is stable below %.3g ms. Its steps are %.3g ms.", kind->name,
                 1e3 * sqrt(limit / k0), 1e3 * substep);
    else if (stable == TIDE_STABLE_ALWAYS)
        snprintf(text, size,
                 "%.40s, solved to convergence, is stable at any timestep: its steps of %.3g ms are not the cause.",
                 kind->name, 1e3 * substep);
    else
        snprintf(text, size, "no stability limit of %.40s is known. Its steps are %.3g ms.", kind->name, 1e3 * substep);
}

void tide_live_explain(tide_live *live, tide_failure *failure)
{
    if (failure->kind != TIDE_FAILURE_STEP || failure->error.status != TIDE_ERROR_NUMERIC)
        return;
    if (failure->has_vertex)
        find_other(live, failure);
    failure->stable = tide_live_stability(live);
    write_theory(live, failure);
}

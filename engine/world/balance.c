// The energy that each step gains, and its warning.
#include "solver/energy_gain.h"
#include "world/world_state.h"

#include <stdio.h>
#include <string.h>

// Returns whether E(x) is the same function from step to step. Anchors and muscles change it.
static bool elements_stay(const tide_world *world)
{
    return world->number_count == 0 && !tide_world_has_anchors(world) && !tide_world_has_rigid_pins(world) &&
           !tide_world_has_carried_links(world);
}

// Reuses E at the end of the last step if nothing has changed since.
double tide_world_elastic_before(const tide_world *world)
{
    size_t size = 3 * (size_t)world->particle_count * sizeof(double);
    if (world->elastic_of == world->system && elements_stay(world) &&
        memcmp(world->positions, world->next_positions, size) == 0)
        return world->elastic_after;
    return tide_system_energy(world->system, world->positions);
}

// Returns whether the method reports its own stability limit, as explicit methods do.
static bool tells_of_stability(const tide_report *report)
{
    return report->never_stable || report->stable_substep > 0;
}

// Returns what prevents a gain, besides a shorter timestep. More iterations help only where they come nearer to the
// step's solution. A solution may gain energy itself: a body that is turned inside out within one step is in another
// local minimum. And where contacts move particles singly, many iterations (300) turn it inside out, too.
static const char *remedy(const tide_world *world, const tide_report *report)
{
    if (!tide_solver_option(world->solver, "iterations"))
        return "give damping";
    return report->converged || report->touched_singly ? "raise `substeps`" : "give more iterations";
}

static void warn(const tide_world *world, const tide_energy_balance *balance, tide_report *report)
{
    snprintf(report->warning, sizeof report->warning,
             "the step to frame %llu gained %.3g J of energy from nothing, beyond the %.3g J available; shorten the "
             "timestep, or %s",
             (unsigned long long)world->frame + 1, balance->gain,
             balance->kinetic + balance->elastic + fmax(0, balance->work), remedy(world, report));
}

void tide_world_balance_energy(tide_world *world, const tide_step *step, double elastic, tide_report *report)
{
    world->elastic_after = tide_system_energy(world->system, step->x);
    world->elastic_of = elements_stay(world) ? world->system : NULL;
    const tide_damping *damping = tide_solver_option(world->solver, "damping");
    tide_energy_balance balance =
        tide_energy_balance_of(step, elastic, world->elastic_after, damping, report->contact_work);
    report->energy_gain = balance.gain;
    // What is pulled out of a tangle overlaps at first, and contact parts it.
    if (balance.material && !world->untangling.active && !report->warning[0] && !tells_of_stability(report))
        warn(world, &balance, report);
}

#include "session/measures.h"

#include "base/memory.h"
#include "world/reactions.h"
#include "world/stresses.h"

#include <math.h>

bool tide_add_forces(tide_world *world, tide_body_id id, tide_forces *forces)
{
    tide_body_info info;
    double stress, sums[2][3], torque[3];
    const double origin[3] = { 0 };
    if (!tide_world_body_info(world, id, &info))
        return false;
    TIDE_SCOPED double *each = tide_allocate_array(info.vertex_count, 3 * sizeof *each);
    for (int which = 0; which < 2; which++) {
        if (!each || (which ? tide_world_contact_forces : tide_world_reactions)(world, id, each, NULL) != TIDE_OK)
            return false;
        tide_world_sum_forces(world, id, each, NULL, info.vertex_count, origin, sums[which], torque);
    }
    if (tide_world_largest_stress(world, id, &stress, NULL, NULL) != TIDE_OK)
        return false;
    for (int k = 0; k < 3; k++) {
        forces->reaction[k] += sums[0][k];
        forces->contact[k] += sums[1][k];
    }
    forces->stress = fmax(forces->stress, stress);
    return true;
}

bool tide_measure_forces(tide_world *world, tide_forces *forces)
{
    tide_forces sum = { 0 };
    for (uint32_t i = 0; i < tide_world_body_count(world); i++)
        if (!tide_add_forces(world, tide_world_body_at(world, i), &sum))
            return false;
    *forces = sum;
    return true;
}

double tide_force_size(const double force[3])
{
    return sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]);
}

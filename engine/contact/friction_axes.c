// The axes of friction in a substep: those of the surface at its start, and of colliders at its end.
#include "contact/contacts_state.h"

#include "base/memory.h"

#include <string.h>

bool tide_contact_axes_create(tide_contacts *c)
{
    const tide_contact_surface *s = c->surface;
    bool any = false;
    for (uint32_t i = 0; i < s->part_count; i++)
        any |= s->parts[i].friction_ratio != 0;
    for (uint32_t i = 0; i < c->collider_count; i++)
        any |= c->colliders[i]->friction_ratio != 0;
    if (!any)
        return true;
    c->axes = tide_own_zeroed(c, s->point_count, 3 * sizeof *c->axes);
    c->collider_axes = tide_own_zeroed(c, c->collider_count, 3 * sizeof *c->collider_axes);
    return c->axes && c->collider_axes;
}

static void normalize(double v[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++)
        v[k] = length > 0 ? v[k] / length : 0;
}

static void find_axis(tide_contacts *c, uint32_t point)
{
    const tide_contact_surface *s = c->surface;
    double *axis = c->axes + 3 * (size_t)point;
    memset(axis, 0, 3 * sizeof *axis);
    for (uint32_t i = s->axis_starts[point]; i < s->axis_starts[point + 1]; i++)
        for (size_t k = 0; k < 3; k++)
            axis[k] += s->axis_weights[i] * c->from[3 * (size_t)s->axis_points[i] + k];
    normalize(axis);
}

void tide_contact_axes_update(tide_contacts *c)
{
    const tide_contact_surface *s = c->surface;
    if (!c->axes)
        return;
    for (uint32_t i = 0; i < c->collider_count; i++) {
        tide_pose pose = tide_collider_pose(c->colliders[i], c->step->to);
        tide_pose_turn(&pose, c->colliders[i]->friction_axis, c->collider_axes + 3 * (size_t)i);
    }
    for (uint32_t i = 0; i < s->part_count; i++) {
        const tide_contact_part *part = &s->parts[i];
        if (part->friction_ratio == 0)
            continue;
        for (uint32_t p = part->first_point; p < part->first_point + part->point_count; p++)
            if (part->fixed)
                memcpy(c->axes + 3 * (size_t)p, c->collider_axes + 3 * (size_t)part->collider, 3 * sizeof *c->axes);
            else
                find_axis(c, p);
    }
}

// The tangle of a world's contacts: where its points are, and when it is made.
#include "contact/contacts_state.h"

#include "base/memory.h"
#include "contact/tangle_inside.h"

#include <string.h>

// Places all points as a step begins: those of colliders with vertices as they are now.
static void place_points(const tide_contacts *c, const double *x, double *points)
{
    const tide_contact_surface *s = c->surface;
    tide_contact_place_all(c, x, points);
    for (const tide_contact_part *part = s->parts; part < s->parts + s->part_count; part++) {
        const double *own = part->fixed ? tide_collider_vertices(c->colliders[part->collider]) : NULL;
        for (size_t i = 0; own && i < part->point_count; i++)
            tide_pose_apply(&c->colliders[part->collider]->start, own + 3 * i, points + 3 * (part->first_point + i));
    }
}

double tide_contacts_thickness(const tide_contacts *c, uint32_t point)
{
    return 2 * c->surface->parts[c->surface->part_of[point]].radius;
}

static bool may_cross(const tide_contacts *c)
{
    return tide_contacts_have_pairs(c) && c->surface->triangle_count > 0;
}

bool tide_contacts_may_tangle(const tide_contacts *c)
{
    return may_cross(c) || c->collider_count > 0;
}

static tide_status find_crossings(tide_contacts *c, const double *x, tide_tangle_report *report, tide_error *error)
{
    if (!c->tangle) {
        TIDE_TRY(tide_tangle_create(c->surface, c->particle_count, &c->tangle, error));
        tide_own(c, c->tangle);
    }
    place_points(c, x, c->from);
    tide_tangle_set_inside(c->tangle, c->inside);
    return tide_tangle_find(c->tangle, c->from, report, error);
}

tide_status tide_contacts_find_tangle(tide_contacts *c, const double *x, tide_tangle_report *report, tide_error *error)
{
    *report = (tide_tangle_report) { 0 };
    if (c->collider_count > 0 && !tide_inside_find(c, x))
        return tide_fail_memory(error, "contact");
    if (may_cross(c))
        TIDE_TRY(find_crossings(c, x, report, error));
    report->inside = c->inside ? c->inside->count : 0;
    if (report->inside > 0 && report->crossings == 0)
        tide_contact_place(c, x, c->inside->first, report->place);
    return TIDE_OK;
}

bool tide_contacts_penetrate(const tide_contacts *c)
{
    return c->surface->penetrating != NULL;
}

void tide_contacts_release_tangle(tide_contacts *c)
{
    if (c->tangle)
        tide_tangle_release(c->tangle);
    tide_inside_release(c);
}

double tide_contacts_pull_tangle(tide_contacts *c, const double *v, const double *gain, double h, double insistence,
                                 double *forces)
{
    const tide_contact_surface *s = c->surface;
    if (!c->tangle)
        return 0;
    tide_contact_place_all(c, v, c->to);
    for (const tide_contact_part *part = s->parts; part < s->parts + s->part_count; part++) {
        const tide_collider *collider = part->fixed ? c->colliders[part->collider] : NULL;
        for (uint32_t p = part->first_point; collider && p < part->first_point + part->point_count; p++) {
            double *velocity = c->to + 3 * (size_t)p;
            tide_collider_motion_between(&collider->start, &collider->end, c->from + 3 * (size_t)p, velocity);
            for (int k = 0; k < 3; k++)
                velocity[k] /= h;
        }
    }
    double *gains = c->search.skin_centres; // free between searches
    memset(gains, 0, 3 * (size_t)s->point_count * sizeof *gains);
    tide_contact_place_all(c, gain, gains);
    return tide_tangle_pull(c->tangle, c->to, gains, h, insistence, forces);
}

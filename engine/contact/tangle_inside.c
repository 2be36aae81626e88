// Points that are inside colliders, and the way out of each connected region of them.
//
// The nearest place outside is on different sides for the points of a region: a sheet across the middle of a ball would
// be torn to both. So a region leaves in one direction, where it has one:
//
// - the mean of the normals at its points, if they are alike (ALIKE);
// - else, for an open piece of a sheet, the normal of the sheet, on the side of that mean;
// - else, for a whole body, that mean, and up without one.
//
// Other regions, as the ring of a sleeve about an arm, leave point by point.
#include "contact/tangle_inside.h"

#include "contact/collider_near.h"
#include "contact/tangle_state.h"

#include "base/memory.h"
#include "base/vec3.h"

#include <string.h>

#define ALIKE 0.7   // length of the mean of unit normals
#define FLAT 0.5    // length of the vector area, relative to the area
#define NO_WAY 1e-3 // a shorter mean of the unit normals gives a whole body no direction

static bool make(tide_contacts *c)
{
    tide_inside *i = c->inside = tide_own(c, tide_allocate_zeroed(1, sizeof *i));
    size_t points = c->moving_count;
    if (!i)
        return false;
    i->exit_of = tide_own_zeroed(i, points, sizeof *i->exit_of);
    i->ways = tide_own_zeroed(i, 3 * points, sizeof *i->ways);
    i->normals = tide_own_zeroed(i, 3 * points, sizeof *i->normals);
    i->depths = tide_own_zeroed(i, points, sizeof *i->depths);
    i->roots = tide_own_zeroed(i, points, sizeof *i->roots);
    i->regions = tide_own_zeroed(i, points, sizeof *i->regions);
    if (tide_owns_all(i))
        return true;
    c->inside = NULL; // what was allocated goes with the contacts
    return false;
}

static bool is_inside(const tide_inside *in, uint32_t p)
{
    return in->depths[p] > TIDE_DEEP;
}

// Sets depths and normals of the points of a part in a collider. Returns how many are inside.
static uint32_t measure(tide_contacts *c, const tide_contact_part *part, const tide_collider *collider, const double *x)
{
    tide_inside *in = c->inside;
    uint32_t count = 0;
    for (uint32_t p = part->first_point; p < part->first_point + part->point_count; p++) {
        double at[3];
        tide_contact_place(c, x, p, at);
        in->depths[p] = -tide_collider_gap_at(collider, &collider->start, at, in->normals + 3 * (size_t)p);
        in->roots[p] = p;
        in->regions[p] = (tide_inside_region) { 0 };
        count += is_inside(in, p);
    }
    return count;
}

static void sum_regions(tide_contacts *c, const tide_contact_part *part, const double *x)
{
    tide_inside *in = c->inside;
    const tide_contact_surface *s = c->surface;
    for (uint32_t e = part->first_edge; e < part->first_edge + part->edge_count; e++) {
        uint32_t a = s->edges[2 * (size_t)e], b = s->edges[2 * (size_t)e + 1];
        if (is_inside(in, a) && is_inside(in, b))
            tide_disjoint_set_join(in->roots, a, b);
    }
    for (uint32_t p = part->first_point; p < part->first_point + part->point_count; p++) {
        tide_inside_region *r = &in->regions[tide_disjoint_set_root(in->roots, p)];
        if (!is_inside(in, p))
            continue;
        r->count++;
        r->held = r->held || !(s->inverse_masses[p] > 0);
        r->mean = tide_vec3_add(r->mean, tide_vec3_load(in->normals + 3 * (size_t)p));
    }
    for (uint32_t t = part->first_triangle; t < part->first_triangle + part->triangle_count; t++) {
        const uint32_t *corners = s->triangles + 3 * (size_t)t;
        if (!is_inside(in, corners[0]) || !is_inside(in, corners[1]) || !is_inside(in, corners[2]))
            continue;
        double at[3][3];
        for (int k = 0; k < 3; k++)
            tide_contact_place(c, x, corners[k], at[k]);
        tide_vec3 a = tide_vec3_load(at[0]);
        tide_vec3 twice =
            tide_vec3_cross(tide_vec3_subtract(tide_vec3_load(at[1]), a), tide_vec3_subtract(tide_vec3_load(at[2]), a));
        tide_inside_region *r = &in->regions[tide_disjoint_set_root(in->roots, corners[0])];
        r->sheet = tide_vec3_add(r->sheet, twice);
        r->area += tide_vec3_length(twice);
    }
}

static void decide(tide_inside_region *r, bool whole)
{
    tide_vec3 mean = tide_vec3_scale(r->mean, 1.0 / r->count);
    double alike = tide_vec3_length(mean), flat = tide_vec3_length(r->sheet);
    if (alike > ALIKE)
        r->way = tide_vec3_scale(mean, 1 / alike);
    else if (r->area > 0 && flat > FLAT * r->area)
        r->way = tide_vec3_scale(r->sheet, (tide_vec3_dot(mean, r->sheet) < 0 ? -1 : 1) / flat);
    else if (whole)
        r->way = alike > NO_WAY ? tide_vec3_scale(mean, 1 / alike) : (tide_vec3) { 0, 1, 0 };
    else
        return;
    r->leaves = true;
}

// The part may already have regions in other colliders: a point leaves the first.
static void search(tide_contacts *c, const tide_contact_part *part, uint32_t collider, const double *x)
{
    tide_inside *in = c->inside;
    if (measure(c, part, c->colliders[collider], x) == 0)
        return;
    sum_regions(c, part, x);
    for (uint32_t p = part->first_point; p < part->first_point + part->point_count; p++)
        if (in->regions[p].count > 0)
            decide(&in->regions[p], in->regions[p].count == part->point_count);
    for (uint32_t p = part->first_point; p < part->first_point + part->point_count; p++) {
        const tide_inside_region *r = &in->regions[tide_disjoint_set_root(in->roots, p)];
        bool rooted = part->triangle_count == 0 && r->held; // of hair in a head
        if (!is_inside(in, p) || rooted || !(c->surface->inverse_masses[p] > 0))
            continue;
        if (in->count++ == 0)
            in->first = p;
        if (!r->leaves || in->exit_of[p])
            continue;
        in->exit_of[p] = collider + 1;
        tide_vec3_store(in->ways + 3 * (size_t)p, r->way);
    }
}

bool tide_inside_find(tide_contacts *c, const double *x)
{
    if (!c->inside && !make(c))
        return false;
    tide_inside *in = c->inside;
    in->count = 0;
    memset(in->exit_of, 0, c->moving_count * sizeof *in->exit_of);
    for (const tide_contact_part *part = c->surface->parts; part < c->surface->parts + c->surface->part_count; part++)
        for (uint32_t k = 0; k < c->collider_count; k++)
            if (!part->fixed && part->against_colliders && part->edge_count > 0)
                search(c, part, k, x);
    return true;
}

void tide_inside_release(tide_contacts *c)
{
    if (c->inside && c->inside->exit_of && c->moving_count)
        memset(c->inside->exit_of, 0, c->moving_count * sizeof *c->inside->exit_of);
}

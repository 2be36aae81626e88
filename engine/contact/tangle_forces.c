// Forces that pull wrong sides back, and shorten contours that separate no side (intersection contour minimisation;
// Volino and Magnenat-Thalmann 2006).
#include "contact/tangle_state.h"

#include "base/vec3.h"

#include <math.h>
#include <string.h>

#define SHORT (1.0 / 60) // s: shorter steps do not pull faster

static double speed_for(const tide_tangle *t, const uint32_t parts[2], double h)
{
    const tide_contact_part *all = t->surface->parts;
    return TIDE_TANGLE_PART * (all[parts[0]].radius + all[parts[1]].radius) / fmax(h, SHORT);
}

static tide_vec3 velocity_of_triangle(const tide_tangle *t, const tide_tangle_crossing *c)
{
    const uint32_t *corners = t->surface->triangles + 3 * (size_t)c->triangle;
    tide_vec3 sum = { 0 };
    for (int k = 0; k < 3; k++)
        sum = tide_vec3_add(sum, tide_vec3_scale(tide_vec3_load(t->v + 3 * (size_t)corners[k]), c->weights[k]));
    return sum;
}

// --- regions --------------------------------------------------------------------------------------------------------

// Tells which particles bear the regions, and how much of each.
static void share_particles(tide_tangle *t)
{
    uint32_t particles[4];
    double weights[4];
    memset(t->shares, 0, t->particle_count * sizeof *t->shares);
    for (uint32_t p = 0; p < t->surface->point_count; p++) {
        int count = t->pull_of[p] == TIDE_TANGLE_NONE ? 0 : tide_tangle_bearers(t, p, particles, weights);
        for (int i = 0; i < count; i++) {
            double share = fmin(fmax(weights[i], 0), 1);
            if (share <= t->shares[particles[i]])
                continue;
            t->shares[particles[i]] = share;
            t->particle_pull[particles[i]] = t->pull_of[p];
        }
    }
}

// Sums up mass, momentum and forces of the regions.
static void measure_regions(tide_tangle *t, const double *forces)
{
    for (size_t i = 0; i < t->count; i++) {
        const tide_tangle_crossing *c = &t->items[i];
        if (!c->chosen)
            continue;
        tide_tangle_region *region = &t->regions[c->region];
        region->speed += tide_vec3_dot(velocity_of_triangle(t, c), tide_vec3_load(region->normal)) / region->count;
    }
    for (uint32_t p = 0; p < t->particle_count; p++) {
        double inverse_mass = t->surface->inverse_masses[p];
        if (!(t->shares[p] > 0) || !(inverse_mass > 0))
            continue;
        tide_tangle_region *region = &t->regions[t->particle_pull[p]];
        tide_vec3 n = tide_vec3_load(region->normal);
        double mass = t->shares[p] / inverse_mass;
        region->mass += mass;
        region->momentum += mass * tide_vec3_dot(n, tide_vec3_load(t->v + 3 * (size_t)p));
        region->force += t->shares[p] * tide_vec3_dot(n, tide_vec3_load(forces + 3 * (size_t)p));
    }
}

static void add(double *forces, size_t n, double factor, const double direction[3])
{
    for (size_t k = 0; k < 3; k++)
        forces[n + k] += factor * direction[k];
}

// Visits the points of a part outside of a region. With `forces`, adds the force to each by its part of `mass`; else
// sums up the mass. Held points count with the mean mass of the others; what they would get, their pins bear.
static double react(const tide_tangle *t, size_t region, double force, double mass, double *forces, bool *held)
{
    const tide_contact_part *part = &t->surface->parts[t->regions[region].parts[1]];
    double sum = 0, free = 0, count = 0;
    uint32_t particles[4];
    double weights[4];
    for (uint32_t p = part->first_point; p < part->first_point + part->point_count; p++) {
        int bearers = t->pull_of[p] == region ? 0 : tide_tangle_bearers(t, p, particles, weights);
        count += bearers > 0;
        for (int i = 0; i < bearers; i++) {
            double inverse_mass = t->surface->inverse_masses[particles[i]];
            if (!(inverse_mass > 0)) {
                *held = true;
                continue;
            }
            double own = weights[i] / inverse_mass;
            sum += own;
            free += weights[i];
            if (forces)
                add(forces, 3 * (size_t)particles[i], -force * own / mass, t->regions[region].normal);
        }
    }
    return free > 0 ? sum * (count / free) : 0;
}

// Returns the impulse, N s.
static double pull_region(tide_tangle *t, size_t index, double h, double *forces)
{
    tide_tangle_region *r = &t->regions[index];
    bool held = t->surface->parts[r->parts[1]].fixed;
    double lacking = speed_for(t, r->parts, h) + r->speed - r->momentum / r->mass - fmin(r->force, 0) * h / r->mass;
    double other = held ? 0 : react(t, index, 0, 0, NULL, &held), reduced = r->mass;
    if (!held)
        reduced = r->mass * other / (r->mass + other);
    if (!(lacking > 0) || !(reduced > 0))
        return 0;
    double force = reduced * lacking / h;
    r->pull = force;
    if (other > 0)
        react(t, index, force, other, forces, &held);
    return force * h;
}

// Returns whether a region moves as a whole: it has a direction, and free particles.
static bool moves(const tide_tangle_region *r)
{
    return r->mass > 0 && tide_vec3_length(tide_vec3_load(r->normal)) > 0;
}

static double pull_regions(tide_tangle *t, double h, double *forces)
{
    double impulses = 0;
    share_particles(t);
    measure_regions(t, forces);
    for (size_t i = 0; i < t->region_count; i++)
        if (moves(&t->regions[i]) && !t->regions[i].leaves)
            impulses += pull_region(t, i, h, forces);
    for (uint32_t p = 0; p < t->particle_count; p++) {
        const tide_tangle_region *r = t->shares[p] > 0 ? &t->regions[t->particle_pull[p]] : NULL;
        if (r && r->pull > 0 && t->surface->inverse_masses[p] > 0)
            add(forces, 3 * (size_t)p, r->pull * t->shares[p] / t->surface->inverse_masses[p] / r->mass, r->normal);
    }
    return impulses;
}

// --- single crossings -----------------------------------------------------------------------------------------------

// Sets the sum of the unit vectors from a crossing along the contour, into the triangles at its edge.
static tide_vec3 contour_directions(const tide_tangle *t, const tide_tangle_crossing *c)
{
    const tide_contact_surface *s = t->surface;
    const uint32_t *ends = s->edges + 2 * (size_t)c->edge;
    tide_vec3 p = tide_vec3_load(t->x + 3 * (size_t)ends[0]), n = tide_vec3_load(c->normal), sum = { 0 };
    tide_vec3 edge = tide_vec3_subtract(tide_vec3_load(t->x + 3 * (size_t)ends[1]), p);
    for (int k = 0; k < 2; k++) {
        uint32_t triangle = t->edge_triangles[2 * (size_t)c->edge + (size_t)k];
        if (triangle == TIDE_TANGLE_NONE)
            continue;
        const uint32_t *v = s->triangles + 3 * (size_t)triangle;
        uint32_t apex = v[0] != ends[0] && v[0] != ends[1] ? v[0] : v[1] != ends[0] && v[1] != ends[1] ? v[1] : v[2];
        tide_vec3 to = tide_vec3_subtract(tide_vec3_load(t->x + 3 * (size_t)apex), p);
        tide_vec3 along = tide_vec3_cross(tide_vec3_cross(edge, to), n);
        double length = tide_vec3_length(along);
        // towards the apex: the part of `along` across the edge
        double inward = tide_vec3_dot(tide_vec3_cross(tide_vec3_cross(edge, to), edge), along);
        if (length > 0)
            sum = tide_vec3_add(sum, tide_vec3_scale(along, (inward < 0 ? -1 : 1) / length));
    }
    return sum;
}

// Returns the direction in which the edge moves against the triangle to shorten the contour at most, of length 1 at the
// most.
tide_vec3 tide_tangle_gradient(const tide_tangle *t, const tide_tangle_crossing *c)
{
    const uint32_t *ends = t->surface->edges + 2 * (size_t)c->edge;
    tide_vec3 n = tide_vec3_load(c->normal), along = contour_directions(t, c);
    tide_vec3 edge = tide_vec3_normalize(
        tide_vec3_subtract(tide_vec3_load(t->x + 3 * (size_t)ends[1]), tide_vec3_load(t->x + 3 * (size_t)ends[0])));
    double steep = tide_vec3_dot(edge, n);
    if (steep != 0)
        along = tide_vec3_subtract(along, tide_vec3_scale(n, 2 * tide_vec3_dot(edge, along) / steep));
    double length = tide_vec3_length(along);
    return isfinite(length) ? tide_vec3_scale(along, 1 / fmax(length, 1)) : (tide_vec3) { 0 };
}

// Pulls the edge, or its wrong end, against the triangle. Returns the impulse, N s.
static double pull_crossing(tide_tangle *t, const tide_tangle_crossing *c, tide_vec3 direction, double h,
                            double *forces)
{
    const tide_contact_surface *s = t->surface;
    const uint32_t *ends = s->edges + 2 * (size_t)c->edge, *corners = s->triangles + 3 * (size_t)c->triangle;
    uint32_t points[5] = { ends[0], ends[1], corners[0], corners[1], corners[2] }, particles[4];
    double weights[5] = { 1 - c->at, c->at, -c->weights[0], -c->weights[1], -c->weights[2] }, shares[4];
    double length = tide_vec3_length(direction), inverse_mass = 0, speed = 0, gained = 0;
    bool with_collider = s->parts[c->parts[0]].fixed || s->parts[c->parts[1]].fixed;
    if (!c->open && !c->chord)
        weights[0] = c->wrong == TIDE_WRONG_FIRST, weights[1] = c->wrong == TIDE_WRONG_SECOND;
    if (!(length > 0))
        return 0;
    for (int i = 0; i < 5; i++) {
        inverse_mass += weights[i] * weights[i] * s->inverse_masses[points[i]];
        speed += weights[i] * tide_vec3_dot(direction, tide_vec3_load(t->v + 3 * (size_t)points[i])) / length;
        gained += weights[i] * tide_vec3_dot(direction, tide_vec3_load(t->gain + 3 * (size_t)points[i])) / length;
    }
    double lacking = t->insistence * (speed_for(t, c->parts, h) * length - speed);
    double impulse = (lacking - (with_collider ? fmin(gained, 0) : 0)) / inverse_mass;
    if (!(inverse_mass > 0) || !(impulse > 0))
        return 0;
    double unit[3];
    tide_vec3_store(unit, tide_vec3_scale(direction, 1 / length));
    for (int i = 0; i < 5; i++) {
        int count = tide_tangle_bearers(t, points[i], particles, shares);
        add(t->v, 3 * (size_t)points[i], weights[i] * impulse * s->inverse_masses[points[i]], unit);
        for (int k = 0; k < count; k++)
            if (s->inverse_masses[particles[k]] > 0)
                add(forces, 3 * (size_t)particles[k], weights[i] * shares[k] * impulse / h, unit);
    }
    return impulse;
}

double tide_tangle_pull(tide_tangle *t, const double *v, const double *gain, double h, double insistence,
                        double *forces)
{
    t->insistence = insistence;
    t->gain = gain;
    memcpy(t->v, v, 3 * (size_t)t->surface->point_count * sizeof *v);
    double impulses = pull_regions(t, h, forces);
    for (size_t i = 0; i < t->count; i++) {
        const tide_tangle_crossing *c = &t->items[i];
        if (c->leaves)
            continue;
        if (c->chord)
            impulses += pull_crossing(t, c, tide_vec3_load(c->out), h, forces);
        else if (c->open)
            impulses += pull_crossing(t, c, tide_tangle_gradient(t, c), h, forces);
        else if (c->chosen && !moves(&t->regions[c->region]))
            impulses += pull_crossing(
                t, c, tide_vec3_scale(tide_vec3_load(c->normal), c->wrong == TIDE_WRONG_FIRST ? 1 : -1), h, forces);
    }
    return impulses;
}

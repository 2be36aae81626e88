// Contacts whose forces x yields to at once, where a method steps with one matrix A.
//
// Between two iterations, g's quadratic model is least under forces J's at x + A^-1 J's: there a method that lowers g
// by steps of A goes on to lower it among what does not penetrate. Which s that takes is found by a few passes, each
// of all contacts together. What a change of s does to their gaps is W = J A^-1 J'; as each pass takes instead of W the
// diagonal of its rows' sums of absolute values, no smaller than W, it overshoots nowhere, and moves what touches in
// many points at once by what its gaps are, however heavy the solid and however small the mass of the points. The sums
// of all rows are one solve: A z = the sum of |J|.
#include "contact/internal.h"

#include <string.h>

bool tide_contact_yields(const tide_contacts *c, uint32_t point)
{
    return c->yield && c->surface->parts[c->surface->part_of[point]].triangle_count > 0;
}

// Calls for each particle that a point is, or is carried by, with its weight.
static inline int bearers_of(const tide_contacts *c, uint32_t point, const uint32_t **particles, const double **weights)
{
    static const double whole = 1;
    if (point >= c->moving_count)
        return 0;
    if (point < c->particle_count) {
        *weights = &whole;
        return 1;
    }
    size_t first = 4 * (size_t)(point - c->particle_count);
    *particles = c->surface->carriers + first;
    *weights = c->surface->carrier_weights + first;
    return 4;
}

static void add_force(const tide_contacts *c, double *forces, uint32_t point, double factor, const double force[3])
{
    const uint32_t *particles = &point;
    const double *weights;
    int count = bearers_of(c, point, &particles, &weights);
    for (int i = 0; i < count; i++)
        for (size_t k = 0, n = 3 * (size_t)particles[i]; k < 3; k++)
            forces[n + k] += factor * weights[i] * force[k];
}

void tide_contact_exert(tide_contacts *c, uint32_t point, double factor, const double force[3], bool yields, double *x)
{
    if (yields) {
        add_force(c, c->force, point, factor, force);
        c->forced = true;
        return;
    }
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = factor * c->surface->inverse_masses[point] * force[k];
    tide_contact_shift(c, x, point, d);
    if (c->others_yield) {
        add_force(c, c->others, point, factor, force);
        c->others_forced = true;
    }
}

double tide_contact_yielding(const tide_contacts *c, uint32_t point)
{
    const uint32_t *particles = &point;
    const double *weights;
    double sum = 0;
    int count = bearers_of(c, point, &particles, &weights);
    for (int i = 0; i < count; i++)
        sum += fabs(weights[i]) * c->row_sums[3 * (size_t)particles[i]];
    return sum;
}

bool tide_contact_joins(tide_contacts *c, tide_contact_sum *kept)
{
    if (kept->joined)
        return false;
    return c->uncounted = kept->joined = true;
}

static void add_row(tide_contacts *c, uint32_t point, double weight)
{
    const uint32_t *particles = &point;
    const double *weights;
    int count = bearers_of(c, point, &particles, &weights);
    for (int i = 0; i < count; i++)
        c->force[3 * (size_t)particles[i]] += fabs(weight * weights[i]);
}

void tide_contacts_sum_rows(tide_contacts *c)
{
    for (size_t i = 0; i < c->touching_count; i++)
        if (c->touching[i].kept.joined && tide_contact_yields(c, c->touching[i].point))
            add_row(c, c->touching[i].point, 1);
    for (size_t i = 0; i < c->pair_count; i++)
        if (c->pairs[i].kept.joined && tide_pair_yields(c, &c->pairs[i]))
            for (int k = 0; k < tide_pair_corners(c->pairs[i].kind); k++)
                add_row(c, c->pairs[i].points[k], c->pairs[i].weights[k]);
    c->uncounted = !c->yield->solve(c->yield, c->force, c->row_sums);
    memset(c->force, 0, 3 * (size_t)c->particle_count * sizeof *c->force);
}

double tide_contacts_yield(tide_contacts *c, double *x, double *also)
{
    size_t numbers = 3 * (size_t)c->particle_count;
    double most = 0;
    if (!c->forced)
        return 0;
    c->forced = false;
    bool solved = c->yield->solve(c->yield, c->force, c->yielded);
    memset(c->force, 0, numbers * sizeof *c->force);
    for (size_t i = 0; i < numbers && solved; i++) {
        double by = c->yielded[i];
        x[i] += by;
        also[i] += by;
        most = fabs(by) > most ? fabs(by) : most;
    }
    return most;
}

double tide_contacts_yield_others(tide_contacts *c, double *x)
{
    if (!c->others_forced)
        return 0;
    size_t size = 3 * (size_t)c->particle_count * sizeof *c->force;
    memcpy(c->force, c->others, size);
    memset(c->others, 0, size);
    c->others_forced = false;
    c->forced = true;
    return tide_contacts_yield(c, c->answered_x, x);
}

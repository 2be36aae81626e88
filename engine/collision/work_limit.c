#include "collision/work_limit.h"

#include "base/stop.h"

#include <math.h>

uint64_t tide_contact_features(const tide_contact_surface *s)
{
    return (uint64_t)s->point_count + s->edge_count + s->triangle_count;
}

void tide_contact_work_begin(tide_contact_work *work, const tide_contact_surface *surface, bool first)
{
    if (first)
        *work = (tide_contact_work) { .left = TIDE_WORK_TIMESTEP, .most_pairs = work->most_pairs };
    if (!work->exhausted)
        work->left += TIDE_WORK_FEATURE * tide_contact_features(surface);
}

static double square_of_edge(const double *x, const uint32_t *edge)
{
    const double *a = x + 3 * (size_t)edge[0], *b = x + 3 * (size_t)edge[1];
    double d[3] = { b[0] - a[0], b[1] - a[1], b[2] - a[2] };
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

void tide_contact_work_measure(tide_contact_work *work, const tide_contact_surface *s, const double *x)
{
    double at_rest = 0, now = 0;
    for (const tide_contact_part *part = s->parts; part < s->parts + s->part_count && s->rest; part++)
        for (uint32_t e = 0; e < part->edge_count && !part->fixed; e++) {
            const uint32_t *edge = s->edges + 2 * ((size_t)part->first_edge + e);
            at_rest += square_of_edge(s->rest, edge);
            now += square_of_edge(x, edge);
        }
    work->stretch = at_rest > 0 ? sqrt(now / at_rest) : 1;
    work->stretched = !(work->stretch <= TIDE_CONTACT_STRETCHED);
    uint64_t most = TIDE_WORK_TIMESTEP + TIDE_WORK_STRETCHED * tide_contact_features(s);
    uint64_t left = work->spent < most ? most - work->spent : 0;
    if (work->stretched && work->left > left)
        work->left = left;
}

void tide_contact_work_look(tide_contact_work *work)
{
    work->unlooked = 0;
    if (!tide_stop_requested())
        return;
    work->stopped = work->exhausted = true;
    work->left = 0;
}

void tide_contact_work_crowd(tide_contact_work *work)
{
    work->crowded = work->exhausted = true;
    work->left = 0;
}

tide_status tide_contact_work_fail(const tide_contact_work *work, tide_error *error)
{
    if (work->stopped)
        return tide_fail(error, TIDE_ERROR_SCRIPT, "contact", NULL, NULL, "stopped before it was finished");
    if (work->stretched)
        return tide_fail(
            error, TIDE_ERROR_NUMERIC, "contact", "stretch", NULL,
            "the motion diverged: edges are stretched %.3g-fold, and there are too many contacts to resolve",
            work->stretch);
    if (work->crowded)
        return tide_fail(
            error, TIDE_ERROR_NUMERIC, "contact", "pairs", NULL,
            "the motion diverged: more than %.3g pairs of vertices, edges and triangles are close to contact",
            (double)work->most_pairs);
    return tide_fail(error, TIDE_ERROR_NUMERIC, "contact", "work", NULL,
                     "the motion diverged: %.3g operations did not resolve its contacts", (double)work->spent);
}

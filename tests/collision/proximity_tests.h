// Shared by tests of proximity: a crowd of all kinds of parts, and searches with one skin thickness for all points.
#ifndef TIDE_TESTS_CONTACT_PROXIMITY_TESTS_H
#define TIDE_TESTS_CONTACT_PROXIMITY_TESTS_H

#include "base/memory.h"
#include "collision/closest_points.h"
#include "collision/proximity.h"
#include "surfaces.h"

#include <math.h>

static tide_random random_state;

static inline double uniform(double low, double high)
{
    return between(&random_state, low, high);
}

static inline tide_status find_pairs(tide_proximity *proximity, const tide_contact_surface *s, const double *from,
                                     const double *to, double skin, tide_error *error)
{
    double *skins = malloc(s->point_count * sizeof *skins);
    for (uint32_t i = 0; i < s->point_count; i++)
        skins[i] = skin;
    tide_status status = tide_proximity_find(proximity, from, to, skins, error);
    free(skins);
    return status;
}

// The pairs with all that follows from the start, as long as the search lives.
static inline const tide_contact_pair *whole_pairs(tide_proximity *proximity, uint32_t *count)
{
    tide_proximity_pairs(proximity, count);
    tide_contact_pair *pairs = tide_own_array(proximity, (size_t)*count + 1, sizeof *pairs);
    for (uint32_t i = 0; i < *count; i++) {
        pairs[i] = tide_proximity_pair(proximity, i);
        tide_proximity_side(&pairs[i]);
    }
    return pairs;
}

// The square of the distance between the first points and those after them.
static inline double closest2(const double *x, uint32_t firsts, uint32_t seconds, const uint32_t *n)
{
    const double *p[4] = { NULL };
    double w[3], s, t;
    for (uint32_t k = 0; k < firsts + seconds; k++)
        p[k] = x + 3 * n[k];
    if (seconds == 3)
        return tide_closest_on_triangle(p[0], p[1], p[2], p[3], w);
    if (seconds == 2)
        return tide_closest_of_segments(p[0], p[1], p[2], p[3], &s, &t);
    return tide_closest_on_segment(p[0], p[1], p[1], &t);
}

static inline void make_crowd(sample *m)
{
    add_sheet(m, 0.03, 5, 0.2, 0, 0, 0);
    add_sheet(m, 0.02, 4, 0.25, 0.1, 0.1, 0.1);
    for (int i = 0; i < 6; i++)
        add_strand(m, 0.05, 6, 0.15, uniform(0, 1), uniform(-0.5, 0.3), uniform(0, 1));
    add_part(m, 0.04); // points alone
    for (int i = 0; i < 20; i++)
        add_point(m, uniform(0, 1), uniform(-0.5, 0.5), uniform(0, 1), 1);
    m->parts[1].fixed = m->parts[3].fixed = true;
}

#endif

// Contact forces as displacements of particles.
#include "contact/contacts_state.h"

static void add(const tide_contacts *c, double *y, uint32_t point, const double impulse[3], double factor)
{
    const double d[3] = { factor * impulse[0], factor * impulse[1], factor * impulse[2] };
    if (factor != 0)
        tide_contact_shift(c, y, point, d);
}

void tide_contacts_add_displacements(const tide_contacts *c, double h, double *y)
{
    double scale = c->rule > 0 ? h * h / (c->rule * c->rule) : 1;
    for (size_t i = 0; i < c->touching.count; i++)
        add(c, y, c->touching.items[i].point, c->touching.items[i].kept.accumulated, scale);
    for (size_t i = 0; i < c->pairs.count; i++) {
        const tide_pair_contact *pair = &c->pairs.items[i];
        for (int v = 0; v < tide_pair_corners(pair->kind); v++)
            add(c, y, pair->points[v], pair->kept.accumulated,
                scale * pair->weights[v] * c->surface->inverse_masses[pair->points[v]]);
    }
}

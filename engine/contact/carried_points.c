// Places of points that are particles or are carried by four of them (embedded).
#include "contact/contacts_state.h"

#include <string.h>

void tide_contact_place_carried(const tide_contacts *c, const double *x, uint32_t point, double out[3])
{
    size_t first = 4 * (size_t)(point - c->particle_count);
    memset(out, 0, 3 * sizeof *out);
    for (size_t i = first; i < first + 4; i++)
        for (size_t k = 0; k < 3; k++)
            out[k] += c->surface->carrier_weights[i] * x[3 * (size_t)c->surface->carriers[i] + k];
}

void tide_contact_shift_carried(const tide_contacts *c, double *x, uint32_t point, const double d[3])
{
    const tide_contact_surface *s = c->surface;
    size_t first = 4 * (size_t)(point - c->particle_count);
    for (size_t i = first; i < first + 4 && s->inverse_masses[point] > 0; i++) {
        uint32_t carrier = s->carriers[i];
        double part = s->carrier_weights[i] * s->inverse_masses[carrier] / s->inverse_masses[point];
        for (size_t k = 0; k < 3; k++)
            x[3 * (size_t)carrier + k] += part * d[k];
    }
}

void tide_contact_place_all(const tide_contacts *c, const double *x, double *points)
{
    memcpy(points, x, 3 * (size_t)c->particle_count * sizeof *points);
    for (uint32_t p = c->particle_count; p < c->moving_count; p++)
        tide_contact_place(c, x, p, points + 3 * (size_t)p);
}

#include "contact/contacts_state.h"

#include <string.h>

void tide_contact_solve_velocity(const double normal[3], const double velocity[3], double keep, double w,
                                 const tide_friction *friction, bool exact, double change[3])
{
    double along = velocity[0] * normal[0] + velocity[1] * normal[1] + velocity[2] * normal[2], square = 0;
    double push = exact ? (keep - along) / w : fmax(0, keep - along) / w;
    for (int k = 0; k < 3; k++) {
        double slip = velocity[k] - along * normal[k];
        square += slip * slip;
    }
    double most = friction->along * fmax(0, push) * w, part = square > most * most ? most / sqrt(square) : 1;
    for (int k = 0; k < 3; k++)
        change[k] = push != 0 ? push * normal[k] - part * (velocity[k] - along * normal[k]) / w : 0;
    if (tide_friction_is_round(friction) || push == 0)
        return;
    double drag[3];
    for (int k = 0; k < 3; k++)
        drag[k] = -(velocity[k] - along * normal[k]) / w;
    tide_friction_clip(friction, push, drag);
    for (int k = 0; k < 3; k++)
        change[k] = push * normal[k] + drag[k];
}

// A free point next to pinned ones, with less than a thousandth of the weight, counts as pinned. The unit of an impulse
// against a collider has the mass of its point.
double tide_contact_inverse_mass(const tide_contact_surface *s, const tide_contact_constraint *t)
{
    const double least = 1e-3;
    double w = 0, most = 0;
    if (!tide_contact_is_pair(t))
        return 1;
    for (int i = 0; i < tide_contact_corners(t->kind); i++) {
        double inverse_mass = s->inverse_masses[t->points[i]];
        w += t->weights[i] * t->weights[i] * inverse_mass;
        most = fmax(most, inverse_mass);
    }
    return w > least * least * most ? w : 0;
}

// The side of a pair with the corners [begin, end).
static tide_friction_side side_of(const tide_contacts *c, const tide_contact_constraint *t,
                                  const tide_contact_part *part, int begin, int end)
{
    tide_friction_side side = { part->friction, part->friction_ratio, { 0 }, part->material };
    if (part->friction_ratio == 0)
        return side;
    double square = 0;
    for (int i = begin; i < end; i++)
        for (size_t k = 0; k < 3; k++)
            side.axis[k] += fabs(t->weights[i]) * c->axes[3 * (size_t)t->points[i] + k];
    for (int k = 0; k < 3; k++)
        square += side.axis[k] * side.axis[k];
    for (int k = 0; k < 3 && square > 0; k++)
        side.axis[k] /= sqrt(square);
    return side;
}

tide_friction tide_pair_friction(const tide_contacts *c, const tide_contact_constraint *t)
{
    const tide_contact_surface *s = c->surface;
    int second = t->kind == TIDE_PAIR_EDGES ? 2 : 1;
    tide_friction_side a = side_of(c, t, tide_pair_first_part(s, t), 0, second),
                       b = side_of(c, t, tide_pair_second_part(s, t), second, tide_contact_corners(t->kind));
    return tide_friction_combine(s, &a, &b, t->kept.normal);
}

tide_friction tide_collider_friction(const tide_contacts *c, uint32_t point, uint32_t collider, const double normal[3])
{
    const tide_contact_surface *s = c->surface;
    const tide_contact_part *part = &s->parts[s->part_of[point]];
    const tide_collider *of = c->colliders[collider];
    tide_friction_side a = { part->friction, part->friction_ratio, { 0 }, part->material };
    tide_friction_side b = {
        of->friction, of->friction_ratio, { 0 }, s->collider_materials ? s->collider_materials[collider] : 0
    };
    if (a.ratio != 0)
        memcpy(a.axis, c->axes + 3 * (size_t)point, sizeof a.axis);
    if (b.ratio != 0)
        memcpy(b.axis, c->collider_axes + 3 * (size_t)collider, sizeof b.axis);
    return tide_friction_combine(s, &a, &b, normal);
}

#include "contact/contacts_state.h"

void tide_contact_solve_velocity(const double normal[3], const double velocity[3], double keep, double w,
                                 double friction, bool exact, double change[3])
{
    double along = velocity[0] * normal[0] + velocity[1] * normal[1] + velocity[2] * normal[2], square = 0;
    double push = exact ? (keep - along) / w : fmax(0, keep - along) / w;
    for (int k = 0; k < 3; k++) {
        double slip = velocity[k] - along * normal[k];
        square += slip * slip;
    }
    double most = friction * fmax(0, push) * w, part = square > most * most ? most / sqrt(square) : 1;
    for (int k = 0; k < 3; k++)
        change[k] = push != 0 ? push * normal[k] - part * (velocity[k] - along * normal[k]) / w : 0;
}

double tide_contact_friction(double a, double b)
{
    if (tide_given(a) && tide_given(b))
        return sqrt(a * b);
    return tide_given(a) ? a : tide_given(b) ? b : 0.3;
}

// A free point next to pinned ones, with less than a thousandth of the weight, counts as pinned.
double tide_pair_inverse_mass(const tide_contact_surface *s, const tide_pair_contact *t)
{
    const double least = 1e-3;
    double w = 0, most = 0;
    for (int i = 0; i < tide_pair_corners(t->kind); i++) {
        double inverse_mass = s->inverse_masses[t->points[i]];
        w += t->weights[i] * t->weights[i] * inverse_mass;
        most = fmax(most, inverse_mass);
    }
    return w > least * least * most ? w : 0;
}

double tide_pair_friction(const tide_contact_surface *s, const tide_pair_contact *t)
{
    return tide_contact_friction(tide_pair_first_part(s, t)->friction, tide_pair_second_part(s, t)->friction);
}

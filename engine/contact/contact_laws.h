// The laws of contact (README.md, section 1) for one contact: Signorini's condition and Coulomb friction.
#ifndef TIDE_CONTACT_CONTACT_LAWS_H
#define TIDE_CONTACT_CONTACT_LAWS_H

#include "contact/friction.h"

#include <math.h>
#include <stdbool.h>

// Evaluates the laws of contact (contacts.h) for an inverse mass w: updates `accumulated` and sets `change` to its
// change. Without `release`, the normal impulse does not decrease.
static inline void tide_contact_solve(double accumulated[3], const double normal[3], double gap, const double slip[3],
                                      double w, const tide_friction *friction, bool release, double change[3])
{
    double along = accumulated[0] * normal[0] + accumulated[1] * normal[1] + accumulated[2] * normal[2];
    double slid = slip[0] * normal[0] + slip[1] * normal[1] + slip[2] * normal[2];
    double push = along - (w == 1 ? gap : gap / w), drag[3], square = 0;
    push = push > 0 ? push : 0;
    if (!release && push < along)
        push = along > 0 ? along : 0;
    for (int k = 0; k < 3; k++) {
        double off = slip[k] - slid * normal[k];
        drag[k] = accumulated[k] - along * normal[k] - (w == 1 ? off : off / w);
        square += drag[k] * drag[k];
    }
    double most = friction->along * push, scale = square > most * most ? most / sqrt(square) : 1;
    if (!tide_friction_is_round(friction)) {
        tide_friction_clip(friction, push, drag);
        scale = 1;
    }
    for (int k = 0; k < 3; k++) {
        double next = push * normal[k] + scale * drag[k];
        change[k] = next - accumulated[k];
        accumulated[k] = next;
    }
}
// Solves one contact for velocities, after positions. Where two sides that touch part at less than `keep` (m/s, of a
// bounce; else 0), an impulse for an inverse mass w makes them part at `keep`, with Coulomb friction. Sets `change` to
// the impulse. Second-order methods need it, because their velocities are not differences of positions. With `exact`,
// sides that part faster than `keep` are slowed down to it as well: positions that touch at the end have not parted.
void tide_contact_solve_velocity(const double normal[3], const double velocity[3], double keep, double w,
                                 const tide_friction *friction, bool exact, double change[3]);

#endif

// Solving one contact, once its gap and slip are known: by itself, or by collecting it for a solve of all contacts.
#include "contact/contacts_state.h"

#include <string.h>

// The bound on W of a compliant contact.
static double compliance_of(const tide_contacts *c, const tide_contact_constraint *t)
{
    double sum = 0;
    for (int i = 0; i < tide_contact_corners(t->kind); i++)
        sum += fabs(t->weights[i]) * tide_contact_compliance_bound(c, t->points[i]) / t->kept.share;
    return tide_contact_unit(c, t) * sum;
}

// The distance (m) that the radii of the sides keep between them.
static double thickness_of(const tide_contacts *c, const tide_contact_constraint *t)
{
    double radius = tide_pair_first_part(c->surface, t)->radius;
    return tide_contact_is_pair(t) ? radius + tide_pair_second_part(c->surface, t)->radius : radius;
}

static void collect(tide_contacts *c, const tide_contact_constraint *t, double gap, const double slip[3],
                    const tide_friction *friction, double w)
{
    tide_gradient_contact noted = { .gap = gap,
                                    .mass = tide_contact_unit(c, t),
                                    .w = w,
                                    .friction = *friction,
                                    .distance = thickness_of(c, t),
                                    .index = (uint32_t)(t - c->list.items) };
    memcpy(noted.slip, slip, sizeof noted.slip);
    memcpy(noted.normal, t->kept.normal, sizeof noted.normal);
    if (c->collector == TIDE_COLLECT_EXACT)
        tide_semismooth_note(c, &noted, t->points, t->weights, tide_contact_corners(t->kind));
    else if (t->kind != TIDE_PAIR_POINTS && !t->doubtful) // those are evaluated in each pass
        tide_projected_gradient_add(c, &noted, t->points, t->weights, tide_contact_corners(t->kind));
}

tide_contact_turn tide_contact_solve_one(tide_contacts *c, tide_contact_constraint *t, double gap, const double slip[3],
                                         const tide_friction *friction, bool compliant, bool release, double *w,
                                         double change[3])
{
    if (compliant && (tide_contacts_are_guessed(c) || tide_contact_activates(c, &t->kept)))
        return TIDE_CONTACT_WAITS;
    if (compliant)
        *w = compliance_of(c, t);
    if (compliant && c->collector == TIDE_COLLECT_EXACT) {
        collect(c, t, gap, slip, friction, *w);
        return TIDE_CONTACT_NOTED;
    }
    tide_contact_solve(t->kept.accumulated, t->kept.normal, gap, slip, *w, friction, release, change);
    if (compliant && c->inverse->measured)
        tide_contact_predict_decrease(c, &t->kept, tide_contact_unit(c, t) * *w, change);
    if (compliant && c->collector == TIDE_COLLECT_GRADIENT)
        collect(c, t, gap, slip, friction, *w);
    return TIDE_CONTACT_SOLVED;
}

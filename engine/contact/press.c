// Finds the two colliders that press a body between them.
#include "contact/contacts_state.h"

#include "base/memory.h"

#include <math.h>

#define LEAST 0.02 // least part of the moving points that each of the two touches

// The points that a collider pushes, and the sum of the contact normals.
typedef struct pushed {
    uint32_t count, point;
    double along[3];
} pushed;

static void add(pushed *p, uint32_t point, const double normal[3], double sign)
{
    p->count++;
    p->point = point;
    for (int k = 0; k < 3; k++)
        p->along[k] += sign * normal[k];
}

static void add_contact(const tide_contacts *c, const tide_contact_constraint *t, pushed *of)
{
    if (!tide_contact_is_pair(t)) {
        add(&of[t->collider], t->points[0], t->kept.normal, 1);
        return;
    }
    const tide_contact_part *a = tide_pair_first_part(c->surface, t), *b = tide_pair_second_part(c->surface, t);
    if (a->fixed)
        add(&of[a->collider], tide_pair_other(t->kind, t->points), t->kept.normal, -1);
    else if (b->fixed)
        add(&of[b->collider], t->points[0], t->kept.normal, 1);
}

static bool are_opposed(const pushed *a, const pushed *b)
{
    return a->along[0] * b->along[0] + a->along[1] * b->along[1] + a->along[2] * b->along[2] < 0;
}

bool tide_contacts_pressed(const tide_contacts *c, tide_pressed *pressed)
{
    *pressed = (tide_pressed) { .contacts = c->list.pair_count };
    if (c->collider_count < 2)
        return false;
    pushed *of = tide_allocate_zeroed(c->collider_count, sizeof *of);
    if (!of)
        return false;
    for (size_t i = 0; i < c->list.count; i++)
        if (!tide_contact_is_idle(&c->list.items[i].kept))
            add_contact(c, &c->list.items[i], of);
    uint32_t most = 0;
    for (uint32_t a = 0; a < c->collider_count; a++)
        for (uint32_t b = a + 1; b < c->collider_count && of[a].count > most; b++) {
            uint32_t both = of[a].count < of[b].count ? of[a].count : of[b].count;
            if (both <= most || !are_opposed(&of[a], &of[b]))
                continue;
            most = both;
            pressed->colliders[0] = a;
            pressed->colliders[1] = b;
            pressed->point = of[a].point;
        }
    tide_free(of);
    return most > LEAST * c->moving_count;
}

bool tide_contacts_are_crowded(const tide_contacts *c)
{
    return c->list.pair_count * 4 > tide_contact_features(c->surface);
}

tide_status tide_contacts_fail_work(const tide_contacts *c, tide_error *error)
{
    tide_pressed pressed;
    bool diverged = c->work.stretched && !c->statistics.was_crowded; // for another reason than a press
    if (c->work.stopped || diverged || !tide_contacts_pressed(c, &pressed))
        return tide_contact_work_fail(&c->work, error);
    return tide_fail(error, TIDE_ERROR_NUMERIC, "contact", TIDE_CONTACT_PRESS, NULL,
                     "colliders \"%.64s\" and \"%.64s\" press it together, and %.3g %s",
                     c->colliders[pressed.colliders[0]]->name, c->colliders[pressed.colliders[1]]->name,
                     c->work.crowded ? (double)c->work.most_pairs : (double)c->work.spent,
                     c->work.crowded ? "pairs of its vertices, edges and triangles are about to touch"
                                     : "operations do not keep its folds apart");
}

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

static void add_pair(const tide_contacts *c, const tide_pair_contact *t, pushed *of)
{
    const tide_contact_surface *s = c->surface;
    uint32_t other = t->points[t->kind == TIDE_PAIR_EDGES ? 2 : 1];
    const tide_contact_part *a = &s->parts[s->part_of[t->points[0]]], *b = &s->parts[s->part_of[other]];
    if (a->fixed)
        add(&of[a->collider], other, t->kept.normal, -1);
    else if (b->fixed)
        add(&of[b->collider], t->points[0], t->kept.normal, 1);
}

static bool are_opposed(const pushed *a, const pushed *b)
{
    return a->along[0] * b->along[0] + a->along[1] * b->along[1] + a->along[2] * b->along[2] < 0;
}

bool tide_contacts_pressed(const tide_contacts *c, tide_pressed *pressed)
{
    *pressed = (tide_pressed) { .contacts = c->pairs.count };
    if (c->collider_count < 2)
        return false;
    pushed *of = tide_allocate_zeroed(c->collider_count, sizeof *of);
    if (!of)
        return false;
    for (size_t i = 0; i < c->touching.count; i++)
        if (!tide_contact_is_idle(&c->touching.items[i].kept))
            add(&of[c->touching.items[i].collider], c->touching.items[i].point, c->touching.items[i].kept.normal, 1);
    for (size_t i = 0; i < c->pairs.count; i++)
        if (!tide_contact_is_idle(&c->pairs.items[i].kept))
            add_pair(c, &c->pairs.items[i], of);
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
    return c->pairs.count * 4 > tide_contact_features(c->surface);
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

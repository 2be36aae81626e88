// Finds which parts are near one another. A feature needs a search only if its box meets the box of such a part.
#include "collision/proximity_state.h"

#include "base/memory.h"

#include <math.h>

// Computes the box of a part from the boxes of its points that are used. The box of a part without any meets nothing.
// Returns 0, or NAN where a number is not finite.
static double box_part(tide_proximity *p, uint32_t part)
{
    double any = 0, *box = p->part_boxes + 6 * (size_t)part;
    for (int k = 0; k < 3; k++) {
        box[k] = INFINITY;
        box[3 + k] = -INFINITY;
    }
    for (uint32_t n = p->used_starts[part]; n < p->used_starts[part + 1]; n++) {
        const double *of = p->boxes + 6 * (size_t)p->used[n];
        for (int k = 0; k < 6; k++)
            any += 0 * of[k];
        tide_box_join(box, of);
    }
    return any;
}

// In an update, only the boxes of parts with changed points. If a number is not finite, all parts meet: the trees then
// report the error.
static void box_parts(tide_proximity *p)
{
    double any = 0;
    uint32_t parts = p->surface->part_count;
    for (uint32_t i = 0; i < parts; i++)
        if (!p->changed || p->parts_changed[i])
            any += box_part(p, i);
    for (size_t k = 0; k < 6 * (size_t)parts && any != 0; k++)
        p->part_boxes[k] = k % 6 < 3 ? -INFINITY : INFINITY;
}

static inline bool are_near(const tide_proximity *p, uint32_t i, uint32_t k)
{
    return tide_contact_may_touch(p->surface, i, k) &&
           tide_boxes_overlap(p->part_boxes + 6 * (size_t)i, p->part_boxes + 6 * (size_t)k);
}

// Tells whether the parts near this one are those listed.
static bool is_listed(const tide_proximity *p, uint32_t part)
{
    uint32_t n = p->near_starts[part], end = p->near_starts[part + 1];
    for (uint32_t k = 0; k < p->surface->part_count; k++) {
        bool listed = n < end && p->near_parts[n] == k;
        if (listed != are_near(p, part, k))
            return false;
        n += listed;
    }
    return true;
}

static bool are_listed(const tide_proximity *p)
{
    for (uint32_t i = 0; i < p->surface->part_count; i++)
        if (p->parts_changed[i] && !is_listed(p, i))
            return false;
    return true;
}

bool tide_proximity_find_parts(tide_proximity *p)
{
    uint32_t parts = p->surface->part_count;
    size_t count = 0;
    box_parts(p);
    if (p->changed && are_listed(p))
        return true;
    for (uint32_t i = 0; i < parts; i++) {
        p->near_starts[i] = (uint32_t)count;
        if (!tide_grow_owned(p, &p->near_parts, &p->near_capacity, count + parts, sizeof *p->near_parts))
            return false;
        for (uint32_t k = 0; k < parts; k++) {
            p->near_parts[count] = k;
            count += are_near(p, i, k);
        }
    }
    p->near_starts[parts] = (uint32_t)count;
    return true;
}

bool tide_proximity_meets_part(const tide_proximity *p, uint32_t part, const double *box)
{
    for (uint32_t n = p->near_starts[part]; n < p->near_starts[part + 1]; n++)
        if (tide_boxes_overlap(box, p->part_boxes + 6 * (size_t)p->near_parts[n]))
            return true;
    return false;
}

// Finds which parts are near one another. A feature needs a search only if its box meets the box of such a part.
#include "collision/proximity_state.h"

#include "base/memory.h"

#include <math.h>

// Computes the box of each part from the boxes of its points that are used. The box of a part without any meets
// nothing. If a number is not finite, all parts meet: the trees then report the error.
static void box_parts(tide_proximity *p)
{
    double any = 0;
    for (uint32_t i = 0; i < p->surface->part_count; i++)
        for (int k = 0; k < 3; k++) {
            p->part_boxes[6 * (size_t)i + (size_t)k] = INFINITY;
            p->part_boxes[6 * (size_t)i + 3 + (size_t)k] = -INFINITY;
        }
    for (uint32_t n = 0; n < p->used_count; n++) {
        uint32_t point = p->used[n];
        for (int k = 0; k < 6; k++)
            any += 0 * p->boxes[6 * (size_t)point + (size_t)k];
        tide_box_join(p->part_boxes + 6 * (size_t)p->surface->part_of[point], p->boxes + 6 * (size_t)point);
    }
    for (size_t k = 0; k < 6 * (size_t)p->surface->part_count && any != 0; k++)
        p->part_boxes[k] = k % 6 < 3 ? -INFINITY : INFINITY;
}

bool tide_proximity_find_parts(tide_proximity *p)
{
    const tide_contact_surface *s = p->surface;
    size_t count = 0;
    box_parts(p);
    for (uint32_t i = 0; i < s->part_count; i++) {
        const double *own = p->part_boxes + 6 * (size_t)i;
        p->near_starts[i] = (uint32_t)count;
        if (!tide_grow_owned(p, &p->near_parts, &p->near_capacity, count + s->part_count, sizeof *p->near_parts))
            return false;
        for (uint32_t k = 0; k < s->part_count; k++) {
            p->near_parts[count] = k;
            count += tide_contact_may_touch(s, i, k) && tide_boxes_overlap(own, p->part_boxes + 6 * (size_t)k);
        }
    }
    p->near_starts[s->part_count] = (uint32_t)count;
    return true;
}

bool tide_proximity_meets_part(const tide_proximity *p, uint32_t part, const double *box)
{
    for (uint32_t n = p->near_starts[part]; n < p->near_starts[part + 1]; n++)
        if (tide_boxes_overlap(box, p->part_boxes + 6 * (size_t)p->near_parts[n]))
            return true;
    return false;
}

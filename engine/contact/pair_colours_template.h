// The sweep of pair_colours.c over the blocks of one colour, for vectors `vec` of WIDTH contacts. Included once for
// each set of instructions; all give the same bits. TARGET, NAME, ROOT, and the functions `fetch` and `pairs_of` are
// defined before.
#ifndef TIDE_CONTACT_PAIR_COLOURS_TEMPLATE_H
#define TIDE_CONTACT_PAIR_COLOURS_TEMPLATE_H

#define VEC NAME(vec)
#define MASK NAME(mask)
#define OF(member) (*(VEC *)((member) + first)) // the lanes of a member from `first` on

TARGET INLINE VEC NAME(choose)(MASK where, VEC yes, VEC no)
{
    return (VEC)((where & (MASK)yes) | (~where & (MASK)no));
}

TARGET INLINE VEC NAME(dot)(const VEC a[3], const VEC b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Applies the laws of contact (tide_contact_solve) to WIDTH contacts, which are in the lanes from `first` on. Sets
// `change` to the change of their impulses.
TARGET INLINE void NAME(solve_lanes)(block *b, uint32_t first, const double *to, bool release, VEC change[3])
{
    const VEC none = { 0 }, one = none + 1.0;
    const VEC normal[3] = { OF(b->normal[0]), OF(b->normal[1]), OF(b->normal[2]) };
    const VEC before[3] = { OF(b->impulse[0]), OF(b->impulse[1]), OF(b->impulse[2]) };
    const VEC stiffness = OF(b->stiffness);
    VEC slip[3] = { none, none, none }, drag[3];
    for (int n = 0; n < 4; n++) {
        VEC place[3];
        NAME(fetch)(to, b->point[n] + first, place);
        for (int k = 0; k < 3; k++)
            slip[k] += OF(b->weight[n]) * place[k];
    }
    VEC gap = NAME(dot)(normal, slip) - OF(b->distance);
    for (int k = 0; k < 3; k++)
        slip[k] -= OF(b->base[k]);
    VEC along = NAME(dot)(before, normal), slid = NAME(dot)(slip, normal), push = along - gap * stiffness;
    push = NAME(choose)(push > none, push, none);
    if (!release)
        push = NAME(choose)(push < along, NAME(choose)(along > none, along, none), push);
    for (int k = 0; k < 3; k++)
        drag[k] = before[k] - along * normal[k] - (slip[k] - slid * normal[k]) * stiffness;
    VEC square = NAME(dot)(drag, drag), most = OF(b->friction) * push;
    MASK slides = square > most * most;
    VEC scale = NAME(choose)(slides, most / ROOT(NAME(choose)(slides, square, one)), one);
    for (int k = 0; k < 3; k++) {
        VEC next = push * normal[k] + scale * drag[k];
        change[k] = next - before[k];
        OF(b->impulse[k]) = next;
    }
    VEC depth = OF(b->depth);
    OF(b->depth) = NAME(choose)(-gap > depth, -gap, depth);
}

TARGET INLINE VEC NAME(larger_size)(VEC a, VEC b)
{
    VEC size = NAME(choose)(b < 0.0, -b, b);
    return NAME(choose)(size > a, size, a);
}

// Moves the points of these contacts. Returns, for each lane, the largest change of a coordinate.
TARGET INLINE VEC NAME(move_lanes)(const block *b, uint32_t first, const VEC change[3], double *to)
{
    const VEC none = { 0 };
    VEC size = none, most = none;
    for (int k = 0; k < 3; k++)
        size = NAME(larger_size)(size, change[k]);
    for (int n = 0; n < 4; n++)
        most = NAME(larger_size)(most, OF(b->factor[n]));
    two xy[WIDTH];
    NAME(pairs_of)(change[0], change[1], xy);
    for (uint32_t lane = 0; lane < WIDTH; lane++) {
        if (!(size[lane] > 0))
            continue;
        for (int n = 0; n < 4; n++) {
            double factor = b->factor[n][first + lane], *at = to + 3 * (size_t)b->point[n][first + lane];
            if (factor == 0)
                continue;
            *(tide_double2 *)at += factor * xy[lane];
            at[2] += factor * change[2][lane];
        }
    }
    return most * size;
}

TARGET static double NAME(sweep_blocks)(void *context, uint32_t begin, uint32_t end)
{
    const sweep *s = context;
    VEC most = { 0 };
    for (uint32_t i = begin; i < end; i++)
        for (uint32_t first = 0; first < LANES; first += WIDTH) {
            VEC change[3];
            NAME(solve_lanes)(s->at + i, first, s->c->to, s->release, change);
            VEC moved = NAME(move_lanes)(s->at + i, first, change, s->c->to);
            most = NAME(choose)(moved > most, moved, most);
        }
    double largest = 0;
    for (uint32_t lane = 0; lane < WIDTH; lane++)
        largest = fmax(largest, most[lane]);
    return largest;
}

#undef TARGET
#undef NAME
#undef ROOT
#undef WIDTH
#undef VEC
#undef MASK
#undef OF
#undef TIDE_CONTACT_PAIR_COLOURS_TEMPLATE_H

#endif

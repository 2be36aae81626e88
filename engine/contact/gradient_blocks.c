#include "contact/gradient_blocks.h"

#include "base/processor.h"

#define ROUNDING 3e-7f // relative: a smaller change of an impulse is none

// Vectors of 256 bits are passed to functions that are always inlined alone.
#pragma GCC diagnostic ignored "-Wpsabi"

enum { LANES = TIDE_GRADIENT_LANES };
typedef tide_gradient_vector four;
typedef tide_gradient_lanes eight;
typedef tide_gradient_block block;
typedef tide_gradient_row bearer_row;
typedef int32_t four_masks __attribute__((vector_size(16)));
typedef int32_t eight_masks __attribute__((vector_size(32)));

// The functions of a kernel are compiled for vectors of each width, with the same results.
#define KERNEL static inline __attribute__((always_inline))

KERNEL eight dot(const eight a[3], const eight b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

KERNEL eight choose(eight_masks mask, eight yes, eight no)
{
    return (eight)((mask & (eight_masks)yes) | (~mask & (eight_masks)no));
}

KERNEL eight root(eight a)
{
    for (int lane = 0; lane < LANES; lane++)
        a[lane] = __builtin_sqrtf(a[lane]);
    return a;
}

// Turns four vectors of x, y, z of a lane each into x, y, and z of these lanes.
KERNEL void turn(const four from[4], four to[3])
{
    four low = __builtin_shuffle(from[0], from[1], (four_masks) { 0, 4, 1, 5 }),
         next = __builtin_shuffle(from[2], from[3], (four_masks) { 0, 4, 1, 5 }),
         high = __builtin_shuffle(from[0], from[1], (four_masks) { 2, 6, 3, 7 }),
         last = __builtin_shuffle(from[2], from[3], (four_masks) { 2, 6, 3, 7 });
    to[0] = __builtin_shuffle(low, next, (four_masks) { 0, 1, 4, 5 });
    to[1] = __builtin_shuffle(low, next, (four_masks) { 2, 3, 6, 7 });
    to[2] = __builtin_shuffle(high, last, (four_masks) { 0, 1, 4, 5 });
}

KERNEL void find_moved(const tide_gradient_pass *p, const block *b, eight moved[3])
{
    moved[0] = moved[1] = moved[2] = (eight) { 0 };
    for (const bearer_row *row = p->rows + b->first, *end = row + b->bearers; row < end; row++) {
        four places[LANES], low[3], high[3];
        for (int lane = 0; lane < LANES; lane++)
            places[lane] = p->moved[row->slot[lane]];
        turn(places, low);
        turn(places + 4, high);
        for (int k = 0; k < 3; k++)
            moved[k] += row->weight * __builtin_shufflevector(low[k], high[k], 0, 1, 2, 3, 4, 5, 6, 7);
    }
}

// Replaces the friction of the lanes where it is not round.
static void clip(const tide_gradient_pass *p, const block *b, uint32_t first, const eight *push, const eight drag[3],
                 eight clipped[3])
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        if (b->friction[lane] < 0 && (*push)[lane] > 0) {
            double by[3] = { (double)drag[0][lane], (double)drag[1][lane], (double)drag[2][lane] };
            tide_friction_clip(&p->frictions[first + lane], (double)(*push)[lane], by);
            for (int k = 0; k < 3; k++)
                clipped[k][lane] = (float)by[k];
        }
}

// Evaluates the laws of contact (contacts.h) at the present displacements.
KERNEL void solve_block(const tide_gradient_pass *p, block *b, uint32_t first, eight impulse[3])
{
    eight moved[3], slip[3], drag[3], clipped[3];
    find_moved(p, b, moved);
    eight gap = b->gap + dot(moved, b->normal), along = dot(b->ahead, b->normal), push = along - b->stiffness * gap;
    for (int k = 0; k < 3; k++)
        slip[k] = b->slip[k] + moved[k];
    eight slip_along = dot(slip, b->normal);
    for (int k = 0; k < 3; k++) {
        drag[k] = b->ahead[k] - along * b->normal[k];
        drag[k] -= b->stiffness * (slip[k] - slip_along * b->normal[k]);
    }
    eight most = b->friction * push, square = dot(drag, drag), one = (eight) { 0 } + 1;
    eight_masks slides = square > most * most, touches = push > 0;
    eight part = choose(slides, most / root(choose(slides, square, one)), one);
    for (int k = 0; k < 3; k++)
        clipped[k] = part * drag[k];
    if (b->directed)
        clip(p, b, first, &push, drag, clipped);
    for (int k = 0; k < 3; k++)
        impulse[k] = choose(touches, push * b->normal[k] + clipped[k], (eight) { 0 });
    b->deepest = -gap;
}

KERNEL four half_of(eight a, int half)
{
    return half ? __builtin_shufflevector(a, a, 4, 5, 6, 7) : __builtin_shufflevector(a, a, 0, 1, 2, 3);
}

// Stores the vectors x, y, z of each lane.
KERNEL void put_changes(const eight change[3], four to[LANES])
{
    const four zero = { 0 };
    for (int half = 0; half < 2; half++, to += 4) {
        four x = half_of(change[0], half), y = half_of(change[1], half), z = half_of(change[2], half);
        four low = __builtin_shuffle(x, y, (four_masks) { 0, 4, 1, 5 }),
             high = __builtin_shuffle(x, y, (four_masks) { 2, 6, 3, 7 }),
             next = __builtin_shuffle(z, zero, (four_masks) { 0, 4, 1, 5 }),
             last = __builtin_shuffle(z, zero, (four_masks) { 2, 6, 3, 7 });
        to[0] = __builtin_shuffle(low, next, (four_masks) { 0, 1, 4, 5 });
        to[1] = __builtin_shuffle(low, next, (four_masks) { 2, 3, 6, 7 });
        to[2] = __builtin_shuffle(high, last, (four_masks) { 0, 1, 4, 5 });
        to[3] = __builtin_shuffle(high, last, (four_masks) { 2, 3, 6, 7 });
    }
}

// Updates the impulses of some blocks and extrapolates each by `part` of its change.
KERNEL void update(const tide_gradient_pass *p, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end; i++) {
        block *b = &p->blocks[i];
        eight impulse[3], change[3], onward[3], off[3];
        solve_block(p, b, LANES * i, impulse);
        for (int k = 0; k < 3; k++)
            change[k] = impulse[k] - b->ahead[k];
        eight_masks none = dot(change, change) <= ROUNDING * ROUNDING * dot(b->ahead, b->ahead);
        for (int k = 0; k < 3; k++) {
            impulse[k] = choose(none, b->ahead[k], impulse[k]);
            off[k] = b->ahead[k] - impulse[k];
            onward[k] = impulse[k] - b->impulse[k];
        }
        b->against = dot(off, onward) / b->stiffness;
        // a contact that has become idle stays so
        eight_masks pushes = (impulse[0] != 0) | (impulse[1] != 0) | (impulse[2] != 0);
        for (int k = 0; k < 3; k++) {
            b->before[k] = b->impulse[k];
            b->impulse[k] = impulse[k];
            eight ahead = choose(pushes, impulse[k] + p->part * onward[k], impulse[k]);
            change[k] = ahead - b->ahead[k];
            b->ahead[k] = ahead;
        }
        put_changes(change, p->changes + LANES * (size_t)i);
    }
}

static void update_blocks(void *context, uint32_t begin, uint32_t end)
{
    update(context, begin, end);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void update_blocks_256(void *context, uint32_t begin, uint32_t end)
{
    update(context, begin, end);
}
#else
#define update_blocks_256 update_blocks
#endif

tide_gradient_update *tide_gradient_update_choose(void)
{
    return tide_vector_bits(0) >= 256 ? update_blocks_256 : update_blocks;
}

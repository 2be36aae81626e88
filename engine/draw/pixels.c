#include "draw/pixels.h"

#include "base/processor.h"

#include <string.h>

enum { BLOCK = 16, BYTES = 4 * BLOCK }; // pixels per block

#define INLINE static inline __attribute__((always_inline))

// Returns sum / 255, rounded, for a sum of up to 255 * 255
INLINE unsigned over_255(unsigned sum)
{
    sum += 128;
    return (sum + (sum >> 8)) >> 8;
}

// For each byte: the factor that keeps it, in 255ths, and what the colour adds
typedef struct tint_of {
    uint16_t keep[BYTES], add[BYTES];
} tint_of;

INLINE void tint_block(uint8_t *p, const tint_of *w)
{
    for (int i = 0; i < BYTES; i++) {
        uint16_t sum = (uint16_t)(p[i] * w->keep[i] + w->add[i]);
        p[i] = (uint8_t)((uint16_t)(sum + (sum >> 8)) >> 8);
    }
}

INLINE void tint(const tide_pixel_block *block, const uint8_t colour[4])
{
    tint_of w;
    uint64_t keep[BLOCK], add[BLOCK], one_keep, one_add;
    uint16_t stays = (uint16_t)(255 - colour[3]), words[2][4] = { { stays, stays, stays, 255 }, { 0, 0, 0, 128 } };
    for (int i = 0; i < 3; i++)
        words[1][i] = (uint16_t)(colour[i] * colour[3] + 128);
    memcpy(&one_keep, words[0], sizeof one_keep);
    memcpy(&one_add, words[1], sizeof one_add);
    for (int i = 0; i < BLOCK; i++) {
        keep[i] = one_keep;
        add[i] = one_add;
    }
    memcpy(w.keep, keep, sizeof keep);
    memcpy(w.add, add, sizeof add);
    for (uint32_t y = 0; y < block->height; y++) {
        uint8_t *row = block->pixels + block->stride * y;
        uint32_t x = 0;
        for (; x + BLOCK <= block->width; x += BLOCK)
            tint_block(row + 4 * (size_t)x, &w);
        if (x < block->width) {
            uint8_t rest[BYTES] = { 0 };
            size_t size = 4 * (size_t)(block->width - x);
            memcpy(rest, row + 4 * (size_t)x, size);
            tint_block(rest, &w);
            memcpy(row + 4 * (size_t)x, rest, size);
        }
    }
}

INLINE void stamp_block(uint8_t *p, const uint8_t ink[BYTES], unsigned alpha, const uint8_t *cover)
{
    uint32_t wide[BLOCK];
    uint8_t share[BYTES];
    for (int k = 0; k < BLOCK; k++)
        wide[k] = over_255(alpha * cover[k]) * 0x01010101u;
    memcpy(share, wide, sizeof share);
    for (int i = 0; i < BYTES; i++) {
        uint16_t sum = (uint16_t)(ink[i] * share[i] + p[i] * (uint16_t)(255 - share[i]) + 128);
        uint8_t mixed = (uint8_t)((uint16_t)(sum + (sum >> 8)) >> 8);
        p[i] = i % 4 < 3 ? mixed : p[i];
    }
}

INLINE void stamp(const tide_pixel_block *block, const uint8_t colour[4], const uint8_t *cover, size_t cover_stride)
{
    uint32_t one, all[BLOCK];
    uint8_t ink[BYTES];
    memcpy(&one, colour, sizeof one);
    for (int i = 0; i < BLOCK; i++)
        all[i] = one;
    memcpy(ink, all, sizeof ink);
    for (uint32_t y = 0; y < block->height; y++) {
        uint8_t *row = block->pixels + block->stride * y;
        const uint8_t *from = cover + cover_stride * y;
        uint32_t x = 0;
        for (; x + BLOCK <= block->width; x += BLOCK)
            stamp_block(row + 4 * (size_t)x, ink, colour[3], from + x);
        if (x < block->width) {
            uint8_t rest[BYTES] = { 0 }, rest_cover[BLOCK] = { 0 };
            size_t size = block->width - x;
            memcpy(rest, row + 4 * (size_t)x, 4 * size);
            memcpy(rest_cover, from + x, size);
            stamp_block(rest, ink, colour[3], rest_cover);
            memcpy(row + 4 * (size_t)x, rest, 4 * size);
        }
    }
}

// --- the widths ------------------------------------------------------------------------------------------------------

typedef struct loops {
    void (*tint)(const tide_pixel_block *block, const uint8_t colour[4]);
    void (*stamp)(const tide_pixel_block *block, const uint8_t colour[4], const uint8_t *cover, size_t cover_stride);
} loops;

// The same code for each width: the compiler vectorises it.
#define LOOPS(bits, target)                                                                                            \
    target static void tint_##bits(const tide_pixel_block *block, const uint8_t colour[4])                             \
    {                                                                                                                  \
        tint(block, colour);                                                                                           \
    }                                                                                                                  \
    target static void stamp_##bits(const tide_pixel_block *block, const uint8_t colour[4], const uint8_t *cover,      \
                                    size_t cover_stride)                                                               \
    {                                                                                                                  \
        stamp(block, colour, cover, cover_stride);                                                                     \
    }                                                                                                                  \
    static const loops loops_##bits = { tint_##bits, stamp_##bits };

LOOPS(128, )
#if defined(__x86_64__)
LOOPS(256, __attribute__((target("avx2"))))
LOOPS(512, __attribute__((target("avx512f,avx512bw,avx512vl,avx2,prefer-vector-width=512"))))
#endif

static int limit;

static const loops *choose(void)
{
    int bits = tide_vector_bits(limit);
#if defined(__x86_64__)
    if (bits == 512)
        return &loops_512;
    if (bits == 256)
        return &loops_256;
#else
    (void)bits;
#endif
    return &loops_128;
}

void tide_pixels_limit(int bits)
{
    limit = bits;
}

void tide_pixels_tint(const tide_pixel_block *block, const uint8_t colour[4])
{
    choose()->tint(block, colour);
}

void tide_pixels_stamp(const tide_pixel_block *block, const uint8_t colour[4], const uint8_t *cover,
                       size_t cover_stride)
{
    choose()->stamp(block, colour, cover, cover_stride);
}

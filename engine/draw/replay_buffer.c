#include "draw/replay_buffer.h"

#include "base/memory.h"

#include <string.h>

// A picture is stored row by row in blocks of 16 pixels. Each block has a code byte; the data of the blocks follow all
// codes: red, green and blue differences to the pixels above, modulo 256, with as few bits as they need.
enum { BLOCK = 16, BLOCK_BYTES = 4 * BLOCK, MOST = 3 * BLOCK };
typedef enum code { CODE_BEFORE, CODE_ABOVE, CODE_2, CODE_4, CODE_8 } code; // as the picture before; as above; bits

// A picture depends on the previous ones of its group, so that the oldest group can be dropped.
enum { GROUP = 30 };

typedef struct frame {
    uint8_t *bytes;
    size_t size;
    double time;
    uint32_t width, height;
    bool first; // of a group
} frame;

struct tide_replay_buffer {
    double seconds;
    size_t limit, bytes; // `bytes`: of all frames
    frame *frames;       // (capacity) ring buffer; the oldest is at `start`
    size_t capacity, start, count;
    uint32_t since_first; // pictures in the newest group
    tide_image before;    // the newest while adding; the one before the oldest while taking
    uint8_t *packed;      // the picture that is being packed
    size_t packed_capacity;
};

// --- a block ---------------------------------------------------------------------------------------------------------

static uint64_t load(const uint8_t *bytes)
{
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static bool is_same(const uint8_t *a, const uint8_t *b)
{
    uint64_t differ = 0;
    for (int i = 0; i < BLOCK_BYTES; i += 8)
        differ |= load(a + i) ^ load(b + i);
    return differ == 0;
}

// Returns whether all differences, after adding `offset`, have no bits in `beyond`.
static bool fits(const uint8_t *difference, uint8_t offset, uint8_t beyond)
{
    uint8_t shifted[BLOCK_BYTES];
    uint64_t found = 0;
    for (int i = 0; i < BLOCK_BYTES; i++)
        shifted[i] = (uint8_t)((uint8_t)(difference[i] + offset) & beyond);
    for (int i = 0; i < BLOCK_BYTES; i += 8)
        found |= load(shifted + i);
    return found == 0;
}

// Packs four pixels at a time.
static uint8_t *pack(uint8_t *to, const uint8_t *difference, int bits, uint8_t offset)
{
    for (int pixel = 0; pixel < BLOCK; pixel += 4) {
        uint64_t word = 0;
        for (int i = 3; i >= 0; i--)
            for (int c = 2; c >= 0; c--)
                word = word << bits | (uint8_t)(difference[4 * (pixel + i) + c] + offset);
        memcpy(to, &word, 8);
        to += 12 * bits / 8;
    }
    return to;
}

static const uint8_t *unpack(const uint8_t *from, uint8_t *difference, int bits, uint8_t offset)
{
    uint64_t mask = (1u << bits) - 1;
    for (int pixel = 0; pixel < BLOCK; pixel += 4) {
        uint64_t word = 0;
        memcpy(&word, from, 12 * (size_t)bits / 8);
        for (int i = 0; i < 4; i++)
            for (int c = 0; c < 3; c++) {
                difference[4 * (pixel + i) + c] = (uint8_t)((word & mask) - offset);
                word >>= bits;
            }
        from += 12 * bits / 8;
    }
    return from;
}

static code pack_block(const uint8_t *pixels, const uint8_t *above, const uint8_t *before, uint8_t **to)
{
    uint8_t difference[BLOCK_BYTES];
    if (before && is_same(pixels, before))
        return CODE_BEFORE;
    for (int i = 0; i < BLOCK_BYTES; i++)
        difference[i] = (uint8_t)(pixels[i] - above[i]);
    if (fits(difference, 0, 0xff))
        return CODE_ABOVE;
    if (fits(difference, 2, 0xfc)) {
        *to = pack(*to, difference, 2, 2);
        return CODE_2;
    }
    if (fits(difference, 8, 0xf0)) {
        *to = pack(*to, difference, 4, 8);
        return CODE_4;
    }
    for (int i = 0; i < BLOCK; i++)
        memcpy(*to + 3 * i, difference + 4 * i, 3);
    *to += MOST;
    return CODE_8;
}

static const uint8_t *unpack_block(code code, const uint8_t *from, const uint8_t *above, uint8_t *pixels)
{
    uint8_t difference[BLOCK_BYTES] = { 0 };
    if (code == CODE_BEFORE)
        return from;
    if (code == CODE_2)
        from = unpack(from, difference, 2, 2);
    else if (code == CODE_4)
        from = unpack(from, difference, 4, 8);
    else if (code == CODE_8) {
        for (int i = 0; i < BLOCK; i++)
            memcpy(difference + 4 * i, from + 3 * i, 3);
        from += MOST;
    }
    for (int i = 0; i < BLOCK_BYTES; i++)
        pixels[i] = (uint8_t)(above[i] + difference[i]);
    return from;
}

// --- a picture -------------------------------------------------------------------------------------------------------

#define BLACK 0, 0, 0, 255
#define FOUR_BLACK BLACK, BLACK, BLACK, BLACK
static const uint8_t opaque_black[BLOCK_BYTES] = { FOUR_BLACK, FOUR_BLACK, FOUR_BLACK, FOUR_BLACK };

static uint32_t blocks_of(uint32_t width)
{
    return (width + BLOCK - 1) / BLOCK;
}

// The position of a block in a picture, and its bytes: fewer at the right end of a row.
typedef struct place {
    size_t at, bytes;
} place;

static place place_of(const tide_image *image, uint32_t row, uint32_t block)
{
    uint32_t left = block * BLOCK, width = image->width - left < BLOCK ? image->width - left : BLOCK;
    return (place) { 4 * ((size_t)image->width * row + left), 4 * (size_t)width };
}

// Returns the block's pixels, or a copy padded with black if it is incomplete.
static const uint8_t *whole(const uint8_t *pixels, size_t bytes, uint8_t copy[BLOCK_BYTES])
{
    if (bytes == BLOCK_BYTES)
        return pixels;
    memcpy(copy, opaque_black, BLOCK_BYTES);
    memcpy(copy, pixels, bytes);
    return copy;
}

// Packs `image` and copies it to `before`. `first`: without using the previous picture. Returns the end of the bytes.
static uint8_t *pack_picture(const tide_image *image, tide_image *before, bool first, uint8_t *packed)
{
    uint32_t blocks = blocks_of(image->width);
    uint8_t *codes = packed, *to = packed + (size_t)blocks * image->height;
    uint8_t now[BLOCK_BYTES], over[BLOCK_BYTES], past[BLOCK_BYTES];
    for (uint32_t row = 0; row < image->height; row++)
        for (uint32_t block = 0; block < blocks; block++) {
            place place = place_of(image, row, block);
            const uint8_t *pixels = image->pixels + place.at;
            const uint8_t *above = row ? pixels - 4 * (size_t)image->width : opaque_black;
            code code = pack_block(whole(pixels, place.bytes, now), row ? whole(above, place.bytes, over) : above,
                                   first ? NULL : whole(before->pixels + place.at, place.bytes, past), &to);
            if (code != CODE_BEFORE)
                memcpy(before->pixels + place.at, pixels, place.bytes);
            *codes++ = (uint8_t)code;
        }
    return to;
}

static void unpack_picture(const uint8_t *packed, tide_image *image)
{
    uint32_t blocks = blocks_of(image->width);
    const uint8_t *codes = packed, *from = packed + (size_t)blocks * image->height;
    uint8_t over[BLOCK_BYTES], pixels[BLOCK_BYTES];
    for (uint32_t row = 0; row < image->height; row++)
        for (uint32_t block = 0; block < blocks; block++) {
            place place = place_of(image, row, block);
            uint8_t *to = image->pixels + place.at;
            const uint8_t *above = row ? whole(to - 4 * (size_t)image->width, place.bytes, over) : opaque_black;
            code code = (enum code) * codes++;
            if (code == CODE_BEFORE)
                continue;
            from = unpack_block(code, from, above, pixels);
            memcpy(to, pixels, place.bytes);
        }
}

// --- the reel --------------------------------------------------------------------------------------------------------

tide_status tide_replay_buffer_create(double seconds, size_t limit, tide_replay_buffer **reel, tide_error *error)
{
    if (!(seconds >= 0))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "reel", "seconds", NULL, "expected 0 or more");
    *reel = tide_allocate_zeroed(1, sizeof **reel);
    if (!*reel)
        return tide_fail_memory(error, "reel");
    (*reel)->seconds = seconds;
    (*reel)->limit = limit;
    return TIDE_OK;
}

static frame *frame_at(const tide_replay_buffer *reel, size_t index)
{
    return &reel->frames[(reel->start + index) % reel->capacity];
}

static void drop_oldest(tide_replay_buffer *reel)
{
    frame *oldest = frame_at(reel, 0);
    reel->bytes -= oldest->size;
    tide_free(oldest->bytes);
    reel->start = (reel->start + 1) % reel->capacity;
    reel->count--;
}

static void drop_oldest_group(tide_replay_buffer *reel)
{
    do
        drop_oldest(reel);
    while (reel->count && !frame_at(reel, 0)->first);
}

void tide_replay_buffer_destroy(tide_replay_buffer *reel)
{
    if (!reel)
        return;
    while (reel->count)
        drop_oldest(reel);
    tide_free(reel->frames);
    tide_free(reel->packed);
    tide_image_free(&reel->before);
    tide_free(reel);
}

tide_replay_buffer_facts tide_replay_buffer_get_facts(const tide_replay_buffer *reel)
{
    return (tide_replay_buffer_facts) {
        .count = reel->count,
        .first = reel->count ? frame_at(reel, 0)->time : 0,
        .last = reel->count ? frame_at(reel, reel->count - 1)->time : 0,
        .bytes = reel->bytes + reel->before.capacity + reel->packed_capacity + reel->capacity * sizeof *reel->frames,
        .limit = reel->limit,
    };
}

// Returns the first picture of the second oldest group, or the count.
static size_t next_group(const tide_replay_buffer *reel)
{
    size_t i = 1;
    while (i < reel->count && !frame_at(reel, i)->first)
        i++;
    return i;
}

static void keep_within(tide_replay_buffer *reel)
{
    while (reel->count) {
        size_t next = next_group(reel);
        tide_replay_buffer_facts facts = tide_replay_buffer_get_facts(reel);
        bool old = next < reel->count && facts.last - frame_at(reel, next)->time >= reel->seconds;
        if (facts.bytes <= reel->limit && !old)
            return;
        drop_oldest_group(reel);
    }
}

void tide_replay_buffer_set_limit(tide_replay_buffer *reel, size_t limit)
{
    reel->limit = limit;
    keep_within(reel);
}

static bool grow(tide_replay_buffer *reel)
{
    if (reel->count < reel->capacity)
        return true;
    size_t capacity = reel->capacity ? 2 * reel->capacity : 64;
    frame *frames = tide_allocate_zeroed(capacity, sizeof *frames);
    if (!frames)
        return false;
    for (size_t i = 0; i < reel->count; i++)
        frames[i] = *frame_at(reel, i);
    tide_free(reel->frames);
    reel->frames = frames;
    reel->capacity = capacity;
    reel->start = 0;
    return true;
}

tide_status tide_replay_buffer_add(tide_replay_buffer *reel, const tide_image *image, double time, tide_error *error)
{
    size_t blocks = (size_t)blocks_of(image->width) * image->height, most = blocks * (1 + MOST) + 8;
    if (!image->width || !image->height || !image->pixels)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "reel", "picture", NULL, "the picture is empty");
    bool first = !reel->count || reel->since_first >= GROUP || image->width != reel->before.width ||
                 image->height != reel->before.height;
    tide_status status = tide_image_resize(&reel->before, image->width, image->height, error);
    if (status != TIDE_OK)
        return status;
    if (!grow(reel) || !tide_grow(&reel->packed, &reel->packed_capacity, most, 1))
        return tide_fail_memory(error, "reel");
    size_t size = (size_t)(pack_picture(image, &reel->before, first, reel->packed) - reel->packed);
    uint8_t *bytes = tide_copy_bytes(reel->packed, size);
    reel->since_first = first ? 1 : reel->since_first + 1;
    if (!bytes) { // later pictures cannot build on it
        reel->since_first = GROUP;
        return tide_fail_memory(error, "reel");
    }
    *frame_at(reel, reel->count++) = (frame) { bytes, size, time, image->width, image->height, first };
    reel->bytes += size;
    keep_within(reel);
    return TIDE_OK;
}

tide_status tide_replay_buffer_take(tide_replay_buffer *reel, const tide_image **image, double *time, tide_error *error)
{
    *image = NULL;
    reel->since_first = GROUP;
    if (!reel->count)
        return TIDE_OK;
    const frame *oldest = frame_at(reel, 0);
    tide_status status = tide_image_resize(&reel->before, oldest->width, oldest->height, error);
    if (status != TIDE_OK)
        return status;
    unpack_picture(oldest->bytes, &reel->before);
    *time = oldest->time;
    drop_oldest(reel);
    *image = &reel->before;
    return TIDE_OK;
}

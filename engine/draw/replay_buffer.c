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

// --- the replay buffer -----------------------------------------------------------------------------------------------

tide_status tide_replay_buffer_create(double seconds, size_t limit, tide_replay_buffer **buffer, tide_error *error)
{
    if (!(seconds >= 0))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "replay buffer", "seconds", NULL, "expected 0 or more");
    *buffer = tide_allocate_zeroed(1, sizeof **buffer);
    if (!*buffer)
        return tide_fail_memory(error, "replay buffer");
    (*buffer)->seconds = seconds;
    (*buffer)->limit = limit;
    return TIDE_OK;
}

static frame *frame_at(const tide_replay_buffer *buffer, size_t index)
{
    return &buffer->frames[(buffer->start + index) % buffer->capacity];
}

static void drop_oldest(tide_replay_buffer *buffer)
{
    frame *oldest = frame_at(buffer, 0);
    buffer->bytes -= oldest->size;
    tide_free(oldest->bytes);
    buffer->start = (buffer->start + 1) % buffer->capacity;
    buffer->count--;
}

static void drop_oldest_group(tide_replay_buffer *buffer)
{
    do
        drop_oldest(buffer);
    while (buffer->count && !frame_at(buffer, 0)->first);
}

void tide_replay_buffer_destroy(tide_replay_buffer *buffer)
{
    if (!buffer)
        return;
    while (buffer->count)
        drop_oldest(buffer);
    tide_free(buffer->frames);
    tide_free(buffer->packed);
    tide_image_free(&buffer->before);
    tide_free(buffer);
}

tide_replay_buffer_facts tide_replay_buffer_get_facts(const tide_replay_buffer *buffer)
{
    return (tide_replay_buffer_facts) {
        .count = buffer->count,
        .first = buffer->count ? frame_at(buffer, 0)->time : 0,
        .last = buffer->count ? frame_at(buffer, buffer->count - 1)->time : 0,
        .bytes = buffer->bytes + buffer->before.capacity + buffer->packed_capacity +
                 buffer->capacity * sizeof *buffer->frames,
        .limit = buffer->limit,
    };
}

// Returns the first picture of the second oldest group, or the count.
static size_t next_group(const tide_replay_buffer *buffer)
{
    size_t i = 1;
    while (i < buffer->count && !frame_at(buffer, i)->first)
        i++;
    return i;
}

static void keep_within(tide_replay_buffer *buffer)
{
    while (buffer->count) {
        size_t next = next_group(buffer);
        tide_replay_buffer_facts facts = tide_replay_buffer_get_facts(buffer);
        bool old = next < buffer->count && facts.last - frame_at(buffer, next)->time >= buffer->seconds;
        if (facts.bytes <= buffer->limit && !old)
            return;
        drop_oldest_group(buffer);
    }
}

void tide_replay_buffer_set_limit(tide_replay_buffer *buffer, size_t limit)
{
    buffer->limit = limit;
    keep_within(buffer);
}

static bool grow(tide_replay_buffer *buffer)
{
    if (buffer->count < buffer->capacity)
        return true;
    size_t capacity = buffer->capacity ? 2 * buffer->capacity : 64;
    frame *frames = tide_allocate_zeroed(capacity, sizeof *frames);
    if (!frames)
        return false;
    for (size_t i = 0; i < buffer->count; i++)
        frames[i] = *frame_at(buffer, i);
    tide_free(buffer->frames);
    buffer->frames = frames;
    buffer->capacity = capacity;
    buffer->start = 0;
    return true;
}

tide_status tide_replay_buffer_add(tide_replay_buffer *buffer, const tide_image *image, double time, tide_error *error)
{
    size_t blocks = (size_t)blocks_of(image->width) * image->height, most = blocks * (1 + MOST) + 8;
    if (!image->width || !image->height || !image->pixels)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "replay buffer", "picture", NULL, "the picture is empty");
    bool first = !buffer->count || buffer->since_first >= GROUP || image->width != buffer->before.width ||
                 image->height != buffer->before.height;
    TIDE_TRY(tide_image_resize(&buffer->before, image->width, image->height, error));
    if (!grow(buffer) || !tide_grow(&buffer->packed, &buffer->packed_capacity, most, 1))
        return tide_fail_memory(error, "replay buffer");
    size_t size = (size_t)(pack_picture(image, &buffer->before, first, buffer->packed) - buffer->packed);
    uint8_t *bytes = tide_copy_bytes(buffer->packed, size);
    buffer->since_first = first ? 1 : buffer->since_first + 1;
    if (!bytes) { // later pictures cannot build on it
        buffer->since_first = GROUP;
        return tide_fail_memory(error, "replay buffer");
    }
    *frame_at(buffer, buffer->count++) = (frame) { bytes, size, time, image->width, image->height, first };
    buffer->bytes += size;
    keep_within(buffer);
    return TIDE_OK;
}

tide_status tide_replay_buffer_take(tide_replay_buffer *buffer, const tide_image **image, double *time,
                                    tide_error *error)
{
    *image = NULL;
    buffer->since_first = GROUP;
    if (!buffer->count)
        return TIDE_OK;
    const frame *oldest = frame_at(buffer, 0);
    TIDE_TRY(tide_image_resize(&buffer->before, oldest->width, oldest->height, error));
    unpack_picture(oldest->bytes, &buffer->before);
    *time = oldest->time;
    drop_oldest(buffer);
    *image = &buffer->before;
    return TIDE_OK;
}

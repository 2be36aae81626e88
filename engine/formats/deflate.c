#include "formats/deflate.h"

#include "base/memory.h"

#include <zlib.h>

enum { PIECE = 1 << 15 }; // bytes

static void *allocate(void *unused, unsigned count, unsigned size)
{
    (void)unused;
    return tide_allocate_array(count, size);
}

static void release(void *unused, void *block)
{
    (void)unused;
    tide_free(block);
}

static z_stream open_stream(const void *bytes, size_t size)
{
    return (z_stream) { .zalloc = allocate, .zfree = release, .next_in = (Bytef *)bytes, .avail_in = (uInt)size };
}

tide_status tide_deflate(const void *bytes, size_t size, tide_text *out, tide_error *error)
{
    z_stream stream = open_stream(bytes, size);
    Bytef piece[PIECE];
    int result = size <= UINT32_MAX ? deflateInit(&stream, Z_BEST_COMPRESSION) : Z_MEM_ERROR;
    if (result != Z_OK)
        return tide_fail_memory(error, "compression");
    while (result == Z_OK) {
        stream.next_out = piece;
        stream.avail_out = PIECE;
        result = deflate(&stream, Z_FINISH);
        tide_text_add(out, piece, PIECE - stream.avail_out);
    }
    deflateEnd(&stream);
    return result == Z_STREAM_END && !out->failed ? TIDE_OK : tide_fail_memory(error, "compression");
}

static tide_inflation outcome(int result, const z_stream *stream, const tide_text *out, size_t largest)
{
    if (out->failed || result == Z_MEM_ERROR)
        return TIDE_INFLATION_NO_MEMORY;
    if (out->length > largest)
        return TIDE_INFLATION_TOO_LARGE;
    return result == Z_STREAM_END && !stream->avail_in ? TIDE_INFLATED : TIDE_INFLATION_DAMAGED;
}

tide_inflation tide_inflate(const void *bytes, size_t size, size_t largest, tide_text *out)
{
    z_stream stream = open_stream(bytes, size);
    Bytef piece[PIECE];
    int result = size <= UINT32_MAX ? inflateInit(&stream) : Z_MEM_ERROR;
    if (result != Z_OK)
        return TIDE_INFLATION_NO_MEMORY;
    while (result == Z_OK && out->length <= largest && !out->failed) {
        stream.next_out = piece;
        stream.avail_out = PIECE;
        result = inflate(&stream, Z_NO_FLUSH);
        tide_text_add(out, piece, PIECE - stream.avail_out);
    }
    inflateEnd(&stream);
    return outcome(result, &stream, out, largest);
}

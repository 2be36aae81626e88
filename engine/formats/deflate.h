// Compression of bytes in memory: the zlib format (RFC 1950), deflate with a checksum. By the library zlib.
#ifndef TIDE_FORMATS_DEFLATE_H
#define TIDE_FORMATS_DEFLATE_H

#include "base/text.h"

// Adds the compressed bytes. Fails without memory.
tide_status tide_deflate(const void *bytes, size_t size, tide_text *out, tide_error *error);

typedef enum tide_inflation {
    TIDE_INFLATED,
    TIDE_INFLATION_DAMAGED,   // not in this format, cut short, followed by other bytes, or another checksum
    TIDE_INFLATION_TOO_LARGE, // more than `largest` bytes: nothing beyond them is decompressed
    TIDE_INFLATION_NO_MEMORY
} tide_inflation;

// Adds the decompressed bytes to an empty text; on failure the text may hold a part of them.
tide_inflation tide_inflate(const void *bytes, size_t size, size_t largest, tide_text *out);

#endif

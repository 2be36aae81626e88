#include "base/hash.h"

#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x100000001b3);
    return hash ^ (hash >> 29);
}

uint64_t tide_hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *p = bytes;
    hash = mix(hash, size); // otherwise one zero byte and eight zero bytes would give the same hash
    for (; size >= 8; p += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        hash = mix(hash, word);
    }
    for (; size; p++, size--)
        hash = mix(hash, *p);
    return hash;
}

uint64_t tide_hash_string(uint64_t hash, const char *text)
{
    return tide_hash_bytes(hash, text, strlen(text) + 1);
}

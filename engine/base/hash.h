// A 64-bit hash of bytes, for caches, identities and the hash of a world's state. Not for security.
//
//     uint64_t hash = tide_hash_string(TIDE_HASH_START, name);
//     hash = tide_hash_bytes(hash, positions, 3 * count * sizeof *positions);
//
// The same bytes give the same hash on every little-endian machine. Threads: any. Nothing fails.
#ifndef TIDE_BASE_HASH_H
#define TIDE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define TIDE_HASH_START UINT64_C(0xcbf29ce484222325)

// Computes FNV-1a over the size and then 8-byte words (the tail byte by byte), with an xor-shift after each step.
// Begins with TIDE_HASH_START; to hash several pieces, the result of one is passed on to the next.
uint64_t tide_hash_bytes(uint64_t hash, const void *bytes, size_t size);
uint64_t tide_hash_string(uint64_t hash, const char *text);

#endif

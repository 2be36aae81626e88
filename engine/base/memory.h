// The one allocator: counted, aligned, and able to fail on demand. Third parties that take allocation functions
// (CHOLMOD, Lua) are given these, so the counts cover them too.
#ifndef TIDE_BASE_MEMORY_H
#define TIDE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TIDE_ALIGNMENT = 64 }; // bytes; every block starts on a cache line

// A block of `size` bytes (0 gives a valid empty block), uninitialised; NULL when there is no memory.
void *tide_allocate(size_t size);
// `count` items of `size` bytes, all zero; NULL when there is no memory or the product overflows.
void *tide_allocate_zeroed(size_t count, size_t size);
// `count` items of `size` bytes, uninitialised; NULL when there is no memory or the product overflows.
void *tide_allocate_array(size_t count, size_t size);
// Resizes a block (NULL starts one). On failure returns NULL and leaves the block as it was.
void *tide_reallocate(void *block, size_t size);
void tide_free(void *block); // NULL does nothing
// A copy of a string or of bytes; NULL when there is no memory.
char *tide_copy_string(const char *text);
void *tide_copy_bytes(const void *bytes, size_t size);

// Makes *items hold at least `needed` items of `item_size` bytes, growing by half; *capacity counts items. False when
// there is no memory (*items is then unchanged). `items` is the address of the array's pointer.
bool tide_grow(void *items, size_t *capacity, size_t needed, size_t item_size);

typedef struct tide_memory_counts {
    uint64_t allocations; // calls that obtained or resized a block since the program began
    uint64_t blocks;      // blocks alive now
    size_t bytes;         // bytes alive now
    size_t peak_bytes;    // the most that were alive at once
} tide_memory_counts;
tide_memory_counts tide_memory_count(void);

// For tests: `hook` is asked before every allocation; when it returns true, that allocation fails. NULL removes it.
void tide_memory_set_failure_hook(bool (*hook)(size_t size, void *context), void *context);

#endif

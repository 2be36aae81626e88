// The only allocator: counted, aligned, and able to fail on demand. Libraries that take allocation functions (CHOLMOD,
// Lua) get these, so the counts include them.
//
//     double *x = tide_allocate_array(3 * count, sizeof *x);
//     if (!x)
//         return tide_fail_memory(error, "positions");
//     tide_free(x);
//
// Units: bytes. Ownership: the caller frees what it allocates. Threads: any; a block may be freed by another thread.
#ifndef TIDE_BASE_MEMORY_H
#define TIDE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TIDE_ALIGNMENT = 64 }; // bytes; every block starts on a cache line

// Allocates a block of `size` bytes (0 gives a valid empty block), uninitialised. Returns NULL without memory.
void *tide_allocate(size_t size);
// Allocates `count` items of `size` bytes, all zero. Returns NULL without memory, or if the product overflows.
void *tide_allocate_zeroed(size_t count, size_t size);
// Allocates `count` items of `size` bytes, uninitialised. Returns NULL without memory, or if the product overflows.
void *tide_allocate_array(size_t count, size_t size);
// Resizes a block; NULL allocates one. On failure returns NULL and leaves the block unchanged.
void *tide_reallocate(void *block, size_t size);
void tide_free(void *block); // NULL does nothing
// Copy a string or bytes; NULL without memory.
char *tide_copy_string(const char *text);
void *tide_copy_bytes(const void *bytes, size_t size);

// Makes room for at least `needed` items of `item_size` bytes in *items, growing by half; *capacity counts items.
// Returns false without memory; *items is then unchanged. `items` is the address of the array's pointer.
bool tide_grow(void *items, size_t *capacity, size_t needed, size_t item_size);

typedef struct tide_memory_counts {
    uint64_t allocations; // calls that allocated or resized a block since the start of the program
    uint64_t blocks;      // live blocks
    size_t bytes;         // live bytes
    size_t peak_bytes;    // the most bytes that were live at once
} tide_memory_counts;
tide_memory_counts tide_memory_count(void);

// Sets a hook for tests: `hook` is called before every allocation, which fails if it returns true. NULL removes it.
void tide_memory_set_failure_hook(bool (*hook)(size_t size, void *context), void *context);

#endif

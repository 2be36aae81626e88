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
#include <string.h>

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
// Keeps the memory of a block, for what other languages see of it: after tide_free, and after tide_reallocate has moved
// its numbers, the old memory stays as it was until each tide_hold_block has had its tide_drop_block.
void tide_hold_block(void *block);
void tide_drop_block(void *block);
// Blocks of an object: a block may own others. Freeing the owner frees them, and what they own. A NULL owner fails.
//
//     object->x = tide_own_array(object, 3 * count, sizeof *object->x);
//     object->y = tide_own_array(object, 3 * count, sizeof *object->y);
//     if (!tide_owns_all(object)) // also if object is NULL
//         tide_free(object);
//
// An owned block may be freed or resized before its owner; it keeps its owner. Blocks of one owner are allocated and
// freed by one thread at a time. An empty block, tide_allocate(0), owns the blocks of a struct that is no block.
void *tide_own_array(void *owner, size_t count, size_t size);
void *tide_own_zeroed(void *owner, size_t count, size_t size);
// Gives a block to an owner; a NULL block tells the owner that an allocation failed. Returns the block. Without an
// owner it frees the block and returns NULL.
void *tide_own(void *owner, void *block);
// Frees all blocks of *owner and makes it anew, unless it has all its blocks and they fit. Returns true if it did.
// `owner` is the address of the owner's pointer.
bool tide_renew_owner(void *owner, bool fits);
bool tide_owns_all(const void *owner); // false once a call for this owner failed, and for NULL
// TIDE_SCOPED double *x = tide_allocate(size): frees the block when x goes out of scope, by any return. The declaration
// must initialise all its variables.
static inline void tide_free_scoped(void *variable)
{
    void *block;
    memcpy(&block, variable, sizeof block);
    tide_free(block);
}
#define TIDE_SCOPED __attribute__((cleanup(tide_free_scoped)))
// The same for an object: TIDE_SCOPED_BY(tide_text_free) tide_text text = { 0 };
#define TIDE_SCOPED_BY(release) __attribute__((cleanup(release)))
// Copy a string or bytes; NULL without memory.
char *tide_copy_string(const char *text);
void *tide_copy_bytes(const void *bytes, size_t size);

// Makes room for at least `needed` items of `item_size` bytes in *items, growing by half; *capacity counts items.
// Returns false without memory; *items is then unchanged. `items` is the address of the array's pointer.
bool tide_grow(void *items, size_t *capacity, size_t needed, size_t item_size);
bool tide_enlarge_owned(void *owner, void *items, size_t *capacity, size_t needed, size_t item_size);
static inline bool tide_grow_owned(void *owner, void *items, size_t *capacity, size_t needed, size_t item_size)
{
    return (owner && needed <= *capacity) || tide_enlarge_owned(owner, items, capacity, needed, item_size);
}

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

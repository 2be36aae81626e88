#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// A block is preceded by one aligned header that remembers its size.
typedef struct header {
    _Alignas(TIDE_ALIGNMENT) size_t size;
} header;

static atomic_uint_fast64_t allocations, blocks;
static atomic_size_t bytes, peak_bytes;
static bool (*failure_hook)(size_t, void *);
static void *failure_context;

static void count(size_t added, size_t removed)
{
    size_t now = atomic_fetch_add(&bytes, added - removed) + (added - removed);
    size_t peak = atomic_load(&peak_bytes);
    while (now > peak && !atomic_compare_exchange_weak(&peak_bytes, &peak, now))
        continue;
}

void *tide_allocate(size_t size)
{
    if (size > SIZE_MAX / 2 || (failure_hook && failure_hook(size, failure_context)))
        return NULL;
    size_t padded = (sizeof(header) + size + TIDE_ALIGNMENT - 1) / TIDE_ALIGNMENT * TIDE_ALIGNMENT;
    header *block = aligned_alloc(TIDE_ALIGNMENT, padded);
    if (!block)
        return NULL;
    block->size = size;
    atomic_fetch_add(&allocations, 1);
    atomic_fetch_add(&blocks, 1);
    count(size, 0);
    return block + 1;
}

void *tide_allocate_array(size_t item_count, size_t size)
{
    return size && item_count > SIZE_MAX / size ? NULL : tide_allocate(item_count * size);
}

void *tide_allocate_zeroed(size_t item_count, size_t size)
{
    void *block = tide_allocate_array(item_count, size);
    if (block)
        memset(block, 0, item_count * size);
    return block;
}

void *tide_reallocate(void *block, size_t size)
{
    void *moved = tide_allocate(size);
    if (moved && block) {
        size_t old = ((header *)block - 1)->size;
        memcpy(moved, block, old < size ? old : size);
        tide_free(block);
    }
    return moved;
}

void tide_free(void *block)
{
    if (!block)
        return;
    header *start = (header *)block - 1;
    atomic_fetch_sub(&blocks, 1);
    count(0, start->size);
    free(start);
}

void *tide_copy_bytes(const void *from, size_t size)
{
    void *copy = tide_allocate(size);
    if (copy && size)
        memcpy(copy, from, size);
    return copy;
}

char *tide_copy_string(const char *text)
{
    return tide_copy_bytes(text, strlen(text) + 1);
}

bool tide_grow(void *items, size_t *capacity, size_t needed, size_t item_size)
{
    if (needed <= *capacity)
        return true;
    size_t wanted = *capacity + *capacity / 2;
    if (wanted < needed)
        wanted = needed;
    if (wanted < 8)
        wanted = 8;
    if (wanted > SIZE_MAX / item_size)
        return false;
    void *old;
    memcpy(&old, items, sizeof old);
    void *grown = tide_reallocate(old, wanted * item_size);
    if (!grown)
        return false;
    memcpy(items, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

tide_memory_counts tide_memory_count(void)
{
    return (tide_memory_counts) { .allocations = atomic_load(&allocations),
                                  .blocks = atomic_load(&blocks),
                                  .bytes = atomic_load(&bytes),
                                  .peak_bytes = atomic_load(&peak_bytes) };
}

void tide_memory_set_failure_hook(bool (*hook)(size_t, void *), void *context)
{
    failure_hook = hook;
    failure_context = context;
}

#include "base/memory.h"

#include "base/account.h"
#include "base/thread_local.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// Each block is preceded by one aligned header with its size.
typedef struct header {
    _Alignas(TIDE_ALIGNMENT) size_t size;
    uint64_t tag;
    tide_account_book *account;  // NULL: none
    struct header *owned, *next; // the first block that it owns; the next one of its owner
    struct header **link;        // the pointer of the owner, or of its neighbour, at this block; NULL: no owner
    bool failed;                 // an allocation for this owner failed
    atomic_uint holds;           // of tide_hold_block, and 1 until it is freed
} header;

struct tide_account_book {
    size_t limit;
    tide_account_book *parent;       // NULL: none
    atomic_size_t bytes, references; // references: the owner and each block
    atomic_bool refused;
};

static TIDE_THREAD_LOCAL tide_account_book *used;

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

// --- accounts --------------------------------------------------------------------------------------------------------

static void drop(tide_account_book *account)
{
    while (account && atomic_fetch_sub(&account->references, 1) == 1) {
        tide_account_book *parent = account->parent;
        free(account);
        account = parent;
    }
}

static void discharge(tide_account_book *account, size_t size)
{
    for (tide_account_book *each = account; each; each = each->parent)
        atomic_fetch_sub(&each->bytes, size);
    drop(account);
}

static bool charge(tide_account_book *account, size_t size)
{
    bool fits = true;
    for (tide_account_book *each = account; each; each = each->parent) {
        size_t before = atomic_fetch_add(&each->bytes, size);
        if (size <= each->limit && before <= each->limit - size)
            continue;
        atomic_store(&each->refused, true);
        fits = false;
    }
    if (account)
        atomic_fetch_add(&account->references, 1);
    if (!fits)
        discharge(account, size);
    return fits;
}

tide_account_book *tide_account_open(size_t limit)
{
    // The account itself is in no account, and is not a counted block.
    tide_account_book *account = aligned_alloc(TIDE_ALIGNMENT, TIDE_ALIGNMENT);
    if (account) {
        memset(account, 0, sizeof *account);
        account->limit = limit;
        account->parent = used;
        if (used)
            atomic_fetch_add(&used->references, 1);
        atomic_init(&account->references, 1);
    }
    return account;
}

void tide_account_close(tide_account_book *account)
{
    if (account)
        drop(account);
}

tide_account_book *tide_account_use(tide_account_book *account)
{
    tide_account_book *before = used;
    used = account;
    return before;
}

tide_account_book *tide_account_current(void)
{
    return used;
}

size_t tide_account_room(const tide_account_book *account)
{
    size_t least = SIZE_MAX;
    for (; account; account = account->parent) {
        size_t bytes = atomic_load(&account->bytes), room = bytes < account->limit ? account->limit - bytes : 0;
        least = room < least ? room : least;
    }
    return least;
}

size_t tide_account_bytes(const tide_account_book *account)
{
    return atomic_load(&account->bytes);
}

size_t tide_account_limit(const tide_account_book *account)
{
    return account->limit;
}

bool tide_account_refused(const tide_account_book *account)
{
    return atomic_load(&account->refused);
}

void tide_account_set_refused(tide_account_book *account, bool refused)
{
    atomic_store(&account->refused, refused);
}

void tide_block_set_tag(void *block, uint64_t tag)
{
    ((header *)block - 1)->tag = tag;
}

uint64_t tide_block_tag(const void *block)
{
    return ((const header *)block - 1)->tag;
}

// --- blocks ----------------------------------------------------------------------------------------------------------

void *tide_allocate(size_t size)
{
    if (size > SIZE_MAX / 2 || (failure_hook && failure_hook(size, failure_context)))
        return NULL;
    if (!charge(used, size))
        return NULL;
    size_t padded = (sizeof(header) + size + TIDE_ALIGNMENT - 1) / TIDE_ALIGNMENT * TIDE_ALIGNMENT;
    header *block = aligned_alloc(TIDE_ALIGNMENT, padded);
    if (!block) {
        discharge(used, size);
        return NULL;
    }
    *block = (header) { .size = size, .account = used, .holds = 1 };
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

static void link_block(header *block, header **link, header *next)
{
    block->link = link;
    block->next = next;
    *link = block;
    if (next)
        next->link = &block->next;
}

static void unlink_block(header *block)
{
    if (block->link)
        *block->link = block->next;
    if (block->link && block->next)
        block->next->link = block->link;
    block->link = NULL;
}

void *tide_own(void *owner, void *block)
{
    if (!owner) {
        tide_free(block);
        return NULL;
    }
    header *to = (header *)owner - 1, *moved = block ? (header *)block - 1 : NULL;
    if (moved) {
        unlink_block(moved);
        link_block(moved, &to->owned, to->owned);
    } else
        to->failed = true;
    return block;
}

void *tide_own_array(void *owner, size_t item_count, size_t size)
{
    return owner ? tide_own(owner, tide_allocate_array(item_count, size)) : NULL;
}

void *tide_own_zeroed(void *owner, size_t item_count, size_t size)
{
    return owner ? tide_own(owner, tide_allocate_zeroed(item_count, size)) : NULL;
}

bool tide_renew_owner(void *owner, bool fits)
{
    void *old, *made;
    memcpy(&old, owner, sizeof old);
    if (fits && tide_owns_all(old))
        return false;
    tide_free(old);
    made = tide_allocate(0);
    memcpy(owner, &made, sizeof made);
    return true;
}

bool tide_owns_all(const void *owner)
{
    return owner && !((const header *)owner - 1)->failed;
}

void *tide_reallocate(void *block, size_t size)
{
    void *moved = tide_allocate(size);
    if (moved && block) {
        header *from = (header *)block - 1, *to = (header *)moved - 1, **link = from->link;
        memcpy(moved, block, from->size < size ? from->size : size);
        to->tag = from->tag;
        to->failed = from->failed;
        if (from->owned)
            link_block(from->owned, &to->owned, from->owned->next);
        from->owned = NULL;
        unlink_block(from);
        if (link)
            link_block(to, link, *link);
        tide_free(block);
    }
    return moved;
}

static void let_go(header *start)
{
    if (atomic_fetch_sub(&start->holds, 1) != 1)
        return;
    atomic_fetch_sub(&blocks, 1);
    count(0, start->size);
    discharge(start->account, start->size);
    free(start);
}

void tide_free(void *block)
{
    if (!block)
        return;
    header *start = (header *)block - 1;
    unlink_block(start);
    while (start->owned)
        tide_free(start->owned + 1);
    let_go(start);
}

void tide_hold_block(void *block)
{
    atomic_fetch_add(&((header *)block - 1)->holds, 1);
}

void tide_drop_block(void *block)
{
    let_go((header *)block - 1);
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

bool tide_enlarge_owned(void *owner, void *items, size_t *capacity, size_t needed, size_t item_size)
{
    void *block;
    if (!owner || !tide_grow(items, capacity, needed, item_size))
        return false;
    memcpy(&block, items, sizeof block);
    if (block)
        tide_own(owner, block);
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

// Accounts of memory: how much of it one user of the allocator holds, and a limit on that.
//
// While a thread uses an account, what it allocates is counted there, and fails beyond the limit. A block stays in its
// account until it is freed, by whichever thread.
#ifndef TIDE_BASE_ACCOUNT_H
#define TIDE_BASE_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tide_account_book tide_account_book;

// A limit in bytes; NULL without memory. It is part of the account that the calling thread uses: what counts in the one
// counts in the other, too.
tide_account_book *tide_account_open(size_t limit);
void tide_account_close(tide_account_book *account); // NULL does nothing; blocks in it may live on
// Makes the calling thread use the account, or none when NULL; returns the one that it used before.
tide_account_book *tide_account_use(tide_account_book *account);

tide_account_book *tide_account_current(void); // that of the calling thread; NULL: none

size_t
tide_account_room(const tide_account_book *account); // bytes that are left, in it and in those that it is part of
size_t tide_account_bytes(const tide_account_book *account);
size_t tide_account_limit(const tide_account_book *account);
// Whether an allocation has failed for the limit since this was last set to false.
bool tide_account_refused(const tide_account_book *account);
void tide_account_set_refused(tide_account_book *account, bool refused);

// A number that whoever owns a block of tide_allocate may keep with it; 0 at first. A reallocated block keeps it.
void tide_block_set_tag(void *block, uint64_t tag);
uint64_t tide_block_tag(const void *block);

#endif

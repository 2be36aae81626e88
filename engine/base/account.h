// Memory accounts: count the bytes that one user of the allocator holds, and limit them.
//
// While a thread uses an account, its allocations are counted there and fail beyond the limit. A block stays in its
// account until it is freed, by any thread.
#ifndef TIDE_BASE_ACCOUNT_H
#define TIDE_BASE_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tide_account_book tide_account_book;

// Opens an account with a limit in bytes; NULL without memory. It is nested in the account that the calling thread
// uses: its bytes count in both.
tide_account_book *tide_account_open(size_t limit);
void tide_account_close(tide_account_book *account); // NULL does nothing; its blocks may live on
// Makes the calling thread use the account; NULL: none. Returns the previous one.
tide_account_book *tide_account_use(tide_account_book *account);

tide_account_book *tide_account_current(void); // of the calling thread; NULL: none

size_t
tide_account_room(const tide_account_book *account); // bytes left, in the account and in those that it is nested in
size_t tide_account_bytes(const tide_account_book *account);
size_t tide_account_limit(const tide_account_book *account);
// Tells whether an allocation has failed because of the limit since this was last set to false.
bool tide_account_refused(const tide_account_book *account);
void tide_account_set_refused(tide_account_book *account, bool refused);

// Set and get a number that the owner of a block of tide_allocate may store with it; 0 at first. Reallocation keeps it.
void tide_block_set_tag(void *block, uint64_t tag);
uint64_t tide_block_tag(const void *block);

#endif

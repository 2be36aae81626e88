// Makes each allocation of a call fail in turn.
#ifndef TIDE_TESTS_FAILING_H
#define TIDE_TESTS_FAILING_H

#include "base/memory.h"
#include "tests.h"

typedef struct failing_allocation {
    uint64_t left; // allocations that still succeed
    bool failed;
} failing_allocation;

static inline bool fail_in_turn(size_t size, void *context)
{
    failing_allocation *failing = context;
    (void)size;
    if (failing->failed || failing->left-- > 0)
        return false;
    failing->failed = true;
    return true;
}

// Calls `call` with its first allocation failing, then its second, ... until none is left to fail, which must succeed.
// Each failure must be reported as such and leave no block behind. Returns how many there were.
static inline uint64_t fail_each_allocation(tide_status (*call)(void *context, tide_error *error), void *context)
{
    for (uint64_t n = 0;; n++) {
        failing_allocation failing = { .left = n };
        tide_error error = { .status = TIDE_OK };
        uint64_t blocks = tide_memory_count().blocks;
        tide_memory_set_failure_hook(fail_in_turn, &failing);
        tide_status status = call(context, &error);
        tide_memory_set_failure_hook(NULL, NULL);
        if (!failing.failed) {
            assert_int_equal(status, TIDE_OK);
            return n;
        }
        assert_int_equal(status, TIDE_ERROR_MEMORY);
        assert_int_equal(error.status, TIDE_ERROR_MEMORY);
        assert_int_equal(tide_memory_count().blocks, blocks);
    }
}

#endif

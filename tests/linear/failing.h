// Makes each allocation of a call fail in turn.
#ifndef TIDE_TESTS_FAILING_H
#define TIDE_TESTS_FAILING_H

#include "base/memory.h"
#include "tests.h"

typedef struct failing_allocation {
    uint64_t left; // allocations that still succeed
    bool for_ever; // from then on all fail, else one
    bool failed;   // one has
} failing_allocation;

static inline bool fail_in_turn(size_t size, void *context)
{
    failing_allocation *failing = context;
    (void)size;
    if ((failing->failed && !failing->for_ever) || failing->left > 0) {
        failing->left -= failing->left > 0;
        return false;
    }
    return failing->failed = true;
}

typedef tide_status failing_call(void *context, tide_error *error);

static inline uint64_t fail_each_in_turn(failing_call *call, void *context, bool may_succeed)
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
        assert_int_equal(tide_memory_count().blocks, blocks);
        if (may_succeed && status == TIDE_OK)
            continue;
        assert_int_equal(status, TIDE_ERROR_MEMORY);
        assert_int_equal(error.status, TIDE_ERROR_MEMORY);
    }
}

// Calls `call` with its first allocation failing, then its second, ... until none is left to fail, which must succeed.
// Each failure must be reported as such and leave no block behind. Returns how many there were.
static inline uint64_t fail_each_allocation(failing_call *call, void *context)
{
    return fail_each_in_turn(call, context, false);
}

// The same of a call that may do without one, or ask again later.
static inline uint64_t fail_each_allocation_at_most(failing_call *call, void *context)
{
    return fail_each_in_turn(call, context, true);
}

#endif

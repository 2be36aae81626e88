// Tests of which warnings are no part: quiet_test(test) in a list of tests keeps the log from standard error.
#ifndef TIDE_TESTS_QUIET_H
#define TIDE_TESTS_QUIET_H

#include "tests.h"

#include "base/log.h"

static inline void quiet_sink(tide_log_level level, const char *message, void *context)
{
    (void)level, (void)message, (void)context;
}

static inline int quiet_begin(void **state)
{
    (void)state;
    tide_log_set_sink(quiet_sink, NULL);
    return 0;
}

static inline int quiet_end(void **state)
{
    (void)state;
    tide_log_set_sink(NULL, NULL);
    return 0;
}

#define quiet_test(test) cmocka_unit_test_setup_teardown(test, quiet_begin, quiet_end)

#endif

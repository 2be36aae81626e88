// Parallel loops among other threads and in forked processes.
#define _POSIX_C_SOURCE 200809L
#include "tests.h"

#include "base/parallel.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static double count_up(void *context, uint32_t begin, uint32_t end)
{
    (void)context;
    return end - begin;
}

// Returns the number of wrong sums in `loops` sums.
static int wrong_sums(int loops)
{
    int wrong = 0;
    for (int i = 0; i < loops; i++)
        wrong += tide_parallel_sum(1000, 10, count_up, NULL) != 1000;
    return wrong;
}

static void *sum_in_thread(void *wrong)
{
    *(int *)wrong = wrong_sums(2000);
    return NULL;
}

static void test_loops_of_several_threads_at_once(void **state)
{
    (void)state;
    enum { THREADS = 3 };
    pthread_t threads[THREADS];
    int wrong[THREADS];
    tide_set_threads(3);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, sum_in_thread, &wrong[i]), 0);
    assert_int_equal(wrong_sums(2000), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(wrong[i], 0);
    }
    tide_set_threads(1);
}

// Some forks find a helper about to sleep, with the mutex; the child must not wait for it.
static void test_loops_after_a_fork(void **state)
{
    (void)state;
    tide_set_threads(3);
    for (int i = 0; i < 60; i++) {
        assert_int_equal(wrong_sums(20), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            alarm(3600); // a child that waits for ever ends; load does not slow one this much
            _exit(wrong_sums(100) == 0 ? 0 : 1);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
    assert_int_equal(wrong_sums(20), 0);
    tide_set_threads(1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_loops_of_several_threads_at_once),
    cmocka_unit_test(test_loops_after_a_fork),
};
TIDE_TEST_SUITE(base_threads, tests)

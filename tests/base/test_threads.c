// Parallel loops among other threads and in forked processes.
#define _POSIX_C_SOURCE 200809L
#include "tests.h"

#include "base/parallel.h"

#include <math.h>
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

static double highest(void *context, uint32_t begin, uint32_t end)
{
    const double *numbers = context;
    double most = -1;
    for (uint32_t i = begin; i < end; i++)
        most = numbers[i] > most ? numbers[i] : most;
    return most;
}

// The largest term is found wherever it is; it is 0 where all are below, and where there is none.
static void test_largest_terms(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static double numbers[COUNT];
    for (int threads = 1; threads <= 4; threads++) {
        tide_set_threads(threads);
        for (uint32_t i = 0; i < COUNT; i++)
            numbers[i] = sin(i);
        for (uint32_t at = 0; at < COUNT; at += 499) {
            numbers[at] += 2;
            assert_true(tide_parallel_most(COUNT, 7, highest, numbers) == numbers[at]);
            numbers[at] -= 2;
        }
        for (uint32_t i = 0; i < COUNT; i++)
            numbers[i] = -1 - (double)i;
        assert_true(tide_parallel_most(COUNT, 7, highest, numbers) == 0);
        assert_true(tide_parallel_most(0, 7, highest, numbers) == 0);
    }
    tide_set_threads(1);
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
    cmocka_unit_test(test_largest_terms),
    cmocka_unit_test(test_loops_of_several_threads_at_once),
    cmocka_unit_test(test_loops_after_a_fork),
};
TIDE_TEST_SUITE(base_threads, tests)

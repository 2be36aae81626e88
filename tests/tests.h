// What every C test file starts from: cmocka, and suites that register themselves.
//
//     static void test_something(void **state) { ... assert_true(...); }
//     static const struct CMUnitTest tests[] = { cmocka_unit_test(test_something) };
//     TIDE_TEST_SUITE(mesh_grid, tests)
#ifndef TIDE_TESTS_H
#define TIDE_TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
// cmocka comes after the four above
#include <cmocka.h>

#include "base/error.h"

void tide_test_register(const char *name, int (*run)(void));

#define TIDE_TEST_SUITE(name, tests)                                                                                   \
    static int run_##name(void)                                                                                        \
    {                                                                                                                  \
        return cmocka_run_group_tests_name(#name, tests, NULL, NULL);                                                  \
    }                                                                                                                  \
    __attribute__((constructor)) static void register_##name(void)                                                     \
    {                                                                                                                  \
        tide_test_register(#name, run_##name);                                                                         \
    }

// |a - b| <= tolerance, with the numbers in the message.
void tide_test_near(double a, double b, double tolerance, const char *what, const char *file, int line);
#define assert_near(a, b, tolerance) tide_test_near((a), (b), (tolerance), #a " ~ " #b, __FILE__, __LINE__)

// Calls that take a `tide_error *` last: assert_ok(tide_mesh_create(&parts, &mesh, &error), error) passes when the
// status is TIDE_OK, assert_fails(call, error, "part of the message") when it is not and the message contains the part.
void tide_test_ok(tide_status status, const tide_error *error, const char *what, const char *file, int line);
void tide_test_fails(tide_status status, const tide_error *error, const char *part, const char *what, const char *file,
                     int line);
#define assert_ok(call, error) tide_test_ok((call), &(error), #call, __FILE__, __LINE__)
#define assert_fails(call, error, part) tide_test_fails((call), &(error), (part), #call, __FILE__, __LINE__)

// Sanitizers make a test some ten times slower. Under them, long tests take a sample: loops have `fewer` rounds instead
// of `all`, and of the cases of a sweep, all but one in `share` are skipped. A `share` without a common divisor with
// the lengths of the sweep's loops meets every value of each. Other builds run everything, unless the environment has
// SPRINGTIDE_TESTS_SAMPLE.
uint32_t tide_test_count(uint32_t all, uint32_t fewer);
bool tide_test_skips(uint32_t share);

// A folder of the suite for files that tests write, made on first use and kept (under build/).
const char *tide_test_folder(void);

#endif

// Runs suites of tests:
//     springtide-tests                 all of them
//     springtide-tests GROUP           those whose names contain GROUP
//     springtide-tests --suite NAME    the one with this name
//     springtide-tests --list          none; prints their names
#include "tests.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_SUITES = 256 };

static struct suite {
    const char *name;
    int (*run)(void);
} suites[MAX_SUITES];
static size_t suite_count;

void tide_test_register(const char *name, int (*run)(void))
{
    if (suite_count == MAX_SUITES) {
        fprintf(stderr, "raise MAX_SUITES in tests/main.c\n");
        exit(1);
    }
    suites[suite_count++] = (struct suite) { name, run };
}

void tide_test_near(double a, double b, double tolerance, const char *what, const char *file, int line)
{
    if (fabs(a - b) <= tolerance)
        return;
    print_error("%s: %.17g and %.17g differ by %.3g, more than %.3g\n", what, a, b, fabs(a - b), tolerance);
    _fail(file, line);
}

void tide_test_ok(tide_status status, const tide_error *error, const char *what, const char *file, int line)
{
    if (status == TIDE_OK)
        return;
    char text[1024];
    print_error("%s: %s\n", what, tide_error_text(error, text, sizeof text));
    _fail(file, line);
}

void tide_test_fails(tide_status status, const tide_error *error, const char *part, const char *what, const char *file,
                     int line)
{
    char text[1024] = "(it succeeded)";
    if (status != TIDE_OK && strstr(tide_error_text(error, text, sizeof text), part))
        return;
    print_error("%s: \"%s\" does not contain \"%s\"\n", what, text, part);
    _fail(file, line);
}

#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

static bool takes_sample(void)
{
    return SANITIZED || getenv("SPRINGTIDE_TESTS_SAMPLE");
}

uint32_t tide_test_count(uint32_t all, uint32_t fewer)
{
    return takes_sample() ? fewer : all;
}

bool tide_test_skips(uint32_t share)
{
    static uint32_t cases;
    return takes_sample() && cases++ % share != 0;
}

// test-files/SUITE beside the program, so that suites and builds can run at the same time.
static char test_folder[1024];
static int program_folder_length;

static void set_test_folder(const char *program, const char *suite)
{
    snprintf(test_folder, sizeof test_folder, "%.*stest-files", program_folder_length, program);
    mkdir(test_folder, 0777);
    snprintf(test_folder, sizeof test_folder, "%.*stest-files/%s", program_folder_length, program, suite);
}

const char *tide_test_folder(void)
{
    mkdir(test_folder, 0777);
    return test_folder;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct suite *)a)->name, ((const struct suite *)b)->name);
}

int main(int argc, char **argv)
{
    int failures = 0;
    const char *slash = strrchr(argv[0], '/');
    program_folder_length = slash ? (int)(slash + 1 - argv[0]) : 0;
    setvbuf(stdout, NULL, _IOLBF, 0); // what was printed survives a crash
    qsort(suites, suite_count, sizeof suites[0], by_name);
    bool list = argc == 2 && strcmp(argv[1], "--list") == 0;
    bool exact = argc == 3 && strcmp(argv[1], "--suite") == 0;
    const char *wanted = exact ? argv[2] : argc > 1 ? argv[1] : "";
    size_t ran = 0;
    for (size_t i = 0; i < suite_count; i++) {
        const char *name = suites[i].name;
        if (list)
            puts(name);
        else if (exact ? strcmp(name, wanted) == 0 : strstr(name, wanted) != NULL) {
            set_test_folder(argv[0], name);
            failures += suites[i].run();
            ran++;
        }
    }
    if (list)
        return 0;
    if (ran)
        fprintf(stderr, "%zu group%s of tests, %d failed\n", ran, ran == 1 ? "" : "s", failures);
    else
        fprintf(stderr, "no group of tests has \"%s\" in its name\n", wanted);
    return failures || !ran ? 1 : 0;
}

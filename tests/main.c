// Runs every registered suite, or those whose names contain the argument.
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

static char test_folder[1024]; // beside the program: those of two builds may run at the same time

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
    snprintf(test_folder, sizeof test_folder, "%.*stest-files", slash ? (int)(slash + 1 - argv[0]) : 0, argv[0]);
    setvbuf(stdout, NULL, _IOLBF, 0); // what was printed survives a crash
    qsort(suites, suite_count, sizeof suites[0], by_name);
    size_t ran = 0;
    for (size_t i = 0; i < suite_count; i++)
        if (argc < 2 || strstr(suites[i].name, argv[1])) {
            failures += suites[i].run();
            ran++;
        }
    if (ran)
        fprintf(stderr, "%zu group%s of tests, %d failed\n", ran, ran == 1 ? "" : "s", failures);
    else
        fprintf(stderr, "no group of tests has \"%s\" in its name\n", argc > 1 ? argv[1] : "");
    return failures || !ran ? 1 : 0;
}

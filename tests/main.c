// Runs suites of tests: see `usage`.
#include "tests.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] = "Runs suites of tests:\n"
                            "    springtide-tests                 all of them\n"
                            "    springtide-tests NAME...         those whose names contain a NAME\n"
                            "    springtide-tests --suite NAME    the one with this name\n"
                            "    springtide-tests --list          none; prints their names\n"
                            "    springtide-tests --help          none; prints this text\n"
                            "With SPRINGTIDE_TESTS_SAMPLE=1 in the environment, suites take a sample of their longest "
                            "sweeps.\n";

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

static bool is_named(const char *suite, const char *name, bool exact)
{
    return exact ? strcmp(suite, name) == 0 : strstr(suite, name) != NULL;
}

// Prints an error for each name that no suite has.
static bool names_are_known(char *const *names, int count, bool exact)
{
    bool known = true;
    for (int n = 0; n < count; n++) {
        size_t i = 0;
        while (i < suite_count && !is_named(suites[i].name, names[n], exact))
            i++;
        if (i < suite_count)
            continue;
        fprintf(stderr, "no suite of tests has %s\"%s\"%s; springtide-tests --list prints their names\n",
                exact ? "the name " : "", names[n], exact ? "" : " in its name");
        known = false;
    }
    return known;
}

static int run_suites(const char *program, char *const *names, int count, bool exact)
{
    int failures = 0;
    size_t ran = 0;
    for (size_t i = 0; i < suite_count; i++) {
        bool wanted = count == 0;
        for (int n = 0; n < count && !wanted; n++)
            wanted = is_named(suites[i].name, names[n], exact);
        if (!wanted)
            continue;
        set_test_folder(program, suites[i].name);
        failures += suites[i].run();
        ran++;
    }
    fprintf(stderr, "%zu group%s of tests, %d failed\n", ran, ran == 1 ? "" : "s", failures);
    return failures ? 1 : 0;
}

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/');
    program_folder_length = slash ? (int)(slash + 1 - argv[0]) : 0;
    setvbuf(stdout, NULL, _IOLBF, 0); // what was printed survives a crash
    qsort(suites, suite_count, sizeof suites[0], by_name);
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (size_t i = 0; i < suite_count; i++)
            puts(suites[i].name);
        return 0;
    }
    bool exact = argc == 3 && strcmp(argv[1], "--suite") == 0;
    int first = exact ? 2 : 1;
    for (int i = first; i < argc; i++)
        if (argv[i][0] == '-') {
            fprintf(stderr, "%s is not expected here\n%s", argv[i], usage);
            return 2;
        }
    if (!names_are_known(argv + first, argc - first, exact))
        return 1;
    return run_suites(argv[0], argv + first, argc - first, exact);
}

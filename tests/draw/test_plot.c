#define _POSIX_C_SOURCE 200809L
#include "tests.h"

#include "draw/plot.h"
#include "linear/failing.h"
#include "output_checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *path_of(const char *name, char path[512])
{
    snprintf(path, 512, "%s/%s", tide_test_folder(), name);
    return path;
}

static void write_data(const char *name, const char *content)
{
    char path[512];
    FILE *file = fopen(path_of(name, path), "w");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
}

static char *read_all(const char *name)
{
    char path[512];
    static char text[20000];
    FILE *file = fopen(path_of(name, path), "r");
    if (!file)
        return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static bool exists(const char *name)
{
    char path[512];
    struct stat info;
    return stat(path_of(name, path), &info) == 0;
}

static const char data[] = "curve,time.ms,error,low\n"
                           "a,1,0.1,0.5\na,2,0.01,1.5\n"
                           "it's,1,0.2,0.5\nit's,2,0.04,1.5\n";

static const tide_plot_curve curves[] = {
    { .title = "first", .filter_column = "curve", .filter = "a", .x = "time.ms", .y = "error" },
    { .title = "it's",
      .filter_column = "curve",
      .filter = "it's",
      .x = "1e3*$time.ms",
      .y = "sqrt($error)",
      .style = "points pointtype 7" },
    { .x = "time.ms", .y = "error", .more = { "low", "$low+1", "error", "2*$error" }, .style = "boxxyerror" },
};

static tide_plot make_plot(void)
{
    return (tide_plot) { .title = "It's a_plot",
                         .x_label = "time (ms)",
                         .y_label = "error",
                         .y_logarithmic = true,
                         .curves = curves,
                         .curve_count = 3,
                         .more = "set samples 10" };
}

static void test_script(void **state)
{
    (void)state;
    tide_error error;
    bool drawn;
    tide_plot plot = make_plot();
    write_data("plot.csv", data);
    assert_ok(tide_plot_write(&plot, tide_test_folder(), "plot", "plot.csv", &drawn, &error), error);
    const char *script = read_all("plot.gnuplot");
    assert_non_null(script);
    const char *parts[] = {
        "set title \"It\\047s a\\137plot\" noenhanced",
        "set xlabel 'time (ms)'",
        "set logscale y",
        "set samples 10\n",
        "'plot.csv' using (strcol('curve') eq 'a' ? column('time.ms') : NaN):(column('error')) with linespoints "
        "title 'first'",
        "strcol('curve') eq \"it\\047s\" ? 1e3*column('time.ms') : NaN):(sqrt(column('error'))) with points pointtype "
        "7",
        "using (column('time.ms')):(column('error')):(column('low')):(column('low')+1):(column('error')):"
        "(2*column('error')) with boxxyerror notitle",
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!strstr(script, parts[i]))
            fail_msg("the script has no \"%s\":\n%s", parts[i], script);
    assert_null(strstr(script, "set logscale x"));
}

static void test_axes(void **state)
{
    (void)state;
    tide_error error;
    bool drawn;
    tide_plot plot = make_plot();
    plot.x_logarithmic = true;
    plot.x_minimum = 0.3;
    plot.x_maximum = 12;
    assert_ok(tide_plot_write(&plot, tide_test_folder(), "axes", "plot.csv", &drawn, &error), error);
    const char *script = read_all("axes.gnuplot");
    assert_non_null(strstr(script, "set xrange [0.3:12]\n"));
    assert_non_null(strstr(script, "set xtics (0.5, 1, 2, 5, 10)\n"));
    assert_null(strstr(script, "yrange"));
}

// Where gnuplot is there the picture is one; otherwise there is none, and that is no failure.
static void test_picture(void **state)
{
    (void)state;
    tide_error error;
    bool drawn = false;
    char path[512];
    tide_plot plot = make_plot();
    write_data("picture.csv", data);
    assert_ok(tide_plot_write(&plot, tide_test_folder(), "picture", "picture.csv", &drawn, &error), error);
    assert_int_equal(drawn, tide_plot_available());
    assert_int_equal(exists("picture.png"), drawn);
    assert_int_equal(unfinished_files(path_of("picture.png", path), NULL), 0);
    if (drawn)
        assert_memory_equal(read_all("picture.png"), "\x89PNG", 4);
}

static void test_failures(void **state)
{
    (void)state;
    tide_error error;
    bool drawn = true;
    char path[512];
    tide_plot plot = make_plot();
    assert_fails(tide_plot_write(&plot, "/nowhere/at/all", "plot", "plot.csv", &drawn, &error), error,
                 "/nowhere/at/all");
    assert_false(drawn);
    if (!tide_plot_available())
        return;
    assert_fails(tide_plot_write(&plot, tide_test_folder(), "lost", "lost.csv", &drawn, &error), error, "lost.png");
    assert_false(drawn);
    assert_false(exists("lost.png"));
    assert_int_equal(unfinished_files(path_of("lost.png", path), NULL), 0);
}

static tide_status write_again(void *context, tide_error *error)
{
    bool drawn;
    return tide_plot_write(context, tide_test_folder(), "memory", "plot.csv", &drawn, error);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    char path[512];
    tide_plot plot = make_plot();
    write_data("plot.csv", data);
    assert_true(fail_each_allocation(write_again, &plot) > 3);
    assert_int_equal(unfinished_files(path_of("memory.png", path), NULL), 0);
}

// gnuplot reads every byte of a quoted text as that byte, alone and in a row, and runs nothing of it.
static void test_quoting(void **state)
{
    (void)state;
    static const char *const hostile[] = {
        "x\n!touch PWNED\n#", "x'.system('touch PWNED').'", "`touch PWNED`", "\"`touch PWNED`\"", "it's \\",
        "}\n{ @x %s"
    };
    char all[256], command[1200];
    tide_text script = { 0 };
    size_t expected = 0;
    char wanted[2048];
    tide_text_format(&script, "set print ");
    tide_plot_add_quoted(&script, "quoted.txt");
    tide_text_format(&script, "\n");
    for (int i = 0; i < 255; i++)
        all[i] = (char)(i + 1);
    all[255] = '\0';
    for (int i = 0; i < 256 + (int)(sizeof hostile / sizeof *hostile); i++) {
        char one[2] = { (char)i, '\0' };
        const char *text = i >= 256 ? hostile[i - 256] : i ? one : all;
        tide_text_format(&script, "print ");
        tide_plot_add_quoted(&script, text);
        tide_text_format(&script, "\n");
        expected += (size_t)snprintf(wanted + expected, sizeof wanted - expected, "%s\n", text);
    }
    tide_text_add(&script, "", 1);
    if (!tide_plot_available()) {
        tide_text_free(&script);
        skip();
    }
    write_data("quoted.gnuplot", script.bytes);
    tide_text_free(&script);
    snprintf(command, sizeof command, "cd '%s' && rm -f PWNED quoted.txt && gnuplot quoted.gnuplot",
             tide_test_folder());
    assert_int_equal(system(command), 0);
    assert_string_equal(read_all("quoted.txt"), wanted);
    assert_false(exists("PWNED"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_quoting), cmocka_unit_test(test_script),   cmocka_unit_test(test_axes),
    cmocka_unit_test(test_picture), cmocka_unit_test(test_failures), cmocka_unit_test(test_failing_allocations),
};
TIDE_TEST_SUITE(draw_plot, tests)

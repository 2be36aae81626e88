// Files that are written, paths that are resolved, and characters that a terminal would obey.
#define _GNU_SOURCE
#include "tests.h"

#include "base/characters.h"
#include "base/output_file.h"
#include "base/paths.h"
#include "output_checks.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static tide_error error;

static const char *path_of(const char *name)
{
    static char paths[4][400];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", tide_test_folder(), name);
    return path;
}

static void test_characters(void **state)
{
    (void)state;
    static const struct {
        const char *text, *shown;
    } cases[] = {
        { "plain ~", "plain ~" },
        { "tab\tand\nline", "tab\tand\nline" },
        { "\x1b[2J\x7f\r\b", "\\x1B[2J\\x7F\\x0D\\x08" },
        { "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80" },
        { "\xc2\x9b\x9b", "\\xC2\\x9B\\x9B" },                            // C1, and half of it
        { "\xc0\xaf\xed\xa0\x80\xff", "\\xC0\\xAF\\xED\\xA0\\x80\\xFF" }, // too long, a surrogate, no byte of UTF-8
        { "\xe2\x82", "\\xE2\\x82" },                                     // cut
    };
    char shown[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(tide_visible_text(cases[i].text, strlen(cases[i].text), shown, sizeof shown),
                            cases[i].shown);
    assert_string_equal(tide_visible_text("ab\x1b", 3, shown, 6), "ab"); // an escape is whole or not there
    for (int byte = 1; byte < 256; byte++) {
        const char text[] = { 'a', (char)byte, '\0' };
        bool printable = byte >= 0x20 && byte < 0x7f, control = byte < 0x20 || byte == 0x7f;
        assert_ptr_equal(tide_find_unprintable(text), printable ? NULL : text + 1);
        assert_ptr_equal(tide_find_control(text), control ? text + 1 : NULL);
    }
}

static void test_paths(void **state)
{
    (void)state;
    char folder[PATH_MAX], found[PATH_MAX], expected[PATH_MAX + 40];
    mkdir(path_of("rooted"), 0777);
    unlink(path_of("rooted/out"));
    assert_int_equal(symlink("/etc", path_of("rooted/out")), 0);
    assert_true(tide_path_resolve(path_of("rooted"), folder, sizeof folder));
    assert_true(tide_path_resolve(path_of("rooted/new/./file"), found, sizeof found));
    snprintf(expected, sizeof expected, "%s/new/./file", folder);
    assert_string_equal(found, expected);
    assert_true(tide_path_is_within(found, folder));
    assert_true(tide_path_resolve(path_of("rooted/out/none"), found, sizeof found));
    assert_string_equal(found, "/etc/none");
    assert_false(tide_path_is_within(found, folder));
    assert_true(tide_path_resolve(path_of("rooted/../x"), found, sizeof found));
    assert_false(tide_path_is_within(found, folder));
    assert_false(tide_path_resolve(path_of("rooted/none/../../x"), found, sizeof found));
    assert_false(tide_path_resolve("", found, sizeof found));
    snprintf(expected, sizeof expected, "%s-other", folder);
    assert_false(tide_path_is_within(expected, folder));
    assert_true(tide_path_is_within("/a", "/"));
    assert_false(tide_path_is_within("/a", ""));
}

static tide_output *open_output(const char *path)
{
    tide_output *output = NULL;
    assert_ok(tide_output_open(path, path, TIDE_OUTPUT_ANY, &output, &error), error);
    return output;
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void test_outputs(void **state)
{
    (void)state;
    char path[400];
    struct stat info;
    snprintf(path, sizeof path, "%s", path_of("output.txt"));
    unlink(path);
    tide_output *output = open_output(path), *other = open_output(path);
    assert_false(exists(path));
    assert_true(tide_output_is_being_written(path));
    assert_string_not_equal(tide_output_name(output), tide_output_name(other));
    fputs("one", tide_output_stream(output));
    assert_ok(tide_output_close(output, &error), error);
    assert_true(exists(path));
    tide_output_discard(other);
    assert_false(tide_output_is_being_written(path));
    assert_int_equal(unfinished_files(path, NULL), 0);
    // The mode of a file that is replaced stays.
    chmod(path, 0604);
    assert_ok(tide_output_close(open_output(path), &error), error);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0604);
    // One that is published is there at once, and no other run publishes one there.
    output = open_output(path);
    assert_ok(tide_output_publish(output, &error), error);
    other = open_output(path);
    assert_fails(tide_output_publish(other, &error), error, "another run is writing this file");
    tide_output_discard(other);
    unlink(path);
    assert_fails(tide_output_close(output, &error), error, "was removed or replaced while it was written");
    // Does what a signal handler does.
    output = open_output(path);
    tide_output_remove_unfinished();
    assert_int_equal(unfinished_files(path, NULL), 0);
    tide_output_discard(output);
    // A link, a FIFO and a folder.
    assert_int_equal(symlink("elsewhere", path), 0);
    assert_fails(tide_output_open(path, "x", TIDE_OUTPUT_ANY, &output, &error), error, "x: is a symbolic link");
    unlink(path);
    assert_int_equal(mkfifo(path, 0666), 0);
    assert_fails(tide_output_open(path, "x", TIDE_OUTPUT_REGULAR, &output, &error), error, "a device, FIFO or socket");
    unlink(path);
    assert_fails(tide_output_open(tide_test_folder(), "x", TIDE_OUTPUT_ANY, &output, &error), error,
                 "a folder has this name");
    assert_ok(tide_output_close(open_output("/dev/null"), &error), error);
    // The name is so long that no ending fits.
    char name[260];
    memset(name, 'n', 255);
    name[255] = '\0';
    assert_ok(tide_output_close(open_output(path_of(name)), &error), error);
    assert_true(exists(path_of(name)));
    unlink(path_of(name));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_characters),
    cmocka_unit_test(test_paths),
    cmocka_unit_test(test_outputs),
};
TIDE_TEST_SUITE(base_output_file, tests)

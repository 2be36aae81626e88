// Inputs as lines of text: there and back to the last bit; hostile lines.
#include "tests.h"

#include "base/memory.h"
#include "base/random.h"
#include "session/inputs.h"

#include <math.h>
#include <string.h>

static tide_error error;

static const uint32_t springs[] = { 0, 7, 4294967295u };
static const tide_input_file files[] = { { "a \"b\".lua", "x\n\ty\\z\0\x01\xff end", 14 }, { "empty.lua", "", 0 } };
static const tide_input inputs[] = {
    { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "" },
    { .kind = TIDE_INPUT_PARAM, .name = "n", .text = "\"\\\n\r ", .files = files, .file_count = 2 },
    { .kind = TIDE_INPUT_SOLVER, .text = "newton,iterations=3" },
    { .kind = TIDE_INPUT_SOLVER, .text = "" },
    { .kind = TIDE_INPUT_TIMESTEP, .number = 1.0 / 3 },
    { .kind = TIDE_INPUT_KEY, .text = "left shift" },
    { .kind = TIDE_INPUT_CLICK, .point = { 1e-300, 123.456789012345678 }, .button = 32 },
    { .kind = TIDE_INPUT_PIN, .name = "b", .vertex = 4294967295u },
    { .kind = TIDE_INPUT_UNPIN, .name = "\xc3\xa4", .vertex = 0 },
    { .kind = TIDE_INPUT_DRAG_BEGIN,
      .name = "b",
      .grip = TIDE_GRIP_EDGE,
      .vertex = 3,
      .other = 5,
      .number = 1e15,
      .point = { -1e9, 5e-324, 0.1 } },
    { .kind = TIDE_INPUT_DRAG_MOVE, .point = { 0.1 + 0.2, -0.0, 1e9 } },
    { .kind = TIDE_INPUT_DRAG_END },
    { .kind = TIDE_INPUT_CUT, .name = "b", .elements = springs, .element_count = 3 },
    { .kind = TIDE_INPUT_OPEN, .name = "b", .elements = springs, .element_count = 2 },
    { .kind = TIDE_INPUT_MOVE_COLLIDER, .name = "c", .point = { 1, 2, 3 } },
    { .kind = TIDE_INPUT_RELOAD, .files = files, .file_count = 2 },
    { .kind = TIDE_INPUT_RESET },
    { .kind = TIDE_INPUT_REWIND, .frame = UINT64_MAX },
    { .kind = TIDE_INPUT_RESTORE, .text = "bytes\0with zeros", .size = 16 },
    { .kind = TIDE_INPUT_CONSOLE, .text = "x = \"\\\"\n\t\x01y\"", .files = files, .file_count = 2 },
    { .kind = TIDE_INPUT_CONSOLE, .text = "" },
    { .kind = TIDE_INPUT_COLLIDER, .name = "c", .text = "restitution", .number = 0.1 + 0.2 },
};
enum { COUNT = sizeof inputs / sizeof *inputs };

static void assert_same_text(const char *a, const char *b)
{
    assert_string_equal(a ? a : "", b ? b : "");
}

static void assert_same(const tide_input *a, const tide_input *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_same_text(a->name, b->name);
    assert_int_equal(a->size, b->size);
    if (a->size)
        assert_memory_equal(a->text, b->text, a->size);
    else
        assert_same_text(a->text, b->text);
    assert_memory_equal(&a->number, &b->number, sizeof a->number);
    assert_memory_equal(a->point, b->point, sizeof a->point);
    assert_true(a->frame == b->frame && a->vertex == b->vertex && a->other == b->other && a->button == b->button &&
                a->grip == b->grip && a->element_count == b->element_count && a->file_count == b->file_count);
    if (a->element_count)
        assert_memory_equal(a->elements, b->elements, a->element_count * sizeof *a->elements);
    for (uint32_t f = 0; f < a->file_count; f++) {
        assert_string_equal(a->files[f].path, b->files[f].path);
        assert_int_equal(a->files[f].size, b->files[f].size);
        assert_memory_equal(a->files[f].text, b->files[f].text, a->files[f].size);
    }
}

static void test_there_and_back(void **state)
{
    (void)state;
    bool seen[TIDE_INPUT_KINDS] = { false };
    uint64_t blocks = tide_memory_count().blocks;
    for (size_t i = 0; i < COUNT; i++) {
        tide_text line = { 0 };
        tide_input read, copy;
        tide_input_write(&inputs[i], &line);
        assert_false(line.failed);
        assert_null(memchr(line.bytes, '\n', line.length));
        assert_int_equal(strlen(line.bytes), line.length);
        assert_ok(tide_input_read(line.bytes, &read, &error), error);
        assert_same(&inputs[i], &read);
        assert_ok(tide_input_copy(&read, &copy, &error), error);
        tide_input_free(&read);
        assert_same(&inputs[i], &copy);
        tide_input_free(&copy);
        tide_text_free(&line);
        seen[inputs[i].kind] = true;
    }
    for (int k = TIDE_INPUT_NONE + 1; k < TIDE_INPUT_KINDS; k++)
        assert_true(seen[k]);
    assert_int_equal(tide_memory_count().blocks, blocks);
}

static void test_checks(void **state)
{
    (void)state;
    static const struct {
        tide_input input;
        const char *message;
    } cases[] = {
        { { .kind = TIDE_INPUT_NONE }, "no known kind" },
        { { .kind = (tide_input_kind)99 }, "no known kind" },
        { { .kind = (tide_input_kind)-1 }, "no known kind" },
        { { .kind = TIDE_INPUT_PARAM, .text = "5" }, "a name" },
        { { .kind = TIDE_INPUT_PARAM, .name = "a" }, "a text" },
        { { .kind = TIDE_INPUT_KEY, .text = "" }, "a name" },
        { { .kind = TIDE_INPUT_TIMESTEP, .number = 10.5 }, "a timestep" },
        { { .kind = TIDE_INPUT_TIMESTEP, .number = NAN }, "a timestep" },
        { { .kind = TIDE_INPUT_DRAG_BEGIN, .name = "b", .number = INFINITY }, "a stiffness" },
        { { .kind = TIDE_INPUT_DRAG_BEGIN, .name = "b", .number = 1, .grip = 3 }, "vertex, edge or body" },
        { { .kind = TIDE_INPUT_DRAG_MOVE, .point = { 0, NAN, 0 } }, "finite coordinates" },
        { { .kind = TIDE_INPUT_MOVE_COLLIDER, .name = "b", .point = { 0, 0, -2e9 } }, "finite coordinates" },
        { { .kind = TIDE_INPUT_CLICK, .button = 0 }, "1 to 32" },
        { { .kind = TIDE_INPUT_CUT, .name = "b" }, "some elements" },
        { { .kind = TIDE_INPUT_RELOAD, .file_count = 1 }, "a list of files" },
        { { .kind = TIDE_INPUT_RESTORE }, "a world" },
        { { .kind = TIDE_INPUT_CONSOLE }, "a text" },
        { { .kind = TIDE_INPUT_CONSOLE, .text = "x", .file_count = 1 }, "a list of files" },
        { { .kind = TIDE_INPUT_COLLIDER, .name = "c", .text = "colour" }, "friction, restitution or thickness" },
        { { .kind = TIDE_INPUT_COLLIDER, .name = "c", .number = 1 }, "a text" },
        { { .kind = TIDE_INPUT_COLLIDER, .text = "friction" }, "a name" },
        { { .kind = TIDE_INPUT_COLLIDER, .name = "c", .text = "friction", .number = NAN }, "a finite friction" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_fails(tide_input_check(&cases[i].input, &error), error, cases[i].message);
}

// Any bytes: an error, or an input that is written as a line which is read as the same.
static void test_random_lines(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(11);
    uint64_t blocks = tide_memory_count().blocks;
    int read_well = 0;
    for (int i = 0; i < 40000; i++) {
        tide_text line = { 0 };
        tide_input_write(&inputs[tide_random_next(&random) % COUNT], &line);
        for (int changes = 1 + (int)(tide_random_next(&random) % 3); changes; changes--)
            line.bytes[tide_random_next(&random) % line.length] =
                i % 2 ? "0123456789 \"\\nx.-e"[tide_random_next(&random) % 18] : (char)(tide_random_next(&random) | 1);
        tide_input read, again;
        if (tide_input_read(line.bytes, &read, &error) == TIDE_OK) {
            read_well++;
            tide_text_clear(&line);
            tide_input_write(&read, &line);
            assert_ok(tide_input_read(line.bytes, &again, &error), error);
            assert_same(&read, &again);
            tide_input_free(&again);
            tide_input_free(&read);
        }
        tide_text_free(&line);
    }
    assert_true(read_well > 2000);
    assert_int_equal(tide_memory_count().blocks, blocks);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_there_and_back),
    cmocka_unit_test(test_checks),
    cmocka_unit_test(test_random_lines),
};
TIDE_TEST_SUITE(session_inputs, tests)

// Markdown: the marks of a document.
#include "base/memory.h"
#include "base/text.h"
#include "formats/markdown.h"
#include "tests.h"

#include <string.h>

static tide_error error;

// Writes a document's marks as words: (kind text ... ).
static char *marks_of(const char *markdown)
{
    static const char *const names[] = { "text",   "formula",  "soft",    "hard", "rule",   "heading", "paragraph",
                                         "quote",  "list",     "item",    "code", "table",  "row",     "cell",
                                         "strong", "emphasis", "literal", "link", "picture" };
    tide_document *document;
    tide_text text = { 0 };
    assert_ok(tide_markdown_read(markdown, strlen(markdown), &document, &error), error);
    for (size_t i = 0; i < document->count; i++) {
        const tide_mark *mark = &document->marks[i];
        assert_non_null(mark->text);
        if (mark->closes)
            tide_text_format(&text, ")");
        else if (mark->kind < TIDE_MARK_HEADING)
            tide_text_format(&text, "[%s%s %s]", names[mark->kind], mark->level ? "!" : "", mark->text);
        else
            tide_text_format(&text, "(%s%d %s", names[mark->kind], (int)mark->level, mark->text);
    }
    tide_document_free(document);
    tide_text_add(&text, "", 1);
    return text.bytes;
}

static void assert_marks(const char *markdown, const char *expected)
{
    char *marks = marks_of(markdown);
    assert_string_equal(marks, expected);
    tide_free(marks);
}

static void test_blocks(void **state)
{
    (void)state;
    assert_marks("# One\n\ntwo\nlines", "(heading1 [text One])(paragraph0 [text two][soft ][text lines])");
    assert_marks("3. a\n4. b", "(list3 (item0 [text a])(item0 [text b]))");
    assert_marks("- a", "(list-1 (item0 [text a]))");
    assert_marks("```lua\nx = 1\n```", "(code0 lua[text x = 1\n])");
    assert_marks("| a |\n|---|\n| b |", "(table0 (row0 (cell1 [text a]))(row0 (cell0 [text b])))");
    assert_marks("> q\n\n---", "(quote0 (paragraph0 [text q]))[rule ]");
}

static void test_spans(void **state)
{
    (void)state;
    assert_marks("**a** *b* `c`",
                 "(paragraph0 (strong0 [text a])[text  ](emphasis0 [text b])[text  ](literal0 [text c]))");
    assert_marks("[a](b.md)", "(paragraph0 (link0 b.md[text a]))");
    assert_marks("![a](b.png)", "(paragraph0 (picture0 b.png[text a]))");
    assert_marks("a &amp; b &lt; <b>", "(paragraph0 [text a & b < <b>])");
    assert_marks("", "");
}

// What is in a formula is no Markdown.
static void test_formulas(void **state)
{
    (void)state;
    assert_marks("$a_1 * b_2 * c$", "(paragraph0 [formula a_1 * b_2 * c])");
    assert_marks("$$x\ny$$", "(paragraph0 [formula! x y])");
    assert_marks("$\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}$",
                 "(paragraph0 [formula \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}])");
    assert_marks("it costs 5$", "(paragraph0 [text it costs 5$])");
}

static void test_title(void **state)
{
    (void)state;
    static const char text[] = "words\n\n## 1. The *first* & $x$\n\n# second";
    tide_document *document;
    assert_ok(tide_markdown_read(text, sizeof text - 1, &document, &error), error);
    char *title = tide_document_title(document);
    assert_string_equal(title, "1. The first & x");
    tide_free(title);
    tide_document_free(document);
}

static uint32_t countdown;

static bool fail_at(size_t size, void *context)
{
    (void)size;
    (void)context;
    return countdown-- == 0;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    static const char text[] = "# a\n\n$x^2$ *b* `c`\n\n- d\n- e\n\n| f |\n|---|\n| g |\n";
    size_t before = tide_memory_count().blocks;
    tide_status status = TIDE_ERROR_MEMORY;
    for (uint32_t n = 0; status != TIDE_OK; n++) {
        tide_document *document = NULL;
        countdown = n;
        tide_memory_set_failure_hook(fail_at, NULL);
        status = tide_markdown_read(text, sizeof text - 1, &document, &error);
        tide_memory_set_failure_hook(NULL, NULL);
        assert_true(status == TIDE_OK || status == TIDE_ERROR_MEMORY);
        tide_document_free(document);
        assert_int_equal(tide_memory_count().blocks, before);
        assert_true(n < 1000);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_blocks),
    cmocka_unit_test(test_spans),
    cmocka_unit_test(test_formulas),
    cmocka_unit_test(test_title),
    cmocka_unit_test(test_every_allocation_may_fail),
};
TIDE_TEST_SUITE(markdown, tests)

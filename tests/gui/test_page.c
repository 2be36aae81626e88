// Pages: documents and formulas laid out for reading.
#include "base/memory.h"
#include "draw/font.h"
#include "gui/page.h"
#include "gui/page_formula.h"
#include "tests.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static tide_error error;

// --- formulas --------------------------------------------------------------------------------------------------------

static tide_page_items items;

static tide_page_box lay(const char *latex, bool display)
{
    tide_formula *formula;
    assert_ok(tide_formula_read(latex, &formula, &error), error);
    items.count = 0;
    tide_page_box box = tide_page_add_formula(&items, formula, 28, display);
    tide_formula_free(formula);
    assert_false(items.failed);
    return box;
}

static const tide_page_item *glyph(uint32_t character)
{
    for (uint32_t i = 0; i < items.count; i++)
        if (items.items[i].character == character)
            return &items.items[i];
    print_error("there is no U+%04x\n", character);
    fail();
    return NULL;
}

static int free_items(void **state)
{
    (void)state;
    tide_free(items.items);
    items = (tide_page_items) { 0 };
    return 0;
}

static void test_a_fraction(void **state)
{
    (void)state;
    lay("\\frac{a}{b}", true);
    const tide_page_item *bar = glyph(0);
    assert_true(glyph('a')->y < bar->y && bar->y < glyph('b')->y - 10);
    assert_near(glyph('a')->x, glyph('b')->x, 2);
    assert_true(bar->x < glyph('a')->x && bar->x + bar->across > glyph('a')->x + 10);
    float size = glyph('a')->size;
    lay("\\frac{a}{b}", false);
    assert_true(glyph('a')->size < size); // within a line it is smaller
}

static void test_scripts(void **state)
{
    (void)state;
    lay("x_i^2", false);
    const tide_page_item *x = glyph('x'), *above = glyph('2'), *below = glyph('i');
    assert_near(x->y, 0, 1e-6);
    assert_true(above->y < -6 && below->y > 2);
    assert_true(above->size < x->size && below->size < x->size);
    assert_true(above->x > x->x + 8 && below->x > x->x + 8);
    assert_true(x->slanted && !above->slanted);
    lay("\\sum_i^n", true);
    assert_true(glyph('i')->y > 15 && glyph('n')->y < -25); // below the sign and above it
    assert_near(glyph('i')->x, glyph('n')->x, 12);
    lay("\\sum_i^n", false);
    assert_true(glyph('i')->x > glyph(0x2211)->x + 10); // beside it
}

static void test_fences_are_as_high_as_what_they_hold(void **state)
{
    (void)state;
    lay("(x)", true);
    float low = glyph('(')->down;
    tide_page_box box = lay("\\left( \\frac{a}{b} \\right)", true);
    assert_true(glyph('(')->down > 1.3f * low);
    assert_true(box.above > -glyph('a')->y && box.below > glyph('b')->y);
}

static void test_a_matrix(void **state)
{
    (void)state;
    lay("\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}", true);
    assert_near(glyph('a')->y, glyph('b')->y, 1e-4);
    assert_true(glyph('c')->y > glyph('a')->y + 15);
    assert_true(glyph('b')->x > glyph('a')->x + 20);
    assert_near(glyph('b')->x, glyph('d')->x, 3);
    assert_true(glyph('(')->x < glyph('a')->x && glyph(')')->x > glyph('d')->x);
}

static void test_a_sign_is_nearer_than_an_operator(void **state)
{
    (void)state;
    float spaced = lay("a - b", false).width - lay("ab", false).width, sign = lay("-b", false).width;
    assert_true(spaced > sign - lay("b", false).width + 5);
}

// What the lessons write has a glyph of its own, and not the box for unknown ones.
static void test_every_symbol_has_a_glyph(void **state)
{
    (void)state;
    static const char *const names[] = {
        "alpha",  "beta",  "gamma",  "delta",  "epsilon",    "zeta",   "eta",    "theta",  "kappa",
        "lambda", "mu",    "nu",     "xi",     "pi",         "rho",    "sigma",  "tau",    "phi",
        "chi",    "psi",   "omega",  "ell",    "Gamma",      "Delta",  "Theta",  "Lambda", "Xi",
        "Pi",     "Sigma", "Phi",    "Psi",    "Omega",      "cdot",   "times",  "pm",     "circ",
        "sum",    "prod",  "int",    "infty",  "partial",    "nabla",  "le",     "ge",     "ne",
        "ll",     "gg",    "approx", "equiv",  "sim",        "propto", "perp",   "mid",    "in",
        "to",     "gets",  "|",      "langle", "rangle",     "dots",   "cdots",  "vdots",  "ddots",
        "prime",  "top",   "forall", "mapsto", "Rightarrow", "iff",    "otimes", "subset",
    };
    tide_font_stroke box[TIDE_FONT_MAX_STROKES], strokes[TIDE_FONT_MAX_STROKES];
    float advance;
    uint32_t count = tide_font_strokes(0xfffd, box, &advance);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const tide_symbol *symbol = tide_symbol_find(names[i], strlen(names[i]));
        assert_non_null(symbol);
        for (const char *text = symbol->text; *text;) {
            uint32_t own = tide_font_strokes(tide_font_next(&text), strokes, &advance);
            if (own == count && memcmp(box, strokes, count * sizeof *box) == 0) {
                print_error("\\%s has no glyph\n", names[i]);
                fail();
            }
        }
    }
}

// --- pages -----------------------------------------------------------------------------------------------------------

static const char everything[] =
    "# A heading that is long enough to be wrapped\n\nWords, *emphasis*, **strength**, `code` and $E = \\frac{k}{2} "
    "s^2$; a "
    "word_without_any_end_that_is_wider_than_the_page_whatever_its_width_may_be_since_it_has_no_space_at_all.\n\n"
    "$$\\sum_{i=1}^n \\frac{\\partial E}{\\partial x_i} \\begin{pmatrix} a & b & c & d & e \\\\ f & g & h & i & j "
    "\\end{pmatrix} = \\mathbf{A}^{-1} \\mathbf{b} + \\sqrt{a + b + c + d + e}, \\quad x = y, \\quad z = w$$\n\n"
    "and $a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + t + u + v + w$ in a line\n\n"
    "- one\n- two\n  1. three\n  2. four\n\n> a quotation\n\n| method | order | stable |\n|---|---|---|\n"
    "| explicit Euler | 1 | $h < 2 / \\omega$ |\n\n```\na line of code that is much longer than the page is wide, "
    "whatever\n"
    "```\n\n---\n\n[a link](x) ![a picture](y.png)\n";

static tide_page *page_of(const char *markdown, float width, float text)
{
    tide_document *document;
    tide_page *page;
    assert_ok(tide_markdown_read(markdown, strlen(markdown), &document, &error), error);
    assert_ok(tide_page_create(document, width, text, &page, &error), error);
    tide_document_free(document);
    return page;
}

static bool is_ground(const uint8_t *pixel)
{
    return pixel[0] == 0x17 && pixel[1] == 0x1b && pixel[2] == 0x22;
}

// The margin at the right stays free for any width and size of text, and something is drawn.
static void test_nothing_is_cut_off(void **state)
{
    (void)state;
    for (int width = 160; width <= 640; width += 60)
        for (int text = 12; text <= 24; text += 6) {
            tide_page *page = page_of(everything, (float)width, (float)text);
            size_t inked = 0;
            for (uint32_t i = 0; i < tide_page_strips(page); i++) {
                const tide_image *strip = tide_page_strip(page, i);
                assert_non_null(strip);
                for (uint32_t y = 0; y < strip->height; y++) {
                    const uint8_t *row = strip->pixels + 4 * (size_t)y * strip->width;
                    for (uint32_t x = 0; x < strip->width; x++)
                        inked += !is_ground(row + 4 * x);
                    for (uint32_t x = strip->width - 2; x < strip->width; x++)
                        if (!is_ground(row + 4 * x)) {
                            print_error("width %d, text %d: ink at the edge, at y = %u\n", width, text,
                                        i * TIDE_PAGE_STRIP + y);
                            fail();
                        }
                }
            }
            assert_true(inked > 5000);
            tide_page_destroy(page);
        }
}

static void test_a_narrow_page_is_higher(void **state)
{
    (void)state;
    tide_page *wide = page_of(everything, 600, 15), *narrow = page_of(everything, 300, 15);
    assert_true(tide_page_height(narrow) > 1.3 * tide_page_height(wide));
    assert_int_equal(tide_page_strips(wide), (tide_page_height(wide) + TIDE_PAGE_STRIP - 1) / TIDE_PAGE_STRIP);
    assert_ptr_equal(tide_page_strip(wide, 0), tide_page_strip(wide, 0));
    tide_page_destroy(wide);
    tide_page_destroy(narrow);
    tide_page *empty = page_of("", 300, 15);
    assert_int_equal(tide_page_strips(empty), 1);
    tide_page_destroy(empty);
}

// A formula that cannot be read stands as it is written.
static void test_a_bad_formula(void **state)
{
    (void)state;
    tide_page *page = page_of("$\\unknown{x}$", 300, 15);
    size_t inked = 0;
    const tide_image *strip = tide_page_strip(page, 0);
    for (size_t i = 0; i < (size_t)strip->width * strip->height; i++)
        inked += !is_ground(strip->pixels + 4 * i);
    assert_true(inked > 100);
    tide_page_destroy(page);
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
    tide_document *document;
    assert_ok(tide_markdown_read(everything, strlen(everything), &document, &error), error);
    size_t before = tide_memory_count().blocks;
    tide_status status = TIDE_ERROR_MEMORY;
    for (uint32_t n = 0; status != TIDE_OK; n += n < 60 ? 1 : 23) {
        tide_page *page = NULL;
        countdown = n;
        tide_memory_set_failure_hook(fail_at, NULL);
        status = tide_page_create(document, 300, 15, &page, &error);
        bool over = countdown > n; // the failure was behind the last allocation
        tide_memory_set_failure_hook(NULL, NULL);
        assert_true(status == TIDE_OK || status == TIDE_ERROR_MEMORY);
        tide_page_destroy(page);
        assert_int_equal(tide_memory_count().blocks, before);
        if (status == TIDE_OK && over) // a formula that had no memory stood as it is written
            status = TIDE_ERROR_MEMORY;
        assert_true(n < 100000);
    }
    tide_document_free(document);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(test_a_fraction, free_items),
    cmocka_unit_test_teardown(test_scripts, free_items),
    cmocka_unit_test_teardown(test_fences_are_as_high_as_what_they_hold, free_items),
    cmocka_unit_test_teardown(test_a_matrix, free_items),
    cmocka_unit_test_teardown(test_a_sign_is_nearer_than_an_operator, free_items),
    cmocka_unit_test(test_every_symbol_has_a_glyph),
    cmocka_unit_test(test_nothing_is_cut_off),
    cmocka_unit_test(test_a_narrow_page_is_higher),
    cmocka_unit_test(test_a_bad_formula),
    cmocka_unit_test(test_every_allocation_may_fail),
};
TIDE_TEST_SUITE(page, tests)

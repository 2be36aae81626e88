// Formulas: what is read, what is refused, and the MathML that is written.
#include "base/memory.h"
#include "formats/formula.h"
#include "tests.h"

#include <stdio.h>
#include <string.h>

static tide_error error;

static char *mathml_of(const char *latex)
{
    tide_formula *formula;
    tide_text text = { 0 };
    assert_ok(tide_formula_read(latex, &formula, &error), error);
    tide_formula_write_mathml(formula, false, &text);
    tide_formula_free(formula);
    assert_false(text.failed);
    return text.bytes;
}

static void assert_contains(const char *latex, const char *part)
{
    char *text = mathml_of(latex);
    if (!strstr(text, part)) {
        print_error("%s gives %s, without %s\n", latex, text, part);
        fail();
    }
    tide_free(text);
}

static void test_parts(void **state)
{
    (void)state;
    assert_contains("\\frac{k}{2}", "<mfrac><mrow><mi>k</mi></mrow><mrow><mn>2</mn></mrow></mfrac>");
    assert_contains("x_i^2", "<msubsup><mrow><mi>x</mi></mrow><mi>i</mi><mn>2</mn></msubsup>");
    assert_contains("x^2_i", "<msubsup><mrow><mi>x</mi></mrow><mi>i</mi><mn>2</mn></msubsup>");
    assert_contains("x'", "<msup><mrow><mi>x</mi></mrow><mn>′</mn></msup>");
    assert_contains("\\sqrt{2}", "<msqrt>");
    assert_contains("\\sum_{i=1}^n", "<munderover>");
    assert_contains("\\int_0^1", "<msubsup>");
    assert_contains("\\min_x", "<munder>");
    assert_contains("\\hat{x}", "<mover accent=\"true\"><mrow><mi>x</mi></mrow><mo stretchy=\"false\">^</mo></mover>");
    assert_contains("\\mathbf{x}", "font-weight:bold");
    assert_contains("\\text{if } x", "<mtext>if </mtext>");
    assert_contains("\\left( x \\right.", "<mo fence=\"true\" stretchy=\"true\" form=\"prefix\">(</mo>");
    assert_contains("\\begin{pmatrix} a & b \\\\ c \\end{pmatrix}",
                    "<mtr><mtd><mrow><mi>c</mi></mrow></mtd><mtd><mrow></mrow></mtd></mtr>");
    assert_contains("1.5", "<mn>1.5</mn>");
    assert_contains("a < b", "<mo>&lt;</mo>");
    assert_contains("\\alpha", "<mi>α</mi>");
}

// A minus that has nothing before it is a sign, without space.
static void test_signs(void **state)
{
    (void)state;
    assert_contains("a - b", "<mo>−</mo>");
    assert_contains("-b", "form=\"prefix\"");
    assert_contains("a = -b", "<mo>=</mo><mo form=\"prefix\" lspace=\"0\" rspace=\"0\">−</mo>");
    assert_contains("(-b)", "form=\"prefix\"");
}

// Every symbol, accent and environment of the lessons' subset.
static void test_the_subset(void **state)
{
    (void)state;
    static const char *const formulas[] = {
        "E(\\mathbf{x}) = \\frac{k}{2} \\left( \\| \\mathbf{a} - \\mathbf{b} \\| - r \\right)^2",
        "\\partial \\nabla \\cdot \\times \\le \\ge \\ne \\approx \\pm \\infty \\to \\in \\min \\max \\sin \\cos \\log "
        "\\det "
        "\\tr",
        "\\hat{a} \\bar{a} \\dot{a} \\tilde{a} \\mathrm{ext} \\quad \\dots \\mathbf{A}^T \\mathbf{A}^{-1}",
        "\\left[ \\frac{a}{b} \\right] \\left\\| x \\right\\| \\left| x \\right|",
        "\\alpha \\beta \\gamma \\delta \\epsilon \\zeta \\eta \\theta \\kappa \\lambda \\mu \\nu \\xi \\pi \\rho "
        "\\sigma "
        "\\tau \\phi \\chi \\psi \\omega \\Gamma \\Delta \\Theta \\Lambda \\Xi \\Pi \\Sigma \\Phi \\Psi \\Omega",
        "\\begin{cases} 1 & x > 0 \\\\ 0 & \\text{else} \\end{cases}",
        "\\begin{aligned} a &= b \\\\ &= c \\\\ \\end{aligned}",
        "",
    };
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        tide_free(mathml_of(formulas[i]));
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *latex, *part;
    } cases[] = {
        { "\\unknown", "\\unknown: unknown command" },
        { "\\frac{a}", "something is missing" },
        { "{a", "never closed" },
        { "a}", "where nothing is open" },
        { "a & b", "where nothing is open" },
        { "\\left( a", "never closed" },
        { "\\right)", "where nothing is open" },
        { "\\left x", "\\left and \\right take" },
        { "\\begin{pmatrix} a \\end{bmatrix}", "ends with another" },
        { "\\begin{tikz} a \\end{tikz}", "unknown environment" },
        { "\\begin{pmatrix} a", "never closed" },
        { "x^2^3", "two scripts" },
        { "x^", "something is missing" },
        { "\\text x", "a word in braces" },
        { "\\", "unknown command" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tide_formula *formula;
        assert_fails(tide_formula_read(cases[i].latex, &formula, &error), error, cases[i].part);
    }
}

static void test_deep(void **state)
{
    (void)state;
    char deep[4000] = "";
    tide_formula *formula;
    for (int i = 0; i < 300; i++)
        strcat(deep, "\\sqrt{");
    assert_fails(tide_formula_read(deep, &formula, &error), error, "nested too deeply");
}

// Bytes at random, and pieces of formulas: read or refused, and nothing is lost.
static void test_hostile(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "\\frac",         "{",       "}",        "^", "_",     "&",       "\\\\", "\\begin{pmatrix}",
        "\\end{pmatrix}", "\\left(", "\\right)", "x", "\\hat", "\\text{", "\xff", "'",
        "\\sum",          "\\quad"
    };
    uint32_t random = 7;
    size_t before = tide_memory_count().blocks;
    for (int trial = 0; trial < 20000; trial++) {
        char latex[400] = "";
        tide_formula *formula;
        for (int i = 0; i < 1 + trial % 20; i++) {
            random = random * 1664525 + 1013904223;
            strcat(latex, pieces[(random >> 16) % (sizeof pieces / sizeof *pieces)]);
        }
        if (tide_formula_read(latex, &formula, &error) != TIDE_OK)
            continue;
        tide_text text = { 0 };
        tide_formula_write_mathml(formula, true, &text);
        tide_formula_free(formula);
        tide_text_free(&text);
    }
    assert_int_equal(tide_memory_count().blocks, before);
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
    size_t before = tide_memory_count().blocks;
    tide_status status = TIDE_ERROR_MEMORY;
    for (uint32_t n = 0; status != TIDE_OK; n++) {
        tide_formula *formula = NULL;
        countdown = n;
        tide_memory_set_failure_hook(fail_at, NULL);
        status = tide_formula_read("\\begin{pmatrix} a_1 & \\frac{1}{2} \\\\ c \\end{pmatrix} \\left( x_2' \\right)",
                                   &formula, &error);
        tide_memory_set_failure_hook(NULL, NULL);
        assert_true(status == TIDE_OK || status == TIDE_ERROR_MEMORY);
        tide_formula_free(status == TIDE_OK ? formula : NULL);
        assert_int_equal(tide_memory_count().blocks, before);
        assert_true(n < 1000);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_parts),
    cmocka_unit_test(test_signs),
    cmocka_unit_test(test_the_subset),
    cmocka_unit_test(test_refused),
    cmocka_unit_test(test_deep),
    cmocka_unit_test(test_hostile),
    cmocka_unit_test(test_every_allocation_may_fail),
};
TIDE_TEST_SUITE(formula, tests)

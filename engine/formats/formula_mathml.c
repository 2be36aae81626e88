// Writes formulas as MathML Core.
#include "formats/formula.h"

#include <string.h>

static void write(const tide_formula *formula, tide_text *text);

void tide_html_add_text(tide_text *html, const char *bytes)
{
    for (const char *c = bytes; *c; c++) {
        const char *with = *c == '&'                                       ? "&amp;"
                           : *c == '<'                                     ? "&lt;"
                           : *c == '>'                                     ? "&gt;"
                           : *c == '"'                                     ? "&quot;"
                           : *c == '\''                                    ? "&#39;"
                           : (unsigned char)*c < 32 && !strchr("\n\t", *c) ? ""
                                                                           : NULL;
        tide_text_add(html, with ? with : c, with ? strlen(with) : 1);
    }
}

static void add(tide_text *text, const char *markup)
{
    tide_text_add(text, markup, strlen(markup));
}

void tide_html_add_element(tide_text *html, const char *open, const char *bytes, const char *close)
{
    add(html, open);
    tide_html_add_text(html, bytes);
    add(html, close);
}

static void write_symbol(const tide_formula *formula, tide_text *text)
{
    const char *bold = formula->bold ? " style=\"font-weight:bold\"" : "";
    switch (formula->symbol) {
    case TIDE_SYMBOL_VARIABLE:
        tide_html_add_element(text, "<mi>", formula->text, "</mi>");
        break;
    case TIDE_SYMBOL_NUMBER:
        tide_text_format(text, "<mn%s>", bold);
        tide_html_add_element(text, "", formula->text, "</mn>");
        break;
    case TIDE_SYMBOL_WORD:
        if (formula->bold) {
            tide_text_format(text, "<mi mathvariant=\"normal\"%s>", bold);
            tide_html_add_element(text, "", formula->text, "</mi>");
        } else
            tide_html_add_element(text, "<mtext>", formula->text, "</mtext>");
        break;
    case TIDE_SYMBOL_FUNCTION:
        tide_html_add_element(text, "<mi mathvariant=\"normal\">", formula->text, "</mi><mspace width=\"0.17em\"/>");
        break;
    case TIDE_SYMBOL_PREFIX:
        tide_html_add_element(text, "<mo form=\"prefix\" lspace=\"0\" rspace=\"0\">", formula->text, "</mo>");
        break;
    case TIDE_SYMBOL_OPENING:
    case TIDE_SYMBOL_CLOSING:
        tide_html_add_element(text, "<mo stretchy=\"false\">", formula->text, "</mo>");
        break;
    case TIDE_SYMBOL_PUNCTUATION:
        tide_html_add_element(text, "<mo separator=\"true\">", formula->text, "</mo>");
        break;
    default:
        tide_html_add_element(text, "<mo>", formula->text, "</mo>");
    }
}

static bool is_empty(const tide_formula *formula)
{
    return formula->kind == TIDE_FORMULA_ROW && !formula->child;
}

static void write_scripts(const tide_formula *formula, tide_text *text)
{
    const tide_formula *base = formula->child, *below = base->next, *above = below->next;
    bool under = base->kind == TIDE_FORMULA_SYMBOL &&
                 ((base->symbol == TIDE_SYMBOL_LARGE && strcmp(base->text, "∫") != 0) ||
                  (base->symbol == TIDE_SYMBOL_FUNCTION && is_empty(above) && strcmp(base->text, "log") != 0));
    const char *name = is_empty(above)   ? under ? "munder" : "msub"
                       : is_empty(below) ? under ? "mover" : "msup"
                       : under           ? "munderover"
                                         : "msubsup";
    tide_text_format(text, "<%s>", name);
    tide_html_add_element(text, "<mrow>", "", "");
    write(base, text);
    add(text, "</mrow>");
    if (!is_empty(below))
        write(below, text);
    if (!is_empty(above))
        write(above, text);
    tide_text_format(text, "</%s>", name);
}

static void write_fence(tide_text *text, const char *fence, const char *form)
{
    if (!fence[0])
        return;
    tide_text_format(text, "<mo fence=\"true\" stretchy=\"true\" form=\"%s\">", form);
    tide_html_add_element(text, "", fence, "</mo>");
}

static void write_matrix(const tide_formula *formula, tide_text *text)
{
    uint32_t column = 0;
    add(text, "<mtable>");
    for (const tide_formula *cell = formula->child; cell; cell = cell->next) {
        const char *style = formula->aligned ? column % 2 ? " style=\"text-align:left;padding:0.2em 0\""
                                                          : " style=\"text-align:right;padding:0.2em 0\""
                            : formula->left  ? " style=\"text-align:left\""
                                             : "";
        if (column == 0)
            add(text, "<mtr>");
        tide_text_format(text, "<mtd%s>", style);
        write(cell, text);
        add(text, "</mtd>");
        column = (column + 1) % formula->columns;
        if (column == 0)
            add(text, "</mtr>");
    }
    add(text, "</mtable>");
}

static void write_children(const tide_formula *formula, tide_text *text, const char *open, const char *close)
{
    add(text, open);
    for (const tide_formula *child = formula->child; child; child = child->next)
        write(child, text);
    add(text, close);
}

static void write(const tide_formula *formula, tide_text *text)
{
    switch (formula->kind) {
    case TIDE_FORMULA_ROW:
        write_children(formula, text, "<mrow>", "</mrow>");
        break;
    case TIDE_FORMULA_SYMBOL:
        write_symbol(formula, text);
        break;
    case TIDE_FORMULA_SPACE:
        tide_text_format(text, "<mspace width=\"%.2fem\"/>", (double)formula->space);
        break;
    case TIDE_FORMULA_FRACTION:
        write_children(formula, text, "<mfrac>", "</mfrac>");
        break;
    case TIDE_FORMULA_ROOT:
        write_children(formula, text, "<msqrt>", "</msqrt>");
        break;
    case TIDE_FORMULA_SCRIPTS:
        write_scripts(formula, text);
        break;
    case TIDE_FORMULA_ACCENT:
        write_children(formula, text, "<mover accent=\"true\">", "");
        tide_html_add_element(text, "<mo stretchy=\"false\">", formula->text, "</mo></mover>");
        break;
    case TIDE_FORMULA_FENCED:
        add(text, "<mrow>");
        write_fence(text, formula->text, "prefix");
        write(formula->child, text);
        write_fence(text, formula->closing, "postfix");
        add(text, "</mrow>");
        break;
    case TIDE_FORMULA_MATRIX:
        write_matrix(formula, text);
        break;
    }
}

void tide_formula_write_mathml(const tide_formula *formula, bool display, tide_text *text)
{
    tide_text_format(text, "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"%s>",
                     display ? " display=\"block\"" : "");
    write(formula, text);
    add(text, "</math>");
}

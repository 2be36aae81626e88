// Formulas in a subset of LaTeX, read into a tree: letters, numbers, operators, ^ and _, \frac \sqrt \sum \int, Greek
// letters, accents, \left \right, \text \mathbf \mathrm, and the environments pmatrix, bmatrix, vmatrix, matrix, cases,
// aligned. formula_symbols.c has the names of symbols.
#ifndef TIDE_FORMATS_FORMULA_H
#define TIDE_FORMATS_FORMULA_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum tide_formula_kind {
    TIDE_FORMULA_ROW, // its children, one after another
    TIDE_FORMULA_SYMBOL,
    TIDE_FORMULA_SPACE,    // `space` em wide
    TIDE_FORMULA_FRACTION, // numerator, denominator
    TIDE_FORMULA_ROOT,     // radicand
    TIDE_FORMULA_SCRIPTS,  // base, subscript, superscript; a missing script is an empty row
    TIDE_FORMULA_ACCENT,   // what is under the accent `text`
    TIDE_FORMULA_FENCED,   // what is between `text` and `closing`, which are as high; "" is no fence
    TIDE_FORMULA_MATRIX,   // its cells, row by row, in `columns`
} tide_formula_kind;

typedef enum tide_symbol_class {
    TIDE_SYMBOL_VARIABLE, // slanted
    TIDE_SYMBOL_NUMBER,
    TIDE_SYMBOL_WORD,     // upright: \text, \mathrm
    TIDE_SYMBOL_FUNCTION, // \sin, \min
    TIDE_SYMBOL_OPERATOR, // binary, with space around it
    TIDE_SYMBOL_PREFIX,   // a sign, or an operator such as \nabla, without space
    TIDE_SYMBOL_RELATION,
    TIDE_SYMBOL_OPENING,
    TIDE_SYMBOL_CLOSING,
    TIDE_SYMBOL_PUNCTUATION,
    TIDE_SYMBOL_LARGE, // \sum, \int
} tide_symbol_class;

typedef struct tide_formula {
    tide_formula_kind kind;
    tide_symbol_class symbol;
    bool bold;
    bool aligned;        // a matrix: its columns are right- and left-aligned in turn
    bool left;           // a matrix: its columns are left-aligned
    char *text;          // UTF-8; NULL: none
    const char *closing; // of FENCED
    float space;         // em
    uint32_t columns;    // of MATRIX, at least 1
    struct tide_formula *child, *next;
} tide_formula; // owns its children and `text`

// Fails with the first thing that it does not know, and what to write instead.
tide_status tide_formula_read(const char *latex, tide_formula **formula, tide_error *error);
void tide_formula_free(tide_formula *formula); // NULL does nothing
// Returns the child of this index, or NULL.
const tide_formula *tide_formula_child(const tide_formula *formula, uint32_t index);

// Adds the formula as a <math> element of MathML Core. `display`: on a line of its own.
void tide_formula_write_mathml(const tide_formula *formula, bool display, tide_text *text);
// Adds bytes as text of HTML: & < > and quotes are replaced, control characters dropped.
void tide_html_add_text(tide_text *html, const char *bytes);
void tide_html_add_element(tide_text *html, const char *open, const char *bytes, const char *close); // between two tags

// formula_symbols.c: finds what a command such as "alpha" stands for; NULL: unknown.
typedef struct tide_symbol {
    const char *name, *text;
    tide_symbol_class symbol;
} tide_symbol;
const tide_symbol *tide_symbol_find(const char *name, size_t length);

#endif

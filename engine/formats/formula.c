#include "formats/formula.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 40 }; // braces in braces, for what is hostile

typedef struct reader {
    const char *at;
    uint32_t depth;
    tide_error *error;
} reader;

// --- nodes -----------------------------------------------------------------------------------------------------------

void tide_formula_free(tide_formula *formula)
{
    while (formula) {
        tide_formula *next = formula->next;
        tide_formula_free(formula->child);
        tide_free(formula->text);
        tide_free(formula);
        formula = next;
    }
}

const tide_formula *tide_formula_child(const tide_formula *formula, uint32_t index)
{
    const tide_formula *child = formula->child;
    while (child && index--)
        child = child->next;
    return child;
}

static tide_status make(reader *r, tide_formula_kind kind, const char *text, size_t length, tide_formula **out)
{
    tide_formula *node = tide_allocate_zeroed(1, sizeof *node);
    if (node && text) {
        node->text = tide_allocate(length + 1);
        if (node->text) {
            memcpy(node->text, text, length);
            node->text[length] = '\0';
        }
    }
    if (!node || (text && !node->text)) {
        tide_free(node);
        return tide_fail_memory(r->error, "formula");
    }
    node->kind = kind;
    node->closing = "";
    node->columns = 1;
    *out = node;
    return TIDE_OK;
}

static tide_status make_symbol(reader *r, tide_symbol_class symbol, const char *text, size_t length, tide_formula **out)
{
    TIDE_TRY(make(r, TIDE_FORMULA_SYMBOL, text, length, out));
    (*out)->symbol = symbol;
    return TIDE_OK;
}

#define REFUSE(value, ...) tide_fail(r->error, TIDE_ERROR_FORMAT, "formula", NULL, (value), __VA_ARGS__)

// --- words -----------------------------------------------------------------------------------------------------------

static void skip_space(reader *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

// Returns the length of the command at r->at, without its backslash: letters, or one other character.
static size_t command_length(const char *at)
{
    size_t length = 0;
    while (isalpha((unsigned char)at[1 + length]))
        length++;
    return length || !at[1] ? length : 1;
}

static bool is_command(const char *at, const char *name)
{
    size_t length = command_length(at);
    return at[0] == '\\' && length == strlen(name) && strncmp(at + 1, name, length) == 0;
}

static bool take(reader *r, const char *name)
{
    skip_space(r);
    if (!is_command(r->at, name))
        return false;
    r->at += 1 + strlen(name);
    return true;
}

static size_t character_length(const char *at)
{
    size_t length = 1;
    while ((at[length] & 0xc0) == 0x80)
        length++;
    return length;
}

// The text between braces, as it stands.
static tide_status read_words(reader *r, const char **text, size_t *length)
{
    skip_space(r);
    const char *end = *r->at == '{' ? strchr(r->at, '}') : NULL;
    if (!end)
        return REFUSE(NULL, "\\text, \\mathrm and \\begin take a word in braces");
    *text = r->at + 1;
    *length = (size_t)(end - *text);
    r->at = end + 1;
    return TIDE_OK;
}

// --- parts -----------------------------------------------------------------------------------------------------------

static tide_status read_row(reader *r, bool (*ends)(reader *r), tide_formula **out);
static tide_status read_part(reader *r, tide_formula **out);

static bool ends_at_brace(reader *r)
{
    return *r->at == '}';
}

static bool ends_at_right(reader *r)
{
    return is_command(r->at, "right");
}

static bool ends_cell(reader *r)
{
    return *r->at == '&' || is_command(r->at, "\\") || is_command(r->at, "end");
}

static bool ends_nowhere(reader *r)
{
    (void)r;
    return false;
}

// An argument: a group in braces, or one part.
static tide_status read_argument(reader *r, tide_formula **out)
{
    skip_space(r);
    if (*r->at != '{')
        return *r->at && *r->at != '}' ? read_part(r, out)
                                       : REFUSE(NULL, "something is missing at its end; write it in braces");
    r->at++;
    TIDE_TRY(read_row(r, ends_at_brace, out));
    r->at++;
    return TIDE_OK;
}

// Reads `count` arguments as the children of a node, which is freed on failure.
static tide_status read_children(reader *r, tide_formula *node, uint32_t count, tide_formula **out)
{
    tide_formula **end = &node->child;
    for (uint32_t i = 0; i < count; i++) {
        tide_status status = read_argument(r, end);
        if (status != TIDE_OK) {
            tide_formula_free(node);
            return status;
        }
        end = &(*end)->next;
    }
    *out = node;
    return TIDE_OK;
}

static void embolden(tide_formula *formula)
{
    for (; formula; formula = formula->next) {
        formula->bold = true;
        formula->symbol = formula->symbol == TIDE_SYMBOL_VARIABLE ? TIDE_SYMBOL_WORD : formula->symbol;
        embolden(formula->child);
    }
}

static tide_status read_fence(reader *r, const char **fence)
{
    static const char *const simple[] = { "(", ")", "[", "]", "|", "<", ">", "/" };
    skip_space(r);
    if (*r->at == '.') {
        *fence = "";
        r->at++;
        return TIDE_OK;
    }
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
        if (*r->at == simple[i][0]) {
            *fence = *r->at == '<' ? "⟨" : *r->at == '>' ? "⟩" : simple[i];
            r->at++;
            return TIDE_OK;
        }
    size_t length = *r->at == '\\' ? command_length(r->at) : 0;
    const tide_symbol *symbol = length ? tide_symbol_find(r->at + 1, length) : NULL;
    if (!symbol || strlen(symbol->text) > 3)
        return REFUSE(NULL, "\\left and \\right take one of ( ) [ ] | . \\{ \\} \\|");
    *fence = symbol->text;
    r->at += 1 + length;
    return TIDE_OK;
}

static tide_status read_fenced(reader *r, tide_formula **out)
{
    const char *opening, *closing;
    tide_formula *inner, *node;
    TIDE_TRY(read_fence(r, &opening));
    TIDE_TRY(read_row(r, ends_at_right, &inner));
    r->at += strlen("\\right");
    tide_status status = read_fence(r, &closing);
    if (status == TIDE_OK)
        status = make(r, TIDE_FORMULA_FENCED, opening, strlen(opening), &node);
    if (status != TIDE_OK) {
        tide_formula_free(inner);
        return status;
    }
    node->closing = closing;
    node->child = inner;
    *out = node;
    return TIDE_OK;
}

// --- matrices --------------------------------------------------------------------------------------------------------

typedef struct environment {
    const char *name, *opening, *closing;
    bool aligned, left;
} environment;

static const environment environments[] = {
    { "pmatrix", "(", ")", false, false }, { "bmatrix", "[", "]", false, false }, { "vmatrix", "|", "|", false, false },
    { "matrix", "", "", false, false },    { "cases", "{", "", false, true },     { "aligned", "", "", true, false },
    { "align", "", "", true, false },
};

// The cells of one row; *count of them. *last: the matrix ends here.
static tide_status read_cells(reader *r, tide_formula ***end, uint32_t *count, bool *last)
{
    for (*count = 0;;) {
        TIDE_TRY(read_row(r, ends_cell, *end));
        *end = &(**end)->next;
        ++*count;
        if (*r->at == '&') {
            r->at++;
            continue;
        }
        *last = is_command(r->at, "end");
        r->at += *last ? 0 : 2;
        skip_space(r);
        *last = *last || is_command(r->at, "end"); // an empty last row
        return TIDE_OK;
    }
}

// Fills the rows up to the same number of cells.
static tide_status read_matrix(reader *r, const environment *kind, tide_formula *matrix)
{
    enum { MOST = 64 };
    uint32_t counts[MOST], rows = 0, columns = 1;
    tide_formula **end = &matrix->child;
    for (bool last = false; !last; rows++) {
        if (rows == MOST)
            return REFUSE(kind->name, "it has more than 64 rows");
        TIDE_TRY(read_cells(r, &end, &counts[rows], &last));
        columns = counts[rows] > columns ? counts[rows] : columns;
    }
    tide_formula **cell = &matrix->child;
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t i = 0; i < counts[row]; i++)
            cell = &(*cell)->next;
        for (uint32_t i = counts[row]; i < columns; i++) {
            tide_formula *empty;
            TIDE_TRY(make(r, TIDE_FORMULA_ROW, NULL, 0, &empty));
            empty->next = *cell;
            *cell = empty;
            cell = &empty->next;
        }
    }
    matrix->columns = columns;
    matrix->aligned = kind->aligned;
    matrix->left = kind->left;
    const char *name;
    size_t length;
    r->at += strlen("\\end");
    TIDE_TRY(read_words(r, &name, &length));
    return length == strlen(kind->name) && strncmp(name, kind->name, length) == 0
               ? TIDE_OK
               : REFUSE(kind->name, "it ends with another \\end; write \\end{%s}", kind->name);
}

static tide_status read_environment(reader *r, tide_formula **out)
{
    const char *name;
    char shown[32];
    size_t length;
    TIDE_TRY(read_words(r, &name, &length));
    const environment *kind = NULL;
    for (size_t i = 0; i < sizeof environments / sizeof *environments; i++)
        if (strlen(environments[i].name) == length && strncmp(environments[i].name, name, length) == 0)
            kind = &environments[i];
    snprintf(shown, sizeof shown, "%.*s", length < 30 ? (int)length : 30, name);
    if (!kind)
        return REFUSE(shown, "unknown environment; take pmatrix, bmatrix, vmatrix, matrix, cases or aligned");
    tide_formula *fenced, *matrix;
    TIDE_TRY(make(r, TIDE_FORMULA_FENCED, kind->opening, strlen(kind->opening), &fenced));
    fenced->closing = kind->closing;
    tide_status status = make(r, TIDE_FORMULA_MATRIX, NULL, 0, &matrix);
    if (status == TIDE_OK) {
        fenced->child = matrix;
        status = read_matrix(r, kind, matrix);
    }
    if (status == TIDE_OK)
        *out = fenced;
    else
        tide_formula_free(fenced);
    return status;
}

// --- commands --------------------------------------------------------------------------------------------------------

static tide_status read_accent(reader *r, const char *accent, tide_formula **out)
{
    tide_formula *node;
    TIDE_TRY(make(r, TIDE_FORMULA_ACCENT, accent, strlen(accent), &node));
    return read_children(r, node, 1, out);
}

static tide_status read_space(reader *r, float space, tide_formula **out)
{
    TIDE_TRY(make(r, TIDE_FORMULA_SPACE, NULL, 0, out));
    (*out)->space = space;
    return TIDE_OK;
}

static tide_status read_word(reader *r, tide_symbol_class symbol, tide_formula **out)
{
    const char *text;
    size_t length;
    TIDE_TRY(read_words(r, &text, &length));
    return make_symbol(r, symbol, text, length, out);
}

static tide_status read_node(reader *r, tide_formula_kind kind, uint32_t count, tide_formula **out)
{
    tide_formula *node;
    TIDE_TRY(make(r, kind, NULL, 0, &node));
    return read_children(r, node, count, out);
}

static tide_status read_command(reader *r, tide_formula **out)
{
    static const struct {
        const char *name, *accent;
    } accents[] = { { "hat", "^" },  { "bar", "¯" },   { "overline", "¯" }, { "dot", "˙" },
                    { "ddot", "¨" }, { "tilde", "~" }, { "vec", "→" } };
    static const struct {
        const char *name;
        float space;
    } spaces[] = { { "quad", 1 },  { "qquad", 2 }, { ",", 0.17f }, { ";", 0.28f },
                   { ":", 0.22f }, { "!", 0 },     { " ", 0.25f } };
    static const char *const sizes[] = { "big", "Big", "bigl", "bigr", "Bigl", "Bigr", "displaystyle", "limits" };
    for (size_t i = 0; i < sizeof accents / sizeof *accents; i++)
        if (take(r, accents[i].name))
            return read_accent(r, accents[i].accent, out);
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (take(r, spaces[i].name))
            return read_space(r, spaces[i].space, out);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (take(r, sizes[i]))
            return read_space(r, 0, out);
    if (take(r, "frac") || take(r, "tfrac") || take(r, "dfrac"))
        return read_node(r, TIDE_FORMULA_FRACTION, 2, out);
    if (take(r, "sqrt"))
        return read_node(r, TIDE_FORMULA_ROOT, 1, out);
    if (take(r, "text") || take(r, "mathrm") || take(r, "textrm"))
        return read_word(r, TIDE_SYMBOL_WORD, out);
    if (take(r, "operatorname"))
        return read_word(r, TIDE_SYMBOL_FUNCTION, out);
    if (take(r, "mathbf") || take(r, "boldsymbol") || take(r, "mathbb")) {
        TIDE_TRY(read_argument(r, out));
        embolden(*out);
        return TIDE_OK;
    }
    if (take(r, "mathcal"))
        return read_argument(r, out);
    if (take(r, "left"))
        return read_fenced(r, out);
    if (take(r, "begin"))
        return read_environment(r, out);
    size_t length = command_length(r->at);
    const tide_symbol *symbol = tide_symbol_find(r->at + 1, length);
    char shown[40];
    snprintf(shown, sizeof shown, "\\%.*s", length < 38 ? (int)length : 38, r->at + 1);
    if (!symbol)
        return REFUSE(shown, "unknown command; write the formula without it");
    r->at += 1 + length;
    return make_symbol(r, symbol->symbol, symbol->text, strlen(symbol->text), out);
}

// --- symbols ---------------------------------------------------------------------------------------------------------

static tide_status read_number(reader *r, tide_formula **out)
{
    const char *from = r->at;
    while (isdigit((unsigned char)*r->at) || (*r->at == '.' && isdigit((unsigned char)r->at[1])))
        r->at++;
    return make_symbol(r, TIDE_SYMBOL_NUMBER, from, (size_t)(r->at - from), out);
}

static tide_symbol_class class_of(char c)
{
    if (strchr("([", c))
        return TIDE_SYMBOL_OPENING;
    if (strchr(")]", c))
        return TIDE_SYMBOL_CLOSING;
    if (strchr(",;", c))
        return TIDE_SYMBOL_PUNCTUATION;
    if (strchr("=<>:", c))
        return TIDE_SYMBOL_RELATION;
    if (strchr("+-*", c))
        return TIDE_SYMBOL_OPERATOR;
    return isalpha((unsigned char)c) ? TIDE_SYMBOL_VARIABLE : TIDE_SYMBOL_NUMBER;
}

static tide_status read_symbol(reader *r, tide_formula **out)
{
    const char *from = r->at;
    size_t length = character_length(from);
    r->at += length;
    if (*from == '-')
        return make_symbol(r, TIDE_SYMBOL_OPERATOR, "−", strlen("−"), out);
    if (*from == '*')
        return make_symbol(r, TIDE_SYMBOL_OPERATOR, "∗", strlen("∗"), out);
    return make_symbol(r, length > 1 ? TIDE_SYMBOL_NUMBER : class_of(*from), from, length, out);
}

// One part without its scripts.
static tide_status read_part(reader *r, tide_formula **out)
{
    skip_space(r);
    if (*r->at == '{')
        return read_argument(r, out);
    if (*r->at == '\\')
        return read_command(r, out);
    if (isdigit((unsigned char)*r->at))
        return read_number(r, out);
    return read_symbol(r, out);
}

// --- scripts and rows ------------------------------------------------------------------------------------------------

static tide_status read_primes(reader *r, tide_formula **out)
{
    static const char prime[] = "′";
    char text[3 * sizeof prime] = "";
    for (int i = 0; i < 3 && *r->at == '\''; i++, r->at++)
        strcat(text, prime);
    return make_symbol(r, TIDE_SYMBOL_NUMBER, text, strlen(text), out);
}

// Reads the scripts after a base; scripts[0] is below, scripts[1] above.
static tide_status read_scripts(reader *r, tide_formula *scripts[2])
{
    for (;;) {
        skip_space(r);
        int which = *r->at == '_' ? 0 : 1;
        if (*r->at != '^' && *r->at != '_' && *r->at != '\'')
            return TIDE_OK;
        if (scripts[which])
            return REFUSE(NULL, "two scripts in one place; put the first and its base in braces");
        if (*r->at == '\'') {
            TIDE_TRY(read_primes(r, &scripts[1]));
            continue;
        }
        r->at++;
        TIDE_TRY(read_argument(r, &scripts[which]));
    }
}

static tide_status read_with_scripts(reader *r, tide_formula **out)
{
    tide_formula *base = NULL, *scripts[2] = { NULL, NULL }, *node = NULL;
    bool bare = *r->at == '^' || *r->at == '_';
    tide_status status = bare ? make(r, TIDE_FORMULA_ROW, NULL, 0, &base) : read_part(r, &base);
    if (status == TIDE_OK)
        status = read_scripts(r, scripts);
    if (status == TIDE_OK && !scripts[0] && !scripts[1]) {
        *out = base;
        return TIDE_OK;
    }
    if (status == TIDE_OK)
        status = make(r, TIDE_FORMULA_SCRIPTS, NULL, 0, &node);
    for (int i = 0; i < 2 && status == TIDE_OK; i++)
        if (!scripts[i])
            status = make(r, TIDE_FORMULA_ROW, NULL, 0, &scripts[i]);
    if (status != TIDE_OK) {
        tide_formula_free(base);
        tide_formula_free(scripts[0]);
        tide_formula_free(scripts[1]);
        tide_formula_free(node);
        return status;
    }
    node->child = base;
    base->next = scripts[0];
    scripts[0]->next = scripts[1];
    *out = node;
    return TIDE_OK;
}

// An operator that has nothing before it is a sign.
static void find_signs(tide_formula *row)
{
    const tide_formula *before = NULL;
    for (tide_formula *part = row->child; part; part = part->next) {
        bool open = !before || (before->kind == TIDE_FORMULA_SYMBOL &&
                                (before->symbol == TIDE_SYMBOL_RELATION || before->symbol == TIDE_SYMBOL_OPENING ||
                                 before->symbol == TIDE_SYMBOL_PUNCTUATION || before->symbol == TIDE_SYMBOL_OPERATOR));
        if (open && part->kind == TIDE_FORMULA_SYMBOL && part->symbol == TIDE_SYMBOL_OPERATOR)
            part->symbol = TIDE_SYMBOL_PREFIX;
        if (part->kind != TIDE_FORMULA_SPACE)
            before = part;
    }
}

static tide_status read_parts(reader *r, bool (*ends)(reader *r), tide_formula *row)
{
    tide_formula **end = &row->child;
    for (skip_space(r); *r->at && !ends(r); skip_space(r)) {
        if (*r->at == '}' || *r->at == '&' || is_command(r->at, "right") || is_command(r->at, "end"))
            return REFUSE(NULL, "} or & or \\right or \\end stands where nothing is open");
        TIDE_TRY(read_with_scripts(r, end));
        end = &(*end)->next;
    }
    return *r->at || ends == ends_nowhere ? TIDE_OK : REFUSE(NULL, "a brace, a \\left or a \\begin is never closed");
}

// Reads parts up to `ends`, and leaves its mark.
static tide_status read_row(reader *r, bool (*ends)(reader *r), tide_formula **out)
{
    tide_formula *row;
    if (++r->depth > DEEPEST)
        return REFUSE(NULL, "it is nested too deeply");
    TIDE_TRY(make(r, TIDE_FORMULA_ROW, NULL, 0, &row));
    tide_status status = read_parts(r, ends, row);
    r->depth--;
    if (status != TIDE_OK) {
        tide_formula_free(row);
        return status;
    }
    find_signs(row);
    *out = row;
    return TIDE_OK;
}

tide_status tide_formula_read(const char *latex, tide_formula **formula, tide_error *error)
{
    reader r = { .at = latex, .error = error };
    return read_row(&r, ends_nowhere, formula);
}

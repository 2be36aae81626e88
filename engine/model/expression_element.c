// Makes kinds of elements of expressions: derivatives, programs, the table.
#include "model/expression_element.h"

#include "base/hash.h"
#include "base/memory.h"
#include "model/dense_element.h"
#include "model/expression_state.h"

#include <stdio.h>

enum { NUMBERS = TIDE_ELEMENT_MAX_NUMBERS, CORNERS = TIDE_ELEMENT_MAX_VERTICES };

// All pairs of corners: those of n corners are the first n (n - 1) / 2.
static const unsigned char edges[] = { 0, 1, 1, 2, 2, 0, 0, 3, 1, 3, 2, 3, 0, 4, 1, 4, 2, 4, 3,
                                       4, 0, 5, 1, 5, 2, 5, 3, 5, 4, 5, 0, 6, 1, 6, 2, 6, 3, 6,
                                       4, 6, 5, 6, 0, 7, 1, 7, 2, 7, 3, 7, 4, 7, 5, 7, 6, 7 };
_Static_assert(sizeof edges == TIDE_ELEMENT_MAX_VERTICES * (TIDE_ELEMENT_MAX_VERTICES - 1), "all pairs of corners");

// --- life ------------------------------------------------------------------------------------------------------------

static void destroy(tide_expression_kind *kind)
{
    tide_program_free(&kind->energy);
    tide_program_free(&kind->gradient);
    tide_program_free(&kind->hessian);
    tide_program_free(&kind->square);
    tide_program_free(&kind->defaults);
    tide_program_free(&kind->strain);
    for (uint32_t c = 0; c < CORNERS; c++)
        tide_program_free(&kind->corners[c]);
    for (uint32_t i = 0; i < kind->text_count; i++)
        tide_free(kind->texts[i]);
    tide_free(kind->fields);
    tide_free(kind);
}

static void retain(const tide_element_kind *kind)
{
    ((tide_expression_kind *)(uintptr_t)kind)->references++;
}

static void release(const tide_element_kind *kind)
{
    tide_expression_kind *own = (tide_expression_kind *)(uintptr_t)kind;
    if (--own->references == 0)
        destroy(own);
}

// Copies a text into memory of the kind. Returns NULL if memory runs out, and for NULL.
static const char *keep(tide_expression_kind *kind, const char *text)
{
    char *copy = text ? tide_copy_string(text) : NULL;
    if (copy)
        kind->texts[kind->text_count++] = copy;
    return copy;
}

static const char *keep_wrong(tide_expression_kind *kind, const char *what, const char *place)
{
    char text[256];
    snprintf(text, sizeof text,
             "%s at rest is not finite (%.120s); check the roots, logarithms, quotients and norms in it, and the shape "
             "at rest",
             what, place);
    return keep(kind, text);
}

static tide_status keep_texts(tide_expression_kind *kind, const tide_expression_definition *d, const char *object,
                              tide_error *error)
{
    kind->fields = tide_copy_bytes(d->parameters, (d->parameter_count + (size_t)1) * sizeof *kind->fields);
    bool kept = kind->fields != NULL;
    for (uint32_t p = 0; p < d->parameter_count && kept; p++) {
        tide_field *field = &kind->fields[p];
        field->name = keep(kind, field->name);
        field->help = keep(kind, field->help);
        kept = field->name && field->help && (!field->unit || (field->unit = keep(kind, field->unit)));
    }
    kind->kind.name = keep(kind, d->name);
    kind->kind.help = keep(kind, d->help);
    kind->wrong_energy = keep_wrong(kind, "its energy", d->place);
    kind->wrong_gradient = keep_wrong(kind, "the gradient of its energy", d->place);
    kind->wrong_hessian = keep_wrong(kind, "the Hessian of its energy", d->place);
    kept =
        kept && kind->kind.name && kind->kind.help && kind->wrong_energy && kind->wrong_gradient && kind->wrong_hessian;
    return kept ? TIDE_OK : tide_fail_memory(error, object);
}

// --- derivatives and programs ----------------------------------------------------------------------------------------

typedef struct derivation {
    tide_expression *e;
    uint32_t corners;
    tide_node inputs[NUMBERS], energy, gradient[NUMBERS], hessian[TIDE_ELEMENT_MAX_COMPACT];
} derivation;

// Returns the index of entry (i, j), j <= i, of a lower triangle.
static inline uint32_t entry(uint32_t i, uint32_t j)
{
    return i * (i + 1) / 2 + j;
}

static void derive(derivation *d, const tide_expression_definition *definition)
{
    tide_node scale = tide_expression_input(
        d->e, tide_expression_parameter(d->corners, definition->parameter_count + TIDE_EXPRESSION_SCALE));
    d->energy = tide_expression_binary(d->e, TIDE_OP_MULTIPLY, scale, definition->energy);
    for (uint32_t i = 0; i < 3 * d->corners; i++)
        d->inputs[i] = tide_expression_input(d->e, tide_expression_position(i / 3, i % 3));
    tide_expression_differentiate(d->e, d->energy, d->inputs, 3 * d->corners, d->gradient);
    for (uint32_t i = 0; i < 3 * d->corners; i++)
        tide_expression_differentiate(d->e, d->gradient[i], d->inputs, i + 1, &d->hessian[entry(i, 0)]);
}

// Tells whether the Hessian is that of one corner: there is only one, or the gradients of the two are opposite.
static bool is_pair(const derivation *d)
{
    bool pair = d->corners <= 2;
    for (uint32_t k = 0; k < 3 && pair && d->corners == 2; k++)
        pair =
            tide_expression_is(d->e, tide_expression_binary(d->e, TIDE_OP_ADD, d->gradient[k], d->gradient[3 + k]), 0);
    return pair;
}

static bool is_constant(const derivation *d)
{
    for (uint32_t i = 0; i < 3 * d->corners; i++)
        if (!tide_expression_is(d->e, d->gradient[i], 0))
            return false;
    return true;
}

static tide_status compile_corners(tide_expression_kind *kind, const derivation *d, const char *object,
                                   tide_error *error)
{
    for (uint32_t c = 0; c < d->corners; c++) {
        tide_node outputs[9];
        memcpy(outputs, d->gradient + 3 * c, 3 * sizeof *outputs);
        for (uint32_t i = 0; i < 3; i++)
            for (uint32_t j = 0; j <= i; j++)
                outputs[3 + entry(i, j)] = d->hessian[entry(3 * c + i, 3 * c + j)];
        TIDE_TRY(tide_program_compile(d->e, outputs, 9, d->corners, object, &kind->corners[c], error));
    }
    return TIDE_OK;
}

// Finds s and f with node = f s^2, where f does not depend on the positions. Returns false if it has no such form.
static bool find_square(tide_expression *e, tide_node node, const bool *depends, tide_node *f, tide_node *s)
{
    const tide_expression_node n = e->nodes[node];
    if (n.operation != TIDE_OP_MULTIPLY && n.operation != TIDE_OP_DIVIDE)
        return false;
    if (n.operation == TIDE_OP_MULTIPLY && n.a == n.b && depends[n.a]) {
        *s = n.a;
        return true;
    }
    bool first = n.operation == TIDE_OP_MULTIPLY && !depends[n.a];
    if (!first && depends[n.b])
        return false;
    *f = tide_expression_binary(e, n.operation, *f, first ? n.a : n.b);
    return find_square(e, first ? n.b : n.a, depends, f, s);
}

static tide_status compile_square(tide_expression_kind *kind, const derivation *d, const char *object,
                                  tide_error *error)
{
    tide_node outputs[2 + NUMBERS] = { tide_expression_constant(d->e, 1), TIDE_NO_NODE };
    TIDE_SCOPED bool *depends = d->e->failed ? NULL : tide_allocate_zeroed(d->energy + 1, sizeof *depends);
    if (!depends)
        return tide_fail_memory(error, object);
    tide_expression_find_dependent(d->e, d->inputs, 3 * d->corners, d->energy, depends);
    if (!find_square(d->e, d->energy, depends, &outputs[0], &outputs[1]))
        return TIDE_OK;
    tide_expression_differentiate(d->e, outputs[1], d->inputs, 3 * d->corners, outputs + 2);
    return tide_program_compile(d->e, outputs, 2 + 3 * d->corners, d->corners, object, &kind->square, error);
}

static tide_status compile_defaults(tide_expression_kind *kind, const derivation *d,
                                    const tide_expression_definition *definition, const char *object, tide_error *error)
{
    tide_node outputs[TIDE_EXPRESSION_MAX_PARAMETERS];
    for (uint32_t p = 0; p < definition->parameter_count; p++)
        if (definition->rests[p] != TIDE_NO_NODE) {
            outputs[kind->default_count] = definition->rests[p];
            kind->default_parameters[kind->default_count++] = p;
        }
    if (!kind->default_count)
        return TIDE_OK;
    return tide_program_compile(d->e, outputs, kind->default_count, d->corners, object, &kind->defaults, error);
}

static tide_status compile(tide_expression_kind *kind, const derivation *d,
                           const tide_expression_definition *definition, const char *object, tide_error *error)
{
    uint32_t n = d->corners, numbers = kind->pair ? 3 : 3 * n;
    TIDE_TRY(tide_program_compile(d->e, &d->energy, 1, n, object, &kind->energy, error));
    TIDE_TRY(tide_program_compile(d->e, d->gradient, 3 * n, n, object, &kind->gradient, error));
    TIDE_TRY(tide_program_compile(d->e, d->hessian, entry(numbers, 0), n, object, &kind->hessian, error));
    TIDE_TRY(compile_corners(kind, d, object, error));
    TIDE_TRY(compile_square(kind, d, object, error));
    TIDE_TRY(compile_defaults(kind, d, definition, object, error));
    if (definition->strain == TIDE_NO_NODE)
        return TIDE_OK;
    return tide_program_compile(d->e, &definition->strain, 1, n, object, &kind->strain, error);
}

// --- the kind --------------------------------------------------------------------------------------------------------

static uint64_t hash_program(uint64_t hash, const tide_program *program)
{
    for (uint32_t i = 0; i < program->count; i++) {
        const tide_instruction *n = &program->instructions[i];
        uint64_t signs = (uint64_t)n->negative[0] | (uint64_t)n->negative[1] << 1 | (uint64_t)n->negative[2] << 2;
        uint64_t words[7] = { n->code, n->to, n->a, n->b, n->c, signs, 0 };
        memcpy(&words[6], &n->value, sizeof n->value);
        hash = tide_hash_bytes(hash, words, sizeof words);
    }
    return hash;
}

static uint64_t identity_of(const tide_expression_kind *kind)
{
    uint64_t hash = tide_hash_string(TIDE_HASH_START, kind->kind.name);
    hash = tide_hash_bytes(hash, &kind->kind.vertex_count, sizeof kind->kind.vertex_count);
    for (const tide_field *field = kind->fields; field->name; field++)
        hash = tide_hash_string(hash, field->name);
    hash = hash_program(hash_program(hash_program(hash, &kind->gradient), &kind->energy), &kind->defaults);
    return hash ? hash : 1;
}

// Tells whether the Hessian may change with the positions, so that it may exceed L, which bounds it at samples. It does
// not for a quadratic energy.
static bool changes(const derivation *d)
{
    TIDE_SCOPED bool *depends = tide_allocate_zeroed(d->e->count, sizeof *depends);
    if (!depends)
        return true;
    tide_expression_find_dependent(d->e, d->inputs, 3 * d->corners, d->e->count - 1, depends);
    bool changes = false;
    for (uint32_t i = 0; i < entry(3 * d->corners, 0); i++)
        changes = changes || depends[d->hessian[i]];
    return changes;
}

static void fill_table(tide_expression_kind *kind, const derivation *d, const tide_expression_definition *definition)
{
    uint32_t n = definition->vertex_count;
    tide_element_kind *table = &kind->kind;
    tide_expression_fill_functions(table, kind->pair, kind->square.count > 0);
    table->noun = table->name;
    table->size = "size";
    table->vertex_count = n;
    table->parameter_count = kind->given + TIDE_EXPRESSION_MATRIX + n * (n + 1) / 2 + 3 * n;
    table->projection_size = 3 * n;
    table->compact_size = kind->pair ? 6 : TIDE_DENSE_COMPACT(n);
    table->fields = kind->fields;
    table->stiffness_parameter = kind->given + TIDE_EXPRESSION_SCALE;
    table->rest_parameter = definition->rest_parameter;
    table->exceeds_laplacian = changes(d);
    table->edges = edges;
    table->edge_count = n * (n - 1) / 2;
    table->identity = identity_of(kind);
    table->retain = retain;
    table->release = release;
}

static tide_status fill(tide_expression_kind *kind, const derivation *d, const tide_expression_definition *definition,
                        const char *object, tide_error *error)
{
    if (!d->e->failed && is_constant(d))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "energy", NULL,
                         "does not depend on the positions, so it has no gradient and exerts no force; use the "
                         "vertices that the function gets");
    TIDE_TRY(keep_texts(kind, definition, object, error));
    TIDE_TRY(compile(kind, d, definition, object, error));
    fill_table(kind, d, definition);
    return TIDE_OK;
}

tide_status tide_expression_kind_create(tide_expression *e, const tide_expression_definition *definition,
                                        const tide_element_kind **out, tide_error *error)
{
    char object[96];
    snprintf(object, sizeof object, "element \"%.64s\"", definition->name);
    derivation d = { .e = e, .corners = definition->vertex_count };
    derive(&d, definition);
    tide_expression_kind *kind = tide_allocate_zeroed(1, sizeof *kind);
    if (!kind)
        return tide_fail_memory(error, object);
    kind->references = 1;
    kind->given = definition->parameter_count;
    kind->pair = is_pair(&d);
    tide_status status = fill(kind, &d, definition, object, error);
    if (status != TIDE_OK) {
        destroy(kind);
        return status;
    }
    *out = &kind->kind;
    return TIDE_OK;
}

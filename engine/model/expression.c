// The graph of an expression: nodes, their hash table, and the laws that are applied when a node is made.
#include "model/expression.h"

#include "base/elementary.h"
#include "base/hash.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { FIRST_TABLE = 256 };

tide_status tide_expression_create(tide_expression **expression, tide_error *error)
{
    tide_expression *made = tide_allocate_zeroed(1, sizeof *made);
    if (made)
        made->table = tide_allocate_array(FIRST_TABLE, sizeof *made->table);
    if (!made || !made->table) {
        tide_free(made);
        return tide_fail_memory(error, "expression");
    }
    made->table_size = FIRST_TABLE;
    memset(made->table, 0xff, FIRST_TABLE * sizeof *made->table);
    *expression = made;
    return TIDE_OK;
}

void tide_expression_destroy(tide_expression *expression)
{
    if (!expression)
        return;
    tide_free(expression->nodes);
    tide_free(expression->table);
    tide_free(expression);
}

uint32_t tide_operation_arity(tide_operation operation)
{
    switch (operation) {
    case TIDE_OP_CONSTANT:
    case TIDE_OP_INPUT:
        return 0;
    case TIDE_OP_NEGATE:
    case TIDE_OP_ROOT:
    case TIDE_OP_INVERSE:
    case TIDE_OP_ABSOLUTE:
    case TIDE_OP_EXP:
    case TIDE_OP_LOG:
    case TIDE_OP_SIN:
    case TIDE_OP_COS:
        return 1;
    case TIDE_OP_NORM:
    case TIDE_OP_SELECT:
        return 3;
    default:
        return 2;
    }
}

double tide_operation_apply(tide_operation operation, double a, double b, double c)
{
    switch (operation) {
    case TIDE_OP_ADD:
        return a + b;
    case TIDE_OP_SUBTRACT:
        return a - b;
    case TIDE_OP_MULTIPLY:
        return a * b;
    case TIDE_OP_DIVIDE:
        return a / b;
    case TIDE_OP_NEGATE:
        return -a;
    case TIDE_OP_ROOT:
        return sqrt(a);
    case TIDE_OP_INVERSE:
        return a < TIDE_EXPRESSION_SMALLEST ? 0 : 1 / a;
    case TIDE_OP_ABSOLUTE:
        return fabs(a);
    case TIDE_OP_MAXIMUM:
        return a > b ? a : b;
    case TIDE_OP_MINIMUM:
        return a < b ? a : b;
    case TIDE_OP_EXP:
        return tide_exp(a);
    case TIDE_OP_LOG:
        return tide_ln(a);
    case TIDE_OP_SIN:
        return tide_sin(a);
    case TIDE_OP_COS:
        return tide_cos(a);
    case TIDE_OP_ATAN2:
        return tide_atan2(a, b);
    case TIDE_OP_POWER:
        return tide_pow(a, b);
    case TIDE_OP_NORM:
        return sqrt(a * a + b * b + c * c);
    case TIDE_OP_SELECT:
        return a > 0 ? b : c;
    default:
        return NAN;
    }
}

bool tide_expression_is(const tide_expression *e, tide_node node, double value)
{
    return node != TIDE_NO_NODE && e->nodes[node].operation == TIDE_OP_CONSTANT && e->nodes[node].value == value;
}

// --- nodes -----------------------------------------------------------------------------------------------------------

static uint64_t hash_of(const tide_expression_node *node)
{
    uint64_t words[5] = { (uint64_t)node->operation, node->a, node->b, node->c, 0 };
    memcpy(&words[4], &node->value, sizeof node->value);
    return tide_hash_bytes(TIDE_HASH_START, words, sizeof words);
}

// Returns the place of a node in the table: that of the equal node, or the empty one for it. Equal values are those of
// equal bits, which keeps 0 and -0 apart.
static uint32_t place_of(const tide_expression *e, const tide_expression_node *node)
{
    uint32_t place = (uint32_t)(hash_of(node) % e->table_size);
    for (; e->table[place] != TIDE_NO_NODE; place = (place + 1) % e->table_size) {
        const tide_expression_node *other = &e->nodes[e->table[place]];
        if (other->operation == node->operation && other->a == node->a && other->b == node->b && other->c == node->c &&
            memcmp(&other->value, &node->value, sizeof node->value) == 0)
            break;
    }
    return place;
}

static bool grow_table(tide_expression *e)
{
    uint32_t size = 2 * e->table_size;
    uint32_t *table = tide_allocate_array(size, sizeof *table);
    if (!table)
        return false;
    memset(table, 0xff, size * sizeof *table);
    tide_free(e->table);
    e->table = table;
    e->table_size = size;
    for (uint32_t n = 0; n < e->count; n++)
        e->table[place_of(e, &e->nodes[n])] = n;
    return true;
}

static tide_node add_node(tide_expression *e, tide_expression_node node)
{
    uint32_t place = place_of(e, &node);
    if (e->table[place] != TIDE_NO_NODE)
        return e->table[place];
    if (e->count == TIDE_EXPRESSION_MAX_NODES || !tide_grow(&e->nodes, &e->capacity, e->count + 1, sizeof *e->nodes) ||
        (2 * (e->count + 1) > e->table_size && !grow_table(e))) {
        e->failed = true;
        return TIDE_NO_NODE;
    }
    e->table[place_of(e, &node)] = e->count;
    e->nodes[e->count] = node;
    return e->count++;
}

tide_node tide_expression_constant(tide_expression *e, double value)
{
    if (e->failed)
        return TIDE_NO_NODE;
    return add_node(e, (tide_expression_node) { TIDE_OP_CONSTANT, TIDE_NO_NODE, TIDE_NO_NODE, TIDE_NO_NODE, value });
}

tide_node tide_expression_input(tide_expression *e, uint32_t number)
{
    if (e->failed)
        return TIDE_NO_NODE;
    return add_node(e, (tide_expression_node) { TIDE_OP_INPUT, number, TIDE_NO_NODE, TIDE_NO_NODE, 0 });
}

// --- laws ------------------------------------------------------------------------------------------------------------

static inline bool is_constant(const tide_expression *e, tide_node node)
{
    return e->nodes[node].operation == TIDE_OP_CONSTANT;
}

static inline bool is_negated(const tide_expression *e, tide_node node)
{
    return e->nodes[node].operation == TIDE_OP_NEGATE;
}

static tide_node negate(tide_expression *e, tide_node a)
{
    return tide_expression_unary(e, TIDE_OP_NEGATE, a);
}

static tide_node multiply(tide_expression *e, tide_node a, tide_node b)
{
    return tide_expression_binary(e, TIDE_OP_MULTIPLY, a, b);
}

// Each law returns the node that replaces the operation, or TIDE_NO_NODE.
static tide_node simplify_unary(tide_expression *e, tide_operation operation, tide_node a)
{
    if (operation == TIDE_OP_NEGATE && is_negated(e, a))
        return e->nodes[a].a;
    if (operation == TIDE_OP_NEGATE && e->nodes[a].operation == TIDE_OP_SUBTRACT)
        return tide_expression_binary(e, TIDE_OP_SUBTRACT, e->nodes[a].b, e->nodes[a].a);
    return TIDE_NO_NODE;
}

static tide_node simplify_sum(tide_expression *e, tide_operation operation, tide_node a, tide_node b)
{
    bool adds = operation == TIDE_OP_ADD;
    if (tide_expression_is(e, b, 0))
        return a;
    if (tide_expression_is(e, a, 0))
        return adds ? b : negate(e, b);
    if (a == b)
        return adds ? multiply(e, tide_expression_constant(e, 2), a) : tide_expression_constant(e, 0);
    if (is_negated(e, b))
        return tide_expression_binary(e, adds ? TIDE_OP_SUBTRACT : TIDE_OP_ADD, a, e->nodes[b].a);
    if (is_negated(e, a) && adds)
        return tide_expression_binary(e, TIDE_OP_SUBTRACT, b, e->nodes[a].a);
    return TIDE_NO_NODE;
}

// Moves constants to the left, where the products of two meet, and signs to the outside.
static tide_node simplify_product(tide_expression *e, tide_node a, tide_node b)
{
    if (tide_expression_is(e, a, 0) || tide_expression_is(e, b, 1))
        return a;
    if (tide_expression_is(e, b, 0) || tide_expression_is(e, a, 1))
        return b;
    if (tide_expression_is(e, a, -1))
        return negate(e, b);
    if (tide_expression_is(e, b, -1))
        return negate(e, a);
    if (is_negated(e, a))
        return is_negated(e, b) ? multiply(e, e->nodes[a].a, e->nodes[b].a) : negate(e, multiply(e, e->nodes[a].a, b));
    if (is_negated(e, b))
        return negate(e, multiply(e, a, e->nodes[b].a));
    if (is_constant(e, b))
        return multiply(e, b, a);
    tide_expression_node right = e->nodes[b];
    if (is_constant(e, a) && right.operation == TIDE_OP_MULTIPLY && is_constant(e, right.a))
        return multiply(e, tide_expression_constant(e, e->nodes[a].value * e->nodes[right.a].value), right.b);
    return TIDE_NO_NODE;
}

static tide_node simplify_quotient(tide_expression *e, tide_node a, tide_node b)
{
    if (tide_expression_is(e, a, 0) || tide_expression_is(e, b, 1))
        return a;
    int exponent;
    if (is_constant(e, b) && isfinite(1 / e->nodes[b].value) && fabs(frexp(e->nodes[b].value, &exponent)) == 0.5)
        return multiply(e, a, tide_expression_constant(e, 1 / e->nodes[b].value)); // exact for a power of two
    if (is_negated(e, a))
        return negate(e, tide_expression_binary(e, TIDE_OP_DIVIDE, e->nodes[a].a, b));
    return TIDE_NO_NODE;
}

static tide_node simplify_power(tide_expression *e, tide_node a, tide_node b)
{
    if (!is_constant(e, b))
        return TIDE_NO_NODE;
    double exponent = e->nodes[b].value;
    if (exponent == 0)
        return tide_expression_constant(e, 1);
    if (exponent == 0.5)
        return tide_expression_unary(e, TIDE_OP_ROOT, a);
    if (exponent < 0 && exponent >= -8 && exponent == floor(exponent)) {
        tide_node power = tide_expression_binary(e, TIDE_OP_POWER, a, tide_expression_constant(e, -exponent));
        return tide_expression_binary(e, TIDE_OP_DIVIDE, tide_expression_constant(e, 1), power);
    }
    if (!(exponent > 0 && exponent <= 8 && exponent == floor(exponent)))
        return TIDE_NO_NODE;
    if (exponent == 1)
        return a;
    tide_node half = tide_expression_binary(e, TIDE_OP_POWER, a, tide_expression_constant(e, floor(exponent / 2)));
    tide_node even = multiply(e, half, half);
    return fmod(exponent, 2) == 0 ? even : multiply(e, even, a);
}

static tide_node simplify_binary(tide_expression *e, tide_operation operation, tide_node a, tide_node b)
{
    switch (operation) {
    case TIDE_OP_ADD:
    case TIDE_OP_SUBTRACT:
        return simplify_sum(e, operation, a, b);
    case TIDE_OP_MULTIPLY:
        return simplify_product(e, a, b);
    case TIDE_OP_DIVIDE:
        return simplify_quotient(e, a, b);
    case TIDE_OP_POWER:
        return simplify_power(e, a, b);
    case TIDE_OP_MAXIMUM:
    case TIDE_OP_MINIMUM:
        return a == b ? a : TIDE_NO_NODE;
    default:
        return TIDE_NO_NODE;
    }
}

// --- operations ------------------------------------------------------------------------------------------------------

tide_node tide_expression_unary(tide_expression *e, tide_operation operation, tide_node a)
{
    if (e->failed || a == TIDE_NO_NODE)
        return TIDE_NO_NODE;
    if (is_constant(e, a))
        return tide_expression_constant(e, tide_operation_apply(operation, e->nodes[a].value, 0, 0));
    tide_node simpler = simplify_unary(e, operation, a);
    if (e->failed || simpler != TIDE_NO_NODE)
        return simpler;
    return add_node(e, (tide_expression_node) { operation, a, TIDE_NO_NODE, TIDE_NO_NODE, 0 });
}

tide_node tide_expression_binary(tide_expression *e, tide_operation operation, tide_node a, tide_node b)
{
    if (e->failed || a == TIDE_NO_NODE || b == TIDE_NO_NODE)
        return TIDE_NO_NODE;
    if (is_constant(e, a) && is_constant(e, b))
        return tide_expression_constant(e, tide_operation_apply(operation, e->nodes[a].value, e->nodes[b].value, 0));
    tide_node simpler = simplify_binary(e, operation, a, b);
    if (e->failed || simpler != TIDE_NO_NODE)
        return simpler;
    // a b = b a: one node for both, with constants on the left
    bool commutes = operation == TIDE_OP_ADD || operation == TIDE_OP_MULTIPLY;
    if (commutes && b < a && !is_constant(e, a))
        return add_node(e, (tide_expression_node) { operation, b, a, TIDE_NO_NODE, 0 });
    return add_node(e, (tide_expression_node) { operation, a, b, TIDE_NO_NODE, 0 });
}

tide_node tide_expression_ternary(tide_expression *e, tide_operation operation, tide_node a, tide_node b, tide_node c)
{
    if (e->failed || a == TIDE_NO_NODE || b == TIDE_NO_NODE || c == TIDE_NO_NODE)
        return TIDE_NO_NODE;
    if (is_constant(e, a) && is_constant(e, b) && is_constant(e, c))
        return tide_expression_constant(
            e, tide_operation_apply(operation, e->nodes[a].value, e->nodes[b].value, e->nodes[c].value));
    if (operation == TIDE_OP_SELECT && is_constant(e, a))
        return e->nodes[a].value > 0 ? b : c;
    if (operation == TIDE_OP_SELECT && b == c)
        return b;
    return add_node(e, (tide_expression_node) { operation, a, b, c, 0 });
}

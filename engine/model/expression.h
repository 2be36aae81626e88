// Expressions: a graph of operations on numbers, in which equal subexpressions are one node. An element whose energy
// is such a graph gets its gradient and Hessian by differentiation of the graph (expression_element.h).
//
//     tide_expression *e;
//     status = tide_expression_create(&e, error);
//     tide_node x = tide_expression_input(e, 0), k = tide_expression_constant(e, 10);
//     tide_node energy = tide_expression_binary(e, TIDE_OP_MULTIPLY, k, tide_expression_binary(e, TIDE_OP_MULTIPLY, x,
//     x)); tide_expression_differentiate(e, energy, &x, 1, &slope); // 20 x if (e->failed) ...
//     tide_expression_destroy(e);
//
// Every function returns a node, or TIDE_NO_NODE after a failure; operations on TIDE_NO_NODE give TIDE_NO_NODE. So a
// caller builds a whole expression and then looks at `failed`: the graph has more than TIDE_EXPRESSION_MAX_NODES
// operations, or memory ran out. Constants are folded, and 0 x = 0, 1 x = x, x + 0 = x and the like are applied; other
// laws that would change the rounding of a given expression are not. Threads: one at a time for one graph.
#ifndef TIDE_MODEL_EXPRESSION_H
#define TIDE_MODEL_EXPRESSION_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TIDE_EXPRESSION_MAX_NODES = 1 << 16 };

typedef uint32_t tide_node; // an index; the operands of a node have smaller ones
#define TIDE_NO_NODE UINT32_MAX

typedef enum tide_operation {
    TIDE_OP_CONSTANT, // `value`
    TIDE_OP_INPUT,    // the number of the input is operand a
    TIDE_OP_ADD,
    TIDE_OP_SUBTRACT,
    TIDE_OP_MULTIPLY,
    TIDE_OP_DIVIDE,
    TIDE_OP_NEGATE,
    TIDE_OP_ROOT,    // square root; its derivative at 0 is taken as 0
    TIDE_OP_INVERSE, // 1 / a; 0 where a < TIDE_EXPRESSION_SMALLEST. For derivatives of roots and norms
    TIDE_OP_ABSOLUTE,
    TIDE_OP_MAXIMUM,
    TIDE_OP_MINIMUM,
    TIDE_OP_EXP,
    TIDE_OP_LOG,
    TIDE_OP_SIN,
    TIDE_OP_COS,
    TIDE_OP_ATAN2, // of a / b
    TIDE_OP_POWER, // a^b
    TIDE_OP_NORM,  // sqrt(a^2 + b^2 + c^2); its gradient at 0 is taken as (1, 0, 0), as that of a spring
    TIDE_OP_SELECT // b where a > 0, else c
} tide_operation;

#define TIDE_EXPRESSION_SMALLEST 1e-140 // a length below this is 0 or its square has lost digits to underflow

typedef struct tide_expression_node {
    tide_operation operation;
    tide_node a, b, c; // operands; TIDE_NO_NODE where there are fewer
    double value;
} tide_expression_node;

typedef struct tide_expression {
    tide_expression_node *nodes;
    uint32_t count;
    size_t capacity;
    uint32_t *table; // (table_size) nodes by their hash; TIDE_NO_NODE: empty
    uint32_t table_size;
    bool failed;
} tide_expression;

tide_status tide_expression_create(tide_expression **expression, tide_error *error);
void tide_expression_destroy(tide_expression *expression); // NULL does nothing

tide_node tide_expression_constant(tide_expression *e, double value);
tide_node tide_expression_input(tide_expression *e, uint32_t number);
tide_node tide_expression_unary(tide_expression *e, tide_operation operation, tide_node a);
tide_node tide_expression_binary(tide_expression *e, tide_operation operation, tide_node a, tide_node b);
tide_node tide_expression_ternary(tide_expression *e, tide_operation operation, tide_node a, tide_node b, tide_node c);

uint32_t tide_operation_arity(tide_operation operation); // 0 for a constant and an input
// Returns the value of an operation on numbers.
double tide_operation_apply(tide_operation operation, double a, double b, double c);
// Returns whether the node is this constant.
bool tide_expression_is(const tide_expression *e, tide_node node, double value);

// Finds the nodes up to `last` that depend on one of the inputs: depends (last + 1), which the caller sets to false.
void tide_expression_find_dependent(const tide_expression *e, const tide_node *inputs, uint32_t count, tide_node last,
                                    bool *depends);
// Differentiates `node` by nodes that are inputs: adds the nodes of the derivatives to the graph, out (count). Reverse
// accumulation (Griewank and Walther 2008, Evaluating Derivatives, sec. 3.2).
void tide_expression_differentiate(tide_expression *e, tide_node node, const tide_node *inputs, uint32_t count,
                                   tide_node *out);

#endif

// Derivatives of an expression by reverse accumulation over its graph.
#include "model/expression.h"

#include "base/memory.h"

#include <string.h>

typedef struct reverse {
    tide_expression *e;
    tide_node *adjoints; // (count) derivative of the result by each node; TIDE_NO_NODE: 0
    bool *depends;       // (count) the node depends on one of the inputs
} reverse;

static tide_node apply(const reverse *r, tide_operation operation, tide_node a, tide_node b)
{
    return tide_expression_binary(r->e, operation, a, b);
}

static tide_node constant(const reverse *r, double value)
{
    return tide_expression_constant(r->e, value);
}

// Adds a contribution to the adjoint of a node.
static void add_to(const reverse *r, tide_node node, tide_node part)
{
    if (!r->depends[node] || tide_expression_is(r->e, part, 0))
        return;
    tide_node *adjoint = &r->adjoints[node];
    *adjoint = *adjoint == TIDE_NO_NODE ? part : apply(r, TIDE_OP_ADD, *adjoint, part);
}

// Adds adjoint * slope.
static void add_product(const reverse *r, tide_node node, tide_node adjoint, tide_node slope)
{
    if (r->depends[node])
        add_to(r, node, apply(r, TIDE_OP_MULTIPLY, adjoint, slope));
}

static tide_node select(const reverse *r, tide_node condition, tide_node yes, tide_node no)
{
    return tide_expression_ternary(r->e, TIDE_OP_SELECT, condition, yes, no);
}

static void pass_product(const reverse *r, const tide_expression_node *n, tide_node adjoint)
{
    if (n->a == n->b) {
        add_product(r, n->a, apply(r, TIDE_OP_MULTIPLY, constant(r, 2), adjoint), n->a);
        return;
    }
    add_product(r, n->a, adjoint, n->b);
    add_product(r, n->b, adjoint, n->a);
}

static void pass_quotient(const reverse *r, const tide_expression_node *n, tide_node node, tide_node adjoint)
{
    tide_node part = apply(r, TIDE_OP_DIVIDE, adjoint, n->b);
    add_to(r, n->a, part);
    if (r->depends[n->b])
        add_to(r, n->b, tide_expression_unary(r->e, TIDE_OP_NEGATE, apply(r, TIDE_OP_MULTIPLY, part, node)));
}

// d a^b = b a^(b - 1) da + a^b log(a) db
static void pass_power(const reverse *r, const tide_expression_node *n, tide_node node, tide_node adjoint)
{
    if (r->depends[n->a]) {
        tide_node lower = apply(r, TIDE_OP_POWER, n->a, apply(r, TIDE_OP_SUBTRACT, n->b, constant(r, 1)));
        add_product(r, n->a, adjoint, apply(r, TIDE_OP_MULTIPLY, n->b, lower));
    }
    if (r->depends[n->b])
        add_product(r, n->b, adjoint, apply(r, TIDE_OP_MULTIPLY, node, tide_expression_unary(r->e, TIDE_OP_LOG, n->a)));
}

// d atan2(a, b) = (b da - a db) / (a^2 + b^2)
static void pass_angle(const reverse *r, const tide_expression_node *n, tide_node adjoint)
{
    tide_node b_squared = apply(r, TIDE_OP_MULTIPLY, n->b, n->b); // one call a line: their order numbers the nodes
    tide_node a_squared = apply(r, TIDE_OP_MULTIPLY, n->a, n->a);
    tide_node squared = apply(r, TIDE_OP_ADD, a_squared, b_squared);
    tide_node part = apply(r, TIDE_OP_DIVIDE, adjoint, squared);
    add_product(r, n->a, part, n->b);
    if (r->depends[n->b])
        add_to(r, n->b, tide_expression_unary(r->e, TIDE_OP_NEGATE, apply(r, TIDE_OP_MULTIPLY, part, n->a)));
}

// The gradient of a norm is the unit vector, (1, 0, 0) where the norm is 0.
static void pass_norm(const reverse *r, const tide_expression_node *n, tide_node node, tide_node adjoint)
{
    tide_node inverse = tide_expression_unary(r->e, TIDE_OP_INVERSE, node);
    tide_node scaled = apply(r, TIDE_OP_MULTIPLY, adjoint, inverse);
    if (r->depends[n->a])
        add_to(r, n->a, select(r, inverse, apply(r, TIDE_OP_MULTIPLY, scaled, n->a), adjoint));
    add_product(r, n->b, scaled, n->b);
    add_product(r, n->c, scaled, n->c);
}

static void pass_root(const reverse *r, const tide_expression_node *n, tide_node node, tide_node adjoint)
{
    tide_node inverse = tide_expression_unary(r->e, TIDE_OP_INVERSE, node);
    add_product(r, n->a, apply(r, TIDE_OP_MULTIPLY, constant(r, 0.5), adjoint), inverse);
}

static void pass_unary(const reverse *r, const tide_expression_node *n, tide_node node, tide_node adjoint)
{
    tide_expression *e = r->e;
    switch (n->operation) {
    case TIDE_OP_NEGATE:
        add_to(r, n->a, tide_expression_unary(e, TIDE_OP_NEGATE, adjoint));
        return;
    case TIDE_OP_ROOT:
        pass_root(r, n, node, adjoint);
        return;
    case TIDE_OP_INVERSE:
        add_to(r, n->a,
               tide_expression_unary(e, TIDE_OP_NEGATE,
                                     apply(r, TIDE_OP_MULTIPLY, adjoint, apply(r, TIDE_OP_MULTIPLY, node, node))));
        return;
    case TIDE_OP_ABSOLUTE: {
        tide_node negative = tide_expression_unary(e, TIDE_OP_NEGATE, n->a);
        tide_node zero = constant(r, 0), minus = constant(r, -1), below = select(r, negative, minus, zero);
        tide_node sign = select(r, n->a, constant(r, 1), below);
        add_product(r, n->a, adjoint, sign);
        return;
    }
    case TIDE_OP_EXP:
        add_product(r, n->a, adjoint, node);
        return;
    case TIDE_OP_LOG:
        add_to(r, n->a, apply(r, TIDE_OP_DIVIDE, adjoint, n->a));
        return;
    case TIDE_OP_SIN:
        add_product(r, n->a, adjoint, tide_expression_unary(e, TIDE_OP_COS, n->a));
        return;
    default: // cos
        add_to(r, n->a,
               tide_expression_unary(e, TIDE_OP_NEGATE,
                                     apply(r, TIDE_OP_MULTIPLY, adjoint, tide_expression_unary(e, TIDE_OP_SIN, n->a))));
    }
}

// Passes the adjoint of a node on to its operands.
static void pass_on(const reverse *r, tide_node node, tide_node adjoint)
{
    const tide_expression_node n = r->e->nodes[node]; // a copy: the array may move
    tide_node zero = constant(r, 0);
    switch (n.operation) {
    case TIDE_OP_ADD:
        add_to(r, n.a, adjoint);
        add_to(r, n.b, adjoint);
        return;
    case TIDE_OP_SUBTRACT:
        add_to(r, n.a, adjoint);
        if (r->depends[n.b])
            add_to(r, n.b, tide_expression_unary(r->e, TIDE_OP_NEGATE, adjoint));
        return;
    case TIDE_OP_MULTIPLY:
        pass_product(r, &n, adjoint);
        return;
    case TIDE_OP_DIVIDE:
        pass_quotient(r, &n, node, adjoint);
        return;
    case TIDE_OP_MAXIMUM:
    case TIDE_OP_MINIMUM: {
        tide_node first = n.operation == TIDE_OP_MAXIMUM ? n.a : n.b,
                  second = n.operation == TIDE_OP_MAXIMUM ? n.b : n.a;
        tide_node above = apply(r, TIDE_OP_SUBTRACT, first, second);
        add_to(r, n.a, select(r, above, adjoint, zero));
        add_to(r, n.b, select(r, above, zero, adjoint));
        return;
    }
    case TIDE_OP_ATAN2:
        pass_angle(r, &n, adjoint);
        return;
    case TIDE_OP_POWER:
        pass_power(r, &n, node, adjoint);
        return;
    case TIDE_OP_NORM:
        pass_norm(r, &n, node, adjoint);
        return;
    case TIDE_OP_SELECT:
        add_to(r, n.b, select(r, n.a, adjoint, zero));
        add_to(r, n.c, select(r, n.a, zero, adjoint));
        return;
    default:
        pass_unary(r, &n, node, adjoint);
    }
}

void tide_expression_find_dependent(const tide_expression *e, const tide_node *inputs, uint32_t count, tide_node last,
                                    bool *depends)
{
    for (uint32_t i = 0; i < count; i++)
        if (inputs[i] <= last)
            depends[inputs[i]] = true;
    for (tide_node n = 0; n <= last; n++) {
        const tide_node operands[3] = { e->nodes[n].a, e->nodes[n].b, e->nodes[n].c };
        for (uint32_t k = 0; k < tide_operation_arity(e->nodes[n].operation); k++)
            depends[n] = depends[n] || depends[operands[k]];
    }
}

void tide_expression_differentiate(tide_expression *e, tide_node node, const tide_node *inputs, uint32_t count,
                                   tide_node *out)
{
    for (uint32_t i = 0; i < count; i++)
        out[i] = TIDE_NO_NODE;
    if (e->failed || node == TIDE_NO_NODE)
        return;
    reverse r = { e, tide_allocate_array(node + 1, sizeof *r.adjoints), tide_allocate_zeroed(node + 1, sizeof(bool)) };
    if (!r.adjoints || !r.depends)
        e->failed = true;
    else {
        memset(r.adjoints, 0xff, (node + 1) * sizeof *r.adjoints);
        tide_expression_find_dependent(e, inputs, count, node, r.depends);
        if (r.depends[node])
            r.adjoints[node] = tide_expression_constant(e, 1);
        for (tide_node n = node + 1; n-- > 0 && !e->failed;)
            if (r.adjoints[n] != TIDE_NO_NODE && tide_operation_arity(e->nodes[n].operation))
                pass_on(&r, n, r.adjoints[n]);
        for (uint32_t i = 0; i < count && !e->failed; i++) {
            tide_node found = inputs[i] <= node ? r.adjoints[inputs[i]] : TIDE_NO_NODE;
            out[i] = found == TIDE_NO_NODE ? tide_expression_constant(e, 0) : found;
        }
    }
    tide_free(r.adjoints);
    tide_free(r.depends);
}

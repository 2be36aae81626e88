// The graph of expressions: laws, shared nodes, derivatives against finite differences, programs against the graph.
#include "../linear/dense.h"
#include "base/processor.h"
#include "expression_samples.h"

#include <string.h>

enum { INPUTS = 3, ROUNDS = 40, ELEMENTS = 37 };

typedef struct formula {
    const char *name;
    tide_node (*make)(tide_expression *e, const tide_node x[INPUTS]);
    double low, high; // of the inputs
} formula;

static double value_of(const tide_expression *e, tide_node node, const double x[INPUTS])
{
    const tide_expression_node *n = &e->nodes[node];
    uint32_t arity = tide_operation_arity(n->operation);
    if (n->operation == TIDE_OP_CONSTANT)
        return n->value;
    if (n->operation == TIDE_OP_INPUT)
        return x[n->a];
    double a = value_of(e, n->a, x), b = arity > 1 ? value_of(e, n->b, x) : 0, c = arity > 2 ? value_of(e, n->c, x) : 0;
    return tide_operation_apply(n->operation, a, b, c);
}

#define UNARY(name, operation)                                                                                         \
    static tide_node name(tide_expression *e, const tide_node x[INPUTS])                                               \
    {                                                                                                                  \
        tide_node product = sample_apply(e, TIDE_OP_MULTIPLY, x[0], x[1]);                                             \
        return tide_expression_unary(e, operation, sample_apply(e, TIDE_OP_ADD, product, x[2]));                       \
    }
UNARY(make_negate, TIDE_OP_NEGATE)
UNARY(make_root, TIDE_OP_ROOT)
UNARY(make_inverse, TIDE_OP_INVERSE)
UNARY(make_absolute, TIDE_OP_ABSOLUTE)
UNARY(make_exp, TIDE_OP_EXP)
UNARY(make_log, TIDE_OP_LOG)
UNARY(make_sin, TIDE_OP_SIN)
UNARY(make_cos, TIDE_OP_COS)

#define BINARY(name, operation)                                                                                        \
    static tide_node name(tide_expression *e, const tide_node x[INPUTS])                                               \
    {                                                                                                                  \
        tide_node product = sample_apply(e, TIDE_OP_MULTIPLY, x[0], x[1]);                                             \
        return sample_apply(e, operation, product, sample_apply(e, TIDE_OP_ADD, x[2], x[0]));                          \
    }
BINARY(make_sum, TIDE_OP_ADD)
BINARY(make_difference, TIDE_OP_SUBTRACT)
BINARY(make_product, TIDE_OP_MULTIPLY)
BINARY(make_quotient, TIDE_OP_DIVIDE)
BINARY(make_maximum, TIDE_OP_MAXIMUM)
BINARY(make_minimum, TIDE_OP_MINIMUM)
BINARY(make_angle, TIDE_OP_ATAN2)

static tide_node make_power(tide_expression *e, const tide_node x[INPUTS])
{
    tide_node five_halves = sample_apply(e, TIDE_OP_POWER, x[0], sample_constant(e, 2.5));
    tide_node minus_three = sample_apply(e, TIDE_OP_POWER, x[1], sample_constant(e, -3));
    return sample_apply(e, TIDE_OP_ADD, sample_apply(e, TIDE_OP_MULTIPLY, five_halves, minus_three),
                        sample_apply(e, TIDE_OP_POWER, x[2], x[1]));
}

static tide_node make_norm(tide_expression *e, const tide_node x[INPUTS])
{
    return tide_expression_ternary(e, TIDE_OP_NORM, sample_apply(e, TIDE_OP_MULTIPLY, x[0], x[1]), x[1], x[2]);
}

static tide_node make_select(tide_expression *e, const tide_node x[INPUTS])
{
    return tide_expression_ternary(e, TIDE_OP_SELECT, sample_apply(e, TIDE_OP_SUBTRACT, x[0], x[1]),
                                   sample_apply(e, TIDE_OP_MULTIPLY, x[0], x[2]),
                                   sample_apply(e, TIDE_OP_MULTIPLY, x[1], x[1]));
}

static const formula formulas[] = {
    { "negate", make_negate, -2, 2 },    { "root", make_root, 0.5, 2 },
    { "inverse", make_inverse, 0.5, 2 }, { "absolute", make_absolute, -2, 2 },
    { "exp", make_exp, -1, 1 },          { "log", make_log, 0.5, 2 },
    { "sin", make_sin, -2, 2 },          { "cos", make_cos, -2, 2 },
    { "sum", make_sum, -2, 2 },          { "difference", make_difference, -2, 2 },
    { "product", make_product, -2, 2 },  { "quotient", make_quotient, 0.5, 2 },
    { "maximum", make_maximum, -2, 2 },  { "minimum", make_minimum, -2, 2 },
    { "angle", make_angle, 0.3, 2 },     { "power", make_power, 0.5, 2 },
    { "norm", make_norm, -2, 2 },        { "select", make_select, -2, 2 },
};
enum { FORMULAS = sizeof formulas / sizeof formulas[0] };

static tide_expression *new_expression(tide_node x[INPUTS])
{
    tide_expression *e;
    tide_error error;
    assert_ok(tide_expression_create(&e, &error), error);
    for (uint32_t i = 0; i < INPUTS; i++)
        x[i] = tide_expression_input(e, i);
    return e;
}

// First and second derivatives, by Richardson's extrapolation of central differences. Skips points next to a kink,
// where the slopes on both sides differ.
static void test_derivatives_of_operations(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(3);
    for (int f = 0; f < FORMULAS; f++) {
        tide_node x[INPUTS], slopes[INPUTS], curvatures[INPUTS][INPUTS];
        tide_expression *e = new_expression(x);
        tide_node node = formulas[f].make(e, x);
        tide_expression_differentiate(e, node, x, INPUTS, slopes);
        for (int i = 0; i < INPUTS; i++)
            tide_expression_differentiate(e, slopes[i], x, INPUTS, curvatures[i]);
        assert_false(e->failed);
        int checked = 0;
        for (int round = 0; round < ROUNDS; round++) {
            double at[INPUTS];
            for (int i = 0; i < INPUTS; i++)
                at[i] = test_uniform(&random, formulas[f].low, formulas[f].high);
            for (int i = 0; i < INPUTS; i++)
                for (int k = -1; k < INPUTS; k++) {
                    tide_node of = k < 0 ? node : slopes[k];
                    double values[4], slope = value_of(e, k < 0 ? slopes[i] : curvatures[k][i], at), saved = at[i];
                    for (int s = 0; s < 4; s++) {
                        at[i] = saved + 1e-3 * (double[]) { -2, -1, 1, 2 }[s];
                        values[s] = value_of(e, of, at);
                    }
                    at[i] = saved;
                    double wide = (values[3] - values[0]) / 4e-3, near = (values[2] - values[1]) / 2e-3;
                    if (fabs(wide - near) > 1e-3 * (1 + fabs(near)))
                        continue;
                    checked++;
                    assert_near((4 * near - wide) / 3, slope, 2e-7 * (1 + fabs(slope)));
                }
        }
        assert_true(checked > ROUNDS * 8);
        tide_expression_destroy(e);
    }
}

// Programs compute what the graph says, with every vector length, also in the rest of a block.
static void test_programs_against_the_graph(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(4);
    double positions[3 * ELEMENTS], out[ELEMENTS * 4], expected[ELEMENTS * 4];
    uint32_t vertices[ELEMENTS];
    for (int f = 0; f < FORMULAS; f++) {
        tide_node x[INPUTS], outputs[4];
        tide_error error;
        tide_program program = { 0 };
        tide_expression *e = new_expression(x);
        outputs[0] = formulas[f].make(e, x);
        tide_expression_differentiate(e, outputs[0], x, INPUTS, outputs + 1);
        assert_ok(tide_program_compile(e, outputs, 4, 1, "sample", &program, &error), error);
        for (uint32_t i = 0; i < ELEMENTS; i++) {
            vertices[i] = ELEMENTS - 1 - i;
            for (int k = 0; k < 3; k++)
                positions[3 * i + (uint32_t)k] = test_uniform(&random, formulas[f].low, formulas[f].high);
        }
        for (uint32_t i = 0; i < ELEMENTS; i++)
            for (uint32_t k = 0; k < 4; k++)
                expected[4 * i + k] = value_of(e, outputs[k], positions + 3 * vertices[i]);
        tide_elements elements = { NULL, ELEMENTS, vertices, NULL };
        for (int bits = 128; bits <= 512; bits *= 2) {
            tide_vector_bits_limit(bits);
            memset(out, 0, sizeof out);
            tide_program_run(&program, &elements, positions, 0, ELEMENTS, out);
            for (uint32_t i = 0; i < 4 * ELEMENTS; i++)
                assert_true(out[i] == expected[i]);
        }
        tide_vector_bits_limit(0);
        tide_program_free(&program);
        tide_expression_destroy(e);
    }
}

static void test_laws(void **state)
{
    (void)state;
    tide_node x[INPUTS];
    tide_expression *e = new_expression(x);
    tide_node zero = sample_constant(e, 0), one = sample_constant(e, 1), two = sample_constant(e, 2);
    tide_node sum = sample_apply(e, TIDE_OP_ADD, x[0], x[1]);
    assert_int_equal(sum, sample_apply(e, TIDE_OP_ADD, x[1], x[0]));
    assert_int_equal(sample_apply(e, TIDE_OP_MULTIPLY, zero, x[0]), zero);
    assert_int_equal(sample_apply(e, TIDE_OP_MULTIPLY, x[0], one), x[0]);
    assert_int_equal(sample_apply(e, TIDE_OP_ADD, x[0], zero), x[0]);
    assert_int_equal(sample_apply(e, TIDE_OP_SUBTRACT, x[0], x[0]), zero);
    assert_int_equal(sample_apply(e, TIDE_OP_POWER, x[0], two), sample_apply(e, TIDE_OP_MULTIPLY, x[0], x[0]));
    assert_int_equal(sample_apply(e, TIDE_OP_POWER, x[0], zero), one);
    tide_node half = sample_apply(e, TIDE_OP_DIVIDE, x[0], two);
    assert_int_equal(sample_apply(e, TIDE_OP_MULTIPLY, two, half), x[0]);
    tide_node negative = tide_expression_unary(e, TIDE_OP_NEGATE, x[0]);
    assert_int_equal(tide_expression_unary(e, TIDE_OP_NEGATE, negative), x[0]);
    assert_int_equal(sample_apply(e, TIDE_OP_ADD, x[0], negative), zero);
    assert_true(tide_expression_is(e, sample_apply(e, TIDE_OP_DIVIDE, one, two), 0.5));
    uint32_t count = e->count;
    make_norm(e, x);
    uint32_t more = e->count;
    make_norm(e, x);
    assert_true(more > count && e->count == more);
    tide_expression_destroy(e);
}

// At 0 a norm has the slope (1, 0, 0) and a root the slope 0; both derivatives stay finite.
static void test_kinks(void **state)
{
    (void)state;
    tide_node x[INPUTS], slopes[INPUTS], curvatures[INPUTS];
    const double origin[INPUTS] = { 0 };
    tide_expression *e = new_expression(x);
    tide_node length = tide_expression_ternary(e, TIDE_OP_NORM, x[0], x[1], x[2]);
    tide_expression_differentiate(e, length, x, INPUTS, slopes);
    tide_expression_differentiate(e, slopes[0], x, INPUTS, curvatures);
    for (int i = 0; i < INPUTS; i++) {
        assert_true(value_of(e, slopes[i], origin) == (i == 0));
        assert_true(value_of(e, curvatures[i], origin) == 0);
    }
    tide_node root = tide_expression_unary(e, TIDE_OP_ROOT, sample_apply(e, TIDE_OP_MULTIPLY, x[0], x[0]));
    tide_expression_differentiate(e, root, x, INPUTS, slopes);
    assert_true(value_of(e, slopes[0], origin) == 0);
    tide_expression_destroy(e);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_derivatives_of_operations),
    cmocka_unit_test(test_programs_against_the_graph),
    cmocka_unit_test(test_laws),
    cmocka_unit_test(test_kinks),
};
TIDE_TEST_SUITE(expression, tests)

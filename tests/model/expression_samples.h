// Kinds of elements made of expressions: those of the list, written as expressions, and one with every operation.
#ifndef TIDE_TESTS_EXPRESSION_SAMPLES_H
#define TIDE_TESTS_EXPRESSION_SAMPLES_H

#include "base/field.h"
#include "model/expression_element.h"
#include "tests.h"

typedef struct sample_vector {
    tide_node x, y, z;
} sample_vector;

static inline tide_node sample_apply(tide_expression *e, tide_operation operation, tide_node a, tide_node b)
{
    return tide_expression_binary(e, operation, a, b);
}

static inline tide_node sample_constant(tide_expression *e, double value)
{
    return tide_expression_constant(e, value);
}

static inline sample_vector sample_corner(tide_expression *e, uint32_t corner)
{
    return (sample_vector) { tide_expression_input(e, tide_expression_position(corner, 0)),
                             tide_expression_input(e, tide_expression_position(corner, 1)),
                             tide_expression_input(e, tide_expression_position(corner, 2)) };
}

static inline sample_vector sample_subtract(tide_expression *e, sample_vector a, sample_vector b)
{
    return (sample_vector) { sample_apply(e, TIDE_OP_SUBTRACT, a.x, b.x), sample_apply(e, TIDE_OP_SUBTRACT, a.y, b.y),
                             sample_apply(e, TIDE_OP_SUBTRACT, a.z, b.z) };
}

static inline sample_vector sample_scale(tide_expression *e, sample_vector a, tide_node b)
{
    return (sample_vector) { sample_apply(e, TIDE_OP_MULTIPLY, a.x, b), sample_apply(e, TIDE_OP_MULTIPLY, a.y, b),
                             sample_apply(e, TIDE_OP_MULTIPLY, a.z, b) };
}

static inline tide_node sample_dot(tide_expression *e, sample_vector a, sample_vector b)
{
    sample_vector p = { sample_apply(e, TIDE_OP_MULTIPLY, a.x, b.x), sample_apply(e, TIDE_OP_MULTIPLY, a.y, b.y),
                        sample_apply(e, TIDE_OP_MULTIPLY, a.z, b.z) };
    return sample_apply(e, TIDE_OP_ADD, sample_apply(e, TIDE_OP_ADD, p.x, p.y), p.z);
}

static inline tide_node sample_minor(tide_expression *e, tide_node a, tide_node b, tide_node c, tide_node d)
{
    return sample_apply(e, TIDE_OP_SUBTRACT, sample_apply(e, TIDE_OP_MULTIPLY, a, d),
                        sample_apply(e, TIDE_OP_MULTIPLY, b, c));
}

static inline sample_vector sample_cross(tide_expression *e, sample_vector a, sample_vector b)
{
    return (sample_vector) { sample_minor(e, a.y, a.z, b.y, b.z), sample_minor(e, a.z, a.x, b.z, b.x),
                             sample_minor(e, a.x, a.y, b.x, b.y) };
}

static inline tide_node sample_length(tide_expression *e, sample_vector a)
{
    return tide_expression_ternary(e, TIDE_OP_NORM, a.x, a.y, a.z);
}

// k/2 s^2
static inline tide_node sample_square(tide_expression *e, tide_node k, tide_node s)
{
    return sample_apply(e, TIDE_OP_MULTIPLY, sample_apply(e, TIDE_OP_DIVIDE, k, sample_constant(e, 2)),
                        sample_apply(e, TIDE_OP_MULTIPLY, s, s));
}

#define SAMPLE_FIELD(text, number)                                                                                     \
    {                                                                                                                  \
        .name = text, .type = TIDE_FIELD_REAL, .offset = (number) * sizeof(double), .help = text                       \
    }

// Makes a kind of an energy with `count` parameters, named as `names`.
static inline tide_status sample_kind(tide_expression *e, const char *name, uint32_t corners, uint32_t count,
                                      tide_node energy, const tide_element_kind **kind, tide_error *error)
{
    static const char *const names[] = { "k", "a", "b", "c" };
    tide_field fields[5] = { { 0 } };
    for (uint32_t p = 0; p < count; p++)
        fields[p] = (tide_field)SAMPLE_FIELD(names[p], p);
    const tide_node rests[4] = { TIDE_NO_NODE, TIDE_NO_NODE, TIDE_NO_NODE, TIDE_NO_NODE };
    return tide_expression_kind_create(e,
                                       &(tide_expression_definition) {
                                           .name = name,
                                           .help = "a sample",
                                           .place = "sample.lua:1",
                                           .vertex_count = corners,
                                           .parameters = fields,
                                           .parameter_count = count,
                                           .rests = rests,
                                           .energy = energy,
                                           .strain = TIDE_NO_NODE,
                                           .rest_parameter = TIDE_ELEMENT_NO_PARAMETER,
                                       },
                                       kind, error);
}

static inline tide_node sample_parameter(tide_expression *e, uint32_t corners, uint32_t parameter)
{
    return tide_expression_input(e, tide_expression_parameter(corners, parameter));
}

static inline tide_node sample_spring_energy(tide_expression *e)
{
    sample_vector d = sample_subtract(e, sample_corner(e, 0), sample_corner(e, 1));
    tide_node s = sample_apply(e, TIDE_OP_SUBTRACT, sample_length(e, d), sample_parameter(e, 2, 1));
    return sample_square(e, sample_parameter(e, 2, 0), s);
}

static inline tide_node sample_anchor_energy(tide_expression *e)
{
    sample_vector at = { sample_parameter(e, 1, 1), sample_parameter(e, 1, 2), sample_parameter(e, 1, 3) };
    sample_vector d = sample_subtract(e, sample_corner(e, 0), at);
    return sample_apply(e, TIDE_OP_MULTIPLY,
                        sample_apply(e, TIDE_OP_DIVIDE, sample_parameter(e, 1, 0), sample_constant(e, 2)),
                        sample_dot(e, d, d));
}

// k/2 (sqrt(n . n) / 2 - A0)^2 with n = (x1 - x0) x (x2 - x0): a root has the gradient 0 at 0, as the area spring.
static inline tide_node sample_area_energy(tide_expression *e)
{
    sample_vector origin = sample_corner(e, 0);
    sample_vector n = sample_cross(e, sample_subtract(e, sample_corner(e, 1), origin),
                                   sample_subtract(e, sample_corner(e, 2), origin));
    tide_node area = sample_apply(e, TIDE_OP_DIVIDE, tide_expression_unary(e, TIDE_OP_ROOT, sample_dot(e, n, n)),
                                  sample_constant(e, 2));
    return sample_square(e, sample_parameter(e, 3, 0),
                         sample_apply(e, TIDE_OP_SUBTRACT, area, sample_parameter(e, 3, 1)));
}

static inline tide_node sample_tie_energy(tide_expression *e)
{
    sample_vector d = sample_corner(e, 0);
    for (uint32_t c = 1; c < 4; c++)
        d = sample_subtract(e, d, sample_scale(e, sample_corner(e, c), sample_parameter(e, 4, c)));
    return sample_apply(e, TIDE_OP_MULTIPLY,
                        sample_apply(e, TIDE_OP_DIVIDE, sample_parameter(e, 4, 0), sample_constant(e, 2)),
                        sample_dot(e, d, d));
}

static inline const tide_element_kind *sample_make(const char *name, uint32_t corners, uint32_t count,
                                                   tide_node (*energy)(tide_expression *e))
{
    tide_expression *e;
    tide_error error;
    const tide_element_kind *kind = NULL;
    assert_ok(tide_expression_create(&e, &error), error);
    assert_ok(sample_kind(e, name, corners, count, energy(e), &kind, &error), error);
    tide_expression_destroy(e);
    return kind;
}

#endif

// Kinds of elements made of an expression for their energy. Gradient and Hessian are derivatives of the expression;
// the constant matrix is a bound of the Hessian near the shape at rest (expression_bound.h).
//
//     tide_expression_definition spring = { .name = "pull", .place = "net.lua:3", .vertex_count = 2, ... };
//     status = tide_expression_kind_create(e, &spring, &kind, error); // kind->retain and kind->release count its users
//     tide_element_release(kind);
//
// The inputs of the expression are numbered by tide_expression_position, _rest_position and _parameter below. The kind
// copies the definition and keeps nothing of the expression, which may be destroyed. Threads: as for all kinds.
#ifndef TIDE_MODEL_EXPRESSION_ELEMENT_H
#define TIDE_MODEL_EXPRESSION_ELEMENT_H

#include "model/expression_program.h"

enum { TIDE_EXPRESSION_MAX_PARAMETERS = 16 }; // of the definition

// Parameters of an element that its kind adds to those of the definition, in this order.
enum {
    TIDE_EXPRESSION_SCALE, // 1, a factor of the energy; 0 for an element that is cut
    TIDE_EXPRESSION_SIZE,  // m, sum of squared distances of its corners at rest, square root
    TIDE_EXPRESSION_MATRIX // lower triangle of its part of L, then the rest positions
};

typedef struct tide_expression_definition {
    const char *name, *help;
    const char *place; // where the energy was written, "net.lua:3", for errors
    uint32_t vertex_count;
    // The parameters, as a field table for a double[parameter_count]; their default TIDE_NOT_GIVEN: from `rests`.
    const tide_field *parameters;
    uint32_t parameter_count; // at most TIDE_EXPRESSION_MAX_PARAMETERS
    // (parameter_count) for each parameter the node of its default, which depends on rest positions alone;
    // TIDE_NO_NODE: the default of the field
    const tide_node *rests;
    tide_node energy; // J
    tide_node strain; // for colours and reports; TIDE_NO_NODE: the relative change of the distances of the corners
    uint32_t rest_parameter; // the parameter that muscles change; TIDE_ELEMENT_NO_PARAMETER: none
} tide_expression_definition;

static inline uint32_t tide_expression_position(uint32_t corner, uint32_t axis)
{
    return 3 * corner + axis;
}

static inline uint32_t tide_expression_parameter(uint32_t vertex_count, uint32_t parameter)
{
    return 3 * vertex_count + parameter;
}

static inline uint32_t tide_expression_rest_position(uint32_t vertex_count, uint32_t parameter_count, uint32_t corner,
                                                     uint32_t axis)
{
    return 3 * vertex_count + parameter_count + TIDE_EXPRESSION_MATRIX + vertex_count * (vertex_count + 1) / 2 +
           3 * corner + axis;
}

// Makes a kind with one user. Adds derivatives to the expression. Fails when the energy does not depend on the
// positions, and when it is too large.
tide_status tide_expression_kind_create(tide_expression *e, const tide_expression_definition *definition,
                                        const tide_element_kind **kind, tide_error *error);

#endif

// The state of a kind that is made of an expression. Private to model/.
#ifndef TIDE_MODEL_EXPRESSION_STATE_H
#define TIDE_MODEL_EXPRESSION_STATE_H

#include "model/expression_element.h"

#include <string.h>

typedef struct tide_expression_kind {
    tide_element_kind kind;     // first, so that a kind's address is that of its state
    uint32_t references, given; // users; parameters of the definition
    // The energy depends on x_1 - x_0 alone (two corners), or there is one corner: the Hessian is that of one corner,
    // B, or (B, -B; -B, B).
    bool pair;
    tide_program energy, gradient;
    tide_program hessian;                            // lower triangle, row by row; of a pair: of B
    tide_program corners[TIDE_ELEMENT_MAX_VERTICES]; // gradient and lower triangle of the Hessian of one corner
    // E = f s^2 with a factor f that does not depend on the positions: outputs f, s and ds/dx. Without instructions: E
    // has no such form.
    tide_program square;
    tide_program defaults; // of the parameters that depend on the shape at rest
    uint32_t default_parameters[TIDE_EXPRESSION_MAX_PARAMETERS], default_count;
    tide_program strain; // without instructions: the default
    tide_field *fields;  // owned, with their texts
    char *texts[5 + 3 * TIDE_EXPRESSION_MAX_PARAMETERS];
    uint32_t text_count;
    const char *wrong_energy, *wrong_gradient, *wrong_hessian; // for elements that are not finite at rest
} tide_expression_kind;

static inline const tide_expression_kind *tide_expression_kind_of(const tide_element_kind *kind)
{
    return (const tide_expression_kind *)(const void *)kind;
}

// Returns the index of a parameter that the kind adds.
static inline uint32_t tide_expression_added(const tide_expression_kind *kind, uint32_t which)
{
    return kind->given + which;
}

// Expands a lower triangle, row by row, to a symmetric matrix, row-major.
static inline void tide_expand_triangle(const double *triangle, uint32_t side, double *out)
{
    for (uint32_t i = 0; i < side; i++)
        for (uint32_t j = 0; j <= i; j++)
            out[side * i + j] = out[side * j + i] = *triangle++;
}

// Computes the largest eigenvalue of B, a lower triangle of 3 x 3; negative ones count as 0.
double tide_expression_largest(const double triangle[6]);

// Completes the parameters of an element with the given ones: its part of the constant matrix (expression_bound.c).
// Returns as `rest` of a kind does.
const char *tide_expression_bound(const tide_expression_kind *kind, double *parameters);

// Sets the functions of a kind (expression_kind.c).
void tide_expression_fill_functions(tide_element_kind *kind, bool pair, bool square);

#endif

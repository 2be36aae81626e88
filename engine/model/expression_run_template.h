// Runs a program on one block. Included by expression_run.c once for each vector length, with LANES (doubles in a
// vector), NAME(x), TARGET and ROOT(v) defined. Undefines them and the guard. Private to model/.
#ifndef TIDE_MODEL_EXPRESSION_RUN_TEMPLATE_H
#define TIDE_MODEL_EXPRESSION_RUN_TEMPLATE_H

typedef double NAME(vec) __attribute__((vector_size(8 * LANES), may_alias));
typedef int64_t NAME(mask) __attribute__((vector_size(8 * LANES), may_alias));

#define VEC NAME(vec)
#define MASK NAME(mask)
#define CHOOSE(mask, a, b) (VEC)(((mask) & (MASK)(a)) | (~(mask) & (MASK)(b)))
#define EACH(result)                                                                                                   \
    for (uint32_t i = 0; i < vectors; i++)                                                                             \
        to[i] = result;                                                                                                \
    break

// Computes the operations that have vectors; returns false for the others.
TARGET static inline bool NAME(compute)(const tide_instruction *n, uint32_t vectors, double *registers, size_t lanes)
{
    VEC *to = (VEC *)(registers + n->to * lanes);
    const VEC *a = (const VEC *)(registers + n->a * lanes), *b = (const VEC *)(registers + n->b * lanes),
              *c = (const VEC *)(registers + n->c * lanes);
    const VEC zero = { 0 }, value = zero + n->value, one = zero + 1;
    switch (n->code) {
    case TIDE_OP_CONSTANT:
        EACH(value);
    case TIDE_OP_ADD:
        EACH(a[i] + b[i]);
    case TIDE_OP_SUBTRACT:
        EACH(a[i] - b[i]);
    case TIDE_OP_MULTIPLY:
        EACH(a[i] * b[i]);
    case TIDE_OP_DIVIDE:
        EACH(a[i] / b[i]);
    case TIDE_CODE_ADD_CONSTANT:
        EACH(a[i] + value);
    case TIDE_CODE_MULTIPLY_CONSTANT:
        EACH(a[i] * value);
    case TIDE_OP_NEGATE:
        EACH(-a[i]);
    case TIDE_OP_ROOT:
        EACH(ROOT(a[i]));
    case TIDE_OP_INVERSE:
        EACH(CHOOSE((MASK)(a[i] < TIDE_EXPRESSION_SMALLEST), zero, one / a[i]));
    case TIDE_OP_ABSOLUTE:
        EACH((VEC)((MASK)a[i] & INT64_MAX));
    case TIDE_OP_MAXIMUM:
        EACH(CHOOSE((MASK)(a[i] > b[i]), a[i], b[i]));
    case TIDE_OP_MINIMUM:
        EACH(CHOOSE((MASK)(a[i] < b[i]), a[i], b[i]));
    case TIDE_OP_NORM:
        EACH(ROOT(a[i] * a[i] + b[i] * b[i] + c[i] * c[i]));
    case TIDE_OP_SELECT:
        EACH(CHOOSE((MASK)(a[i] > 0), b[i], c[i]));
    default:
        return false;
    }
    return true;
}

TARGET static void NAME(run_block)(const tide_program *program, const block *at, double *registers)
{
    uint32_t vectors = (at->count + LANES - 1) / LANES;
    for (const tide_instruction *n = program->instructions, *end = n + program->count; n < end; n++)
        if (!NAME(compute)(n, vectors, registers, program->lanes))
            move_or_call(n, at, vectors * LANES, registers, program->lanes);
}

#undef LANES
#undef NAME
#undef TARGET
#undef ROOT
#undef VEC
#undef MASK
#undef CHOOSE
#undef EACH

#endif
#undef TIDE_MODEL_EXPRESSION_RUN_TEMPLATE_H

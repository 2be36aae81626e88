// Programs that evaluate expressions for many elements at once: instructions on registers, where a register holds a
// number of each element of a block. One instruction works on a whole block, in vectors of the processor.
//
//     tide_program program = { 0 };
//     status = tide_program_compile(e, outputs, 2, vertex_count, "element \"pull\"", &program, error);
//     tide_program_run(&program, &elements, x, begin, end, out);
//     tide_program_free(&program);
//
// Input n of the expression is coordinate n % 3 of corner n / 3 of the element, or from 3 * vertex_count on, parameter
// n - 3 * vertex_count. Results have the same bits for every vector length: each number is computed by the same
// operations. Running allocates nothing; any number of threads may run one program.
#ifndef TIDE_MODEL_EXPRESSION_PROGRAM_H
#define TIDE_MODEL_EXPRESSION_PROGRAM_H

#include "model/element.h"
#include "model/expression.h"

enum {
    TIDE_PROGRAM_NUMBERS = 8192,                            // of all registers, on the stack: 64 KiB
    TIDE_PROGRAM_MOST_LANES = 64,                           // elements of a block
    TIDE_PROGRAM_MOST_REGISTERS = TIDE_PROGRAM_NUMBERS / 8, // then a block has 8 elements
};

// Operations of instructions besides those of expressions.
enum {
    TIDE_CODE_POSITION = TIDE_OP_SELECT + 1, // loads x, y, z of corner `to` into registers a, b, c
    TIDE_CODE_PARAMETER,                     // loads parameter a
    TIDE_CODE_ADD_CONSTANT,                  // a + value
    TIDE_CODE_MULTIPLY_CONSTANT,             // a value
    TIDE_CODE_STORE,                         // writes register a to output `to`
    TIDE_CODE_STORE_NEGATIVE,
    TIDE_CODE_STORE_THREE, // writes registers a, b, c to outputs `to`, `to` + 1, `to` + 2
    TIDE_CODE_STORE_CONSTANT
};

typedef struct tide_instruction {
    uint16_t code, to, a, b, c; // a code, registers
    bool negative[3];           // of TIDE_CODE_STORE_THREE: signs
    double value;
} tide_instruction;

typedef struct tide_program {
    tide_instruction *instructions; // owned
    uint32_t count, outputs, registers, corners;
    uint32_t lanes; // elements of a block, a multiple of 8
} tide_program;

// Compiles the outputs, (output_count) nodes. Fails when the expression has failed, which is too large or out of
// memory, and when the program needs more than TIDE_PROGRAM_MOST_REGISTERS registers. `object` is for errors.
tide_status tide_program_compile(const tide_expression *e, const tide_node *outputs, uint32_t output_count,
                                 uint32_t corners, const char *object, tide_program *program, tide_error *error);
void tide_program_free(tide_program *program);

// Computes the outputs of elements begin ... end - 1, (outputs * (end - begin)).
void tide_program_run(const tide_program *program, const tide_elements *elements, const double *x, uint32_t begin,
                      uint32_t end, double *out);

#endif

// Runs programs, in vectors of 8, 4 or 2 numbers.
#include "base/processor.h"
#include "base/vectors_128.h"
#include "model/expression_program.h"

#include <string.h>

typedef struct block {
    const tide_elements *elements;
    const double *x;
    uint32_t begin, count, corners, outputs;
    double *out;
} block;

// --- loads, stores and functions of the C library -------------------------------------------------------------------

// Loads a corner. Elements beyond the block's end, which fill up a vector, repeat the last one.
static void load_position(const tide_instruction *n, const block *at, uint32_t padded, double *registers, size_t lanes)
{
    const uint32_t *vertex = at->elements->vertices + (size_t)at->corners * at->begin + n->to;
    double *x = registers + n->a * lanes, *y = registers + n->b * lanes, *z = registers + n->c * lanes;
    for (uint32_t i = 0; i < at->count; i++, vertex += at->corners) {
        const double *from = at->x + 3 * (size_t)*vertex;
        x[i] = from[0];
        y[i] = from[1];
        z[i] = from[2];
    }
    for (uint32_t i = at->count; i < padded; i++) {
        x[i] = x[at->count - 1];
        y[i] = y[at->count - 1];
        z[i] = z[at->count - 1];
    }
}

static void store_three(const tide_instruction *n, const block *at, const double *registers, size_t lanes)
{
    const double *a = registers + n->a * lanes, *b = registers + n->b * lanes, *c = registers + n->c * lanes;
    const double x = n->negative[0] ? -1 : 1, y = n->negative[1] ? -1 : 1, z = n->negative[2] ? -1 : 1;
    double *out = at->out + n->to;
    for (uint32_t i = 0; i < at->count; i++, out += at->outputs) {
        out[0] = x * a[i];
        out[1] = y * b[i];
        out[2] = z * c[i];
    }
}

static void load_parameter(const tide_instruction *n, const block *at, uint32_t padded, double *to)
{
    const double *from = at->elements->parameters + n->a * (size_t)at->elements->count + at->begin;
    memcpy(to, from, at->count * sizeof *to);
    for (uint32_t i = at->count; i < padded; i++)
        to[i] = to[at->count - 1];
}

// Executes an instruction that has no vector operation.
static void move_or_call(const tide_instruction *n, const block *at, uint32_t padded, double *registers, size_t lanes)
{
    double *to = registers + n->to * lanes;
    const double *a = registers + n->a * lanes, *b = registers + n->b * lanes;
    switch (n->code) {
    case TIDE_CODE_POSITION:
        load_position(n, at, padded, registers, lanes);
        return;
    case TIDE_CODE_PARAMETER:
        load_parameter(n, at, padded, to);
        return;
    case TIDE_CODE_STORE:
        for (uint32_t i = 0; i < at->count; i++)
            at->out[(size_t)at->outputs * i + n->to] = a[i];
        return;
    case TIDE_CODE_STORE_NEGATIVE:
        for (uint32_t i = 0; i < at->count; i++)
            at->out[(size_t)at->outputs * i + n->to] = -a[i];
        return;
    case TIDE_CODE_STORE_THREE:
        store_three(n, at, registers, lanes);
        return;
    case TIDE_CODE_STORE_CONSTANT:
        for (uint32_t i = 0; i < at->count; i++)
            at->out[(size_t)at->outputs * i + n->to] = n->value;
        return;
    default:
        for (uint32_t i = 0; i < at->count; i++)
            to[i] = tide_operation_apply((tide_operation)n->code, a[i], b[i], 0);
        for (uint32_t i = at->count; i < padded; i++)
            to[i] = to[at->count - 1];
    }
}

// --- blocks ----------------------------------------------------------------------------------------------------------

#if defined(__x86_64__)
#include <immintrin.h>

#define LANES 8
#define NAME(x) x##_512
#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define ROOT(v) (vec_512) _mm512_sqrt_pd((__m512d)(v))
#include "model/expression_run_template.h"

#define LANES 4
#define NAME(x) x##_256
#define TARGET __attribute__((target("avx2,fma")))
#define ROOT(v) (vec_256) _mm256_sqrt_pd((__m256d)(v))
#include "model/expression_run_template.h"
#endif

#define ROOT(v) (vec_128) tide_root_of_two((tide_two_doubles)(v))
#define LANES 2
#define NAME(x) x##_128
#define TARGET
#include "model/expression_run_template.h"

void tide_program_run(const tide_program *program, const tide_elements *elements, const double *x, uint32_t begin,
                      uint32_t end, double *out)
{
    double registers[TIDE_PROGRAM_NUMBERS] __attribute__((aligned(64)));
    void (*run)(const tide_program *, const block *, double *) = run_block_128;
#if defined(__x86_64__)
    int bits = tide_vector_bits(0);
    run = bits == 512 ? run_block_512 : bits == 256 ? run_block_256 : run_block_128;
#endif
    for (uint32_t at = begin; at < end; at += program->lanes) {
        uint32_t count = end - at < program->lanes ? end - at : program->lanes;
        block one = { elements, x, at, count, program->corners, program->outputs, out };
        run(program, &one, registers);
        out += (size_t)program->outputs * count;
    }
}

// Compiles expressions: orders the operations, assigns registers by the last use of each value.
#include "model/expression_program.h"

#include "base/memory.h"

#include <string.h>

#define NO_REGISTER UINT16_MAX

typedef struct compiler {
    const tide_expression *e;
    const tide_node *outputs;
    uint32_t output_count;
    uint32_t *uses;      // (count) of each node's register by instructions that are not made yet
    uint16_t *registers; // (count)
    uint16_t free[TIDE_PROGRAM_MOST_REGISTERS];
    uint32_t free_count;
    tide_program *program;
    size_t capacity;
    bool out_of_memory, out_of_registers;
} compiler;

// --- operands --------------------------------------------------------------------------------------------------------

static bool is_constant(const compiler *c, tide_node node)
{
    return c->e->nodes[node].operation == TIDE_OP_CONSTANT;
}

// Returns the code of a node's instruction, and its operands in the order of the instruction. A constant operand of a
// sum or a product becomes part of the instruction.
static uint16_t code_of(const compiler *c, tide_node node, tide_node operands[3], uint32_t *count, double *value)
{
    const tide_expression_node *n = &c->e->nodes[node];
    operands[0] = n->a;
    operands[1] = n->b;
    operands[2] = n->c;
    *count = tide_operation_arity(n->operation);
    *value = n->value;
    bool first = *count == 2 && is_constant(c, n->a), second = *count == 2 && is_constant(c, n->b);
    if ((n->operation == TIDE_OP_ADD || n->operation == TIDE_OP_MULTIPLY) && (first || second)) {
        operands[0] = first ? n->b : n->a;
        *value = c->e->nodes[first ? n->a : n->b].value;
        *count = 1;
        return n->operation == TIDE_OP_ADD ? TIDE_CODE_ADD_CONSTANT : TIDE_CODE_MULTIPLY_CONSTANT;
    }
    if (n->operation == TIDE_OP_SUBTRACT && second) {
        *value = -c->e->nodes[n->b].value;
        *count = 1;
        return TIDE_CODE_ADD_CONSTANT;
    }
    return (uint16_t)n->operation;
}

// Returns the node whose register an output stores, and the code for it.
static tide_node stored_node(const compiler *c, tide_node output, uint16_t *code)
{
    const tide_expression_node *n = &c->e->nodes[output];
    *code = n->operation == TIDE_OP_CONSTANT ? TIDE_CODE_STORE_CONSTANT
            : n->operation == TIDE_OP_NEGATE ? TIDE_CODE_STORE_NEGATIVE
                                             : TIDE_CODE_STORE;
    return *code == TIDE_CODE_STORE_NEGATIVE ? n->a : output;
}

static void count_uses(compiler *c)
{
    tide_node operands[3];
    uint32_t count;
    double value;
    uint16_t code;
    for (uint32_t k = 0; k < c->output_count; k++) {
        tide_node stored = stored_node(c, c->outputs[k], &code);
        c->uses[stored] += code != TIDE_CODE_STORE_CONSTANT;
    }
    for (tide_node n = c->e->count; n-- > 0;)
        if (c->uses[n]) {
            code_of(c, n, operands, &count, &value);
            for (uint32_t k = 0; k < count; k++)
                c->uses[operands[k]]++;
        }
}

// --- instructions ----------------------------------------------------------------------------------------------------

static void add(compiler *c, tide_instruction instruction)
{
    tide_program *p = c->program;
    if (!tide_grow(&p->instructions, &c->capacity, p->count + 1, sizeof *p->instructions)) {
        c->out_of_memory = true;
        return;
    }
    p->instructions[p->count++] = instruction;
}

static uint16_t take_register(compiler *c)
{
    if (c->free_count)
        return c->free[--c->free_count];
    if (c->program->registers == TIDE_PROGRAM_MOST_REGISTERS) {
        c->out_of_registers = true;
        return 0;
    }
    return (uint16_t)c->program->registers++;
}

static uint16_t use(compiler *c, tide_node node)
{
    uint16_t at = c->registers[node];
    if (--c->uses[node] == 0)
        c->free[c->free_count++] = at;
    return at;
}

static void compile_node(compiler *c, tide_node node)
{
    tide_node operands[3];
    uint32_t count;
    tide_instruction instruction = { 0 };
    instruction.code = code_of(c, node, operands, &count, &instruction.value);
    if (instruction.code == TIDE_OP_INPUT) {
        instruction.code = TIDE_CODE_PARAMETER;
        instruction.a = (uint16_t)(c->e->nodes[node].a - 3 * c->program->corners);
    }
    uint16_t from[3] = { instruction.a, 0, 0 };
    for (uint32_t k = 0; k < count; k++)
        from[k] = use(c, operands[k]);
    // The result may take the register of an operand: each vector is read before it is written.
    instruction.a = from[0];
    instruction.b = from[1];
    instruction.c = from[2];
    instruction.to = c->registers[node] = take_register(c);
    add(c, instruction);
}

static bool is_position(const compiler *c, tide_node node)
{
    return c->e->nodes[node].operation == TIDE_OP_INPUT && c->e->nodes[node].a < 3 * c->program->corners;
}

// Loads the coordinates of each corner that is used, all three at once.
static void compile_positions(compiler *c)
{
    uint16_t registers[TIDE_ELEMENT_MAX_NUMBERS];
    bool used[TIDE_ELEMENT_MAX_VERTICES] = { false };
    for (tide_node n = 0; n < c->e->count; n++)
        if (c->uses[n] && is_position(c, n))
            used[c->e->nodes[n].a / 3] = true;
    for (uint16_t corner = 0; corner < c->program->corners; corner++)
        if (used[corner]) {
            uint16_t *to = registers + 3 * corner;
            for (int k = 0; k < 3; k++)
                to[k] = take_register(c);
            add(c, (tide_instruction) { .code = TIDE_CODE_POSITION, .to = corner, .a = to[0], .b = to[1], .c = to[2] });
        }
    for (tide_node n = 0; n < c->e->count; n++)
        if (c->uses[n] && is_position(c, n))
            c->registers[n] = registers[c->e->nodes[n].a];
}

// Returns the last of the nodes that the outputs 3 t ... 3 t + 2 store, or TIDE_NO_NODE if they are not stored at once.
static tide_node last_of_three(const compiler *c, uint32_t k)
{
    tide_node last = 0;
    uint16_t code;
    if (k - k % 3 + 3 > c->output_count)
        return TIDE_NO_NODE;
    for (uint32_t i = k - k % 3; i < k - k % 3 + 3; i++) {
        tide_node stored = stored_node(c, c->outputs[i], &code);
        if (code == TIDE_CODE_STORE_CONSTANT)
            return TIDE_NO_NODE;
        last = stored > last ? stored : last;
    }
    return last;
}

static void store_three(compiler *c, uint32_t k)
{
    tide_instruction store = { .code = TIDE_CODE_STORE_THREE, .to = (uint16_t)k };
    uint16_t *registers[3] = { &store.a, &store.b, &store.c }, code;
    for (uint32_t i = 0; i < 3; i++) {
        *registers[i] = use(c, stored_node(c, c->outputs[k + i], &code));
        store.negative[i] = code == TIDE_CODE_STORE_NEGATIVE;
    }
    add(c, store);
}

// Stores the outputs that are complete with this node.
static void compile_stores(compiler *c, tide_node node)
{
    uint16_t code;
    for (uint32_t k = 0; k < c->output_count; k++) {
        tide_node stored = stored_node(c, c->outputs[k], &code), last = last_of_three(c, k);
        if (k % 3 == 0 && last == node)
            store_three(c, k);
        else if (stored == node && last == TIDE_NO_NODE && code != TIDE_CODE_STORE_CONSTANT)
            add(c, (tide_instruction) { .code = code, .to = (uint16_t)k, .a = use(c, node) });
    }
}

static void compile_all(compiler *c)
{
    uint16_t code;
    for (uint32_t k = 0; k < c->output_count; k++) {
        tide_node output = stored_node(c, c->outputs[k], &code);
        if (code == TIDE_CODE_STORE_CONSTANT)
            add(c, (tide_instruction) { .code = code, .to = (uint16_t)k, .value = c->e->nodes[output].value });
    }
    compile_positions(c);
    for (tide_node n = 0; n < c->e->count && !c->out_of_memory && !c->out_of_registers; n++)
        if (c->uses[n]) {
            if (!is_position(c, n))
                compile_node(c, n);
            compile_stores(c, n);
        }
}

static void choose_lanes(tide_program *program)
{
    uint32_t lanes = TIDE_PROGRAM_NUMBERS / (program->registers ? program->registers : 1) / 8 * 8;
    program->lanes = lanes < TIDE_PROGRAM_MOST_LANES ? lanes : TIDE_PROGRAM_MOST_LANES;
}

static tide_status fail_large(const char *object, const char *what, int most, tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "energy", NULL,
                     "is too large: with its derivatives it needs more than %d %s; write a shorter one, or divide it "
                     "into several elements",
                     most, what);
}

tide_status tide_program_compile(const tide_expression *e, const tide_node *outputs, uint32_t output_count,
                                 uint32_t corners, const char *object, tide_program *program, tide_error *error)
{
    if (e->failed)
        return e->count == TIDE_EXPRESSION_MAX_NODES
                   ? fail_large(object, "operations", TIDE_EXPRESSION_MAX_NODES, error)
                   : tide_fail_memory(error, object);
    *program = (tide_program) { .outputs = output_count, .corners = corners };
    compiler c = { .e = e, .outputs = outputs, .output_count = output_count, .program = program };
    TIDE_SCOPED uint32_t *uses = c.uses = tide_allocate_zeroed(e->count, sizeof *c.uses);
    TIDE_SCOPED uint16_t *registers = c.registers = tide_allocate_zeroed(e->count, sizeof *c.registers);
    c.out_of_memory = !c.uses || !c.registers;
    if (!c.out_of_memory) {
        count_uses(&c);
        compile_all(&c);
    }
    choose_lanes(program);
    if (!c.out_of_memory && !c.out_of_registers)
        return TIDE_OK;
    tide_program_free(program);
    return c.out_of_memory ? tide_fail_memory(error, object)
                           : fail_large(object, "numbers at once", TIDE_PROGRAM_MOST_REGISTERS, error);
}

void tide_program_free(tide_program *program)
{
    tide_free(program->instructions);
    *program = (tide_program) { 0 };
}

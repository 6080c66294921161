/* Operations of a program in the making. */
#include "assemble.h"

int assemble_fail(compiler *c, const frame *f, int node, const char *reason)
{
    if (c->status == STATUS_OK) {
        c->status = expression_fail(f->tree, node_of(f, node)->at, "%s", reason);
    }
    return -1;
}

/* Adds an operation, or finds it. Returns its index. */
static int emit(compiler *c, const frame *f, const program_op *op)
{
    derive_program *p = c->program;
    if (c->status != STATUS_OK) {
        return -1;
    }
    for (int n = 0; n < p->count; n++) {
        if (memcmp(&p->ops[n], op, sizeof *op) == 0) {
            return n;
        }
    }
    if (p->count == PROGRAM_OPS) {
        return assemble_fail(
            c, f, f->tree->root,
            "the expression is too long: it takes more than 192 operations");
    }
    p->ops[p->count] = *op;
    return p->count++;
}

int assemble(compiler *c, const frame *f, program_code code, int a, int b, int third)
{
    program_op op;
    memset(&op, 0, sizeof op); /* emit compares bytes, with padding */
    op.code = (uint8_t)code;
    op.a = (int16_t)a;
    op.b = (int16_t)b;
    op.c = (int16_t)third;
    return a < 0 ? -1 : emit(c, f, &op);
}

int assemble_number(compiler *c, const frame *f, double number)
{
    program_op op;
    memset(&op, 0, sizeof op);
    op.code = PROGRAM_NUMBER;
    op.number = number;
    return emit(c, f, &op);
}

int assemble_two(compiler *c, const frame *f, program_code code, int a, int b)
{
    return b < 0 ? -1 : assemble(c, f, code, a, b, 0);
}

int assemble_products(compiler *c, const frame *f, const int a[3], const int b[3])
{
    int sum = -1;
    for (int n = 0; n < 3; n++) {
        const int product = assemble_two(c, f, PROGRAM_MULTIPLY, a[n], b[n]);
        sum = n == 0 ? product : assemble_two(c, f, PROGRAM_ADD, sum, product);
    }
    return sum;
}

void assemble_end(compiler *c, const frame *f, int index)
{
    derive_program *p = c->program;
    if (c->status == STATUS_OK && index != p->count - 1) {
        if (p->count == PROGRAM_OPS) {
            assemble_fail(c, f, f->tree->root, "the expression is too long");
            return;
        }
        p->ops[p->count++] = p->ops[index];
    }
}

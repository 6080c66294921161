/* Inside grid: a program in the making, and what names stand for in it. */
#ifndef GRID_DERIVE_ASSEMBLE_H
#define GRID_DERIVE_ASSEMBLE_H

#include "fields.h"
#include "grid/expression/expression.h"

/* An expression that is being compiled, and those whose names led to it. */
typedef struct frame {
    const struct frame *outer;
    const char *name; /* the field's, within `tree->name` */
    const expression *tree;
} frame;

typedef struct compiler compiler;

/* Compiles a node, or a component of it (axis 0 to 2). Returns the operation; -1 after a
 * failure. */
typedef int compile_within(compiler *c, const frame *f, int node, int axis);

/* Whether a node is a vector. */
typedef bool is_vector_within(compiler *c, const frame *f, int node);

struct compiler {
    compile_within *compile;
    is_vector_within *is_vector;
    const derive_names *names;
    grid_recipe *recipe;
    derive_program *program; /* the one that operations are added to */
    bool in_quantity;        /* it is that of a quantity that is differentiated */
    bool is_nested;          /* the quantity has derivatives itself */
    int depth;               /* fields that are made, within each other */
    grid_when when;          /* whose values names stand for */
    int expanded;            /* names so far: each definition may double the work */
    status status;
};

#define DERIVE_TOO_MANY_INPUTS "an expression takes 12 fields at most"

enum { SCALAR = -1 }; /* instead of an axis: the value is a number */

/* ---- Operations (assemble.c) ------------------------------------------------------- */

static inline const expression_node *node_of(const frame *f, int node)
{
    return &f->tree->nodes[node];
}

/* Fails at a node. Returns the result of functions that have failed. */
int assemble_fail(compiler *c, const frame *f, int node, const char *reason);

/* Adds an operation, or finds it. Returns its index; -1 after a failure, or if its first
 * operand is the result of one. */
int assemble(compiler *c, const frame *f, program_code code, int a, int b, int third);
int assemble_number(compiler *c, const frame *f, double number);

/* The same for two operands, of which either may be the result of a failure. */
int assemble_two(compiler *c, const frame *f, program_code code, int a, int b);

/* a[0] * b[0] + a[1] * b[1] + a[2] * b[2] */
int assemble_products(compiler *c, const frame *f, const int a[3], const int b[3]);

/* Makes the operation at `index` the last one, which is the result. */
void assemble_end(compiler *c, const frame *f, int index);

/* ---- Names (names.c) --------------------------------------------------------------- */

/* Calls a function on the expression of a definition. */
int names_within(compiler *c, const frame *outer, const grid_definition *definition,
                 compile_within *function, int axis);

bool names_are_vector(compiler *c, const frame *f, const char *name);

/* Whether a node is a name that stands for nothing; fails as it does. */
bool names_are_unknown(const compiler *c, const frame *f, int node);
int names_fail(compiler *c, const frame *f, int node, const char *name);

/* Compiles a name, or a component of the vector that it stands for. */
int names_compile(compiler *c, const frame *f, int node, int axis);

#endif

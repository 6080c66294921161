/* Inside grid: programs, which compute a number from numbers, for rows of points. */
#ifndef GRID_DERIVE_PROGRAM_H
#define GRID_DERIVE_PROGRAM_H

#include "grid/field.h"

#include <stdint.h>

enum {
    PROGRAM_OPS = 192, /* most of a program */
    /* What programs read: inputs of a recipe, then gradients of quantities. */
    PROGRAM_QUANTITIES = 6, /* that an expression differentiates, at most */
    PROGRAM_GRADIENTS = GRID_RECIPE_MAX_INPUTS,
    PROGRAM_SLOTS = PROGRAM_GRADIENTS + 3 * PROGRAM_QUANTITIES
};

typedef enum program_code {
    PROGRAM_NUMBER,
    PROGRAM_SLOT, /* a: an input, or a component of a gradient */
    PROGRAM_ADD,
    PROGRAM_SUBTRACT,
    PROGRAM_MULTIPLY,
    PROGRAM_DIVIDE,
    PROGRAM_NEGATE,
    PROGRAM_POWER,
    /* Comparisons give 1 or 0, and NaN if there is one. */
    PROGRAM_LESS,
    PROGRAM_LESS_EQUAL,
    PROGRAM_EQUAL,
    PROGRAM_UNEQUAL,
    PROGRAM_AND,
    PROGRAM_OR,
    PROGRAM_NOT,
    PROGRAM_IF, /* a ? b : c; NaN without a */
    PROGRAM_MIN,
    PROGRAM_MAX,
    PROGRAM_ABS,
    PROGRAM_SIGN,
    PROGRAM_FLOOR,
    PROGRAM_CEIL,
    PROGRAM_ROUND,
    PROGRAM_MOD,
    PROGRAM_SQRT,
    PROGRAM_CBRT,
    PROGRAM_EXP,
    PROGRAM_LOG,
    PROGRAM_LOG10,
    PROGRAM_LOG2,
    PROGRAM_SIN,
    PROGRAM_COS,
    PROGRAM_TAN,
    PROGRAM_ASIN,
    PROGRAM_ACOS,
    PROGRAM_ATAN,
    PROGRAM_ATAN2,
    PROGRAM_SINH,
    PROGRAM_COSH,
    PROGRAM_TANH,
    PROGRAM_LAMBDA2 /* a, b, c: first slots of the gradients of the velocity */
} program_code;

/* An operation; its result is that of its index. */
typedef struct program_op {
    uint8_t code;
    int16_t a, b, c; /* operations whose results it takes, or slots */
    double number;   /* of PROGRAM_NUMBER */
} program_op;

/* A program; its result is that of its last operation. */
typedef struct derive_program {
    int count;
    program_op ops[PROGRAM_OPS]; /* [count] */
} derive_program;

#endif

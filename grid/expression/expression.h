/* Expressions of fields: the text of a derived field as a tree. */
#ifndef GRID_EXPRESSION_H
#define GRID_EXPRESSION_H

#include "base/status.h"

#include <stdbool.h>

enum {
    EXPRESSION_NODES = 256,   /* most of an expression */
    EXPRESSION_NAME = 64,     /* bytes of a name, with the ending zero */
    EXPRESSION_ARGUMENTS = 3, /* most of a function */
    EXPRESSION_DEPTH = 64     /* most parentheses within each other */
};

/* Functions, and operators as functions. */
typedef enum expression_function {
    EXPRESSION_ADD,
    EXPRESSION_SUBTRACT,
    EXPRESSION_MULTIPLY,
    EXPRESSION_DIVIDE,
    EXPRESSION_POWER,
    EXPRESSION_NEGATE,
    EXPRESSION_LESS,
    EXPRESSION_LESS_EQUAL,
    EXPRESSION_EQUAL,
    EXPRESSION_UNEQUAL,
    EXPRESSION_AND,
    EXPRESSION_OR,
    EXPRESSION_NOT,
    EXPRESSION_IF,
    EXPRESSION_MIN,
    EXPRESSION_MAX,
    EXPRESSION_CLAMP,
    EXPRESSION_ABS,
    EXPRESSION_SIGN,
    EXPRESSION_FLOOR,
    EXPRESSION_CEIL,
    EXPRESSION_ROUND,
    EXPRESSION_MOD,
    EXPRESSION_SQRT,
    EXPRESSION_CBRT,
    EXPRESSION_EXP,
    EXPRESSION_LOG,
    EXPRESSION_LOG10,
    EXPRESSION_LOG2,
    EXPRESSION_SIN,
    EXPRESSION_COS,
    EXPRESSION_TAN,
    EXPRESSION_ASIN,
    EXPRESSION_ACOS,
    EXPRESSION_ATAN,
    EXPRESSION_ATAN2,
    EXPRESSION_SINH,
    EXPRESSION_COSH,
    EXPRESSION_TANH,
    EXPRESSION_VEC,  /* a vector of three numbers */
    EXPRESSION_MAG,  /* length of a vector */
    EXPRESSION_UNIT, /* a vector over its length */
    EXPRESSION_DOT,
    EXPRESSION_CROSS,
    EXPRESSION_GRAD, /* of a number */
    EXPRESSION_DIV,  /* of a vector, as the following ones */
    EXPRESSION_CURL,
    EXPRESSION_Q,
    EXPRESSION_LAMBDA2,
    EXPRESSION_PREVIOUS, /* at the step before */
    EXPRESSION_MEAN,     /* over steps: all, or those with numbers from one to another */
    EXPRESSION_OTHER,    /* of other data on the same grid */
    EXPRESSION_FUNCTIONS /* how many */
} expression_function;

/* A function: types of its arguments and its result. '1': a number, '3': a vector, 'n':
 * a number or a vector, which component by component gives what it got, '.': a number
 * that may be left out, with those behind it. */
typedef struct expression_word {
    const char *name; /* NULL: an operator */
    const char *arguments;
    char result;
} expression_word;

extern const expression_word expression_words[EXPRESSION_FUNCTIONS];

typedef enum expression_kind {
    EXPRESSION_NUMBER,
    EXPRESSION_FIELD,     /* a name, to which the data give a meaning */
    EXPRESSION_COMPONENT, /* of its argument, a vector */
    EXPRESSION_CALL
} expression_kind;

typedef struct expression_node {
    expression_kind kind;
    int at;                              /* place in the text, in bytes */
    double number;                       /* of a number */
    char name[EXPRESSION_NAME];          /* of a field */
    int axis;                            /* of a component: 0 to 2 */
    expression_function function;        /* of a call */
    int arguments[EXPRESSION_ARGUMENTS]; /* of calls and components: nodes; -1: left out
                                          */
} expression_node;

typedef struct expression {
    const char *name, *text; /* borrowed */
    int count, root;
    expression_node nodes[EXPRESSION_NODES]; /* [count] */
} expression;

/*
 * Parses a text. Operators bind as in C, but `^` is the power, which binds tighter than a
 * sign before it and is grouped from the right: -x^2 is -(x^2). A name has letters,
 * digits and underscores, or stands in quotes: 'Velocity X'. v.x is a component. [a, b,
 * c] is a vector. `name` is what messages call the expression. Local. Errors:
 * STATUS_USAGE, with the place; STATUS_MEMORY.
 */
status expression_parse(const char *name, const char *text, expression **out);
void expression_destroy(expression **tree);

/* Records that an expression cannot be computed because of what begins at a place in its
 * text. The message begins with its name. Returns STATUS_USAGE. */
status expression_fail(const expression *tree, int at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The function of this name, or EXPRESSION_FUNCTIONS. */
expression_function expression_find(const char *name);

#endif

/* A steered program as both ends of a run directory know it: its parameters with their
 * values, its callbacks, its state. */
#ifndef RUN_STEER_PROGRAM_H
#define RUN_STEER_PROGRAM_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STEER_MAX_NUMBERS = 16, STEER_MAX_TEXT = 4096 };

typedef enum steer_type {
    STEER_BOOL,   /* true | false: numbers[0] is 1 or 0 */
    STEER_INT,    /* whole numbers */
    STEER_REAL,   /* finite numbers */
    STEER_CHOICE, /* one of some words: text */
    STEER_TEXT    /* any text, such as a list of control points in YAML */
} steer_type;

/* A parameter that may be set while the program runs. Strings are copied. */
typedef struct steer_parameter {
    const char *name; /* dotted: "camera.position", "solver.cfl" */
    steer_type type;
    int count;       /* BOOL, INT, REAL: number of numbers, 1 to STEER_MAX_NUMBERS */
    double min, max; /* INT, REAL: limits of each number, included; may be infinite */
    int nchoices;
    const char *const *choices; /* [nchoices]; of STEER_TEXT: proposals */
    const char *unit;           /* may be NULL */
    const char *help;           /* one phrase */
    bool may_lack;              /* "none" is a value, too: {.text = "none"} */
} steer_parameter;

typedef struct steer_value {
    double numbers[STEER_MAX_NUMBERS];
    char text[STEER_MAX_TEXT];
} steer_value;

/*
 * Sets a new value, which has the right type and lies within the limits. Collective: all
 * ranks call it with the same value. Errors: any status, the same on every rank. The
 * order is then refused with the failure's message, and nothing may have changed.
 */
typedef status steer_apply(void *context, const char *name, const steer_value *value);

/*
 * Changes the config of pictures. `texts` end with a 0 each, the last one is empty.
 * `size` bytes at `message` take the answer. Collective, as steer_apply; the same rules.
 */
typedef status steer_change(void *context, const char *texts, size_t size, char *message);

typedef enum steer_state {
    STEER_RUNNING, /* real-time: steps follow each other */
    STEER_HALTED,  /* the program waits; the order "step" lets it make one step */
    STEER_STOPPED  /* an order asks it to end */
} steer_state;

/* Draws the present step of the program. Collective. Errors: any status, the same on
 * every rank; the sender of the order gets its message. */
typedef status steer_redraw(void *context, int64_t cycle, double time);

#endif

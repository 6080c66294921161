/* A steered program as both ends of a run directory see it: parameters with their values,
 * functions that are called back, its state. */
#ifndef APP_STEER_PROGRAM_H
#define APP_STEER_PROGRAM_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { STEER_MAX_NUMBERS = 16, STEER_MAX_TEXT = 1024 };

typedef enum steer_type {
    STEER_BOOL,   /* true | false: numbers[0] is 1 or 0 */
    STEER_INT,    /* whole numbers */
    STEER_REAL,   /* finite numbers */
    STEER_CHOICE, /* one of some words: text */
    STEER_TEXT    /* any text: lists of control points and the like, as YAML */
} steer_type;

/* What may be set while the program runs. Strings are copied. */
typedef struct steer_parameter {
    const char *name; /* dotted: "camera.position", "solver.cfl" */
    steer_type type;
    int count;       /* BOOL, INT, REAL: how many numbers, 1 to STEER_MAX_NUMBERS */
    double min, max; /* INT, REAL: of each number, both ends allowed; may be infinite */
    int nchoices;
    const char *const *choices; /* [nchoices] */
    const char *unit;           /* may be NULL */
    const char *help;           /* one phrase */
} steer_parameter;

typedef struct steer_value {
    double numbers[STEER_MAX_NUMBERS];
    char text[STEER_MAX_TEXT];
} steer_value;

/*
 * Takes a new value that has the right type and lies within the limits. Collective: all
 * ranks call it with the same value. Errors: any status, the same on every rank: the
 * order is refused with its message, and nothing may have changed.
 */
typedef status steer_apply(void *context, const char *name, const steer_value *value);

typedef enum steer_state {
    STEER_RUNNING, /* real-time: steps follow each other */
    STEER_HALTED,  /* the program waits; "step" lets it do one */
    STEER_STOPPED  /* somebody asked for the end */
} steer_state;

/* Draws what the program holds, at this step. Collective. Errors: any status, the same on
 * every rank: whoever asked for it is told the message. */
typedef status steer_redraw(void *context, int64_t cycle, double time);

#endif

/* One order: what may be asked of a running program, as JSON and checked. Both ends of a
 * run directory use it. No MPI calls; local. */
#ifndef APP_STEER_ORDER_H
#define APP_STEER_ORDER_H

#include "parameters.h"

typedef enum steer_verb {
    STEER_NOTHING,
    STEER_SET,    /* a parameter takes a value */
    STEER_HALT,   /* the program waits */
    STEER_RESUME, /* it goes on */
    STEER_STEP,   /* it waits again after so many steps */
    STEER_REDRAW, /* it draws what it holds */
    STEER_STOP,   /* it ends */
    STEER_VERBS
} steer_verb;

enum {
    STEER_MAX_NAME = 128,
    STEER_MAX_FILE = 192,           /* bytes of the name of an order's file */
    STEER_MAX_STEPS = 1000 * 1000,  /* that one order may ask for */
    STEER_MAX_ORDER_BYTES = 1 << 16 /* of an order's file */
};

/* An order that can be carried out; plain, so that it can be broadcast. */
typedef struct steer_order {
    steer_verb verb;
    int steps;                 /* STEER_STEP */
    char name[STEER_MAX_NAME]; /* STEER_SET */
    steer_value value;         /* STEER_SET */
} steer_order;

/* The word of a verb, "set", and the verb of a word, or STEER_NOTHING. */
const char *steer_verb_name(steer_verb verb);
steer_verb steer_verb_find(const char *word);

/* Fails with STATUS_USAGE: there is no such order; names the nearest one. */
status steer_verb_fail(const char *word);

/*
 * Checks an order, {"order": "set", "name": "solver.cfl", "value": 0.4} say, against the
 * table and the state of the program; other keys mean nothing. Errors: STATUS_USAGE with
 * a sentence for the one who gave it.
 */
status steer_order_check(const json_t *json, const steer_table *table, steer_state state,
                         steer_order *out);

/* Whether this can be the name of an order's file: letters, digits, '-', '_' and '.',
 * not first, with .json at its end. */
bool steer_order_is_file(const char *name);

#endif

/* One order to a running program: its JSON form, and its checked form. Both ends of a run
 * directory use it. No MPI calls; local. */
#ifndef RUN_STEER_ORDER_H
#define RUN_STEER_ORDER_H

#include "parameters.h"

typedef enum steer_verb {
    STEER_NOTHING,
    STEER_SET,    /* a parameter takes a value */
    STEER_CHANGE, /* the config of pictures changes */
    STEER_HALT,   /* the program waits */
    STEER_RESUME, /* it goes on */
    STEER_STEP,   /* it makes some steps, then waits again */
    STEER_REDRAW, /* it draws its present step */
    STEER_STOP,   /* it ends */
    STEER_VERBS
} steer_verb;

enum {
    STEER_MAX_NAME = 128,
    STEER_MAX_FILE = 192,           /* bytes of the name of an order's file */
    STEER_MAX_STEPS = 1000 * 1000,  /* limit of one order */
    STEER_MAX_CHANGE = 1 << 14,     /* bytes of the texts of a change */
    STEER_MAX_ORDER_BYTES = 1 << 16 /* limit of an order's file */
};

/* An order that has been checked. A plain struct, so that it can be broadcast. */
typedef struct steer_order {
    steer_verb verb;
    int steps;                    /* of STEER_STEP */
    char name[STEER_MAX_NAME];    /* of STEER_SET */
    steer_value value;            /* of STEER_SET */
    char texts[STEER_MAX_CHANGE]; /* of STEER_CHANGE: each ends with a 0, the last one is
                                     empty */
} steer_order;

/* The word of a verb, such as "set"; the verb of a word, or STEER_NOTHING. */
const char *steer_verb_name(steer_verb verb);
steer_verb steer_verb_find(const char *word);

/* Fails with STATUS_USAGE: there is no such order. The message names the nearest one. */
status steer_verb_fail(const char *word);

/*
 * Checks an order, such as {"order": "set", "name": "solver.cfl", "value": 0.4} or
 * {"order": "change", "config": ["layers.1.shown=false"]}, against the table and the
 * state of the program. Ignores other keys. Errors: STATUS_USAGE with a sentence for the
 * sender.
 */
status steer_order_check(const json_t *json, const steer_table *table, steer_state state,
                         steer_order *out);

/* Whether this can be the name of an order's file: letters, digits, '-', '_' and '.',
 * with .json at its end and no '.' at its start. */
bool steer_order_is_file(const char *name);

#endif

/* The output of karman collectives. */
#ifndef MESSAGES_COLLECTIVE_DESCRIBE_DESCRIBE_H
#define MESSAGES_COLLECTIVE_DESCRIBE_DESCRIBE_H

#include "messages/collective/check.h"
#include "problem.h"

#include <jansson.h>

/* An algorithm with its schedule and its times; the messages are borrowed from the
 * walker. */
typedef struct collectives_run {
    const collective_algorithm *algorithm;
    collective_schedule schedule;
    collective_totals totals;
    collective_cost cost; /* of the formula */
    collective_times times;
} collectives_run;

/*
 * Prints the problem: the table of all collectives; the comparison of the algorithms of
 * one; or one algorithm with its messages. Local. Errors: STATUS_MEMORY, STATUS_USAGE.
 */
status collectives_describe(const collectives_problem *problem);

/* Proves all algorithms that are asked for, and prints a line for each. Local. Errors:
 * STATUS_INTERNAL with the sentence on the first wrong one; STATUS_MEMORY. */
status collectives_prove(const collectives_problem *problem);

/* ---- JSON (describe_json.c) ---------------------------------------------------------
 */

/* The problem and the machine. NULL: there is no memory. */
json_t *collectives_json_problem(const collectives_problem *problem);

/* An algorithm with its costs; `messages`: and with all of them. */
json_t *collectives_json_run(const collectives_problem *problem,
                             const collectives_run *run, bool messages);

/* Prints an object, and takes it. Local. Errors: STATUS_MEMORY. */
status collectives_json_print(json_t *object);

#endif

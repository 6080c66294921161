/* The collectives as texts and tables of numbers, for a page. A browser runs this code
 * as WebAssembly; the program writes the same tables into pages without it. */
#ifndef MESSAGES_COLLECTIVE_BROWSER_BROWSER_H
#define MESSAGES_COLLECTIVE_BROWSER_BROWSER_H

#include "base/status.h"
#include "composite/nodes.h"
#include "numbers.h"

/* Local. Errors: STATUS_MEMORY. */
status browser_create(browser_core **out);

/* The same for callers without pointers to pointers; NULL: there is no memory. */
browser_core *browser_open(void);
void browser_destroy(browser_core **core);

/* ---- Names ------------------------------------------------------------------------- */

typedef enum browser_text {
    BROWSER_NAME,
    BROWSER_SUMMARY,
    BROWSER_SOURCE, /* of algorithms alone, like all below */
    BROWSER_FORMULA,
    BROWSER_ORDER /* "in the order of ranks", for reductions */
} browser_text;

/* A text of the n-th operation or algorithm; NULL after the last one, and for a text that
 * it does not have. Local. */
const char *browser_operation_text(int n, int which);
const char *browser_algorithm_text(int n, int which);

/* Bits: 1 it has a root, 2 it reduces, 4 it is a barrier, 8 it has a vector for each
 * rank. Local. */
int browser_operation_flags(int n);

/* The number of its operation, and 256 if it has segments. Local. */
int browser_algorithm_flags(int n);

/* ---- Runs -------------------------------------------------------------------------- */

/* The problem of the next run [BROWSER_INPUTS], to be filled. */
double *browser_input(browser_core *core);

/* Writes BROWSER_NODES and BROWSER_NODE of the input: the nodes of its ranks, which are
 * at most COLLECTIVE_MOST_RANKS; .size 0: each has its own. Local. */
void browser_give_nodes(browser_core *core, const composite_nodes *nodes);

/* Makes the tables of an algorithm, except BROWSER_RANGES, and proves its schedule.
 * Local. Errors: STATUS_USAGE for an impossible problem or machine; STATUS_MEMORY. */
status browser_run(browser_core *core, int algorithm);

/* Its seconds alone; below 0: the problem or machine is impossible, or there is no
 * memory. Local. */
double browser_seconds(browser_core *core, int algorithm);

/* Makes BROWSER_RANGES for an operation. Local. Errors: as browser_run. */
status browser_find_ranges(browser_core *core, int operation);

/* Room for BROWSER_OPS with so many ops and BROWSER_BEGIN, to be filled before
 * browser_run_changed. NULL: there is no memory. */
double *browser_change(browser_core *core, int ops);

/* As browser_run, with the ops that the tables have now: a schedule that someone has
 * changed. */
status browser_run_changed(browser_core *core, int algorithm);

/* As browser_run, for ops that are no collective's, such as those of compositing: nothing
 * is proved, there is no formula, and BROWSER_GIVEN and BROWSER_PROMISED are empty. */
status browser_run_ops(browser_core *core);

/* ---- Compositing (composite/) ------------------------------------------------------ */

/* As browser_algorithm_text, for the n-th algorithm of compositing. */
const char *browser_composite_text(int n, int which);

/* The parameters that it takes. Bits: 1 factors, 2 a group, 4 a fan-in. Local. */
int browser_composite_flags(int n);

/*
 * Makes the tables of an algorithm; counts are pixels. Ops have the run of their payload
 * in the places of from and into. Finished pieces have the round after all others. A
 * message has 2 in the place of critical if its pixels are read in place. BROWSER_TOTALS,
 * BROWSER_PATH and counts in BROWSER_COST are zero or empty. Local. Errors: STATUS_USAGE
 * for impossible parameters, with base_fail_message; STATUS_MEMORY.
 */
status browser_composite(browser_core *core, int algorithm);

/* Its seconds alone; below 0: the problem is impossible, or there is no memory. Local. */
double browser_composite_seconds(browser_core *core, int algorithm);

/* Proves the ops that the tables have now, without gathering: browser_sentence names the
 * defect. Local. Errors: STATUS_MEMORY. */
status browser_composite_check(browser_core *core);

/* ------------------------------------------------------------------------------------ */

/* A table, and how many numbers it has. Borrowed until the next run. */
double *browser_numbers(browser_core *core, int table);
int browser_numbers_count(const browser_core *core, int table);

/* The defect of the schedule in one sentence; "" if it is right. Borrowed until the next
 * run. */
const char *browser_sentence(const browser_core *core);

#endif

/* The core and its tables. Private to the browser. */
#ifndef MESSAGES_COLLECTIVE_BROWSER_TABLES_H
#define MESSAGES_COLLECTIVE_BROWSER_TABLES_H

#include "base/status.h"
#include "messages/collective/check.h"
#include "messages/collective/walk.h"
#include "numbers.h"

typedef struct browser_numbers_table {
    double *numbers;
    int64_t count, capacity;
} browser_numbers_table;

struct browser_core {
    collective_walker *walker;
    collective_schedule schedule;
    collective_verdict verdict;
    double input[BROWSER_INPUTS];
    composite_nodes nodes; /* of the input; .size 0: each rank has its own */
    browser_numbers_table tables[BROWSER_TABLES];
};

/* Whether size, count, root, segment, ports and nodes are possible. Finds the nodes.
 * Local. Errors: STATUS_USAGE; STATUS_MEMORY. */
status browser_check_input(browser_core *core);

/* Room for `count` numbers more of a table, or NULL. */
double *browser_append(browser_core *core, browser_table which, int64_t count);

/* The same for an empty table; and leaves its first numbers alone. */
double *browser_begin_table(browser_core *core, browser_table which, int64_t count);
void browser_cut_table(browser_core *core, browser_table which, int64_t count);

#endif

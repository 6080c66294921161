/* Options that commands on schedules share: ranks, nodes, factors, algorithms. */
#ifndef MESSAGES_SCHEDULE_OPTIONS_H
#define MESSAGES_SCHEDULE_OPTIONS_H

#include "composite/schedule.h"

enum { APP_MOST_RANKS = 1 << 20, APP_MOST_WIDTH = 1 << 20 };

/* Reads a whole number without a sign; false if the text is none, or too large. *end: the
 * text behind it. Local. */
bool messages_options_number(const char *text, char **end, int64_t *out);

/* Reads "4,3" into the factors of *params. Local. Errors: STATUS_USAGE. */
status messages_options_factors(const char *text, composite_params *params);

/*
 * Reads nodes, "2x4" or "4,4,3". *ranks: the ranks that were given, or below 0; then all
 * ranks of the nodes. *nodes is zero before. Local. Errors: STATUS_USAGE, also if both
 * differ; STATUS_MEMORY.
 */
status messages_options_nodes(const char *text, int64_t *ranks, composite_nodes *nodes);

/* Writes the ranks of each node, "4,4,3", as messages_options_nodes reads them; ""
 * without nodes. */
void messages_options_print_nodes(const composite_nodes *nodes, size_t size, char *out);

/* Finds an algorithm. Local. Errors: STATUS_USAGE, with the names that exist. */
status messages_options_algorithm(const char *name, const composite_algorithm **out);

/* Writes the parameters with which an algorithm runs, "factors 8 x 8", or "". Local. */
void messages_options_print(const composite_algorithm *algorithm,
                            const composite_problem *problem,
                            const composite_params *params, size_t size, char *out);

#endif

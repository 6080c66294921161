/* Iteration over the tables of argp. */
#ifndef BASE_USAGE_OPTIONS_H
#define BASE_USAGE_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

/* The visible option after `last` (NULL: the first one); headings of groups are included.
 * The options of every argp parser (--help, --usage) follow the table. NULL: there are no
 * more. */
const struct argp_option *usage_option_next(const struct argp *argp,
                                            const struct argp_option *last);

/* Whether the option is the heading of a group. */
bool usage_option_is_heading(const struct argp_option *option);

/* The letter of the option, or '\0'. */
char usage_option_letter(const struct argp_option *option);

#endif

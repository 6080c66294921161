/* Walks through tables of argp. */
#ifndef BASE_USAGE_OPTIONS_H
#define BASE_USAGE_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

/* The option behind `last`, or the first one, that people see; headings of groups are
 * among them. All that a parser of argp knows (--help, --usage) follows the table. NULL:
 * there is no other. */
const struct argp_option *usage_option_next(const struct argp *argp,
                                            const struct argp_option *last);

/* Whether it is the heading of a group. */
bool usage_option_is_heading(const struct argp_option *option);

/* Its letter, or '\0'. */
char usage_option_letter(const struct argp_option *option);

#endif

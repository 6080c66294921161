/* A collective as a page. */
#ifndef MESSAGES_COLLECTIVE_DESCRIBE_HTML_H
#define MESSAGES_COLLECTIVE_DESCRIBE_HTML_H

#include "problem.h"

/* Writes the page (docs/user/collectives.md), which begins with the problem. Local.
 * Errors: STATUS_OUTPUT, STATUS_MEMORY; STATUS_USAGE for an impossible machine. */
status collectives_write_html(const collectives_problem *problem, const char *path);

#endif

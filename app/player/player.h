/* The page that plays schedules: a file for browsers that needs nothing else. */
#ifndef APP_PLAYER_PLAYER_H
#define APP_PLAYER_PLAYER_H

#include "base/status.h"

#include <jansson.h>
#include <stdbool.h>

/* Whether pages can compute schedules themselves, as the program was built with clang and
 * wasm-ld. */
bool player_has_core(void);

/*
 * Writes the page to a file, whole or not at all. data: "state" has the values that the
 * page begins with. If pages cannot compute, also "operations", "algorithms" and "run",
 * as page/core.js reads them. Local. Errors: STATUS_OUTPUT, STATUS_MEMORY.
 */
status player_write(const char *path, const json_t *data);

#endif

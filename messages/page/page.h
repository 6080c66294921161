/* The page that plays schedules: a file for browsers that needs nothing else. */
#ifndef MESSAGES_PAGE_PAGE_H
#define MESSAGES_PAGE_PAGE_H

#include "base/status.h"
#include "messages/collective/browser/browser.h"

#include <jansson.h>
#include <stdbool.h>

/* Whether pages can compute schedules themselves, as the program was built with clang and
 * wasm-ld. */
bool player_has_core(void);

/*
 * Writes the page to a file, whole or not at all. data: "made" names the program, and
 * "state" has the values that the page begins with. "schedule" is a schedule of
 * compositing, as page/schedule.js reads it; "frame" has messages that were measured or
 * planned (messages/frame), and then the page computes nothing. If pages cannot compute,
 * data also has what player_add_run adds. Local. Errors: STATUS_OUTPUT, STATUS_MEMORY.
 */
status player_write(const char *path, const json_t *data);

/*
 * The page without data and without the collectives for browsers, as text: for pages that
 * hold this one, and put JSON with "frame" behind id="data">. *out is malloc'ed. Local.
 * Errors: STATUS_MEMORY.
 */
status player_print_frame_page(char **out);

/* Adds all names, and the tables of the last run. Local. Errors: STATUS_MEMORY. */
status player_add_run(json_t *data, browser_core *core);

#endif

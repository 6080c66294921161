/* A compositing schedule as a page. */
#ifndef MESSAGES_SCHEDULE_HTML_H
#define MESSAGES_SCHEDULE_HTML_H

#include "messages.h"

#include <jansson.h>

enum { APP_HTML_MOST_RANKS = 64, APP_HTML_MOST_MESSAGES = 20000 };

/* Checks that a page can show the schedule, and proves it. Local. Errors: STATUS_USAGE
 * for more ranks or messages than that, and for nodes of other sizes; and as of
 * composite_schedule_check. */
status messages_schedule_check_html(const messages_schedule *schedule);

/*
 * Writes the page of a schedule that was checked (docs/user/schedules.md). images: of the
 * positions, as pieces_draw makes them (messages/images); NULL: the page has none. Local.
 * Errors: STATUS_OUTPUT, STATUS_MEMORY.
 */
status messages_schedule_write_html(const messages_schedule *schedule, const char *path,
                                    json_t *images);

#endif

/* Schedules from elsewhere, in the JSON that `karman schedule --format json` writes. */
#ifndef APP_GIVEN_H
#define APP_GIVEN_H

#include "messages.h"

/*
 * Reads a file, and proves its schedule: the rounds by composite/check.h, and the
 * messages that gather the picture, if it has any. A file has no order of merging:
 * positions merge from the inside out. `schedule` is the problem, for describe.h; it
 * borrows `path`, and its algorithm holds until the next call. Local. Errors:
 * STATUS_INPUT if the file is none, with the round and the message; STATUS_INTERNAL if
 * the schedule is wrong, with the round and the positions; STATUS_MEMORY.
 */
status messages_given_prove(const char *path, messages_schedule *schedule,
                            composite_schedule_summary *summary);

#endif

/* Ends that others ask for: SIGTERM, which batch systems send before the time is up. */
#ifndef BASE_ENDING_H
#define BASE_ENDING_H

#include <stdbool.h>

/* Exit code of a program that ended before everything was done, as it was asked to. */
enum { BASE_ENDING_CODE = 3 };

/* Seconds that a program may go on after SIGTERM, unless it is told otherwise. */
enum { BASE_ENDING_GRACE = 120 };

/*
 * From now on a first SIGTERM is noted. A second one ends the program, and so does the
 * first one after `grace` seconds (at least 1), as SIGTERM does by default: a rank that
 * waits for another one, or for a file system, may do so for ever. Local.
 */
void base_ending_catch(int grace);

/* Whether SIGTERM has come. Any thread. */
bool base_ending_is_asked(void);

/* Notes that work is left, and whether it is. Local. */
void base_ending_leave_work(void);
bool base_ending_left_work(void);

#endif

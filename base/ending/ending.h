/* Ends that others ask for: SIGTERM, which batch systems send before the time is up. */
#ifndef BASE_ENDING_H
#define BASE_ENDING_H

#include <stdbool.h>

/* Exit code of a program that ended before everything was done, as it was asked to. */
enum { BASE_ENDING_CODE = 3 };

/* From now on a first SIGTERM is noted. A second one ends the program. Local. */
void base_ending_catch(void);

/* Whether SIGTERM has come. Any thread. */
bool base_ending_is_asked(void);

/* Notes that work is left, and whether it is. Local. */
void base_ending_leave_work(void);
bool base_ending_left_work(void);

#endif

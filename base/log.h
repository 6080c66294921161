/* Warnings and notes to the user on standard error. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

/* Sets whether this process prints warnings: only rank 0 should. By default it prints. */
void base_log_configure(bool prints);

/* Prints "karman: warning: …" if this process prints. Any thread. */
void base_log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "karman: …", for something that is no reason to worry. Any thread. */
void base_log_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From now on each warning also goes to `watch`, whether or not this process prints, from
 * the thread that warns. NULL: to nobody. The context is borrowed. */
void base_log_watch(void (*watch)(void *context, const char *warning), void *context);

#endif

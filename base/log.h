/* Warnings for people on standard error. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

/* Says whether this process prints: rank 0 should, the others should not. Until then it
 * does. */
void base_log_configure(bool prints);

/* Prints "karman: warning: …" where this process prints. Any thread. */
void base_log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

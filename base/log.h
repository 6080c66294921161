/* Messages for people on standard error: warnings, and notes where asked for. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

/* Says whether this process prints (rank 0 does, the others stay silent), and notes too.
 */
void base_log_configure(bool prints, bool notes);

/* Prints "karman: warning: …" where this process prints. Any thread. */
void base_log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "karman: …" where this process prints notes. Any thread. */
void base_log_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

/* Random words that serve as secrets. */
#ifndef RUN_LIVE_SECRET_H
#define RUN_LIVE_SECRET_H

#include "base/status.h"

#include <stdbool.h>

enum { LIVE_SECRET_BYTES = 16, LIVE_SECRET_LENGTH = 2 * LIVE_SECRET_BYTES };

/* 128 bits from the operating system, as 32 hexadecimal digits and a zero. Errors:
 * STATUS_OUTPUT. */
status live_secret_make(char secret[LIVE_SECRET_LENGTH + 1]);

/*
 * Whether `text` (may be NULL) is the secret. The time does not depend on the first
 * difference, so that nobody can find the secret digit by digit.
 */
bool live_secret_equal(const char secret[LIVE_SECRET_LENGTH + 1], const char *text);

#endif

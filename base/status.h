/* What functions return, and the one message that goes with a failure. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include <stddef.h>

typedef enum status {
    STATUS_OK = 0,
    STATUS_USAGE,   /* the command line or the config asks for something that cannot be */
    STATUS_INPUT,   /* an input is missing, broken or not what it should be */
    STATUS_OUTPUT,  /* an output cannot be written */
    STATUS_MEMORY,  /* memory ran out */
    STATUS_INTERNAL /* a defect of karman itself */
} status;

/* Exit code of a program that ends with s: 0 done, 2 wrong usage or config, 1 the rest.
 */
int base_status_exit_code(status s);

/*
 * Records why something failed and returns s, so that a function can end with
 * `return base_fail(STATUS_INPUT, "…")`. Local.
 *
 * The function that first knows of an error records it: one sentence that names the file,
 * key or value and says what to do about it, without a full stop or line break at its
 * end. While a message is held, later ones are dropped: the first cause is what the user
 * reads. Nothing is printed here: ranks agree first (base/parallel/parallel.h), then the
 * program prints once. May be called by any thread.
 */
status base_fail(status s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Shorthand for the failure of an allocation of `bytes` bytes for `what`. */
status base_fail_memory(size_t bytes, const char *what);

/* The message that is held, or "" when there is none. Borrowed until the next call here.
 */
const char *base_fail_message(void);

/* Puts `message` in the place of whatever is held; "" clears it. */
void base_fail_set_message(const char *message);

#endif

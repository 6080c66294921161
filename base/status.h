/* Return values of functions, and the one message that goes with a failure. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include <stddef.h>

typedef enum status {
    STATUS_OK = 0,
    STATUS_USAGE,   /* the command line or the config asks for something impossible */
    STATUS_INPUT,   /* an input is missing, broken or of a wrong kind */
    STATUS_OUTPUT,  /* an output cannot be written */
    STATUS_MEMORY,  /* memory ran out */
    STATUS_INTERNAL /* a defect of karman itself */
} status;

/* Exit code of a program that ends with s: 0 success, 2 wrong usage or config, 1 any
 * other failure. */
int base_status_exit_code(status s);

/*
 * Records why something failed and returns s, so that a function can end with `return
 * base_fail(STATUS_INPUT, "…")`. Local.
 *
 * The function that first detects an error records it in one sentence, without a full
 * stop or line break at its end. The sentence names the file, key or value and tells the
 * user how to correct it. While a message is recorded, later ones are dropped, so that
 * the user reads the first cause. Nothing is printed here: ranks agree first
 * (base/parallel/parallel.h), then the program prints once. May be called by any thread.
 */
status base_fail(status s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fails because `bytes` bytes could not be allocated for `what`. */
status base_fail_memory(size_t bytes, const char *what);

/* The recorded message, or "" if there is none. Borrowed until the next call here. */
const char *base_fail_message(void);

/* Replaces the recorded message; "" clears it. */
void base_fail_set_message(const char *message);

#endif

/* Failures: one message and one exit code, and the agreement of ranks on them. */
#ifndef EXAMPLES_SOLVER_FAILURE_H
#define EXAMPLES_SOLVER_FAILURE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* Exit codes, beside 0: at run time; the command line or the config asks for something
 * impossible. */
enum { SOLVER_FAILED = 1, SOLVER_USAGE = 2 };

/*
 * Records the exit code and why something failed, in one sentence; returns false, so that
 * a function can end with `return solver_fail(...)`. While a message is recorded, later
 * ones are dropped: the user reads the first cause. Local; for one thread.
 */
bool solver_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fails because `bytes` bytes could not be allocated for `what`. */
bool solver_fail_memory(size_t bytes, const char *what);

/* The recorded message and code; "" and 0 if there are none. */
const char *solver_failure(void);
int solver_failure_code(void);

/* Forgets them. */
void solver_failure_clear(void);

/*
 * Whether all ranks pass true. If not, all record the failure of the lowest rank that
 * passes false. No rank leaves on an error of its own between two calls that communicate:
 * each does its local work, then all agree. Collective.
 */
bool solver_agree(MPI_Comm comm, bool works);

/* The rank of this process, and the number of ranks. Local. */
int solver_rank(MPI_Comm comm);
int solver_size(MPI_Comm comm);

#endif

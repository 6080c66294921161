/* Shared by the tests of run directories: a folder, files in it, and a small program to
 * steer. */
#ifndef TESTS_MPI_TEST_STEER_SUPPORT_H
#define TESTS_MPI_TEST_STEER_SUPPORT_H

#include "base/parallel/parallel.h"
#include "run/steer/run.h"

#include <jansson.h>

enum { MAX_TRACE = 64 };

/* The orders that a program has received. */
typedef struct trace {
    int count;
    struct {
        steer_orders orders;
        int64_t cycle;
        double a; /* the value of the parameter "a" */
    } at[MAX_TRACE];
} trace;

/* If `holds` is false, counts a failure and prints the sentence; the test continues. */
void check(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Runs a test in an empty folder of its own; rank 0 prints its name. Collective. */
void run_test(const char *name, void (*test)(void));

/* Exit code of the program: failures on any rank. Collective. */
int finish_tests(void);

/* The run directory of the test that runs. */
const char *run_folder(void);

/* Whether this is rank 0, which touches files. */
bool is_root(void);

/* Opens the run directory of the test and registers the parameters of test programs: a
 * (real, 0 to 10, value 1), b (3 reals) and c (refuses odd whole numbers). Collective. */
steer_run *open_run(bool goes_on);

/* The value of the parameter "a". */
double value_of_a(const steer_run *run);

/* Writes a file below the run directory by rename. Rank 0 writes; all may call it. */
void put_file(const char *name, const char *text);

/* Writes an order {"order": ...} with this name, for example "007", as other programs
 * do. */
void put_order(const char *name, const char *text);

/* Polls until no order waits, and returns all orders found. Collective. */
steer_orders poll_all(steer_run *run, int64_t cycle);

/* A file of the run directory as JSON, or NULL, and a file of lines as an array. Only on
 * rank 0; NULL elsewhere. New references. */
json_t *read_json(const char *name);
json_t *read_lines(const char *name);

/* Whether the file or folder is there, as rank 0 sees it; the same on all. */
bool exists(const char *name);

/* Checks the answer to an order on rank 0; `message` is a part of it. */
void check_answer(const char *name, bool accepted, const char *message);

/* Runs a program of `cycles` steps that polls as programs should: while it is halted it
 * polls again, at most `patience` times. Appends to the trace. Collective. */
void run_program(steer_run *run, int64_t cycles, int patience, trace *told);

/* Waits until rank 0 would look into the directory again. */
void nap(void);

#endif

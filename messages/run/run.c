#include "run.h"

#include "base/array.h"
#include "base/parallel/parallel.h"
#include "execute.h"
#include "messages/collective/describe/describe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_RUNS = 21, FEWEST_RUNS = 3, MOST_CANDIDATES = 16 };

/* No further turn begins after so many seconds of runs. */
static const double enough_seconds = 1.0;

/* The last one is MPI's own. */
typedef struct candidate {
    collectives_execution execution;
    double runs[MOST_RUNS]; /* s of the slowest rank */
} candidate;

typedef struct race {
    MPI_Comm comm;
    const collectives_problem *problem;
    candidate items[MOST_CANDIDATES]; /* [count] */
    int count, runs;
} race;

static status make(race *r)
{
    const collective_algorithm *algorithm;
    status s = STATUS_OK;
    do {
        algorithm =
            r->count < MOST_CANDIDATES - 1 ? collectives_at(r->problem, r->count) : NULL;
        candidate *c = &r->items[r->count++];
        const collective_problem own = algorithm
                                           ? collectives_problem_of(r->problem, algorithm)
                                           : r->problem->problem;
        s = collectives_execution_make(r->comm, r->problem->operation, algorithm, &own,
                                       &c->execution);
    } while (algorithm && s == STATUS_OK);
    return parallel_agree(r->comm, s);
}

/* All in turns. The first turn connects, and does not count. */
static status run_all(race *r)
{
    double all = 0, unused;
    status s = STATUS_OK;
    for (int turn = -1; turn < MOST_RUNS && (turn < FEWEST_RUNS || all < enough_seconds);
         turn++) {
        for (int n = 0; n < r->count && s == STATUS_OK; n++) {
            candidate *c = &r->items[n];
            s = collectives_execution_time(&c->execution,
                                           turn < 0 ? &unused : &c->runs[turn]);
            all += turn < 0 ? 0 : c->runs[turn];
        }
        if (s != STATUS_OK) {
            return s;
        }
        r->runs = turn + 1;
    }
    for (int n = 0; n < r->count; n++) {
        qsort(r->items[n].runs, (size_t)r->runs, sizeof(double),
              base_array_compare_doubles);
    }
    return STATUS_OK;
}

/* ---- Output ------------------------------------------------------------------------ */

static double median_of(const race *r, int n)
{
    return r->items[n].runs[(r->runs - 1) / 2];
}

static void print(const race *r)
{
    const collective_problem *problem = &r->problem->problem;
    const double own = median_of(r, r->count - 1);
    printf("%s on %d ranks, %" PRId64 " element%s of 8 bytes; medians of %d runs\n",
           r->problem->operation->name, problem->size, problem->count,
           problem->count == 1 ? "" : "s", r->runs);
    printf("  %-19s  %12s  %12s  %9s\n", "algorithm", "median (us)", "least (us)",
           "over own");
    for (int n = 0; n < r->count; n++) {
        printf("  %-19s  %12.2f  %12.2f  %9.2f\n",
               collectives_execution_name(&r->items[n].execution), 1e6 * median_of(r, n),
               1e6 * r->items[n].runs[0], median_of(r, n) / own);
    }
}

static status print_json(const race *r)
{
    const collective_problem *problem = &r->problem->problem;
    json_t *list = json_array();
    for (int n = 0; n < r->count; n++) {
        json_array_append_new(list, json_pack("{s:s, s:f, s:f}", "algorithm",
                                              r->items[n].execution.algorithm
                                                  ? r->items[n].execution.algorithm->name
                                                  : "mpi",
                                              "seconds", median_of(r, n), "least",
                                              r->items[n].runs[0]));
    }
    return collectives_json_print(json_pack(
        "{s:s, s:i, s:I, s:i, s:i, s:o}", "collective", r->problem->operation->name,
        "ranks", problem->size, "count", (json_int_t)problem->count, "root",
        problem->root, "runs", r->runs, "times", list));
}

status collectives_run_beside(MPI_Comm comm, const collectives_problem *problem)
{
    race *r = calloc(1, sizeof *r);
    status s =
        parallel_agree(comm, r ? STATUS_OK : base_fail_memory(sizeof *r, "collectives"));
    if (s != STATUS_OK) {
        free(r);
        return s;
    }
    r->problem = problem;
    parallel_dup(comm, &r->comm);
    s = make(r);
    s = s == STATUS_OK ? run_all(r) : s;
    if (s == STATUS_OK && parallel_rank(comm) == 0) {
        if (problem->json) {
            s = print_json(r);
        } else {
            print(r);
        }
    }
    for (int n = 0; n < r->count; n++) {
        collectives_execution_clear(&r->items[n].execution);
    }
    MPI_Comm_free(&r->comm);
    free(r);
    return parallel_agree(comm, s);
}

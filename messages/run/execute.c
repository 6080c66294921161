#include "execute.h"

#include "base/parallel/parallel.h"
#include "base/system.h"

#include <stdlib.h>
#include <string.h>

/* ---- Elements ---------------------------------------------------------------------- */

/* The element of a set of ranks whose inputs are combined: a multiple of the set, as
 * sums of disjoint sets are their unions. Odd factors tell sets and elements apart. */
static uint64_t element_of(uint64_t ranks, int64_t element)
{
    return ranks * (2 * (uint64_t)element + 1);
}

/* Fills the memory with the inputs of the rank. */
static void fill(collectives_execution *e)
{
    const int64_t count = e->problem.count;
    for (int64_t n = 0; n < e->vectors * count; n++) {
        const uint64_t given =
            e->operation->given(&e->problem, e->rank, (int)(n / count), n % count);
        e->memory[n] = element_of(given, n % count);
    }
}

/* Whether the memory has the promised result. */
static bool is_right(const collectives_execution *e)
{
    const int vectors = e->operation->has_vectors ? e->problem.size : 1;
    const int64_t count = e->operation->is_barrier ? 0 : e->problem.count;
    for (int64_t n = 0; n < vectors * count; n++) {
        const uint64_t promised =
            e->operation->promised(&e->problem, e->rank, (int)(n / count), n % count);
        if (promised && e->memory[n] != element_of(promised, n % count)) {
            return false;
        }
    }
    return true;
}

/* ---- Rounds ------------------------------------------------------------------------ */

/* The ops [first, result) of the rank have one round. */
static int64_t round_end(const collectives_execution *e, int64_t first)
{
    const collective_schedule *schedule = &e->schedule;
    int64_t end = first;
    while (end < schedule->begin[e->rank + 1] &&
           schedule->ops[end].round == schedule->ops[first].round) {
        end++;
    }
    return end;
}

static uint64_t *place_of(const collectives_execution *e, int vector, int64_t element)
{
    return e->memory + vector * e->problem.count + element;
}

static void merge(const collectives_execution *e, const collective_op *op,
                  const uint64_t *arrived)
{
    uint64_t *into = place_of(e, op->into, op->first);
    if (op->kind != COLLECTIVE_REDUCE) {
        memcpy(into, arrived, (size_t)op->count * sizeof *into);
        return;
    }
    for (int64_t i = 0; i < op->count; i++) {
        into[i] += arrived[i];
    }
}

/* Sends, receives, and merges all that has come. */
static void run_round(collectives_execution *e, int64_t first, int64_t end)
{
    const collective_op *ops = e->schedule.ops;
    uint64_t *at = e->arrived;
    int count = 0;
    for (int64_t i = first; i < end; i++) {
        const collective_op *op = &ops[i];
        const uint64_t *from = place_of(e, op->from, op->first);
        if (op->dst != e->rank) {
            MPI_Isend(from, (int)op->count, MPI_UINT64_T, op->dst, 0, e->comm,
                      &e->requests[count++]);
            continue;
        }
        if (op->src != e->rank) {
            MPI_Irecv(at, (int)op->count, MPI_UINT64_T, op->src, 0, e->comm,
                      &e->requests[count++]);
        } else {
            memcpy(at, from, (size_t)op->count * sizeof *at);
        }
        at += op->count;
    }
    for (int n = 0; n < count; n++) {
        parallel_wait(&e->requests[n]);
    }
    at = e->arrived;
    for (int64_t i = first; i < end; i++) {
        if (ops[i].dst == e->rank) {
            merge(e, &ops[i], at);
            at += ops[i].count;
        }
    }
}

static void run_rounds(collectives_execution *e)
{
    const int64_t end = e->schedule.begin[e->rank + 1];
    for (int64_t first = e->schedule.begin[e->rank], next; first < end; first = next) {
        next = round_end(e, first);
        run_round(e, first, next);
    }
}

const char *collectives_execution_name(const collectives_execution *e)
{
    return e->algorithm ? e->algorithm->name : "MPI's own";
}

status collectives_execution_time(collectives_execution *e, double *seconds)
{
    MPI_Request barrier;
    fill(e);
    MPI_Ibarrier(e->comm, &barrier);
    parallel_wait(&barrier);
    const double begin = base_clock();
    if (e->algorithm) {
        run_rounds(e);
    } else {
        collectives_execution_run_own(e);
    }
    const double mine = base_clock() - begin;
    parallel_allreduce(&mine, seconds, 1, MPI_DOUBLE, MPI_MAX, e->comm);
    return parallel_agree(
        e->comm,
        is_right(e)
            ? STATUS_OK
            : base_fail(STATUS_INTERNAL, "%s %s ended with a wrong result on rank %d",
                        e->operation->name, collectives_execution_name(e), e->rank));
}

/* ---- Memory ------------------------------------------------------------------------ */

/* Finds the vectors of the memory, and the most ops and elements of a round. */
static void measure(collectives_execution *e, int64_t *most_ops, int64_t *most_elements)
{
    const int64_t end = e->schedule.begin[e->rank + 1];
    for (int64_t first = e->schedule.begin[e->rank], next; first < end; first = next) {
        int64_t elements = 0;
        next = round_end(e, first);
        for (int64_t i = first; i < next; i++) {
            const collective_op *op = &e->schedule.ops[i];
            const int vector = op->from > op->into ? op->from : op->into;
            e->vectors = vector >= e->vectors ? vector + 1 : e->vectors;
            elements += op->dst == e->rank ? op->count : 0;
        }
        *most_ops = next - first > *most_ops ? next - first : *most_ops;
        *most_elements = elements > *most_elements ? elements : *most_elements;
    }
}

status collectives_execution_make(MPI_Comm comm, const collective_operation *operation,
                                  const collective_algorithm *algorithm,
                                  const collective_problem *problem,
                                  collectives_execution *out)
{
    int64_t ops = 1, elements = problem->count + problem->size;
    collectives_execution *e = out;
    *e = (collectives_execution){.comm = comm,
                                 .rank = parallel_rank(comm),
                                 .operation = operation,
                                 .algorithm = algorithm,
                                 .problem = *problem,
                                 .vectors = operation->has_vectors ? problem->size : 1};
    const status s = algorithm
                         ? collective_schedule_collect(algorithm, problem, &e->schedule)
                         : STATUS_OK;
    measure(e, &ops, &elements);
    const size_t bytes = ((size_t)e->vectors * (size_t)problem->count + 1) * 8;
    e->memory = malloc(bytes);
    e->arrived = malloc((size_t)elements * sizeof *e->arrived);
    e->requests = malloc((size_t)ops * sizeof *e->requests);
    return s == STATUS_OK && e->memory && e->arrived && e->requests
               ? STATUS_OK
               : base_fail_memory(bytes, "the vectors of a collective");
}

void collectives_execution_clear(collectives_execution *e)
{
    collective_schedule_clear(&e->schedule);
    free(e->memory);
    free(e->arrived);
    free(e->requests);
}

/*
 * The input and the promised result of each rank, for each operation. Message Passing
 * Interface Forum, "MPI: A Message-Passing Interface Standard", chapter "Collective
 * communication".
 */
#include "operations.h"

#include <string.h>

/* ---- Sets of ranks ----------------------------------------------------------------- */

static uint64_t only(int rank)
{
    return UINT64_C(1) << rank;
}

/* Ranks 0 to `last`. */
static uint64_t up_to(int last)
{
    return UINT64_MAX >> (63 - last);
}

static bool is_own(const collective_problem *problem, int rank, int64_t element)
{
    return collective_block_begin(problem, rank) <= element &&
           element < collective_block_begin(problem, rank + 1);
}

/* ---- Contents of memories ---------------------------------------------------------- */

/* The root has the vector. */
static uint64_t at_root(const collective_problem *problem, int rank, int vector,
                        int64_t element)
{
    (void)element;
    return rank == problem->root && vector == 0 ? only(rank) : 0;
}

/* Each rank has the vector of the root. */
static uint64_t of_root(const collective_problem *problem, int rank, int vector,
                        int64_t element)
{
    (void)rank, (void)element;
    return vector == 0 ? only(problem->root) : 0;
}

/* Each rank has its block of the root's vector. */
static uint64_t block_of_root(const collective_problem *problem, int rank, int vector,
                              int64_t element)
{
    return vector == 0 && is_own(problem, rank, element) ? only(problem->root) : 0;
}

/* Each rank has its own block. */
static uint64_t own_block(const collective_problem *problem, int rank, int vector,
                          int64_t element)
{
    return vector == 0 && is_own(problem, rank, element) ? only(rank) : 0;
}

/* Each rank has the blocks of all. */
static uint64_t all_blocks(const collective_problem *problem, int rank, int vector,
                           int64_t element)
{
    (void)rank;
    return vector == 0 ? only(collective_block_owner(problem, element)) : 0;
}

static uint64_t all_blocks_at_root(const collective_problem *problem, int rank,
                                   int vector, int64_t element)
{
    return rank == problem->root ? all_blocks(problem, rank, vector, element) : 0;
}

/* Each rank has a vector of its own. */
static uint64_t own_vector(const collective_problem *problem, int rank, int vector,
                           int64_t element)
{
    (void)problem, (void)element;
    return vector == 0 ? only(rank) : 0;
}

/* Each rank has all vectors combined. */
static uint64_t combined(const collective_problem *problem, int rank, int vector,
                         int64_t element)
{
    (void)rank, (void)element;
    return vector == 0 ? up_to(problem->size - 1) : 0;
}

static uint64_t combined_at_root(const collective_problem *problem, int rank, int vector,
                                 int64_t element)
{
    return rank == problem->root ? combined(problem, rank, vector, element) : 0;
}

static uint64_t combined_block(const collective_problem *problem, int rank, int vector,
                               int64_t element)
{
    return is_own(problem, rank, element) ? combined(problem, rank, vector, element) : 0;
}

/* Each rank has its own vector combined with those of all ranks before it. */
static uint64_t combined_so_far(const collective_problem *problem, int rank, int vector,
                                int64_t element)
{
    (void)problem, (void)element;
    return vector == 0 ? up_to(rank) : 0;
}

/* Rank r has vector r. */
static uint64_t vector_of_rank(const collective_problem *problem, int rank, int vector,
                               int64_t element)
{
    (void)problem, (void)element;
    return vector == rank ? only(rank) : 0;
}

/* Rank r has block r of each vector. */
static uint64_t block_of_each(const collective_problem *problem, int rank, int vector,
                              int64_t element)
{
    return is_own(problem, rank, element) ? only(vector) : 0;
}

/* ---- The operations ---------------------------------------------------------------- */

const collective_operation collective_broadcast = {
    .name = "broadcast",
    .summary = "the root's vector comes to all ranks",
    .has_root = true,
    .given = at_root,
    .promised = of_root,
};

const collective_operation collective_scatter = {
    .name = "scatter",
    .summary = "block r of the root's vector comes to rank r",
    .has_root = true,
    .given = at_root,
    .promised = block_of_root,
};

const collective_operation collective_gather = {
    .name = "gather",
    .summary = "the blocks of all ranks come to the root",
    .has_root = true,
    .given = own_block,
    .promised = all_blocks_at_root,
};

const collective_operation collective_reduce = {
    .name = "reduce",
    .summary = "the vectors of all ranks are combined at the root",
    .has_root = true,
    .reduces = true,
    .given = own_vector,
    .promised = combined_at_root,
};

const collective_operation collective_reduce_scatter = {
    .name = "reduce-scatter",
    .summary = "the vectors of all ranks are combined; block r comes to rank r",
    .reduces = true,
    .given = own_vector,
    .promised = combined_block,
};

const collective_operation collective_allgather = {
    .name = "allgather",
    .summary = "the blocks of all ranks come to all ranks",
    .given = own_block,
    .promised = all_blocks,
};

const collective_operation collective_allreduce = {
    .name = "allreduce",
    .summary = "the vectors of all ranks are combined at all ranks",
    .reduces = true,
    .given = own_vector,
    .promised = combined,
};

const collective_operation collective_alltoall = {
    .name = "alltoall",
    .summary = "block r of each rank's vector comes to rank r",
    .given = vector_of_rank,
    .promised = block_of_each,
    .has_vectors = true,
};

const collective_operation collective_barrier = {
    .name = "barrier",
    .summary = "no rank goes on before all have come",
    .is_barrier = true,
    .given = own_vector,
    .promised = combined,
};

const collective_operation collective_scan = {
    .name = "scan",
    .summary = "rank r gets the combined vectors of ranks 0 to r",
    .reduces = true,
    .given = own_vector,
    .promised = combined_so_far,
};

const collective_operation *collective_operation_at(int n)
{
    static const collective_operation *const all[] = {
        &collective_broadcast, &collective_scatter,        &collective_gather,
        &collective_reduce,    &collective_reduce_scatter, &collective_allgather,
        &collective_allreduce, &collective_alltoall,       &collective_barrier,
        &collective_scan};
    const int count = (int)(sizeof all / sizeof all[0]);
    return n >= 0 && n < count ? all[n] : NULL;
}

const collective_operation *collective_operation_find(const char *name)
{
    const collective_operation *operation;
    for (int n = 0; (operation = collective_operation_at(n)); n++) {
        if (strcmp(operation->name, name) == 0) {
            return operation;
        }
    }
    return NULL;
}

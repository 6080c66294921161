#include "place.h"

#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"
#include "base/system.h"

#include <math.h>
#include <unistd.h>

enum { EXCHANGES = 8, TAG = 7 };

static void exchange_send(MPI_Comm comm, int rank, double value)
{
    MPI_Request request;
    MPI_Isend(&value, 1, MPI_DOUBLE, rank, TAG, comm, &request);
    parallel_wait(&request);
}

static double exchange_receive(MPI_Comm comm, int rank)
{
    double value = 0.0;
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_DOUBLE, rank, TAG, comm, &request);
    parallel_wait(&request);
    return value;
}

/* Rank 0's part: answers each request of `rank` with its time. */
static void answer(MPI_Comm comm, int rank, double (*clock)(void))
{
    for (int n = 0; n < EXCHANGES; n++) {
        exchange_receive(comm, rank);
        exchange_send(comm, rank, clock());
    }
}

static double ask(MPI_Comm comm, double (*clock)(void), double *error)
{
    double shortest = INFINITY, offset = 0.0;
    for (int n = 0; n < EXCHANGES; n++) {
        double begin = clock();
        exchange_send(comm, 0, begin);
        double theirs = exchange_receive(comm, 0), end = clock();
        if (end - begin < shortest) {
            shortest = end - begin;
            offset = 0.5 * (begin + end) - theirs;
        }
    }
    *error = 0.5 * shortest;
    return offset;
}

double io_place_clock_offset(MPI_Comm comm, int asks, double (*clock)(void),
                             double *error)
{
    int rank = parallel_rank(comm), ranks = parallel_size(comm);
    double offset = 0.0;
    *error = 0.0;
    for (int r = 1; r < ranks; r++) {
        int turn = rank == r && asks;
        parallel_bcast(&turn, 1, MPI_INT, r, comm);
        if (turn && rank == 0) {
            answer(comm, r, clock);
        } else if (turn && rank == r) {
            offset = ask(comm, clock, error);
        }
    }
    return offset;
}

/* The number of this rank's node: nodes are numbered by their first ranks. */
static int number_node(MPI_Comm comm, MPI_Comm node)
{
    const int leads = parallel_rank(node) == 0;
    int number = 0;
    MPI_Request request;
    MPI_Iscan(&leads, &number, 1, MPI_INT, MPI_SUM, comm, &request);
    parallel_wait(&request);
    number--; /* of a leader, which counts itself */
    parallel_bcast(&number, 1, MPI_INT, 0, node);
    return number;
}

io_place io_place_find(MPI_Comm comm)
{
    MPI_Comm node;
    parallel_split_nodes(comm, &node);
    int leads = parallel_rank(node) == 0;
    int mine[2] = {leads, leads ? (int)sysconf(_SC_NPROCESSORS_ONLN) : 0}, all[2];
    parallel_allreduce(mine, all, 2, MPI_INT, MPI_SUM, comm);
    int has_root = parallel_rank(comm) == 0, near_root;
    parallel_allreduce(&has_root, &near_root, 1, MPI_INT, MPI_MAX, node);
    io_place place = {.nodes = all[0], .cores = all[1], .node = number_node(comm, node)};
    MPI_Comm_free(&node);
    if (place.nodes > 1) {
        double error;
        place.clock_offset = io_place_clock_offset(comm, !near_root, base_clock, &error);
        parallel_allreduce(&error, &place.clock_error, 1, MPI_DOUBLE, MPI_MAX, comm);
    }
    return place;
}

/*
 * Redistribution of bricks: geometry that some rank has is sent rather than read again.
 */
#include "base/parallel/parallel.h"
#include "geometry.h"
#include "load.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_WINDINGS = 0x4d57, TAG_VERTICES, TAG_FLAGS };

/* Bricks to exchange between this rank and each of the others, rank after rank. */
typedef struct brick_lists {
    int *count, *begin; /* [ranks] */
    int64_t *numbers;   /* [total]: ascending for each rank */
    unsigned *windings; /* [total] */
    int total;
} brick_lists;

typedef struct brick_move {
    MPI_Comm comm;
    int rank, ranks;
    const grid_store *before;
    grid_store *store;
    int32_t
        *owner; /* [nbricks of the layout]: lowest rank that has the brick, or INT_MAX */
    brick_lists wanted, sent;
    MPI_Request *requests;
    int nrequests;
} brick_move;

/* ---- Lists ------------------------------------------------------------------------- */

static void clear_lists(brick_lists *lists)
{
    free(lists->count);
    free(lists->begin);
    free(lists->numbers);
    free(lists->windings);
}

static void clear_move(brick_move *move)
{
    clear_lists(&move->wanted);
    clear_lists(&move->sent);
    free(move->owner);
    free(move->requests);
}

static status allocate_counts(int ranks, brick_lists *lists)
{
    const size_t bytes = (size_t)ranks * sizeof *lists->count;
    lists->count = calloc((size_t)ranks, sizeof *lists->count);
    lists->begin = calloc((size_t)ranks, sizeof *lists->begin);
    return lists->count && lists->begin ? STATUS_OK
                                        : base_fail_memory(bytes, "bricks that move");
}

/* Finds the index of each rank's first brick, and allocates the numbers. */
static status allocate_numbers(int ranks, brick_lists *lists)
{
    lists->total = 0;
    for (int r = 0; r < ranks; r++) {
        lists->begin[r] = lists->total;
        lists->total += lists->count[r];
    }
    const size_t bytes = ((size_t)lists->total + 1) * sizeof *lists->numbers;
    lists->numbers = malloc(bytes);
    lists->windings = calloc((size_t)lists->total + 1, sizeof *lists->windings);
    return lists->numbers && lists->windings
               ? STATUS_OK
               : base_fail_memory(bytes, "bricks that move");
}

/* The brick in this rank's previous store, if it is there and whole; else NULL. */
static const grid_brick *brick_before(const brick_move *move, int64_t number)
{
    const int32_t slot = move->before ? move->before->slot[number] : -1;
    const grid_brick *brick = slot >= 0 ? &move->before->bricks[slot] : NULL;
    return brick && brick->vertex && grid_brick_is_whole(move->before, brick) ? brick
                                                                              : NULL;
}

/* Finds the owner of each brick: the lowest rank that has it. Collective. */
static status find_owners(brick_move *move)
{
    const int64_t nbricks = move->store->layout->nbricks;
    const size_t bytes = 2 * ((size_t)nbricks + 1) * sizeof *move->owner;
    move->owner = malloc(bytes);
    status s = move->owner ? allocate_counts(move->ranks, &move->wanted)
                           : base_fail_memory(bytes, "who has which brick");
    if (s == STATUS_OK) {
        s = allocate_counts(move->ranks, &move->sent);
    }
    s = parallel_agree(move->comm, s);
    if (s != STATUS_OK) {
        return s;
    }
    int32_t *mine = move->owner + nbricks;
    for (int64_t n = 0; n < nbricks; n++) {
        mine[n] = brick_before(move, n) ? move->rank : INT_MAX;
    }
    parallel_allreduce(mine, move->owner, parallel_count(nbricks), MPI_INT32_T, MPI_MIN,
                       move->comm);
    return STATUS_OK;
}

/* The rank that must send a brick of the new store to this rank; -1 if the brick is here
 * already, or no rank has it. */
static int giver_of(const brick_move *move, int64_t number)
{
    const int32_t owner = move->owner[number];
    return owner == INT_MAX || brick_before(move, number) ? -1 : owner;
}

static status list_wanted(brick_move *move)
{
    const grid_store *store = move->store;
    for (int64_t b = 0; b < store->nbricks; b++) {
        const int giver = giver_of(move, store->bricks[b].number);
        move->wanted.count[giver >= 0 ? giver : 0] += giver >= 0;
    }
    status s = allocate_numbers(move->ranks, &move->wanted);
    int *next = malloc((size_t)move->ranks * sizeof *next);
    if (s == STATUS_OK && !next) {
        s = base_fail_memory((size_t)move->ranks * sizeof *next, "bricks that move");
    }
    if (s == STATUS_OK) {
        memcpy(next, move->wanted.begin, (size_t)move->ranks * sizeof *next);
    }
    for (int64_t b = 0; s == STATUS_OK && b < store->nbricks; b++) {
        const int giver = giver_of(move, store->bricks[b].number);
        if (giver >= 0) {
            move->wanted.numbers[next[giver]++] = store->bricks[b].number;
        }
    }
    free(next);
    return s;
}

/* Tells the other ranks which bricks this rank wants. Collective. Errors:
 * STATUS_MEMORY. */
static status ask(brick_move *move)
{
    status s = parallel_agree(move->comm, list_wanted(move));
    if (s != STATUS_OK) {
        return s;
    }
    MPI_Request request;
    MPI_Ialltoall(move->wanted.count, 1, MPI_INT, move->sent.count, 1, MPI_INT,
                  move->comm, &request);
    parallel_wait(&request);
    s = allocate_numbers(move->ranks, &move->sent);
    const size_t most = 3 * ((size_t)move->wanted.total + (size_t)move->sent.total) +
                        2 * (size_t)move->ranks;
    move->requests = malloc((most + 1) * sizeof *move->requests);
    if (s == STATUS_OK && !move->requests) {
        s = base_fail_memory(most * sizeof *move->requests, "bricks that move");
    }
    s = parallel_agree(move->comm, s);
    if (s != STATUS_OK) {
        return s;
    }
    MPI_Ialltoallv(move->wanted.numbers, move->wanted.count, move->wanted.begin,
                   MPI_INT64_T, move->sent.numbers, move->sent.count, move->sent.begin,
                   MPI_INT64_T, move->comm, &request);
    parallel_wait(&request);
    return STATUS_OK;
}

/* ---- Bricks ------------------------------------------------------------------------ */

static int vertices_of(const grid_brick *brick)
{
    const int *n = brick->place.n;
    return (n[0] + 1) * (n[1] + 1) * (n[2] + 1);
}

/* The brick in the new store; it is put into memory if it is not there. */
static grid_brick *claim(grid_store *store, int64_t number)
{
    grid_brick *brick = &store->bricks[store->slot[number]];
    if (!brick->vertex) {
        grid_store_claim(store, brick);
    }
    return brick;
}

/* Copies the bricks that this rank has already. */
static void keep_own(const brick_move *move)
{
    for (int64_t b = 0; b < move->store->nbricks; b++) {
        const int64_t number = move->store->bricks[b].number;
        const grid_brick *from = brick_before(move, number);
        if (from) {
            grid_brick *to = claim(move->store, number);
            const size_t count = (size_t)vertices_of(from);
            memcpy(to->vertex, from->vertex, count * sizeof *to->vertex);
            memcpy(to->flags, from->flags, count);
            to->windings = from->windings;
        }
    }
}

/* Messages of one pair of ranks are in the same order on both sides. */
static void start_receives(brick_move *move)
{
    brick_lists *lists = &move->wanted;
    for (int r = 0; r < move->ranks; r++) {
        if (lists->count[r] > 0) {
            MPI_Irecv(lists->windings + lists->begin[r], lists->count[r], MPI_UNSIGNED, r,
                      TAG_WINDINGS, move->comm, &move->requests[move->nrequests++]);
        }
        for (int n = 0; n < lists->count[r]; n++) {
            grid_brick *brick = claim(move->store, lists->numbers[lists->begin[r] + n]);
            const int count = vertices_of(brick);
            MPI_Irecv(brick->vertex, 4 * count, MPI_FLOAT, r, TAG_VERTICES, move->comm,
                      &move->requests[move->nrequests++]);
            MPI_Irecv(brick->flags, count, MPI_UINT8_T, r, TAG_FLAGS, move->comm,
                      &move->requests[move->nrequests++]);
        }
    }
}

static void start_sends(brick_move *move)
{
    brick_lists *lists = &move->sent;
    for (int n = 0; n < lists->total; n++) {
        lists->windings[n] = brick_before(move, lists->numbers[n])->windings;
    }
    for (int r = 0; r < move->ranks; r++) {
        if (lists->count[r] > 0) {
            MPI_Isend(lists->windings + lists->begin[r], lists->count[r], MPI_UNSIGNED, r,
                      TAG_WINDINGS, move->comm, &move->requests[move->nrequests++]);
        }
        for (int n = 0; n < lists->count[r]; n++) {
            const grid_brick *brick =
                brick_before(move, lists->numbers[lists->begin[r] + n]);
            const int count = vertices_of(brick);
            MPI_Isend(brick->vertex, 4 * count, MPI_FLOAT, r, TAG_VERTICES, move->comm,
                      &move->requests[move->nrequests++]);
            MPI_Isend(brick->flags, count, MPI_UINT8_T, r, TAG_FLAGS, move->comm,
                      &move->requests[move->nrequests++]);
        }
    }
}

static void finish(brick_move *move)
{
    for (int n = 0; n < move->nrequests; n++) {
        parallel_wait(&move->requests[n]);
    }
    for (int n = 0; n < move->wanted.total; n++) {
        claim(move->store, move->wanted.numbers[n])->windings = move->wanted.windings[n];
    }
}

/* Fills in the bricks of `store` that are in memory in any rank's `before`. Collective.
 * Errors: STATUS_MEMORY. */
static status exchange(brick_move *move)
{
    status s = find_owners(move);
    if (s == STATUS_OK) {
        s = ask(move);
    }
    if (s == STATUS_OK) {
        keep_own(move);
        start_receives(move);
        start_sends(move);
        finish(move);
    }
    return s;
}

/* ---- The rest ---------------------------------------------------------------------- */

/* Reads the bricks of the store that no rank has. Collective. */
static status read_rest(const brick_move *move, io_source *source)
{
    const grid_store *store = move->store;
    int64_t *numbers = NULL, count = 0, most = 0;
    status s = parallel_agree(move->comm, io_load_numbers(0, store->nbricks, &numbers));
    for (int64_t b = 0; s == STATUS_OK && b < store->nbricks; b++) {
        const int64_t number = store->bricks[b].number;
        if (move->owner[number] == INT_MAX) {
            numbers[count++] = number;
        }
    }
    if (s == STATUS_OK) {
        parallel_allreduce(&count, &most, 1, MPI_INT64_T, MPI_MAX, move->comm);
    }
    if (s == STATUS_OK && most > 0) {
        s = io_load_geometry(move->comm, source, count, numbers, move->store);
    }
    free(numbers);
    return s;
}

status io_load_moved(MPI_Comm comm, io_source *source, const io_load_list *list,
                     bool later, grid_store **store)
{
    brick_move move = {.comm = comm,
                       .rank = parallel_rank(comm),
                       .ranks = parallel_size(comm),
                       .before = *store};
    const bool has_cells = list->location == GRID_CELL;
    status s = later ? grid_store_reserve(list->layout, list->count, list->numbers,
                                          has_cells, &move.store)
                     : grid_store_create(list->layout, list->count, list->numbers,
                                         has_cells, &move.store);
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        s = exchange(&move);
    }
    if (s == STATUS_OK && !later) {
        s = read_rest(&move, source);
    }
    clear_move(&move);
    if (s != STATUS_OK) {
        grid_store_destroy(&move.store);
        return s;
    }
    grid_store_destroy(store);
    *store = move.store;
    return STATUS_OK;
}

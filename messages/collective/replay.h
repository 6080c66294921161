/* The replay of a schedule on sets of ranks. Private to messages/collective/. */
#ifndef MESSAGES_COLLECTIVE_REPLAY_H
#define MESSAGES_COLLECTIVE_REPLAY_H

#include "schedule.h"

/* One row of elements in a memory. */
typedef struct replay_cell {
    uint64_t ranks;  /* whose inputs are combined in it; 0: there is nothing */
    int64_t culprit; /* the op that broke the order of ranks; -1: it is kept */
} replay_cell;

/* Who could have brought an input to a rank? */
typedef struct replay_watch {
    int rank; /* -1: nobody watches */
    int row, input;
    int src,
        round; /* the last message from a rank that had it, without it; src -1: none */
    int brought_src, brought_round; /* the last message with it */
} replay_watch;

typedef struct replay {
    const collective_algorithm *algorithm;
    const collective_schedule *schedule;
    char *sentence; /* the defect */
    size_t sentence_size;
    int vectors, rows;
    int64_t *borders;   /* [rows + 1]: the first element of each row, ascending */
    replay_cell *cells; /* [size][vectors][rows] */
    int64_t *mate;      /* [ops]: the op of the sender, for each receive */
    int64_t *payload;   /* [ops]: where the payload of a send begins in `taken` */
    replay_cell *taken; /* of the present round */
    int64_t ntaken, taken_capacity;
    int64_t at[COLLECTIVE_MOST_RANKS]; /* the next op of each rank */
    replay_watch watch;
    bool out_of_memory;
} replay;

/* Makes room. Needs ops that are possible. Local. Errors: STATUS_MEMORY. */
status replay_create(replay *r);
void replay_clear(replay *r);

/* Replays all rounds from the beginning. False: with a sentence, or without memory. */
bool replay_run(replay *r);

/* Records a sentence; returns false. */
bool replay_fail(replay *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The lowest of a set of ranks that is not empty. */
static inline int replay_lowest(uint64_t ranks)
{
    return __builtin_ctzll(ranks);
}

static inline replay_cell *replay_at(const replay *r, int rank, int vector, int row)
{
    return &r->cells[((int64_t)rank * r->vectors + vector) * r->rows + row];
}

#endif

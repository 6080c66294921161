/* The numbers that a page gives and takes: their places. */
#ifndef MESSAGES_COLLECTIVE_BROWSER_NUMBERS_H
#define MESSAGES_COLLECTIVE_BROWSER_NUMBERS_H

/* The collectives, and the tables of the last run. */
typedef struct browser_core browser_core;

/* The places of a problem in browser_input. From BROWSER_LATE on: s at which each rank
 * begins. */
enum {
    BROWSER_SIZE,
    BROWSER_COUNT,
    BROWSER_ROOT,
    BROWSER_SEGMENT,
    BROWSER_ALPHA,
    BROWSER_BETA,
    BROWSER_GAMMA,
    BROWSER_PORTS,
    BROWSER_LATE,
    BROWSER_NEAR_ALPHA = BROWSER_LATE + 64, /* the same as alpha and beta within a node */
    BROWSER_NEAR_BETA,
    BROWSER_NODES, /* 1: ranks lie on the nodes from BROWSER_NODE on; 0: each has its own
                    */
    BROWSER_NODE,  /* the number of each rank's node, from 0 on */
    /* Of compositing alone: */
    BROWSER_NEAREST = BROWSER_NODE + 64, /* 1: the nearest pixel; 0: front over back */
    BROWSER_GATHER,   /* bytes of a finished pixel on its way to the root; 0: none */
    BROWSER_BY_NODES, /* 1: ranks of a node merge first */
    BROWSER_GROUP,    /* parameters of algorithms; 0: they choose */
    BROWSER_FAN_IN,
    BROWSER_FACTORS, /* up to the first 0 */
    BROWSER_MOST_FACTORS = 8,
    BROWSER_INPUTS = BROWSER_FACTORS + BROWSER_MOST_FACTORS
};

/* Tables of a run. */
typedef enum browser_table {
    BROWSER_OPS,   /* [][8]: round, source, destination, kind, from, into, first, count;
                      the stream of rank 0, then that of rank 1 … */
    BROWSER_BEGIN, /* [size + 1]: where each stream begins */
    BROWSER_MESSAGES, /* [][12]: round, source, destination, elements, combined; sent,
                         left, comes, came, combines, done (s); the sum of 1, if it is
                         critical, and 2, if it is read in place */
    BROWSER_PATH,     /* numbers of messages */
    BROWSER_FINISH,   /* [size]: s */
    BROWSER_TOTALS,   /* rounds, messages, elements, most sent, most received */
    BROWSER_COST,     /* alpha, beta, gamma of the formula, then of the walk; seconds,
                         begin; alpha, beta of the walk within nodes */
    BROWSER_BORDERS,  /* [size + 1]: where each block begins */
    BROWSER_GIVEN,    /* [][5]: rank, vector, block, and the set of ranks in two halves of
                         32 bits, for all that is not empty */
    BROWSER_PROMISED, /* the same in the end */
    BROWSER_RANGES,   /* [][2]: count, and the algorithm that is fastest from there on */
    BROWSER_TABLES
} browser_table;

enum { BROWSER_OP_NUMBERS = 8, BROWSER_MESSAGE_NUMBERS = 12, BROWSER_CELL_NUMBERS = 5 };

#endif

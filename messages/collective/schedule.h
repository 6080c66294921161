/* Schedules of collectives: the messages of a broadcast, a reduction, a barrier …, before
 * any is sent. Needs no MPI, no files and no standard output. */
#ifndef MESSAGES_COLLECTIVE_SCHEDULE_H
#define MESSAGES_COLLECTIVE_SCHEDULE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    COLLECTIVE_MOST_RANKS = 64,     /* sets of ranks are words of 64 bits */
    COLLECTIVE_MOST_SEGMENTS = 4096 /* of a vector */
};

/*
 * The problem. A vector of `count` elements is cut into `size` blocks, which differ by
 * one element at most; block r belongs to rank r. In a scatter the root has the vector.
 * In a gather and an allgather the blocks of all ranks form it. In an alltoall each rank
 * has a vector, whose block r goes to rank r. In all others each rank has a whole vector.
 */
typedef struct collective_problem {
    int size;        /* ranks, 1 to COLLECTIVE_MOST_RANKS */
    int64_t count;   /* elements, >= 0; a barrier ignores it */
    int root;        /* in [0, size); only of operations that have one */
    int64_t segment; /* elements of a message at most, for algorithms with segments; 0:
                        messages are whole */
} collective_problem;

/* The way in which a message enters the memory of its receiver. */
typedef enum collective_kind {
    COLLECTIVE_COPY,        /* the receiver stores it; the sender keeps it */
    COLLECTIVE_MOVE,        /* the receiver stores it; the sender gives it up */
    COLLECTIVE_REDUCE,      /* the receiver combines it with its own elements */
    COLLECTIVE_CONCATENATE, /* the receiver adds it to its own: nothing comes twice */
    COLLECTIVE_NOTIFY,      /* there are no elements: the receiver learns which ranks have
                               reached a barrier */
    COLLECTIVE_KINDS
} collective_kind;

/* "copy", "move" and so on. */
const char *collective_kind_name(collective_kind kind);

/*
 * A piece of a message. All pieces from one rank to another in one round are one message.
 * With src == dst the rank works alone, on its own memory.
 *
 * The memory of a rank has one vector, number 0, unless the operation needs more: in an
 * alltoall, vector s is that of rank s.
 */
typedef struct collective_op {
    int round; /* ops of round t come before those of t + 1 on the ranks they touch */
    int src, dst;
    collective_kind kind;
    int from, into;       /* the vectors of the sender and of the receiver */
    int64_t first, count; /* elements [first, first + count) of both */
} collective_op;

/* Receives ops one by one. Returns 0 to go on; anything else ends the generation. */
typedef int collective_visit(const collective_op *op, void *context);

/* The place that an algorithm writes the ops of one rank to. */
typedef struct collective_stream {
    const collective_problem *problem;
    int rank;
    collective_visit *visit;
    void *context;
    const struct collective_algorithm *algorithm; /* whose schedule is generated */
} collective_stream;

/*
 * A tree of ranks. A node stands for neighbours [v, v + length) and is v itself. Its
 * children divide the others among them. Numbers are relative: the root is 0, and number
 * v is rank (v + root) mod p. So each subtree is a row of neighbours, and has the blocks
 * of neighbours.
 */
typedef struct collective_child {
    int offset, length; /* the child is node v + offset */
    int delay; /* rounds from the message to the parent until that to the child */
} collective_child;

/* Child number k of a node with so many ranks; false: it has none. */
typedef bool collective_shape(int length, int k, collective_child *child);

/* How often the longest path of a schedule pays for a message, an element in a message,
 * and an element to combine: its time is alpha α + beta β + gamma γ. */
typedef struct collective_cost {
    int64_t alpha, beta, gamma;
} collective_cost;

/* The promise of MPI for an operation, as sets of ranks: bit s stands for the input of
 * rank s. */
typedef struct collective_operation {
    const char *name; /* "reduce-scatter" */
    const char *summary;
    bool has_root, reduces, is_barrier;
    /* Ranks whose inputs are combined in an element of a vector at the beginning, and in
     * the end; 0: that place does not matter. */
    uint64_t (*given)(const collective_problem *problem, int rank, int vector,
                      int64_t element);
    uint64_t (*promised)(const collective_problem *problem, int rank, int vector,
                         int64_t element);
    bool has_vectors; /* one for each rank */
} collective_operation;

/* Whether a reduction combines its operands by ascending ranks, as an operator that is
 * not commutative needs it. */
typedef enum collective_order {
    COLLECTIVE_ORDER_NONE,   /* it does not reduce */
    COLLECTIVE_ORDER_ALWAYS, /* for each root */
    COLLECTIVE_ORDER_ROOT_0, /* if the root is rank 0 */
    COLLECTIVE_ORDER_NEVER
} collective_order;

/*
 * An algorithm: a pure function from a problem and a rank to a stream of ops, in the same
 * way as composite_algorithm of composite/schedule.h.
 *
 * In a round a rank first sends data that its memory held when the round began. Then it
 * receives, in the order of its own stream. For one rank the function yields, by
 * ascending rounds, exactly the ops in which that rank sends or receives. Both ends of a
 * message yield the identical ops in the same order. It works for any number of ranks,
 * any count and any root.
 */
typedef struct collective_algorithm {
    const collective_operation *operation;
    const char *name;    /* "binomial" */
    const char *summary; /* one line for people */
    const char *source;  /* the paper */
    const char *formula; /* its cost: p ranks, n elements, b = ⌈n/p⌉ of a block, s of a
                            segment, k segments, r rounds of the tree, lg p = log2 p */
    collective_order order;
    bool has_segments;
    /* The formula with numbers put in, for size > 1 and count > 0. One port in each
     * direction. It is exact if the ranks are a power of two and divide the count, and
     * there are no segments (binary trees: one less than a power of two, and no
     * reduction, as that combines while it receives). Else no schedule is slower. */
    collective_cost (*cost)(const collective_problem *problem);
    /* 0, or what visit returned to end the generation. */
    int (*generate)(const collective_stream *to);
    /* Of a tree whose messages collective_tree_generate makes, else NULL and 0. */
    collective_shape *shape;
    int segment_rounds; /* between two segments of a vector */
} collective_algorithm;

/* The n-th operation or algorithm, or NULL after the last. Algorithms of one operation
 * follow each other. Local. */
const collective_operation *collective_operation_at(int n);
const collective_algorithm *collective_algorithm_at(int n);

/* The number of an algorithm that is listed. Local. */
int collective_algorithm_number(const collective_algorithm *algorithm);

/* The one of that name, or NULL. Local. */
const collective_operation *collective_operation_find(const char *name);
const collective_algorithm *
collective_algorithm_find(const collective_operation *operation, const char *name);

/* The formula with numbers put in; zero if there is nothing to send. Local. */
collective_cost collective_cost_of(const collective_algorithm *algorithm,
                                   const collective_problem *problem);

/* Whether the algorithm promises rank order for a problem. Local. */
bool collective_is_ordered(const collective_algorithm *algorithm,
                           const collective_problem *problem);

/* The ops of all ranks. Zero is empty. Whoever changes the ops, such as a test that
 * breaks a schedule, keeps `begin` right. */
typedef struct collective_schedule {
    collective_problem problem;
    collective_op *ops; /* [count]: those of rank 0, then those of rank 1 … A message
                           stands in the streams of both ends, local work in one */
    int64_t count, capacity;
    int64_t begin[COLLECTIVE_MOST_RANKS + 1]; /* where the stream of each rank begins */
} collective_schedule;

/* Collects the ops of all ranks, in the memory of the last ones. Local. Errors:
 * STATUS_MEMORY, without a message. */
status collective_schedule_collect(const collective_algorithm *algorithm,
                                   const collective_problem *problem,
                                   collective_schedule *schedule);

void collective_schedule_clear(collective_schedule *schedule);

/* Where block `rank` begins; that of number `size` is the end. Local. */
int64_t collective_block_begin(const collective_problem *problem, int rank);

/* The rank to which an element belongs. Local. */
int collective_block_owner(const collective_problem *problem, int64_t element);

#endif

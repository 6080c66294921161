/* Schedules: what a compositing algorithm is, before anything is sent. */
#ifndef COMPOSITE_SCHEDULE_H
#define COMPOSITE_SCHEDULE_H

#include "base/status.h"
#include "shares.h"

#include <stdbool.h>
#include <stdint.h>

/* How two images become one. */
typedef enum composite_operator {
    COMPOSITE_OVER,   /* front over back, premultiplied: associative, not commutative */
    COMPOSITE_NEAREST /* the smaller depth: commutative */
} composite_operator;

/* Of a pixel that is not finished. */
enum { COMPOSITE_PIXEL_BYTES = 16 };

/*
 * Where a picture is cut. Algorithms deal with its pixels as if all took the same work,
 * and cut it into equal shares; in truth, what is to be merged may lie in few rows. So
 * the picture has an even scale beside its pixels: the shares of an algorithm are equal
 * on that, and cuts say which pixels they are. With four bands, of which the third one
 * has most to merge:
 *
 *     pixels   |---------|---------|---------|---------|    bands: equal shares
 *     scale    |--|----|-----------------------|-------|    before[0] ... before[4]
 *
 * As borders keep their order, whatever holds for a schedule on the scale holds for its
 * pixels, too. All zero: both are the same.
 */
enum { COMPOSITE_BANDS = 64 };

typedef struct composite_cuts {
    int64_t before[COMPOSITE_BANDS + 1]; /* what lies in front of each band, and in all:
                                            ascending from 0, below 2^20 */
} composite_cuts;

/* The pixel at place `n` of the scale, which has as many places as the picture has
 * `pixels`; these are below 2^40 unless cuts are all zero. Local. */
int64_t composite_cuts_pixel(const composite_cuts *cuts, int64_t pixels, int64_t n);

/* What is to be composited: one image of `pixels` pixels per position. Position 0 is in
 * front. */
typedef struct composite_problem {
    int size;       /* positions, >= 1 */
    int64_t pixels; /* of the image, row-major */
    composite_operator op;
    int root; /* position that wants the picture, in [0, size): a schedule that ends at
                 few positions had better end there */
    int gather_bytes; /* that a finished pixel takes on its way to the root by message, 0
                         to COMPOSITE_PIXEL_BYTES; 0: none goes there so */
    composite_cuts cuts; /* the same on all ranks; not for algorithms to look at */
} composite_problem;

enum { COMPOSITE_MAX_FACTORS = 32 };

/* Parameters of algorithms; zero means "choose". */
typedef struct composite_params {
    int nfactors;
    int factors[COMPOSITE_MAX_FACTORS]; /* radix-k: group sizes of the rounds */
    int group;                          /* TOD-tree: size of a locality */
    int fan_in;                         /* tree: images that merge at once */
} composite_params;

/* One message of a schedule; sender and receiver see the identical record. */
typedef struct composite_op {
    int round;      /* ops of round t come before those of t+1 on the ranks they touch */
    int src, dst;   /* positions in visibility order; the caller maps them to ranks */
    int run0, run1; /* positions [run0, run1) are already blended into the payload */
    int64_t pix0, npix; /* half-open range of the image's pixels, row-major */
} composite_op;

/*
 * What a round is, for one position:
 *
 *   1. It sends. Payloads are what it held when the round began; what is sent is given
 *      up.
 *   2. It receives, any number of messages, and merges them into what it holds, in the
 *      order in which its own stream yields them. With COMPOSITE_OVER each merge must
 *      join two neighbouring runs: so a position takes its neighbours first, and goes
 *      outward from there, on both sides as it likes.
 *
 * Nothing that is sent in a round depends on anything received in it, and both ends of a
 * message place it in the same round: so no circle of positions can wait for each other.
 *
 * Three rules keep merging in place, without copies, and messages in one order at both
 * ends:
 *   - in one round a position receives no pixel that it sends;
 *   - a message lies in front of all that its receiver holds of its pixels, or behind
 *     all of that;
 *   - the messages from one position to another in one round carry one run, by ascending
 *     pixels.
 *
 * With COMPOSITE_NEAREST images merge that are no neighbours; then [run0, run1) is the
 * smallest run that contains all positions of the payload.
 */

/*
 * Receives the ops of a schedule one by one. Returns 0 to go on; anything else ends the
 * generation, which returns that value.
 */
typedef int composite_visit(const composite_op *op, void *context);

/* Visits a message with the pixels of a range; an empty one is no message. */
int composite_visit_range(composite_op op, composite_range range, composite_visit *visit,
                          void *context);

/*
 * An algorithm: a pure function from (problem, parameters, position) to a stream of ops.
 *
 * It does not communicate and keeps no state. For one position it yields, in order of
 * rounds, exactly the ops in which that position sends or receives (src or dst), with
 * npix > 0 only. Sending a range gives it up; receiving merges the payload with what the
 * position holds of that range. After the last round every pixel lies at exactly one
 * position, with the run [0, size). Works for any size; costs O(ops of that position).
 */
typedef struct composite_algorithm {
    const char *name;    /* as in the config: "binary-swap" */
    const char *summary; /* one line for people */
    const char *source;  /* the paper */
    bool is_direct;      /* there is one round, and in it whoever merges pixels gets one
                            range of them, from all other positions: images may stay as
                            they were drawn */
    /* STATUS_OK, or STATUS_USAGE with a message that names what is possible. */
    status (*check_params)(const composite_problem *problem,
                           const composite_params *params);
    /* 0, or what visit returned to end the generation. */
    int (*generate)(const composite_problem *problem, const composite_params *params,
                    int position, composite_visit *visit, void *context);
} composite_algorithm;

/* Generates the ops of a position by an algorithm, with the pixels that the problem's
 * cuts give them; nobody else calls `generate`. Local. */
int composite_schedule_generate(const composite_algorithm *algorithm,
                                const composite_problem *problem,
                                const composite_params *params, int position,
                                composite_visit *visit, void *context);

/* The algorithm of that name, or NULL. */
const composite_algorithm *composite_algorithm_find(const char *name);

/* The n-th algorithm, or NULL after the last. */
const composite_algorithm *composite_algorithm_at(int n);

enum { COMPOSITE_MOST_ALGORITHMS = 32 };

/* The names of all algorithms, in their order, for messages; returns how many. */
int composite_algorithm_names(const char *names[COMPOSITE_MOST_ALGORITHMS]);

#endif

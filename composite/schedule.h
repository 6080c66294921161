/* Schedules: the messages of a compositing algorithm, before any is sent. */
#ifndef COMPOSITE_SCHEDULE_H
#define COMPOSITE_SCHEDULE_H

#include "base/status.h"
#include "nodes.h"
#include "shares.h"

#include <stdbool.h>
#include <stdint.h>

/* How two images become one. */
typedef enum composite_operator {
    COMPOSITE_OVER,   /* front over back, premultiplied: associative, not commutative */
    COMPOSITE_NEAREST /* the smaller depth: commutative */
} composite_operator;

/* The form of the messages that carry pixels. Receivers take either form. */
typedef enum composite_encoding {
    COMPOSITE_ENCODING_AUTO, /* each message in the shorter form: without its transparent
                                pixels, or raw */
    COMPOSITE_ENCODING_RAW,  /* all pixels as they are: none is looked at */
    COMPOSITE_ENCODINGS
} composite_encoding;

/* Bytes of a pixel that is not finished, without depth. */
enum { COMPOSITE_PIXEL_BYTES = 16 };

/*
 * The cuts of a picture balance the load of merging. Algorithms cut the picture into
 * equal shares, as if all pixels took the same work; but most active pixels may lie in
 * few rows. So the picture has a scale of work beside its pixels. An algorithm's shares
 * are equal on that scale, and the cuts map them to pixels. With four bands, of which the
 * third one has most to merge:
 *
 *     pixels   |---------|---------|---------|---------|    bands: equal shares
 *     scale    |--|----|-----------------------|-------|    before[0] ... before[4]
 *
 * The map keeps the order of borders: a schedule that is right on the scale is right for
 * pixels, too. If all of `before` is zero, scale and pixels are the same.
 */
enum { COMPOSITE_BANDS = 64 };

typedef struct composite_cuts {
    int64_t before[COMPOSITE_BANDS + 1]; /* work before each band, and in all:
                                            ascending from 0, below 2^20 */
} composite_cuts;

/* The pixel at place `n` of the scale, which has as many places as the picture has
 * `pixels`. `pixels` is below 2^40 unless the cuts are all zero. Local. */
int64_t composite_cuts_pixel(const composite_cuts *cuts, int64_t pixels, int64_t n);

/* The problem: composite one image of `pixels` pixels per position. Position 0 is in
 * front. */
typedef struct composite_problem {
    int size;       /* positions, >= 1 */
    int64_t pixels; /* of the image, row-major */
    composite_operator op;
    int root; /* the position that needs the picture, in [0, size): a schedule that ends
                 at few positions should end there */
    int gather_bytes;    /* bytes of a finished pixel in a message to the root, 0 to
                            COMPOSITE_PIXEL_BYTES; 0: there are no such messages */
    composite_cuts cuts; /* the same on all ranks; algorithms must not read them */
    const composite_nodes *nodes; /* borrowed: ranks of a node merge first
                                            (composite/nodes.h). NULL: the algorithm runs
                                            among all positions. Algorithms must not
                                     read it */
    const bool *late; /* borrowed: [size], positions whose images come after the others';
                         NULL: none. For composite/late_positions.h alone */
    int first_round;  /* the caller ignores messages of earlier rounds: algorithms may
                         leave them out */
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
    int round;    /* ops of round t come before those of t + 1 on the ranks they touch */
    int src, dst; /* positions in visibility order; the caller maps them to ranks */
    int run0, run1;     /* positions [run0, run1) are already blended into the payload */
    int64_t pix0, npix; /* half-open range of the image's pixels, row-major */
} composite_op;

/*
 * A round of one position has two steps:
 *
 *   1. It sends. A payload consists of pixels that the position held when the round
 *      began. The position gives up the pixels that it sends.
 *   2. It receives any number of messages, and merges each into the pixels that it holds,
 *      in the order in which its own stream yields them. With COMPOSITE_OVER each merge
 *      must join two neighbouring runs: so a position takes its neighbours first, and
 *      goes outward from there, on both sides as it likes.
 *
 * There is no deadlock: no payload depends on a message of the same round, and both ends
 * of a message place it in the same round.
 *
 * Three rules let positions merge in place, without copies, and keep messages in the same
 * order at both ends:
 *   - in one round a position receives no pixel that it sends;
 *   - a message lies in front of all images that its receiver holds for its pixels, or
 *     behind all of them;
 *   - the messages from one position to another in one round carry one run, by ascending
 *     pixels.
 *
 * With COMPOSITE_NEAREST, images that are no neighbours may merge. Then [run0, run1) is
 * the smallest run that contains all positions of the payload.
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
 * npix > 0 only. Sending a range gives it up; receiving merges the payload with the
 * pixels that the position holds of that range. After the last round exactly one position
 * holds each pixel, with the run [0, size). Works for any size; costs O(ops of that
 * position).
 */
typedef struct composite_algorithm {
    const char *name;    /* as in the config: "binary-swap" */
    const char *summary; /* one line for people */
    const char *source;  /* the paper */
    bool is_direct;      /* there is one round, in which each receiver gets one range of
                            pixels, from all other positions: then images may stay as
                            they were drawn */
    bool is_exchange;    /* in round 0 each receiver merges one piece, whose segments come
                            from the others: composite_is_paced */
    /* STATUS_OK, or STATUS_USAGE with a message that names what is possible. */
    status (*check_params)(const composite_problem *problem,
                           const composite_params *params);
    /* Fills in each parameter that is zero as `generate` chooses it. NULL: there is
     * nothing to choose. */
    void (*choose_params)(const composite_problem *problem, composite_params *params);
    /* 0, or what visit returned to end the generation. */
    int (*generate)(const composite_problem *problem, const composite_params *params,
                    int position, composite_visit *visit, void *context);
} composite_algorithm;

/* Generates the ops of a position by an algorithm, with their pixels by the problem's
 * cuts. The only caller of `generate`. Local. */
int composite_schedule_generate(const composite_algorithm *algorithm,
                                const composite_problem *problem,
                                const composite_params *params, int position,
                                composite_visit *visit, void *context);

/* Checks the parameters of an algorithm, which with problem->nodes runs among teams.
 * Local. Errors: STATUS_USAGE, with a message that names what is possible. */
status composite_schedule_check_params(const composite_algorithm *algorithm,
                                       const composite_problem *problem,
                                       const composite_params *params);

/* The parameters with those that the algorithm chooses filled in. Local. */
composite_params composite_schedule_params(const composite_algorithm *algorithm,
                                           const composite_problem *problem,
                                           const composite_params *params);

/*
 * Whether positions send by stages, so that finished pixels reach the root early. Local.
 *
 * If a position sent all pieces at once, they would lie in the queue of its link, and its
 * first finished pixels behind them. The root's link would be idle until then. So it
 * sends the first COMPOSITE_STAGES_AHEAD segments of all pieces, and segment k of all
 * once it has merged segment k - COMPOSITE_STAGES_AHEAD of its own piece. Then the links
 * carry pieces and finished pixels at the same time. There is no deadlock: a
 * stage waits for messages of earlier stages only.
 *
 * This is for unfinished pixels on their way to the root. Finished bytes are so short
 * that it does not pay (docs/design/decisions/034-direct-send-over-links.md).
 */
bool composite_is_paced(const composite_algorithm *algorithm,
                        const composite_problem *problem);

enum { COMPOSITE_STAGES_AHEAD = 2 };

/*
 * The turn of a message among those that its sender could send at once, from 0 on; equal
 * ones keep the order of the stream. Local.
 *
 * If all sent to their neighbours first, as in the stream, some receivers would get two
 * messages at a time, and others none. Links would be idle. So position p sends to p + 1,
 * then to p + 2, and so on, around all. But if unfinished pixels go to the root without
 * stages, the order of the stream is a little better (decision 034).
 */
int composite_send_turn(const composite_algorithm *algorithm,
                        const composite_problem *problem, int src, int dst);

/* Whether the schedule is direct, as composite_algorithm.is_direct says. Local. */
bool composite_schedule_is_direct(const composite_algorithm *algorithm,
                                  const composite_problem *problem);

/*
 * Whether direct-send leaves the root alone, as if it were late: the picture goes there
 * as unfinished pixels, and the root is in front or behind. The others then merge their
 * images and bring them to the root. It merges its own last, which so crosses no link. In
 * the middle of the order it would get two images, of those in front and of those behind.
 * Local.
 */
bool composite_leaves_root_alone(const composite_problem *problem);

/* The algorithm of that name, or NULL. */
const composite_algorithm *composite_algorithm_find(const char *name);

/* The n-th algorithm, or NULL after the last. */
const composite_algorithm *composite_algorithm_at(int n);

/* The number of an algorithm for composite_algorithm_at; -1: it is not listed, or NULL.
 */
int composite_algorithm_number(const composite_algorithm *algorithm);

enum { COMPOSITE_MOST_ALGORITHMS = 32 };

/* The names of all algorithms, in their order, for messages; returns how many. */
int composite_algorithm_names(const char *names[COMPOSITE_MOST_ALGORITHMS]);

#endif

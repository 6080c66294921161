/* Rules: the ways to composite that were the fastest on a machine (karman tune). */
#ifndef COMPOSITE_RULES_H
#define COMPOSITE_RULES_H

#include "schedule.h"

enum {
    /* Most pixels of a message unless a request says otherwise, or
     * composite_rules_segment: payload and image have half a MiB of rgba each, and fit
     * into the second-level cache together. */
    COMPOSITE_SEGMENT = 32768,
    COMPOSITE_LEAST_SEGMENT = 1024, /* that a request or rule may name */
    COMPOSITE_MOST_SEGMENT = 1 << 24
};

/* The destination of the picture. */
typedef enum composite_target {
    COMPOSITE_PIECES, /* none: every rank keeps its pieces, in its image */
    COMPOSITE_FLOATS, /* the image of rank 0, with depth if images have it */
    COMPOSITE_BYTES,  /* rank 0, converted by the owners of the pieces; if there are
                         composite_executor_shared_bytes, it is written there, and each
                         rank can read its own pieces there as well */
    COMPOSITE_TARGETS
} composite_target;

/* The reason of a choice. */
typedef enum composite_reason {
    COMPOSITE_GIVEN,    /* the request names an algorithm */
    COMPOSITE_USUAL,    /* the executor's own rule, by ranks and nodes */
    COMPOSITE_TUNED,    /* measured on this machine */
    COMPOSITE_SIMULATED /* predicted for this machine */
} composite_reason;

/* The names of targets, encodings and reasons, as in files. */
extern const char *const composite_target_names[COMPOSITE_TARGETS];
extern const char *const composite_encoding_names[COMPOSITE_ENCODINGS];
const char *composite_reason_name(composite_reason reason);

/* A way to composite. */
typedef struct composite_choice {
    const composite_algorithm *algorithm; /* NULL: the executor chooses by ranks and
                                             nodes; then the others are zero, but for
                                             the encoding */
    composite_params params;
    bool by_nodes; /* ranks of a node merge first */
    int segment;   /* most pixels of a message; 0: composite_rules_segment */
    composite_encoding encoding;
} composite_choice;

/* The choice for one case of the present ranks and nodes. */
typedef struct composite_rule {
    composite_target target;
    int64_t pixels;  /* of the picture, > 0 */
    double activity; /* share of the pixels that lie within the bounds of a rank's image,
                        mean over the ranks, in (0, 1] */
    composite_choice choice;
    composite_reason reason; /* COMPOSITE_TUNED or COMPOSITE_SIMULATED */
} composite_rule;

/* Rules in any order. Zero is none. */
typedef struct composite_rules {
    int count;
    composite_rule *rules; /* [count] */
} composite_rules;

/* Whether pictures of this target and size may follow the rule, if their activity is
 * near. Local. */
bool composite_rule_is_about(const composite_rule *rule, composite_target target,
                             int64_t pixels);

/*
 * The rule for the case that is the nearest by the ratios of pixels and of activity; NULL
 * if none is near: of at most twice as many pixels or half as many, and at most four
 * times the activity or a quarter. A rule of COMPOSITE_TUNED goes before all others.
 * Local, with the same result on all ranks.
 */
const composite_rule *composite_rules_find(const composite_rules *rules,
                                           composite_target target, int64_t pixels,
                                           double activity);

/* The encoding of a frame that follows a rule. A frame of less activity than the rule's
 * case has more transparent pixels: raw messages may take several times as long there,
 * and are not sent. Local, with the same result on all ranks. */
composite_encoding composite_rules_encoding(const composite_rule *rule, double activity);

/* Images that merge without a rule. */
typedef struct composite_usual_case {
    int ranks, images; /* images: of ranks or, if those of a node merge first, of nodes */
    bool is_one_node;
    bool is_floats;  /* unfinished pixels go to rank 0 */
    double activity; /* as of composite_rule; 1: not known */
} composite_usual_case;

/* The algorithm without a rule. Local, with the same result on all ranks. */
const composite_algorithm *composite_rules_usual(const composite_usual_case *of);

/* Most pixels of a message without a request or rule for it: a power of two, more than
 * COMPOSITE_SEGMENT only if all messages are short. algorithm: of the schedule; NULL: not
 * known yet. Local. */
int composite_rules_segment(const composite_algorithm *algorithm,
                            const composite_problem *problem);

/* Whether all rules for pictures of this size keep to direct-send on one node. Local. */
bool composite_rules_are_direct(const composite_rules *rules, composite_target target,
                                int64_t pixels);

/* Whether the choice is the executor's own in all. Local. */
bool composite_choice_is_usual(const composite_choice *choice);

/* Writes the choice as people read it: "radix-k, factors 4 x 2, by nodes, segment 8192".
 * `algorithm`: that stands for NULL. Local. */
void composite_choice_print(const composite_choice *choice, size_t size, char *text);

#endif

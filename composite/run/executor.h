/* The data of an executor. Private to the files of the executor and their tests. */
#ifndef COMPOSITE_RUN_EXECUTOR_H
#define COMPOSITE_RUN_EXECUTOR_H

#include "composite/cuts.h"
#include "composite/pixels/merge.h"
#include "composite/plan.h"
#include "execute.h"
#include "node.h"
#include "state.h"

enum {
    COMPOSITE_NO_TAG = 0,     /* of no message; those have tags from 1 on */
    COMPOSITE_MOST_JOINED = 4 /* parts that merge with each other before their turn; a
                                 power of two */
};

/* The ranks that read the pixels of a rank's image in place. */
typedef enum composite_reach {
    COMPOSITE_REACH_OWN,  /* no other rank: all pixels go by messages */
    COMPOSITE_REACH_NODE, /* the ranks of its node; messages go to the others */
    COMPOSITE_REACH_ALL   /* all: they lie on one node, and there are no messages */
} composite_reach;

/* The inputs of one rank, as they travel. */
typedef struct composite_record {
    int64_t values[COMPOSITE_INPUTS];
    pixel_rect bounds;
} composite_record;

/* The pixels within the bounds of the last frame, and the cuts by them. The same on all
 * ranks. */
typedef struct composite_cutting {
    int64_t pixels; /* of the last picture; 0: there was none */
    int64_t shown[COMPOSITE_BANDS];
    composite_cuts cuts;
} composite_cutting;

/* The teams of the last frame that merged by nodes. */
typedef struct composite_teams {
    int *order; /* [ranks]: the visibility order that has these teams */
    int *node;  /* [ranks]: number of the node of each position */
    bool *late; /* [ranks]: the late positions that they are found around */
    composite_nodes nodes;
    bool is_known;
} composite_teams;

/* The ranks that are expected to draw longer than the others. */
typedef struct composite_late_ranks {
    double since;    /* base_clock when this rank began to draw, then to merge */
    int64_t drawing; /* microseconds in the last frame; 0: there was none */
    int64_t merging; /* microseconds of composite_finish */
    bool *suspects;  /* [ranks]: were slow in the last frame that all know of */
    bool *ranks;     /* [ranks]: and in the one before; the same on all ranks */
    int count;       /* of those */
    bool *positions; /* [ranks]: the same by position, for the plan's key */
    int64_t *times;  /* [ranks]: of drawing, ascending */
} composite_late_ranks;

/* The key of the last plan to gather by messages, and its result. */
typedef struct composite_gathering {
    const composite_algorithm *algorithm; /* NULL: there is no plan */
    composite_reach reach;
    composite_problem problem;
    composite_params params;
    int segment;
    int *order;        /* [ranks] */
    bool *late;        /* [ranks]: problem.late, by contents; false if that is NULL */
    composite_op *ops; /* [nops]: sends of this rank, or receives of rank 0 */
    int *counts;       /* [ranks] on rank 0: int64 values of each rank's pieces */
    int *offsets;      /* [ranks] on rank 0 */
    int64_t *pieces;   /* pixels [begin, end) of the pieces that go to rank 0 */
    int64_t nops, ops_capacity, pieces_capacity;
} composite_gathering;

/* A message on its way out. */
typedef struct composite_sending {
    MPI_Request request;
    int64_t before; /* the last one before it from the same segment, -1: none */
    int round;
} composite_sending;

/* A message on its way in. */
typedef struct composite_receiving {
    MPI_Request request;
    int64_t part;  /* number among the receives of the plan */
    int64_t begin; /* place in the ring, modulo its capacity */
    int64_t bytes; /* -1 until it has arrived */
    bool is_taken; /* it is merged */
} composite_receiving;

/* Buffers of messages; kept from frame to frame. */
typedef struct composite_messages {
    float *staging;                 /* payloads on their way out */
    float *ring;                    /* payloads that arrive, until they are merged */
    float *scratch;                 /* [threads][scratch_words]: a payload, written out */
    composite_receiving *receiving; /* [messages of a frame], by the order of the plan */
    composite_sending *sending;     /* [messages of a frame] */
    int64_t *reading; /* [segments]: the last message that leaves straight from each, -1:
                         none */
    int64_t staging_capacity, ring_capacity, scratch_capacity; /* words */
    int64_t scratch_words; /* of the longest payload */
    int64_t receiving_capacity, sending_capacity, reading_capacity;
    int64_t until_broken; /* treat the n-th payload from now on as broken; 0: none */
} composite_messages;

/* Progress of the messages of a call. */
typedef struct composite_traffic {
    int64_t nincoming; /* messages that arrive in this frame */
    int64_t posted;    /* the first ones, which have room in the ring */
    int64_t oldest;    /* the first of them that is not merged */
    int64_t ring_end;  /* end of the last one's room, modulo the capacity of the ring */
    int64_t arrived;   /* messages that have come */
    int64_t joined;    /* so many of them when neighbours were last merged */
    int64_t looked;    /* the message that was last asked whether it has come */
    int64_t sent;      /* messages */
    int64_t staged_words, kept_words; /* used of staging; reserved for bytes */
    int64_t done_sends;               /* messages that are known to have left */
} composite_traffic;

/* One frame. Its state stands in the executor. */
typedef struct composite_run {
    composite_executor *executor;
    composite_request asked;          /* by the caller */
    const composite_request *request; /* the same, with the choice of the rule, if there
                                         is one */
    const composite_rule *rule;       /* NULL: none */
    const composite_rule *unfit; /* does not suit the teams of this frame; NULL: none */
    image *img;
    status outcome;        /* so far */
    composite_reach reach; /* of this rank's image; the same on all after comparing */
    int root;              /* position of rank 0 */
    pixel_rect bounds;     /* encloses all pixels that this rank draws */
    composite_traffic traffic;
    composite_counters counters;
    pixel_rect merged;    /* encloses pixels merged into this rank's image */
    pixel_rect delivered; /* encloses pixels written to rank 0's image */
    bool is_broken;       /* a payload was */
    int idle;             /* polls in a row that found nothing */
} composite_run;

struct composite_executor {
    MPI_Comm comm;
    int rank, size;
    int threads;
    int segment;           /* most pixels of a message; the same on all ranks */
    int most_tag;          /* of pixels; the next one is that of tell.c */
    int64_t frame;         /* from 1 on */
    composite_state state; /* of the frame, or between two */
    composite_memory memory;
    composite_record *records; /* [ranks]: the inputs of this frame */
    composite_node node;
    image *own;            /* the image that composite_executor_image gave out */
    image *ordinary;       /* the same, if no memory is shared */
    composite_reach reach; /* of `own` */
    composite_cutting cutting;
    composite_teams teams;
    composite_late_ranks late;
    composite_plan plan;
    composite_gathering gathering;
    composite_messages messages;
    composite_piece *pieces; /* this rank's finished pixels of the last image */
    unsigned char *picture;  /* rank 0: bytes, if these lie in no shared memory */
    int64_t pieces_capacity, picture_capacity;
    composite_request request; /* of this frame */
    composite_run run;         /* this frame */
};

/* Whether all ranks lie on one node. The same on all ranks. */
static inline bool composite_is_one_node(const composite_executor *executor)
{
    return executor->node.size == executor->size;
}

/* Lets the n-th allocation from now on fail on this rank, once; 0: none. For tests. */
void composite_executor_fail_allocation(composite_executor *executor, int64_t nth);

/* Treats the n-th payload that arrives from now on as broken, once; 0: none. For tests.
 */
void composite_executor_break_payload(composite_executor *executor, int64_t nth);

/* Makes messages hold at most `segment` pixels, the same on all ranks. For tests. */
void composite_executor_limit_messages(composite_executor *executor, int segment);

/* ---- Teams (teams.c) --------------------------------------------------------------- */

/* Allocate for so many ranks, and free. Local. Errors: STATUS_MEMORY. */
status composite_teams_create(int ranks, composite_teams *teams);
void composite_teams_clear(composite_teams *teams);

/* The images that are left once ranks of a node have merged, but for late positions
 * [ranks], or NULL. Local. */
int composite_teams_count(composite_executor *executor, const composite_request *request,
                          const bool *late);

/* Finds the teams of the request's visibility order, which is a permutation, around late
 * positions [ranks], or NULL. If they are not those of the last call, the plan must be
 * made anew. *nodes borrows them, until the next call; NULL if ranks of a node do not
 * merge first. Local. Errors: STATUS_MEMORY. */
status composite_teams_find(composite_executor *executor,
                            const composite_request *request, const bool *late,
                            const composite_nodes **nodes);

/* The algorithm of the request, or the best one for so many images. Local. */
const composite_algorithm *composite_teams_algorithm(const composite_executor *executor,
                                                     const composite_request *request,
                                                     int images);

/* ---- Rules (choose.c) -------------------------------------------------------------- */

/* Finds the rule for the frame by the activity of the last picture whose bounds all ranks
 * know, and makes its choice the request. Returns whether that is another rule than
 * before. Local, with the same result on all ranks. */
bool composite_choose(composite_run *run);

/* Leaves the rule, whose parameters do not suit these teams. Returns whether there was
 * one. Local, with the same result on all ranks. */
bool composite_choose_without(composite_run *run);

/* ---- Late ranks (late_ranks.c) ----------------------------------------------------- */

/* Allocate for so many ranks, and free. Local. Errors: STATUS_MEMORY. */
status composite_late_ranks_create(int ranks, composite_late_ranks *late);
void composite_late_ranks_clear(composite_late_ranks *late);

/* Measure how long this rank draws, and then merges. Local. */
void composite_late_ranks_begin_drawing(composite_executor *executor);
void composite_late_ranks_end_drawing(composite_executor *executor);
void composite_late_ranks_end_merging(composite_executor *executor);

/* Finds late ranks from the times that all ranks have told, for the next frame. Local,
 * with the same result on all ranks. */
void composite_late_ranks_find(composite_executor *executor);

/* The late positions [ranks], borrowed, if direct-send had better go around them to bring
 * pixels of so many bytes to the root; else NULL. The order is a permutation. Local, with
 * the same result on all ranks. */
const bool *composite_late_ranks_to_avoid(composite_run *run, int gather_bytes);

/* ---- Telling (tell.c) -------------------------------------------------------------- */

/* Tells all ranks so many bytes of each; all: [ranks][bytes]. Collective. */
void composite_tell(const composite_executor *executor, const void *mine, int bytes,
                    void *all);

/* The same as parallel_agree, for the executor's ranks. Collective. */
status composite_agree(const composite_executor *executor, status local);

/* ---- Inputs (inputs.c) ------------------------------------------------------------- */

/* The inputs of all ranks: least and greatest of each. */
typedef struct composite_inputs {
    int64_t least[COMPOSITE_INPUTS], greatest[COMPOSITE_INPUTS];
} composite_inputs;

/* Tells all ranks this rank's inputs, and collects those of all in executor->records.
 * Collective, with the same result on all ranks. */
composite_inputs composite_inputs_exchange(composite_run *run,
                                           const composite_record *mine);

/* ---- Gathering (gather.c) ---------------------------------------------------------- */

/*
 * Whether ranks must tell rank 0 about their pieces before it can plan to gather them:
 * messages bring the pieces, and the key has changed. The same on all ranks.
 */
bool composite_gather_is_new(const composite_run *run);

/* Tells rank 0. Collective; to be called if gathering is new. Errors: STATUS_MEMORY, on
 * all ranks. */
status composite_gather_exchange(composite_run *run);

/* Adds the pieces that come by messages to the plan; none, if none do. Local. Errors:
 * STATUS_MEMORY. */
status composite_gather_plan(composite_run *run);

/* ---- Messages (messages.c) --------------------------------------------------------- */

/* Rank within the node of the rank at a position; -1 if that is on another node. */
static inline int composite_node_rank(const composite_run *run, int position)
{
    return run->executor->node.ranks[run->request->order[position]];
}

/* Whether a position's pixels are read in place; else they come by message. */
static inline bool composite_is_near(const composite_run *run, int position)
{
    return run->reach != COMPOSITE_REACH_OWN &&
           run->executor->node.ranks[run->request->order[position]] >= 0;
}

/* Reserves buffers for the messages of the plan. Local. Errors: STATUS_MEMORY. */
status composite_messages_reserve(composite_run *run);

/* Finds the parts of the plan that are empty by the bounds of all images, and numbers the
 * messages that will arrive. To be called once those are known. */
void composite_messages_find_empty(composite_run *run);

/* Posts receives, in the order of the plan, as far as there is room. */
void composite_messages_post(composite_run *run);

/* Sends the messages that become ready with the group of number `after`, as
 * composite_part.after. */
void composite_messages_send(composite_run *run, int64_t after);

/* Whether the message of a part, which has one, has arrived. */
bool composite_messages_arrived(composite_run *run, const composite_part *part);

/* The tag of a part's message: 1 + round × segments + segment, the gathering before round
 * 0. Messages of one pair with one tag have one round and one segment. Both ends have
 * them in the same order. Rounds of a plan need not be numbered one by one, so tags may
 * meet after the largest one; only then does a late message hold up another. */
int composite_messages_tag(const composite_run *run, const composite_part *part);

/* Payload of a message that has arrived. */
const float *composite_messages_payload(const composite_run *run,
                                        const composite_part *part, int64_t *bytes);

/* Frees the room of a message that is merged. */
void composite_messages_take(composite_run *run, const composite_part *part);

/* Whether all messages sent so far have left. */
bool composite_messages_left(composite_run *run);

/* Whether all messages have left that were sent before a round, straight from a segment
 * of the image. */
bool composite_messages_left_segment(composite_run *run, int round, int64_t segment);

/* The room of a message that is posted, in the ring. */
float *composite_messages_room(const composite_run *run, int64_t message);

/* Lets MPI move messages: it does so in any call, here in a probe that finds nothing. */
void composite_messages_move(const composite_run *run);

/* To be called after a poll without success: lets MPI make progress, and after some such
 * polls yields the processor to other ranks. */
void composite_messages_idle(composite_run *run);

/* ---- Merging ahead (ahead.c) ------------------------------------------------------- */

/* What a thread has merged ahead. */
typedef struct composite_ahead {
    composite_run *run;
    int thread;
    int merged; /* parts */
    int64_t blended;
    bool is_broken; /* a payload was */
} composite_ahead;

/* Finds the parts that merge with their neighbours before their turn. To be called once
 * messages have numbers. */
void composite_ahead_plan(composite_run *run);

/* Whether a part that comes by a message can be merged into the image: it has come, and
 * so have all that are merged into it first. */
bool composite_ahead_is_ready(composite_run *run, const composite_part *part);

/* Merges all that has come of what is merged into part number `i` first. Returns whether
 * that and the part are complete. */
bool composite_ahead_merge(composite_ahead *ahead, int64_t i);

/* The same for all parts of groups [first, end) that are not merged. Returns whether
 * there was something to merge; looks for that only if messages have come since the last
 * call.
 */
bool composite_ahead_merge_all(composite_run *run, int64_t first, int64_t end);

/* ---- Synchronization within the node (node_sync.c) --------------------------------- */

/* Whether this rank has a status page that the others of its node read. */
bool composite_node_sync_has_page(const composite_executor *executor);

/* Begins a frame: opens this rank's page. Only if it has one. */
void composite_node_sync_open(const composite_executor *executor);

/* Publishes the inputs of this rank on its page. Only if it has one. */
void composite_node_sync_publish(const composite_run *run, const composite_record *mine);

/* Waits until a rank has published its inputs for this frame, and returns them. */
composite_record composite_node_sync_wait_inputs(composite_run *run, int node_rank);

/* Lets the other ranks read the pixels that this rank drew, if they do so in place. */
void composite_node_sync_drawn(const composite_run *run);

/* Waits until all ranks of the node have drawn. Returns whether one failed to. */
bool composite_node_sync_wait_drawn(composite_run *run);

/* Move on with the page, if pixels are read in place: let the other ranks know that this
 * one has merged everything before (round, segment); that it has merged the whole
 * schedule (only the first call counts); or that it has delivered the picture. */
void composite_node_sync_progress(const composite_run *run, int round, int64_t segment);
void composite_node_sync_merged(const composite_run *run);
void composite_node_sync_finished(const composite_run *run);

/* Whether a rank of the node has merged all that a part of its image depends on. */
bool composite_node_sync_is_ready(const composite_run *run, const composite_part *part);

/* The pixels of a ready part, in place. */
composite_layer composite_node_sync_layer(const composite_run *run,
                                          const composite_part *part);

/* Waits until all messages sent so far have left. */
void composite_node_sync_wait_sends(composite_run *run);

/* Whether the ranks of the node have merged the pixels that this rank gave them before
 * `round` in a segment. */
bool composite_node_sync_is_taken(const composite_run *run, int round, int64_t segment);

/* Waits until the ranks of the node have merged all pixels that this rank gave them. */
void composite_node_sync_wait_readers(composite_run *run);

/* Whether rank 0, which is on this node, has drawn its image. */
bool composite_node_sync_root_has_drawn(const composite_run *run);

/* Lets the other ranks know that no message reads this rank's image any more, once the
 * whole schedule is merged. Only the first call counts. */
void composite_node_sync_sent(const composite_run *run);

/* Waits until rank 0's image is drawn, and no message reads it any more. */
void composite_node_sync_wait_root(composite_run *run);

/* On rank 0: waits until the ranks of the node have delivered their parts of the picture.
 */
void composite_node_sync_wait_picture(composite_run *run);

/* ---- Rounds (rounds.c) ------------------------------------------------------------- */

/* COMPOSITE_MERGING: merges all groups of the plan. Goes on to the end even if a payload
 * is broken, as do all later steps. */
void composite_rounds_merge(composite_run *run);

/* COMPOSITE_DELIVERING: writes this rank's finished pixels to their destination. */
void composite_rounds_deliver(composite_run *run);

#endif

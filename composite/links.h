/* Counts the pixels that a schedule sends from node to node. */
#ifndef COMPOSITE_LINKS_H
#define COMPOSITE_LINKS_H

#include "schedule.h"

/* Pixels over the link of one node; those between ranks of the node cross none. */
typedef struct composite_link {
    int positions;               /* on the node */
    int64_t sent, received;      /* in messages of the schedule, unfinished */
    int64_t gathered, delivered; /* finished: sent to the root, and received at the
                                    root's node */
} composite_link;

/*
 * Counts the pixels over each link, transparent ones too: the worst case. nodes: of the
 * positions; problem->nodes may be the same, or NULL for a schedule that knows no nodes.
 * links: [nodes->most_node + 1]. Local. Generates the ops of each position once. Errors:
 * STATUS_USAGE from check_params, STATUS_MEMORY; STATUS_INTERNAL if the schedule is
 * wrong.
 */
status composite_links_count(const composite_algorithm *algorithm,
                             const composite_problem *problem,
                             const composite_params *params, const composite_nodes *nodes,
                             composite_link *links);

/* Bytes over a link in the busier one of its two directions, with pixels of
 * COMPOSITE_PIXEL_BYTES, and problem->gather_bytes when finished. Local. */
int64_t composite_links_bytes(const composite_problem *problem,
                              const composite_link *link);

#endif

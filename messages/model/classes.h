/* Representatives: nodes in the same state are one class. Private to messages/model.
 */
#ifndef MESSAGES_MODEL_CLASSES_H
#define MESSAGES_MODEL_CLASSES_H

#include "engine.h"
#include "words/words.h"

/* Nodes that send each other messages in a round, and all groups that look like it. */
typedef struct simulate_kind {
    int64_t after0;   /* in `after`: the classes of its nodes afterwards */
    int64_t part0;    /* in `parts`, of a gathering: those of its pieces */
    int64_t messages; /* of one group */
    double bytes, finish;
} simulate_kind;

typedef struct simulate_classes {
    simulate_simulator *sim;   /* of all positions: has their nodes and hosts */
    simulate_simulator *group; /* of one group */
    simulate_case of;          /* of that */
    simulate_words states;     /* of nodes */
    simulate_words kinds;      /* of the present round */
    simulate_kind *kind;       /* [kinds] */
    int *after;
    simulate_part *parts;
    int64_t nafter, nparts;
    int round, next;        /* the present round, and the least later one */
    int *class_of;          /* [nodes]: numbers of states */
    int *parent;            /* [nodes]: a tree of each group; then, the kind of a node */
    int *active;            /* [nodes]: the last round known in which it has messages */
    int *local;             /* [nodes]: number in its group */
    int *place;             /* [positions]: number in its node */
    simulate_groups groups; /* of nodes */
    int *first;           /* [nodes of a group + 1]: their first positions in the group */
    int *number, *socket; /* [positions of a group]: their nodes and sockets */
    bool *is_taken;       /* [messages of a group]: their receivers are known */
    uint64_t *list;       /* [nlist]: a state or a kind in the making */
    int64_t nlist;
    int64_t kind_capacity, after_capacity, parts_capacity, class_of_capacity,
        parent_capacity, active_capacity, local_capacity, place_capacity, first_capacity,
        number_capacity, socket_capacity, is_taken_capacity, list_capacity;
    double most_bytes, bound;
} simulate_classes;

#define SIMULATE_CLASSES_GROW(c, array, count)                                           \
    composite_memory_grow(&(c)->sim->memory, &(c)->array, &(c)->array##_capacity, count, \
                          sizeof *(c)->array, "representatives of the ranks")

/* Adds a word to the list in the making. */
static inline status simulate_classes_add(simulate_classes *c, uint64_t word)
{
    const status s = c->nlist < c->list_capacity
                         ? STATUS_OK
                         : SIMULATE_CLASSES_GROW(c, list, c->nlist + 1);
    if (s == STATUS_OK) {
        c->list[c->nlist++] = word;
    }
    return s;
}

/* Makes the group simulator that of these nodes [count], each in the state of its class
 * (below 0: it has done nothing so far). Local. Errors: STATUS_MEMORY. */
status simulate_classes_load(simulate_classes *c, const int *nodes, int count);

/* Finds the class of a node of the group as it is now. Local. Errors: STATUS_MEMORY. */
status simulate_classes_store(simulate_classes *c, int node, int *number);

/* Adds words that tell how segments cut a range. Local. Errors: STATUS_MEMORY. */
status simulate_classes_add_range(simulate_classes *c, composite_range range);

/* Brings the pieces of all to the root, and tells the result. Local. Errors:
 * STATUS_MEMORY. */
status simulate_classes_gather(simulate_classes *c, simulate_result *result);

#endif

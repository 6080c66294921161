/* The states of nodes: all that later rounds depend on, as a list of numbers. */
#include "classes.h"

#include <string.h>

/* A walk through the numbers of a state, which are read or written. */
typedef struct walk {
    simulate_classes *c;
    const uint64_t *from; /* NULL: the state is written to the list in the making */
    status result;
} walk;

static void pass(walk *w, double *number)
{
    uint64_t word;
    if (w->from) {
        memcpy(number, w->from++, sizeof *number);
    } else if (w->result == STATUS_OK) {
        memcpy(&word, number, sizeof word);
        w->result = simulate_classes_add(w->c, word);
    }
}

static void pass_station(walk *w, simulate_station *station)
{
    double count = station->nbusy;
    pass(w, &count);
    station->nbusy = (int)count;
    for (int i = 0; i < station->nbusy; i++) {
        pass(w, &station->busy[i].begin);
        pass(w, &station->busy[i].end);
        pass(w, &station->busy[i].share);
    }
}

static void pass_card(walk *w, simulate_card *card)
{
    double both = card->goes_both_ways;
    pass_station(w, &card->out);
    pass_station(w, &card->in);
    pass(w, &both);
    pass(w, &card->sent.bytes);
    pass(w, &card->sent.seconds);
    pass(w, &card->come.bytes);
    pass(w, &card->come.seconds);
    card->goes_both_ways = both > 0;
}

static void pass_position(walk *w, int q)
{
    simulate_simulator *sim = w->c->group;
    simulate_rank *rank = &sim->ranks[q];
    pass(w, &sim->left[q]);
    pass(w, &rank->begin);
    pass(w, &rank->finish);
    for (int64_t i = 0; i < sim->segments; i++) {
        pass(w, &sim->ready[q * sim->segments + i]);
    }
}

/* A node of the group simulator, with its positions and their cores. */
static void pass_node(walk *w, int node)
{
    simulate_simulator *sim = w->c->group;
    pass_card(w, &sim->cards[node]);
    if (sim->has_host) {
        pass_station(w, &sim->cores[node]);
    }
    for (int m = sim->nodes.begin[node]; m < sim->nodes.begin[node + 1]; m++) {
        pass_position(w, sim->nodes.members[m]);
        if (!sim->has_host) {
            pass_station(w, &sim->cores[sim->nodes.members[m]]);
        }
    }
}

/* ---- Groups ------------------------------------------------------------------------ */

/* Numbers the positions of the group, and lists their nodes and sockets. */
static status number_positions(simulate_classes *c, const int *nodes, int count)
{
    const simulate_groups *all = &c->sim->nodes;
    const int *socket = c->sim->of->socket;
    int size = 0;
    status s = SIMULATE_CLASSES_GROW(c, first, count + 1);
    for (int i = 0; i < count && s == STATUS_OK; i++) {
        const int members = all->begin[nodes[i] + 1] - all->begin[nodes[i]];
        s = SIMULATE_CLASSES_GROW(c, number, size + members);
        s = s == STATUS_OK ? SIMULATE_CLASSES_GROW(c, socket, size + members) : s;
        c->first[i] = size;
        for (int m = 0; m < members && s == STATUS_OK; m++, size++) {
            c->number[size] = i;
            c->socket[size] = socket ? socket[all->members[all->begin[nodes[i]] + m]] : 0;
        }
    }
    c->first[count] = size;
    return s;
}

static status make_room(simulate_classes *c, int count)
{
    simulate_simulator *group = c->group;
    status s = simulate_groups_find(&group->memory, group->size, c->number, count,
                                    &group->nodes);
    s = s == STATUS_OK
            ? simulate_groups_find(&group->memory, group->size,
                                   group->has_host ? c->number : NULL,
                                   group->has_host ? count : group->size, &group->hosts)
            : s;
    s = s == STATUS_OK ? SIMULATE_GROW(group, rounds, 2) : s;
    return s == STATUS_OK ? simulate_room_make(group) : s;
}

/* A node of the group that has done nothing so far. */
static void begin_node(simulate_classes *c, int i, int node)
{
    simulate_simulator *group = c->group;
    const int *members = c->sim->nodes.members + c->sim->nodes.begin[node];
    group->cards[i] = (simulate_card){.goes_both_ways = false};
    for (int q = c->first[i]; q < c->first[i + 1]; q++) {
        const double begin = simulate_begin_of(c->sim, members[q - c->first[i]]);
        group->ranks[q] = (simulate_rank){.begin = begin, .finish = begin};
        group->left[q] = begin;
        group->cores[group->hosts.of[q]] = (simulate_station){0};
        for (int64_t n = 0; n < group->segments; n++) {
            group->ready[q * group->segments + n] = begin;
        }
    }
}

status simulate_classes_load(simulate_classes *c, const int *nodes, int count)
{
    simulate_simulator *group = c->group;
    status s = number_positions(c, nodes, count);
    if (s != STATUS_OK) {
        return s;
    }
    c->of = *c->sim->of;
    c->of.socket = c->sim->of->socket ? c->socket : NULL;
    group->of = &c->of;
    group->machine = c->sim->machine;
    group->size = c->of.problem.size = c->first[count];
    group->segment = c->sim->segment;
    group->segments = c->sim->segments;
    group->has_host = c->sim->has_host;
    group->nrounds = 0;
    s = make_room(c, count);
    for (int i = 0; i < count && s == STATUS_OK; i++) {
        const int number = c->class_of[nodes[i]];
        begin_node(c, i, nodes[i]);
        if (number >= 0) {
            walk w = {.c = c, .from = c->states.words + c->states.begin[number]};
            pass_node(&w, i);
        }
    }
    return s;
}

status simulate_classes_store(simulate_classes *c, int node, int *number)
{
    walk w = {.c = c};
    bool is_new;
    c->nlist = 0;
    pass_node(&w, node);
    return w.result == STATUS_OK
               ? simulate_words_find(&c->states, c->list, c->nlist, number, &is_new)
               : w.result;
}

status simulate_classes_add_range(simulate_classes *c, composite_range range)
{
    const simulate_simulator *sim = c->sim;
    const int64_t first = simulate_segment_of(sim, range.pix0);
    const int64_t last = simulate_segment_of(sim, range.pix1 - 1);
    status s = simulate_classes_add(c, (uint64_t)(range.pix1 - range.pix0));
    s = s == STATUS_OK ? simulate_classes_add(c, (uint64_t)(first << 32 | last)) : s;
    return s == STATUS_OK && first < last
               ? simulate_classes_add(c, (uint64_t)(range.pix0 - first * sim->segment))
               : s;
}

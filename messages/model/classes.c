/*
 * Schedules with so many messages that memory has no room for them, by representatives.
 *
 * In a round nodes form groups, which send each other messages. Groups are of one kind if
 * their nodes are in the same state, and if their messages have the same lengths, ends
 * and order. One group of a kind is simulated, and stands for all:
 *
 *     binary swap     round 1             round 2
 *     groups          01 23 45 67         02 13 46 57
 *     kinds           A  A  A  A          B  B  B  B     one group of each is simulated
 *
 * Afterwards nodes in the same state are one class, whatever way they came there. States
 * are compared to the last bit. So the result is that of all messages, and the number of
 * classes is small where positions do the same: for dense images, among any number of
 * ranks, with some late ones.
 */
#include "classes.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A position whose stream is generated. */
typedef struct visitor {
    simulate_classes *c;
    int position, node;
    int64_t count; /* of messages */
    status result;
} visitor;

/* Generates the ops of a position for the visitor. */
static status generate(visitor *v, int position, composite_visit *visit)
{
    const simulate_case *of = v->c->sim->of;
    composite_problem problem = of->problem;
    problem.first_round = v->c->round;
    v->position = position;
    composite_schedule_generate(of->algorithm, &problem, &of->params, position, visit, v);
    return v->result;
}

/* ---- Groups ------------------------------------------------------------------------ */

static int find_root(int *parent, int node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

/* The nodes of a message of the next round are in one group. So each stream is generated
 * once a round. */
static int visit_next(const composite_op *op, void *context)
{
    visitor *v = context;
    simulate_classes *c = v->c;
    if (op->round <= c->round) {
        return 0;
    }
    c->next = op->round < c->next ? op->round : c->next;
    if (op->round > c->round + 1) {
        return 1; /* rounds ascend */
    }
    const int *node = c->sim->nodes.of;
    const int a = find_root(c->parent, node[op->src]);
    const int b = find_root(c->parent, node[op->dst]);
    c->active[node[v->position]] = op->round;
    c->parent[a > b ? a : b] = a > b ? b : a;
    return 0;
}

static void begin_links(simulate_classes *c)
{
    c->next = INT_MAX;
    for (int node = 0; node < c->sim->nodes.count; node++) {
        c->parent[node] = node;
    }
}

/* Links the nodes of the next round; c->next becomes its number, if it has messages. */
static void link_nodes(simulate_classes *c, int node)
{
    const simulate_groups *all = &c->sim->nodes;
    visitor v = {.c = c};
    for (int m = all->begin[node]; m < all->begin[node + 1]; m++) {
        generate(&v, all->members[m], visit_next);
    }
}

static void link_all(simulate_classes *c)
{
    begin_links(c);
    for (int node = 0; node < c->sim->nodes.count; node++) {
        link_nodes(c, node);
    }
}

/* Makes groups of linked nodes. */
static status find_groups(simulate_classes *c)
{
    const int nodes = c->sim->nodes.count;
    for (int node = 0; node < nodes; node++) {
        c->parent[node] = find_root(c->parent, node);
    }
    return simulate_groups_find(&c->sim->memory, nodes, c->parent, nodes, &c->groups);
}

/* The number of a position in the group that has it. */
static int find_local(const simulate_classes *c, int position)
{
    return c->first[c->local[c->sim->nodes.of[position]]] + c->place[position];
}

/* ---- Kinds ------------------------------------------------------------------------- */

static int visit_key(const composite_op *op, void *context)
{
    visitor *v = context;
    if (op->round != v->c->round) {
        return visit_next(op, context);
    }
    const bool sends = op->src == v->position;
    const int peer = find_local(v->c, sends ? op->dst : op->src);
    status s = simulate_classes_add(v->c, (uint64_t)peer << 1 | (sends ? 1 : 0));
    s = s == STATUS_OK ? simulate_classes_add_range(
                             v->c, (composite_range){op->pix0, op->pix0 + op->npix})
                       : s;
    v->result = s;
    return s != STATUS_OK;
}

/* Lists what makes the kind of a group: the states of its nodes, and their messages. */
static status list_key(simulate_classes *c, const int *nodes, int count)
{
    const simulate_groups *all = &c->sim->nodes;
    const int *socket = c->sim->of->socket;
    visitor v = {.c = c};
    status s = SIMULATE_CLASSES_GROW(c, first, count + 1);
    c->nlist = 0;
    for (int i = 0, first = 0; i < count && s == STATUS_OK; i++) {
        c->local[nodes[i]] = i;
        c->first[i] = first;
        first += all->begin[nodes[i] + 1] - all->begin[nodes[i]];
    }
    for (int i = 0; i < count; i++) {
        s = s == STATUS_OK ? simulate_classes_add(c, (uint64_t)c->class_of[nodes[i]]) : s;
        for (int m = all->begin[nodes[i]]; m < all->begin[nodes[i] + 1]; m++) {
            const int q = all->members[m];
            s = s == STATUS_OK
                    ? simulate_classes_add(c, socket ? (uint64_t)(socket[q] + 1) : 0)
                    : s;
            s = s == STATUS_OK ? generate(&v, q, visit_key) : s;
        }
    }
    return s;
}

/* ---- A representative -------------------------------------------------------------- */

static int visit_send(const composite_op *op, void *context)
{
    visitor *v = context;
    simulate_simulator *group = v->c->group;
    simulate_messages *m = &group->messages;
    if (op->round != v->c->round || op->src != v->position) {
        return op->round > v->c->round;
    }
    status s = SIMULATE_GROW(group, messages.sends, m->count + 1);
    s = s == STATUS_OK ? SIMULATE_GROW(group, messages.senders, m->count + 1) : s;
    if (s == STATUS_OK) {
        m->senders[m->count] = find_local(v->c, op->src);
        m->sends[m->count++] = (simulate_message){
            find_local(v->c, op->dst), op->round, op->run0, op->run1, op->pix0, op->npix};
    }
    v->result = s;
    return s != STATUS_OK;
}

/* The messages of a pair are received in the order in which they are sent. */
static int visit_receive(const composite_op *op, void *context)
{
    visitor *v = context;
    simulate_messages *m = &v->c->group->messages;
    if (op->round != v->c->round || op->dst != v->position) {
        return op->round > v->c->round;
    }
    const int src = find_local(v->c, op->src), dst = find_local(v->c, op->dst);
    int64_t n = m->send0[src];
    while (n < m->send0[src + 1] && (m->sends[n].dst != dst || v->c->is_taken[n])) {
        n++;
    }
    if (n == m->send0[src + 1]) {
        v->result = base_fail(STATUS_INTERNAL,
                              "the schedule is wrong: position %d does not receive the "
                              "messages that others send it",
                              v->position);
        return 1;
    }
    v->c->is_taken[n] = true;
    m->receives[v->count++] = (int)n;
    return 0;
}

/* Calls `visit` with the messages of all positions of the group; `begin` [positions + 1]:
 * the first message of each, by the number of them so far. */
static status visit_positions(visitor *v, const int *nodes, int count,
                              composite_visit *visit, int64_t *begin)
{
    const simulate_groups *all = &v->c->sim->nodes;
    const simulate_messages *m = &v->c->group->messages;
    const bool sends = begin == m->send0;
    status s = STATUS_OK;
    for (int i = 0; i < count; i++) {
        for (int k = all->begin[nodes[i]]; k < all->begin[nodes[i] + 1]; k++) {
            begin[find_local(v->c, all->members[k])] = sends ? m->count : v->count;
            s = s == STATUS_OK ? generate(v, all->members[k], visit) : s;
        }
    }
    begin[v->c->first[count]] = sends ? m->count : v->count;
    return s;
}

/* Lists the messages of the group's round. */
static status list_messages(simulate_classes *c, const int *nodes, int count)
{
    simulate_simulator *group = c->group;
    simulate_messages *m = &group->messages;
    visitor v = {.c = c};
    status s = simulate_messages_start(m, c->first[count]);
    s = s == STATUS_OK ? visit_positions(&v, nodes, count, visit_send, m->send0) : s;
    s = s == STATUS_OK ? SIMULATE_GROW(group, messages.receives, m->count + 1) : s;
    s = s == STATUS_OK ? SIMULATE_CLASSES_GROW(c, is_taken, m->count + 1) : s;
    s = s == STATUS_OK ? SIMULATE_GROW(group, part0, m->count + 1) : s;
    s = s == STATUS_OK ? SIMULATE_GROW(group, by_round, m->count + 1) : s;
    s = s == STATUS_OK ? SIMULATE_GROW(group, round0, 2) : s;
    for (int64_t n = 0; n < m->count && s == STATUS_OK; n++) {
        c->is_taken[n] = false;
        group->by_round[n] = (int)n;
    }
    if (s == STATUS_OK) {
        group->round0[0] = 0;
        group->round0[1] = m->count;
        s = visit_positions(&v, nodes, count, visit_receive, m->receive0);
    }
    return s;
}

/* Simulates the round of one group. */
static status run_group(simulate_classes *c, int count)
{
    simulate_simulator *group = c->group;
    for (int q = 0; q < group->size; q++) {
        group->send_at[q] = group->messages.send0[q];
        group->receive_at[q] = group->messages.receive0[q];
    }
    for (int n = 0; n < group->size || n < count; n++) {
        group->seen[n] = 0;
    }
    group->stamp = 0;
    group->nrounds = 1;
    group->rounds[0] = (simulate_round){.round = c->round};
    return simulate_round_run(group, 0);
}

/* Keeps the result of a group as that of its kind. */
static status keep_kind(simulate_classes *c, int number, int count)
{
    status s = SIMULATE_CLASSES_GROW(c, kind, number + 1);
    s = s == STATUS_OK ? SIMULATE_CLASSES_GROW(c, after, c->nafter + count) : s;
    if (s != STATUS_OK) {
        return s;
    }
    c->kind[number] = (simulate_kind){.after0 = c->nafter,
                                      .messages = c->group->messages.count,
                                      .bytes = c->group->rounds[0].bytes,
                                      .finish = c->group->rounds[0].finish};
    for (int i = 0; i < count && s == STATUS_OK; i++) {
        s = simulate_classes_store(c, i, &c->after[c->nafter + i]);
    }
    c->nafter += count;
    return s;
}

/* ---- Rounds ------------------------------------------------------------------------ */

/* Lets a group of nodes do its round, by its representative. */
static status take_group(simulate_classes *c, const int *nodes, int count)
{
    int number;
    bool is_new;
    status s = list_key(c, nodes, count);
    s = s == STATUS_OK
            ? simulate_words_find(&c->kinds, c->list, c->nlist, &number, &is_new)
            : s;
    if (s == STATUS_OK && is_new) {
        s = simulate_classes_load(c, nodes, count);
        s = s == STATUS_OK ? list_messages(c, nodes, count) : s;
        s = s == STATUS_OK ? run_group(c, count) : s;
        s = s == STATUS_OK ? keep_kind(c, number, count) : s;
    }
    if (s != STATUS_OK) {
        return s;
    }
    const simulate_kind *kind = &c->kind[number];
    simulate_round *round = &c->sim->rounds[c->sim->nrounds - 1];
    round->messages += kind->messages;
    round->bytes += kind->bytes;
    round->finish = fmax(round->finish, kind->finish);
    for (int i = 0; i < count; i++) {
        c->class_of[nodes[i]] = c->after[kind->after0 + i];
    }
    return STATUS_OK;
}

static status run_round(simulate_classes *c)
{
    simulate_simulator *sim = c->sim;
    status s = find_groups(c);
    s = s == STATUS_OK ? SIMULATE_GROW(sim, rounds, sim->nrounds + 2) : s;
    if (s != STATUS_OK) {
        return s;
    }
    sim->rounds[sim->nrounds++] = (simulate_round){.round = c->round};
    simulate_words_empty(&c->kinds);
    c->nafter = 0;
    begin_links(c);
    for (int root = 0; root < c->groups.count && s == STATUS_OK; root++) {
        const int *nodes = c->groups.members + c->groups.begin[root];
        const int count = c->groups.begin[root + 1] - c->groups.begin[root];
        if (count > 0 && c->active[root] == c->round) {
            s = take_group(c, nodes, count);
        } else if (count > 0) {
            link_nodes(c, root);
        }
    }
    return s;
}

static status run_rounds(simulate_classes *c)
{
    status s = STATUS_OK;
    c->round = -1;
    link_all(c);
    while (s == STATUS_OK && c->next != INT_MAX) {
        if (c->next != c->round + 1) {
            c->round = c->next - 1;
            link_all(c);
        }
        c->round = c->next;
        s = run_round(c);
    }
    return s;
}

/* ---- All --------------------------------------------------------------------------- */

static int count_op(const composite_op *op, void *context)
{
    visitor *v = context;
    v->count += op->src == v->position;
    return v->count > SIMULATE_MOST_MESSAGES;
}

bool simulate_classes_apply(const simulate_simulator *sim)
{
    const simulate_case *of = sim->of;
    const int64_t size = sim->size;
    const bool is_even =
        !of->visit && !(of->activity && of->activity->spans) && !sim->machine->one_host;
    simulate_classes c = {.sim = (simulate_simulator *)sim};
    visitor v = {.c = &c};
    if (!is_even || size * (size - 1) <= SIMULATE_MOST_MESSAGES) {
        return false;
    }
    for (int q = 0; q < sim->size && v.count <= SIMULATE_MOST_MESSAGES; q++) {
        generate(&v, q, count_op);
    }
    return v.count > SIMULATE_MOST_MESSAGES;
}

static status make_room(simulate_classes *c)
{
    const int nodes = c->sim->nodes.count;
    status s = SIMULATE_CLASSES_GROW(c, class_of, nodes);
    s = s == STATUS_OK ? SIMULATE_CLASSES_GROW(c, parent, nodes) : s;
    s = s == STATUS_OK ? SIMULATE_CLASSES_GROW(c, active, nodes) : s;
    s = s == STATUS_OK ? SIMULATE_CLASSES_GROW(c, local, nodes) : s;
    return s == STATUS_OK ? SIMULATE_CLASSES_GROW(c, place, c->sim->size) : s;
}

/* The class of a node before the first round: the same for all with as many positions
 * that begin at the same times. */
static status find_first_class(simulate_classes *c, int node)
{
    const simulate_groups *all = &c->sim->nodes;
    int number;
    bool is_new;
    status s = STATUS_OK;
    c->nlist = 0;
    c->class_of[node] = c->active[node] = -1;
    for (int m = all->begin[node]; m < all->begin[node + 1] && s == STATUS_OK; m++) {
        const double late = c->sim->of->late ? c->sim->of->late[all->members[m]] : 0;
        c->place[all->members[m]] = m - all->begin[node];
        uint64_t word;
        memcpy(&word, &late, sizeof word);
        s = simulate_classes_add(c, word);
    }
    s = s == STATUS_OK
            ? simulate_words_find(&c->kinds, c->list, c->nlist, &number, &is_new)
            : s;
    if (s == STATUS_OK && is_new) {
        s = simulate_classes_load(c, &node, 1);
        s = s == STATUS_OK ? keep_kind(c, number, 1) : s;
    }
    c->class_of[node] = s == STATUS_OK ? c->after[c->kind[number].after0] : -1;
    return s;
}

static status begin(simulate_classes *c)
{
    status s = simulate_groups_make(c->sim);
    s = s == STATUS_OK ? make_room(c) : s;
    for (int node = 0; s == STATUS_OK && node < c->sim->nodes.count; node++) {
        if (c->sim->nodes.begin[node + 1] > c->sim->nodes.begin[node]) {
            s = find_first_class(c, node);
        }
    }
    c->sim->nrounds = 0;
    return s;
}

static void clear(simulate_classes *c)
{
    simulate_destroy(&c->group);
    simulate_words_clear(&c->states);
    simulate_words_clear(&c->kinds);
    void *const arrays[] = {c->kind,   c->after,     c->parts,        c->class_of,
                            c->parent, c->local,     c->place,        c->first,
                            c->number, c->socket,    c->list,         c->is_taken,
                            c->active, c->groups.of, c->groups.begin, c->groups.members};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        free(arrays[i]);
    }
}

status simulate_classes_run(simulate_simulator *sim, simulate_result *result)
{
    simulate_classes c = {.sim = sim,
                          .states = {.memory = &sim->memory},
                          .kinds = {.memory = &sim->memory}};
    status s = simulate_create(&c.group);
    s = s == STATUS_OK ? begin(&c) : s;
    s = s == STATUS_OK ? run_rounds(&c) : s;
    s = s == STATUS_OK ? simulate_classes_gather(&c, result) : s;
    clear(&c);
    return s;
}

#include "walk.h"

#include "base/array.h"
#include "messages/model/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Messages by the rank at one of their ends, in order. */
typedef struct ends {
    int64_t *messages; /* [count] */
    int64_t capacity;
    int64_t begin[COLLECTIVE_MOST_RANKS + 1];
} ends;

enum { NO_PLACE = -1 };

struct collective_walker {
    simulate_simulator *simulator;
    collective_schedule schedule; /* of collective_walk_seconds */
    collective_message *messages;
    simulate_given *given;
    int64_t *path;
    int64_t count, messages_capacity, given_capacity, path_capacity;
    int64_t *begin; /* [rounds + 1]: the first message of each round */
    int64_t rounds, begin_capacity;
    ends sent, received; /* of the ranks that send and that receive */
};

collective_machine collective_machine_usual(void)
{
    enum { ELEMENT_BYTES = 8 };
    const simulate_machine usual = simulate_machine_usual();
    return (collective_machine){.alpha = usual.between.latency + usual.between.overhead,
                                .beta = usual.between.beta * ELEMENT_BYTES,
                                .gamma = usual.gamma,
                                .ports = 1,
                                .near_alpha = usual.within.latency,
                                .near_beta = 1e-9};
}

static status fail_memory(int64_t bytes)
{
    return base_fail_memory((size_t)bytes, "a collective in virtual time");
}

/* ---- Messages ---------------------------------------------------------------------- */

static status append_message(collective_walker *w, const collective_op *op)
{
    collective_message *messages = base_array_reserve(w->messages, &w->messages_capacity,
                                                      w->count + 1, sizeof *messages);
    if (!messages) {
        return fail_memory(w->count * (int64_t)sizeof *messages);
    }
    w->messages = messages;
    messages[w->count++] =
        (collective_message){.src = op->src, .dst = op->dst, .round = op->round};
    return STATUS_OK;
}

/* The messages that a rank sends in a round, each of all its pieces; *at is its next op.
 */
static status add_round(collective_walker *w, const collective_schedule *schedule,
                        int rank, int round, int64_t *at)
{
    const int64_t first = w->count;
    status s = STATUS_OK;
    for (; *at < schedule->begin[rank + 1] && schedule->ops[*at].round == round &&
           s == STATUS_OK;
         ++*at) {
        const collective_op *op = &schedule->ops[*at];
        int64_t n = first;
        while (n < w->count && w->messages[n].dst != op->dst) {
            n++;
        }
        if (op->src == rank && n == w->count) {
            s = append_message(w, op);
        }
        if (op->src == rank && s == STATUS_OK) {
            w->messages[n].elements += op->count;
            w->messages[n].combined += op->kind == COLLECTIVE_REDUCE ? op->count : 0;
        }
    }
    return s;
}

static int find_rounds(const collective_schedule *schedule)
{
    int rounds = 0;
    for (int64_t i = 0; i < schedule->count; i++) {
        rounds =
            schedule->ops[i].round + 1 > rounds ? schedule->ops[i].round + 1 : rounds;
    }
    return rounds;
}

static status add_messages(collective_walker *w, const collective_schedule *schedule)
{
    int64_t at[COLLECTIVE_MOST_RANKS];
    for (int rank = 0; rank < schedule->problem.size; rank++) {
        at[rank] = schedule->begin[rank];
    }
    w->count = 0;
    w->rounds = find_rounds(schedule);
    int64_t *begin =
        base_array_reserve(w->begin, &w->begin_capacity, w->rounds + 1, sizeof *begin);
    if (!begin) {
        return fail_memory(w->rounds * (int64_t)sizeof *begin);
    }
    w->begin = begin;
    status s = STATUS_OK;
    for (int round = 0; round < w->rounds; round++) {
        begin[round] = w->count;
        for (int rank = 0; rank < schedule->problem.size && s == STATUS_OK; rank++) {
            s = add_round(w, schedule, rank, round, &at[rank]);
        }
    }
    begin[w->rounds] = w->count;
    return s;
}

/* ---- Times ------------------------------------------------------------------------- */

static collective_message *find_message(const collective_walker *w, int round, int src,
                                        int dst)
{
    collective_message *m = &w->messages[w->begin[round]];
    const collective_message *end = &w->messages[w->begin[round + 1]];
    while (m < end && (m->src != src || m->dst != dst)) {
        m++;
    }
    return m < end ? m : NULL;
}

static void note_event(const simulate_event *event, void *context)
{
    collective_walker *w = context;
    const bool sends = event->kind == SIMULATE_EVENT_SEND;
    collective_message *m =
        find_message(w, event->round, sends ? event->position : event->peer,
                     sends ? event->peer : event->position);
    if (sends) {
        m->sent = event->begin;
        m->left = event->end;
    } else if (event->kind == SIMULATE_EVENT_RECEIVE) {
        m->comes = event->begin;
        m->came = event->end;
    } else {
        m->combines = event->begin;
        m->done = event->end;
    }
}

static status give_messages(collective_walker *w)
{
    simulate_given *given =
        base_array_reserve(w->given, &w->given_capacity, w->count + 1, sizeof *given);
    if (!given) {
        return fail_memory(w->count * (int64_t)sizeof *given);
    }
    w->given = given;
    for (int64_t n = 0; n < w->count; n++) {
        const collective_message *m = &w->messages[n];
        given[n] = (simulate_given){
            m->src, m->dst, m->round, (double)m->elements, (double)m->combined, NO_PLACE};
    }
    return STATUS_OK;
}

/* The places of messages among those that a rank receives in a round: as its stream has
 * them. */
static void set_places(collective_walker *w, const collective_schedule *schedule)
{
    for (int rank = 0; rank < schedule->problem.size; rank++) {
        for (int64_t i = schedule->begin[rank]; i < schedule->begin[rank + 1]; i++) {
            const collective_op *op = &schedule->ops[i];
            const collective_message *m =
                op->dst == rank ? find_message(w, op->round, op->src, rank) : NULL;
            if (m && w->given[m - w->messages].place == NO_PLACE) {
                w->given[m - w->messages].place = i;
            }
        }
    }
}

/* Elements take the place of bytes. */
static simulate_machine machine_of(const collective_machine *machine)
{
    return (simulate_machine){
        .name = "the machine",
        .between = {.overhead = machine->alpha, .beta = machine->beta},
        .within = {.overhead = machine->near_alpha, .beta = machine->near_beta},
        .ports = machine->ports,
        .receive_ports = machine->ports,
        .is_fifo = true,
        .overlaps = true,
        .gamma = machine->gamma};
}

static bool is_local(const collective_message *m)
{
    return m->src == m->dst;
}

static int node_of(const composite_nodes *nodes, int rank)
{
    return nodes ? nodes->node[nodes->team[rank]] : rank;
}

/* Fills in the times of messages within nodes, of which the simulator tells the work of
 * the receiver alone: it reads, then it combines. */
static void complete_near(const collective_walker *w, const collective_machine *machine)
{
    for (int64_t n = 0; n < w->count; n++) {
        collective_message *m = &w->messages[n];
        m->is_near = !is_local(m) &&
                     node_of(machine->nodes, m->src) == node_of(machine->nodes, m->dst);
        if (m->is_near) {
            m->sent = m->left = m->comes = m->combines;
            m->combines = m->came = m->done - machine->gamma * (double)m->combined;
        }
    }
}

/* ---- Messages of each rank --------------------------------------------------------- */

static int end_of(const collective_message *m, bool sends)
{
    return sends ? m->src : m->dst;
}

/* Lists the messages by their senders, or by their receivers, with a counting sort. */
static status list_ends(const collective_walker *w, bool sends, ends *list)
{
    int64_t *messages = base_array_reserve(list->messages, &list->capacity, w->count + 1,
                                           sizeof *messages);
    if (!messages) {
        return fail_memory(w->count * (int64_t)sizeof *messages);
    }
    list->messages = messages;
    memset(list->begin, 0, sizeof list->begin);
    for (int64_t n = 0; n < w->count; n++) {
        list->begin[end_of(&w->messages[n], sends)]++;
    }
    for (int rank = 1; rank <= COLLECTIVE_MOST_RANKS; rank++) {
        list->begin[rank] += list->begin[rank - 1];
    }
    for (int64_t n = w->count - 1; n >= 0; n--) {
        messages[--list->begin[end_of(&w->messages[n], sends)]] = n;
    }
    return STATUS_OK;
}

/* ---- The critical path ------------------------------------------------------------- */

/* A way in which a message occupies something. */
typedef enum stage { SENDING, COMING, COMBINING } stage;

typedef struct step {
    int64_t message; /* -1: nothing came before */
    stage stage;
} step;

typedef struct tracer {
    collective_walker *walker;
    collective_times *times;
    const composite_nodes *nodes; /* NULL: each rank has its own */
    double tolerance;
} tracer;

static bool is_at(const tracer *t, double a, double b)
{
    return a - b <= t->tolerance && b - a <= t->tolerance;
}

/* A search for the message other than number `n` that a rank was done with at a time. */
typedef struct search {
    int64_t n;
    double time;
    stage by;
    bool any_order; /* the port of a node may serve later messages of a round before */
} search;

/* The message has its data, or freed a port. Later ones of its round count only if they
 * began earlier, or in any order. */
static step find_at_rank(const tracer *t, const search *of, int rank)
{
    const collective_message *all = t->walker->messages, *own = &all[of->n];
    const ends *list = of->by == SENDING ? &t->walker->sent : &t->walker->received;
    for (int64_t i = list->begin[rank + 1] - 1; i >= list->begin[rank]; i--) {
        const int64_t number = list->messages[i];
        const collective_message *m = &all[number];
        const bool is_later = m->round > own->round ||
                              (!of->any_order && number > of->n && m->sent >= own->sent);
        if (number == of->n || m->is_critical || is_later) {
            continue;
        }
        const double end = of->by == SENDING  ? m->left
                           : of->by == COMING ? m->came
                                              : m->done;
        const bool has_port = !is_local(m) && !m->is_near;
        if ((of->by == COMBINING || has_port) && is_at(t, end, of->time)) {
            return (step){number, of->by};
        }
    }
    return (step){-1, of->by};
}

/* The same for the ports of the node of a rank. */
static step find_at_node(const tracer *t, const search *of, int rank)
{
    step found = {-1, of->by};
    for (int other = 0; other < t->nodes->size && found.message < 0; other++) {
        if (node_of(t->nodes, other) == node_of(t->nodes, rank)) {
            found = find_at_rank(t, of, other);
        }
    }
    return found;
}

static step find_before(const tracer *t, int64_t n, int rank, double time, stage by)
{
    search of = {n, time, by, false};
    step found = find_at_rank(t, &of, rank);
    for (int pass = 0; t->nodes && by != COMBINING && found.message < 0 && pass < 2;
         pass++) {
        of.any_order = pass > 0;
        found = find_at_node(t, &of, rank);
    }
    return found;
}

/* Why a message did not leave earlier: its data, or a port; within a node, the receiver
 * had other work. */
static step find_cause(const tracer *t, int64_t n)
{
    const collective_message *m = &t->walker->messages[n];
    const step data = find_before(t, n, m->src, m->sent, COMBINING);
    if (data.message >= 0) {
        return data;
    }
    return m->is_near ? find_before(t, n, m->dst, m->sent, COMBINING)
                      : find_before(t, n, m->src, m->sent, SENDING);
}

static step step_back(const tracer *t, step at)
{
    const collective_message *m = &t->walker->messages[at.message];
    if (at.stage == COMBINING) {
        const bool waits = is_local(m) || !is_at(t, m->combines, m->came);
        return waits ? find_before(t, at.message, m->dst, m->combines, COMBINING)
                     : (step){at.message, COMING};
    }
    if (at.stage == COMING && !is_at(t, m->comes, m->sent)) {
        return find_before(t, at.message, m->dst, m->comes, COMING);
    }
    return find_cause(t, at.message);
}

/* Counts the cost of a step. */
static void count_step(collective_times *times, const collective_message *m, stage by)
{
    if (by == COMBINING) {
        times->cost.gamma += m->combined;
    } else {
        collective_cost *cost = m->is_near ? &times->near : &times->cost;
        cost->alpha++;
        cost->beta += m->elements;
    }
}

/* The message that ends last. */
static int64_t find_last(const collective_walker *w)
{
    int64_t last = -1;
    for (int64_t n = 0; n < w->count; n++) {
        last = last < 0 || w->messages[n].done > w->messages[last].done ? n : last;
    }
    return last;
}

/* Goes back from the last message, and turns the path around. */
static void trace(tracer *t, int64_t *path)
{
    collective_times *times = t->times;
    collective_message *messages = t->walker->messages;
    const int64_t last = find_last(t->walker);
    const bool is_end = last >= 0 && is_at(t, messages[last].done, times->seconds);
    step at = {is_end ? last : -1, COMBINING};
    times->begin = times->seconds; /* a rank is so late that it waits for nothing */
    while (at.message >= 0) {
        collective_message *m = &messages[at.message];
        count_step(times, m, at.stage);
        if (!m->is_critical) {
            m->is_critical = true;
            path[times->npath++] = at.message;
        }
        times->begin = at.stage == COMBINING ? m->combines
                       : at.stage == COMING  ? m->comes
                                             : m->sent;
        at = step_back(t, at);
    }
    for (int64_t i = 0; i < times->npath / 2; i++) {
        const int64_t other = path[times->npath - 1 - i];
        path[times->npath - 1 - i] = path[i];
        path[i] = other;
    }
}

/* ---- A walk ------------------------------------------------------------------------ */

/* Walks, without the critical path. */
static status simulate(collective_walker *w, const collective_schedule *schedule,
                       const collective_machine *machine, const double *late,
                       collective_times *times)
{
    *times = (collective_times){0};
    status s = add_messages(w, schedule);
    s = s == STATUS_OK ? give_messages(w) : s;
    if (s != STATUS_OK) {
        return s;
    }
    set_places(w, schedule);
    const simulate_messages_case of = {.size = schedule->problem.size,
                                       .nodes = machine->nodes,
                                       .messages = w->given,
                                       .count = w->count,
                                       .late = late,
                                       .visit = note_event,
                                       .context = w};
    const simulate_machine simulated = machine_of(machine);
    simulate_result result;
    s = simulate_run_messages(w->simulator, &of, &simulated, &result);
    if (s != STATUS_OK) {
        return s;
    }
    complete_near(w, machine);
    times->seconds = result.seconds;
    times->messages = w->messages;
    times->count = w->count;
    for (int rank = 0; rank < of.size; rank++) {
        times->finish[rank] = result.ranks[rank].finish;
    }
    return STATUS_OK;
}

status collective_walk(collective_walker *w, const collective_schedule *schedule,
                       const collective_machine *machine, const double *late,
                       collective_times *times)
{
    status s = simulate(w, schedule, machine, late, times);
    s = s == STATUS_OK ? list_ends(w, true, &w->sent) : s;
    s = s == STATUS_OK ? list_ends(w, false, &w->received) : s;
    if (s != STATUS_OK) {
        return s;
    }
    int64_t *path =
        base_array_reserve(w->path, &w->path_capacity, w->count + 1, sizeof *path);
    if (!path) {
        return fail_memory(w->count * (int64_t)sizeof *path);
    }
    w->path = path;
    times->path = path;
    tracer t = {w, times, machine->nodes, 1e-12 * times->seconds};
    trace(&t, path);
    return STATUS_OK;
}

status collective_walker_create(collective_walker **out)
{
    collective_walker *w = calloc(1, sizeof *w);
    if (!w) {
        return fail_memory((int64_t)sizeof *w);
    }
    const status s = simulate_create(&w->simulator);
    if (s != STATUS_OK) {
        free(w);
        return s;
    }
    *out = w;
    return STATUS_OK;
}

void collective_walker_destroy(collective_walker **walker)
{
    collective_walker *w = *walker;
    if (!w) {
        return;
    }
    simulate_destroy(&w->simulator);
    collective_schedule_clear(&w->schedule);
    free(w->messages);
    free(w->given);
    free(w->path);
    free(w->begin);
    free(w->sent.messages);
    free(w->received.messages);
    free(w);
    *walker = NULL;
}

status collective_walk_seconds(collective_walker *w,
                               const collective_algorithm *algorithm,
                               const collective_problem *problem,
                               const collective_machine *machine, double *seconds)
{
    collective_times times;
    status s = collective_schedule_collect(algorithm, problem, &w->schedule);
    if (s != STATUS_OK) {
        return fail_memory(w->schedule.count * (int64_t)sizeof *w->schedule.ops);
    }
    s = simulate(w, &w->schedule, machine, NULL, &times);
    *seconds = times.seconds;
    return s;
}

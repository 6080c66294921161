/*
 * All rounds at once: messages that are under way share the ports, whatever their round.
 *
 * Networks know no rounds. Two connections of a node share its port, and the messages of
 * one connection follow each other. So a message of a later round may slow down those
 * that other ranks wait for. In binary swap half of the ranks can send for round 1 as
 * soon as round 0 has begun, and then the others' links are partly idle.
 *
 * Time goes from event to event: cores here, ports in mixed_network.c. Each event takes
 * time for each position, so this is for few ranks.
 */
#include "mixed.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_POSITIONS = 32, MOST_WORK = 1 << 24 };

typedef simulate_mixed_part part;
typedef simulate_mixed_cell cell;
typedef simulate_mixed_queue queue;
typedef simulate_mixing mixing;

/* ---- Queues ------------------------------------------------------------------------ */

static void begin_core(mixing *m, queue *core)
{
    const part *one = &m->parts[core->first];
    core->rest = one->has_come ? one->after : one->before;
    core->begin = m->now;
}

/* Whether a core does a part before another one: it sends first, by rounds and turns, and
 * merges by rounds, then segments, as the executor does. Finished pixels come last. */
static bool goes_before(const part *a, const part *b)
{
    if (a->has_come != b->has_come) {
        return b->has_come;
    }
    if (a->index != b->index) {
        return a->index < b->index;
    }
    if (!a->has_come) {
        return a->turn < b->turn;
    }
    return a->segment < b->segment;
}

/* A part waits for a core, behind the one that the core has begun before now. */
static void push_core(mixing *m, int position, int64_t n)
{
    queue *core = &m->cores[position];
    int64_t *at = &core->first;
    if (*at != SIMULATE_NONE && core->begin < m->now) {
        at = &m->parts[*at].next;
    }
    while (*at != SIMULATE_NONE && !goes_before(&m->parts[n], &m->parts[*at])) {
        at = &m->parts[*at].next;
    }
    m->parts[n].next = *at;
    *at = n;
    if (core->first == n) {
        begin_core(m, core);
    }
}

/* ---- Cores ------------------------------------------------------------------------- */

/* The cores of a host are shared by its positions that have work. */
static void find_core_rates(mixing *m)
{
    const simulate_simulator *sim = m->sim;
    for (int host = 0; host < sim->hosts.count; host++) {
        const int begin = sim->hosts.begin[host], end = sim->hosts.begin[host + 1];
        const int cores = sim->has_host ? sim->machine->cores : 1;
        int busy = 0;
        for (int i = begin; i < end; i++) {
            busy += m->cores[sim->hosts.members[i]].first != SIMULATE_NONE;
        }
        for (int i = begin; i < end; i++) {
            queue *core = &m->cores[sim->hosts.members[i]];
            core->rate = busy > cores ? (double)cores / busy : 1;
        }
    }
}

/* ---- Events ------------------------------------------------------------------------ */

/* Whether a part may leave. */
static bool may_leave(const mixing *m, const cell *c, const part *one)
{
    const cell *gate = one->gate == SIMULATE_NONE ? NULL : &m->cells[one->gate];
    return one->needs <= c->merged && (!gate || gate->merged >= gate->nfirst);
}

/* Sends what the pixels of a cell allow. */
static void leave(mixing *m, cell *c)
{
    while (c->left < c->nleave && may_leave(m, c, &m->parts[c->leave[c->left]])) {
        const int64_t n = c->leave[c->left++];
        const part *one = &m->parts[n];
        if (simulate_is_near(m->sim, one->src, one->dst)) {
            simulate_mixed_come_later(m, n, m->now + m->sim->machine->within.latency);
        } else {
            push_core(m, one->src, n);
        }
    }
}

/* Sends all parts of a position that may leave. */
static void leave_all(mixing *m, int position)
{
    for (int64_t i = 0; i < m->sim->segments; i++) {
        leave(m, &m->cells[position * m->sim->segments + i]);
    }
}

/* Parts that have come are merged in their order, once the position has begun. */
static void queue_merges(mixing *m, int position, cell *c)
{
    if (m->now < m->sim->ranks[position].begin) {
        return;
    }
    while (c->queued < c->ncome && m->parts[c->come[c->queued]].has_come) {
        const int64_t n = c->come[c->queued++];
        push_core(m, m->parts[n].dst, n);
    }
}

static void come(mixing *m, int64_t n)
{
    part *one = &m->parts[n];
    one->has_come = true;
    if (!simulate_is_near(m->sim, one->src, one->dst)) {
        simulate_mixed_note(m, SIMULATE_EVENT_RECEIVE, n,
                            one->start + m->sim->machine->between.latency, m->now);
    }
    if (one->cell == SIMULATE_NONE) {
        push_core(m, one->dst, n);
    } else {
        queue_merges(m, one->dst, &m->cells[one->cell]);
    }
}

static void end_core(mixing *m, int position)
{
    queue *core = &m->cores[position];
    const int64_t n = core->first;
    part *one = &m->parts[n];
    const double begin = core->begin;
    core->first = one->next;
    if (core->first != SIMULATE_NONE) {
        begin_core(m, core);
    }
    if (!one->has_come) {
        simulate_mixed_network_send(m, n);
        return;
    }
    simulate_round *round = &m->sim->rounds[one->index];
    m->sim->ranks[position].finish = m->now;
    round->finish = fmax(round->finish, m->now);
    if (one->cell != SIMULATE_NONE) {
        cell *c = &m->cells[one->cell];
        c->merged++;
        if (one->after > 0) {
            simulate_mixed_note(m, SIMULATE_EVENT_BLEND, n, begin, m->now);
        }
        leave(m, c);
        if (m->is_paced && c->merged == c->nfirst) {
            leave_all(m, position);
        }
    }
}

/* A position begins: it sends its own pixels, and merges those that have come. */
static void begin_position(mixing *m, int position)
{
    leave_all(m, position);
    for (int64_t i = 0; i < m->sim->segments; i++) {
        queue_merges(m, position, &m->cells[position * m->sim->segments + i]);
    }
}

/* The time until the next event; infinite: there is none. */
static double find_step(mixing *m)
{
    double step = m->ncoming > 0 ? m->parts[m->coming[0]].come - m->now : INFINITY;
    step = fmin(step, simulate_mixed_network_find_step(m));
    for (int q = 0; q < m->sim->size; q++) {
        const queue *core = &m->cores[q];
        step = core->first != SIMULATE_NONE ? fmin(step, core->rest / core->rate) : step;
    }
    return fmax(step, 0);
}

/* Work that ends within a step, but for rounding. */
static bool advance(queue *q, double step)
{
    const bool ends = q->rest <= q->rate * step * (1 + 1e-12);
    q->rest = ends ? 0 : q->rest - q->rate * step;
    return ends;
}

/* Goes on by a step, and ends what ends then. */
static void run_step(mixing *m, double step)
{
    const double now = m->now + step;
    m->now = now;
    simulate_mixed_network_advance(m, step);
    for (int q = 0; q < m->sim->size; q++) {
        if (m->cores[q].first != SIMULATE_NONE && advance(&m->cores[q], step)) {
            end_core(m, q);
        }
    }
    while (m->ncoming > 0 && m->parts[m->coming[0]].come <= now) {
        const int64_t n = simulate_mixed_take_first(m);
        if (n >= m->nparts) {
            begin_position(m, (int)(n - m->nparts));
        } else {
            come(m, n);
        }
    }
}

static void run(mixing *m)
{
    for (int q = 0; q < m->sim->size; q++) {
        simulate_mixed_come_later(m, m->nparts + q, m->sim->ranks[q].begin);
    }
    for (double step = find_step(m); step < INFINITY; step = find_step(m)) {
        run_step(m, step);
        find_core_rates(m);
    }
}

/* ---- A call ------------------------------------------------------------------------ */

bool simulate_mixed_applies(const simulate_simulator *sim)
{
    const simulate_machine *machine = sim->machine;
    const int64_t links = (int64_t)sim->size * (sim->size - 1);
    return machine->is_mixed && machine->overlaps && !machine->is_fifo &&
           !machine->half_duplex && machine->receive_ports > 0 &&
           !sim->messages.is_given && sim->size <= MOST_POSITIONS &&
           simulate_mixed_count(sim) <= MOST_WORK / (links + sim->size);
}

static void clear(mixing *m)
{
    free(m->parts);
    free(m->cells);
    free(m->lists);
    free(m->cores);
    free(m->coming);
    simulate_mixed_network_destroy(m);
}

/* Makes room for so many parts, with empty queues. */
static status make_room(mixing *m, int64_t nparts)
{
    const simulate_simulator *sim = m->sim;
    const size_t parts = (size_t)nparts, size = (size_t)sim->size;
    m->parts = calloc(parts + size, sizeof *m->parts);
    m->cells = calloc(size * (size_t)sim->segments, sizeof *m->cells);
    m->lists = calloc(2 * parts + (size_t)sim->segments, sizeof *m->lists);
    m->cores = calloc(size, sizeof *m->cores);
    m->coming = calloc(parts + size, sizeof *m->coming);
    if (!m->parts || !m->cells || !m->lists || !m->cores || !m->coming) {
        return base_fail_memory((parts + size) * sizeof *m->parts,
                                "the simulation of a schedule");
    }
    for (int q = 0; q < sim->size; q++) {
        m->cores[q].first = SIMULATE_NONE;
    }
    return STATUS_OK;
}

status simulate_mixed_run(simulate_simulator *sim)
{
    mixing m = {.sim = sim};
    status s = make_room(&m, simulate_mixed_count(sim));
    if (s == STATUS_OK) {
        simulate_mixed_list(&m);
        s = simulate_mixed_network_create(&m);
    }
    if (s == STATUS_OK) {
        run(&m);
    }
    clear(&m);
    return s;
}

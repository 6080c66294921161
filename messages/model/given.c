/* Messages that are given, instead of those of a compositing schedule: of a collective.
 */
#include "engine.h"

static const char *const PURPOSE = "the messages of a simulation";

static status check(const simulate_messages_case *of, const simulate_machine *machine)
{
    if (of->count > SIMULATE_MANY_MESSAGES) {
        return base_fail(STATUS_USAGE,
                         "the schedule has more than %d million messages, too many to "
                         "simulate: give fewer ranks",
                         SIMULATE_MANY_MESSAGES / 1000000);
    }
    const status s = simulate_machine_check(machine, machine->name);
    return s == STATUS_OK ? simulate_late_check(of->late, of->size) : s;
}

static status make_room(simulate_messages *m, int64_t count)
{
    status s = composite_memory_grow(m->memory, &m->sends, &m->sends_capacity, count,
                                     sizeof *m->sends, PURPOSE);
    s = s == STATUS_OK
            ? composite_memory_grow(m->memory, &m->senders, &m->senders_capacity, count,
                                    sizeof *m->senders, PURPOSE)
            : s;
    s = s == STATUS_OK
            ? composite_memory_grow(m->memory, &m->receives, &m->receives_capacity, count,
                                    sizeof *m->receives, PURPOSE)
            : s;
    return s == STATUS_OK
               ? composite_memory_grow(m->memory, &m->payloads, &m->payloads_capacity,
                                       count, sizeof *m->payloads, PURPOSE)
               : s;
}

/* Counts become the places at which those of each position end; filling from the last
 * message on moves them to the places at which they begin. */
static void add_up(int64_t *begin, int size)
{
    for (int q = 1; q <= size; q++) {
        begin[q] += begin[q - 1];
    }
}

/* Whether a receiver merges message `a` before `b`. */
static bool merges_before(const simulate_messages *m, int a, int b)
{
    return m->sends[a].round != m->sends[b].round
               ? m->sends[a].round < m->sends[b].round
               : m->payloads[a].place < m->payloads[b].place;
}

/* Sorts the messages of a receiver, most of which are in order. */
static void sort_receives(simulate_messages *m, int q)
{
    for (int64_t i = m->receive0[q] + 1; i < m->receive0[q + 1]; i++) {
        const int n = m->receives[i];
        int64_t at = i;
        for (; at > m->receive0[q] && merges_before(m, n, m->receives[at - 1]); at--) {
            m->receives[at] = m->receives[at - 1];
        }
        m->receives[at] = n;
    }
}

/* Lists the messages by senders, then by receivers; each position's stay in order. */
static void list(simulate_messages *m, const simulate_messages_case *of)
{
    for (int q = 0; q <= m->size; q++) {
        m->send0[q] = 0;
    }
    for (int64_t i = 0; i < of->count; i++) {
        m->send0[of->messages[i].src]++;
        m->receive0[of->messages[i].dst]++;
    }
    add_up(m->send0, m->size);
    add_up(m->receive0, m->size);
    for (int64_t i = of->count - 1; i >= 0; i--) {
        const simulate_given *given = &of->messages[i];
        const int64_t n = --m->send0[given->src];
        m->senders[n] = given->src;
        m->sends[n] = (simulate_message){
            given->dst, given->round, given->src, given->src + 1, 0, 1};
        m->payloads[n] = (simulate_payload){given->bytes, given->merged, given->place};
        m->receives[--m->receive0[given->dst]] = (int)n;
        m->most_round = given->round > m->most_round ? given->round : m->most_round;
    }
    for (int q = 0; q < m->size; q++) {
        sort_receives(m, q);
    }
    m->count = of->count;
}

status simulate_run_messages(simulate_simulator *sim, const simulate_messages_case *of,
                             const simulate_machine *machine, simulate_result *result)
{
    status s = check(of, machine);
    s = s == STATUS_OK ? simulate_messages_start(&sim->messages, of->size) : s;
    s = s == STATUS_OK ? make_room(&sim->messages, of->count) : s;
    if (s != STATUS_OK) {
        return s;
    }
    list(&sim->messages, of);
    const simulate_case as_case = {.problem = {.size = of->size, .pixels = 1},
                                   .nodes = of->nodes,
                                   .late = of->late,
                                   .visit = of->visit,
                                   .context = of->context};
    sim->of = &as_case;
    sim->messages.is_given = true;
    sim->machine = machine;
    sim->size = of->size;
    sim->segment = 0;
    sim->segments = 1;
    s = simulate_rounds_run(sim);
    if (s == STATUS_OK) {
        simulate_report(sim, result);
    }
    sim->of = NULL;
    return s;
}

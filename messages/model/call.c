/* One call of the simulator: from messages to the result. */
#include "engine.h"

#include <math.h>
#include <string.h>

/* ---- Rounds ------------------------------------------------------------------------ */

/* Sorts the messages by rounds; the last one is that of finished pixels. */
static status sort_rounds(simulate_simulator *sim)
{
    const simulate_messages *m = &sim->messages;
    const int64_t most = (int64_t)m->most_round + 3;
    status s = SIMULATE_GROW(sim, by_round, m->count);
    s = s == STATUS_OK ? SIMULATE_GROW(sim, round0, most + 1) : s;
    s = s == STATUS_OK ? SIMULATE_GROW(sim, rounds, most + 1) : s;
    if (s != STATUS_OK) {
        return s;
    }
    memset(sim->round0, 0, (size_t)(most + 1) * sizeof *sim->round0);
    for (int64_t n = 0; n < m->count; n++) {
        sim->round0[m->sends[n].round + 1]++;
    }
    for (int64_t r = 0; r < most; r++) {
        sim->round0[r + 1] += sim->round0[r];
    }
    for (int64_t n = m->count - 1; n >= 0; n--) {
        sim->by_round[--sim->round0[m->sends[n].round + 1]] = (int)n;
    }
    for (int64_t r = 0; r < most; r++) {
        sim->round0[r] = sim->round0[r + 1];
    }
    return s;
}

/* ---- A call ------------------------------------------------------------------------ */

/* Cuts the picture into segments; longer ones than asked for if there would be too many
 * parts. */
static void choose_segment(simulate_simulator *sim)
{
    const int64_t pixels = sim->of->problem.pixels;
    int64_t segment = sim->of->segment;
    while (segment > 0 && segment < pixels &&
           (pixels + segment - 1) / segment * sim->size > SIMULATE_EXPECTED_PARTS) {
        segment *= 2;
    }
    const bool is_whole = segment <= 0 || segment >= pixels;
    sim->segment = is_whole ? 0 : (int)segment;
    sim->segments = is_whole ? 1 : (pixels + segment - 1) / segment;
}

static void begin(simulate_simulator *sim)
{
    const int nodes = sim->nodes.count;
    const int most = nodes > sim->size ? nodes : sim->size;
    for (int q = 0; q < sim->size; q++) {
        const double late = simulate_begin_of(sim, q);
        sim->ranks[q] = (simulate_rank){.begin = late, .finish = late};
        sim->left[q] = late;
        sim->send_at[q] = sim->messages.send0[q];
        sim->receive_at[q] = sim->messages.receive0[q];
        for (int64_t i = 0; i < sim->segments; i++) {
            sim->ready[q * sim->segments + i] = late;
        }
    }
    memset(sim->cards, 0, (size_t)nodes * sizeof *sim->cards);
    memset(sim->cores, 0, (size_t)sim->hosts.count * sizeof *sim->cores);
    memset(sim->seen, 0, (size_t)most * sizeof *sim->seen);
    sim->stamp = 0;
    sim->nrounds = 0;
}

static status run_rounds(simulate_simulator *sim)
{
    status s = STATUS_OK;
    for (int r = 0; r <= sim->messages.most_round && s == STATUS_OK; r++) {
        const int64_t count = sim->round0[r + 1] - sim->round0[r];
        if (count > 0) {
            sim->rounds[sim->nrounds++] = (simulate_round){.round = r, .messages = count};
            s = simulate_round_run(sim, r);
        }
    }
    return s;
}

/* Seconds that the ports of a node need for its bytes, at least. */
static double find_card_bound(const simulate_machine *machine, const simulate_card *card)
{
    const double out = card->sent.seconds, in = card->come.seconds;
    const double most = machine->half_duplex ? (out + in) / machine->ports
                        : machine->receive_ports > 0
                            ? fmax(out / machine->ports, in / machine->receive_ports)
                            : out / machine->ports;
    return fmax(0, most - (machine->is_mixed ? machine->burst : 0));
}

static double find_bound(const simulate_simulator *sim)
{
    double bound = 0;
    for (int node = 0; node < sim->nodes.count; node++) {
        bound = fmax(bound, find_card_bound(sim->machine, &sim->cards[node]));
    }
    return bound;
}

void simulate_report(const simulate_simulator *sim, simulate_result *result)
{
    *result = (simulate_result){.bound = find_bound(sim),
                                .nrounds = sim->nrounds,
                                .rounds = sim->rounds,
                                .ranks = sim->ranks,
                                .segment = sim->segment};
    const bool gathers = sim->of->problem.gather_bytes > 0;
    const int schedule = sim->nrounds - (gathers ? 1 : 0);
    for (int r = 0; r < sim->nrounds; r++) {
        result->messages += sim->rounds[r].messages;
        result->bytes += sim->rounds[r].bytes;
        result->merged =
            r < schedule ? fmax(result->merged, sim->rounds[r].finish) : result->merged;
    }
    for (int q = 0; q < sim->size; q++) {
        result->merged = fmax(result->merged, sim->ranks[q].begin);
    }
    for (int node = 0; node < sim->nodes.count; node++) {
        result->most_bytes = fmax(result->most_bytes, fmax(sim->cards[node].sent.bytes,
                                                           sim->cards[node].come.bytes));
    }
    result->seconds = result->merged;
    if (gathers) {
        result->seconds = fmax(result->merged, sim->ranks[sim->of->problem.root].finish);
    }
    result->seconds += simulate_agreement(sim);
}

status simulate_late_check(const double *late, int size)
{
    for (int q = 0; late && q < size; q++) {
        if (!(late[q] >= 0 && late[q] < 1e6)) {
            return base_fail(STATUS_USAGE,
                             "position %d is late by an impossible time: give 0 to 1e6 s",
                             q);
        }
    }
    return STATUS_OK;
}

static status check(const simulate_case *of, const simulate_machine *machine)
{
    status s = simulate_machine_check(machine, machine->name);
    s = s == STATUS_OK
            ? composite_schedule_check_params(of->algorithm, &of->problem, &of->params)
            : s;
    return s == STATUS_OK ? simulate_late_check(of->late, of->problem.size) : s;
}

status simulate_rounds_run(simulate_simulator *sim)
{
    status s = simulate_groups_make(sim);
    s = s == STATUS_OK ? sort_rounds(sim) : s;
    s = s == STATUS_OK ? simulate_room_make(sim) : s;
    if (s == STATUS_OK) {
        begin(sim);
        s = simulate_mixed_applies(sim) ? simulate_mixed_run(sim) : run_rounds(sim);
    }
    return s;
}

status simulate_prepare(simulate_simulator *sim, const simulate_case *of,
                        const simulate_machine *machine)
{
    const status s = check(of, machine);
    if (s == STATUS_OK) {
        sim->of = of;
        sim->messages.is_given = false;
        sim->machine = machine;
        sim->size = of->problem.size;
        choose_segment(sim);
    }
    return s;
}

status simulate_run(simulate_simulator *sim, const simulate_case *of,
                    const simulate_machine *machine, simulate_result *result)
{
    status s = simulate_prepare(sim, of, machine);
    if (s != STATUS_OK) {
        return s;
    }
    if (simulate_direct_applies(of)) {
        return simulate_direct_run(sim, result);
    }
    s = simulate_messages_collect(of->algorithm, &of->problem, &of->params, of->nodes,
                                  &sim->messages);
    s = s == STATUS_OK ? simulate_rounds_run(sim) : s;
    if (s == STATUS_OK && of->problem.gather_bytes > 0 && !simulate_mixed_applies(sim)) {
        s = simulate_gather_run(sim);
    }
    if (s == STATUS_OK) {
        simulate_report(sim, result);
    }
    return s;
}

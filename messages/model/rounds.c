/* One round of messages: the ports of senders, those of receivers, then merges. */
#include "engine.h"

#include <math.h>

/* ---- Payloads ---------------------------------------------------------------------- */

simulate_payload simulate_payload_of(const simulate_simulator *sim, int run0, int run1,
                                     composite_range pixels, double pixel_bytes)
{
    enum { RUN_BYTES = 8 }; /* composite/pixels/encode.h */
    const double all = (double)(pixels.pix1 - pixels.pix0);
    double rows;
    const double active =
        simulate_activity_count(sim->of->activity, run0, run1, pixels, &rows);
    const double raw = pixel_bytes * all;
    const double encoded = pixel_bytes * active + RUN_BYTES * rows;
    /* An empty part is no message, or one without pixels. */
    const bool pays =
        sim->of->encoding == COMPOSITE_ENCODING_RAW ? active <= 0 : encoded < 0.75 * raw;
    return (simulate_payload){pays ? encoded : raw, active, 0};
}

int64_t simulate_part_count(const simulate_simulator *sim, composite_range range)
{
    return simulate_segment_of(sim, range.pix1 - 1) -
           simulate_segment_of(sim, range.pix0) + 1;
}

composite_range simulate_part_range(const simulate_simulator *sim, composite_range range,
                                    int64_t i)
{
    if (sim->segments <= 1) {
        return range;
    }
    const int64_t begin = (simulate_segment_of(sim, range.pix0) + i) * sim->segment;
    const int64_t end = begin + sim->segment;
    return (composite_range){begin > range.pix0 ? begin : range.pix0,
                             end < range.pix1 ? end : range.pix1};
}

static composite_range range_of(const simulate_message *message)
{
    return (composite_range){message->pix0, message->pix0 + message->npix};
}

static composite_range find_part(const simulate_simulator *sim,
                                 const simulate_message *message, int64_t i)
{
    return simulate_part_range(sim, range_of(message), i);
}

simulate_payload simulate_payload_find(const simulate_simulator *sim,
                                       const simulate_message *message, int64_t i)
{
    if (sim->messages.is_given) {
        return sim->messages.payloads[message - sim->messages.sends];
    }
    return simulate_payload_of(sim, message->run0, message->run1,
                               find_part(sim, message, i),
                               simulate_pixel_bytes(sim, message));
}

/* Whether a part has no active pixel. Then it is not sent, and nobody waits for it. The
 * root awaits all finished ones. */
static bool is_empty(const simulate_simulator *sim, const simulate_message *message,
                     int64_t i)
{
    return !sim->messages.is_given && !simulate_gathers(sim, message) &&
           simulate_payload_find(sim, message, i).bytes <= 0;
}

static double *ready_of(simulate_simulator *sim, int position, composite_range pixels)
{
    return &sim->ready[position * sim->segments + simulate_segment_of(sim, pixels.pix0)];
}

/* ---- Jobs -------------------------------------------------------------------------- */

status simulate_job_add(simulate_simulator *sim, simulate_job job, int64_t message,
                        int64_t part)
{
    simulate_work *work = &sim->work;
    const int64_t count = work->njobs + 1;
    if (count > work->jobs_capacity || count > work->job_parts_capacity ||
        count > work->job_messages_capacity) {
        status s = SIMULATE_GROW(sim, work.jobs, count);
        s = s == STATUS_OK ? SIMULATE_GROW(sim, work.job_parts, count) : s;
        s = s == STATUS_OK ? SIMULATE_GROW(sim, work.job_messages, count) : s;
        if (s != STATUS_OK) {
            return s;
        }
    }
    work->jobs[work->njobs] = job;
    work->job_parts[work->njobs] = part;
    work->job_messages[work->njobs] = message;
    work->njobs++;
    return STATUS_OK;
}

status simulate_ports_serve(simulate_simulator *sim, int node, bool sends)
{
    const simulate_machine *machine = sim->machine;
    simulate_station *station =
        sends || machine->half_duplex ? &sim->cards[node].out : &sim->cards[node].in;
    const int ports =
        sends || machine->half_duplex ? machine->ports : machine->receive_ports;
    return simulate_station_serve(station, ports,
                                  machine->is_fifo ? SIMULATE_FIFO : SIMULATE_FAIR,
                                  sim->work.jobs, sim->work.njobs, &sim->scratch);
}

status simulate_cores_serve(simulate_simulator *sim, int host)
{
    const int cores = sim->has_host ? sim->machine->cores : 1;
    return simulate_station_serve(&sim->cores[host], cores, SIMULATE_FAIR, sim->work.jobs,
                                  sim->work.njobs, &sim->scratch);
}

void simulate_event_note(const simulate_simulator *sim, const simulate_event *event)
{
    if (sim->of->visit) {
        sim->of->visit(event, sim->of->context);
    }
}

void simulate_traffic_add(simulate_simulator *sim, int src, int dst, double bytes)
{
    const double seconds = simulate_link_time(&sim->machine->between, bytes);
    simulate_traffic *sent = &sim->cards[sim->nodes.of[src]].sent;
    simulate_traffic *come = &sim->cards[sim->nodes.of[dst]].come;
    sent->bytes += bytes;
    sent->seconds += seconds;
    come->bytes += bytes;
    come->seconds += seconds;
    sim->ranks[src].bytes_sent += bytes;
    sim->ranks[dst].bytes_come += bytes;
    sim->rounds[sim->nrounds - 1].bytes += bytes;
}

/* ---- Sending ----------------------------------------------------------------------- */

/* The end of the messages that a position sends in a round. */
static int64_t sends_end(const simulate_simulator *sim, int position, int round)
{
    int64_t end = sim->send_at[position];
    while (end < sim->messages.send0[position + 1] &&
           sim->messages.sends[end].round == round) {
        end++;
    }
    return end;
}

/* The end of the messages that a position receives in a round. */
static int64_t receives_end(const simulate_simulator *sim, int position, int round)
{
    int64_t end = sim->receive_at[position];
    while (end < sim->messages.receive0[position + 1] &&
           sim->messages.sends[sim->messages.receives[end]].round == round) {
        end++;
    }
    return end;
}

/* Makes a part ready: its pixels were merged, and, without a core's work, can leave. */
static status prepare_part(simulate_simulator *sim, int src, int64_t n, int64_t i)
{
    const simulate_message *message = &sim->messages.sends[n];
    simulate_part *part = &sim->work.parts[sim->part0[n] + i];
    part->start = *ready_of(sim, src, find_part(sim, message, i));
    part->finish = part->start + sim->machine->within.latency;
    if (is_empty(sim, message, i)) {
        part->finish = 0;
        return STATUS_OK;
    }
    if (sim->machine->delta <= 0 || simulate_is_near(sim, src, message->dst) ||
        simulate_gathers(sim, message)) {
        return STATUS_OK;
    }
    const double work =
        sim->machine->delta * simulate_payload_find(sim, message, i).bytes;
    sim->ranks[src].blending += work;
    return simulate_job_add(
        sim, (simulate_job){.release = part->start, .work = work, .flow = src}, n,
        sim->part0[n] + i);
}

/* Prepares all messages of a host's positions. */
static status prepare_host(simulate_simulator *sim, int host, int round)
{
    const simulate_groups *hosts = &sim->hosts;
    status s = STATUS_OK;
    sim->work.njobs = 0;
    for (int m = hosts->begin[host]; m < hosts->begin[host + 1]; m++) {
        const int src = hosts->members[m];
        const int64_t end = sends_end(sim, src, round);
        for (int64_t n = sim->send_at[src]; n < end; n++) {
            const int64_t count =
                simulate_part_count(sim, range_of(&sim->messages.sends[n]));
            for (int64_t i = 0; i < count && s == STATUS_OK; i++) {
                s = prepare_part(sim, src, n, i);
            }
        }
    }
    if (s != STATUS_OK || sim->work.njobs == 0) {
        return s;
    }
    s = simulate_cores_serve(sim, host);
    for (int64_t j = 0; j < sim->work.njobs; j++) {
        sim->work.parts[sim->work.job_parts[j]].start = sim->work.jobs[j].finish;
    }
    return s;
}

/* Lists the parts of a message between nodes, for the ports of its sender or receiver. */
static status list_parts(simulate_simulator *sim, int64_t n, bool sends)
{
    const simulate_message *message = &sim->messages.sends[n];
    const int src = sim->messages.senders[n];
    const int64_t count = simulate_is_near(sim, src, message->dst)
                              ? 0
                              : simulate_part_count(sim, range_of(message));
    status s = STATUS_OK;
    for (int64_t i = 0; i < count && s == STATUS_OK; i++) {
        if (is_empty(sim, message, i)) {
            continue;
        }
        const double bytes = simulate_payload_find(sim, message, i).bytes;
        const int64_t part = sim->part0[n] + i;
        if (sends) {
            simulate_traffic_add(sim, src, message->dst, bytes);
        }
        s = simulate_job_add(
            sim,
            (simulate_job){.release = sim->work.parts[part].start,
                           .work = simulate_link_time(&sim->machine->between, bytes),
                           .flow = n},
            n, part);
    }
    return s;
}

/* Lists the parts that a position sends to other nodes. */
static status list_sends(simulate_simulator *sim, int src, int round)
{
    const int64_t end = sends_end(sim, src, round);
    status s = STATUS_OK;
    for (int64_t n = sim->send_at[src]; n < end && s == STATUS_OK; n++) {
        s = list_parts(sim, n, true);
    }
    sim->send_at[src] = end;
    return s;
}

/* Notes an event of the part of a message that job j is about, for a timeline. */
static void note_part(const simulate_simulator *sim, simulate_event_kind kind, int64_t j,
                      double begin, double end)
{
    if (sim->of->visit) {
        const int64_t n = sim->work.job_messages[j];
        const int64_t part = sim->work.job_parts[j];
        const simulate_message *message = &sim->messages.sends[n];
        const int src = sim->messages.senders[n];
        const bool sends = kind == SIMULATE_EVENT_SEND;
        const simulate_event event = {
            .kind = kind,
            .position = sends ? src : message->dst,
            .peer = sends ? message->dst : src,
            .round =
                simulate_gathers(sim, message) ? SIMULATE_GATHER_ROUND : message->round,
            .begin = begin,
            .end = end,
            .bytes = simulate_payload_find(sim, message, part - sim->part0[n]).bytes,
            .part = part};
        simulate_event_note(sim, &event);
    }
}

/* Whether positions of a node receive from other nodes in a round. */
static bool has_receives(const simulate_simulator *sim, int node, int round)
{
    const simulate_groups *nodes = &sim->nodes;
    for (int m = nodes->begin[node]; m < nodes->begin[node + 1]; m++) {
        const int dst = nodes->members[m];
        const int64_t end = receives_end(sim, dst, round);
        for (int64_t at = sim->receive_at[dst]; at < end; at++) {
            const int src = sim->messages.senders[sim->messages.receives[at]];
            if (!simulate_is_near(sim, src, dst)) {
                return true;
            }
        }
    }
    return false;
}

/* The ports of a node that sends and receives in a round are slower. */
static void slow_down(simulate_simulator *sim)
{
    for (int64_t j = 0; j < sim->work.njobs; j++) {
        sim->work.jobs[j].work *= simulate_slowdown(sim);
    }
}

static status send_from_node(simulate_simulator *sim, int node, int round)
{
    const simulate_groups *nodes = &sim->nodes;
    simulate_work *work = &sim->work;
    simulate_sending *sending = &sim->cards[node].sending;
    status s = STATUS_OK;
    *sending = (simulate_sending){sim->cards[node].out, INFINITY, 0, 0, round, false};
    work->njobs = 0;
    for (int m = nodes->begin[node]; m < nodes->begin[node + 1] && s == STATUS_OK; m++) {
        s = list_sends(sim, nodes->members[m], round);
    }
    if (s != STATUS_OK || work->njobs == 0) {
        return s;
    }
    sending->has_sent = true;
    if (has_receives(sim, node, round)) {
        sim->cards[node].goes_both_ways = true;
        slow_down(sim);
    }
    s = simulate_ports_serve(sim, node, true);
    const double latency = sim->machine->between.latency;
    for (int64_t j = 0; j < work->njobs; j++) {
        simulate_part *part = &work->parts[work->job_parts[j]];
        sending->begin = fmin(sending->begin, work->jobs[j].start);
        sending->end = fmax(sending->end, work->jobs[j].finish);
        part->start = work->jobs[j].start + latency;
        part->finish = work->jobs[j].finish + latency;
        const int src = sim->messages.senders[work->job_messages[j]];
        sim->left[src] = fmax(sim->left[src], work->jobs[j].finish);
        note_part(sim, SIMULATE_EVENT_SEND, j, work->jobs[j].start, work->jobs[j].finish);
    }
    return s;
}

/* ---- Receiving --------------------------------------------------------------------- */

static status list_receives(simulate_simulator *sim, int dst, int round)
{
    const int64_t end = receives_end(sim, dst, round);
    status s = STATUS_OK;
    for (int64_t at = sim->receive_at[dst]; at < end && s == STATUS_OK; at++) {
        s = list_parts(sim, sim->messages.receives[at], false);
    }
    return s;
}

static void note_arrival(simulate_simulator *sim, int64_t message, double time)
{
    const int node = sim->nodes.of[sim->messages.senders[message]];
    simulate_sending *sending = &sim->cards[node].sending;
    sending->come = fmax(sending->come, time - sim->machine->between.latency);
}

static status receive_at_node(simulate_simulator *sim, int node, int round)
{
    const simulate_groups *nodes = &sim->nodes;
    simulate_work *work = &sim->work;
    status s = STATUS_OK;
    work->njobs = 0;
    for (int m = nodes->begin[node]; m < nodes->begin[node + 1] && s == STATUS_OK; m++) {
        s = list_receives(sim, nodes->members[m], round);
    }
    if (s != STATUS_OK || work->njobs == 0) {
        return s;
    }
    const bool is_limited = sim->machine->receive_ports > 0 || sim->machine->half_duplex;
    const simulate_sending *sending = &sim->cards[node].sending;
    if (sending->has_sent && sending->round == round) {
        slow_down(sim);
    }
    s = is_limited ? simulate_ports_serve(sim, node, false) : STATUS_OK;
    for (int64_t j = 0; j < work->njobs; j++) {
        simulate_part *part = &work->parts[work->job_parts[j]];
        if (is_limited) {
            part->start = work->jobs[j].start;
            part->finish = fmax(part->finish, work->jobs[j].finish);
            note_arrival(sim, work->job_messages[j], part->finish);
        }
        note_part(sim, SIMULATE_EVENT_RECEIVE, j, part->start, part->finish);
    }
    return s;
}

/*
 * A sender whose receivers are slower than its ports waits for them, as with the flow
 * control of TCP. Its ports are not full first and idle then, but partly free all the
 * time, for messages of later rounds.
 */
static status wait_for_receivers(simulate_simulator *sim, int node, int round)
{
    const simulate_sending *sending = &sim->cards[node].sending;
    simulate_station *out = &sim->cards[node].out;
    (void)round;
    if (sending->come > sending->end && !sim->machine->half_duplex &&
        !sim->machine->is_fifo) {
        const double work = simulate_station_left(&sending->before, sending->end) -
                            simulate_station_left(out, sending->end);
        *out = sending->before;
        simulate_station_take(out, sending->begin, sending->come, work);
    }
    return STATUS_OK;
}

/* ---- Merging ----------------------------------------------------------------------- */

/* The time from which a position without overlap merges: when all messages of the round
 * have come, and its own have left. */
static double find_release(const simulate_simulator *sim, int dst, int64_t end)
{
    double release = sim->left[dst];
    for (int64_t at = sim->receive_at[dst]; at < end; at++) {
        const int64_t n = sim->messages.receives[at];
        const int64_t count = simulate_part_count(sim, range_of(&sim->messages.sends[n]));
        for (int64_t i = 0; i < count; i++) {
            release = fmax(release, sim->work.parts[sim->part0[n] + i].finish);
        }
    }
    return release;
}

/* The seconds of a core to merge a part. */
static double merge_time(const simulate_simulator *sim, int64_t n, int64_t i)
{
    const simulate_machine *machine = sim->machine;
    const simulate_message *message = &sim->messages.sends[n];
    const simulate_payload payload = simulate_payload_find(sim, message, i);
    const int src = sim->messages.senders[n];
    const bool is_near = simulate_is_near(sim, src, message->dst);
    if (src == message->dst) { /* work on its own memory */
        return machine->gamma * payload.blended;
    }
    const double of_byte = is_near ? machine->within.beta : machine->delta;
    const double fixed = is_near ? machine->within.overhead : 0;
    return fixed + machine->gamma * payload.blended + of_byte * payload.bytes;
}

static status list_merge(simulate_simulator *sim, int dst, int64_t n, int64_t i,
                         double release)
{
    const int64_t part = sim->part0[n] + i;
    const double ready = *ready_of(sim, dst, find_part(sim, &sim->messages.sends[n], i));
    const double come = sim->machine->overlaps ? sim->work.parts[part].finish : release;
    const double work = merge_time(sim, n, i);
    sim->ranks[dst].blending += work;
    return simulate_job_add(
        sim, (simulate_job){.release = fmax(come, ready), .work = work, .flow = dst}, n,
        part);
}

/* Lists the parts that a position merges: by segments, then as it receives. */
static status list_merges(simulate_simulator *sim, int dst, int round)
{
    const int64_t end = receives_end(sim, dst, round);
    const double release = sim->machine->overlaps ? 0 : find_release(sim, dst, end);
    int64_t first = INT64_MAX, last = -1;
    for (int64_t at = sim->receive_at[dst]; at < end; at++) {
        const composite_range r =
            range_of(&sim->messages.sends[sim->messages.receives[at]]);
        const int64_t begin = simulate_segment_of(sim, r.pix0);
        const int64_t until = simulate_segment_of(sim, r.pix1 - 1);
        first = begin < first ? begin : first;
        last = until > last ? until : last;
    }
    status s = STATUS_OK;
    for (int64_t segment = first; segment <= last && s == STATUS_OK; segment++) {
        for (int64_t at = sim->receive_at[dst]; at < end && s == STATUS_OK; at++) {
            const int64_t n = sim->messages.receives[at];
            const composite_range r = range_of(&sim->messages.sends[n]);
            const int64_t i = segment - simulate_segment_of(sim, r.pix0);
            if (i >= 0 && i < simulate_part_count(sim, r) &&
                !is_empty(sim, &sim->messages.sends[n], i)) {
                s = list_merge(sim, dst, n, i, release);
            }
        }
    }
    sim->receive_at[dst] = end;
    return s;
}

static status merge_at_host(simulate_simulator *sim, int host, int round)
{
    const simulate_groups *hosts = &sim->hosts;
    simulate_work *work = &sim->work;
    status s = STATUS_OK;
    work->njobs = 0;
    for (int m = hosts->begin[host]; m < hosts->begin[host + 1] && s == STATUS_OK; m++) {
        s = list_merges(sim, hosts->members[m], round);
    }
    if (s != STATUS_OK || work->njobs == 0) {
        return s;
    }
    s = simulate_cores_serve(sim, host);
    simulate_round *at = &sim->rounds[sim->nrounds - 1];
    for (int64_t j = 0; j < work->njobs; j++) {
        const int64_t n = work->job_messages[j];
        const simulate_message *message = &sim->messages.sends[n];
        double *ready =
            ready_of(sim, message->dst,
                     find_part(sim, message, work->job_parts[j] - sim->part0[n]));
        simulate_rank *rank = &sim->ranks[message->dst];
        *ready = fmax(*ready, work->jobs[j].finish);
        rank->finish = fmax(rank->finish, work->jobs[j].finish);
        at->finish = fmax(at->finish, work->jobs[j].finish);
        if (work->jobs[j].work > 0 || sim->messages.is_given) {
            note_part(sim, SIMULATE_EVENT_BLEND, j, work->jobs[j].start,
                      work->jobs[j].finish);
        }
    }
    return s;
}

/* ---- A round ----------------------------------------------------------------------- */

/* Numbers the parts of the round's messages. */
static status number_parts(simulate_simulator *sim, int n)
{
    int64_t count = 0;
    for (int64_t i = sim->round0[n]; i < sim->round0[n + 1]; i++) {
        const int message = sim->by_round[i];
        sim->part0[message] = count;
        count += simulate_part_count(sim, range_of(&sim->messages.sends[message]));
    }
    return SIMULATE_GROW(sim, work.parts, count);
}

typedef status visit_group(simulate_simulator *sim, int group, int round);

/* Visits the groups that have a sender, or a receiver, of the round, each once. */
static status visit_groups(simulate_simulator *sim, int n, const simulate_groups *groups,
                           bool sends, visit_group *visit)
{
    status s = STATUS_OK;
    sim->stamp++;
    for (int64_t i = sim->round0[n]; i < sim->round0[n + 1] && s == STATUS_OK; i++) {
        const int message = sim->by_round[i];
        const int position =
            sends ? sim->messages.senders[message] : sim->messages.sends[message].dst;
        const int group = groups->of[position];
        if (sim->seen[group] != sim->stamp) {
            sim->seen[group] = sim->stamp;
            s = visit(sim, group, sim->messages.sends[message].round);
        }
    }
    return s;
}

status simulate_round_pass(simulate_simulator *sim, int n)
{
    status s = number_parts(sim, n);
    s = s == STATUS_OK ? visit_groups(sim, n, &sim->hosts, true, prepare_host) : s;
    s = s == STATUS_OK ? visit_groups(sim, n, &sim->nodes, true, send_from_node) : s;
    s = s == STATUS_OK ? visit_groups(sim, n, &sim->nodes, false, receive_at_node) : s;
    return s == STATUS_OK ? visit_groups(sim, n, &sim->nodes, true, wait_for_receivers)
                          : s;
}

status simulate_round_run(simulate_simulator *sim, int n)
{
    const status s = simulate_round_pass(sim, n);
    return s == STATUS_OK ? visit_groups(sim, n, &sim->hosts, false, merge_at_host) : s;
}

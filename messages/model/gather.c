/* The gathering: finished pixels on their way to the root. */
#include "engine.h"

#include <math.h>

static composite_range range_of(const simulate_piece *piece)
{
    return (composite_range){piece->pix0, piece->pix0 + piece->npix};
}

static double *ready_of(simulate_simulator *sim, int position, composite_range pixels)
{
    return &sim->ready[position * sim->segments + simulate_segment_of(sim, pixels.pix0)];
}

/* Finds the first piece of each position, and the first part of each piece. */
static status number_pieces(simulate_simulator *sim)
{
    const simulate_messages *m = &sim->messages;
    status s = SIMULATE_GROW(sim, part0, m->npieces + 1);
    if (s != STATUS_OK) {
        return s;
    }
    int64_t piece = 0, parts = 0;
    for (int q = 0; q < sim->size; q++) {
        sim->send_at[q] = piece;
        for (; piece < m->npieces && m->pieces[piece].position == q; piece++) {
            sim->part0[piece] = parts;
            parts += simulate_part_count(sim, range_of(&m->pieces[piece]));
        }
    }
    sim->send_at[sim->size] = piece;
    sim->part0[m->npieces] = parts;
    return SIMULATE_GROW(sim, work.parts, parts);
}

static double gather_bytes(const simulate_simulator *sim, int64_t piece, int64_t i)
{
    return simulate_payload_of(
               sim, 0, sim->size,
               simulate_part_range(sim, range_of(&sim->messages.pieces[piece]), i),
               sim->of->problem.gather_bytes)
        .bytes;
}

static status add_part(simulate_simulator *sim, int64_t piece, int64_t i, bool sends)
{
    const simulate_piece *of = &sim->messages.pieces[piece];
    const int64_t part = sim->part0[piece] + i;
    const double bytes = gather_bytes(sim, piece, i);
    const double ready =
        *ready_of(sim, of->position, simulate_part_range(sim, range_of(of), i));
    if (sends) {
        simulate_traffic_add(sim, of->position, sim->of->problem.root, bytes);
        sim->rounds[sim->nrounds - 1].messages += i == 0;
    }
    return simulate_job_add(
        sim,
        (simulate_job){.release = sends ? ready : sim->work.parts[part].start,
                       .work = simulate_link_time(&sim->machine->between, bytes),
                       .flow = piece},
        piece, part);
}

/* Lists the parts of a position's pieces, to be sent or received. */
static status list_position(simulate_simulator *sim, int q, bool sends)
{
    status s = STATUS_OK;
    for (int64_t p = sim->send_at[q]; p < sim->send_at[q + 1]; p++) {
        const int64_t count =
            simulate_part_count(sim, range_of(&sim->messages.pieces[p]));
        for (int64_t i = 0; i < count && s == STATUS_OK; i++) {
            s = add_part(sim, p, i, sends);
        }
    }
    return s;
}

static status list_node(simulate_simulator *sim, int node)
{
    status s = STATUS_OK;
    const int end = sim->nodes.begin[node + 1];
    for (int m = sim->nodes.begin[node]; m < end && s == STATUS_OK; m++) {
        s = list_position(sim, sim->nodes.members[m], true);
    }
    return s;
}

static void note(const simulate_simulator *sim, int64_t j, simulate_event_kind kind)
{
    const int64_t piece = sim->work.job_messages[j];
    const int64_t part = sim->work.job_parts[j];
    const int from = sim->messages.pieces[piece].position;
    const int root = sim->of->problem.root;
    const bool sends = kind == SIMULATE_EVENT_SEND;
    if (sim->of->visit) {
        const simulate_event event = {kind,
                                      sends ? from : root,
                                      sends ? root : from,
                                      SIMULATE_GATHER_ROUND,
                                      sim->work.jobs[j].start,
                                      sim->work.jobs[j].finish,
                                      gather_bytes(sim, piece, part - sim->part0[piece]),
                                      part};
        simulate_event_note(sim, &event);
    }
}

static status gather_send(simulate_simulator *sim, int node)
{
    sim->work.njobs = 0;
    status s = list_node(sim, node);
    if (s != STATUS_OK || sim->work.njobs == 0) {
        return s;
    }
    s = simulate_ports_serve(sim, node, true);
    const double latency = sim->machine->between.latency;
    for (int64_t j = 0; j < sim->work.njobs; j++) {
        simulate_part *part = &sim->work.parts[sim->work.job_parts[j]];
        part->start = sim->work.jobs[j].start + latency;
        part->finish = sim->work.jobs[j].finish + latency;
        note(sim, j, SIMULATE_EVENT_SEND);
    }
    return s;
}

/* The root puts the pixels in their place, as they come. */
static status place(simulate_simulator *sim)
{
    const double delta = sim->machine->delta;
    simulate_work *work = &sim->work;
    const int root = sim->of->problem.root;
    for (int64_t j = 0; j < work->njobs; j++) {
        simulate_job *job = &work->jobs[j];
        *job = (simulate_job){
            .release = work->parts[work->job_parts[j]].finish,
            .work = delta *
                    gather_bytes(sim, work->job_messages[j],
                                 work->job_parts[j] - sim->part0[work->job_messages[j]]),
            .flow = j};
    }
    const status s =
        simulate_station_serve(&sim->cores[sim->hosts.of[root]], 1, SIMULATE_FIFO,
                               work->jobs, work->njobs, &sim->scratch);
    for (int64_t j = 0; j < work->njobs; j++) {
        simulate_rank *rank = &sim->ranks[root];
        rank->finish = fmax(rank->finish, work->jobs[j].finish);
    }
    return s;
}

static status list_all(simulate_simulator *sim)
{
    const int own = sim->nodes.of[sim->of->problem.root];
    status s = STATUS_OK;
    sim->work.njobs = 0;
    for (int q = 0; q < sim->size && s == STATUS_OK; q++) {
        s = sim->nodes.of[q] == own ? STATUS_OK : list_position(sim, q, false);
    }
    return s;
}

static status gather_receive(simulate_simulator *sim)
{
    const int own = sim->nodes.of[sim->of->problem.root];
    simulate_work *work = &sim->work;
    status s = STATUS_OK;
    if (work->njobs == 0) {
        return s;
    }
    const bool is_limited = sim->machine->receive_ports > 0 || sim->machine->half_duplex;
    s = is_limited ? simulate_ports_serve(sim, own, false) : STATUS_OK;
    for (int64_t j = 0; j < work->njobs; j++) {
        simulate_part *part = &work->parts[work->job_parts[j]];
        if (is_limited) {
            part->finish = fmax(part->finish, work->jobs[j].finish);
        }
        note(sim, j, SIMULATE_EVENT_RECEIVE);
    }
    return s == STATUS_OK ? place(sim) : s;
}

/* Rounds both ways keep the ports of a node busy longer than their bytes do. The rest is
 * free for finished pixels, which go one way. */
static void free_ports(simulate_simulator *sim)
{
    const double share = 1 / simulate_slowdown(sim);
    for (int node = 0; node < sim->nodes.count && share < 1; node++) {
        simulate_card *card = &sim->cards[node];
        if (card->goes_both_ways) {
            simulate_station_free(&card->out, share);
            simulate_station_free(&card->in, share);
        }
    }
}

static status gather_begin(simulate_simulator *sim)
{
    sim->rounds[sim->nrounds++] = (simulate_round){.round = SIMULATE_GATHER_ROUND};
    free_ports(sim);
    return number_pieces(sim);
}

status simulate_gather_run(simulate_simulator *sim)
{
    const int own = sim->nodes.of[sim->of->problem.root];
    status s = gather_begin(sim);
    for (int node = 0; node < sim->nodes.count && s == STATUS_OK; node++) {
        s = node == own ? STATUS_OK : gather_send(sim, node);
    }
    s = s == STATUS_OK ? list_all(sim) : s;
    s = s == STATUS_OK ? gather_receive(sim) : s;
    sim->rounds[sim->nrounds - 1].finish = sim->ranks[sim->of->problem.root].finish;
    return s;
}

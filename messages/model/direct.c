/*
 * Direct-send among so many ranks that its n (n - 1) messages fit nowhere.
 *
 * All senders do the same, each to all others, so the time of a message follows from its
 * place in its sender's order:
 *
 *     one after another   step s of a sender leaves at s (a + b n)
 *     all at once         all messages leave together, after n - 1 such times
 *
 * A receiver then takes n - 1 messages as they come. Some receivers are simulated so, as
 * a stream, evenly spread over all positions; others are between their neighbours of
 * these.
 */
#include "engine.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 33 };

/* The receivers that are simulated, and the times at which they have merged. */
typedef struct samples {
    int count;
    int position[SAMPLES + 1];
    double finish[SAMPLES + 1];
} samples;

typedef struct stream {
    simulate_simulator *sim;
    int position;
    double occupied; /* s of a port by a message of mean size */
    int64_t received;
    status result;
} stream;

bool simulate_direct_applies(const simulate_case *of)
{
    const int64_t size = of->problem.size;
    return of->algorithm == composite_algorithm_find("direct-send") &&
           size * (size - 1) > SIMULATE_MANY_MESSAGES &&
           composite_schedule_is_direct(of->algorithm, &of->problem) &&
           !of->problem.nodes && !of->nodes && !of->late && !of->visit &&
           !(of->activity && of->activity->spans);
}

/* The step in which member `me` sends to `to`: the inverse of composite_outward_send. */
static int find_step(int members, int me, int to)
{
    const int own = members - 1 - me, other = members - 1 - to;
    const int behind = members - 1 - own;
    const int paired = own < behind ? own : behind;
    const int distance = abs(other - own);
    return distance <= paired ? 2 * (distance - 1) + (other > own ? 1 : 0)
                              : distance + paired - 1;
}

/* The time at which a message of so many bytes, and seconds of a port, begins and ends to
 * leave its sender. */
static simulate_part leave(const stream *at, int src, double bytes, double work)
{
    const simulate_machine *machine = at->sim->machine;
    const int steps = at->sim->size - 1;
    const double prepared = machine->delta * bytes;
    if (!machine->is_fifo) {
        const double share = fmin(1, (double)machine->ports / steps);
        return (simulate_part){prepared, prepared + work / share};
    }
    const int step = find_step(at->sim->size, src, at->position);
    const int turn = step / machine->ports;
    const double begin = prepared + turn * at->occupied;
    return (simulate_part){begin, begin + work};
}

static int visit_op(const composite_op *op, void *context)
{
    stream *at = context;
    if (op->dst != at->position) {
        return 0;
    }
    const simulate_machine *machine = at->sim->machine;
    const double bytes = (double)op->npix * COMPOSITE_PIXEL_BYTES;
    const double work =
        simulate_slowdown(at->sim) * simulate_link_time(&machine->between, bytes);
    const simulate_part part = leave(at, op->src, bytes, work);
    at->result = SIMULATE_GROW(at->sim, work.parts, at->received + 1);
    if (at->result == STATUS_OK) {
        at->sim->work.parts[at->received] =
            (simulate_part){part.start, part.finish + machine->between.latency};
        at->result = simulate_job_add(
            at->sim,
            (simulate_job){.release = part.start + machine->between.latency,
                           .work = work,
                           .flow = op->src},
            op->npix, at->received++);
    }
    return at->result != STATUS_OK;
}

/* The messages of the receiver pass its ports. */
static status pass_ports(simulate_simulator *sim, double *last)
{
    simulate_work *work = &sim->work;
    status s = STATUS_OK;
    if (sim->machine->receive_ports > 0 || sim->machine->half_duplex) {
        s = simulate_ports_serve(sim, 0, false);
    }
    *last = 0;
    for (int64_t j = 0; j < work->njobs; j++) {
        simulate_part *part = &work->parts[j];
        const bool limited = sim->machine->receive_ports > 0 || sim->machine->half_duplex;
        part->finish = limited ? fmax(part->finish, work->jobs[j].finish) : part->finish;
        *last = fmax(*last, part->finish);
    }
    return s;
}

/* The receiver merges them, in the order of its stream. */
static status merge(simulate_simulator *sim, double last, double *finish)
{
    const simulate_machine *machine = sim->machine;
    simulate_work *work = &sim->work;
    for (int64_t j = 0; j < work->njobs; j++) {
        const double npix = (double)work->job_messages[j];
        work->jobs[j] = (simulate_job){
            .release = machine->overlaps ? work->parts[j].finish : last,
            .work = npix * (machine->gamma + COMPOSITE_PIXEL_BYTES * machine->delta)};
    }
    const status s = simulate_cores_serve(sim, 0);
    for (int64_t j = 0; j < work->njobs; j++) {
        *finish = fmax(*finish, work->jobs[j].finish);
    }
    return s;
}

/* Simulates one receiver, from the time at which it has sent all of its own. */
static status run_receiver(stream *at, double *finish)
{
    simulate_simulator *sim = at->sim;
    sim->cards[0].out = sim->cards[0].in = sim->cores[0] = (simulate_station){0};
    const double sending =
        at->occupied * (sim->size - 1) / fmin(sim->machine->ports, sim->size - 1);
    if (sim->machine->half_duplex) {
        sim->cards[0].out = (simulate_station){1, {{0, sending, 1}}};
    }
    sim->work.njobs = 0;
    at->received = 0;
    at->result = STATUS_OK;
    composite_schedule_generate(sim->of->algorithm, &sim->of->problem, &sim->of->params,
                                at->position, visit_op, at);
    double last = 0;
    *finish = 0;
    if (at->result != STATUS_OK || sim->work.njobs == 0) {
        return at->result;
    }
    const status s = pass_ports(sim, &last);
    return s == STATUS_OK ? merge(sim, fmax(last, sending), finish) : s;
}

static int compare_positions(const void *left, const void *right)
{
    const int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

/* Positions from the first to the last, and the root. */
static samples choose_samples(const simulate_simulator *sim)
{
    samples all = {.count = 0};
    const int count = sim->size < SAMPLES ? sim->size : SAMPLES;
    for (int i = 0; i < count; i++) {
        all.position[all.count++] =
            count > 1 ? (int)((int64_t)i * (sim->size - 1) / (count - 1)) : 0;
    }
    all.position[all.count++] = sim->of->problem.root;
    qsort(all.position, (size_t)all.count, sizeof *all.position, compare_positions);
    return all;
}

/* The time at which a position has merged, from the samples beside it. */
static double find_finish(const samples *all, int position)
{
    int i = 0;
    while (i < all->count && all->position[i] < position) {
        i++;
    }
    if (i == 0 || all->position[i] == position) {
        return all->finish[i];
    }
    const double way = (double)(position - all->position[i - 1]) /
                       (double)(all->position[i] - all->position[i - 1]);
    return all->finish[i - 1] + way * (all->finish[i] - all->finish[i - 1]);
}

/* The root receives the finished pieces of all others. */
static status gather(simulate_simulator *sim, const samples *all, double *finish)
{
    const composite_problem *problem = &sim->of->problem;
    const simulate_machine *machine = sim->machine;
    const double bytes = (double)problem->pixels / sim->size * problem->gather_bytes;
    const double work = simulate_link_time(&machine->between, bytes);
    status s = SIMULATE_GROW(sim, work.parts, sim->size);
    sim->work.njobs = 0;
    for (int q = 0; q < sim->size && s == STATUS_OK; q++) {
        const double begin = find_finish(all, q) + machine->between.latency;
        if (q != problem->root) {
            sim->work.parts[sim->work.njobs] = (simulate_part){begin, begin + work};
            s = simulate_job_add(
                sim, (simulate_job){.release = begin, .work = work, .flow = q}, q,
                sim->work.njobs);
        }
    }
    sim->cards[0].in = (simulate_station){0};
    double last = 0;
    s = s == STATUS_OK && sim->work.njobs > 0 ? pass_ports(sim, &last) : s;
    *finish = fmax(find_finish(all, problem->root), last);
    return s;
}

static void count_messages(const simulate_simulator *sim, double merged, double finish,
                           simulate_result *result)
{
    const composite_problem *problem = &sim->of->problem;
    const double others = sim->size - 1;
    const double pixels = (double)problem->pixels;
    const double sent = pixels * others / sim->size * COMPOSITE_PIXEL_BYTES;
    const bool gathers = problem->gather_bytes > 0;
    const double finished = gathers ? problem->gather_bytes * pixels / sim->size : 0;
    const simulate_machine *machine = sim->machine;
    const double mean = pixels / sim->size * COMPOSITE_PIXEL_BYTES;
    const double agreement = simulate_agreement(sim);
    const double before = sim->of->has_begun ? 0 : agreement;
    merged += before;
    finish += before;
    sim->rounds[0] = (simulate_round){0, (int64_t)sim->size * (sim->size - 1),
                                      sent * sim->size, merged};
    sim->rounds[1] = (simulate_round){SIMULATE_GATHER_ROUND, (int64_t)others,
                                      finished * others, finish};
    *result = (simulate_result){
        .seconds = finish + agreement,
        .merged = merged,
        .bound = others * simulate_link_time(&machine->between, mean) *
                 (machine->half_duplex ? 2 : 1) / machine->ports,
        .messages = sim->rounds[0].messages + (gathers ? sim->rounds[1].messages : 0),
        .bytes = sent * sim->size + finished * others,
        .most_bytes = sent + finished,
        .nrounds = gathers ? 2 : 1,
        .rounds = sim->rounds};
}

status simulate_direct_run(simulate_simulator *sim, simulate_result *result)
{
    const double mean = (double)sim->of->problem.pixels / sim->size;
    stream at = {.sim = sim,
                 .occupied = simulate_slowdown(sim) *
                             simulate_link_time(&sim->machine->between,
                                                mean * COMPOSITE_PIXEL_BYTES)};
    status s = SIMULATE_GROW(sim, cards, 1);
    s = s == STATUS_OK ? SIMULATE_GROW(sim, cores, 1) : s;
    s = s == STATUS_OK ? SIMULATE_GROW(sim, rounds, 2) : s;
    sim->has_host = false;
    samples all = choose_samples(sim);
    double merged = 0;
    for (int i = 0; i < all.count && s == STATUS_OK; i++) {
        at.position = all.position[i];
        s = run_receiver(&at, &all.finish[i]);
        merged = fmax(merged, all.finish[i]);
    }
    double finish = merged;
    if (s == STATUS_OK && sim->of->problem.gather_bytes > 0) {
        s = gather(sim, &all, &finish);
        finish = fmax(finish, merged);
    }
    if (s == STATUS_OK) {
        count_messages(sim, merged, finish, result);
    }
    return s;
}

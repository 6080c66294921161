#include "measure.h"

#include "exchange.h"

#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "base/version.h"
#include "composite/pixels/merge.h"
#include "io/file.h"
#include "machine_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    BURST_BYTES = 256 << 10,
    SIDE = 512 /* pixels of an image of 4 MiB, beyond the caches of a core */
};

/* Sizes of messages in bytes. */
static const int sizes[] = {0,     256,    1024,   4096,    16384,
                            65536, 262144, 524288, 1048576, SIMULATE_MOST_BYTES};

enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* ---- Links ------------------------------------------------------------------------- */

/* Seconds of one message of a stream, and of the stream's answer with it. */
static double measure_stream(const simulate_measuring *m, int bytes, int a, int b)
{
    return simulate_exchange_time_pair(m, simulate_exchange_stream, bytes, a, b) /
           simulate_exchange_count(bytes);
}

/* The same for each size. Other work may hold up a link for longer than all runs of one
 * stream take: such streams run again. */
static void measure_streams(const simulate_measuring *m, int a, int b,
                            simulate_point points[SIZES])
{
    enum { MOST_AGAIN = 4 };
    for (int i = 0; i < SIZES; i++) {
        points[i] = (simulate_point){sizes[i], measure_stream(m, sizes[i], a, b)};
    }
    for (int n = 0; n < MOST_AGAIN; n++) {
        const int i = simulate_points_find_stalled(SIZES, points);
        if (i < 0) {
            return;
        }
        points[i].seconds = fmin(points[i].seconds, measure_stream(m, sizes[i], a, b));
    }
}

/* Latency, and the time of a port for each size, of messages from `a` to `b`. */
static simulate_link measure_link(const simulate_measuring *m, int a, int b)
{
    simulate_link link = {.npoints = SIZES};
    simulate_point all[SIZES];
    const double trip =
        simulate_exchange_time_pair(m, simulate_exchange_ping_pong, 0, a, b) / 2;
    measure_streams(m, a, b, all);
    for (int i = 0; i < SIZES; i++) {
        const double back = trip; /* of the answer */
        const double rest =
            (back + (i > 0 ? link.latency : 0)) / simulate_exchange_count(sizes[i]);
        const double one = fmax(0, all[i].seconds - rest);
        if (i == 0) {
            link.latency = fmax(0, trip - one);
        }
        link.points[i] = (simulate_point){
            sizes[i], i > 0 ? fmax(one, link.points[i - 1].seconds) : one};
    }
    link.overhead = link.points[0].seconds;
    const simulate_point *last = &link.points[SIZES - 1];
    link.beta = (last->seconds - last[-1].seconds) / (last->bytes - last[-1].bytes);
    return link;
}

/* The n-th rank of a node; -1: it has fewer. */
static int rank_of(const simulate_measuring *m, int node, int n)
{
    for (int r = 0; r < m->ranks; r++) {
        if (m->nodes[r] == node && n-- == 0) {
            return r;
        }
    }
    return -1;
}

/* The latency between the first two ranks of a node. */
static void measure_near(const simulate_measuring *m, simulate_machine *machine)
{
    for (int node = 0; node < m->nnodes; node++) {
        const int a = rank_of(m, node, 0), b = rank_of(m, node, 1);
        if (b >= 0) {
            machine->within.latency =
                simulate_exchange_time_pair(m, simulate_exchange_ping_pong, 8, a, b) / 2;
            return;
        }
    }
}

/* Ranks of the first node stream to those of the second, one pair, then all pairs at
 * once: ports are the factor by which more bytes pass. */
static int measure_ports(const simulate_measuring *m, const simulate_link *link)
{
    int peer = -1, pairs = 0;
    bool is_first = false;
    for (int n = 0; rank_of(m, 0, n) >= 0 && rank_of(m, 1, n) >= 0; n++, pairs++) {
        const int a = rank_of(m, 0, n), b = rank_of(m, 1, n);
        if (simulate_exchange_peer(m, a, b) >= 0) {
            peer = simulate_exchange_peer(m, a, b);
            is_first = m->rank == a;
        }
    }
    if (pairs < 2) {
        return 1;
    }
    const double all = simulate_exchange_time(m, simulate_exchange_stream,
                                              SIMULATE_MOST_BYTES, peer, is_first)
                           .least;
    const double one = SIMULATE_STREAM * link->points[SIZES - 1].seconds;
    const int ports = (int)lround(pairs * one / all);
    return ports < 1 ? 1 : ports;
}

/* Whether two ranks that send to each other take much longer than one alone. */
static bool is_half_duplex(const simulate_measuring *m, const simulate_link *link, int a,
                           int b)
{
    const double both = simulate_exchange_time_pair(m, simulate_exchange_both_ways,
                                                    SIMULATE_DUPLEX_BYTES, a, b);
    const double one = SIMULATE_DUPLEX * simulate_link_time(link, SIMULATE_DUPLEX_BYTES);
    return both > 1.6 * one;
}

/* The factor by which messages take longer if ranks of pairs of nodes send to each other,
 * all pairs at once, than if one rank sends alone. By the median: some runs stall. */
static double measure_duplex(const simulate_measuring *m, const simulate_link *link,
                             double burst)
{
    int peer = -1;
    bool is_first = false;
    for (int node = 0; node + 1 < m->nnodes; node += 2) {
        const int a = rank_of(m, node, 0), b = rank_of(m, node + 1, 0);
        peer =
            simulate_exchange_peer(m, a, b) >= 0 ? simulate_exchange_peer(m, a, b) : peer;
        is_first = is_first || m->rank == a;
    }
    const double both = simulate_exchange_time(m, simulate_exchange_both_ways,
                                               SIMULATE_DUPLEX_BYTES, peer, is_first)
                            .median +
                        burst;
    const double one = SIMULATE_DUPLEX * simulate_link_time(link, SIMULATE_DUPLEX_BYTES);
    return one > 0 ? fmax(1, both / one) : 1;
}

static void one_message(const simulate_measuring *m, int bytes, int peer, bool is_first)
{
    if (is_first) {
        simulate_exchange_send(m, bytes, peer);
        simulate_exchange_receive(m, 0, peer);
    } else {
        simulate_exchange_receive(m, bytes, peer);
        simulate_exchange_send(m, 0, peer);
    }
}

/* The seconds by which a message is faster after a pause than in a stream; 0 if that is
 * little. The links' buffers may let some bytes pass at once: the first ones of the
 * stream, too. By the least time, as those of links. */
static double measure_burst(const simulate_measuring *m, const simulate_link *link, int a,
                            int b)
{
    const struct timespec pause = {0, 20000000};
    const double stream_time = simulate_link_time(link, BURST_BYTES);
    const double count = simulate_exchange_count(BURST_BYTES);
    double least = INFINITY;
    for (int i = 0; i < 2 * SIMULATE_REPEATS; i++) {
        simulate_exchange_synchronize(m);
        nanosleep(&pause, NULL);
        simulate_exchange_synchronize(m);
        const double begin = base_clock();
        if (simulate_exchange_peer(m, a, b) >= 0) {
            one_message(m, BURST_BYTES, simulate_exchange_peer(m, a, b), m->rank == a);
        }
        const double mine =
            simulate_exchange_peer(m, a, b) >= 0 ? base_clock() - begin : 0;
        double slower;
        parallel_allreduce(&mine, &slower, 1, MPI_DOUBLE, MPI_MAX, m->comm);
        least = fmin(least, slower);
    }
    const double saved =
        stream_time - fmax(0, least - 2 * link->latency - link->overhead);
    return saved > 0.2 * stream_time ? saved * count / (count - 1) : 0;
}

/* Adds what idle ports did at once to the streams that were measured, if bytes took most
 * of their time. */
static void take_burst_off(simulate_link *link, double burst)
{
    enum { MOSTLY = 4 };
    for (int i = 1; i < SIZES; i++) {
        simulate_point *point = &link->points[i];
        if (point->seconds > MOSTLY * link->overhead) {
            point->seconds += burst / simulate_exchange_count(sizes[i]);
        }
        point->seconds = fmax(point->seconds, point[-1].seconds);
    }
}

static void agree(const simulate_measuring *m, int bytes, int peer, bool is_first)
{
    int mine = 0, all;
    (void)bytes;
    (void)peer;
    (void)is_first;
    parallel_allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, m->comm);
}

/* A step of an agreement of all ranks. By the median: it waits for the slowest rank, as
 * it does in frames. */
static double measure_agreement(const simulate_measuring *m)
{
    int steps = 0;
    while (1 << steps < m->ranks) {
        steps++;
    }
    return simulate_exchange_time(m, agree, 0, m->rank, false).median / steps;
}

/* Processor seconds for a byte of a message at one end: of a rank that mostly sleeps
 * while it waits, so that polling counts little. */
static double measure_bytes(const simulate_measuring *m, int a, int b)
{
    const struct timespec pause = {0, 200000};
    const int peer = simulate_exchange_peer(m, a, b);
    const double before = base_cpu_clock();
    if (peer >= 0) {
        for (int i = 0; i < SIMULATE_STREAM; i++) {
            MPI_Request request;
            int done = 0;
            if (m->rank == a) {
                MPI_Isend(m->buffer, SIMULATE_MOST_BYTES, MPI_BYTE, peer, 3, m->comm,
                          &request);
            } else {
                MPI_Irecv(m->buffer, SIMULATE_MOST_BYTES, MPI_BYTE, peer, 3, m->comm,
                          &request);
            }
            while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done) {
                nanosleep(&pause, NULL);
            }
        }
    }
    const double mine = peer >= 0 ? base_cpu_clock() - before : 0;
    double both;
    parallel_allreduce(&mine, &both, 1, MPI_DOUBLE, MPI_SUM, m->comm);
    return both / 2 / ((double)SIMULATE_STREAM * SIMULATE_MOST_BYTES);
}

/* ---- Blending ---------------------------------------------------------------------- */

/* The least processor seconds to blend a pixel: of this rank, if it `takes_part`; else 0.
 */
static double blend(const simulate_measuring *m, bool takes_part)
{
    double least = INFINITY;
    for (int i = 0; i < 4 * SIMULATE_REPEATS && takes_part; i++) {
        const double begin = base_thread_clock();
        const composite_layer layer = {.img = m->front,
                                       .active = m->front->active,
                                       .npix = (int64_t)SIDE * SIDE,
                                       .in_front = true};
        const composite_sink in_place = {.img = m->back};
        composite_merge_layers(COMPOSITE_OVER, m->back,
                               (composite_range){0, (int64_t)SIDE * SIDE}, &layer, 1,
                               &in_place);
        least = fmin(least, base_thread_clock() - begin);
    }
    return takes_part ? least / SIDE / SIDE : 0;
}

/* Of one rank alone, and of all at once, which share the memory: the slower. */
static double measure_blending(const simulate_measuring *m)
{
    double most = 0;
    for (int all = 0; all < 2; all++) {
        simulate_exchange_synchronize(m);
        const double mine = blend(m, all || m->rank == 0);
        double slowest;
        parallel_allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, m->comm);
        most = fmax(most, slowest);
    }
    return most;
}

/* ---- Cores ------------------------------------------------------------------------- */

/* A number that is the same on all ranks of one operating system. */
static long long find_system(void)
{
    char id[64] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (file) {
        if (!fgets(id, sizeof id, file)) {
            id[0] = '\0';
        }
        fclose(file);
    }
    long long hash = 0;
    for (const char *c = id; *c; c++) {
        hash = (hash * 31 + *c) % 1000003;
    }
    return hash;
}

/* Whether all nodes are one machine, as in a network that is emulated. */
static bool is_one_host(const simulate_measuring *m)
{
    const long long mine[2] = {find_system(), -find_system()};
    long long least[2];
    parallel_allreduce(mine, least, 2, MPI_LONG_LONG, MPI_MIN, m->comm);
    return m->nnodes > 1 && least[0] == -least[1] && least[0] != 0;
}

static int count_cores(const simulate_measuring *m)
{
    const int mine = (int)sysconf(_SC_NPROCESSORS_ONLN);
    int least;
    parallel_allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, m->comm);
    return least < 1 ? 1 : least;
}

/* ---- The machine ------------------------------------------------------------------- */

static simulate_machine measure(const simulate_measuring *m)
{
    simulate_machine machine = {
        .ports = 1, .receive_ports = 1, .duplex = 1, .overlaps = true};
    const bool has_nodes = m->nnodes > 1;
    const int a = rank_of(m, 0, 0);
    const int far = has_nodes ? rank_of(m, 1, 0) : rank_of(m, 0, 1);
    machine.between = measure_link(m, a, far);
    measure_near(m, &machine);
    if (has_nodes) {
        machine.burst = measure_burst(m, &machine.between, a, far);
        take_burst_off(&machine.between, machine.burst);
        machine.ports = machine.receive_ports = measure_ports(m, &machine.between);
        machine.half_duplex = is_half_duplex(m, &machine.between, a, far);
        machine.duplex =
            machine.half_duplex ? 1 : measure_duplex(m, &machine.between, machine.burst);
        machine.is_mixed = true;
    }
    machine.agree = measure_agreement(m);
    machine.delta = measure_bytes(m, a, far);
    machine.gamma = measure_blending(m);
    machine.cores = count_cores(m);
    machine.one_host = is_one_host(m);
    snprintf(machine.name, sizeof machine.name, "%d node%s, %d core%s%s", m->nnodes,
             has_nodes ? "s" : "", machine.cores, machine.cores == 1 ? "" : "s",
             machine.one_host ? " of one machine" : " each");
    return machine;
}

static json_t *describe(const simulate_measuring *m)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING], host[256] = "";
    int length;
    MPI_Get_library_version(library, &length);
    library[strcspn(library, "\n")] = '\0';
    gethostname(host, sizeof host - 1);
    return json_pack("{s:s, s:s, s:s, s:i, s:i}", "version", base_version(), "mpi",
                     library, "host", host, "ranks", m->ranks, "nodes", m->nnodes);
}

void simulate_measure_print(const char *name, const simulate_machine *machine)
{
    const simulate_point *top = &machine->between.points[SIZES - 1];
    printf("%s: %s; latency %.3g us, %.4g MB/s, %d port%s, %.3g ns to blend a pixel\n",
           name, machine->name, 1e6 * machine->between.latency,
           1e-6 * top->bytes / top->seconds, machine->ports,
           machine->ports == 1 ? "" : "s", 1e9 * machine->gamma);
}

static void find_nodes(simulate_measuring *m)
{
    MPI_Comm node;
    parallel_split_nodes(m->comm, &node);
    parallel_number_nodes(m->comm, node, m->nodes);
    MPI_Comm_free(&node);
    /* They are called after their lowest rank: counts them instead. */
    for (int r = 0; r < m->ranks; r++) {
        m->nodes[r] = m->nodes[r] == r ? m->nnodes++ : m->nodes[m->nodes[r]];
    }
}

/* An image that is half transparent everywhere. */
static status make_image(image **out)
{
    const status s = image_create(SIDE, SIDE, false, out);
    for (int64_t i = 0; i < 4 * (int64_t)SIDE * SIDE && s == STATUS_OK; i++) {
        (*out)->rgba[i] = 0.5f;
    }
    if (s == STATUS_OK) {
        (*out)->active = (pixel_rect){0, 0, SIDE, SIDE};
    }
    return s;
}

/* Everything that can fail, before any message. */
static status prepare(simulate_measuring *m)
{
    const size_t stream_bytes = (size_t)SIMULATE_STREAM * SIMULATE_MOST_BYTES;
    const size_t duplex_bytes = (size_t)2 * SIMULATE_DUPLEX * SIMULATE_DUPLEX_BYTES;
    const size_t bytes = stream_bytes > duplex_bytes ? stream_bytes : duplex_bytes;
    m->nodes = malloc((size_t)m->ranks * sizeof *m->nodes);
    m->buffer = calloc(bytes, 1);
    if (!m->nodes || !m->buffer) {
        return base_fail_memory(bytes, "messages that are measured");
    }
    const status s = make_image(&m->front);
    return s == STATUS_OK ? make_image(&m->back) : s;
}

status simulate_measure(MPI_Comm comm, simulate_machine *machine, json_t **about)
{
    simulate_measuring m = {.rank = parallel_rank(comm), .ranks = parallel_size(comm)};
    *about = NULL;
    if (m.ranks < 2) {
        return base_fail(STATUS_USAGE, "--measure sends messages between ranks: start it "
                                       "with mpiexec and at least 2 of them");
    }
    parallel_dup(comm, &m.comm);
    status s = parallel_agree(m.comm, prepare(&m));
    if (s == STATUS_OK) {
        find_nodes(&m);
        *machine = measure(&m);
        *about = m.rank == 0 ? describe(&m) : NULL;
    }
    free(m.nodes);
    free(m.buffer);
    image_destroy(&m.front);
    image_destroy(&m.back);
    MPI_Comm_free(&m.comm);
    return s;
}

status simulate_measure_file(MPI_Comm comm, const char *path)
{
    const bool leads = parallel_rank(comm) == 0;
    simulate_machine machine;
    json_t *about = NULL;
    status s = parallel_agree(comm, leads ? io_file_try(path, path) : STATUS_OK);
    s = s == STATUS_OK ? simulate_measure(comm, &machine, &about) : s;
    if (s != STATUS_OK) {
        return s;
    }
    s = leads ? messages_machine_write(path, &machine, about) : STATUS_OK;
    json_decref(about);
    s = parallel_agree(comm, s);
    if (s == STATUS_OK && leads) {
        simulate_measure_print(path, &machine);
    }
    return s;
}

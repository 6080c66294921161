/*
 * A network with queues: packets of all connections wait for a node's ports in one line.
 *
 * A sender does not know how busy the ports of its receiver are. It sends all that it
 * has, and that waits in the queue of a link: at the sender, or at the switch in front of
 * the receiver. Packets pass in the order in which they come. So a connection that alone
 * uses its sender's port gets more of a receiver's port than one that shares its own, and
 * a message that leaves early comes early.
 */
#include "mixed.h"

#include <math.h>
#include <stdlib.h>

/* Most bytes of a packet, if there are not too many: in such pieces TCP hands a message
 * down. */
static const double PACKET_BYTES = 65536;

enum { MOST_PACKETS = 1 << 17 };
/* A port that uses up its savings is so many times as fast. */
static const double FAST = 10;

typedef simulate_mixed_part part;
typedef simulate_mixed_packet packet;
typedef simulate_mixed_line line;
typedef simulate_mixed_card card;
typedef simulate_mixed_port port;
typedef simulate_mixed_network network;
typedef simulate_mixing mixing;

/* ---- Lines ------------------------------------------------------------------------- */

static void append(network *net, line *l, int64_t n)
{
    net->packets[n].next = SIMULATE_NONE;
    if (l->first == SIMULATE_NONE) {
        l->first = n;
    } else {
        net->packets[l->last].next = n;
    }
    l->last = n;
}

static int64_t take_first(const network *net, line *l)
{
    const int64_t n = l->first;
    l->first = net->packets[n].next;
    return n;
}

/* ---- Ports ------------------------------------------------------------------------- */

static int count_ports(const mixing *m, int c)
{
    return c < m->sim->nodes.count ? m->sim->machine->ports
                                   : m->sim->machine->receive_ports;
}

/* A card saves up to now. While ports work they save nothing. */
static void save(const mixing *m, card *c)
{
    if (c->busy == 0) {
        c->saved = fmin(m->sim->machine->burst, c->saved + m->now - c->since);
    }
    c->since = m->now;
}

/* An idle port takes up the first packet that waits. */
static void begin_packet(mixing *m, int c, port *p)
{
    network *net = &m->network;
    card *of = &net->cards[c];
    save(m, of);
    const int64_t n = take_first(net, &of->waiting);
    const double work = net->packets[n].work;
    const double at_once = fmin(work, of->saved);
    of->saved -= at_once;
    of->busy++;
    *p = (port){n, work - at_once + at_once / FAST};
    part *whole = &m->parts[net->packets[n].part];
    if (!whole->has_left) {
        whole->has_left = true;
        whole->start = m->now;
    }
}

/* Idle ports of a card take up packets. */
static void begin_packets(mixing *m, int c)
{
    network *net = &m->network;
    for (int i = 0; i < count_ports(m, c); i++) {
        port *p = &net->ports[c * net->nports + i];
        if (p->packet == SIMULATE_NONE && net->cards[c].waiting.first != SIMULATE_NONE) {
            begin_packet(m, c, p);
        }
    }
}

static void wait_at(mixing *m, int c, int64_t n)
{
    append(&m->network, &m->network.cards[c].waiting, n);
    begin_packets(m, c);
}

void simulate_mixed_network_send(mixing *m, int64_t n)
{
    network *net = &m->network;
    const part *one = &m->parts[n];
    const double packets = fmax(1, ceil(one->bytes / net->most_bytes));
    for (double left = packets; left > 0; left--) {
        const int64_t i = net->npackets++;
        net->packets[i] =
            (packet){.part = n, .work = one->seconds / packets, .is_last = left <= 1};
        append(net, &net->cards[net->node[one->src]].waiting, i);
    }
    begin_packets(m, net->node[one->src]);
}

/* ---- Events ------------------------------------------------------------------------ */

/* A packet has left its sender's node: it flies. */
static void fly(mixing *m, int64_t n)
{
    packet *one = &m->network.packets[n];
    one->arrives = m->now + m->sim->machine->between.latency;
    append(&m->network, &m->network.flying, n);
    if (one->is_last) {
        simulate_mixed_note(m, SIMULATE_EVENT_SEND, one->part, m->parts[one->part].start,
                            m->now);
    }
}

/* The rate of a node's ports: the host, or the node, may not manage all at once. Of all
 * nodes if node < 0. */
static double find_rate(const mixing *m, int node)
{
    const simulate_machine *machine = m->sim->machine;
    const int nodes = m->sim->nodes.count;
    const double most = (machine->ports + machine->receive_ports) /
                        simulate_slowdown(m->sim) * (node < 0 ? nodes : 1);
    int busy = 0;
    for (int c = node < 0 ? 0 : node; c < 2 * nodes; c += node < 0 ? 1 : nodes) {
        busy += m->network.cards[c].busy;
    }
    return busy > most ? most / busy : 1;
}

/* Finds the rates of all ports. */
static void find_rates(mixing *m)
{
    const int nodes = m->sim->nodes.count;
    const bool is_one = m->sim->machine->one_host;
    const double rate = is_one ? find_rate(m, SIMULATE_NONE) : 1;
    for (int node = 0; node < nodes; node++) {
        m->network.cards[node].rate = is_one ? rate : find_rate(m, node);
        m->network.cards[nodes + node].rate = m->network.cards[node].rate;
    }
}

double simulate_mixed_network_find_step(mixing *m)
{
    const network *net = &m->network;
    find_rates(m);
    double step = net->flying.first != SIMULATE_NONE
                      ? net->packets[net->flying.first].arrives - m->now
                      : INFINITY;
    for (int c = 0; c < 2 * m->sim->nodes.count; c++) {
        const double rate = net->cards[c].rate;
        for (int i = 0; i < count_ports(m, c) && net->cards[c].busy > 0; i++) {
            const port *p = &net->ports[c * net->nports + i];
            step = p->packet != SIMULATE_NONE ? fmin(step, p->rest / rate) : step;
        }
    }
    return step;
}

/* Ends the packet of a port. */
static void end_packet(mixing *m, int c, port *p)
{
    const int64_t n = p->packet;
    card *of = &m->network.cards[c];
    save(m, of);
    of->busy--;
    p->packet = SIMULATE_NONE;
    if (c < m->sim->nodes.count) {
        fly(m, n);
    } else if (m->network.packets[n].is_last) {
        simulate_mixed_come_later(m, m->network.packets[n].part, m->now);
    }
    begin_packets(m, c);
}

void simulate_mixed_network_advance(mixing *m, double step)
{
    network *net = &m->network;
    const int cards = 2 * m->sim->nodes.count;
    for (int c = 0; c < cards; c++) {
        const double rate = net->cards[c].rate;
        for (int i = 0; i < count_ports(m, c) && net->cards[c].busy > 0; i++) {
            port *p = &net->ports[c * net->nports + i];
            const bool ends = p->rest <= rate * step * (1 + 1e-12);
            p->rest = ends ? 0 : p->rest - rate * step;
        }
    }
    for (int c = 0; c < cards; c++) {
        for (int i = 0; i < count_ports(m, c) && net->cards[c].busy > 0; i++) {
            port *p = &net->ports[c * net->nports + i];
            if (p->packet != SIMULATE_NONE && p->rest <= 0) {
                end_packet(m, c, p);
            }
        }
    }
    while (net->flying.first != SIMULATE_NONE &&
           net->packets[net->flying.first].arrives <= m->now) {
        const int64_t n = take_first(net, &net->flying);
        wait_at(m, m->sim->nodes.count + net->node[m->parts[net->packets[n].part].dst],
                n);
    }
}

/* ---- Memory ------------------------------------------------------------------------ */

/* Finds the size of packets, and how many there can be. */
static void count_packets(mixing *m)
{
    network *net = &m->network;
    double bytes = 0;
    for (int64_t n = 0; n < m->nparts; n++) {
        bytes += m->parts[n].bytes;
    }
    net->most_bytes = fmax(PACKET_BYTES, bytes / MOST_PACKETS);
    for (int64_t n = 0; n < m->nparts; n++) {
        net->capacity += 2 + (int64_t)(m->parts[n].bytes / net->most_bytes);
    }
}

/* Numbers nodes as they come with the positions: so their names do not decide which of
 * several packets at one time is first. */
static void number_nodes(mixing *m)
{
    const int *of = m->sim->nodes.of;
    int *node = m->network.node;
    for (int q = 0, count = 0; q < m->sim->size; q++) {
        int p = 0;
        while (of[p] != of[q]) {
            p++;
        }
        node[q] = p < q ? node[p] : count++;
    }
}

status simulate_mixed_network_create(mixing *m)
{
    network *net = &m->network;
    const simulate_machine *machine = m->sim->machine;
    const size_t size = (size_t)m->sim->size, cards = 2 * (size_t)m->sim->nodes.count;
    net->nports =
        machine->ports > machine->receive_ports ? machine->ports : machine->receive_ports;
    count_packets(m);
    net->packets = calloc((size_t)net->capacity + 1, sizeof *net->packets);
    net->cards = calloc(cards, sizeof *net->cards);
    net->ports = calloc(cards * (size_t)net->nports, sizeof *net->ports);
    net->node = malloc(size * sizeof *net->node);
    if (!net->node || !net->packets || !net->cards || !net->ports) {
        return base_fail_memory((size_t)net->capacity * sizeof *net->packets,
                                "the simulation of a schedule");
    }
    number_nodes(m);
    for (size_t c = 0; c < cards; c++) {
        net->cards[c] =
            (card){.waiting = {SIMULATE_NONE, SIMULATE_NONE}, .saved = machine->burst};
    }
    for (size_t i = 0; i < cards * (size_t)net->nports; i++) {
        net->ports[i].packet = SIMULATE_NONE;
    }
    net->flying.first = SIMULATE_NONE;
    return STATUS_OK;
}

void simulate_mixed_network_destroy(mixing *m)
{
    free(m->network.node);
    free(m->network.packets);
    free(m->network.cards);
    free(m->network.ports);
}

/* The parts of all rounds, and of the gathering. */
#include "mixed.h"

#include <math.h>

typedef simulate_mixed_part part;
typedef simulate_mixed_cell cell;
typedef simulate_mixing mixing;

/* ---- Parts ------------------------------------------------------------------------- */

static composite_range range_of(const simulate_message *message)
{
    return (composite_range){message->pix0, message->pix0 + message->npix};
}

static int64_t cell_of(const mixing *m, int position, int64_t pixel)
{
    return position * m->sim->segments + simulate_segment_of(m->sim, pixel);
}

/* Whether a part is read in place. */
static bool is_near(const mixing *m, const part *one)
{
    return simulate_is_near(m->sim, one->src, one->dst);
}

/* Whether a part leaves by stages. */
static bool is_staged(const mixing *m, const part *one)
{
    return m->is_paced && one->round == 0 && !is_near(m, one);
}

/* Bytes of a message that its receiver's core takes once the message has come; it takes
 * those before while they come. Cores that cannot keep up slow links down: that is
 * `duplex`. */
static const double LAST_BYTES = 65536;

static void add_part(mixing *m, part made, double blended)
{
    const simulate_machine *machine = m->sim->machine;
    const bool near = is_near(m, &made);
    if (made.bytes <= 0) {
        made.is_empty = made.has_come = true;
        m->parts[m->nparts++] = made;
        return;
    }
    const double taken = near ? machine->within.beta * made.bytes
                              : machine->delta * fmin(made.bytes, LAST_BYTES);
    made.turn = composite_send_turn(m->sim->of->algorithm, &m->sim->of->problem, made.src,
                                    made.dst) +
                (is_staged(m, &made) ? made.stage * m->sim->size : 0);
    made.seconds = simulate_link_time(&machine->between, made.bytes);
    made.before = near ? 0 : machine->delta * made.bytes;
    made.after = (near ? machine->within.overhead : 0) + machine->gamma * blended + taken;
    m->sim->ranks[made.src].blending += made.before;
    m->sim->ranks[made.dst].blending += made.cell == SIMULATE_NONE ? 0 : made.after;
    if (!near) {
        simulate_traffic_add(m->sim, made.src, made.dst, made.bytes);
    }
    m->parts[m->nparts++] = made;
}

/* Makes the parts of a message. Finished pixels are not merged. */
static void add_message(mixing *m, int64_t n)
{
    simulate_simulator *sim = m->sim;
    const simulate_message *message = &sim->messages.sends[n];
    const composite_range range = range_of(message);
    const bool gathers = simulate_gathers(sim, message);
    sim->part0[n] = m->nparts;
    for (int64_t i = 0; i < simulate_part_count(sim, range); i++) {
        const composite_range pixels = simulate_part_range(sim, range, i);
        const simulate_payload payload =
            simulate_payload_of(sim, message->run0, message->run1, pixels,
                                simulate_pixel_bytes(sim, message));
        add_part(m,
                 (part){.src = sim->messages.senders[n],
                        .dst = message->dst,
                        .round = gathers ? SIMULATE_GATHER_ROUND : message->round,
                        .index = sim->nrounds - 1,
                        .segment = simulate_segment_of(sim, pixels.pix0),
                        .stage = i,
                        .gate = SIMULATE_NONE,
                        .from = cell_of(m, sim->messages.senders[n], pixels.pix0),
                        .cell = gathers ? SIMULATE_NONE
                                        : cell_of(m, message->dst, pixels.pix0),
                        .bytes = payload.bytes},
                 gathers ? 0 : payload.blended);
    }
}

/* Makes all parts, round by round. */
static void add_parts(mixing *m)
{
    simulate_simulator *sim = m->sim;
    const int last = sim->messages.most_round + (sim->messages.gather_round >= 0);
    for (int r = 0; r <= last; r++) {
        const bool gathers = r == sim->messages.gather_round;
        const int64_t count = sim->round0[r + 1] - sim->round0[r];
        if (count > 0 || gathers) {
            sim->rounds[sim->nrounds++] = (simulate_round){
                .round = gathers ? SIMULATE_GATHER_ROUND : r, .messages = count};
        }
        for (int64_t i = sim->round0[r]; i < sim->round0[r + 1]; i++) {
            add_message(m, sim->by_round[i]);
        }
    }
}

/* Lists the parts that come to a position, in the order of merging. */
static void list_coming(mixing *m, int position)
{
    const simulate_messages *all = &m->sim->messages;
    for (int64_t at = all->receive0[position]; at < all->receive0[position + 1]; at++) {
        const int64_t first = m->sim->part0[all->receives[at]];
        if (simulate_gathers(m->sim, &all->sends[all->receives[at]])) {
            return;
        }
        const int64_t count =
            simulate_part_count(m->sim, range_of(&all->sends[all->receives[at]]));
        for (int64_t n = first; n < first + count; n++) {
            cell *c = &m->cells[m->parts[n].cell];
            c->come[c->ncome++] = n;
            c->nfirst += m->parts[n].round == 0;
        }
    }
}

/* Lists a part that leaves its cell, and counts those that must have come before. */
static void list_leaving(mixing *m, int64_t n)
{
    part *one = &m->parts[n];
    cell *c = &m->cells[one->from];
    const bool is_last = one->round == SIMULATE_GATHER_ROUND;
    while (one->needs < c->ncome &&
           (is_last || m->parts[c->come[one->needs]].round < one->round)) {
        one->needs++;
    }
    int at = c->nleave++;
    for (; at > 0 && is_staged(m, one) && is_staged(m, &m->parts[c->leave[at - 1]]) &&
           m->parts[c->leave[at - 1]].stage > one->stage;
         at--) {
        c->leave[at] = c->leave[at - 1];
    }
    c->leave[at] = n;
}

/* Lets the parts of a position wait for their stages. gates: [segments], room for the
 * cells of the position's own piece. */
static void set_gates(mixing *m, int position, int64_t *gates)
{
    const int64_t begin = position * m->sim->segments;
    int64_t ngates = 0;
    for (int64_t c = begin; c < begin + m->sim->segments; c++) {
        if (m->cells[c].nfirst > 0) {
            gates[ngates++] = c;
        }
    }
    for (int64_t n = 0; n < m->nparts && ngates > 0; n++) {
        part *one = &m->parts[n];
        const int64_t gate = one->stage - COMPOSITE_STAGES_AHEAD;
        if (one->src == position && is_staged(m, one) && gate >= 0) {
            one->gate = gates[gate < ngates ? gate : ngates - 1];
        }
    }
}

/* Lists the parts of all cells. Returns the memory behind its lists. */
static int64_t *list_cells(mixing *m)
{
    const int64_t ncells = m->sim->size * m->sim->segments;
    for (int64_t n = 0; n < m->nparts; n++) {
        m->cells[m->parts[n].from].nleave += !m->parts[n].is_empty;
        if (m->parts[n].cell != SIMULATE_NONE) {
            m->cells[m->parts[n].cell].ncome++;
        }
    }
    int64_t *at = m->lists;
    for (cell *c = m->cells; c < m->cells + ncells; c++) {
        c->come = at;
        c->leave = at + c->ncome;
        at = c->leave + c->nleave;
        c->ncome = c->nleave = 0;
    }
    for (int q = 0; q < m->sim->size; q++) {
        list_coming(m, q);
    }
    for (int64_t n = 0; n < m->nparts; n++) {
        if (!m->parts[n].is_empty) {
            list_leaving(m, n);
        }
    }
    return at;
}

int64_t simulate_mixed_count(const simulate_simulator *sim)
{
    const simulate_messages *all = &sim->messages;
    int64_t count = 0;
    for (int64_t n = 0; n < all->count; n++) {
        count += simulate_part_count(sim, range_of(&all->sends[n]));
    }
    return count;
}

void simulate_mixed_list(mixing *m)
{
    m->is_paced = composite_is_paced(m->sim->of->algorithm, &m->sim->of->problem);
    add_parts(m);
    int64_t *rest = list_cells(m);
    for (int q = 0; q < m->sim->size && m->is_paced; q++) {
        set_gates(m, q, rest);
    }
}

/* ---- Parts on their way ------------------------------------------------------------ */

void simulate_mixed_come_later(mixing *m, int64_t n, double time)
{
    int64_t at = m->ncoming++;
    m->parts[n].come = time;
    for (; at > 0 && m->parts[m->coming[(at - 1) / 2]].come > time; at = (at - 1) / 2) {
        m->coming[at] = m->coming[(at - 1) / 2];
    }
    m->coming[at] = n;
}

int64_t simulate_mixed_take_first(mixing *m)
{
    const int64_t first = m->coming[0];
    const int64_t item = m->coming[--m->ncoming];
    int64_t at = 0;
    for (int64_t child = 1; child < m->ncoming; child = 2 * at + 1) {
        if (child + 1 < m->ncoming &&
            m->parts[m->coming[child + 1]].come < m->parts[m->coming[child]].come) {
            child++;
        }
        if (m->parts[item].come <= m->parts[m->coming[child]].come) {
            break;
        }
        m->coming[at] = m->coming[child];
        at = child;
    }
    m->coming[at] = item;
    return first;
}

void simulate_mixed_note(const mixing *m, simulate_event_kind kind, int64_t n,
                         double begin, double end)
{
    const part *one = &m->parts[n];
    const bool sends = kind == SIMULATE_EVENT_SEND;
    if (m->sim->of->visit) {
        const simulate_event event = {kind,
                                      sends ? one->src : one->dst,
                                      sends ? one->dst : one->src,
                                      one->round,
                                      begin,
                                      end,
                                      one->bytes,
                                      n};
        simulate_event_note(m->sim, &event);
    }
}

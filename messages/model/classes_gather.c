/* The gathering of representatives: nodes of one class with the same pieces send them at
 * the same times. */
#include "classes.h"

#include <math.h>

/* A node with its pieces, [piece0, end) of all; positions are numbers in the node. */
typedef struct sender {
    int node;
    int64_t piece0, end;
} sender;

/* Lists all pieces of a node's positions. */
static status list_pieces(simulate_classes *c, sender *of)
{
    const simulate_case *task = c->sim->of;
    const simulate_groups *all = &c->sim->nodes;
    simulate_messages *m = &c->sim->messages;
    status s = STATUS_OK;
    of->piece0 = m->npieces;
    for (int k = all->begin[of->node]; k < all->begin[of->node + 1]; k++) {
        const int64_t first = m->npieces;
        s = s == STATUS_OK
                ? simulate_messages_add_pieces(task->algorithm, &task->problem,
                                               &task->params, all->members[k], m)
                : s;
        for (int64_t n = first; n < m->npieces; n++) {
            m->pieces[n].position = k - all->begin[of->node];
        }
    }
    of->end = m->npieces;
    return s;
}

static composite_range range_of(const simulate_piece *piece)
{
    return (composite_range){piece->pix0, piece->pix0 + piece->npix};
}

static status list_key(simulate_classes *c, const sender *of)
{
    const simulate_piece *pieces = c->sim->messages.pieces;
    c->nlist = 0;
    status s = simulate_classes_add(c, (uint64_t)c->class_of[of->node]);
    for (int64_t n = of->piece0; n < of->end && s == STATUS_OK; n++) {
        s = simulate_classes_add(c, (uint64_t)pieces[n].position);
        s = s == STATUS_OK ? simulate_classes_add_range(c, range_of(&pieces[n])) : s;
    }
    return s;
}

/* Gives the group simulator pieces [piece0, end). */
static status take_pieces(simulate_classes *c, const sender *of)
{
    simulate_simulator *group = c->group;
    simulate_messages *m = &group->messages;
    const int64_t count = of->end - of->piece0;
    const status s = SIMULATE_GROW(group, messages.pieces, count + 1);
    for (int64_t n = 0; n < count && s == STATUS_OK; n++) {
        m->pieces[n] = c->sim->messages.pieces[of->piece0 + n];
    }
    m->npieces = s == STATUS_OK ? count : 0;
    return s;
}

/* Lets one node send its pieces, and keeps the times at which they have left. The root is
 * elsewhere: the traffic to it is that of the sender's own second half, which is undone.
 */
static status send(simulate_classes *c, const sender *of, int number)
{
    simulate_simulator *group = c->group;
    const int nodes[] = {of->node, of->node};
    status s = SIMULATE_CLASSES_GROW(c, kind, number + 1);
    s = s == STATUS_OK ? simulate_classes_load(c, nodes, 2) : s;
    s = s == STATUS_OK ? take_pieces(c, of) : s;
    if (s != STATUS_OK) {
        return s;
    }
    c->of.problem.root = c->first[1];
    s = simulate_gather_begin(group);
    s = s == STATUS_OK ? simulate_gather_send(group, 0) : s;
    const int64_t parts = group->part0[group->messages.npieces];
    s = s == STATUS_OK ? SIMULATE_CLASSES_GROW(c, parts, c->nparts + parts) : s;
    c->kind[number] = (simulate_kind){.part0 = c->nparts,
                                      .messages = group->rounds[0].messages,
                                      .bytes = group->rounds[0].bytes};
    for (int64_t n = 0; n < parts && s == STATUS_OK; n++) {
        c->parts[c->nparts++] = group->work.parts[n];
    }
    c->most_bytes = fmax(c->most_bytes, group->cards[0].sent.bytes);
    c->bound = fmax(c->bound, simulate_card_bound(c->sim->machine, &group->cards[0]));
    return s;
}

/* Finds the kinds of all senders, in `parent`, and the pieces of each. */
static status send_all(simulate_classes *c)
{
    simulate_round *round = &c->sim->rounds[c->sim->nrounds - 1];
    const int own = c->sim->nodes.of[c->sim->of->problem.root];
    status s = STATUS_OK;
    for (int node = 0; node < c->sim->nodes.count && s == STATUS_OK; node++) {
        sender of = {.node = node};
        int number;
        bool is_new;
        if (node == own || c->sim->nodes.begin[node] == c->sim->nodes.begin[node + 1]) {
            continue;
        }
        s = list_pieces(c, &of);
        s = s == STATUS_OK ? list_key(c, &of) : s;
        s = s == STATUS_OK
                ? simulate_words_find(&c->kinds, c->list, c->nlist, &number, &is_new)
                : s;
        s = s == STATUS_OK && is_new ? send(c, &of, number) : s;
        if (s == STATUS_OK) {
            c->parent[node] = number;
            c->local[node] = (int)(of.end - of.piece0);
            round->messages += c->kind[number].messages;
            round->bytes += c->kind[number].bytes;
        }
    }
    return s;
}

/* Lists the parts of a node's pieces, from `piece` on, as they come to the root. */
static status list_parts(simulate_classes *c, int node, int64_t piece)
{
    simulate_simulator *group = c->group;
    const simulate_link *link = &c->sim->machine->between;
    int64_t from = c->kind[c->parent[node]].part0;
    status s = STATUS_OK;
    for (int64_t end = piece + c->local[node]; piece < end; piece++) {
        const int64_t part0 = group->part0[piece];
        for (int64_t i = 0; part0 + i < group->part0[piece + 1] && s == STATUS_OK; i++) {
            const double bytes = simulate_gather_bytes(group, piece, i);
            group->work.parts[part0 + i] = c->parts[from++];
            s = simulate_job_add(
                group,
                (simulate_job){.release = group->work.parts[part0 + i].start,
                               .work = simulate_link_time(link, bytes),
                               .flow = piece},
                piece, part0 + i);
        }
    }
    return s;
}

/* The root's node receives the pieces of all others. */
static status receive_all(simulate_classes *c)
{
    simulate_simulator *group = c->group;
    const int own = c->sim->nodes.of[c->sim->of->problem.root];
    const sender all = {.end = c->sim->messages.npieces};
    status s = simulate_classes_load(c, &own, 1);
    s = s == STATUS_OK ? take_pieces(c, &all) : s;
    for (int64_t n = 0; n < all.end && s == STATUS_OK; n++) {
        group->messages.pieces[n].position = 0; /* of their senders nothing is left */
    }
    c->of.problem.root = c->place[c->sim->of->problem.root];
    s = s == STATUS_OK ? simulate_gather_begin(group) : s;
    group->work.njobs = 0;
    int64_t piece = 0;
    for (int node = 0; node < c->sim->nodes.count && s == STATUS_OK; node++) {
        if (node != own && c->sim->nodes.begin[node] < c->sim->nodes.begin[node + 1]) {
            s = list_parts(c, node, piece);
            piece += c->local[node];
        }
    }
    return s == STATUS_OK ? simulate_gather_receive(group) : s;
}

/* The bytes that came to the root's node. */
static void add_root_traffic(simulate_classes *c)
{
    simulate_card *card = &c->group->cards[0];
    const simulate_work *work = &c->group->work;
    for (int64_t j = 0; j < work->njobs; j++) {
        const int64_t piece = work->job_messages[j];
        const double bytes = simulate_gather_bytes(
            c->group, piece, work->job_parts[j] - c->group->part0[piece]);
        card->come.bytes += bytes;
        card->come.seconds += simulate_link_time(&c->sim->machine->between, bytes);
    }
    c->most_bytes = fmax(c->most_bytes, fmax(card->sent.bytes, card->come.bytes));
    c->bound = fmax(c->bound, simulate_card_bound(c->sim->machine, card));
}

/* The traffic of all classes, and the time at which their positions begin. */
static status look_at_classes(simulate_classes *c, double *merged)
{
    status s = STATUS_OK;
    simulate_words_empty(&c->kinds);
    for (int node = 0; node < c->sim->nodes.count && s == STATUS_OK; node++) {
        int number;
        bool is_new = false;
        const uint64_t class = (uint64_t)c->class_of[node];
        if (c->sim->nodes.begin[node] < c->sim->nodes.begin[node + 1]) {
            s = simulate_words_find(&c->kinds, &class, 1, &number, &is_new);
        }
        s = s == STATUS_OK && is_new ? simulate_classes_load(c, &node, 1) : s;
        if (s == STATUS_OK && is_new) {
            const simulate_card *card = &c->group->cards[0];
            c->most_bytes = fmax(c->most_bytes, fmax(card->sent.bytes, card->come.bytes));
            c->bound = fmax(c->bound, simulate_card_bound(c->sim->machine, card));
            for (int q = 0; q < c->group->size; q++) {
                *merged = fmax(*merged, c->group->ranks[q].begin);
            }
        }
    }
    simulate_words_empty(&c->kinds);
    return s;
}

static void report(const simulate_classes *c, double merged, double finish,
                   simulate_result *result)
{
    const simulate_simulator *sim = c->sim;
    *result = (simulate_result){.seconds = fmax(merged, finish) + simulate_agreement(sim),
                                .merged = merged,
                                .bound = c->bound,
                                .most_bytes = c->most_bytes,
                                .nrounds = sim->nrounds,
                                .rounds = sim->rounds,
                                .segment = sim->segment};
    for (int r = 0; r < sim->nrounds; r++) {
        result->messages += sim->rounds[r].messages;
        result->bytes += sim->rounds[r].bytes;
    }
}

status simulate_classes_gather(simulate_classes *c, simulate_result *result)
{
    simulate_simulator *sim = c->sim;
    double merged = 0, finish = 0;
    for (int r = 0; r < sim->nrounds; r++) {
        merged = fmax(merged, sim->rounds[r].finish);
    }
    status s = look_at_classes(c, &merged);
    if (s == STATUS_OK && sim->of->problem.gather_bytes > 0) {
        sim->rounds[sim->nrounds++] = (simulate_round){.round = SIMULATE_GATHER_ROUND};
        sim->messages.npieces = 0;
        s = send_all(c);
        s = s == STATUS_OK ? receive_all(c) : s;
        if (s == STATUS_OK) {
            add_root_traffic(c);
            finish = c->group->ranks[c->of.problem.root].finish;
            sim->rounds[sim->nrounds - 1].finish = finish;
        }
    }
    if (s == STATUS_OK) {
        report(c, merged, finish, result);
    }
    return s;
}

#include "describe.h"
#include "numbers.h"

#include <stdio.h>
#include <stdlib.h>

static json_t *json_late(const collectives_problem *problem)
{
    json_t *list = json_array();
    for (int rank = 0; rank < problem->problem.size; rank++) {
        if (problem->late[rank] > 0) {
            json_array_append_new(list, json_pack("{s:i, s:f}", "rank", rank, "seconds",
                                                  problem->late[rank]));
        }
    }
    return list;
}

/* The node of each rank; empty: each has its own. */
static json_t *json_nodes(const collectives_problem *problem)
{
    const composite_nodes *nodes = &problem->nodes;
    json_t *list = json_array();
    for (int rank = 0; rank < nodes->size; rank++) {
        json_array_append_new(list, json_integer(nodes->node[nodes->team[rank]]));
    }
    return list;
}

json_t *collectives_json_problem(const collectives_problem *problem)
{
    const collective_problem *own = &problem->problem;
    const collective_machine *machine = &problem->machine;
    return json_pack("{s:i, s:I, s:i, s:I, s:o, s:{s:f, s:f, s:f, s:f, s:f, s:i}, s:o}",
                     "ranks", own->size, "count", (json_int_t)own->count, "root",
                     own->root, "segment", (json_int_t)own->segment, "nodes",
                     json_nodes(problem), "machine", "alpha", machine->alpha, "beta",
                     machine->beta, "gamma", machine->gamma, "near_alpha",
                     machine->near_alpha, "near_beta", machine->near_beta, "ports",
                     machine->ports, "late", json_late(problem));
}

static json_t *json_cost(collective_cost cost, double seconds)
{
    return json_pack("{s:I, s:I, s:I, s:f}", "alpha", (json_int_t)cost.alpha, "beta",
                     (json_int_t)cost.beta, "gamma", (json_int_t)cost.gamma, "seconds",
                     seconds);
}

static json_t *json_walk(const collective_times *times)
{
    json_t *object = json_cost(times->cost, times->seconds);
    json_object_set_new(object, "near_alpha",
                        json_integer((json_int_t)times->near.alpha));
    json_object_set_new(object, "near_beta", json_integer((json_int_t)times->near.beta));
    return object;
}

static const char *order_name(collective_order order)
{
    static const char *const names[] = {"none", "always", "root 0", "never"};
    return names[order];
}

/* ---- Messages ---------------------------------------------------------------------- */

static json_t *json_pieces(const collective_schedule *schedule,
                           const collective_message *message)
{
    json_t *list = json_array();
    for (int64_t i = schedule->begin[message->src]; i < schedule->begin[message->src + 1];
         i++) {
        const collective_op *op = &schedule->ops[i];
        if (op->src == message->src && op->dst == message->dst &&
            op->round == message->round) {
            json_array_append_new(list, json_pack("{s:s, s:i, s:i, s:[I, I]}", "kind",
                                                  collective_kind_name(op->kind), "from",
                                                  op->from, "into", op->into, "elements",
                                                  (json_int_t)op->first,
                                                  (json_int_t)(op->first + op->count)));
        }
    }
    return list;
}

static json_t *json_message(const collective_schedule *schedule,
                            const collective_message *m)
{
    return json_pack(
        "{s:i, s:i, s:i, s:I, s:I, s:[f, f], s:[f, f], s:[f, f], s:b, s:b, s:o}", "round",
        m->round, "src", m->src, "dst", m->dst, "elements", (json_int_t)m->elements,
        "combined", (json_int_t)m->combined, "sent", m->sent, m->left, "received",
        m->comes, m->came, "merged", m->combines, m->done, "critical", m->is_critical,
        "near", m->is_near, "pieces", json_pieces(schedule, m));
}

static void add_messages(json_t *object, const collectives_run *run)
{
    json_t *messages = json_array(), *path = json_array(), *finish = json_array();
    for (int64_t i = 0; i < run->times.count; i++) {
        json_array_append_new(messages,
                              json_message(&run->schedule, &run->times.messages[i]));
    }
    for (int64_t i = 0; i < run->times.npath; i++) {
        json_array_append_new(path, json_integer((json_int_t)run->times.path[i]));
    }
    for (int rank = 0; rank < run->schedule.problem.size; rank++) {
        json_array_append_new(finish, json_real(run->times.finish[rank]));
    }
    json_object_set_new(object, "messages", messages);
    json_object_set_new(object, "path", path);
    json_object_set_new(object, "finish", finish);
}

json_t *collectives_json_run(const collectives_problem *problem,
                             const collectives_run *run, bool messages)
{
    const collective_algorithm *algorithm = run->algorithm;
    const collective_totals *totals = &run->totals;
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:{s:i, s:I, s:I, s:I, s:I}, s:o, s:o, s:f}",
        "collective", algorithm->operation->name, "algorithm", algorithm->name, "summary",
        algorithm->summary, "source", algorithm->source, "formula", algorithm->formula,
        "order", order_name(algorithm->order), "totals", "rounds", totals->rounds,
        "messages", (json_int_t)totals->messages, "elements",
        (json_int_t)totals->elements, "most_sent", (json_int_t)totals->most_sent,
        "most_received", (json_int_t)totals->most_received, "cost",
        json_cost(run->cost, numbers_seconds(run->cost, &problem->machine)), "walk",
        json_walk(&run->times), "begin", run->times.begin);
    if (object && messages) {
        add_messages(object, run);
    }
    return object;
}

status collectives_json_print(json_t *object)
{
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    if (!text) {
        return base_fail(STATUS_MEMORY,
                         "there is no memory for the JSON of a collective");
    }
    printf("%s\n", text);
    free(text);
    return STATUS_OK;
}

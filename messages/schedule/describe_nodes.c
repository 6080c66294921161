/* The nodes of a compositing schedule: the pixels that cross the link of each, and those
 * that cross between its sockets. */
#include "describe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static status count_links(const messages_schedule *schedule, composite_link **links)
{
    const size_t nodes = (size_t)schedule->nodes.most_node + 1;
    composite_link *counted = malloc(nodes * sizeof *counted);
    if (!counted) {
        return base_fail_memory(nodes * sizeof *counted, "the links of a schedule");
    }
    const status s = composite_links_count(schedule->algorithm, &schedule->problem,
                                           &schedule->params, &schedule->nodes, counted);
    if (s != STATUS_OK) {
        free(counted);
        return s;
    }
    *links = counted;
    return STATUS_OK;
}

/* Counts the pixels between sockets; *crossings is NULL if there are none. */
static status count_crossings(const messages_schedule *schedule,
                              composite_crossing **crossings)
{
    const size_t count =
        ((size_t)schedule->nodes.most_node + 1) * (size_t)schedule->sockets;
    *crossings = NULL;
    if (schedule->places.size == 0) {
        return STATUS_OK;
    }
    composite_crossing *counted = calloc(count, sizeof *counted);
    if (!counted) {
        return base_fail_memory(count * sizeof *counted, "the sockets of a schedule");
    }
    *crossings = counted;
    return composite_crossings_count(schedule->algorithm, &schedule->problem,
                                     &schedule->params, &schedule->places,
                                     schedule->sockets, counted);
}

static void print_crossings(const messages_schedule *schedule, int node,
                            const composite_crossing *crossings)
{
    for (int socket = 0; crossings && socket < schedule->sockets; socket++) {
        const composite_crossing *one = &crossings[node * schedule->sockets + socket];
        printf("  socket %-2d %d rank%s; reads %" PRId64
               " pixels of other sockets, which read %" PRId64 " of its own\n",
               socket, one->positions, one->positions == 1 ? "" : "s", one->read,
               one->given);
    }
}

static void print_link(const composite_problem *problem, int node,
                       const composite_link *link)
{
    printf("node %-4d %d rank%s; over its link: %" PRId64 " pixels sent, %" PRId64
           " received",
           node, link->positions, link->positions == 1 ? "" : "s", link->sent,
           link->received);
    if (problem->gather_bytes > 0) {
        printf(", finished %" PRId64 " sent, %" PRId64 " received", link->gathered,
               link->delivered);
    }
    printf("; at most %.1f MB in one direction\n",
           1e-6 * (double)composite_links_bytes(problem, link));
}

static void print_rounds(const messages_schedule *schedule)
{
    const composite_nodes *nodes = schedule->problem.nodes;
    const char *name = schedule->algorithm->name;
    if (!nodes) {
        printf("nodes     %s runs among all ranks\n", name);
    } else if (nodes->rounds == 1) {
        printf(
            "nodes     ranks of a node merge in round 0, then %s runs among %d teams\n",
            name, nodes->count);
    } else {
        printf("nodes     ranks of a socket merge in round 0, sockets of a node in round "
               "1, then %s runs among %d teams\n",
               name, nodes->count);
    }
}

status messages_describe_nodes(const messages_schedule *schedule)
{
    const composite_problem *problem = &schedule->problem;
    composite_link *links = NULL;
    composite_crossing *crossings = NULL;
    status s = count_links(schedule, &links);
    s = s == STATUS_OK ? count_crossings(schedule, &crossings) : s;
    if (s == STATUS_OK) {
        print_rounds(schedule);
    }
    for (int node = 0; node <= schedule->nodes.most_node && s == STATUS_OK; node++) {
        print_link(problem, node, &links[node]);
        print_crossings(schedule, node, crossings);
    }
    free(links);
    free(crossings);
    return s;
}

static json_t *describe_crossings(const messages_schedule *schedule, int node,
                                  const composite_crossing *crossings)
{
    json_t *all = json_array();
    for (int socket = 0; socket < schedule->sockets; socket++) {
        const composite_crossing *one = &crossings[node * schedule->sockets + socket];
        json_array_append_new(all, json_pack("{s:i, s:I, s:I}", "ranks", one->positions,
                                             "pixels_read", (json_int_t)one->read,
                                             "pixels_given", (json_int_t)one->given));
    }
    return all;
}

static json_t *describe_link(const composite_problem *problem, const composite_link *link)
{
    return json_pack("{s:i, s:I, s:I, s:I, s:I, s:I}", "ranks", link->positions,
                     "pixels_sent", (json_int_t)link->sent, "pixels_received",
                     (json_int_t)link->received, "finished_sent",
                     (json_int_t)link->gathered, "finished_received",
                     (json_int_t)link->delivered, "most_bytes",
                     (json_int_t)composite_links_bytes(problem, link));
}

status messages_describe_nodes_json(const messages_schedule *schedule, json_t **out)
{
    composite_link *links = NULL;
    composite_crossing *crossings = NULL;
    status s = count_links(schedule, &links);
    s = s == STATUS_OK ? count_crossings(schedule, &crossings) : s;
    json_t *all = s == STATUS_OK ? json_array() : NULL;
    for (int node = 0; node <= schedule->nodes.most_node && all; node++) {
        json_t *one = describe_link(&schedule->problem, &links[node]);
        if (crossings) {
            json_object_set_new(one, "sockets",
                                describe_crossings(schedule, node, crossings));
        }
        json_array_append_new(all, one);
    }
    free(links);
    free(crossings);
    if (s == STATUS_OK && !all) {
        s = base_fail_memory(0, "the JSON of a schedule");
    }
    *out = all;
    return s;
}

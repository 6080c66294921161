/* The nodes of a compositing schedule: the pixels that cross the link of each. */
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
    } else {
        printf(
            "nodes     ranks of a node merge in round 0, then %s runs among %d teams\n",
            name, nodes->count);
    }
}

status messages_describe_nodes(const messages_schedule *schedule)
{
    const composite_problem *problem = &schedule->problem;
    composite_link *links = NULL;
    const status s = count_links(schedule, &links);
    if (s == STATUS_OK) {
        print_rounds(schedule);
    }
    for (int node = 0; node <= schedule->nodes.most_node && s == STATUS_OK; node++) {
        print_link(problem, node, &links[node]);
    }
    free(links);
    return s;
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
    status s = count_links(schedule, &links);
    json_t *all = s == STATUS_OK ? json_array() : NULL;
    for (int node = 0; node <= schedule->nodes.most_node && all; node++) {
        json_array_append_new(all, describe_link(&schedule->problem, &links[node]));
    }
    free(links);
    if (s == STATUS_OK && !all) {
        s = base_fail_memory(0, "the JSON of a schedule");
    }
    *out = all;
    return s;
}

#include "links.h"

#include "finished.h"

#include <string.h>

typedef struct link_counter {
    const composite_nodes *nodes;
    composite_link *links;
    int position; /* whose ops are counted, as their sender */
} link_counter;

static int node_of(const composite_nodes *nodes, int position)
{
    return nodes->node[nodes->team[position]];
}

static int count_op(const composite_op *op, void *context)
{
    const link_counter *counter = context;
    const int from = node_of(counter->nodes, op->src);
    const int to = node_of(counter->nodes, op->dst);
    if (op->src == counter->position && from != to) {
        counter->links[from].sent += op->npix;
        counter->links[to].received += op->npix;
    }
    return 0;
}

static int count_finished(const composite_op *op, void *context)
{
    const link_counter *counter = context;
    const int from = node_of(counter->nodes, op->src);
    const int to = node_of(counter->nodes, op->dst);
    if (from != to) {
        counter->links[from].gathered += op->npix;
        counter->links[to].delivered += op->npix;
    }
    return 0;
}

status composite_links_count(const composite_algorithm *algorithm,
                             const composite_problem *problem,
                             const composite_params *params, const composite_nodes *nodes,
                             composite_link *links)
{
    memset(links, 0, (size_t)(nodes->most_node + 1) * sizeof *links);
    status s = composite_schedule_check_params(algorithm, problem, params);
    link_counter counter = {.nodes = nodes, .links = links};
    for (int position = 0; position < problem->size && s == STATUS_OK; position++) {
        counter.position = position;
        links[node_of(nodes, position)].positions++;
        composite_schedule_generate(algorithm, problem, params, position, count_op,
                                    &counter);
        s = composite_finished_visit(algorithm, problem, params, position, count_finished,
                                     &counter);
    }
    return s;
}

/* ---- Bytes ------------------------------------------------------------------------- */

int64_t composite_links_bytes(const composite_problem *problem,
                              const composite_link *link)
{
    const int64_t finished = problem->gather_bytes;
    const int64_t out = COMPOSITE_PIXEL_BYTES * link->sent + finished * link->gathered;
    const int64_t in =
        COMPOSITE_PIXEL_BYTES * link->received + finished * link->delivered;
    return out > in ? out : in;
}

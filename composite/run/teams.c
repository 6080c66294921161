/* Ranks of a node merge first: finds them, and chooses the algorithm between nodes. */
#include "executor.h"

#include <stdlib.h>
#include <string.h>

status composite_teams_create(int ranks, composite_teams *teams)
{
    const size_t entries = (size_t)ranks;
    *teams = (composite_teams){.order = malloc(entries * sizeof *teams->order),
                               .node = malloc(entries * sizeof *teams->node)};
    return teams->order && teams->node
               ? STATUS_OK
               : base_fail_memory(2 * entries * sizeof(int), "an executor");
}

void composite_teams_clear(composite_teams *teams)
{
    free(teams->order);
    free(teams->node);
    composite_nodes_clear(&teams->nodes);
    *teams = (composite_teams){0};
}

/* Takes the teams of a new order. */
static status find(composite_executor *executor, const int *order)
{
    composite_teams *teams = &executor->teams;
    composite_nodes found = {0};
    for (int position = 0; position < executor->size; position++) {
        teams->node[position] = executor->node.numbers[order[position]];
    }
    const status s = composite_nodes_find(executor->size, teams->node, &found);
    if (s != STATUS_OK) {
        return s;
    }
    if (composite_nodes_are_same(&found, &teams->nodes)) {
        composite_nodes_clear(&found);
        return STATUS_OK;
    }
    /* The plan's key has the address of the teams, not their contents. */
    executor->plan.is_made = false;
    composite_nodes_clear(&teams->nodes);
    teams->nodes = found;
    return STATUS_OK;
}

status composite_teams_find(composite_executor *executor,
                            const composite_request *request,
                            const composite_nodes **nodes)
{
    composite_teams *teams = &executor->teams;
    const size_t bytes = (size_t)executor->size * sizeof *teams->order;
    const bool chooses_one = !request->algorithm && composite_is_one_node(executor);
    *nodes = NULL;
    if (!request->by_nodes || chooses_one) {
        return STATUS_OK;
    }
    if (!teams->is_known || memcmp(teams->order, request->order, bytes) != 0) {
        teams->is_known = false;
        const status s = find(executor, request->order);
        if (s != STATUS_OK) {
            return s;
        }
        memcpy(teams->order, request->order, bytes);
        teams->is_known = true;
    }
    *nodes = &teams->nodes;
    return STATUS_OK;
}

const composite_algorithm *composite_teams_algorithm(const composite_executor *executor,
                                                     const composite_request *request,
                                                     const composite_nodes *nodes)
{
    if (request->algorithm) {
        return request->algorithm;
    }
    const int images = nodes ? nodes->count : executor->size;
    return composite_rules_usual(images, composite_is_one_node(executor));
}

/* Ranks of a node merge first: finds them, and chooses the algorithm between nodes. */
#include "executor.h"

#include <stdlib.h>

status composite_teams_create(int ranks, composite_teams *teams)
{
    const size_t entries = (size_t)ranks;
    *teams = (composite_teams){.order = malloc(entries * sizeof *teams->order),
                               .node = malloc(entries * sizeof *teams->node),
                               .late = malloc(entries * sizeof *teams->late)};
    return teams->order && teams->node && teams->late
               ? STATUS_OK
               : base_fail_memory(3 * entries * sizeof(int), "an executor");
}

void composite_teams_clear(composite_teams *teams)
{
    free(teams->order);
    free(teams->node);
    free(teams->late);
    composite_nodes_clear(&teams->nodes);
    *teams = (composite_teams){0};
}

/* Whether ranks of a node merge first. */
static bool merges_by_nodes(const composite_executor *executor,
                            const composite_request *request)
{
    const bool chooses_one = !request->algorithm && composite_is_one_node(executor);
    return request->by_nodes && !chooses_one;
}

/* The node of each position. */
static const int *find_node(composite_executor *executor, const int *order)
{
    composite_teams *teams = &executor->teams;
    for (int position = 0; position < executor->size; position++) {
        teams->node[position] = executor->node.numbers[order[position]];
    }
    return teams->node;
}

int composite_teams_count(composite_executor *executor, const composite_request *request,
                          const bool *late)
{
    return merges_by_nodes(executor, request)
               ? composite_nodes_count(executor->size,
                                       find_node(executor, request->order), late)
               : executor->size;
}

/* Takes the teams of a new order, or around other late positions. */
static status find(composite_executor *executor, const int *order, const bool *late)
{
    composite_teams *teams = &executor->teams;
    composite_nodes found = {0};
    const status s = composite_nodes_find_around(
        executor->size, find_node(executor, order), late, &found);
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

/* Whether the teams are those of this order around these late positions. */
static bool are_known(const composite_executor *executor, const int *order,
                      const bool *late)
{
    const composite_teams *teams = &executor->teams;
    bool are = teams->is_known;
    for (int position = 0; position < executor->size && are; position++) {
        are = teams->order[position] == order[position] &&
              teams->late[position] == (late && late[position]);
    }
    return are;
}

status composite_teams_find(composite_executor *executor,
                            const composite_request *request, const bool *late,
                            const composite_nodes **nodes)
{
    composite_teams *teams = &executor->teams;
    *nodes = NULL;
    if (!merges_by_nodes(executor, request)) {
        return STATUS_OK;
    }
    if (!are_known(executor, request->order, late)) {
        teams->is_known = false;
        const status s = find(executor, request->order, late);
        if (s != STATUS_OK) {
            return s;
        }
        for (int position = 0; position < executor->size; position++) {
            teams->order[position] = request->order[position];
            teams->late[position] = late && late[position];
        }
        teams->is_known = true;
    }
    *nodes = &teams->nodes;
    return STATUS_OK;
}

const composite_algorithm *composite_teams_algorithm(const composite_executor *executor,
                                                     const composite_request *request,
                                                     int images)
{
    return request->algorithm ? request->algorithm
                              : composite_rules_usual(&(composite_usual_case){
                                    executor->size, images,
                                    composite_is_one_node(executor), .activity = 1.0});
}

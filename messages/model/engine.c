#include "engine.h"

#include <stdlib.h>
#include <string.h>

/* ---- The simulator ----------------------------------------------------------------- */

status simulate_create(simulate_simulator **out)
{
    simulate_simulator *sim = calloc(1, sizeof *sim);
    if (!sim) {
        return base_fail_memory(sizeof *sim, "a simulator");
    }
    sim->messages.memory = &sim->memory;
    sim->scratch.memory = &sim->memory;
    *out = sim;
    return STATUS_OK;
}

static void clear_groups(simulate_groups *groups)
{
    free(groups->of);
    free(groups->begin);
    free(groups->members);
}

void simulate_destroy(simulate_simulator **simulator)
{
    simulate_simulator *sim = *simulator;
    if (!sim) {
        return;
    }
    simulate_messages_clear(&sim->messages);
    simulate_scratch_clear(&sim->scratch);
    clear_groups(&sim->nodes);
    clear_groups(&sim->hosts);
    void *const arrays[] = {
        sim->work.parts, sim->work.jobs, sim->work.job_parts, sim->work.job_messages,
        sim->part0,      sim->send_at,   sim->receive_at,     sim->ready,
        sim->left,       sim->cards,     sim->cores,          sim->ranks,
        sim->rounds,     sim->by_round,  sim->round0,         sim->seen};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        free(arrays[i]);
    }
    free(sim);
    *simulator = NULL;
}

/* ---- Groups ------------------------------------------------------------------------ */

/* Finds groups: `number` [size] of each position, or NULL: each is alone. count: above
 * all numbers. */
static status find_groups(composite_memory *memory, int size, const int *number,
                          int count, simulate_groups *groups)
{
    static const char *const purpose = "the nodes of a simulation";
    status s = composite_memory_grow(memory, &groups->of, &groups->of_capacity, size,
                                     sizeof *groups->of, purpose);
    s = s == STATUS_OK
            ? composite_memory_grow(memory, &groups->begin, &groups->begin_capacity,
                                    count + 1, sizeof *groups->begin, purpose)
            : s;
    s = s == STATUS_OK
            ? composite_memory_grow(memory, &groups->members, &groups->members_capacity,
                                    size, sizeof *groups->members, purpose)
            : s;
    if (s != STATUS_OK) {
        return s;
    }
    groups->count = count;
    memset(groups->begin, 0, ((size_t)count + 1) * sizeof *groups->begin);
    for (int q = 0; q < size; q++) {
        groups->of[q] = number ? number[q] : q;
        groups->begin[groups->of[q] + 1]++;
    }
    for (int g = 0; g < count; g++) {
        groups->begin[g + 1] += groups->begin[g];
    }
    for (int q = size - 1; q >= 0; q--) {
        groups->members[--groups->begin[groups->of[q] + 1]] = q;
    }
    for (int g = 0; g < count; g++) {
        groups->begin[g] = groups->begin[g + 1];
    }
    groups->begin[count] = size;
    return s;
}

/* The most members of a group. */
static int find_largest(const simulate_groups *groups)
{
    int most = 0;
    for (int g = 0; g < groups->count; g++) {
        const int members = groups->begin[g + 1] - groups->begin[g];
        most = members > most ? members : most;
    }
    return most;
}

/* The node of each position, in the work's memory; NULL: each has its own. */
static status number_nodes(simulate_simulator *sim, int **numbers, int *count)
{
    const composite_nodes *nodes = sim->of->nodes;
    *numbers = NULL;
    *count = sim->size;
    if (!nodes) {
        return STATUS_OK;
    }
    int *all = malloc((size_t)sim->size * sizeof *all);
    if (!all) {
        return base_fail_memory((size_t)sim->size * sizeof *all, "the nodes");
    }
    for (int q = 0; q < sim->size; q++) {
        all[q] = nodes->node[nodes->team[q]];
    }
    *numbers = all;
    *count = nodes->most_node + 1;
    return STATUS_OK;
}

static status find_hosts(simulate_simulator *sim, int *numbers, int count)
{
    const simulate_machine *machine = sim->machine;
    const int most = machine->one_host ? sim->size
                     : numbers         ? find_largest(&sim->nodes)
                                       : 1;
    sim->has_host = machine->cores > 0 && machine->cores < most;
    if (!sim->has_host || !machine->one_host) {
        return find_groups(&sim->memory, sim->size, sim->has_host ? numbers : NULL,
                           sim->has_host ? count : sim->size, &sim->hosts);
    }
    int *zeros = calloc((size_t)sim->size, sizeof *zeros);
    if (!zeros) {
        return base_fail_memory((size_t)sim->size * sizeof *zeros, "the nodes");
    }
    const status s = find_groups(&sim->memory, sim->size, zeros, 1, &sim->hosts);
    free(zeros);
    return s;
}

status simulate_groups_make(simulate_simulator *sim)
{
    int *numbers = NULL;
    int count = 0;
    status s = number_nodes(sim, &numbers, &count);
    s = s == STATUS_OK ? find_groups(&sim->memory, sim->size, numbers, count, &sim->nodes)
                       : s;
    s = s == STATUS_OK ? find_hosts(sim, numbers, count) : s;
    free(numbers);
    return s;
}

/* ---- A call ------------------------------------------------------------------------ */

status simulate_room_make(simulate_simulator *sim)
{
    const int nodes = sim->nodes.count;
    const int most = nodes > sim->size ? nodes : sim->size;
    status s = SIMULATE_GROW(sim, ready, sim->size * sim->segments);
    s = s == STATUS_OK ? SIMULATE_GROW(sim, left, sim->size) : s;
    s = s == STATUS_OK ? SIMULATE_GROW(sim, ranks, sim->size) : s;
    s = s == STATUS_OK ? SIMULATE_GROW(sim, send_at, sim->size) : s;
    s = s == STATUS_OK ? SIMULATE_GROW(sim, receive_at, sim->size) : s;
    s = s == STATUS_OK ? SIMULATE_GROW(sim, part0, sim->messages.count + 1) : s;
    s = s == STATUS_OK ? SIMULATE_GROW(sim, cards, nodes) : s;
    s = s == STATUS_OK ? SIMULATE_GROW(sim, cores, sim->hosts.count) : s;
    return s == STATUS_OK ? SIMULATE_GROW(sim, seen, most) : s;
}

double simulate_agreement(const simulate_simulator *sim)
{
    const composite_nodes *nodes = sim->of->nodes;
    int steps = 0;
    if ((nodes && nodes->most_node == 0) || sim->messages.is_given) {
        return 0;
    }
    while (1 << steps < sim->size) {
        steps++;
    }
    return steps * sim->machine->agree;
}

double simulate_begin_of(const simulate_simulator *sim, int q)
{
    const double agreed = sim->of->has_begun ? 0 : simulate_agreement(sim);
    return agreed + (sim->of->late ? sim->of->late[q] : 0);
}

#include "nodes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Teams ------------------------------------------------------------------------- */

enum { MOST_SLICES_OF_MEMBER = 4 };

/* The greatest common divisor. */
static int64_t find_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Members of the largest team. */
static int find_largest(const composite_nodes *nodes)
{
    int largest = 1;
    for (int t = 0; t < nodes->count; t++) {
        const int members = composite_nodes_members(nodes, t);
        largest = members > largest ? members : largest;
    }
    return largest;
}

/* The least number that the sizes of all teams divide, so that members own equally many
 * slices; but not so many that messages become small. Then members of the largest team
 * own one each. */
static int choose_slices(const composite_nodes *nodes)
{
    const int largest = find_largest(nodes);
    const int64_t most = (int64_t)MOST_SLICES_OF_MEMBER * largest;
    int64_t even = 1;
    for (int t = 0; t < nodes->count && even <= most; t++) {
        const int members = composite_nodes_members(nodes, t);
        even = even / find_divisor(even, members) * members;
    }
    return even <= most ? (int)even : largest;
}

/* Whether a position is the first one of a team. */
static bool is_first(const int *node, const bool *late, int position)
{
    return position == 0 || node[position] != node[position - 1] ||
           (late && (late[position] || late[position - 1]));
}

static void form_teams(const int *node, const bool *late, composite_nodes *nodes)
{
    for (int position = 0; position < nodes->size; position++) {
        if (is_first(node, late, position)) {
            nodes->begin[nodes->count] = position;
            nodes->node[nodes->count] = node[position];
            nodes->late[nodes->count] = late && late[position];
            nodes->count++;
        }
        nodes->team[position] = nodes->count - 1;
        if (node[position] > nodes->most_node) {
            nodes->most_node = node[position];
        }
    }
    nodes->begin[nodes->count] = nodes->size;
    nodes->slices = choose_slices(nodes);
}

/* ---- Nodes ------------------------------------------------------------------------- */

status composite_nodes_find(int size, const int *node, composite_nodes *nodes)
{
    return composite_nodes_find_around(size, node, NULL, nodes);
}

status composite_nodes_find_around(int size, const int *node, const bool *late,
                                   composite_nodes *nodes)
{
    const size_t entries = (size_t)size;
    composite_nodes_clear(nodes);
    *nodes = (composite_nodes){.size = size,
                               .begin = malloc((entries + 1) * sizeof *nodes->begin),
                               .team = malloc(entries * sizeof *nodes->team),
                               .node = malloc(entries * sizeof *nodes->node),
                               .late = malloc(entries * sizeof *nodes->late)};
    if (!nodes->begin || !nodes->team || !nodes->node || !nodes->late) {
        composite_nodes_clear(nodes);
        return base_fail_memory(4 * entries * sizeof *nodes->node,
                                "the nodes of a compositing schedule");
    }
    form_teams(node, late, nodes);
    return STATUS_OK;
}

int composite_nodes_count(int size, const int *node, const bool *late)
{
    int count = 0;
    for (int position = 0; position < size; position++) {
        count += is_first(node, late, position);
    }
    return count;
}

void composite_nodes_clear(composite_nodes *nodes)
{
    free(nodes->begin);
    free(nodes->team);
    free(nodes->node);
    free(nodes->late);
    *nodes = (composite_nodes){0};
}

bool composite_nodes_are_same(const composite_nodes *a, const composite_nodes *b)
{
    if (!a || !b) {
        return a == b;
    }
    return a->size == b->size && a->count == b->count &&
           memcmp(a->begin, b->begin, (size_t)a->count * sizeof *a->begin) == 0 &&
           memcmp(a->node, b->node, (size_t)a->count * sizeof *a->node) == 0 &&
           memcmp(a->late, b->late, (size_t)a->count * sizeof *a->late) == 0;
}

#include "options.h"

#include "base/words.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool messages_options_number(const char *text, char **end, int64_t *out)
{
    if (!isdigit((unsigned char)*text)) {
        return false;
    }
    errno = 0;
    *out = strtoll(text, end, 10);
    return errno == 0;
}

status messages_options_factors(const char *text, composite_params *params)
{
    const char *at = text;
    char *end;
    int64_t factor;
    params->nfactors = 0;
    while (params->nfactors < COMPOSITE_MAX_FACTORS &&
           messages_options_number(at, &end, &factor) && factor >= 2 &&
           factor <= APP_MOST_RANKS) {
        params->factors[params->nfactors++] = (int)factor;
        if (*end == '\0') {
            return STATUS_OK;
        }
        if (*end != ',') {
            break;
        }
        at = end + 1;
    }
    return base_fail(
        STATUS_USAGE,
        "--factors %s: give at most %d whole numbers from 2 to %d with commas "
        "between them, like 4,3",
        text, (int)COMPOSITE_MAX_FACTORS, (int)APP_MOST_RANKS);
}

static status fail_nodes(const char *text)
{
    return base_fail(STATUS_USAGE,
                     "--nodes %.64s: give nodes and the ranks of each, like 2x4, or the "
                     "ranks of one node after the other, like 4,4,3; at most %d ranks",
                     text, (int)APP_MOST_RANKS);
}

/* Appends the ranks of nodes to a list; false if they are too many. */
static bool append_nodes(int64_t nodes, int64_t ranks, int *node, int *size, int *count)
{
    if (nodes < 1 || ranks < 1 || nodes > APP_MOST_RANKS || ranks > APP_MOST_RANKS ||
        nodes * ranks > APP_MOST_RANKS - *size) {
        return false;
    }
    for (int64_t n = 0; n < nodes; n++, (*count)++) {
        for (int64_t rank = 0; rank < ranks; rank++) {
            node[(*size)++] = *count;
        }
    }
    return true;
}

/* Reads "2x4" or "4,4,3": the node of each rank, and how many ranks there are. */
static status read_nodes(const char *text, int *node, int *size)
{
    const char *at = text;
    char *end;
    int64_t ranks, nodes;
    int count = 0;
    *size = 0;
    if (strchr(text, 'x')) {
        return messages_options_number(at, &end, &nodes) && *end == 'x' &&
                       messages_options_number(end + 1, &end, &ranks) && *end == '\0' &&
                       append_nodes(nodes, ranks, node, size, &count)
                   ? STATUS_OK
                   : fail_nodes(text);
    }
    while (messages_options_number(at, &end, &ranks) &&
           append_nodes(1, ranks, node, size, &count)) {
        if (*end == '\0') {
            return STATUS_OK;
        }
        if (*end != ',') {
            break;
        }
        at = end + 1;
    }
    return fail_nodes(text);
}

/* The same as messages_options_nodes, with memory for the node of each rank. */
static status find_nodes(const char *text, int *node, int64_t *ranks,
                         composite_nodes *nodes)
{
    int size;
    status s = read_nodes(text, node, &size);
    if (s == STATUS_OK && *ranks >= 0 && *ranks != size) {
        s = base_fail(STATUS_USAGE,
                      "--nodes %.64s are %d ranks, but --ranks is %" PRId64
                      ": leave out --ranks",
                      text, size, *ranks);
    }
    s = s == STATUS_OK ? composite_nodes_find(size, node, nodes) : s;
    *ranks = s == STATUS_OK ? size : *ranks;
    return s;
}

status messages_options_nodes(const char *text, int64_t *ranks, composite_nodes *nodes)
{
    int *node = malloc(APP_MOST_RANKS * sizeof *node);
    if (!node) {
        return base_fail_memory(APP_MOST_RANKS * sizeof *node, "the nodes of a schedule");
    }
    const status s = find_nodes(text, node, ranks, nodes);
    free(node);
    return s;
}

void messages_options_print_nodes(const composite_nodes *nodes, size_t size, char *out)
{
    size_t used = 0;
    int ranks = 0;
    out[0] = '\0';
    for (int rank = 0; rank < nodes->size && used < size; rank++) {
        ranks++;
        const bool is_last =
            rank + 1 == nodes->size ||
            nodes->node[nodes->team[rank + 1]] != nodes->node[nodes->team[rank]];
        if (is_last) {
            used += (size_t)snprintf(out + used, size - used, "%s%d", used > 0 ? "," : "",
                                     ranks);
            ranks = 0;
        }
    }
}

static status fail_unknown(const char *name)
{
    const char *names[COMPOSITE_MOST_ALGORITHMS];
    const int count = composite_algorithm_names(names);
    char known[256], hint[96];
    base_words_list(count, names, sizeof known, known);
    base_words_hint(name, count, names, sizeof hint, hint);
    return base_fail(STATUS_USAGE,
                     "there is no compositing algorithm '%.64s'%s: there are %s", name,
                     hint, known);
}

status messages_options_algorithm(const char *name, const composite_algorithm **out)
{
    const composite_algorithm *found = composite_algorithm_find(name);
    if (!found) {
        return fail_unknown(name);
    }
    *out = found;
    return STATUS_OK;
}

void messages_options_print(const composite_algorithm *algorithm,
                            const composite_problem *problem,
                            const composite_params *params, size_t size, char *out)
{
    const composite_params all = composite_schedule_params(algorithm, problem, params);
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < all.nfactors && used < size; i++) {
        used += (size_t)snprintf(out + used, size - used, "%s%d",
                                 i > 0 ? " x " : "factors ", all.factors[i]);
    }
    if (all.group > 0 && used < size) {
        used += (size_t)snprintf(out + used, size - used, "%sgroup %d",
                                 used > 0 ? ", " : "", all.group);
    }
    if (all.fan_in > 0 && used < size) {
        snprintf(out + used, size - used, "%sfan_in %d", used > 0 ? ", " : "",
                 all.fan_in);
    }
}

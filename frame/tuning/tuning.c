#include "tuning.h"

#include "base/log.h"
#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"
#include "base/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Ranks ------------------------------------------------------------------------- */

frame_crowd frame_crowd_find(MPI_Comm comm)
{
    MPI_Comm node;
    parallel_split_nodes(comm, &node);
    const int neighbours = parallel_size(node);
    const int leads = parallel_rank(node) == 0;
    int nodes, most;
    MPI_Comm_free(&node);
    parallel_allreduce(&leads, &nodes, 1, MPI_INT, MPI_SUM, comm);
    parallel_allreduce(&neighbours, &most, 1, MPI_INT, MPI_MAX, comm);
    return (frame_crowd){parallel_size(comm), nodes, most};
}

/* ---- Places ------------------------------------------------------------------------ */

/* The three parts, one after the other; malloc'ed, NULL without memory. */
static char *join(const char *a, const char *b, const char *c)
{
    const size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *path = malloc(size);
    if (path) {
        snprintf(path, size, "%s%s%s", a, b, c);
    }
    return path;
}

char *frame_tuning_user_path(void)
{
    static const char *const file = "/karman/tuning.json";
    const char *folder = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    if (folder && folder[0] == '/') {
        return join(folder, file, "");
    }
    return home && home[0] ? join(home, "/.config", file) : NULL;
}

/* The file of the installation that has this program, or libkarman, even if it was moved;
 * else that of the folder that CMake was given. malloc'ed; NULL: there is none. */
static char *find_installed(void)
{
    char *places[] = {base_path_beside_program(KARMAN_TUNING_FROM_PROGRAM),
                      base_path_beside_library(KARMAN_TUNING_FROM_LIBRARY),
                      strdup(KARMAN_TUNING_INSTALLED)};
    char *found = NULL;
    for (size_t n = 0; n < sizeof places / sizeof places[0]; n++) {
        if (!found && places[n] && access(places[n], F_OK) == 0) {
            found = places[n];
        } else {
            free(places[n]);
        }
    }
    return found;
}

char *frame_tuning_path(const char *named)
{
    if (named) {
        return strdup(named);
    }
    char *user = frame_tuning_user_path();
    if (user && access(user, F_OK) == 0) {
        return user;
    }
    free(user);
    return find_installed();
}

/* ---- Rules ------------------------------------------------------------------------- */

static bool is_same_crowd(const frame_crowd *a, const frame_crowd *b)
{
    return a->ranks == b->ranks && a->nodes == b->nodes && a->node_ranks == b->node_ranks;
}

composite_target frame_tuning_target(const io_config *config, bool shares_bytes)
{
    return io_config_wants_floats(config) ? COMPOSITE_FLOATS
           : shares_bytes && config->samples == 1 && !config->is_deep
               ? COMPOSITE_BYTES /* of 8 bits a channel, which need no sum of samples */
               : COMPOSITE_PIECES;
}

const char *frame_tuning_obstacle(const io_config *config, int ranks)
{
    return config->partition.kind != IO_PARTITION_OBJECT
               ? "'partition: screen' composites nothing"
           : strcmp(config->composite.algorithm, "auto") != 0
               ? "the config names a compositing algorithm"
           : ranks < 2 ? "a single rank composites nothing"
                       : NULL;
}

/* Keeps the rules for these ranks; with pictures, those for them alone. */
static void select_rules(frame_tuned_list *list, const frame_crowd *crowd,
                         const frame_tuning_pictures *pictures)
{
    int kept = 0;
    for (int n = 0; n < list->count; n++) {
        const frame_tuned *item = &list->items[n];
        if (is_same_crowd(&item->crowd, crowd) &&
            (!pictures ||
             composite_rule_is_about(&item->rule, pictures->target,
                                     (int64_t)pictures->width * pictures->height))) {
            list->items[kept++] = list->items[n];
        }
    }
    list->count = kept;
}

status frame_tuning_find(const char *path, const frame_crowd *crowd,
                         const frame_tuning_pictures *pictures, frame_tuned_list *list,
                         size_t size, char *why)
{
    frame_signature signature;
    bool others;
    frame_signature_find(&signature);
    why[0] = '\0';
    const status s = frame_tuning_read(path, &signature, list, &others);
    if (s != STATUS_OK) {
        return s;
    }
    const int of_machine = list->count;
    select_rules(list, crowd, NULL);
    const int of_crowd = list->count;
    select_rules(list, crowd, pictures);
    if (of_machine == 0) {
        snprintf(why, size,
                 "%s has no rules for this processor, MPI, transport and karman%s", path,
                 others ? ", only for others" : "");
    } else if (of_crowd == 0) {
        snprintf(
            why, size,
            "%s has rules for this machine, but none for %d ranks on %d nodes with at "
            "most %d on each",
            path, crowd->ranks, crowd->nodes, crowd->node_ranks);
    } else if (list->count == 0) {
        snprintf(why, size,
                 "%s has rules for these ranks, but none for about %d x %d pixels to %s: "
                 "'karman tune' with this config measures one",
                 path, pictures->width, pictures->height,
                 composite_target_names[pictures->target]);
    }
    return STATUS_OK;
}

static frame_tuning_predictor *predict; /* NULL: none */

void frame_tuning_take_predictor(frame_tuning_predictor *predictor)
{
    predict = predictor;
}

/* Rank 0: the rules, and a warning if the file is of no use. */
static void read_rules(const char *named, const frame_crowd *crowd,
                       const frame_tuning_pictures *pictures, frame_tuned_list *list)
{
    char why[1024];
    char *path = frame_tuning_path(named);
    if (!path) {
        return;
    }
    bool is_known = false;
    status s = frame_tuning_find(path, crowd, pictures, list, sizeof why, why);
    if (s == STATUS_OK && predict) {
        s = predict(path, crowd, pictures, list, &is_known);
    }
    if (s != STATUS_OK) {
        base_log_warning("%s; compositing goes without it", base_fail_message());
        base_fail_set_message(""); /* no failure of the job */
    } else if (named && list->count == 0 && !is_known) {
        base_log_warning("%s; compositing goes without it", why);
    }
    free(path);
}

/* A rule as it travels: pointers differ among ranks. */
typedef struct wire {
    composite_rule rule;
    int algorithm; /* its number; -1: none */
} wire;

static void pack(const frame_tuned_list *list, wire *wires)
{
    for (int n = 0; n < list->count; n++) {
        memset(&wires[n], 0, sizeof wires[n]); /* padding travels, too */
        wires[n].rule = list->items[n].rule;
        wires[n].algorithm = composite_algorithm_number(wires[n].rule.choice.algorithm);
    }
}

/* Tells all ranks the rules of rank 0. */
static status share(MPI_Comm comm, const frame_tuned_list *list, composite_rules *rules)
{
    int count = list->count;
    parallel_bcast(&count, 1, MPI_INT, 0, comm);
    if (count == 0) {
        return STATUS_OK;
    }
    wire *wires = malloc((size_t)count * sizeof *wires);
    composite_rule *all = malloc((size_t)count * sizeof *all);
    const status s = parallel_agree(
        comm, wires && all ? STATUS_OK
                           : base_fail_memory((size_t)count * sizeof *wires, "rules"));
    if (s == STATUS_OK) {
        if (parallel_rank(comm) == 0) {
            pack(list, wires);
        }
        parallel_bcast(wires, count * (int)sizeof *wires, MPI_BYTE, 0, comm);
        for (int n = 0; n < count; n++) {
            all[n] = wires[n].rule;
            all[n].choice.algorithm = composite_algorithm_at(wires[n].algorithm);
        }
        *rules = (composite_rules){count, all};
    } else {
        free(all);
    }
    free(wires);
    return s;
}

status frame_tuning_load(MPI_Comm comm, const char *named,
                         const frame_tuning_pictures *pictures, composite_rules *rules)
{
    frame_tuned_list list = {0};
    const frame_crowd crowd = frame_crowd_find(comm);
    if (parallel_rank(comm) == 0) {
        read_rules(named, &crowd, pictures, &list);
    }
    const status s = share(comm, &list, rules);
    frame_tuned_list_clear(&list);
    return s;
}

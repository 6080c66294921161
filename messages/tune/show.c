#include "show.h"

#include "collectives.h"

#include "base/parallel/parallel.h"
#include "frame/config_load.h"
#include "frame/tuning/tuning.h"
#include "messages/model/activity.h"
#include "messages/simulate/tuned_machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Show -------------------------------------------------------------------------- */

static void print_rule(const frame_tuned *tuned)
{
    char choice[256];
    composite_choice_print(&tuned->rule.choice, sizeof choice, choice);
    printf("%6d %6d %7d  %-7s %10lld  %7.1f %% %10.3f %10.3f %8.1f %% %7.1f %%  %s\n",
           tuned->crowd.ranks, tuned->crowd.nodes, tuned->crowd.node_ranks,
           composite_target_names[tuned->rule.target], (long long)tuned->rule.pixels,
           100 * tuned->rule.activity, 1e3 * tuned->seconds, 1e3 * tuned->usual_seconds,
           tuned->seconds > 0 ? 100 * (tuned->usual_seconds / tuned->seconds - 1) : 0.0,
           100 * tuned->spread, choice);
}

/* By ranks, nodes and target, then activity and pixels. */
static int compare_rules(const void *a, const void *b)
{
    const frame_tuned *x = a, *y = b;
    const int crowds[] = {
        x->crowd.ranks - y->crowd.ranks, x->crowd.nodes - y->crowd.nodes,
        (int)x->rule.target - (int)y->rule.target,
        (x->rule.pixels > y->rule.pixels) - (x->rule.pixels < y->rule.pixels)};
    for (size_t n = 0; n < sizeof crowds / sizeof crowds[0]; n++) {
        if (crowds[n] != 0) {
            return crowds[n];
        }
    }
    return (x->rule.activity < y->rule.activity) - (x->rule.activity > y->rule.activity);
}

static void print_rules_of(frame_tuned_list *rules)
{
    printf("%6s %6s %7s  %-7s %10s  %9s %10s %10s %10s %9s  %s\n", "ranks", "nodes",
           "a node", "target", "pixels", "activity", "ms", "auto ms", "auto loses",
           "spread", "choice");
    qsort(rules->items, (size_t)rules->count, sizeof *rules->items, compare_rules);
    for (int n = 0; n < rules->count; n++) {
        print_rule(&rules->items[n]);
    }
}

/* frame_tuning_visit */
static void show_machine(const json_t *machine, frame_tuned_list *rules, void *context)
{
    static const char *const parts[] = {"processor", "mpi", "transport", "karman"};
    const json_t *signature = json_object_get(machine, "signature"), *collective;
    const char *name =
        json_string_value(json_object_get(json_object_get(machine, "machine"), "name"));
    frame_signature here;
    size_t number;
    int *machines = context;
    frame_signature_find(&here);
    printf("%smachine %d%s\n", *machines > 0 ? "\n" : "", *machines + 1,
           frame_signature_matches(&here, signature) ? ", this one" : "");
    ++*machines;
    for (size_t n = 0; n < sizeof parts / sizeof parts[0]; n++) {
        const char *text = json_string_value(json_object_get(signature, parts[n]));
        printf("  %-10s %s\n", parts[n], text && text[0] ? text : "-");
    }
    if (name) {
        printf("  %-10s %s\n", "measured", name);
    }
    if (rules->count > 0) {
        print_rules_of(rules);
    }
    json_array_foreach(json_object_get(machine, "collectives"), number, collective)
    {
        if (number == 0) {
            tune_print_collective_titles();
        }
        tune_print_collective(collective);
    }
}

status tune_show(const char *path)
{
    int machines = 0;
    const status s = frame_tuning_each(path, show_machine, &machines);
    if (s == STATUS_OK && machines == 0) {
        printf("%s has no rules\n", path);
    }
    return s;
}

/* ---- Check ------------------------------------------------------------------------- */

static void print_choice(const composite_rules *rules, composite_target target,
                         const io_config *config, double activity)
{
    const int64_t pixels = (int64_t)config->width * config->height;
    const composite_rule *rule = composite_rules_find(rules, target, pixels, activity);
    char choice[256] = "as without the file";
    if (rule) {
        composite_choice followed = rule->choice;
        followed.encoding = composite_rules_encoding(rule, activity);
        composite_choice_print(&followed, sizeof choice, choice);
    }
    printf("  activity %5.1f %%: %s", 100 * activity, choice);
    if (rule) {
        printf(" (%s, for %lld pixels, activity %.1f %%)",
               rule->reason == COMPOSITE_SIMULATED ? "predicted" : "measured",
               (long long)rule->pixels, 100 * rule->activity);
    }
    putchar('\n');
}

/* Rank 0: prints the rules for a crowd. */
static void print_rules(const char *path, const frame_crowd *crowd,
                        const io_config *config, const frame_tuned_list *list)
{
    composite_rule *all = malloc((size_t)(list->count + 1) * sizeof *all);
    if (!all) {
        return;
    }
    for (int n = 0; n < list->count; n++) {
        all[n] = list->items[n].rule;
    }
    const composite_rules rules = {list->count, all};
    const composite_target target = frame_tuning_target(config, crowd->nodes == 1);
    printf("%s: %d x %d pixels to %s, %d ranks on %d node%s\n", path, config->width,
           config->height, composite_target_names[target], crowd->ranks, crowd->nodes,
           crowd->nodes == 1 ? "" : "s");
    print_choice(&rules, target, config, 1.0);
    simulate_activity kd = {0}; /* dense if memory is short */
    simulate_activity_kd(config->width, config->height, crowd->ranks, &kd);
    print_choice(&rules, target, config, simulate_activity_share(&kd));
    simulate_activity_clear(&kd);
    free(all);
}

static void check(const io_config *config, const frame_crowd *crowd)
{
    frame_tuned_list list = {0};
    char why[1024] = "";
    const char *reason = frame_tuning_obstacle(config, crowd->ranks);
    char *path = reason ? NULL : frame_tuning_path(config->composite.tuning);
    if (!path) {
        printf("no rule is used: %s\n", reason ? reason : "there is no tuning file");
        return;
    }
    const frame_tuning_pictures pictures = {
        config->width, config->height, frame_tuning_target(config, crowd->nodes == 1)};
    status s = frame_tuning_find(path, crowd, &pictures, &list, sizeof why, why);
    bool is_known = false;
    s = s == STATUS_OK
            ? messages_tuning_simulate(path, crowd, &pictures, &list, &is_known)
            : s;
    if (s != STATUS_OK) {
        printf("no rule is used: %s\n", base_fail_message());
        base_fail_set_message("");
    } else if (list.count == 0 && !is_known) {
        printf("no rule is used: %s\n", why);
    } else {
        print_rules(path, crowd, config, &list);
    }
    frame_tuned_list_clear(&list);
    free(path);
}

status tune_check(MPI_Comm comm, const char *config_path)
{
    io_config *config = NULL;
    const frame_crowd crowd = frame_crowd_find(comm);
    const status s = frame_config_load(comm, config_path, 0, NULL, &config);
    if (s == STATUS_OK && parallel_rank(comm) == 0) {
        check(config, &crowd);
    }
    io_config_destroy(&config);
    return s;
}

#include "app/compare_plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_there(const compare_names *names, const char *name)
{
    for (int n = 0; n < names->count; n++) {
        if (strcmp(names->at[n], name) == 0) {
            return true;
        }
    }
    return false;
}

status compare_plan_read_names(const char *option, const char *list, compare_names *names)
{
    names->count = 0;
    size_t length = strlen(list);
    if (length >= sizeof names->text) {
        return base_fail(STATUS_USAGE, "%s: the list is too long", option);
    }
    memcpy(names->text, list, length + 1);
    char *at = names->text, *end = names->text + length;
    while (at <= end) {
        char *next = at + strcspn(at, ",");
        *next = '\0';
        if (next == at) {
            return base_fail(STATUS_USAGE, "%s '%s': give names with a comma in between",
                             option, list);
        }
        if (is_there(names, at) || names->count == COMPARE_MOST) {
            return base_fail(STATUS_USAGE, "%s %s: '%s' is there twice, or too many are",
                             option, list, at);
        }
        names->at[names->count++] = at;
        at = next + 1;
    }
    return STATUS_OK;
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

status compare_plan_read_ranks(const char *list, compare_plan *plan)
{
    compare_names names;
    status s = compare_plan_read_names("--ranks", list, &names);
    plan->nranks = 0;
    for (int n = 0; s == STATUS_OK && n < names.count; n++) {
        char *end;
        errno = 0;
        long ranks = strtol(names.at[n], &end, 10);
        bool is_number = names.at[n][0] >= '0' && names.at[n][0] <= '9' && *end == '\0';
        if (!is_number || errno || ranks < 1 || ranks > COMPARE_MOST_RANKS) {
            return base_fail(STATUS_USAGE,
                             "--ranks %s: '%s' is not a number of ranks: give whole "
                             "numbers from 1 to %d, like 1,2,4",
                             list, names.at[n], (int)COMPARE_MOST_RANKS);
        }
        plan->ranks[plan->nranks++] = (int)ranks;
    }
    if (s != STATUS_OK) {
        return s;
    }
    qsort(plan->ranks, (size_t)plan->nranks, sizeof plan->ranks[0], compare_ints);
    for (int n = 1; n < plan->nranks; n++) {
        if (plan->ranks[n] == plan->ranks[n - 1]) {
            return base_fail(STATUS_USAGE, "--ranks %s: %d is there twice", list,
                             plan->ranks[n]);
        }
    }
    return STATUS_OK;
}

bool compare_plan_composites(const char *partition, int ranks)
{
    return ranks > 1 && strcmp(partition, "screen") != 0;
}

status compare_plan_cases(const compare_plan *plan, int *count, compare_case **cases)
{
    const compare_names *partitions = &plan->partitions, *algorithms = &plan->algorithms;
    size_t most =
        (size_t)plan->nranks * (size_t)partitions->count * (size_t)algorithms->count;
    compare_case *all = malloc((most + 1) * sizeof *all);
    if (!all) {
        return base_fail_memory(most * sizeof *all, "the list of runs");
    }
    int n = 0;
    for (int p = 0; p < partitions->count; p++) {
        for (int r = 0; r < plan->nranks; r++) {
            bool composites = compare_plan_composites(partitions->at[p], plan->ranks[r]);
            int used = composites ? algorithms->count : 1;
            for (int a = 0; a < used; a++) {
                all[n++] =
                    (compare_case){partitions->at[p], algorithms->at[a], plan->ranks[r]};
            }
        }
    }
    *count = n;
    *cases = all;
    return STATUS_OK;
}

void compare_plan_name(const compare_plan *plan, const compare_case *which,
                       char name[COMPARE_NAME])
{
    snprintf(name, COMPARE_NAME, "%.20s-%.40s-%d-%016" PRIx64, which->partition,
             which->algorithm, which->ranks, plan->hash);
}

char *compare_plan_path(const compare_plan *plan, const char *subfolder, const char *name,
                        const char *suffix)
{
    size_t size =
        strlen(plan->folder) + strlen(subfolder) + strlen(name) + strlen(suffix) + 3;
    char *path = malloc(size);
    if (path) {
        snprintf(path, size, "%s/%s/%s%s", plan->folder, subfolder, name, suffix);
    }
    return path;
}

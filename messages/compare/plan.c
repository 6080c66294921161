#include "plan.h"

#include "base/hash.h"
#include "partition.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char AS_IS[] = "as-is";

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
            return base_fail(STATUS_USAGE,
                             "%s %s: '%s' occurs twice, or the list is too long", option,
                             list, at);
        }
        names->at[names->count++] = at;
        at = next + 1;
    }
    return STATUS_OK;
}

/* The static string of that name; NULL if there is none. */
static const char *find_projection(const char *name)
{
    static const char *const known[COMPARE_MOST_PROJECTIONS] = {AS_IS, "small", "large"};
    for (int n = 0; n < COMPARE_MOST_PROJECTIONS; n++) {
        if (strcmp(known[n], name) == 0) {
            return known[n];
        }
    }
    return NULL;
}

void compare_plan_clear(compare_plan *plan)
{
    for (int n = 0; n < plan->noverrides; n++) {
        free(plan->overrides[n]);
    }
    free(plan->overrides);
    free(plan->folder);
}

status compare_plan_read_projections(const char *list, compare_plan *plan)
{
    compare_names names;
    status s = compare_plan_read_names("--projections", list, &names);
    plan->nprojections = 0;
    for (int n = 0; s == STATUS_OK && n < names.count; n++) {
        const char *name = find_projection(names.at[n]);
        if (!name) {
            return base_fail(STATUS_USAGE,
                             "--projections: there is no '%s', only as-is, small, large",
                             names.at[n]);
        }
        plan->projections[plan->nprojections++] = (compare_projection){
            .name = name, .factor = 1.0, .coverage = NAN, .is_reached = true};
    }
    return s;
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
            return base_fail(STATUS_USAGE, "--ranks %s: %d occurs twice", list,
                             plan->ranks[n]);
        }
    }
    return STATUS_OK;
}

bool compare_plan_composites(const char *partition, int ranks)
{
    const compare_partition *found = compare_partition_find(partition);
    return ranks > 1 && !(found && found->is_screen);
}

bool compare_plan_projects(const compare_plan *plan)
{
    return plan->nprojections > 1 ||
           (plan->nprojections == 1 && strcmp(plan->projections[0].name, AS_IS) != 0);
}

/* Appends the cases of one partition and projection at all[n]; returns the new number. */
static int add_cases(const compare_plan *plan, const char *partition, int projection,
                     int n, compare_case *all)
{
    const compare_names *algorithms = &plan->algorithms;
    for (int r = 0; r < plan->nranks; r++) {
        bool composites = compare_plan_composites(partition, plan->ranks[r]);
        int used = composites ? algorithms->count : 1;
        for (int a = 0; a < used; a++) {
            all[n++] =
                (compare_case){partition, algorithms->at[a], plan->ranks[r], projection};
        }
    }
    return n;
}

status compare_plan_cases(const compare_plan *plan, int *count, compare_case **cases)
{
    const compare_names *partitions = &plan->partitions;
    size_t most = (size_t)plan->nprojections * (size_t)plan->nranks *
                  (size_t)partitions->count * (size_t)plan->algorithms.count;
    compare_case *all = malloc((most + 1) * sizeof *all);
    if (!all) {
        return base_fail_memory(most * sizeof *all, "the list of runs");
    }
    int n = 0;
    for (int v = 0; v < plan->nprojections; v++) {
        for (int p = 0; p < partitions->count; p++) {
            n = add_cases(plan, partitions->at[p], v, n, all);
        }
    }
    *count = n;
    *cases = all;
    return STATUS_OK;
}

void compare_plan_short_name(const compare_plan *plan, const compare_case *which,
                             char name[COMPARE_NAME])
{
    const char *projection = plan->projections[which->projection].name;
    bool is_own = strcmp(projection, AS_IS) == 0;
    snprintf(name, COMPARE_NAME, "%.20s-%.40s-%d%s%.10s", which->partition,
             which->algorithm, which->ranks, is_own ? "" : "-", is_own ? "" : projection);
}

void compare_plan_name(const compare_plan *plan, const compare_case *which,
                       char name[COMPARE_NAME])
{
    compare_plan_short_name(plan, which, name);
    size_t length = strlen(name);
    uint64_t hash = plan->hash;
    double factor = plan->projections[which->projection].factor;
    if (factor != 1.0) {
        hash = base_hash_bytes(hash, &factor, sizeof factor);
    }
    snprintf(name + length, COMPARE_NAME - length, "-%016" PRIx64, hash);
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

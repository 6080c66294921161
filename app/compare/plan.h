/* karman compare: which runs there are, and what they are called. */
#ifndef APP_COMPARE_PLAN_H
#define APP_COMPARE_PLAN_H

#include "base/status.h"
#include "cores.h"
#include "view.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    COMPARE_MOST = 32,           /* rank counts, partitions, algorithms, each */
    COMPARE_MOST_RANKS = 100000, /* of one run */
    COMPARE_MOST_PROJECTIONS = 3,
    COMPARE_NAME = 128
};

/* Names separated by commas, cut apart in `text`. */
typedef struct compare_names {
    char text[512];
    int count;
    const char *at[COMPARE_MOST];
} compare_names;

/* How large the grid is in the picture. */
typedef struct compare_projection {
    const char *name; /* "as-is", "small" or "large"; static */
    double factor;    /* of the height of what the picture shows, against the config's */
    double coverage;  /* share of pixels on which the first step draws anything, in a
                         probe; NAN: not measured */
    bool is_reached;  /* the coverage is about that which the name stands for */
} compare_projection;

/* One combination that is run, as often as the plan says. */
typedef struct compare_case {
    const char *partition, *algorithm; /* borrowed from the plan */
    int ranks;
    int projection; /* place in the plan's projections */
} compare_case;

typedef struct compare_plan {
    const char *config;              /* path as given; borrowed */
    char *folder;                    /* absolute; malloc'ed */
    int nranks, ranks[COMPARE_MOST]; /* ascending, each once */
    compare_names partitions, algorithms;
    int nprojections;
    compare_projection projections[COMPARE_MOST_PROJECTIONS]; /* [nprojections] */
    compare_view view;
    compare_cores cores;     /* that all runs are bound to; empty: none is */
    bool warms_caches;       /* ranks draw pictures twice, and the second time counts */
    compare_machine machine; /* before the runs */
    int repeat, threads;
    int noverrides;
    char **overrides;   /* [noverrides], malloc'ed: those asked for, then those found */
    int64_t first_step; /* that the config draws */
    uint64_t hash;      /* of all that results depend on beside the case */
} compare_plan;

/*
 * Cuts a list of names apart. `option` is for messages. Local. Errors: STATUS_USAGE where
 * it is empty, too long, or names the same twice.
 */
status compare_plan_read_names(const char *option, const char *list,
                               compare_names *names);

/* Frees what a plan owns. Local. */
void compare_plan_clear(compare_plan *plan);

/* Fills in the projections of a list, whose factors are 1 and not yet found. Local.
 * Errors: STATUS_USAGE. */
status compare_plan_read_projections(const char *list, compare_plan *plan);

/* Fills in the rank counts of a list, sorted. Local. Errors: STATUS_USAGE. */
status compare_plan_read_ranks(const char *list, compare_plan *plan);

/* Whether ranks of a partition composite: one alone does not, nor do ranks that own
 * rectangles of the picture; then the algorithm does not matter. */
bool compare_plan_composites(const char *partition, int ranks);

/*
 * The cases, in the order in which they are run: [*count], malloc'ed. Where nothing is
 * composited only the first algorithm is run. Local. Errors: STATUS_MEMORY.
 */
status compare_plan_cases(const compare_plan *plan, int *count, compare_case **cases);

/* Whether there is anything to tell apart: another projection than the config's own. */
bool compare_plan_projects(const compare_plan *plan);

/* What a case is called where one comparison's cases are: "object-radix-k-4", or
 * "object-radix-k-4-small". Local. */
void compare_plan_short_name(const compare_plan *plan, const compare_case *which,
                             char name[COMPARE_NAME]);

/* The same with what results depend on: "object-radix-k-4-0123456789abcdef". Local. */
void compare_plan_name(const compare_plan *plan, const compare_case *which,
                       char name[COMPARE_NAME]);

/* FOLDER/SUBFOLDER/NAME + suffix, malloc'ed; NULL without memory. Local. */
char *compare_plan_path(const compare_plan *plan, const char *subfolder, const char *name,
                        const char *suffix);

#endif

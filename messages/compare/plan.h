/* karman compare: the plan of a comparison: its cases and their names. */
#ifndef MESSAGES_COMPARE_PLAN_H
#define MESSAGES_COMPARE_PLAN_H

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

/* Names separated by commas; `text` holds them. */
typedef struct compare_names {
    char text[512];
    int count;
    const char *at[COMPARE_MOST];
} compare_names;

/* A projection: the size of the grid in the picture. */
typedef struct compare_projection {
    const char *name; /* "as-is", "small" or "large"; static */
    double factor;    /* height of the visible part of the scene, relative to the
                         config's */
    double coverage;  /* share of pixels that the first step covers, from a probe; NAN:
                         not measured */
    bool is_reached;  /* the coverage is about the one that the name stands for */
} compare_projection;

/* A case: a combination that is run, as often as the plan says. */
typedef struct compare_case {
    const char *partition, *algorithm; /* borrowed from the plan */
    int ranks;
    int projection; /* index into the plan's projections */
} compare_case;

typedef struct compare_plan {
    const char *config;              /* path as given; borrowed */
    const char *launcher;            /* starts the runs; borrowed; NULL: mpiexec */
    char *folder;                    /* absolute; malloc'ed */
    int nranks, ranks[COMPARE_MOST]; /* ascending, each once */
    compare_names partitions, algorithms;
    int nprojections;
    compare_projection projections[COMPARE_MOST_PROJECTIONS]; /* [nprojections] */
    compare_view view;
    compare_cores cores;     /* all runs are bound to them; empty: not bound */
    bool warms_caches;       /* ranks draw each picture twice, and the second time
                                counts */
    compare_machine machine; /* before the runs */
    int repeat, threads;
    bool takes_one_sample; /* the config does not say how many samples pixels have */
    int noverrides;
    char **overrides;   /* [noverrides], malloc'ed: those of the request, then those found
                           by autoconfiguration */
    int64_t first_step; /* the first step that the config draws */
    uint64_t hash;      /* of all that influences results, apart from the case */
} compare_plan;

/*
 * Splits a list of names. `option` is for messages. Local. Errors: STATUS_USAGE if the
 * list is empty, too long, or has a name twice.
 */
status compare_plan_read_names(const char *option, const char *list,
                               compare_names *names);

/* Frees the members that a plan owns. Local. */
void compare_plan_clear(compare_plan *plan);

/* Sets the projections from a list. Their factors are 1 until compare_projection_find
 * finds them. Local. Errors: STATUS_USAGE. */
status compare_plan_read_projections(const char *list, compare_plan *plan);

/* Sets the rank counts from a list, sorted. Local. Errors: STATUS_USAGE. */
status compare_plan_read_ranks(const char *list, compare_plan *plan);

/* Whether the ranks of a partition composite. A single rank does not, nor do ranks that
 * own rectangles of the picture. Without compositing the algorithm does not matter. */
bool compare_plan_composites(const char *partition, int ranks);

/*
 * The cases in the order of their runs: [*count], malloc'ed. Without compositing only the
 * first algorithm is run. Local. Errors: STATUS_MEMORY.
 */
status compare_plan_cases(const compare_plan *plan, int *count, compare_case **cases);

/* Whether there are projections other than the config's own view. */
bool compare_plan_projects(const compare_plan *plan);

/* The name of a case within one comparison: "object-radix-k-4", or
 * "object-radix-k-4-small". Local. */
void compare_plan_short_name(const compare_plan *plan, const compare_case *which,
                             char name[COMPARE_NAME]);

/* The same, with the hash of all that influences results:
 * "object-radix-k-4-0123456789abcdef". Local. */
void compare_plan_name(const compare_plan *plan, const compare_case *which,
                       char name[COMPARE_NAME]);

/* FOLDER/SUBFOLDER/NAME + suffix, malloc'ed; NULL without memory. Local. */
char *compare_plan_path(const compare_plan *plan, const char *subfolder, const char *name,
                        const char *suffix);

#endif

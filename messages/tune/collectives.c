/* The fastest algorithm and segment of collectives, by experiment on the ranks of a job:
 * tables 2 to 5 of S. Vadhiyar, G. Fagg and J. Dongarra, "Automatically tuned collective
 * communications", SC 2000. All ranks search alike, as all know the time of each run. */
#include "collectives.h"

#include "base/parallel/parallel.h"
#include "base/system.h"
#include "frame/tuning/tuning.h"
#include "messages/collective/describe/problem.h"
#include "messages/run/execute.h"
#include "messages/search/race.h"
#include "point.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum {
    MOST_METHODS = 16,
    MOST_STEPS = 9,      /* of segments, each half of the one before */
    LEAST_SEGMENT = 128, /* elements */
    FINALISTS = 3,       /* MPI's own and others */
    HELD = FINALISTS + 1,
    REPEATS = 2
};

/* A win by less is no reason to leave MPI's own; a trial that took so many times as long
 * as the best one is no finalist; trials that take less are repeated, in seconds. */
static const double least_gain = 0.03, lag = 1.15, brief = 0.01;

/* An execution that is kept for the next runs of its trial. */
typedef struct held_trial {
    int method, step; /* method -1: none */
    collectives_execution execution;
} held_trial;

/* The search for one collective and one size. Method 0 is MPI's own. */
typedef struct searching {
    MPI_Comm comm;
    frame_crowd crowd;
    collectives_problem of;
    const collective_algorithm *methods[MOST_METHODS]; /* [nmethods] */
    int nmethods, nsteps;
    double end; /* on base_clock of rank 0 */
    held_trial held[HELD];
    int next; /* of `held`, to be replaced */
    status status;
    /* The outcome. */
    int64_t runs;
    double seconds; /* of search and race */
    tune_finalist finalists[FINALISTS];
    int nfinalists, winner;
} searching;

/* ---- Trials ------------------------------------------------------------------------ */

static void drop(held_trial *trial)
{
    if (trial->method >= 0) {
        collectives_execution_clear(&trial->execution);
    }
    trial->method = -1;
}

/* The elements of a message at most; 0: messages are whole. */
static int64_t segment_of(const searching *s, int step)
{
    return step > 0 ? (s->of.problem.count + (INT64_C(1) << step) - 1) >> step : 0;
}

/* The execution of a trial. A new one runs once: that connects, and touches memory. NULL
 * after a failure, on all ranks. */
static collectives_execution *hold(searching *s, int method, int step)
{
    for (int n = 0; n < HELD; n++) {
        if (s->held[n].method == method && s->held[n].step == step) {
            return &s->held[n].execution;
        }
    }
    held_trial *trial = &s->held[s->next];
    s->next = (s->next + 1) % HELD;
    drop(trial);
    *trial = (held_trial){.method = method, .step = step};
    collective_problem problem = s->of.problem;
    problem.segment = segment_of(s, step);
    double unused;
    s->status = parallel_agree(
        s->comm, collectives_execution_make(s->comm, s->of.operation, s->methods[method],
                                            &problem, &trial->execution));
    s->status = s->status == STATUS_OK
                    ? collectives_execution_time(&trial->execution, &unused)
                    : s->status;
    return s->status == STATUS_OK ? &trial->execution : NULL;
}

/* tune_space.run */
static bool run(void *context, int method, int step, double *seconds)
{
    searching *s = context;
    const collective_algorithm *algorithm = s->methods[method];
    double left = s->end - base_clock();
    *seconds = INFINITY;
    if (step > 0 && !(algorithm && algorithm->has_segments)) {
        return true;
    }
    parallel_bcast(&left, 1, MPI_DOUBLE, 0, s->comm);
    collectives_execution *e = left > 0 ? hold(s, method, step) : NULL;
    if (!e) {
        return false;
    }
    s->status = collectives_execution_time(e, seconds);
    *seconds = fmax(*seconds, 1e-9);
    return s->status == STATUS_OK;
}

/* ---- One search -------------------------------------------------------------------- */

/* MPI's own, and the best trials of the two best algorithms, if they are near it. */
static void find_finalists(searching *s, const tune_best *best)
{
    s->finalists[0] = (tune_finalist){.method = 0};
    s->nfinalists = 1;
    int first = -1;
    for (int last = 0; s->nfinalists < FINALISTS;) {
        int next = -1;
        for (int m = 1; m < s->nmethods; m++) {
            next = m != last && isfinite(best[m].seconds) &&
                           (next < 0 || best[m].seconds < best[next].seconds)
                       ? m
                       : next;
        }
        first = first < 0 ? next : first;
        if (next < 0 || best[next].seconds > lag * best[first].seconds) {
            return;
        }
        s->finalists[s->nfinalists++] =
            (tune_finalist){.method = next, .step = best[next].step};
        last = next;
    }
}

static status search(searching *s, bool tries_all)
{
    const tune_space space = {.methods = s->nmethods,
                              .steps = s->nsteps,
                              .brief = brief,
                              .repeats = tries_all ? TUNE_EXHAUSTIVE_REPEATS : REPEATS,
                              .run = run,
                              .context = s};
    const tune_limits limits = {.rounds = 15, .least = least_gain, .brief = brief};
    const double begin = base_clock();
    tune_best best[MOST_METHODS];
    tune_result result;
    status outcome =
        tune_search(tries_all ? TUNE_EXHAUSTIVE : TUNE_SMGD, &space, best, &result);
    if (outcome == STATUS_OK && s->status == STATUS_OK) {
        find_finalists(s, best);
        s->runs = result.runs + tune_race(&space, &limits, s->finalists, s->nfinalists);
        s->winner = tune_choose(s->finalists, s->nfinalists, least_gain);
    }
    s->seconds = base_clock() - begin;
    for (int n = 0; n < HELD; n++) {
        drop(&s->held[n]);
    }
    return outcome == STATUS_OK ? s->status : outcome;
}

/* Lists MPI's own and the algorithms of the operation, and the steps of segments. */
static void prepare(searching *s, const collective_operation *operation, int64_t count)
{
    s->of.operation = operation;
    s->of.problem.count = count;
    s->nmethods = s->nsteps = 1;
    for (int n = 0; s->nmethods < MOST_METHODS && collectives_at(&s->of, n); n++) {
        s->methods[s->nmethods++] = collectives_at(&s->of, n);
    }
    while (s->nsteps < MOST_STEPS && segment_of(s, s->nsteps) >= LEAST_SEGMENT) {
        s->nsteps++;
    }
    for (int n = 0; n < HELD; n++) {
        s->held[n].method = -1;
    }
}

/* ---- Output ------------------------------------------------------------------------ */

void tune_print_collective_titles(void)
{
    printf("%6s %6s %7s  %-14s %10s  %-18s %10s %11s %11s %9s %8s\n", "ranks", "nodes",
           "a node", "collective", "bytes", "algorithm", "segment", "us", "MPI's us",
           "MPI loses", "spread");
}

static double number_of(const json_t *collective, const char *key)
{
    return json_number_value(json_object_get(collective, key));
}

void tune_print_collective(const json_t *collective)
{
    const char *name = json_string_value(json_object_get(collective, "collective"));
    const char *algorithm = json_string_value(json_object_get(collective, "algorithm"));
    const double seconds = number_of(collective, "seconds");
    const double own = number_of(collective, "mpi_seconds");
    printf("%6.0f %6.0f %7.0f  %-14s %10.0f  %-18s %10.0f %11.2f %11.2f %7.1f %% %6.1f "
           "%%\n",
           number_of(collective, "ranks"), number_of(collective, "nodes"),
           number_of(collective, "ranks_a_node"), name ? name : "-",
           number_of(collective, "bytes"), algorithm ? algorithm : "-",
           number_of(collective, "segment"), 1e6 * seconds, 1e6 * own,
           seconds > 0 ? 100 * (own / seconds - 1) : 0.0,
           100 * number_of(collective, "spread"));
}

/* Rank 0: prints the outcome, and adds it to the file. */
static status take(const searching *s, const char *path)
{
    const tune_finalist *winner = &s->finalists[s->winner], *own = s->finalists;
    const collective_algorithm *algorithm = s->methods[winner->method];
    const frame_crowd crowd = s->crowd;
    frame_signature signature;
    if (!isfinite(own->seconds)) {
        printf("%s, %" PRId64 " bytes: too little time for a decision\n",
               s->of.operation->name, 8 * s->of.problem.count);
        return STATUS_OK;
    }
    json_t *row = json_pack(
        "{s:s, s:i, s:i, s:i, s:I, s:s, s:I, s:f, s:f, s:f}", "collective",
        s->of.operation->name, "ranks", crowd.ranks, "nodes", crowd.nodes, "ranks_a_node",
        crowd.node_ranks, "bytes", (json_int_t)(8 * s->of.problem.count), "algorithm",
        algorithm ? algorithm->name : "mpi", "segment",
        (json_int_t)(8 * segment_of(s, winner->step)), "seconds", winner->seconds,
        "mpi_seconds", own->seconds, "spread", fmax(own->spread, winner->spread));
    tune_print_collective(row);
    fflush(stdout);
    frame_signature_find(&signature);
    const status outcome = frame_tuning_put_collective(path, &signature, row);
    json_decref(row);
    return outcome;
}

/* ---- All --------------------------------------------------------------------------- */

/* All searches so far, on rank 0. */
typedef struct total {
    int64_t runs;
    double seconds;
} total;

/* Tunes one collective for one size. left: s, of rank 0. */
static status tune_one(MPI_Comm comm, const tune_request *request,
                       const collective_operation *operation, int64_t count, double left,
                       total *all)
{
    searching s = {
        .comm = comm, .crowd = frame_crowd_find(comm), .end = base_clock() + left};
    s.of.problem.size = parallel_size(comm);
    prepare(&s, operation, count);
    status outcome = search(&s, request->exhaustive);
    if (outcome == STATUS_OK && parallel_rank(comm) == 0) {
        all->runs += s.runs;
        all->seconds += s.seconds;
        outcome = take(&s, request->path);
    }
    return parallel_agree(comm, outcome);
}

static int count_operations(void)
{
    int count = 0;
    while (collective_operation_at(count)) {
        count++;
    }
    return count;
}

static status tune_all(MPI_Comm comm, const tune_request *request,
                       const collective_operation *only)
{
    const double begin = base_clock();
    const int points = (only ? 1 : count_operations()) * request->nsides;
    const bool leads = parallel_rank(comm) == 0;
    total all = {0};
    status s = STATUS_OK;
    if (leads) {
        tune_print_collective_titles();
    }
    for (int n = 0; n < points && s == STATUS_OK; n++) {
        const double left = (begin + request->budget - base_clock()) / (points - n);
        const int size = n % request->nsides, bytes = request->sides[size];
        const collective_operation *operation =
            only ? only : collective_operation_at(n / request->nsides);
        const int64_t elements = operation->is_barrier ? 0 : bytes < 8 ? 1 : bytes / 8;
        if (elements > 0 || size == 0) {
            s = tune_one(comm, request, operation, elements, left, &all);
        }
    }
    if (leads && s == STATUS_OK) {
        printf("%" PRId64 " runs in %.2f s; %s has the fastest: 'karman tune --show' "
               "prints them\n",
               all.runs, all.seconds, request->path);
    }
    return s;
}

status tune_collectives(MPI_Comm comm, const tune_request *request, const char *name)
{
    collectives_problem found = {0};
    MPI_Comm own;
    if (parallel_size(comm) < 2 || parallel_size(comm) > COLLECTIVE_MOST_RANKS) {
        return base_fail(STATUS_USAGE,
                         "--collectives takes 2 to %d ranks: start tune with mpiexec, on "
                         "the ranks of later jobs",
                         COLLECTIVE_MOST_RANKS);
    }
    status s = name ? collectives_find(name, NULL, &found) : STATUS_OK;
    s = s == STATUS_OK && parallel_rank(comm) == 0 ? frame_tuning_try(request->path) : s;
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        return s;
    }
    parallel_dup(comm, &own);
    s = tune_all(own, request, found.operation);
    MPI_Comm_free(&own);
    return s;
}

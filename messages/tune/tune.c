#include "tune.h"

#include "base/parallel/parallel.h"
#include "base/system.h"
#include "frame.h"
#include "frame/entry.h"
#include "messages/simulate/measure.h"
#include "messages/simulate/tuned_machine.h"
#include "point.h"

#include <math.h>
#include <stdio.h>

enum {
    MOST_POINTS = 2 * COMPOSITE_TARGETS * TUNE_MOST_SIDES,
    REPEATS = 2 /* of a trial */
};

typedef struct tuning {
    MPI_Comm comm;
    const tune_request *request;
    frame_crowd crowd;
    int threads;
    tune_picture points[MOST_POINTS];
    int npoints;
    simulate_machine machine; /* that the simulator takes, on rank 0 */
    double begin;             /* base_clock */
} tuning;

/* ---- Points ------------------------------------------------------------------------ */

/* Squares for all targets that frames of karman have on these nodes
 * (frame_tuning_target). */
static void list_squares(tuning *t)
{
    static const composite_target targets[] = {COMPOSITE_PIECES, COMPOSITE_FLOATS,
                                               COMPOSITE_BYTES};
    const int ntargets = t->crowd.nodes == 1 ? 3 : 2;
    for (int n = 0; n < t->request->nsides; n++) {
        const int side = t->request->sides[n];
        for (int k = 0; k < ntargets; k++) {
            for (int activity = TUNE_DENSE; activity <= TUNE_KD; activity++) {
                t->points[t->npoints++] =
                    (tune_picture){side, side, targets[k], (tune_activity)activity, NULL};
            }
        }
    }
}

/* ---- Reports ----------------------------------------------------------------------- */

static void print_point(const tune_picture *picture, const tune_outcome *outcome)
{
    static const char *const activities[] = {"dense", "k-d", "frame"};
    const frame_tuned *tuned = &outcome->tuned;
    const bool stays = composite_choice_is_usual(&tuned->rule.choice);
    char choice[256];
    printf("%s%d x %d, %s, %s: ", outcome->is_busy ? "(the machine is still busy) " : "",
           picture->width, picture->height, activities[picture->activity],
           composite_target_names[picture->target]);
    if (!outcome->is_decided) {
        printf("too little time for a decision, %lld runs\n", (long long)outcome->runs);
        return;
    }
    if (!isfinite(outcome->best_seconds)) {
        printf("auto stays: nothing else comes near, %.3f ms; %lld runs in %.2f s\n",
               1e3 * tuned->usual_seconds, (long long)outcome->runs, outcome->seconds);
        return;
    }
    composite_choice_print(stays ? &outcome->best : &tuned->rule.choice, sizeof choice,
                           choice);
    printf("%s %s, %.3f ms, auto %.3f ms (%+.1f %%, spread %.1f %%); %lld runs in %.2f "
           "s%s\n",
           stays ? "auto stays: the next is" : "takes", choice,
           1e3 * outcome->best_seconds, 1e3 * tuned->usual_seconds,
           100 * (outcome->best_seconds / tuned->usual_seconds - 1), 100 * tuned->spread,
           (long long)outcome->runs, outcome->seconds,
           outcome->is_whole ? "" : "; the budget ended the search");
}

/* Rank 0: prints a point, and adds its rule to the file. */
static status take(const tuning *t, const tune_picture *picture,
                   const tune_outcome *outcome)
{
    frame_signature signature;
    frame_tuned item = outcome->tuned;
    const frame_tuned_list list = {1, &item};
    print_point(picture, outcome);
    fflush(stdout);
    frame_signature_find(&signature);
    return outcome->is_decided ? frame_tuning_add(t->request->path, &signature, &list)
                               : STATUS_OK;
}

/* ---- The run ----------------------------------------------------------------------- */

/* The seconds for point n, by the clock of rank 0: an equal share of those left. */
static double find_share(const tuning *t, int n)
{
    double share = (t->request->budget - (base_clock() - t->begin)) / (t->npoints - n);
    parallel_bcast(&share, 1, MPI_DOUBLE, 0, t->comm);
    return share;
}

static status measure_point(const tuning *t, const tune_picture *picture, double seconds)
{
    tune_scene scene;
    tune_outcome outcome;
    const bool tries_all = t->request->exhaustive;
    const tune_effort effort = {.strategy = tries_all ? TUNE_EXHAUSTIVE : TUNE_SMGD,
                                .seconds = seconds,
                                .repeats = tries_all ? TUNE_EXHAUSTIVE_REPEATS : REPEATS};
    status s = tune_scene_create(t->comm, picture, &scene);
    if (s != STATUS_OK) {
        return s;
    }
    s = tune_point(&scene, t->threads, &t->machine, &effort, &outcome);
    if (s == STATUS_OK) {
        s = parallel_agree(t->comm, scene.rank == 0 ? take(t, picture, &outcome) : s);
    }
    tune_scene_clear(&scene);
    return s;
}

static status measure_points(const tuning *t)
{
    status s = STATUS_OK;
    for (int n = 0; n < t->npoints && s == STATUS_OK; n++) {
        const double seconds = find_share(t, n);
        if (seconds <= 0) {
            if (parallel_rank(t->comm) == 0) {
                printf("the budget of %g s is used up: %d of %d points are left out\n",
                       t->request->budget, t->npoints - n, t->npoints);
            }
            break;
        }
        s = measure_point(t, &t->points[n], seconds);
    }
    return s;
}

/* Measures the links between nodes, and adds the machine to the file. Within a node the
 * usual machine is as good. Collective. */
static status measure_machine(tuning *t)
{
    json_t *about = NULL;
    t->machine = simulate_machine_usual();
    if (t->crowd.nodes < 2) {
        return STATUS_OK;
    }
    status s = simulate_measure(t->comm, &t->machine, &about);
    if (s == STATUS_OK && parallel_rank(t->comm) == 0) {
        frame_signature signature;
        frame_signature_find(&signature);
        simulate_measure_print("machine", &t->machine);
        s = messages_tuning_add_machine(t->request->path, &signature, &t->machine, about);
    }
    json_decref(about);
    return parallel_agree(t->comm, s);
}

/* Points by the config's frame, or squares. */
static status find_points(tuning *t, tune_frame *frame)
{
    if (!t->request->config) {
        list_squares(t);
        return STATUS_OK;
    }
    const status s =
        tune_frame_render(t->comm, t->request->config, t->crowd.nodes == 1, frame);
    t->points[0] = (tune_picture){frame->width, frame->height, frame->target, TUNE_FRAME,
                                  frame->timings};
    t->npoints = 1;
    return s;
}

status tune_run(MPI_Comm comm, const tune_request *request)
{
    tuning t = {.comm = comm,
                .request = request,
                .crowd = frame_crowd_find(comm),
                .begin = base_clock()};
    tune_frame frame = {0};
    if (t.crowd.ranks < 2) {
        return base_fail(STATUS_USAGE,
                         "a single rank composites nothing: start tune with "
                         "mpiexec, on the ranks of later jobs");
    }
    t.threads = frame_threads_choose(t.crowd.node_ranks, 0);
    const bool leads = parallel_rank(comm) == 0;
    status s = parallel_agree(comm, leads ? frame_tuning_try(request->path) : STATUS_OK);
    if (s != STATUS_OK) {
        return s;
    }
    s = find_points(&t, &frame);
    t.begin = base_clock(); /* rendering is not the budget's */
    s = s == STATUS_OK ? measure_machine(&t) : s;
    s = s == STATUS_OK ? measure_points(&t) : s;
    tune_frame_clear(&frame);
    if (s == STATUS_OK && leads) {
        printf("%s has the rules: 'karman tune --show' prints them\n", request->path);
    }
    return s;
}

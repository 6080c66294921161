#include "predict.h"

#include "composite/check.h"
#include "methods.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_MESSAGES = 1 << 13, /* of a method: some 50 ms with its segments */
    ALL_MESSAGES = 1 << 14   /* of all methods of an answer */
};

/* A choice replaces the executor's own if it takes less than this share of its time. */
static const double least_gain = 0.9;

/* A case, and the methods that compete. */
typedef struct asking {
    tune_case of;
    composite_nodes nodes;
    simulate_activity activity;
    tune_methods methods;
    tune_predictor by;
    int64_t messages; /* left */
} asking;

static status find_nodes(const tune_question *question, composite_nodes *nodes)
{
    const size_t bytes = (size_t)question->ranks * sizeof(int);
    int *node = malloc(bytes);
    if (!node) {
        return base_fail_memory(bytes, "nodes");
    }
    for (int q = 0; q < question->ranks; q++) {
        node[q] = (int)((int64_t)q * question->nodes / question->ranks);
    }
    const status s = composite_nodes_find(question->ranks, node, nodes);
    free(node);
    return s;
}

/* An image that is too small for its ranks has no footprints, and counts as dense. */
static status find_activity(const tune_question *question, simulate_activity *activity)
{
    const status s = question->is_dense
                         ? STATUS_OK
                         : simulate_activity_kd(question->width, question->height,
                                                question->ranks, activity);
    return s == STATUS_MEMORY ? s : STATUS_OK;
}

static void make_case(const tune_question *question, asking *a)
{
    const bool has_floats = question->target == COMPOSITE_FLOATS;
    a->of = (tune_case){
        .problem = {.size = question->ranks,
                    .pixels = (int64_t)question->width * question->height,
                    .op = COMPOSITE_OVER,
                    .gather_bytes = has_floats ? COMPOSITE_PIXEL_BYTES : 0,
                    .cuts = simulate_activity_cuts(&a->activity, question->ranks)},
        .nodes = &a->nodes,
        .shares_pieces = !has_floats,
        .activity = a->activity.spans ? &a->activity : NULL};
}

/* The predicted seconds, wherever the view puts rank 0: the most of two positions. They
 * are infinite if there are too many messages. */
static status predict(asking *a, const composite_choice *choice, double *seconds)
{
    const int positions[] = {0, a->of.problem.size / 2};
    status s = STATUS_OK;
    *seconds = 0;
    for (int n = 0; n < 2 && s == STATUS_OK; n++) {
        int64_t messages;
        double one;
        a->of.problem.root = positions[n];
        a->by.most = a->messages < MOST_MESSAGES ? a->messages : MOST_MESSAGES;
        s = tune_methods_predict(&a->by, choice, &messages, &one);
        a->messages -= isfinite(one) ? messages : 0;
        *seconds = fmax(*seconds, one);
    }
    return s;
}

/* The usual segment, and shorter ones by powers of two. */
static status try_segments(asking *a, composite_choice choice, tune_answer *best)
{
    enum { LEAST = 4096 };
    status s = STATUS_OK;
    for (int segment = COMPOSITE_SEGMENT; segment >= LEAST && s == STATUS_OK;
         segment /= 2) {
        double seconds;
        choice.segment = segment;
        s = predict(a, &choice, &seconds);
        if (s == STATUS_OK && seconds < best->seconds) {
            best->choice = choice;
            best->seconds = seconds;
        }
    }
    return s;
}

static status compete(asking *a, tune_answer *answer)
{
    tune_methods_list(&a->of, &a->methods);
    const int usual = tune_methods_usual(&a->of, &a->methods);
    status s = usual >= 0 ? predict(a, &a->methods.items[usual], &answer->usual_seconds)
                          : STATUS_OK;
    answer->seconds = INFINITY;
    if (usual < 0 || s != STATUS_OK || !isfinite(answer->usual_seconds)) {
        return s;
    }
    s = try_segments(a, a->methods.items[usual], answer);
    for (int m = 0; m < a->methods.count && s == STATUS_OK; m++) {
        s = try_segments(a, a->methods.items[m], answer);
    }
    base_fail_set_message(""); /* methods that cannot be simulated are no failure */
    if (!(answer->seconds < least_gain * answer->usual_seconds)) {
        answer->choice = (composite_choice){0};
        answer->seconds = answer->usual_seconds;
    }
    return s;
}

status tune_predict(const tune_question *question, const simulate_machine *machine,
                    tune_answer *answer)
{
    enum { MOST_RANKS = 512 }; /* listing the methods of more takes long */
    *answer = (tune_answer){.activity = 1.0};
    status s = simulate_machine_check(machine, "the machine");
    if (s != STATUS_OK || question->ranks > MOST_RANKS) {
        return s;
    }
    asking *a = calloc(1, sizeof *a);
    if (!a) {
        return base_fail_memory(sizeof *a, "a prediction");
    }
    a->by = (tune_predictor){.machine = machine, .of = &a->of};
    a->messages = ALL_MESSAGES;
    s = find_nodes(question, &a->nodes);
    s = s == STATUS_OK ? find_activity(question, &a->activity) : s;
    s = s == STATUS_OK ? simulate_create(&a->by.simulator) : s;
    if (s == STATUS_OK) {
        make_case(question, a);
        answer->activity = simulate_activity_share(&a->activity);
        s = compete(a, answer);
    }
    simulate_destroy(&a->by.simulator);
    simulate_activity_clear(&a->activity);
    composite_nodes_clear(&a->nodes);
    free(a);
    return s;
}

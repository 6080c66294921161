#include "methods.h"

#include "base/hash.h"
#include "composite/check.h"

#include <math.h>
#include <string.h>

enum {
    MOST_MESSAGES = 1 << 20,  /* of a schedule that is counted */
    MOST_SIMULATED = 1 << 17, /* and of one that is simulated: some 0.1 s */
    MOST_PARTS = 1 << 17, /* of messages that are simulated beside the usual segment */
    MOST_PARTS_OF_NODE = 1 << 13, /* on one node, where predictions tell less */
    MOST_FACTORS = 64             /* ordered factorizations */
};

/* One algorithm, among ranks or among nodes, whose parameters are listed. */
typedef struct listing {
    const tune_case *of;
    composite_problem problem;
    const composite_algorithm *algorithm;
    int size; /* images that the algorithm merges */
    int factorizations;
    tune_methods *out;
} listing;

/* ---- One method -------------------------------------------------------------------- */

static bool is_listed(const listing *list, const composite_params *params)
{
    const bool by_nodes = list->problem.nodes != NULL;
    for (int n = 0; n < list->out->count; n++) {
        const composite_choice *other = &list->out->items[n];
        if (other->algorithm == list->algorithm && other->by_nodes == by_nodes &&
            memcmp(&other->params, params, sizeof *params) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether the root is left with at most twice its share of the picture. */
static bool is_shared(const listing *list, const composite_params *params)
{
    composite_schedule_summary sum;
    composite_problem problem = list->problem;
    problem.gather_bytes = 1;           /* counts what others have */
    problem.cuts = (composite_cuts){0}; /* of equal shares: with cuts a piece may have
                                           many pixels that are not active */
    const status s = composite_schedule_summarize(list->algorithm, &problem, params,
                                                  MOST_MESSAGES, &sum);
    return s == STATUS_OK &&
           (sum.messages > MOST_MESSAGES ||
            (problem.pixels - sum.gather_pixels) * problem.size <= 2 * problem.pixels);
}

/* Lists the algorithm with these parameters, if they are possible. */
static void add(listing *list, const composite_params *params)
{
    if (list->out->count == TUNE_MOST_METHODS ||
        composite_schedule_check_params(list->algorithm, &list->problem, params) !=
            STATUS_OK) {
        return;
    }
    const composite_params whole =
        composite_schedule_params(list->algorithm, &list->problem, params);
    if (!is_listed(list, &whole) &&
        (!list->of->shares_pieces || is_shared(list, &whole))) {
        list->out->items[list->out->count++] =
            (composite_choice){.algorithm = list->algorithm,
                               .params = whole,
                               .by_nodes = list->problem.nodes != NULL};
    }
}

static bool accepts(const listing *list, composite_params params)
{
    return composite_schedule_check_params(list->algorithm, &list->problem, &params) ==
           STATUS_OK;
}

/* ---- Parameters -------------------------------------------------------------------- */

/* Ordered factors whose product is `rest`. */
static void add_factors(listing *list, composite_params *params, int rest)
{
    if (rest == 1) {
        list->factorizations++;
        add(list, params);
        return;
    }
    for (int factor = rest; factor >= 2 && list->factorizations < MOST_FACTORS &&
                            params->nfactors < COMPOSITE_MAX_FACTORS;
         factor--) {
        if (rest % factor == 0) {
            params->factors[params->nfactors++] = factor;
            add_factors(list, params, rest / factor);
            params->factors[--params->nfactors] = 0;
        }
    }
}

static void add_fan_ins(listing *list, composite_params params)
{
    for (int fan_in = 2; fan_in < 2 * list->size && fan_in <= 64; fan_in *= 2) {
        params.fan_in = fan_in;
        add(list, &params);
    }
}

static void add_groups(listing *list, bool has_fan_in)
{
    for (int group = 1; group < 2 * list->size; group *= 2) {
        const composite_params params = {.group =
                                             group < list->size ? group : list->size};
        if (has_fan_in && params.group < list->size) {
            add_fan_ins(list, params);
        }
        add(list, &params);
    }
}

static void add_algorithm(listing *list)
{
    composite_params params = {0};
    const bool has_fan_in = accepts(list, (composite_params){.fan_in = 2});
    list->factorizations = 0;
    add(list, &params);
    if (list->size >= 2 &&
        accepts(list, (composite_params){.nfactors = 1, .factors = {list->size}})) {
        add_factors(list, &params, list->size);
    }
    if (accepts(list, (composite_params){.group = 1})) {
        add_groups(list, has_fan_in);
    } else if (has_fan_in) {
        add_fan_ins(list, params);
    }
}

/* ---- All --------------------------------------------------------------------------- */

void tune_methods_list(const tune_case *of, tune_methods *out)
{
    const int teams = of->nodes->count;
    const bool has_teams = teams > 1 && teams < of->problem.size;
    out->count = 0;
    for (int by_nodes = has_teams; by_nodes >= 0; by_nodes--) {
        listing list = {.of = of, .problem = of->problem, .out = out};
        list.problem.nodes = by_nodes ? of->nodes : NULL;
        list.size = by_nodes ? teams : of->problem.size;
        for (int n = 0; (list.algorithm = composite_algorithm_at(n)); n++) {
            add_algorithm(&list);
        }
    }
    base_fail_set_message(""); /* parameters that do not suit are no failure */
}

int tune_methods_usual(const tune_case *of, const tune_methods *methods)
{
    const int teams = of->nodes->count;
    const bool by_nodes = teams > 1 && teams < of->problem.size;
    const composite_usual_case usual_case = {
        .ranks = of->problem.size,
        .images = teams,
        .is_one_node = teams == 1,
        .is_floats = of->problem.gather_bytes == COMPOSITE_PIXEL_BYTES,
        .activity = of->activity ? simulate_activity_share(of->activity) : 1.0};
    const composite_algorithm *usual = composite_rules_usual(&usual_case);
    for (int m = 0; m < methods->count; m++) {
        if (methods->items[m].algorithm == usual &&
            methods->items[m].by_nodes == by_nodes) {
            return m;
        }
    }
    return -1;
}

status tune_methods_predict(const tune_predictor *by, const composite_choice *choice,
                            int64_t *messages, double *seconds)
{
    const tune_case *of = by->of;
    simulate_case one = {
        .algorithm = choice->algorithm,
        .problem = of->problem,
        .params = choice->params,
        .nodes = of->nodes,
        .segment = choice->segment
                       ? choice->segment
                       : composite_rules_segment(choice->algorithm, &of->problem),
        .encoding = choice->encoding,
        .activity = of->activity};
    simulate_result result;
    bool more;
    *seconds = INFINITY;
    one.problem.nodes = choice->by_nodes ? of->nodes : NULL;
    *messages =
        composite_schedule_estimate(one.algorithm, &one.problem, &one.params, &more);
    if (*messages > by->most || more) {
        return STATUS_OK;
    }
    const status s = simulate_run(by->simulator, &one, by->machine, &result);
    *seconds = s == STATUS_OK ? result.seconds : INFINITY;
    return s == STATUS_MEMORY ? s : STATUS_OK;
}

/* A trial that would take so many times as long as the best one is not run. */
static const double unlikely = 1.25;

/* ---- The order of trial ------------------------------------------------------------ */

/* Methods that are sorted. */
typedef struct sorting {
    tune_predictor by;
    const tune_methods *methods;
    const tune_axis *axis;
    int64_t parts;                   /* that may still be simulated */
    double least[TUNE_MOST_METHODS]; /* predicted so far */
    tune_order *out;
} sorting;

/* The step whose segment is nearest to the usual one. */
static int find_usual_step(const tune_axis *axis)
{
    int step = 0;
    while (step + 1 < axis->count && axis->segments[step] > COMPOSITE_SEGMENT) {
        step++;
    }
    return step;
}

/* Predicts one step of all methods. Of equal steps the one with shorter messages is the
 * likelier: a message in one piece is merged late. */
static status predict_step(sorting *s, int step)
{
    status outcome = STATUS_OK;
    for (int n = 0; n < s->methods->count && outcome == STATUS_OK; n++) {
        composite_choice choice = s->methods->items[n];
        int64_t messages;
        double seconds;
        choice.segment = s->axis->segments[step];
        outcome = tune_methods_predict(&s->by, &choice, &messages, &seconds);
        const bool is_shorter = step > s->out->start[n];
        if (outcome == STATUS_OK && isfinite(seconds) &&
            (seconds < s->least[n] || (is_shorter && seconds <= s->least[n]))) {
            s->least[n] = seconds;
            s->out->start[n] = step;
        }
    }
    return outcome;
}

/* About so many parts of messages have all methods with these segments. */
static int64_t count_parts(const sorting *s, int step)
{
    const composite_problem *problem = &s->by.of->problem;
    return s->methods->count * problem->size *
           (problem->pixels / s->axis->segments[step] + problem->size);
}

/* Predicts the usual step, and those beside it while there are not too many parts. */
static status predict_steps(sorting *s)
{
    const int usual = find_usual_step(s->axis);
    status outcome = predict_step(s, usual);
    for (int distance = 1; distance < s->axis->count; distance++) {
        for (int side = 1; side >= -1 && outcome == STATUS_OK; side -= 2) {
            const int step = usual + side * distance;
            if (step < 0 || step >= s->axis->count || count_parts(s, step) > s->parts) {
                continue;
            }
            s->parts -= count_parts(s, step);
            outcome = predict_step(s, step);
        }
    }
    return outcome;
}

static void sort(sorting *s)
{
    const bool has_nodes = s->by.of->nodes->count > 1;
    tune_order *out = s->out;
    double least = INFINITY;
    for (int n = 0; n < s->methods->count; n++) {
        least = fmin(least, s->least[n]);
    }
    for (int n = 0; n < s->methods->count; n++) {
        int at = n;
        s->least[n] = isfinite(s->least[n]) ? s->least[n] : unlikely * least;
        for (; at > 0 && s->least[out->order[at - 1]] > s->least[n]; at--) {
            out->order[at] = out->order[at - 1];
        }
        out->order[at] = n;
    }
    while (out->likely < s->methods->count &&
           (!has_nodes || s->least[out->order[out->likely]] <= unlikely * least)) {
        out->likely++;
    }
}

/* ---- Equal schedules --------------------------------------------------------------- */

/* The messages of a position, as a number. */
typedef struct hashing {
    uint64_t hash;
    int first; /* round; -1: no message yet */
} hashing;

/* Rounds count from the position's first one: some schedules have an empty round 0. */
static int hash_op(const composite_op *op, void *context)
{
    hashing *h = context;
    h->first = h->first < 0 ? op->round : h->first;
    const int64_t words[] = {
        op->round - h->first, op->src, op->dst, op->run0, op->run1, op->pix0, op->npix};
    h->hash = base_hash_words(h->hash, words, sizeof words);
    return 0;
}

/* Finds a number for the messages of a method. False: there are too many. */
static bool hash_messages(const tune_case *of, const composite_choice *choice,
                          uint64_t *hash)
{
    composite_problem problem = of->problem;
    bool more;
    problem.nodes = choice->by_nodes ? of->nodes : NULL;
    if (composite_schedule_estimate(choice->algorithm, &problem, &choice->params, &more) >
            MOST_SIMULATED ||
        more) {
        return false;
    }
    hashing all = {.hash = BASE_HASH_START};
    for (int q = 0; q < problem.size; q++) {
        all.first = -1;
        composite_schedule_generate(choice->algorithm, &problem, &choice->params, q,
                                    hash_op, &all);
    }
    *hash = all.hash;
    return true;
}

/* Leaves one of several likely methods with the same messages, such as binary swap and
 * radix-k with factors 2; the others follow in the order. */
static void leave_one_of_equals(const sorting *s)
{
    tune_order *out = s->out;
    uint64_t hashes[TUNE_MOST_METHODS];
    int others[TUNE_MOST_METHODS], count = 0, nothers = 0;
    for (int n = 0; n < s->methods->count; n++) {
        out->same[n] = n;
    }
    for (int n = 0; n < out->likely; n++) {
        const int method = out->order[n];
        const bool is_known =
            hash_messages(s->by.of, &s->methods->items[method], &hashes[count]);
        int earlier = is_known ? 0 : count;
        while (earlier < count && hashes[earlier] != hashes[count]) {
            earlier++;
        }
        if (earlier < count) {
            out->same[method] = out->order[earlier];
            others[nothers++] = method;
        } else {
            hashes[count] = is_known ? hashes[count] : (uint64_t)method;
            out->order[count++] = method;
        }
    }
    memcpy(out->order + count, others, (size_t)nothers * sizeof *others);
    out->likely = count;
}

status tune_methods_sort(const tune_case *of, const simulate_machine *machine,
                         const tune_methods *methods, const tune_axis *axis,
                         tune_order *out)
{
    sorting s = {.by = {.machine = machine, .of = of, .most = MOST_SIMULATED},
                 .methods = methods,
                 .axis = axis,
                 .parts = of->nodes->count > 1 ? MOST_PARTS : MOST_PARTS_OF_NODE,
                 .out = out};
    out->likely = 0;
    for (int n = 0; n < methods->count; n++) {
        s.least[n] = INFINITY;
        out->start[n] = find_usual_step(axis);
    }
    status outcome = simulate_create(&s.by.simulator);
    outcome = outcome == STATUS_OK ? predict_steps(&s) : outcome;
    simulate_destroy(&s.by.simulator);
    if (outcome == STATUS_OK) {
        sort(&s);
        leave_one_of_equals(&s);
        base_fail_set_message("");
    }
    return outcome;
}

void tune_axis_find(int64_t pixels, tune_axis *out)
{
    enum { MOST = 1 << 20, LEAST = 2048 };
    int segment = MOST;
    out->count = 0;
    while (segment > LEAST && segment / 2 >= pixels) {
        segment /= 2; /* one message has all pixels already */
    }
    for (; segment >= LEAST; segment /= 2) {
        out->segments[out->count++] = segment;
    }
}

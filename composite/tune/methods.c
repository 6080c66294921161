#include "methods.h"

#include "composite/check.h"

#include <math.h>
#include <string.h>

enum {
    MOST_MESSAGES = 1 << 20,  /* of a schedule that is counted */
    MOST_SIMULATED = 1 << 17, /* and of one that is simulated: some 0.1 s */
    MOST_FACTORS = 64         /* ordered factorizations */
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
    problem.gather_bytes = COMPOSITE_PIXEL_BYTES; /* counts what others have */
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
    const composite_algorithm *usual = composite_rules_usual(teams, teams == 1);
    for (int m = 0; m < methods->count; m++) {
        if (methods->items[m].algorithm == usual &&
            methods->items[m].by_nodes == by_nodes) {
            return m;
        }
    }
    return -1;
}

void tune_methods_families(const tune_methods *methods, int *family)
{
    for (int n = 0; n < methods->count; n++) {
        int first = 0;
        while (methods->items[first].algorithm != methods->items[n].algorithm) {
            first++;
        }
        family[n] = first;
    }
}

status tune_methods_predict(const tune_predictor *by, const composite_choice *choice,
                            int64_t *messages, double *seconds)
{
    const tune_case *of = by->of;
    simulate_case one = {.algorithm = choice->algorithm,
                         .problem = of->problem,
                         .params = choice->params,
                         .nodes = of->nodes,
                         .segment = choice->segment ? choice->segment : COMPOSITE_SEGMENT,
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

status tune_methods_sort(const tune_case *of, const simulate_machine *machine,
                         const tune_methods *methods, int *order)
{
    double seconds[TUNE_MOST_METHODS];
    tune_predictor by = {.machine = machine, .of = of, .most = MOST_SIMULATED};
    status s = simulate_create(&by.simulator);
    for (int n = 0; n < methods->count && s == STATUS_OK; n++) {
        int64_t messages;
        s = tune_methods_predict(&by, &methods->items[n], &messages, &seconds[n]);
        int at = n;
        for (; at > 0 && seconds[order[at - 1]] > seconds[n]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = n;
    }
    simulate_destroy(&by.simulator);
    if (s == STATUS_OK) {
        base_fail_set_message("");
    }
    return s;
}

int tune_segments_list(int64_t pixels, int segments[TUNE_MOST_STEPS])
{
    enum { MOST = 1 << 20, LEAST = 4096 };
    int segment = MOST;
    int count = 0;
    while (segment > LEAST && segment / 2 >= pixels) {
        segment /= 2; /* one message has all pixels already */
    }
    for (; segment >= LEAST; segment /= 2) {
        segments[count++] = segment;
    }
    return count;
}

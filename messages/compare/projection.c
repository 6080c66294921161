#include "projection.h"

#include "figures.h"
#include "result.h"
#include "single.h"
#include "statistics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROBES = 12 };

static const double MOST_FACTOR = 16.0;
static const double MOST_FOV = 160.0; /* degrees; wider pictures are mostly distorted
                                         rims */

/* ---- The search -------------------------------------------------------------------- */

compare_goal compare_projection_goal(const char *name, const compare_view *view)
{
    bool is_small = strcmp(name, "small") == 0;
    double most = MOST_FACTOR;
    if (!view->orthographic) {
        most = fmin(most, fmax(1.0, compare_view_tangent(MOST_FOV) /
                                        compare_view_tangent(view->fov)));
    }
    return (compare_goal){.target = is_small ? 0.26 : 0.98,
                          .tolerance = is_small ? 0.02 : 0.015,
                          .least = 1.0 / MOST_FACTOR,
                          .most = most};
}

/* Rounds to four digits, so that writing and reading a factor keeps its value. */
static double shorten(double factor)
{
    char text[32];
    snprintf(text, sizeof text, "%.4g", factor);
    return strtod(text, NULL);
}

/* The interval of factors that contains the answer: coverage falls as the factor grows,
 * at least if the view is not too close. 0 and INFINITY: no bound yet. */
typedef struct search_state {
    double low, high;
    double stride; /* of the next step beyond the known factors */
} search_state;

/* The next factor. The coverage of a grid that lies wholly in the picture falls with the
 * square of the factor. */
static double guess(const compare_goal *goal, double factor, double coverage,
                    search_state *state)
{
    double next = factor * sqrt(coverage / goal->target);
    if (state->low > 0.0 && isfinite(state->high)) {
        double span = log(state->high / state->low);
        double place = next > 0.0 ? log(next / state->low) / span : 0.0;
        bool helps = place > 0.15 && place < 0.85;
        return helps ? next : sqrt(state->low * state->high);
    }
    /* If a rim stays blank, the rule's steps grow ever smaller: the stride is their
     * minimum. */
    next = coverage > goal->target ? fmax(next, factor * state->stride)
                                   : fmin(next, factor / state->stride);
    state->stride *= 1.25;
    return fmin(fmax(next, goal->least), goal->most);
}

/* Moves the end of the bracket [low, high] to a factor that was measured. */
static void shrink_bracket(const compare_goal *goal, double factor, double coverage,
                           search_state *state)
{
    if (coverage > goal->target) {
        state->low = fmax(state->low, factor);
    } else {
        state->high = fmin(state->high, factor);
    }
}

status compare_projection_search(const compare_goal *goal, double own,
                                 compare_measure measure, void *context,
                                 compare_projection *projection)
{
    search_state state = {0.0, INFINITY, 1.1};
    double factor = 1.0, coverage = own;
    projection->factor = factor;
    projection->coverage = coverage;
    for (int n = 0;
         n < MOST_PROBES && fabs(projection->coverage - goal->target) > goal->tolerance;
         n++) {
        shrink_bracket(goal, factor, coverage, &state);
        double next = shorten(guess(goal, factor, coverage, &state));
        if (next == factor || !(state.low < state.high)) {
            break;
        }
        factor = next;
        status s = measure(context, factor, &coverage);
        if (s != STATUS_OK) {
            return s;
        }
        if (fabs(coverage - goal->target) < fabs(projection->coverage - goal->target)) {
            projection->factor = factor;
            projection->coverage = coverage;
        }
    }
    projection->is_reached = fabs(projection->coverage - goal->target) <= goal->tolerance;
    return STATUS_OK;
}

/* ---- Probes ------------------------------------------------------------------------ */

typedef struct probe_context {
    const compare_plan *plan;
    const compare_launcher *launcher;
    const char *name; /* of the projection */
} probe_context;

/* The number of covered pixels. Each pixel must be drawn by one rank only. */
static double count_pixels(const json_t *timings, int ranks)
{
    const json_t *frame = json_array_get(json_object_get(timings, "frames"), 0);
    double *pixels = compare_values_of(frame, NULL, "active_pixels", ranks);
    double sum = pixels ? compare_sum(ranks, pixels) : NAN;
    free(pixels);
    return sum;
}

/* A side of a picture with as many pixels as other probes, in the shape of the config's
 * picture. */
static int side_of(int this, int other)
{
    double side = COMPARE_PROBE * sqrt((double)this / other);
    return (int)fmax(1.0, round(side));
}

/* Measures the coverage by a tiny run: a compare_measure. Each pixel is drawn by one rank
 * only, because the partition is screen, or there is one rank. All partitions draw the
 * same picture. */
static status measure_coverage(void *context, double factor, double *coverage)
{
    const probe_context *probe = context;
    compare_plan plan = *probe->plan;
    int width = side_of(plan.view.width, plan.view.height);
    int height = side_of(plan.view.height, plan.view.width);
    plan.projections[0] = (compare_projection){.name = probe->name, .factor = factor};
    const compare_case which = {plan.ranks[0] > 1 ? "screen" : "object",
                                plan.algorithms.at[0], plan.ranks[0], 0};
    json_t *timings = NULL;
    status s =
        compare_single_probe(&plan, probe->launcher, &which, width, height, &timings);
    if (s != STATUS_OK) {
        return s;
    }
    *coverage = count_pixels(timings, which.ranks) / ((double)width * height);
    json_decref(timings);
    return isfinite(*coverage) ? STATUS_OK
                               : base_fail(STATUS_INPUT, "timings of a tiny run lack "
                                                         "active pixels");
}

/* ---- Results of earlier searches --------------------------------------------------- */

static char *file_of(const compare_plan *plan, const char *name)
{
    char file[COMPARE_NAME];
    snprintf(file, sizeof file, "projection-%s-%016" PRIx64, name, plan->hash);
    return compare_plan_path(plan, "runs", file, ".json");
}

static bool load(const compare_plan *plan, compare_projection *projection)
{
    char *path = file_of(plan, projection->name);
    json_t *found = path ? json_load_file(path, 0, NULL) : NULL;
    double factor = json_number_value(json_object_get(found, "factor"));
    const json_t *coverage = json_object_get(found, "coverage");
    bool is_there = factor > 0.0 && json_is_number(coverage);
    if (is_there) {
        projection->factor = factor;
        projection->coverage = json_number_value(coverage);
        projection->is_reached = json_is_true(json_object_get(found, "reached"));
    }
    json_decref(found);
    free(path);
    return is_there;
}

static status save(const compare_plan *plan, const compare_projection *projection)
{
    char *path = file_of(plan, projection->name);
    json_t *found = json_pack("{s:s, s:f, s:f, s:b}", "projection", projection->name,
                              "factor", projection->factor, "coverage",
                              projection->coverage, "reached", projection->is_reached);
    status s = path && found ? compare_result_write(path, found)
                             : base_fail_memory(4096, "a projection");
    json_decref(found);
    free(path);
    return s;
}

/* ---- All projections --------------------------------------------------------------- */

static status find(const compare_plan *plan, const compare_launcher *launcher,
                   const compare_projection *own, compare_projection *projection)
{
    if (load(plan, projection)) {
        return STATUS_OK;
    }
    probe_context probe = {plan, launcher, projection->name};
    status s;
    if (strcmp(projection->name, own->name) == 0) {
        s = measure_coverage(&probe, 1.0, &projection->coverage);
    } else {
        compare_goal goal = compare_projection_goal(projection->name, &plan->view);
        s = compare_projection_search(&goal, own->coverage, measure_coverage, &probe,
                                      projection);
    }
    return s == STATUS_OK ? save(plan, projection) : s;
}

/* Turns the failure of a tiny run into one of the option. */
static status explain(status s)
{
    if (s != STATUS_INPUT) {
        return s;
    }
    char reason[1024];
    snprintf(reason, sizeof reason, "%s", base_fail_message());
    base_fail_set_message("");
    return base_fail(STATUS_USAGE, "--projections: a tiny run fails: %s", reason);
}

status compare_projection_find(compare_plan *plan, const compare_launcher *launcher)
{
    if (!compare_plan_projects(plan)) {
        return STATUS_OK;
    }
    compare_projection own = {
        .name = "as-is", .factor = 1.0, .coverage = NAN, .is_reached = true};
    status s = find(plan, launcher, &own, &own);
    for (int n = 0; n < plan->nprojections && s == STATUS_OK; n++) {
        s = find(plan, launcher, &own, &plan->projections[n]);
    }
    return explain(s);
}

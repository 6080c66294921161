/*
 * Chooses the way to composite a frame by rules.
 *
 * A rule is for an activity, which follows from the bounds of all images. Ranks know
 * these once they have compared their inputs. Most frames show about the same as the last
 * one, so a rank plans by the last frame's rule, and plans again if another one holds.
 */
#include "executor.h"

/* The activity of the last picture, as composite_rule.activity; 1 if it had another size,
 * or there was none. */
static double find_activity(const composite_executor *executor, int64_t pixels)
{
    const composite_cutting *cutting = &executor->cutting;
    if (cutting->pixels != pixels) {
        return 1.0;
    }
    double shown = 0.0;
    for (int band = 0; band < COMPOSITE_BANDS; band++) {
        shown += (double)cutting->shown[band];
    }
    return shown / ((double)pixels * executor->size);
}

static const composite_rule *find_rule(const composite_run *run)
{
    const composite_request *asked = &run->asked;
    if (asked->algorithm || !asked->rules || asked->op != COMPOSITE_OVER || !run->img) {
        return NULL;
    }
    const int64_t pixels = image_pixel_count(run->img);
    const composite_rule *rule = composite_rules_find(
        asked->rules, asked->target, pixels, find_activity(run->executor, pixels));
    return rule == run->unfit ? NULL : rule;
}

/* The encoding of the request, else that of the rule. */
static composite_encoding find_encoding(const composite_run *run,
                                        const composite_rule *rule)
{
    return rule && run->asked.encoding == COMPOSITE_ENCODING_AUTO
               ? composite_rules_encoding(
                     rule, find_activity(run->executor, image_pixel_count(run->img)))
               : run->asked.encoding;
}

/* The nodes of the ranks. The order, which is not checked yet, may have more teams. */
static int count_nodes(const composite_executor *executor)
{
    int count = 0;
    for (int rank = 0; rank < executor->size; rank++) {
        count += executor->node.numbers[rank] == rank;
    }
    return count;
}

/* The algorithm of the request, else of the rule, else the usual one if it follows from
 * the active pixels; NULL: the usual one for so many teams (composite_teams_algorithm).
 */
static const composite_algorithm *find_algorithm(const composite_run *run,
                                                 const composite_rule *rule)
{
    const composite_executor *executor = run->executor;
    const composite_request *asked = &run->asked;
    if (asked->algorithm || (rule && rule->choice.algorithm)) {
        return asked->algorithm ? asked->algorithm : rule->choice.algorithm;
    }
    if (asked->op != COMPOSITE_OVER || !run->img) {
        return NULL;
    }
    composite_usual_case of = {
        .ranks = executor->size,
        .images = asked->by_nodes ? count_nodes(executor) : executor->size,
        .is_one_node = composite_is_one_node(executor),
        .is_floats = asked->target == COMPOSITE_FLOATS,
        .activity = find_activity(executor, image_pixel_count(run->img))};
    const composite_algorithm *usual = composite_rules_usual(&of);
    of.activity = 1.0;
    return usual == composite_rules_usual(&of) ? NULL : usual;
}

/* Makes the choice of a rule, or what the caller asked, the request. */
static void take(composite_run *run, const composite_rule *rule)
{
    composite_request *request = &run->executor->request;
    run->rule = rule;
    *request = run->asked;
    request->algorithm = find_algorithm(run, rule);
    if (rule && rule->choice.algorithm) {
        request->params = rule->choice.params;
        request->by_nodes = rule->choice.by_nodes;
        request->segment = run->asked.segment ? run->asked.segment : rule->choice.segment;
    }
    request->encoding = find_encoding(run, rule);
}

bool composite_choose(composite_run *run)
{
    const composite_rule *rule = find_rule(run);
    const composite_request *request = &run->executor->request;
    const bool is_new = rule != run->rule ||
                        find_encoding(run, rule) != request->encoding ||
                        find_algorithm(run, rule) != request->algorithm;
    if (is_new) {
        take(run, rule);
    }
    return is_new;
}

bool composite_choose_without(composite_run *run)
{
    if (!run->rule) {
        return false;
    }
    base_fail_set_message(""); /* no failure of the frame */
    run->unfit = run->rule;
    take(run, NULL);
    return true;
}

#include "rules.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

const char *const composite_target_names[COMPOSITE_TARGETS] = {
    [COMPOSITE_PIECES] = "pieces",
    [COMPOSITE_FLOATS] = "floats",
    [COMPOSITE_BYTES] = "bytes"};

const char *const composite_encoding_names[COMPOSITE_ENCODINGS] = {
    [COMPOSITE_ENCODING_AUTO] = "auto", [COMPOSITE_ENCODING_RAW] = "raw"};

const char *composite_reason_name(composite_reason reason)
{
    static const char *const names[] = {[COMPOSITE_GIVEN] = "given",
                                        [COMPOSITE_USUAL] = "usual",
                                        [COMPOSITE_TUNED] = "tuned",
                                        [COMPOSITE_SIMULATED] = "simulated"};
    return names[reason];
}

/* ---- Distances ----------------------------------------------------------------------
 */

/* The largest ratios between a case and a rule for it. Ratios stand for logarithms, whose
 * last bits differ among the processors of a job. */
static const double most_pixels = 2.0, most_activity = 4.0;

/* The larger value over the smaller one, >= 1. */
static double find_ratio(double a, double b)
{
    return a > b ? a / b : b / a;
}

bool composite_rule_is_about(const composite_rule *rule, composite_target target,
                             int64_t pixels)
{
    return rule->target == target &&
           find_ratio((double)rule->pixels, (double)pixels) <= most_pixels;
}

/* The distance of a rule from a case that it is about; infinite if that is too far. */
static double find_distance(const composite_rule *rule, int64_t pixels, double activity)
{
    const double share = find_ratio(rule->activity, activity);
    return share <= most_activity
               ? share * find_ratio((double)rule->pixels, (double)pixels)
               : INFINITY;
}

const composite_rule *composite_rules_find(const composite_rules *rules,
                                           composite_target target, int64_t pixels,
                                           double activity)
{
    const composite_rule *best = NULL;
    double least = INFINITY;
    if (!(activity > 0.0)) {
        return NULL; /* nothing shows */
    }
    for (int n = 0; n < rules->count; n++) {
        const composite_rule *rule = &rules->rules[n];
        if (!composite_rule_is_about(rule, target, pixels)) {
            continue;
        }
        const double distance = find_distance(rule, pixels, activity);
        const bool is_measured = rule->reason == COMPOSITE_TUNED;
        const bool has_measured = best && best->reason == COMPOSITE_TUNED;
        if (distance < INFINITY && is_measured >= has_measured &&
            (distance < least || is_measured > has_measured)) {
            best = rule;
            least = distance;
        }
    }
    return best;
}

composite_encoding composite_rules_encoding(const composite_rule *rule, double activity)
{
    const double least_share = 0.9; /* of the rule's activity; measurements scatter */
    return activity >= least_share * rule->activity ? rule->choice.encoding
                                                    : COMPOSITE_ENCODING_AUTO;
}

/* Whether every message of a schedule brings a piece to its owner, and pieces are short.
 */
static bool has_short_pieces(const composite_algorithm *algorithm,
                             const composite_problem *problem)
{
    return algorithm && composite_schedule_is_direct(algorithm, problem) &&
           problem->gather_bytes < COMPOSITE_PIXEL_BYTES &&
           problem->pixels <= (int64_t)COMPOSITE_SEGMENT * problem->size;
}

int composite_rules_segment(const composite_algorithm *algorithm,
                            const composite_problem *problem)
{
    /* Whoever merges its last segment then brings it to the root, while all links but the
     * root's are idle. These segments should be a small share of the picture. Finished
     * bytes are so short that larger messages are better (decision 034). */
    enum { LEAST = 8192, LEAST_SHARES = 64, LEAST_PACED = 2048, PACED_SHARES = 32 };
    int segment = COMPOSITE_SEGMENT;
    if (has_short_pieces(algorithm, problem)) {
        /* No border of segments may cut a piece: that would make two messages of one. */
        while (segment < problem->pixels && segment < COMPOSITE_MOST_SEGMENT) {
            segment *= 2;
        }
        return segment;
    }
    while (problem->gather_bytes == COMPOSITE_PIXEL_BYTES && segment > LEAST &&
           problem->pixels / segment < (int64_t)LEAST_SHARES * problem->size) {
        segment /= 2;
    }
    /* The root's link is idle until the first stages have come. */
    while (algorithm && composite_is_paced(algorithm, problem) && segment > LEAST_PACED &&
           problem->pixels / segment < (int64_t)PACED_SHARES * problem->size) {
        segment /= 2;
    }
    return segment;
}

bool composite_rules_are_direct(const composite_rules *rules, composite_target target,
                                int64_t pixels)
{
    for (int n = 0; n < rules->count; n++) {
        const composite_choice *choice = &rules->rules[n].choice;
        if (composite_rule_is_about(&rules->rules[n], target, pixels) &&
            choice->algorithm && !choice->by_nodes && !choice->algorithm->is_direct) {
            return false;
        }
    }
    return true;
}

bool composite_choice_is_usual(const composite_choice *choice)
{
    return !choice->algorithm && choice->encoding == COMPOSITE_ENCODING_AUTO;
}

/* ---- Texts ------------------------------------------------------------------------- */

/* A text that grows in place, as far as there is room. */
typedef struct line {
    char *text;
    size_t size, used;
} line;

static void append(line *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void append(line *to, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int length =
        vsnprintf(to->text + to->used, to->size - to->used, format, values);
    va_end(values);
    to->used += length > 0 ? (size_t)length : 0;
    to->used = to->used < to->size ? to->used : to->size - 1;
}

void composite_choice_print(const composite_choice *choice, size_t size, char *text)
{
    const composite_params *params = &choice->params;
    line to = {text, size, 0};
    append(&to, "%s", choice->algorithm ? choice->algorithm->name : "auto");
    for (int f = 0; f < params->nfactors; f++) {
        append(&to, f == 0 ? ", factors %d" : " x %d", params->factors[f]);
    }
    if (params->group > 0) {
        append(&to, ", group %d", params->group);
    }
    if (params->fan_in > 0) {
        append(&to, ", fan_in %d", params->fan_in);
    }
    if (choice->by_nodes) {
        append(&to, ", by nodes");
    }
    if (choice->segment > 0) {
        append(&to, ", segment %d", choice->segment);
    }
    if (choice->encoding != COMPOSITE_ENCODING_AUTO) {
        append(&to, ", encoding %s", composite_encoding_names[choice->encoding]);
    }
}

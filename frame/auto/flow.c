#include "flow.h"

#include <math.h>
#include <string.h>

/* A range leaves out these parts of the volume at its ends. */
static const double lowest = 0.01, highest = 0.99;

/* A value differs from the commonest one if they are farther apart than this part of the
 * span. */
static const double differing = 0.1;

/* A range is that of a far field if its span is less than this part of the span around
 * the flow. */
static const double buried = 0.15;

/* A group of bins is common if it has this part of the fullest group's weight. */
static const double common = 0.15;

static const auto_query everything = {.axis = -1, .beyond = -1.0};

/* ---- Ranges ------------------------------------------------------------------------ */

static void find_span(const auto_sample *sample, const auto_query *query, double range[2])
{
    auto_sample_quantiles(sample, query, (const double[]){lowest, highest}, range);
}

void auto_flow_widen(double range[2])
{
    if (!(range[0] <= range[1])) {
        range[0] = 0.0;
        range[1] = 1.0;
    } else if (range[0] == range[1]) {
        const double around = range[0] != 0.0 ? fabs(range[0]) : 1.0;
        range[0] -= 0.5 * around;
        range[1] += 0.5 * around;
    }
}

/* ---- The commonest value ----------------------------------------------------------- */

/* Bins are summed in groups, as fewer groups give steadier results. */
enum { GROUP = 16, GROUPS = AUTO_BINS / GROUP };

static void count_groups(const auto_sample *sample, const auto_query *query,
                         const double range[2], int64_t groups[GROUPS])
{
    int64_t bins[AUTO_BINS];
    auto_sample_count(sample, query, range, bins);
    for (int g = 0; g < GROUPS; g++) {
        groups[g] = 0;
        for (int n = 0; n < GROUP; n++) {
            groups[g] += bins[g * GROUP + n];
        }
    }
}

static int fullest(const int64_t groups[GROUPS])
{
    int best = 0;
    for (int g = 1; g < GROUPS; g++) {
        best = groups[g] > groups[best] ? g : best;
    }
    return best;
}

/* The commonest value in a range. */
static double find_rest(const auto_sample *sample, const auto_query *query,
                        const double range[2])
{
    int64_t groups[GROUPS];
    count_groups(sample, query, range, groups);
    return range[0] + (fullest(groups) + 0.5) * (range[1] - range[0]) / GROUPS;
}

/* Whether the fullest group stands out from the others. */
static bool stands_out(const int64_t groups[GROUPS], int best)
{
    int64_t sum = 0;
    for (int g = 0; g < GROUPS; g++) {
        sum += groups[g];
    }
    return groups[best] * GROUPS > 3 * sum;
}

/* The stream of a field that begins at 0, as a magnitude does, begins there, too, if most
 * of the volume is about as calm (`rest`): a mean or a wake in the box has other common
 * values, but what is calmer than the stream is part of it. */
static void reach_zero(double rest, auto_flow *flow)
{
    const double near = 0.02, low = 0.35;
    const double span = flow->range[1] - flow->range[0];
    if (fabs(flow->range[0]) > near * span || rest - flow->range[0] > low * span) {
        return;
    }
    flow->stream[0] = flow->range[0];
    if (flow->stream[1] - flow->range[0] > low * span) {
        flow->stream[1] = fmax(rest, flow->range[0]) + near * span;
    }
}

/* Widens the range by that of each step. A burst that lasts for few of many steps does
 * not count among all of their values. */
static void add_steps(const auto_sample *sample, const auto_query *query, double range[2])
{
    for (int step = 0; step < sample->nsteps && sample->nsteps > 1; step++) {
        const auto_sample one = auto_sample_at(sample, step);
        double its[2];
        find_span(&one, query, its);
        range[0] = its[0] <= its[1] ? fmin(range[0], its[0]) : range[0];
        range[1] = its[0] <= its[1] ? fmax(range[1], its[1]) : range[1];
    }
}

/* Finds the stream: the fullest group and common groups beside it, up to a fifth of the
 * range on each side. */
static void find_stream(const auto_sample *sample, const auto_query *query,
                        auto_flow *flow)
{
    int64_t groups[GROUPS];
    count_groups(sample, query, flow->range, groups);
    const int best = fullest(groups);
    const double width = (flow->range[1] - flow->range[0]) / GROUPS;
    flow->rest = flow->range[0] + (best + 0.5) * width;
    flow->stream[0] = flow->stream[1] = flow->range[0];
    flow->has_stream = stands_out(groups, best);
    if (!flow->has_stream) {
        return;
    }
    const double least = common * (double)groups[best];
    int first = best, last = best;
    while (first > 0 && best - first < GROUPS / 5 && (double)groups[first - 1] > least) {
        first--;
    }
    while (last + 1 < GROUPS && last - best < GROUPS / 5 &&
           (double)groups[last + 1] > least) {
        last++;
    }
    flow->stream[0] = flow->range[0] + first * width;
    flow->stream[1] = flow->range[0] + (last + 1) * width;
}

/* ---- Place ------------------------------------------------------------------------- */

/* The box around the points that count, without the outermost parts of their volume, with
 * a margin, within the bounds of the grid. */
static box3 find_box(const auto_sample *sample, const box3 *bounds, auto_query query,
                     double edge, double room)
{
    box3 box = *bounds;
    for (query.axis = 0; query.axis < 3; query.axis++) {
        const int axis = query.axis;
        double ends[2], upper[2];
        query.end = -1;
        auto_sample_quantiles(sample, &query, (const double[]){edge, 1.0 - edge}, ends);
        memcpy(upper, ends, sizeof upper);
        if (sample->in_cells) {
            query.end = 1;
            auto_sample_quantiles(sample, &query, (const double[]){edge, 1.0 - edge},
                                  upper);
        }
        if (ends[0] <= upper[1]) {
            const double margin = room * (upper[1] - ends[0]);
            box.lo.v[axis] = fmax(box.lo.v[axis], ends[0] - margin);
            box.hi.v[axis] = fmin(box.hi.v[axis], upper[1] + margin);
        }
    }
    return box;
}

box3 auto_flow_fine_box(const auto_sample *sample, const box3 *bounds)
{
    auto_query cells = everything;
    cells.by_cells = true;
    return find_box(sample, bounds, cells, 1.0 / 6.0, 0.0);
}

/* A meaningful span of values, from two spans. A far field may have all of the volume; a
 * boundary layer may have most of the cells. */
static double find_scale(const auto_sample *sample, const auto_query *query,
                         const double by_volume[2])
{
    auto_query cells = *query;
    double by_cells[2];
    cells.by_cells = true;
    find_span(sample, &cells, by_cells);
    const double wide = by_cells[1] - by_cells[0], narrow = by_volume[1] - by_volume[0];
    return narrow > 0.0 ? sqrt(narrow * fmax(wide, narrow)) : wide;
}

/* The commonest value of all of the grid, if it is much commoner than others and within
 * the range: that of the far field, of which a part of the grid may have little. */
static void take_far_field(const auto_sample *sample, auto_flow *flow)
{
    double range[2];
    int64_t groups[GROUPS];
    find_span(sample, &everything, range);
    auto_flow_widen(range);
    count_groups(sample, &everything, range, groups);
    const int best = fullest(groups);
    const double rest = range[0] + (best + 0.5) * (range[1] - range[0]) / GROUPS;
    if (stands_out(groups, best) && rest > flow->range[0] && rest < flow->range[1]) {
        flow->rest = rest;
        flow->has_stream = true;
    }
}

void auto_flow_find(const auto_sample *sample, const box3 *bounds, const box3 *shown,
                    auto_flow *out)
{
    const auto_query all = {.axis = -1, .within = shown, .beyond = -1.0};
    auto_query inside = all, active = all;
    double around[2];
    find_span(sample, &all, out->range);
    out->has_values = out->range[0] <= out->range[1];
    out->is_constant = out->range[0] == out->range[1];
    const double scale = find_scale(sample, &all, out->range);
    const double span = out->range[1] - out->range[0]; /* 0: a far field fills it */
    auto_flow_widen(out->range);
    active.around = find_rest(sample, &all, out->range);
    active.beyond = differing * scale;
    const double weight = (double)auto_sample_weight(sample, &all);
    out->rare = weight > 0.0 ? (double)auto_sample_weight(sample, &active) / weight : 1.0;
    out->box = find_box(sample, bounds, active, 0.005, 0.05);
    out->spread = vec3_length(vec3_sub(out->box.hi, out->box.lo));
    inside.within = &out->box;
    find_span(sample, &inside, around);
    if (!shown && span < buried * (around[1] - around[0])) {
        out->range[0] = around[0];
        out->range[1] = around[1];
        out->is_constant = around[0] == around[1];
        auto_flow_widen(out->range);
        add_steps(sample, &inside, out->range);
    } else {
        add_steps(sample, &all, out->range);
    }
    active.beyond = differing * fmin(scale, out->range[1] - out->range[0]);
    out->box = find_box(sample, bounds, active, 0.005, 0.05);
    find_stream(sample, &inside, out);
    reach_zero(active.around, out);
    if (shown) {
        take_far_field(sample, out);
    }
}

double auto_flow_mean(const auto_sample *sample, const auto_flow *flow)
{
    const auto_query inside = {.axis = -1, .within = &flow->box, .beyond = -1.0};
    int64_t bins[AUTO_BINS];
    auto_sample_count(sample, &inside, flow->range, bins);
    const double farthest =
        fmax(flow->stream[0] - flow->range[0], flow->range[1] - flow->stream[1]);
    double sum = 0.0;
    for (int n = 0; n < AUTO_BINS; n++) {
        const double value =
            flow->range[0] + (n + 0.5) * (flow->range[1] - flow->range[0]) / AUTO_BINS;
        const double off =
            fmax(fmax(flow->stream[0] - value, value - flow->stream[1]), 0.0);
        sum += (double)bins[n] * off;
    }
    const double all = (double)auto_sample_weight(sample, &inside);
    return all > 0.0 && farthest > 0.0 ? fmin(sum / (all * farthest), 1.0) : 0.0;
}

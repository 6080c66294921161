/* What a transfer function is drawn over: the histogram of a field, and the colours of a
 * layer. */
#include "base/parallel/parallel.h"
#include "base/scale/scale.h"
#include "frame/job.h"
#include "frame/job_state.h"
#include "sample.h"
#include "state.h"

#include <string.h>

enum { BINS = 128, GROUPS = 16 };

/* ---- Histograms -------------------------------------------------------------------- */

/* A scale of the order: "within": [lo, hi], "scale": "log" or "symlog", "threshold". */
static status read_scale(const json_t *order, const double all[2], base_scale *out)
{
    const json_t *within = json_object_get(order, "within");
    const char *word = json_string_value(json_object_get(order, "scale"));
    const double threshold = json_number_value(json_object_get(order, "threshold"));
    const base_scale_kind kind = word && strcmp(word, "log") == 0 ? BASE_SCALE_LOG
                                 : word && strcmp(word, "symlog") == 0
                                     ? BASE_SCALE_SYMLOG
                                     : BASE_SCALE_LINEAR;
    double range[2] = {all[0], all[1]};
    for (size_t n = 0; within && n < 2; n++) {
        range[n] = json_number_value(json_array_get(within, n));
    }
    if (within && !(range[0] < range[1] && (kind != BASE_SCALE_LOG || range[0] > 0.0))) {
        return base_fail(STATUS_USAGE, "within: give two numbers that ascend, above 0 on "
                                       "a logarithmic scale");
    }
    *out = base_scale_make(within ? kind : BASE_SCALE_LINEAR, threshold, range);
    return STATUS_OK;
}

/* Counts in bins that are even on the scale, from fine bins that are even in the values.
 * Collective. */
static void count_bins(const auto_sample *sample, const base_scale *scale,
                       int64_t bins[BINS])
{
    const auto_query all = {.axis = -1, .beyond = -1.0};
    const int groups = scale->kind == BASE_SCALE_LINEAR ? 1 : GROUPS;
    for (int g = 0; g < groups; g++) {
        const double part[2] = {base_scale_value(scale, (double)g / groups),
                                base_scale_value(scale, (g + 1.0) / groups)};
        int64_t fine[AUTO_BINS] = {0};
        auto_sample_count(sample, &all, part, fine);
        for (int n = 0; n < AUTO_BINS; n++) {
            const double value = part[0] + (n + 0.5) / AUTO_BINS * (part[1] - part[0]);
            const int bin = (int)(BINS * base_scale_position(scale, value));
            bins[bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin] += fine[n];
        }
    }
}

static json_t *describe_bins(const double range[2], const double clip[2],
                             const int64_t bins[BINS])
{
    json_t *list = json_array();
    for (int n = 0; n < BINS; n++) {
        json_array_append_new(list, json_integer(bins[n]));
    }
    return json_pack("{s:[f, f], s:[f, f], s:o}", "range", range[0], range[1], "middle",
                     clip[0], clip[1], "bins", list);
}

/* Collective. */
static status describe_sample(const view_state *state, const json_t *order,
                              const auto_sample *sample, view_result *result)
{
    const auto_query all = {.axis = -1, .beyond = -1.0};
    double range[2], middle[2];
    int64_t bins[BINS] = {0};
    base_scale scale;
    auto_sample_extremes(sample, &all, range);
    if (!(range[0] <= range[1])) {
        return state->rank == 0 ? view_result_json(json_pack("{s:n}", "range"), result)
                                : STATUS_OK;
    }
    const status s = read_scale(order, range, &scale);
    if (s != STATUS_OK) {
        return s;
    }
    auto_sample_quantiles(sample, &all, (const double[2]){0.01, 0.99}, middle);
    count_bins(sample, &scale, bins);
    return state->rank == 0 ? view_result_json(describe_bins(range, middle, bins), result)
                            : STATUS_OK;
}

status view_order_histogram(view_state *state, const json_t *order, view_result *result)
{
    auto_sample *sample = NULL;
    status s = view_sample_create(state, order, "a histogram", &sample);
    s = s == STATUS_OK ? describe_sample(state, order, sample, result) : s;
    auto_sample_destroy(&sample);
    return s;
}

/* ---- Colours ----------------------------------------------------------------------- */

/* The colours of a layer of the order's config: [[position, r, g, b], …]. */
status view_order_colors(view_state *state, const json_t *order, view_result *result)
{
    const json_int_t number = json_integer_value(json_object_get(order, "layer"));
    io_config *config = NULL;
    status s = view_config_make(state, order, 1.0, &config);
    if (s == STATUS_OK && (number < 0 || number >= config->nlayers)) {
        s = base_fail(STATUS_USAGE, "there is no layer %lld", (long long)number);
    }
    if (s == STATUS_OK && state->rank == 0) {
        const io_layer_config *layer = &config->layers[number];
        const io_paint_config *paint = layer->tool        ? &layer->tool->paint
                                       : layer->particles ? &layer->particles->paint
                                                          : NULL;
        const int count = layer->volume ? layer->volume->ncolors
                          : paint       ? paint->ncolors
                                        : 0;
        double(*const colors)[4] = layer->volume ? layer->volume->colors
                                   : paint       ? paint->colors
                                                 : NULL;
        json_t *list = json_array();
        for (int n = 0; n < count; n++) {
            const double *c = colors[n];
            json_array_append_new(list,
                                  json_pack("[f, f, f, f]", c[0], c[1], c[2], c[3]));
        }
        s = view_result_json(json_pack("{s:o}", "colors", list), result);
    }
    io_config_destroy(&config);
    return parallel_agree(state->comm, s);
}

/* Finds opacity if a config leaves it open; and all looks, in order. */
#include "open_keys.h"
#include "grids.h"

#include "base/log.h"
#include "base/parallel/parallel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Opacity ----------------------------------------------------------------------- */

static int volume_index(const io_config *config)
{
    int n = 0;
    while (config->layers[n].volume != config->volume) {
        n++;
    }
    return n;
}

/* The flow within the volume's range, which the user may have given. A range of little
 * but the stream is meant to show the stream. */
static auto_flow seen_flow(const looks *l, const double range[2])
{
    const double most = 0.6;
    auto_flow flow = l->flow;
    for (int n = 0; n < 2; n++) {
        flow.range[n] = range[n];
        flow.stream[n] = fmin(fmax(flow.stream[n], range[0]), range[1]);
    }
    if (flow.stream[1] - flow.stream[0] > most * (range[1] - range[0])) {
        flow.stream[0] = flow.stream[1] = range[0];
    }
    return flow;
}

/*
 * The opacity of the value farthest from the stream, for a slab of thickness `unit`. A
 * ray through the box then loses about half of its light on average. A limit of the
 * extinction keeps rare values from looking like a wall; the least opacity keeps common
 * ones visible.
 */
static double find_alpha(const looks *l, const auto_flow *flow, double unit)
{
    const double depth = l->is_outer ? 0.3 : 0.8, thickest = l->is_outer ? 0.8 : 4.0;
    const double share = 0.05;
    const vec3 size = vec3_sub(flow->box.hi, flow->box.lo);
    const double way = fmin(fmin(size.v[0], size.v[1]), size.v[2]);
    const double mean = auto_flow_mean(l->sample, flow);
    double extinction = mean > 0.0 && way > 0.0 ? depth / (mean * way) : INFINITY;
    extinction =
        fmin(extinction, thickest / fmin(fmax(way, unit), share * vec3_length(size)));
    const double alpha = 1.0 - exp(-extinction * unit);
    return round(fmin(fmax(alpha, 0.001), 0.98) * 1000.0) / 1000.0;
}

/* The current range of the volume; that of the first step, if each has its own.
 * Collective. */
static status current_range(const looks *l, int layer, const char *key, double range[2])
{
    const io_volume_config *volume = l->config->volume;
    if (io_config_range_is_of_step(l->config, layer)) {
        frame_auto_data first = *l->data;
        first.nsteps = 1;
        const looks_shown its = looks_shown_by(l->config, layer);
        return looks_find_extremes(&first, &its, range);
    }
    const char *text = auto_values_find(l->values, volume->field, key);
    memcpy(range, volume->range, 2 * sizeof *range);
    if (text && volume->auto_range &&
        sscanf(text, "[%lf, %lf]", &range[0], &range[1]) != 2) {
        return base_fail(STATUS_USAGE, "%s: '%s' is no range", key, text);
    }
    return STATUS_OK;
}

static status add_opacity(looks *l, const char *key, const char *unit_key,
                          const double range[2])
{
    const io_volume_config *volume = l->config->volume;
    const auto_flow flow = seen_flow(l, range);
    const double diagonal = vec3_length(vec3_sub(flow.box.hi, flow.box.lo));
    const double size = diagonal > 0.0 ? diagonal : 1.0;
    const double unit = volume->auto_unit_length ? auto_tidy(0.01 * size, 0.01 * size)
                                                 : volume->unit_length;
    char text[512];
    const base_scale scale = base_scale_make(volume->scale, volume->threshold, range);
    auto_opacity_print(&flow, &scale, volume->positions_are_data,
                       find_alpha(l, &flow, unit), sizeof text, text);
    status s = auto_values_add(l->values, volume->field, key, "%s", text);
    if (s == STATUS_OK && volume->auto_unit_length) {
        s = auto_values_add(l->values, volume->field, unit_key, "%.10g", unit);
    }
    return s;
}

static status find_opacity(looks *l)
{
    const io_volume_config *volume = l->config->volume;
    char key[LOOKS_KEY_SIZE], unit_key[LOOKS_KEY_SIZE], range_key[LOOKS_KEY_SIZE];
    double range[2];
    status s = STATUS_OK;
    if (!volume || volume->nopacities > 0) {
        return s;
    }
    const int index = volume_index(l->config);
    looks_key(l->config, index, "opacity", key);
    looks_key(l->config, index, "unit_length", unit_key);
    looks_key(l->config, index, "range", range_key);
    if (looks_reuse(l, volume->field, key, &s)) {
        if (s == STATUS_OK && volume->auto_unit_length) {
            looks_reuse(l, volume->field, unit_key, &s);
        }
        return s;
    }
    s = current_range(l, index, range_key, range);
    if (s == STATUS_OK) {
        s = looks_survey(l, volume->field, false);
    }
    return s == STATUS_OK ? add_opacity(l, key, unit_key, range) : s;
}

/* ---- All --------------------------------------------------------------------------- */

status frame_auto_looks(const frame_auto_data *data, const frame_auto_values *known,
                        frame_auto_values *values, io_config **config)
{
    frame_auto_data now = *data; /* its config may be replaced */
    looks l = {.data = &now, .known = known, .values = values, .config = *config};
    l.walls.bounds = auto_no_box();
    int first = values->count;
    auto_grids grids;
    status s = auto_grids_find(data, &grids);
    if (s != STATUS_OK) {
        return s;
    }
    now.grids = grids.count > 0 ? &grids : NULL;
    s = looks_find_layers(&l);
    if (s == STATUS_OK) {
        s = parallel_agree(data->comm, auto_values_apply(values, first, config));
        first = values->count;
        l.config = *config;
        now.config = &l.config->data;
    }
    if (s == STATUS_OK) {
        s = looks_find_ranges(&l);
    }
    if (s == STATUS_OK) {
        s = find_opacity(&l);
    }
    if (s == STATUS_OK) {
        s = looks_find_camera(&l);
    }
    auto_sample_destroy(&l.sample);
    auto_grids_clear(&grids);
    s = parallel_agree(data->comm, s);
    return s == STATUS_OK
               ? parallel_agree(data->comm, auto_values_apply(values, first, config))
               : s;
}

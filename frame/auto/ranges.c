/* Surveys of fields; ranges of layers that a config leaves open, and those of each step.
 */
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "grids.h"
#include "io/load/load.h"
#include "open_keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void looks_limit(looks *l, const box3 *box)
{
    const vec3 origin = l->data->layout->origin;
    l->is_limited = box != NULL;
    l->limit = box ? (box3){vec3_sub(box->lo, origin), vec3_sub(box->hi, origin)}
                   : auto_grids_bounds(l->data);
    l->is_stale = true;
}

box3 looks_near_walls(const looks *l, const box3 *box, double part)
{
    const box3 *walls = &l->walls.bounds;
    const double margin = part * vec3_length(vec3_sub(walls->hi, walls->lo));
    box3 near = *box;
    for (int axis = 0; axis < 3; axis++) {
        near.lo.v[axis] = fmax(near.lo.v[axis], walls->lo.v[axis] - margin);
        near.hi.v[axis] = fmin(near.hi.v[axis], walls->hi.v[axis] + margin);
    }
    return near;
}

/* Surveys the sample. Collective. */
static void survey_sample(looks *l)
{
    const box3 *limit = l->is_limited ? &l->limit : NULL;
    const box3 bounds = auto_grids_bounds(l->data);
    auto_flow_find(l->sample, &bounds, limit, &l->flow);
    l->is_stale = false;
}

/* Whether the last survey was of a field, at vertices if it has to be. */
static bool is_surveyed(const looks *l, const char *field, bool continuous)
{
    return strcmp(l->field, field) == 0 &&
           (l->continuous == continuous || (!l->continuous && !l->sample->in_cells));
}

/* Surveys a field, unless it was the last one. Collective. */
status looks_survey(looks *l, const char *field, bool continuous)
{
    if (is_surveyed(l, field, continuous)) {
        if (l->is_stale) {
            survey_sample(l);
        }
        return STATUS_OK;
    }
    l->field[0] = '\0';
    status s = auto_sample_create(l->data, field, continuous, &l->sample);
    if (s == STATUS_OK) {
        survey_sample(l);
        snprintf(l->field, sizeof l->field, "%s", field);
        l->continuous = continuous;
    }
    return s;
}

/* Whether the surveyed field is worth a picture: it varies. One that is derived has
 * values nearly everywhere; a file may leave out much of a field, such as a sea's at
 * land. */
static bool is_telling(const looks *l, const char *field)
{
    const double most_missing = 0.3;
    const io_source *source = l->data->source;
    bool is_of_file = false;
    for (int n = 0; n < io_source_field_count(source) && !is_of_file; n++) {
        is_of_file = strcmp(io_source_fields(source)[n].name, field) == 0;
    }
    return l->flow.has_values && !l->flow.is_constant &&
           (is_of_file || auto_sample_missing(l->sample) <= most_missing);
}

status looks_pick(looks *l, const char *const names[], int count, const char **field)
{
    status s = STATUS_OK;
    *field = NULL;
    for (int n = 0; n < count && s == STATUS_OK && !*field; n++) {
        if (auto_can_make(l->data, names[n])) {
            s = looks_survey(l, names[n], true);
            *field = is_telling(l, names[n]) ? names[n] : NULL;
        }
    }
    return s;
}

/* Adds the value known for the same key and field; false: none is known. */
bool looks_reuse(const looks *l, const char *field, const char *key, status *s)
{
    const char *text = auto_values_find(l->known, field, key);
    if (text) {
        *s = auto_values_add(l->values, field, key, "%s", text);
    }
    return text != NULL;
}

static looks_shown shown_by_particles(const io_particles_config *particles)
{
    const io_paint_config *paint = &particles->paint;
    const bool shows = particles->color_what == IO_PAINT_FIELD;
    return (looks_shown){0,    shows ? paint->field : NULL, "color_by",
                         true, paint->auto_range,           paint->scale};
}

static looks_shown shown_by_tool(const io_layer_config *layer)
{
    const io_tool_config *tool = layer->tool;
    const io_paint_config *paint = &tool->paint;
    const bool is_contour = layer->kind == IO_LAYER_CONTOUR;
    const bool is_iso = layer->kind == IO_LAYER_ISOSURFACE;
    const bool has_range = paint->ncolors > 0 || tool->nlevels > 0;
    const bool is_own = is_contour || (is_iso && !paint->has_color && !paint->field);
    const char *painted = paint->has_color ? NULL : paint->field;
    return (looks_shown){0,
                         has_range ? (is_own ? tool->field : painted) : NULL,
                         is_own ? "field" : "color_by",
                         is_contour || is_iso,
                         paint->auto_range,
                         paint->scale};
}

looks_shown looks_shown_by(const io_config *config, int layer)
{
    const io_layer_config *its = &config->layers[layer];
    const io_volume_config *volume = its->volume;
    looks_shown found = volume ? (looks_shown){0,     volume->field,      "field",
                                               false, volume->auto_range, volume->scale}
                        : its->particles ? shown_by_particles(its->particles)
                                         : shown_by_tool(its);
    found.field = its->shown ? found.field : NULL;
    found.layer = layer;
    return found;
}

void looks_key(const io_config *config, int layer, const char *name,
               char key[LOOKS_KEY_SIZE])
{
    snprintf(key, LOOKS_KEY_SIZE, "layers.%d.%s.%s", layer,
             io_config_kind_name(config->layers[layer].kind), name);
}

/* Surveys the field of a layer. A failure names the layer's key. Collective. */
status looks_survey_shown(looks *l, const looks_shown *its)
{
    char key[LOOKS_KEY_SIZE];
    status s = looks_survey(l, its->field, its->continuous);
    if (s == STATUS_OK && !l->flow.has_values) {
        s = base_fail(
            STATUS_INPUT,
            "the field '%s' of '%s' has no finite value in any cell that is not "
            "blanked: name another field or other steps",
            its->field, io_source_path(l->data->source));
    }
    looks_key(l->config, its->layer, its->name, key);
    return io_config_blame(l->config, key, s);
}

/* On a logarithmic scale each end is rounded by its own order. */
static void tidy_range(base_scale_kind scale, double range[2])
{
    const bool is_log = scale == BASE_SCALE_LOG;
    const double span = range[1] - range[0];
    for (int n = 0; n < 2; n++) {
        range[n] = auto_tidy(range[n], is_log ? range[n] : span);
    }
}

/* Brings a found range above 0 for a logarithmic scale: four decades at most if it goes
 * down to 0. */
static status raise_range(const io_config *config, const looks_shown *its,
                          double range[2])
{
    const double decades = 1e-4;
    if (its->scale != BASE_SCALE_LOG) {
        return STATUS_OK;
    }
    if (!(range[1] > 0.0)) {
        char key[LOOKS_KEY_SIZE];
        looks_key(config, its->layer, "scale", key);
        return io_config_blame(
            config, key,
            base_fail(STATUS_USAGE,
                      "the field '%s' has no values above 0 to take the logarithm of: "
                      "take scale: symlog",
                      its->field));
    }
    range[0] = range[0] > 0.0 ? range[0] : decades * range[1];
    range[1] = range[1] > range[0] ? range[1] : 2.0 * range[0];
    return STATUS_OK;
}

/* The least and greatest value at the steps of the data. Collective. */
status looks_find_extremes(const frame_auto_data *data, const looks_shown *its,
                           double range[2])
{
    grid_recipe *recipe = NULL;
    status s =
        grid_recipe_create(its->field, io_source_field_count(data->source),
                           io_source_fields(data->source), data->config->terms, &recipe);
    s = parallel_agree(data->comm, s);
    if (s == STATUS_OK) {
        if (its->continuous) {
            grid_recipe_move_to_vertices(recipe);
        }
        const io_load_series series = {data->layout, recipe, data->steps, data->nsteps};
        s = io_load_range(data->comm, data->source, &series, range);
    }
    grid_recipe_destroy(&recipe);
    if (s == STATUS_OK) {
        auto_flow_widen(range);
    }
    return s;
}

/* Warns of a constant field, whose picture shows nothing. */
static void warn_constant(const looks *l, const char *key)
{
    if (l->flow.is_constant) {
        base_log_warning(
            "%s: nearly all of the field '%s' has one value, %g: name another "
            "field, which 'karman info' lists, or a range",
            key, l->field, 0.5 * (l->flow.range[0] + l->flow.range[1]));
    }
}

/* Names the steps that were not looked at. */
static void warn_partial(const looks *l, const char *key)
{
    if (parallel_rank(l->data->comm) == 0 && l->data->nsteps > AUTO_FEW_STEPS &&
        l->sample->nlooked <= AUTO_FEW_STEPS && !l->data->grids) {
        base_log_warning(
            "%s: the range of '%s' is that of %d of %d steps, as reading all "
            "takes more than %d MiB: values of other steps may lie beyond; "
            "range: min-max reads all",
            key, l->field, l->sample->nlooked, l->data->nsteps, AUTO_MOST_BYTES >> 20);
    }
}

/* Differences have 0 in the middle of their range, unless its scale is logarithmic. */
static void centre_range(const looks *l, const looks_shown *its, double range[2])
{
    if (its->scale != BASE_SCALE_LOG &&
        grid_recipe_is_difference(its->field, l->config->data.terms)) {
        range[1] = fmax(fabs(range[0]), fabs(range[1]));
        range[0] = -range[1];
    }
}

/* Gives differences colours on both sides of 0, if the config gives them none. */
static status find_colors(looks *l, const looks_shown *its)
{
    char key[LOOKS_KEY_SIZE];
    looks_key(l->config, its->layer, "colors", key);
    return io_config_given(l->config, key) ||
                   !grid_recipe_is_difference(its->field, l->config->data.terms)
               ? STATUS_OK
               : auto_values_add(l->values, its->field, key, "cool-to-warm");
}

/* Collective. */
static status find_range(looks *l, const looks_shown *its, const char *key)
{
    const char *word = io_config_given(l->config, key);
    char blamed[LOOKS_KEY_SIZE];
    double range[2];
    status s = STATUS_OK;
    if (word && strcmp(word, "min-max") == 0) {
        looks_key(l->config, its->layer, its->name, blamed);
        s = io_config_blame(l->config, blamed, looks_find_extremes(l->data, its, range));
        s = s == STATUS_OK ? raise_range(l->config, its, range) : s;
        centre_range(l, its, range);
        return s != STATUS_OK ? s
                              : auto_values_add(l->values, its->field, key,
                                                "[%.17g, %.17g]", range[0], range[1]);
    }
    s = looks_survey_shown(l, its);
    if (s == STATUS_OK) {
        warn_constant(l, key);
        warn_partial(l, key);
        memcpy(range, l->flow.range, sizeof range);
        s = raise_range(l->config, its, range);
    }
    if (s == STATUS_OK) {
        centre_range(l, its, range);
        tidy_range(its->scale, range);
        s = auto_values_add(l->values, its->field, key, "[%.10g, %.10g]", range[0],
                            range[1]);
    }
    return s;
}

/* Lets only values near found walls count for a layer that draws these; the layer's
 * colours would otherwise be those of the far field. */
static bool limit_to_walls(looks *l, int layer)
{
    const io_layer_config *its = &l->config->layers[layer];
    const bool draws = its->kind == IO_LAYER_OBJECT && its->tool &&
                       (its->tool->walls != IO_WALLS_NONE || its->tool->has_box);
    if (!draws || l->is_limited ||
        !(l->walls.bounds.lo.v[0] <= l->walls.bounds.hi.v[0])) {
        return false;
    }
    const vec3 origin = l->data->layout->origin;
    const box3 bounds = auto_grids_bounds(l->data);
    const box3 all = {vec3_add(bounds.lo, origin), vec3_add(bounds.hi, origin)};
    const box3 near = looks_near_walls(l, &all, 0.1);
    looks_limit(l, &near);
    return true;
}

void looks_propose_range(looks *l, int layer, double least, double most)
{
    looks_ranges *ranges = &l->ranges;
    if (ranges->count < (int)(sizeof ranges->of / sizeof ranges->of[0])) {
        ranges->of[ranges->count].layer = layer;
        ranges->of[ranges->count].ends[0] = least;
        ranges->of[ranges->count++].ends[1] = most;
    }
}

/* Adds the range that was proposed for a layer; false: none was. */
static bool take_proposed(const looks *l, const looks_shown *its, const char *key,
                          status *s)
{
    for (int n = 0; n < l->ranges.count; n++) {
        if (l->ranges.of[n].layer == its->layer) {
            const double *ends = l->ranges.of[n].ends;
            *s = auto_values_add(l->values, its->field, key, "[%.10g, %.10g]", ends[0],
                                 ends[1]);
            return true;
        }
    }
    return false;
}

status looks_find_ranges(looks *l)
{
    char key[LOOKS_KEY_SIZE];
    status s = STATUS_OK;
    for (int n = 0; n < l->config->nlayers && s == STATUS_OK; n++) {
        const looks_shown its = looks_shown_by(l->config, n);
        looks_key(l->config, n, "range", key);
        const bool is_of_step = io_config_range_is_of_step(l->config, n);
        s = its.field ? find_colors(l, &its) : s;
        if (s == STATUS_OK && its.field && its.is_open && !is_of_step &&
            !looks_reuse(l, its.field, key, &s) && !take_proposed(l, &its, key, &s)) {
            const bool is_limited = limit_to_walls(l, n);
            s = find_range(l, &its, key);
            if (is_limited) {
                looks_limit(l, NULL);
            }
        }
    }
    return s;
}

/* The range of a layer whose steps have ranges of their own. */
static double *range_of(const io_config *config, int layer)
{
    const io_layer_config *its = &config->layers[layer];
    return its->volume      ? its->volume->range
           : its->particles ? its->particles->paint.range
                            : its->tool->paint.range;
}

status frame_auto_step_ranges(const frame_auto_data *data, int step, io_config *config)
{
    frame_auto_data one = *data;
    one.nsteps = 1;
    one.steps = &step;
    status s = STATUS_OK;
    for (int n = 0; n < config->nlayers && s == STATUS_OK; n++) {
        const looks_shown its = looks_shown_by(config, n);
        if (its.field && its.is_open && io_config_range_is_of_step(config, n)) {
            char key[LOOKS_KEY_SIZE];
            looks_key(config, n, its.name, key);
            s = io_config_blame(config, key,
                                looks_find_extremes(&one, &its, range_of(config, n)));
            s = s == STATUS_OK ? raise_range(config, &its, range_of(config, n)) : s;
            centre_range(&(looks){.config = config}, &its, range_of(config, n));
        }
    }
    return parallel_agree(data->comm, s);
}

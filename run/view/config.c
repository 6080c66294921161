/* The configs of orders, and the job that draws them. */
/* for PATH_MAX and realpath */
#define _XOPEN_SOURCE 700

#include "base/parallel/parallel.h"
#include "base/system.h"
#include "frame/film/film.h"
#include "frame/shown/pick.h"
#include "io/config/keys/keys.h"
#include "io/config/table.h"
#include "state.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OVERRIDES = 512, MOST_PIXELS = 1 << 26 };

/* Sections that belong to the data and the run, not to the view. */
static const char *const fixed_sections[] = {"data",      "output", "partition",
                                             "composite", "memory", "in_situ"};

enum { FIXED = sizeof fixed_sections / sizeof fixed_sections[0] };

static bool is_fixed(const char *name)
{
    for (int n = 0; n < FIXED; n++) {
        if (strcmp(fixed_sections[n], name) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- Sections ---------------------------------------------------------------------- */

static json_t *read_section(const io_config *config, const char *name)
{
    char *text = io_config_given_json(config, name);
    json_t *section = text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
    free(text);
    return section;
}

json_t *view_config_read(const io_config *config, bool drops_fixed)
{
    json_t *all = json_object();
    for (const io_key *key = io_config_keys; key->name && all; key++) {
        const bool is_left = drops_fixed && is_fixed(key->name);
        json_t *section = is_left ? NULL : read_section(config, key->name);
        if (section) {
            json_object_set_new(all, key->name, section);
        }
    }
    return all;
}

char *view_config_print(const io_config *config)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream) {
        io_config_print(config, false, stream);
        fclose(stream);
    }
    return text;
}

/* Takes the sections that stay from the first config. */
static status fix(view_state *state, const io_config *config)
{
    state->fixed = json_object();
    for (int n = 0; n < FIXED && state->fixed; n++) {
        json_t *section = read_section(config, fixed_sections[n]);
        if (section) {
            json_object_set_new(state->fixed, fixed_sections[n], section);
        }
    }
    for (int n = 0; n < config->nlayers; n++) {
        const io_particles_config *particles = config->layers[n].particles;
        state->keeps_steps |= particles && particles->mode != IO_PARTICLES_STREAM;
    }
    return state->fixed ? STATUS_OK : base_fail_memory(0, "a view");
}

/* ---- The first job ----------------------------------------------------------------- */

/* Overrides of a view, beside those of the command line. */
typedef struct own_overrides {
    int count, given;
    const char *list[MOST_OVERRIDES];
    char *made[8]; /* [count - given], ours */
} own_overrides;

static status add_override(own_overrides *o, const char *key, const char *value)
{
    const size_t size = strlen(key) + strlen(value) + 2;
    char *text =
        o->count < MOST_OVERRIDES && o->count - o->given < 8 ? malloc(size) : NULL;
    if (!text) {
        return base_fail_memory(size, "a view");
    }
    snprintf(text, size, "%s=%s", key, value);
    o->made[o->count - o->given] = text;
    o->list[o->count++] = text;
    return STATUS_OK;
}

/* Makes a path of the data absolute, so that a config that is taken away finds them. */
static status add_path(own_overrides *o, const char *key, const char *path)
{
    char whole[PATH_MAX];
    if (!path || path[0] == '/' || strpbrk(path, "%*?") || !realpath(path, whole)) {
        return STATUS_OK;
    }
    json_t *json = json_string(whole);
    char *quoted = json ? json_dumps(json, JSON_ENCODE_ANY) : NULL;
    json_decref(json);
    const status s = quoted ? add_override(o, key, quoted) : STATUS_OK;
    free(quoted);
    return s;
}

/* A view explores still pictures, without the keys of a film. */
static status leave_film(own_overrides *o, const io_config *config)
{
    static const char *const keys[] = {"film", "keys", "camera.path"};
    const bool has_path =
        config->camera.path.nkeyframes > 0 || config->camera.path.orbit != 0.0;
    status s = STATUS_OK;
    for (int n = 0; n < (has_path ? 3 : 2) && frame_film_is_given(config); n++) {
        s = s == STATUS_OK ? add_override(o, keys[n], "null") : s;
    }
    return s;
}

/* Reads the config alone, for its paths. Collective. */
static status find_overrides(const view_state *state, own_overrides *o)
{
    const frame_job_options *options = state->request->options;
    io_config *config = NULL;
    status s = frame_config_load_for(state->comm, state->request->path, options, &config);
    for (int n = 0; n < options->noverrides && n < MOST_OVERRIDES - 8; n++) {
        o->list[o->count++] = options->overrides[n];
    }
    o->given = o->count;
    if (s == STATUS_OK) {
        const io_data_config *data = &config->data;
        s = add_override(o, "output.frames?", "view.png");
        s = s == STATUS_OK && data->nfiles < 2 ? add_path(o, "data.file", data->file) : s;
        s = s == STATUS_OK ? add_path(o, "data.grid.file", data->grid_file) : s;
        s = s == STATUS_OK ? leave_film(o, config) : s;
        s = parallel_agree(state->comm, s);
    }
    io_config_destroy(&config);
    return s;
}

void view_state_swap(view_state *state)
{
    frame_job *job = state->job;
    json_t *data = json_incref(json_object_get(state->fixed, "data"));
    json_object_set(state->fixed, "data", state->other_data);
    json_decref(state->other_data);
    state->other_data = data;
    state->job = state->other_job;
    state->other_job = job;
}

/* Makes the job of the other data, which pages give layers. Collective. */
static status add_other(view_state *state)
{
    const char *path = state->request->other;
    char whole[PATH_MAX];
    io_config *config = NULL;
    if (!path) {
        return STATUS_OK;
    }
    json_t *order = json_pack("{s:s}", "config", "layers: [{outline: {}}]");
    state->other_data = json_pack(
        "{s:s, s:s}", "file",
        !strpbrk(path, "%*?") && realpath(path, whole) ? whole : path, "steps", "last");
    status s = order && state->other_data ? STATUS_OK : base_fail_memory(0, "a view");
    s = parallel_agree(state->comm, s);
    if (s == STATUS_OK) {
        view_state_swap(state);
        s = view_config_make(state, order, 1.0, &config);
        s = parallel_agree(state->comm, s);
        s = s == STATUS_OK ? view_config_take(state, &config) : s;
        view_state_swap(state);
    }
    io_config_destroy(&config);
    json_decref(order);
    return s;
}

status view_state_create(view_state *state)
{
    own_overrides o = {0};
    frame_job_options options = *state->request->options;
    status s = find_overrides(state, &o);
    options.noverrides = o.count;
    options.overrides = o.list;
    options.is_shown = true;
    if (s == STATUS_OK) {
        s = frame_job_create(state->comm, state->request->path, &options, &state->job);
    }
    for (int n = 0; n < o.count - o.given; n++) {
        free(o.made[n]);
    }
    s = s == STATUS_OK ? fix(state, frame_job_config(state->job)) : s;
    s = parallel_agree(state->comm, s);
    s = s == STATUS_OK ? add_other(state) : s;
    s = s == STATUS_OK ? view_stop_create(state->comm, &state->stop) : s;
    if (state->rank == 0) {
        settings_offers_colors(&state->offers);
    }
    view_stamp_begin(state);
    return parallel_agree(state->comm, s);
}

void view_state_clear(view_state *state)
{
    frame_job_destroy(&state->job);
    frame_job_destroy(&state->other_job);
    json_decref(state->other_data);
    json_decref(state->fixed);
    settings_offers_clear(&state->offers);
    view_stop_clear(&state->stop);
}

/* ---- Configs of orders ------------------------------------------------------------- */

/* The overrides that bring the sections that stay, and the step, into an order's config.
 * The config itself is a text, so that its numbers stay as they were written. */
typedef struct order_overrides {
    int count;
    char *list[FIXED + 4]; /* [count], malloc'ed; NULL: memory is short */
} order_overrides;

static void put_override(order_overrides *o, const char *name, const json_t *section)
{
    char *value = section ? json_dumps(section, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    const size_t size = strlen(name) + (value ? strlen(value) : 4) + 2;
    char *text = value || !section ? malloc(size) : NULL;
    if (text) {
        snprintf(text, size, "%s=%s", name, value ? value : "null");
    }
    free(value);
    o->list[o->count++] = text;
}

static void put_sections(const view_state *state, const json_t *order, order_overrides *o)
{
    const json_t *step = json_object_get(order, "step");
    for (int n = 0; n < FIXED; n++) {
        put_override(o, fixed_sections[n],
                     json_object_get(state->fixed, fixed_sections[n]));
    }
    if (!state->keeps_steps && json_is_integer(step)) {
        put_override(o, "data.steps", step);
    }
}

/* A smaller picture has one sample. `config`: the order's, as JSON. */
static void put_scale(const char *config, double scale, order_overrides *o)
{
    json_t *json = json_loads(config, 0, NULL);
    const json_t *section = json_object_get(json, "image");
    const json_t *given = json_object_get(section, "scale");
    json_t *product =
        json_real(scale * (json_is_number(given) ? json_number_value(given) : 1.0));
    json_t *one = json_integer(1);
    put_override(o, "image.scale", product);
    put_override(o, "image.samples", one);
    json_decref(product);
    json_decref(one);
    json_decref(json);
}

static status check_size(const io_config *config)
{
    return (int64_t)config->width * config->height <= MOST_PIXELS
               ? STATUS_OK
               : base_fail(STATUS_USAGE,
                           "image: a picture of %d x %d is too large: the page shows %d "
                           "pixels at most",
                           config->width, config->height, (int)MOST_PIXELS);
}

status view_config_make(const view_state *state, const json_t *order, double scale,
                        io_config **out)
{
    const char *text = json_string_value(json_object_get(order, "config"));
    order_overrides o = {0};
    if (!text) {
        return base_fail(STATUS_USAGE, "an order needs a config, as a text");
    }
    put_sections(state, order, &o);
    if (scale != 1.0) {
        put_scale(text, scale, &o);
    }
    status s = STATUS_OK;
    for (int n = 0; n < o.count; n++) {
        s = o.list[n] ? s : base_fail_memory(0, "a config");
    }
    if (s == STATUS_OK) {
        s = io_config_parse(state->request->path, text, strlen(text), o.count,
                            (const char *const *)o.list, out);
    }
    for (int n = 0; n < o.count; n++) {
        free(o.list[n]);
    }
    return s == STATUS_OK ? check_size(*out) : s;
}

/* Makes a job anew, from the text of a config. Collective. */
static status make_job(view_state *state, const io_config *config)
{
    char *text = view_config_print(config);
    frame_job_options options = {
        .threads = state->request->options->threads, .text = text, .is_shown = true};
    status s =
        parallel_agree(state->comm, text ? STATUS_OK : base_fail_memory(0, "a job"));
    s = s == STATUS_OK
            ? frame_job_create(state->comm, state->request->path, &options, &state->job)
            : s;
    free(text);
    return s;
}

status view_config_take(view_state *state, io_config **config)
{
    status s = STATUS_OK;
    if (state->job) {
        s = frame_job_change(state->job, config);
    }
    if (s != STATUS_OK && !*config) {
        frame_job_destroy(&state->job); /* it may be half made */
    } else if (s == STATUS_OK && *config) {
        frame_job_destroy(&state->job);
        s = make_job(state, *config);
    }
    io_config_destroy(config);
    return s;
}

status view_frame_find(const view_state *state, const json_t *order, int *frame)
{
    const json_t *step = json_object_get(order, "step");
    const int count = frame_job_frame_count(state->job);
    for (int n = 0; n < count; n++) {
        if (frame_job_step(state->job, n)->number == json_integer_value(step)) {
            *frame = n;
            return STATUS_OK;
        }
    }
    *frame = 0;
    return json_is_integer(step) ? base_fail(STATUS_USAGE, "there is no step %lld",
                                             (long long)json_integer_value(step))
                                 : STATUS_OK;
}

status view_config_aim(view_state *state, const json_t *order)
{
    io_config *config = NULL;
    int frame = 0;
    if (!json_object_get(order, "config")) {
        return state->job ? STATUS_OK
                          : base_fail(STATUS_USAGE, "there is no picture: draw first");
    }
    status s = parallel_agree(state->comm, view_config_make(state, order, 1.0, &config));
    s = s == STATUS_OK ? view_config_take(state, &config) : s;
    io_config_destroy(&config);
    s = s == STATUS_OK ? view_frame_find(state, order, &frame) : s;
    if (s == STATUS_OK) {
        base_stop_set(false);
        s = frame_job_aim(state->job, frame);
        if (s != STATUS_OK) {
            frame_job_destroy(&state->job);
        }
    }
    return s;
}

status view_config_reopen(view_state *state, const json_t *order)
{
    io_config *config = NULL;
    status s = parallel_agree(state->comm, view_config_make(state, order, 1.0, &config));
    if (s == STATUS_OK) {
        frame_job_destroy(&state->job);
        s = make_job(state, config);
    }
    io_config_destroy(&config);
    return s;
}

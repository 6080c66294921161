#include "picture.h"

#include "base/log.h"
#include "base/srgb.h"
#include "base/words.h"
#include "frame/tuning/tuning.h"
#include "render/annotate/annotate.h"
#include "render/view/finish.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Set-up ------------------------------------------------------------------------ */

/* Finds an algorithm by name. NULL for "auto": the executor chooses. */
static status find_algorithm(const char *name, const composite_algorithm **found)
{
    *found = composite_algorithm_find(name);
    if (*found || strcmp(name, "auto") == 0) {
        return STATUS_OK;
    }
    const char *names[1 + COMPOSITE_MOST_ALGORITHMS] = {"auto"};
    const int count = 1 + composite_algorithm_names(names + 1);
    char known[256], hint[96];
    base_words_list(count, names, sizeof known, known);
    base_words_hint(name, count, names, sizeof hint, hint);
    return base_fail(STATUS_USAGE, "there is no '%.64s'%s, only %s", name, hint, known);
}

/* The config key to name if the algorithm refuses its parameters. */
static const char *parameter_key(const io_composite_config *config)
{
    const int given = (config->nfactors > 0) + (config->group > 0) + (config->fan_in > 0);
    return given != 1             ? "composite"
           : config->nfactors > 0 ? "composite.factors"
           : config->group > 0    ? "composite.group"
                                  : "composite.fan_in";
}

status frame_picture_configure(const frame_scene *scene, frame_picture *picture)
{
    const io_composite_config *config = &scene->config->composite;
    status s = find_algorithm(config->algorithm, &picture->algorithm);
    if (s != STATUS_OK) {
        return io_config_blame(scene->config, "composite.algorithm", s);
    }
    if (scene->config->output.figure && !annotate_is_available()) {
        return io_config_fail(scene->config, "output.figure",
                              "cannot be written: this karman was built without cairo");
    }
    picture->params = (composite_params){
        .nfactors = config->nfactors, .group = config->group, .fan_in = config->fan_in};
    picture->by_nodes = config->by_nodes;
    picture->segment = config->segment;
    picture->encoding = config->encoding == IO_ENCODING_RAW ? COMPOSITE_ENCODING_RAW
                                                            : COMPOSITE_ENCODING_AUTO;
    _Static_assert((int)IO_MAX_FACTORS <= (int)COMPOSITE_MAX_FACTORS,
                   "factors of a config fit");
    for (int f = 0; f < config->nfactors; f++) {
        picture->params.factors[f] = config->factors[f];
    }
    if (!picture->algorithm && (config->nfactors || config->group || config->fan_in)) {
        return io_config_fail(scene->config, parameter_key(config),
                              "'factors', 'group' and 'fan_in' are parameters of a named "
                              "algorithm: give composite.algorithm, too");
    }
    if (!picture->algorithm || picture->by_nodes) {
        return STATUS_OK; /* the executor knows the number of nodes */
    }
    composite_problem problem = {.size = scene->ranks,
                                 .pixels = (int64_t)scene->config->width *
                                           scene->config->height,
                                 .op = COMPOSITE_OVER};
    return io_config_blame(scene->config, parameter_key(config),
                           picture->algorithm->check_params(&problem, &picture->params));
}

/* Finds the rules of a job that leaves the algorithm open. */
static status find_rules(frame_picture *picture)
{
    const frame_scene *scene = picture->scene;
    const io_config *config = scene->config;
    const char *obstacle = frame_tuning_obstacle(config, scene->ranks);
    if (obstacle) {
        if (config->composite.tuning && scene->rank == 0 && scene->ranks > 1) {
            base_log_warning("%s: no rule is used: %s", config->composite.tuning,
                             obstacle);
        }
        return STATUS_OK;
    }
    const frame_tuning_pictures pictures = {config->width, config->height,
                                            frame_picture_target(picture)};
    return frame_tuning_load(scene->comm, config->composite.tuning, &pictures,
                             &picture->rules);
}

status frame_picture_create(frame_picture *picture)
{
    const frame_scene *scene = picture->scene;
    const io_config *config = scene->config;
    picture->samples.filter =
        config->filter == IO_FILTER_TENT ? RENDER_FILTER_TENT : RENDER_FILTER_BOX;
    picture->samples.are_adaptive = config->samples == IO_SAMPLES_ADAPTIVE;
    picture->samples.count = picture->samples.are_adaptive ? 1 : config->samples;
    status s = composite_executor_create(scene->comm, &picture->executor);
    if (s != STATUS_OK) {
        return s;
    }
    composite_executor_set_threads(picture->executor, scene->threads);
    s = composite_executor_image(picture->executor, config->width, config->height,
                                 config->output.floats != NULL, &picture->img);
    return s == STATUS_OK ? find_rules(picture) : s;
}

status frame_picture_reserve_set(frame_picture *picture)
{
    const frame_scene *scene = picture->scene;
    if (picture->set_img) {
        return STATUS_OK;
    }
    status s = picture->set_executor
                   ? STATUS_OK
                   : composite_executor_create(scene->comm, &picture->set_executor);
    if (s != STATUS_OK) {
        return s;
    }
    composite_executor_set_threads(picture->set_executor, scene->threads);
    return composite_executor_image(picture->set_executor, picture->img->width,
                                    picture->img->height, false, &picture->set_img);
}

void frame_picture_rest(frame_picture *picture)
{
    frame_picture_clear(picture, false);
    frame_samples_clear(&picture->samples);
    composite_executor_rest(picture->executor);
    if (picture->set_img) {
        image_clear(picture->set_img);
        composite_executor_rest(picture->set_executor);
    }
}

void frame_picture_destroy(frame_picture *picture)
{
    composite_executor_destroy(&picture->executor);
    composite_executor_destroy(&picture->set_executor);
    free(picture->rules.rules);
    frame_annotations_destroy(&picture->annotations);
    frame_samples_clear(&picture->samples);
}

void frame_picture_warn(const frame_picture *picture)
{
    const char *tuning = picture->scene->config->composite.tuning;
    if (tuning && picture->rules.count > 0 && picture->composited > 0 &&
        picture->followed == 0) {
        base_log_warning("%s: no picture followed a rule: the rules are for other shares "
                         "of active pixels, or do not suit the nodes",
                         tuning);
    }
}

composite_target frame_picture_target(const frame_picture *picture)
{
    return frame_tuning_target(picture->scene->config, composite_executor_shared_bytes(
                                                           picture->executor) != NULL);
}

bool frame_picture_is_gathered(const frame_picture *picture)
{
    return io_config_wants_floats(picture->scene->config);
}

io_png_format frame_picture_format(const frame_picture *picture)
{
    const io_config *config = picture->scene->config;
    return (io_png_format){.has_alpha = config->is_transparent,
                           .is_deep = config->is_deep};
}

status frame_picture_take_sample(frame_picture *picture, int count,
                                 const io_png_range *ranges)
{
    const io_png_range all = {0, image_pixel_count(picture->img)};
    const bool is_whole = frame_picture_is_gathered(picture);
    const frame_samples_part part = {.img = picture->img,
                                     .count =
                                         is_whole ? picture->scene->rank == 0 : count,
                                     .ranges = is_whole ? &all : ranges};
    return frame_samples_take(&picture->samples, &part);
}

int frame_picture_pixel_bytes(const frame_picture *picture)
{
    return io_png_pixel_bytes(frame_picture_format(picture));
}

composite_request frame_picture_request(const frame_picture *picture, const int *order,
                                        composite_target target)
{
    return (composite_request){
        .algorithm = picture->algorithm,
        .rules = picture->rules.count > 0 ? &picture->rules : NULL,
        .params = picture->params,
        .by_nodes = picture->by_nodes,
        .segment = picture->segment,
        .encoding = picture->encoding,
        .adapts = !frame_samples_are_several(&picture->samples) &&
                  picture->scene->config->partition.balance == IO_BALANCE_COST,
        .order = order,
        .target = target,
        .format = {frame_picture_pixel_bytes(picture), frame_picture_convert, picture},
        .events = picture->events};
}

/* ---- The image --------------------------------------------------------------------- */

void frame_picture_clear(frame_picture *picture, bool keeps_drawn)
{
    pixel_rect *rects = picture->drawn_in;
    if (!pixel_rect_is_empty(rects[0]) || !pixel_rect_is_empty(rects[1])) {
        picture->img->active = rects[1];
        image_clear(picture->img);
        picture->img->active = rects[0];
    }
    if (!keeps_drawn) {
        image_clear(picture->img);
    }
    for (int n = 0; n < 2; n++) {
        rects[n] = (pixel_rect){0, 0, 0, 0};
    }
}

uint8_t *frame_picture_shared_bytes(const frame_picture *picture)
{
    return frame_picture_is_gathered(picture) ||
                   frame_picture_pixel_bytes(picture) > COMPOSITE_MOST_BYTES
               ? NULL
               : composite_executor_shared_bytes(picture->executor);
}

int64_t frame_picture_count_visible(const frame_picture *picture, int64_t many)
{
    const image *img = picture->img;
    int64_t count = 0;
    for (int y = img->active.y0; y < img->active.y1 && count < many; y++) {
        for (int x = img->active.x0; x < img->active.x1; x++) {
            count += img->rgba[4 * image_at(img, x, y) + 3] > 0.0f;
        }
    }
    return count;
}

/* ---- Pixels ------------------------------------------------------------------------ */

status frame_picture_annotate(const frame_picture *picture, const io_step *step)
{
    return picture->annotations
               ? frame_annotations_draw(picture->annotations, step->number, step->time)
               : STATUS_OK;
}

/* Encodes the light of pixels as displayed: opaque ones over the background, or
 * premultiplied ones if the picture keeps its opacity. */
static void encode_light(bool has_alpha, const float background[3], int64_t count,
                         const float *rgba, float *shown)
{
    for (int64_t n = 0; n < 4 * count; n += 4) {
        const float rest = has_alpha ? 0.0f : 1.0f - rgba[n + 3];
        for (int c = 0; c < 3; c++) {
            shown[n + c] = rgba[n + c] + rest * background[c];
        }
        shown[n + 3] = has_alpha ? rgba[n + 3] : 1.0f;
    }
    render_finish_display(count, shown);
}

static void convert_display(const float background[3], io_png_format format,
                            int64_t count, const float *rgba, uint8_t *bytes)
{
    if (format.has_alpha && format.is_deep) {
        render_finish_rgba16(count, rgba, bytes);
    } else if (format.has_alpha) {
        render_finish_rgba8(count, rgba, bytes);
    } else if (format.is_deep) {
        render_finish_rgb16(count, rgba, background, bytes);
    } else {
        render_finish_rgb8(count, rgba, background, bytes);
    }
}

static void convert(const io_config *config, io_png_format format, int64_t count,
                    const float *rgba, uint8_t *bytes)
{
    enum { AT_ONCE = 128 };
    const int64_t size = io_png_pixel_bytes(format);
    if (!config->is_linear) {
        convert_display(config->background, format, count, rgba, bytes);
        return;
    }
    for (int64_t first = 0; first < count; first += AT_ONCE) {
        float shown[4 * AT_ONCE];
        const int64_t some = count - first < AT_ONCE ? count - first : AT_ONCE;
        encode_light(config->is_transparent, config->background, some, rgba + 4 * first,
                     shown);
        convert_display(config->background, format, some, shown, bytes + size * first);
    }
}

void frame_picture_convert(const void *context, int64_t count, const float *rgba,
                           uint8_t *bytes)
{
    const frame_picture *picture = context;
    convert(picture->scene->config, frame_picture_format(picture), count, rgba, bytes);
}

/* annotate_figure.pixels: the image with its background, in 8 bits. */
static void figure_pixels(const void *context, int64_t pix0, int64_t npix, uint8_t *bytes)
{
    const frame_picture *picture = context;
    const io_config *config = picture->scene->config;
    convert(config, (io_png_format){.has_alpha = config->is_transparent}, npix,
            picture->img->rgba + 4 * pix0, bytes);
}

status frame_picture_write_figure(const frame_picture *picture)
{
    const io_config *config = picture->scene->config;
    char *path = io_config_expand(config->output.figure, picture->scene->number);
    if (!path) {
        return base_fail_memory(0, "a path");
    }
    const annotate_figure figure = {.width = config->width,
                                    .height = config->height,
                                    .is_svg = strcasecmp(strrchr(path, '.'), ".svg") == 0,
                                    .dpi = config->dpi,
                                    .has_alpha = config->is_transparent,
                                    .pixels = figure_pixels,
                                    .context = picture};
    const status s = frame_annotations_write(picture->annotations, &figure, path);
    free(path);
    return s;
}

/* Pixels of any rank's image. */
static void finish_pixels(const frame_picture *picture, const image *img, int64_t pix0,
                          int64_t npix, uint8_t *bytes)
{
    frame_picture_convert(picture, npix, img->rgba + 4 * pix0, bytes);
    frame_annotations_blend(picture->annotations, frame_picture_format(picture),
                            (io_png_range){pix0, npix}, bytes);
}

void frame_picture_pixels(const void *context, int64_t pix0, int64_t npix, uint8_t *bytes)
{
    const frame_picture *picture = context;
    finish_pixels(picture, picture->img, pix0, npix, bytes);
}

io_png_range frame_picture_root_band(const frame_picture *picture)
{
    int number, count;
    const image *img = composite_executor_root_image(picture->executor, &number, &count);
    if (!img || (count > 1 && number == 0)) {
        return (io_png_range){0, 0};
    }
    return count > 1 ? io_png_strip_band(img->width, img->height, number - 1, count - 1)
                     : (io_png_range){0, image_pixel_count(img)};
}

void frame_picture_root_pixels(const void *context, int64_t pix0, int64_t npix,
                               uint8_t *bytes)
{
    const frame_picture *picture = context;
    int number, count;
    const image *img = composite_executor_root_image(picture->executor, &number, &count);
    atomic_thread_fence(memory_order_acquire); /* sees what rank 0 has blended */
    finish_pixels(picture, img, pix0, npix, bytes);
}

#include "pieces.h"

#include "app/frame/job.h"
#include "io/config/config.h"
#include "io/json/base64.h"
#include "io/picture/png_alpha.h"
#include "render/view/finish.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- One image --------------------------------------------------------------------- */

/* A PNG file as text for a page; NULL: there is no memory. */
static json_t *encode(const uint8_t *bytes, size_t size)
{
    static const char head[] = "data:image/png;base64,";
    char *text = malloc(sizeof head + IO_BASE64_LENGTH(size));
    json_t *value = NULL;
    if (text) {
        memcpy(text, head, sizeof head);
        io_base64_encode(bytes, size, text + sizeof head - 1);
        value = json_string(text);
    }
    free(text);
    return value;
}

/* The pixels of an image, which may have only some of them in memory, as bytes
 * [height][width][4]. NULL: there is no memory. */
static uint8_t *convert(const image *img)
{
    const bool is_whole = pixel_rect_is_empty(img->kept);
    const pixel_rect kept =
        is_whole ? (pixel_rect){0, 0, img->width, img->height} : img->kept;
    uint8_t *rgba = calloc((size_t)image_pixel_count(img), 4);
    for (int y = kept.y0; y < kept.y1 && rgba; y++) {
        const int64_t at = (int64_t)y * img->width + kept.x0;
        render_finish_rgba8(kept.x1 - kept.x0, &img->rgba[4 * image_at(img, kept.x0, y)],
                            &rgba[4 * at]);
    }
    return rgba;
}

/* app_take_part: appends the image to the list that is the context. */
static status take(const image *img, int position, void *context)
{
    (void)position;
    uint8_t *rgba = convert(img), *file = NULL;
    size_t size = 0;
    status s = rgba ? io_png_encode_alpha(img->width, img->height, rgba, &file, &size)
                    : base_fail_memory((size_t)image_pixel_count(img), "a picture");
    free(rgba);
    if (s == STATUS_OK && json_array_append_new(context, encode(file, size))) {
        s = base_fail_memory(size, "a picture");
    }
    free(file);
    return s;
}

/* ---- The job ----------------------------------------------------------------------- */

enum { OVERRIDES = 5, MOST_OVERRIDE = 320 };

/* The height of a small picture with the shape of the config's. */
static status find_height(const char *path, int *height)
{
    io_config *config = NULL;
    const status s = app_config_load(MPI_COMM_SELF, path, 0, NULL, &config);
    if (s == STATUS_OK) {
        const double shape = (double)config->height / config->width;
        *height = (int)fmin(fmax(1, round(PIECES_WIDTH * shape)), 4.0 * PIECES_WIDTH);
        io_config_destroy(&config);
    }
    return s;
}

/* Makes a job for a small picture of the last step, which writes no file. */
static status create_job(const char *config, int height, app_job **job)
{
    const char *place = getenv("TMPDIR");
    char texts[OVERRIDES][MOST_OVERRIDE];
    const char *overrides[OVERRIDES];
    snprintf(texts[0], MOST_OVERRIDE, "data.steps=last");
    snprintf(texts[1], MOST_OVERRIDE, "image.width=%d", PIECES_WIDTH);
    snprintf(texts[2], MOST_OVERRIDE, "image.height=%d", height);
    snprintf(texts[3], MOST_OVERRIDE, "output={}");
    snprintf(texts[4], MOST_OVERRIDE, "output.frames='%s/karman-piece-%%06d.png'",
             place ? place : "/tmp");
    for (int n = 0; n < OVERRIDES; n++) {
        overrides[n] = texts[n];
    }
    const app_job_options options = {.noverrides = OVERRIDES, .overrides = overrides};
    return app_job_create(MPI_COMM_SELF, config, &options, job);
}

static json_t *describe(const io_config *config, json_t *images)
{
    const float clear[4] = {0};
    uint8_t rgb[3];
    char color[16];
    render_finish_rgb8(1, clear, config->background, rgb);
    snprintf(color, sizeof color, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
    return json_pack("{s:i, s:i, s:s, s:O}", "width", config->width, "height",
                     config->height, "background", color, "images", images);
}

status pieces_draw(const char *config, int parts, json_t **out)
{
    app_job *job = NULL;
    int height = 0;
    status s = find_height(config, &height);
    s = s == STATUS_OK ? create_job(config, height, &job) : s;
    if (s != STATUS_OK) {
        return s;
    }
    json_t *images = json_array();
    s = images ? app_job_draw_parts(job, parts, take, images)
               : base_fail_memory(4096, "pictures");
    json_t *object = s == STATUS_OK ? describe(app_job_config(job), images) : NULL;
    json_decref(images);
    app_job_destroy(&job);
    if (s == STATUS_OK && !object) {
        return base_fail_memory(4096, "pictures");
    }
    *out = object;
    return s;
}

#include "images.h"

#include "frame/job.h"
#include "frame/recording/small.h"
#include "io/config/config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- One image --------------------------------------------------------------------- */

/* The images so far. */
typedef struct pieces {
    json_t *images;
    bool are_light;
} pieces;

/* frame_take_part: appends the image to the list of the context. */
static status take(const image *img, int position, void *context)
{
    (void)position;
    const pieces *all = context;
    frame_small small = {0};
    status s = frame_small_make(img, img->width, all->are_light, &small);
    char *text = s == STATUS_OK ? frame_small_encode(&small) : NULL;
    if (s == STATUS_OK &&
        (!text || json_array_append_new(all->images, json_string(text)))) {
        s = base_fail_memory((size_t)image_pixel_count(img), "a picture");
    }
    free(text);
    frame_small_clear(&small);
    return s;
}

/* ---- The job ----------------------------------------------------------------------- */

enum { OVERRIDES = 5, MOST_OVERRIDE = 320 };

/* The height of a small picture with the shape of the config's. */
static status find_height(const char *path, int *height)
{
    io_config *config = NULL;
    const status s = frame_config_load(MPI_COMM_SELF, path, 0, NULL, &config);
    if (s == STATUS_OK) {
        const double shape = (double)config->height / config->width;
        *height = (int)fmin(fmax(1, round(PIECES_WIDTH * shape)), 4.0 * PIECES_WIDTH);
        io_config_destroy(&config);
    }
    return s;
}

/* Makes a job for a small picture of the last step, which writes no file. */
static status create_job(const char *config, int height, frame_job **job)
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
    const frame_job_options options = {.noverrides = OVERRIDES, .overrides = overrides};
    return frame_job_create(MPI_COMM_SELF, config, &options, job);
}

static json_t *describe(const io_config *config, json_t *images)
{
    float background[3];
    io_config_background(config, background);
    return frame_small_describe(config->width, config->height, background, images);
}

status pieces_draw(const char *config, int parts, json_t **out)
{
    frame_job *job = NULL;
    int height = 0;
    status s = find_height(config, &height);
    s = s == STATUS_OK ? create_job(config, height, &job) : s;
    if (s != STATUS_OK) {
        return s;
    }
    json_t *images = json_array();
    pieces all = {images, frame_job_config(job)->is_linear};
    s = images ? frame_job_draw_parts(job, parts, take, &all)
               : base_fail_memory(4096, "pictures");
    json_t *object = s == STATUS_OK ? describe(frame_job_config(job), images) : NULL;
    json_decref(images);
    frame_job_destroy(&job);
    if (s == STATUS_OK && !object) {
        return base_fail_memory(4096, "pictures");
    }
    *out = object;
    return s;
}

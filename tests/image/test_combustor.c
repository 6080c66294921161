/* The fast renderer on real data: configs/combustor.yaml compared with trusted pixels,
 * integrated through trilinear cells. */
#include "io/config/config.h"
#include "reference/difference.h"
#include "reference/trusted.h"
#include "test_reference_fast.h"
#include "tests/support/read_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { EXIT_SKIPPED = 77, OVERRIDE_SIZE = 4096 };

/* A way to draw, and its tolerance. */
typedef struct draw_way {
    const char *name;
    render_style style;
    difference limits;
} draw_way;

static const draw_way ways[] = {
    {"linear", {.trilinear = false}, {.mean = 0.25, .percentile99 = 1.5, .worst = 3.2}},
    {"quadratic", {.quadratic = true}, {.mean = 0.12, .percentile99 = 0.6, .worst = 1.5}},
    {"trilinear", {.trilinear = true}, {.mean = 0.03, .percentile99 = 0.2, .worst = 0.5}},
};

static reference_camera camera_of(const io_config *config)
{
    const io_camera_config *c = &config->camera;
    return (reference_camera){.position = c->position,
                              .look_at = c->look_at,
                              .up = c->up,
                              .orthographic = c->orthographic,
                              .fov = c->fov,
                              .height = c->height,
                              .columns = config->width,
                              .rows = config->height};
}

/* The config for a picture of size x size pixels of the data in `file`. */
static status config_of_data(const char *path, const char *file, int size,
                             io_config **out)
{
    char data[OVERRIDE_SIZE], width[32], height[32];
    if (snprintf(data, sizeof data, "data.file=%s", file) >= (int)sizeof data) {
        base_fail(STATUS_INPUT, "%s: the path is too long", file);
        return STATUS_INPUT;
    }
    snprintf(width, sizeof width, "image.width=%d", size);
    snprintf(height, sizeof height, "image.height=%d", size);
    const char *const overrides[] = {data, width, height};
    return read_config(path, 3, overrides, out);
}

/* Differences of rgb over the background ([count][3]). */
static void subtract(const trusted_set *set, const image *img, const float background[3],
                     double *differences)
{
    for (int p = 0; p < set->count; p++) {
        const trusted_pixel *pixel = &set->pixels[p];
        const float *rgba =
            img->rgba + 4 * ((int64_t)pixel->row * img->width + pixel->column);
        for (int channel = 0; channel < 3; channel++) {
            double rgb = rgba[channel] + (1.0 - rgba[3]) * background[channel];
            differences[3 * p + channel] = rgb - pixel->rgb[channel];
        }
    }
}

static bool judge(const draw_way *way, const trusted_set *set, const image *img,
                  const float background[3], const render_counters *counters)
{
    const difference *limits = &way->limits;
    double *differences = calloc((size_t)set->count * 3 + 1, sizeof *differences);
    if (!differences) {
        return false;
    }
    subtract(set, img, background, differences);
    difference d = difference_summarize((int64_t)set->count * 3, differences);
    free(differences);
    bool good =
        set->count > 0 && difference_is_within(&d, limits) && counters->lost_rays == 0;
    printf("%-6s %-9s %4d pixels of %4d x %-4d mean %.4f (<= %g) p99 %.4f (<= %g) worst "
           "%.4f "
           "(<= %g) of 255, %lld lost rays (0)\n",
           good ? "ok" : "FAILED", way->name, set->count, set->size, set->size, d.mean,
           limits->mean, d.percentile99, limits->percentile99, d.worst, limits->worst,
           (long long)counters->lost_rays);
    return good;
}

static status draw(const io_config *config, const render_style *style, image **out,
                   render_counters *counters)
{
    fast_volume volume = {0};
    reference_camera camera = camera_of(config);
    reference_transfer transfer = fast_transfer_of(config->volume);
    status s = fast_volume_open(&config->data, config->volume->field, 0, &volume);
    volume.style = *style;
    s = s == STATUS_OK ? fast_volume_render(&volume, &transfer, &camera, out, counters)
                       : s;
    fast_volume_clear(&volume);
    return s;
}

static bool check_set(const draw_way *way, const char *config_path, const char *file,
                      const trusted_set *set)
{
    io_config *config = NULL;
    image *img = NULL;
    render_counters counters;
    status s = config_of_data(config_path, file, set->size, &config);
    s = s == STATUS_OK ? draw(config, &way->style, &img, &counters) : s;
    if (s != STATUS_OK) {
        fprintf(stderr, "%s\n", base_fail_message());
    }
    bool good = s == STATUS_OK && judge(way, set, img, config->background, &counters);
    image_destroy(&img);
    io_config_destroy(&config);
    return good;
}

/* Checks the sets of pictures of up to `largest` columns. */
static int check_all(const char *config_path, const char *view_path, const char *file,
                     int largest)
{
    trusted_view view = {0};
    if (trusted_view_read(view_path, &view) != STATUS_OK) {
        fprintf(stderr, "%s\n", base_fail_message());
        return EXIT_FAILURE;
    }
    int checked = 0, failed = 0;
    for (int n = 0; n < view.nsets; n++) {
        for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
            if (view.sets[n].size <= largest) {
                checked++;
                failed += !check_set(&ways[w], config_path, file, &view.sets[n]);
            }
        }
    }
    trusted_view_clear(&view);
    return checked > 0 && failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: %s CONFIG.yaml VIEW.json DATA.h5 LARGEST\n", argv[0]);
        return EXIT_FAILURE;
    }
    if (access(argv[2], R_OK) != 0 || access(argv[3], R_OK) != 0) {
        printf("skipped: %s and %s are not both here\n", argv[2], argv[3]);
        return EXIT_SKIPPED;
    }
    MPI_Init(NULL, NULL);
    int code = check_all(argv[1], argv[2], argv[3], (int)strtol(argv[4], NULL, 10));
    MPI_Finalize();
    return code;
}

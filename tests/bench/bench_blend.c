/*
 * How fast pixels are merged, encoded and turned into bytes, beside a plain copy.
 *
 *     bench_blend [--kernel NAME] [--threads N] [--size KIB] [--repeat N]
 *
 * What is not asked for is all tried. A buffer holds the colours of one image; every
 * thread has its own ones. Rates count bytes read and written, so that memcpy of the same
 * buffers shows what the machine gives. In each repetition all cases have their turn, so
 * that a machine that slows down for a while slows all of them down; shown are medians,
 * of the rate, and of its ratio to that of memcpy in the same repetition.
 */
#include "base/array.h"
#include "base/image.h"
#include "base/system.h"
#include "composite/pixels/blend_kernels.h"
#include "composite/pixels/encode.h"
#include "render/view/finish.h"

#include <argp.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_REPEATS = 101,
    MOST_THREADS = 64,
    MOST_ROWS = 64,
    PIXEL_BYTES = 16,
    PART_PIXELS = 1 << 14 /* what is encoded at a time */
};

typedef struct options {
    const char *kernel;
    int threads, kib, repeats;
} options;

/* The images of one thread. Depths are beside colours. */
typedef struct buffers {
    int64_t pixels;
    float *rgba[3], *depth[3];
    float *payload; /* of a part */
} buffers;

/* Something to measure: it moves so many bytes per pixel. */
typedef struct bench_case {
    const char *name;
    int bytes_per_pixel;
    bool of_kernel; /* measured for every kernel */
    void (*run)(const blend_kernel *kernel, const buffers *at);
} bench_case;

/* One line of the output. */
typedef struct row {
    const bench_case *what;
    const blend_kernel *kernel;
    double rate[MOST_REPEATS], ratio[MOST_REPEATS]; /* bytes per second; to memcpy's */
} row;

/* ---- Cases ------------------------------------------------------------------------- */

static void run_copy(const blend_kernel *kernel, const buffers *at)
{
    (void)kernel;
    memcpy(at->rgba[2], at->rgba[0], (size_t)at->pixels * PIXEL_BYTES);
}

static void run_front(const blend_kernel *kernel, const buffers *at)
{
    kernel->over(at->pixels, at->rgba[0], at->rgba[1], at->rgba[1]);
}

static void run_back(const blend_kernel *kernel, const buffers *at)
{
    kernel->over(at->pixels, at->rgba[1], at->rgba[0], at->rgba[1]);
}

static void run_into(const blend_kernel *kernel, const buffers *at)
{
    kernel->over(at->pixels, at->rgba[0], at->rgba[1], at->rgba[2]);
}

static void run_depth(const blend_kernel *kernel, const buffers *at)
{
    kernel->depth(at->pixels, at->depth[0], at->depth[1], at->depth[1]);
}

static void run_nearest(const blend_kernel *kernel, const buffers *at)
{
    const blend_source front = {at->rgba[0], at->depth[0]};
    const blend_source back = {at->rgba[1], at->depth[1]};
    kernel->nearest(at->pixels, front, back, at->rgba[1], at->depth[1]);
}

/* An image without transparent pixels. */
static image as_image(const buffers *at, float *rgba)
{
    const int width = 1024;
    const int height = (int)(at->pixels / width);
    return (image){
        .width = width, .height = height, .active = {0, 0, width, height}, .rgba = rgba};
}

static void run_raw(const blend_kernel *kernel, const buffers *at)
{
    (void)kernel;
    for (int64_t i = 0; i < at->pixels; i += PART_PIXELS) {
        memcpy(at->payload, at->rgba[0] + 4 * i, PART_PIXELS * PIXEL_BYTES);
    }
}

static void run_encode(const blend_kernel *kernel, const buffers *at)
{
    (void)kernel;
    const image img = as_image(at, at->rgba[0]);
    int64_t bytes;
    for (int64_t i = 0; i < at->pixels; i += PART_PIXELS) {
        if (!composite_encode(&img, i, PART_PIXELS, at->payload, &bytes)) {
            memcpy(at->payload, at->rgba[0] + 4 * i, PART_PIXELS * PIXEL_BYTES);
        }
    }
}

static void run_finish(const blend_kernel *kernel, const buffers *at)
{
    (void)kernel;
    render_finish_rgb8(at->pixels, at->rgba[0], (const float[3]){1.0f, 0.5f, 0.0f},
                       (uint8_t *)at->rgba[2]);
}

static void run_finish_rgba(const blend_kernel *kernel, const buffers *at)
{
    (void)kernel;
    render_finish_rgba8(at->pixels, at->rgba[0], (uint8_t *)at->rgba[2]);
}

/* The first one is what the others are compared with. */
static const bench_case cases[] = {
    {"memcpy", 32, false, run_copy},
    {"over, into the back one", 48, true, run_front},
    {"over, into the front one", 48, true, run_back},
    {"over, into a third", 48, true, run_into},
    {"smaller depth", 12, true, run_depth},
    {"nearest", 60, true, run_nearest},
    {"dense parts, copied", 32, false, run_raw},
    {"dense parts, encoded", 32, false, run_encode},
    {"to bytes, on a colour", 19, false, run_finish},
    {"to bytes, with alpha", 20, false, run_finish_rgba},
};

/* ---- Measuring --------------------------------------------------------------------- */

static void *allocate(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!memory) {
        fprintf(stderr, "bench_blend: no memory for %zu bytes\n", bytes);
        exit(EXIT_FAILURE);
    }
    return memory;
}

/* By the thread that will use them, so that memory lies near it. Alpha is at least a
 * quarter: what is blended again and again must not fade into denormal numbers. */
static buffers make_buffers(int64_t pixels)
{
    buffers at = {.pixels = pixels, .payload = allocate(PART_PIXELS * PIXEL_BYTES)};
    for (int b = 0; b < 3; b++) {
        at.rgba[b] = allocate((size_t)pixels * PIXEL_BYTES);
        at.depth[b] = allocate((size_t)pixels * sizeof(float));
        for (int64_t i = 0; i < 4 * pixels; i++) {
            at.rgba[b][i] = 0.25f + (float)((i * 37 + b * 11) % 64) / 256.0f;
        }
        for (int64_t i = 0; i < pixels; i++) {
            at.depth[b][i] = (float)((i * 29 + b * 17) % 101);
        }
    }
    return at;
}

static void free_buffers(buffers *at)
{
    for (int b = 0; b < 3; b++) {
        free(at->rgba[b]);
        free(at->depth[b]);
    }
    free(at->payload);
}

/* Bytes per second of all threads together. */
static double measure(const row *r, int threads, const buffers *all)
{
    /* About a fifth of a gigabyte for each sample: some milliseconds at least. */
    const int64_t bytes = all[0].pixels * r->what->bytes_per_pixel;
    const int64_t times = 1 + ((int64_t)1 << 27) / bytes;
    double seconds = 0.0;
#pragma omp parallel num_threads(threads)
    {
        const buffers *at = &all[omp_get_thread_num()];
#pragma omp barrier
        const double start = base_clock();
        for (int64_t i = 0; i < times; i++) {
            r->what->run(r->kernel, at);
        }
#pragma omp barrier
#pragma omp master
        seconds = base_clock() - start;
    }
    return (double)(bytes * times * threads) / seconds;
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, base_array_compare_doubles);
    return values[count / 2];
}

/* ---- What to measure --------------------------------------------------------------- */

static int list_rows(const options *o, row *rows)
{
    int count = 0;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const blend_kernel *const *kernels = composite_blend_kernels();
        for (int k = 0; kernels[k] && count < MOST_ROWS; k++) {
            const bool first = k == 0 && !cases[c].of_kernel;
            const bool wanted = !o->kernel || strcmp(o->kernel, kernels[k]->name) == 0;
            if (first || (cases[c].of_kernel && wanted)) {
                rows[count].what = &cases[c];
                rows[count++].kernel = kernels[k];
            }
        }
    }
    return count;
}

static void print_rows(int count, row *rows, int repeats, int kib, int threads)
{
    for (int n = 0; n < count; n++) {
        const double rate = median(rows[n].rate, repeats);
        printf("%7d %7d  %-25s %-7s %8.2f %8.1f %8.2f\n", kib, threads,
               rows[n].what->name, rows[n].what->of_kernel ? rows[n].kernel->name : "",
               rate / rows[n].what->bytes_per_pixel * 1e-9, rate * 1e-9,
               median(rows[n].ratio, repeats));
    }
    fflush(stdout);
}

static void run_size(const options *o, int kib, int threads)
{
    static row rows[MOST_ROWS];
    buffers all[MOST_THREADS];
    const int count = list_rows(o, rows);
#pragma omp parallel num_threads(threads)
    all[omp_get_thread_num()] = make_buffers((int64_t)kib * 1024 / PIXEL_BYTES);
    for (int repeat = 0; repeat < o->repeats; repeat++) {
        for (int n = 0; n < count; n++) {
            rows[n].rate[repeat] = measure(&rows[n], threads, all);
            rows[n].ratio[repeat] = rows[n].rate[repeat] / rows[0].rate[repeat];
        }
    }
    print_rows(count, rows, o->repeats, kib, threads);
    for (int t = 0; t < threads; t++) {
        free_buffers(&all[t]);
    }
}

/* ---- The command line -------------------------------------------------------------- */

static int parse_count(struct argp_state *state, const char *what, const char *text,
                       int least, int most)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (*end || value < least || value > most) {
        argp_error(state, "%s is %s: it must be a number from %d to %d", what, text,
                   least, most);
    }
    return (int)value;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case 'k':
        o->kernel = text;
        return 0;
    case 'j':
        o->threads = parse_count(state, "--threads", text, 1, MOST_THREADS);
        return 0;
    case 's':
        o->kib = parse_count(state, "--size", text, 256, 1 << 22) / 256 * 256;
        return 0;
    case 'n':
        o->repeats = parse_count(state, "--repeat", text, 1, MOST_REPEATS);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv)
{
    static const struct argp_option list[] = {
        {"kernel", 'k', "NAME", 0, "plain, four, avx2 or avx512", 0},
        {"threads", 'j', "N", 0, "threads at once (1, then 2)", 0},
        {"size", 's', "KIB", 0, "of a buffer, in whole parts of 256 KiB", 0},
        {"repeat", 'n', "N", 0, "samples of each case (15)", 0},
        {0}};
    static const struct argp parser = {
        .options = list,
        .parser = parse_option,
        .doc = "Measures how fast pixels are merged, encoded and turned into bytes."};
    static const int sizes[] = {256, 16384, 262144};
    options o = {.repeats = 15};
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    printf("    KiB threads  case                      kernel   Gpixel/s     GB/s   "
           "of memcpy\n");
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        for (int threads = 1; threads <= 2; threads++) {
            const bool this_size = !o.kib || s == 0, these = !o.threads || threads == 1;
            if (this_size && these) {
                run_size(&o, o.kib ? o.kib : sizes[s], o.threads ? o.threads : threads);
            }
        }
    }
    return EXIT_SUCCESS;
}

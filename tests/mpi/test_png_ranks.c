/*
 * A picture distributed over many ranks becomes a PNG file with the same bytes as from
 * one thread of one rank, and libpng reads the same pixels from it. This holds for any
 * distribution of pixels and for any number of ranks and threads. Leaves pictures in
 * FOLDER, for pngcheck.
 *
 *   test_png_ranks FOLDER
 */
#include "base/parallel/parallel.h"
#include "io/picture/png.h"
#include "support/random.h"

#include <inttypes.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
static int rank, ranks;
static const char *folder;

/* The current test, for messages. */
static char doing[256];

static void expect(bool good, const char *what)
{
    if (!good) {
        printf("rank %d of %d, %s: expected that %s\n", rank, ranks, doing, what);
        failures++;
    }
}

static const io_png_text texts[] = {{IO_PNG_CONFIG_KEYWORD, "{}"}};

/* ---- Pictures ---------------------------------------------------------------------- */

/* Every byte of a picture, known on all ranks: smooth waves above, a flat part in the
 * middle, noise below, so that all filters are chosen. */
static uint8_t value_at(int width, int64_t pixel, int channel)
{
    const uint32_t x = (uint32_t)(pixel % width), y = (uint32_t)(pixel / width);
    const uint32_t c = (uint32_t)channel;
    if (y % 64 < 30) {
        return (uint8_t)((x * x / 300 + y * y / 200 + x * y / 500 + 40 * c) & 0xff);
    }
    if (y % 64 < 45) {
        return (uint8_t)(20 * c);
    }
    uint32_t noise = (x * 2654435761u) ^ (y * 2246822519u) ^ (c * 3266489917u);
    noise = (noise ^ noise >> 15) * 2654435761u;
    return (uint8_t)(noise >> 24);
}

/* The format of the pictures. */
static io_png_format format;

/* io_png_pixels; context: the picture's width. */
static void make_pixels(const void *context, int64_t pix0, int64_t npix, uint8_t *bytes)
{
    const int width = *(const int *)context, size = io_png_pixel_bytes(format);
    for (int64_t p = 0; p < npix; p++) {
        for (int c = 0; c < size; c++) {
            bytes[size * p + c] = value_at(width, pix0 + p, c);
        }
    }
}

/* ---- Owners of pixels
 * --------------------------------------------------------------- */

enum { MOST_RANGES = 4096 };

/* The owner of range n of `count`; ranges are assigned in order. */
typedef int dealing(int n, int count);

static int deal_in_order(int n, int count)
{
    return (int)((int64_t)n * ranks / count);
}

static int deal_to_first(int n, int count)
{
    (void)n;
    (void)count;
    return 0;
}

static int deal_to_last(int n, int count)
{
    (void)n;
    (void)count;
    return ranks - 1;
}

static int deal_in_turns(int n, int count)
{
    (void)count;
    return (7 * n + 3) % ranks;
}

/* This rank's ranges of `pixels` pixels cut into `count` ranges. Some ranges may be empty
 * and are left out. The cuts are random, the same on all ranks. */
static int deal(int64_t pixels, int count, dealing *owner, io_png_range *mine)
{
    int own = 0;
    int64_t begin = 0;
    uint64_t random = random_start((uint64_t)count, 0);
    for (int n = 0; n < count; n++) {
        const int64_t even = pixels * (n + 1) / count;
        const int64_t shift = (int64_t)random_word(&random) % (pixels / count + 1) / 2;
        const int64_t end = n == count - 1 || even - shift < begin ? even : even - shift;
        if (end > begin && owner(n, count) == rank) {
            mine[own++] = (io_png_range){begin, end - begin};
        }
        begin = end;
    }
    return own;
}

/* ---- Files ------------------------------------------------------------------------- */

static char *path_of(const char *name)
{
    static char path[2][1024];
    static int next;
    next = 1 - next;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static unsigned char *read_file(const char *path, long *size)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0 && (*size = ftell(file)) > 0) {
        bytes = malloc((size_t)*size);
        rewind(file);
        if (bytes && fread(bytes, 1, (size_t)*size, file) != (size_t)*size) {
            free(bytes);
            bytes = NULL;
        }
    }
    if (file) {
        fclose(file);
    }
    return bytes;
}

static bool is_same_file(const char *a, const char *b)
{
    long size_a = 0, size_b = 0;
    unsigned char *first = read_file(a, &size_a), *second = read_file(b, &size_b);
    const bool same =
        first && second && size_a == size_b && memcmp(first, second, (size_t)size_a) == 0;
    free(first);
    free(second);
    return same;
}

/* Compares with the pixels that libpng reads. */
static void expect_pixels(const char *path, int width, int height)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    const bool begun = png_image_begin_read_from_file(&png, path);
    png.format = PNG_FORMAT_RGB;
    uint8_t *back = malloc((size_t)width * (size_t)height * 3);
    const bool read = begun && back && png.width == (png_uint_32)width &&
                      png.height == (png_uint_32)height &&
                      png_image_finish_read(&png, NULL, back, 0, NULL);
    expect(read, "libpng reads the file");
    const int64_t bytes = (int64_t)width * height * 3;
    int64_t wrong = 0;
    for (int64_t b = 0; read && b < bytes; b++) {
        wrong += back[b] != value_at(width, b / 3, (int)(b % 3));
    }
    expect(wrong == 0, "all pixels come back as they were");
    png_image_free(&png);
    free(back);
}

/* On rank 0: the file written by one thread, all at once from memory. */
static void write_alone(const char *path, int width, int height)
{
    const int64_t pixels = (int64_t)width * height;
    uint8_t *rgb = malloc((size_t)(pixels * io_png_pixel_bytes(format)));
    expect(rgb != NULL, "there is memory");
    make_pixels(&width, 0, pixels, rgb);
    expect(io_png_write(&(io_png_file){.path = path,
                                       .width = width,
                                       .height = height,
                                       .ntexts = 1,
                                       .texts = texts,
                                       .format = format},
                        rgb) == STATUS_OK,
           "one rank writes a picture");
    free(rgb);
}

/* ---- The tests --------------------------------------------------------------------- */

/* failed, between: the status of this rank's work before and between the calls. */
static status make_strips(const io_png_share *share, status failed, status between,
                          int threads, io_png_strips *strips)
{
    io_png_maker *maker = NULL;
    *strips = (io_png_strips){0};
    status s = io_png_strips_begin(MPI_COMM_WORLD, failed, share, threads, &maker);
    expect((s == STATUS_OK) == (maker != NULL), "a maker, or a failure");
    return maker ? io_png_strips_finish(&maker, between, strips) : s;
}

static status compress(int width, int height, int count, const io_png_range *mine,
                       int threads, io_png_strips *strips)
{
    const io_png_share share = {width, height, count, mine, make_pixels, &width, format};
    status s = make_strips(&share, STATUS_OK, STATUS_OK, threads, strips);
    return s == STATUS_OK ? io_png_strips_collect(MPI_COMM_WORLD, strips) : s;
}

static void check_dealing(int width, int height, int cuts, dealing *owner, int threads)
{
    static io_png_range mine[MOST_RANGES];
    snprintf(doing, sizeof doing, "%d x %d pixels in %d ranges, %d threads", width,
             height, cuts, threads);
    const int count = deal((int64_t)width * height, cuts, owner, mine);
    io_png_strips strips;
    expect(compress(width, height, count, mine, threads, &strips) == STATUS_OK,
           "it is compressed");
    if (rank == 0) {
        char *path = path_of("together.png");
        expect(io_png_write_strips(&(io_png_file){.path = path,
                                                  .width = width,
                                                  .height = height,
                                                  .ntexts = 1,
                                                  .texts = texts,
                                                  .format = format},
                                   &strips) == STATUS_OK,
               "it is written");
        expect(is_same_file(path, path_of("alone.png")),
               "the file has the bytes that one rank writes");
    } else {
        expect(strips.count == 0 && !strips.data, "only rank 0 has strips in the end");
    }
    io_png_strips_clear(&strips);
}

static void check_size(int width, int height)
{
    static dealing *const owners[] = {deal_in_order, deal_to_first, deal_to_last,
                                      deal_in_turns};
    char name[64];
    if (rank == 0) {
        snprintf(doing, sizeof doing, "%d x %d pixels", width, height);
        write_alone(path_of("alone.png"), width, height);
        if (io_png_pixel_bytes(format) == 3) {
            expect_pixels(path_of("alone.png"), width, height);
        }
    }
    for (int o = 0; o < 4; o++) {
        check_dealing(width, height, ranks, owners[o], 1);
        check_dealing(width, height, 3 * ranks + 1, owners[o], 3);
        check_dealing(width, height, 997, owners[o], 2);
    }
    if (rank == 0) {
        snprintf(name, sizeof name, "%dx%d.png", width, height);
        expect(rename(path_of("together.png"), path_of(name)) == 0, "it can be renamed");
        expect(remove(path_of("alone.png")) == 0, "it can be removed");
    }
}

/* All ranks return this status, with the same message. */
static void expect_failure(status s, status expected, const char *fragment)
{
    expect(s == expected, "the status is the same on all ranks");
    expect(strstr(base_fail_message(), fragment) != NULL, fragment);
    base_fail_set_message("");
}

static void check_failures(void)
{
    enum { WIDTH = 20, HEIGHT = 10 };
    const int width = WIDTH;
    const int64_t pixels = WIDTH * HEIGHT;
    io_png_range mine;
    io_png_strips strips;
    const int count = deal(pixels, ranks, deal_in_order, &mine);
    io_png_share share = {WIDTH, HEIGHT, count, &mine, make_pixels, &width, format};
    snprintf(doing, sizeof doing, "a rank that failed before");
    const bool fails = rank == ranks / 2;
    status s = fails ? base_fail(STATUS_MEMORY, "no memory for a test") : STATUS_OK;
    s = make_strips(&share, s, STATUS_OK, 1, &strips);
    expect_failure(s, STATUS_MEMORY, "no memory for a test");
    expect(strips.count == 0 && !strips.data, "nothing comes out");
    snprintf(doing, sizeof doing, "a rank that fails before it deflates");
    s = fails ? base_fail(STATUS_MEMORY, "no memory for a test") : STATUS_OK;
    s = make_strips(&share, STATUS_OK, s, 1, &strips);
    expect_failure(s, STATUS_MEMORY, "no memory for a test");
    expect(strips.count == 0 && !strips.data, "nothing comes out");
    snprintf(doing, sizeof doing, "a gap");
    mine.npix -= rank == ranks - 1;
    s = make_strips(&share, STATUS_OK, STATUS_OK, 1, &strips);
    expect_failure(s, STATUS_INTERNAL, "not lie each on one rank, from pixel 199");
    snprintf(doing, sizeof doing, "an overlap");
    mine = (io_png_range){0, rank == 0 ? pixels : 1};
    share.count = rank == 0 || rank == ranks - 1;
    s = make_strips(&share, STATUS_OK, STATUS_OK, 1, &strips);
    if (ranks > 1) {
        expect_failure(s, STATUS_INTERNAL, "not lie each on one rank");
    }
    io_png_strips_clear(&strips);
}

int main(int argc, char **argv)
{
    /* Odd sizes; fewer pixels than ranks; strips of one row; strips whose rows lie on one
     * rank. */
    static const int sizes[][2] = {{1, 1},   {1, 61},     {61, 1},    {2, 2},
                                   {37, 23}, {1024, 768}, {50000, 5}, {3, 40000}};
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    rank = parallel_rank(MPI_COMM_WORLD);
    ranks = parallel_size(MPI_COMM_WORLD);
    folder = argc > 1 ? argv[1] : ".";
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        check_size(sizes[n][0], sizes[n][1]);
    }
    for (int n = 1; n < 4; n++) {
        format = (io_png_format){.has_alpha = n % 2 == 1, .is_deep = n > 1};
        check_size(301, 200 + n);
    }
    format = (io_png_format){0};
    check_failures();
    int all_failures = 0;
    parallel_allreduce(&failures, &all_failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all_failures > 0;
}

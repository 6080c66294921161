#define _XOPEN_SOURCE 700 /* nftw */
#include "picture.h"

#include "base/parallel/parallel.h"
#include "base/system.h"
#include "library/karman.h"

#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096, SIDE = 17, CHANNELS = 4 };

/* A slab of a quarter of a tube: the planes of vertices of one rank. */
typedef struct slab {
    int planes, first, count; /* of the whole block; of the rank */
    double *values[4];        /* [count][SIDE][SIDE]: x, y, z, heat */
} slab;

static status make_slab(MPI_Comm comm, int planes, slab *out)
{
    const int rank = parallel_rank(comm), ranks = parallel_size(comm);
    const int first = planes * rank / ranks;
    *out = (slab){planes, first, planes * (rank + 1) / ranks - first, {NULL}};
    for (int n = 0; n < 4; n++) {
        out->values[n] = malloc((size_t)(out->count * SIDE * SIDE) * sizeof(double));
        if (!out->values[n]) {
            return base_fail_memory((size_t)(out->count * SIDE * SIDE) * sizeof(double),
                                    "the grid");
        }
    }
    for (int v = 0; v < out->count * SIDE * SIDE; v++) {
        const double radius = 1.0 + (double)(v % SIDE) / (SIDE - 1);
        const double angle = 1.5 * (v / SIDE % SIDE) / (SIDE - 1);
        const int plane = first + v / (SIDE * SIDE);
        const double z = 2.0 * plane / (planes - 1);
        out->values[0][v] = radius * cos(angle);
        out->values[1][v] = radius * sin(angle);
        out->values[2][v] = z;
        out->values[3][v] = sin(4.0 * radius) * cos(3.0 * z);
    }
    return STATUS_OK;
}

static int draw_slab(karman_session *session, const slab *part)
{
    karman_array values[4];
    for (int n = 0; n < 4; n++) {
        values[n] = (karman_array){.data = part->values[n], .type = KARMAN_FLOAT64};
    }
    const karman_block block = {.name = "tube",
                                .size = {SIDE, SIDE, part->planes},
                                .first = {0, 0, part->first},
                                .count = {SIDE, SIDE, part->count},
                                .x = values[0],
                                .y = values[1],
                                .z = values[2]};
    karman_set_block(session, 0, &block);
    karman_set_field(session, 0, "heat", KARMAN_VERTEX, &values[3]);
    return karman_render(session, 0, 0.0);
}

/* Draws the picture of comm in a folder; failures of libkarman come with its sentence. */
static status draw(MPI_Comm comm, int planes, const char *folder)
{
    char config[PATH_SIZE + 512];
    snprintf(config, sizeof config,
             "image: {width: %d, height: %d}\n"
             "camera: {position: [6, 5, 4], look_at: [1, 1, 1], up: [0, 0, 1], fov: 30}\n"
             "layers:\n"
             "  - volume: {field: heat, range: [-1, 1], opacity: [[0, 0.1], [1, 0.6]]}\n"
             "  - outline: {}\n"
             "in_situ: {run: '%s', every: 1}\n",
             DOCTOR_WIDTH, DOCTOR_HEIGHT, folder);
    slab part = {0};
    karman_session *session = NULL;
    status s = parallel_agree(comm, make_slab(comm, planes, &part));
    if (s == STATUS_OK) {
        int code =
            karman_open_text(comm, config, &(karman_options){.quiet = true}, &session);
        code = code == KARMAN_DONE ? draw_slab(session, &part) : code;
        s = code == KARMAN_DONE
                ? STATUS_OK
                : base_fail(STATUS_INTERNAL, "the picture cannot be drawn: %s",
                            karman_message());
        karman_close(&session);
    }
    for (int n = 0; n < 4; n++) {
        free(part.values[n]);
    }
    return s;
}

static status read_picture(const char *folder, unsigned char *pixels)
{
    char path[PATH_SIZE + 64];
    snprintf(path, sizeof path, "%s/frames/frame_000000.png", folder);
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path)) {
        return base_fail(STATUS_OUTPUT, "%s: %s", path, image.message);
    }
    image.format = PNG_FORMAT_RGBA;
    const bool fits = image.width == DOCTOR_WIDTH && image.height == DOCTOR_HEIGHT;
    if (!fits || !png_image_finish_read(&image, NULL, pixels, 0, NULL)) {
        png_image_free(&image);
        return base_fail(STATUS_OUTPUT, "%s: it cannot be read back", path);
    }
    return STATUS_OK;
}

static status compare(const char *all, const char *one, int *difference)
{
    static unsigned char a[DOCTOR_WIDTH * DOCTOR_HEIGHT * CHANNELS], b[sizeof a];
    status s = read_picture(all, a);
    s = s == STATUS_OK ? read_picture(one, b) : s;
    *difference = 0;
    for (size_t n = 0; n < sizeof a && s == STATUS_OK; n++) {
        *difference = abs(a[n] - b[n]) > *difference ? abs(a[n] - b[n]) : *difference;
    }
    return s;
}

static int remove_entry(const char *path, const struct stat *found, int kind,
                        struct FTW *place)
{
    (void)found;
    (void)kind;
    (void)place;
    return remove(path);
}

/* Rank 0 makes a folder for both pictures. */
static status make_folder(MPI_Comm comm, const char *parent, char path[PATH_SIZE - 8])
{
    const int written = snprintf(path, PATH_SIZE - 8, "%s/karman-doctor-XXXXXX", parent);
    const bool fits = written > 0 && written < PATH_SIZE - 8;
    status s = STATUS_OK;
    if (parallel_rank(comm) == 0 && (!fits || !mkdtemp(path))) {
        s = base_fail(STATUS_OUTPUT,
                      "no folder can be made in %s (%s): name another one by TMPDIR",
                      parent, strerror(errno));
    }
    return parallel_agree(comm, s);
}

status doctor_picture_draw(MPI_Comm comm, const char *folder, int *difference,
                           double *seconds)
{
    char path[PATH_SIZE - 8], all[PATH_SIZE], one[PATH_SIZE];
    const int planes = SIDE + parallel_size(comm); /* a rank has one at least */
    status s = make_folder(comm, folder, path);
    if (s != STATUS_OK) {
        return s;
    }
    snprintf(all, sizeof all, "%s/all", path);
    snprintf(one, sizeof one, "%s/one", path);
    const double begin = base_clock();
    s = draw(comm, planes, all);
    *seconds = base_clock() - begin;
    if (parallel_rank(comm) == 0) {
        s = s == STATUS_OK ? draw(MPI_COMM_SELF, planes, one) : s;
        s = s == STATUS_OK ? compare(all, one, difference) : s;
        nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    }
    return parallel_agree(comm, s);
}

#include "plain.h"

#include "app/frame/layers/annotations.h"
#include "base/parallel/parallel.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Colours that differ by no more are one to the eye. */
enum { ALIKE = 2, CHUNK = 4096 };

/* The colours of pixels so far: least and greatest of each channel. */
typedef struct colors {
    int64_t count;
    int least[3], most[3];
} colors;

static bool is_background(const uint8_t *rgb, const int background[3])
{
    bool is_alike = true;
    for (int c = 0; c < 3; c++) {
        is_alike = is_alike && abs(rgb[c] - background[c]) <= ALIKE;
    }
    return is_alike;
}

/* Marks pixels that annotations change: they change black, or white. */
static void mark_annotated(const app_picture *picture, int64_t pix0, int64_t count,
                           bool *is_annotated)
{
    uint8_t black[3 * CHUNK], white[3 * CHUNK];
    memset(black, 0, 3 * (size_t)count);
    memset(white, 255, 3 * (size_t)count);
    app_annotations_blend(picture->annotations, pix0, count, black);
    app_annotations_blend(picture->annotations, pix0, count, white);
    for (int64_t n = 0; n < count; n++) {
        is_annotated[n] = false;
        for (int64_t c = 3 * n; c < 3 * n + 3; c++) {
            is_annotated[n] = is_annotated[n] || black[c] != 0 || white[c] != 255;
        }
    }
}

static void add_pixels(int64_t count, const uint8_t *rgb, const bool *is_annotated,
                       const int background[3], colors *seen)
{
    for (int64_t n = 0; n < count; n++, rgb += 3) {
        if (is_annotated[n] || is_background(rgb, background)) {
            continue;
        }
        seen->count++;
        for (int c = 0; c < 3; c++) {
            seen->least[c] = rgb[c] < seen->least[c] ? rgb[c] : seen->least[c];
            seen->most[c] = rgb[c] > seen->most[c] ? rgb[c] : seen->most[c];
        }
    }
}

static void add_share(const app_picture *picture, const io_png_share *share,
                      const int background[3], colors *seen)
{
    uint8_t rgb[3 * CHUNK];
    bool is_annotated[CHUNK];
    for (int n = 0; n < share->count; n++) {
        const io_png_range *range = &share->ranges[n];
        for (int64_t done = 0; done < range->npix; done += CHUNK) {
            const int64_t left = range->npix - done;
            const int64_t count = left < CHUNK ? left : CHUNK;
            share->pixels(share->context, range->pix0 + done, count, rgb);
            mark_annotated(picture, range->pix0 + done, count, is_annotated);
            add_pixels(count, rgb, is_annotated, background, seen);
        }
    }
}

bool app_picture_is_plain(const app_picture *picture, const io_png_share *share)
{
    const MPI_Comm comm = picture->scene->comm;
    colors seen = {0, {255, 255, 255}, {0, 0, 0}};
    int behind[3], least[3], most[3];
    int64_t all;
    for (int c = 0; c < 3; c++) {
        behind[c] = (int)lroundf(255.0f * picture->scene->config->background[c]);
    }
    add_share(picture, share, behind, &seen);
    parallel_allreduce(&seen.count, &all, 1, MPI_INT64_T, MPI_SUM, comm);
    parallel_allreduce(seen.least, least, 3, MPI_INT, MPI_MIN, comm);
    parallel_allreduce(seen.most, most, 3, MPI_INT, MPI_MAX, comm);
    bool is_plain = 100 * all >= (int64_t)share->width * share->height;
    for (int c = 0; c < 3; c++) {
        is_plain = is_plain && most[c] - least[c] <= ALIKE;
    }
    return is_plain;
}

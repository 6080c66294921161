#include "cells.h"

#include "base/parallel/parallel.h"
#include "film.h"
#include "frame/png_texts.h"
#include "io/picture/pixels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool find_cell(const frame_job *job, frame_film_cell *cell)
{
    return job->film && frame_film_find_cell(job->film, job->files.number, cell);
}

bool frame_film_is_cell(const frame_job *job)
{
    frame_film_cell cell;
    return find_cell(job, &cell);
}

bool frame_film_awaits_cells(const frame_job *job)
{
    frame_film_cell cell;
    return find_cell(job, &cell) && !cell.is_last;
}

/* The files of the job that has the canvas. */
static frame_files *files_of(frame_job *job)
{
    return job->beside.lead ? &job->beside.lead->files : &job->files;
}

/* Makes the whole picture, of the background. */
static status make_canvas(frame_job *job, const frame_film_cell *cell, int pixel_bytes)
{
    const size_t pixels = (size_t)cell->all_width * (size_t)cell->all_height;
    const io_config *config = job->scene.config;
    const int deep = config->is_deep ? 2 : 1;
    float rgb[3];
    frame_files *files = files_of(job);
    free(files->canvas);
    files->canvas = calloc(pixels, (size_t)pixel_bytes);
    files->canvas_bytes = pixel_bytes;
    if (!files->canvas) {
        return base_fail_memory(pixels * (size_t)pixel_bytes, "a picture of cells");
    }
    io_config_background(config, rgb);
    for (size_t n = 0; n < pixels && !config->is_transparent; n++) {
        for (int c = 0; c < 3 * deep; c++) {
            files->canvas[n * (size_t)pixel_bytes + (size_t)c] =
                (uint8_t)lrintf(255.0f * rgb[c / deep]);
        }
    }
    return STATUS_OK;
}

/* Copies a cell's rows, as far as they lie in the whole. */
static status paste(frame_job *job, const frame_film_cell *cell,
                    const io_png_share *share, const uint8_t *pixels)
{
    const int bytes = io_png_pixel_bytes(share->format);
    status s = cell->is_first ? make_canvas(job, cell, bytes) : STATUS_OK;
    if (s != STATUS_OK) {
        return s;
    }
    const frame_files *files = files_of(job);
    if (bytes != files->canvas_bytes) {
        return base_fail(STATUS_USAGE,
                         "pictures: cells of one picture have one form: give image.bits "
                         "and a background of none to all of them, or to none");
    }
    const int width = share->width < cell->all_width - cell->x
                          ? share->width
                          : cell->all_width - cell->x;
    for (int row = 0; row < share->height && row < cell->all_height - cell->y; row++) {
        const size_t to =
            (size_t)(cell->y + row) * (size_t)cell->all_width + (size_t)cell->x;
        memcpy(files->canvas + to * (size_t)bytes,
               pixels + (size_t)row * (size_t)share->width * (size_t)bytes,
               (size_t)width * (size_t)bytes);
    }
    return STATUS_OK;
}

/* io_png_pixels */
static void read_canvas(const void *context, int64_t pix0, int64_t npix, uint8_t *pixels)
{
    const frame_files *files = context;
    memcpy(pixels, files->canvas + pix0 * files->canvas_bytes,
           (size_t)(npix * files->canvas_bytes));
}

bool frame_film_take_cell(frame_job *job, io_png_share *share, status *s)
{
    frame_film_cell cell;
    if (!find_cell(job, &cell)) {
        return false;
    }
    const bool is_first_rank = job->scene.rank == 0;
    uint8_t *pixels = NULL;
    *s = io_pixels_gather(job->scene.comm, *s, share, job->scene.threads, &pixels);
    if (*s == STATUS_OK) {
        *s = parallel_agree(job->scene.comm,
                            is_first_rank ? paste(job, &cell, share, pixels) : STATUS_OK);
    }
    free(pixels);
    if (*s != STATUS_OK || !cell.is_last) {
        return true;
    }
    job->files.all = (io_png_range){0, (int64_t)cell.all_width * cell.all_height};
    *share = (io_png_share){.width = cell.all_width,
                            .height = cell.all_height,
                            .count = is_first_rank ? 1 : 0,
                            .ranges = &job->files.all,
                            .pixels = read_canvas,
                            .context = files_of(job),
                            .format = share->format};
    return false;
}

/* Gives the file of cells its size, and the config that draws all of them, which *whole
 * owns; NULL for other pictures. */
static status dress(const frame_job *job, io_png_file *file, frame_texts *texts,
                    io_config **whole)
{
    frame_film_cell cell;
    if (!find_cell(job, &cell)) {
        return STATUS_OK;
    }
    const status s = frame_film_whole(job->film, job->files.number, whole);
    for (int n = 0; n < file->ntexts && s == STATUS_OK; n++) {
        if (strcmp(texts->list[n].keyword, IO_PNG_CONFIG_KEYWORD) == 0) {
            texts->list[n].text = (*whole)->canonical;
        }
    }
    file->width = cell.all_width;
    file->height = cell.all_height;
    return s;
}

status frame_film_submit(frame_job *job, const io_step *step, io_png_strips *strips,
                         io_float_file *floats)
{
    frame_texts texts;
    frame_texts_make(job, step, &texts);
    const io_config *config = job->scene.config;
    io_png_file file = {.path = config->output.frames ? job->files.path : NULL,
                        .width = config->width,
                        .height = config->height,
                        .ntexts = APP_TEXTS,
                        .texts = texts.list,
                        .format = frame_picture_format(&job->picture),
                        .dpi = config->dpi};
    io_config *whole = NULL;
    status s = dress(job, &file, &texts, &whole);
    if (s == STATUS_OK) {
        s = io_png_writer_submit(job->files.writer, &file, strips, floats);
    }
    io_config_destroy(&whole);
    return s;
}

#include "shown.h"

#include "base/parallel/parallel.h"
#include "base/system.h"
#include "frame/job.h"
#include "frame/job_state.h"
#include "frame/layers/layers.h"
#include "frame/png_texts.h"
#include "io/picture/pixels.h"

#include <stdlib.h>

void frame_shown_clear(frame_shown *shown)
{
    free(shown->bytes);
    shown->bytes = NULL;
    shown->size = 0;
}

static void drop(char **text)
{
    free(*text);
    *text = NULL;
}

void frame_shown_prepare(io_config *config)
{
    drop(&config->output.floats);
    drop(&config->output.figure);
    drop(&config->output.timings);
    config->output.warm_caches = config->output.tile_costs = false;
    config->partition =
        (io_partition_config){.kind = IO_PARTITION_OBJECT, .balance = IO_BALANCE_CELLS};
}

/* ---- Handing over ------------------------------------------------------------------ */

static status encode(const frame_job *job, const io_step *step,
                     const io_png_strips *strips, frame_shown *out)
{
    frame_texts texts;
    frame_texts_make(job, step, &texts);
    const io_config *config = job->scene.config;
    const io_png_file file = {.width = config->width,
                              .height = config->height,
                              .ntexts = APP_TEXTS,
                              .texts = texts.list,
                              .format = frame_picture_format(&job->picture),
                              .dpi = config->dpi};
    return io_png_encode_strips(&file, strips, &out->bytes, &out->size);
}

status frame_shown_take_strips(frame_job *job, const io_step *step, io_png_strips *strips)
{
    frame_shown *out = job->shown;
    if (!out || out->wants_pixels) {
        io_png_strips_clear(strips);
        return STATUS_OK;
    }
    status s = io_png_strips_collect(job->scene.comm, strips);
    if (s == STATUS_OK && job->scene.rank == 0) {
        s = encode(job, step, strips, out);
    }
    io_png_strips_clear(strips);
    return parallel_agree(job->scene.comm, s);
}

status frame_shown_take_pixels(frame_job *job, status failed, const io_png_share *share)
{
    frame_shown *out = job->shown;
    out->pixel_bytes = io_png_pixel_bytes(share->format);
    out->size = (size_t)share->width * (size_t)share->height * (size_t)out->pixel_bytes;
    return io_pixels_gather(job->scene.comm, failed, share, job->scene.threads,
                            &out->bytes);
}

/* ---- Drawing ----------------------------------------------------------------------- */

status frame_job_show(frame_job *job, int frame, frame_shown *out, frame_result *result,
                      bool *is_whole)
{
    int stopped = 0, any = 0;
    out->width = job->scene.config->width;
    out->height = job->scene.config->height;
    out->bytes = NULL;
    job->shown = out;
    const status s = frame_job_render(job, frame, result);
    job->shown = NULL;
    stopped = base_is_stopped();
    parallel_allreduce(&stopped, &any, 1, MPI_INT, MPI_MAX, job->scene.comm);
    *is_whole = !any;
    if (any || s != STATUS_OK) {
        job->scene.camera.attempt++;
        frame_shown_clear(out);
    } else {
        frame_layers_warn(&job->scene, &job->layers, result->step);
    }
    return s;
}

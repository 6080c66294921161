#include "take.h"

#include "base/parallel/parallel.h"
#include "base/system.h"
#include "frame/job.h"
#include "frame/job_state.h"
#include "frame/png_texts.h"
#include "io/picture/pixels.h"

#include <stdlib.h>

bool frame_shown_is_unwanted(const frame_job *job)
{
    int mine = base_is_stopped(), any = 0;
    if (job->show.picture) {
        parallel_allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, job->scene.comm);
    }
    return any != 0;
}

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
    return out->wants_both
               ? io_png_encode_strips(&file, strips, &out->file, &out->file_size)
               : io_png_encode_strips(&file, strips, &out->bytes, &out->size);
}

status frame_shown_take_strips(frame_job *job, const io_step *step, io_png_strips *strips)
{
    frame_shown *out = job->show.picture;
    if (!out || (out->wants_pixels && !out->wants_both)) {
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

bool frame_shown_take_pixels(frame_job *job, const io_png_share *share, status *s)
{
    frame_shown *out = job->show.picture;
    if (!out || !out->wants_pixels) {
        return false;
    }
    out->pixel_bytes = io_png_pixel_bytes(share->format);
    out->size = (size_t)share->width * (size_t)share->height * (size_t)out->pixel_bytes;
    *s = io_pixels_gather(job->scene.comm, *s, share, job->scene.threads, &out->bytes);
    return !out->wants_both;
}

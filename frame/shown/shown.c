#include "shown.h"

#include "frame/job.h"
#include "frame/job_state.h"
#include "frame/layers/layers.h"
#include "frame/shown/take.h"

#include <stdlib.h>

void frame_shown_clear(frame_shown *shown)
{
    free(shown->bytes);
    free(shown->file);
    shown->bytes = shown->file = NULL;
    shown->size = shown->file_size = 0;
}

/* ---- Drawing ----------------------------------------------------------------------- */

status frame_job_show(frame_job *job, int frame, frame_shown *out, frame_result *result,
                      bool *is_whole)
{
    out->width = job->scene.config->width;
    out->height = job->scene.config->height;
    out->bytes = out->file = NULL;
    job->show.picture = out;
    const status s = frame_job_render(job, frame, result);
    *is_whole = !frame_shown_is_unwanted(job);
    job->show.picture = NULL;
    if (!*is_whole || s != STATUS_OK) {
        job->scene.camera.attempt++;
        frame_shown_clear(out);
    } else {
        frame_layers_warn(&job->scene, &job->layers, result->step);
    }
    return s;
}

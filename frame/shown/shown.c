#include "shown.h"

#include "base/parallel/parallel.h"
#include "base/system.h"
#include "frame/job.h"
#include "frame/job_state.h"
#include "frame/layers/layers.h"

#include <stdlib.h>

void frame_shown_clear(frame_shown *shown)
{
    free(shown->bytes);
    shown->bytes = NULL;
    shown->size = 0;
}

/* ---- Drawing ----------------------------------------------------------------------- */

status frame_job_show(frame_job *job, int frame, frame_shown *out, frame_result *result,
                      bool *is_whole)
{
    int stopped = 0, any = 0;
    out->width = job->scene.config->width;
    out->height = job->scene.config->height;
    out->bytes = NULL;
    job->show.picture = out;
    const status s = frame_job_render(job, frame, result);
    job->show.picture = NULL;
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

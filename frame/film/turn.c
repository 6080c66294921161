#include "turn.h"

#include "base/parallel/parallel.h"
#include "film.h"
#include "frame/job.h"
#include "frame/job_state.h"

status frame_film_turn_to(frame_job *job, int frame)
{
    io_config *config = NULL;
    status s = job->film ? frame_film_config(job->film, frame, &config) : STATUS_OK;
    s = parallel_agree(job->scene.comm, s);
    if (s == STATUS_OK && config) {
        s = frame_job_change(job, &config);
    }
    io_config_destroy(&config);
    return s;
}

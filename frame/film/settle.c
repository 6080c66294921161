#include "settle.h"

#include "base/parallel/parallel.h"

status frame_film_settle(frame_job *job, const frame_auto_values *known,
                         frame_auto_values *values, io_config **config)
{
    const frame_scene *scene = &job->scene;
    frame_auto_data data = frame_job_data(job);
    data.config = &(*config)->data;
    status s =
        parallel_agree(scene->comm, frame_auto_fields(&data, NULL, values, config));
    data.config = &(*config)->data;
    return s == STATUS_OK ? frame_auto_looks(&data, known, values, config) : s;
}

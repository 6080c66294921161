/* A picture in parts, drawn one after another by one process. */
#include "entry.h"
#include "grid/partition/partition.h"
#include "job.h"
#include "job_state.h"

#include <stdlib.h>

/* Draws the boxes of a tree in this order, [count]. */
static status draw_boxes(frame_job *job, const grid_partition *boxes, const int *order,
                         frame_take_part *take, void *context)
{
    draw_request request = frame_scene_request(&job->scene);
    status s = STATUS_OK;
    for (int position = 0; position < grid_partition_count(boxes) && s == STATUS_OK;
         position++) {
        render_counters ignored = {0};
        request.box = grid_partition_box(boxes, order[position]);
        s = frame_draw(job, &request, &ignored);
        s = s == STATUS_OK ? take(job->picture.img, position, context) : s;
    }
    return s;
}

/* Cuts space and draws. */
static status draw_parts(frame_job *job, int parts, frame_take_part *take, void *context)
{
    const render_camera *camera = &job->scene.camera;
    grid_partition *boxes = NULL;
    int *order = malloc((size_t)parts * sizeof *order);
    status s = order ? grid_partition_create(job->scene.layout, parts, &boxes)
                     : base_fail_memory((size_t)parts * sizeof *order, "an order");
    if (s == STATUS_OK) {
        grid_partition_order(boxes, render_camera_order_point(camera),
                             !camera->orthographic, order);
        s = draw_boxes(job, boxes, order, take, context);
    }
    grid_partition_destroy(&boxes);
    free(order);
    return s;
}

status frame_job_draw_parts(frame_job *job, int parts, frame_take_part *take,
                            void *context)
{
    if (job->scene.config->partition.kind != IO_PARTITION_OBJECT) {
        return base_fail(STATUS_USAGE, "the config has 'partition: screen', which "
                                       "composites nothing: give 'partition: object'");
    }
    const frame_threads threads = frame_threads_begin(job->scene.threads);
    status s = frame_load(job, job->scene.steps[job->scene.nsteps - 1]);
    s = s == STATUS_OK ? draw_parts(job, parts, take, context) : s;
    frame_threads_end(&threads);
    return s;
}

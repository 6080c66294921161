/* Pictures out of rectangles: nothing is blended, pixels only change places. */
#include "app/job_state.h"
#include "app/share.h"
#include "base/parallel.h"

#include <stdlib.h>

enum { TAG = 0x5343 };

/* A rectangle of an image whose pixels have `values` floats, where it lies. */
static MPI_Datatype make_type(const image *img, pixel_rect rect, int values)
{
    const int sizes[] = {img->height, img->width * values};
    const int part[] = {rect.y1 - rect.y0, (rect.x1 - rect.x0) * values};
    const int begin[] = {rect.y0, rect.x0 * values};
    MPI_Datatype type;
    MPI_Type_create_subarray(2, sizes, part, begin, MPI_ORDER_C, MPI_FLOAT, &type);
    MPI_Type_commit(&type);
    return type;
}

/* Begins to send a rectangle to rank 0, or at rank 0 to receive that of `peer`. */
static void start(const app_job *job, float *pixels, pixel_rect rect, int values,
                  int peer, MPI_Request *request)
{
    MPI_Datatype type = make_type(job->img, rect, values);
    if (job->rank == 0) {
        MPI_Irecv(pixels, 1, type, peer, TAG, job->comm, request);
    } else {
        MPI_Isend(pixels, 1, type, peer, TAG, job->comm, request);
    }
    MPI_Type_free(&type);
}

/* Colours and depths. Returns how many requests that makes. */
static int start_rect(const app_job *job, pixel_rect rect, int peer,
                      MPI_Request *requests)
{
    if (pixel_rect_is_empty(rect)) {
        return 0;
    }
    start(job, job->img->rgba, rect, 4, peer, &requests[0]);
    if (job->img->depth) {
        start(job, job->img->depth, rect, 1, peer, &requests[1]);
    }
    return job->img->depth ? 2 : 1;
}

/* Brings all rectangles to rank 0. requests: [2 * ranks]. Collective. */
static void gather(const app_job *job, MPI_Request *requests,
                   composite_counters *counters)
{
    int count = 0;
    if (job->rank == 0) {
        for (int peer = 1; peer < job->ranks; peer++) {
            count += start_rect(job, render_screen_rect(job->screen, peer), peer,
                                requests + count);
        }
        job->img->active = (pixel_rect){0, 0, job->img->width, job->img->height};
    } else {
        const pixel_rect rect = job->camera.window;
        const int64_t values = job->img->depth ? 5 : 4;
        count = start_rect(job, rect, 0, requests);
        counters->messages_sent += count;
        counters->bytes_sent +=
            (int64_t)sizeof(float) * values * (rect.x1 - rect.x0) * (rect.y1 - rect.y0);
    }
    for (int n = 0; n < count; n++) {
        parallel_wait(&requests[n]);
    }
}

status app_share_put_together(app_job *job, status rendered, composite_counters *counters)
{
    const bool at_root = job->config->output.floats != NULL;
    const size_t bytes = 2 * (size_t)job->ranks * sizeof(MPI_Request);
    MPI_Request *requests = at_root ? malloc(bytes) : NULL;
    status s = rendered;
    if (s == STATUS_OK && at_root && !requests) {
        s = base_fail_memory(bytes, "the parts of a picture");
    }
    s = parallel_agree(job->comm, s);
    if (s == STATUS_OK && at_root) {
        gather(job, requests, counters);
    }
    free(requests);
    return s;
}

/* A render job: everything that lives from the config to the last frame. */
#ifndef APP_JOB_H
#define APP_JOB_H

#include "app/karman.h"
#include "base/status.h"

#include <mpi.h>
#include <stdint.h>

typedef struct app_job app_job;

/* What became of one frame; the same on every rank. */
typedef struct app_frame {
    int64_t step;
    double time;
    const char *picture; /* path; borrowed until the next frame */
    bool was_complete;   /* --resume found it: nothing was drawn */
    bool is_blank;       /* it was drawn, and shows nothing but background */
    int64_t crossings, lost_rays, nan_cells;
    double seconds;
} app_frame;

/*
 * Reads the config, opens the source, cuts up space, loads this rank's bricks and checks
 * all that can be known to be wrong before the first frame. Collective. Errors: any
 * status, the same on every rank.
 */
status app_job_create(MPI_Comm comm, const char *config_path,
                      const karman_options *options, app_job **out);

/* Collective; NULL is fine. */
void app_job_destroy(app_job **job);

int app_job_frame_count(const app_job *job);

/* Renders frame `frame`, 0 to count - 1; its picture is written while the next one is
 * made. Collective. Errors: any status, the same on every rank. */
status app_job_render(app_job *job, int frame, app_frame *out);

/* Waits for the pictures, writes the timings. Collective. Errors: STATUS_OUTPUT. */
status app_job_finish(app_job *job);

#endif

/* A render job: everything that lives from the config to the last frame. */
#ifndef APP_FRAME_JOB_H
#define APP_FRAME_JOB_H

#include "app/frame/auto/auto.h"
#include "app/frame/scene/missing.h"
#include "base/status.h"
#include "config_load.h"
#include "io/source.h"
#include "io/timings/timings.h"

#include <mpi.h>
#include <stdint.h>

typedef struct app_job app_job;

/* What became of one frame; the same on every rank. */
typedef struct app_frame {
    int64_t step;
    double time;
    const char *picture; /* path; borrowed until the next frame */
    bool was_complete;   /* --resume found it: nothing was drawn */
    bool is_plain; /* it is the first one of a volume, and shows hardly more than one
                      colour */
    bool is_blank; /* it was drawn, and shows nothing but background; and that is not
                      for want of values, of which a warning has told */
    int64_t crossings, lost_rays, nan_cells;
    double seconds;
    double stages[IO_STAGES]; /* seconds of each, here */
    int64_t bytes_sent;       /* by compositing, here */
} app_frame;

/*
 * Reads the config, opens the source, cuts up space, loads this rank's bricks and checks
 * all that can be known to be wrong before the first frame. Collective. Errors: any
 * status, the same on every rank.
 */
status app_job_create(MPI_Comm comm, const char *config_path,
                      const app_job_options *options, app_job **out);

/*
 * The same of a ready config, which becomes the job's and NULL, also on failure, and of a
 * source that stays somebody else's and has one step: a running program. What the config
 * leaves open is found from that step as it is now, or is `known` (NULL: nothing is).
 * comm is borrowed: a session has one for all that it does. Collective. Errors: as
 * app_job_create.
 */
status app_job_create_from_memory(MPI_Comm comm, io_config **config, io_source *source,
                                  int threads, const app_auto_values *known,
                                  app_job **out);

/*
 * Gives a job another config, for its next picture, as quickly as another view or other
 * colours of the same volume allow: *config becomes the job's and NULL. Where that does
 * not do, *config stays as it is and the job must be made anew: the picture has layers
 * beside the volume, ranks own parts of the picture, or something else is different.
 * Collective; configs are the same on every rank. Errors: STATUS_INPUT, STATUS_MEMORY:
 * then the job is to be destroyed.
 */
status app_job_change(app_job *job, io_config **config);

/*
 * Makes the job anew, as app_job_create_from_memory does; *job may be NULL. The range of
 * a volume's field that both configs leave open stays what it was. Collective. *config is
 * the job's then; *job is NULL after a failure. Errors: those of
 * app_job_create_from_memory.
 */
status app_job_replace(MPI_Comm comm, io_config **config, io_source *source, int threads,
                       app_job **job);

/* Least and greatest value of a field as it is now, as io_load_scan finds them.
 * Collective. Errors: STATUS_INPUT, STATUS_MEMORY. */
status app_job_extremes(app_job *job, const char *field, double range[2]);

/* Gives memory back that the next picture takes again. Local. */
void app_job_rest(app_job *job);

/* Waits until all pictures are written; the first failure. The job is as good as before.
 * Collective. Errors: STATUS_OUTPUT. */
status app_job_wait(app_job *job);

/* Collective; NULL is fine. */
void app_job_destroy(app_job **job);

int app_job_frame_count(const app_job *job);

/* The config with all that was found for it. Borrowed. Local. */
const io_config *app_job_config(const app_job *job);

/* The step of frame `frame`, 0 to count - 1. Local. */
const io_step *app_job_step(const app_job *job, int frame);

/* Takes what has been said of missing values out of a job, for another one that goes on
 * with the same fields; NULL is fine. Local. */
app_missing *app_job_detach_missing(app_job *job);
void app_job_attach_missing(app_job *job, app_missing **missing);

/* Renders frame `frame`, 0 to count - 1; its picture is written while the next one is
 * made. Collective. Errors: any status, the same on every rank. */
status app_job_render(app_job *job, int frame, app_frame *out);

/* Waits for the pictures, writes the timings. Collective. Errors: STATUS_OUTPUT. */
status app_job_finish(app_job *job);

#endif

/* The inside of a job, shared by job.c (set-up) and frame.c (one frame). */
#ifndef APP_JOB_STATE_H
#define APP_JOB_STATE_H

#include "app/job.h"
#include "base/image.h"
#include "composite/execute.h"
#include "grid/brick.h"
#include "grid/partition.h"
#include "io/config.h"
#include "io/load.h"
#include "io/png.h"
#include "io/source.h"
#include "io/timings.h"
#include "render/camera.h"
#include "render/transfer.h"
#include "render/volume.h"

struct app_job {
    MPI_Comm comm;
    int rank, ranks, threads;
    bool resume;
    io_config *config;

    io_source *source;
    int nsteps;
    int *steps; /* [nsteps]: indices into the source's steps */
    grid_layout *layout;
    grid_recipe *recipe;

    grid_partition *partition;
    box3 box;          /* what this rank draws */
    grid_store *store; /* the bricks that meet it, or those of them that show something */
    render_scene *scene;

    render_camera camera;
    double range[2]; /* of the field */
    render_transfer *transfer;
    render_style style;
    render_shade shade;   /* style.shade, where the volume is shaded */
    uint64_t colors_hash; /* of the control points, for --resume */

    const composite_algorithm *algorithm;
    composite_params params;
    composite_executor *executor;
    int *order; /* [ranks]: ranks from front to back */

    image *img;            /* the executor's */
    io_png_writer *writer; /* rank 0 */
    io_timings *timings;
    char *picture; /* path of the frame at hand */
    int drawn;     /* frames so far */
};

#endif

/* The inside of a job, shared by job.c (set-up), job_picture.c (what it looks
 * like), job_live.c (of running programs) and frame.c (one frame). */
#ifndef APP_FRAME_JOB_STATE_H
#define APP_FRAME_JOB_STATE_H

#include "base/image.h"
#include "composite/run/execute.h"
#include "grid/brick.h"
#include "grid/partition.h"
#include "io/config/config.h"
#include "io/load/load.h"
#include "io/picture/png.h"
#include "io/source.h"
#include "io/timings/timings.h"
#include "job.h"
#include "render/screen.h"
#include "render/stack.h"
#include "render/transfer/transfer.h"
#include "render/view/camera.h"
#include "render/volume.h"

struct app_layer;
struct app_annotations;
struct app_costs;
struct app_missing;

struct app_job {
    MPI_Comm comm;
    bool borrows_comm;
    int rank, ranks, threads;
    double mean_threads; /* of all ranks, the same on each: what they decide together must
                            not depend on the threads of one */
    double crowd; /* threads of all ranks of this node over its cores; at least 1 */
    bool resume;
    io_config *config;

    io_source *source;
    bool is_live; /* the source is somebody else's: a running program */
    int nsteps;
    int *steps; /* [nsteps]: indices into the source's steps */
    grid_layout *layout;
    grid_recipe *recipe; /* of the volume; NULL, as all of it, where there is none */

    grid_partition *partition; /* of space, by cells */
    box3 home;                 /* this rank's part of it */
    grid_partition *space;     /* what boxes are drawn by: the same, or of its own */
    double *weights;           /* [layout->nbricks]: what bricks cost; NULL: by cells */
    box3 box; /* what this rank draws: its home, or with partition: screen everything in
                 camera.window */
    render_screen *screen; /* partition: screen, else NULL */
    uint8_t *
        band; /* bytes of the rows that this rank compresses (app/frame/share/gather.c) */
    pixel_rect window_before; /* what it wrote into the last picture of all ranks, */
    pixel_rect shown_before;  /* and what of that is not just background
                                 (app/frame/share/gather.c) */
    render_costs measured;    /* seconds that tiles of the last picture took here */
    double render_seconds;    /* of processors: what all of it took here */
    render_costs average;     /* the same of all ranks, over the last pictures */
    bool has_average;
    double draw_seconds; /* the same with compositing, but for waiting: what a rank has to
                            do from one time that ranks wait for each other to the next */
    double least_seconds; /* draw_seconds of the fastest of the settled pictures since
                             boxes were last looked at; INFINITY: there were none */
    int pictures, wanted; /* how many there were, and are wanted before the next look */
    double cost_factor;   /* what this rank's points cost beside others', by the clock */
    int corrections;      /* how often the clock has corrected that */
    int moves;            /* how often boxes have moved lately: app/frame/share/space.h */
    bool is_moving;       /* other bricks are this rank's, which are not loaded yet */
    bool is_settled;      /* the last picture was drawn with what others had found */
    double load_seconds;  /* the last load took here, with a core of one's own */
    double field_seconds; /* a load without geometry took on any rank; 0: not known */
    bool
        is_exchanging; /* bricks that move come from other ranks rather than the source */
    double move_seconds[2]; /* a load took on any rank for which bricks were read, and one
                               for which they were exchanged; 0: not known */
    grid_store
        *store; /* the bricks that it draws, or those of them that show something */
    render_scene *scene;
    render_stack *stack; /* where there is no volume */

    int nlayers; /* beside the volume */
    struct app_layer *layers;
    const render_fragments **fragments; /* [nlayers]: of the picture at hand */

    render_camera camera;
    double range[2]; /* of the field */
    render_transfer *transfer;
    render_style style;
    render_cuts cuts;     /* style.cuts, where something is cut off */
    render_shade shade;   /* style.shade, where the volume is shaded */
    uint64_t colors_hash; /* of the control points, for --resume */

    const composite_algorithm *algorithm;
    composite_params params;
    composite_executor *executor;
    int *order; /* [ranks]: ranks from front to back */

    struct app_annotations *annotations; /* NULL: none */
    image *img;                          /* the executor's */
    pixel_rect drawn_in[2]; /* where the last picture has left something in it; where that
                               is not known, in its active rectangle */
    io_png_writer *writer;  /* rank 0 */
    io_timings *timings;
    base_events *events;     /* of the last picture (app_job_events); NULL: no timings */
    struct app_costs *costs; /* for the timings (app/frame/costs.h); NULL: nobody asks */
    char *picture;           /* path of the frame at hand */
    int drawn;               /* frames so far */
    struct app_missing *missing; /* what has been said of missing values */
};

/*
 * Least and greatest value of a recipe's field over all steps that are drawn, or around
 * the value of a constant one, so that they are never equal. Collective. Errors:
 * STATUS_INPUT, STATUS_MEMORY.
 */
status app_job_find_range(app_job *job, const grid_recipe *recipe, double range[2]);

/* The camera of the config for a grid whose coordinates are relative to `origin`. Local.
 * Errors: STATUS_USAGE. */
status app_job_make_camera(app_job *job, vec3 origin);

/*
 * What the volume looks like: style, light, cuts, range and transfer function, with what
 * the config leaves open: the range of the field, the length of the opacity's unit. The
 * job has its layout. Collective. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status app_job_make_transfer(app_job *job);

/* Where this rank adds what it does while the picture is put together: in the first two
 * pictures of a job with timings; else NULL. The same on all ranks. Local. */
base_events *app_job_events(const app_job *job);

/* Makes the volume's store and scene for the bricks that this rank draws, once more where
 * there are some already. Collective. Errors: STATUS_INPUT, STATUS_MEMORY. */
status app_job_load_bricks(app_job *job);

/* The light that a config asks for, in the grid's coordinates; per_gradient is left 0.
 * Local. */
render_shade app_job_shade(const app_job *job, const io_shade_config *config);

#endif

/* The private parts of a job, for job.c (set-up), job_data.c (source and grid), frame.c
 * (one frame), film/ and shown/. */
#ifndef FRAME_JOB_STATE_H
#define FRAME_JOB_STATE_H

#include "base/events.h"
#include "config_load.h"
#include "frame/auto/auto.h"
#include "frame/distribution/distribution.h"
#include "frame/layers/layer.h"
#include "frame/particles/particles.h"
#include "frame/recording/recording.h"
#include "frame/scene/scene.h"
#include "frame/shown/picture.h"
#include "io/load/motion/past.h"
#include "io/picture/png.h"
#include "io/timings/timings.h"
#include "render/stack.h"

typedef struct frame_job frame_job;

/* Nodes and threads of all ranks of a job. */
typedef struct frame_crew {
    int nodes, least_threads, most_threads; /* threads: of a rank */
} frame_crew;

/* Pictures that are not written. */
typedef struct frame_show {
    bool is_on;
    frame_shown *picture; /* takes the current one; NULL: nobody does; borrowed */
} frame_show;

/* Files of pictures. */
typedef struct frame_files {
    char *path;             /* of the current frame */
    io_png_writer *writer;  /* rank 0 */
    struct io_movie *movie; /* rank 0; NULL: none */
    int number;             /* of the current picture */
    uint8_t *canvas;        /* of cells, rank 0: [pixels][canvas_bytes]; NULL: none */
    int canvas_bytes;
    io_png_range all; /* its pixels */
} frame_files;

/* The grid in memory. */
typedef struct frame_loaded {
    int grid;          /* its number: io_source_grid */
    io_load_past past; /* what was found of it, if it moves */
} frame_loaded;

/*
 * How jobs are made beside another: `create` does so up to grid and steps; it takes
 * *config and sets it to NULL. `prepare` makes the rest, when all open values are found.
 * Collective. Errors: those of frame_job_create.
 */
typedef struct frame_making {
    status (*create)(frame_job *lead, io_config **config, frame_job **out);
    status (*prepare)(frame_job *job);
    void (*destroy)(frame_job **job);
} frame_making;

/* Jobs of other data, whose pictures stand beside those of this one, which leads. They
 * have its film, its writer and its timings. */
typedef struct frame_beside {
    const frame_making *making;
    frame_job *lead; /* of one that does not lead; NULL: this one does */
    int count;
    frame_job **jobs; /* [count]; owned */
    frame_job **of;   /* [pictures]: the jobs that draw them; NULL: this one draws all */
    int *steps;       /* [steps of the lead]: those (indices) beside them */
} frame_beside;

struct frame_job {
    bool borrows_comm; /* scene.comm belongs to the caller */
    bool resume;
    frame_choice choice;
    bool is_part; /* the data is one of several files */
    frame_show show;
    double crowd; /* threads of all ranks of this node per core; at least 1 */
    frame_crew crew;
    frame_scene scene;
    frame_particles *particles; /* of files whose grid moves; else NULL */
    frame_auto_values found;    /* values for keys that the config leaves open */
    distribution_state *distribution;
    frame_layers layers;
    render_stack *stack; /* used if there is no volume */
    frame_picture picture;
    frame_loaded loaded;
    frame_beside beside;
    int ranged; /* the step (index) whose ranges layers have, with `range: step` */
    struct frame_film *film;  /* frames that are no steps; NULL: one frame a step */
    int drawn;                /* pictures so far */
    distribution_times times; /* of the last picture of this grid */
    bool is_moving; /* this rank has other bricks now, which are not loaded yet */
    frame_files files;
    io_timings *timings;        /* NULL: neither config nor recording ask for any */
    frame_recording *recording; /* of the last frame; NULL; borrowed */
    base_events *events;        /* of a picture; NULL: no timings */
};

/* The data at all steps of the job, for finding values that the config leaves open.
 * Borrows. Local. */
static inline frame_auto_data frame_job_data(const frame_job *job)
{
    const frame_scene *scene = &job->scene;
    return (frame_auto_data){.comm = scene->comm,
                             .source = scene->source,
                             .config = &scene->config->data,
                             .layout = scene->layout,
                             .nsteps = scene->nsteps,
                             .steps = scene->steps};
}

/* Loads the data of a step (index) for volume and layers. Collective. Errors:
 * STATUS_INPUT, STATUS_MEMORY. */
status frame_load(frame_job *job, int step);

/* Draws layers and volume: all pixels, or the samples of the picture's set. Local.
 * Errors: STATUS_MEMORY. */
status frame_draw(frame_job *job, const draw_request *request, render_counters *counters);
status frame_draw_set(frame_job *job, const draw_request *request,
                      render_counters *counters);

/* Opens the source of the config's data, then does as _read_data: finds steps and fields
 * in it. `field`: the volume's field in any case, or NULL. Collective. Errors:
 * STATUS_INPUT, those of io_select_steps and frame_auto_fields. */
status frame_job_open_data(frame_job *job, const char *field);
status frame_job_read_data(frame_job *job, const char *field);

/* Finds the fields that the job's config leaves open, and makes the volume's recipe of
 * them, anew. `field` as above. Adds to *found. Collective. Errors: as above. */
status frame_job_take_fields(frame_job *job, const char *field, frame_auto_values *found);

/* Reads the grid of a step (index). With a volume it keeps the bricks read on the way,
 * but of copies only those that show come into memory. Collective. Errors: STATUS_INPUT,
 * STATUS_MEMORY. */
status frame_job_load_grid(frame_job *job, int step);

/* Loads the grid of a step (index), if it is another than the one in memory, and all that
 * follows from a grid. Collective. Errors: STATUS_INPUT, STATUS_MEMORY. */
status frame_job_follow_grid(frame_job *job, int step);

/* Takes another config for the same data, to which all that stays of the job is fitted
 * (frame/shown/change.c); *config stays if the data are others. Collective. Errors: those
 * of frame_job_create. Then the job may be half made. */
status frame_job_refit(frame_job *job, io_config **config);

/* Makes annotations, and the stack of pictures without a volume. Collective. Errors:
 * STATUS_MEMORY, those of frame_annotations_create. */
status frame_job_make_annotations(frame_job *job);
status frame_job_make_stack(frame_job *job);

/* Gives layers with `range: step` the ranges of a step (index). Collective. Errors: those
 * of frame_auto_step_ranges. */
status frame_job_follow_ranges(frame_job *job, int step);

#endif

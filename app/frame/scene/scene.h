/* A scene: the data of a job and their looks. Layers and shares know no more of a job. */
#ifndef APP_FRAME_SCENE_SCENE_H
#define APP_FRAME_SCENE_SCENE_H

#include "base/status.h"
#include "grid/brick.h"
#include "grid/recipe.h"
#include "io/config/config.h"
#include "io/source.h"
#include "render/transfer/transfer.h"
#include "render/view/camera.h"
#include "render/volume.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct app_missing;
struct app_scene;

/* Whether this rank draws a brick. Local. */
typedef bool app_draws(const struct app_scene *scene, int64_t number);

/* The part of this rank (app/frame/distribution/distribution.h, which sets all of it). */
typedef struct app_part {
    box3 owned_box; /* this rank's part of space by cells: there it traces and reads edges
                     */
    box3 box; /* of space, which it draws; everything, if the camera's window decides */
    app_draws *draws;
    bool stays;         /* the box is the same in all pictures; so on every rank */
    bool is_exchanging; /* bricks that move come from other ranks, not from the source */
} app_part;

/* The volume; all zero where there is none. */
typedef struct app_volume {
    grid_recipe *recipe;
    double range[2]; /* of the field */
    render_transfer *transfer;
    grid_store *store; /* the bricks that it draws, or those that show something */
    render_scene *scene;
} app_volume;

typedef struct app_scene {
    MPI_Comm comm;
    int rank, ranks, threads;
    double mean_threads; /* of all ranks, the same on each: what they decide together must
                            not depend on the threads of one */
    io_config *config;
    io_source *source;
    bool is_from_memory; /* the source is somebody else's: a running program */
    int nsteps;
    int *steps; /* [nsteps]: indices into the source's steps */
    grid_layout *layout;
    render_camera camera; /* its window: the pixels that this rank draws */
    render_style style;
    render_cuts cuts;     /* style.cuts, where something is cut off */
    render_shade shade;   /* style.shade, where the volume is shaded */
    uint64_t colors_hash; /* of the control points, for --resume */
    app_part part;
    app_volume volume;
    struct app_missing *missing; /* reports of missing values so far */
    double *tile_seconds;        /* where layers whose rays march add what tiles take
                                    ([rows][columns]); NULL: nobody asks */
} app_scene;

#endif

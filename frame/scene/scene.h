/* A scene: the data of a job and their looks. Layers and distribution know nothing else
 * of a job. */
#ifndef FRAME_SCENE_SCENE_H
#define FRAME_SCENE_SCENE_H

#include "base/scale/scale.h"
#include "base/status.h"
#include "grid/brick.h"
#include "grid/recipe.h"
#include "io/config/config.h"
#include "io/source.h"
#include "render/light/shadow.h"
#include "render/transfer/transfer.h"
#include "render/view/camera.h"
#include "render/volume.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct frame_missing;
struct frame_particles;
struct frame_scene;

/* Whether this rank draws a brick. Local. */
typedef bool frame_draws(const struct frame_scene *scene, int64_t number);

/* This rank's part of the work. The distribution (frame/distribution/distribution.h)
 * sets all of it. */
typedef struct frame_part {
    box3 owned_box; /* this rank traces particles and reads edges of blocks there; boxes
                       have equal numbers of cells */
    box3 box; /* the box of space that this rank draws; everything if the camera's window
                 decides */
    frame_draws *draws;
    bool stays;         /* the box is the same in all pictures; the same on every rank */
    bool is_exchanging; /* moved bricks come from other ranks, not from the source */
} frame_part;

/* The volume; all zero if there is none. */
typedef struct frame_volume {
    grid_recipe *recipe;
    double range[2];  /* range of the field */
    base_scale scale; /* of its colours */
    render_transfer *transfer;
    grid_store *store; /* the bricks that this rank draws, or the visible ones of these */
    bool is_carried; /* the store has bricks of the grid before, for its blocks that rest
                      */
    bool has_step;   /* the store has the values of `step` already */
    int step;
    render_scene *scene;
    int pictures_left; /* with the current one; of a running program as many as it drew */
    bool keeps_ways;   /* the last picture left ways of rays in the scene */
} frame_volume;

typedef struct frame_scene {
    MPI_Comm comm;
    int rank, ranks, threads;
    int neighbours;      /* ranks of this node, this one included */
    double mean_threads; /* over all ranks, the same on each: common decisions must not
                            depend on one rank's threads */
    io_config *config;
    io_source *source;
    bool is_from_memory; /* a memory source, which a running program owns */
    bool is_live;        /* it computes on, so that values change between pictures */
    int nsteps;
    int *steps;     /* [nsteps]: indices into the source's steps */
    int64_t number; /* in the names of a picture's files: its step, or frame of a film */
    grid_layout *layout;
    double diagonal; /* of the bounds of the first grid: a measure of lengths that stays
                        if the grid moves; 0: not known yet */
    render_camera camera; /* its window holds the pixels that this rank draws */
    render_style style;
    render_cuts cuts;       /* style.cuts, if something is cut off */
    render_shade shade;     /* style.shade, if the volume is shaded or fades */
    render_shadows shadows; /* of the lights, for each picture (frame/light) */
    render_cue cue;         /* style.cue, if the config has one */
    uint64_t colors_hash;   /* hash of the control points, for --resume */
    frame_part part;
    frame_volume volume;
    struct frame_particles *particles; /* of a running program, borrowed; NULL: layers
                                        trace their own */
    struct frame_missing *missing;     /* warnings of missing values so far */
} frame_scene;

/* What a scene is drawn for. */
typedef enum draw_purpose {
    DRAW_PICTURE,
    DRAW_EDGES, /* surfaces have their plain colours: textures are no edges */
    DRAW_SHADOW /* the camera is a light: colours do not matter */
} draw_purpose;

/* One drawing of a scene, handed down to layers and volume. Scene and layers' looks stay
 * as they are meanwhile. */
typedef struct draw_request {
    render_camera camera;    /* its window and mask hold the pixels that are drawn */
    box3 box;                /* the part of space that is drawn */
    const render_cuts *cuts; /* borrowed; NULL: nothing is cut off */
    draw_purpose purpose;
    int shadow_hits;     /* of a pixel that a light's map keeps; 0: it is no shadow */
    double *seconds;     /* the volume adds the processor time of each tile here
                            ([rows][columns]), borrowed; NULL: not measured */
    double *iso_seconds; /* isosurfaces, in the same way */
} draw_request;

/* The picture of the scene's camera and part, one sample through the centres of pixels.
 * Local. */
draw_request frame_scene_request(const frame_scene *scene);

#endif

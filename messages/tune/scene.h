/* The images that karman tune composites. */
#ifndef MESSAGES_TUNE_SCENE_H
#define MESSAGES_TUNE_SCENE_H

#include "base/image.h"
#include "frame/tuning/tuning.h"
#include "messages/model/activity.h"

#include <mpi.h>

/* The active pixels of a scene. */
typedef enum tune_activity {
    TUNE_DENSE, /* all */
    TUNE_KD,    /* the footprints of a k-d tree's boxes */
    TUNE_FRAME  /* those of a frame that was rendered */
} tune_activity;

/* What is composited. The same on all ranks. */
typedef struct tune_picture {
    int width, height;
    composite_target target;
    tune_activity activity;
    const char *timings; /* of the frame; on rank 0, for TUNE_FRAME */
} tune_picture;

/* A picture on the ranks of comm. */
typedef struct tune_scene {
    MPI_Comm comm; /* borrowed */
    int rank, ranks;
    tune_picture picture;
    int *number;                /* [ranks]: the node of each rank */
    int *order;                 /* [ranks]: the rank at each position */
    int *node;                  /* [ranks]: the node of each position */
    composite_nodes nodes;      /* of the positions, before tune_scene_turn */
    simulate_activity activity; /* of the positions; zero: dense */
    int position;               /* of this rank */
    pixel_rect bounds;          /* of this rank's active pixels */
    double share;               /* as composite_rule.activity */
} tune_scene;

/* Makes a scene. Collective. Errors, the same on all ranks: STATUS_MEMORY; STATUS_INPUT
 * (the timings). */
status tune_scene_create(MPI_Comm comm, const tune_picture *picture, tune_scene *out);

/* Frees what it has; zero is fine. Local. */
void tune_scene_clear(tune_scene *scene);

/* Puts rank 0's node at number `at` of the nodes, as another view would, from 0; the
 * others follow it around. A frame keeps its order. Local. */
void tune_scene_turn(tune_scene *scene, int at);

/* Draws this rank's image, which is transparent. Local. */
void tune_scene_draw(const tune_scene *scene, image *img);

/* The position of rank 0. Local. */
int tune_scene_root(const tune_scene *scene);

#endif

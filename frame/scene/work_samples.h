/* Work samples: the work of a picture as weighted points in space. */
#ifndef FRAME_SCENE_WORK_SAMPLES_H
#define FRAME_SCENE_WORK_SAMPLES_H

#include "scene.h"

/* A place, relative to the layout's origin, and its work in cells that rays meet. */
typedef struct frame_work_sample {
    float at[3], weight;
} frame_work_sample;

/* A growing list, which begins as all zeros. */
typedef struct frame_work_samples {
    int64_t count, capacity;
    frame_work_sample *items;
    double sum; /* sum of the weights */
    bool failed;
} frame_work_samples;

/* Adds a sample. Without memory it sets samples->failed. Local. */
void frame_work_samples_push(frame_work_samples *samples, vec3 at, double weight);

void frame_work_samples_clear(frame_work_samples *samples);

/* Whether a point lies in a half-open box. Local. */
bool frame_work_is_inside(box3 box, vec3 point);

/* Adds samples for the cells of a store that are in memory and in this rank's box. A
 * cell's weight follows from the pixels that it covers. Without memory it sets
 * samples->failed. Local. */
void frame_work_samples_add_cells(const frame_scene *scene, const grid_store *store,
                                  frame_work_samples *samples);

#endif

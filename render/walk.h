/*
 * Walking: one ray follows the cells of a grid and gathers colour.
 *
 * This is where the time of a picture goes, so there are several kernels, one for each
 * instruction set, that give the same picture to the last bit. They are one code,
 * render/walk_kernel.h, around different ways to measure a cell.
 */
#ifndef RENDER_WALK_H
#define RENDER_WALK_H

#include "render/march.h"
#include "render/volume.h"

/* One ray on its way. */
typedef struct ray_walk {
    const cell_ray *ray;
    double t0, t1;     /* the part of the ray that is drawn: [t0, t1) */
    double end;        /* nothing is drawn of cells that are entered here or later */
    int nruns;         /* > 0 */
    march_entry *runs; /* [nruns]: where it enters the grid, sorted along it; changed */
    double rgb[3];
    double transmittance;
    double first_t; /* where the ray first meets a cell, or +infinity */
} ray_walk;

/* What all rays have in common. */
typedef struct walk_scene {
    const march_grid *grid;
    const render_transfer *transfer;
} walk_scene;

/* What happens in one cell: the ray goes from t0 to t1, the scalar linearly from s0 to
 * s1. In an inverted cell t1 < t0: what was counted too much before is taken back. */
typedef struct march_segment {
    double t0, t1;
    double s0, s1;
} march_segment;

typedef enum march_result {
    MARCH_ON,   /* there is another cell */
    MARCH_LEFT, /* the ray leaves the grid, or what is loaded of it */
    MARCH_LOST  /* a defect: no exit was found; no segment is given */
} march_result;

typedef struct walk_kernel {
    const char *name;

    /*
     * Follows rays through their runs: stretches from an entry to where the grid is left.
     * Runs of a sound grid come one after the other. Where they overlap, they are
     * followed side by side, the one that is behind first, so that segments are blended
     * in the order of their beginnings, however the grid is cut into blocks and bricks.
     * walks: [count].
     */
    void (*follow)(const walk_scene *scene, int count, ray_walk *walks,
                   render_counters *counters);

    /* Crosses one cell: fills in the segment and moves *at to the entry of the next cell.
     */
    march_result (*step)(const march_grid *grid, const cell_ray *ray, march_entry *at,
                         march_segment *segment);
} walk_kernel;

/* The kernels that this processor can run, from the plainest to the fastest:
 * NULL-terminated. */
const walk_kernel *const *render_walk_kernels(void);

/* render_volume with a kernel of one's choice; for tests and benchmarks. */
status render_volume_with(const walk_kernel *kernel, const grid_store *store,
                          const render_transfer *transfer, const render_camera *camera,
                          box3 clip, int threads, image *img, render_counters *counters);

#endif

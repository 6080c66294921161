/* The inside of distributions: their common state, and the duties of a kind. */
#ifndef APP_FRAME_DISTRIBUTION_KIND_H
#define APP_FRAME_DISTRIBUTION_KIND_H

#include "app/frame/layers/layer.h"
#include "grid/partition.h"
#include "step.h"

struct distribution_kind;
struct cost_estimate;

/* Times of loads, the price of moving boxes or rectangles (loads.h). */
typedef struct distribution_loads {
    double field_seconds;   /* a load without geometry, on any rank; 0: not known */
    double move_seconds[2]; /* a load for which bricks were read, and one for which they
                               were exchanged, on any rank; 0: not known */
} distribution_loads;

/* A distribution. */
typedef struct distribution_state {
    const struct distribution_kind *kind;
    app_scene *scene;
    const app_layers *layers;
    app_picture *picture;
    grid_partition *owned_boxes; /* space, by cells */
    distribution_times times;
    distribution_loads loads;
    void *own; /* of the kind */
} distribution_state;

/* How work is shared out. Functions are local unless they say otherwise. */
typedef struct distribution_kind {
    /* Bytes of `own`, which begins as zeros. */
    size_t size;
    /* Draws the home, or everything. Errors: STATUS_MEMORY. */
    status (*create)(distribution_state *state);
    /* Also of one that is half made. */
    void (*destroy)(distribution_state *state);

    /* Whether the costs of bricks decide on the parts. The same on every rank. */
    bool (*weighs)(const distribution_state *state);
    /* Takes a part by the expected costs of bricks. Errors: STATUS_MEMORY. */
    status (*divide)(distribution_state *state, const struct cost_estimate *estimate);
    /* Whether this rank draws a brick: app_part. */
    app_draws *draws;
    /* Parts come from a tree, of space or of the picture: the one at hand; another one of
     * so many parts, as divide makes it; whether a part of a tree draws a brick. Errors
     * of cut: STATUS_MEMORY. */
    const void *(*find_tree)(const distribution_state *state);
    status (*cut)(const distribution_state *state, const struct cost_estimate *estimate,
                  int nparts, void **tree);
    void (*destroy_tree)(void **tree);
    bool (*part_draws)(const distribution_state *state,
                       const struct cost_estimate *estimate, const void *tree, int part,
                       int64_t number);

    /* distribution_correct. Collective. */
    status (*correct)(distribution_state *state, int frames_left, bool *moved);

    /* distribution_may_narrow, distribution_put_together (collective),
     * distribution_pieces but for width and height, distribution_forget (NULL: nothing to
     * do). */
    bool (*may_narrow)(const distribution_state *state);
    status (*put_together)(distribution_state *state, status rendered,
                           const distribution_drawn *drawn, distribution_result *out);
    status (*pieces)(distribution_state *state, const distribution_drawn *drawn,
                     io_png_share *out);
    void (*forget)(distribution_state *state);
} distribution_kind;

/* Sort-last: boxes of space, whose pictures are blended. Sort-first: rectangles of the
 * picture, which lie side by side. */
extern const distribution_kind distribution_box_kind, distribution_screen_kind;

#endif

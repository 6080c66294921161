/* The inside of shares: their common state, and the duties of a kind. */
#ifndef APP_FRAME_SHARE_KIND_H
#define APP_FRAME_SHARE_KIND_H

#include "app/frame/layers/layer.h"
#include "grid/partition.h"
#include "step.h"

struct share_kind;
struct share_needs;

/* Times of loads, the price of moving boxes or rectangles (loads.h). */
typedef struct share_loads {
    double field_seconds;   /* a load without geometry, on any rank; 0: not known */
    double move_seconds[2]; /* a load for which bricks were read, and one for which they
                               were exchanged, on any rank; 0: not known */
} share_loads;

/* A share. */
typedef struct share_state {
    const struct share_kind *kind;
    app_scene *scene;
    const app_layers *layers;
    app_picture *picture;
    grid_partition *homes; /* space, by cells */
    app_share_took took;
    share_loads loads;
    void *own; /* of the kind */
} share_state;

/* How work is shared out. Functions are local unless they say otherwise. */
typedef struct share_kind {
    /* Bytes of `own`, which begins as zeros. */
    size_t size;
    /* Draws the home, or everything. Errors: STATUS_MEMORY. */
    status (*create)(share_state *state);
    /* Also of one that is half made. */
    void (*destroy)(share_state *state);

    /* Whether the costs of bricks decide on the parts. The same on every rank. */
    bool (*weighs)(const share_state *state);
    /* Takes a part by the expected costs of bricks. Errors: STATUS_MEMORY. */
    status (*divide)(share_state *state, const struct share_needs *needs);
    /* Whether this rank draws a brick: app_part. */
    app_draws *draws;
    /* Parts come from a tree, of space or of the picture: the one at hand; another one of
     * so many parts, as divide makes it; whether a part of a tree draws a brick. Errors
     * of cut: STATUS_MEMORY. */
    const void *(*find_tree)(const share_state *state);
    status (*cut)(const share_state *state, const struct share_needs *needs, int nparts,
                  void **tree);
    void (*destroy_tree)(void **tree);
    bool (*part_draws)(const share_state *state, const struct share_needs *needs,
                       const void *tree, int part, int64_t number);

    /* app_share_correct. Collective. */
    status (*correct)(share_state *state, int frames_left, bool *moved);

    /* app_share_may_narrow, app_share_put_together (collective), app_share_pieces but for
     * width and height, app_share_rest (NULL: nothing to do). */
    bool (*may_narrow)(const share_state *state);
    status (*put_together)(share_state *state, status rendered,
                           const app_share_drawn *drawn, app_share_result *out);
    status (*pieces)(share_state *state, const app_share_drawn *drawn, io_png_share *out);
    void (*rest)(share_state *state);
} share_kind;

/* Sort-last: boxes of space, whose pictures are blended. Sort-first: rectangles of the
 * picture, which lie side by side. */
extern const share_kind share_box_kind, share_screen_kind;

#endif

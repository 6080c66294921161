/* The private parts of a distribution: the state of all kinds, and the functions of a
 * kind. */
#ifndef FRAME_DISTRIBUTION_KIND_H
#define FRAME_DISTRIBUTION_KIND_H

#include "frame/layers/layer.h"
#include "grid/partition/partition.h"
#include "step.h"

struct distribution_kind;
struct cost_estimate;

/* Times of loads. They tell the price of moving boxes or rectangles (loads.h). */
typedef struct distribution_loads {
    double field_seconds;   /* a load without geometry, most of all ranks; 0: not known */
    double move_seconds[2]; /* a load that read moved bricks, and one that exchanged them,
                               most of all ranks; 0: not known */
} distribution_loads;

/* This rank's state of a distribution. */
typedef struct distribution_state {
    const struct distribution_kind *kind;
    frame_scene *scene;
    const frame_layers *layers;
    frame_picture *picture;
    int *nodes; /* [ranks]: number of the node of each rank, for the parts of a node to be
                   neighbours */
    grid_partition *owned_boxes; /* boxes with equal numbers of cells */
    distribution_times times;
    distribution_loads loads;
    io_png_range root_band; /* of a picture with floats: what this rank compresses */
    void *own;              /* the state of the kind */
} distribution_state;

/* A way to divide the work. Functions are local unless they say otherwise. */
typedef struct distribution_kind {
    /* Bytes of `own`. They begin as zeros. */
    size_t size;
    /* Makes `own`; the rank draws its owned box, or everything. Errors: STATUS_MEMORY. */
    status (*create)(distribution_state *state);
    /* Also destroys a state that is half made. */
    void (*destroy)(distribution_state *state);

    /* Whether the cost estimate decides on the parts. The same on every rank. */
    bool (*weighs)(const distribution_state *state);
    /* Takes a part by the cost estimate. Errors: STATUS_MEMORY. */
    status (*divide)(distribution_state *state, const struct cost_estimate *estimate);
    /* Whether this rank draws a brick: frame_part. */
    frame_draws *draws;
    /* Parts come from a tree of boxes or rectangles. find_tree returns the current tree.
     * cut makes another one of `nparts` parts, as divide would. part_draws tells whether
     * a part of a tree draws a brick. Errors of cut: STATUS_MEMORY. */
    const void *(*find_tree)(const distribution_state *state);
    status (*cut)(const distribution_state *state, const struct cost_estimate *estimate,
                  int nparts, void **tree);
    void (*destroy_tree)(void **tree);
    bool (*part_draws)(const distribution_state *state,
                       const struct cost_estimate *estimate, const void *tree, int part,
                       int64_t number);

    /* distribution_correct. Collective. */
    status (*correct)(distribution_state *state, int frames_left, bool *moved);

    /* The visibility order of the ranks, [ranks], and a rectangle around the pixels that
     * this rank draws. Both for the current camera. NULL: no two ranks draw the same
     * pixel, so nothing is blended. */
    const int *(*order)(distribution_state *state);
    pixel_rect (*bounds)(const distribution_state *state);

    /* As distribution_may_crop, distribution_begin (NULL: there is nothing to agree on;
     * collective), distribution_put_together (collective), distribution_finish (NULL: all
     * is done when samples were put together; collective), distribution_pieces without
     * width and height, distribution_forget (NULL: nothing to do). */
    bool (*may_crop)(const distribution_state *state);
    status (*begin)(distribution_state *state);
    status (*put_together)(distribution_state *state, status rendered,
                           const distribution_drawn *drawn, distribution_result *out);
    status (*finish)(distribution_state *state, status blended,
                     const distribution_drawn *drawn, distribution_result *out);
    status (*pieces)(distribution_state *state, const distribution_drawn *drawn,
                     io_png_share *out);
    void (*forget)(distribution_state *state);
} distribution_kind;

/* All kinds: io/config/families.h lists them. */
#define DISTRIBUTION_DECLARE(name, word, kind) extern const distribution_kind kind;
IO_DISTRIBUTIONS(DISTRIBUTION_DECLARE)
#undef DISTRIBUTION_DECLARE

/* composite_begin and composite_finish: while this rank draws, messages of others arrive.
 * Blending adds its counts to *sum. Collective, as these two. */
status distribution_begin_blending(composite_executor *executor,
                                   const composite_request *request, image *img,
                                   pixel_rect bounds, status failed);
status distribution_blend(composite_executor *executor, status rendered,
                          composite_result *out, composite_counters *sum);

/* Lists the finished pixels that this rank has, in place of an earlier list, *ranges or
 * NULL. Local. Errors: STATUS_MEMORY. */
status distribution_list_ranges(const composite_result *blended, io_png_range **ranges);

/* So many parts, with those of a node as a group if there is one for each rank. */
grid_parts distribution_parts(const distribution_state *state, int count);

#endif

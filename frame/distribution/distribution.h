/* The distribution: the division of a picture's work among ranks. */
#ifndef FRAME_DISTRIBUTION_DISTRIBUTION_H
#define FRAME_DISTRIBUTION_DISTRIBUTION_H

#include "frame/layers/layer.h"
#include "step.h"

/* This rank's state, of the kind that the config's `partition` names. A distribution sets
 * the scene's part, the camera's window and the style's clock. */
typedef struct distribution_state distribution_state;

/*
 * Cuts space into one owned box for each rank; ranks trace particles and read edges of
 * blocks there. Before distribution_divide, a rank draws its owned box (sort-last) or
 * everything (sort-first). The distribution borrows all arguments but *out; they must not
 * move. Layers and picture may be made later. The scene has its layout. Collective.
 * Errors: STATUS_MEMORY.
 */
status distribution_create(frame_scene *scene, const frame_layers *layers,
                           frame_picture *picture, distribution_state **out);

/*
 * Cuts space or the picture by the cost estimate, if the config asks for that. Then
 * checks the bytes of each rank's bricks against the config's memory limit. The scene has
 * its camera and its layers. Collective. Errors: STATUS_USAGE (bricks exceed the limit;
 * the message names a sufficient number of ranks), STATUS_MEMORY.
 */
status distribution_divide(distribution_state *state);

/* Local; NULL is fine. */
void distribution_destroy(distribution_state **state);

/*
 * Load balancing with `balance: cost`: takes the times of the last picture, and gives
 * ranks other boxes or rectangles if that pays over the remaining frames. Then sets
 * *moved, the same on every rank, and the caller must load the bricks of the new part.
 * Collective. Errors: STATUS_MEMORY.
 */
status distribution_correct(distribution_state *state, const distribution_times *times,
                            int frames_left, bool *moved);

/* Whether drawing may crop the image (image.may_crop). The same on all ranks.
 * Local. */
bool distribution_may_crop(const distribution_state *state);

/*
 * Agrees on all that can fail before the ranks draw. After STATUS_OK every rank draws,
 * and calls distribution_put_together, also if it fails to draw. Collective. Errors, the
 * same on all ranks: those of composite_begin.
 */
status distribution_begin(distribution_state *state);

/*
 * Makes one picture from the parts of all ranks. `rendered`: the status of drawing on
 * this rank. The returned status may differ among ranks: they must agree on it before
 * they read the pixels of distribution_pieces. Collective. Errors: `rendered`,
 * STATUS_MEMORY.
 */
status distribution_put_together(distribution_state *state, status rendered,
                                 const distribution_drawn *drawn,
                                 distribution_result *out);

/*
 * A set of further samples at edges, after the first sample of a picture. Both as the two
 * calls above: ranks agree, draw into the set (picture.samples.set), and add it up.
 * Collective. Errors, the same on all ranks: STATUS_MEMORY, those of composite_begin,
 * `rendered`.
 */
status distribution_begin_set(distribution_state *state);
status distribution_put_set(distribution_state *state, status rendered,
                            distribution_result *out);

/* After all samples: finishes the picture, which gets the means of sets. `blended`: the
 * status of this rank's work so far. The returned status may differ among ranks.
 * Collective. Errors: `blended`, STATUS_MEMORY. */
status distribution_finish(distribution_state *state, status blended,
                           const distribution_drawn *drawn, distribution_result *out);

/* This rank's pieces of the picture: fills in *out except width and height. Ranges and
 * pixels are borrowed until the next picture. Local. Errors: STATUS_MEMORY, those of
 * frame_annotations_draw. */
status distribution_pieces(distribution_state *state, const distribution_drawn *drawn,
                           io_png_share *out);

/* Tells the distribution that the picture's memory was released, so that the next picture
 * must be drawn completely. Local. */
void distribution_forget(distribution_state *state);

#endif

/* How the work of a picture is shared out among ranks. */
#ifndef APP_FRAME_DISTRIBUTION_DISTRIBUTION_H
#define APP_FRAME_DISTRIBUTION_DISTRIBUTION_H

#include "app/frame/layers/layer.h"
#include "step.h"

/* The share of this rank; of the kind that the config's `partition` names. It sets the
 * scene's part, the camera's window and the style's clock. */
typedef struct distribution_state distribution_state;

/*
 * Cuts space into a home for every rank, from which particles are traced and edges are
 * read. The share draws its home, or everything, until it is divided. It borrows all but
 * *out, which must not move; layers and picture may be made later. The scene has its
 * layout. Collective. Errors: STATUS_MEMORY.
 */
status distribution_create(app_scene *scene, const app_layers *layers,
                           app_picture *picture, distribution_state **out);

/*
 * Cuts space or the picture by the expected costs of drawing, if the config wants that.
 * Then compares the bytes of each rank's bricks with the config's memory. The scene has
 * its camera, and the layers are there. Collective. Errors: STATUS_USAGE (they take more:
 * the message says how many ranks would do), STATUS_MEMORY.
 */
status distribution_divide(distribution_state *state);

/* Local; NULL is fine. */
void distribution_destroy(distribution_state **state);

/*
 * With balance: cost: takes the times of the last picture, and gives ranks other boxes or
 * rectangles if that pays over the frames that are left. Then *moved, the same on every
 * rank: all holders of bricks get those of the new part. Collective. Errors:
 * STATUS_MEMORY.
 */
status distribution_correct(distribution_state *state, const distribution_times *times,
                            int frames_left, bool *moved);

/* Whether drawing may narrow the image (image.may_narrow). The same on all ranks.
 * Local. */
bool distribution_may_narrow(const distribution_state *state);

/*
 * Puts the picture together out of the parts of all ranks. `rendered`: the status of
 * drawing here. The status that it returns may differ from rank to rank: ranks agree on
 * it before they read the pixels of distribution_pieces. Collective. Errors: `rendered`,
 * STATUS_MEMORY.
 */
status distribution_put_together(distribution_state *state, status rendered,
                                 const distribution_drawn *drawn,
                                 distribution_result *out);

/* This rank's pieces of the picture: *out but for width and height. Ranges and pixels are
 * borrowed until the next picture. Local. Errors: STATUS_MEMORY, those of
 * app_annotations_draw. */
status distribution_pieces(distribution_state *state, const distribution_drawn *drawn,
                           io_png_share *out);

/* The memory of the picture has been given back: all of it is to be drawn anew. Local. */
void distribution_forget(distribution_state *state);

#endif

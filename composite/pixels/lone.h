/* Merging where most pixels are shown by one image alone. Private to composite/. */
#ifndef COMPOSITE_PIXELS_LONE_H
#define COMPOSITE_PIXELS_LONE_H

#include "merge.h"

/* What is known of a row of the picture that one piece holds as a whole, from the picture
 * before. */
typedef struct composite_ground_row {
    composite_columns shown; /* beside them the background is there already */
    bool is_crowded;         /* several images showed some pixel, or nobody knows */
    int32_t lone;            /* else: pixels that were shown, by one image each */
} composite_ground_row;

/*
 * Merges what several of the layers [nlayers] and `own` show of the range of `own`, in
 * that order, and writes it as bytes; all have columns and that range. What one of them
 * shows alone is not written: who drew it does that. (Alone is what lies within the
 * columns of one.)
 *
 * Pixels that none shows get the background. ground: [height], brought up to date for the
 * rows that lie in the range as a whole; of others nothing is known. is_same: all images
 * show the same columns as in the picture before. Local.
 */
composite_merged composite_lone_merge(composite_operator op, const composite_layer *own,
                                      const composite_layer *layers, int nlayers,
                                      const composite_sink *sink,
                                      composite_ground_row *ground, bool is_same);

/*
 * Writes the pixels of `own`, all with columns, that no other of the layers [nlayers, up
 * to COMPOSITE_MOST_LAYERS] shows, as bytes: those that nothing is merged with. Local.
 */
void composite_lone_write(const composite_layer *own, const composite_layer *layers,
                          int nlayers, const composite_sink *sink);

#endif

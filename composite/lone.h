/* Merging where most pixels are shown by one image alone. Private to composite/. */
#ifndef COMPOSITE_LONE_H
#define COMPOSITE_LONE_H

#include "composite/merge.h"

/*
 * Merges what several of the layers [nlayers] and `own` show of the range of `own`, in
 * that order, and writes it as bytes; all have columns. What one of them shows alone is
 * not written: who drew it does that. (Alone is what lies within the columns of one.)
 *
 * Pixels that none shows get the background. ground: [height]; beside these columns of a
 * row it is known to be there already. Rows that lie in the range as a whole are brought
 * up to date; of others nothing is known. Local.
 */
composite_merged composite_lone_merge(composite_operator op, const composite_layer *own,
                                      const composite_layer *layers, int nlayers,
                                      const composite_sink *sink,
                                      composite_columns *ground);

/*
 * Writes the pixels of `own`, all with columns, that no other of the layers [nlayers, up
 * to COMPOSITE_MOST_LAYERS] shows, as bytes: those that nothing is merged with. Local.
 */
void composite_lone_write(const composite_layer *own, const composite_layer *layers,
                          int nlayers, const composite_sink *sink);

#endif

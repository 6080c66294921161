/* Points and index ranges in the words of options and configs. */
#ifndef FRAME_INTEGRALS_INDICES_H
#define FRAME_INTEGRALS_INDICES_H

#include "base/status.h"
#include "grid/layout.h"

/* Reads three numbers with commas or spaces between them; false if there are others.
 * Local. */
bool frame_indices_read_three(const char *text, double x[3]);

/* The same; `option` is for messages. Local. Errors: STATUS_USAGE. */
status frame_indices_read_point(const char *option, const char *text, double x[3]);

/* The index of the block with the name name[length], or -1. Local. */
int frame_indices_block(int count, const grid_block *blocks, const char *name,
                        size_t length);

/*
 * Reads "BLOCK:i,j,k" with ranges a:b and `:`, in blocks[count]; -1 is the last index.
 * Local. Errors: STATUS_USAGE: there is no such block, or no such index.
 */
status frame_indices_read(const char *option, const char *text, int count,
                          const grid_block *blocks, int *block, int64_t range[3][2]);

#endif

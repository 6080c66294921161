/* The steps of a source that a config selects. */
#ifndef IO_SELECT_H
#define IO_SELECT_H

#include "source.h"

#include <stdbool.h>

/*
 * Finds the steps that data.steps selects: (*steps)[*count], ascending indices of the
 * source's steps, malloc'ed, at least one. is_part: the source is one of several files
 * that have the steps together. Such a file may lack a listed step, but not all of them.
 * Local, the same on every rank. Errors: STATUS_USAGE, with the place of data.steps and
 * the steps of the source; STATUS_INPUT (the source has no steps); STATUS_MEMORY.
 */
status io_select_steps(const io_source *source, const io_config *config, bool is_part,
                       int *count, int **steps);

/* Fails unless the grids of some steps (indices) have the same blocks, of the same sizes:
 * an index then means the same vertex at all of them. *moves: whether these move. Local.
 * Errors: STATUS_INPUT, with the first step that has others. */
status io_select_check_blocks(const io_source *source, int count, const int *steps,
                              bool *moves);

/* Whether the recorded message says that data.steps selects nothing. */
bool io_select_found_none(status s);

#endif

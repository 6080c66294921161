/* The steps of a source that a config selects. */
#ifndef IO_SELECT_H
#define IO_SELECT_H

#include "source.h"

#include <stdbool.h>

/*
 * Finds the steps that data.steps selects: (*steps)[*count], indices of the source's
 * steps, ascending, malloc'ed, at least one. is_part: the source is one of several files,
 * which have the steps together: a listed one that it lacks is no error then, unless it
 * has none. Local, the same on every rank. Errors: STATUS_USAGE with the place of
 * data.steps, and the steps that there are; STATUS_INPUT (there are none at all),
 * STATUS_MEMORY.
 */
status io_select_steps(const io_source *source, const io_config *config, bool is_part,
                       int *count, int **steps);

/* Whether the message that is held is about data.steps, which selects nothing. */
bool io_select_found_none(status s);

#endif

/* Other data on the same grid, beside those of a source. */
#ifndef IO_SOURCES_OTHER_H
#define IO_SOURCES_OTHER_H

#include "base/status.h"
#include "io/config/config.h"

typedef struct io_source io_source;

/*
 * Gives a source other data: fields of GRID_OTHER are read from them. *other becomes the
 * source's, also after a failure. Steps belong together by their number, else by their
 * time, if `config` names none and the other data have several; a note says so if it is
 * not the number. Collective. Errors: STATUS_INPUT: the grids differ in blocks, sizes or
 * coordinates; STATUS_USAGE: the named step is not there; STATUS_MEMORY.
 */
status io_other_take(io_source *source, io_source **other, const io_other_config *config);

#endif

/* Whether the grids of a series of files differ. */
#ifndef IO_SOURCES_SERIES_MOTION_H
#define IO_SOURCES_SERIES_MOTION_H

#include "io/source.h"

/*
 * Compares the coordinates of two files with the same blocks, along a line in the middle
 * of each block for each of its axes, and along one on each of its faces across j and k.
 * A grid that moves differs there, unless only a small part of it does. Local: both
 * sources are this rank's alone. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status series_motion_compare(io_source *a, io_source *b, bool *differ);

#endif

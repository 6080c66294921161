/* Colour maps in ParaView's JSON format, by name or by file. */
#ifndef IO_COLORMAP_H
#define IO_COLORMAP_H

#include "base/status.h"

/*
 * Loads a colour map. `name` ends in ".json": a file, relative to `folder`; else one of
 * the maps that lie in the folder of the environment variable KARMAN_COLORMAPS, in
 * karman's installed ones, or in its source tree, in this order. `where` begins the
 * messages: the place in the config that asks for the map.
 *
 * points: *count times position, r, g, b; positions ascend from 0 to 1 (others in the
 * file are scaled), colours are in 0..1 and to be interpolated linearly. malloc'ed.
 * Local.
 *
 * ColorSpace RGB is taken as it is; Lab and Diverging are sampled finely enough for 8-bit
 * colours; others are refused. Of several maps in a file the first one counts.
 *
 * Errors: STATUS_USAGE (unknown name: the message lists what there is), STATUS_INPUT (the
 * file is missing or not a colour map), STATUS_MEMORY.
 */
status io_colormap_load(const char *where, const char *name, const char *folder,
                        int *count, double (**points)[4]);

#endif

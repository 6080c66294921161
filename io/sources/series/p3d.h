/* ParaView's lists of PLOT3D files (.p3d): JSON that names a grid, a solution and a
 * function file for each step. */
#ifndef IO_SOURCES_SERIES_P3D_H
#define IO_SOURCES_SERIES_P3D_H

#include "files.h"

/* Whether a file is such a list, by its first bytes. Local. */
bool series_p3d_is(const char *path);

/* Reads a list; the paths in it are relative to its folder. Its other members, on forms
 * of files, are passed over: forms are found. Local. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status series_p3d_read(const char *path, series_files *out);

#endif

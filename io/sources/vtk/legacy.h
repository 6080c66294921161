/* Legacy files of VTK with structured grids. Source: Kitware, "VTK File Formats for VTK
 * Version 4.2". */
#ifndef IO_SOURCES_VTK_LEGACY_H
#define IO_SOURCES_VTK_LEGACY_H

#include "io/sources/arrays/builder.h"

/* Whether a file begins as legacy VTK does. Local. */
bool vtk_legacy_is(FILE *stream);

/* Adds the grid of a file and its fields, as block `name` at a step. Local. Errors:
 * STATUS_INPUT: the file has no structured grid, or is damaged; STATUS_MEMORY. */
status vtk_legacy_describe(const char *path, int32_t file, const char *name,
                           io_array_builder *builder);

#endif

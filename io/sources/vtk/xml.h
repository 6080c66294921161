/* XML files of VTK with structured grids. Source: Kitware, "VTK XML file formats". */
#ifndef IO_SOURCES_VTK_XML_H
#define IO_SOURCES_VTK_XML_H

#include "io/sources/arrays/builder.h"

/* Adds the grids of a file and their fields. builder->steps has one step, malloc'ed: it
 * gets the time that the file says, or becomes the steps of a collection. Local. Errors:
 * STATUS_INPUT: there is no structured grid, a file is missing or damaged, or karman was
 * built without libxml2; STATUS_MEMORY. */
status vtk_xml_describe(const char *path, io_array_builder *builder);

#endif

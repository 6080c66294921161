/* Replaces XML files in builds without libxml2. */
#include "xml.h"

status vtk_xml_describe(const char *path, io_array_builder *builder)
{
    (void)builder;
    return base_fail(STATUS_INPUT,
                     "VTK file '%s' is XML, and this karman was built without libxml2: "
                     "install it (Debian: libxml2-dev) and build anew",
                     path);
}
